"""Temperatures to choose from: in NumPy float64, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle

# What somebody adds to a probability so that its logarithm is finite.
EPSILONS = {f"{number:g}": number for number in (1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5)}


def scaled(logits, temperature, scale="divided"):
    """Logits at a temperature."""
    return {
        "multiplied": lambda: logits * temperature,
        "root": lambda: logits / np.sqrt(temperature),
        "square": lambda: logits / temperature**2,
        "minus": lambda: logits - temperature,
        "none": lambda: logits,
        "power_of_e": lambda: logits / np.exp(temperature),
    }.get(scale, lambda: logits / temperature)()


def log_softmax(x, axis=1):
    """Logarithms of the softmax, finite for any finite x."""
    x = x - x.max(axis=axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def log_probabilities(logits, temperature, scale="divided", stable="right", axis=1):
    """log softmax(logits / T), unless a switch says otherwise."""
    with np.errstate(all="ignore"):
        if scale == "probabilities":
            shares = np.exp(log_softmax(logits, axis)) / temperature
            return np.log(shares)
        if scale == "softmax_twice":
            return log_softmax(np.exp(log_softmax(logits, axis)) / temperature, axis)
        if scale == "powers_not_normalised":
            return log_softmax(logits, axis) / temperature
        x = scaled(logits, temperature, scale)
        if stable == "overflow":
            raised = np.exp(x)
            return np.log(raised / raised.sum(axis=axis, keepdims=True))
        if stable == "one_maximum":
            raised = np.exp(x - x.max())
            return np.log(raised / raised.sum(axis=axis, keepdims=True))
        if stable == "clipped_logits":
            return log_softmax(np.clip(x, -500, 500), axis)
        if stable == "not_a_logarithm_at_once":
            return np.log(np.exp(log_softmax(x, axis)))
        if stable.startswith("added_"):
            return np.log(np.exp(log_softmax(x, axis)) + EPSILONS[stable[6:]])
        if stable.startswith("clipped_1"):
            return np.log(np.maximum(np.exp(log_softmax(x, axis)), EPSILONS[stable[8:]]))
        return log_softmax(x, axis)


def _loss(logs, labels, loss):
    """What one temperature is judged by."""
    mine = logs[np.arange(len(labels)), labels]
    return {
        "likelihood_itself": lambda: -np.exp(mine).mean(),
        "own_answers": lambda: -logs.max(axis=1).mean(),
        "all_classes": lambda: -logs.mean(),
        "first_class": lambda: -logs[:, 0].mean(),
        "squares": lambda: ((np.exp(logs) - np.eye(logs.shape[1])[labels]) ** 2).sum(axis=1).mean(),
        "errors": lambda: (logs.argmax(axis=1) != labels).mean(),
        "entropy": lambda: -(np.exp(logs) * logs).sum(axis=1).mean(),
        "worst_row": lambda: -mine.min(),
        "median": lambda: np.median(-mine),
    }.get(loss, lambda: -mine.mean())()


def losses_of(logits, labels, temperatures, loss="likelihood", **switches):
    """What every temperature is judged by, (number of temperatures,)."""
    with np.errstate(all="ignore"):
        found = [
            _loss(log_probabilities(logits, t, **switches), labels, loss) for t in temperatures
        ]
    return np.array(found, float)


@oracle(parts=("temperature", "probabilities"))
def temperature_scale(
    logits,
    labels,
    temperatures,
    *,
    loss="likelihood",
    scale="divided",
    stable="right",
    axis="classes",
    choice="lowest",
    applied="chosen",
    returned="pair",
):
    """The temperature that fits best, and the probabilities there.

    Args:
        logits: float (n, C); labels: int (n,); temperatures: list of floats.
        loss, scale, stable, axis, choice, applied, returned: the switches.

    Returns:
        float and float (n, C), unless a switch says otherwise.
    """
    logits = np.asarray(logits, "float64")
    which = {"axis": {"rows": 0}.get(axis, 1)}
    losses = losses_of(logits, labels, temperatures, loss, scale=scale, stable=stable, **which)
    if choice == "highest":
        place = int(np.argmax(losses))
    elif choice == "last_of_equals":
        place = len(losses) - 1 - int(np.argmin(losses[::-1]))
    elif choice == "first":
        place = 0
    elif choice == "nan_passed_over":
        place = int(np.nanargmin(losses)) if not np.isnan(losses).all() else 0
    else:
        place = int(np.argmin(losses))
    best = temperatures[place]
    at = {"one": 1.0, "last_tried": temperatures[-1], "first_tried": temperatures[0]}
    made = {"twice": best**2}.get(applied, at.get(applied, best))
    if stable.startswith(("added_", "clipped_1", "not_a")):  # of no matter without a logarithm
        stable = "right"
    with np.errstate(all="ignore"):
        logs = log_probabilities(logits, made, scale=scale, stable=stable, **which)
        shares = np.exp(logs)
    number = np.float64(best)
    return {
        "exchanged": (shares, number),
        "place": (np.float64(place), shares),
        "logits": (number, scaled(logits, made, scale)),
        "logarithms": (number, logs),
        "of_the_label": (number, shares[np.arange(len(labels)), labels]),
        "largest": (number, shares.max(axis=1)),
        "probabilities_alone": shares,
        "temperature_alone": number,
        "loss": (np.float64(losses[place]), shares),
    }.get(returned, (number, shares))
