"""Notebook ch05c, exercise 3: one step of AdamW."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch05c_1_schedule import NOTEBOOK
from autograder.exercises.ch05c_adamw_mistakes import ADAMW
from autograder.exercises.common import IN_TRAINING, normal
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.oracles.adamw import adamw_step as oracle
from autograder.oracles.adamw import trajectory

CLOSE = {"atol": 3e-6, "rtol": 3e-5}
STEPS = 1000

adamw_step = Exercise(
    "adamw_step",
    notebook=NOTEBOOK,
    points=6,
    library="bert_keras.training.updates:adamw_step",
    forbids=("keras.optimizers.AdamW", "keras.optimizers.Adam"),
)


def away_from_zero(rng, *shape):
    """Values of both signs, none of them small: where epsilon stands shows only where it should."""
    return (rng.choice([-1, 1], shape) * rng.uniform(0.4, 1.6, shape)).astype("float32")


def a_state(rng, *shape):
    """A weight, a gradient, and averages as they are in the middle of a training."""
    momentum, velocity = 0.4 * away_from_zero(rng, *shape), rng.uniform(0.2, 0.9, shape)
    weight, gradient = away_from_zero(rng, *shape), away_from_zero(rng, *shape)
    return weight, gradient, momentum.astype("float32"), velocity.astype("float32")


def asked(student, *arguments, **settings):
    """Compare one step with the oracle's."""
    expect(student(*arguments, **settings)).equals(oracle(*arguments, **settings), **CLOSE)


@adamw_step.case(points=1, zh="第 1 步，其余用默认值", en="step 1, with defaults for all the rest")
def first_step(student, rng):
    """Both averages are zeros."""
    weight, gradient, *_ = a_state(rng, 4, 3)
    nothing = np.zeros_like(weight)
    asked(student, weight, gradient, nothing, nothing, 1, 0.05)


@adamw_step.case(
    points=1,
    zh="训练到一半：步数、形状和别的设置都换",
    en="in the middle of a training: other steps, shapes and settings",
)
def later_steps(student, rng):
    """A vector, three axes, and a single number."""
    for shape, step in (((5,), 3), ((2, 3, 2), 40), ((), 7)):
        settings = {
            "beta_1": round(float(rng.uniform(0.6, 0.8)), 2),
            "beta_2": round(float(rng.uniform(0.9, 0.98)), 3),
            "epsilon": 1e-7,
            "weight_decay": round(float(rng.uniform(0.1, 0.3)), 2),
        }
        asked(student, *a_state(rng, *shape), step, float(rng.uniform(0.1, 0.3)), **settings)


@adamw_step.case(
    points=1,
    zh="梯度是 0：参数只因为衰减而动",
    en="gradients of 0: nothing but decay moves the weight",
)
def only_decay(student, rng):
    """By the rate times the decay times the weight, whatever the step."""
    weight = away_from_zero(rng, 3, 2)
    nothing = np.zeros_like(weight)
    for step, rate, decay in ((1, 0.2, 0.3), (9, 0.5, 0.1)):
        asked(student, weight, nothing, nothing, nothing, step, rate, weight_decay=decay)


@adamw_step.case(points=1, zh="ε 很大：看它加在哪里", en="a large ε: where is it added?")
def large_epsilon(student, rng):
    """So late that it makes no difference on which side of the correction it stands."""
    settings = {"epsilon": 0.75, "weight_decay": 0.0}
    asked(student, *a_state(rng, 9), 30000, 0.3, **settings)


def walked(student, weight, gradients, rate):
    """Where the student's steps lead; or what came back in place of a triple, or the error."""
    state = weight, np.zeros_like(weight), np.zeros_like(weight)
    for step, gradient in enumerate(gradients, start=1):
        found = student(state[0], gradient, state[1], state[2], step, rate)
        if isinstance(found, Failed) or not isinstance(found, (tuple, list)) or len(found) != 3:
            return found
        if any(np.shape(part) != weight.shape for part in found):
            return found
        state = tuple(np.asarray(part, "float32") for part in found)
    return state


@adamw_step.case(
    points=1,
    zh=f"连走 {STEPS} 步，每一步接着上一步的结果",
    en=f"{STEPS} steps in a row, each going on from what the last one gave",
)
def a_thousand_steps(student, rng):
    """Gradients that are known beforehand, so that small differences stay small."""
    weight = away_from_zero(rng, 3)
    waves = np.sin(0.05 * np.arange(STEPS)[:, None] * np.array([1.0, 1.7, 2.9]))
    gradients = (waves + 0.5 * normal(rng, STEPS, 3) + 0.2).astype("float32")
    found = walked(student, weight, gradients, 0.01)
    expect(found).equals(trajectory(weight, gradients, 0.01), atol=3e-4, rtol=3e-4)


@adamw_step.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """No size is known."""
    state = a_state(rng, 3, 4)
    works_in_training(student, (*state, 5, 0.1), oracle(*state, 5, 0.1), unknown=(0, 1, 2, 3))


for _name, (_switch, _zh, _en, _hints) in ADAMW.items():
    adamw_step.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _triples(seen):
    """What came back and what should have.

    Raises:
        LookupError: it is no triple of the right shapes.
    """
    found, wanted = seen.actual, seen.expected
    if not isinstance(found, (tuple, list)) or len(found) != 3:
        raise LookupError("no triple")
    if any(np.shape(a) != np.shape(b) for a, b in zip(found, wanted, strict=True)):
        raise LookupError("other shapes")
    return [np.asarray(part, float) for part in found], wanted


def _differs(seen, place):
    found, wanted = _triples(seen)
    return not np.allclose(found[place], wanted[place], atol=seen.atol, rtol=seen.rtol)


@adamw_step.property(
    "three_of_one_shape",
    zh="应当返回三样：参数、m、v，形状都和参数一样。",
    en="Three things should come back, weight, m and v, all of the weight's shape.",
)
def not_three_of_one_shape(seen):
    try:
        _triples(seen)
    except LookupError:
        return True
    return False


@adamw_step.property("momentum_is_right", zh="m 不对。", en="m is wrong.")
def momentum_is_wrong(seen):
    return _differs(seen, 1)


@adamw_step.property("velocity_is_right", zh="v 不对。", en="v is wrong.")
def velocity_is_wrong(seen):
    return _differs(seen, 2)


@adamw_step.property(
    "weight_follows_from_moments",
    zh="m 和 v 对，新的参数不对：看校正、ε、学习率和衰减。",
    en="m and v are right and the new weight isn't: look at the correction, ε, the rate and decay.",
)
def weight_is_wrong(seen):
    return not _differs(seen, 1) and not _differs(seen, 2)
