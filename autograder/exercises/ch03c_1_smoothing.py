"""Notebook ch03c, exercise 1: labels that leave a little to every token."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch03c_smoothing_mistakes import SMOOTHING
from autograder.expectations import expect
from autograder.oracles.recipe import label_smoothing as oracle

NOTEBOOK = "ch03c_transformer"

label_smoothing = Exercise("label_smoothing", notebook=NOTEBOOK, points=3)


def some_labels(rng, size, *shape):
    """Labels in which the first and the last token occur."""
    labels = rng.integers(0, size, shape).astype(np.int32)
    labels.flat[0], labels.flat[-1] = 0, size - 1
    return labels


@label_smoothing.case(
    points=1, zh="一批句子，默认的 0.1", en="a batch of sentences, 0.1 by default"
)
def a_batch(student, rng):
    """The sizes all differ."""
    labels = some_labels(rng, 7, 3, 5)
    expect(student(labels, 7)).equals(oracle(labels, 7))


@label_smoothing.case(
    points=1, zh="别的形状、别的份额，直到 0", en="other shapes and other shares, down to 0"
)
def shapes_and_shares(student, rng):
    """With 0 they are the plain labels; the vocabulary of four is half smoothed."""
    for size, shape, share in ((5, (4,), 0.3), (4, (2, 3, 2), 0.5), (6, (3, 2), 0.0)):
        labels = some_labels(rng, size, *shape)
        expect(student(labels, size, smoothing=share)).equals(oracle(labels, size, share))


@label_smoothing.case(
    points=1,
    zh="训练时也能用：那时批次大小还不知道",
    en="it works in training, where the batch size isn't known yet",
)
def in_training(student, rng):
    """See `works_in_training`."""
    labels = some_labels(rng, 8, 4, 3)
    works_in_training(student, (labels, 8, 0.2), oracle(labels, 8, 0.2), unknown=(0,))


for _name, (_switch, _zh, _en, _hints) in SMOOTHING.items():
    label_smoothing.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _labels(seen):
    """The softened labels.

    Raises:
        LookupError: they have another shape.
    """
    actual = np.asarray(seen.actual)
    if actual.shape != seen.expected.shape:
        raise LookupError("another shape")
    return actual


@label_smoothing.property(
    "shape_is_right",
    zh="形状不对：在标签的形状后面加一个长 V 的轴。",
    en="The shape is wrong: that of the labels with one more axis, of size V, behind.",
)
def shape_is_wrong(seen):
    return np.shape(seen.actual) != seen.expected.shape


@label_smoothing.property(
    "rows_add_up_to_one",
    zh="有的行加起来不是 1。",
    en="Some rows don't add up to 1.",
)
def rows_do_not_add_up(seen):
    return not np.allclose(_labels(seen).sum(axis=-1), 1, atol=1e-5)


@label_smoothing.property(
    "right_token_is_likeliest",
    zh="有的行里，概率最高的不是正确的词元。",
    en="In some rows it isn't the right token that is likeliest.",
)
def another_is_likeliest(seen):
    labels = _labels(seen)
    own = np.take_along_axis(labels, np.asarray(seen.args[0])[..., None], axis=-1)
    return bool((labels > own + 1e-6).any())


@label_smoothing.property(
    "others_are_alike",
    zh="其余的词元得到的不一样多。",
    en="The other tokens don't all get the same.",
)
def others_differ(seen):
    labels = _labels(seen)
    others = np.arange(labels.shape[-1]) != np.asarray(seen.args[0])[..., None]
    return bool(np.ptp(labels[others]) > 1e-6)


@label_smoothing.property(
    "amounts_are_right",
    alone=True,
    zh="分得均匀，也加得到 1，但数目不对：看拿走多少、分给几个。",
    en="Evenly spread, and adding up to 1, but the amounts are wrong: see how much is taken and "
    "among how many it is spread.",
)
def amounts_are_wrong(seen):
    return not np.allclose(_labels(seen), seen.expected, atol=1e-5)
