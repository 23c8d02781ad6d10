"""Write `grades.csv`: one row a student, ready for a spreadsheet.

UTF-8 with a byte order mark: without it Excel reads Chinese names in the system's code page and
shows them garbled; every other program that we know of skips the mark. Lines end in CRLF as
RFC 4180 says.
"""

from __future__ import annotations

import csv
import io

from autograder.report.clean import spreadsheet_cell
from autograder.report.data import ClassResults, Student
from autograder.report.summary import core_and_stretch


def grades_csv(results: ClassResults) -> bytes:
    """Return the grades of a class as the bytes of a CSV file.

    Args:
        results: the class, as read by `load_class`.

    Returns:
        A header and one row a student: name; the grade; the maximum; what it is made of (automatic
        total, points by hand, late penalty: final = total + by_hand - late_penalty); core and
        stretch points with their maxima; then one column an exercise. An exercise that was not
        graded is an empty cell. Where the class has a rule for late work: when it was due and
        handed in, days late and grace days, after the penalty.
    """
    core_max = sum(e.points for e in results.exercises if not e.stretch)
    stretch_max = sum(e.points for e in results.exercises if e.stretch)
    buffer = io.StringIO()
    writer = csv.writer(buffer, quoting=csv.QUOTE_MINIMAL)
    dated = results.late_rule is not None
    writer.writerow(
        ["student", "final", "max", "total", "by_hand", "late_penalty"]
        + ["due", "handed_in", "days_late", "grace_days"] * dated
        + ["core", "core_max", "stretch", "stretch_max"]
        + [exercise.id for exercise in results.exercises]
    )
    for student in results.students:
        core, stretch = core_and_stretch(student, results.exercises)
        cells = []
        for exercise in results.exercises:
            outcome = student.outcomes.get(exercise.id)
            cells.append(_points(outcome.result.score) if outcome else "")
        writer.writerow(
            [
                spreadsheet_cell(student.id),
                *map(_points, (student.final, student.max_score)),
                *map(_points, (student.score, student.by_hand, student.penalty)),
                *(_dates(student) if dated else ()),
                *map(_points, (core, core_max, stretch, stretch_max)),
                *cells,
            ]
        )
    return b"\xef\xbb\xbf" + buffer.getvalue().encode("utf-8")


def _dates(student: Student) -> tuple[str, str, str, str]:
    """When it was due and when it came, on the class's clock; days late and grace days."""
    standing = student.standing
    if standing is None or standing.lateness is None:
        return ("", "", "", "")
    one = standing.lateness
    return (standing.deadline, standing.handed_in, str(one.days), str(one.grace))


def _points(value: float) -> str:
    return f"{round(value, 4):g}"
