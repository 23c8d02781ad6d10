"""`autograder grade`: grades a class's submissions of a notebook."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from autograder.errors import CommandError
from autograder.grade_options import (
    add_course,
    add_running,
    bar,
    open_course,
    print_json,
    running_options,
)
from autograder.grading import grade_class
from autograder.sandbox import SandboxError
from autograder.shards import Shard


def add_parser(subparsers: Any) -> None:
    """Adds `grade` to the command line."""
    parser = subparsers.add_parser("grade", help="grade a class's submissions of a notebook")
    add_course(parser)
    parser.add_argument("--fresh", action="store_true", help="grade unchanged submissions again")
    parser.add_argument("--no-gradebook", action="store_true", help="leave the gradebook alone")
    text = "grade one part of the class, results only, e.g. 2/8; autograder merge does the rest"
    parser.add_argument("--shard", metavar="I/N", help=text)
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    add_running(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs `grade`.

    Returns:
        0 where all submissions were graded, whatever their scores; 1 where the gradebook refused
        one.

    Raises:
        CommandError: for what the user can put right.
    """
    course = open_course(args)
    shard = Shard.parse(args.shard) if args.shard else None
    options = running_options(args, course)
    summaries = []
    with course.working(shard.lock if shard else ""):
        for notebook in course.notebooks(args.notebook):
            title = f"{notebook} {shard}" if shard else notebook
            with bar(title, args.json) as shown:
                try:
                    summary = grade_class(
                        course,
                        notebook,
                        fresh=args.fresh,
                        gradebook=not args.no_gradebook and not shard,
                        shard=shard,
                        begin=shown.begin,
                        progress=shown.step,
                        **options,
                    )
                except SandboxError as error:
                    raise CommandError(str(error)) from None
                summaries.append(summary)
    for summary in summaries:
        _warn(summary)
    if args.json:
        print_json(summaries)
    else:
        for summary in summaries:
            _show(summary)
    return int(any(summary["gradebook_errors"] for summary in summaries))


def _warn(summary: dict[str, Any]) -> None:
    """Says on standard error what nobody should miss."""
    for trouble in summary["gradebook_errors"]:
        print(f"autograder grade: gradebook: {trouble}", file=sys.stderr)
    for entry in summary["lowered"]:
        change = f"{entry['before']:g} → {entry['now']:g}"
        print(f"autograder grade: LOWERED: {entry['id']} {change}", file=sys.stderr)


def _show(summary: dict[str, Any]) -> None:
    print(f"{summary['assignment']}: {len(summary['students'])} submissions")
    for student in summary["students"]:
        named = sorted({name for entry in student["exercises"] for name in entry["named"]})
        kinds = sorted({kind for entry in student["exercises"] for kind in entry["incidents"]})
        notes = "  ".join([*named, *kinds])
        score = f"{student['score']:g}/{student['max_score']:g}"
        print(f"  {student['id']:<24} {score:>9}  {notes}".rstrip())
