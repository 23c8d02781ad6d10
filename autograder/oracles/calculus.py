"""Derivatives by finite differences, the independent witness for every gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np


def numeric_gradient(
    function: Callable[..., np.ndarray],
    arguments: Sequence[np.ndarray],
    cotangent: np.ndarray,
    step: float = 1e-5,
) -> tuple[np.ndarray, ...]:
    """Central differences of ``sum(function(*arguments) * cotangent)``.

    Computed in float64 whatever the inputs are: differences of single-precision numbers carry too
    few digits to be compared with anything.

    Args:
        function: maps float64 arrays to one float array shaped like ``cotangent``.
        arguments: float arrays; each is differentiated with respect to every element.
        cotangent: float array, the weights of the sum.
        step: the distance moved to either side.

    Returns:
        One float64 array per argument, of its shape.
    """
    points = [np.array(each, np.float64) for each in arguments]
    cotangent = np.asarray(cotangent, np.float64)
    gradients = []
    for point in points:
        gradient = np.zeros_like(point)
        for index in np.ndindex(point.shape):
            centre = point[index]
            point[index] = centre + step
            above = float(np.sum(function(*points) * cotangent))
            point[index] = centre - step
            below = float(np.sum(function(*points) * cotangent))
            point[index] = centre
            gradient[index] = (above - below) / (2 * step)
        gradients.append(gradient)
    return tuple(gradients)
