"""Notebook ch04b, exercise 8: the loss of fine-tuning."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch04b_2_loss import OPS, PIECES, add_loss_properties, some_text
from autograder.exercises.ch04b_finetune_mistakes import FINETUNE
from autograder.exercises.common import gradients, normal
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles.gpt_finetuning import finetune_gradient
from autograder.oracles.gpt_finetuning import gpt_finetune_loss as oracle

NOTEBOOK = "ch04b_gpt"

gpt_finetune_loss = Exercise(
    "gpt_finetune_loss",
    notebook=NOTEBOOK,
    points=4,
    forbids=(f"{PIECES}.gpt_finetune_loss",),
    needs={**OPS, "causal_lm_loss": f"{PIECES}:causal_lm_loss"},
)


def some_batch(rng, lengths, width, size, classes):
    """Logits of the task, labels (all classes, the first among them), and texts."""
    batch = len(lengths)
    labels = (np.arange(batch) + rng.integers(classes)) % classes
    labels[0] = 0
    return (
        1.6 * normal(rng, batch, classes),
        labels.astype(np.int32),
        *some_text(rng, lengths, width, size),
    )


@gpt_finetune_loss.case(
    points=1,
    zh="λ 取默认的 0.5，没有填充",
    en="λ as it is by default, 0.5; no padding",
)
def by_default(student, rng):
    """All sizes differ; then a single text."""
    for lengths in ((6, 6, 6), (5,)):
        inputs = some_batch(rng, lengths, lengths[0], 7, 4)
        expect(student(*inputs)).equals(oracle(*inputs, 0.5))


@gpt_finetune_loss.case(
    points=1,
    zh="别的 λ，有填充；λ 为 0 时只剩任务",
    en="other λ, with padding; with λ = 0 only the task is left",
)
def other_weights(student, rng):
    """None at all, small, large."""
    for weight in (0.0, 0.2, 2.0):
        inputs = some_batch(rng, (3, 7, 1, 4), 7, 6, 3)
        expect(student(*inputs, lm_weight=weight)).equals(oracle(*inputs, weight))


@gpt_finetune_loss.case(
    points=1, zh="梯度传回两种 logits", en="gradients reach both kinds of logits"
)
def gradient(student, rng):
    """Against finite differences of the oracle."""
    inputs = some_batch(rng, (3, 2), 3, 3, 4)
    found = student.gradient(*inputs, 0.3, wrt=(0, 2), cotangent=np.float32(1))
    expect(gradients(found, (inputs[0], inputs[2]))).equals(
        finetune_gradient(*inputs, 0.3), atol=1e-4, rtol=1e-3
    )


@gpt_finetune_loss.case(
    points=1,
    zh="训练时也能用：那时批次大小还不知道",
    en="it works in training, where the batch size isn't known yet",
)
def in_training(student, rng):
    """Nor is the loss a number yet; see `works_in_training`."""
    inputs = some_batch(rng, (3, 2, 4), 4, 5, 4)
    works_in_training(student, inputs, oracle(*inputs, 0.5), unknown=(0, 1, 2, 3, 4))


for _name, (_switch, _zh, _en, _hints) in FINETUNE.items():
    gpt_finetune_loss.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@gpt_finetune_loss.property(
    "task_alone_is_right",
    zh="λ 为 0 时就不对：这时结果应当正好等于任务的损失。",
    en="Wrong even with λ = 0, where the result should be just the task's loss.",
)
def task_is_wrong(seen):
    return seen.prediction.parts == ("loss",) and seen.args[5] == 0


add_loss_properties(
    gpt_finetune_loss,
    mask=4,
    unpadded=Text(
        "连没有填充的一批都不对，所以不在掩码：先看两项是怎么合在一起的，再看每一项。",
        "Wrong even without padding, so it isn't the mask: see how the two are put together, then "
        "look at each.",
    ),
)
