"""Rebuild the notebooks that students open from the sources in solutions/."""

import contextlib
import json
import os
import re
import sys
import tempfile
from pathlib import Path

from autograder import assemble, chapters
from autograder.errors import CommandError
from autograder.judge import PUBLIC_SEED
from autograder.messages import LANGUAGES

ROOT = Path(__file__).resolve().parent.parent


class ReleaseError(CommandError):
    """A notebook can't be released; the message is one line saying what to do."""


def registered_points(exercise_id):
    """Return an exercise's points as the registry of the checks has them."""
    from autograder import exercise

    try:
        return exercise.get(exercise_id).points
    except LookupError as error:
        raise ReleaseError(str(error)) from None


def open_chapter(notebook, solutions=None):
    """Return the parsed source of a notebook.

    Args:
        notebook: str, its id.
        solutions: Path of the folder that holds the sources; None is the project's own.

    Returns:
        Chapter.

    Raises:
        ReleaseError: if there is no such notebook; the message lists the known ones.
        ChapterError: if its source isn't in the format.
    """
    solutions = Path(solutions or ROOT / "solutions")
    known = chapters.find(solutions)
    if notebook not in known:
        names = ", ".join(known) or f"none in {solutions}"
        raise ReleaseError(f"there is no notebook {notebook!r}; known: {names}")
    return chapters.parse(known[notebook])


def edition(chapter, lang, *, seed=PUBLIC_SEED, points=None, class_dir=None):
    """Make one edition of a notebook, as students get it.

    Args:
        chapter: Chapter.
        lang: str, ``"zh"`` or ``"en"``.
        seed: int, which bug the drill shows.
        points: callable from an exercise id to its points; None asks the registry.
        class_dir: Path of the class in whose gradebook to record the graded cells, or None.

    Returns:
        dict from a path relative to the notebook's folder to bytes: the notebook and the stored
        results that it plots.

    Raises:
        ReleaseError: if nbgrader refuses, or an answer would be released.
        ChapterError: if a cell can't be built.
    """
    from autograder import gradebook

    files = source_files(chapter, lang, seed=seed, points=points)
    name = f"{chapter.notebook}.ipynb"
    try:
        released = gradebook.generate_assignment(
            files, chapter.notebook, text_stub=assemble.TEXT_STUB[lang], class_dir=class_dir
        )
    except gradebook.BridgeError as error:
        raise ReleaseError(f"nbgrader refuses {chapter.notebook} ({lang}): {error}") from error
    released[name] = assemble.to_bytes(json.loads(released[name]))
    refuse_answers(chapter, released[name].decode(), seed)
    return released


def source_files(chapter, lang, *, seed=PUBLIC_SEED, points=None):
    """Return the folder that nbgrader reads: the notebook with its answers, stored results."""
    notebook = assemble.build(chapter, lang, seed=seed, points=points or registered_points)
    results = sorted((chapter.path.parent / "results").glob("*.json"))
    files = {f"results/{path.name}": path.read_bytes() for path in results}
    return {f"{chapter.notebook}.ipynb": assemble.to_bytes(notebook), **files}


def solved_files(chapter, lang, *, seed=PUBLIC_SEED, points=None):
    """Return the folder of the edition that runs top to bottom with the reference answers."""
    files = source_files(chapter, lang, seed=seed, points=points)
    points = points or registered_points
    notebook = assemble.build(chapter, lang, seed=seed, points=points, solved=True)
    return files | {f"{chapter.notebook}.ipynb": assemble.to_bytes(notebook)}


def refuse_answers(chapter, text, seed):
    """Raise ReleaseError if a released notebook still holds an answer or an instructor's cell."""
    cells = ["".join(cell["source"]) for cell in json.loads(text)["cells"]]
    if any("BEGIN SOLUTION" in cell or "END SOLUTION" in cell for cell in cells):
        raise ReleaseError(f"{chapter.notebook}: a solution marker would be released")
    for exercise_id, source in assemble.answer_sources(chapter, seed).items():
        for block in assemble.solutions(source):
            if any(_squeeze(block) in _squeeze(cell) for cell in cells):
                raise ReleaseError(f"{chapter.notebook}: the answer of {exercise_id} is released")
    for cell in instructor_cells(chapter):
        if any(_squeeze(cell.source) in _squeeze(other) for other in cells):
            raise ReleaseError(f"{chapter.path}:{cell.line}: an instructor's cell is released")


def instructor_cells(chapter):
    """Return the cells that never leave the sources."""
    return [cell for cell in chapter.cells if "instructor" in cell.tags]


def _squeeze(text):
    return re.sub(r"\s+", "", text)


def assert_same_code(first, second):
    """Check that two editions differ in prose alone.

    Raises:
        ReleaseError: naming the first cell that differs.
    """
    pair = [json.loads(text) for text in (first, second)]
    for notebook in pair:
        notebook["metadata"]["course"].pop("lang")
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = None
                # The stub for a written answer is prose, and so is its checksum.
                cell["metadata"].get("nbgrader", {}).pop("checksum", None)
    one, two = (notebook.pop("cells") for notebook in pair)
    if pair[0] != pair[1] or len(one) != len(two):
        raise ReleaseError("the two editions differ in metadata or number of cells")
    for left, right in zip(one, two, strict=True):
        if left != right:
            raise ReleaseError(f"the two editions differ in the cell {left['id']}")


def release(notebook, *, solutions=None, seed=PUBLIC_SEED, points=None):
    """Make both editions of a notebook in memory.

    Args:
        notebook: str, its id.
        solutions: Path of the sources; None is the project's own folder.
        seed: int, which bug the drill shows.
        points: callable from an exercise id to its points; None asks the registry.

    Returns:
        dict from language to the dict that `edition` returns.

    Raises:
        ReleaseError, ChapterError: as `edition` does.
    """
    chapter = open_chapter(notebook, solutions)
    made = {lang: edition(chapter, lang, seed=seed, points=points) for lang in LANGUAGES}
    assert_same_code(*(made[lang][f"{notebook}.ipynb"] for lang in LANGUAGES))
    return made


def write_folder(folder, files):
    """Bring a folder to exactly these files; each appears whole or not at all.

    Args:
        folder: Path.
        files: dict from relative path to bytes.

    Returns:
        list of str: the relative paths that were written or removed.
    """
    changed = []
    for name, content in files.items():
        path = folder / name
        if path.is_file() and path.read_bytes() == content:
            continue
        write_whole(path, content)
        changed.append(name)
    for name in stale_files(folder, files):
        (folder / name).unlink()
        changed.append(name)
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            with contextlib.suppress(OSError):  # not empty
                path.rmdir()
    return changed


def stale_files(folder, files):
    """Return the relative paths of a folder's files that aren't among ``files``."""
    present = (path for path in sorted(folder.rglob("*")) if path.is_file())
    names = (path.relative_to(folder).as_posix() for path in present)
    return [name for name in names if name not in files and ".ipynb_checkpoints" not in name]


def write_whole(path, content):
    """Write a file beside its place and move it there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def release_to_class(class_dir, notebook, *, solutions=None, points=None):
    """Release a notebook into a class: its language, its seed, its gradebook.

    Args:
        class_dir: Path of the class, made by ``autograder init-class``.
        notebook: str.
        solutions: Path of the sources, or None.
        points: callable from an exercise id to its points; None asks the registry.

    Returns:
        list of str: the files that changed, relative to the class.

    Raises:
        ReleaseError, ChapterError: as `release` does, and if the folder isn't a class.
    """

    class_dir = Path(class_dir).resolve()
    try:
        settings = json.loads((class_dir / ".autograder" / "course.json").read_bytes())
        lang, seed = settings["lang"], int(settings["seed"])
    except (OSError, ValueError, KeyError, TypeError):
        raise ReleaseError(
            f"{class_dir} isn't a class yet; make it with: autograder init-class {class_dir}"
        ) from None
    chapter = open_chapter(notebook, solutions)
    source = source_files(chapter, lang, seed=seed, points=points)
    files = edition(chapter, lang, seed=seed, points=points, class_dir=class_dir)
    changed = []
    for place, content in (("source", source), ("release", files)):
        written = write_folder(class_dir / place / notebook, content)
        changed += [f"{place}/{notebook}/{name}" for name in written]
    return changed


def add_parser(subparsers):
    """Add ``release`` to the command line."""
    parser = subparsers.add_parser("release", help="rebuild the notebooks that students open")
    parser.add_argument(
        "notebooks", nargs="*", metavar="NOTEBOOK", help="ids or ch01; default: all"
    )
    parser.add_argument("--class-dir", type=Path, help="release into this class, with its seed")
    parser.add_argument("--seed", type=int, default=PUBLIC_SEED, help="which bug a drill shows")
    parser.add_argument("--solutions", type=Path, default=ROOT / "solutions", help="the sources")
    parser.add_argument(
        "--out",
        "--course",
        dest="course",
        type=Path,
        default=ROOT / "course",
        help="where to write",
    )
    parser.add_argument("--solved", type=Path, help="write the editions with answers here instead")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if out of date")
    parser.add_argument("--json", action="store_true", help="print the changed files as JSON")
    parser.set_defaults(run=run)


def run(args):
    """Run ``release``; return the exit code."""
    known = chapters.find(args.solutions)
    notebooks = chapters.named(args.notebooks, known) or list(known)
    if not notebooks:
        raise ReleaseError(f"there is no notebook in {args.solutions}")
    changed = []
    for notebook in notebooks:
        changed += _release_one(args, notebook)
    if args.json:
        print(json.dumps({"notebooks": notebooks, "changed": changed}))
    else:
        for name in changed:
            print(name, file=sys.stderr)
        state = "out of date" if args.check else "changed"
        print(f"{len(notebooks)} notebook(s), {len(changed)} file(s) {state}", file=sys.stderr)
    return 1 if args.check and changed else 0


def _release_one(args, notebook):
    """Release one notebook where the arguments say; return the paths that changed."""
    if args.class_dir:
        return release_to_class(args.class_dir, notebook, solutions=args.solutions)
    changed = []
    if args.solved:
        chapter = open_chapter(notebook, args.solutions)
        made = {lang: solved_files(chapter, lang, seed=args.seed) for lang in LANGUAGES}
    else:
        made = release(notebook, solutions=args.solutions, seed=args.seed)
    for lang, files in made.items():
        folder = (args.solved or args.course) / lang / notebook
        if args.check:
            same = {name for name in files if (folder / name).is_file()}
            same = {name for name in same if (folder / name).read_bytes() == files[name]}
            names = [name for name in files if name not in same] + stale_files(folder, files)
        else:
            names = write_folder(folder, files)
        changed += [f"{lang}/{notebook}/{name}" for name in names]
    return changed
