"""Layer normalisation in plain NumPy, with a switch for every mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import gradient_or_crash, shapes_clash, with_switches_of
from autograder.oracles.calculus import numeric_gradient

_AXES = {
    "features": (-1,),
    "tokens": (1,),
    "batch": (0,),
    "tokens_and_features": (1, 2),
    "all_but_features": None,
    "everything": (),
}


def _spread(x, centred, axes, spread, epsilon):
    """What the centred values are divided by."""
    count = int(np.prod([x.shape[axis] for axis in axes]))
    squares = np.sum(centred**2, axis=axes, keepdims=True)
    variance = squares / count
    with np.errstate(all="ignore"):
        if spread == "sample":
            return np.sqrt(squares / (count - 1) + epsilon)
        if spread == "variance":
            return variance + epsilon
        if spread == "root_of_deviation":
            return np.sqrt(np.sqrt(variance) + epsilon)
        if spread == "epsilon_outside":
            return np.sqrt(variance) + epsilon
        if spread == "sample_epsilon_outside":
            return np.sqrt(squares / (count - 1)) + epsilon
        if spread == "epsilon_in_both":
            return np.sqrt(variance + epsilon) + epsilon
        if spread == "epsilon_squared":
            return np.sqrt(variance + epsilon**2)
        if spread == "sum_of_squares":
            return np.sqrt(squares + epsilon)
        if spread == "around_zero":
            return np.sqrt(np.mean(x**2, axis=axes, keepdims=True) + epsilon)
        if spread == "absolute":
            return np.mean(np.abs(centred), axis=axes, keepdims=True) + epsilon
        if spread == "largest":
            return np.max(np.abs(centred), axis=axes, keepdims=True) + epsilon
        if spread == "none":
            return np.ones_like(variance)
        if spread == "inverted":
            return 1 / np.sqrt(variance + epsilon)
        return np.sqrt(variance + epsilon)


def normalised(
    x,
    gamma,
    beta,
    epsilon,
    *,
    spread="population",
    centre="subtracted",
    over="features",
    epsilon_used="own",
    gamma_use="times",
    beta_use="plus",
    affine="gamma_first",
    named="both",
    shaped="features",
    axes_kept="both",
):
    """Every vector along the last axis with mean 0 and variance 1, then scaled and shifted.

    Args:
        x: float (..., D).
        gamma, beta: float (D,).
        epsilon: float, added to the variance inside the root.
        spread, centre, over, epsilon_used, gamma_use, beta_use, affine, named, shaped, axes_kept:
            the switches.

    Returns:
        float (..., D).

    Raises:
        Crash: where the mistake could not run, or its weights could not be set.
    """
    if named not in ("both", "exchanged") or _shape(x.shape, shaped) != x.shape[-1:]:
        raise Crash()
    if epsilon_used == "none":
        epsilon = 0.0
    elif epsilon_used != "own":
        epsilon = float(epsilon_used)
    axes = _AXES[over]
    if over == "all_but_features":
        axes = tuple(range(x.ndim - 1))
    elif over == "everything":
        axes = tuple(range(x.ndim))
    if any(axis >= x.ndim for axis in axes):
        raise Crash()
    if axes_kept != "both":
        return _without_axes(x, gamma, beta, epsilon, axes_kept)
    mean = np.mean(x, axis=axes, keepdims=True)
    centred = x - mean
    divisor = _spread(x, centred, axes, spread, epsilon)
    moved = {"subtracted": centred, "kept": x, "added_back": centred, "largest": None}[centre]
    if moved is None:
        moved = x - np.max(x, axis=axes, keepdims=True)
    with np.errstate(all="ignore"):
        normal = moved / divisor
    if centre == "added_back":
        normal = normal + mean
    if named == "exchanged" or affine == "names_swapped":
        gamma, beta = beta, gamma
    factor = {"times": gamma, "unused": np.ones_like(gamma), "one_plus": 1 + gamma,
              "divides": 1 / gamma}[gamma_use]  # fmt: skip
    offset = {"plus": beta, "unused": np.zeros_like(beta), "minus": -beta}[beta_use]
    if affine == "beta_first":
        return (normal + offset) * factor
    if affine == "before":
        scaled = x * factor + offset
        rest = {"spread": spread, "centre": centre, "over": over}
        return normalised(scaled, np.ones_like(gamma), np.zeros_like(beta), epsilon, **rest)
    return normal * factor + offset


def _without_axes(x, gamma, beta, epsilon, kept):
    """What broadcasting makes of means that lost their axis, where it makes anything of them."""
    try:
        centred = x - np.mean(x, axis=-1, keepdims=kept == "mean")
        variance = np.var(x, axis=-1, keepdims=kept == "variance")
        return centred / np.sqrt(variance + epsilon) * gamma + beta
    except ValueError as error:
        raise shapes_clash() from error


layer_norm = oracle(parts=("output",))(normalised)


def _shape(shape, shaped):
    """The shape of gamma and beta in a layer that was built on this shape."""
    return {
        "features": shape[-1:],
        "one": (),
        "one_in_a_row": (1,),
        "tokens_too": shape[1:],
        "whole_input": shape,
        "tokens": shape[1:2],
    }[shaped]


@oracle(parts=("gamma", "beta"))
def fresh_norm_weights(shape, *, gamma_start="ones", beta_start="zeros", shaped="features",
                       named="both"):  # fmt: skip
    """Both weights before training.

    Args:
        shape: of the input that the layer was built on, (B, T, D).
        gamma_start, beta_start, shaped, named: the switches.

    Returns:
        float (D,), twice.
    """
    size = _shape(shape, shaped)
    values = {"ones": 1.0, "zeros": 0.0}
    if "random" in (gamma_start, beta_start):
        raise Crash()  # nobody knows these numbers; `norm_starts` tells that they are random
    gamma, beta = np.full(size, values[gamma_start]), np.full(size, values[beta_start])
    return (beta, gamma) if named == "exchanged" else (gamma, beta)


@oracle(parts=("starts",))
def norm_starts(*, gamma_start="ones", beta_start="zeros", named="both"):
    """How gamma and beta start, as text: see `starts_in_words`."""
    gamma, beta = gamma_start, beta_start
    return f"{beta}, {gamma}" if named == "exchanged" else f"{gamma}, {beta}"


def starts_in_words(gamma, beta):
    """The same from the weights that a layer has."""
    return f"{_start(gamma)}, {_start(beta)}"


def _start(weight):
    values = np.unique(np.asarray(weight, float))
    if len(values) > 1:
        return "random"
    return {0.0: "zeros", 1.0: "ones"}.get(float(values[0]), "another number")


@oracle(parts=("output",))
@with_switches_of(normalised)
def norm_in_graph(x, gamma, beta, epsilon, *, numpy="unused", **switches):
    """The output where the batch size isn't known; NumPy can't compute there."""
    if numpy == "used":
        raise Crash()
    return normalised(x, gamma, beta, epsilon, **switches)


@oracle(parts=("names",))
def norm_weight_names(*, named="both"):
    """Which of the names gamma and beta the layer's weights have, as text."""
    return {
        "both": "gamma, beta",
        "exchanged": "gamma, beta",
        "unnamed": "2 others",
        "gamma_only": "gamma",
        "beta_only": "beta",
        "gamma_and_another": "gamma, 1 others",
        "beta_and_another": "beta, 1 others",
        "none": "none",
    }[named]


@oracle(parts=("d_x",), slow=True)
@with_switches_of(normalised)
def layer_norm_gradient(x, gamma, beta, epsilon, cotangent, *, gradient="flows", **switches):
    """Gradient of sum(output * cotangent) for the input, by finite differences."""
    exact = [np.asarray(each, np.float64) for each in (gamma, beta)]

    def output(moved):
        return normalised(moved, *exact, epsilon, **switches)

    found = gradient_or_crash(output, [np.asarray(x, np.float64)], cotangent)
    return found if gradient == "flows" else (np.zeros_like(found[0]),)


@oracle(parts=("losses", "gamma", "beta"), slow=True)
@with_switches_of(normalised)
def norm_trained(x, gamma, beta, epsilon, targets, rate, steps, *, learns="both", **switches):
    """Gradient descent on the mean of squared errors, with slopes by finite differences.

    Args:
        x, targets: float (B, T, D).
        gamma, beta: float (D,), before the first step.
        epsilon, rate: floats.
        steps: int.
        learns: which of the two moves.

    Returns:
        The loss before every step, and both weights after the last.
    """
    x, targets = np.asarray(x, np.float64), np.asarray(targets, np.float64)
    weights, losses = [np.array(each, np.float64) for each in (gamma, beta)], []

    def output(*both):
        return normalised(x, *both, epsilon, **switches)

    for _ in range(steps):
        error = output(*weights) - targets
        losses.append(np.mean(error**2))
        slopes = numeric_gradient(output, weights, 2 * error / error.size)
        for name, weight, slope in zip(("gamma", "beta"), weights, slopes, strict=True):
            if learns in ("both", name):
                weight -= rate * slope
    return np.array(losses), *weights
