"""What the gradebook says of people, as plain records: points by hand, comments, lateness."""

from dataclasses import dataclass, field
from pathlib import Path

from autograder.classroom.lateness import Lateness
from autograder.classroom.policy import Policy, read_policy
from autograder.gradebook import term
from autograder.gradebook.session import class_config, quiet_nbgrader


@dataclass(frozen=True)
class Manual:
    """What a person, or nbgrader, said of one cell.

    Args:
        score: the cell's points as nbgrader counts them: by hand where given, else automatic.
        auto: the automatic points, or None.
        by_hand: points given by hand, or None.
        extra: extra credit, or None.
        needs: whether somebody has still to look at it.
        max_score: the most it gives.
        comment: the comment, or "".
    """

    score: float = 0.0
    auto: float | None = None
    by_hand: float | None = None
    extra: float | None = None
    needs: bool = False
    max_score: float = 0.0
    comment: str = ""

    @property
    def touched(self) -> bool:
        """Whether a person gave points; nbgrader counts extra credit on top of a score only."""
        return self.by_hand is not None or (bool(self.extra) and self.auto is not None)


@dataclass(frozen=True)
class Standing:
    """One student in one assignment.

    Args:
        raw: all points, before a late penalty.
        penalty: what is taken off for lateness.
        seconds_late: how late it was; 0 when in time or when no due date is set.
        timestamp: when it was handed in (UTC, ISO 8601), or "".
        due: when it was due for this student, extensions included, or "".
        needs: whether somebody has still to look at something.
        cells: by grade id.
        name: first and last name, where the gradebook has them.
        email: where the gradebook has it.
        lms_id: the id in a learning management system, where the gradebook has it.
        lateness: days late, grace days and extension, where the class has a rule of ours.
        handed_in: when it was handed in, on the class's clock to the minute, or "".
        deadline: when it was due for this student, on that clock, or "".
        clock: the time zone of the two.
    """

    raw: float
    penalty: float = 0.0
    seconds_late: float = 0.0
    timestamp: str = ""
    due: str = ""
    needs: bool = False
    cells: dict[str, Manual] = field(default_factory=dict)
    name: str = ""
    email: str = ""
    lms_id: str = ""
    lateness: Lateness | None = None
    handed_in: str = ""
    deadline: str = ""
    clock: str = "UTC"

    @property
    def final(self) -> float:
        """Points after the penalty."""
        return self.raw - self.penalty


def read_standings(root, assignment):
    """Read everybody's standing in one assignment.

    Args:
        root: Path of the class.
        assignment: str, the notebook's id.

    Returns:
        dict from student to `Standing`; empty where there is no gradebook or no such assignment.

    Raises:
        BridgeError: if nbgrader cannot read the gradebook.
        CommandError: the class's rule for late work cannot be read.
    """
    from sqlalchemy.orm import selectinload

    root = Path(root).resolve()
    address = class_config(root).CourseDirectory.db_url
    file = Path(address.removeprefix("sqlite:///"))
    if address.startswith("sqlite:///") and not file.is_file():
        return {}
    rule = read_policy(root)
    with quiet_nbgrader():
        from nbgrader.api import Assignment, Gradebook, SubmittedAssignment, SubmittedNotebook

        with Gradebook(address) as gradebook:
            limits = _maxima(gradebook, assignment)
            late = term.lateness(gradebook, root, rule) if rule else {}
            found = (
                gradebook.db.query(SubmittedNotebook)
                .join(SubmittedAssignment)
                .join(Assignment)
                .filter(Assignment.name == assignment)
                .options(
                    selectinload(SubmittedNotebook.grades),
                    selectinload(SubmittedNotebook.comments),
                )
            )
            return {
                notebook.student.id: _standing(
                    notebook, limits, rule, late.get(notebook.student.id, {}).get(assignment)
                )
                for notebook in found
                if notebook.name == assignment
            }


def _maxima(gradebook, assignment):
    """Cell name and most points, by the cell's row."""
    from nbgrader.api import MissingEntry

    try:
        notebook = gradebook.find_notebook(assignment, assignment)
    except MissingEntry:
        return {}
    cells = [*notebook.grade_cells, *notebook.solution_cells, *notebook.task_cells]
    return {cell.id: (cell.name, getattr(cell, "max_score", 0.0) or 0.0) for cell in cells}


def full_name(first, last):
    """Return a name as it is read out: 王小明, Ada Lovelace.

    Args:
        first: str or None, the given name.
        last: str or None, the family name.
    """
    parts = [part for part in (first, last) if part]
    if len(parts) == 2 and all("\u3400" <= part[0] <= "\u9fff" for part in parts):
        return "".join(reversed(parts))
    return " ".join(parts)


def _standing(notebook, limits, rule, lateness):
    comments = {limits[c.cell_id][0]: c.comment for c in notebook.comments if c.cell_id in limits}
    cells = {name: Manual(comment=text) for name, text in comments.items() if text}
    raw = 0.0
    for grade in notebook.grades:
        raw += grade.score
        if grade.cell_id not in limits:
            continue
        name, most = limits[grade.cell_id]
        cells[name] = Manual(
            score=float(grade.score),
            auto=grade.auto_score,
            by_hand=grade.manual_score,
            extra=grade.extra_credit,
            needs=bool(grade.needs_manual_grade),
            max_score=float(most),
            comment=comments.get(name) or "",
        )
    submission, student = notebook.assignment, notebook.student
    due = submission.duedate if submission.assignment.duedate is not None else None
    stamp, clock = submission.timestamp, rule or Policy()
    return Standing(
        raw=round(float(raw), 6),
        penalty=float(notebook.late_submission_penalty or 0.0),
        seconds_late=max(0.0, (stamp - due).total_seconds()) if stamp and due else 0.0,
        timestamp=stamp.isoformat(sep=" ") if stamp else "",
        due=due.isoformat(sep=" ") if due else "",
        needs=any(cell.needs for cell in cells.values()),
        cells=cells,
        name=full_name(student.first_name, student.last_name),
        email=student.email or "",
        lms_id=student.lms_user_id or "",
        lateness=lateness,
        handed_in=clock.shown(stamp) if stamp else "",
        deadline=clock.shown(due) if due else "",
        clock=clock.timezone,
    )
