"""A whole term as one table: student × notebook → points, named mistakes, dates.

`term_table` reads results and gradebook only, and runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from autograder.class_dir import ClassDir
from autograder.classroom.extensions import read_extensions
from autograder.classroom.policy import Policy, read_policy
from autograder.errors import CommandError
from autograder.exercise import UnknownName, load
from autograder.report.data import (
    ClassResults,
    ExerciseInfo,
    ReportError,
    Student,
    load_class,
    with_gradebook,
)
from autograder.report.summary import core_and_stretch

GRADED, WAITING, MISSING = "graded", "waiting", "missing"


@dataclass(frozen=True)
class TermNotebook:
    """One notebook of the term.

    Args:
        id: its id.
        core: the most points of the core.
        stretch: the most that come on top.
        due: when it is due for the class (UTC, without a zone), or None.
        results: everybody's results, for `report.summary.summarise`; None before it is graded.
        exercises: its exercises, in order.
    """

    id: str
    core: float
    stretch: float
    due: datetime | None = None
    results: ClassResults | None = None
    exercises: tuple[ExerciseInfo, ...] = ()


@dataclass(frozen=True)
class Entry:
    """One student in one notebook.

    Args:
        status: "graded", "waiting" (handed in, not graded yet) or "missing".
        final: points with those given by hand, less the late penalty.
        raw: the same before the penalty.
        core: automatic points of the core.
        share: `core` as a part of the most there are, 0 to 1.
        penalty: what lateness took.
        stamp: when it was handed in (UTC, ISO 8601), or "".
        handed_in: the same on the class's clock, to the minute, or "".
        deadline: when it is due for this student (UTC, without a zone), or None.
        days_late: days begun after that.
        named: (exercise, names) of the mistakes recognised; several names: one of them.
        needs: whether a person has still to look at it.
    """

    status: str
    final: float = 0.0
    raw: float = 0.0
    core: float = 0.0
    share: float = 0.0
    penalty: float = 0.0
    stamp: str = ""
    handed_in: str = ""
    deadline: datetime | None = None
    days_late: int = 0
    named: tuple[tuple[str, tuple[str, ...]], ...] = ()
    needs: bool = False


@dataclass(frozen=True)
class Term:
    """The table.

    Args:
        notebooks: in the course's order.
        students: id to name ("" where nobody said), in the order of the ids.
        entries: by (student, notebook); every pair is there.
        clock: the class's rule for late work, for its time zone; default where there is none.
        now: when the table was made (UTC, without a zone).
        problem: why the gradebook was left out, or "".
    """

    notebooks: tuple[TermNotebook, ...]
    students: dict[str, str]
    entries: dict[tuple[str, str], Entry]
    clock: Policy = field(default_factory=Policy)
    now: datetime = datetime.max
    problem: str = ""

    @property
    def graded(self) -> tuple[TermNotebook, ...]:
        """The notebooks that have results."""
        return tuple(one for one in self.notebooks if one.results is not None)

    def row(self, student: str) -> tuple[Entry, ...]:
        """One student's entries, in the order of the notebooks."""
        return tuple(self.entries[student, one.id] for one in self.notebooks)


def term_table(
    root: Path, notebooks: Iterable[str] | None = None, now: datetime | None = None
) -> Term:
    """Compute the table of a class's term so far.

    Args:
        root: the class folder.
        notebooks: these; None means all that are released into the class.
        now: the moment (UTC, without a zone) at which "due" is meant; None means now.

    Returns:
        The table. Students are those of the gradebook and all who handed anything in.

    Raises:
        CommandError: it is no class folder, or nothing is released in it.
    """
    course = ClassDir.open(root)
    names = list(notebooks) if notebooks is not None else course.notebooks(None)
    rule = read_policy(course.root)
    dates, people, problem = _gradebook(course.root)
    found = [_notebook(course.root, name, dates.get(name)) for name in names]
    handed = {
        (path.parent.name, path.name)
        for path in (course.root / "submitted").glob("*/*")
        if path.is_dir() and not path.parent.name.startswith(".")
    }
    people = dict.fromkeys(sorted({who for who, name in handed if name in names}), "") | people
    results = {
        (student.id, one.id): student
        for one in found
        for student in (one.results.students if one.results else ())
    }
    for who, _ in results:
        people.setdefault(who, "")
    given = read_extensions(course.root)
    entries = {}
    for who in people:
        for one in found:
            more = given.get((who, one.id))
            due = one.due and (max(one.due, more.until) if more else one.due)
            entries[who, one.id] = _entry(
                results.get((who, one.id)), one, due, (who, one.id) in handed
            )
    moment = now or datetime.now(UTC).replace(tzinfo=None)
    people = {who: people[who] for who in sorted(people)}
    said = problem or next((o.results.gradebook_problem for o in found if o.results), "")
    return Term(tuple(found), people, entries, rule or Policy(), moment, said)


def _gradebook(root: Path) -> tuple[dict[str, datetime | None], dict[str, str], str]:
    """Due dates and names; where there is no gradebook, why."""
    from autograder.gradebook import BridgeError, term
    from autograder.gradebook.enrol import students

    try:
        names = {who: name for who, (name, _) in students(root).items()}
        return term.due_dates(root), names, ""
    except ImportError:
        return {}, {}, "nbgrader is not installed"
    except BridgeError as error:
        return {}, {}, str(error)


def _notebook(root: Path, name: str, due: datetime | None) -> TermNotebook:
    try:
        exercises = tuple(ExerciseInfo.of(exercise) for exercise in load(name))
    except UnknownName as error:
        raise CommandError(f"{name}: {error}") from None
    try:
        results = with_gradebook(load_class(root, name, exercises), root)
    except ReportError:
        results = None
    core = sum(one.points for one in exercises if not one.stretch)
    stretch = sum(one.points for one in exercises if one.stretch)
    return TermNotebook(name, core, stretch, due, results, exercises)


def _entry(
    student: Student | None, notebook: TermNotebook, due: datetime | None, handed: bool
) -> Entry:
    if student is None:
        return Entry(WAITING if handed else MISSING, deadline=due)
    core, _ = core_and_stretch(student, notebook.exercises)
    standing = student.standing
    lateness = standing.lateness if standing else None
    return Entry(
        GRADED,
        final=student.final,
        raw=student.raw,
        core=core,
        share=core / notebook.core if notebook.core else 1.0,
        penalty=student.penalty,
        stamp=standing.timestamp if standing else "",
        handed_in=standing.handed_in if standing else "",
        deadline=due,
        days_late=lateness.days if lateness else 0,
        named=tuple(
            (exercise, names)
            for exercise, outcome in student.outcomes.items()
            for names in outcome.groups
        ),
        needs=bool(standing and standing.needs),
    )
