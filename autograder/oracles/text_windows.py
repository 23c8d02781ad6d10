"""Windows over a long text, and the best answer in one of them, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.task_inputs import row_of

# More windows than any text of ours has: a loop that goes on after that never ends.
MANY = 400


class Endless(ValueError):
    """A loop that would never end, so that nobody can have seen its result."""


def room_of(context, question, length, room="exact"):
    """Tokens of the context that fit into a row, rightly or by a wrong count of marks."""
    marks = {"two_marks": 2, "one_mark": 1, "no_marks": 0, "four_marks": 4}.get(room, 3)
    room_left = length - marks - (0 if room == "question_forgotten" else question)
    return min(room_left, context) if room == "at_most_the_text" else room_left


def windows_of(
    context,
    question,
    length,
    stride,
    *,
    room="exact",
    step="stride",
    too_large="as_room",
    until="the_end",
    tail="clipped",
    refusal="both",
    empty="one_window",
):
    """Pairs (start, end) of windows; context and question are numbers of tokens.

    Raises:
        Crash: there is no room, or no step.
        Endless: the mistake asked for never ends.
    """
    space = room_of(context, question, length, room)
    refused = {
        "both": space < 1 or stride < 1,
        "never": False,
        "room_only": space < 1,
        "stride_only": stride < 1,
        "negative_only": space < 0 or stride < 0,
        "full_windows_too": space < 1 or stride < 1 or context <= space,
        "large_strides_too": space < 1 or stride < 1 or stride > space,
        "not_of_an_empty_text": context > 0 and (space < 1 or stride < 1),
    }[refusal]
    if refused:
        raise Crash("ValueError")
    if context == 0 and empty == "none":
        return []
    if context == 0 and empty == "refused":
        raise Crash("ValueError")
    by = {
        "overlap": space - stride,
        "room": space,
        "half": max(space // 2, 1),
        "one": 1,
        "stride_less_one": stride - 1,
        "stride_more_one": stride + 1,
        "overlap_at_least_one": max(space - stride, 1),
        "end_less_stride": space - stride,
    }.get(step, stride)
    if too_large == "as_room":
        by = min(by, space)
    elif too_large == "less_than_room":
        by = min(by, max(space - 1, 1))
    found, start = [], 0
    while len(found) < MANY:
        end = start + space
        if until in ("starts", "starts_or_full") and start >= context and found:
            return found
        if until == "full_only" and end > context and found:
            return found
        if until == "full_only_even_the_first" and end > context:
            return found
        found.append(_window(start, end, context, space, tail))
        if until == "the_end" and end >= context:
            return found
        if until == "starts_after_adding" and start >= context:
            return found
        if until == "past_the_end" and end > context:
            return found
        if until == "first_only":
            return found
        if until == "a_token_early" and end >= context - 1:
            return found
        start += by
    raise Endless


def _window(start, end, context, space, tail):
    return {
        "not_clipped": (start, end),
        "moved_back": (max(min(end, context) - space, 0), min(end, context)),
        "inclusive": (start, min(end, context) - 1),
        "length": (start, min(end, context) - start),
        "short": (start, min(end, context - 1)),
        "from_one": (start + 1, min(end, context) + 1),
    }.get(tail, (start, min(end, context)))


@oracle(parts=("windows",))
@with_switches_of(windows_of)
def qa_windows(context, question, max_sequence_length, stride, *, returned="pairs", **switches):
    """Starts and ends of the windows over a text.

    Args:
        context, question: lists of ids.
        max_sequence_length, stride: int.
        returned: what comes back.
        **switches: of `windows_of`.

    Returns:
        int (number of windows, 2), unless ``returned`` says otherwise.
    """
    found = windows_of(len(context), len(question), max_sequence_length, stride, **switches)
    pairs = np.array(found, np.int64).reshape(-1, 2)
    offset = len(question) + 2
    return {
        "starts": pairs[:, 0],
        "reversed": pairs[::-1],
        "places_in_the_row": np.stack([np.full(len(pairs), offset),
                                       pairs[:, 1] - pairs[:, 0] + offset], axis=1),
        "with_offset": np.concatenate([pairs, np.full((len(pairs), 1), offset)], axis=1),
        "tokens": as_pairs([context[a:b] for a, b in found]),
    }.get(returned, pairs)  # fmt: skip


@oracle(parts=("refused",))
def refused(context, question, max_sequence_length, stride, *, refusal="both", room="exact"):
    """Whether a ValueError says that there is no room or no step; lengths in place of texts."""
    space = room_of(context, question, max_sequence_length, room)
    return np.asarray(
        {
            "never": False,
            "room_only": space < 1,
            "stride_only": stride < 1,
            "negative_only": space < 0 or stride < 0,
            "not_of_an_empty_text": context > 0 and (space < 1 or stride < 1),
        }.get(refusal, space < 1 or stride < 1)
    )


def as_pairs(found):
    """A list of pairs of ints as an array (n, 2); anything else as it is."""
    if isinstance(found, np.ndarray) and found.size == 0 and found.ndim < 2:
        return found.reshape(-1)
    if not isinstance(found, (tuple, list)):
        return found
    if found and isinstance(row_of(found), np.ndarray):  # ints, not pairs
        return row_of(found)
    rows = [row_of(pair) for pair in found]
    if not all(isinstance(row, np.ndarray) and row.dtype.kind in "iu" for row in rows):
        return found
    if not rows:
        return np.zeros((0, 2), np.int64)
    if any(row.shape != rows[0].shape for row in rows):
        return tuple(rows)
    return np.array(rows)
