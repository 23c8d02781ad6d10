"""Notebook ch07b, exercise 6: how alike two representations are."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07b_cka_mistakes import CKA
from autograder.exercises.ch07b_kit import (
    NOTEBOOK,
    REPRESENTATION,
    add_finite_property,
    add_last_properties,
    add_shape_property,
    ask_whether_arrays_change,
    numbers_of,
)
from autograder.exercises.common import name_mistakes, normal
from autograder.expectations import expect
from autograder.oracles.representation_likeness import linear_cka as oracle

CLOSE = {"atol": 5e-5, "rtol": 5e-5}

linear_cka = Exercise(
    "linear_cka",
    notebook=NOTEBOOK,
    points=5,
    library=f"{REPRESENTATION}:linear_cka",
    tensors=False,
)


def some_pair(rng, n, first, second, shared=3):
    """Two representations that have something in common, with means and spreads of their own."""
    common = normal(rng, n, shared)
    both = []
    for dim in (first, second):
        x = common @ normal(rng, shared, dim) + 1.2 * normal(rng, n, dim)
        spread = rng.permutation(np.geomspace(0.5, 1.8, dim))
        both.append((x * spread + normal(rng, dim) + 0.8).astype(np.float32))
    return both


def turned(rng, x, scale):
    """The same representation in other axes, larger or smaller, and moved."""
    axes, _ = np.linalg.qr(rng.standard_normal((x.shape[1], x.shape[1])))
    return (scale * (x - x.mean(axis=0)) @ axes + normal(rng, x.shape[1])).astype(np.float32)


def _judge(student, x, y):
    expect(student(x.copy(), y.copy())).equals(oracle(x, y), **CLOSE)


@linear_cka.case(
    points=2,
    zh="两个表示，特征数不同",
    en="two representations of different numbers of features",
)
def different_sizes(student, rng):
    """More examples than features."""
    for n, first, second in ((12, 3, 5), (20, 6, 4)):
        _judge(student, *some_pair(rng, n, first, second))


@linear_cka.case(
    points=1,
    zh="转动、放大、平移都不变；只拉长一个方向就变",
    en="turning, scaling and moving change nothing; stretching one direction does",
)
def invariances(student, rng):
    """1 in the first two; 1 no longer in the third."""
    x, _ = some_pair(rng, 15, 4, 3)
    _judge(student, x, turned(rng, x, 3.0))
    _judge(student, turned(rng, x, 0.2), x)
    stretched = x * rng.permutation([1, 1, 1, 6]).astype(np.float32)
    _judge(student, x, stretched)


@linear_cka.case(
    points=1,
    zh="特征比例子多；只有一个特征；一样大的轴",
    en="more features than examples; a single feature; axes of one size",
)
def other_sizes(student, rng):
    """Where a wrong axis fits."""
    for n, first, second in ((5, 9, 7), (8, 1, 4), (6, 6, 6), (7, 4, 4)):
        _judge(student, *some_pair(rng, n, first, second))


@linear_cka.case(
    points=1,
    zh="毫无关系的两个表示；常数的列；数组不改动",
    en="representations with nothing in common; a constant column; arrays are left alone",
)
def nothing_shared(student, rng):
    """Independent ones, of which a column of each never changes."""
    x, y = normal(rng, 40, 4), 2 * normal(rng, 40, 3) + 1
    x[:, rng.integers(4)] = 0.5
    y[:, rng.integers(3)] = -1.5
    _judge(student, x, y.astype(np.float32))
    ask_whether_arrays_change(student, *some_pair(rng, 9, 3, 4))


name_mistakes(linear_cka, CKA)
add_shape_property(
    linear_cka,
    "应当返回一个数。",
    "A single number should come back.",
    "likeness",
)
add_finite_property(linear_cka, "likeness")


@linear_cka.property(
    "from_0_to_1",
    zh="结果应当在 0 到 1 之间。",
    en="The result should be from 0 to 1.",
)
def outside(seen):
    got, _ = numbers_of(seen, "likeness")
    return not -1e-4 <= float(got) <= 1 + 1e-4


@linear_cka.property(
    "turning_changes_nothing",
    zh="同一个表示转动、放大、平移以后，应当正好是 1。",
    en="A representation and itself, turned, scaled and moved, should give exactly 1.",
)
def turning_changes_something(seen):
    got, wanted = numbers_of(seen, "likeness")
    return float(wanted) > 1 - 1e-6 and abs(float(got) - 1) > 1e-4


@linear_cka.property(
    "stretching_shows",
    zh="转动看不出来是对的，可是只拉长一个方向时，结果不对。",
    en="Turning rightly changes nothing, but where one direction is stretched the result is wrong.",
)
def stretching_is_wrong(seen):
    got, wanted = numbers_of(seen, "likeness")
    x, y = seen.args
    same = x.shape == y.shape and np.corrcoef(x[:, 0], y[:, 0])[0, 1] > 1 - 1e-6
    return same and not np.isclose(got, wanted, atol=1e-4)


@linear_cka.property(
    "right_for_many_examples",
    zh="例子比特征多、两边特征数不同时就不对：先看平均，再看分子、分母各是谁的范数。",
    en="It is wrong even for many examples and different numbers of features: look at the means "
    "first, then at whose norms stand above and below the line.",
    alone=True,
)
def wrong_for_many(seen):
    numbers_of(seen, "likeness")
    x, y = seen.args
    return len(x) > x.shape[1] + y.shape[1] and x.shape[1] != y.shape[1]


@linear_cka.property(
    "right_for_other_sizes",
    zh="特征比例子多、只有一个特征、几个轴一样大，其中有不对的。",
    en="It is wrong where features outnumber examples, with a single feature, or with axes of one "
    "size.",
    alone=True,
)
def wrong_for_others(seen):
    numbers_of(seen, "likeness")
    return not wrong_for_many(seen)


add_last_properties(linear_cka)
