"""Grades one submission: from the file that was handed in to a result that can be stored.

The student's cells run in a process that a spawner makes; every case is judged here, in a process
that imports neither Keras nor anything of the student's.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.attempt import Attempt, Gate, Spawner
from autograder.errors import CommandError
from autograder.exercise import Exercise, load
from autograder.followups import broken_cells, refer
from autograder.forbidden import banned_names
from autograder.handle import Handle
from autograder.judge import MISSING, judge
from autograder.matching import Submission, TrustedError, TrustedNotebook, assemble
from autograder.notebooks import repair
from autograder.reading import Asked, read_back
from autograder.results import CaseResult, ExerciseResult, Incident
from autograder.sandbox import Limits, SandboxError

FORMAT = 2


@dataclass(frozen=True)
class Assignment:
    """One notebook of a class: what is trusted about it.

    Args:
        name: The notebook's id, also nbgrader's name of the assignment.
        data: The released notebook's bytes.
        trusted: The same, read.
        exercises: The exercises in it, in order.
        seed: The class's seed.
    """

    name: str
    data: bytes
    trusted: TrustedNotebook
    exercises: tuple[Exercise, ...]
    seed: int

    @property
    def asked(self) -> Asked:
        """What is looked for in a student's text."""
        return {
            exercise.id: {"defines": list(exercise.defines), "banned": banned_names(exercise)}
            for exercise in self.exercises
        }

    @property
    def modules(self) -> tuple[str, ...]:
        """Modules that hold the references which a check binds; the warm process imports them."""
        paths = [path for exercise in self.exercises for path in exercise.needs.values()]
        paths += [exercise.library for exercise in self.exercises if exercise.library]
        return tuple(sorted({path.partition(":")[0] for path in paths}))


@dataclass(frozen=True)
class Handed:
    """One student's file, before anything of it was read."""

    student: str
    path: Path
    data: bytes | None
    repairs: tuple = ()


def open_assignment(name: str, path: Path, seed: int) -> Assignment:
    """Reads a released notebook and finds its exercises.

    Args:
        name: The notebook's id.
        path: The released notebook.
        seed: The seed to judge with.

    Returns:
        The assignment.

    Raises:
        CommandError: when it cannot be graded; one line saying what to do.
    """
    try:
        data = path.read_bytes()
        trusted = TrustedNotebook.from_bytes(data)
    except FileNotFoundError:
        raise CommandError(f"{path} is missing: release the notebook first") from None
    except (OSError, TrustedError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from None
    try:
        known = {exercise.id: exercise for exercise in load(name)}
    except LookupError as error:
        raise CommandError(str(error)) from None
    for exercise in trusted.exercises:
        if exercise not in known:
            raise CommandError(f"{path} asks for {exercise!r}, which has no checks in {name}")
    exercises = tuple(known[exercise] for exercise in trusted.exercises)
    return Assignment(name, data, trusted, exercises, seed)


def grade_submission(
    handed: Handed, assignment: Assignment, spawner: Spawner, limits: Limits, gate: Gate
) -> dict[str, Any]:
    """Grades one submission; whatever is in it, this returns a result.

    Args:
        handed: The student's file.
        assignment: What is trusted.
        spawner: Makes processes.
        limits: Wall-clock limits.
        gate: Shared with all submissions of the run.

    Returns:
        The result as it is stored, see docs/grading.md; "key" is left to the caller.
    """
    started = time.perf_counter()
    child, forbidden = None, {}
    if handed.data is None:
        submission = assemble(b'{"cells": [], "nbformat": 4}', assignment.trusted, {})
        submission.repairs = list(handed.repairs)
    else:
        submission, forbidden, child = _read(handed, assignment, spawner, gate)
    attempt = Attempt(spawner, [cell for cell in submission.plan if cell.runs], limits, gate)
    results: list[ExerciseResult] = []
    failures: list[str] = []
    try:
        if submission.empty:
            results = [_nothing(exercise) for exercise in assignment.exercises]
        else:
            attempt.run_cells(child)
            for exercise in assignment.exercises:
                attempt.exercise = exercise.id
                used = forbidden.get(exercise.id) or None
                results.append(_judge(exercise, attempt, assignment, used, failures))
    finally:
        attempt.close()
        if child is not None:
            child.close()
    defines = {exercise.id: exercise.defines for exercise in assignment.exercises}
    built_of = {exercise.id: exercise.built_of for exercise in assignment.exercises}
    refer(results, defines, broken_cells(submission.plan, attempt.outcomes, defines), built_of)
    exercises = []
    for result in results:
        entry = result.to_json()
        trouble = _cell_trouble(result.id, submission, attempt)
        if trouble:
            entry["cell"] = trouble
            if trouble["status"] != "error":
                entry["incidents"] = [trouble["status"], *entry["incidents"]]
        exercises.append(entry)
    return {
        "format": FORMAT,
        "student": handed.student,
        "assignment": assignment.name,
        "score": float(sum(result.score for result in results)),
        "max_score": float(sum(exercise.points for exercise in assignment.exercises)),
        "exercises": exercises,
        "repairs": [note.to_json() for note in submission.repairs],
        "cells": _troubled_cells(submission, attempt),
        "plan": [vars(cell) for cell in submission.plan if not cell.trusted],
        "defects": failures,
        "respawns": attempt.respawns,
        "cpu_seconds": round(attempt.cpu_seconds, 3),
        "seconds": round(time.perf_counter() - started, 3),
    }


def _read(handed, assignment, spawner, gate) -> tuple[Submission, dict[str, str], Any]:
    """Repairs a submission in a fresh process, which then goes on to run it."""
    # A file that breaks its reader does so again when nothing else runs; an accident does not.
    for turn in (gate.shared(), gate.alone()):
        with turn:
            child = spawner.spawn()
            try:
                content = child.assemble(handed.data, assignment.data, assignment.asked)
                submission, forbidden = read_back(content, assignment.trusted)
                break
            except (Incident, ValueError):
                child.close()
    else:
        child, forbidden = None, {}
        submission = assemble(b'{"cells": [], "nbformat": 4}', assignment.trusted, {})
        submission.repairs = [repair("unreadable")]
    submission.repairs = [*handed.repairs, *submission.repairs]
    return submission, forbidden, child


def _judge(exercise, attempt, assignment, forbidden, failures) -> ExerciseResult:
    """Judges one exercise; a defect of a case costs this exercise and is reported, no more."""
    check = assignment.trusted.find("check", exercise.id)
    handle = Handle(attempt, exercise, check.variant if check else None)
    try:
        return judge(exercise, handle, seed=assignment.seed, forbidden=forbidden)
    except SandboxError:
        raise  # the machine's fault: nobody scores 0 for it
    except Exception as error:
        failures.append(f"{exercise.id}: {type(error).__name__}: {error}"[:300])
        cases = [CaseResult(c.name, c.title, 0.0, c.points, "defect") for c in exercise.cases]
        return ExerciseResult(exercise.id, cases, incidents=["defect"])


def _nothing(exercise: Exercise) -> ExerciseResult:
    """The result where nothing of the student's is there to run."""
    text = MISSING.format(name=exercise.target)
    cases = [CaseResult(c.name, c.title, 0.0, c.points, "missing", text) for c in exercise.cases]
    return ExerciseResult(exercise.id, cases)


def _cell_trouble(exercise: str, submission: Submission, attempt: Attempt) -> dict | None:
    """How the answer cell of an exercise failed to run, where it did."""
    for cell in submission.plan:
        if cell.role == "answer" and cell.exercise == exercise:
            outcome = attempt.outcomes.get(cell.name)
            if outcome is not None and outcome.status != "ok":
                return {"status": outcome.status, **_short(outcome.error)}
    return None


def _troubled_cells(submission: Submission, attempt: Attempt) -> list[dict[str, str]]:
    """All cells that did not run, for the report and for the notebook's own outputs."""
    found = []
    for cell in submission.plan:
        outcome = attempt.outcomes.get(cell.name)
        if outcome is not None and outcome.status != "ok":
            found.append({"cell": cell.name, "status": outcome.status, **_short(outcome.error)})
    return found


def _short(error: dict[str, str] | None) -> dict[str, str]:
    error = error or {}
    return {key: str(error.get(key, ""))[:500] for key in ("type", "message", "where")}
