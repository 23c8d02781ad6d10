"""Two texts in one row of ids for BERT, in plain Python, with a switch for every known mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.task_inputs import cut_pair

KEYS = ("token_ids", "segment_ids", "padding_mask")


def _cut(first, second, budget, cut, alone):
    """Both texts shortened to a budget, in one of the ways that are confused with each other."""
    a, b = len(first), len(second)
    if a + b <= budget and cut != "half_always":
        return first, second
    if alone and cut != "from_the_start":
        return first[:budget], second
    if cut == "ties_first":
        return cut_pair(first, second, budget, ties="first")
    if cut == "from_the_start":
        kept = cut_pair(first, second, budget)
        return first[a - len(kept[0]) :], second[b - len(kept[1]) :]
    if cut == "first_only":
        return first[: max(budget - b, 0)], second[:budget]
    if cut == "second_only":
        return first[:budget], second[: max(budget - a, 0)]
    if cut in ("half_each", "half_always"):
        return first[: budget // 2], second[: budget // 2]
    if cut == "half_each_odd_first":
        return first[: budget - budget // 2], second[: budget // 2]
    if cut == "half_each_odd_second":
        return first[: budget // 2], second[: budget - budget // 2]
    if cut == "longer_only":
        if a > b:
            return first[: max(budget - b, 0)], second
        return first, second[: max(budget - a, 0)]
    if cut == "shorter_first":  # one token at a time from the shorter
        first, second = list(first), list(second)
        while len(first) + len(second) > budget:
            shorter = first if (len(first) < len(second) and first) or not second else second
            shorter.pop()
        return first, second
    return cut_pair(first, second, budget)


def packed(
    first,
    second,
    max_sequence_length,
    cls_id,
    sep_id,
    pad_id=0,
    *,
    cut="longest",
    reserve="right",
    marks="right",
    segments="right",
    padding="right",
    pad_use="given",
    mask="right",
    mask_kind="bool",
    order="as_given",
    empty_second="a_text",
    refusal="strict",
):
    """One row: cls first sep second sep, then padding.

    Args:
        first: list of int; second: list of int or None.
        max_sequence_length: T; cls_id, sep_id, pad_id: int.
        cut, reserve, marks, segments, padding, pad_use, mask, mask_kind, order, empty_second,
            refusal: the switches.

    Returns:
        token_ids int (T,), segment_ids int (T,), padding_mask bool (T,).

    Raises:
        Crash: there is no room for the special tokens.
    """
    length = max_sequence_length
    alone = second is None or (empty_second == "none" and not second)
    first, second = list(first), [] if second is None else list(second)
    if order == "turned" and not alone:
        first, second = second, first
    specials = 2 if alone else 3
    # An empty text taken for none in one place and not in the other.
    bare = not alone and not second and empty_second == "separator_missing"
    if not alone and not second and empty_second == "counted_as_none":
        specials = 2
    least = {"never": 0, "one_more": specials + 1, "two_always": 2, "three_always": 3}
    if length < least.get(refusal, specials):
        raise Crash("ValueError")
    room = length - {
        "two_always": 2, "three_always": 3, "none": 0, "one": 1, "one_more": specials + 1,
    }.get(reserve, specials)  # fmt: skip
    if cut not in ("assembled", "assembled_sep_put_back", "never"):
        first, second = _cut(first, second, max(room, 0), cut, alone)
    head, middle, end = [cls_id], [sep_id], [sep_id]
    if marks == "begin_missing":
        head = []
    if marks == "middle_missing" and not alone:
        middle = []
    if marks == "last_missing":
        middle, end = ([] if alone else middle), []
    if marks == "begin_twice" and not alone:
        middle = [sep_id, cls_id]
    if marks == "middle_is_begin" and not alone:
        middle = [cls_id]
    if marks == "exchanged":
        head, middle, end = [sep_id], [cls_id], [cls_id]
    if marks == "separator_for_all":
        head = [sep_id]
    if marks == "two_in_the_middle" and not alone:
        middle = [sep_id, sep_id]
    one = [*head, *first, *middle]
    two = [] if alone or bare else [*second, *end]
    if marks == "end_even_alone" and alone:
        two = [*end]
    row = [*one, *two]
    border = len(one)
    if segments == "first_separator_is_1" or (
        segments == "first_separator_is_1_in_a_pair" and not alone
    ):
        border -= len(middle)
    if marks == "begin_twice" and not alone:  # the second [CLS] belongs to what follows it
        border -= 1
    kinds = [0] * min(border, len(row)) + [1] * max(len(row) - border, 0)
    pairs = list(enumerate(zip(row, kinds, strict=True)))
    kinds = {
        "zeros": [0] * len(row),
        "from_one": [kind + 1 for kind in kinds],
        "inverted": [1 - kind for kind in kinds],
        "last_separator_is_0": [*kinds[:-1], 0],
        "ones": [1] * len(row),
        "numbered_on": [kind + (i > 0 and token == sep_id) for i, (token, kind) in pairs],
    }.get(segments, kinds)
    if cut == "assembled" or (cut == "assembled_sep_put_back" and len(row) > length):
        row, kinds = row[:length], kinds[:length]
        if cut == "assembled_sep_put_back":
            row[-1] = sep_id
    return _padded(row, kinds, length, alone, pad_id, segments, padding, pad_use, mask, mask_kind)


def _padded(row, kinds, length, alone, pad_id, segments, padding, pad_use, mask, mask_kind):
    """The row with what fills it up, and its mask."""
    gap = max(length - len(row), 0)
    fill = {"zero": 0, "last_token": row[-1]}.get(pad_use, pad_id)
    pads, real = [fill] * gap, [True] * len(row)
    behind = 2 if segments == "pads_are_2" else 0
    if padding == "none":
        ids, segs, shown = row, kinds, real
    elif padding == "left":
        ids, segs, shown = pads + row, [behind] * gap + kinds, [False] * gap + real
    elif padding == "left_segments_right":
        ids, segs, shown = pads + row, kinds + [behind] * gap, [False] * gap + real
    elif padding == "ids_only":
        ids, segs, shown = row + pads, kinds, real
    elif padding == "segments_short":
        ids, segs, shown = row + pads, kinds, real + [False] * gap
    elif padding == "one_more":
        ids, segs, shown = row + pads + [fill], kinds + [0] * (gap + 1), real + [False] * (gap + 1)
    else:
        ids, segs, shown = row + pads, kinds + [behind] * gap, real + [False] * gap
    shown = {
        "inverted": [not each for each in shown],
        "open": [True] * len(ids),
        "not_zero": [token != 0 for token in ids],
        "specials_closed": [each and 0 < i < len(row) - 1 for i, each in enumerate(shown)],
        "first_only": [each and kind == 0 for each, kind in zip(shown, segs, strict=False)],
    }.get(mask, shown)
    kind = {"bool": bool, "int": int, "float": float}[mask_kind]
    return np.array(ids, int), np.array(segs, int), np.array(shown, kind)


def judged(row, real):
    """The three arrays of a row, as far as they count: any valid segment at a pad is right.

    Args:
        row: token_ids, segment_ids, padding_mask.
        real: bool (T,), where there are tokens.
    """
    ids, segments, mask = row
    segments = np.asarray(segments)
    if segments.shape == real.shape and segments.dtype.kind in "iu":
        free = ~real & ((segments == 0) | (segments == 1))
        segments = np.where(free, 0, segments)
    return ids, segments, mask


@oracle(parts=KEYS)
@with_switches_of(packed)
def pack_pair(
    first, second, max_sequence_length, cls_id, sep_id, pad_id=0, *, returned="dict", **switches
):
    """The row as far as it counts; see `packed` and `judged`.

    Args:
        first, second, max_sequence_length, cls_id, sep_id, pad_id: as for `packed`.
        returned: what comes back.
        **switches: of `packed`.
    """
    given = (first, second, max_sequence_length, cls_id, sep_id, pad_id)
    row = packed(*given, **switches)
    if returned == "batch":
        return tuple(each[None] for each in row)
    return judged(row, packed(*given)[2])


@oracle(parts=("refused",))
def refused(
    specials, max_sequence_length, second_is_empty, *, refusal="strict", empty_second="a_text"
):
    """Whether a ValueError says that so many special tokens find no room."""
    if second_is_empty and empty_second in ("none", "counted_as_none"):
        specials = 2
    least = {"never": 0, "one_more": specials + 1, "two_always": 2, "three_always": 3}
    return np.asarray(max_sequence_length < least.get(refusal, specials))


@oracle(parts=("form",))
def form(*, returned="dict"):
    """What comes back, in a word; see `form_of`."""
    return np.asarray({"tuple": "tuple", "two_keys": "token_ids, segment_ids"}.get(returned, "row"))


def form_of(found):
    """What came back, in a word: "row" where it is a dict of the three keys.

    Other dicts by their keys, anything else by its type.
    """
    if not isinstance(found, dict):
        return np.asarray(type(found).__name__)
    return np.asarray("row" if set(found) == set(KEYS) else ", ".join(map(str, found)))


def as_row(found, real):
    """What came back, as three arrays in order, in a form that `pack_pair` predicts.

    Args:
        found: what came back, a dict of the three keys.
        real: bool (T,), where there should be tokens.
    """
    return judged(tuple(_array(found[key]) for key in KEYS), real)


def _array(values):
    """A list of numbers as an array; anything else as it is."""
    if isinstance(values, (tuple, list)):
        kinds = {np.asarray(each).dtype.kind for each in values if np.ndim(each) == 0}
        flat = all(np.ndim(each) == 0 and each is not None for each in values)
        return np.array(values) if flat and len(kinds) == 1 else values
    return values
