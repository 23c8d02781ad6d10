"""Attention in plain NumPy, with a named switch for every mistake students make.

Each public oracle returns the right answer with its defaults. A switch turns one line of it into
the line that a particular misunderstanding produces, so the same function predicts what that
mistake would output on the same inputs. Scalars stay Python floats: a NumPy float64 scalar would
lift a float32 prediction to float64 and hide what single precision does to it.
"""

from __future__ import annotations

import inspect
import math

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.calculus import numeric_gradient

MASKED = -3e4


def softmax(scores: np.ndarray, axis) -> np.ndarray:
    """Softmax over ``axis`` (an int or a tuple of ints) of float scores of any shape."""
    with np.errstate(invalid="ignore", over="ignore"):
        shifted = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
        return shifted / np.sum(shifted, axis=axis, keepdims=True)


def _divisor(query, key, value, scale: str) -> float:
    head_dim = query.shape[-1]
    num_heads = query.shape[-3] if query.ndim == 4 else 1
    return {
        "root_head_dim": math.sqrt(head_dim),
        "none": 1.0,
        "after_softmax": 1.0,
        "head_dim": float(head_dim),
        "root_model_dim": math.sqrt(head_dim * num_heads),
        "multiplied": 1.0 / math.sqrt(head_dim),
        "root_query_length": math.sqrt(query.shape[-2]),
        "root_key_length": math.sqrt(key.shape[-2]),
        "query_length": float(query.shape[-2]),
        "key_length": float(key.shape[-2]),
        "root_batch": math.sqrt(query.shape[0]),
        "multiplied_by_head_dim": 1.0 / head_dim,
        "after_output": 1.0,
        "root_value_dim": math.sqrt(value.shape[-1]),
        "root_num_heads": math.sqrt(query.shape[1]),
        "fourth_root": head_dim**0.25,
    }[scale]


def _masked(scores: np.ndarray, mask: np.ndarray, mask_use: str) -> np.ndarray:
    """The scores after masking, for the ways that act before the softmax."""
    if mask_use == "transposed":
        if mask.shape[-1] != mask.shape[-2]:
            raise shapes_clash()
        mask = np.swapaxes(mask, -1, -2)
    kept = mask.astype(scores.dtype)
    if mask_use in _SUMMARIES:
        mask = _SUMMARIES[mask_use](mask)
    if mask_use in ("before_softmax", "transposed", *_SUMMARIES):
        return np.where(mask, scores, scores.dtype.type(MASKED))
    if mask_use == "multiplied":
        return scores * kept
    if mask_use == "penalty_on_kept":
        return scores - 1e4 * kept
    if mask_use == "inverted":
        return np.where(mask, scores.dtype.type(MASKED), scores)
    if mask_use == "added_as_number":
        return scores + kept
    fill = {
        "tiny_fill": 1e-9,
        "plus_infinity": math.inf,
        "large_positive": 1e9,
        "minus_infinity": -math.inf,
    }
    if mask_use in fill:
        return np.where(mask, scores, scores.dtype.type(fill[mask_use]))
    if mask_use.startswith("fill_"):
        return np.where(mask, scores, scores.dtype.type(mask_use.removeprefix("fill_")))
    if mask_use == "infinity_times_zero":
        return scores + (1 - kept) * scores.dtype.type(-math.inf)
    return scores  # "discarded", and those that act later


_SUMMARIES = {
    "first_row": lambda mask: mask[..., :1, :],
    "first_column": lambda mask: mask[..., :1],
    "any_query": lambda mask: mask.any(axis=-2, keepdims=True),
    "every_query": lambda mask: mask.all(axis=-2, keepdims=True),
}


def _mask_later(weights, mask, mask_use):
    """What the ways that act on the softmax's result make of it."""
    if mask_use == "after_softmax":
        return weights * mask.astype(weights.dtype)
    if mask_use.startswith("after_softmax_"):
        fill = weights.dtype.type(mask_use.removeprefix("after_softmax_"))
        return np.where(mask, weights, fill)
    return weights


def _normalised(scores: np.ndarray, softmax_axis: str) -> np.ndarray:
    if softmax_axis == "none":
        return scores
    if softmax_axis == "sigmoid":
        return 1.0 / (1.0 + np.exp(-scores))
    if softmax_axis == "twice":
        return softmax(softmax(scores, -1), -1)
    if softmax_axis == "logarithm":
        with np.errstate(divide="ignore"):
            shifted = scores - scores.max(axis=-1, keepdims=True)
            return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    if softmax_axis == "no_exponential":
        return scores / scores.sum(axis=-1, keepdims=True)
    if softmax_axis == "no_division":
        return np.exp(scores)
    if softmax_axis == "largest_only":
        return (scores == scores.max(axis=-1, keepdims=True)).astype(scores.dtype)
    if softmax_axis == "everything":
        return softmax(scores, tuple(range(scores.ndim)))
    axis = {"keys": -1, "queries": -2, "batch": 0, "axis_1": 1, "all_pairs": (-2, -1)}[softmax_axis]
    return softmax(scores, axis)


def attend(
    query,
    key,
    value,
    mask=None,
    dropout=None,
    *,
    scale="root_head_dim",
    softmax_axis="keys",
    mask_use="before_softmax",
    dropout_use="on_weights",
    returned="weights",
    values="value",
    score_order="query_key",
    similarity="dot",
    mixed="weights",
    residual="none",
):
    """Scaled dot-product attention with switches; what every oracle of this module builds on.

    Args:
        query: float (..., T, H).
        key: float (..., S, H).
        value: float (..., S, V).
        mask: None or bool broadcastable to (..., T, S), True = may attend.
        dropout: None or a function of an array, the stand-in for a Dropout layer.
        scale, softmax_axis, mask_use, dropout_use, returned, values, score_order, similarity,
            mixed, residual: the switches.

    Returns:
        The pair (output (..., T, V), weights (..., T, S)), unless ``returned`` says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    if score_order == "key_query":
        query, key = key, query
    asking = key if score_order == "key_key" else query
    answering = {"query_query": query, "query_value": value}.get(score_order, key)
    if similarity == "cosine":
        asking, answering = _unit(asking), _unit(answering)
    if dropout is not None and dropout_use == "on_values":
        value = dropout(value)
    try:
        scores = asking @ np.swapaxes(answering, -1, -2) / _divisor(query, key, value, scale)
        if similarity == "negative":
            scores = -scores
        raw = scores
        if mask is not None:
            scores = _masked(scores, mask, mask_use)
        if dropout is not None and dropout_use == "on_scores":
            scores = dropout(scores)
        weights = _normalised(scores, softmax_axis)
        if scale == "after_softmax":
            weights = weights / math.sqrt(query.shape[-1])
        if mask is not None:
            weights = _mask_later(weights, mask, mask_use)
        used = {"weights": weights, "scores": scores, "unmasked_scores": raw}[mixed]
        if dropout is not None and dropout_use in _ON_WEIGHTS:
            used = dropout(used)
        if dropout is not None and dropout_use == "twice":
            used = dropout(dropout(used))
        if mask is not None and mask_use == "on_values":
            value = value * np.swapaxes(mask.any(axis=-2, keepdims=True), -1, -2)
        output = used @ {"value": value, "key": key, "query": query}[values]
        if dropout is not None and dropout_use == "on_output":
            output = dropout(output)
        if scale == "after_output":
            output = output / math.sqrt(query.shape[-1])
        if residual == "query":
            output = output + query
    except (ValueError, IndexError) as error:
        raise shapes_clash() from error
    if dropout_use == "returned":
        weights = used
    if returned == "averaged_heads" and weights.ndim == 4:
        weights = weights.mean(axis=1)
    if returned == "transposed_weights":
        weights = np.swapaxes(weights, -1, -2)
    return {
        "scores": (output, scores),
        "unmasked_scores": (output, raw),
        "weights_first": (weights, output),
        "output_only": output,
    }.get(returned, (output, weights))


_ON_WEIGHTS = ("on_weights", "returned")


def _unit(x):
    return x / np.sqrt(np.sum(x * x, axis=-1, keepdims=True))


def shapes_clash() -> Crash:
    """The error that sizes which do not fit together end in, whichever op meets them first."""
    return Crash("InvalidArgumentError", "ValueError")


def with_switches_of(*functions):
    """Let an oracle that passes its switches on declare them, so that the diagnosis sees them."""

    def decorate(function):
        own = inspect.signature(function)
        kept = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        names = {p.name for p in kept}
        for other in functions:
            for parameter in inspect.signature(other).parameters.values():
                if parameter.kind is parameter.KEYWORD_ONLY and parameter.name not in names:
                    kept.append(parameter)
                    names.add(parameter.name)
        function.__signature__ = own.replace(parameters=kept)
        return function

    return decorate


scaled_dot_product = oracle(parts=("output", "weights"))(attend)


@oracle(parts=("d_query", "d_key", "d_value"), slow=True)
@with_switches_of(attend)
def scaled_dot_product_gradient(
    query, key, value, mask, cotangent, *, gradient="flows", **switches
):
    """Gradient of sum(output * cotangent) for each of the three inputs, by finite differences."""
    inputs = [np.asarray(each, np.float64) for each in (query, key, value)]
    # [0] is the output of a pair; of an output alone it is the first item, as for the student.
    moved = gradient_or_crash(lambda *x: attend(*x, mask, **switches)[0], inputs, cotangent)
    return lose_gradient(moved, gradient)


def gradient_or_crash(function, inputs, cotangent):
    """`numeric_gradient`, or the crash of an output that doesn't fit the cotangent."""
    try:
        return numeric_gradient(function, inputs, cotangent)
    except ValueError as error:
        raise shapes_clash() from error


def lose_gradient(gradients, gradient: str):
    """Zeros where NumPy in the middle of the answer cuts the path from an input to the output."""
    cut = {
        "flows": (),
        "lost": (0, 1, 2),
        "lost_in_weights": (0, 1),
        "lost_in_query": (0,),
        "lost_in_key": (1,),
        "lost_in_value": (2,),
    }[gradient]
    return tuple(np.zeros_like(g) if i in cut else g for i, g in enumerate(gradients))


def output_of(answer):
    """The output of an answer that may be the pair or, by mistake, the output alone."""
    return answer[0] if isinstance(answer, tuple) else answer


@oracle()
@with_switches_of(attend)
def finite_queries(query, key, value, mask, **switches):
    """Whether output and weights of every query are finite numbers, bool (..., T)."""
    return finite_rows(attend(query, key, value, mask, **switches))


def finite_rows(answer):
    """For a pair of arrays (..., T, any): True where a query's numbers are all finite."""
    parts = answer if isinstance(answer, tuple) else (answer,)
    return np.logical_and.reduce([np.isfinite(part).all(axis=-1) for part in parts])


@oracle(parts=("output", "weights"))
@with_switches_of(attend)
def open_queries(query, key, value, mask, **switches):
    """Attention with zeros in place of the queries that have no open key."""
    return blank_closed(attend(query, key, value, mask, **switches), mask)


def blank_closed(answer, mask):
    """Zeros for queries without any open key, whose result the contract leaves free."""
    if not isinstance(answer, tuple):
        return answer
    is_open = np.asarray(mask).any(axis=-1, keepdims=True)
    return tuple(np.where(is_open, part, part.dtype.type(0)) for part in map(np.asarray, answer))
