"""The mean over real queries, one number for every head: in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def averaged(per_query, counted, average):
    """One number for every head.

    Args:
        per_query: float (B, N, T), a number for every query of every head.
        counted: bool (B, T), the queries that count.
        average: the switch.

    Returns:
        float (N,), unless the switch says otherwise.
    """
    batch, heads, length = per_query.shape
    if average == "padding":
        counted = ~counted
    elif average in ("all_queries", "keys_masked"):
        counted = np.ones_like(counted)
    elif average == "assumed_on_the_right":
        counted = np.arange(length) < counted.sum(axis=1, keepdims=True)
    elif average == "first_row":
        counted = counted & (np.arange(batch) == 0)[:, None]
    elif average == "heads_masked":  # x[mask]: a mask takes up the first axes, rows and heads
        if counted.shape != (batch, heads):
            raise Crash("IndexError")
        return per_query[counted].mean(axis=0)
    inside = counted[:, None, :]
    sums = np.where(inside, per_query, 0).sum(axis=-1)  # (B, N)
    number = counted.sum(axis=1)  # (B,)
    if average == "reshaped":  # the axes of heads and queries read in the other order
        return per_query.reshape(batch * length, heads)[counted.ravel()].mean(axis=0)
    if average == "by_row":
        return sums / number[:, None].astype(sums.dtype)
    if average == "rows":
        return (sums / number[:, None].astype(sums.dtype)).mean(axis=0)
    if average == "rows_with_any":
        some = number > 0
        return (sums[some] / number[some, None].astype(sums.dtype)).mean(axis=0)
    divisor = {
        "divided_by_all": batch * length,
        "divided_by_rows": batch,
        "divided_by_length": length,
        "by_the_longest": batch * number.max(),
        "not_divided": 1,
        "heads_too": int(number.sum()) * heads,
    }.get(average, int(number.sum()))
    if divisor == 0:
        return np.full(heads, np.nan, sums.dtype)
    means = sums.sum(axis=0) / divisor
    return means.mean() if average == "one_number" else means


def closed_keys(weights, padding_mask, average):
    """Weights as somebody has them who puts the mask on the keys, where it changes nothing real."""
    if average != "keys_masked":
        return weights
    return np.where(padding_mask[:, None, None, :], weights, 0)


def turned(weights, axis):
    """Weights as somebody reads them who mistakes the axis of queries for that of keys."""
    return np.swapaxes(weights, -1, -2) if axis == "queries" else weights


@oracle(parts=("unchanged",))
def unchanged(*, edits="no"):
    """Whether weights that were handed in are as they were."""
    if edits not in ("no", "in_place"):
        raise Crash
    return np.asarray(edits == "no")
