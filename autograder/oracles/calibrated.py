"""A temperature chosen on some rows and judged on others: in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.calibration import error_of, gaps_of
from autograder.oracles.temperatures import log_probabilities, losses_of


@oracle(parts=("temperature", "before", "after"))
def calibrated(
    logits,
    labels,
    dev,
    temperatures,
    num_bins,
    *,
    chosen_on="dev",
    judged_on="rest",
    scale="divided",
    loss="likelihood",
    choice="lowest",
    confidence="largest",
    right="largest",
    edges="below",
    middle="mean",
    weight="share",
    before_at="one",
    after_at="chosen",
    after_of="logits",
    returned="three",
):
    """The temperature, and the calibration error without and with it.

    Args:
        logits: float (n, C); labels: int (n,); dev: bool (n,); temperatures: floats; num_bins: int.
        chosen_on, judged_on, scale, loss, choice, confidence, right, edges, middle, weight,
            before_at, after_at, after_of, returned: the switches.

    Returns:
        Three floats, unless a switch says otherwise.
    """
    logits = np.asarray(logits, "float64")
    rows = {"all": np.ones_like(dev), "rest": ~dev, "dev": dev}
    chosen, judged = rows[chosen_on], rows[judged_on]
    losses = losses_of(logits[chosen], labels[chosen], temperatures, loss, scale=scale)
    place = {
        "highest": lambda: int(np.argmax(losses)),
        "last": lambda: len(losses) - 1,
        "first": lambda: 0,
    }.get(choice, lambda: int(np.argmin(losses)))()
    best = temperatures[place]

    def error(temperature, scale, of="logits"):
        x = logits[judged]
        with np.errstate(all="ignore"):
            if of == "probabilities":
                x = np.exp(log_probabilities(x, 1.0))
            shares = np.exp(log_probabilities(x, temperature, scale))
        found, hits, sure = gaps_of(
            shares,
            labels[judged],
            num_bins,
            confidence=confidence,
            right=right,
            edges=edges,
            middle=middle,
        )
        return np.float64(error_of(found, hits, sure, num_bins, weight))

    before = error(best if before_at == "chosen" else 1.0, "divided")
    after = error(1.0 if after_at == "one" else best, scale, after_of)
    found = np.float64(best), before, after
    return {
        "exchanged": (found[0], after, before),
        "gain": (found[0], before, before - after),
        "temperature_last": (before, after, found[0]),
        "errors_alone": (before, after),
    }.get(returned, found)
