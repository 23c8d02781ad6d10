"""Commands that are right as a whole, in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of


def _mean(values):
    """The mean, NaN where there is nothing; without the warning, which a notebook would show."""
    return values.mean() if values.size else np.nan


@oracle(parts=("share",))
def frame_accuracy(
    intent,
    predicted_intent,
    slots,
    predicted_slots,
    *,
    judged="not_minus_one",
    tags="all",
    together="and",
    nothing="intent_only",
    averaged="sentences",
    returned="share",
):
    """Share of sentences with the right intent and all judged tags right.

    Args:
        intent, predicted_intent: int (B,).
        slots, predicted_slots: int (B, T).
        judged, tags, together, nothing, averaged, returned: the switches.

    Returns:
        float (), unless a switch says otherwise.

    Raises:
        Crash: where there is nothing to divide by.
    """
    counts = {
        "not_minus_one": slots >= 0,
        "everywhere": np.ones(slots.shape, bool),
        "above_zero": slots > 0,
        "predicted": predicted_slots >= 0,
        "either": (slots >= 0) | (predicted_slots >= 0),
        "predicted_above_zero": predicted_slots > 0,
        "found_and_told": (slots > 0) & (predicted_slots > 0),
    }[judged]
    equal = slots == predicted_slots
    hits = (equal & counts).sum(axis=1)
    number = counts.sum(axis=1)
    some = number > 0
    whole = {
        "all": hits == number,
        "any": (hits > 0) | ~some,
        "any_strictly": hits > 0,
        "any_or_open": (equal | ~counts).any(axis=1),
        "most": 2 * hits > number,
        "number": (slots >= 0).sum(axis=1) == (predicted_slots >= 0).sum(axis=1),
        "compared_with_length": hits == slots.shape[1],
    }[tags]
    with np.errstate(all="ignore"):
        shares = hits / number
    if nothing == "wrong":
        whole, shares = whole & some, np.where(some, shares, 0.0)
    right = intent == predicted_intent
    if nothing == "left_out":
        right, whole, shares = right[some], whole[some], shares[some]
    elif nothing == "right_anyway":
        right = right | ~some
    if nothing != "divided":
        shares = np.where(np.isnan(shares), 1.0, shares)
    if averaged == "tokens":  # both shares, and what is made of them
        tokens = hits.sum() / max(number.sum(), 1)
        if nothing == "divided" and not number.sum():
            tokens = np.nan
        share = {
            "and": tokens * _mean(right),
            "slots_only": tokens,
            "mean": (tokens + _mean(right)) / 2,
        }.get(together)
        if share is None:
            raise Crash
    elif averaged == "sentence_shares":
        share = {
            "and": _mean(right * shares),
            "slots_only": _mean(shares),
            "mean": (_mean(right) + _mean(shares)) / 2,
        }.get(together)
        if share is None:
            raise Crash
    elif averaged == "judged_tokens":  # every judged token with its sentence's intent
        share = (equal & counts & right[:, None]).sum() / max(number.sum(), 1)
    elif averaged == "first_sentence":
        share = float(right[0] and whole[0])
    elif averaged == "whole_batch":
        share = float((right & whole).all())
    else:
        each = {
            "and": right & whole,
            "or": right | whole,
            "intent_only": right,
            "slots_only": whole,
        }.get(together)
        share = {
            "mean": lambda: (_mean(right) + _mean(whole)) / 2,
            "product": lambda: _mean(right) * _mean(whole),
            "least": lambda: min(_mean(right), _mean(whole)),
        }.get(together, lambda: _mean(each))()
        if returned in ("each", "number", "count") and each is None:
            raise Crash
        if returned == "each":
            return each
        if returned == "number":
            return np.asarray(each.sum())
        if returned == "count":  # the same number, but a float
            return np.asarray(float(each.sum()))
    if returned in ("each", "number", "count"):
        raise Crash
    share = float(share)
    return np.asarray({"percent": 100 * share, "errors": 1 - share}.get(returned, share))


@oracle(parts=("shares",))
@with_switches_of(frame_accuracy.raw)
def frame_accuracies(batches, **switches):
    """The shares of several batches, each a tuple of the arguments of `frame_accuracy`.

    Raises:
        ValueError: what would come back for a batch is no number.
    """
    shares = [frame_accuracy.raw(*batch, **switches) for batch in batches]
    if any(np.shape(share) != () for share in shares):
        raise ValueError("these aren't compared at once")
    return np.asarray(shares)
