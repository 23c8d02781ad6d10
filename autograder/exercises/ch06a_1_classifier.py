"""Notebook ch06a, exercise 1: the head of a classifier."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch06a_classifier_mistakes import CLASSIFIER
from autograder.exercises.common import IN_TRAINING, normal, real_tokens
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import sentence_classifier as oracles

NOTEBOOK = "ch06a_sentences"
CLOSE = {"atol": 3e-5, "rtol": 3e-5}
OPS = {"ops": "autograder.stand_ins.ch01a_seq2seq:plain_ops"}
NOT_REFUSED = Text(
    'pooling 既不是 "cls" 也不是 "mean"，应当抛出 ValueError。',
    'A pooling that is neither "cls" nor "mean" should raise a ValueError.',
)

classifier_head = Exercise(
    "classifier_head",
    notebook=NOTEBOOK,
    points=4,
    needs=OPS,
)


def dense_of(kernel, bias):
    """The layer of these weights, as the answer is given it."""
    return fixture("planted_dense", kernel, bias)


def some_dense(rng, dim, classes):
    """Kernel and bias of order one."""
    return normal(rng, dim, classes) / np.float32(dim**0.5), normal(rng, classes)


def _given(rng, lengths, size, dim, classes):
    """States and mask, and the weights of the dense layer.

    What stands at pads is as large as what is real, and nowhere near a mean of 0.
    """
    mask = real_tokens(lengths, size)
    states = normal(rng, *mask.shape, dim)
    states[~mask] += np.float32(2.0)
    return (states, mask), some_dense(rng, dim, classes)


def _judge(student, states, mask, pooling, weights):
    found = student(states, mask, pooling, fixture("bending_dropout"), dense_of(*weights))
    expect(found).equals(oracles.classifier_head(states, mask, pooling, *weights), **CLOSE)


@classifier_head.case(
    points=1,
    zh='"cls"：第一个词元，dropout，dense',
    en='"cls": the first token, dropout, dense',
)
def first_token(student, rng):
    """All sizes differ, then all agree, then a row is a single token."""
    for lengths, size, dim, classes in (
        ((5, 3), 6, 4, 3),
        ((4, 2, 3, 4), 4, 4, 4),
        ((3, 1, 4), 5, 7, 2),
    ):
        given, weights = _given(rng, lengths, size, dim, classes)
        _judge(student, *given, "cls", weights)


@classifier_head.case(
    points=1,
    zh='"mean"：只有真词元，每一行除以自己的个数',
    en='"mean": real tokens only, every row divided by its own number',
)
def mean_of_tokens(student, rng):
    """First all sizes agree, where other axes fit; then lengths are far apart; then all full."""
    for lengths, size, dim, classes in (
        ((4, 3, 2, 3), 4, 4, 4),
        ((7, 3, 4), 8, 5, 2),
        ((6, 6), 6, 4, 3),
    ):
        given, weights = _given(rng, lengths, size, dim, classes)
        _judge(student, *given, "mean", weights)


@classifier_head.case(
    points=1,
    zh="填充处的数不影响结果；别的 pooling 抛出 ValueError",
    en="pads don't matter; another pooling raises a ValueError",
)
def pads_and_other_poolings(student, rng):
    """Large numbers at pads, which are still finite; then words that aren't known."""
    (states, mask), weights = _given(rng, (5, 3, 4), 9, 6, 3)
    states[~mask] *= np.float32(1e3)
    for pooling in ("mean", "cls"):
        _judge(student, states, mask, pooling, weights)
    for pooling in ("max", "CLS"):
        found = student(states, mask, pooling, fixture("bending_dropout"), dense_of(*weights))
        told = isinstance(found, Failed) and found.error.type == "ValueError"
        expect(np.asarray(told)).equals(oracles.pooling_refused(), otherwise=NOT_REFUSED)


@classifier_head.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """No number of sentences is known; an error here is no evidence of a mistake."""
    (states, mask), weights = _given(rng, (5, 3, 4), 6, 4, 3)
    for pooling in ("cls", "mean"):
        given = (states, mask, pooling, fixture("bending_dropout"), dense_of(*weights))
        wanted = oracles.classifier_head(states, mask, pooling, *weights)
        works_in_training(student, given, wanted, unknown=(0, 1))


for _name, (_switch, _zh, _en, _hints) in CLASSIFIER.items():
    classifier_head.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _logits(seen):
    """What came back, where it has the right shape.

    Raises:
        LookupError: it hasn't, or the observation is about an error.
    """
    if seen.prediction.parts != ("logits",) or np.shape(seen.actual) != seen.expected.shape:
        raise LookupError("no logits here")
    return np.asarray(seen.actual, float)


@classifier_head.property(
    "shape_is_right",
    zh="形状不对：应当是 (B, C)。",
    en="The shape is wrong: it should be (B, C).",
)
def shape_is_wrong(seen):
    return seen.prediction.parts == ("logits",) and np.shape(seen.actual) != seen.expected.shape


@classifier_head.property(
    "no_probabilities",
    zh="每行加起来正好是 1：那是概率，不是 logits。",
    en="Every row adds up to 1: these are probabilities, not logits.",
)
def rows_add_up_to_one(seen):
    return bool(np.allclose(_logits(seen).sum(axis=-1), 1, atol=1e-4))


@classifier_head.property(
    "cls_is_right",
    zh='pooling 是 "cls" 时不对：取了哪个词元，过了哪几步？',
    en='Wrong with pooling "cls": which token is taken, and through which steps does it go?',
)
def cls_is_wrong(seen):
    return seen.args[2] == "cls" and not np.array_equal(_logits(seen), seen.expected)


@classifier_head.property(
    "mean_is_right",
    zh='pooling 是 "mean" 时不对：哪些词元加起来，除以几，过了哪几步？',
    en='Wrong with pooling "mean": which tokens are added, what divides them, and which steps '
    "follow?",
)
def mean_is_wrong(seen):
    return seen.args[2] == "mean" and not np.array_equal(_logits(seen), seen.expected)


@classifier_head.property("other_poolings_are_refused", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def not_refused(seen):
    return seen.prediction.parts == ("refused",)
