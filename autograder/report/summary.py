"""Turn the results of a class into what a teacher asks about it.

What was misunderstood, by whom; how the scores lie; which exercise was hard. Pure arithmetic over
`ClassResults`; no words and no HTML.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from autograder.messages import Text
from autograder.report.data import ClassResults, ExerciseInfo, Student
from autograder.report.figures import Scores, discrimination, distribution


@dataclass(frozen=True)
class Lesson:
    """One misconception (or a tie between several) and who holds it."""

    exercise: ExerciseInfo
    names: tuple[str, ...]  # more than one: the output fits any of them
    students: tuple[str, ...]
    with_another: tuple[str, ...] = ()  # those who made a second mistake at the same time
    follows: tuple[str, ...] = ()  # those in whose capstone an earlier mistake may be the cause


@dataclass(frozen=True)
class Unnamed:
    """A group of wrong answers to one exercise that no known mistake explains."""

    exercise: ExerciseInfo
    status: str  # of the first lost case: "value", "shape", …, or "cell": the cell didn't run
    properties: tuple[str, ...]
    students: tuple[str, ...]
    example: Text | None  # what differs for the first of them


@dataclass(frozen=True)
class Item:
    """How the class did on one exercise."""

    exercise: ExerciseInfo
    full: int
    part: int
    zero: int
    blank: int
    mean_share: float
    cases: tuple[tuple[str, int, int], ...]  # case id, students who passed it, students judged
    discrimination: float | None = None  # None: too few students, or all alike

    @property
    def count(self) -> int:
        """How many students the figures are about."""
        return self.full + self.part + self.zero + self.blank


@dataclass(frozen=True)
class Trouble:
    """Something that went wrong, or was put right, outside the students' understanding."""

    students: tuple[str, ...]
    where: tuple[str, ...]  # exercises or cells; none: the notebook as a whole
    case: Text | None
    kind: str  # an incident's kind, "forbidden", or "repair"
    detail: Text | None = None


@dataclass(frozen=True)
class Summary:
    """All figures of the class page."""

    results: ClassResults
    lessons: tuple[Lesson, ...]
    unnamed: tuple[Unnamed, ...]
    items: tuple[Item, ...]
    core: Scores
    stretch: Scores | None
    trouble: tuple[Trouble, ...]
    points: dict[str, tuple[float, float]] = field(default_factory=dict)  # student: core, stretch

    def lessons_of(self, exercise: str) -> tuple[Lesson, ...]:
        """What was misunderstood in one exercise, the most shared first."""
        return tuple(lesson for lesson in self.lessons if lesson.exercise.id == exercise)


def summarise(results: ClassResults) -> Summary:
    """Compute every figure of the class page.

    Args:
        results: the class, as read by `load_class`.

    Returns:
        Lessons by number of students (ties in the order of the notebook), items in the order of
        the notebook, and the rest in the order of the students.
    """
    core_max = sum(e.points for e in results.exercises if not e.stretch)
    stretch_max = sum(e.points for e in results.exercises if e.stretch)
    points = {s.id: core_and_stretch(s, results.exercises) for s in results.students}
    return Summary(
        results=results,
        lessons=_lessons(results),
        unnamed=_unnamed(results),
        items=tuple(_item(e, results.students, points) for e in results.exercises),
        core=distribution([p[0] for p in points.values()], core_max),
        stretch=distribution([p[1] for p in points.values()], stretch_max) if stretch_max else None,
        trouble=_trouble(results),
        points=points,
    )


def core_and_stretch(student: Student, exercises: Sequence[ExerciseInfo]) -> tuple[float, float]:
    """Return the student's points in core and in stretch exercises."""
    sums = [0.0, 0.0]
    for exercise in exercises:
        if exercise.id in student.outcomes:
            sums[exercise.stretch] += student.outcomes[exercise.id].result.score
    return sums[0], sums[1]


def _answers(results: ClassResults):
    """Every (exercise, student, outcome), exercises in the order of the notebook."""
    for exercise in results.exercises:
        for student in results.students:
            outcome = student.outcomes.get(exercise.id)
            if outcome is not None:
                yield exercise, student, outcome


def _lessons(results: ClassResults) -> tuple[Lesson, ...]:
    who: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    another: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    follows: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    told: dict[str, set[str]] = defaultdict(set)
    infos = {e.id: e for e in results.exercises}
    for exercise, student, outcome in _answers(results):
        earlier = told[student.id].copy()
        for names in outcome.groups:
            if exercise.id.startswith("capstone_") and earlier:
                # It is built of the student's own pieces: what was said of a piece isn't repeated.
                if names[0] in earlier:
                    continue
                follows[exercise.id, names].append(student.id)
            told[student.id].update(names)
            who[exercise.id, names].append(student.id)
            if outcome.result.certainty in ("pair", "partial"):
                another[exercise.id, names].append(student.id)
    lessons = [
        Lesson(infos[e], names, tuple(ids), tuple(another[e, names]), tuple(follows[e, names]))
        for (e, names), ids in who.items()
    ]
    # `sort` is stable: equally frequent mistakes stay in the order of the notebook.
    lessons.sort(key=lambda lesson: -len(lesson.students))
    return tuple(lessons)


def _unnamed(results: ClassResults) -> tuple[Unnamed, ...]:
    groups: dict[tuple[str, str, tuple[str, ...]], list[str]] = defaultdict(list)
    examples: dict[tuple[str, str, tuple[str, ...]], Text | None] = {}
    infos = {e.id: e for e in results.exercises}
    for exercise, student, outcome in _answers(results):
        failure = outcome.failure
        if outcome.kind in ("full", "blank") or outcome.groups or failure is None:
            continue
        if failure.status == "forbidden":  # understood or not, it is no wrong answer: see _trouble
            continue
        if failure.status == "error" and _follows(failure.detail, student, infos):
            continue
        broken = failure.status == "missing" and outcome.error
        status = "cell" if broken else failure.status
        key = (exercise.id, status, tuple(outcome.result.properties))
        groups[key].append(student.id)
        cell = outcome.error
        examples.setdefault(key, Text(cell, cell) if cell else failure.detail)
    return tuple(
        Unnamed(infos[key[0]], key[1], key[2], tuple(ids), examples[key])
        for key, ids in groups.items()
    )


def _follows(detail: Text | None, student: Student, infos: dict[str, ExerciseInfo]) -> bool:
    """Whether an error only says that a name is missing whose own exercise already reports it."""
    missing = [
        name
        for other, outcome in student.outcomes.items()
        if other in infos and outcome.error
        for name in infos[other].defines
    ]
    return detail is not None and any(f"NameError: name '{name}'" in detail.en for name in missing)


def _item(exercise: ExerciseInfo, students: Sequence[Student], points: dict) -> Item:
    pairs = []
    for student in students:
        outcome = student.outcomes.get(exercise.id)
        # Blank notebooks would make every exercise look as if it told people apart.
        if outcome is not None and any(o.kind != "blank" for o in student.outcomes.values()):
            own = 0.0 if exercise.stretch else outcome.result.score
            pairs.append((outcome.share, points[student.id][0] - own))
    outcomes = [s.outcomes[exercise.id] for s in students if exercise.id in s.outcomes]
    kinds = [outcome.kind for outcome in outcomes]
    passed: dict[str, list[int]] = {case: [0, 0] for case in exercise.cases}
    for outcome in outcomes:
        for case in outcome.result.cases:
            tally = passed.setdefault(case.name, [0, 0])
            tally[0] += case.passed
            tally[1] += 1
    return Item(
        exercise=exercise,
        full=kinds.count("full"),
        part=kinds.count("part"),
        zero=kinds.count("zero"),
        blank=kinds.count("blank"),
        mean_share=sum(o.share for o in outcomes) / len(outcomes) if outcomes else 0.0,
        cases=tuple((case, good, judged) for case, (good, judged) in passed.items()),
        discrimination=discrimination(pairs),
    )


def _trouble(results: ClassResults) -> tuple[Trouble, ...]:
    found: dict[tuple, list[str]] = defaultdict(list)  # everything but the students, to them
    for student in results.students:
        for exercise in results.exercises:
            outcome = student.outcomes.get(exercise.id)
            if outcome is None:
                continue
            watched = {*outcome.result.incidents, "forbidden"}
            hit = [case for case in outcome.result.cases if case.status in watched]
            for case in hit:
                # When the whole exercise fell to one accident, name the exercise and not each case.
                whole = len(hit) == len(outcome.result.cases) > 1
                title = None if whole else case.title
                found[(exercise.id,), title, case.status, case.detail].append(student.id)
                if whole:
                    break
        repairs: dict[Text, list[str]] = defaultdict(list)
        for cell, text in student.repairs:
            repairs[text] += [cell] if cell else []
        for text, cells in repairs.items():
            found[tuple(cells), None, "repair", text].append(student.id)
    rows = [Trouble(tuple(dict.fromkeys(ids)), *key) for key, ids in found.items()]
    # Accidents first: they may have cost points.
    return tuple(sorted(rows, key=lambda row: row.kind == "repair"))
