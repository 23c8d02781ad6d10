"""How widely a head looks: the entropy of its rows, in NumPy, with a switch per mistake."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.head_queries import averaged, closed_keys, turned

# What somebody adds to a weight so that its logarithm is finite, and it shows.
EPSILONS = {f"{number:g}": number for number in (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)}


def _informations(weights, zero):
    """−ln a of every weight, and the weights that it's multiplied with."""
    kind = weights.dtype.type
    with np.errstate(all="ignore"):
        if zero.startswith("added_"):
            return -np.log(weights + kind(EPSILONS[zero[6:]])), weights
        if zero.startswith("moved_"):
            weights = weights + kind(EPSILONS[zero[6:]])
            return -np.log(weights), weights
        if zero.startswith("clipped_"):
            weights = np.maximum(weights, kind(EPSILONS[zero[8:]]))
            return -np.log(weights), weights
        if zero == "one_more":
            return -np.log1p(weights), weights
        if zero in ("not_a_number", "row_lost", "row_skipped"):
            return -np.log(weights), weights
        return -np.log(np.where(weights > 0, weights, 1)), weights


@oracle(parts=("entropy",))
def attention_entropy(
    weights,
    padding_mask,
    *,
    log="nats",
    zero="nothing",
    sign="minus",
    axis="keys",
    measure="entropy",
    average="queries",
    first="entropy",
):
    """Mean entropy of every head's rows.

    Args:
        weights: float (B, N, T, T).
        padding_mask: bool (B, T).
        log, zero, sign, axis, measure, average, first: the switches.

    Returns:
        float (N,), unless a switch says otherwise.
    """
    weights = closed_keys(turned(weights, axis), padding_mask, average)
    length = weights.shape[-1]
    if first == "mean_row":  # the entropy of the mean row, not the mean of entropies
        rows = averaged_rows(weights, padding_mask)  # (N, T)
        weights, padding_mask = rows[None, :, None, :], np.ones((1, 1), bool)
    information, weights = _informations(weights, zero)
    with np.errstate(all="ignore"):
        per_query = {
            "entropy": lambda: (weights * information).sum(axis=-1),
            "mean_over_keys": lambda: (weights * information).mean(axis=-1),
            "unweighted": lambda: information.sum(axis=-1),
            "unweighted_mean": lambda: information.mean(axis=-1),
            "log_times_log": lambda: (information * information).sum(axis=-1),
            "squares": lambda: 1 - (weights * weights).sum(axis=-1),
            "largest": lambda: -np.log(weights.max(axis=-1)),
            "perplexity": lambda: np.exp((weights * information).sum(axis=-1)),
            "of_uniform": lambda: (weights * information).sum(axis=-1) / math.log(length),
            "of_real": lambda: (
                (weights * information).sum(axis=-1)
                / np.log(np.maximum(padding_mask.sum(axis=1), 2))[:, None, None].astype(
                    weights.dtype
                )
            ),
            "below_uniform": lambda: math.log(length) - (weights * information).sum(axis=-1),
        }[measure]()
    if zero == "row_lost":
        per_query = np.nan_to_num(per_query, nan=0.0)
    if zero == "row_skipped":
        per_query = _without_nan(per_query, padding_mask)
        found = per_query
    else:
        found = averaged(per_query, padding_mask, average)
    kind = weights.dtype.type
    factor = {"nats": 1.0, "bits": 1 / math.log(2), "decimal": 1 / math.log(10)}[log]
    if sign == "plus":
        factor = -factor
    return found * kind(factor)


def averaged_rows(weights, padding_mask):
    """The mean row of every head, (N, T)."""
    rows = np.swapaxes(weights, 1, 2)[padding_mask]  # (Q, N, T)
    return rows.mean(axis=0)


def _without_nan(per_query, padding_mask):
    """Means over the real queries whose entropy is a number."""
    real = np.swapaxes(per_query, 1, 2)[padding_mask]  # (Q, N)
    known = ~np.isnan(real)
    number = known.sum(axis=0)
    with np.errstate(all="ignore"):
        return np.where(known, real, 0).sum(axis=0) / number.astype(real.dtype)
