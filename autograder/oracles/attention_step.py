"""A decoder that looks back, one step and a whole walk, in plain NumPy with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import (
    attend,
    gradient_or_crash,
    shapes_clash,
    with_switches_of,
)

BLOCKS = {"rnn": 1, "lstm": 4, "gru": 3}


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def recurrent_step(kind, x, states, kernel, recurrent_kernel, bias):
    """One step of a recurrent cell.

    Args:
        kind: "rnn", "lstm" or "gru", with Keras's conventions.
        x: float (B, D).
        states: list of float (B, H): the state and, for an LSTM, the carry.
        kernel, recurrent_kernel, bias: as the layer has them.

    Returns:
        list of the new states.
    """
    state = states[0]
    if kind == "gru":
        from_input, from_state = x @ kernel + bias[0], state @ recurrent_kernel + bias[1]
        update_x, reset_x, new_x = np.split(from_input, 3, axis=-1)
        update_h, reset_h, new_h = np.split(from_state, 3, axis=-1)
        update = _sigmoid(update_x + update_h)
        candidate = np.tanh(new_x + _sigmoid(reset_x + reset_h) * new_h)
        return [update * state + (1 - update) * candidate]
    total = x @ kernel + state @ recurrent_kernel + bias
    if kind == "rnn":
        return [np.tanh(total)]
    into, forget, candidate, out = np.split(total, 4, axis=-1)
    carry = _sigmoid(forget) * states[1] + _sigmoid(into) * np.tanh(candidate)
    return [_sigmoid(out) * np.tanh(carry), carry]


def step(
    x,
    states,
    source,
    mask,
    weights,
    kind,
    *,
    query="new_state",
    joined_state="new_state",
    join="context_first",
    score="general",
    values="source",
    mask_use="before_softmax",
    mask_axis="keys",
    softmax_axis="keys",
    moves="once",
    returned="step",
    returned_states="new",
    output="dense",
    no_mask="skipped",
):
    """One step: move the state, look back, join.

    Args:
        x: float (B, D).
        states: list of float (B, H).
        source: float (B, S, K).
        mask: None or bool (B, S), True = a real source token.
        weights: dict of arrays by attribute path.
        kind: of the recurrent cell.
        query, joined_state, join, score, values, mask_use, mask_axis, softmax_axis, moves,
            returned, returned_states, output, no_mask: the switches.

    Returns:
        The output (B, H), the new states, one after the other, and the weights (B, S), as `flat`
        shows them.
    """
    if mask is None and no_mask == "used":
        raise Crash("TypeError", "ValueError", "AttributeError", "InvalidArgumentError")
    recurrent = [weights[f"cell.{name}"] for name in ("kernel", "recurrent_kernel", "bias")]
    new = recurrent_step(kind, x, states, *recurrent)
    if moves == "twice":
        new = recurrent_step(kind, x, new, *recurrent)
    if moves == "never":
        new = states
    known = {"old_state": states[0], "new_state": new[0], "carry": new[-1]}
    asking, beside, state = known[query], known[joined_state], new[0]
    kernel = weights["score_kernel"]
    if mask is not None and mask_axis == "missing":
        raise shapes_clash()
    try:
        if score != "dot":
            asking = asking @ (kernel.T if score == "transposed" else kernel)
        keys = source
        held = source @ kernel.T if values == "projected" else source
        masked = {
            "mask": None if mask is None else mask[:, None],
            "mask_use": mask_use,
            "softmax_axis": softmax_axis,
        }
        if score == "scaled_by_state":
            asking = asking / np.sqrt(asking.dtype.type(state.shape[-1]))
        scale = "root_head_dim" if score == "scaled" else "none"
        context, looked = attend(asking[:, None], keys, held, scale=scale, **masked)
        if values == "evenly":
            context = source.mean(axis=1, keepdims=True)
        if returned == "scores":
            looked = asking[:, None] @ np.swapaxes(keys, 1, 2)
        context, looked = context[:, 0], looked[:, 0]
        parts = [beside, context] if join == "state_first" else [context, beside]
        joined = np.concatenate(parts, axis=-1)
        said = np.tanh(joined @ weights["output_dense.kernel"])
    except ValueError as error:
        raise shapes_clash() from error
    said = {
        "dense": said, "joined": joined, "context": context, "state": state,
        "tanh_twice": np.tanh(said),
    }[output]  # fmt: skip
    states_out = {"old": states, "output": [said, *new[1:]]}.get(returned_states, new)
    if returned == "with_query_axis":
        said, looked = said[:, None], looked[:, None]
    if returned == "weights_second":
        return said, looked[None], *states_out
    if returned == "bare_state":
        return said, states_out[0][None], looked
    if returned == "one_state":
        return said, states_out[0], looked
    if returned == "pair_swapped":
        return looked, *states_out, said
    said = said.squeeze() if returned in ("squeezed", "output_squeezed") else said
    looked = looked.squeeze() if returned in ("squeezed", "weights_squeezed") else looked
    return said, *states_out, looked


def flat(answer):
    """A step's answer with its list of states unpacked; what isn't in a list gets an axis."""
    if not isinstance(answer, tuple) or len(answer) != 3:
        return answer
    output, states, looked = answer
    states = states if isinstance(states, tuple) else (np.asarray(states)[None],)
    return (output, *states, *(looked if isinstance(looked, tuple) else (looked,)))


decoder_step = oracle(parts=("output", "states[0]", "weights"))(step)
decoder_step_lstm = oracle(parts=("output", "states[0]", "states[1]", "weights"))(step)


@oracle(parts=("d_x", "d_source"), slow=True)
@with_switches_of(step)
def decoder_step_gradient(
    x, state, source, mask, weights, cotangent, *, gradient="flows", **switches
):
    """Gradient of sum(output * cotangent) for input and source of a GRU step, numerically."""
    exact = {name: np.asarray(array, np.float64) for name, array in weights.items()}
    state = np.asarray(state, np.float64)

    inputs = [np.asarray(each, np.float64) for each in (x, source)]
    still = step(*inputs[:1], [state], inputs[1], mask, exact, "gru", output="context")[0]

    def said(x, source):
        if gradient == "lost_in_context":  # the state alone still moves the output
            moved = step(x, [state], source, mask, exact, "gru", output="state")[0]
            joined = np.concatenate([still, moved], axis=-1)
            return np.tanh(joined @ exact["output_dense.kernel"])
        return step(x, [state], source, mask, exact, "gru", **switches)[0]

    found = gradient_or_crash(said, inputs, cotangent)
    cut = {"lost": (0, 1), "lost_in_x": (0,), "lost_in_source": (1,)}.get(gradient, ())
    return tuple(np.zeros_like(each) if i in cut else each for i, each in enumerate(found))


def planted_step(input_kernel, state_kernel):
    """A step whose every look is known: the step function of the cases about whole walks.

    Args:
        input_kernel: float (D, H).
        state_kernel: float (H, H).

    Returns:
        A function of (x, states, source, padding_mask), with source of shape (B, S, H).
    """

    def take(x, states, source, padding_mask=None):
        state = np.tanh(x @ input_kernel + states[0] @ state_kernel)
        mask = None if padding_mask is None else padding_mask[:, None]
        _, looked = attend(state[:, None], source, source, mask, scale="none")
        return -state, [state], looked[:, 0]

    return take


@oracle(parts=("alignment",))
def alignment_matrix(
    input_kernel,
    state_kernel,
    inputs,
    states,
    source,
    mask,
    *,
    carried="state",
    axes="target_source",
    collected="weights",
    mask_use="passed",
    steps="all",
    order="forwards",
    fed="each",
):
    """Where the planted step looks while it walks along the target: (B, T, S).

    Args:
        input_kernel, state_kernel: of `planted_step`.
        inputs: float (B, T, D).
        states: list of float (B, H).
        source: float (B, S, H).
        mask: None or bool (B, S).
        carried, axes, collected, mask_use, steps, order, fed: the switches.
    """
    take = planted_step(input_kernel, state_kernel)
    first, length = states, inputs.shape[1]
    if mask_use == "dropped":
        mask = None
    times = list(range(length))
    if steps == "source_length":
        if source.shape[1] > length:
            raise Crash()
        times = times[: source.shape[1]]
    times = {"from_one": times[1:], "one_short": times[:-1]}.get(steps, times)
    rows = []
    for now in reversed(times) if order == "backwards" else times:
        x = inputs[:, 0] if fed == "first" else inputs[:, now]
        output, states, looked = take(x, first if carried == "nothing" else states, source, mask)
        row = {"outputs": output, "states": states[0], "place": looked.argmax(axis=-1)}.get(
            collected, looked
        )
        if collected == "best_only":
            row = (looked == looked.max(axis=-1, keepdims=True)).astype(looked.dtype)
        rows.append(row)
    if collected == "last":
        return rows[-1]
    rows = {"last_in_a_stack": rows[-1:], "first_in_a_stack": rows[:1]}.get(collected, rows)
    if axes == "joined":
        return np.concatenate(rows, axis=-1)
    if axes == "list":
        return tuple(rows)
    axis = {"target_source": 1, "time_first": 0, "source_target": 2}[axes]
    return np.stack(rows, axis=axis)


@oracle(parts=("context", "weights"))
def look(state, source, mask, *, mask_use="before_softmax", softmax_axis="keys", mixed="weights"):
    """One state looks at its source by dot products: context (B, H) and weights (B, S).

    Args:
        state: float (B, H).
        source: float (B, S, H).
        mask: None or bool (B, S).
        mask_use, softmax_axis: those of `attention.attend`.
        mixed: what the values are weighed with.
    """
    switches = {"mask_use": mask_use, "softmax_axis": softmax_axis}
    mask = None if mask is None else mask[:, None]
    if mixed == "divided_by_keys":
        context, weights = attend(state[:, None], source, source, mask, scale="none", **switches)
        return context[:, 0] / source.shape[1], weights[:, 0]
    switches["mixed"] = mixed
    context, weights = attend(state[:, None], source, source, mask, scale="none", **switches)
    return context[:, 0], weights[:, 0]
