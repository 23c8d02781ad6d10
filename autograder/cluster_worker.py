"""A Dask worker's side of grading: one warm process per worker process, submissions in, JSON out.

Nothing of a student's runs in the worker itself: as everywhere, student code runs in jailed
children of a warm process, which is started by exec and never forked from the worker.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder import scratch
from autograder.attempt import Gate
from autograder.exercise import load
from autograder.keys import code_digest
from autograder.matching import TrustedNotebook
from autograder.repairs import Repair
from autograder.running import How, open_sandbox
from autograder.sandbox import Limits, Sandbox
from autograder.submissions import Assignment, Handed, grade_submission


@dataclass
class _Warm:
    """A sandbox that is kept between tasks, and how many tasks use it right now."""

    sandbox: Sandbox
    gate: Gate = field(default_factory=Gate)
    users: int = 0


_HELD: dict[str, _Warm] = {}
_LOCK = threading.Lock()


def order(handed: Handed, assignment: Assignment, how: How) -> str:
    """What a worker has to know beside the two files, as JSON; made by the grader.

    Args:
        handed: The submission.
        assignment: The notebook.
        how: Limits and jail.
    """
    return json.dumps(
        {
            "code": code_digest().hex(),
            "notebook": assignment.name,
            "seed": assignment.seed,
            "limits": dataclasses.asdict(how.limits),
            "tier": how.tier,
            "hidden": [str(path) for path in how.hidden],
            "student": handed.student,
            "repairs": [note.to_json() for note in handed.repairs],
        }
    )


def grade_one(order: str, released: bytes, data: bytes | None) -> str:
    """Grades one submission; this is the task that the cluster runs.

    Args:
        order: What `order` made.
        released: The released notebook.
        data: The submission's file, or None where there is none.

    Returns:
        JSON: `{"result": …}`, or `{"error": …}` where this machine cannot grade.
    """
    try:
        return json.dumps({"result": _grade(json.loads(order), released, data)})
    except Exception as error:  # it would travel as a pickle otherwise
        text = " ".join(f"{type(error).__name__}: {error}".split())[:500]
        return json.dumps({"error": f"{socket.gethostname()}: {text}"})


def _grade(order: dict[str, Any], released: bytes, data: bytes | None) -> dict[str, Any]:
    if order["code"] != code_digest().hex():
        raise RuntimeError("another version of the grader, of Python or of a library is here")
    trusted = TrustedNotebook.from_bytes(released)
    known = {exercise.id: exercise for exercise in load(order["notebook"])}
    exercises = tuple(known[exercise] for exercise in trusted.exercises)
    assignment = Assignment(order["notebook"], released, trusted, exercises, order["seed"])
    repairs = tuple(Repair(**note) for note in order["repairs"])
    handed = Handed(order["student"], None, data, repairs)
    limits = Limits(**order["limits"])
    with _warm(order, assignment, limits) as warm:
        return grade_submission(handed, assignment, warm.sandbox, limits, warm.gate)


@contextlib.contextmanager
def _warm(order: dict[str, Any], assignment: Assignment, limits: Limits) -> Iterator[_Warm]:
    """The warm process for such tasks: the one that is there, or a new one in its place."""
    key = json.dumps([order["limits"], order["tier"], order["hidden"], assignment.modules])
    with _LOCK:
        if key not in _HELD:
            _close_idle()
            scratch.sweep()
            hidden = tuple(Path(path) for path in order["hidden"])
            how = How(limits=limits, tier=order["tier"], hidden=hidden)
            _HELD[key] = _Warm(open_sandbox(assignment, how))
        warm = _HELD[key]
        warm.users += 1
    try:
        yield warm
    finally:
        with _LOCK:
            warm.users -= 1


def close_idle() -> None:
    """Ends the warm processes that no task uses; the grader asks for it when it has finished."""
    with _LOCK:
        _close_idle()


def _close_idle() -> None:
    for key in [key for key, warm in _HELD.items() if not warm.users]:
        _HELD.pop(key).sandbox.close()


@atexit.register
def _close_all() -> None:
    """At the worker's end; where it is killed instead, the warm process notices by itself."""
    for warm in _HELD.values():
        warm.sandbox.close()
