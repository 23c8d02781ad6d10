"""A mix of layers with learned shares and its training, in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, softmax, with_switches_of
from autograder.oracles.calculus import numeric_gradient

BOTH, LISTED = "scores, scale", "a list"
_SCALE_STARTS = {"one": 1.0, "zero": 0.0, "random": np.nan}


def shares_of(scores, scale, how, length):
    """The share of every layer, float (L,)."""
    kind = scores.dtype.type
    with np.errstate(all="ignore"):
        return {
            "softmax": lambda: softmax(scores, -1),
            "raw": lambda: scores,
            "sigmoid": lambda: 1 / (1 + np.exp(-scores)),
            "divided_by_sum": lambda: scores / scores.sum(),
            "exponentials": lambda: np.exp(scores),
            "relu": lambda: np.maximum(scores, 0),
            "even": lambda: np.full_like(scores, 1 / length),
            "ones": lambda: np.ones_like(scores),
            "softmax_twice": lambda: softmax(softmax(scores, -1), -1),
            "logarithms": lambda: np.log(softmax(scores, -1)),
            "scaled_inside": lambda: softmax(scores * scale, -1),
            "temperature": lambda: softmax(scores / kind(np.sqrt(length)), -1),
            "top_only": lambda: np.eye(length, dtype=scores.dtype)[-1],
            "bottom_only": lambda: np.eye(length, dtype=scores.dtype)[0],
            "likeliest": lambda: np.eye(length, dtype=scores.dtype)[scores.argmax()],
            "backwards": lambda: softmax(scores, -1)[::-1],
        }[how]()


def mixture(layers, scores, scale, *, shares="softmax", scaled="times", combined="sum"):
    """Layers mixed by their shares, then scaled.

    Args:
        layers: list of L float (..., D).
        scores: float (L,).
        scale: float ().
        shares, scaled, combined: the switches.

    Returns:
        float (..., D).

    Raises:
        Crash: where the sizes don't allow the mistake.
    """
    weights = shares_of(scores, scale, shares, len(layers))
    weighted = [weight * layer for weight, layer in zip(weights, layers, strict=True)]
    try:
        mixed = {
            "sum": lambda: sum(weighted),
            "mean": lambda: sum(weighted) / len(layers),
            "side_by_side": lambda: np.concatenate(weighted, axis=-1),
            "stacked": lambda: np.stack(weighted),
            "maximum": lambda: np.max(np.stack(weighted), axis=0),
            "summed_features": lambda: sum(weighted).sum(axis=-1),
            "with_the_top": lambda: sum(weighted) + layers[-1],
            "without_the_top": lambda: sum(weighted[:-1], 0 * layers[0]),
            "without_the_bottom": lambda: sum(weighted[1:], 0 * layers[0]),
            "three_only": lambda: _three_only(weighted),
        }[combined]()
    except ValueError as error:
        raise shapes_clash() from error
    return {
        "times": mixed * scale,
        "not": mixed,
        "plus": mixed + scale,
        "over": mixed / scale,
        "squared": mixed * scale * scale,
        "exponential": mixed * np.exp(scale),
        "absolute": mixed * np.abs(scale),
        "sigmoid": mixed / (1 + np.exp(-scale)),
    }[scaled]


def _three_only(weighted):
    if len(weighted) < 3:
        raise Crash("IndexError")
    return weighted[0] + weighted[1] + weighted[2]


def _settable(names, size, owned, length):
    if size == "three" and length == 3:
        size = "layers"
    if (names, size, owned) != ("named", "layers", "both"):
        raise Crash


@oracle(parts=("names",))
def weight_names(*, names="named", owned="both"):
    """Names of the weights as a text; those of other names are counted.

    Args:
        names: `named`, `unnamed`, or `listed` where each layer has a score of its own.
        owned: `both`, `scores`, `scale` or `neither`.
    """
    if owned == "neither":
        return "none"
    if owned != "both":
        return owned
    return {"named": BOTH, "unnamed": "2 others", "listed": LISTED}[names]


@oracle(parts=("the first values are the same in every layer",))
def starts_alike(*, start="zeros", scale_start="one"):
    """Whether two layers made alike start alike; at random they don't.

    Args:
        start, scale_start: see `first_weights`.
    """
    return "random" not in (start, scale_start)


@oracle(parts=("scores", "scale"))
def first_weights(
    length, features, *, start="zeros", scale_start="one", size="layers", scale_size="one"
):
    """Both weights before training.

    Args:
        length, features: how many layers and features there are.
        start, scale_start, size, scale_size: the switches.

    Returns:
        float (L,) and float ().
    """
    shape = {
        "layers": (length,),
        "features": (features,),
        "layers_and_features": (length, features),
        "one": (),
        "layers_in_a_row": (1, length),
        "layers_in_a_column": (length, 1),
        "one_more": (length + 1,),
        "three": (3,),
    }[size]
    # Nobody knows what random ones are: they equal nothing.
    starts = {"zeros": 0.0, "ones": 1.0, "even": 1 / length, "random": np.nan}
    scores = np.full(shape, starts[start])
    shape = {"one": (), "one_in_a_row": (1,), "features": (features,), "layers": (length,)}
    return scores, np.full(shape[scale_size], _SCALE_STARTS[scale_start])


@oracle(parts=("output",))
@with_switches_of(mixture)
def scalar_mix(
    layers,
    scores,
    scale,
    *,
    names="named",
    owned="both",
    size="layers",
    scale_size="one",
    **switches,
):
    """The layer's output with these weights.

    Args:
        layers: list of L float (..., D).
        scores: float (L,).
        scale: float ().
        names, owned, size, scale_size, **switches: the switches.

    Returns:
        float (..., D).
    """
    _settable(names, size, owned, len(layers))
    if scale_size != "one":
        raise Crash
    return mixture(layers, scores, scale, **switches)


@oracle(parts=("output",))
@with_switches_of(mixture)
def untrained(layers, *, start="zeros", scale_start="one", size="layers", owned="both", **switches):
    """The layer's output before any training: the plain average.

    Args:
        layers: list of L float (..., D).
        start, scale_start, size, owned, **switches: the switches.

    Returns:
        float (..., D).
    """
    if size not in ("layers", "one_more", "three") or owned not in ("both", "scores"):
        raise Crash
    scores, scale = first_weights.raw(len(layers), 1, start=start, scale_start=scale_start)
    scores, scale = scores.astype(layers[0].dtype), scale.astype(layers[0].dtype)
    return mixture(layers, scores, scale, **switches)


@oracle(parts=("losses", "scores", "scale"))
@with_switches_of(mixture)
def trained(
    layers,
    scores,
    scale,
    targets,
    rate,
    steps,
    *,
    learns="both",
    names="named",
    owned="both",
    size="layers",
    scale_size="one",
    **switches,
):
    """Gradient descent on the mean of squared errors.

    Args:
        layers: list of L float (..., D).
        scores, scale: float (L,) and (), before the first step.
        targets: float (..., D).
        rate: float, the learning rate.
        steps: int.
        learns, names, owned, size, scale_size, **switches: the switches.

    Returns:
        The loss before every step, and both weights after the last.
    """
    _settable(names, size, owned, len(layers))
    if scale_size != "one":
        raise Crash

    def loss(now, factor):
        return np.mean((mixture(layers, now, factor, **switches) - targets) ** 2)

    found, wide = [], [np.asarray(scores, np.float64), np.asarray(scale, np.float64)]
    for _ in range(steps):
        try:
            found.append(loss(*wide))
        except ValueError as error:
            raise shapes_clash() from error
        slopes = numeric_gradient(loss, wide, np.float64(1))
        for place, name in enumerate(("scores", "scale")):
            if learns in ("both", name):
                wide[place] = wide[place] - rate * slopes[place]
    return (np.array(found), *wide)
