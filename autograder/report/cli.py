"""`autograder report`: the class page and the grades of a graded class."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from autograder import private
from autograder.exercise import load
from autograder.messages import language
from autograder.report.data import ExerciseInfo, load_class, with_gradebook
from autograder.report.table import grades_csv


def add_parser(subparsers: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Add `report` to the command line of `autograder`."""
    parser = subparsers.add_parser(
        "report",
        help="class page (HTML) and grades (CSV) from the results of `autograder grade`",
        description="Write the class page and grades.csv from the results of `autograder grade`.",
    )
    parser.add_argument("notebook", help="the assignment, e.g. ch03a_self_attention")
    parser.add_argument("--course", required=True, type=Path, help="class directory")
    parser.add_argument("--lang", choices=["zh", "en"], help="language of the page")
    parser.add_argument("--out", type=Path, help="page to write (default: DIR/reports/NB.html)")
    parser.add_argument("--csv", type=Path, help="grades to write (default: beside the page)")
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")
    return parser


def run(args: argparse.Namespace) -> int:
    """Write the page and the grades.

    Args:
        args: what the command line said.

    Returns:
        0.

    Raises:
        CommandError: there are no results; LookupError: no such notebook; OSError: cannot write.
    """
    from autograder.report.page import notebook_title, render, rubric_of

    exercises = [ExerciseInfo.of(exercise) for exercise in load(args.notebook)]
    results = with_gradebook(load_class(args.course, args.notebook, exercises), args.course)
    lang = args.lang or course_language(args.course) or language()
    title = notebook_title(args.course, args.notebook, lang)
    page = args.out or args.course / "reports" / f"{args.notebook}.html"
    grades = args.csv or page.with_name("grades.csv")
    rubric = rubric_of(args.notebook, lang)
    private.write(page, render(results, lang, title, rubric).encode("utf-8"))
    private.write(grades, grades_csv(results))
    if args.json:
        written = {"page": str(page), "csv": str(grades), "students": len(results.students)}
        print(json.dumps(written, ensure_ascii=False))
    else:
        print(page)
        print(grades)
    return 0


def course_language(course: Path) -> str | None:
    """Return the language the class was made with, or None."""
    try:
        lang = json.loads((course / ".autograder" / "course.json").read_text("utf-8"))["lang"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return lang if lang in ("zh", "en") else None
