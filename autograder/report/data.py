"""Read what `autograder grade` left in a class directory, as plain records.

Nothing here needs Keras or nbgrader. A file that cannot be read is reported on the page and never
stops it: a teacher with one bad file still wants to see the class.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from autograder.classroom.policy import read_policy
from autograder.diagnose import ONE_OF
from autograder.errors import CommandError
from autograder.exercise import Exercise
from autograder.gradebook import BridgeError, Standing, read_standings
from autograder.messages import Text
from autograder.results import CaseResult, ExerciseResult

MAX_RESULT_BYTES = 20_000_000  # ours are a few kilobytes; more is not a result file


@dataclass(frozen=True)
class ExerciseInfo:
    """What the page has to know about an exercise: points and the words for its mistakes."""

    id: str
    points: float
    defines: tuple[str, ...] = ()
    stretch: bool = False
    cases: Mapping[str, tuple[float, Text]] = field(default_factory=dict)
    misconceptions: Mapping[str, Text] = field(default_factory=dict)
    questions: Mapping[str, Text] = field(default_factory=dict)  # to ask about each of them
    properties: Mapping[str, Text] = field(default_factory=dict)

    @classmethod
    def of(cls, exercise: Exercise) -> ExerciseInfo:
        """Take what is needed from a registered exercise."""
        return cls(
            id=exercise.id,
            points=exercise.points,
            defines=exercise.defines,
            stretch=exercise.stretch,
            cases={case.name: (case.points, case.title) for case in exercise.cases},
            misconceptions={m.name: m.text for m in exercise.misconceptions.values()},
            # The first hint says least: it is the question that a teacher would ask.
            questions={m.name: m.hints[0] for m in exercise.misconceptions.values() if m.hints},
            properties={p.name: p.text for p in exercise.properties},
        )


@dataclass(frozen=True)
class Outcome:
    """One exercise as one student answered it.

    Args:
        result: what the judge found.
        error: how the answer's cell failed to run ("SyntaxError: …"), or "".
    """

    result: ExerciseResult
    error: str = ""

    @property
    def kind(self) -> str:
        """Return "full", "part", "zero" or "blank"."""
        if self.share >= 1 - 1e-9:
            return "full"
        if self.result.score > 1e-9:
            return "part"
        # A drill is blank although its first case, the bug's name, compares values: so one blank
        # case and no point is enough.
        return "blank" if any(case.status == "blank" for case in self.result.cases) else "zero"

    @property
    def share(self) -> float:
        """The part of the points that was earned, in [0, 1]."""
        return self.result.score / self.result.max_score if self.result.max_score else 1.0

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The named mistakes; a tie between several is one group of several names.

        In a tie the sentences of the diagnosis say which names are sure: those before `ONE_OF`.
        """
        names, said = self.result.named, self.result.diagnosis
        if self.result.certainty != "one_of":
            return tuple((name,) for name in names)
        sure = said.index(ONE_OF) if ONE_OF in said else 0
        tie = (tuple(names[sure:]),) if names[sure:] else ()
        return tuple((name,) for name in names[:sure]) + tie

    @property
    def failure(self) -> CaseResult | None:
        """The first case that was lost for the student's own reasons."""
        kinds = set(self.result.incidents)
        counted = [case for case in self.result.cases if not case.passed and case.max_points]
        lost = [case for case in counted if case.status not in kinds]
        return lost[0] if lost else None


@dataclass(frozen=True)
class Student:
    """One student's result for one assignment."""

    id: str
    score: float
    max_score: float
    outcomes: Mapping[str, Outcome]
    repairs: tuple[tuple[str, Text], ...] = ()  # which cell, and what was done
    standing: Standing | None = None  # what the gradebook says; None where it says nothing

    @property
    def raw(self) -> float:
        """All points before a late penalty, with those that people gave."""
        return self.standing.raw if self.standing else self.score

    @property
    def penalty(self) -> float:
        """What lateness takes off."""
        return self.standing.penalty if self.standing else 0.0

    @property
    def final(self) -> float:
        """The grade: all points less the late penalty."""
        return self.raw - self.penalty

    @property
    def about_time(self) -> Text | None:
        """Days late, grace days, extension; None where there is nothing to say."""
        standing = self.standing
        lateness = standing.lateness if standing else None
        said = lateness.words() if lateness else None
        if lateness is None or lateness.until is None:
            return said
        more = Text("延期到 {until}", "extended to {until}").format(until=standing.deadline)
        return more if said is None else Text(f"{more.zh}，{said.zh}", f"{more.en}, {said.en}")

    @property
    def by_hand(self) -> float:
        """What people added to the automatic points, or took off them."""
        return round(self.raw - self.score, 6)


@dataclass(frozen=True)
class ClassResults:
    """Everything the class page and the CSV are made from."""

    notebook: str
    exercises: tuple[ExerciseInfo, ...]
    students: tuple[Student, ...]
    ungraded: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    graded_on: str = ""
    gradebook_problem: str = ""  # why nothing could be read from the gradebook, if so
    late_rule: Text | None = None  # what lateness costs, where the class has a rule of ours

    @property
    def late(self) -> tuple[Student, ...]:
        """Whose lateness, extension or missing time of submission has something to be said of."""
        return tuple(one for one in self.students if one.about_time is not None)


class ReportError(CommandError):
    """There is nothing to report, and the message says what to do."""


def with_gradebook(results: ClassResults, course: Path) -> ClassResults:
    """Add what nbgrader's gradebook knows: points by hand, comments, late penalties.

    Args:
        results: the class, as read by `load_class`.
        course: its directory.

    Returns:
        The same class. Where nbgrader is missing or fails, `gradebook_problem` says so and the
        automatic points stand.
    """
    try:
        found = read_standings(course, results.notebook)
    except ImportError:
        return replace(results, gradebook_problem="nbgrader is not installed")
    except BridgeError as error:
        return replace(results, gradebook_problem=str(error))
    students = tuple(replace(one, standing=found.get(one.id)) for one in results.students)
    rule = read_policy(course)
    return replace(results, students=students, late_rule=rule.sentence() if rule else None)


def load_class(course: Path, notebook: str, exercises: Iterable[ExerciseInfo]) -> ClassResults:
    """Read the results of one notebook for a whole class.

    Args:
        course: the class directory made by `autograder init-class`.
        notebook: the assignment, for example `ch03a_self_attention`.
        exercises: its exercises in the order of the notebook.

    Returns:
        The class, students in the order of their names.

    Raises:
        ReportError: the directory or the results are missing.
    """
    if not course.is_dir():
        raise ReportError(f"{course}: no such directory; make one with: autograder init-class DIR")
    students: list[Student] = []
    unreadable: list[str] = []
    newest = 0.0
    for path in sorted((course / "results").glob(f"*/{notebook}.json")):
        try:
            students.append(student_from_json(read_record(path), path.parent.name))
            newest = max(newest, path.stat().st_mtime)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            unreadable.append(path.parent.name)
    submitted = {p.parent.name for p in (course / "submitted").glob(f"*/{notebook}") if p.is_dir()}
    ungraded = sorted(submitted - {student.id for student in students} - set(unreadable))
    if not students and not unreadable:
        where = "submitted work is there, but" if submitted else "and nothing was submitted:"
        raise ReportError(
            f"{course}: {where} no results for {notebook}; "
            f"run: autograder grade {notebook} --course {course}"
        )
    day = datetime.fromtimestamp(newest).strftime("%Y-%m-%d") if newest else "–"
    return ClassResults(
        notebook, tuple(exercises), tuple(students), tuple(ungraded), tuple(unreadable), day
    )


def read_record(path: Path) -> dict:
    """Read one result file.

    Raises:
        OSError, ValueError, RecursionError: it can't be read.
    """
    if path.stat().st_size > MAX_RESULT_BYTES:
        raise ValueError("too large")
    return json.loads(path.read_text("utf-8"))


def student_from_json(record: Mapping, student: str) -> Student:
    """Turn one result file into a record.

    Args:
        record: the parsed JSON of `results/<student>/<assignment>.json`.
        student: the name of the folder it lies in, which is what nbgrader calls the student.

    Returns:
        The student's result.

    Raises:
        KeyError, TypeError, ValueError: it isn't a result file.
    """
    outcomes = {}
    for entry in record["exercises"]:
        cell = entry.get("cell") or {}
        said = [str(cell[key]) for key in ("type", "message") if cell.get(key)]
        outcomes[str(entry["id"])] = Outcome(ExerciseResult.from_json(entry), ": ".join(said))
    return Student(
        id=student,
        score=float(record["score"]),
        max_score=float(record["max_score"]),
        outcomes=outcomes,
        repairs=_repairs(record.get("repairs")),
    )


def _repairs(value: object) -> tuple[tuple[str, Text], ...]:
    out = []
    for item in value if isinstance(value, list) else []:
        if isinstance(item, Mapping) and "zh" in item and "en" in item:
            out.append((str(item.get("cell") or ""), Text(str(item["zh"]), str(item["en"]))))
        else:
            out.append(("", Text(str(item), str(item))))
    return tuple(out)
