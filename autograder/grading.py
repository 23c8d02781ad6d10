"""Grades a class: all submissions of a notebook in parallel, resumable and idempotent.

What a student gets is in `results/<student>/<assignment>.json`; nbgrader's gradebook is brought in
step with these files. This process imports neither Keras nor anything of a student's.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.class_dir import ClassDir
from autograder.in_step import InStep, check_room
from autograder.keys import data_digest, grader_key, halves, result_key
from autograder.private import write_json
from autograder.result_files import read_result
from autograder.running import How, Result, prepared
from autograder.shards import Shard
from autograder.submissions import Assignment, Handed, open_assignment


@dataclass
class Work:
    """What there is to do for one notebook of a class.

    Args:
        course: The class.
        assignment: The notebook, read.
        grader: The first half of every key.
        everybody: All files that were handed in, or this shard's.
        done: Results that stand, by student.
        todo: What must be graded, with keys.
        former: Results that no longer stand, by student.
    """

    course: ClassDir
    assignment: Assignment
    grader: str
    everybody: list[Handed]
    done: dict[str, Result] = field(default_factory=dict)
    todo: list[tuple[Handed, str]] = field(default_factory=list)
    former: dict[str, Result] = field(default_factory=dict)


def plan_work(
    course: ClassDir,
    notebook: str,
    how: How,
    *,
    fresh: bool = False,
    wanted: Callable[[str], bool] = lambda student: True,
) -> Work:
    """Finds out which submissions of a notebook must be graded.

    Args:
        course: The class.
        notebook: The notebook's id.
        how: How submissions will be run; limits and jail are part of the key.
        fresh: Grade again even where neither submission nor grader has changed.
        wanted: Says of a student's id whether it is asked for.

    Returns:
        The work.

    Raises:
        CommandError: when the notebook cannot be graded at all.
    """
    released = course.released(notebook)
    assignment = open_assignment(notebook, released, course.seed)
    data = data_digest(released)
    grader = grader_key(assignment, how.limits, contained=how.contained, data=data)
    work = Work(course, assignment, grader, course.handed_in(notebook, wanted))
    for handed in work.everybody:
        key = result_key(grader, handed)
        old = read_result(course.result_path(handed.student, notebook))
        if old is not None and old["key"] == key and not fresh:
            work.done[handed.student] = old
            continue
        work.todo.append((handed, key))
        if old is not None:
            work.former[handed.student] = old
    return work


def grade_class(
    course: ClassDir,
    notebook: str,
    *,
    fresh: bool = False,
    gradebook: bool = True,
    shard: Shard | None = None,
    begin: Callable[[int, int], None] = lambda total, finished: None,
    progress: Callable[[Result], None] = lambda result: None,
    **how: Any,
) -> dict[str, Any]:
    """Grades every submission of one notebook.

    Args:
        course: The class.
        notebook: The notebook's id.
        fresh: Grade again even where neither submission nor grader has changed.
        gradebook: Whether to bring nbgrader's gradebook in step.
        shard: The part of the class to grade; None grades all of it.
        begin: Called once, with the number of submissions and of those finished earlier.
        progress: Called with each new result, in this thread.
        **how: Fields of `running.How`.

    Returns:
        The summary that `--json` prints.

    Raises:
        CommandError: when the class or the notebook cannot be graded at all.
    """
    started = time.perf_counter()
    means = How(**how)
    wanted = {"wanted": shard.holds} if shard else {}
    work = plan_work(course, notebook, means, fresh=fresh, **wanted)
    sweep(work)
    troubles, lowered = [], []
    with contextlib.ExitStack() as stack:
        results = stack.enter_context(prepared(work.todo, work.assignment, means))
        book = None
        if gradebook and work.everybody:
            book = InStep(stack, course.root, work.assignment)
            troubles = book.troubles
            for result in work.done.values():
                book.record(result)
        begin(len(work.everybody), len(work.done))
        for result in results:
            keep_result(course, result)
            if book:
                book.record(result)
            work.done[result["student"]] = result
            lowered += _lowered(work.former.get(result["student"]), result)
            progress(result)
    summary = {
        "assignment": notebook,
        "seconds": round(time.perf_counter() - started, 3),
        "jobs": means.jobs,
        "graded": len(work.todo),
        "gradebook_errors": troubles,
        "lowered": sorted(lowered, key=lambda entry: entry["id"]),
        "students": [summarise(work.done[handed.student]) for handed in work.everybody],
    }
    if shard:
        summary["shard"] = str(shard)
    return summary


def keep_result(course: ClassDir, result: Result) -> Path:
    """Writes a result to its place in the class, whole or not at all.

    Raises:
        CommandError: when the disk is full.
    """
    path = course.result_path(result["student"], result["assignment"])
    try:
        write_json(path, result)
    except OSError as error:
        check_room(course.root, error)
        raise
    return path


def sweep(work: Work) -> None:
    """Removes half-written files of a grader that was killed; call it under the class's lock."""
    root, name = work.course.root, f"{work.assignment.name}.json"
    for handed in work.everybody:
        for place in ("results", ".autograder/answers", ".autograder/journal"):
            for path in (root / place / handed.student).glob(f".{name}.*"):
                with contextlib.suppress(OSError):
                    path.unlink()


def summarise(result: Result) -> dict[str, Any]:
    """One student's line of the summary."""
    keys = ("id", "score", "max_score", "named", "incidents")
    return {
        "id": result["student"],
        "score": result["score"],
        "max_score": result["max_score"],
        "seconds": result["seconds"],
        "exercises": [{key: entry[key] for key in keys} for entry in result["exercises"]],
        "repairs": result["repairs"],
    }


def _lowered(old: Result | None, new: Result) -> list[dict[str, Any]]:
    """The entry that says that the same submission was worth more before."""
    if old is None or halves(old["key"])[1] != halves(new["key"])[1]:
        return []
    if new["score"] >= old["score"]:
        return []
    return [{"id": new["student"], "before": old["score"], "now": new["score"]}]
