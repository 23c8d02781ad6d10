"""Causal self-attention over padded sequences in plain NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.masks import causal_mask_array, combine_masks_array
from autograder.oracles.multi_head import multi_head


@oracle(parts=("output", "weights"))
@with_switches_of(multi_head, causal_mask_array, combine_masks_array)
def causal_self_attention(x, padding_mask, weights, num_heads, **switches):
    """Causal multi-head self-attention over padded sequences; zeros for padded queries.

    ``triangle="everything"`` forgets the causal mask, ``combine="attention_only"`` the padding.
    """
    mask_switches = {
        name: switches.pop(name)
        for name in ("combine", "padding_axis", "padding_polarity")
        if name in switches
    }
    triangle = causal_mask_array(x.shape[1], triangle=switches.pop("triangle", "lower"))
    for name in ("batch", "attention_axes", "output"):
        switches.pop(name, None)
    mask = combine_masks_array(padding_mask, triangle, **mask_switches)
    return real_queries(multi_head(x, x, x, mask, weights, num_heads, **switches), padding_mask)


@oracle()
@with_switches_of(multi_head, causal_mask_array, combine_masks_array)
def calls_agree(x, padding_mask, weights, num_heads, **switches):
    """Bool (1,): whether two calls on the same input give the same."""
    first, second = (
        causal_self_attention.raw(x, padding_mask, weights, num_heads, **switches) for _ in range(2)
    )
    return agree(first, second)


def agree(first, second):
    """Bool (1,): whether two answers, pairs or outputs alone, have the same numbers."""
    pairs = zip(_parts(first), _parts(second), strict=True)
    return np.array([all(np.allclose(a, b, atol=1e-5, equal_nan=True) for a, b in pairs)])


def _parts(answer):
    return answer if isinstance(answer, (tuple, list)) else (answer,)


def real_queries(answer, padding_mask):
    """The answer with zeros for padded queries, whose results nobody reads.

    Args:
        answer: the pair, or whatever else came in its place.
        padding_mask: bool (B, T).
    """
    if isinstance(answer, (tuple, list)):
        return tuple(real_queries(part, padding_mask) for part in answer)
    part = np.asarray(answer)
    axes = {3: (slice(None), slice(None), None), 4: (slice(None), None, slice(None), None)}
    real = padding_mask[axes[part.ndim]] if part.ndim in axes else None
    if real is None or part.dtype.kind != "f" or part.shape[part.ndim - 2] != real.shape[-2]:
        return answer
    return np.where(real, part, part.dtype.type(0)) if len(part) == len(real) else answer
