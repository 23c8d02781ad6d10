"""Makes a class: an ordinary nbgrader course folder with a private corner for the grader."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.assemble import TEXT_STUB
from autograder.class_dir import ClassDir
from autograder.classroom.people import People, Person, read_people
from autograder.errors import CommandError
from autograder.messages import LANGUAGES

CONFIG = '''"""nbgrader's settings for this class; its own commands and Formgrader work here."""

c = get_config()  # noqa: F821 (nbgrader provides it)

c.CourseDirectory.course_id = {course_id!r}

# For stock `nbgrader autograde`: a cell may take this many seconds.
c.ExecutePreprocessor.timeout = 300

# What stands in place of a written answer after stock `nbgrader generate_assignment`.
c.ClearSolutions.text_stub = {text_stub!r}

# Late work: what late_policy.toml says, if it is there (see `autograder late`); else
# c.LateSubmissionPlugin.penalty_method, "none" or "zero", counts.
c.AssignLatePenalties.plugin_class = "autograder.gradebook.late_policy.LatePolicy"

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
    people: Sequence[Person] = (),
) -> list[str]:
    """Makes a class folder, whole or not at all.

    Args:
        root: The folder, which must be new or empty.
        lang: "zh" or "en".
        notebooks: Which to release into it; None releases all there are.
        seed: The class's seed; None draws one.
        solutions: Where the notebooks' sources are; None is the project's own folder.
        points: A function from an exercise id to its points; None asks the registry.
        people: The students to put into the gradebook.

    Returns:
        The ids of the released notebooks.

    Raises:
        CommandError: when the folder is in use, or a notebook does not exist.
    """
    from autograder import chapters, release
    from autograder.gradebook.enrol import enrol

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
        if people:
            enrol(building, people)
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
    parser = subparsers.add_parser(
        "init-class",
        help="make a class: an nbgrader course folder",
        description="Make a class. With --roster and a class that exists, add the people who are "
        "new and bring names and addresses up to date; nobody is ever deleted.",
    )
    parser.add_argument("folder", type=Path, help="a new folder")
    parser.add_argument("--lang", default="zh", choices=LANGUAGES, help="language (default zh)")
    parser.add_argument(
        "--notebook", action="append", default=[], nargs="+", help="release these; default: all"
    )
    text = "the class list: an export of Canvas or Moodle, or a table with id, name and email"
    parser.add_argument("--roster", type=Path, metavar="FILE", help=text)
    text = "roster column with the students' ids, as their folders in submitted/ are called"
    parser.add_argument("--id", metavar="COLUMN", help=text)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs `init-class`.

    Returns:
        0.

    Raises:
        CommandError: for what the user can put right.
    """
    names = [name for group in args.notebook for name in group]
    people = read_people(args.roster, args.id) if args.roster else None
    for note in people.notes if people else ():
        print(f"autograder init-class: {note}", file=sys.stderr)
    if people and (args.folder / ".autograder" / "course.json").is_file():
        if names:
            raise CommandError(
                f"{args.folder} is a class already; release another notebook into it with: "
                f"autograder release {' '.join(names)} --class-dir {args.folder}"
            )
        _enrol(args.folder, people)
        return 0
    released = create(args.folder, args.lang, names, people=people.persons if people else ())
    print(f"{args.folder}: {', '.join(released)}", file=sys.stderr)
    if people:
        print(f"{len(people.persons)} students, ids from {people.column!r}", file=sys.stderr)
    print(
        f"Hand out {args.folder / 'release'}; put what comes back into "
        f"{args.folder / 'submitted'}/<student>/<notebook>/, then: "
        f"autograder grade <notebook> --course {args.folder}",
        file=sys.stderr,
    )
    return 0


def _enrol(folder: Path, people: People) -> None:
    """Brings a class that exists up to date with a roster."""
    from autograder.gradebook import BridgeError
    from autograder.gradebook.enrol import enrol

    course = ClassDir.open(folder)
    try:
        # The lock keeps graders out, who work on Linux only.
        with course.working() if sys.platform == "linux" else contextlib.nullcontext():
            done = enrol(course.root, people.persons)
    except BridgeError as error:
        raise CommandError(str(error)) from None
    parts = {
        f"{len(done.added)} added": done.added,
        f"{len(done.updated)} brought up to date": done.updated,
        f"{done.same} as they were": [],
        f"{len(done.others)} in the class and not in this roster, kept": done.others,
    }
    for text, who in parts.items():
        some = ", ".join(who[:12]) + (" …" if len(who) > 12 else "")
        print(f"{text}{': ' if who else ''}{some}", file=sys.stderr)
