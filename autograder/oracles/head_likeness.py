"""How alike two heads are: 1 - JSD / ln 2 of their rows, in NumPy, with a switch per mistake."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.head_queries import averaged, turned


def _times_log(x, y, zero):
    """x ln y summed over keys; 0 where x is 0, unless a switch says otherwise."""
    kind = x.dtype.type
    with np.errstate(all="ignore"):
        if zero == "not_a_number":
            return (x * np.log(y)).sum(axis=-1)
        if zero.startswith("added_"):
            return (x * np.log(y + kind(float(zero[6:])))).sum(axis=-1)
        return (x * np.log(np.where(x > 0, y, 1))).sum(axis=-1)


def _divergences(p, q, measure, middle, zero):
    """Of every query, (B, T, N, N), in nats; p and q are (B, T, N, 1, T) and (B, T, 1, N, T)."""
    if measure == "first_against_second":
        return _times_log(p, p, zero) - _cross(p, q, zero)
    if measure == "second_against_first":
        return _times_log(q, q, zero) - _cross(q, p, zero)
    if measure == "both_ways":
        one = _times_log(p, p, zero) - _cross(p, q, zero)
        return (one + np.swapaxes(one, -1, -2)) / 2
    if measure == "total_variation":
        return np.abs(p - q).sum(axis=-1) / 2 * math.log(2)
    if measure == "distance":
        return np.sqrt(((p - q) ** 2).sum(axis=-1)) * math.log(2)
    if measure == "cosine":
        norms = np.sqrt((p * p).sum(axis=-1) * (q * q).sum(axis=-1))
        return (1 - (p * q).sum(axis=-1) / norms) * math.log(2)
    if measure == "overlap":
        return (1 - np.sqrt(p * q).sum(axis=-1)) * math.log(2)
    mixed = {
        "half": lambda: (p + q) / 2,
        "sum": lambda: p + q,
        "geometric": lambda: np.sqrt(p * q),
        "uniform": lambda: np.full_like(p + q, 1 / p.shape[-1]),
    }[middle]()
    own, other = _times_log(p, p, zero), _times_log(q, q, zero)
    if measure == "entropy_of_the_sum":  # H(p + q) - H(p) / 2 - H(q) / 2
        return (own + other) / 2 - _times_log(p + q, p + q, zero)
    if measure == "one_half_only":
        return own - _times_log_of(p, mixed, zero)
    if measure == "other_half_only":
        return other - _times_log_of(q, mixed, zero)
    both = own - _times_log_of(p, mixed, zero) + other - _times_log_of(q, mixed, zero)
    if measure == "not_halved":
        return both
    if measure == "entropies_turned":
        return -both / 2
    if measure == "own_not_halved":  # H(m) - H(p) - H(q)
        return both / 2 + (own + other) / 2
    return both / 2


def _times_log_of(p, mixed, zero):
    p = np.broadcast_to(p, mixed.shape)
    return _times_log(p, mixed, "nothing" if zero == "not_a_number" else zero)


def _cross(p, q, zero):
    """p ln q; minus infinity where q lacks what p has, unless something tiny is added to q."""
    p, q = np.broadcast_arrays(p, q)
    if zero.startswith("added_"):
        q = q + p.dtype.type(float(zero[6:]))
    with np.errstate(all="ignore"):
        return np.where(p > 0, p * np.log(q), 0).sum(axis=-1)


@oracle(parts=("similarity",))
def head_similarity(
    weights,
    padding_mask,
    *,
    measure="jensen_shannon",
    middle="half",
    zero="nothing",
    axis="keys",
    first="divergence",
    average="queries",
    root="no",
    unit="ln_2",
    turn="similarity",
    filled="all",
):
    """One minus the divergence of every pair of heads, from 0 to 1.

    Args:
        weights: float (B, N, T, T).
        padding_mask: bool (B, T).
        measure, middle, zero, axis, first, average, root, unit, turn, filled: the switches.

    Returns:
        float (N, N), unless a switch says otherwise.
    """
    weights = turned(weights, axis)
    kind = weights.dtype.type
    heads = weights.shape[1]
    rows = np.swapaxes(weights, 1, 2)  # (B, T, N, T)
    if average == "heads_masked":  # weights[mask]: rows and heads for rows and queries
        if padding_mask.shape != weights.shape[:2]:
            raise Crash("IndexError")
        rows, average = weights[padding_mask][None], "queries"
        padding_mask = np.ones(rows.shape[:2], bool)
    if first == "mean_row":  # one divergence of the mean rows
        rows = rows[padding_mask].mean(axis=0)[None, None]
        padding_mask = np.ones((1, 1), bool)
    with np.errstate(all="ignore"):
        pairs = _divergences(rows[:, :, :, None], rows[:, :, None, :], measure, middle, zero)
        if unit == "largest":
            pairs = pairs / pairs.max()
        pairs = pairs / kind(
            {
                "ln_2": math.log(2),
                "twice": math.log(2) ** 2,
                "multiplied": 1 / math.log(2),
                "ln_keys": math.log(weights.shape[-1]),
            }.get(unit, 1.0)
        )
        if root == "of_every_row":
            pairs = np.sqrt(np.maximum(pairs, 0))
        flat = np.moveaxis(pairs.reshape(*pairs.shape[:2], -1), 1, -1)  # (B, N * N, T)
        found = averaged(flat, padding_mask, average)
    if found.ndim:
        found = found.reshape(*found.shape[:-1], heads, heads)
    if root == "of_the_mean":
        found = np.sqrt(np.maximum(found, 0))
    found = {
        "similarity": lambda: 1 - found,
        "divergence": lambda: found,
        "minus": lambda: -found,
        "exponential": lambda: np.exp(-found),
        "reciprocal": lambda: 1 / (1 + found),
    }[turn]()
    if found.ndim == 2:
        found = {
            "all": lambda: found,
            "above_the_diagonal": lambda: np.triu(found, 1),
            "above_and_the_diagonal": lambda: np.triu(found),
            "without_the_diagonal": lambda: found * (1 - np.eye(heads, dtype=found.dtype)),
            "first_against_all": lambda: found[0],
            "pairs_in_a_row": lambda: found[np.triu_indices(heads, 1)],
        }[filled]()
    return found
