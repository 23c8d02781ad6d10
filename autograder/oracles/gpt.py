"""A causal stack with tied output in plain NumPy, with a switch for every mistake."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, softmax, with_switches_of
from autograder.oracles.calculus import numeric_gradient

CLOSED = -3e4
GELU_ROOT = math.sqrt(2 / math.pi)


def block(x, mask, query_kernel, value_kernel):
    """One planted block: x + tanh(weights · x · value_kernel), with weights that a mask closes."""
    scores = x @ query_kernel @ np.swapaxes(x, 1, 2)
    if mask is not None:
        scores = np.where(mask, scores, scores.dtype.type(CLOSED))
    return x + np.tanh(softmax(scores, -1) @ x @ value_kernel)


def _visible(mask, padding_mask, length):
    """Who may look at whom, bool, or None where no mask is used."""
    row, column = np.arange(length)[:, None], np.arange(length)[None, :]
    triangle = {
        "upper": column >= row,
        "strict": column < row,
        "strict_upper": column > row,
        "one_ahead": column <= row + 1,
        "own_only": column == row,
    }.get(mask, column <= row)
    real = padding_mask[:, None, :]
    if mask == "padding_inverted":
        real = ~real
    return {
        "none": None,
        "two_axes": padding_mask,
        "padding": np.broadcast_to(real, (len(real), length, length)),
        "causal": np.broadcast_to(triangle, (1, length, length)),
        "padding_rows": np.swapaxes(real, 1, 2) & triangle,
        "or": real | triangle,
        "xor": real ^ triangle,
        "negated": ~(real & triangle),
    }.get(mask, real & triangle)


def _positions(position, token_ids, padding_mask, table):
    """What is added for the positions, broadcastable to (B, T, D)."""
    batch, length = token_ids.shape
    if position == "by_token":
        if token_ids.max() >= len(table):
            raise Crash("InvalidArgumentError", "IndexError", "ValueError")
        return table[token_ids]
    if position == "counted":
        return table[np.maximum(np.cumsum(padding_mask, axis=1) - 1, 0)]
    rows = {
        "none": 0 * table[:length],
        "twice": 2 * table[:length],
        "first_row": table[:1],
        "one_late": table[1 : length + 1],
        "reversed": table[:length][::-1],
        "last_rows": table[-length:],
        "by_batch": table[:batch][:, None],
        "by_length": table[length : length + 1],
    }
    return rows.get(position, table[:length])


def _head(output, x, embedded, table, position_table):
    """Scores of every token from the last states."""
    if output == "relu":
        x = np.maximum(x, 0)
    elif output == "tanh":
        x = np.tanh(x)
    elif output == "gelu":
        x = x * 0.5 * (1 + np.tanh(GELU_ROOT * (x + 0.044715 * x**3)))
    elif output == "gelu_exact":
        x = x * 0.5 * (1 + np.vectorize(math.erf, otypes=[x.dtype])(x * math.sqrt(0.5)))
    elif output == "normalised":
        centred = x - x.mean(axis=-1, keepdims=True)
        x = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + x.dtype.type(1e-6))
    elif output == "divided_by_root":
        x = x / math.sqrt(x.shape[-1])
    elif output == "embeddings_added":
        x = x + embedded
    scores = x @ (position_table if output == "position_table" else table).T
    if output == "softmax":
        return softmax(scores, -1)
    if output == "log_softmax":
        return np.log(softmax(scores, -1))
    return scores


def logits_of(
    token_ids,
    padding_mask,
    token_table,
    position_table,
    kernels,
    output_table=None,
    *,
    mask="both",
    position="added",
    embedding="plain",
    stack="in_turn",
    output="tied",
    returned="logits",
):
    """Scores of the next token at every position; zeros at padding, which nobody asks for.

    Args:
        token_ids: int (B, T).
        padding_mask: bool (B, T).
        token_table: float (V, D).
        position_table: float (P, D).
        kernels: list of pairs of float (D, D), one for each block.
        output_table: float (V, D), or None for the tied one.
        mask, position, embedding, stack, output, returned: the switches.

    Returns:
        float (B, T, V), unless ``returned`` says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    length = token_ids.shape[1]
    table = token_table if output_table is None else output_table
    root = math.sqrt(token_table.shape[1])
    try:
        visible = _visible(mask, padding_mask, length)
        places = _positions(position, token_ids, padding_mask, position_table)
        x = token_table[token_ids] * (root if embedding == "times_root" else 1)
        x = embedded = (x + places) * (root if embedding == "all_times_root" else 1)
        layers = {
            "reversed": kernels[::-1],
            "first_only": kernels[:1],
            "first_returned": kernels[:1],
            "last_only": kernels[-1:],
            "last_left_out": kernels[:-1],
            "first_again": [kernels[0]] * len(kernels) if kernels else [],
            "unused": [],
        }.get(stack, kernels)
        if stack == "not_in_turn_unbound" and not kernels:  # what the loop binds isn't there
            raise Crash("UnboundLocalError", "NameError")
        if stack == "first_returned" and not kernels:  # the return is inside the loop
            raise Crash("Nothing")
        if stack == "pair_kept" and len(kernels) > 1:  # the next block refuses it
            raise Crash("TypeError")
        if stack == "pair_kept" and kernels:  # output and weights make no tensor together
            raise Crash("ValueError", "InvalidArgumentError")
        for number, pair in enumerate(layers):
            given = embedded if stack.startswith("not_in_turn") else x
            if position == "every_block" and number:
                given = given + places
            moved = block(given, visible, *pair)
            x = x + moved if stack in ("skip_again",) else moved
        scores = _head(output, x, embedded, table, position_table)
    except ValueError as error:
        raise shapes_clash() from error
    return {
        "states": blanked(x, padding_mask),
        "at_padding_too": scores,
        "last_position": scores[:, -1],
        "cut": scores[:, :-1],
        "first_cut": scores[:, 1:],
        "ids": blanked(scores.argmax(axis=-1).astype(np.int32), padding_mask),
        "time_first": np.swapaxes(scores, 0, 1),
    }.get(returned, blanked(scores, padding_mask))


def blanked(scores, padding_mask):
    """The scores with zeros at padding; anything of another shape as it is."""
    scores = np.asarray(scores)
    if scores.shape[:2] != padding_mask.shape or scores.ndim > 3:
        return scores
    real = padding_mask[..., None] if scores.ndim == 3 else padding_mask
    return np.where(real, scores, scores.dtype.type(0))


gpt_logits = oracle(parts=("logits",))(logits_of)


@oracle(parts=("d_token_table", "d_position_table"), slow=True)
@with_switches_of(logits_of)
def gpt_logits_gradient(
    token_ids,
    padding_mask,
    token_table,
    position_table,
    kernels,
    cotangent,
    *,
    gradient="flows",
    tying="shared",
    **switches,
):
    """Gradient of sum(logits * cotangent) for both tables, by finite differences.

    Args:
        token_ids, padding_mask, token_table, position_table, kernels: as for `logits_of`.
        cotangent: float (B, T, V), zero at padding.
        gradient, tying: whether gradients get back, and to which uses of the token table.
        **switches: of `logits_of`.
    """
    pieces = gradient_pieces(
        lambda lookup, head, places: logits_of(
            token_ids, padding_mask, lookup, places, kernels, head, **switches
        ),
        token_table,
        position_table,
        cotangent,
    )
    return joined(pieces, gradient, tying)


def gradient_pieces(function, token_table, position_table, cotangent):
    """Gradients by the token table as it is looked up, as the output's, and by the positions."""
    points = [np.asarray(table, np.float64) for table in (token_table, token_table, position_table)]
    try:
        return numeric_gradient(function, points, np.asarray(cotangent, np.float64))
    except ValueError as error:
        raise shapes_clash() from error


def joined(pieces, gradient, tying):
    """The gradients of both tables, without those that got lost."""
    lookup, head, places = pieces
    if gradient == "lost":
        lookup, head, places = 0 * lookup, 0 * head, 0 * places
    elif gradient == "positions_lost":
        places = 0 * places
    if tying in ("output_cut", "both_cut"):
        head = 0 * head
    if tying in ("lookup_cut", "both_cut"):
        lookup = 0 * lookup
    return lookup + head, places
