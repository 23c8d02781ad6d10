"""Read every notebook source and name what a student would stumble over."""

import ast
import json
import re
import sys
from pathlib import Path

from autograder import chapters, drill_sources, release, sources
from autograder.assemble import answer_sources, check_source
from autograder.chapters import ChapterError, is_drill
from autograder.lint_points import Finding, at, blanks, finding_of, points, points_of
from autograder.messages import LANGUAGES
from autograder.prose import Prose, differences

MAX_EXERCISES = 10
MAX_COLUMNS = 100
# nbgrader gives 0 to a graded cell that writes anything to stderr.
STDERR = re.compile(r"sys\.stderr|\bwarnings\.warn\b|\blogging\.|\btraceback\.print")
SECRETS = re.compile(r"\bautograder\.(oracles|exercises|judge)\b|\bclass_seed\b")


def lint_notebook(notebook, *, solutions=None, course=None, registry=None):
    """Check one notebook.

    Args:
        notebook: str, its id.
        solutions: Path of the sources; None is the project's own folder.
        course: Path of the released notebooks, or None to leave them out.
        registry: dict from exercise id to points for this notebook; None reads the checks'.

    Returns:
        list of Finding in the order of the files; empty if all is well.

    Raises:
        ReleaseError: if there is no such notebook.
    """
    try:
        chapter = release.open_chapter(notebook, solutions)
    except ChapterError as error:
        return [finding_of(error)]
    findings = []
    for rule in (_prose, _contracts, _code, _exercises, _buildable):
        findings += rule(chapter)
    findings += points(chapter, points_of(notebook) if registry is None else registry)
    if registry is None:
        findings += blanks(chapter)
    findings += _results(chapter)
    findings.sort()
    if course is not None:
        findings += _released(chapter, Path(course))
    return findings


def _pairs(chapter):
    """Yield every markdown cell with its sibling."""
    cells = chapter.cells
    for number, cell in enumerate(cells):
        if cell.lang == "zh":
            yield cell, cells[number + 1]


def _prose(chapter):
    """The two languages must have the same headings, formulas, code, links and tables."""
    for zh, en in _pairs(chapter):
        for message, line in differences(zh.source, en.source):
            yield at(chapter, en, message, line)
        for cell in (zh, en):
            for line in Prose(cell.source).dead_bold:
                yield at(chapter, cell, "a ** here stays two asterisks: move it or its mark", line)


def _contracts(chapter):
    """The cell above an exercise names every argument, in both languages."""
    for number, cell in enumerate(chapter.cells):
        if not cell.is_answer:
            continue
        above = chapter.cells[max(0, number - 2) : number]
        if [other.lang for other in above] != ["zh", "en"]:
            yield at(chapter, cell, f"no contract cell directly above {cell.exercise!r}")
            continue
        for other in above:
            words = Prose(other.source).words
            for name in _asked(chapter, cell):
                if name not in words:
                    yield at(chapter, other, f"the contract of {cell.exercise!r} lacks `{name}`")


def _asked(chapter, cell):
    """Return the names that a contract must mention."""
    if is_drill(cell.exercise):
        try:
            bugs = drill_sources.read_bugs(chapter.path.parent / "drill.py")
        except ChapterError:
            return []  # _buildable says so
        names = ["patient", "repaired", "suspect", *(bug.key for bug in bugs)]
        return names + [name for bug in bugs[:1] for name in arguments(bug.source)]
    found = sources.exercise_import(cell.source)
    if found is None:
        return arguments(cell.source)
    try:
        return arguments(sources.library_source(f"{found[0]}:{found[1][0]}").text)
    except (LookupError, ChapterError):
        return []


def arguments(text):
    """Return the arguments of the function or class that a text defines, in order.

    Of a class those of ``__init__`` and ``call`` count; ``self`` and ``**kwargs`` don't.
    """
    nodes = [node for node in ast.parse(text).body if hasattr(node, "decorator_list")]
    functions = []
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            wanted = ("__init__", "call")
            functions += [child for child in node.body if getattr(child, "name", "") in wanted]
        else:
            functions.append(node)
    names = []
    for function in functions:
        given = function.args
        for argument in [*given.posonlyargs, *given.args, *given.kwonlyargs]:
            if argument.arg != "self" and argument.arg not in names:
                names.append(argument.arg)
    return names


def _code(chapter):
    """Code cells: width, nothing to stderr, nothing that a student must not see."""
    for cell in chapter.cells:
        if cell.kind != "code":
            continue
        for number, line in enumerate(cell.source.split("\n"), 1):
            if len(line) > MAX_COLUMNS:
                yield at(chapter, cell, f"{len(line)} columns, at most {MAX_COLUMNS}", number)
            if STDERR.search(line):
                yield at(chapter, cell, "a cell must not write to stderr", number)
            if SECRETS.search(line):
                yield at(chapter, cell, "a notebook must not reach for what judges it", number)
            if not cell.is_answer and "SOLUTION" in line:
                yield at(chapter, cell, "solution marker outside an exercise", number)


def _exercises(chapter):
    """Not too many, and the experiments come after what they use."""
    if len(chapter.exercises) > MAX_EXERCISES:
        cell = chapter.answers[MAX_EXERCISES]
        yield at(chapter, cell, f"more than {MAX_EXERCISES} exercises")
    if not any(cell.kind == "markdown" and cell.exercise for cell in chapter.cells):
        yield Finding(str(chapter.path), 1, "no written question")
    if not any(is_drill(name) for name in chapter.exercises):
        yield Finding(str(chapter.path), 1, "no drill")
    answered = set()
    for cell in chapter.cells:
        if cell.kind != "code":
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", None) != "ready":
                continue
            for name in (getattr(argument, "value", None) for argument in node.args):
                if name not in answered:
                    message = f"ready({name!r}) names no exercise above"
                    yield at(chapter, cell, message, node.lineno)
        answered.add(cell.check)


def _buildable(chapter):
    """The builder must be able to cut every exercise from the library."""
    try:
        texts = answer_sources(chapter, release.PUBLIC_SEED)
        for cell in chapter.cells:
            if cell.check:
                check_source(chapter, cell, release.PUBLIC_SEED)
    except ChapterError as error:
        return [finding_of(error)]
    findings = []
    for cell in chapter.answers:
        for line in texts[cell.exercise].split("\n"):
            if len(line) > MAX_COLUMNS:
                message = f"{cell.exercise!r}: {len(line)} columns, at most {MAX_COLUMNS}"
                findings.append(at(chapter, cell, message))
    return findings


def _results(chapter):
    """Stored results exist and are JSON."""
    folder = chapter.path.parent
    for path in sorted((folder / "results").glob("*.json")):
        try:
            json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            yield Finding(str(path), 1, f"not JSON: {error}")
    yield from _absent(chapter, r"(results/[\w-]+\.json)", "{}")


def unmeasured(chapter):
    """Yield the experiments that a notebook asks for with `stored` and that nobody has run yet.

    A notebook runs without them, so its text has no fault: `autograder notebook` names them.

    Args:
        chapter: from `chapters.read`.

    Yields:
        Finding.
    """
    yield from _absent(chapter, r'\bstored\("(\w+)"\)', "results/{}.json")


def _absent(chapter, pattern, name):
    for cell in chapter.cells:
        if cell.kind != "code" or "instructor" in cell.tags:
            continue
        for number, line in enumerate(cell.source.split("\n"), 1):
            for found in re.findall(pattern, line):
                if not (chapter.path.parent / name.format(found)).is_file():
                    message = f"there is no {name.format(found)} beside the source: "
                    yield at(chapter, cell, message + "run make experiments", number)


def _released(chapter, course):
    """What students have must be what the sources say, without answers."""
    findings = []
    for lang in LANGUAGES:
        path = course / lang / chapter.notebook / f"{chapter.notebook}.ipynb"
        if not path.is_file():
            findings.append(Finding(str(path), 1, "not released: run make course"))
            continue
        try:
            release.refuse_answers(chapter, path.read_text("utf-8"), release.PUBLIC_SEED)
        except release.ReleaseError as error:
            findings.append(Finding(str(path), 1, str(error)))
        except ChapterError:
            pass  # said by _buildable
        except (ValueError, KeyError):
            findings.append(Finding(str(path), 1, "not a notebook: run make course"))
    return findings


def _orphans(known, course):
    """Yield released notebooks that have no source any more."""
    for lang in LANGUAGES:
        for path in sorted((course / lang).glob("*/*.ipynb")):
            if path.parent.name not in known:
                yield Finding(str(path), 1, "no source makes this notebook; delete its folder")


def add_parser(subparsers):
    """Add ``lint`` to the command line."""
    parser = subparsers.add_parser("lint", help="check the notebooks' sources")
    parser.add_argument("notebooks", nargs="*", metavar="NOTEBOOK", help="ids; default: all")
    parser.add_argument("--solutions", type=Path, default=release.ROOT / "solutions")
    parser.add_argument("--course", type=Path, default=release.ROOT / "course")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.set_defaults(run=run)


def run(args):
    """Run ``lint``; return 1 if there is something to put right."""
    findings = []
    known = chapters.find(args.solutions)
    for notebook in chapters.named(args.notebooks, known) or known:
        findings += lint_notebook(notebook, solutions=args.solutions, course=args.course)
    if not args.notebooks:
        findings += _orphans(known, args.course)
    if args.json:
        print(json.dumps([vars(finding) for finding in findings], ensure_ascii=False))
    for finding in findings:
        print(relative(finding), file=sys.stderr if args.json else sys.stdout)
    return 1 if findings else 0


def relative(finding):
    """Return a finding's line with its path as seen from here, which editors can open."""
    path = Path(finding.path)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return f"{path}:{finding.line}: {finding.message}"
