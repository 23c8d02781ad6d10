"""`autograder merge`: collects the results of all shards and brings the gradebook in step."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.class_dir import ClassDir
from autograder.errors import CommandError
from autograder.grade_options import add_course, add_limits, bar, limits_of, open_course, print_json
from autograder.grading import Work, keep_result, plan_work, summarise, sweep
from autograder.in_step import InStep
from autograder.keys import halves
from autograder.result_files import fault, read_result
from autograder.running import How, Result


def add_parser(subparsers: Any) -> None:
    """Adds `merge` to the command line."""
    parser = subparsers.add_parser("merge", help="put the results of all shards together")
    add_course(parser)
    text = "copies of the class folder, or results folders, in which shards were graded"
    parser.add_argument("shards", nargs="*", type=Path, metavar="SHARD_DIR", help=text)
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    add_limits(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs `merge`.

    Returns:
        0 where everybody has a result and a gradebook entry, 1 where somebody lacks one.

    Raises:
        CommandError: for what the user can put right.
    """
    course = open_course(args)
    how = How(**limits_of(args))
    folders = [_results_folder(folder) for folder in args.shards]
    with course.working():
        summaries = []
        for notebook in course.notebooks(args.notebook):
            with bar(notebook, args.json) as shown:
                report = {"begin": shown.begin, "step": shown.step}
                summaries.append(merge(course, notebook, how, folders, **report))
    for summary in summaries:
        _warn(summary)
    if args.json:
        print_json(summaries)
    else:
        for summary in summaries:
            print(f"{summary['assignment']}: {len(summary['students'])} results")
    return int(any(s["missing"] or s["gradebook_errors"] for s in summaries))


def merge(
    course: ClassDir,
    notebook: str,
    how: How,
    folders: list[Path],
    *,
    begin: Callable[[int, int], None] = lambda total, finished: None,
    step: Callable[[Result], None] = lambda result: None,
) -> dict[str, Any]:
    """Takes over every result that belongs to what is handed in here.

    Args:
        course: The class.
        notebook: The notebook's id.
        how: Limits and jail of the shards: part of every key.
        folders: Results folders beside the class's own.
        begin: Called once with the number of results and 0.
        step: Called when a result is in the gradebook.

    Returns:
        The summary that `--json` prints: `students`, `missing`, `refused`, `gradebook_errors`.

    Raises:
        CommandError: when the notebook or its gradebook cannot be used.
    """
    # Everything is looked at, the class's own results too: other machines may have written them.
    work = plan_work(course, notebook, how, fresh=True)
    sweep(work)
    refused: list[dict[str, str]] = []
    results = []
    for handed, key in work.todo:
        found = _find(work, handed.student, key, folders, refused)
        if found is not None:
            results.append(found)
    troubles: list[str] = []
    if results:
        with contextlib.ExitStack() as stack:
            book = InStep(stack, course.root, work.assignment)
            troubles = book.troubles
            begin(len(results), 0)
            for result in results:
                book.record(result)
                step(result)
    there = {result["student"] for result in results}
    missing = [h.student for h in work.everybody if h.student not in there]
    return {
        "assignment": notebook,
        "missing": missing,
        "refused": [entry for entry in refused if entry["id"] in missing],
        "gradebook_errors": troubles,
        "students": [summarise(result) for result in results],
    }


def _find(
    work: Work, student: str, key: str, folders: list[Path], refused: list[dict[str, str]]
) -> Result | None:
    """Takes over the first result that holds; the others' faults go into `refused`."""
    own = work.course.root / "results"
    for folder in [own, *folders]:
        path = folder / student / f"{work.assignment.name}.json"
        if not path.exists():
            continue
        result = read_result(path)
        why = "it cannot be read"
        if result is not None:
            why = _difference(result["key"], key) or fault(result, work.assignment, student)
        if not why:
            if folder != own:
                keep_result(work.course, result)
            return result
        refused.append({"id": student, "path": str(path), "why": why})
    return None


def _difference(theirs: str, ours: str) -> str | None:
    """Which half of a key is another, in words."""
    if theirs == ours:
        return None
    if halves(theirs)[1] == halves(ours)[1]:
        return (
            "another grader made it: the course, the seed, a limit, --allow-unsandboxed, Python "
            "or a library differs"
        )
    return "it was made from another file than the one handed in here"


def _results_folder(folder: Path) -> Path:
    """The results in a copy of a class folder, or in a folder of results itself."""
    if not folder.is_dir():
        raise CommandError(f"there is no folder {folder}")
    inside = folder / "results"
    return inside if inside.is_dir() else folder


def _warn(summary: dict[str, Any]) -> None:
    # One reason often holds for a whole shard.
    reasons: dict[str, list[str]] = {}
    for entry in summary["refused"]:
        reasons.setdefault(entry["why"], []).append(entry["path"])
    for why, paths in reasons.items():
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        print(f"autograder merge: {paths[0]}{more}: {why}", file=sys.stderr)
    for trouble in summary["gradebook_errors"]:
        print(f"autograder merge: gradebook: {trouble}", file=sys.stderr)
    if summary["missing"]:
        names = ", ".join(summary["missing"])
        text = f"autograder merge: {len(summary['missing'])} not graded yet: {names}"
        print(text, file=sys.stderr)
