"""How GPT is asked: texts and marks in one row of ids, in plain Python, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of


def cut_pair(first, second, budget, ties="second"):
    """Both texts, shortened one token at a time at the end of the longer one."""
    first, second = list(first), list(second)
    while len(first) + len(second) > max(budget, 0):
        longer = len(first) > len(second) or (ties == "first" and len(first) == len(second))
        (first if longer else second).pop()
    return first, second


def as_array(ids):
    """Ids as an int array (T,)."""
    return np.array(ids, np.int64).reshape(-1)


def room_for(max_length, marks, cut):
    """Places for texts; None where nothing is cut."""
    if cut in ("none", "with_marks", "with_marks_even_of_0", "with_marks_extract_put_back"):
        return None
    if not max_length:
        return None
    if cut == "always_short":
        return max_length - marks - 1
    return max_length - {
        "text_only": 0,
        "one_mark_less": marks - 1,
        "one_mark_more": marks + 1,
    }.get(cut, marks)


def no_room(max_length, marks, refusal):
    """Raise what a length that leaves no room for the marks should raise."""
    if refusal == "at_exact" and max_length == marks:
        raise Crash("ValueError")
    if 0 < max_length < marks:
        raise Crash("ValueError")


def _framed(middle, marks, max_length, begin, extract, cut):
    """The middle with begin and extract around it."""
    starts, mark, ends = marks
    head = {
        "there": [starts],
        "missing": [],
        "delimiter": [mark],
        "extract": [ends],
        "twice": [starts, starts],
    }[begin]
    tail = {
        "last": [ends],
        "missing": [],
        "delimiter": [mark],
        "begin": [starts],
        "after_delimiter": [mark, ends],
        "twice": [ends, ends],
        "before_the_text": [],
    }[extract]
    if extract == "before_the_text":
        head = [*head, ends]
    row = [*head, *middle, *tail]
    if (max_length and cut == "with_marks") or cut == "with_marks_even_of_0":
        row = row[:max_length]
    if max_length and cut == "with_marks_extract_put_back" and len(row) > max_length:
        row = [*row[: max_length - 1], ends]
    return row


def classification_row(
    text,
    marks,
    max_length=0,
    *,
    begin="there",
    extract="last",
    cut="end",
    zero="no_limit",
    refusal="strict",
    returned="list",
):
    """begin, text, extract.

    Args:
        text: list of int.
        marks: tuple of the ids of begin, delimiter and extract.
        max_length: int, 0 for no limit.
        begin, extract, cut, zero, refusal, returned: the switches.

    Returns:
        int (T,), unless ``returned`` says otherwise.

    Raises:
        Crash: there is no room for the marks.
    """
    text = [int(token) for token in text]
    no_room(max_length, 2, refusal)
    room = room_for(max_length, 2, cut)
    if not max_length and zero != "no_limit":
        room = {"empties": 0, "cuts_some": max(len(text) - 2, 0)}[zero]
    if cut == "negative_slice" and max_length:  # [:-0] leaves nothing
        room = len(text[: -(len(text) + 2 - max_length)])
    if room is not None:
        room = max(room, 0)
        text = {
            "start": text[len(text) - min(room, len(text)) :],
            "middle": [*text[: room // 2], *text[len(text) - (room - room // 2) :]]
            if len(text) > room
            else text,
        }.get(cut, text[:room])
    row = _framed(text, marks, max_length, begin, extract, cut)
    return {
        "reversed": as_array(row[::-1]),
        "nested": (as_array(row),),
        "text_only": as_array(text),
        "padded": as_array(row + [0] * (max_length - len(row))),
    }.get(returned, as_array(row))


classification_input = oracle(parts=("sequence",))(classification_row)


def pair_ids(
    first,
    second,
    marks,
    max_length=0,
    *,
    begin="there",
    delimiter="between",
    extract="last",
    order="as_given",
    cut="longest",
    zero="no_limit",
    refusal="strict",
):
    """begin, first, delimiter, second, extract: a list of ids.

    Args:
        first, second: lists of int.
        marks: tuple of the ids of begin, delimiter and extract.
        max_length: int, 0 for no limit.
        begin, delimiter, extract, order, cut, zero, refusal: the switches.

    Raises:
        Crash: there is no room for the marks.
    """
    first, second = [int(token) for token in first], [int(token) for token in second]
    no_room(max_length, 3, refusal)
    if order == "turned_before_the_cut":
        first, second = second, first
    room = room_for(max_length, 3, cut)
    if not max_length and cut in ("half_always", "half_always_odd_second"):
        room = len(first) + len(second)
    if not max_length and zero == "empties":
        room = 0
    if not max_length and zero == "cuts_some":  # a negative budget, as indices from the end
        first, second = first[:-1], second[:-2]
    if room is not None:
        first, second = _cut(first, second, max(room, 0), cut)
    middle_mark = {
        "missing": [],
        "begin": [marks[0]],
        "extract": [marks[2]],
        "twice": [marks[1], marks[1]],
        "delimiter_and_begin": [marks[1], marks[0]],
    }.get(delimiter, [marks[1]])
    if order == "turned":
        first, second = second, first
    middle = [*first, *middle_mark, *second]
    if delimiter == "in_front":
        middle = [marks[1], *first, *second]
    return _framed(middle, marks, max_length, begin, extract, cut)


def _cut(first, second, room, cut):
    """Both texts cut to a room, in one of the ways that are confused with each other."""
    a, b = len(first), len(second)
    if cut == "longest_from_the_start":
        kept = cut_pair(first, second, room)
        return first[a - len(kept[0]) :], second[b - len(kept[1]) :]
    if cut == "ties_first":
        return cut_pair(first, second, room, ties="first")
    if cut == "first_only":
        return first[: max(room - b, 0)], second
    if cut == "first_then_second":
        return first[: max(room - b, 0)], second[:room]
    if cut == "second_only":
        return first, second[: max(room - a, 0)]
    if cut == "second_then_first":
        return first[:room], second[: max(room - a, 0)]
    if cut in ("half_if_too_long", "half_if_too_long_odd_second"):
        if a + b <= room:
            return first, second
        return first[: room // 2], second[: room // 2 + (room % 2 if cut.endswith("d") else 0)]
    if cut in ("half_each", "half_always"):
        return first[: room // 2], second[: room // 2]
    if cut in ("half_each_odd_second", "half_always_odd_second"):
        return first[: room // 2], second[: room - room // 2]
    if cut == "half_each_odd_first":
        return first[: room - room // 2], second[: room // 2]
    if cut == "longer_only":  # never the shorter, and the longer at most away
        if a > b:
            return first[: max(room - b, 0)], second
        return first, second[: max(room - a, 0)]
    if cut == "in_proportion":
        share = room * a // max(a + b, 1) if a + b > room else a
        return first[:share], second[: room - share]
    if cut == "each_to_the_room":
        return first[:room], second[:room]
    return cut_pair(first, second, room)


@oracle(parts=("sequence",))
@with_switches_of(pair_ids)
def entailment_input(premise, hypothesis, marks, max_length=0, *, returned="list", **switches):
    """begin, premise, delimiter, hypothesis, extract.

    Args:
        premise, hypothesis, marks, max_length: as for `pair_ids`.
        returned: what comes back.
        **switches: of `pair_ids`.

    Returns:
        int (T,), unless ``returned`` says otherwise.
    """
    row = pair_ids(premise, hypothesis, marks, max_length, **switches)
    return {
        "nested": (as_array(row),),
        "two_rows": (
            as_array([marks[0], *premise, marks[2]]),
            as_array([marks[0], *hypothesis, marks[2]]),
        ),
        "reversed": as_array(row[::-1]),
        "both_orders": (
            as_array(row),
            as_array(pair_ids(hypothesis, premise, marks, max_length, **switches)),
        ),
    }.get(returned, as_array(row))


@oracle(parts=("refused",))
def refused(marks, max_length, *, refusal="strict"):
    """Whether a ValueError says that so many marks leave no room at that length."""
    strict = 0 < max_length < marks
    return np.asarray({"never": False, "at_exact": 0 < max_length <= marks}.get(refusal, strict))


def row_of(found):
    """A list of ints, or an array of them, as an array; anything else as it is."""
    if isinstance(found, (tuple, list)) and all(_is_int(each) for each in found):
        return np.array([int(each) for each in found], np.int64)
    return found


def rows_of(found):
    """A list of lists of ints as a tuple of arrays; anything else as it is."""
    if isinstance(found, np.ndarray) and found.ndim == 2:
        return tuple(found)
    if isinstance(found, (tuple, list)) and all(_is_int(each) for each in found):
        return row_of(found)  # an empty list is a row too
    if isinstance(found, (tuple, list)):
        return tuple(row_of(each) for each in found)
    return found


def _is_int(value) -> bool:
    if isinstance(value, np.ndarray):
        return value.shape == () and value.dtype.kind in "iu"
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
