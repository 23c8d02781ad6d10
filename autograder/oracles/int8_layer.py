"""A pruned dense layer in eight bits: in NumPy, with a switch per mistake."""

from __future__ import annotations

import functools
import math

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import shapes_clash
from autograder.oracles.int8 import as_int8, rounded

FIRST, SECOND = "kernel", "x"


def pruned(kernel, share, ranking, number, order):
    """The kernel without its smallest weights."""
    sizes = {"absolute": np.abs(kernel), "signed": kernel}[ranking].ravel()
    if order == "largest":
        sizes = -sizes
    exact = share * sizes.size
    count = {
        "round": lambda: round(exact),
        "floor": lambda: math.floor(exact),
        "ceil": lambda: math.ceil(exact),
        "none": lambda: 0,
        "what_stays": lambda: sizes.size - round(exact),
    }.get(number, lambda: round(exact))()
    found = kernel.ravel().copy()
    if number == "in_every_column":
        turned = kernel.T.copy()
        for column in turned:
            column[np.argsort(np.abs(column), kind="stable")[: round(share * len(column))]] = 0
        return turned.T
    found[np.argsort(sizes, kind="stable")[:count]] = 0
    return found.reshape(kernel.shape)


def _own(value, part):
    """A switch that is thrown for both parts, or, as "kernel: …" or "x: …", for one of them."""
    if isinstance(value, str) and ": " in value:
        where, value = value.split(": ")
        return value if where == part else None
    return value


def quantized(x, axes, part, divisor, rounding):
    """Whole numbers and scales; axes: over which the scale is taken, None is all of them."""
    kind = x.dtype.type
    whole = axes is None
    largest = np.abs(x).max(axis=axes, keepdims=True) if not whole else np.abs(x).max()
    step = _own(divisor, part) or "127"
    scale = np.asarray(largest / kind(step.removesuffix(" clipped").removesuffix(" wrapped")))
    scale = np.where(scale > 0, scale, kind(1))
    overflow = "at_128" if step == "128" else "at_127"
    overflow = "wraps" if step.endswith("wrapped") else overflow
    with np.errstate(all="ignore"):
        q = as_int8(rounded(x / scale, _own(rounding, part) or "to_even"), overflow)
    return q, scale


@oracle(parts=("output",))
def int8_layer(
    x,
    kernel,
    bias,
    share,
    *,
    ranking="absolute",
    number="round",
    order="smallest",
    kernel_scales="by_column",
    row_scales="by_row",
    divisor="127",
    rounding="to_even",
    sums="int32",
    row_scale="used",
    kernel_scale="used",
    bias_added="outside",
    scaled="times",
    returned="floats",
):
    """What the layer puts out.

    Args:
        x: float (B, in); kernel: float (in, out); bias: float (out,); share: float.
        ranking, number, order, kernel_scales, row_scales, divisor, rounding, sums,
            row_scale, kernel_scale, bias_added, scaled, returned: the switches.

    Returns:
        float (B, out), unless a switch says otherwise.

    Raises:
        Crash: where the sizes don't allow the mistake.
    """
    kind = x.dtype.type
    small = pruned(kernel, share, ranking, number, order)
    axes = {"by_column": (0,), "by_row": (1,), "one": None}
    kernel_q, by_column = quantized(small, axes[kernel_scales], FIRST, divisor, rounding)
    x_q, by_row = quantized(x, axes[row_scales], SECOND, divisor, rounding)
    if sums == "int8":
        whole = (x_q[:, :, None] * kernel_q[None]).sum(axis=1, dtype=np.int8)
    elif sums == "int16":
        whole = x_q.astype(np.int16) @ kernel_q.astype(np.int16)
    elif sums == "products_in_int8":
        whole = (x_q[:, :, None] * kernel_q[None]).sum(axis=1, dtype=np.int32)
    else:
        whole = x_q.astype(np.int64) @ kernel_q.astype(np.int64)
    whole = whole.astype(x.dtype)
    often = {"used": 1, "forgotten": 0, "twice": 2}
    try:
        used = [
            scale ** often[how]
            for scale, how in ((by_row, row_scale), (by_column, kernel_scale))
            if often[how]
        ]
        factor = functools.reduce(np.multiply, used, kind(1))
        with np.errstate(all="ignore"):
            found = whole / factor if scaled == "divided" else whole * factor
            output = {
                "outside": lambda: found + bias,
                "inside": lambda: (whole + bias) * factor,
                "missing": lambda: found,
                "by_the_kernels": lambda: found + bias * by_column,
                "by_the_rows": lambda: found + bias * by_row,
                "rounded": lambda: found + np.round(bias),
                "subtracted": lambda: found - bias,
                "of_the_pruned": lambda: found + np.where(small.any(axis=0), bias, kind(0)),
            }[bias_added]()
    except ValueError as error:
        raise shapes_clash() from error
    if output.shape != (len(x), kernel.shape[1]):
        raise shapes_clash()
    return {
        "floats": lambda: output,
        "whole": lambda: whole.astype(np.int64),
        "turned": lambda: output.T,
        "with_scales": lambda: (output, by_row, by_column),
    }[returned]()


@oracle(parts=("type",))
def output_type(*, type="float32"):
    """The dtype of the result."""
    return np.asarray(type)
