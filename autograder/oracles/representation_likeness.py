"""How alike two representations are, by linear centred kernel alignment, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def _centred(x, centring):
    """A representation less what is taken for its means."""
    if centring == "rows":
        return x - x.mean(axis=1, keepdims=True)
    if centring == "one_number":
        return x - x.mean()
    if centring == "none":
        return x
    x = x - x.mean(axis=0)
    if centring == "unit_spread":
        spread = x.std(axis=0)
        return x / np.where(spread > 0, spread, 1).astype(x.dtype)
    if centring == "unit_rows":
        return x / np.sqrt((x**2).sum(axis=1, keepdims=True))
    return x


def _norm(matrix, norm):
    """The size of a matrix."""
    if norm == "largest_stretch":
        return np.linalg.norm(matrix, 2)
    if norm == "sum_of_sizes":
        return np.abs(matrix).sum()
    if norm == "nuclear":
        return np.linalg.norm(matrix, "nuc")
    return np.sqrt((matrix**2).sum())


@oracle(parts=("likeness",))
def linear_cka(
    x,
    y,
    *,
    centring="columns",
    above="squared",
    below="of_both",
    norm="frobenius",
    axes="examples_first",
    measure="cka",
    scale="likeness",
):
    """One number for two representations.

    Args:
        x: float (n, D1).
        y: float (n, D2).
        centring, above, below, norm, axes, measure, scale: the switches.

    Returns:
        A number.

    Raises:
        Crash: where the mistake would raise.
    """
    if axes == "turned":
        x, y = x.T, y.T
    x = _centred(x, "none" if centring in ("y_alone", "neither") else centring)
    y = _centred(y, "none" if centring in ("x_alone", "neither") else centring)
    if measure == "flat":  # number by number, as if feature i were the same in both
        if x.shape != y.shape:
            raise Crash("ValueError")
        found = (x * y).sum() / np.sqrt((x**2).sum() * (y**2).sum())
        return np.asarray(found)
    if len(x) != len(y):
        raise Crash("ValueError")
    if measure == "canonical":  # what is the same for every linear map
        ends = [np.linalg.svd(each, full_matrices=False)[0] for each in (x, y)]
        ranks = [np.linalg.matrix_rank(each) for each in (x, y)]
        ends = [end[:, :rank] for end, rank in zip(ends, ranks, strict=True)]
        return np.asarray((np.square(ends[1].T @ ends[0])).sum() / x.dtype.type(min(ranks)))
    across = _norm(y.T @ x, norm)
    if above == "squared":
        across = across**2
    own = _norm(x.T @ x, norm), _norm(y.T @ y, norm)
    divisor = {
        "of_both": lambda: own[0] * own[1],
        "of_x": lambda: own[0] ** 2,
        "of_y": lambda: own[1] ** 2,
        "added": lambda: own[0] + own[1],
        "mean": lambda: (own[0] ** 2 + own[1] ** 2) / 2,
        "root": lambda: np.sqrt(own[0] * own[1]),
        "squared": lambda: own[0] ** 2 * own[1] ** 2,
        "of_the_features": lambda: _norm(x, norm) ** 2 * _norm(y, norm) ** 2,
        "of_the_features_once": lambda: _norm(x, norm) * _norm(y, norm),
        "none": lambda: x.dtype.type(1),
        "examples": lambda: x.dtype.type((len(x) - 1) ** 2),
    }[below]()
    found = across / divisor
    return np.asarray(
        {"likeness": found, "root": np.sqrt(found), "difference": 1 - found, "square": found**2}[
            scale
        ]
    )
