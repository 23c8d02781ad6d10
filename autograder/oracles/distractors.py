"""Words put into a text beside its answer: in plain Python, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.tag_spans import written


def _second_answer(words, answer, distractor, contains, last):
    """Whether the distractor has the answer in it."""
    first, end = answer[0], answer[1] + (last != "excluded")
    right, put = list(words[first:end]), list(distractor)
    runs = [put[at : at + len(right)] for at in range(len(put) - len(right) + 1)]
    padded = f" {' '.join(put)} "
    return {
        "never": lambda: False,
        "any_word": lambda: any(word in put for word in right),
        "all_words": lambda: all(word in put for word in right),
        "in_order": lambda: _in_order(right, put),
        "joined": lambda: " ".join(right) in " ".join(put),
        "joined_without_blanks": lambda: "".join(right) in "".join(put),
        "joined_to_a_blank": lambda: f"{' '.join(right)} " in padded,
        "any_case": lambda: (
            [word.lower() for word in right] in [[word.lower() for word in run] for run in runs]
        ),
        "at_the_start": lambda: put[: len(right)] == right,
        "at_the_end": lambda: put[-len(right) :] == right,
        "the_same": lambda: put == right,
        "first_word": lambda: right[0] in put,
        "last_place_missed": lambda: right in runs[:-1],
        "answer_in_text": lambda: any(
            list(words[at : at + len(put)]) == put for at in range(len(words) - len(put) + 1)
        ),
        "as_a_part": lambda: (
            right in runs
            or (bool(put) and put in [right[at : at + len(put)] for at in range(len(right))])
        ),
    }.get(contains, lambda: right in runs)()


def _in_order(right, put):
    """Whether words stand in a row of others in this order, with gaps."""
    rest = iter(put)
    return all(word in rest for word in right)


def is_refused(
    words,
    answer,
    distractor,
    position,
    *,
    inside="refused",
    outside="refused",
    contains="in_a_row",
    last="included",
):
    """Whether a ValueError is raised.

    Args:
        words, answer, distractor, position: as in the contract.
        inside, outside, contains, last: the switches.
    """
    first, end = answer
    within = {
        "allowed": False,
        "first_too": first <= position <= end,
        "first_not_last": first <= position < end,
        "behind_too": first < position <= end + 1,
        "both_sides_too": first <= position <= end + 1,
        "last_allowed": first < position < end,
    }.get(inside, first < position <= end)
    if last == "excluded":
        within = first < position < end
    length = len(words)
    beyond = {
        "allowed": False,
        "end_too": not 0 <= position < length,
        "start_too": not 0 < position <= length,
        "too_large_only": position > length,
        "negative_only": position < 0,
        "one_behind_allowed": not 0 <= position <= length + 1,
    }.get(outside, not 0 <= position <= length)
    return bool(within or beyond or _second_answer(words, answer, distractor, contains, last))


@oracle(parts=("refused",))
def refusals(
    asked,
    *,
    inside="refused",
    outside="refused",
    contains="in_a_row",
    last="included",
    refusal="raised",
    edits="no",
):
    """For which of some arguments a ValueError is raised, bool of the same length.

    Raises:
        Crash: lists that mustn't be are changed, where nothing is refused.
    """
    told = [
        is_refused(*given, inside=inside, outside=outside, contains=contains, last=last)
        for given in asked
    ]
    if edits == "in_place" and not all(told):
        raise Crash("EditedInPlace")
    return np.array(told) & (refusal == "raised")


@oracle(parts=("changed",))
def add_distractor(
    words,
    answer,
    distractor,
    position,
    *,
    shift="before",
    by="distractor",
    moved="both",
    place="before_the_word",
    put="as_words",
    inside="refused",
    outside="refused",
    contains="in_a_row",
    last="included",
    refusal="raised",
    edits="no",
    returned="pair",
):
    """The text with the distractor, and where the answer is; written out, see `tag_spans.written`.

    Args:
        words: list of str; answer: pair of ints; distractor: list of str; position: int.
        shift, by, moved, place, put, inside, outside, contains, last, refusal, edits, returned:
            the switches.

    Raises:
        Crash: the arguments are refused, or lists that mustn't be are changed.
    """
    switches = {"inside": inside, "outside": outside, "contains": contains, "last": last}
    if is_refused(words, answer, distractor, position, **switches) and refusal == "raised":
        raise Crash("ValueError")
    if edits == "in_place":
        raise Crash("EditedInPlace")
    words, distractor, (first, end) = list(words), list(distractor), answer
    before = {
        "never": False,
        "always": True,
        "strictly_before": position < first,
        "up_to_the_last": position <= end,
        "behind_the_last_too": position <= end + 1,
        "after": position > first,
    }.get(shift, position <= first)
    step = {"one": 1, "one_more": len(distractor) + 1, "one_less": len(distractor) - 1}.get(
        by, -len(distractor) if by == "minus" else len(distractor)
    )
    if by == "letters":
        step = len(" ".join(distractor))
    step = step if before else 0
    ends = {
        "first_alone": (first + step, end),
        "last_alone": (first, end + step),
    }.get(moved, (first + step, end + step))
    if moved == "end_excluded":
        ends = (ends[0], ends[1] + 1)
    if moved == "looked_for":  # the first place of the answer's first word in the new text
        ends = "looked_for"
    at = {
        "behind_the_word": position + 1,
        "at_the_end": len(words),
        "at_the_start": 0,
        "one_earlier": max(0, position - 1),
    }.get(place, position)
    inserted = {
        "nested": [distractor],
        "joined": [" ".join(distractor)],
        "reversed": distractor[::-1],
        "first_word": distractor[:1],
    }.get(put, distractor)
    kept = words[at + len(distractor) :] if put == "written_over" else words[at:]
    changed = [*words[:at], *inserted, *kept]
    if ends == "looked_for":
        start = changed.index(words[first])
        ends = (start, start + end - first)
    made = {
        "exchanged": lambda: (list(ends), changed),
        "words_alone": lambda: changed,
        "answer_alone": lambda: list(ends),
        "joined": lambda: (" ".join(changed), list(ends)),
        "flat": lambda: (changed, *ends),
        "answer_words": lambda: (changed, changed[ends[0] : ends[1] + 1]),
    }.get(returned, lambda: (changed, list(ends)))
    return written(made())
