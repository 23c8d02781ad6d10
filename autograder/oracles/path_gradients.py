"""Integrated gradients, in NumPy, with a switch per mistake; and functions with known gradients."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle


def gradient_at(x, shifts, slopes):
    """The gradient of `sum((x - shifts)^4 / 4) + sum(slopes x)^2 / 2 + sum(slopes x)`.

    Its terms differ in how they bend: places on the way can't be exchanged, nor can inputs.
    """
    total = (slopes * x).sum()
    return (x - shifts) ** 3 + (total + 1) * slopes


def _shares(steps, points):
    """Where on the way the gradient is asked, from 0 (baseline) to 1 (inputs)."""
    if points.startswith("always_"):  # the number of steps isn't looked at
        steps = int(points[7:])
        points = "middles"
    k = np.arange(steps)
    if points == "both_ends_apart":
        return k / max(steps - 1, 1)
    return {
        "middles": lambda: (k + 0.5) / steps,
        "brackets_missing": lambda: k + 0.5 / steps,
        "left": lambda: k / steps,
        "right": lambda: (k + 1) / steps,
        "both_ends": lambda: np.arange(steps + 1) / steps,
        "inner": lambda: (k + 1) / (steps + 1),
        "end_only": lambda: np.array([1.0]),
        "start_only": lambda: np.array([0.0]),
        "middle_only": lambda: np.array([0.5]),
        "both_ends_only": lambda: np.array([0.0, 1.0]),
        "middles_but_the_last": lambda: (k[:-1] + 0.5) / steps,
        "one_middle_more": lambda: (np.arange(steps + 1) + 0.5) / steps,
        "middles_over_one_more": lambda: (k + 0.5) / (steps + 1),
    }[points]()


@oracle(parts=("attributions",))
def integrated_gradients(
    inputs,
    baseline,
    steps,
    shifts,
    slopes,
    *,
    points="middles",
    weighing="even",
    way="from_the_baseline",
    times="difference",
    total="mean",
    taken="as_it_is",
):
    """Attributions of every input for the function of `gradient_at`.

    Args:
        inputs, baseline: float arrays of one shape.
        steps: int.
        shifts, slopes: float arrays of that shape, see `gradient_at`.
        points, weighing, way, times, total, taken: the switches.

    Returns:
        float, shaped like inputs, unless a switch says otherwise.
    """
    kind = inputs.dtype.type
    shares = _shares(steps, points)
    difference = inputs - baseline
    found, moved = [], baseline
    for share in shares:
        share = kind(share)
        # point = baseline; point += …: each step begins where the last has ended.
        moved = moved + share * (inputs - moved if way == "baseline_moves" else difference)
        x = {
            "baseline_moves": lambda: moved,  # noqa: B023
            "baseline_moves_straight": lambda: moved,  # noqa: B023
            "from_the_baseline": lambda: baseline + share * difference,  # noqa: B023
            "from_zero": lambda: share * inputs,  # noqa: B023
            "baseline_added": lambda: baseline + share * inputs,  # noqa: B023
            "baseline_not_added": lambda: share * difference,  # noqa: B023
            "beyond": lambda: inputs + share * difference,  # noqa: B023
            "the_other_way": lambda: baseline - share * difference,  # noqa: B023
        }[way]()
        gradient = gradient_at(x, shifts, slopes)
        if taken == "absolute":
            gradient = np.abs(gradient)
        elif taken == "squared":
            gradient = gradient**2
        elif taken == "positive":
            gradient = np.maximum(gradient, 0)
        found.append(gradient)
    shape = (-1, *(1,) * inputs.ndim)
    if weighing == "trapezoid" and len(found) > 1:
        weights = np.ones(len(found), inputs.dtype)
        weights[[0, -1]] = 0.5
        weights *= len(found) / weights.sum()
        found = list(np.stack(found) * weights.reshape(shape))
    elif weighing == "by_share":
        found = list(np.stack(found) * shares.astype(inputs.dtype).reshape(shape))
    stacked = np.stack(found) if found else np.zeros((1, *inputs.shape), inputs.dtype)
    gradient = {
        "mean": lambda: stacked.mean(axis=0),
        "sum": lambda: stacked.sum(axis=0),
        "over_steps": lambda: stacked.sum(axis=0) / kind(steps),
        "over_one_more": lambda: stacked.sum(axis=0) / kind(steps + 1),
        "over_one_less": lambda: stacked.sum(axis=0) / kind(max(steps - 1, 1)),
        "the_last": lambda: stacked[-1],
        "returned_after_one": lambda: stacked[0] / kind(steps),
        "returned_after_one_undivided": lambda: stacked[0],
        "one_number": lambda: stacked.mean(),
        "largest": lambda: stacked.max(axis=0),
    }[total]()
    if way == "baseline_moves":
        difference = inputs - moved
    result = {
        "difference": lambda: difference * gradient,
        "turned": lambda: -difference * gradient,
        "inputs": lambda: inputs * gradient,
        "nothing": lambda: gradient,
        # point = baseline; point += …: by now the baseline is half a part behind inputs, or there.
        "baseline_moved": lambda: -difference / kind(2 * steps) * gradient,
        "baseline_moved_to_the_end": lambda: 0 * difference * gradient,
        "length": lambda: np.abs(difference) * gradient,
        "squared": lambda: difference**2 * gradient,
        "baseline": lambda: baseline * gradient,
    }[times]()
    return {
        "as_it_is": lambda: result,
        "absolute": lambda: result,
        "squared": lambda: result,
        "positive": lambda: result,
        "absolute_in_the_end": lambda: np.abs(result),
        "summed_up": lambda: result.sum(),
        "summed_over_features": lambda: result.sum(axis=-1),
        "shares": lambda: result / np.abs(result).sum(),
    }[taken]()


@oracle(parts=("unchanged",))
def unchanged(*, changes="no"):
    """Whether the inputs and the baseline are as they were."""
    return np.asarray(changes == "no")
