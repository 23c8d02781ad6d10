"""Fill in what Canvas and Moodle import: their layout, their ids and order, our points.

Canvas imports its own gradebook export: `Student`, `ID`, `SIS
User ID`, `SIS Login ID`, `Section`, then one column an assignment, and a row `Points Possible`.
Moodle imports any table whose people it can recognise (Grades > Import > CSV file), and its
offline grading worksheet, which must come back with the columns that it went out with.
"""

from __future__ import annotations

import csv
import io
import re

from autograder.errors import CommandError
from autograder.messages import Text
from autograder.report.clean import disarmed, plain
from autograder.report.data import ClassResults, Student
from autograder.report.lms_columns import Column, Wanted, columns_of, number
from autograder.report.roster import CANVAS, MOODLE, WORKSHEET, Match, Roster

_CANVAS_PEOPLE = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_CANVAS_KEPT = {name.casefold() for name in _CANVAS_PEOPLE} | {"integration id", "root account"}
_MOODLE_PEOPLE = ("First name", "Last name", "ID number", "Email address")
_MOODLE_GRADE = re.compile(r"\((?:real|percentage|letter)\)$|course total|last downloaded", re.I)
_COMMENT_LENGTH = 2_000


def without_roster(kind: str, results: ClassResults, wanted: Wanted) -> bytes:
    """Return a table of everybody who handed something in, in the layout of a system.

    Args:
        kind: "canvas" or "moodle".
        results: the class.
        wanted: what is asked for.

    Returns:
        The bytes of a CSV file.

    Raises:
        CommandError: for the worksheet, which cannot be made without the one from Moodle.
    """
    if kind == WORKSHEET:
        raise CommandError(
            "a grading worksheet is filled in, not made: download it in Moodle (View all "
            "submissions > Download grading worksheet) and give it with --roster"
        )
    columns = columns_of(None, results, wanted)
    titles = [_assignment_title(kind, column) for column in columns]
    if kind == CANVAS:
        table = [[*_CANVAS_PEOPLE, *titles]]
        table.append(["    Points Possible", "", "", "", "", *(number(c.maximum) for c in columns)])
        people = [[_name(one), "", "", one.id, ""] for one in results.students]
    else:
        table, people = [[*_MOODLE_PEOPLE, *titles]], []
        for one in results.students:
            mail = one.standing.email if one.standing else ""
            first, _, last = _name(one).partition(" ")
            people.append([first, last, one.id, mail or (one.id if "@" in one.id else "")])
        if wanted.comments:
            table[0].append("Feedback comments")
    for person, student in zip(people, results.students, strict=True):
        cells = [_cell(column, student, cap=False) for column in columns]
        said = (
            [comment(student, results, wanted.lang)] if wanted.comments and kind != CANVAS else []
        )
        table.append([*person, *cells, *said])
    return _csv(table, ",", mark=kind != CANVAS)


def with_roster(
    roster: Roster, found: Match, results: ClassResults, wanted: Wanted, grade: str | None = None
) -> tuple[bytes, list[str]]:
    """Return a roster with our points in it, and what a person should know about it.

    Args:
        roster: the people, as the system exported them.
        found: who is who.
        results: the class.
        wanted: what is asked for.
        grade: the column that takes the grade, where the file is none that we know.

    Returns:
        The bytes of a CSV file in the roster's own layout, and sentences.

    Raises:
        CommandError: the system's maximum is another one and `wanted.scale` is not set, or there
            is no place for the grade.
    """
    columns = columns_of(roster, results, wanted, grade)
    kept = _kept(roster, columns)
    table = [[roster.header[i] for i in kept]]
    for note in roster.notes:
        table.append([note[i] for i in kept])
    for column in columns:
        if column.place is None:
            table[0].append(_assignment_title(roster.kind, column))
            for row in table[1:]:
                possible = row[0].strip() == "Points Possible"
                row.append(number(column.maximum) if possible else "")
    students = {student.id: student for student in results.students}
    locked, notes = [], []
    may_change = roster.column("grade can be changed")
    said = roster.column("feedback comments") if wanted.comments else None
    for place, source in enumerate(roster.rows):
        row = list(source)
        student = students.get(found.rows.get(place, ""))
        closed = may_change is not None and source[may_change].strip().casefold() == "no"
        if student and closed:
            locked.append(student.id)
        cells = []
        for column in columns:
            value = ""
            if student and not closed:
                value = _cell(column, student, cap=roster.kind == WORKSHEET)
            if column.place is None:
                cells.append(value)
            elif value:
                row[column.place] = value
        if student and not closed and said is not None:
            row[said] = comment(student, results, wanted.lang)
        table.append([row[i] for i in kept] + cells)
    if locked:
        notes.append(f"Moodle has locked the grades of: {', '.join(locked)}; left as they were")
    capped = sorted(set().union(*(column.capped for column in columns)))
    if capped:
        notes.append(f"more than Moodle's maximum, cut to it: {', '.join(capped)}")
    return _csv(table, roster.delimiter, roster.mark), notes


def comment(student: Student, results: ClassResults, lang: str) -> str:
    """Return a few sentences for a comment field: our own words only, none of the student's."""
    lines = [f"{number(student.final)}/{number(student.max_score)}"]
    if student.about_time is not None:
        off = f" (−{number(student.penalty)})" if student.penalty else ""
        lines.append(student.about_time[lang] + off)
    for exercise in results.exercises:
        outcome = student.outcomes.get(exercise.id)
        if outcome is None or outcome.kind == "full":
            continue
        result, mistakes, props = outcome.result, exercise.misconceptions, exercise.properties
        told = [mistakes[name] for name in result.named[:2] if name in mistakes]
        told = told or [props[name] for name in result.properties[:1] if name in props]
        points = f"{number(result.score)}/{number(result.max_score)}"
        lines.append(f"{exercise.id} {points}" + _said(told, lang))
    return plain("; ".join(lines) if lang == "en" else "；".join(lines), _COMMENT_LENGTH)


def _said(texts: list[Text], lang: str) -> str:
    return "".join(f" ({text[lang]})" if lang == "en" else f"（{text[lang]}）" for text in texts)


def _kept(roster: Roster, columns: list[Column]) -> list[int]:
    """Columns that go back: who it is, and our points; other people's assignments stay out."""
    ours = {column.place for column in columns}
    if roster.kind == CANVAS:
        named = {i for i, t in enumerate(roster.header) if t.casefold() in _CANVAS_KEPT}
        return [i for i in range(len(roster.header)) if i in named | ours]
    if roster.kind == MOODLE:
        return [
            i
            for i, t in enumerate(roster.header)
            if i in ours or not _MOODLE_GRADE.search(t.strip())
        ]
    return list(range(len(roster.header)))


def _assignment_title(kind: str, column: Column) -> str:
    return f"Assignment: {column.title} (Real)" if kind == MOODLE else column.title


def _cell(column: Column, student: Student, cap: bool) -> str:
    if column.exercise is None:
        points = student.final
    else:
        outcome = student.outcomes.get(column.exercise.id)
        cells = student.standing.cells if student.standing else {}
        cell = cells.get(f"check_{column.exercise.id}")
        if outcome is None:
            return ""
        points = cell.score if cell else outcome.result.score
    value = points * column.factor
    if cap and value > column.maximum + 1e-9:
        column.capped.add(student.id)
        value = column.maximum
    return number(value)


def _name(student: Student) -> str:
    return (student.standing.name if student.standing else "") or student.id


def _csv(table: list[list[str]], delimiter: str, mark: bool) -> bytes:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter)
    writer.writerows([[disarmed(cell) for cell in row] for row in table])
    return (b"\xef\xbb\xbf" if mark else b"") + buffer.getvalue().encode("utf-8", "replace")
