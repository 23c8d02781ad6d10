"""Attention with some heads switched off, in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import shapes_clash
from autograder.oracles.calculus import numeric_gradient


def _factors(head_mask, factor):
    """What every head is multiplied with, (N,)."""
    kind = head_mask.dtype.type
    count = kind(len(head_mask))
    with np.errstate(all="ignore"):
        return {
            "mask": lambda: head_mask,
            "inverted": lambda: 1 - head_mask,
            "ones": lambda: np.ones_like(head_mask),
            "not_zero": lambda: (head_mask != 0).astype(head_mask.dtype),
            "above_half": lambda: (head_mask > 0.5).astype(head_mask.dtype),
            "ones_only": lambda: (head_mask == 1).astype(head_mask.dtype),
            "squared": lambda: head_mask**2,
            "rescaled": lambda: head_mask * count / head_mask.sum(),
            "shares": lambda: head_mask / head_mask.sum(),
            "softmax": lambda: np.exp(head_mask) / np.exp(head_mask).sum(),
            "mean": lambda: np.full_like(head_mask, head_mask.mean()),
            "backwards": lambda: head_mask[::-1],
            "one_more": lambda: 1 + head_mask,
            "not_below_a_tenth": lambda: np.maximum(head_mask, kind(0.1)),
        }[factor]()


def _kept(x, factors, along):
    """What the heads found, times the factors along an axis."""
    places = {"heads": 2, "tokens": 1, "rows": 0, "features": 3}
    if x.shape[places[along]] != len(factors):
        raise shapes_clash()
    shape = [1, 1, 1, 1]
    shape[places[along]] = -1
    return x * factors.reshape(shape)


def switched(
    head_outputs,
    output_kernel,
    output_bias,
    head_mask,
    factor="mask",
    along="heads",
    bias="stays",
    projection="per_head",
    off="counts_zero",
):
    """The computation itself; see `head_ablation`."""
    x, kernel = head_outputs, output_kernel
    batch, length, heads, size = x.shape
    factors = _factors(head_mask, factor)
    if along == "output":  # the mask on what comes out, as far as it fits
        kept = x
    elif along == "reshaped":  # spread over N * H in the other order
        spread = np.tile(factors, size)
        kept = (x.reshape(batch, length, -1) * spread).reshape(x.shape)
    else:
        kept = _kept(x, factors, along)
    if off == "mean_of_the_others":  # instead of 0
        mean = x.mean(axis=2, keepdims=True)
        kept = kept + (1 - factors)[None, None, :, None] * mean
    elif off == "mean_over_tokens":
        mean = x.mean(axis=(0, 1), keepdims=True)
        kept = kept + (1 - factors)[None, None, :, None] * mean
    if projection == "other_order":  # heads and their features merged the wrong way round
        merged = kept.transpose(0, 1, 3, 2).reshape(batch, length, -1)
        found = merged @ kernel.reshape(-1, kernel.shape[-1])
    elif projection == "kernel_other_order":
        merged = kept.reshape(batch, length, -1)
        found = merged @ kernel.transpose(1, 0, 2).reshape(-1, kernel.shape[-1])
    elif projection == "heads_apart":
        found = np.einsum("btnh,nhd->btnd", kept, kernel)
    elif projection == "mean_of_heads":
        found = np.einsum("btnh,nhd->btd", kept, kernel) / x.dtype.type(heads)
    elif projection == "first_kernel":
        found = np.einsum("btnh,hd->btd", kept, kernel[0])
    elif projection == "mean_kernel":
        found = np.einsum("btnh,hd->btd", kept, kernel.mean(axis=0))
    elif projection == "missing":
        found = kept.reshape(batch, length, -1)
    else:
        found = np.einsum("btnh,nhd->btd", kept, kernel)
    if along == "output":
        if found.shape[-1] != len(factors):
            raise shapes_clash()
        found = found * factors
    added = {
        "stays": lambda: output_bias,
        "missing": lambda: 0 * output_bias,
        "of_every_head": lambda: output_bias * x.dtype.type(heads),
        "of_heads_that_are_on": lambda: output_bias * factors.sum(),
        "scaled_by_the_mean": lambda: output_bias * factors.mean(),
        "subtracted": lambda: -output_bias,
    }[bias]()
    if projection == "missing":
        return found
    if found.ndim == 3 and found.shape[-1] != added.shape[-1]:
        raise shapes_clash()
    return found + added


@oracle(parts=("output",))
def head_ablation(
    head_outputs,
    output_kernel,
    output_bias,
    head_mask,
    *,
    factor="mask",
    along="heads",
    bias="stays",
    projection="per_head",
    off="counts_zero",
):
    """Attention's output with heads switched off or turned down.

    Args:
        head_outputs: float (B, T, N, H).
        output_kernel: float (N, H, D).
        output_bias: float (D,).
        head_mask: float (N,).
        factor, along, bias, projection, off: the switches.

    Returns:
        float (B, T, D), unless a switch says otherwise.

    Raises:
        Crash: where the sizes don't allow the mistake.
    """
    try:
        return switched(
            head_outputs,
            output_kernel,
            output_bias,
            head_mask,
            factor,
            along,
            bias,
            projection,
            off,
        )
    except ValueError as error:
        raise shapes_clash() from error


@oracle(parts=("d_head_mask",), slow=True)
def head_ablation_gradient(
    head_outputs,
    output_kernel,
    output_bias,
    head_mask,
    cotangent,
    *,
    factor="mask",
    along="heads",
    bias="stays",
    projection="per_head",
    off="counts_zero",
    gradient="flows",
):
    """The gradient of `sum(output * cotangent)` by the mask, (N,)."""
    if gradient == "stops":
        return (np.zeros_like(head_mask),)
    given = [np.asarray(x, np.float64) for x in (head_outputs, output_kernel, output_bias)]

    def output(mask):
        return switched(*given, mask, factor, along, bias, projection, off)

    try:
        found = numeric_gradient(output, [head_mask], cotangent)
    except ValueError as error:
        raise shapes_clash() from error
    return (found[0].astype(head_mask.dtype),)
