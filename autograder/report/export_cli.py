"""`autograder export`: grades as a file for Canvas, for Moodle, or for a spreadsheet."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from autograder import private
from autograder.errors import CommandError
from autograder.exercise import load
from autograder.messages import LANGUAGES, language
from autograder.report.clean import plain
from autograder.report.cli import course_language
from autograder.report.data import ClassResults, ExerciseInfo, load_class, with_gradebook
from autograder.report.lms import with_roster, without_roster
from autograder.report.lms_columns import Wanted
from autograder.report.page import notebook_title
from autograder.report.roster import CANVAS, MOODLE, WORKSHEET, Match, match, read_roster
from autograder.report.table import grades_csv

PLAIN = "plain"


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `export` to the command line of `autograder`."""
    parser = subparsers.add_parser(
        "export",
        help="grades as CSV for Canvas, Moodle or a spreadsheet",
        description="Write grades (points by hand and late penalties included) as CSV. With "
        "--roster, the file that Canvas or Moodle exported comes back with its ids and order.",
    )
    parser.add_argument("notebook", help="the assignment, e.g. ch03a_self_attention")
    parser.add_argument("--course", required=True, type=Path, help="class directory")
    parser.add_argument(
        "--format",
        choices=[PLAIN, CANVAS, MOODLE, WORKSHEET],
        help="default: what the roster is, else plain",
    )
    parser.add_argument("--roster", type=Path, metavar="FILE", help="export of the system's own")
    parser.add_argument("--match", metavar="COLUMN", help="roster column with the students' ids")
    parser.add_argument("--grade-column", metavar="COLUMN", help="roster column for the grade")
    parser.add_argument("--assignment", metavar="NAME", help="its name there (default: notebook)")
    parser.add_argument("--per-exercise", action="store_true", help="a column an exercise, too")
    parser.add_argument("--scale", action="store_true", help="convert to the system's maximum")
    parser.add_argument("--comments", action="store_true", help="fill in feedback comments")
    parser.add_argument("--lang", choices=LANGUAGES, help="language of the comments")
    parser.add_argument("--out", type=Path, help="default: DIR/reports/NOTEBOOK-FORMAT.csv")
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Write the file, and say on standard error who is missing from which side.

    Args:
        args: what the command line said.

    Returns:
        0, or 1 where a submission has no row in the roster.

    Raises:
        CommandError: for what the user can put right.
    """
    exercises = [ExerciseInfo.of(exercise) for exercise in load(args.notebook)]
    results = with_gradebook(load_class(args.course, args.notebook, exercises), args.course)
    lang = args.lang or course_language(args.course) or language()
    roster = read_roster(args.roster) if args.roster else None
    chosen = args.format or (roster.kind if roster else PLAIN)
    if roster and chosen != roster.kind:
        raise CommandError(f"{args.roster} is a {roster.kind} file, not a {chosen} one")
    titles = [notebook_title(args.course, args.notebook, one) for one in LANGUAGES]
    wanted = Wanted(
        assignment=args.assignment or args.notebook,
        titles=() if args.assignment else tuple(title for title in titles if title),
        per_exercise=args.per_exercise,
        scale=args.scale,
        comments=args.comments,
        lang=lang,
    )
    told: dict[str, Any] = {}
    notes = [f"gradebook left out: {results.gradebook_problem}"] * bool(results.gradebook_problem)
    if roster:
        found = match(roster, _names(results), args.match)
        content, more = with_roster(roster, found, results, wanted, args.grade_column)
        told = _people(roster, found, results, args.match)
        notes += more + _sentences(told)
    elif chosen == PLAIN:
        content = grades_csv(results)
    else:
        content = without_roster(chosen, results, wanted)
    path = args.out or args.course / "reports" / f"{args.notebook}-{chosen}.csv"
    private.write(path, content)
    for note in notes:
        print(f"autograder export: {note}", file=sys.stderr)
    if args.json:
        print(json.dumps({"file": str(path), "format": chosen, **told}, ensure_ascii=False))
    else:
        print(path)
    return int(bool(told.get("unknown") or told.get("unclear")))


def _names(results: ClassResults) -> dict[str, list[str]]:
    """Every student with the other ids that the gradebook knows."""
    return {
        one.id: [one.standing.lms_id, one.standing.email] if one.standing else []
        for one in results.students
    }


def _people(roster, found: Match, results: ClassResults, by: str | None) -> dict[str, list[str]]:
    """Who is on one side only, by name."""
    ungraded = {name: [] for name in results.ungraded}
    waiting = match(roster, ungraded, by).rows
    absent = [
        row[roster.person_column].strip()
        for number, row in enumerate(roster.rows)
        if number not in found.rows and number not in waiting
    ]
    return {
        "without_submission": absent,
        "ungraded": list(results.ungraded),
        "unknown": found.unknown,
        "unclear": found.unclear,
    }


def _sentences(told: dict[str, list[str]]) -> list[str]:
    words = {
        "without_submission": "handed nothing in",
        "ungraded": "handed in, but not graded yet",
        "unknown": "submissions of nobody in the roster",
        "unclear": "fit several rows, or share one, and were left out",
    }
    return [f"{text} ({len(told[k])}): {_some(told[k])}" for k, text in words.items() if told[k]]


def _some(names: list[str]) -> str:
    shown = "; ".join(plain(name, 60) for name in names[:30])
    return shown + (f" and {len(names) - 30} more" if len(names) > 30 else "")
