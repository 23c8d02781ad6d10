"""Notebook ch01a, exercise 3: one step of a long short-term memory."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import RECURRENT_LAYERS, weights, works_in_training
from autograder.exercises.ch01a_lstm_mistakes import LSTM
from autograder.exercises.common import gradients, normal
from autograder.expectations import expect
from autograder.oracles.recurrent import lstm_step as oracle
from autograder.oracles.recurrent_gradients import carry_gradient

NOTEBOOK = "ch01a_seq2seq"

lstm_step = Exercise(
    "lstm_step",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.layers.recurrent:lstm_step",
    forbids=RECURRENT_LAYERS,
)


def step_inputs(rng, batch, input_dim, hidden_dim):
    """Arguments of a step; every gate has a bias of its own, and the carry is larger than one."""
    kernel, recurrent_kernel, bias = weights(rng, input_dim, hidden_dim, blocks=4)
    state, carry = np.tanh(normal(rng, batch, hidden_dim)), 1.5 * normal(rng, batch, hidden_dim)
    return (normal(rng, batch, input_dim), state, carry, kernel, recurrent_kernel, bias)


@lstm_step.case(points=1, zh="一步：新状态和新的记忆", en="one step: new state and new carry")
def one_step(student, rng):
    """All sizes differ."""
    arguments = step_inputs(rng, 3, 5, 4)
    expect(student(*arguments)).equals(oracle(*arguments))


@lstm_step.case(
    points=1, zh="从空的记忆出发，输入不止一批", en="from an empty memory, with another batch size"
)
def from_nothing(student, rng):
    """Zero state and carry: what the forget gate does can't be seen, what goes in can."""
    x, state, carry, *rest = step_inputs(rng, 2, 3, 6)
    arguments = (x, 0 * state, 0 * carry, *rest)
    expect(student(*arguments)).equals(oracle(*arguments))


@lstm_step.case(
    points=1,
    zh="梯度能沿着记忆传回去",
    en="the gradient gets back along the carry",
)
def gradient_along_the_carry(student, rng):
    """Against finite differences; it is the forget gate, which is why LSTMs remember."""
    arguments, cotangent = step_inputs(rng, 2, 3, 4), normal(rng, 2, 4)
    found = student.gradient(*arguments, wrt=(2,), output=1, cotangent=cotangent)
    expect(gradients(found, (arguments[2],))).equals(
        carry_gradient(*arguments, cotangent), atol=1e-4, rtol=1e-3
    )


@lstm_step.case(points=1, zh="训练时也能用", en="it works in training")
def in_training(student, rng):
    """The batch size isn't known there; see `works_in_training`."""
    arguments = step_inputs(rng, 3, 2, 5)
    works_in_training(student, arguments, oracle(*arguments), unknown=(0, 1, 2))


for _name, (_switch, _zh, _en, _hints) in LSTM.items():
    lstm_step.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _close(seen):
    """Whether state and carry are right.

    Raises:
        LookupError: the observation is about gradients, or the two only change places.
    """
    if seen.prediction.parts != ("state", "carry") or len(seen.actual) != 2:
        raise LookupError("no pair of state and carry here")

    def agree(pair):
        return [bool(np.allclose(np.asarray(a), e, atol=1e-5)) for a, e in pair]

    if all(agree(zip(seen.actual[::-1], seen.expected, strict=True))):
        raise LookupError("both are right, in the other order")
    return agree(zip(seen.actual, seen.expected, strict=True))


@lstm_step.property(
    "pair_of_the_right_shape",
    zh="应当返回两样东西，形状都是 (B, H)。",
    en="Two things should come back, each of shape (B, H).",
)
def form_is_wrong(seen):
    if seen.prediction.parts != ("state", "carry"):
        return False
    shapes = [np.shape(part) for part in seen.actual]
    return shapes != [part.shape for part in seen.expected]


@lstm_step.property(
    "carry_is_right",
    zh="新的记忆已经不对：先查它，状态是从它来的。",
    en="The new carry is wrong already: mend it first, the state is made from it.",
)
def carry_is_wrong(seen):
    return not _close(seen)[1]


@lstm_step.property(
    "state_follows_from_carry",
    zh="记忆对，状态不对：毛病出在最后一步。",
    en="The carry is right and the state wrong: the fault lies in the last line.",
)
def state_is_wrong(seen):
    state, carry = _close(seen)
    return carry and not state


@lstm_step.property(
    "gradient_is_the_forget_gate",
    zh="新的记忆对旧的记忆的导数不对：它应当正好是遗忘门。",
    en="The derivative of the new carry by the old one is wrong: it should be the forget gate.",
    alone=True,
)
def gradient_is_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
