"""Notebook ch05b, exercise 10: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04b_2_loss import OPS
from autograder.exercises.ch05b_1_choose import NOTEBOOK
from autograder.exercises.ch05b_5_loss import LOSSES
from autograder.exercises.ch05b_drill_mistakes import (
    DRILL_BUGS,
    ILL_HINTS,
    ILLS,
    OTHERS,
    STILL_ILL,
)
from autograder.exercises.common import gradients, normal
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles import pretraining_step as oracles

CLOSE = {"atol": 5e-5, "rtol": 5e-5}
# Every fate, and both sides of the borders that a bug may draw.
DRAWS = (0.05, 0.3, 0.62, 0.77, 0.81, 0.84, 0.87, 0.89, 0.91, 0.94, 0.97, 0.99)

drill = Exercise(
    "drill_ch05b_masked_lm",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    needs={**OPS, "mlm_loss": f"{LOSSES}:masked_lm_loss"},
    variants=DRILL_BUGS,
)


def some_batch(rng, used, slots, length, size, labels):
    """A batch, the id of [MASK], and what makes it: [CLS] is 1, [MASK] 2, id 0 an ordinary token.

    Slots in use show every fate in turn; what unused ones draw would hide [CLS].
    """
    rows = len(used)
    ordinary = [0, *range(3, size)]
    ids = rng.choice(ordinary, (rows, length)).astype(np.int32)
    ids[:, 0] = 1
    places = np.stack([1 + rng.permutation(length - 1)[:slots] for _ in used])
    weights = (np.arange(slots) < np.asarray(used)[:, None]).astype(np.float32)
    places = np.where(weights > 0, np.sort(np.where(weights > 0, places, length), axis=1), 0)
    draws = np.zeros(places.shape, np.float32)
    number = int(weights.sum())
    draws[weights > 0] = rng.permutation(np.resize(rng.permutation(DRAWS), number))
    draws[weights == 0] = rng.uniform(0, 0.7, int((weights == 0).sum()))
    first = tuple(np.argwhere(weights > 0)[0])
    ids[first[0], places[first]] = 0  # one answer has id 0
    originals = np.take_along_axis(ids, places.astype(int), axis=1)
    random_ids = rng.choice(ordinary, places.shape)
    clash = random_ids == originals
    random_ids = np.where(clash, np.where(originals == 3, 0, 3), random_ids)
    batch = {  # in the order of the fixture `batch_to_read`
        "token_ids": ids,
        "mask_positions": places.astype(np.int32),
        "mask_weights": weights,
        "draws": draws,
        "random_ids": random_ids.astype(np.int32),
        "next_sentence_label": np.array(labels, np.int32),
    }
    return batch, 2


def some_model(rng, size, dim):
    """Kernels of the encoder, token table and bias, of order one."""
    kernels = (
        normal(rng, dim, dim) / np.float32(dim),
        normal(rng, dim, dim) / np.float32(dim**0.5),
        normal(rng, dim, 2),
    )
    return kernels, normal(rng, size, dim), normal(rng, size)


def _judge(student, batch, mask_id, kernels, table, bias):
    encoder = fixture("planted_encoder", *kernels)
    given = fixture("batch_to_read", *batch.values())
    found = student.named("repaired")(given, mask_id, encoder, table, bias)
    expect(found).equals(oracles.pretraining_step(batch, mask_id, kernels, table, bias), **CLOSE)


ask_for_the_name(drill)


@drill.case(points=2, zh="修好之后：槽位全用上", en="repaired: all slots in use")
def repaired_with_full_slots(student, rng):
    """Every fate occurs; both labels do."""
    inputs = some_batch(rng, (4, 4, 4), 4, 7, 9, (1, 0, 1))
    _judge(student, *inputs, *some_model(rng, 9, 5))


@drill.case(
    points=2,
    zh="修好之后：有空着的槽位；标签全是 0",
    en="repaired: unused slots, and labels that are all 0",
)
def repaired_with_unused_slots(student, rng):
    """Numbers far apart, one row without any."""
    for used, labels in (((3, 0, 5, 4), (0, 1, 1, 0)), ((2, 5, 5), (0, 0, 0))):
        inputs = some_batch(rng, used, 5, 8, 8, labels)
        _judge(student, *inputs, *some_model(rng, 8, 4))


@drill.case(
    points=1,
    zh="修好之后：损失的梯度从两头传回词元表",
    en="repaired: the loss's gradient reaches the token table from both of its ends",
)
def repaired_gradients(student, rng):
    """Against finite differences of the oracle."""
    batch, mask_id = some_batch(rng, (3, 2), 3, 5, 6, (0, 1))
    kernels, table, bias = some_model(rng, 6, 3)
    encoder = fixture("planted_encoder", *kernels)
    given = fixture("batch_to_read", *batch.values())
    found = student.named("repaired").gradient(
        given, mask_id, encoder, table, bias, wrt=(3,), output=1, cotangent=np.float32(1)
    )
    expect(gradients(found, (table,))).equals(
        oracles.pretraining_step_gradient(batch, mask_id, kernels, table, bias),
        atol=2e-3,
        rtol=2e-3,
    )


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：返回的编号就不对，还是只有损失不对？都对，就看梯度。",
            "Don't read yet, experiment: are the ids that come back wrong, or only the loss? If "
            "neither is, look at the gradient.",
        ),
        (
            "每次只动一样：一个抽签的数、一个权重、一个标签、偏置。返回的两样跟着怎么变？",
            "Change one thing at a time: a draw, a weight, a label, the bias. How do the two "
            "results follow?",
        ),
    ),
)
for _name, _switch in ILLS.items():
    drill.misconception(
        _name,
        switch=_switch,
        zh=STILL_ILL.zh,
        en=STILL_ILL.en,
        hints=ILL_HINTS,
        hides_properties=True,
    )
for _name, (_switch, _zh, _en, _hints) in OTHERS.items():
    drill.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _pair(seen):
    """Ids and loss, and what they should be.

    Raises:
        LookupError: the observation is about the name of the bug or gradients, or has another form.
    """
    if seen.prediction.parts != ("corrupted", "loss"):
        raise LookupError("no training step here")
    ids, loss = seen.actual
    return np.asarray(ids), np.asarray(loss), *seen.expected


@drill.property(
    "ids_and_loss_come_back",
    zh="repaired 应当返回一对：改过的编号 (B, T) 和损失。",
    en="repaired should return a pair: the corrupted ids (B, T), and the loss.",
)
def form_is_wrong(seen):
    if seen.prediction.parts != ("corrupted", "loss"):
        return False
    if not isinstance(seen.actual, (tuple, list)):
        return True
    shapes = [np.shape(part) for part in seen.actual]
    return shapes != [np.shape(part) for part in seen.expected]


@drill.property(
    "ids_are_right",
    zh="改过的编号已经不对：损失还在其次。",
    en="The corrupted ids are wrong already; the loss comes after them.",
)
def ids_are_wrong(seen):
    ids, _, wanted, _ = _pair(seen)
    return not np.array_equal(ids, wanted)


@drill.property(
    "loss_follows_from_ids",
    zh="编号对，损失不对。",
    en="The ids are right and the loss is wrong.",
)
def loss_is_wrong(seen):
    ids, loss, wanted, wanted_loss = _pair(seen)
    return np.array_equal(ids, wanted) and not np.allclose(loss, wanted_loss, **CLOSE)


@drill.property(
    "gradients_get_back",
    zh="数值对，梯度不对：有一头传不回词元表。",
    en="The numbers are right and the gradient is wrong: on one way none gets back to the table.",
    alone=True,
)
def gradient_is_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
