"""Multi-head attention in plain NumPy from given weights, with a switch for every mistake."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import (
    attend,
    gradient_or_crash,
    lose_gradient,
    output_of,
    shapes_clash,
    with_switches_of,
)
from autograder.oracles.heads import merge_array, split_array

PROJECTIONS = ("query_dense", "key_dense", "value_dense", "output_dense")


def _dense(x, weights, name, biases="added"):
    if name is None:
        return x
    product = x @ weights[f"{name}.kernel"]
    output = name == "output_dense"
    left_out = {
        "added": False,
        "missing": True,
        "missing_in_output": output,
        "missing_in_inputs": not output,
    }[biases]
    return product if left_out else product + weights[f"{name}.bias"]


def _activated(x, activation, name):
    """``activation`` is a function's name, alone or with the one projection it stands behind."""
    how, _, only = activation.partition("_on_")
    if how == "none" or (only and only != name):
        return x
    if how == "relu":
        return np.maximum(x, 0)
    if how == "tanh":
        return np.tanh(x)
    if how == "sigmoid":
        return 1 / (1 + np.exp(-x))
    root = math.sqrt(2.0)  # gelu, the exact form
    return x * (1 + np.vectorize(math.erf, otypes=[x.dtype])(x / root)) / 2


def _fresh(x, width, rng):
    kernel = rng.uniform(-1, 1, (x.shape[-1], width)) * math.sqrt(6 / (x.shape[-1] + width))
    return x @ kernel.astype(x.dtype)


_DENSE = {
    "own": ("query_dense", "key_dense", "value_dense"),
    "shared": ("query_dense", "query_dense", "query_dense"),
    "key_shared": ("key_dense", "key_dense", "key_dense"),
    "value_shared": ("value_dense", "value_dense", "value_dense"),
    "key_value_shared": ("query_dense", "key_dense", "key_dense"),
    "query_key_shared": ("query_dense", "query_dense", "value_dense"),
    "key_value_exchanged": ("query_dense", "value_dense", "key_dense"),
    "query_key_exchanged": ("key_dense", "query_dense", "value_dense"),
    "query_value_exchanged": ("value_dense", "key_dense", "query_dense"),
    "cycle": ("key_dense", "value_dense", "query_dense"),
    "cycle_back": ("value_dense", "query_dense", "key_dense"),
    "no_query": (None, "key_dense", "value_dense"),
    "no_key": ("query_dense", None, "value_dense"),
    "no_value": ("query_dense", "key_dense", None),
    "none": (None, None, None),
}
_INPUTS = {
    "own": (0, 1, 2),
    "query_from_key": (1, 1, 2),
    "query_from_value": (2, 1, 2),
    "key_from_query": (0, 0, 2),
    "key_from_value": (0, 2, 2),
    "value_from_key": (0, 1, 1),
    "value_from_query": (0, 1, 0),
    "all_from_query": (0, 0, 0),
    "all_from_key": (1, 1, 1),
    "key_value_exchanged": (0, 2, 1),
}


def _head_mask(mask, head_axis, num_heads):
    if head_axis == "inserted":
        return mask[:, None]
    if head_axis == "at_2":
        return mask[:, :, None]
    if head_axis == "first_item":
        return mask[:1, None]
    if head_axis == "at_the_end":
        return mask[..., None]
    if head_axis == "tiled":  # the items in turn, where each should be repeated for every head
        return np.tile(mask, (num_heads, 1, 1)).reshape(len(mask), num_heads, *mask.shape[1:])
    return mask  # "missing"


@with_switches_of(attend)
def multi_head(
    query,
    key,
    value,
    mask,
    weights,
    num_heads,
    dropout=None,
    *,
    projections="own",
    inputs="own",
    activation="none",
    split="by_head",
    merge="side_by_side",
    output_projection="applied",
    head_axis="inserted",
    over="tokens",
    layers="own",
    returned="weights",
    biases="added",
    causal="never",
    residual="none",
    **switches,
):
    """Multi-head attention from given weights, with switches.

    Args:
        query: float (B, T, any).
        key, value: float (B, S, any).
        mask: None or bool (B, T, S) or (B, 1, S).
        weights: dict of "query_dense.kernel" and so on.
        num_heads: int N.
        dropout: None or a function of an array.

    Returns:
        The pair (output (B, T, D), weights (B, N, T, S)), unless ``returned`` says otherwise.

    Raises:
        Crash: where the mistake could not run on these sizes.
    """
    given = (query, key, value)
    rng = np.random.default_rng()  # fresh layers are drawn anew in every call
    try:
        projected = []
        width = weights["query_dense.kernel"].shape[1]
        names = _DENSE[projections]
        for source, name in zip(_INPUTS[inputs], names, strict=True):
            x = given[source]
            fresh = layers in ("fresh", "fresh_projections")
            x = _fresh(x, width, rng) if fresh else _dense(x, weights, name, biases)
            x = _activated(x, activation, _INPUT_NAMES[len(projected)])
            if over == "batch":
                x = np.swapaxes(x, 0, 1)
            projected.append(split_array(x, num_heads, split=split))
        open_keys = None if mask is None else _head_mask(mask, head_axis, num_heads)
        if causal == "always" or (causal == "without_a_mask" and mask is None):
            triangle = np.tri(query.shape[1], key.shape[1], dtype=bool)
            open_keys = triangle if open_keys is None else open_keys & triangle
        answer = attend(
            *projected,
            open_keys,
            dropout,
            returned=returned if returned in _BY_ATTENTION else "weights",
            **switches,
        )
        output, shown = answer
        output = merge_array(output, merge=merge)
        if over == "batch":
            output = np.swapaxes(output, 0, 1)
        if output_projection != "missing":
            fresh = layers in ("fresh", "fresh_output")
            output = (
                _fresh(output, width, rng)
                if fresh
                else _dense(output, weights, "output_dense", biases)
            )
            if output_projection == "twice":
                output = _dense(output, weights, "output_dense", biases)
            if activation.endswith("_on_output"):
                output = _activated(output, activation, "output")
        if residual == "query":
            output = output + query
        if residual == "projected_query":
            output = output + _dense(query, weights, "query_dense", biases)
    except (ValueError, IndexError) as error:
        raise shapes_clash() from error
    reduced = {
        "averaged_heads": lambda: shown.mean(axis=1),
        "averaged_heads_kept": lambda: shown.mean(axis=1, keepdims=True),
        "summed_heads": lambda: shown.sum(axis=1),
        "largest_heads": lambda: shown.max(axis=1),
        "first_head": lambda: shown[:, 0],
    }
    if returned in reduced:
        shown = reduced[returned]()
    if returned == "weights_first":
        return shown, output
    return output if returned == "output_only" else (output, shown)


_INPUT_NAMES = ("query", "key", "value")
_BY_ATTENTION = ("scores", "unmasked_scores", "transposed_weights")
multi_head_attention = oracle(parts=("output", "weights"))(multi_head)


@oracle(parts=("d_query", "d_key", "d_value"), slow=True)
@with_switches_of(multi_head)
def multi_head_gradient(
    query, key, value, mask, weights, num_heads, cotangent, *, gradient="flows", **switches
):
    """Gradient of sum(output * cotangent) for the three inputs, by finite differences."""
    inputs = [np.asarray(each, np.float64) for each in (query, key, value)]
    exact = {name: np.asarray(array, np.float64) for name, array in weights.items()}

    def output(*moved):
        return multi_head(*moved, mask, exact, num_heads, **switches)[0]

    return lose_gradient(gradient_or_crash(output, inputs, cotangent), gradient)


@oracle()
@with_switches_of(multi_head)
def weights_that_count(query, key, value, weights, num_heads, change, **switches):
    """Bool (5,): does the output move with each of the four kernels, and does it repeat itself?"""
    return which_count(
        lambda w: output_of(multi_head(query, key, value, None, w, num_heads, **switches)),
        weights,
        change,
    )


def which_count(run, weights, change):
    """Try every kernel in turn.

    Args:
        run: maps a dict of weights to an output array.
        weights: dict of arrays.
        change: dict of arrays, what is added to each kernel.

    Returns:
        bool (5,): one for each of the four projections, and whether two equal calls agree.
    """
    base, again = run(weights), run(weights)
    repeats = np.allclose(base, again, atol=1e-6)
    moved = []
    for name in PROJECTIONS:
        kernel = f"{name}.kernel"
        other = run({**weights, kernel: weights[kernel] + change[kernel].astype(base.dtype)})
        moved.append(not np.allclose(base, other, atol=1e-4))
    # What changes by itself says nothing about the kernels.
    return np.array([m and repeats for m in moved] + [repeats])
