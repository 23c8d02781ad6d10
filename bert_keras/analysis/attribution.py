"""Which parts of an input an output comes from."""

import numpy as np


def integrated_gradients(gradient, inputs, baseline, steps):
    """Share an output out among its inputs: gradients added up on the way from a baseline.

    Args:
        gradient: callable, a float64 array of the shape of `inputs` to the gradient of the output
            by it, an array of the same shape.
        inputs: float array of any shape, where the way ends.
        baseline: float array of the same shape, where it begins.
        steps: int, at how many points of the way to ask, at least 1: the middles of as many
            equal parts.

    Returns:
        float64 array of the shape of `inputs`. Its sum comes close to the output at `inputs` minus
        the output at `baseline`, the closer the more steps.

    Reference:
        Sundararajan et al., Axiomatic Attribution for Deep Networks (2017).
    """
    inputs, baseline = np.asarray(inputs, "float64"), np.asarray(baseline, "float64")
    way = inputs - baseline
    total = np.zeros_like(way)
    for step in range(steps):
        point = baseline + (step + 0.5) / steps * way
        total += np.asarray(gradient(point), "float64")
    return way * total / steps
