"""Notebook ch07a, exercise 1: how widely a head looks."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07a_entropy_mistakes import ENTROPY
from autograder.exercises.ch07a_kit import (
    AVERAGES,
    LIBRARY,
    NOTEBOOK,
    add_measure_properties,
    ask_whether_weights_change,
    measured,
    one_hot_attention,
    padding,
    some_attention,
)
from autograder.exercises.common import name_mistakes
from autograder.expectations import expect
from autograder.oracles.head_entropy import attention_entropy as oracle

attention_entropy = Exercise(
    "attention_entropy",
    notebook=NOTEBOOK,
    points=5,
    library=f"{LIBRARY}:attention_entropy",
    forbids=("scipy.stats.entropy",),
    tensors=False,
)


def _judge(student, weights, mask):
    expect(student(weights.copy(), mask.copy())).equals(oracle(weights, mask))


@attention_entropy.case(
    points=1,
    zh="没有填充、没有关上的键：一行的熵",
    en="no padding and no closed key: the entropy of a row",
)
def of_a_row(student, rng):
    """One row of one query first, which leaves nothing but the formula; then all sizes differ."""
    for batch, heads, length in ((1, 1, 4), (1, 3, 5), (2, 3, 6)):
        mask = padding([length] * batch, length)
        _judge(student, some_attention(rng, mask, heads), mask)


@attention_entropy.case(
    points=1,
    zh="关上的键：0 ln 0 = 0",
    en="closed keys: 0 ln 0 = 0",
)
def with_zeros(student, rng):
    """Some rows have no zero, some many; a head that looks at one key only has an entropy of 0."""
    mask = padding([6, 6], 6)
    closed = rng.random((2, 3, 6, 6)) < 0.4
    closed[:, :, 2:4] = False  # rows without a zero
    closed[..., np.arange(6), np.arange(6)] = False
    _judge(student, some_attention(rng, mask, 3, closed), mask)
    future = np.triu(np.ones((6, 6), bool), 1)
    _judge(student, some_attention(rng, mask, 4, future), mask)
    weights = np.concatenate(
        [one_hot_attention(rng, mask, 1), some_attention(rng, mask, 2)], axis=1
    )
    _judge(student, weights, mask)


@attention_entropy.case(
    points=2,
    zh="填充：只算真查询，所有行放在一起平均",
    en="padding: real queries only, in one mean over all rows",
)
def with_padding(student, rng):
    """Rows of very different lengths; in one set the padding of some rows stands on the left."""
    for lengths, size, left in (((6, 2, 4), 7, ()), ((3, 7, 5, 2), 8, (0, 2))):
        mask = padding(lengths, size, left)
        _judge(student, some_attention(rng, mask, 3), mask)


@attention_entropy.case(
    points=1,
    zh="几个轴一样大；很多键时也准；weights 不改动",
    en="axes of one size; exact for many keys; weights are left alone",
)
def other_sizes(student, rng):
    """Many keys show what was added inside the logarithm: what is harmless stays hidden."""
    mask = padding((4, 2, 3, 4), 4)
    _judge(student, some_attention(rng, mask, 4), mask)
    mask = padding([200], 200)
    _judge(student, some_attention(rng, mask, 2), mask)
    mask = padding((5, 3), 5)
    ask_whether_weights_change(student, (some_attention(rng, mask, 2), mask))


name_mistakes(attention_entropy, ENTROPY, AVERAGES)
add_measure_properties(attention_entropy, "entropy", 1)


@attention_entropy.property(
    "entropy_is_not_negative",
    zh="有的熵是负数。",
    en="Some entropies are negative.",
)
def negative(seen):
    got, _ = measured(seen, ("entropy",))
    return bool((got < -1e-4).any())


@attention_entropy.property(
    "at_most_that_of_equal_shares",
    zh="有的熵比 ln T 还大：平分给 T 个键才是 ln T。",
    en="Some entropy is larger than ln T, which is that of equal shares for T keys.",
)
def too_large(seen):
    got, _ = measured(seen, ("entropy",))
    return bool((got > np.log(seen.args[0].shape[-1]) + 1e-3).any())
