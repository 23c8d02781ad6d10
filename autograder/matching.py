"""Puts a submission together again: the course's own cells and the student's, in running order.

Which cells are graded, what they are worth and what the set-up cells say comes from the trusted
notebook alone. From the submission come the answers, the written answers and the student's other
code cells. Answers are matched by grade id, then by the names that they must define.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass, field
from typing import Any

from autograder.notebooks import (
    RawCell,
    Repair,
    defined_names,
    parse,
    printable,
    repair,
    strip_magics,
    tree_of,
)

ROLES = ("setup", "answer", "student", "check", "experiment", "written")


class TrustedError(ValueError):
    """The course's own notebook is not usable; the message says why."""


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
    """

    role: str
    source: str
    name: str
    grade_id: str = ""
    exercise: str = ""
    index: int = -1
    original: str = ""
    after: int = -1

    @property
    def runs(self) -> bool:
        return self.role in ("setup", "answer", "student")

    @property
    def trusted(self) -> bool:
        return self.role in ("setup", "check", "experiment")


@dataclass(frozen=True)
class TrustedCell:
    """One cell of the released notebook."""

    index: int
    kind: str
    role: str
    source: str
    id: str = ""
    grade_id: str = ""
    exercise: str = ""
    variant: str | None = None
    points: float = 0.0


@dataclass
class TrustedNotebook:
    """The released notebook, as the course made it.

    Args:
        content: The notebook's JSON.
        cells: Its cells with their roles; plain markdown has the role "".
        lang: "zh" or "en".
    """

    content: dict[str, Any]
    cells: list[TrustedCell]
    lang: str = "en"

    @property
    def exercises(self) -> list[str]:
        """Ids of the graded exercises, in order."""
        return [cell.exercise for cell in self.cells if cell.role == "check"]

    def find(self, role: str, exercise: str) -> TrustedCell | None:
        """The cell with that role for an exercise."""
        return next((c for c in self.cells if c.role == role and c.exercise == exercise), None)

    @classmethod
    def from_bytes(cls, data: bytes) -> TrustedNotebook:
        """Reads a released notebook.

        Raises:
            TrustedError: when it is not one.
        """
        try:
            content = json.loads(data.decode("utf-8"))
            cells = [_trusted_cell(i, cell) for i, cell in enumerate(content["cells"])]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise TrustedError(f"not a released notebook ({type(error).__name__})") from None
        if not any(cell.role == "check" for cell in cells):
            raise TrustedError("it has no check cell")
        course = content.get("metadata", {}).get("course", {})
        return cls(content, cells, "zh" if course.get("lang") == "zh" else "en")


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
            plan = []
            for fields in data["plan"]:
                cell = CellPlan(**fields)
                if cell.role not in ROLES or not isinstance(cell.source, str):
                    raise ValueError("a cell without a known role")
                if cell.trusted and cell.source != trusted.cells[cell.index].source:
                    raise ValueError("a trusted cell was changed")
                plan.append(cell)
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"no submission: {type(error).__name__}") from None
        return cls(plan, repairs)


def assemble(data: bytes, trusted: TrustedNotebook, defines: dict[str, list[str]]) -> Submission:
    """Repairs a submission.

    Args:
        data: The file as it was handed in.
        trusted: The released notebook.
        defines: Exercise id → names its answer must define.

    Returns:
        The plan and the repairs; where nothing could be read, a plan without answers.
    """
    raw = parse(data)
    return _Matcher(raw.cells, raw.repairs, trusted, defines).run()


class _Matcher:
    """Assigns every submitted cell to a trusted one, or to nobody: then it is the student's own."""

    def __init__(self, cells, repairs, trusted, defines):
        self.cells: list[RawCell] = cells
        self.repairs: list[Repair] = repairs
        self.trusted: TrustedNotebook = trusted
        self.defines: dict[str, list[str]] = defines
        self.place: dict[int, int] = {}  # submitted cell → index of its trusted cell
        self.chosen: dict[int, int] = {}  # trusted answer → submitted cell
        self._cleaned: dict[int, tuple[str, list[str]]] = {}
        self._defined: dict[int, set[str]] = {}

    def run(self) -> Submission:
        self._labels()
        self._answers()
        self._checks()
        self._written()
        return Submission(self._plan(), self.repairs)

    def _labels(self) -> None:
        """Places cells by grade id, by cell id, then by equal text."""
        by_grade = {c.grade_id: c for c in self.trusted.cells if c.grade_id}
        by_id = {c.id: c for c in self.trusted.cells if c.id}
        by_text = {(c.kind, _squeeze(c.source)): c for c in self.trusted.cells}
        for number, cell in enumerate(self.cells):
            found = by_grade.get(cell.grade_id) or by_text.get((cell.kind, _squeeze(cell.source)))
            other = by_id.get(cell.id)
            if found is None and other is not None and other.kind == cell.kind:
                found = other
            if found is not None and (found.kind == cell.kind or found.role == "answer"):
                self.place[number] = found.index

    def _answers(self) -> None:
        """Chooses the cell that answers each exercise."""
        for cell in self.trusted.cells:
            if cell.role != "answer":
                continue
            labelled = [n for n, index in self.place.items() if index == cell.index]
            names = set(self.defines.get(cell.exercise, ()))
            written = [n for n in labelled if not self._blank(n, cell)]
            fitting = [n for n in written if names <= self._definitions(n)]
            if len(labelled) > 1:
                self._note("duplicate_cell", cell.exercise, count=len(labelled))
            best = (fitting or written or labelled)[-1:]
            if not fitting:
                best = self._by_names(names, cell) or best
            if best:
                self.chosen[cell.index] = best[0]
                self.place[best[0]] = cell.index
            else:
                self._note("missing_cell", cell.exercise)

    def _by_names(self, names: set[str], answer: TrustedCell) -> list[int]:
        """The last unlabelled cell, or edited cell of ours, that defines all the names."""
        roles = {c.index: c.role for c in self.trusted.cells}
        taken = set(self.chosen.values())
        found = [
            number
            for number in range(len(self.cells))
            if names
            and number not in taken
            and roles.get(self.place.get(number, -1)) != "answer"
            and not self._is_ours(number)
            and names <= self._definitions(number)
        ]
        if found:
            self._note("lost_metadata", answer.exercise)
        return found[-1:]

    def _checks(self) -> None:
        """Reports check cells that are gone or edited; they are always put back."""
        for cell in self.trusted.cells:
            if cell.role != "check":
                continue
            found = [n for n, index in self.place.items() if index == cell.index]
            if not found:
                self._note("missing_check", cell.exercise)
            elif not any(self._is_ours(n) for n in found):
                self._note("edited_check", cell.exercise)

    def _written(self) -> None:
        """A written answer whose label is lost: the first unplaced text after its question."""
        for cell in self.trusted.cells:
            if cell.role != "written":
                continue
            found = [n for n, index in self.place.items() if index == cell.index]
            if found:
                self.chosen[cell.index] = found[-1]
                continue
            above = [n for n, index in self.place.items() if index < cell.index]
            later = range(max(above, default=-1) + 1, len(self.cells))
            free = [n for n in later if n not in self.place and self.cells[n].kind != "code"]
            if free:
                self.place[free[0]] = cell.index
                self.chosen[cell.index] = free[0]
                self._note("lost_metadata", cell.grade_id)
            else:
                self._note("missing_cell", cell.grade_id)

    def _plan(self) -> list[CellPlan]:
        """Trusted cells in their order; each cell of the student's after the one before it."""
        own: dict[int, list[int]] = {}
        used, anchor = set(self.chosen.values()), -1
        for number, cell in enumerate(self.cells):
            index = self.place.get(number)
            if index is not None:
                anchor = index
            if cell.kind == "code" and number not in used and self._own_code(number):
                # A spare copy of an answer runs before the one that counts.
                spare = index is not None and self.trusted.cells[index].role == "answer"
                own.setdefault(index - 1 if spare else anchor, []).append(number)
        plan: list[CellPlan] = []
        for number in own.get(-1, ()):
            plan.append(self._student(number, -1))
        for cell in self.trusted.cells:
            if cell.role:
                plan.append(self._trusted(cell))
            plan += [self._student(number, cell.index) for number in own.get(cell.index, ())]
        return plan

    def _own_code(self, number: int) -> bool:
        """Whether a submitted code cell that answers nothing is to run as the student's own."""
        index = self.place.get(number)
        if index is None:
            return bool(self.cells[number].source.strip()) and not self._is_check(number)
        role = self.trusted.cells[index].role
        if self._is_ours(number) or role == "experiment" or "experiment" in self.cells[number].tags:
            return False
        if role == "answer":  # A spare copy: only what is written in it may matter.
            return not self._blank(number, self.trusted.cells[index])
        if role == "setup":
            return bool(self.cells[number].source.strip())
        return bool(self._definitions(number))

    def _student(self, number: int, after: int) -> CellPlan:
        source, original = self._clean(number)
        return CellPlan("student", source, f"cell_{number + 1}", original=original, after=after)

    def _trusted(self, cell: TrustedCell) -> CellPlan:
        name = cell.grade_id or f"setup_{cell.index + 1}"
        keys = {"grade_id": cell.grade_id, "exercise": cell.exercise, "index": cell.index}
        number = self.chosen.get(cell.index)
        if cell.role not in ("answer", "written"):
            return CellPlan(cell.role, cell.source, name, **keys)
        if number is None:
            return CellPlan(cell.role, "", name, **keys)
        source, original = self._clean(number)
        return CellPlan(cell.role, source, name, **keys, original=original)

    def _clean(self, number: int) -> tuple[str, str]:
        cell = self.cells[number]
        if cell.kind != "code":
            index = self.place.get(number, -1)
            if index < 0 or self.trusted.cells[index].role == "written":
                return cell.source, cell.source
        source, removed = self._stripped(number)
        for line in removed[:5]:
            self._note("magic", f"cell_{number + 1}", line=line)
        return source, cell.source

    def _stripped(self, number: int) -> tuple[str, list[str]]:
        if number not in self._cleaned:
            self._cleaned[number] = strip_magics(self.cells[number].source)
        return self._cleaned[number]

    def _python(self, number: int) -> str:
        return self._stripped(number)[0]

    def _definitions(self, number: int) -> set[str]:
        if number not in self._defined:
            self._defined[number] = defined_names(self._python(number), imports=False)
        return self._defined[number]

    def _blank(self, number: int, trusted: TrustedCell) -> bool:
        return _squeeze(self.cells[number].source) in ("", _squeeze(trusted.source))

    def _is_ours(self, number: int) -> bool:
        """Whether a submitted cell is word for word the trusted one at its place."""
        index = self.place.get(number)
        if index is None:
            return False
        trusted = self.trusted.cells[index]
        same = _squeeze(trusted.source) == _squeeze(self.cells[number].source)
        return same and trusted.kind == self.cells[number].kind

    def _is_check(self, number: int) -> bool:
        """Whether a cell does nothing but call `check`."""
        tree = tree_of(self._python(number))
        return bool(tree and tree.body) and all(_calls_check(node) for node in tree.body)

    def _note(self, code: str, cell: str = "", **values: Any) -> None:
        note = repair(code, cell, **values)
        if note not in self.repairs:
            self.repairs.append(note)


def _calls_check(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "check"
    )


def _trusted_cell(index: int, cell: dict[str, Any]) -> TrustedCell:
    source = cell["source"]
    source = source if isinstance(source, str) else "".join(source)
    metadata = cell.get("metadata", {})
    mark, course = metadata.get("nbgrader", {}), metadata.get("course", {})
    grade_id = mark.get("grade_id", "")
    kind = "code" if cell["cell_type"] == "code" else "markdown"
    grade, solution = bool(mark.get("grade")), bool(mark.get("solution"))
    if grade and solution:
        role = "written"
    elif grade:
        role = "check"
    elif solution:
        role = "answer"
    elif kind == "code":
        role = "experiment" if "experiment" in metadata.get("tags", ()) else "setup"
    else:
        role = ""
    exercise = course.get("exercise") or re.sub(r"^(answer|check)_", "", grade_id)
    return TrustedCell(
        *(index, kind, role, source, cell.get("id", ""), grade_id if role else ""),
        exercise if role in ("check", "answer", "written") else "",
        _variant(source) if role == "check" else None,
        float(mark.get("points", 0.0)),
    )


def _variant(source: str) -> str | None:
    """The `variant="…"` that a check cell carries."""
    for node in ast.walk(tree_of(source) or ast.Module([], [])):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "variant" and isinstance(keyword.value, ast.Constant):
                    return str(keyword.value.value)
    return None


def _squeeze(text: str) -> str:
    return re.sub(r"[ \t]+$", "", text.replace("\r\n", "\n"), flags=re.MULTILINE).strip()
