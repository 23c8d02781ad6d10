"""The best path through scores of tags, in NumPy, with switches."""

from __future__ import annotations

import itertools

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.task_inputs import as_array, row_of

FLOORS = {"minus_five": -5, "minus_ten": -10, "minus_hundred": -100}


def _changed(scores, transitions, starts, moves, begins, allowed):
    """The three arrays, as a mistake reads them."""
    none = np.zeros_like(transitions)
    if allowed == "forbidden_too":  # minus infinity counts as nothing
        transitions = np.where(np.isneginf(transitions), 0, transitions)
        starts = np.where(np.isneginf(starts), 0, starts)
    elif allowed in FLOORS:  # a finite number in place of minus infinity
        transitions = np.where(np.isneginf(transitions), FLOORS[allowed], transitions)
        starts = np.where(np.isneginf(starts), FLOORS[allowed], starts)
    elif allowed == "signs_lost":
        transitions, starts = np.abs(transitions), np.abs(starts)
    elif allowed == "negative_too":  # nothing is below minus one
        transitions, starts = np.maximum(transitions, -1), np.maximum(starts, -1)
    transitions = {
        "turned": lambda: transitions.T,
        "missing": lambda: none,
        "only_forbids": lambda: np.where(np.isneginf(transitions), -np.inf, none),
        "subtracted": lambda: np.where(np.isneginf(transitions), -np.inf, -transitions),
        "without_the_diagonal": lambda: transitions * (1 - np.eye(len(transitions))),
    }.get(moves, lambda: transitions)()
    if begins == "missing":
        starts = np.zeros_like(starts)
    elif begins == "only_forbids":
        starts = np.where(np.isneginf(starts), -np.inf, 0 * none[0])
    return transitions, starts


def best_value(scores, transitions, starts):
    """The best sum of every last tag, and for each place and tag the best tag before it."""
    total, came_from = scores[0] + starts, []
    for now in scores[1:]:
        ways = total[:, None] + transitions
        came_from.append(ways.argmax(axis=0))
        total = ways.max(axis=0) + now
    return total, came_from


def lead(scores, transitions, starts):
    """By how much the best path beats the next best."""
    two = np.full((2, len(starts)), -np.inf)
    two[0] = scores[0] + starts
    for now in scores[1:]:
        ways = (two[:, :, None] + transitions).reshape(-1, len(starts))
        two = np.sort(ways, axis=0)[::-1][:2] + now
    first, second = np.sort(two, axis=None)[::-1][:2]
    return first - second


def _forward(scores, transitions, starts, *, added, kept, begins, axis, best):
    """Totals of every place, and where they came from."""
    pick = np.argmin if best == "worst" else np.argmax
    value = np.min if best == "worst" else np.max
    if best == "sum":
        value = _sum_of_exponentials
    elif best == "at_least_zero":  # a search that begins with 0, and with tag 0
        pick = _first_above_zero
        value = _above_zero
    total = {"twice": scores[0] + 2 * starts, "alone": starts + 0 * scores[0]}.get(
        begins, scores[0] + starts
    )
    if begins == "in_the_end":
        total = scores[0].copy()
    totals, came_from = [total], []
    for place, now in enumerate(scores[1:], start=1):
        before = scores[place - 1] if kept == "one_step" else total
        if kept == "not_carried":
            before = np.zeros_like(total)
        if kept == "in_place":  # later tags read what earlier ones have written
            total, pointers = total.copy(), []
            for tag, score in enumerate(now):
                ways = total + transitions[:, tag]
                pointers.append(int(ways.argmax()))
                total[tag] = ways.max() + score
            totals.append(total)
            came_from.append(np.array(pointers))
            continue
        ways = (before[None, :] if axis == "best_after" else before[:, None]) + transitions
        if added == "before":
            ways = ways + now[:, None]
        if axis == "after":
            came_from.append(pick(ways, axis=1))
            total = value(ways, axis=1)
        else:
            came_from.append(pick(ways, axis=1 if axis == "pointers_after" else 0))
            total = value(ways, axis=0)
        if added == "after":
            total = total + now
        if begins == "everywhere":
            total = total + starts
        totals.append(total)
    if begins == "in_the_end":
        totals[-1] = totals[-1] + starts
    return totals, came_from


def _above_zero(ways, axis):
    return np.maximum(ways.max(axis=axis), 0)


def _first_above_zero(ways, axis):
    return np.where(ways.max(axis=axis) > 0, ways.argmax(axis=axis), 0)


def _sum_of_exponentials(ways, axis):
    top = np.where(np.isneginf(ways.max(axis=axis)), 0, ways.max(axis=axis))
    with np.errstate(divide="ignore"):
        return np.log(np.exp(ways - np.expand_dims(top, axis)).sum(axis=axis)) + top


def _step_by_step(scores, transitions, starts):
    """The best tag after the last one, never taken back."""
    path = [int((scores[0] + starts).argmax())]
    for now in scores[1:]:
        path.append(int((transitions[path[-1]] + now).argmax()))
    return path


@oracle(parts=("path",))
def viterbi_decode(
    scores,
    transitions,
    starts,
    *,
    search="viterbi",
    moves="given",
    begins="given",
    allowed="given",
    added="after",
    kept="all",
    axis="before",
    best="best",
    last="of_totals",
    traced="back",
    returned="path",
):
    """Tags of the path with the highest sum.

    Args:
        scores: float (T, C).
        transitions: float (C, C), [before, after].
        starts: float (C,).
        search, moves, begins, allowed, added, kept, axis, best, last, traced, returned: the
            switches.

    Returns:
        int (T,), unless a switch says otherwise.

    Raises:
        Crash: where the mistake asked for would raise.
    """
    transitions, starts = _changed(scores, transitions, starts, moves, begins, allowed)
    if search == "each_alone":
        path = scores.argmax(axis=1).tolist()
    elif search == "step_by_step":
        path = _step_by_step(scores, transitions, starts)
    else:
        totals, came_from = _forward(
            scores, transitions, starts, added=added, kept=kept, begins=begins, axis=axis, best=best
        )
        path = _traced(scores, totals, came_from, best, last, traced)
    score = _sum_of(path, scores, transitions, starts)
    return {
        "with_score": lambda: (as_array(path), np.asarray(score)),
        "score": lambda: np.asarray(score),
        "reversed": lambda: as_array(path[::-1]),
        "without_the_first": lambda: as_array(path[1:]),
        "without_the_last": lambda: as_array(path[:-1]),
        "with_a_start": lambda: as_array([0, *path]),
        "one_hot": lambda: np.eye(len(starts), dtype=int)[path],
        "floats": lambda: np.array(path, float),
    }.get(returned, lambda: as_array(path))()


def _traced(scores, totals, came_from, best, last, traced):
    pick = np.argmin if best == "worst" else np.argmax
    if traced == "best_of_every_place":
        return [int(pick(total)) for total in totals]
    path = [int(pick(scores[-1] if last == "of_scores" else totals[-1]))]
    if last == "zero":
        path = [0]
    for before in came_from if traced == "in_order" else reversed(came_from):
        path.append(int(before[path[-1]]))
    if traced == "origins_of_the_best":
        return [int(pick(totals[0])), *(int(b[int(pick(t))])
                for b, t in zip(came_from, totals[1:], strict=True))]  # fmt: skip
    if traced == "from_the_first":  # pointers followed forwards
        path = [int(pick(totals[0]))]
        for before in came_from:
            path.append(int(before[path[-1]]))
        return path
    if traced == "pointers_of_the_best":  # as if every step were on the path of the best tag there
        return [*(int(b[int(pick(t))]) for b, t in zip(came_from, totals[1:], strict=True)),
                int(pick(totals[-1]))]  # fmt: skip
    return path[::-1]


def _sum_of(path, scores, transitions, starts):
    total = starts[path[0]] + sum(row[tag] for row, tag in zip(scores, path, strict=True))
    return total + sum(transitions[a, b] for a, b in itertools.pairwise(path))


@oracle(parts=("unchanged",))
def unchanged(*, edits="no"):
    """Whether what was handed in is as it was."""
    if edits not in ("no", "in_place"):
        raise Crash
    return np.asarray(edits == "no")


def as_path(found):
    """A list of ints as an array, also where a score comes with it; anything else as it is."""
    if isinstance(found, (tuple, list)) and len(found) == 2 and np.ndim(found[1]) == 0:
        row = numbers_of(found[0])
        if isinstance(row, np.ndarray) and row.ndim == 1:
            return row, np.asarray(found[1])
    return numbers_of(found)


def numbers_of(found):
    """A list of numbers as an array, also where some aren't ints; anything else as it is."""
    row = row_of(found)
    if isinstance(row, (tuple, list)) and row and all(_is_number(each) for each in row):
        return np.array([float(each) for each in row])
    return row


def _is_number(found):
    return np.ndim(found) == 0 and np.asarray(found).dtype.kind in "iuf"
