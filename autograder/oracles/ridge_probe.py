"""A linear probe by ridge regression, in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def _one_hot(labels, num_classes, targets, kind):
    """What the probe is fitted to, (n, K)."""
    if targets == "the_numbers":
        return labels[:, None].astype(kind)
    if targets == "up_to_the_largest":
        num_classes = int(labels.max()) + 1
    elif targets == "those_that_occur":
        labels = np.unique(labels, return_inverse=True)[1].reshape(-1)
        num_classes = int(labels.max()) + 1
    elif targets == "counted_from_one":
        labels = labels - 1
    y = np.eye(num_classes, dtype=kind)[labels]
    if targets == "plus_and_minus_one":
        return 2 * y - 1
    if targets == "shares_of_classes":  # every column adds up to one
        return y / np.maximum(y.sum(axis=0), 1)
    return y


def _penalty(ridge, n, size, penalty, kind):
    """What is added to XᵀX, (D, D)."""
    factor = {
        "times_n": ridge * n,
        "over_n": ridge / n,
        "squared": ridge**2,
        "root": ridge**0.5,
        "halved": ridge / 2,
        "doubled": ridge * 2,
        "always_1": 1.0,
        "none": 0.0,
        "turned": -ridge,
        "inverse": 1 / ridge,
    }.get(penalty, ridge)
    if penalty == "on_all_entries":
        return np.full((size, size), factor, kind)
    return factor * np.eye(size, dtype=kind)


def _solved(x, y, penalty):
    """(XᵀX + penalty)⁻¹ XᵀY, or the shortest such solution where there is no inverse."""
    matrix = x.T @ x + penalty
    if np.linalg.matrix_rank(matrix) < len(matrix):
        return np.linalg.pinv(matrix) @ (x.T @ y)
    return np.linalg.solve(matrix, x.T @ y)


def _centres(x, y, tests, centring):
    """What is taken off features, one-hot labels and test features; and what is put back."""
    zero_x, zero_y = np.zeros_like(x[0]), np.zeros_like(y[0])
    mean_x, mean_y = x.mean(axis=0), y.mean(axis=0)
    uniform = np.full_like(mean_y, 1 / len(mean_y))
    both = np.concatenate([x, tests]).mean(axis=0)
    rows = x.mean(axis=1, keepdims=True), tests.mean(axis=1, keepdims=True)
    return {
        "right": (mean_x, mean_y, mean_x, mean_y),
        "none": (zero_x, zero_y, zero_x, zero_y),
        "targets_alone": (zero_x, mean_y, zero_x, mean_y),
        "test_left_alone": (mean_x, mean_y, zero_x, mean_y),
        "test_alone": (zero_x, mean_y, mean_x, mean_y),
        "test_by_itself": (mean_x, mean_y, tests.mean(axis=0), mean_y),
        "all_features": (both, mean_y, both, mean_y),
        "not_put_back": (mean_x, mean_y, mean_x, zero_y),
        "equal_shares_back": (mean_x, mean_y, mean_x, uniform),
        "taken_off_once_more": (mean_x, mean_y, mean_x, -mean_y),
        "one_number": (x.mean(), y.mean(), x.mean(), y.mean()),
        "one_number_for_x": (x.mean(), mean_y, x.mean(), mean_y),
        "every_row": (rows[0], mean_y, rows[1], mean_y),
    }[centring]


@oracle(parts=("scores",))
def probe_layer(
    features,
    labels,
    test_features,
    num_classes,
    ridge=1.0,
    *,
    centring="right",
    targets="one_hot",
    penalty="ridge",
    constant="by_means",
    scaled="not",
    result="scores",
    missing="allowed",
):
    """Scores of classes.

    Args:
        features: float (n, D).
        labels: int (n,).
        test_features: float (M, D).
        num_classes: int.
        ridge: float.
        centring, targets, penalty, constant, scaled, result, missing: the switches.

    Returns:
        float (M, C), unless a switch says otherwise.

    Raises:
        Crash: where the mistake would raise.
    """
    kind = features.dtype.type
    x, tests = features, test_features
    if missing == "refused" and len(np.unique(labels)) < num_classes:
        raise Crash("ValueError")
    y = _one_hot(labels, num_classes, targets, kind)
    if constant == "penalised":
        x = np.concatenate([x, np.ones_like(x[:, :1])], axis=1)
        tests = np.concatenate([tests, np.ones_like(tests[:, :1])], axis=1)
        centring = "none"
    if scaled == "to_unit_spread":
        spread = x.std(axis=0)
        spread = np.where(spread > 0, spread, 1).astype(kind)
        x, tests = x / spread, tests / spread
    off_x, off_y, off_tests, back = _centres(x, y, tests, centring)
    x, y, tests = x - off_x, y - off_y, tests - off_tests
    slopes = _solved(x, y, _penalty(ridge, len(x), x.shape[1], penalty, kind))
    scores = (x if result == "of_the_fitted" else tests) @ slopes + back
    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return {
        "softmax": lambda: grown / grown.sum(axis=-1, keepdims=True),
        "sigmoid": lambda: 1 / (1 + np.exp(-scores)),
        "classes": lambda: scores.argmax(axis=-1),
        "largest": lambda: scores.max(axis=-1),
        "one_hot": lambda: np.eye(scores.shape[-1], dtype=kind)[scores.argmax(axis=-1)],
        "turned": lambda: scores.T,
        "in_one_row": lambda: scores[:, 0],
    }.get(result, lambda: scores)()


@oracle(parts=("refused",))
def refused(*, refusal="both"):
    """Whether a ValueError is raised for a label below 0, for one that is C, and for one above."""
    return np.array(
        {
            "both": (True, True, True),
            "none": (False, False, False),
            "too_large_only": (False, True, True),
            "negative_only": (True, False, False),
            "larger_than_c": (True, False, True),
        }[refusal]
    )
