"""The feed-forward network in plain NumPy from given weights, with a switch for every mistake."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, with_switches_of

DENSE = ("intermediate_dense", "output_dense")
_erf = np.vectorize(math.erf, otypes=[np.float64])


def activated(x, name):
    """An activation by its Keras name; None is the identity."""
    if name in (None, "linear"):
        return x
    if name == "relu":
        return np.maximum(x, 0)
    if name == "tanh":
        return np.tanh(x)
    if name == "sigmoid":
        return 1 / (1 + np.exp(-x))
    if name == "silu":
        return x / (1 + np.exp(-x))
    if name == "elu":
        return np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)
    if name == "leaky_relu":
        return np.where(x > 0, x, x.dtype.type(0.2) * x)
    if name == "softmax":
        shifted = np.exp(x - x.max(axis=-1, keepdims=True))
        return shifted / shifted.sum(axis=-1, keepdims=True)
    assert name == "gelu", name
    return x * ((1 + _erf(x / math.sqrt(2.0))) / 2).astype(x.dtype)


def widen_and_narrow(
    x,
    weights,
    activation,
    *,
    bend="middle",
    which="given",
    stages="both",
    around="nothing",
    biases="both",
    sizes="own",
    layers="own",
):
    """Two dense layers with an activation between them.

    Args:
        x: float (..., any).
        weights: dict of "intermediate_dense.kernel" and so on.
        activation: name.
        bend: where the activation stands.
        which: the activation that is used: the one `given`, or one that is written in.
        stages, around, biases, sizes, layers: the switches.

    Returns:
        float (..., D).

    Raises:
        Crash: where the mistake could not run, or its weights could not be set.
    """
    middle = weights["intermediate_dense.kernel"].shape[1]
    end = weights["output_dense.kernel"].shape[1]
    if biases != "both" or _sizes(sizes, middle, end) != (middle, end):
        raise Crash()
    if which != "given":
        activation = which
    kernels = [weights[f"{name}.kernel"] for name in DENSE]
    shifts = [weights[f"{name}.bias"] for name in DENSE]
    rng = np.random.default_rng()
    if layers == "fresh":
        shapes = [kernel.shape for kernel in kernels]
        limits = [math.sqrt(6 / sum(shape)) for shape in shapes]
        kernels = [
            rng.uniform(-limit, limit, shape).astype(x.dtype)
            for limit, shape in zip(limits, shapes, strict=True)
        ]
        shifts = [0 * shift for shift in shifts]
    order = {
        "both": (0, 1),
        "first_only": (0,),
        "last_only": (1,),
        "exchanged": (1, 0),
        "middle_twice": (0, 0),
        "output_twice": (0, 1, 1),
        "first_twice": (0, 0, 1),
    }[stages]
    bends = {
        "middle": (True, False),
        "nowhere": (False, False),
        "end": (False, True),
        "both": (True, True),
        "start": (False, False),
        "twice": (True, False),
    }[bend]
    y = activated(x, activation) if bend == "start" else x
    try:
        for index in order:
            y = y @ kernels[index] + shifts[index]
            if bends[index]:
                y = activated(y, activation)
            if bends[index] and bend == "twice":
                y = activated(y, activation)
        if around == "residual":
            y = x + y
        if around == "normalised":
            centred = y - y.mean(axis=-1, keepdims=True)
            y = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-3)
    except ValueError as error:
        raise shapes_clash() from error
    return y


feed_forward = oracle(parts=("output",))(widen_and_narrow)


@oracle(parts=("output",))
@with_switches_of(widen_and_narrow)
def in_graph(x, weights, activation, **switches):
    """The output where the batch size isn't known; no layer can be made in the middle of that."""
    if switches.get("layers") == "fresh":
        raise Crash()
    return widen_and_narrow(x, weights, activation, **switches)


@oracle(parts=("output",))
@with_switches_of(widen_and_narrow)
def by_default(x, weights, activation, **switches):
    """The same, under a name of its own: here nobody said which activation."""
    return widen_and_narrow(x, weights, activation, **switches)


@oracle(parts=("repeats",))
@with_switches_of(widen_and_narrow)
def repeats(x, weights, activation, **switches):
    """Bool (1,): whether two calls on the same input agree."""
    first, again = (widen_and_narrow(x, weights, activation, **switches) for _ in range(2))
    return np.array([np.allclose(first, again, atol=1e-5)])


@oracle(parts=("training",))
def same_in_training(*, dropping="nothing"):
    """Bool (1,): whether a call with training=True gives what one without it gives."""
    return np.array([dropping == "nothing"])


def _sizes(sizes, intermediate_dim, hidden_dim):
    """How many outputs the two layers have."""
    return {
        "own": (intermediate_dim, hidden_dim),
        "exchanged": (hidden_dim, intermediate_dim),
        "no_middle": (hidden_dim, hidden_dim),
        "no_end": (intermediate_dim, intermediate_dim),
        "four_times": (4 * hidden_dim, hidden_dim),
        "twice": (2 * hidden_dim, hidden_dim),
    }[sizes]


@oracle(parts=("shapes",))
def dense_shapes(width, intermediate_dim, hidden_dim, *, sizes="own", biases="both",
                 stages="both", around="nothing"):  # fmt: skip
    """The shapes of both layers' weights, as text: see `shapes_in_words`.

    Args:
        width: of the input; intermediate_dim, hidden_dim: F and D.
        sizes, biases, stages, around: the switches.

    Raises:
        Crash: the layer can't be called; the second dense layer is built for F inputs.
    """
    middle, end = _sizes(sizes, intermediate_dim, hidden_dim)
    if middle != intermediate_dim:
        raise Crash()
    shapes = {"intermediate_dense": (width, middle), "output_dense": (middle, end)}
    weights = {f"{name}.kernel": np.zeros(shape) for name, shape in shapes.items()}
    weights |= {f"{name}.bias": np.zeros(shape[1]) for name, shape in shapes.items()}
    widen_and_narrow(np.zeros((2, 3, width)), weights, "relu", stages=stages, around=around)
    return _in_words(
        {
            name: (shape, biases not in ("missing", f"missing_in_{name}"))
            for name, shape in shapes.items()
        }
    )


NONE = "no weights"


def shapes_in_words(weights):
    """The same from the weights that a layer really has, by attribute path."""
    return _in_words(
        {
            name: (np.shape(weights[f"{name}.kernel"]), f"{name}.bias" in weights)
            for name in DENSE
            if f"{name}.kernel" in weights
        }
    )


def _in_words(found):
    told = [
        f"{name} {'×'.join(map(str, shape))}{'' if bias else ' without bias'}"
        for name, (shape, bias) in found.items()
    ]
    return ", ".join(told) or NONE
