"""Numbers as int8 and a scale, and back: in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import shapes_clash


def rounded(ratios, rounding):
    """Whole numbers, still as floats."""
    return {
        "to_even": np.round,
        "truncated": np.trunc,
        "floor": np.floor,
        "ceil": np.ceil,
        "half_up": lambda r: np.floor(r + r.dtype.type(0.5)),
        "half_away": lambda r: np.trunc(r + np.copysign(r.dtype.type(0.5), r)),
    }[rounding](ratios)


def as_int8(whole, overflow):
    """Whole numbers as int8, whatever happens to those that don't fit."""
    whole = np.nan_to_num(whole, nan=0.0, posinf=0.0, neginf=0.0)
    if overflow == "wraps":  # two's complement keeps the last eight bits
        return (whole.astype("int64") & 255).astype("uint8").view("int8")
    low = {"at_127": -127, "at_128": -128}[overflow]
    return np.clip(whole, low, 127).astype("int8")


def _sizes(x, others, size, keepdims):
    """What the scales are made of, over the axes `others`."""
    how = {"axis": others, "keepdims": keepdims}
    return {
        "largest": lambda: np.abs(x).max(**how),
        "largest_signed": lambda: x.max(**how),
        "half_the_range": lambda: (x.max(**how) - x.min(**how)) / x.dtype.type(2),
        "range": lambda: x.max(**how) - x.min(**how),
        "mean": lambda: np.abs(x).mean(**how),
        "deviation": lambda: x.std(**how),
    }[size]()


def _axes(ndim, axis, along):
    """The axes over which a scale is taken, and whether it has its own shape then."""
    if axis is None or along == "ignored":
        return None, False
    if along == "that_axis":
        return (axis % ndim,), True
    if along == "never_found":  # a negative number is compared with numbers from 0
        return tuple(i for i in range(ndim) if i != axis), True
    if along == "first":
        return tuple(i for i in range(ndim) if i != 0), True
    if along == "last":
        return tuple(range(ndim - 1)), True
    return tuple(i for i in range(ndim) if i != axis % ndim), True


def _with_zero_point(x, others, keepdims, low):
    """Asymmetric: the least number becomes `low`, the largest `low` + 255."""
    least = x.min(axis=others, keepdims=keepdims)
    scale = (x.max(axis=others, keepdims=keepdims) - least) / x.dtype.type(255)
    scale = np.where(scale > 0, scale, x.dtype.type(1))
    zero = low - np.round(least / scale)
    return np.clip(np.round(x / scale) + zero, low, low + 255), scale


@oracle(parts=("q", "scale"))
def quantize_int8(
    x,
    axis=None,
    *,
    divisor=127,
    overflow="at_127",
    rounding="to_even",
    size="largest",
    along="own",
    keepdims="kept",
    zeros="one",
    scheme="symmetric",
    returned="pair",
):
    """Whole numbers and scales.

    Args:
        x: float array; axis: int or None.
        divisor, overflow, rounding, size, along, keepdims, zeros, scheme, returned: the switches.

    Returns:
        int8 of the shape of x and float scales, unless a switch says otherwise.

    Raises:
        Crash: where the sizes don't allow the mistake.
    """
    others, own = _axes(x.ndim, axis, along)
    kept = own and keepdims == "kept"
    if keepdims == "always":
        kept = True
    if scheme in ("asymmetric", "unsigned"):
        whole, scale = _with_zero_point(x, others, kept, -128 if scheme == "asymmetric" else 0)
        kind = "int8" if scheme == "asymmetric" else "uint8"
        return whole.astype(kind), scale
    kind = x.dtype.type
    scale = np.asarray(_sizes(x, others, size, kept) / kind(divisor))
    if zeros == "one":
        scale = np.where(scale > 0, scale, kind(1))
    elif zeros.startswith("tiny"):
        scale = np.where(scale > 0, scale, kind(zeros.removeprefix("tiny ")))
    elif zeros == "one_over_127":
        scale = np.where(scale > 0, scale, kind(1 / 127))
    elif zeros == "one_if_any":  # a single column of zeros, and all scales are 1
        scale = np.ones_like(scale) if (scale == 0).any() else scale
    with np.errstate(all="ignore"):
        try:
            ratios = x * scale if scheme == "multiplied" else x / scale
        except ValueError as error:
            raise shapes_clash() from error
        if ratios.shape != x.shape:
            raise shapes_clash()
        q = as_int8(rounded(ratios, rounding), overflow)
    return {
        "pair": lambda: (q, scale),
        "turned": lambda: (scale, q),
        "q_alone": lambda: q,
        "three": lambda: (q, scale, np.zeros_like(scale)),
        "inverse": lambda: (q, 1 / scale),
        "largest": lambda: (q, scale * kind(divisor)),
        "dequantized": lambda: (q * scale, scale),
        "dequantized_alone": lambda: q * scale,
        "floats": lambda: (q.astype(x.dtype), scale),
    }[returned]()


@oracle(parts=("types",))
def quantized_types(*, q_type="int8", scale_type="float32"):
    """The dtypes of both."""
    return np.asarray(f"{q_type}, {scale_type}")


@oracle(parts=("x",))
def dequantize(
    q, scale, *, operation="times", offset=0.0, used="own", result="floats", overflow="no"
):
    """The numbers that int8 stands for.

    Args:
        q: int8 array; scale: float, of a shape that broadcasts.
        operation, offset, used, result, overflow: the switches.
    """
    kind = scale.dtype.type
    scale = {
        "own": lambda: scale,
        "first": lambda: scale.ravel()[0],
        "largest": lambda: scale.max(),
        "mean": lambda: scale.mean(),
        "in_a_row": lambda: scale.ravel() if scale.ndim else scale,
        "transposed": lambda: scale.T,
        "whole": lambda: np.trunc(scale),
        "squared": lambda: scale * scale,
        "over_127": lambda: scale / kind(127),
    }[used]()
    numbers = q.astype(kind) + kind(offset)
    if overflow == "unsigned":
        numbers = q.view("uint8").astype(numbers.dtype)
    elif overflow == "size":
        numbers = np.abs(numbers)
    try:
        with np.errstate(all="ignore"):
            x = {
                "times": lambda: numbers * scale,
                "divided": lambda: numbers / scale,
                "plus": lambda: numbers + scale,
                "not": lambda: numbers,
            }[operation]()
    except ValueError as error:
        raise shapes_clash() from error
    if x.shape != q.shape:
        raise shapes_clash()
    if result == "floats":
        return x
    if result == "rounded":
        return np.round(x)
    return as_int8(np.trunc(x), "wraps") if result == "int8" else x.astype("int32")


@oracle(parts=("type",))
def dequantized_type(*, type="float32"):
    """The dtype of the result."""
    return np.asarray(type)
