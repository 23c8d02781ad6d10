"""Runs one exercise of one submission again, and keeps what its cases saw."""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
from typing import Any

import numpy as np

from autograder import expectations
from autograder.exercise import Exercise
from autograder.expectations import Evidence, Observation
from autograder.explain.shown import closeness, differing, shown
from autograder.oracles import Crash
from autograder.running import How, run_submissions
from autograder.submissions import Assignment, Handed

NEARLY = 3  # so many mistakes that almost fit are told
ENOUGH = 0.5  # of the values, at least, must be what the mistake would give


def replay(handed: Handed, assignment: Assignment, exercise: str, how: How) -> dict[str, Any]:
    """Judge one exercise again, in the sandbox, with the class's seed.

    Args:
        handed: the student's file.
        assignment: the notebook.
        exercise: the exercise's id, one of the assignment's.
        how: how submissions are run.

    Returns:
        What `explain --json` prints, texts in both languages.
    """
    seen: dict[str, Evidence] = {}
    asked = tuple(
        _watched(one, seen) if one.id == exercise else _skipped(one) for one in assignment.exercises
    )
    only = dataclasses.replace(assignment, exercises=asked)
    (result,) = run_submissions([(handed, "explain")], only, how)
    (entry,) = (one for one in result["exercises"] if one["id"] == exercise)
    (about,) = (one for one in assignment.exercises if one.id == exercise)
    cases = [_case(case, seen.get(case["name"])) for case in entry["cases"]]
    return {
        "student": handed.student,
        "notebook": assignment.name,
        "exercise": exercise,
        **{key: entry[key] for key in ("score", "max_score", "named", "certainty", "properties")},
        "incidents": entry["incidents"],
        "cell": entry.get("cell"),
        "diagnosis": entry["diagnosis"],
        "nearly": nearly(about, [one for e in seen.values() for one in e.observations], entry),
        "cases": cases,
    }


def nearly(exercise: Exercise, observations: list[Observation], entry: dict) -> list[dict]:
    """Find the named mistakes that come closest to a wrong answer without being what was told.

    Args:
        exercise: with its misconceptions.
        observations: all that its cases saw.
        entry: the stored result, for what was named already.

    Returns:
        The closest, each with the share of the differing results' values that it predicts. A
        mistake has to predict more of them than the right answer does.
    """
    wrong = [
        one
        for one in observations
        if not one.right and one.error is None and one.prediction is not None
    ]
    if not wrong:
        return []
    right = _share(wrong, {})
    found = []
    for mistake in exercise.misconceptions.values():
        if mistake.name in entry["named"]:
            continue
        best = max((_share(wrong, switch) for switch in mistake.switches), default=0.0)
        if best >= ENOUGH and best > right + 0.02:
            found.append({"name": mistake.name, "share": round(best, 3), **mistake.text.to_json()})
    return sorted(found, key=lambda one: -one["share"])[:NEARLY]


def _share(observations: list[Observation], switch: dict) -> float:
    """The mean share of values that a mistake predicts; without a switch, that are right."""
    shares = []
    for one in observations:
        try:
            predicted = one.prediction.predict(switch, np.float32)
        except (ValueError, IndexError, TypeError):  # not possible on these inputs
            predicted = None
        if predicted is None or isinstance(predicted, Crash):
            shares.append(0.0)
            continue
        several = isinstance(predicted, tuple) and isinstance(one.actual, (list, tuple))
        pairs = zip(one.actual, predicted, strict=False) if several else [(one.actual, predicted)]
        parts = [_part(got, want, one) for got, want in pairs]
        shares.append(sum(parts) / len(parts) if parts else 0.0)
    return sum(shares) / len(shares)


def _part(got: Any, want: Any, one: Observation) -> float:
    try:
        close = closeness(got, want, one.atol, one.rtol)
    except (TypeError, ValueError):  # a law, not a value
        return 0.0
    return float(close.mean()) if close is not None and close.size else 0.0


def _watched(exercise: Exercise, seen: dict[str, Evidence]) -> Exercise:
    """The same exercise, whose cases leave what they saw in `seen`."""
    watched = copy.copy(exercise)  # `replace` would enter it into the registry
    watched.cases = []
    for case in exercise.cases:

        def run(student, rng, case=case):
            seen[case.name] = expectations._current.get()  # where the judge has it put
            return case.run(student, rng)

        functools.update_wrapper(run, case.run)
        watched.cases.append(dataclasses.replace(case, run=run))
    return watched


def _skipped(exercise: Exercise) -> Exercise:
    """The same exercise without cases: its cell runs, and nothing is judged."""
    skipped = copy.copy(exercise)
    skipped.cases = []
    return skipped


def _case(case: dict, evidence: Evidence | None) -> dict[str, Any]:
    """One case with what it gave and got, as plain data."""
    told = dict(case)
    observations = evidence.observations if evidence else []
    if not observations:
        return told
    last = observations[-1]
    told["compared"] = len(observations)
    told["inputs"] = _inputs(last)
    told["answer"] = None if last.error else _by_part(last.actual, last)
    if last.error:
        told["error"] = shown(str(last.error))
    if last.prediction is not None:
        try:
            told["expected"] = _by_part(last.expected, last)
            if not last.error and not last.right:
                places = differing(last.actual, last.expected, last.atol, last.rtol)
                names = last.prediction.parts
                told["differ"] = [_named(place, names) for place in places]
        except (TypeError, ValueError):
            told["expected"] = None
    return told


def _named(place: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """A place with the name of the part that it lies in."""
    part = place.get("part", 0)
    return {**place, "part": names[part] if part < len(names) else str(part)}


def _by_part(value: Any, one: Observation) -> Any:
    """A result; where it has several parts that have names, under these."""
    names = one.prediction.parts if one.prediction is not None else ()
    if isinstance(value, (list, tuple)) and len(value) == len(names) > 1:
        value = dict(zip(names, value, strict=True))
    return shown(value)


def _inputs(one: Observation) -> dict[str, Any]:
    """What went in, by the names that the oracle has for it."""
    if one.prediction is None:
        return {}
    names = list(inspect.signature(one.prediction.function).parameters)
    names += [f"argument {i + 1}" for i in range(len(names), len(one.args))]
    given = {**dict(zip(names, one.args, strict=False)), **one.kwargs}
    return {name: shown(value) for name, value in given.items()}
