"""What a word gives away about the right choice: in plain Python, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def _has(words, cue, match):
    """Whether a choice has the cue."""
    return {
        "inside_a_word": lambda: any(cue in word for word in words),
        "start_of_a_word": lambda: any(word.startswith(cue) for word in words),
        "any_case": lambda: any(cue.lower() == word.lower() for word in words),
    }.get(match, lambda: cue in words)()


def _applies(has, label, applies):
    """Whether the cue has a say in a question."""
    return {
        "somewhere": any(has),
        "not_everywhere": not all(has),
        "always": True,
        "right_has_it": has[label],
        "right_has_it_some_lack_it": has[label] and not all(has),
        "wrong_has_it": any(h for place, h in enumerate(has) if place != label),
        "one_alone": sum(has) == 1,
        "one_lacks_it": sum(has) == len(has) - 1,
        "more_than_one": sum(has) > 1 and not all(has),
    }.get(applies, any(has) and not all(has))


def _tells(has, label, productive):
    """Whether the cue is productive in a question, given how many choices have it."""
    return {
        "right_has_it": has[label],
        "right_has_it_some_lack_it": has[label] and not all(has),
        "one_alone": sum(has) == 1,
        "wrong_one_alone": sum(has) == 1 and not has[label],
        "right_alone_lacks_it": not has[label] and sum(has) == len(has) - 1,
        "right_lacks_it": not has[label] and any(has),
        "either_alone": (sum(has) == 1 and has[label])
        or (not has[label] and sum(has) == len(has) - 1),
        "first_that_has_it": any(has) and has.index(True) == label and not all(has),
    }.get(productive, has[label] and sum(has) == 1)


@oracle(parts=("productivity", "coverage"))
def cue_productivity(
    choices,
    labels,
    cue,
    *,
    match="whole_word",
    applies="some_not_all",
    productive="right_alone",
    right="label",
    rows="questions",
    below="applies",
    above="productive",
    covered="share",
    nothing="zero",
    returned="pair",
    scale="share",
):
    """Productivity and coverage of one word.

    Args:
        choices: list of n lists of K lists of words; labels: n ints; cue: str.
        match, applies, productive, right, rows, below, above, covered, nothing, returned, scale:
            the switches.

    Returns:
        Two floats, unless a switch says otherwise.

    Raises:
        Crash: where the mistake would raise.
    """
    number = with_cue = told = right_choices = all_choices = 0
    for sets, label in zip(choices, labels, strict=True):
        if rows in ("first_two_choices", "two_choices_counted"):
            sets = sets[:2]
        has = [_has(words, cue, match) for words in sets]
        label = {"first": 0, "from_one": label - 1, "last": len(has) - 1}.get(right, label)
        if label >= len(has):
            if rows != "two_choices_counted":
                raise Crash("IndexError")
            number += 1
            with_cue += any(has) and not all(has)
            continue
        number += 1
        all_choices += len(has)
        with_cue += sum(has) if rows == "choices" else _applies(has, label, applies)
        right_choices += has[label]
        told += _tells(has, label, productive)
    if rows == "choices":
        told = right_choices if productive != "right_alone" else told
        number = all_choices if below != "questions" else number
    upper = with_cue - told if above == "not_productive" else told
    lower = {"questions": number, "not_divided": 1}.get(below, with_cue)
    if with_cue == 0 and lower == 0:
        if nothing == "error":
            raise Crash("ZeroDivisionError")
        productivity = {"nan": np.nan, "one": 1.0, "half": 0.5, "minus_one": -1.0}.get(nothing, 0.0)
    else:
        productivity = upper / lower
    coverage = {
        "count": float(with_cue),
        "productive": told / number,
        "rest": 1 - with_cue / number,
        "turned": number / with_cue if with_cue else 0.0,
    }.get(covered, with_cue / number)
    if scale == "percent":
        productivity, coverage = 100 * productivity, 100 * coverage
    pair = np.float64(productivity), np.float64(coverage)
    return {
        "exchanged": pair[::-1],
        "productivity_alone": pair[0],
        "product": pair[0] * pair[1],
        "counts": (np.float64(told), np.float64(with_cue)),
    }.get(returned, pair)
