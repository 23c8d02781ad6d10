"""How much of their attention words give to special tokens: in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.head_queries import averaged, turned


@oracle(parts=("mass",))
def mass_on_special(
    weights,
    special_mask,
    padding_mask,
    *,
    keys="special",
    queries="words",
    mass="sum",
    axis="keys",
    average="queries",
    scale="share",
):
    """The share of attention that goes to special tokens, for every head.

    Args:
        weights: float (B, N, T, T).
        special_mask: bool (B, T).
        padding_mask: bool (B, T).
        keys, queries, mass, axis, average, scale: the switches.

    Returns:
        float (N,), unless a switch says otherwise.
    """
    weights = turned(weights, axis)
    kind = weights.dtype.type
    wanted = {
        "special": special_mask,
        "words": padding_mask & ~special_mask,
        "special_and_padding": special_mask | ~padding_mask,
        "first": np.broadcast_to(np.arange(special_mask.shape[1]) == 0, special_mask.shape),
        "not_the_first": special_mask & (np.arange(special_mask.shape[1]) > 0),
        "last_special": special_mask & (special_mask[:, ::-1].cumsum(axis=1)[:, ::-1] == 1),
        "of_the_first_row": np.broadcast_to(special_mask[:1], special_mask.shape),
    }[keys]
    counted = {
        "words": padding_mask & ~special_mask,
        "all_real": padding_mask,
        "not_special": ~special_mask,
        "special": special_mask,
        "everything": np.ones_like(special_mask),
    }[queries]
    there = wanted[:, None, None, :]
    if axis == "mask_on_queries":  # the mask stands along the queries, the sum is over keys
        there = wanted[:, None, :, None]
    given = np.where(there, weights, 0)
    chosen = weights.argmax(axis=-1)  # (B, N, T)
    number = np.maximum(wanted.sum(axis=1), 1)[:, None, None].astype(kind)
    per_query = {
        "sum": lambda: given.sum(axis=-1),
        "mean": lambda: given.sum(axis=-1) / number,
        "mean_over_keys": lambda: given.mean(axis=-1),
        "largest": lambda: given.max(axis=-1),
        "how_often_largest": lambda: np.take_along_axis(wanted[:, None, :], chosen, axis=-1),
        "over_the_rest": lambda: given.sum(axis=-1) / np.where(there, 0, weights).sum(axis=-1),
        "over_real_keys": lambda: (
            given.sum(axis=-1) / padding_mask.sum(axis=1)[:, None, None].astype(kind)
        ),
    }[mass]()
    found = averaged(per_query.astype(kind), counted, average)
    if scale == "over_all_real":  # the sum is that of words, the number isn't
        return found * kind(counted.sum() / padding_mask.sum())
    return found * kind(100) if scale == "percent" else found
