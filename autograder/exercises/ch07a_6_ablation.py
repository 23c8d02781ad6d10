"""Notebook ch07a, exercise 6: heads switched off."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch07a_ablation_mistakes import ABLATION
from autograder.exercises.ch07a_kit import NOTEBOOK
from autograder.exercises.common import IN_TRAINING, gradients, name_mistakes, normal
from autograder.expectations import expect
from autograder.oracles import switched_heads as oracles

CLOSE = {"atol": 3e-5, "rtol": 3e-5}

head_ablation = Exercise(
    "head_ablation",
    notebook=NOTEBOOK,
    points=5,
    library="bert_keras.analysis.ablation:head_ablation",
    forbids=("keras.layers.MultiHeadAttention", "bert_keras.analysis.ablation.masked_states"),
)


def some_heads(rng, batch, length, heads, size, width, mask):
    """Arguments; what heads found isn't around zero, nor is the bias small."""
    found = normal(rng, batch, length, heads, size) + np.float32(0.5)
    bias = normal(rng, width) + np.float32(1)
    return found, normal(rng, heads, size, width), bias, np.array(mask, np.float32)


def _judge(student, given):
    expect(student(*given)).equals(oracles.head_ablation(*given), **CLOSE)


@head_ablation.case(
    points=1,
    zh="有的头关掉：剩下的照旧，偏置不动",
    en="some heads off: the others as before, and the bias stays",
)
def some_off(student, rng):
    """First as many tokens, heads and features, where a mask on another axis runs and shows."""
    _judge(student, some_heads(rng, 2, 4, 4, 4, 6, (1, 1, 0, 1)))
    _judge(student, some_heads(rng, 2, 3, 4, 5, 6, (1, 0, 0, 0)))
    _judge(student, some_heads(rng, 3, 2, 5, 4, 7, (0, 1, 1, 1, 0)))


@head_ablation.case(
    points=1,
    zh="全开、全关、只有一个头",
    en="all on, all off, a single head",
)
def all_and_none(student, rng):
    """All off leaves the bias."""
    _judge(student, some_heads(rng, 2, 4, 3, 5, 6, (1, 1, 1)))
    _judge(student, some_heads(rng, 2, 4, 3, 5, 6, (0, 0, 0)))
    _judge(student, some_heads(rng, 2, 3, 1, 4, 5, (1,)))


@head_ablation.case(
    points=1,
    zh="0 和 1 之间的数；几个轴一样大",
    en="numbers between 0 and 1; axes of one size",
)
def between(student, rng):
    """Where several axes fit."""
    drawn = np.round(rng.uniform(0.05, 0.45, 2), 2)
    _judge(student, some_heads(rng, 2, 3, 4, 5, 6, (drawn[0], 0.8, 1.0, drawn[1])))
    for sizes in ((4, 4, 4, 4, 4), (2, 3, 3, 2, 3), (3, 2, 3, 4, 5)):
        mask = rng.permutation([0.0, 0.3, 0.6, 1.0][: sizes[2]])
        _judge(student, some_heads(rng, *sizes, mask))


@head_ablation.case(
    points=1,
    zh="能对 head_mask 求导",
    en="there is a derivative by head_mask",
)
def derivative(student, rng):
    """At a mask without any 0 or 1, against finite differences of the oracle."""
    mask = rng.permutation([0.2, 0.35, 0.7, 0.9])
    given = some_heads(rng, 2, 3, 4, 2, 5, mask)
    cotangent = normal(rng, 2, 3, 5)
    found = student.gradient(*given, wrt=(3,), cotangent=cotangent)
    expect(gradients(found, given[3:])).equals(
        oracles.head_ablation_gradient(*given, cotangent), atol=1e-3, rtol=1e-3
    )


@head_ablation.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """The number of texts isn't known; an error here is no evidence of a mistake."""
    given = some_heads(rng, 3, 4, 2, 5, 6, (0.4, 1.0))
    works_in_training(student, given, oracles.head_ablation(*given), unknown=(0,))


name_mistakes(head_ablation, ABLATION)


def _output(seen):
    """The output that came back and the one that should have.

    Raises:
        LookupError: the observation is about a gradient, or the shape is another.
    """
    got = np.asarray(seen.actual, float)
    if seen.prediction.parts != ("output",) or got.shape != seen.expected.shape:
        raise LookupError("no output of the right shape")
    return got, seen.expected


@head_ablation.property(
    "shape_is_right",
    zh="形状不对：应当是 (B, T, D)。",
    en="The shape is wrong: it should be (B, T, D).",
)
def shape_is_wrong(seen):
    return seen.prediction.parts == ("output",) and np.shape(seen.actual) != seen.expected.shape


@head_ablation.property(
    "right_with_all_heads_on",
    zh="所有的头都开着时就不对：先写对普通的投影，再管开关。",
    en="It is wrong even with all heads on: first get the ordinary projection right, then the "
    "switches.",
)
def wrong_with_all_on(seen):
    got, wanted = _output(seen)
    return bool((seen.args[3] == 1).all()) and not np.allclose(got, wanted, **CLOSE)


@head_ablation.property(
    "bias_alone_with_all_heads_off",
    zh="所有的头都关掉时，应当只剩偏置。",
    en="With all heads off, nothing but the bias should be left.",
)
def more_than_the_bias(seen):
    got, wanted = _output(seen)
    return not seen.args[3].any() and not np.allclose(got, wanted, **CLOSE)


@head_ablation.property(
    "right_with_some_off",
    zh="有的头关掉、有的开着时不对。",
    en="It is wrong with some heads off and some on.",
    alone=True,
)
def wrong_with_some_off(seen):
    got, wanted = _output(seen)
    return set(seen.args[3]) == {0, 1} and not np.allclose(got, wanted, **CLOSE)


@head_ablation.property(
    "right_between",
    zh="0 和 1 之间的数不对：0.3 就是乘 0.3。",
    en="It is wrong for numbers between 0 and 1: 0.3 means times 0.3.",
    alone=True,
)
def wrong_between(seen):
    got, wanted = _output(seen)
    return not set(seen.args[3]) <= {0, 1} and not np.allclose(got, wanted, **CLOSE)


@head_ablation.property(
    "derivative_is_right",
    zh="输出都对，对 head_mask 的导数不对。",
    en="The output is right, its derivative by head_mask isn't.",
    alone=True,
)
def another_derivative(seen):
    return seen.prediction.parts == ("d_head_mask",)
