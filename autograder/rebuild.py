"""`autograder rebuild`: fills a lost gradebook again from the results that lie beside it."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable
from typing import Any

from autograder.class_dir import ClassDir
from autograder.errors import CommandError
from autograder.grade_options import add_course, bar, open_course, print_json
from autograder.in_step import InStep, check_room
from autograder.result_files import fault, read_result
from autograder.submissions import Assignment, open_assignment

LOST = (
    "scores are back; what people entered by hand is not: manual scores, comments, extra credit, "
    "due dates and students' names lived in gradebook.db alone"
)


def add_parser(subparsers: Any) -> None:
    """Adds `rebuild` to the command line."""
    text = "fill a lost gradebook again from the results"
    parser = subparsers.add_parser("rebuild", help=text)
    add_course(parser, every=True)
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs `rebuild`.

    Returns:
        0 where every result is in the gradebook, 1 where one could not be brought back.

    Raises:
        CommandError: for what the user can put right.
    """
    course = open_course(args)
    summaries = []
    with course.working():
        for notebook in course.notebooks(args.notebook):
            with bar(notebook, args.json) as shown:
                summaries.append(rebuild(course, notebook, shown.begin, shown.step))
    for summary in summaries:
        for entry in summary["refused"]:
            print(f"autograder rebuild: {entry['id']}: {entry['why']}", file=sys.stderr)
        for trouble in summary["gradebook_errors"]:
            print(f"autograder rebuild: gradebook: {trouble}", file=sys.stderr)
        if summary["registered"]:
            print(f"autograder rebuild: {summary['assignment']}: {LOST}", file=sys.stderr)
    if args.json:
        print_json(summaries)
    else:
        for summary in summaries:
            print(f"{summary['assignment']}: {len(summary['students'])} results in the gradebook")
    return int(any(s["refused"] or s["gradebook_errors"] for s in summaries))


def rebuild(
    course: ClassDir,
    notebook: str,
    begin: Callable[[int, int], None] = lambda total, finished: None,
    step: Callable[[Any], None] = lambda result: None,
) -> dict[str, Any]:
    """Writes every stored result of a notebook into the gradebook; grades nothing.

    Args:
        course: The class.
        notebook: The notebook's id.
        begin: Called once with the number of results and 0.
        step: Called after each result.

    Returns:
        The summary that `--json` prints: `registered` (whether the gradebook had to be told of the
        notebook anew), `students`, `refused`, `gradebook_errors`.

    Raises:
        CommandError: when the gradebook cannot be opened or the notebook's source is gone too.
    """
    assignment = open_assignment(notebook, course.released(notebook), course.seed)
    registered = _register(course, assignment)
    written, refused = [], []
    with contextlib.ExitStack() as stack:
        book = InStep(stack, course.root, assignment)
        students = course.graded(notebook)
        begin(len(students), 0)
        for student in students:
            result = read_result(course.result_path(student, notebook))
            why = "its result cannot be read; run autograder grade"
            if result is not None:
                why = fault(result, assignment, student)
            if why:
                refused.append({"id": student, "why": why})
            else:
                book.record(result)
                written.append(student)
            step(result)
        return {
            "assignment": notebook,
            "registered": registered,
            "students": written,
            "refused": refused,
            "gradebook_errors": book.troubles,
        }


def _register(course: ClassDir, assignment: Assignment) -> bool:
    """Tells the gradebook of a notebook that it does not know; returns whether it had to."""
    from autograder import gradebook
    from autograder.assemble import TEXT_STUB
    from autograder.gradebook.session import class_config

    with contextlib.suppress(gradebook.BridgeError), gradebook.recorder(course.root, assignment):
        return False
    folder = course.root / "source" / assignment.name
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    if not paths:
        hint = f"autograder release {assignment.name} --class-dir {course.root}"
        raise CommandError(f"{folder} is gone too; make it again first: {hint}")
    stub = class_config(course.root).ClearSolutions.get("text_stub")
    try:
        gradebook.generate_assignment(
            {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths},
            assignment.name,
            # nbgrader tells an untouched written answer by this text: it must be the class's own.
            text_stub=stub if isinstance(stub, str) else TEXT_STUB[course.lang],
            class_dir=course.root,
        )
    except gradebook.BridgeError as error:
        check_room(course.root, error)
        hint = "if gradebook.db is damaged, move it away and run this again"
        raise CommandError(f"{error} ({hint})") from None
    return True
