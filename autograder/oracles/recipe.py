"""The Transformer's training recipe in plain NumPy: softened labels and the rate's warm-up."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def softened(
    label_ids, num_tokens, smoothing=0.1, *, mass="evenly", pad="like_others", rate="given"
):
    """Labels as probabilities, float (..., V).

    Args:
        label_ids: int (...).
        num_tokens: V.
        smoothing: the share that all tokens get together.
        mass: who gets how much; see `_right_and_others`.
        pad, rate: further switches.
    """
    if rate == "fixed":
        smoothing = 0.1
    label_ids = np.asarray(label_ids)
    is_right = label_ids[..., None] == np.arange(num_tokens)
    if mass == "next_token":
        is_right = np.roll(is_right, 1, axis=-1)
    right, other = _right_and_others(mass, smoothing, num_tokens)
    labels = np.where(is_right, right, other)
    if pad in ("column_zero", "both_zero"):
        labels[..., 0] = 0.0
    if pad in ("rows_zero", "both_zero"):
        labels = labels * (label_ids != 0)[..., None]
    return labels


def _right_and_others(mass, s, size):
    """What the right token gets, and what every other one does."""
    return {
        "others_only": (1 - s, s / (size - 1)),
        "others_only_of_all": (1 - s, s / size),
        "others_but_two": (1 - s, s / max(size - 2, 1)),
        "evenly_one_less": (1 - s + s / (size - 1), s / (size - 1)),
        "not_taken_away": (1 + s / size, s / size),
        "not_given": (1 - s, 0.0),
        "given_whole": (1 - s, s),
        "given_whole_to_all": (1.0, s),
        "none": (1.0, 0.0),
        "exchanged": (s + (1 - s) / size, (1 - s) / size),
        "exchanged_others": (s, (1 - s) / (size - 1)),
        "half": (1 - s / 2 + s / 2 / size, s / 2 / size),
    }.get(mass, (1 - s + s / size, s / size))


@oracle(parts=("labels",))
def label_smoothing(
    label_ids,
    num_tokens,
    smoothing=0.1,
    *,
    mass="evenly",
    pad="like_others",
    rate="given",
    returned="labels",
):
    """The softened labels; ``returned`` says in what form they come back otherwise."""
    labels = softened(label_ids, num_tokens, smoothing, mass=mass, pad=pad, rate=rate)
    if returned == "flat":
        return labels.reshape(-1, num_tokens)
    if returned == "classes_first":
        return np.moveaxis(labels, -1, 0)
    if returned == "logarithm":
        with np.errstate(divide="ignore"):
            return np.log(labels)
    if returned == "whole_numbers":
        return labels.astype(np.int32)
    if returned == "of_the_label":
        return labels.max(axis=-1)
    return labels


RISES = {
    "right": lambda step, warmup: step * warmup**-1.5,
    "root": lambda step, warmup: step * warmup**-0.5,
    "share": lambda step, warmup: step / warmup,
    "root_of_share": lambda step, warmup: (step / warmup) ** 0.5,
    "no_step": lambda step, warmup: step**0 * warmup**-1.5,
    "falling": lambda step, warmup: step**-1.5 * warmup,
}
FALLS = {
    "right": lambda step, warmup: step**-0.5,
    "inverse": lambda step, warmup: step**-1.0,
    "steep": lambda step, warmup: step**-1.5,
    "flat": lambda step, warmup: step**0 * warmup**-0.5,
    "since_warmup": lambda step, warmup: np.maximum(step - warmup, 1) ** -0.5,
}
WIDTHS = {"root": -0.5, "none": 0.0, "plus": 0.5, "inverse": -1.0, "steep": -1.5}


@oracle(parts=("rate",))
def warmup_schedule(
    step,
    hidden_dim,
    warmup_steps,
    *,
    choice="smaller",
    rise="right",
    fall="right",
    width="root",
    arguments="right",
    counted="from_one",
    minimum="of_arrays",
    precision="cast",
):
    """The learning rate at a step, or at each of an array of steps.

    Args:
        step: a number or an array of numbers, from 1 on.
        hidden_dim: D.
        warmup_steps: where the rate is highest.
        choice, rise, fall, width, arguments, counted, minimum, precision: the switches.

    Raises:
        Crash: where the mistake asked for raises, as Python's `min` does on several numbers.
    """
    several = isinstance(step, np.ndarray) and step.ndim > 0
    if several and minimum == "pythons":
        raise Crash("ValueError", "InvalidArgumentError", "TypeError")
    if several and step.dtype.kind == "i" and precision == "whole_numbers":
        raise Crash("TypeError", "InvalidArgumentError", "ValueError")
    kind = step.dtype.type if several and step.dtype.kind == "f" else float
    step = np.asarray(step, kind)
    if counted == "from_zero":
        step = step + 1
    if counted == "one_before":
        step = step - 1
    hidden_dim = {"width_fixed": 512, "both_fixed": 512}.get(arguments, hidden_dim)
    warmup_steps = {"warmup_fixed": 4000, "both_fixed": 4000}.get(arguments, warmup_steps)
    if arguments == "exchanged":
        hidden_dim, warmup_steps = warmup_steps, hidden_dim
    warmup = float(warmup_steps)
    with np.errstate(divide="ignore", invalid="ignore"):
        rising, falling = RISES[rise](step, warmup), FALLS[fall](step, warmup)
        rate = {
            "smaller": np.minimum(rising, falling),
            "larger": np.maximum(rising, falling),
            "rising": rising,
            "falling": falling,
            "sum": rising + falling,
            "product": rising * falling,
        }[choice]
    return float(hidden_dim) ** WIDTHS[width] * rate
