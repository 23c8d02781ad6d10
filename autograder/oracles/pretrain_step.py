"""One clipped training step of a small reader, its gradient by hand, and a switch per mistake.

The reader looks tokens up in a table, takes their mean, sends it through a frozen dense layer and
one with a tanh, multiplies by factors that act in training only, and scores the classes.
"""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle

TRAINED = ("table", "hidden kernel", "hidden bias", "logits kernel", "logits bias")
FROZEN = ("frozen kernel", "frozen bias")
WEIGHTS = (*TRAINED, *FROZEN)
EPSILON = 1e-7  # of Keras's Adam, whose first step the oracle takes


def _forward_and_back(weights, ids, labels, factors):
    """The loss, the gradients of all of `WEIGHTS`, and the gradient of every single look-up."""
    table, hidden, hidden_bias, kernel, bias, frozen, frozen_bias = weights
    read = table[ids]  # (B, T, D)
    mean = read.mean(axis=1)
    adapted = mean @ frozen + frozen_bias
    bent = np.tanh(adapted @ hidden + hidden_bias)
    features = bent * factors
    logits = features @ kernel + bias
    shifted = logits - logits.max(axis=1, keepdims=True)
    shares = np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)
    rows = np.arange(len(labels))
    loss = -np.log(shares[rows, labels]).mean()
    by_logits = (shares - np.eye(shares.shape[1], dtype=shares.dtype)[labels]) / len(labels)
    by_bent = by_logits @ kernel.T * factors * (1 - bent**2)
    by_adapted = by_bent @ hidden.T
    by_read = np.repeat((by_adapted @ frozen.T)[:, None], ids.shape[1], axis=1) / ids.shape[1]
    by_table = np.zeros_like(table)
    np.add.at(by_table, ids, by_read)
    slopes = [by_table, adapted.T @ by_bent, by_bent.sum(0), features.T @ by_logits,
              by_logits.sum(0), mean.T @ by_adapted, by_adapted.sum(0)]  # fmt: skip
    return loss, slopes, by_read


def _size(array):
    return np.sqrt(np.sum(np.square(array)))


def _norm(slopes, by_read, kind):
    sizes = [_size(slope) for slope in slopes]
    return {
        "global": lambda: np.sqrt(sum(size**2 for size in sizes)),
        "squared": lambda: sum(size**2 for size in sizes),
        "sum_of_norms": lambda: sum(sizes),
        "largest": lambda: max(sizes),
        "mean_of_norms": lambda: sum(sizes) / len(sizes),
        "root_of_mean": lambda: np.sqrt(
            sum(size**2 for size in sizes) / sum(slope.size for slope in slopes)
        ),
        "largest_component": lambda: max(np.abs(slope).max() for slope in slopes),
        "absolute": lambda: sum(np.abs(slope).sum() for slope in slopes),
        "rows_apart": lambda: np.sqrt(_size(by_read) ** 2 + sum(s**2 for s in sizes[1:])),
        "last_one": lambda: sizes[-1],
    }[kind]()


def _clipped(slopes, norm, limit, how):
    """The gradients that the update is made with."""
    if how == "per_tensor":
        return [slope * min(1.0, limit / max(_size(slope), 1e-30)) for slope in slopes]
    if how == "by_value":
        return [np.clip(slope, -limit, limit) for slope in slopes]
    factor = {
        "global": min(1.0, limit / norm),
        "none": 1.0,
        "always": limit / norm,
        "to_one_always": 1 / norm,
        "only_small": max(1.0, limit / norm),
        "inverted": min(1.0, norm / limit),
        "always_inverted": norm / limit,
        "by_the_limit": limit,
        "divided_twice": min(1.0, limit / norm) ** 2,
        "to_one": min(1.0, 1.0 / norm),
        "to_one_above_the_limit": 1 / norm if norm > limit else 1.0,
    }[how]
    return [slope * factor for slope in slopes]


def _updated(weight, slope, optimizer, rate):
    if optimizer == "adam":  # the first step, where both averages are the gradient's own
        return weight - rate * slope / (np.abs(slope) + EPSILON * np.sqrt(1000.0))
    return weight - rate * slope


@oracle(parts=("what happens",))
def of_the_step(*, tape="around_the_loss", loss="given", calls="once", returned="pair"):
    """What becomes of a step: "it runs", unless something stops it.

    Args:
        tape, loss, calls, returned: the switches.
    """
    if loss == "of_the_notebook":
        return "another loss"
    if tape != "around_the_loss":
        return "no gradient"
    if returned == "loss_only":
        return "no pair"
    return "it runs" if calls == "once" else "one by one"


@oracle(parts=("loss", "norm", *WEIGHTS))
def pretrain_step(
    weights,
    ids,
    labels,
    factors,
    optimizer,
    rate,
    clip_norm,
    *,
    mode="training",
    clip="global",
    norm="global",
    told_norm="before",
    told_loss="before",
    reached="trainable",
    update="optimizer",
    direction="down",
    limit="given",
    returned="pair",
):
    """Loss and norm of one step, and all weights after it.

    Args:
        weights: the arrays of `WEIGHTS`.
        ids, labels: int (B, T) and (B,).
        factors: float (H,), what features are multiplied by in training only.
        optimizer: `sgd` or `adam`.
        rate, clip_norm: floats.
        mode: `training` or `inference`.
        clip: how gradients are clipped.
        norm: what is taken for the norm, in clipping and in what is told.
        told_norm, told_loss: whether they are those from `before` clipping and updating.
        reached, update, direction, limit, returned: the switches.

    Returns:
        The loss, the norm and the arrays, unless ``returned`` says otherwise.
    """
    weights = [np.array(w) for w in weights]
    factors = np.asarray(factors if mode == "training" else np.ones_like(factors))
    loss, slopes, by_read = _forward_and_back(weights, ids, labels, factors)
    trained = len(TRAINED)
    moving = list(range(len(WEIGHTS) if reached == "all" else trained))
    by_them = [slopes[i] for i in moving]
    size = _norm(by_them, by_read, norm)
    clip_norm = {"given": clip_norm, "one": 1.0}[limit]
    used = _clipped(by_them, size, clip_norm, clip)
    kind = {"optimizer": optimizer, "by_hand": "sgd"}.get(update, optimizer)
    kept = {"first_half": moving[:2], "none": [], "table_only": moving[:1],
            "all_but_the_table": moving[1:]}.get(reached, moving)  # fmt: skip
    for _ in range(2 if update == "twice" else 1):
        for i, slope in zip(moving, used, strict=True):
            if i in kept:
                slope = -slope if direction == "up" else slope
                weights[i] = _updated(weights[i], slope, kind, rate)
    if told_norm == "after":
        size = _norm(used, by_read * (used[0].sum() / by_them[0].sum()), norm)
    if told_loss == "after":
        loss = _forward_and_back(weights, ids, labels, factors)[0]
    if told_loss == "in_inference":
        ones = np.ones_like(factors)
        loss = _forward_and_back([np.array(w) for w in weights], ids, labels, ones)[0]
    if returned == "exchanged":
        return (size, loss, *weights)
    if returned == "loss_only":
        return (loss, *weights)
    return (loss, size, *weights)
