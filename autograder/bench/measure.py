"""What `autograder bench` measures: two ways to grade in turn, growth, and where time goes."""

from __future__ import annotations

import importlib.metadata
import itertools
import json
import shutil
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.bench import sides, work
from autograder.bench.exercises import NOTEBOOK

# Scores are sums of whole points.
NEAR = 1e-6


@dataclass(frozen=True)
class Plan:
    """How much to measure.

    Args:
        ours: submissions that we grade.
        stock: submissions that nbgrader grades, the first of the same ones.
        rounds: how many times the two take turns.
        options: of `grade`.
    """

    ours: int
    stock: int
    rounds: int
    options: tuple[str, ...]


class Classes:
    """Class folders, copied from one that is made once; every round gets a new one."""

    def __init__(self, folder: Path):
        self._folder, self._count = folder, 0
        self._template = folder / "template"
        work.make_class(self._template)
        released = self._template / "release" / NOTEBOOK / f"{NOTEBOOK}.ipynb"
        self.released = released.read_bytes()

    def new(self, name: str) -> Path:
        """An empty class with a gradebook of its own."""
        self._count += 1
        place = self._folder / f"{self._count:02d}-{name}"
        shutil.copytree(self._template, place)
        return place


def compare(plan: Plan, folder: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """Grades the same kind of work in both ways, in turn.

    Args:
        plan: how much.
        folder: an empty folder for the classes.
        say: told what is being done.

    Returns:
        The report, without growth and profile.
    """
    classes = Classes(folder)
    everybody = work.submissions(classes.released, plan.ours)
    turns = zip(
        _split(everybody, plan.rounds), _split(everybody[: plan.stock], plan.rounds), strict=True
    )
    ours, stock = [], []
    for number, (mine, theirs) in enumerate(turns, 1):
        say(f"round {number}/{plan.rounds}: {len(mine)} with autograder grade")
        ours.append(sides.ours(classes.new("ours"), mine, list(plan.options)))
        if theirs:
            say(f"round {number}/{plan.rounds}: {len(theirs)} with nbgrader autograde")
            stock.append(sides.stock(classes.new("nbgrader"), theirs))
    report = {
        "rounds": plan.rounds,
        "jobs": int(plan.options[plan.options.index("--jobs") + 1]),
        "versions": _versions(),
        "expected": {submission.student: submission.score for submission in everybody},
        "ours": _side(ours, everybody),
        "nbgrader": _side(stock, everybody[: plan.stock]),
    }
    report["ours"]["unnamed"] = _unnamed(ours, everybody)
    rates = [report[name]["per_minute"] for name in ("ours", "nbgrader")]
    report["ratio"] = rates[0] / rates[1] if rates[1] else None
    report["cpu_seconds_per_submission"] = {
        name: report[name]["cpu_seconds"]["mean"] for name in ("ours", "nbgrader")
    }
    return report


def grow(
    plan: Plan, sizes: list[int], folder: Path, say: Callable[[str], None]
) -> list[tuple[int, float]]:
    """Wall clock of one `grade` command for classes of several sizes, gradebook included."""
    found = []
    for size in sizes:
        say(f"growth: a class of {size}")
        classes = Classes(_sub(folder, f"growth-{size}"))
        handed = work.submissions(classes.released, size, seed=1000 + size)
        found.append(
            (size, sides.ours(classes.new("ours"), handed, list(plan.options)).cost.seconds)
        )
    return found


def profile(plan: Plan, folder: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """One round of ours with clocks around its stages."""
    say(f"profile: {plan.ours} with autograder grade")
    classes = Classes(_sub(folder, "profile"))
    handed = work.submissions(classes.released, plan.ours, seed=7)
    place, table = classes.new("ours"), folder / "profile.json"
    found = sides.ours(place, handed, list(plan.options), profile=table)
    written = json.loads(table.read_bytes())
    for row in written["stages"]:
        row["first"] -= found.cost.begun
        row["last"] -= found.cost.begun
    return {
        "n": plan.ours,
        "seconds": found.cost.seconds,
        "cpu_seconds": found.cost.cpu_seconds,
        "students_cpu_seconds": found.own_cpu_seconds,
        **written,
    }


def _sub(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder / name


def _split(items: list, parts: int) -> list[list]:
    """Parts of equal size, or nearly."""
    edges = [len(items) * number // parts for number in range(parts + 1)]
    return [items[low:high] for low, high in itertools.pairwise(edges)]


def _side(rounds: list[sides.Round], handed: list[work.Submission]) -> dict[str, Any]:
    """One side's figures over all rounds."""
    seconds = sum(turn.cost.seconds for turn in rounds)
    scores = {student: score for turn in rounds for student, score in turn.scores.items()}
    exercises = {student: found for turn in rounds for student, found in turn.exercises.items()}
    count = len(handed) if rounds else 0
    wrong = [
        {"student": one.student, "exercise": name, "score": score, "expected": must}
        for one in handed[:count]
        for name, must in one.expected.items()
        if abs((score := exercises[one.student].get(name, 0.0)) - must) > NEAR
    ]
    spent = [value for turn in rounds for value in turn.cpu_seconds]
    total = sum(turn.cost.cpu_seconds for turn in rounds)
    return {
        "n": count,
        "seconds": seconds,
        "per_minute": 60 * count / seconds if seconds else 0.0,
        "round_seconds": [turn.cost.seconds for turn in rounds],
        "cpu_seconds": {
            "median": statistics.median(spent) if spent else 0.0,
            "worst": max(spent, default=0.0),
            "mean": total / count if count else 0.0,
        },
        "scores": scores,
        "wrong": wrong,
    }


def _unnamed(rounds: list[sides.Round], handed: list[work.Submission]) -> list[list[str]]:
    """Mistakes that were made but not named."""
    told = {student: found for turn in rounds for student, found in turn.named.items()}
    return [
        [one.student, exercise, name]
        for one in handed
        for exercise, name in one.named.items()
        if name not in told[one.student].get(exercise, [])
    ]


def _versions() -> dict[str, str]:
    names = ("nbgrader", "keras", "tensorflow", "numpy")
    return {name: importlib.metadata.version(name) for name in names}
