"""Confidence against accuracy: in NumPy float64, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle


def _confidence(probabilities, labels, confidence):
    """How sure every row is, (n,)."""
    ordered = np.sort(probabilities, axis=1)
    return {
        "of_the_label": lambda: probabilities[np.arange(len(labels)), labels],
        "lead": lambda: ordered[:, -1] - ordered[:, -2],
        "smallest": lambda: ordered[:, 0],
        "first_class": lambda: probabilities[:, 0],
        "last_class": lambda: probabilities[:, -1],
        "mean": lambda: probabilities.mean(axis=1),
        "entropy": lambda: (
            1
            + (probabilities * np.log(np.maximum(probabilities, 1e-300))).sum(axis=1)
            / np.log(probabilities.shape[1])
        ),
    }.get(confidence, lambda: ordered[:, -1])()


def _bins(confidence, num_bins, edges, spread, chance):
    """The number of every row's bin; −1 where it gets lost."""
    if spread == "same_size":
        order = np.argsort(confidence, kind="stable")
        parts = np.array_split(order, num_bins)
        found = np.zeros(len(confidence), int)
        for number, part in enumerate(parts):
            found[part] = number
        return found
    low, high = {
        "from_the_smallest": (confidence.min(), confidence.max()),
        "from_chance": (chance, 1.0),
    }.get(spread, (0.0, 1.0))
    number = {"ten": 10, "fifteen": 15, "one_more": num_bins + 1, "one_less": num_bins - 1}.get(
        spread, num_bins
    )
    number = max(1, number)
    width = max(high - low, 1e-12)
    scaled = (confidence - low) / width * number
    if edges == "rounded":
        return np.round(scaled).astype(int)
    if edges == "above":
        return np.minimum(np.floor(scaled).astype(int), number - 1)
    if edges == "above_own_bin":
        return np.floor(scaled).astype(int)
    if edges == "above_lost":
        found = np.floor(scaled).astype(int)
        return np.where(found >= number, -1, found)
    found = np.maximum(np.ceil(scaled).astype(int) - 1, 0)
    if edges == "both_open":
        return np.where(scaled == np.round(scaled), -1, found)
    return found


def gaps_of(
    probabilities,
    labels,
    num_bins,
    *,
    confidence="largest",
    right="largest",
    edges="below",
    spread="equal_width",
    middle="mean",
):
    """Of every bin with rows in it: its number, how many rows, accuracy − confidence.

    Args:
        probabilities: float (n, C); labels: int (n,); num_bins: int.
        confidence, right, edges, spread, middle: the switches.
    """
    sure = _confidence(probabilities, labels, confidence)
    answers = {
        "smallest": lambda: probabilities.argmin(axis=1),
        "last_of_equals": lambda: (
            probabilities.shape[1] - 1 - probabilities[:, ::-1].argmax(axis=1)
        ),
        "first_class": lambda: np.zeros(len(labels), int),
    }.get(right, lambda: probabilities.argmax(axis=1))()
    hits = (answers == labels).astype(float)
    if right == "probability_of_the_label":
        hits = probabilities[np.arange(len(labels)), labels]
    elif right == "misses":
        hits = 1 - hits
    elif right == "more_than_half":
        hits = (probabilities[np.arange(len(labels)), labels] > 0.5).astype(float)
    if confidence == "every_class":
        hits = (np.arange(probabilities.shape[1]) == labels[:, None]).astype(float).ravel()
        sure = probabilities.ravel()
    bins = _bins(sure, num_bins, edges, spread, 1 / probabilities.shape[1])
    found = []
    for number in np.unique(bins[bins >= 0]):
        inside = bins == number
        said = {
            "middle_of_the_bin": (number + 0.5) / num_bins,
            "upper_edge": (number + 1) / num_bins,
            "lower_edge": number / num_bins,
            "median": np.median(sure[inside]),
        }.get(middle, sure[inside].mean())
        found.append((int(number), int(inside.sum()), float(hits[inside].mean() - said)))
    return found, hits, sure


def error_of(found, hits, sure, num_bins, weight="share"):
    """The calibration error from what `gaps_of` returns."""
    numbers = np.array([number for _, number, _ in found], float)
    gaps = np.array([gap for _, _, gap in found])
    total = len(hits)
    if not len(found):
        return np.nan
    return {
        "same": lambda: np.abs(gaps).mean(),
        "over_all_bins": lambda: np.abs(gaps).sum() / num_bins,
        "none": lambda: np.abs(gaps).sum(),
        "largest": lambda: np.abs(gaps).max(),
        "rows": lambda: (numbers * np.abs(gaps)).sum(),
        "rows_over_bins": lambda: (numbers * np.abs(gaps)).sum() / num_bins,
        "squared": lambda: (numbers * gaps**2).sum() / total,
        "root_of_squares": lambda: np.sqrt((numbers * gaps**2).sum() / total),
        "signed": lambda: (numbers * gaps).sum() / total,
        "signed_turned": lambda: -(numbers * gaps).sum() / total,
        "signed_sum": lambda: abs((numbers * gaps).sum() / total),
        "signed_mean": lambda: abs(gaps.mean()),
        "too_sure_only": lambda: (numbers * np.maximum(-gaps, 0)).sum() / total,
        "row_by_row": lambda: np.abs(hits - sure).mean(),
        "percent": lambda: 100 * (numbers * np.abs(gaps)).sum() / total,
        "one_minus": lambda: 1 - (numbers * np.abs(gaps)).sum() / total,
    }.get(weight, lambda: (numbers * np.abs(gaps)).sum() / total)()


@oracle(parts=("error",))
def calibration_error(
    probabilities,
    labels,
    num_bins,
    *,
    confidence="largest",
    right="largest",
    edges="below",
    spread="equal_width",
    middle="mean",
    weight="share",
    empty="nothing",
    returned="float",
):
    """The expected calibration error, a float.

    Args:
        probabilities, labels, num_bins: as in the contract.
        confidence, right, edges, spread, middle, weight, empty, returned: the switches.
    """
    probabilities = np.asarray(probabilities, "float64")
    found, hits, sure = gaps_of(
        probabilities,
        labels,
        num_bins,
        confidence=confidence,
        right=right,
        edges=edges,
        spread=spread,
        middle=middle,
    )
    if empty == "nan" and {number for number, _, _ in found} != set(range(num_bins)):
        return np.float64(np.nan)
    error = error_of(found, hits, sure, num_bins, weight)
    if empty == "middle" and weight in ("same", "over_all_bins"):
        missing = set(range(num_bins)) - {number for number, _, _ in found}
        error += sum((number + 0.5) / num_bins for number in missing) / num_bins
    if returned == "gaps":
        return np.array([abs(gap) for _, _, gap in found])
    return np.float64(error)
