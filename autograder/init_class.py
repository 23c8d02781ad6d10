"""Makes a class: an ordinary nbgrader course folder with a private corner for the grader."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from autograder.assemble import TEXT_STUB
from autograder.errors import CommandError
from autograder.messages import LANGUAGES

CONFIG = '''"""nbgrader's settings for this class; its own commands and Formgrader work here."""

c = get_config()  # noqa: F821 (nbgrader provides it)

c.CourseDirectory.course_id = {course_id!r}

# For stock `nbgrader autograde`: a cell may take this many seconds.
c.ExecutePreprocessor.timeout = 300

# What stands in place of a written answer after stock `nbgrader generate_assignment`.
c.ClearSolutions.text_stub = {text_stub!r}

# Stored experiments travel with a notebook; nothing else is handed out.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback"]
'''


def create(
    root: Path,
    lang: str,
    notebooks: list[str] | None = None,
    *,
    seed: int | None = None,
    solutions: Path | None = None,
    points: Any = None,
) -> list[str]:
    """Makes a class folder, whole or not at all.

    Args:
        root: The folder, which must be new or empty.
        lang: "zh" or "en".
        notebooks: Which to release into it; None releases all there are.
        seed: The class's seed; None draws one.
        solutions: Where the notebooks' sources are; None is the project's own folder.
        points: A function from an exercise id to its points; None asks the registry.

    Returns:
        The ids of the released notebooks.

    Raises:
        CommandError: when the folder is in use, or a notebook does not exist.
    """
    from autograder import chapters, release

    if lang not in LANGUAGES:
        raise CommandError(f"--lang {lang!r}: choose {' or '.join(LANGUAGES)}")
    root = Path(root).expanduser().absolute()
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise CommandError(f"{root} exists and is not empty; choose a new folder")
    if not root.parent.is_dir():
        raise CommandError(f"{root.parent} does not exist; make it first")
    sources = Path(solutions or release.ROOT / "solutions")
    notebooks = list(notebooks or chapters.find(sources))
    if not notebooks:
        raise CommandError(f"there is no notebook to release in {sources}")
    # Built beside its place and moved there, so that a failure leaves nothing behind.
    building = Path(tempfile.mkdtemp(prefix=f".{root.name}.", dir=root.parent))
    try:
        _fill(building, root.name, lang, secrets.randbits(48) if seed is None else seed)
        options = {"points": points} if points is not None else {}
        for notebook in notebooks:
            release.release_to_class(building, notebook, solutions=sources, **options)
        os.chmod(building, 0o700)
        if root.exists():
            root.rmdir()
        os.replace(building, root)
    except (release.ReleaseError, chapters.ChapterError) as error:
        raise CommandError(str(error)) from None
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return notebooks


def _fill(folder: Path, course_id: str, lang: str, seed: int) -> None:
    """Writes everything but the notebooks."""
    private = folder / ".autograder"
    private.mkdir(mode=0o700)
    content = json.dumps({"format": 1, "lang": lang, "seed": seed}) + "\n"
    descriptor = os.open(private / "course.json", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(content)
    for name in ("source", "release", "submitted"):
        (folder / name).mkdir()
    config = CONFIG.format(course_id=course_id, text_stub=TEXT_STUB[lang])
    (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")


def add_parser(subparsers: Any) -> None:
    """Adds `init-class` to the command line."""
    parser = subparsers.add_parser("init-class", help="make a class: an nbgrader course folder")
    parser.add_argument("folder", type=Path, help="a new folder")
    parser.add_argument("--lang", default="zh", choices=LANGUAGES, help="language (default zh)")
    parser.add_argument(
        "--notebook", action="append", default=[], nargs="+", help="release these; default: all"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs `init-class`.

    Returns:
        0.

    Raises:
        CommandError: for what the user can put right.
    """
    names = [name for group in args.notebook for name in group]
    released = create(args.folder, args.lang, names)
    print(f"{args.folder}: {', '.join(released)}", file=sys.stderr)
    print(
        f"Hand out {args.folder / 'release'}; put what comes back into "
        f"{args.folder / 'submitted'}/<student>/<notebook>/, then: "
        f"autograder grade <notebook> --course {args.folder}",
        file=sys.stderr,
    )
    return 0
