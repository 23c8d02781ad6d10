"""One step of self-attention that keeps keys and values, in plain NumPy with switches."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import MASKED, shapes_clash, softmax
from autograder.oracles.heads import merge_array, split_array
from autograder.oracles.multi_head import PROJECTIONS

__all__ = ["PROJECTIONS", "causal_attention", "kv_cache_step", "projected"]


def projected(x, weights, name):
    """What one of the four projections makes of x."""
    return x @ weights[f"{name}.kernel"] + weights[f"{name}.bias"]


def causal_attention(x, weights, num_heads):
    """The outputs (B, T, D) of all tokens at once, under a causal mask; and keys and values."""
    query, keys, values = (
        split_array(projected(x, weights, name), num_heads) for name in PROJECTIONS[:3]
    )
    scores = query @ np.swapaxes(keys, -1, -2) / math.sqrt(query.shape[-1])
    open_keys = np.tril(np.ones((x.shape[1], x.shape[1]), bool))
    mixed = softmax(np.where(open_keys, scores, MASKED), -1) @ values
    return projected(merge_array(mixed), weights, "output_dense"), keys, values


DENSE = {
    "own": (0, 1, 2),
    "key_and_value_exchanged": (0, 2, 1),
    "query_for_all": (0, 0, 0),
    "key_for_query": (1, 1, 2),
    "key_for_value": (0, 1, 1),
    "value_for_key": (0, 2, 2),
    "query_for_key": (0, 0, 2),
}


@oracle(parts=("output", "keys", "values"))
def kv_cache_step(
    x,
    keys,
    values,
    weights,
    num_heads,
    *,
    dense="own",
    place="last",
    looked_at="all",
    returned_cache="longer",
    split="by_head",
    output="projected",
    scale="right",
    returned="triple",
):
    """Output of one new token, and the caches with it.

    Args:
        x: float (B, 1, D).
        keys, values: float (B, N, t, H).
        weights: of the four projections, by path.
        num_heads: N.
        dense, place, looked_at, returned_cache, split, output, scale, returned: the switches.

    Returns:
        output (B, 1, D), keys and values (B, N, t + 1, H), unless ``returned`` says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    names = [PROJECTIONS[i] for i in DENSE[dense]]
    try:
        query, key, value = (
            split_array(projected(x, weights, n), num_heads, split=split) for n in names
        )
        before = keys, values
        keys, values = (
            _with(new, old, place) for new, old in zip((key, value), before, strict=True)
        )
        if place == "keys_first":
            keys = _with(key, before[0], "first")
        if place == "values_first":
            values = _with(value, before[1], "first")
        if place == "values_not_kept":
            values = before[1]
        seen = _looked_at(looked_at, (keys, values), (key, value), before)
        divisor = {
            "right": math.sqrt(query.shape[-1]),
            "twice": float(query.shape[-1]),
            "none": 1.0,
            "root_of_model": math.sqrt(x.shape[-1]),
        }[scale]
        scores = query @ np.swapaxes(seen[0], -1, -2) / divisor
        if looked_at == "first_under_a_triangle":  # the triangle of one query is its first row
            scores = np.where(np.arange(scores.shape[-1]) == 0, scores, scores.dtype.type(MASKED))
        shares = softmax(scores, -1) if scores.shape[-1] else scores  # nothing to look at
        mixed = merge_array(shares @ seen[1])
        if output == "projected":
            mixed = projected(mixed, weights, "output_dense")
        if output == "with_x":
            mixed = x + projected(mixed, weights, "output_dense")
        if output == "query_projection":
            mixed = projected(mixed, weights, "query_dense")
    except ValueError as error:
        raise shapes_clash() from error
    keys, values = {
        "as_before": before,
        "new_only": (key, value),
        "exchanged": (values, keys),
    }.get(returned_cache, (keys, values))
    return {
        "output_only": mixed,
        "cache_first": (keys, values, mixed),
        "nested": (mixed, (keys, values)),
        "without_token_axis": (mixed[:, 0], keys, values),
        "weights_too": (mixed, keys, values, shares),
    }.get(returned, (mixed, keys, values))


def _with(new, old, place):
    """The cache with the new token somewhere in it."""
    if place == "first":
        return np.concatenate([new, old], axis=2)
    if place == "last_replaced":
        return np.concatenate([old[:, :, :-1], new], axis=2)
    if place == "oldest_dropped":
        return np.concatenate([old[:, :, 1:], new], axis=2)
    return np.concatenate([old, new], axis=2)


def _looked_at(kind, full, new, before):
    return {
        "before_only": before,
        "itself_only": new,
        "old_values": (full[0], before[1]),
        "last_before": tuple(cache[:, :, -1:] for cache in before),
        "keys_as_values": (full[0], full[0]),
        "values_as_keys": (full[1], full[1]),
        "exchanged": (full[1], full[0]),
    }.get(kind, full)
