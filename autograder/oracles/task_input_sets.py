"""Tasks that are asked with several rows of ids: both orders, every answer; with switches."""

from __future__ import annotations

from autograder.oracles import oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.task_inputs import as_array, cut_pair, no_room, pair_ids, room_for


def alike(first, second, room):
    """Both texts cut so that asking the other way round cuts the same."""
    most = max(room - min(len(first), len(second)), room // 2)
    return list(first)[:most], list(second)[:most]


@oracle(parts=("first order", "second order"))
@with_switches_of(pair_ids)
def similarity_input(
    first,
    second,
    marks,
    max_length=0,
    *,
    orders="both",
    agreement="alike",
    returned="pair",
    **switches,
):
    """Two texts in both orders, cut alike.

    Args:
        first, second, marks, max_length: as for `pair_ids`.
        orders, agreement, returned: the switches.
        **switches: of `pair_ids`; ``cut`` says how the texts are cut in place of alike.

    Returns:
        Two int (T,), unless a switch says otherwise.
    """
    cut = switches.get("cut", "alike")
    if agreement == "alike" and cut not in ("none", "with_marks"):
        no_room(max_length, 3, switches.get("refusal", "strict"))
        zero = switches.get("zero", "no_limit")
        if max_length:
            first, second = alike(first, second, max(room_for(max_length, 3, cut), 0))
        elif zero == "empties":
            first, second = [], []
        elif zero == "cuts_some":  # a negative budget, as indices from the end
            first, second = first[:-2], second[:-2]
        max_length = 0
        switches = {k: v for k, v in switches.items() if k not in ("refusal", "zero", "cut")}
    elif agreement == "by_the_first_order" and max_length:
        no_room(max_length, 3, "strict")
        first, second = cut_pair(first, second, max_length - 3)
        max_length = 0
    one = pair_ids(first, second, marks, max_length, **switches)
    other = pair_ids(second, first, marks, max_length, **switches)
    if orders == "second_marks_turned":
        other = one[::-1]
    if orders == "words_reversed":
        other = pair_ids(list(first)[::-1], list(second)[::-1], marks, max_length, **switches)
    found = {
        "same_twice": (one, one),
        "turned_first": (other, one),
    }.get(orders, (one, other))
    if orders == "one":
        return as_array(one)
    if orders == "one_in_a_list":
        return (as_array(one),)
    if orders == "joined":
        return as_array([*one, *other])
    if orders == "joined_begin_once":
        return as_array([*one, *other[1:]])
    if returned == "flat_pair":
        return as_array([*found[0], *found[1]])
    return tuple(as_array(row) for row in found)


def choices(
    context,
    answers,
    marks,
    max_length=0,
    *,
    shared="context",
    asked="each",
    one_cut="no",
    **switches,
):
    """Every answer with the context.

    Args:
        context: list of int.
        answers: K lists of int.
        marks, max_length: as for `pair_ids`.
        shared, asked, one_cut: the switches.
        **switches: of `pair_ids`.

    Returns:
        K int (T,), unless a switch says otherwise.
    """
    answers = [list(answer) for answer in answers]
    if asked == "joined":
        middle = [token for answer in answers for token in (marks[1], *answer)]
        return as_array([marks[0], *context, *middle, marks[2]])
    if asked == "joined_without_marks":
        everything = [token for answer in answers for token in answer]
        return as_array(pair_ids(context, everything, marks, max_length, **switches))
    if asked == "first_only":
        answers = answers[:1]
    if asked == "last_only":
        answers = answers[-1:]
    if asked == "backwards":
        answers = answers[::-1]
    if asked == "first_again":
        answers = [answers[0]] * len(answers)
    if asked in ("first_bare", "last_bare"):  # a row in place of the list of rows
        answer = answers[0 if asked == "first_bare" else -1]
        return as_array(pair_ids(context, answer, marks, max_length, **switches))
    if one_cut == "longest" and max_length:
        no_room(max_length, 3, switches.get("refusal", "strict"))
        longest = max(answers, key=len)
        context = cut_pair(context, longest, max_length - 3)[0]
    if one_cut == "first" and max_length:
        context = cut_pair(context, answers[0], max_length - 3)[0]
    rows = []
    for place, answer in enumerate(answers):
        told = {"none": [], "first_only": context if place == 0 else []}.get(shared, context)
        if shared == "grows":
            told = [*context]
            for other in answers[:place]:
                told = [*told, marks[1], *other]
        if shared == "left_out":
            no_room(max_length, 3, switches.get("refusal", "strict"))
            room = max_length - 2 if max_length else len(answer)
            rows.append([marks[0], *answer[:room], marks[2]])
            continue
        rows.append(pair_ids(told, answer, marks, max_length, **switches))
    return tuple(as_array(row) for row in rows)


choices = with_switches_of(pair_ids)(choices)
multiple_choice_input = oracle(parts=("answer 0", "answer 1", "answer 2"))(choices)
