"""Finds the cells that answer each exercise, also where they were moved, split or pasted."""

from __future__ import annotations

from autograder.cell_text import names_in, tree_of
from autograder.handed_cells import Answer, Match
from autograder.trusted import TrustedCell

MAX_PIECES = 4  # an answer that is spread over more cells than this is not put together


def find_answers(match: Match) -> None:
    """Chooses what answers each exercise: first where its own cell does, then for the rest.

    Args:
        match: Labels are placed already; `chosen` is filled in here.
    """
    rest = []
    for cell in match.trusted.cells:
        if cell.role != "answer":
            continue
        labelled = match.placed(cell.index)
        written = [n for n in labelled if not match.blank(n, cell)]
        if len(labelled) > 1:
            match.note("duplicate_cell", cell.exercise, count=len(labelled))
        fitting = [n for n in written if match.wanted(cell) <= match.cells[n].names]
        if fitting:
            _choose(match, cell, _whole(match, fitting[-1], cell))
        else:
            rest.append((cell, (written or labelled)[-1:], written[-MAX_PIECES:]))
    for cell, own, written in rest:
        around = {m for n in written for m in _whole(match, n, cell)}
        pieces = _pieces(match, {*around, *written}, cell)
        found, code = (None, "") if pieces else _by_names(match, cell)
        if not pieces and found is None:
            pieces = _pieces(match, {*around, *written, *_partial(match, cell)}, cell)
        if pieces:
            _choose(match, cell, pieces)
        elif found is not None:
            match.note(code, cell.exercise)
            # A cell that counts for the exercise whose label it carries, too, runs there.
            later = [c for c, last, _ in rest if found in last and c.index not in match.chosen]
            stays = any(_by_names(match, c)[0] is None for c in later)
            elsewhere = match.taken(found) or (match.role(found) == "answer" and stays)
            _choose(match, cell, _whole(match, found, cell), elsewhere)
        elif own:
            _choose(match, cell, _whole(match, own[0], cell))
        else:
            match.note("missing_cell", cell.exercise)


def _choose(match, cell: TrustedCell, numbers: tuple[int, ...], elsewhere: bool = False) -> None:
    match.chosen[cell.index] = Answer(numbers, elsewhere)
    if elsewhere:
        return
    if len(numbers) > 1:
        match.note("split_cell", cell.exercise, count=len(numbers))
    for number in numbers:
        match.place[number] = cell.index


def _by_names(match: Match, answer: TrustedCell) -> tuple[int | None, str]:
    """The last cell that defines what is asked for though it is not labelled so.

    Returns:
        Its number, or None, and what to say about it. A cell of the student's own or an edited one
        of ours is preferred to another exercise's.
    """
    wanted, ranked = match.wanted(answer), []
    for number, cell in enumerate(match.cells):
        if match.place.get(number) == answer.index or match.role(number) == "written":
            continue
        if wanted and wanted <= cell.names and not match.is_ours(number):
            ranked.append((match.role(number) != "answer", number))
    if not ranked:
        return None, ""
    fits, number = max(ranked)
    return number, "lost_metadata" if fits else "wrong_cell"


def _whole(match: Match, number: int, answer: TrustedCell) -> tuple[int, ...]:
    """The cell, with the neighbours that make it whole where it was split in two.

    A neighbour belongs to it when it is no Python on its own and becomes so in its place.
    """
    cells, best = match.cells, (number,)
    if not cells[number].parses:
        before = [number]
        while len(before) < MAX_PIECES and _free(match, before[0] - 1, answer):
            before.insert(0, before[0] - 1)
            if tree_of(_joined(match, before)) is not None:
                best = tuple(before)
                break
    after = list(best)
    while len(after) < MAX_PIECES and _free(match, after[-1] + 1, answer):
        if cells[after[-1] + 1].parses:
            break
        after.append(after[-1] + 1)
        if tree_of(_joined(match, after)) is not None:
            best = tuple(after)
    return best


def _pieces(match: Match, numbers: set[int], answer: TrustedCell) -> tuple[int, ...]:
    """These cells, where they define together what no single one does; () where they do not."""
    wanted, ordered = match.wanted(answer), sorted(numbers)
    if not 1 < len(ordered) <= MAX_PIECES or not wanted:
        return ()
    text = _joined(match, ordered)
    tree = tree_of(text)
    return tuple(ordered) if tree is not None and wanted <= names_in(tree, text, False) else ()


def _partial(match: Match, answer: TrustedCell) -> list[int]:
    """Cells of the student's own that define some of what is asked for."""
    wanted = match.wanted(answer)
    numbers = [n for n, cell in enumerate(match.cells) if cell.names & wanted]
    return [n for n in numbers if match.role(n) == "own" and match.cells[n].kind == "code"]


def _free(match: Match, number: int, answer: TrustedCell) -> bool:
    """Whether a cell can be a piece of an answer: code of the student's that is nothing else."""
    if not 0 <= number < len(match.cells) or match.cells[number].kind != "code":
        return False
    return not match.taken(number) and match.place.get(number, answer.index) == answer.index


def _joined(match: Match, numbers: list[int]) -> str:
    return "\n".join(match.cells[number].python for number in numbers)
