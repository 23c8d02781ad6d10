"""Notebook ch07a, exercise 5: how alike two heads are."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07a_kit import (
    LIBRARY,
    NOTEBOOK,
    add_measure_properties,
    ask_whether_weights_change,
    measured,
    one_hot_attention,
    padding,
    some_attention,
)
from autograder.exercises.ch07a_similarity_mistakes import LIKENESS, PAIR_MEANS
from autograder.exercises.common import name_mistakes
from autograder.expectations import expect
from autograder.oracles.head_likeness import head_similarity as oracle

# Differences of logarithms: single precision, and the tiny numbers that some add, are forgiven.
CLOSE = {"atol": 3e-5, "rtol": 1e-5}

head_similarity = Exercise(
    "head_similarity",
    notebook=NOTEBOOK,
    points=7,
    library=f"{LIBRARY}:head_similarity",
    forbids=("scipy.spatial.distance.jensenshannon",),
    tensors=False,
)


def _judge(student, weights, mask):
    expect(student(weights.copy(), mask.copy())).equals(oracle(weights, mask), **CLOSE)


@head_similarity.case(
    points=2,
    zh="没有填充、没有关上的键：两个头的一行",
    en="no padding and no closed key: the rows of two heads",
)
def of_rows(student, rng):
    """A single query first, which leaves nothing but the formula; then all sizes differ."""
    one = some_attention(rng, padding([4], 4), 2)
    _judge(student, one, padding([4], 4))
    for batch, heads, length in ((1, 3, 5), (2, 3, 6)):
        mask = padding([length] * batch, length)
        _judge(student, some_attention(rng, mask, heads), mask)


@head_similarity.case(
    points=1,
    zh="关上的键；两个头毫无重叠；一模一样的头",
    en="closed keys; heads that have nothing in common; heads that are the same",
)
def with_zeros(student, rng):
    """The first head and the last are one; the keys of two others never meet."""
    mask = padding([6, 6], 6)
    closed = rng.random((2, 3, 6, 6)) < 0.4
    closed[..., np.arange(6), np.arange(6)] = False
    _judge(student, some_attention(rng, mask, 3, closed), mask)
    even = np.broadcast_to(np.arange(6) % 2 == 0, (2, 1, 6, 6))
    weights = [some_attention(rng, mask, 1, even), some_attention(rng, mask, 1, ~even)]
    weights += [one_hot_attention(rng, mask, 1), weights[0]]
    _judge(student, np.concatenate(weights, axis=1), mask)


@head_similarity.case(
    points=2,
    zh="填充：只算真查询，所有行放在一起平均",
    en="padding: real queries only, in one mean over all rows",
)
def with_padding(student, rng):
    """Rows of very different lengths; in one set the padding of some rows stands on the left."""
    for lengths, size, left in (((6, 2, 4), 7, ()), ((3, 7, 5, 2), 8, (0, 2))):
        mask = padding(lengths, size, left)
        _judge(student, some_attention(rng, mask, 3), mask)


@head_similarity.case(
    points=1,
    zh="几个轴一样大；只有一个头",
    en="axes of one size; a single head",
)
def other_sizes(student, rng):
    """A head is like itself, which makes a 1 by 1 array.

    Axes of one size come first: a mask on the axes of rows and heads fits there, and shows.
    """
    mask = padding((4, 2, 3, 4), 4)
    _judge(student, some_attention(rng, mask, 4), mask)
    mask = padding((5, 3), 6)
    _judge(student, some_attention(rng, mask, 1), mask)


@head_similarity.case(
    points=1,
    zh="几层的头排在一起；weights 不改动",
    en="heads of several layers side by side; weights are left alone",
)
def many_heads(student, rng):
    """Twelve of them."""
    mask = padding((14, 9, 12), 14)
    _judge(student, some_attention(rng, mask, 12), mask)
    mask = padding((5, 3), 5)
    ask_whether_weights_change(student, (some_attention(rng, mask, 2), mask))


name_mistakes(head_similarity, LIKENESS, PAIR_MEANS)
add_measure_properties(head_similarity, "similarity", 1, "(N, N)")
PARTS = ("similarity",)


@head_similarity.property(
    "diagonal_is_1",
    zh="对角线不是 1：一个头跟自己一模一样。",
    en="The diagonal isn't 1: a head is just like itself.",
)
def another_diagonal(seen):
    got, _ = measured(seen, PARTS)
    return not np.allclose(np.diag(got), 1, atol=1e-3)


@head_similarity.property(
    "symmetric",
    zh="不对称：两个头对调了，像的程度应当一样。",
    en="It isn't symmetric: when two heads change places, they are as alike as before.",
)
def not_symmetric(seen):
    got, _ = measured(seen, PARTS)
    return not np.allclose(got, got.T, atol=1e-3)


@head_similarity.property(
    "from_0_to_1",
    zh="有的数不在 0 到 1 之间。",
    en="Some numbers aren't from 0 to 1.",
)
def outside(seen):
    got, _ = measured(seen, PARTS)
    return bool((got < -1e-3).any() or (got > 1 + 1e-3).any())
