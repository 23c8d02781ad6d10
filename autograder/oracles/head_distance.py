"""How far a head looks, in tokens: in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.head_queries import averaged, closed_keys, turned


def steps_between(length, kind):
    """Tokens from every query (row) to every key (column), float (T, T)."""
    places = np.arange(length, dtype=kind)
    return places[:, None] - places[None, :]


@oracle(parts=("distance",))
def attention_distance(
    weights,
    padding_mask,
    *,
    measure="weighted",
    steps="absolute",
    scale="tokens",
    axis="keys",
    average="queries",
):
    """Mean distance between query and key, by weight.

    Args:
        weights: float (B, N, T, T).
        padding_mask: bool (B, T).
        measure, steps, scale, axis, average: the switches.

    Returns:
        float (N,), unless a switch says otherwise.
    """
    weights = closed_keys(turned(weights, axis), padding_mask, average)
    kind = weights.dtype.type
    length = weights.shape[-1]
    between = steps_between(length, weights.dtype)
    between = {
        "absolute": lambda: np.abs(between),
        "query_minus_key": lambda: between,
        "key_minus_query": lambda: -between,
        "squared": lambda: between**2,
        "backwards_only": lambda: np.maximum(between, 0),
        "forwards_only": lambda: np.maximum(-between, 0),
        "place_of_the_key": lambda: np.broadcast_to(np.arange(length, dtype=kind), between.shape),
        "from_one": lambda: np.abs(between) + 1,
        "not_itself": lambda: np.maximum(np.abs(between) - 1, 0),
    }[steps]()
    chosen = weights.argmax(axis=-1)  # (B, N, T)
    places = np.arange(length, dtype=kind)
    per_query = {
        "weighted": lambda: (weights * between).sum(axis=-1),
        "mean_over_keys": lambda: (weights * between).mean(axis=-1),
        "of_the_largest": lambda: between[np.arange(length), chosen],
        "of_the_mean_place": lambda: np.abs(places - (weights * places).sum(axis=-1)),
        "root_of_squares": lambda: np.sqrt((weights * between**2).sum(axis=-1)),
        "unweighted": lambda: np.broadcast_to(between.mean(axis=-1), chosen.shape).copy(),
        "of_open_keys": lambda: (
            ((weights > 0) * between).sum(axis=-1)
            / np.maximum((weights > 0).sum(axis=-1), 1).astype(kind)
        ),
    }[measure]()
    if scale == "over_real_tokens":
        per_query = per_query / padding_mask.sum(axis=1)[:, None, None].astype(kind)
    found = averaged(per_query.astype(kind), padding_mask, average)
    if scale == "absolute_in_the_end":
        return np.abs(found)
    if scale == "root":
        return np.sqrt(found)
    divisor = {"tokens": 1, "over_largest": max(length - 1, 1)}.get(scale, 1)
    return found / kind(divisor)
