"""Notebook ch05b, exercise 9: both losses of pretraining."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch04b_2_loss import OPS
from autograder.exercises.ch05b_1_choose import NOTEBOOK
from autograder.exercises.ch05b_5_loss import LOSSES, some_slots
from autograder.exercises.ch05b_loss_mistakes import PRETRAINING
from autograder.exercises.common import gradients, normal
from autograder.expectations import expect
from autograder.oracles import pretraining_losses as oracles

pretraining_loss = Exercise(
    "pretraining_loss",
    notebook=NOTEBOOK,
    points=4,
    forbids=(f"{LOSSES}.next_sentence_loss", "bert_keras.models.losses.labelled_loss"),
    needs={**OPS, "mlm_loss": f"{LOSSES}:masked_lm_loss"},
)


def some_batch(rng, used, slots, size, labels):
    """All five arguments."""
    logits, ids, weights = some_slots(rng, used, slots, size)
    return logits, 1.5 * normal(rng, len(used), 2), ids, weights, np.array(labels, np.int32)


@pretraining_loss.case(
    points=1, zh="三个数：和、猜词、真假", en="three numbers: sum, tokens and sentences"
)
def three_numbers(student, rng):
    """Both labels occur, unequally often; as many pairs as classes next."""
    for used, slots, labels in (((3, 1, 2, 3), 3, (1, 0, 1, 1)), ((2, 4), 5, (0, 1))):
        inputs = some_batch(rng, used, slots, 6, labels)
        expect(student(*inputs)).equals(oracles.pretraining_loss(*inputs))


@pretraining_loss.case(
    points=1,
    zh="标签全是 0 的一批；一个槽位也没用上的一批",
    en="a batch of labels 0; a batch without any slot in use",
)
def all_next(student, rng):
    """Class 0 counts, and the sentences count without tokens."""
    for used, slots, labels in (((2, 0, 3), 4, (0, 0, 0)), ((0, 0, 0, 0), 2, (1, 0, 0, 1))):
        inputs = some_batch(rng, used, slots, 5, labels)
        expect(student(*inputs)).equals(oracles.pretraining_loss(*inputs))


@pretraining_loss.case(
    points=1,
    zh="梯度传回两种 logits",
    en="gradients reach both kinds of logits",
)
def gradient(student, rng):
    """Of the sum, against finite differences of the oracle."""
    inputs = some_batch(rng, (2, 1), 2, 4, (0, 1))
    found = student.gradient(*inputs, wrt=(0, 1), output=0, cotangent=np.float32(1))
    expect(gradients(found, inputs[:2])).equals(
        oracles.pretraining_loss_gradient(*inputs), atol=1e-4, rtol=1e-3
    )


@pretraining_loss.case(
    points=1,
    zh="训练时也能用：那时批次大小还不知道",
    en="it works in training, where the batch size isn't known yet",
)
def in_training(student, rng):
    """Nor is any loss a number yet; see `works_in_training`."""
    inputs = some_batch(rng, (2, 3, 0), 3, 5, (0, 1, 1))
    works_in_training(student, inputs, oracles.pretraining_loss(*inputs), unknown=(0, 1, 2, 3, 4))


for _name, (_switch, _zh, _en, _hints) in PRETRAINING.items():
    pretraining_loss.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _three(seen):
    """The three numbers that came back, and the right ones.

    Raises:
        LookupError: the observation is about gradients, or something else came back.
    """
    if seen.prediction.parts != ("loss", "mlm", "nsp"):
        raise LookupError("no losses here")
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 3:
        raise LookupError("another form")
    return [float(np.asarray(each)) for each in seen.actual], [float(x) for x in seen.expected]


def _differ(got, want):
    return not np.isclose(got, want, atol=1e-4, rtol=1e-4)


@pretraining_loss.property(
    "three_numbers_come_back",
    zh="应当返回三个数：(loss, mlm, nsp)，形状都是 ()。",
    en="Three numbers should come back, (loss, mlm, nsp), each of shape ().",
)
def form_is_wrong(seen):
    if seen.prediction.parts != ("loss", "mlm", "nsp"):
        return False
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 3:
        return True
    return any(np.shape(each) != () for each in seen.actual)


@pretraining_loss.property(
    "tokens_are_right",
    zh="猜词的损失（第二个数）不对：它就是 mlm_loss。",
    en="The loss of the tokens (the second number) is wrong: it is mlm_loss as it stands.",
)
def tokens_are_wrong(seen):
    got, want = _three(seen)
    return _differ(got[1], want[1])


@pretraining_loss.property(
    "sentences_are_right",
    zh="真假的损失（第三个数）不对：看标签、对数和平均。",
    en="The loss of the sentences (the third number) is wrong: look at labels, logarithm and mean.",
)
def sentences_are_wrong(seen):
    got, want = _three(seen)
    return _differ(got[2], want[2])


@pretraining_loss.property(
    "sum_is_right",
    zh="第一个数不是后两个之和。",
    en="The first number isn't the sum of the other two.",
)
def sum_is_wrong(seen):
    got, _ = _three(seen)
    return _differ(got[0], got[1] + got[2])


@pretraining_loss.property(
    "gradient_gets_back",
    zh="梯度不对，或者没有传回去。",
    en="A gradient is wrong or doesn't get back.",
    alone=True,
)
def gradient_is_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
