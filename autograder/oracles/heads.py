"""Heads in plain NumPy: splitting, merging, multi-head attention and what is built on it."""

from __future__ import annotations

import itertools
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
from autograder.oracles.masks import causal_mask_array, combine_masks_array

ORDERS = tuple("".join(order) for order in itertools.permutations("0123"))
PROJECTIONS = ("query_dense", "key_dense", "value_dense", "output_dense")


def split_array(x, num_heads, *, split="by_head"):
    """(B, T, D) cut into (B, N, T, D/N); ``split`` is the switch."""
    batch, length, width = x.shape
    size = width // num_heads
    cut = x.reshape(batch, length, num_heads, size)
    if split == "by_head":
        return cut.transpose(0, 2, 1, 3)
    if split == "bare_reshape":
        return x.reshape(batch, num_heads, length, size)
    if split == "not_transposed":
        return cut
    if split == "interleaved":
        return x.reshape(batch, length, size, num_heads).transpose(0, 3, 1, 2)
    if split == "sizes_swapped":
        return x.reshape(batch, length, size, num_heads).transpose(0, 2, 1, 3)
    if split == "features_before_tokens":
        return cut.transpose(0, 2, 3, 1)
    if split == "heads_first":
        return cut.transpose(2, 0, 1, 3)
    if split.startswith("order_"):  # the four axes in some other order
        return cut.transpose([int(axis) for axis in split.removeprefix("order_")])
    if split == "bare_reshape_moved":
        return x.reshape(batch, num_heads, length, size).transpose(0, 2, 1, 3)
    if split == "bare_reshape_of_columns":
        return np.swapaxes(x, 1, 2).reshape(batch, num_heads, length, size)
    if split == "by_token":
        return x.reshape(batch, num_heads, length // num_heads, width)
    if split == "folded_by_head":
        return cut.transpose(2, 0, 1, 3).reshape(batch * num_heads, length, size)
    if split == "list_of_heads":
        return tuple(cut.transpose(2, 0, 1, 3))
    if split == "first_block":
        return np.repeat(cut[:, :, :1], num_heads, axis=2).transpose(0, 2, 1, 3)
    if split == "folded":
        return cut.transpose(0, 2, 1, 3).reshape(batch * num_heads, length, size)
    if split == "everything":
        return np.repeat(x[:, None], num_heads, axis=1)
    if split == "reversed":
        return cut[:, :, ::-1].transpose(0, 2, 1, 3)
    assert split == "single", split
    return x[:, None]


def merge_array(x, *, merge="side_by_side"):
    """(B, N, T, H) joined to (B, T, N*H); ``merge`` is the switch."""
    batch, heads, length, size = x.shape
    reduced = {"mean": np.mean, "sum": np.sum, "max": np.max, "min": np.min, "prod": np.prod}
    if merge == "side_by_side":
        return x.transpose(0, 2, 1, 3).reshape(batch, length, heads * size)
    if merge == "bare_reshape":
        return x.reshape(batch, length, heads * size)
    if merge == "interleaved":
        return x.transpose(0, 2, 3, 1).reshape(batch, length, heads * size)
    if merge.startswith("order_"):  # the axes moved in some other way, then joined
        order = [int(axis) for axis in merge.removeprefix("order_")]
        return x.transpose(order).reshape(batch, length, heads * size)
    if merge == "bare_reshape_of_columns":
        return np.swapaxes(x.reshape(batch, heads * size, length), 1, 2)
    if merge == "flat":  # of heads that never left their place behind the tokens
        return x.reshape(batch, heads, length * size)
    if merge == "batch_second":
        return x.transpose(2, 0, 1, 3).reshape(length, batch, heads * size)
    if merge == "tokens_flattened":
        return x.transpose(0, 2, 1, 3).reshape(batch * length, heads * size)
    if merge == "along_batch":
        return x.transpose(1, 0, 2, 3).reshape(heads * batch, length, size)
    if merge == "list_of_heads":
        return tuple(x.transpose(1, 0, 2, 3))
    if merge == "unchanged":
        return x
    if merge == "last_head":
        return x[:, -1]
    if merge == "not_joined":
        return x.transpose(0, 2, 1, 3)
    if merge == "first_head":
        return x[:, 0]
    if merge == "along_tokens":
        return x.reshape(batch, heads * length, size)
    if merge == "reversed":
        return x[:, ::-1].transpose(0, 2, 1, 3).reshape(batch, length, heads * size)
    how, _, repeated = merge.partition("_")
    joined = reduced[how](x, axis=1)
    if repeated == "repeated":
        return np.repeat(joined, heads, axis=-1)
    return np.tile(joined, (1, 1, heads)) if repeated else joined


split_heads = oracle()(split_array)
merge_heads = oracle()(merge_array)


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
    return {
        "weights": (output, shown),
        "scores": (output, shown),
        "unmasked_scores": (output, shown),
        "transposed_weights": (output, shown),
        "summed_heads": (output, shown.sum(axis=1)),
        "largest_heads": (output, shown.max(axis=1)),
        "first_head": (output, shown[:, 0]),
        "averaged_heads_kept": (output, shown.mean(axis=1, keepdims=True)),
        "weights_first": (shown, output),
        "output_only": output,
        "averaged_heads": (output, shown.mean(axis=1)),
    }[returned]


_INPUT_NAMES = ("query", "key", "value")
_BY_ATTENTION = ("scores", "unmasked_scores", "transposed_weights")
multi_head_attention = oracle(parts=("output", "weights"))(multi_head)


@oracle(parts=("d_query", "d_key", "d_value"))
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


@oracle()
@with_switches_of(multi_head)
def dropout_facts(
    query, key, value, weights, num_heads, rate, *, dropout_when="training", **switches
):
    """What dropout does, as bool (6,); see ``facts_of_dropout``."""
    rng = np.random.default_rng()

    def drop(x):
        return x * (rng.random(x.shape) >= rate).astype(x.dtype) / (1 - rate)

    arguments = (query, key, value, None, weights, num_heads)
    training = multi_head(*arguments, drop, **switches)
    calm = drop if dropout_when == "always" else None
    inference, again = (multi_head(*arguments, calm, **switches) for _ in range(2))
    return facts_of_dropout(training, inference, again, num_heads)


def facts_of_dropout(training, inference, again, num_heads):
    """Compare one call in training with two in inference, on values that are all one.

    With such values an output is the sum of the weights that were kept, the same for all features
    of a head: dropping weights changes whole heads, dropping outputs single features.

    Returns:
        bool (6,): outputs differ; features of a head agree; every output is kept whole or lost;
        the returned weights are the same; no output grew more than dropping once can make it;
        inference repeats itself. Where it doesn't, nothing else can be said and all are False.
    """
    if not np.allclose(output_of(inference), output_of(again), atol=1e-5):
        return np.zeros(6, bool)
    after, before = output_of(training), output_of(inference)
    heads = after.reshape(*after.shape[:-1], num_heads, -1)
    lost = np.isclose(after, 0, atol=1e-4)
    whole = np.isclose(after, before / 0.5, atol=1e-3)
    same = True
    if isinstance(training, tuple):
        same = np.allclose(training[1], inference[1], atol=1e-5)
    return np.array(
        [
            not np.allclose(after, before, atol=1e-3),
            np.allclose(heads, heads[..., :1], atol=1e-3),
            bool(np.all(lost | whole)),
            bool(same),
            not (after > before / 0.5 + 1e-3).any(),
            True,
        ]
    )


@oracle(parts=("output", "weights"))
@with_switches_of(multi_head, causal_mask_array, combine_masks_array)
def causal_self_attention(x, padding_mask, weights, num_heads, **switches):
    """Causal multi-head self-attention over padded sequences; zeros for padded queries.

    ``triangle="everything"`` forgets the causal mask, ``combine="attention_only"`` the padding.
    """
    mask_switches = {
        name: switches.pop(name)
        for name in ("combine", "padding_axis", "padding_polarity")
        if name in switches
    }
    triangle = causal_mask_array(x.shape[1], triangle=switches.pop("triangle", "lower"))
    for name in ("batch", "attention_axes", "output"):
        switches.pop(name, None)
    mask = combine_masks_array(padding_mask, triangle, **mask_switches)
    return real_queries(multi_head(x, x, x, mask, weights, num_heads, **switches), padding_mask)


def real_queries(answer, padding_mask):
    """The answer with zeros for padded queries, whose results nobody reads.

    Args:
        answer: the pair, or whatever else came in its place.
        padding_mask: bool (B, T).
    """
    if isinstance(answer, (tuple, list)):
        return tuple(real_queries(part, padding_mask) for part in answer)
    part = np.asarray(answer)
    axes = {3: (slice(None), slice(None), None), 4: (slice(None), None, slice(None), None)}
    real = padding_mask[axes[part.ndim]] if part.ndim in axes else None
    if real is None or part.dtype.kind != "f" or part.shape[part.ndim - 2] != real.shape[-2]:
        return answer
    return np.where(real, part, part.dtype.type(0)) if len(part) == len(real) else answer
