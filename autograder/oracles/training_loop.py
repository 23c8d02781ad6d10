"""A small classifier trained on one batch, with its gradients by hand and a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle

# Adam as Keras has it.
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-7
WEIGHTS = ("hidden kernel", "hidden bias", "logits kernel", "logits bias")


@oracle(parts=("losses", *WEIGHTS))
def overfit(weights, x, y, steps, rate, factors=1.0, *, loss="cross_entropy", update="adam",
            reached="all", direction="down", rate_used="asked", mode="training",
            noted="before", when="every_step"):  # fmt: skip
    """Full-batch training of `logits(factors * tanh(hidden(x)))`.

    Args:
        weights: the four arrays of `WEIGHTS`, before the first step.
        x: float (B, F).
        y: int (B,), classes.
        steps: int.
        rate: float, the learning rate.
        factors: float (H,), what the model does to hidden features in training only.
        loss, update, reached, direction, rate_used, mode, noted, when: the switches.

    Returns:
        The loss before every step, and the four arrays after the last.
    """
    weights = [np.array(w) for w in weights]
    rate = {"asked": rate, "default": 0.001, "tenth": rate / 10}[rate_used]
    factors = factors if mode == "training" else 1.0
    first, second = ([np.zeros_like(w) for w in weights] for _ in range(2))
    losses, count = [], 0
    for number in range(steps):
        value, slopes = _loss_and_slopes(weights, x, y, loss, factors)
        if noted == "before":
            losses.append(value)
        updates = 2 if update == "adam_twice" else 1
        if when == "after_the_loop" and number < steps - 1:
            updates = 0
        for _ in range(updates):
            count += 1
            for i in _moving(reached):
                slope = slopes[i] if direction == "down" else -slopes[i]
                if update == "sgd":
                    weights[i] = weights[i] - rate * slope
                elif update in ("adam", "adam_twice"):
                    step, first[i], second[i] = _adam(slope, first[i], second[i], count)
                    weights[i] = weights[i] - rate * step
                elif update == "fresh_adam":
                    zero = np.zeros_like(slope)
                    weights[i] = weights[i] - rate * _adam(slope, zero, zero, 1)[0]
        if noted == "after":
            losses.append(_loss_and_slopes(weights, x, y, loss, factors)[0])
    return (np.array(losses), *weights)


def _moving(reached):
    """Which of the weights an update reaches."""
    return {
        "all": (0, 1, 2, 3),
        "none": (),
        "last_layer": (2, 3),
        "first_layer": (0, 1),
        "kernels": (0, 2),
        "biases": (1, 3),
        "first_weight": (0,),
        "all_but_the_last": (0, 1, 2),
        "all_but_the_first": (1, 2, 3),
        "last_weight": (3,),
    }[reached]


def _adam(slope, first, second, count):
    first = first + (slope - first) * (1 - BETA_1)
    second = second + (slope**2 - second) * (1 - BETA_2)
    size = np.sqrt(1 - BETA_2**count) / (1 - BETA_1**count)
    return size * first / (np.sqrt(second) + EPSILON), first, second


def _loss_and_slopes(weights, x, y, loss, factors=1.0):
    """The loss as one number and its gradients by the four weights."""
    bent = np.tanh(x @ weights[0] + weights[1])
    hidden = bent * factors
    logits = hidden @ weights[2] + weights[3]
    sign = -1 if loss == "negated_logits" else 1
    value, by_logits = _loss(sign * logits, y, loss)
    by_logits = sign * by_logits
    by_hidden = by_logits @ weights[2].T * factors * (1 - bent**2)
    slopes = [x.T @ by_hidden, by_hidden.sum(0), hidden.T @ by_logits, by_logits.sum(0)]
    return value, slopes


# Which examples a loss of a part of the batch looks at.
PARTS = {
    "first_example": slice(0, 1),
    "last_example": slice(-1, None),
    "first_half": slice(0, 3),
    "first_two": slice(0, 2),
    "first_four": slice(0, 4),
    "without_the_last": slice(0, -1),
    "without_the_first": slice(1, None),
}


def _loss(logits, y, kind):
    right, rows = np.eye(logits.shape[1], dtype=logits.dtype)[y], np.arange(len(y))
    share = np.full((len(y), 1), 1 / len(y), dtype=logits.dtype)  # of the loss, per example
    if kind == "sum":
        share = np.ones_like(share)
    elif kind in PARTS:
        share = np.zeros_like(share)
        share[PARTS[kind]] = 1
        share /= share.sum()
    p = _softmax(logits)
    if kind == "softmax_twice":
        again = _softmax(p)
        by_p = (again - right) * share
        slope = p * (by_p - (by_p * p).sum(axis=1, keepdims=True))
        return (-np.log(again[rows, y]) * share[:, 0]).sum(), slope
    if kind == "squared":
        return np.mean((logits - right) ** 2), 2 * (logits - right) / logits.size
    if kind == "squared_of_probabilities":
        by_p = 2 * (p - right) / p.size
        return np.mean((p - right) ** 2), p * (by_p - (by_p * p).sum(axis=1, keepdims=True))
    value = (-np.log(p[rows, y]) * share[:, 0]).sum()
    slope = (p - right) * share
    return (-value, -slope) if kind == "negative" else (value, slope)


def _softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def cross_entropy(weights, x, y):
    """The loss that given weights have on a batch; nothing that a student says about it counts.

    Args:
        weights: the four arrays of `WEIGHTS`.
        x: float (B, F).
        y: int (B,).

    Returns:
        float.
    """
    weights = [np.asarray(w, np.float64) for w in weights]
    return float(_loss_and_slopes(weights, np.asarray(x, np.float64), y, "cross_entropy")[0])


@oracle(parts=("known_by_heart",))
def by_heart(weights, x, y, steps, rate, most, *, loss="cross_entropy", update="adam",
             reached="all", direction="down", rate_used="asked", when="every_step"):  # fmt: skip
    """Whether the loss of the trained weights is below a bound; see `overfit`."""
    how = {"loss": loss, "update": update, "reached": reached, "direction": direction}
    how |= {"rate_used": rate_used, "when": when}
    trained = overfit.raw(weights, x, y, steps, rate, **how)[1:]
    return bool(cross_entropy(trained, x, y) < most)


@oracle(parts=WEIGHTS)
def moved(weights, x, y, steps, rate, *, loss="cross_entropy", update="adam", reached="all",
          direction="down", rate_used="asked", when="every_step"):  # fmt: skip
    """Which of the weights are no longer what they were; see `overfit`."""
    how = {"loss": loss, "update": update, "reached": reached, "direction": direction}
    how |= {"rate_used": rate_used, "when": when}
    trained = overfit.raw(weights, x, y, steps, rate, **how)[1:]
    return tuple(bool(np.abs(a - b).max() > 1e-6) for a, b in zip(trained, weights, strict=True))
