"""Notebook ch07b, exercise 7: how often a language is drawn."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07b_kit import (
    NOTEBOOK,
    add_finite_property,
    add_last_properties,
    add_shape_property,
    ask_for_refusals,
    ask_whether_arrays_change,
    numbers_of,
)
from autograder.exercises.ch07b_language_mistakes import WEIGHTS
from autograder.exercises.common import name_mistakes
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import languages as oracles

smoothed_language_weights = Exercise(
    "smoothed_language_weights",
    notebook=NOTEBOOK,
    points=3,
    library="bert_keras.text.languages:smoothed_language_weights",
    tensors=False,
)
BAD = (
    ([5, -1, 3], Text("counts 里有一个负数", "one of counts is negative")),
    ([1, -4, 2], Text("counts 里有负数，和也是负的", "one is negative, and so is the sum")),
    ([0, 0, 0], Text("counts 全是 0", "counts are all 0")),
)


def some_counts(rng, size):
    """Counts of which the largest is some hundred times the smallest."""
    counts = np.geomspace(40, 9000, size) * rng.uniform(0.8, 1.2, size)
    return rng.permutation(counts.astype(int))


def _judge(student, counts, exponent=None, listed=False):
    """Ask once; the counts are handed over as a list or as an array of ints."""
    counts = np.asarray(counts)
    given = counts.tolist() if listed else counts.copy()
    rest = () if exponent is None else (exponent,)
    expect(student(given, *rest)).equals(
        oracles.smoothed_language_weights(counts.astype(float), *rest)
    )


@smoothed_language_weights.case(
    points=1,
    zh="默认的指数，别的指数；列表和数组",
    en="the default exponent and others; a list and an array",
)
def some_exponents(student, rng):
    """From no smoothing to equal shares."""
    _judge(student, some_counts(rng, 4))
    _judge(student, some_counts(rng, 3), listed=True)
    for exponent in (0.3, 0.5, 1.0, 0.0):
        _judge(student, some_counts(rng, 5), exponent, listed=exponent == 0.5)


@smoothed_language_weights.case(
    points=1,
    zh="没有文字的语言；只有一种语言；大数",
    en="languages without text; a single language; large numbers",
)
def languages_without_text(student, rng):
    """With an exponent of 0, too, and with one above 1."""
    counts = some_counts(rng, 6)
    counts[rng.permutation(6)[:2]] = 0
    for exponent in (0.7, 0.0, 0.4):
        _judge(student, counts, exponent)
    _judge(student, [17], 0.3, listed=True)
    _judge(student, some_counts(rng, 4) * 10**8, 0.6)
    _judge(student, some_counts(rng, 3), 1.5)


@smoothed_language_weights.case(
    points=1,
    zh="负数、全是 0：ValueError；counts 不改动",
    en="negative counts, or all 0: a ValueError; counts is left alone",
)
def bad_counts(student, rng):
    """A negative one among others that make up for it; one that doesn't; nothing at all."""
    _judge(student, [0, 3, 0], 0.5, listed=True)
    found = [student(list(bad)) for bad, _ in BAD]
    ask_for_refusals(found, oracles.refused(), [text for _, text in BAD])
    ask_whether_arrays_change(student, some_counts(rng, 4).astype(float))


name_mistakes(smoothed_language_weights, WEIGHTS)
add_shape_property(
    smoothed_language_weights,
    "形状不对：应当是 (K,)，没有文字的语言也占一个位置。",
    "The shape is wrong: (K,) is wanted, with a place for languages without text, too.",
    "shares",
)
add_finite_property(smoothed_language_weights, "shares")


@smoothed_language_weights.property(
    "shares_add_up_to_one",
    zh="份额加起来不是 1。",
    en="The shares don't add up to 1.",
)
def another_sum(seen):
    got, _ = numbers_of(seen, "shares")
    return abs(got.sum() - 1) > 1e-4


@smoothed_language_weights.property(
    "nothing_stays_nothing",
    zh="没有文字的语言分到了份额。",
    en="A language without text gets a share.",
)
def something_for_nothing(seen):
    got, wanted = numbers_of(seen, "shares")
    return bool((got[wanted == 0] > 1e-6).any())


@smoothed_language_weights.property(
    "size_decides_at_1",
    zh="指数是 1 时，份额应当就是各语言文字的份额。",
    en="With an exponent of 1 shares should be those of the text itself.",
)
def smoothed_at_1(seen):
    got, wanted = numbers_of(seen, "shares")
    return len(seen.args) > 1 and seen.args[1] == 1 and not np.allclose(got, wanted, atol=1e-5)


@smoothed_language_weights.property(
    "power_is_right",
    zh="份额不对：拿两种语言手算一遍，先取幂，再归一。",
    en="The shares are wrong: take two languages and do it by hand, first the power, then the "
    "division by the sum.",
    alone=True,
)
def power_is_wrong(seen):
    got, wanted = numbers_of(seen, "shares")
    return not np.allclose(got, wanted, atol=1e-5)


add_last_properties(
    smoothed_language_weights,
    Text(
        "有负数，或者全是 0，应当抛出 ValueError。",
        "Negative counts, or counts that are all 0, should raise a ValueError.",
    ),
)
