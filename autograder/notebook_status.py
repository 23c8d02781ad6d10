"""What `make notebook` does: lint, try the answers, rebuild, and say what to do next."""

import json
import subprocess
import sys
from pathlib import Path

from autograder import chapters, lint, release

# A grader is tested with at least so many right answers per exercise, and with so many wrong ones
# unless there aren't that many distinct mistakes, which only a person can tell.
MIN_RIGHT, MIN_WRONG = 3, 8


def add_parser(subparsers):
    """Add ``notebook`` to the command line."""
    parser = subparsers.add_parser(
        "notebook", help="lint, test and rebuild one notebook; say what is missing next"
    )
    parser.add_argument("notebook", metavar="NOTEBOOK", help="id, such as ch03a_self_attention")
    parser.add_argument("--solutions", type=Path, default=release.ROOT / "solutions")
    parser.add_argument("--course", type=Path, default=release.ROOT / "course")
    parser.add_argument("--no-variants", action="store_true", help="don't run the answers")
    parser.set_defaults(run=run)


def run(args):
    """Run ``notebook``; return 1 as long as something is missing."""
    missing = list(status(args))
    for finding in missing:
        print(lint.relative(finding))
    if missing:
        print(f"next: {lint.relative(missing[0])}")
        return 1
    print(f"{args.notebook}: nothing missing")
    return 0


def status(args):
    """Yield what a notebook lacks, in the order in which to mend it.

    Args:
        args: the parsed command line.

    Yields:
        lint.Finding.

    Raises:
        ReleaseError: if the notebook doesn't exist and its name is close to none.
    """
    notebook, source = args.notebook, args.solutions / args.notebook / f"{args.notebook}.py"
    if notebook not in chapters.find(args.solutions):
        if not source.parent.is_dir():
            release.open_chapter(notebook, args.solutions)  # says which notebooks there are
        yield lint.Finding(
            str(source), 1, "this notebook has no source yet; see docs/add-an-exercise.md"
        )
        return
    findings = lint.lint_notebook(notebook, solutions=args.solutions)
    yield from findings
    try:
        made = release.release(notebook, solutions=args.solutions)
    except (release.ReleaseError, chapters.ChapterError) as error:
        if not findings:
            yield lint.Finding(
                str(getattr(error, "path", source)), getattr(error, "line", 1), str(error)
            )
        return
    for lang, files in made.items():
        for name in release.write_folder(args.course / lang / notebook, files):
            print(f"rebuilt {args.course.name}/{lang}/{notebook}/{name}", file=sys.stderr)
    yield from lint.unmeasured(release.open_chapter(notebook, args.solutions))
    if not args.no_variants:
        yield from answers(notebook, source.parent / "variants.py")


def answers(notebook, path):
    """Run the right and wrong answers of a notebook and yield what they show.

    Args:
        notebook: str.
        path: Path of its ``variants.py``.

    Yields:
        lint.Finding.
    """
    if not path.is_file():
        yield lint.Finding(str(path), 1, "there are no right and wrong answers yet")
        return
    command = [sys.executable, "-m", "autograder", "variants", "--notebook", notebook, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    try:
        table = json.loads(done.stdout)["exercises"]
    except (ValueError, KeyError):
        yield lint.Finding(str(path), 1, f"'autograder variants' fails (exit {done.returncode})")
        return
    text = path.read_text(encoding="utf-8").split("\n")
    for row in table:
        if row["wrong"]["total"] < MIN_WRONG:
            count = row["wrong"]["total"]
            print(f"note: {row['id']} has {count} wrong answers; are there more?", file=sys.stderr)
        places = (n for n, line in enumerate(text, 1) if f'"{row["id"]}"' in line)
        line = next(places, 1)
        for message in judged(row):
            yield lint.Finding(str(path), line, f"{row['id']}: {message}")


def judged(row):
    """Return what is wrong with one exercise's line of the table of variants."""
    right, wrong = row["right"], row["wrong"]
    messages = []
    if row["reference"] < 1:
        messages.append(f"the reference gets {row['reference']:.0%}, not full marks")
    if row["blank"] > 0:
        messages.append(f"a blank answer gets {row['blank']:.0%}, not 0")
    if right["full"] < right["total"]:
        messages.append(f"{right['total'] - right['full']} right answer(s) lose marks")
    if wrong["killed"] < wrong["total"]:
        messages.append(f"{wrong['total'] - wrong['killed']} wrong answer(s) get full marks")
    if wrong["named"] < wrong["total"]:
        messages.append(f"{wrong['total'] - wrong['named']} wrong answer(s) aren't named")
    for pair in row["indistinguishable"]:
        messages.append(f"no case tells {pair[0]} from {pair[1]}")
    if right["total"] < MIN_RIGHT:
        messages.append(f"{right['total']} right answer(s), at least {MIN_RIGHT} are needed")
    return messages
