"""A repaired submission: which cells there are, in running order, and what was wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autograder.repairs import Repair, printable
from autograder.trusted import TrustedNotebook

ROLES = ("setup", "answer", "student", "check", "experiment", "written")
MAX_PLAN = 10_000


@dataclass(frozen=True)
class CellPlan:
    """One cell of the repaired notebook.

    Args:
        role: One of `ROLES`. "setup", "answer" and "student" cells run when grading.
        source: Its text: the trusted one, except for "answer", "student" and "written".
        name: Short unique name for messages and tracebacks.
        grade_id: The nbgrader id, or "".
        exercise: The exercise it belongs to, or "".
        index: Its place in the trusted notebook, or -1 for a cell that only the student has.
        original: The text as it was handed in, where `source` was cleaned of IPython commands.
        after: For a cell that only the student has: index of the trusted cell it follows, or -1.
        elsewhere: Whether the text answers another exercise too, and runs in that one's place.
    """

    role: str
    source: str
    name: str
    grade_id: str = ""
    exercise: str = ""
    index: int = -1
    original: str = ""
    after: int = -1
    elsewhere: bool = False

    @property
    def runs(self) -> bool:
        return self.role in ("setup", "answer", "student") and not self.elsewhere

    @property
    def trusted(self) -> bool:
        return self.role in ("setup", "check", "experiment")


@dataclass
class Submission:
    """A repaired submission.

    Args:
        plan: All code cells and written answers in running order.
        repairs: What was wrong with it.
    """

    plan: list[CellPlan] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing of the student's is there to run."""
        return not any(c.source.strip() for c in self.plan if c.role in ("answer", "student"))

    def answer(self, exercise: str) -> str:
        """The student's cell for an exercise, or ""."""
        return next(
            (c.source for c in self.plan if c.role == "answer" and c.exercise == exercise), ""
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "plan": [vars(cell) for cell in self.plan],
            "repairs": [note.to_json() for note in self.repairs],
        }

    @classmethod
    def from_json(cls, data: Any, trusted: TrustedNotebook) -> Submission:
        """Rebuilds a submission that a limited process sent; trusted text is never taken from it.

        Raises:
            ValueError: when it does not have the right form.
        """
        try:
            repairs = [
                Repair(*(printable(str(note[key]))[:300] for key in ("code", "zh", "en", "cell")))
                for note in data["repairs"]
            ]
            plan = [CellPlan(**fields) for fields in data["plan"]]
            for cell in plan:
                _check(cell, trusted)
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise ValueError(f"no submission: {type(error).__name__}") from None
        names = {cell.name for cell in plan}
        if len(names) < len(plan) or len(plan) > MAX_PLAN or len(repairs) > MAX_PLAN:
            raise ValueError("cells with the same name, or too many")
        fixed = [cell.index for cell in plan if cell.role != "student"]
        if fixed != [cell.index for cell in trusted.cells if cell.role]:
            raise ValueError("cells of the course are missing or in another order")
        return cls(plan, repairs)


def _check(cell: CellPlan, trusted: TrustedNotebook) -> None:
    """Raises `ValueError` unless a cell is what the trusted notebook has in its place."""
    if cell.role not in ROLES:
        raise ValueError("a cell without a known role")
    texts = (cell.source, cell.name, cell.grade_id, cell.exercise, cell.original)
    if not all(type(text) is str for text in texts) or type(cell.elsewhere) is not bool:
        raise ValueError("a cell whose parts are of the wrong kind")
    if type(cell.index) is not int or type(cell.after) is not int or cell.after < -1:
        raise ValueError("a cell without a place")
    if cell.role == "student":
        if cell.index != -1 or cell.grade_id or cell.exercise:
            raise ValueError("a student's cell with a label of the course")
        return
    if cell.index < 0:
        raise ValueError("a cell of the course without a place")
    own = trusted.cells[cell.index]
    if (cell.role, cell.grade_id, cell.exercise) != (own.role, own.grade_id, own.exercise):
        raise ValueError("a cell with another label than the course gave it")
    if cell.trusted and (cell.source != own.source or cell.elsewhere):
        raise ValueError("a trusted cell was changed")
