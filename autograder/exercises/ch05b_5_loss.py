"""Notebook ch05b, exercise 5: the loss of the guessed tokens."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch04b_2_loss import OPS, add_loss_properties
from autograder.exercises.ch05b_1_choose import NOTEBOOK
from autograder.exercises.ch05b_loss_mistakes import MLM_LOSS
from autograder.exercises.common import gradients, normal, real_tokens
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import pretraining_losses as oracles

LOSSES = "bert_keras.models.losses"

mlm_loss = Exercise(
    "mlm_loss",
    notebook=NOTEBOOK,
    points=4,
    forbids=(f"{LOSSES}.masked_lm_loss", f"{LOSSES}.sparse_cross_entropy"),
    needs=OPS,
)


def some_slots(rng, used, slots, size):
    """Logits far from even, ids and weights; id 0 stands in unused slots and in a used one."""
    weights = real_tokens(used, slots)
    ids = rng.integers(1, size, weights.shape).astype(np.int32)
    ids[int(np.argmax(used)), 0] = 0
    ids[~weights] = 0
    return 1.7 * normal(rng, *weights.shape, size), ids, weights.astype(np.float32)


@mlm_loss.case(
    points=1,
    zh="槽位全用上；logits 相差几百也行",
    en="all slots in use; logits may be hundreds apart",
)
def full(student, rng):
    """All sizes differ; a single row; as many rows as slots; then a token that is far behind."""
    for batch, slots in ((3, 5), (1, 4), (4, 4)):
        inputs = some_slots(rng, (slots,) * batch, slots, 7)
        expect(student(*inputs)).equals(oracles.mlm_loss(*inputs))
    logits, ids, weights = some_slots(rng, (4, 4), 4, 5)
    logits[1, 2, ids[1, 2]] -= 300
    expect(student(logits, ids, weights)).equals(oracles.mlm_loss(logits, ids, weights))


@mlm_loss.case(
    points=1,
    zh="空着的槽位不算，编号 0 的答案照样算；一个也没用上时得 0",
    en="unused slots don't count, an answer with id 0 does; without any slot in use it is 0",
)
def partly_used(student, rng):
    """Numbers far apart, one row without any; then none at all."""
    for used, slots in (((4, 0, 6, 1), 6), ((1, 5, 2), 7), ((0, 0), 3)):
        inputs = some_slots(rng, used, slots, 6)
        expect(student(*inputs)).equals(oracles.mlm_loss(*inputs))


@mlm_loss.case(points=1, zh="梯度：空着的槽位处是 0", en="gradient: zero in unused slots")
def gradient(student, rng):
    """Against finite differences of the oracle."""
    logits, ids, weights = some_slots(rng, (3, 1), 3, 4)
    found = student.gradient(logits, ids, weights, wrt=(0,), cotangent=np.float32(1))
    expect(gradients(found, (logits,))).equals(
        oracles.mlm_loss_gradient(logits, ids, weights), atol=1e-4, rtol=1e-3
    )


@mlm_loss.case(
    points=1,
    zh="训练时也能用：那时批次大小还不知道",
    en="it works in training, where the batch size isn't known yet",
)
def in_training(student, rng):
    """Nor is the loss a number yet; see `works_in_training`."""
    inputs = some_slots(rng, (3, 2, 5), 5, 4)
    works_in_training(student, inputs, oracles.mlm_loss(*inputs), unknown=(0, 1, 2))


for _name, (_switch, _zh, _en, _hints) in MLM_LOSS.items():
    mlm_loss.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)

add_loss_properties(
    mlm_loss,
    mask=2,
    unpadded=Text(
        "槽位全用上的一批都不对：先查交叉熵本身，再查权重。",
        "Wrong even with all slots in use: look at the cross-entropy itself before the weights.",
    ),
    padded=Text(
        "有空槽位的一批不对：看权重用在了哪里，分母数的是什么。",
        "Wrong where slots are unused: see where the weights act and what the denominator counts.",
    ),
)
