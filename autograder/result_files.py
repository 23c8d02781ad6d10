"""Results on disk: reading them back, and checking those that came from somewhere else."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from autograder.matching import CellPlan, Submission
from autograder.results import ExerciseResult
from autograder.submissions import FORMAT, Assignment

MAX_BYTES = 50_000_000  # a large one of ours has a few hundred kilobytes


def read_result(path: Path) -> dict[str, Any] | None:
    """A stored result of this format, or None where there is none that can be read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        return parse_result(path.read_bytes())
    except OSError:
        return None


def parse_result(text: bytes | str) -> dict[str, Any] | None:
    """The result in a JSON text, or None where that is none of this format."""
    try:
        result = json.loads(text, parse_constant=_no_constant)
        return result if result["format"] == FORMAT and isinstance(result["key"], str) else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no score")


def fault(result: dict[str, Any], assignment: Assignment, student: str) -> str | None:
    """Why a result cannot be this student's for this assignment.

    Args:
        result: What `read_result` gave.
        assignment: The notebook as it is released here.
        student: Whose it should be.

    Returns:
        A few words, or None where nothing speaks against it.
    """
    try:
        if result["student"] != student:
            return f"it belongs to {result['student']!r}"
        if result["assignment"] != assignment.name:
            return f"it is for {result['assignment']!r}"
        Submission.from_json(_whole(result, assignment), assignment.trusted)
        _check_cells(result)
        return _points_fault(result, assignment)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return f"it is damaged ({type(error).__name__})"


def _whole(result: dict[str, Any], assignment: Assignment) -> dict[str, Any]:
    """What was read of a submission, with the course's own cells, which no result repeats."""
    own = [
        vars(CellPlan(c.role, c.source, f"course {c.index}", c.grade_id, c.exercise, c.index))
        for c in assignment.trusted.cells
        if c.role in ("setup", "check", "experiment")
    ]
    students = [cell for cell in result["plan"] if cell["role"] == "student"]
    others = [cell for cell in result["plan"] if cell["role"] != "student"]
    fixed = sorted([*own, *others], key=lambda cell: cell["index"])
    return {"plan": [*fixed, *students], "repairs": result["repairs"]}


def _check_cells(result: dict[str, Any]) -> None:
    """Raises where what the gradebook's copy is made from has another form."""
    for cell in result["cells"]:
        texts = [cell[key] for key in ("cell", "status", "type", "message")]
        if not all(isinstance(text, str) for text in texts):
            raise ValueError("a cell's outcome is no text")


def _points_fault(result: dict[str, Any], assignment: Assignment) -> str | None:
    """Points must be possible ones and add up."""
    total = 0.0
    ids = [entry["id"] for entry in result["exercises"]]
    if ids != [exercise.id for exercise in assignment.exercises]:
        return "it has other exercises"
    for entry, exercise in zip(result["exercises"], assignment.exercises, strict=True):
        judged = ExerciseResult.from_json(entry)
        worth = {case.name: case.points for case in exercise.cases}
        if {case.name: case.max_points for case in judged.cases} != worth:
            return f"{exercise.id} has other cases"
        for case in judged.cases:
            if not (math.isfinite(case.points) and 0 <= case.points <= case.max_points):
                return f"{exercise.id} has impossible points"
        if not math.isclose(judged.score, entry["score"], abs_tol=1e-6):
            return f"{exercise.id} does not add up"
        total += judged.score
    if not math.isclose(total, result["score"], abs_tol=1e-6):
        return "its points do not add up"
    return None
