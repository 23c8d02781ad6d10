"""Scores, masked softmax and context of early attention in plain NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import (
    attend,
    shapes_clash,
    softmax,
    with_switches_of,
)

CLOSED = -3e4
LOW_ENOUGH = -1e4  # any finite number from here down closes a place in every precision


def settled(entries):
    """What a case looks at: the entries, all that are low enough made alike, and their bits.

    Args:
        entries: array that should hold 0 where open and something very low where closed.

    Returns:
        The pair (array, int): bits of one entry, so that float16 and float32 differ.
    """
    entries = np.asarray(entries)
    bits = np.asarray(8 * entries.dtype.itemsize)
    if entries.dtype.kind == "f":
        low = np.isfinite(entries) & (entries <= LOW_ENOUGH)
        entries = np.where(low, CLOSED, entries.astype(np.float64))
    return entries, bits


@oracle(parts=("result", "bits"))
def mask_to_additive(
    mask,
    dtype,
    *,
    polarity="true_is_open",
    fill="-3e4",
    open_entry="0",
    output="numbers",
    precision="asked",
):
    """The mask as numbers to add to scores, as `settled` shows them.

    Args:
        mask: bool, any shape.
        dtype: name of a float type.
        polarity, fill, open_entry, output, precision: the switches.
    """
    kind = np.dtype(dtype if precision == "asked" else precision)
    is_open = mask if polarity == "true_is_open" else ~mask
    if output == "boolean":
        return settled(is_open)
    with np.errstate(over="ignore", invalid="ignore"):
        low = np.array(float(fill)).astype(kind)
        # "product": the fill times 0, which is NaN where the type can't hold the fill
        high = low * kind.type(0) if open_entry == "product" else np.array(float(open_entry))
        high = high.astype(kind)
    numbers = np.where(is_open, high, low).astype(kind)
    return settled(numbers[:, None] if output == "extra_axis" else numbers)


@oracle(parts=("weights",))
@with_switches_of(mask_to_additive.raw)
def weights_under(mask, scores, dtype, **switches):
    """What a softmax makes of the scores with those numbers added."""
    return softmax(scores + mask_to_additive.raw(mask, dtype, **switches)[0], -1)


def weights_over(
    scores,
    mask,
    *,
    mask_use="before_softmax",
    softmax_axis="keys",
    empty_row="equal",
    shift="row",
    no_mask="skipped",
):
    """Weights over the last axis; closed places get none, a row without open ones equal shares.

    Args:
        scores: float (..., T, S).
        mask: None, or bool that broadcasts to the scores, True = may attend.
        mask_use, softmax_axis: those of `attention.attend`.
        empty_row: what becomes of a row without any open place.
        shift: what is taken off the scores before their exponentials, which overflow as they are:
            the largest of each row, the largest of all, or nothing.
        no_mask: whether a mask that is None is used as if it were one.
    """
    if mask is None and no_mask == "used":
        raise Crash("TypeError", "ValueError", "AttributeError", "InvalidArgumentError")
    eye = np.eye(scores.shape[-1], dtype=scores.dtype)  # with these keys scores score themselves
    switches = {"mask_use": mask_use, "softmax_axis": softmax_axis}
    weights = attend(scores, eye, eye, mask, scale="none", **switches)[1]
    if shift != "row":
        closed = scores if mask is None else np.where(mask, scores, scores.dtype.type(CLOSED))
        exponentials = np.exp(closed - closed.max() if shift == "all" else closed)
        weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    if empty_row == "equal" or mask is None:
        return weights
    empty = ~np.broadcast_to(mask, scores.shape).any(axis=-1, keepdims=True)
    if empty_row.startswith("added_"):  # so low a number leaves the scores few digits
        free = softmax(scores + scores.dtype.type(empty_row.removeprefix("added_")), -1)
    else:
        free = scores.dtype.type({"zero": 0.0, "nan": np.nan}[empty_row])
    return np.where(empty, free, weights)


masked_softmax = oracle(parts=("weights",))(weights_over)


def _turned(key, turn):
    if turn == "reshaped":
        return key.reshape(key.shape[0], key.shape[2], key.shape[1])
    return key if turn == "none" else np.swapaxes(key, 1, 2)


def _finished(scores, output, scale, dim):
    """What comes after the products: nothing, or one of the steps that don't belong here."""
    scores = scores / {"none": 1.0, "root": float(np.sqrt(dim)), "dim": float(dim)}[scale]
    if output == "softmax":
        return softmax(scores, -1)
    return {"scores": scores, "negative": -scores, "transposed": np.swapaxes(scores, -1, -2)}[
        output
    ]


def _bilinear(query, key, kernel, *, turn, output, scale, batch, sides, kernel_use, activation):
    """Scores of a dot product with or without a matrix in between; sizes that clash crash."""
    size = query.shape[-1] if scale.endswith("_of_query") else key.shape[-1]
    try:
        if kernel is not None and kernel_use != "unused":
            kernel = kernel.T if kernel_use == "transposed" else kernel
            query = query @ kernel
        if activation == "tanh":
            query = np.tanh(query)
        if sides == "cosine":
            query, key = _unit(query), _unit(key)
        if sides == "query_query":
            key = query
        if sides == "key_key":
            query = key
        if sides == "distance":
            gaps = query[:, :, None] - key[:, None]
            return -np.sqrt((gaps * gaps).sum(axis=-1))
        if batch == "mixed":
            scores = np.einsum("bth,csh->bts", query, key)
        elif batch == "not_summed":
            return query[:, :, None] * key[:, None]
        else:
            scores = query @ _turned(key, turn)
    except ValueError as error:
        raise shapes_clash() from error
    if activation == "tanh_of_score":
        scores = np.tanh(scores)
    return _finished(scores, output, scale.removesuffix("_of_query"), size)


def products(
    query,
    key,
    *,
    turn="swapped",
    output="scores",
    scale="none",
    batch="each",
    sides="query_key",
):
    """Scores (B, T, S) by dot products of query (B, T, H) and key (B, S, H)."""
    switches = {"turn": turn, "output": output, "scale": scale, "batch": batch, "sides": sides}
    return _bilinear(query, key, None, kernel_use="used", activation="none", **switches)


dot_score = oracle(parts=("scores",))(products)


def through_a_kernel(
    query,
    key,
    kernel,
    *,
    turn="swapped",
    output="scores",
    scale="none",
    batch="each",
    sides="query_key",
    kernel_use="used",
    activation="none",
):
    """Scores (B, T, S) of query (B, T, Q) and key (B, S, K) through a kernel (Q, K)."""
    switches = {"turn": turn, "output": output, "scale": scale, "batch": batch, "sides": sides}
    return _bilinear(query, key, kernel, kernel_use=kernel_use, activation=activation, **switches)


general_score = oracle(parts=("scores",))(through_a_kernel)


_ACTIVATIONS = {
    "tanh": np.tanh,
    "none": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}


def additive(
    query,
    key,
    query_kernel,
    key_kernel,
    scale,
    *,
    activation="tanh",
    join="sum",
    kernels="own",
    counted="scale",
    output="scores",
):
    """Scores of a network with one hidden layer; what both oracles of it build on."""
    if kernels == "exchanged":
        query_kernel, key_kernel = key_kernel, query_kernel
    if kernels == "query_twice":
        key_kernel = query_kernel
    if kernels == "key_twice":
        query_kernel = key_kernel
    try:
        from_query, from_key = query @ query_kernel, key @ key_kernel
        if activation == "each_side":
            from_query, from_key = np.tanh(from_query), np.tanh(from_key)
        if join == "position_by_position":
            hidden = from_query + from_key
        else:
            from_query, from_key = from_query[:, :, None], from_key[:, None]
            hidden = {
                "sum": from_query + from_key,
                "product": from_query * from_key,
                "difference": from_query - from_key,
            }[join]
    except ValueError as error:
        raise shapes_clash() from error
    if activation == "of_scaled":
        hidden, counted = np.tanh(scale * hidden), "unscaled"
    hidden = _ACTIVATIONS.get(activation, _ACTIVATIONS["none"])(hidden)
    if counted == "nothing_summed":
        return scale * hidden
    scores = hidden.sum(axis=-1) if counted == "unscaled" else hidden @ scale
    if counted == "averaged":
        scores = scores / scale.shape[0]
    if activation == "after_sum":
        scores = np.tanh(scores)
    if join == "position_by_position":
        return scores
    if output == "axis_left":
        return scores[..., None]
    return np.squeeze(scores) if output == "squeezed" else _finished(scores, output, "none", 1)


additive_score = oracle(parts=("scores",))(additive)


def mixed(weights, value, *, mixing="weights", divided="no", batch="each", output="context"):
    """Values (B, S, V) mixed by weights (B, T, S) into (B, T, V)."""
    weights = {
        "weights": lambda w: w,
        "turned": lambda w: np.swapaxes(w, 1, 2),
        "softmax_again": lambda w: softmax(w, -1),
        "best_only": lambda w: (w == w.max(axis=-1, keepdims=True)).astype(w.dtype),
        "nothing": np.ones_like,
        "over_queries": lambda w: w / w.sum(axis=1, keepdims=True),
    }[mixing](weights)
    try:
        if output == "not_summed":
            return weights[..., None] * value[:, None]
        held = value.sum(axis=0, keepdims=True) if batch == "mixed" else value
        context = weights @ held  # einsum would let an axis of length one pass
    except ValueError as error:
        raise shapes_clash() from error
    context = context / {"no": 1.0, "by_keys": float(value.shape[1])}[divided]
    if output == "transposed":
        return np.swapaxes(context, 1, 2)
    if output == "summed_over_queries":
        return context.sum(axis=1)
    return context.squeeze() if output == "squeezed" else context


context_vector = oracle(parts=("context",))(mixed)


def _unit(x):
    return x / np.sqrt(np.sum(x * x, axis=-1, keepdims=True))
