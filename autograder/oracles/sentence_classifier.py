"""The head of a classifier of sentences: pooling, dropout, dense, in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, softmax


def bend(x):
    """What the stand-in `bending_dropout` computes."""
    kept = (np.arange(x.shape[-1]) % 3 != 1).astype(x.dtype)
    return kept * (x.dtype.type(1.5) * x + x.dtype.type(0.4) * x * x)


def one_token(x, mask, which):
    """A single token's states, or what is mistaken for them."""
    if which in ("second", "last_but_one") and x.shape[1] < 2:
        raise Crash
    if which == "last_real":
        return x[np.arange(len(x)), mask.sum(axis=1) - 1]
    return {
        "first": lambda: x[:, 0],
        "second": lambda: x[:, 1],
        "last": lambda: x[:, -1],
        "last_but_one": lambda: x[:, -2],
        "mean": lambda: mean_of(x, mask, "real"),
        "largest": lambda: x.max(axis=1),
        "first_sentence": lambda: x[0],
        "first_feature": lambda: x[:, :, 0],
        "kept_as_an_axis": lambda: x[:, :1],
        "all": lambda: x,
    }[which]()


def mean_of(x, mask, which):
    """The mean over real tokens, or what is mistaken for it."""
    kind = x.dtype.type
    real = mask[..., None].astype(x.dtype)  # (B, T, 1)
    count = real.sum(axis=1)  # (B, 1)
    if which in ("without_the_first", "without_specials"):
        left = mask.copy()
        left[:, 0] = False
        if which == "without_specials":
            left[np.arange(len(x)), mask.sum(axis=1) - 1] = False
        weight = left[..., None].astype(x.dtype)
        return (x * weight).sum(axis=1) / weight.sum(axis=1)
    if which in ("axis_missing", "count_axis_missing", "both_axes_missing"):
        return _aligned_at_the_end(x, real, count, which)
    return {
        "real": lambda: (x * real).sum(axis=1) / count,
        "all": lambda: x.mean(axis=1),
        "pads_in_the_sum": lambda: x.sum(axis=1) / count,
        "divided_by_length": lambda: (x * real).mean(axis=1),
        "sum": lambda: (x * real).sum(axis=1),
        "sum_of_all": lambda: x.sum(axis=1),
        "one_more": lambda: (x * real).sum(axis=1) / (count + kind(1)),
        "tenth_more": lambda: (x * real).sum(axis=1) / (count + kind(0.1)),
        "root": lambda: (x * real).sum(axis=1) / np.sqrt(count),
        "one_count": lambda: (x * real).sum(axis=1) / count.sum(),
        "mean_count": lambda: (x * real).sum(axis=1) / count.mean(),
        "inverted": lambda: (x * (1 - real)).sum(axis=1) / (1 - real).sum(axis=1),
        "largest": lambda: np.where(mask[..., None], x, kind(-np.inf)).max(axis=1),
        "largest_of_all": lambda: x.max(axis=1),
        "truth": lambda: ((np.trunc(x) != 0) * real).sum(axis=1) / count,
        "over_features": lambda: x.mean(axis=2),
        "over_the_batch": lambda: (x * real).sum(axis=0) / np.maximum(real.sum(axis=0), 1),
        "axis_kept": lambda: ((x * real).sum(axis=1) / count)[:, None],
        "last_real": lambda: one_token(x, mask, "last_real"),
        "first": lambda: x[:, 0],
    }[which]().astype(x.dtype)


def _aligned_at_the_end(x, real, count, which):
    """What broadcasting makes of a mask or a count without its last axis."""
    weight = real
    if which in ("axis_missing", "both_axes_missing"):
        if x.shape[:2] != x.shape[1:]:
            raise Crash
        weight = real[..., 0]
    total = (x * weight).sum(axis=1)
    if which in ("count_axis_missing", "both_axes_missing"):
        if total.shape[0] != total.shape[1]:
            raise Crash
        return total / count[:, 0]
    return total / count


@oracle(parts=("logits",))
def classifier_head(
    sequence_output,
    padding_mask,
    pooling,
    kernel,
    bias,
    *,
    token="first",
    mean="real",
    order="pool_drop_dense",
    dropped="once",
    bent="nowhere",
    returned="logits",
):
    """Pooling, dropout, dense.

    Args:
        sequence_output: float (B, T, D).
        padding_mask: bool (B, T), True at real tokens.
        pooling: "cls" or "mean".
        kernel, bias: float (D, C) and (C,).
        token, mean, order, dropped, bent, returned: the switches.

    Returns:
        float (B, C), unless a switch says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    x, times = sequence_output, {"never": 0, "once": 1, "twice": 2}[dropped]

    def drop(x):
        for _ in range(times):
            x = bend(x)
        return x

    def pooled(x):
        if pooling == "cls":
            x = one_token(x, padding_mask, token)
        else:
            x = mean_of(x, padding_mask, mean)
        return np.tanh(x) if bent == "pooled" else x

    def dense(x):
        return x @ kernel + bias

    steps = {
        "pool_drop_dense": (pooled, drop, dense),
        "drop_pool_dense": (drop, pooled, dense),
        "dense_drop_pool": (dense, drop, pooled),
        "pool_dense_drop": (pooled, dense, drop),
    }[order]
    try:
        for step in steps:
            x = step(x)
    except ValueError as error:
        raise shapes_clash() from error
    if bent == "logits":
        x = np.tanh(x)
    return {
        "softmax": lambda: softmax(x, -1),
        "log_softmax": lambda: np.log(softmax(x, -1)),
        "sigmoid": lambda: 1 / (1 + np.exp(-x)),
        "softmax_over_the_batch": lambda: softmax(x, 0),
        "classes": lambda: x.argmax(axis=-1),
        "pooled": lambda: drop(pooled(sequence_output)),
        "with_pooled": lambda: (x, pooled(sequence_output)),
    }.get(returned, lambda: x)()


@oracle(parts=("refused",))
def pooling_refused(*, refusal="other"):
    """Whether another kind of pooling raises a ValueError."""
    return np.asarray(refusal != "never")
