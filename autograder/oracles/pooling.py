"""Padding found by id and the mean of what is real, with a switch for every known mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


@oracle(parts=("padding_mask",))
def padding_mask(
    token_ids,
    pad_id=0,
    *,
    polarity="true_is_real",
    kind="bool",
    pad="asked",
    found="by_id",
    form="mask",
):
    """Which tokens are real.

    Args:
        token_ids: int (B, T).
        pad_id: int.
        polarity, kind, pad, found, form: the switches.

    Returns:
        bool (B, T), True at real tokens.
    """
    real = _real(token_ids, 0 if pad == "zero" else pad_id, found)
    if polarity == "true_is_pad":
        real = ~real
    if form == "lengths":
        return real.sum(axis=1).astype("int32")
    made = {
        "bool": real,
        "int": real.astype("int32"),
        "float": real.astype("float32"),
        "ids": token_ids * real,
    }[kind]
    return {
        "mask": made,
        "key_axis": made[:, None, :],
        "query_axis": made[:, :, None],
        "transposed": made.T,
        "flat": made.reshape(-1),
    }[form]


def _real(token_ids, pad_id, found):
    real = token_ids != pad_id
    return {
        "by_id": real,
        "larger": token_ids > pad_id,
        "smaller": token_ids < pad_id,
        "counted_from_the_left": np.arange(real.shape[1]) < real.sum(axis=1, keepdims=True),
        "up_to_the_last": np.cumsum(real[:, ::-1], axis=1)[:, ::-1] > 0,
        "up_to_the_first_pad": np.cumprod(real, axis=1) > 0,
        "same_in_every_row": np.broadcast_to(real.any(axis=0), real.shape),
    }[found]


@oracle(parts=("mean",))
def masked_mean(
    x,
    mask,
    *,
    summed="real",
    divisor="real",
    averaged="tokens",
    reduced="mean",
    empty="zeros",
    mask_from="ids",
    kept="dropped",
    mask_axis="added",
    count_axis="kept",
):
    """The mean of the real tokens of every sequence.

    Args:
        x: float (B, T, D).
        mask: bool (B, T), True at real tokens.
        summed, divisor, averaged, reduced, empty, mask_from, kept, mask_axis, count_axis: the
            switches.

    Returns:
        float (B, D).
    """
    if mask_from == "vectors":
        mask = (x != 0).any(axis=-1)
    elif mask_from == "sums":
        mask = x.sum(axis=-1) != 0
    if reduced != "mean":
        return _reduced(x, mask, reduced)
    real = np.broadcast_to(mask[..., None], x.shape).astype(x.dtype)  # (B, T, D)
    axis = {"tokens": 1, "batch": 0, "features": 2}[averaged]
    if summed == "truth":  # to TensorFlow float times bool is "and", with True from ±1 on
        x, summed = (np.trunc(x) != 0).astype(x.dtype), "real"
    weight = {"real": real, "all": np.ones_like(real), "pads": 1 - real}[summed]
    if mask_axis == "missing":
        weight = _aligned_at_the_end(weight[..., 0], x.shape)
    total = (x * weight).sum(axis=axis)
    counted = _count(x, real, divisor, axis)
    if empty == "zeros":
        counted = np.where(counted == 0, 1, counted)
    if count_axis == "missing":
        counted = _aligned_at_the_end(counted[..., 0], total.shape)
    mean = total / counted
    return mean[:, None] if kept == "token_axis" else mean


def _aligned_at_the_end(small, shape):
    """What broadcasting makes of an array that lacks its last axis: it fits by accident or not."""
    if small.shape != shape[1:]:
        raise Crash
    return np.broadcast_to(small, shape)


@oracle(parts=("dtype",))
def mean_dtype(asked, *, precision="of_x"):
    """The number format of the mean.

    Args:
        asked: str, the dtype of x.
        precision: the switch.

    Returns:
        str.
    """
    return "float64" if precision == "double" else asked


def _count(x, real, divisor, axis):
    count, (batch, _, features) = real.sum(axis=axis), real.shape
    if divisor in ("nonzero", "nonzero_real"):
        seen = x if divisor == "nonzero" else x * real
        return (seen != 0).sum(axis=axis).astype(x.dtype)
    tokens = real[..., 0].sum()
    return {
        "real": count,
        "pads": (1 - real).sum(axis=axis),
        "length": np.full_like(count, real.shape[axis]),
        "one_more": count + 1,
        "thousandth_more": count + 1e-3,
        "hundredth_more": count + 1e-2,
        "tenth_more": count + 0.1,
        "all_in_the_batch": np.full_like(count, tokens),
        "mean_of_the_batch": np.full_like(count, tokens / batch),
        "batch_size": np.full_like(count, batch),
        "times_features": count * features,
        "one": np.ones_like(count),
        "root": np.sqrt(count),
    }[divisor]


def _reduced(x, mask, how):
    """What else a sentence is boiled down to."""
    rows = np.arange(len(x))
    if how == "first":
        return x[:, 0]
    if how == "last":
        return x[:, -1]
    if how == "last_real":
        return x[rows, x.shape[1] - 1 - np.argmax(mask[:, ::-1], axis=1)]
    low = x.min() - 1 if how == "largest" else 0
    return np.where(mask[..., None], x, low).max(axis=1)


@oracle(parts=("sentence_vectors",))
def sentence_vectors(
    token_ids,
    table,
    pad_id=0,
    *,
    summed="real",
    divisor="real",
    polarity="true_is_real",
    pad="asked",
    found="by_id",
    empty="zeros",
    mask_from="ids",
    tokens="all",
    averaged="tokens",
    patient="",
    left="any",
    new="any",
):
    """The mean of the table's rows of the real tokens of every sentence.

    Args:
        token_ids: int (B, T).
        table: float (V, D).
        pad_id: int.
        summed, divisor, polarity, pad, found, empty, mask_from, tokens, averaged: the switches.
        patient: str, which bug of the drill the student was given.
        left: a bug that is still there, and can be so in its own patient only.
        new: a bug that wasn't there before.

    Returns:
        float (B, D).

    Raises:
        ValueError: this mistake can't be made in the repair of this patient.
    """
    if left not in ("any", patient) or new == patient != "":
        raise ValueError(f"{left} is not left, nor {new} new, in {patient}")
    x, mask = (
        table[token_ids],
        padding_mask.raw(token_ids, pad_id, polarity=polarity, pad=pad, found=found),
    )
    if tokens != "all":
        part = slice(None, -1) if tokens == "without_the_last" else slice(1, None)
        x, mask = x[:, part], mask[:, part]
    how = {"summed": summed, "divisor": divisor, "empty": empty, "averaged": averaged}
    return masked_mean.raw(x, mask, mask_from=mask_from, **how)
