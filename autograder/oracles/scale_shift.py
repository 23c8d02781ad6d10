"""A layer with one scale and one shift per feature: what it has, gives, learns and remembers."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle

BOTH = "scale, shift"


@oracle(parts=("weights",))
def weight_names(*, names="named", owned="both"):
    """Which weights the layer has, as a text.

    Args:
        names, owned: the switches.

    Returns:
        The names in order; weights of other names are counted.
    """
    if owned == "neither":
        return "none"
    if owned != "both":
        return owned
    return {"named": BOTH, "unnamed": "2 others", "scale_only": "scale, 1 others"}[names]


@oracle(parts=("scale", "shift"))
def first_weights(features, initial_scale, length, batch, *, size="features", start="initial_scale",
                  shift_start="zeros"):  # fmt: skip
    """Both weights before training.

    Args:
        features, length, batch: D, T and B of the inputs that the layer was built on.
        initial_scale: float.
        size, start, shift_start: the switches.

    Returns:
        float (D,), twice.
    """
    shape = {
        "features": (features,),
        "one": (),
        "one_in_a_row": (1,),
        "positions_too": (length, features),
        "whole_input": (batch, length, features),
    }[size]
    scale = {"initial_scale": initial_scale, "one": 1.0, "zero": 0.0}[start]
    shift = {"zeros": 0.0, "ones": 1.0, "initial_scale": initial_scale}[shift_start]
    return np.full(shape, scale), np.full(shape, shift)


def _settable(names, owned, size):
    """Weights of other names or shapes can't be given the values that a case chose."""
    if (names, owned, size) != ("named", "both", "features"):
        raise Crash


@oracle(parts=("output",))
def scale_shift(x, scale, shift, *, order="scale_first", scaled="times", shifted="plus",
                names="named", owned="both", size="features"):  # fmt: skip
    """The layer's output.

    Args:
        x: float (..., D).
        scale, shift: float (D,).
        order, scaled, shifted, names, owned, size: the switches.

    Returns:
        float (..., D).
    """
    _settable(names, owned, size)
    shift = {"plus": shift, "minus": -shift, "none": 0.0, "times": 0.0}[shifted]
    if order == "shift_first":
        x = x + shift
    if order == "names_swapped":
        scale, shift = shift, scale
    moved = {"times": x * scale, "plus": x + scale, "over": x / scale, "none": x,
             "one_plus": x * (1 + scale)}[scaled]  # fmt: skip
    return moved if order == "shift_first" else moved + shift


@oracle(parts=("losses", "scale", "shift"))
def trained(x, scale, shift, targets, rate, steps, *, order="scale_first", scaled="times",
            shifted="plus", learns="both", names="named", owned="both",
            size="features"):  # fmt: skip
    """Gradient descent on the mean of squared errors.

    Args:
        x, targets: float (B, T, D).
        scale, shift: float (D,), before the first step.
        rate: float, the learning rate.
        steps: int.
        order, scaled, shifted, learns, names, owned, size: the switches.

    Returns:
        The loss before every step, and both weights after the last.
    """
    _settable(names, owned, size)
    scale, shift, losses = scale.copy(), shift.copy(), []
    axes = tuple(range(x.ndim - 1))
    for _ in range(steps):
        how = {"order": order, "scaled": scaled, "shifted": shifted}
        error = scale_shift.raw(x, scale, shift, **how) - targets
        losses.append(np.mean(error**2))
        slope = 2 * error / error.size
        sign = {"plus": 1.0, "minus": -1.0, "none": 0.0, "times": 0.0}[shifted]
        by_scale = {"times": slope * x, "one_plus": slope * x, "plus": slope,
                    "over": -slope * x / scale**2, "none": 0 * slope}[scaled]  # fmt: skip
        by_shift = sign * slope
        if order == "shift_first":
            by_scale, by_shift = slope * (x + sign * shift), sign * slope * scale
        elif order == "names_swapped":
            by_scale, by_shift = slope, slope * x
        if learns in ("both", "scale"):
            scale = scale - rate * by_scale.sum(axis=axes)
        if learns in ("both", "shift"):
            shift = shift - rate * by_shift.sum(axis=axes)
    return np.array(losses), scale, shift


@oracle(parts=("mean",))
def mean_after(x, mask, scale, shift, *, passes="on", order="scale_first", scaled="times",
               shifted="plus", names="named", owned="both", size="features"):  # fmt: skip
    """The mean over real tokens that a layer behind this one takes, if it is told which are real.

    Args:
        x: float (B, T, D).
        mask: bool (B, T), True at real tokens; the layer in front sets pads to 0.
        scale, shift: float (D,).
        passes, order, scaled, shifted, names, owned, size: the switches.

    Returns:
        float (B, D).
    """
    _settable(names, owned, size)
    real = mask[..., None].astype(x.dtype)
    how = {"order": order, "scaled": scaled, "shifted": shifted}
    output = scale_shift.raw(x * real, scale, shift, **how)
    if passes == "inverted":
        real = 1 - real
    if passes == "lost":
        real = np.ones_like(real)
    return (output * real).sum(axis=1) / real.sum(axis=1)


@oracle(parts=("output",))
def fresh(x, initial_scale, whose, *, config="whole", start="initial_scale", shift_start="zeros",
          order="scale_first", scaled="times", shifted="plus"):  # fmt: skip
    """What a new layer gives before training.

    Args:
        x: float (..., D).
        initial_scale: float, what the first layer was made with.
        whose: str, `layer`, or `twin` for one made from its config.
        config, start, shift_start, order, scaled, shifted: the switches.

    Returns:
        float (..., D).
    """
    if whose == "twin" and config == "missing":
        raise Crash
    initial = 1.0 if whose == "twin" and config == "incomplete" else initial_scale
    made = first_weights.raw(x.shape[-1], initial, 1, 1, start=start, shift_start=shift_start)
    scale, shift = (weight.astype(x.dtype) for weight in made)
    return scale_shift.raw(x, scale, shift, order=order, scaled=scaled, shifted=shifted)


@oracle(parts=("dtype",))
def output_dtype(asked, whose, *, config="whole", options="passed_on"):
    """Number format of an output, which only Keras's own part of layer and config knows.

    Args:
        asked: str, the dtype that the first layer was made with.
        whose: str, `layer`, or `twin` for one made from its config.
        config, options: the switches.

    Returns:
        str.
    """
    if whose == "twin" and config == "missing":
        raise Crash
    forgotten = whose == "twin" and config == "without_base"
    return "float32" if forgotten or options == "dropped" else asked
