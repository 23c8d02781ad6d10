"""A learning rate that rises and falls in straight lines, in plain NumPy with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle

# Factors of the peak, from the number u of the update, the warm-up w and the total t.
RISES = {
    "right": lambda u, w, t: (u + 1) / w,
    "from_zero": lambda u, w, t: u / w,
    "one_more": lambda u, w, t: (u + 1) / (w + 1),
    "of_total": lambda u, w, t: (u + 1) / t,
    "flat": lambda u, w, t: 1 + 0 * u,
}
FALLS = {
    "right": lambda u, w, t: (t - u) / (t - w),
    "of_total": lambda u, w, t: (t - u) / t,
    "counted_from_warmup": lambda u, w, t: (t - (u - w)) / t,
    "one_less": lambda u, w, t: (t - u - 1) / (t - w),
    "one_more": lambda u, w, t: (t - u + 1) / (t - w),
    "from_one": lambda u, w, t: (t - u - 1) / (t - w - 1),
    "flat": lambda u, w, t: 1 + 0 * u,
    "root": lambda u, w, t: (w / np.maximum(u, 1)) ** 0.5,
    "cosine": lambda u, w, t: 0.5 + 0.5 * np.cos(np.pi * np.clip((u - w) / (t - w), 0, 1)),
}


def _is_whole(step):
    return isinstance(step, np.ndarray) and step.dtype.kind in "iu"


def rate_of(
    step,
    peak,
    warmup_steps,
    total_steps,
    *,
    rise="right",
    fall="right",
    phase="below",
    end="zero",
    height="peak",
    arguments="right",
    numbers="of_arrays",
    precision="cast",
    division="true",
):
    """The rate of one update, or of each of an array of updates; the first is number 0.

    Args:
        step: an int, or an int array of any shape.
        peak: the highest rate.
        warmup_steps, total_steps: when it is reached, and when the rate is 0 again.
        rise, fall: keys of `RISES` and `FALLS`.
        phase: which updates rise: those `below` the warm-up, `up_to` it, `always`, `never`; or
            what is made of both lines, `larger`, `product`.
        end: what becomes of negative rates.
        height, arguments, numbers, precision, division: the switches.

    Returns:
        float of the same shape.

    Raises:
        Crash: where the mistake raises, as Python's `if` does on several numbers.
    """
    if numbers == "pythons" and isinstance(step, np.ndarray) and step.ndim:
        raise Crash("ValueError", "InvalidArgumentError")
    if precision == "whole_numbers" and _is_whole(step):
        raise Crash("TypeError", "InvalidArgumentError")
    w, t = float(warmup_steps), float(total_steps)
    if arguments == "exchanged":
        w, t = t, w
    u = np.asarray(step, float)
    if end == "held":
        u = np.minimum(u, t - 1)
    with np.errstate(all="ignore"):
        rising, falling = RISES[rise](u, w, t), FALLS[fall](u, w, t)
        if division == "whole":
            rising, falling = np.floor(rising), np.floor(falling)
        if end == "zero":
            falling = np.maximum(falling, 0)
        if end == "positive":
            falling = np.abs(falling)
        factor = {
            "below": lambda: np.where(u < w, rising, falling),
            "up_to": lambda: np.where(u <= w, rising, falling),
            "one_too_few": lambda: np.where(u < w - 1, rising, falling),
            "always": lambda: rising,
            "up_to_the_peak": lambda: np.minimum(rising, 1),
            "never": lambda: falling,
            "larger": lambda: np.maximum(rising, falling),
            "product": lambda: rising * falling,
            "capped_product": lambda: np.minimum(rising, 1) * falling,
        }[phase]()
    return factor if height == "left_out" else peak * factor


warmup_linear_decay = oracle(parts=("rate",))(rate_of)
