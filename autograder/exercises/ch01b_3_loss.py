"""Notebook ch01b, exercise 3: the loss of the continuous bag of words."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.bag_loss_mistakes import LOSS
from autograder.exercises.ch01b_2_word_vectors import NOTEBOOK, TRAINS, bags, tables
from autograder.exercises.common import derived, gradients
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import word_losses

cbow_loss = Exercise(
    "cbow_loss",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.layers.word_vectors:cbow_loss",
    needs={"cbow_forward": "bert_keras.layers.word_vectors:cbow_forward"},
)
LOSS_NOT_FINITE = Text(
    "损失成了无穷大或 NaN：logits 很大或者相差几百时，一步一步地算就会这样。",
    "The loss is infinite or NaN: with logits that are large or hundreds apart, going step by step "
    "does that.",
)


@cbow_loss.case(
    points=1,
    zh="平均损失：几个例子（有的没有邻居）、一个、一大批",
    en="the mean loss of a few examples (one without neighbours), of one, of a large batch",
)
def a_few_examples(student, rng):
    """All sizes differ; a row without neighbours counts; a sum shows in one example and in 40."""
    for examples, width, vocabulary, size in ((4, 4, 9, 5), (6, 2, 7, 3)):
        ids = bags(rng, examples, width, vocabulary)
        ids[-1] = 0
        _judge(student, rng, ids, vocabulary, size)
    for examples in (1, 40):
        _judge(student, rng, bags(rng, examples, 3, 12, padded=False), 12, 4)


def _judge(student, rng, ids, vocabulary, size):
    targets = rng.integers(1, vocabulary, len(ids)).astype(np.int32)
    arguments = (ids, targets, *tables(rng, vocabulary, size))
    expect(student(*arguments)).equals(word_losses.cbow_loss(*arguments))


@cbow_loss.case(
    points=1,
    zh="logits 很大或相差几百时，损失仍是有限的数",
    en="logits that are large or hundreds apart still give a finite loss",
)
def far_apart(student, rng):
    """First all logits are large; then, with long vectors, a target's probability is 0."""
    ids, size = bags(rng, 4, 3, 6, padded=False), 5
    first, second = tables(rng, 6, size)
    large = np.concatenate([second, np.full((6, 1), 250, np.float32)], axis=1)
    ones = np.concatenate([first, np.ones((6, 1), np.float32)], axis=1)
    for one, other in ((ones, large), (first, second * 120)):
        targets = word_losses.least_likely(ids, one, other)
        arguments = (ids, targets, one, other)
        actual = student(*arguments)
        expect(derived(actual, lambda loss: bool(np.isfinite(loss).all()))).equals(
            word_losses.loss_is_finite(*arguments), otherwise=LOSS_NOT_FINITE
        )
        expect(actual).equals(word_losses.cbow_loss(*arguments), atol=1e-3, rtol=1e-4)


@cbow_loss.case(
    points=1,
    zh="两张表的梯度都对（与有限差分对照）",
    en="gradients of both tables agree with finite differences",
)
def gradients_reach_the_tables(student, rng):
    """Words of the context appear in different numbers of examples, one of them twice in one."""
    ids = bags(rng, 3, 4, 6)
    ids[0, 1] = ids[0, 0]
    targets = (1 + rng.permutation(5)[:3]).astype(np.int32)  # all different
    arguments = (ids, targets, *tables(rng, 6, 3))
    found = student.gradient(*arguments, wrt=(2, 3), cotangent=np.ones((), np.float32))
    expect(gradients(found, arguments[2:])).equals(
        word_losses.cbow_loss_gradient(*arguments), atol=1e-4, rtol=1e-3
    )


@cbow_loss.case(points=1, zh=TRAINS.zh, en=TRAINS.en)
def loss_in_training(student, rng):
    """As `fit` calls it: tensors of unknown batch size that have no numbers yet."""
    targets = rng.integers(1, 8, 4).astype(np.int32)
    arguments = (bags(rng, 4, 3, 8), targets, *tables(rng, 8, 5))
    found = student.in_training(*arguments, unknown=(0, 1))
    expect(found).equals(word_losses.cbow_loss(*arguments, traced=True))


for _name, (_switch, _zh, _en, _hints) in LOSS.items():
    cbow_loss.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@cbow_loss.property(
    "one_number", zh="损失应当是一个数，没有轴。", en="A loss should be one number without axes."
)
def more_than_one_number(seen):
    return not isinstance(seen.expected, tuple) and np.shape(seen.actual) != ()


@cbow_loss.property("loss_is_finite", zh="损失不是有限的数。", en="The loss isn't a finite number.")
def loss_not_finite(seen):
    if np.asarray(seen.expected).dtype == bool:
        return not np.asarray(seen.actual).all()
    return not isinstance(seen.expected, tuple) and not np.isfinite(seen.actual).all()


@cbow_loss.property(
    "loss_not_negative",
    zh="损失是负数；-log p 不会小于 0。",
    en="The loss is negative; -log p never is.",
)
def negative(seen):
    return not isinstance(seen.expected, tuple) and float(seen.actual) < 0


@cbow_loss.property(
    "far_logits_alone",
    zh="只有 logits 相差很大时才不对。",
    en="It is only wrong where logits are far apart.",
)
def only_far_apart(seen):
    return not isinstance(seen.expected, tuple) and float(seen.expected) > 60


@cbow_loss.property("loss_is_right", zh="损失的值不对。", en="The loss is off.", alone=True)
def loss_is_wrong(seen):
    return not isinstance(seen.expected, tuple)


@cbow_loss.property(
    "gradients_are_right",
    zh="梯度和有限差分对不上。",
    en="Gradients don't agree with finite differences.",
    alone=True,
)
def gradients_are_wrong(seen):
    return isinstance(seen.expected, tuple)
