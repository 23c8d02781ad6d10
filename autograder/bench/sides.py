"""The two ways to grade that are compared, each as a person would run it."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from autograder.bench import commands, work
from autograder.bench.exercises import NOTEBOOK

# nbgrader's kernels meet exercises that aren't the course's: they are registered as they start.
STARTUP = "from autograder.bench import exercises\n\nexercises.register()\n"
# Nothing but what nbgrader can't do without, so that all else is as it comes.
CONFIG = "c = get_config()\n\nc.CourseDirectory.course_id = 'bench'\n"


@dataclass
class Round:
    """One run of one side.

    Args:
        cost: what the command took.
        scores: student → score.
        exercises: student → exercise → score.
        cpu_seconds: processor time per submission: its own processes, and an equal share of the
            rest of the run.
        named: student → exercise → mistakes that were named (ours only).
        own_cpu_seconds: processor time of the students' own processes.
    """

    cost: commands.Cost
    scores: dict[str, float]
    exercises: dict[str, dict[str, float]]
    cpu_seconds: list[float]
    named: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    own_cpu_seconds: float = 0.0


def ours(
    folder: Path, handed: list[work.Submission], options: list[str], profile: Path | None = None
) -> Round:
    """Grades submissions with `autograder grade`, gradebook included.

    Args:
        folder: a class folder with nothing handed in.
        handed: the submissions.
        options: of `grade`.
        profile: a file for where the time went, or None.
    """
    work.hand_in(folder, handed)
    argv = [sys.executable, "-m", "autograder.bench.ours"]
    argv += ["--profile", str(profile)] if profile else []
    argv += [NOTEBOOK, "--course", str(folder), "--json", *options]
    cost = commands.run(argv, folder, dict(os.environ))
    students = {entry["id"]: entry for entry in json.loads(cost.output)["students"]}
    if set(students) != {submission.student for submission in handed}:
        raise ValueError("some submissions were not graded")
    own = [_result(folder, student)["cpu_seconds"] for student in students]
    return Round(
        cost,
        {student: entry["score"] for student, entry in students.items()},
        {s: {e["id"]: e["score"] for e in entry["exercises"]} for s, entry in students.items()},
        _shared_out(cost, own, len(students)),
        {s: {e["id"]: e["named"] for e in entry["exercises"]} for s, entry in students.items()},
        sum(own),
    )


def _result(folder: Path, student: str) -> dict:
    return json.loads((folder / "results" / student / f"{NOTEBOOK}.json").read_bytes())


def stock(folder: Path, handed: list[work.Submission]) -> Round:
    """Grades submissions with `nbgrader autograde` as it comes, in a class folder of its own.

    Args:
        folder: a class folder with nothing handed in.
        handed: the submissions.
    """
    work.hand_in(folder, handed)
    (folder / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    home = folder.with_name(f"{folder.name}-home")
    startup = home / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00-exercises.py").write_text(STARTUP, encoding="utf-8")
    # No settings of the person who measures.
    env = {**os.environ, "IPYTHONDIR": str(home / "ipython")}
    env["JUPYTER_CONFIG_DIR"] = str(home / "jupyter")
    argv = [sys.executable, "-m", "nbgrader", "autograde", NOTEBOOK]
    cost = commands.run(argv, folder, env, watch="ipykernel")
    exercises = _gradebook(folder)
    return Round(
        cost,
        {student: sum(found.values()) for student, found in exercises.items()},
        exercises,
        _shared_out(cost, cost.parts, len(handed)),
        own_cpu_seconds=sum(cost.parts),
    )


def _gradebook(folder: Path) -> dict[str, dict[str, float]]:
    """Student → exercise → score, from nbgrader's gradebook."""
    from autograder.gradebook import normalised_dump

    found: dict[str, dict[str, float]] = {}
    for row in normalised_dump(folder):
        if row["cell"].startswith("check_"):
            scores = found.setdefault(row["student"], {})
            scores[row["cell"].removeprefix("check_")] = float(row["auto_score"] or 0)
    return found


def _shared_out(cost: commands.Cost, own: list[float], count: int) -> list[float]:
    """Processor seconds of each submission: its own, and an equal share of what is nobody's."""
    rest = max(0.0, cost.cpu_seconds - sum(own)) / count
    return [seconds + rest for seconds in own]
