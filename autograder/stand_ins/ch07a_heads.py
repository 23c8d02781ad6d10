"""Stand-ins of notebook ch07a: functions whose gradients are known everywhere."""

import numpy as np

from autograder.messages import for_reader


def _bent_gradient(shifts, slopes):
    """The gradient of a function that bends; see `oracles.path_gradients.gradient_at`.

    The grader's own oracles can't be reached from where answers run, so this stands here once more.
    """
    shifts, slopes = (np.asarray(x, "float64") for x in (shifts, slopes))

    def gradient(x):
        x = np.asarray(x, "float64")
        if x.shape != shifts.shape:
            raise ValueError(
                for_reader(
                    f"gradient 要一个形状和 inputs 一样的数组，{shifts.shape}，这里是 {x.shape}",
                    f"gradient wants an array of the shape of inputs, {shifts.shape}, and got "
                    f"{x.shape}",
                )
            )
        return (x - shifts) ** 3 + ((slopes * x).sum() + 1) * slopes

    return gradient


def _way_and_gradient(shifts, slopes, inputs, baseline, steps):
    """All arguments of one call, in float64, where += would succeed."""
    copies = [np.array(x, "float64") for x in (inputs, baseline)]
    return [_bent_gradient(shifts, slopes), *copies, int(steps)]


def _way_afterwards():
    """A function of the same arguments that says what has become of the arrays."""
    return lambda gradient, inputs, baseline, steps: (inputs, baseline)


BUILDERS = {
    "bent_gradient": _bent_gradient,
    "way_and_gradient": _way_and_gradient,
    "way_afterwards": _way_afterwards,
}
