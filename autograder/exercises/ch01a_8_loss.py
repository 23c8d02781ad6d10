"""Notebook ch01a, exercise 8: the loss of sequences of several lengths."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch01a_loss_mistakes import LOSS
from autograder.exercises.common import gradients, normal, real_tokens
from autograder.expectations import expect
from autograder.oracles.seq2seq import sequence_loss as oracle
from autograder.oracles.seq2seq import sequence_loss_gradient

NOTEBOOK = "ch01a_seq2seq"

sequence_loss = Exercise(
    "sequence_loss",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.models.sequence_pieces:sequence_loss",
    needs={"ops": "autograder.stand_ins.ch01a_seq2seq:plain_ops"},
)


def some_scores(rng, lengths, width, vocabulary_size):
    """Logits far from even, labels (0 at padding, and at some real tokens), and the mask."""
    mask = real_tokens(lengths, width)
    labels = rng.integers(0, vocabulary_size, mask.shape).astype(np.int32)
    labels[0, 0] = 0
    return 1.7 * normal(rng, *mask.shape, vocabulary_size), np.where(mask, labels, 0), mask


@sequence_loss.case(points=1, zh="没有填充：交叉熵的平均", en="no padding: mean of cross-entropies")
def no_padding(student, rng):
    """All sizes differ."""
    inputs = some_scores(rng, (6, 6, 6), 6, 4)
    expect(student(*inputs)).equals(oracle(*inputs))


@sequence_loss.case(
    points=1,
    zh="有填充：填充不算，每个真词元分量一样",
    en="padding: pads don't count, and every real token counts the same",
)
def padded(student, rng):
    """Lengths far apart, so that the mean over tokens is no mean over rows; then more padding."""
    logits, labels, mask = some_scores(rng, (3, 1, 7, 2), 7, 5)
    expect(student(logits, labels, mask)).equals(oracle(logits, labels, mask))
    more = np.concatenate([logits, 2 * normal(rng, 4, 2, 5)], axis=1)
    labels = np.concatenate([labels, np.ones((4, 2), np.int32)], axis=1)
    mask = np.concatenate([mask, np.zeros((4, 2), bool)], axis=1)
    expect(student(more, labels, mask)).equals(oracle(more, labels, mask))


@sequence_loss.case(points=1, zh="梯度：填充处是 0", en="gradient: zero at padding")
def gradient(student, rng):
    """Against finite differences of the oracle."""
    logits, labels, mask = some_scores(rng, (2, 3), 3, 4)
    found = student.gradient(logits, labels, mask, wrt=(0,), cotangent=np.float32(1))
    expect(gradients(found, (logits,))).equals(
        sequence_loss_gradient(logits, labels, mask), atol=1e-4, rtol=1e-3
    )


@sequence_loss.case(
    points=1,
    zh="训练时也能用：那时批次大小还不知道",
    en="it works in training, where the batch size isn't known yet",
)
def in_training(student, rng):
    """Nor is the loss a number yet; see `works_in_training`."""
    inputs = some_scores(rng, (3, 1, 4), 4, 5)
    works_in_training(student, inputs, oracle(*inputs), unknown=(0, 1, 2))


for _name, (_switch, _zh, _en, _hints) in LOSS.items():
    sequence_loss.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _loss(seen):
    """The loss, where the observation is about one.

    Raises:
        LookupError: it is about gradients, or no single number came back.
    """
    if seen.prediction.parts != ("loss",) or np.shape(seen.actual) != ():
        raise LookupError("no loss here")
    return float(np.asarray(seen.actual))


@sequence_loss.property(
    "one_number_comes_back",
    zh="应当返回一个数，形状是 ()。",
    en="One number should come back, of shape ().",
)
def no_number(seen):
    return seen.prediction.parts == ("loss",) and np.shape(seen.actual) != ()


@sequence_loss.property("loss_is_not_negative", zh="损失是负数。", en="The loss is negative.")
def loss_is_negative(seen):
    return _loss(seen) < -1e-6


@sequence_loss.property(
    "right_without_padding",
    zh="连没有填充的一批都不对：先查交叉熵本身，再查掩码。",
    en="Wrong even without padding: look at the cross-entropy itself before the mask.",
)
def wrong_without_padding(seen):
    _loss(seen)
    return bool(seen.args[2].all())


@sequence_loss.property(
    "padding_does_not_count",
    zh="有填充的一批不对：看掩码用在了哪里，分母数的是什么。",
    en="Wrong where there is padding: see where the mask acts and what the denominator counts.",
)
def wrong_with_padding(seen):
    _loss(seen)
    return not seen.args[2].all()


@sequence_loss.property(
    "gradient_gets_back",
    zh="梯度不对，或者没有传回去。",
    en="The gradient is wrong or doesn't get back.",
    alone=True,
)
def gradient_is_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
