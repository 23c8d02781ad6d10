"""One step of each recurrent network in plain NumPy, with a switch for every known mistake."""

from __future__ import annotations

import itertools

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import shapes_clash

LSTM_GATES = ("input", "forget", "candidate", "output")
GRU_GATES = ("update", "reset", "candidate")


def sigmoid(x):
    """The logistic function of floats of any shape, in their precision."""
    return 1 / (1 + np.exp(-x))


def _relu(x):
    return np.maximum(x, 0)


def _plain(x):
    return x


ACTIVATIONS = {
    "tanh": np.tanh,
    "sigmoid": sigmoid,
    "relu": _relu,
    "none": _plain,
    "softmax": lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True),
}


@oracle(parts=("state",))
def rnn_step(
    x,
    state,
    kernel,
    recurrent_kernel,
    bias,
    *,
    activation="tanh",
    formula="sum",
    bias_use="once",
    matrices="right",
    returned="state",
):
    """One step of a simple recurrent network.

    Args:
        x: float (B, D).
        state: float (B, H).
        kernel: float (D, H).
        recurrent_kernel: float (H, H).
        bias: float (H,).
        activation, formula, bias_use, matrices, returned: the switches.

    Returns:
        float (B, H).

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    if matrices == "exchanged":
        kernel, recurrent_kernel = recurrent_kernel, kernel
    if matrices == "recurrent_transposed":
        recurrent_kernel = recurrent_kernel.T
    act = ACTIVATIONS[activation]
    added = {"once": 1, "missing": 0, "twice": 2, "subtracted": -1}[bias_use] * bias
    try:
        from_input = x @ kernel
        from_state = state if matrices == "state_as_it_is" else state @ recurrent_kernel
        if matrices == "state_elementwise":
            from_state = state * np.diagonal(recurrent_kernel)
        moved = {
            "sum": lambda: act(from_input + from_state + added),
            "product": lambda: act(from_input * from_state + added),
            "bias_outside": lambda: act(from_input + from_state) + added,
            "state_outside": lambda: act(from_input + added) + from_state,
            "two_activations": lambda: act(from_input + added) + act(from_state),
            "two_activations_bias_outside": lambda: act(from_input) + act(from_state) + added,
            "activated_twice": lambda: act(act(from_input + from_state + added)),
            "no_state": lambda: act(from_input + added),
            "no_input": lambda: act(from_state + added),
            "difference": lambda: act(from_input - from_state + added),
            "state_kept": lambda: state + act(from_input + from_state + added),
            "half_kept": lambda: (state + act(from_input + from_state + added)) / 2,
        }[formula]()
    except ValueError as error:
        raise shapes_clash() from error
    return _handed_back(moved, returned)


def _handed_back(moved, returned):
    """A single new state, alone or packed up as ``returned`` says."""
    return {"pair": (moved, moved), "tuple": (moved,)}.get(returned, moved)


def _blocks(total, names, order):
    """The blocks (B, H) of a product by gate, cut as ``order`` says."""
    batch, width = total.shape
    if order == "interleaved":
        cut = total.reshape(batch, width // len(names), len(names)).transpose(2, 0, 1)
    else:
        cut = total.reshape(batch, len(names), -1).transpose(1, 0, 2)
    if order in ("", "interleaved"):
        return dict(zip(names, cut, strict=True))
    named = {name[0]: name for name in names}
    return {named[initial]: block for initial, block in zip(order.split("_"), cut, strict=True)}


LSTM_ORDERS = tuple("_".join(o) for o in itertools.permutations("ifco") if "".join(o) != "ifco")
GRU_ORDERS = tuple("_".join(o) for o in itertools.permutations("urc") if "".join(o) != "urc")


@oracle(parts=("state", "carry"))
def lstm_step(
    x,
    state,
    carry,
    kernel,
    recurrent_kernel,
    bias,
    *,
    order="",
    copied="",
    shown="tanh_of_carry",
    candidate_activation="tanh",
    gate_activation="sigmoid",
    combined="gated",
    bias_use="once",
    forget_bias="as_given",
    reads="state",
    returned="state_carry",
):
    """One step of a long short-term memory; blocks in Keras's order i, f, c, o.

    Args:
        x: float (B, D).
        state: float (B, H).
        carry: float (B, H).
        kernel: float (D, 4 H).
        recurrent_kernel: float (H, 4 H).
        bias: float (4 H,).
        order: "" or initials of the gates in the order in which the blocks are taken, such as
            "i_c_f_o"; or "interleaved".
        copied: "" or "gate_from_other": one gate computed from another's block.
        shown, candidate_activation, gate_activation, combined, bias_use, forget_bias, reads,
            returned: the other switches.

    Returns:
        The pair (state, carry) of float (B, H), unless ``returned`` says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    reading = {"state": state, "carry": carry, "nothing": 0 * state}[reads]
    added = {"once": 1, "missing": 0, "twice": 2}[bias_use] * bias
    total = x @ kernel + reading @ recurrent_kernel + added
    parts = _blocks(total, LSTM_GATES, order)
    if copied:
        gate, other = copied.split("_from_")
        parts[gate] = parts[other]
    if forget_bias == "one_more":
        parts["forget"] = parts["forget"] + 1
    gate_act = ACTIVATIONS[gate_activation]
    i, f, o = (gate_act(parts[name]) for name in ("input", "forget", "output"))
    if forget_bias == "one_after_the_gate":
        f = f + 1
    g = ACTIVATIONS[candidate_activation](parts["candidate"])
    new = {
        "gated": lambda: f * carry + i * g,
        "added": lambda: f * carry + i + g,
        "no_forget_gate": lambda: carry + i * g,
        "no_input_gate": lambda: f * carry + g,
        "coupled": lambda: f * carry + (1 - f) * g,
        "inverted_forget": lambda: (1 - f) * carry + i * g,
        "inverted_input": lambda: f * carry + (1 - i) * g,
        "nothing_kept": lambda: i * g,
        "state_kept": lambda: f * state + i * g,
        "product": lambda: f * carry * i * g,
    }[combined]()
    stored = np.tanh(new) if shown == "tanh_stored" else new
    moved = {
        "tanh_of_carry": lambda: o * np.tanh(new),
        "no_tanh": lambda: o * new,
        "tanh_stored": lambda: o * stored,
        "tanh_twice": lambda: o * np.tanh(np.tanh(new)),
        "old_carry": lambda: o * np.tanh(carry),
        "tanh_outside": lambda: np.tanh(o * new),
        "no_output_gate": lambda: np.tanh(new),
        "candidate": lambda: o * g,
        "sigmoid_of_carry": lambda: o * sigmoid(new),
    }[shown]()
    return {
        "state_carry": (moved, stored),
        "carry_state": (stored, moved),
        "state_only": moved,
        "state_twice": (moved, moved),
        "carry_twice": (stored, stored),
        "old_carry": (moved, carry),
        "output_first": (moved, moved, stored),
    }[returned]


@oracle(parts=("state",))
def gru_step(
    x,
    state,
    kernel,
    recurrent_kernel,
    bias,
    *,
    order="",
    copied="",
    update_keeps="old",
    reset="after_product",
    candidate_activation="tanh",
    gate_activation="sigmoid",
    combined="mixed",
    bias_use="both",
    returned="state",
):
    """One step of a gated recurrent unit; blocks in Keras's order update, reset, candidate.

    Args:
        x: float (B, D).
        state: float (B, H).
        kernel: float (D, 3 H).
        recurrent_kernel: float (H, 3 H).
        bias: float (2, 3 H).
        order: "" or initials such as "r_u_c"; or "interleaved".
        copied: "" or "gate_from_other".
        update_keeps, reset, candidate_activation, gate_activation, combined, bias_use, returned:
            the other switches.

    Returns:
        float (B, H).

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    first, second = {
        "both": (bias[0], bias[1]),
        "first_only": (bias[0], 0 * bias[1]),
        "second_only": (0 * bias[0], bias[1]),
        "missing": (0 * bias[0], 0 * bias[1]),
        "first_twice": (bias[0], bias[0]),
        "second_twice": (bias[1], bias[1]),
        "exchanged": (bias[1], bias[0]),
        "whole_on_both": (bias, bias),
        "whole_on_input": (bias, 0 * bias[1]),
        "whole_on_state": (0 * bias[0], bias),
    }[bias_use]
    try:  # two rows fit a batch of two, and of nothing else
        from_input = _blocks(x @ kernel + first, GRU_GATES, order)
        state_bias = np.broadcast_to(second, (len(x), second.shape[-1]))
    except ValueError as error:
        raise shapes_clash() from error
    plain = _blocks(state @ recurrent_kernel, GRU_GATES, order)
    state_bias = _blocks(state_bias, GRU_GATES, order)
    from_state = {name: plain[name] + state_bias[name] for name in GRU_GATES}
    if copied:
        gate, other = copied.split("_from_")
        for blocks in (from_input, plain, state_bias, from_state):
            blocks[gate] = blocks[other]
    gate_act = ACTIVATIONS[gate_activation]
    z = gate_act(from_input["update"] + from_state["update"])
    r = gate_act(from_input["reset"] + from_state["reset"])
    source = copied.removeprefix("candidate_from_") if copied.startswith("candid") else "candidate"
    columns = _blocks(recurrent_kernel, GRU_GATES, order)[source]  # (H, H)
    recurrent = {
        "after_product": lambda: r * from_state["candidate"],
        "before_product": lambda: (r * state) @ columns + state_bias["candidate"],
        "bias_outside": lambda: r * plain["candidate"] + state_bias["candidate"],
        "missing": lambda: from_state["candidate"],
        "on_input_too": lambda: r * (from_input["candidate"] + from_state["candidate"]),
        "on_input": lambda: from_state["candidate"],
        "inverted": lambda: (1 - r) * from_state["candidate"],
        "no_state": lambda: 0 * plain["candidate"],
        "update_in_its_place": lambda: z * from_state["candidate"],
    }[reset]()
    own = {"on_input_too": 0, "on_input": r}.get(reset, 1) * from_input["candidate"]
    n = ACTIVATIONS[candidate_activation](own + recurrent)
    if update_keeps == "new":
        z = 1 - z
    moved = {
        "mixed": lambda: z * state + (1 - z) * n,
        "added": lambda: state + (1 - z) * n,
        "old_added_whole": lambda: z * state + n,
        "both_by_update": lambda: z * state + z * n,
        "no_update": lambda: n,
        "reset_mixes": lambda: r * state + (1 - r) * n,
    }[combined]()
    return _handed_back(moved, returned)
