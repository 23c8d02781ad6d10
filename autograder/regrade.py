"""`autograder regrade`: grades again after a check was mended, and says what that changed.

Nothing is written before everything is graded: stopping it at any time leaves the class as it was.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.class_dir import ClassDir
from autograder.errors import CommandError
from autograder.exercise import unknown
from autograder.grade_options import (
    Bar,
    add_course,
    add_running,
    bar,
    open_course,
    running_options,
)
from autograder.grading import Work, keep_result, plan_work, sweep
from autograder.in_step import InStep, check_room
from autograder.keys import halves
from autograder.private import write_json
from autograder.running import How, Result, run_submissions
from autograder.sandbox import SandboxError


def add_parser(subparsers: Any) -> None:
    """Adds `regrade` to the command line."""
    text = "grade again after a check was mended, and show what changes"
    parser = subparsers.add_parser("regrade", help=text)
    add_course(parser)
    text = "only this student; may be repeated"
    parser.add_argument("--student", action="append", default=[], metavar="ID", help=text)
    text = "change only this exercise's points; may be repeated"
    parser.add_argument("--exercise", action="append", default=[], metavar="ID", help=text)
    parser.add_argument("--dry-run", action="store_true", help="show what would change; no more")
    parser.add_argument("--json", action="store_true", help="print the changes as JSON")
    add_running(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs `regrade`.

    Returns:
        0, or 1 where the gradebook refused somebody.

    Raises:
        CommandError: for what the user can put right.
    """
    course = open_course(args)
    how = How(**running_options(args, course))
    reports = []
    with course.working():
        for notebook in course.notebooks(args.notebook):
            with bar(notebook, args.json) as shown:
                plan = plan_regrade(course, notebook, how, args.student, args.exercise, shown)
            report = plan.report()
            if not args.dry_run:
                with bar("gradebook", args.json) as shown:
                    report |= plan.apply(shown)
            reports.append(report)
    for report in reports:
        for trouble in report.get("gradebook_errors", ()):
            print(f"autograder regrade: gradebook: {trouble}", file=sys.stderr)
    if args.json:
        content = reports[0] if len(reports) == 1 else {"assignments": reports}
        print(json.dumps(content, ensure_ascii=False))
    else:
        for report in reports:
            print("\n".join(_lines(report, args.dry_run)))
    return int(any(report.get("gradebook_errors") for report in reports))


class Regrade:
    """New results beside the old ones; nothing is written until `apply`.

    Args:
        work: The submissions.
        results: Students' new results, with what was not asked for taken from the old ones.
        others: Exercises that were not asked for and would change too → how many students.
    """

    def __init__(self, work: Work, results: dict[str, Result], others: dict[str, int]):
        self._work, self._results, self._others = work, results, others

    def report(self) -> dict[str, Any]:
        """What changes, student by student."""
        students = [
            change
            for student, result in sorted(self._results.items())
            if (change := _change(self._work.former.get(student), result))
        ]
        return {
            "assignment": self._work.assignment.name,
            "graded": len(self._results),
            "students": students,
            "lowered": [c["id"] for c in students if c["lowered"]],
            "others": self._others,
        }

    def apply(self, shown: Bar) -> dict[str, Any]:
        """Writes down what changes, then the results, then the gradebook.

        Args:
            shown: Shows how far the gradebook is.

        Returns:
            `record` (where the changes are written, or "") and `gradebook_errors`.

        Raises:
            CommandError: when the disk is full or the gradebook cannot be opened.
        """
        root, report, record = self._work.course.root, self.report(), ""
        with contextlib.ExitStack() as stack:
            book = InStep(stack, root, self._work.assignment)
            if report["students"]:
                record = self._write_record(report)
            shown.begin(len(self._results), 0)
            for result in self._results.values():
                keep_result(self._work.course, result)
                book.record(result)
                shown.step(result)
            return {"record": record, "gradebook_errors": book.troubles}

    def _write_record(self, report: dict[str, Any]) -> str:
        now = datetime.now(UTC)
        stamp = now.strftime("%Y-%m-%dT%H-%M-%S.%fZ")
        path = self._work.course.root / ".autograder" / "regrades" / f"{stamp}.json"
        try:
            write_json(path, {"time": now.isoformat(timespec="seconds"), **report})
        except OSError as error:
            check_room(self._work.course.root, error)
            raise
        return str(path)


def plan_regrade(
    course: ClassDir, notebook: str, how: How, students: list[str], exercises: list[str], shown: Bar
) -> Regrade:
    """Grades the chosen submissions again, without writing anything.

    Args:
        course: The class.
        notebook: The notebook's id.
        how: How submissions are run.
        students: Whose; empty means everybody's.
        exercises: Which exercises may change; empty means all.
        shown: Shows how far it is.

    Returns:
        What it would change.

    Raises:
        CommandError: for an unknown student or exercise, and when nothing can be graded.
    """
    chosen = set(students)
    wanted = chosen.__contains__ if chosen else lambda student: True
    work = plan_work(course, notebook, how, fresh=True, wanted=wanted)
    sweep(work)
    absent = sorted(chosen - {handed.student for handed in work.everybody})
    if absent:
        raise CommandError(f"no submission of {notebook} by: {', '.join(absent)}")
    ids = [exercise.id for exercise in work.assignment.exercises]
    for exercise in exercises:
        if exercise not in ids:
            raise CommandError(unknown("exercise", exercise, ids))
    results, others = {}, {}
    shown.begin(len(work.todo), 0)
    try:
        with contextlib.closing(run_submissions(work.todo, work.assignment, how)) as graded:
            for new in graded:
                old = work.former.get(new["student"])
                results[new["student"]] = _mixed(old, new, set(exercises), others)
                shown.step(new)
    except SandboxError as error:
        raise CommandError(str(error)) from None
    return Regrade(work, results, others)


def _mixed(old: Result | None, new: Result, asked: set[str], others: dict[str, int]) -> Result:
    """The new result, with the old entries of exercises that were not asked for.

    Where one of these would have changed, the mixture keeps the old key: it is not what the grader
    says today, and the next `grade` will notice.
    """
    if old is None or not asked or halves(old["key"])[1] != halves(new["key"])[1]:
        return new  # entries of two different files would not belong together
    before = {entry["id"]: entry for entry in old["exercises"]}
    entries, key = [], new["key"]
    for entry in new["exercises"]:
        former = before.get(entry["id"], entry)
        if entry["id"] not in asked and former != entry:
            others[entry["id"]] = others.get(entry["id"], 0) + 1
            entry, key = former, old["key"]
        entries.append(entry)
    score = float(sum(entry["score"] for entry in entries))
    return {**new, "key": key, "exercises": entries, "score": score}


def _change(old: Result | None, new: Result) -> dict[str, Any] | None:
    """One student's changes, exercise by exercise; None where there are none."""
    before = {entry["id"]: entry for entry in old["exercises"]} if old else {}
    changes = []
    for entry in new["exercises"]:
        former = before.get(entry["id"])
        if former is None or _told(former) != _told(entry):
            changes.append(
                {
                    "id": entry["id"],
                    "before": former and former["score"],
                    "now": entry["score"],
                    "was": former and _told(former),
                    "is": _told(entry),
                }
            )
    if not changes:
        return None
    score = old["score"] if old else None
    lowered = any(c["before"] is not None and c["now"] < c["before"] for c in changes)
    return {
        "id": new["student"],
        "before": score,
        "now": new["score"],
        "lowered": lowered,
        "exercises": changes,
    }


def _told(entry: dict[str, Any]) -> dict[str, Any]:
    """What a student hears of an exercise, as far as a change of it matters."""
    cases = {case["name"]: [case["points"], case["status"]] for case in entry["cases"]}
    return {"cases": cases, "named": entry["named"], "incidents": entry["incidents"]}


def _lines(report: dict[str, Any], dry: bool) -> list[str]:
    """The report for a person; what was lowered comes last, where it is seen."""
    head = f"{report['assignment']}: {report['graded']} graded again"
    verb = "would change" if dry else "changed"
    lines = [f"{head}, {len(report['students'])} {verb}"]
    for student in report["students"]:
        lines.append(f"  {student['id']:<24} {_arrow(student)}")
        for exercise in student["exercises"]:
            mark = "  ↓ LOWERED" if _less(exercise) else ""
            lines.append(f"    {exercise['id']:<22} {_arrow(exercise)}{mark}")
    for exercise, count in report["others"].items():
        text = f"{exercise} would change too for {count}; left as it was"
        lines.append(f"  note: {text}, the next grade brings it in")
    if report.get("record"):
        lines.append(f"  written down in {Path(report['record'])}")
    if report["lowered"]:
        names = ", ".join(report["lowered"])
        lines.append(f"  ↓ LOWERED for {len(report['lowered'])}: {names}")
    return lines


def _less(change: dict[str, Any]) -> bool:
    return change["before"] is not None and change["now"] < change["before"]


def _arrow(change: dict[str, Any]) -> str:
    before = "–" if change["before"] is None else f"{change['before']:g}"
    return f"{before} → {change['now']:g}"
