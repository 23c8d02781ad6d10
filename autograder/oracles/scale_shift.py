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
    return {"named": BOTH, "exchanged": BOTH, "unnamed": "2 others"}[names]


@oracle(parts=("scale", "shift"))
def first_weights(features, initial_scale, length, batch, *, size="features", start="initial_scale",
                  shift_start="zeros", names="named"):  # fmt: skip
    """Both weights before training.

    Args:
        features, length, batch: D, T and B of the inputs that the layer was built on.
        initial_scale: float.
        size, start, shift_start, names: the switches.

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
    made = np.full(shape, scale), np.full(shape, shift)
    return made[::-1] if names == "exchanged" else made


def _settable(names, owned, size):
    """Weights of other names or shapes can't be given the values that a case chose."""
    if names == "unnamed" or (owned, size) != ("both", "features"):
        raise Crash


@oracle(parts=("output",))
def scale_shift(x, scale, shift, initial_scale=1.0, *, order="scale_first", scaled="times",
                shifted="plus", names="named", owned="both", size="features"):  # fmt: skip
    """The layer's output.

    Args:
        x: float (..., D).
        scale, shift: float (D,).
        initial_scale: float, what the layer was made with.
        order, scaled, shifted, names, owned, size: the switches.

    Returns:
        float (..., D).
    """
    _settable(names, owned, size)
    if names == "exchanged":  # each was given the other's values
        scale, shift = shift, scale
    shift = {"plus": shift, "minus": -shift, "none": 0.0, "times": 0.0}[shifted]
    if order == "shift_first":
        x = x + shift
    if order == "names_swapped":
        scale, shift = shift, scale
    moved = {"times": x * scale, "plus": x + scale, "over": x / scale, "none": x,
             "initial": x * initial_scale, "one_plus": x * (1 + scale)}[scaled]  # fmt: skip
    return moved if order == "shift_first" else moved + shift


@oracle(parts=("output",))
def any_axes(x, scale, shift, built_on, *, axes="any", order="scale_first", scaled="times",
             shifted="plus", names="named", owned="both", size="features"):  # fmt: skip
    """The layer's output for inputs of any number of axes.

    Args:
        x: float (..., D).
        scale, shift: float (D,).
        built_on: int, the number of axes that the layer was built on.
        axes: what counts on three axes: `three` the call, `three_in_build` the build.
        order, scaled, shifted, names, owned, size: the switches.

    Returns:
        float (..., D).
    """
    if {"any": 3, "three": x.ndim, "three_in_build": built_on}[axes] != 3:
        raise Crash
    how = {"order": order, "scaled": scaled, "shifted": shifted}
    return scale_shift.raw(x, scale, shift, names=names, owned=owned, size=size, **how)


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
    if names == "exchanged":
        scale, shift = shift, scale
    scale, shift, losses = scale.copy(), shift.copy(), []
    axes = tuple(range(x.ndim - 1))
    for _ in range(steps):
        how = {"order": order, "scaled": scaled, "shifted": shifted}
        error = scale_shift.raw(x, scale, shift, **how) - targets
        losses.append(np.mean(error**2))
        slope = 2 * error / error.size
        sign = {"plus": 1.0, "minus": -1.0, "none": 0.0, "times": 0.0}[shifted]
        by_scale = {"times": slope * x, "one_plus": slope * x, "plus": slope,
                    "over": -slope * x / scale**2, "none": 0 * slope,
                    "initial": 0 * slope}[scaled]  # fmt: skip
        by_shift = sign * slope
        if order == "shift_first":
            by_scale, by_shift = slope * (x + sign * shift), sign * slope * scale
        elif order == "names_swapped":
            by_scale, by_shift = slope, slope * x
        if learns in ("both", "scale"):
            scale = scale - rate * by_scale.sum(axis=axes)
        if learns in ("both", "shift"):
            shift = shift - rate * by_shift.sum(axis=axes)
    return (np.array(losses), *((shift, scale) if names == "exchanged" else (scale, shift)))


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
    how = {"order": order, "scaled": scaled, "shifted": shifted, "names": names}
    output = scale_shift.raw(x * real, scale, shift, **how)
    if passes == "inverted":
        real = 1 - real
    if passes == "lost":
        real = np.ones_like(real)
    return (output * real).sum(axis=1) / real.sum(axis=1)


@oracle(parts=("output",))
def fresh(x, initial_scale, whose, learnt=None, *, config="whole", start="initial_scale",
          shift_start="zeros", order="scale_first", scaled="times", shifted="plus"):  # fmt: skip
    """What a new layer gives before training.

    Args:
        x: float (..., D).
        initial_scale: float, what the first layer was made with.
        whose: str, `layer`, or `twin` for one made from its config.
        learnt: float (D,), the first layer's scale when the config was asked for.
        config, start, shift_start, order, scaled, shifted: the switches.

    Returns:
        float (..., D).
    """
    if whose == "twin" and config == "missing":
        raise Crash
    initial = 1.0 if whose == "twin" and config == "incomplete" else initial_scale
    if whose == "twin" and config == "learnt":
        initial = learnt
    made = first_weights.raw(x.shape[-1], initial, 1, 1, start=start, shift_start=shift_start)
    scale, shift = (weight.astype(x.dtype) for weight in made)
    how = {"order": order, "scaled": scaled, "shifted": shifted}
    return scale_shift.raw(x, scale, shift, initial, **how)


@oracle(parts=("dtype",))
def output_dtype(asked, whose, *, config="whole", options="passed_on", weight_dtype="asked"):
    """Number format of an output, which only Keras's own part of layer and config knows.

    Args:
        asked: str, the dtype that the first layer was made with, `float16` or `mixed_float16`:
            with the latter weights are float32 and are cast where they are used.
        whose: str, `layer`, or `twin` for one made from its config.
        config, options, weight_dtype: the switches.

    Returns:
        str.
    """
    if whose == "twin" and config == "missing":
        raise Crash
    forgotten = whose == "twin" and config == "without_base"
    wide_weights = weight_dtype == "fixed" and asked == "float16"
    return "float32" if forgotten or wide_weights or options == "dropped" else "float16"
