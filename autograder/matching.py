"""Puts a submission together again: the course's own cells and the student's, in running order.

Which cells are graded, what they are worth and what the set-up cells say comes from the trusted
notebook alone. From the submission come the answers, the written answers and the student's other
code cells. Answers are matched by grade id, then by the names that they must define.
"""

from __future__ import annotations

from autograder.answer_search import find_answers
from autograder.handed_cells import Answer, HandedCell, Match, squeeze
from autograder.notebooks import parse
from autograder.plan import CellPlan, Submission
from autograder.trusted import TrustedCell, TrustedError, TrustedNotebook

__all__ = ["CellPlan", "Submission", "TrustedCell", "TrustedError", "TrustedNotebook", "assemble"]


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
    match = Match([HandedCell(cell) for cell in raw.cells], raw.repairs, trusted, defines)
    _place_labelled(match)
    find_answers(match)
    _look_at_checks(match)
    _find_written(match)
    return Submission(_Planner(match).plan(), match.repairs)


def _place_labelled(match: Match) -> None:
    """Places cells by grade id, then by equal text, then by cell id."""
    cells = match.trusted.cells
    by_grade = {c.grade_id: c for c in cells if c.grade_id}
    by_id = {c.id: c for c in cells if c.id}
    by_text = {(c.kind, squeeze(c.source)): c for c in cells}
    for number, cell in enumerate(match.cells):
        found = by_grade.get(cell.grade_id) or by_text.get((cell.kind, cell.squeezed))
        other = by_id.get(cell.id)
        if found is None and other is not None and other.kind == cell.kind:
            found = other
        if found and (found.kind == cell.kind or found.role in ("answer", "written")):
            match.place[number] = found.index


def _look_at_checks(match: Match) -> None:
    """Reports check cells that are gone or edited; they are always put back."""
    for cell in match.trusted.cells:
        if cell.role != "check":
            continue
        found = match.placed(cell.index)
        if not found:
            match.note("missing_check", cell.exercise)
        elif not any(match.is_ours(n) for n in found):
            match.note("edited_check", cell.exercise)


def _find_written(match: Match) -> None:
    """Written answers; where the label is lost or its cell empty, the text nearest to it."""
    for cell in match.trusted.cells:
        if cell.role != "written":
            continue
        found = match.placed(cell.index)
        full = [n for n in found if not match.blank(n, cell)]
        near = None if full else _near(match, cell)
        if near is not None:
            match.note("wrong_cell" if found else "lost_metadata", cell.grade_id)
            match.place[near] = cell.index
        best = full[-1:] or ([] if near is None else [near]) or found[-1:]
        if best:
            match.chosen[cell.index] = Answer((best[0],))
        else:
            match.note("missing_cell", cell.grade_id)


def _near(match: Match, cell: TrustedCell) -> int | None:
    """Text of the student's between the cells of the course around a written answer's place.

    That is a cell of their own, or else the question itself with something written into it.
    """
    places = match.place.items()
    begin = max((n for n, index in places if index < cell.index), default=-1)
    end = min((n for n, index in places if index > cell.index and n > begin), default=None)
    for number in range(begin + 1, len(match.cells) if end is None else end):
        own = match.cells[number]
        if number not in match.place and own.kind != "code" and own.squeezed:
            return number
    question = match.place.get(begin)
    if question != cell.index - 1 or match.trusted.cells[question].role:
        return None
    return None if match.is_ours(begin) else begin


class _Planner:
    """Lays out all cells in running order."""

    def __init__(self, match: Match):
        self.match = match

    def plan(self) -> list[CellPlan]:
        """Trusted cells in their order; each cell of the student's after the one before it."""
        match = self.match
        own: dict[int, list[int]] = {}
        anchor = -1
        for number, cell in enumerate(match.cells):
            index = match.place.get(number)
            if index is not None:
                anchor = index
            if cell.kind == "code" and not match.taken(number) and self._is_own_code(number):
                # A spare copy of an answer runs before the one that counts.
                spare = match.role(number) == "answer"
                own.setdefault(index - 1 if spare else anchor, []).append(number)
        plan: list[CellPlan] = []
        for number in own.get(-1, ()):
            plan.append(self._student(number, -1))
        for cell in match.trusted.cells:
            if cell.role:
                plan.append(self._trusted(cell))
            plan += [self._student(number, cell.index) for number in own.get(cell.index, ())]
        return plan

    def _is_own_code(self, number: int) -> bool:
        """Whether a submitted code cell that answers nothing is to run as the student's own."""
        match, cell, role = self.match, self.match.cells[number], self.match.role(number)
        if role == "own":
            return bool(cell.squeezed) and not cell.is_check
        if match.is_ours(number) or role == "experiment" or cell.experiment:
            return False
        if role == "answer":  # A spare copy: only what is written in it may matter.
            return not match.blank(number, match.trusted.cells[match.place[number]])
        return bool(cell.squeezed if role == "setup" else cell.names)

    def _student(self, number: int, after: int) -> CellPlan:
        source, original = self._text((number,), "student")
        name = self.match.cells[number].name
        return CellPlan("student", source, name, original=original, after=after)

    def _trusted(self, cell: TrustedCell) -> CellPlan:
        name = cell.grade_id or f"setup_{cell.index + 1}"
        keys = {"grade_id": cell.grade_id, "exercise": cell.exercise, "index": cell.index}
        answer = self.match.chosen.get(cell.index)
        if cell.role not in ("answer", "written"):
            return CellPlan(cell.role, cell.source, name, **keys)
        if answer is None:
            return CellPlan(cell.role, "", name, **keys)
        source, original = self._text(answer.numbers, cell.role)
        keys |= {"original": original, "elsewhere": answer.elsewhere}
        return CellPlan(cell.role, source, name, **keys)

    def _text(self, numbers: tuple[int, ...], role: str) -> tuple[str, str]:
        """The text that runs, and the one that was handed in where that is another."""
        cells = [self.match.cells[number] for number in numbers]
        handed = "\n".join(cell.text for cell in cells)
        if role == "written":
            return handed, ""
        for cell in cells:
            for line in cell.stripped[1][:5]:
                self.match.note("magic", cell.name, line=line)
        whole = len(cells) > 1
        source = "\n".join(cell.python if whole else cell.runnable for cell in cells)
        return source, handed if handed != source else ""
