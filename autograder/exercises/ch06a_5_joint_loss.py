"""Notebook ch06a, exercise 5: the losses of intents and slots, added."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch06a_1_classifier import NOTEBOOK, OPS
from autograder.exercises.ch06a_joint_mistakes import JOINT
from autograder.exercises.common import gradients, normal
from autograder.expectations import expect
from autograder.oracles import joint_loss as oracles

CLOSE = {"atol": 2e-5, "rtol": 2e-5}

joint_intent_slot_loss = Exercise(
    "joint_intent_slot_loss",
    notebook=NOTEBOOK,
    points=4,
    needs=OPS,
)


def some_commands(rng, judged, length, intents, tags):
    """Logits far from even, intents and tags; so many places of each sentence are judged.

    Intent 0 and tag 0 occur. The first and the last place aren't judged unless all are.
    """
    size = len(judged)
    slots = np.full((size, length), -1, np.int32)
    for row, number in enumerate(judged):
        open_places = np.arange(length) if number == length else np.arange(1, length - 1)
        places = rng.permutation(open_places)[:number]
        slots[row, places] = rng.integers(1, tags, number)
        slots[row, places[: (number + 1) // 2]] = 0
    intent = rng.permutation(np.arange(size) % intents).astype(np.int32)
    return (
        1.7 * normal(rng, size, intents),
        1.7 * normal(rng, size, length, tags),
        intent,
        slots,
    )


def _judge(student, given):
    expect(student(*given)).equals(oracles.joint_intent_slot_loss(*given), **CLOSE)


@joint_intent_slot_loss.case(
    points=1,
    zh="处处要判；logits 相差几百也行",
    en="judged everywhere; logits may be hundreds apart",
)
def judged_everywhere(student, rng):
    """All sizes differ; a single sentence; then some logits are far behind."""
    _judge(student, some_commands(rng, (5, 5, 5), 5, 4, 6))
    _judge(student, some_commands(rng, (4,), 4, 3, 5))
    given = some_commands(rng, (4, 4), 4, 3, 5)
    given[0][1, given[2][1]] -= 300
    given[1][0, 2, given[3][0, 2]] -= 200
    _judge(student, given)


@joint_intent_slot_loss.case(
    points=1,
    zh="−1 不判，0 要判；一个要判的都没有时槽的损失是 0",
    en="−1 isn't judged, 0 is; where nothing is judged the slot loss is 0",
)
def some_are_open(student, rng):
    """Numbers far apart, one sentence without any; as many sentences as places; none at all."""
    _judge(student, some_commands(rng, (6, 1, 0, 3), 8, 5, 4))
    _judge(student, some_commands(rng, (1, 4, 2, 3, 1, 2), 6, 4, 6))
    _judge(student, some_commands(rng, (0, 0), 5, 3, 4))


@joint_intent_slot_loss.case(
    points=1,
    zh="梯度：两种 logits 都传得到，不判的位置是 0",
    en="gradient: it gets to both kinds of logits, and is 0 where nothing is judged",
)
def gradient(student, rng):
    """Against finite differences of the oracle."""
    given = some_commands(rng, (2, 1), 4, 3, 3)
    found = student.gradient(*given, wrt=(0, 1), cotangent=np.float32(1))
    expect(gradients(found, given[:2])).equals(oracles.joint_gradient(*given), atol=1e-4, rtol=1e-3)


@joint_intent_slot_loss.case(
    points=1,
    zh="训练时也能用：那时批次大小还不知道",
    en="it works in training, where the batch size isn't known yet",
)
def in_training(student, rng):
    """Nor is the loss a number yet; see `works_in_training`."""
    given = some_commands(rng, (3, 1, 4), 6, 4, 5)
    works_in_training(student, given, oracles.joint_intent_slot_loss(*given), unknown=(0, 1, 2, 3))


for _name, (_switch, _zh, _en, _hints) in JOINT.items():
    joint_intent_slot_loss.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _loss(seen):
    """The loss, where the observation is about one.

    Raises:
        LookupError: it is about gradients, or no single number came back.
    """
    if seen.prediction.parts != ("loss",) or np.shape(seen.actual) != ():
        raise LookupError("no loss here")
    return float(np.asarray(seen.actual))


@joint_intent_slot_loss.property(
    "one_number_comes_back",
    zh="应当返回一个数，形状是 ()。",
    en="One number should come back, of shape ().",
)
def no_number(seen):
    return seen.prediction.parts == ("loss",) and np.shape(seen.actual) != ()


@joint_intent_slot_loss.property(
    "loss_is_finite", zh="损失是 NaN 或无穷大。", en="The loss is NaN or infinite."
)
def not_finite(seen):
    return not np.isfinite(_loss(seen))


@joint_intent_slot_loss.property(
    "loss_is_not_negative", zh="损失是负数。", en="The loss is negative."
)
def loss_is_negative(seen):
    return _loss(seen) < -1e-6


@joint_intent_slot_loss.property(
    "right_where_all_is_judged",
    zh="处处要判的一批都不对：先查交叉熵本身和两个损失怎么相加，再查 −1。",
    en="Wrong even where everything is judged: look at the cross-entropy and at how the losses are "
    "added before the −1.",
)
def wrong_even_there(seen):
    _loss(seen)
    return bool((seen.args[3] >= 0).all())


@joint_intent_slot_loss.property(
    "open_places_do_not_count",
    zh="有 −1 的一批不对：看它们用在了哪里，分母数的是什么。",
    en="Wrong where there are −1: see where they act and what the denominator counts.",
    alone=True,
)
def wrong_with_open_places(seen):
    _loss(seen)
    return not (seen.args[3] >= 0).all()


@joint_intent_slot_loss.property(
    "gradient_gets_back",
    zh="梯度不对，或者没有传回去。",
    en="The gradient is wrong or doesn't get back.",
    alone=True,
)
def gradient_is_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
