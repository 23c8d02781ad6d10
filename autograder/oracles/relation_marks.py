"""Marks around two names of a sentence, in plain Python, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def overlap(head, tail, refusal="overlap"):
    """Whether two spans are refused, rightly or by a rule that is mistaken for the right one."""
    first, second = sorted((tuple(head), tuple(tail)))
    return {
        "overlap": first[1] > second[0],
        "never": False,
        "touching_too": first[1] >= second[0],
        "by_one_allowed": first[1] > second[0] + 1,
        "same_only": first == second,
        "same_start_only": first[0] == second[0],
        "head_must_be_first": head[1] > tail[0],
        "tail_starts_in_head": head[0] <= tail[0] < head[1],
        "head_starts_in_tail": tail[0] <= head[0] < tail[1],
        "no_nesting": first[0] < second[0] < first[1] < second[1],
        "nesting_only": first[0] <= second[0] and second[1] <= first[1],
    }[refusal]


def as_array(ids):
    """Ids as an int array (T,)."""
    return np.array(ids, np.int64).reshape(-1)


def _in_turn(tokens, head, tail, marks, shift):
    """The marks put in one by one, head's first, each where its place is thought to be now."""
    before_head, after_head, before_tail, after_tail = marks
    by_tail = {"tail_by_two": 2, "tail_by_one": 1, "tail_by_four": 4}.get(shift, 0)
    by_end = 0 if shift == "never" else 1
    row = list(tokens)
    row.insert(head[0], before_head)
    row.insert(head[1] + by_end, after_head)
    row.insert(tail[0] + by_tail, before_tail)
    row.insert(tail[1] + by_tail + by_end, after_tail)
    return row, row.index(before_head), row.index(before_tail)


def _moved_ends(head, tail, length, end):
    by = {"one_late": 1, "one_early": -1}.get(end, 0)
    return tuple((start, min(max(stop + by, start), length)) for start, stop in (head, tail))


def _marked(tokens, head, tail, marks, given, names, at_the_end, touching):
    """The row with its marks, and where the first mark of each name stands in it."""
    spans = {"head": tuple(head), "tail": tuple(tail)}
    ordered = sorted(spans, key=spans.get)
    a, b, c, d = marks
    of = {
        "given": {"head": (a, b), "tail": (c, d)},
        "inside_exchanged": {"head": (b, a), "tail": (d, c)},
        "names_exchanged": {"head": (c, d), "tail": (a, b)},
        "by_order": {ordered[0]: (a, b), ordered[1]: (c, d)},
        "befores_first": {"head": (a, c), "tail": (b, d)},
        "before_twice": {"head": (a, a), "tail": (c, c)},
        "heads_twice": {"head": (a, b), "tail": (a, b)},
        "before_only": {"head": (a, None), "tail": (c, None)},
        "after_only": {"head": (None, b), "tail": (None, d)},
    }[given]
    row, places, done = [], {}, 0
    crossed = touching != "apart" and spans[ordered[0]][1] == spans[ordered[1]][0]
    if crossed:  # two marks for one place: who comes first there?
        head_is_first = ordered[0] == "head"
        left, right = of[ordered[0]][1], of[ordered[1]][0]
        crossed = {
            "crossed": True,
            "lower_id_first": None not in (left, right) and right < left,
            "tail_mark_first": head_is_first,
            "head_mark_first": not head_is_first,
        }[touching]
    for name in ordered:
        start, stop = spans[name]
        before, after = of[name]
        row += tokens[done:start]
        places[name] = len(row) - (crossed and name == ordered[1])
        if before is not None:
            row.insert(places[name], before)
        row += {"replaced": [], "first_token": tokens[start : start + 1]}.get(
            names, tokens[start:stop]
        )
        if after is not None and not (at_the_end == "lost" and stop == len(tokens)):
            row.append(after)
        done = stop
    row += tokens[done:]
    return row, places["head"], places["tail"]


def _places(row, found, head, tail, marks, places):
    """Where the marks are said to stand."""
    at_head, at_tail = found
    later = 2 if places == "later_by_two_of_the_old" else 1
    first_is_head = head[0] < tail[0]

    def index(mark):
        if mark not in row:
            raise Crash("IndexError")  # as with NumPy; list.index looks like a refusal of overlaps
        return row.index(mark)

    return {
        "counted": lambda: (head[0] + 2 * (not first_is_head), tail[0] + 2 * first_is_head),
        "names": lambda: (at_head + 1, at_tail + 1),
        "old": lambda: (head[0], tail[0]),
        "old_plus_one": lambda: (head[0] + 1, tail[0] + 1),
        "tail_by_two": lambda: (head[0], tail[0] + 2),
        "tail_by_three": lambda: (head[0] + 1, tail[0] + 3),
        "later_by_one": lambda: (
            head[0] + later * (not first_is_head),
            tail[0] + later * first_is_head,
        ),
        "second_marks": lambda: (index(marks[1]), index(marks[3])),
        "of_the_ids": lambda: (index(marks[0]), index(marks[2])),
        "in_order": lambda: tuple(sorted(found)),
        "exchanged": lambda: (at_tail, at_head),
        "last_tokens": lambda: (index(marks[1]) - 1, index(marks[3]) - 1),
    }.get(places, lambda: found)()


@oracle(parts=("token_ids", "head_place", "tail_place"))
def relation_markers(
    token_ids,
    head,
    tail,
    marker_ids,
    *,
    refusal="overlap",
    end="exclusive",
    shift="right",
    given="given",
    names="kept",
    at_the_end="there",
    touching="apart",
    places="first_marks",
    returned="triple",
):
    """A row with four marks, and where head's and tail's first marks stand in it.

    Args:
        token_ids: list of int.
        head, tail: pairs (start, end), ends exclusive.
        marker_ids: four ints.
        refusal, end, shift, given, names, at_the_end, touching, places, returned: the switches.

    Returns:
        int (T + 4,) and two ints, unless a switch says otherwise.

    Raises:
        Crash: the spans are refused, or the mistake asked for could not run.
    """
    tokens = [int(token) for token in token_ids]
    if overlap(head, tail, refusal):
        raise Crash("ValueError")
    head, tail = tuple(head), tuple(tail)
    a, b = _moved_ends(head, tail, len(tokens), end)
    if shift == "right":
        if sorted((a, b))[0][1] > sorted((a, b))[1][0]:
            raise Crash
        row, *found = _marked(tokens, a, b, marker_ids, given, names, at_the_end, touching)
    else:
        row, *found = _in_turn(tokens, a, b, marker_ids, shift)
    at = _places(row, tuple(found), head, tail, marker_ids, places)
    return {
        "row_only": lambda: as_array(row),
        "places_only": lambda: tuple(map(np.asarray, at)),
        "places_first": lambda: (*map(np.asarray, at), as_array(row)),
        "reversed": lambda: (as_array(row[::-1]), *map(np.asarray, at)),
    }.get(returned, lambda: (as_array(row), *map(np.asarray, at)))()


@oracle(parts=("refused",))
def refused(head, tail, *, refusal="overlap"):
    """Whether a ValueError says that two spans overlap."""
    return np.asarray(overlap(head, tail, refusal))
