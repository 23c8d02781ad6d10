"""Gradients of scores, masked softmax and context of early attention, by finite differences."""

from __future__ import annotations

import numpy as np

from autograder.oracles import alignment, oracle
from autograder.oracles.attention import gradient_or_crash, with_switches_of


def _gradients(function, inputs, cotangent, gradient):
    """Gradients of sum(function(*inputs) * cotangent); zeros where NumPy cuts the path.

    Args:
        function: of as many arrays as there are inputs.
        inputs: list of arrays.
        cotangent: array of the shape of what the function returns.
        gradient: "flows", "lost" for all inputs, "lost_in_0" or "lost_in_1" for one of two.
    """

    def finite_fills(*moved):  # minus infinity where a key is closed is a constant like any other
        found = function(*moved)
        return np.where(np.isneginf(found), 0.0, found)

    found = gradient_or_crash(finite_fills, [np.asarray(x, np.float64) for x in inputs], cotangent)
    cut = {"flows": (), "lost": range(len(found)), "lost_in_0": (0,), "lost_in_1": (1,)}[gradient]
    return tuple(np.zeros_like(each) if i in cut else each for i, each in enumerate(found))


@oracle(parts=("d_scores",), slow=True)
@with_switches_of(alignment.weights_over)
def masked_softmax(scores, mask, cotangent, *, gradient="flows", **switches):
    """Gradient of sum(weights * cotangent) for the scores."""

    def weights(scores):
        return alignment.weights_over(scores, mask, **switches)

    return _gradients(weights, [scores], cotangent, gradient)


@oracle(parts=("d_query", "d_key"), slow=True)
@with_switches_of(alignment.products)
def dot_score(query, key, cotangent, *, gradient="flows", **switches):
    """Gradient of sum(scores * cotangent) for queries and keys."""

    def scores(*inputs):
        return alignment.products(*inputs, **switches)

    return _gradients(scores, [query, key], cotangent, gradient)


@oracle(parts=("d_query", "d_key", "d_kernel"), slow=True)
@with_switches_of(alignment.through_a_kernel)
def general_score(query, key, kernel, cotangent, *, gradient="flows", **switches):
    """Gradient of sum(scores * cotangent) for all three inputs."""

    def scores(*inputs):
        return alignment.through_a_kernel(*inputs, **switches)

    return _gradients(scores, [query, key, kernel], cotangent, gradient)


@oracle(parts=("d_query", "d_key", "d_query_kernel", "d_scale"), slow=True)
@with_switches_of(alignment.additive)
def additive_score(
    query, key, query_kernel, key_kernel, scale, cotangent, *, gradient="flows", **switches
):
    """Gradient of sum(scores * cotangent) for four of the inputs."""
    key_kernel = np.asarray(key_kernel, np.float64)

    def scores(query, key, query_kernel, scale):
        return alignment.additive(query, key, query_kernel, key_kernel, scale, **switches)

    return _gradients(scores, [query, key, query_kernel, scale], cotangent, gradient)


@oracle(parts=("d_weights", "d_value"), slow=True)
@with_switches_of(alignment.mixed)
def context_vector(weights, value, cotangent, *, gradient="flows", **switches):
    """Gradient of sum(context * cotangent) for weights and values."""

    def context(*inputs):
        return alignment.mixed(*inputs, **switches)

    return _gradients(context, [weights, value], cotangent, gradient)
