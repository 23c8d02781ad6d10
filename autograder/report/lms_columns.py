"""Where points go in a learning management system's table, and what they are out of there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from autograder.errors import CommandError
from autograder.report.data import ClassResults, ExerciseInfo
from autograder.report.roster import CANVAS, OTHER, WORKSHEET, Roster


@dataclass(frozen=True)
class Wanted:
    """What an export is asked for.

    Args:
        assignment: what the assignment is called in the system.
        titles: other names under which its column may be found there.
        per_exercise: whether every exercise gets a column of its own, besides the total.
        scale: whether to convert to the system's maximum.
        comments: whether to fill in feedback comments.
        lang: the comments' language.
    """

    assignment: str
    titles: tuple[str, ...] = ()
    per_exercise: bool = False
    scale: bool = False
    comments: bool = False
    lang: str = "en"


@dataclass
class Column:
    """One column of points: its title, the place it has in the roster, and its maximum."""

    title: str
    place: int | None
    maximum: float
    exercise: ExerciseInfo | None = None
    factor: float = 1.0
    capped: set[str] = field(default_factory=set)


def columns_of(
    roster: Roster | None, results: ClassResults, wanted: Wanted, grade: str | None = None
) -> list[Column]:
    """Return the total and, where asked for, the exercises, with the system's maxima.

    Args:
        roster: the people, or None.
        results: the class.
        wanted: what is asked for.
        grade: the column that takes the grade, where the file is none that we know.

    Raises:
        CommandError: the system's maximum is another one and `wanted.scale` is not set, or there
            is no place for the grade.
    """
    core = sum(e.points for e in results.exercises if not e.stretch)
    total = sum(e.points for e in results.exercises)
    names = (wanted.assignment, *wanted.titles)
    columns = [Column(wanted.assignment, _place(roster, names, grade), total)]
    if wanted.per_exercise:
        if roster and roster.kind in (WORKSHEET, OTHER):
            raise CommandError("this file has room for one grade a person, not one an exercise")
        for exercise in results.exercises:
            title = f"{wanted.assignment}: {exercise.id}"
            columns.append(Column(title, _place(roster, (title,)), exercise.points, exercise))
    if roster is None:
        return columns
    if roster.kind in (WORKSHEET, OTHER) and columns[0].place is None:
        raise CommandError("the roster has no column for the grade; name it with --grade-column")
    for column in columns:
        theirs = _maximum(roster, column)
        ours = (column.maximum,) if column.exercise else (total, core)
        if theirs is None or any(abs(theirs - one) < 1e-6 for one in ours):
            column.maximum = theirs or column.maximum
        elif wanted.scale and theirs > 0:
            # Stretch points come on top: a complete core is a full grade.
            column.factor, column.maximum = theirs / ours[-1], theirs
        else:
            known = " or ".join(number(one) for one in dict.fromkeys(ours))
            raise CommandError(
                f"{column.title!r} is out of {number(theirs)} there and out of {known} here; "
                "change it there, or convert with --scale"
            )
    return columns


def _place(roster: Roster | None, names, grade: str | None = None) -> int | None:
    """Where a column stands: under its own title, or a title that the system made of it."""
    if roster is None:
        return None
    if grade is not None:
        place = roster.column(" ".join(grade.split()).casefold())
        if place is None:
            raise CommandError(f"the roster has no column {grade!r}")
        return place
    if roster.kind == WORKSHEET:
        return roster.column("grade")
    if roster.kind == OTHER:
        return None
    wanted = {" ".join(name.split()).casefold() for name in names if name}
    places = [i for i, title in enumerate(roster.header) if _bare(title) in wanted]
    if len(places) > 1:
        titles = ", ".join(repr(roster.header[i]) for i in places)
        raise CommandError(f"several columns could be meant: {titles}; rename one of them")
    return places[0] if places else None


def _bare(title: str) -> str:
    """A column's title without what Canvas and Moodle add to an assignment's name."""
    title = re.sub(r"\s*\((?:\d+|real)\)$", "", " ".join(title.split()).casefold())
    return re.sub(r"^assignment:\s*", "", title)


def _maximum(roster: Roster, column: Column) -> float | None:
    """The system's own maximum for a column, where the file tells."""
    if roster.kind == WORKSHEET:
        place = roster.column("maximum grade")
        values = {_float(row[place]) for row in roster.rows} - {None}
        return max(values) if values else None
    if roster.kind == CANVAS and column.place is not None:
        return next(
            (_float(n[column.place]) for n in roster.notes if _float(n[column.place])), None
        )
    return None


def _float(text: str) -> float | None:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None


def number(value: float) -> str:
    """Return points as a spreadsheet has them."""
    return f"{round(value, 4):g}"
