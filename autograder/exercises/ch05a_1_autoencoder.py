"""Notebook ch05a, exercise 1: an autoencoder, forward."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch05a_autoencoder_mistakes import FORWARD
from autograder.exercises.common import IN_TRAINING, normal
from autograder.expectations import expect
from autograder.oracles import autoencoders as oracles

NOTEBOOK = "ch05a_inputs"

autoencoder_forward = Exercise("autoencoder_forward", notebook=NOTEBOOK, points=3)


def some_weights(rng, width, hidden):
    """Kernels and biases of which all differ; sums stay where tanh bends but isn't flat."""
    return (
        normal(rng, width, hidden) / np.float32(width**0.5),
        (rng.uniform(0.3, 0.9, hidden) * rng.choice([-1, 1], hidden)).astype("float32"),
        normal(rng, hidden, width) / np.float32(hidden**0.5),
        (rng.uniform(0.3, 0.9, width) * rng.choice([-1, 1], width)).astype("float32"),
    )


def _judge(student, rng, batch, width, hidden):
    inputs = (normal(rng, batch, width), *some_weights(rng, width, hidden))
    expect(student(*inputs)).equals(oracles.autoencoder_forward(*inputs), atol=2e-5)


@autoencoder_forward.case(points=1, zh="隐藏层比输入窄", en="a hidden layer narrower than x")
def narrow(student, rng):
    """All sizes differ; then a batch of one."""
    _judge(student, rng, 4, 7, 3)
    _judge(student, rng, 1, 5, 2)


@autoencoder_forward.case(
    points=1,
    zh="隐藏层更宽；三个大小全都相等",
    en="a wider one; and all three sizes the same",
)
def wide_and_square(student, rng):
    """Where all sizes agree nothing raises, and numbers show what was exchanged."""
    _judge(student, rng, 5, 5, 5)
    _judge(student, rng, 3, 4, 9)


@autoencoder_forward.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def forward_in_training(student, rng):
    """The notebook trains with it: no number of examples is known then."""
    inputs = (normal(rng, 4, 6), *some_weights(rng, 6, 3))
    works_in_training(student, inputs, oracles.autoencoder_forward(*inputs), unknown=(0,))


for _name, _data in FORWARD.items():
    autoencoder_forward.misconception(_name, **_data)


def _pair(seen):
    """Both results as arrays, beside both that should have come.

    Raises:
        LookupError: it isn't a pair.
    """
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 2:
        raise LookupError("no pair")
    return [np.asarray(part) for part in seen.actual], seen.expected


@autoencoder_forward.property(
    "pair_comes_back",
    zh="应当返回一对：先隐藏层，后重建。",
    en="A pair should come back: the hidden layer first, the reconstruction second.",
)
def no_pair(seen):
    return not (isinstance(seen.actual, (tuple, list)) and len(seen.actual) == 2)


@autoencoder_forward.property(
    "shapes_are_right",
    zh="形状不对：隐藏层是 (B, H)，重建是 (B, D)。",
    en="A shape is wrong: the hidden layer is (B, H), the reconstruction (B, D).",
)
def shapes_are_wrong(seen):
    found, wanted = _pair(seen)
    return [part.shape for part in found] != [np.shape(part) for part in wanted]


@autoencoder_forward.property(
    "hidden_is_right",
    zh="隐藏层已经不对：先查编码的那一步。",
    en="The hidden layer is wrong already: look at the step that encodes.",
)
def hidden_is_wrong(seen):
    (hidden, _), (wanted, _) = _pair(seen)
    return not np.allclose(hidden, wanted, atol=1e-4)


@autoencoder_forward.property(
    "reconstruction_is_right",
    zh="隐藏层对，重建不对：查解码的那一步。",
    en="The hidden layer is right and the reconstruction isn't: look at the step that decodes.",
)
def reconstruction_is_wrong(seen):
    (hidden, found), (wanted, right) = _pair(seen)
    return np.allclose(hidden, wanted, atol=1e-4) and not np.allclose(found, right, atol=1e-4)
