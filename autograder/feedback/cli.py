"""`autograder feedback`: a page for every student, where nbgrader keeps feedback.

They lie in `feedback/<student>/<notebook>/<notebook>.html`, so that `nbgrader release_feedback` and
Formgrader hand them out like their own.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder import private
from autograder.errors import CommandError
from autograder.exercise import load
from autograder.feedback.page import of_record, render
from autograder.handed_files import read_bytes
from autograder.messages import LANGUAGES, language
from autograder.report.cli import course_language
from autograder.report.data import ExerciseInfo, load_class, read_record, with_gradebook
from autograder.report.page import notebook_title

# The edition that a notebook says it is; looked for in its text, since no student's file is parsed
# in this process. Whoever forges it chooses the language of their own page.
_EDITION = re.compile(rb'"course"\s*:\s*\{[^{}]{0,400}?"lang"\s*:\s*"(zh|en)"')

_NEAR = 500_000


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `feedback` to the command line of `autograder`."""
    parser = subparsers.add_parser(
        "feedback",
        help="a feedback page (HTML) for every student, in nbgrader's feedback folder",
        description="Write feedback/<student>/<notebook>/<notebook>.html from the results of "
        "`autograder grade`; hand it out with `nbgrader release_feedback` or by hand.",
    )
    parser.add_argument("notebook", help="the assignment, e.g. ch03a_self_attention")
    parser.add_argument("--course", required=True, type=Path, help="class directory")
    parser.add_argument("--student", action="append", metavar="ID", help="only this student")
    parser.add_argument("--lang", choices=LANGUAGES, help="default: that of each notebook")
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Write the pages.

    Args:
        args: what the command line said.

    Returns:
        0, or 1 where a result could not be read.

    Raises:
        CommandError: there are no results, or none of that student.
    """
    written, broken, problem = [], [], ""
    for student, page, why in write_all(args.course, args.notebook, args.lang, args.student):
        if student is None:
            problem = why
        elif page is None:
            broken.append(student)
        else:
            written.append({"student": student, "page": str(page)})
    if problem:
        print(
            f"autograder feedback: without manual grades and late penalties: {problem}",
            file=sys.stderr,
        )
    for student in broken:
        print(f"autograder feedback: {student}: unreadable result; grade again", file=sys.stderr)
    if args.json:
        print(json.dumps({"written": written, "unreadable": broken}, ensure_ascii=False))
    else:
        where = args.course / "feedback"
        print(f"{len(written)} page(s) in {where}", file=sys.stderr)
    return int(bool(broken))


def write_all(
    course: Path, notebook: str, lang: str | None = None, only: list[str] | None = None
) -> Iterator[tuple[str | None, Path | None, str]]:
    """Write the feedback of a class.

    Args:
        course: the class directory.
        notebook: the assignment.
        lang: the language of all pages; None takes that of each student's notebook.
        only: these students; None writes everybody's.

    Yields:
        student, the page (None where the result can't be read) and "". One triple without a
        student says why the gradebook was left out, if it was.

    Raises:
        CommandError: there are no results, or none of one of `only`.
    """
    exercises = [ExerciseInfo.of(exercise) for exercise in load(notebook)]
    results = with_gradebook(load_class(course, notebook, exercises), course)
    known = {student.id for student in results.students} | set(results.unreadable)
    for name in only or ():
        if name not in known:
            raise CommandError(f"there is no result of {name!r}; graded: {_some(sorted(known))}")
    if results.gradebook_problem:
        yield None, None, results.gradebook_problem
    fallback = course_language(course) or language()
    titles = {one: notebook_title(course, notebook, one) for one in LANGUAGES}
    os.chmod(private.folder(course / "feedback"), 0o700)
    for student in results.students:
        if only and student.id not in only:
            continue
        spoken = lang or edition(course, student.id, notebook) or fallback
        try:
            record = read_record(course / "results" / student.id / f"{notebook}.json")
            title = titles[spoken] or notebook
            page = of_record(record, student, results.exercises, title, results.late_rule)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            yield student.id, None, ""
            continue
        yield student.id, write_page(course, student.id, notebook, render(page, spoken)), ""
    for student in results.unreadable:
        if not only or student in only:
            yield student, None, ""


def write_page(course: Path, student: str, notebook: str, content: bytes) -> Path:
    """Put a page where nbgrader looks for it, with the two small files that it needs beside it.

    Args:
        course: the class directory.
        student: their id.
        notebook: the assignment.
        content: the page.

    Returns:
        The path of the page.
    """
    folder = course / "feedback" / student / notebook
    path = folder / f"{notebook}.html"
    private.write(path, content)
    # `release_feedback` copies the page with its mode into the exchange, where the student must be
    # able to read it. Here its folder keeps everybody else out.
    os.chmod(path, 0o644)
    for place in (folder, folder.parent):
        os.chmod(place, 0o700)
    submitted = course / "submitted" / student / notebook
    for name, instead in (("timestamp.txt", ""), ("submission_secret.txt", None)):
        data, _ = read_bytes(submitted / name)
        copy = folder / name
        if data is None and copy.exists():
            continue
        if data is None:
            # `release_feedback` stops at the first student without these. What did not come through
            # the exchange is filed under a secret that nobody knows.
            data = (secrets.token_hex(64) if instead is None else instead).encode()
        private.write(copy, data[:1000])
    return path


def edition(course: Path, student: str, notebook: str) -> str | None:
    """Return the language of the notebook that a student handed in, or None."""
    folder = course / "submitted" / student / notebook
    path = folder / f"{notebook}.ipynb"
    if not os.path.lexists(path):
        others = sorted(folder.glob("*.ipynb")) if folder.is_dir() else []
        if len(others) != 1:
            return None
        (path,) = others
    data, _ = read_bytes(path)
    # A notebook's own metadata stand at its end, or at its beginning; a file may be huge.
    for part in ((data or b"")[-_NEAR:], (data or b"")[:_NEAR]):
        found = _EDITION.search(part)
        if found:
            return found[1].decode()
    return None


def _some(names: list[str]) -> str:
    return ", ".join(names[:12]) + (", …" if len(names) > 12 else "") or "nobody"
