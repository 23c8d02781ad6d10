"""The best answer in a window, in NumPy, with switches."""

from __future__ import annotations

import functools

import numpy as np

from autograder.oracles import Crash, oracle


def area_of(offset, number, length, area="window"):
    """The first place where an answer may stand, and the place after the last."""
    end = offset + number
    first, last = {
        "row": (0, length),
        "all_but_cls": (1, length),
        "all_up_to_the_window": (1, end),
        "to_the_end_of_the_row": (offset, length),
        "one_more": (offset, end + 1),
        "one_less": (offset, end - 1),
        "offset_forgotten": (0, number),
        "one_early": (offset - 1, end),
        "shifted_early": (offset - 1, end - 1),
        "shifted_late": (offset + 1, end + 1),
        "without_its_first": (offset + 1, end),
    }.get(area, (offset, end))
    if not 0 <= first < min(last, length):
        raise Crash
    return first, min(last, length)


@functools.cache
def _legal(size, max_answer, order, limit):
    """Bool (n, n), [first, last]."""
    distance = np.arange(size)[None, :] - np.arange(size)[:, None]
    most = {"one_more": max_answer + 1, "one_less": max_answer - 1, "none": size}.get(
        limit, max_answer
    )
    legal = {
        "any": np.ones_like(distance, bool),
        "end_after": distance > 0,
    }.get(order, distance >= 0)
    if limit == "exactly":
        return legal & (distance == most - 1)
    return legal & (distance < most)


def chosen(
    starts, ends, max_answer, search="pairs", order="end_not_before", limit="tokens", unlawful=None
):
    """The sum of the best pair, and its two places; minus infinity and 0, 0 where none is legal."""
    first, last = int(starts.argmax()), int(ends.argmax())
    if search == "one_end_for_both" and last < first:
        last = first
    elif search == "exchanged_if_turned" and last < first:
        first, last = last, first
    elif search in ("start_first", "start_first_unlimited"):
        most = max_answer if search == "start_first" else len(starts)
        last = first + int(ends[first : first + most].argmax())
    elif search == "end_first":
        low = max(last - max_answer + 1, 0)
        first = low + int(starts[low : last + 1].argmax())
    if search != "pairs":
        return starts[first] + ends[last], first, last
    legal = _legal(len(starts), max_answer, order, limit)
    nothing = 0.0 if unlawful == "zero" else -np.inf
    total = np.where(legal, starts[:, None] + ends[None, :], nothing)
    first, last = divmod(int(total.argmax()), len(starts))
    return total[first, last], first, last


def lead(starts, ends, offset, number, most):
    """By how much the best legal span beats the next best."""
    sums = sorted(
        starts[offset + i] + ends[offset + j]
        for i in range(number)
        for j in range(i, min(i + most, number))
    )
    return np.inf if len(sums) == 1 else float(sums[-1] - sums[-2])


def _log_shares(scores):
    shifted = scores - scores.max()
    return shifted - np.log(np.exp(shifted).sum())


def _scored(starts, ends, first, last, sum_of_both, scored):
    """What stands for the score: places are those in the area."""
    return {
        "mean": lambda: sum_of_both / 2,
        "product": lambda: starts[first] * ends[last],
        "start_only": lambda: starts[first],
        "end_only": lambda: ends[last],
        "log_shares": lambda: _log_shares(starts)[first] + _log_shares(ends)[last],
        "shares": lambda: np.exp(_log_shares(starts)[first] + _log_shares(ends)[last]),
        "best_of_each": lambda: starts.max() + ends.max(),
    }.get(scored, lambda: sum_of_both)()


def _null_of(starts, ends, offset, number, null):
    """The score of having no answer."""
    return {
        "start_only": lambda: starts[0],
        "end_only": lambda: ends[0],
        "mean": lambda: (starts[0] + ends[0]) / 2,
        "product": lambda: starts[0] * ends[0],
        "first_of_the_window": lambda: starts[offset] + ends[offset],
        "last_of_the_row": lambda: starts[-1] + ends[-1],
        "sep": lambda: starts[offset - 1] + ends[offset - 1],
        "best_outside": lambda: max(
            starts[i] + ends[i] for i in range(len(starts)) if i < offset or i >= offset + number
        ),
        "cls_and_sep": lambda: starts[0] + ends[-1],
        "zero": lambda: 0.0 * starts[0],
    }.get(null, lambda: starts[0] + ends[0])()


@oracle(parts=("score", "first", "last", "null_score"))
def best_span(
    start_scores,
    end_scores,
    offset,
    window_start,
    window_length,
    max_answer,
    *,
    search="pairs",
    area="window",
    order="end_not_before",
    limit="tokens",
    scored="sum",
    null="cls",
    places="in_the_text",
    least="nothing",
    unlawful="minus_infinity",
    returned="four",
):
    """Score and places of the best answer, and the score of having none.

    Args:
        start_scores, end_scores: float (T,).
        offset, window_start, window_length, max_answer: int.
        search, area, order, limit, scored, null, places, least, unlawful, returned: the
            switches.

    Returns:
        float (), int (), int () and float (), unless a switch says otherwise.

    Raises:
        Crash: where the mistake asked for finds nothing, or would raise.
    """
    begin, end = area_of(offset, window_length, len(start_scores), area)
    starts, ends = start_scores[begin:end], end_scores[begin:end]
    total, first, last = chosen(starts, ends, max_answer, search, order, limit, unlawful)
    score = _scored(starts, ends, first, last, total, scored)
    null_score = _null_of(start_scores, end_scores, offset, window_length, null)
    by = begin - offset + window_start
    at = {
        "in_the_row": (first + begin, last + begin),
        "in_the_window": (first + begin - offset, last + begin - offset),
        "in_the_row_and_the_text": (first + begin + window_start, last + begin + window_start),
        "end_exclusive": (first + by, last + by + 1),
        "last_left_in_the_window": (first + by, last + begin - offset),
        "length": (first + by, last - first + 1),
    }.get(places, (first + by, last + by))
    # A search that begins with a best score of 0, or with that of having none.
    floor, least = (null_score, least[5:]) if least.startswith("null_") else (0.0 * score, least)
    if least != "nothing" and score <= floor:
        row = window_start - offset  # places of the row that began at 0
        at = {
            "zeros": (0, 0),
            "none": (-1, -1),
            "start": (window_start, window_start),
            "row": (row, row),
        }[least]
        score = floor
    if returned == "above_null":
        score = score - null_score
    found = tuple(map(np.asarray, (score, *at, null_score)))
    return {
        "three": found[:3],
        "places_only": found[1:3],
        "null_first": (found[3], *found[:3]),
        "places_first": (found[1], found[2], found[0], found[3]),
        "answer_or_none": found if score >= null_score else (found[0], np.asarray(-1),
                                                             np.asarray(-1), found[3]),
        "exchanged": (found[0], found[2], found[1], found[3]),
    }.get(returned, found)  # fmt: skip


def with_a_float(found):
    """Four things, of which the score is a float also where it is still the int of a first guess.

    Args:
        found: what came back.

    Returns:
        The same, unless its first part is a Python int.
    """
    if isinstance(found, (tuple, list)) and len(found) == 4 and type(found[0]) is int:
        return (float(found[0]), *found[1:])
    return found
