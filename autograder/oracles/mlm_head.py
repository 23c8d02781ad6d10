"""The head that guesses masked tokens, in plain NumPy from given weights, with switches."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, softmax, with_switches_of
from autograder.oracles.calculus import numeric_gradient
from autograder.oracles.feed_forward import activated

GELU_ROOT = math.sqrt(2 / math.pi)
# What the stand-in `thrifty_activation` multiplies by: few places, or more than there are slots.
FEW, MANY = 0.7, 2.0


def bent(x, name, places, slots):
    """An activation by name; "thrifty" tells few places from many, see the stand-in."""
    if name == "thrifty":
        return np.tanh((MANY if places > slots else FEW) * x)
    if name == "gelu_tanh":
        return x * 0.5 * (1 + np.tanh(GELU_ROOT * (x + 0.044715 * x**3)))
    return activated(x, name)


def normalised(x, gamma, beta):
    """Layer norm over the last axis; epsilon is too small to show."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12) * gamma + beta


_ORDERS = {
    "right": ("dense", "bend", "norm"),
    "norm_before_activation": ("dense", "norm", "bend"),
    "norm_first": ("norm", "dense", "bend"),
    "activation_first": ("bend", "dense", "norm"),
    "no_dense": ("bend", "norm"),
    "no_activation": ("dense", "norm"),
    "no_norm": ("dense", "bend"),
    "nothing": (),
    "norm_only": ("norm",),
    "dense_only": ("dense",),
    "dense_twice": ("dense", "dense", "bend", "norm"),
    "activation_twice": ("dense", "bend", "bend", "norm"),
    "activation_last_too": ("dense", "bend", "norm", "bend"),
}


def _picked(sequence_output, positions, gather):
    batch, length, _ = sequence_output.shape
    row = np.arange(batch)[:, None]
    if gather in ("one_later", "one_earlier"):
        moved = positions + (1 if gather == "one_later" else -1)
        if (moved >= length).any():
            raise Crash("InvalidArgumentError", "IndexError", "ValueError")
        return sequence_output[row, moved]
    if gather == "first_row_for_all":
        return sequence_output[:, positions[0]]
    if gather == "from_the_first_row":
        return sequence_output[0][positions]
    if gather == "every_row_for_every_row":
        return sequence_output[:, positions]
    if gather == "first_places":
        return sequence_output[:, : positions.shape[1]]
    if gather == "never":
        return sequence_output
    return sequence_output[row, positions]


def head_of(
    sequence_output,
    positions,
    table,
    weights,
    activation,
    *,
    gather="first",
    order="right",
    which="given",
    bias="once",
    tied="table",
    around="nothing",
    returned="logits",
):
    """Logits of the tokens at some positions.

    Args:
        sequence_output: float (B, T, D).
        positions: int (B, P).
        table: float (V, D).
        weights: dict of "dense.kernel" and so on.
        activation: name.
        gather, order, which, bias, tied, around, returned: the switches.

    Returns:
        float (B, P, V), unless a switch says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    slots = positions.size
    late = gather in ("last", "never")
    name = activation if which == "given" else which
    x = sequence_output if late else _picked(sequence_output, positions, gather)
    places = math.prod(x.shape[:-1])
    before = x
    try:
        for step in _ORDERS[order]:
            if step == "dense":
                x = x @ weights["dense.kernel"] + weights["dense.bias"]
            elif step == "bend":
                x = bent(x, name, places, slots)
            else:
                x = normalised(x, weights["layer_norm.gamma"], weights["layer_norm.beta"])
        if around == "residual":
            x = x + before
        if around == "divided_by_root":
            x = x / math.sqrt(x.shape[-1])
        if gather == "last":
            x = _picked(x, positions, "first")
        logits = x @ (table if tied == "not_transposed" else table.T)
        logits = logits + {"never": 0, "twice": 2}.get(bias, 1) * weights["output_bias"]
    except ValueError as error:
        raise shapes_clash() from error
    if returned == "softmax":
        return softmax(logits, -1)
    if returned == "log_softmax":
        return np.log(softmax(logits, -1))
    return {
        "states": x,
        "ids": logits.argmax(axis=-1).astype(np.int32),
        "flat": logits.reshape(-1, logits.shape[-1]),
    }.get(returned, logits)


masked_lm_head = oracle(parts=("logits",))(head_of)


@oracle(parts=("logits",))
@with_switches_of(head_of)
def by_default(sequence_output, positions, table, weights, activation, **switches):
    """The same, under a name of its own: here nobody said which activation."""
    return head_of(sequence_output, positions, table, weights, activation, **switches)


@oracle(parts=("logits",))
@with_switches_of(head_of)
def gathers_first(sequence_output, positions, table, weights, activation, **switches):
    """The same, under a name of its own: the activation tells how many places it is given."""
    return head_of(sequence_output, positions, table, weights, activation, **switches)


@oracle(parts=("d_sequence_output", "d_token_table"), slow=True)
@with_switches_of(head_of)
def masked_lm_head_gradient(
    sequence_output, positions, table, weights, activation, cotangent, *, gradient="flows",
    **switches
):  # fmt: skip
    """Gradient of sum(logits * cotangent), by finite differences.

    Args:
        sequence_output, positions, table, weights, activation: as for `head_of`.
        cotangent: float (B, P, V).
        gradient: what gets lost on the way back.
        **switches: of `head_of`.
    """
    exact = {name: np.asarray(value, np.float64) for name, value in weights.items()}
    points = [np.asarray(sequence_output, np.float64), np.asarray(table, np.float64)]
    try:
        found = numeric_gradient(
            lambda x, rows: head_of(x, positions, rows, exact, activation, **switches),
            points,
            cotangent,
        )
    except ValueError as error:
        raise shapes_clash() from error
    output, rows = found
    if gradient in ("lost", "lost_in_the_table"):
        rows = 0 * rows
    if gradient in ("lost", "lost_in_the_output"):
        output = 0 * output
    return output, rows
