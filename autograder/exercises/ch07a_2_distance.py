"""Notebook ch07a, exercise 2: how far a head looks."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07a_distance_mistakes import DISTANCE
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
from autograder.oracles.head_distance import attention_distance as oracle

attention_distance = Exercise(
    "attention_distance",
    notebook=NOTEBOOK,
    points=5,
    library=f"{LIBRARY}:attention_distance",
    tensors=False,
)


def _judge(student, weights, mask):
    expect(student(weights.copy(), mask.copy())).equals(oracle(weights, mask))


@attention_distance.case(
    points=1,
    zh="每个查询只看一个键：隔着几个词元",
    en="each query looks at one key only: how many tokens away",
)
def one_key_each(student, rng):
    """To the left and to the right, and at itself."""
    mask = padding([6, 6], 6)
    _judge(student, one_hot_attention(rng, mask, 3), mask)
    itself = np.broadcast_to(np.eye(6, dtype=np.float32), (2, 1, 6, 6))
    both = np.concatenate([itself, one_hot_attention(rng, mask, 1)], axis=1)
    _judge(student, both, mask)


@attention_distance.case(
    points=1,
    zh="看好几个键：按权重平均，不分左右",
    en="several keys: a mean by weight, left and right alike",
)
def by_weight(student, rng):
    """All sizes differ; a head that may not look ahead, and one row alone."""
    for batch, heads, length in ((2, 3, 5), (1, 2, 7)):
        mask = padding([length] * batch, length)
        _judge(student, some_attention(rng, mask, heads), mask)
    mask = padding([6, 6], 6)
    _judge(student, some_attention(rng, mask, 4, np.triu(np.ones((6, 6), bool), 1)), mask)


@attention_distance.case(
    points=2,
    zh="填充：只算真查询，所有行放在一起平均",
    en="padding: real queries only, in one mean over all rows",
)
def with_padding(student, rng):
    """Rows of very different lengths; in one set the padding of some rows stands on the left."""
    for lengths, size, left in (((6, 2, 4), 7, ()), ((3, 7, 5, 2), 8, (0, 2))):
        mask = padding(lengths, size, left)
        _judge(student, some_attention(rng, mask, 3), mask)


@attention_distance.case(
    points=1,
    zh="几个轴一样大；只有一个词元；长句子；weights 不改动",
    en="axes of one size; a single token; a long sentence; weights are left alone",
)
def other_sizes(student, rng):
    """Distances of a long sentence are not cut off."""
    mask = padding((4, 2, 3, 4), 4)
    _judge(student, some_attention(rng, mask, 4), mask)
    mask = padding((1, 1, 4), 5)
    _judge(student, some_attention(rng, mask, 2), mask)
    mask = padding([150], 150)
    _judge(student, some_attention(rng, mask, 2), mask)
    mask = padding((5, 3), 5)
    ask_whether_weights_change(student, (some_attention(rng, mask, 2), mask))


name_mistakes(attention_distance, DISTANCE, AVERAGES)
add_measure_properties(attention_distance, "distance", 1)


@attention_distance.property(
    "distance_is_not_negative",
    zh="有的距离是负数。",
    en="Some distances are negative.",
)
def negative(seen):
    got, _ = measured(seen, ("distance",))
    return bool((got < -1e-4).any())


@attention_distance.property(
    "at_most_the_length_of_the_sentence",
    zh="有的距离比 T − 1 还大：隔得再远也没有那么远。",
    en="Some distance is larger than T − 1; no two tokens are further apart.",
)
def too_large(seen):
    got, _ = measured(seen, ("distance",))
    return bool((got > seen.args[0].shape[-1] - 1 + 1e-3).any())
