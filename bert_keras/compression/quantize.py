"""Symmetric int8: every number as a whole multiple of a scale."""

import numpy as np


def quantize_int8(x, axis=None):
    """Write an array as int8 and a scale, so that x ≈ q · scale.

    Symmetric: 0 stays exactly 0, and the whole numbers run from -127 to 127, so the largest size
    and its negative are both met. One scale serves the whole array, or each slice along an axis has
    its own: one column of a kernel with large weights then doesn't coarsen all others.

    Args:
        x: float array of any shape.
        axis: None for one scale, or the axis whose every index has a scale of its own; the output
            axis of a kernel of shape (in, out) is 1 ("per channel").

    Returns:
        The pair (q, scale): q int8 of the shape of x, rounded to the nearest (a half to the even
        one); scale float32, of shape () or of the shape of x with all other axes of size 1. Where
        all numbers are 0 the scale is 1.

    Reference:
        Jacob et al., Quantization and Training of Neural Networks for Efficient
        Integer-Arithmetic-Only Inference (2018).
    """
    x = np.asarray(x, "float32")
    if axis is None:
        largest = np.max(np.abs(x))
    else:
        others = tuple(i for i in range(x.ndim) if i != axis % x.ndim)
        largest = np.max(np.abs(x), axis=others, keepdims=True)
    scale = np.where(largest > 0, largest / 127, 1).astype("float32")
    # A number at the edge may round to 128 in float32; int8 would make that -128.
    q = np.clip(np.round(x / scale), -127, 127).astype("int8")
    return q, scale


def dequantize(q, scale):
    """The numbers that an int8 array stands for; each within half a scale of what it was.

    Args:
        q: int8 array of any shape.
        scale: float32, of a shape that broadcasts to that of q.

    Returns:
        float32 array of the shape of q.
    """
    return np.asarray(q).astype("float32") * np.asarray(scale, "float32")
