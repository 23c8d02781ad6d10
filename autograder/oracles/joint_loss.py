"""The loss of commands, intents plus slots, in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import softmax, with_switches_of
from autograder.oracles.calculus import numeric_gradient


def surprise(logits, labels, scores):
    """Cross-entropy (…) of labels (…) under logits (…, C), or what is mistaken for it."""
    kind = logits.dtype.type
    if scores == "softmax_first":
        logits = softmax(logits, -1)
    if scores == "probabilities":  # as Keras takes them unless it is told otherwise
        clipped = np.clip(logits, kind(1e-7), kind(1) - kind(1e-7))
        logs = np.log(clipped / clipped.sum(axis=-1, keepdims=True))
    elif scores == "not_normalised":
        logs = logits
    elif scores == "no_logarithm":
        logs = softmax(logits, -1)
    elif scores == "another_axis":
        logs = np.log(softmax(logits, 1 if logits.ndim == 3 else 0))
    elif scores == "log_of_softmax":  # small shares are 0 in single precision
        logs = np.log(softmax(logits, -1))
    else:
        shifted = logits - logits.max(axis=-1, keepdims=True)
        logs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    if scores == "likeliest":
        return -logs.max(axis=-1)
    return -np.take_along_axis(logs, labels[..., None], axis=-1)[..., 0]


def intent_mean(logits, intent, *, intents="mean", scores="logits", intent_scores="as_slots"):
    """The intents' loss.

    Args:
        logits: float (B, C).
        intent: int (B,).
        intents, scores, intent_scores: the switches; `scores` is for both losses.
    """
    how = scores if intent_scores == "as_slots" else intent_scores
    each = surprise(logits, intent, how)
    kind = logits.dtype.type
    if intents == "zero_left_out":
        return kind((each * (intent > 0)).sum()) / kind(max((intent > 0).sum(), 1))
    return kind({"mean": each.mean, "sum": each.sum}[intents]())


def slot_mean(
    logits,
    slots,
    *,
    judged="not_minus_one",
    counted="judged",
    empty="zero",
    scores="logits",
    slot_scores="as_intents",
):
    """The slots' loss.

    Args:
        logits: float (B, T, S).
        slots: int (B, T), −1 where nothing is judged.
        judged, counted, empty, scores, slot_scores: the switches.
    """
    kind = logits.dtype.type
    how = scores if slot_scores == "as_intents" else slot_scores
    wanted = slots >= 0
    labels = np.where(wanted, slots, logits.shape[-1] - 1 if judged == "as_the_last" else 0)
    if judged == "on_the_logits":  # zeros are a guess among all tags
        logits = logits * wanted[..., None].astype(logits.dtype)
    each = surprise(logits, labels, how)
    weight = {
        "above_zero": slots > 0,
        "all": np.ones(slots.shape, bool),
        "as_the_last": np.ones(slots.shape, bool),
        "on_the_logits": np.ones(slots.shape, bool),
        "inverted": ~wanted,
        "first_row": np.broadcast_to(wanted[:1], wanted.shape),
    }.get(judged, wanted).astype(logits.dtype)
    kept = each * weight
    number = weight.sum()
    with np.errstate(all="ignore"):
        loss = {
            "judged": lambda: kept.sum() / number,
            "not_minus_one": lambda: kept.sum() / kind(wanted.sum()),
            "all_places": lambda: kept.mean(),
            "batch": lambda: kept.sum() / kind(len(slots)),
            "length": lambda: kept.sum() / kind(slots.shape[1]),
            "none": lambda: kept.sum(),
            "one_more": lambda: kept.sum() / (number + kind(1)),
            "rows_then_batch": lambda: (kept.sum(1) / weight.sum(1)).mean(),
            "rows_guarded": lambda: (kept.sum(1) / np.maximum(weight.sum(1), 1)).mean(),
            "rows_in_use": lambda: (
                (kept.sum(1) / np.maximum(weight.sum(1), 1)).sum() / kind(weight.any(axis=1).sum())
            ),
            "sum_of_rows": lambda: (kept.sum(1) / np.maximum(weight.sum(1), 1)).sum(),
            "columns_then_length": lambda: (kept.sum(0) / np.maximum(weight.sum(0), 1)).mean(),
        }[counted]()
    if empty == "zero" and np.isnan(loss) and not wanted.any():
        loss = kind(0)
    return kind(loss)


@with_switches_of(intent_mean, slot_mean)
def joint_of(
    intent_logits,
    slot_logits,
    intent,
    slots,
    *,
    together="sum",
    sign="positive",
    unit="nats",
    returned="loss",
    intents="mean",
    intent_scores="as_slots",
    scores="logits",
    **switches,
):
    """Both losses, added.

    Args:
        intent_logits, slot_logits: float (B, C) and (B, T, S).
        intent, slots: int (B,) and (B, T).
        together, sign, unit, returned, intents, intent_scores, scores: the switches.
        **switches: of `slot_mean`.

    Returns:
        float (), unless a switch says otherwise.
    """
    kind = intent_logits.dtype.type
    first = intent_mean(
        intent_logits, intent, intents=intents, scores=scores, intent_scores=intent_scores
    )
    second = slot_mean(slot_logits, slots, scores=scores, **switches)
    wanted = slots >= 0
    loss = {
        "sum": lambda: first + second,
        "mean": lambda: (first + second) / kind(2),
        "intents_only": lambda: first,
        "slots_only": lambda: second,
        "difference": lambda: first - second,
        "product": lambda: first * second,
        "half_of_slots": lambda: first + second / kind(2),
        "per_sentence": lambda: (
            (
                surprise(intent_logits, intent, scores).sum()
                + (surprise(slot_logits, np.maximum(slots, 0), scores) * wanted).sum()
            )
            / kind(len(intent) + wanted.sum())
        ),
    }[together]()
    loss = loss * {"nats": kind(1), "bits": kind(1 / np.log(2))}[unit]
    loss = -loss if sign == "negative" else loss
    return {
        "pair": lambda: (first, second),
        "three": lambda: (loss, first, second),
        "each_sentence": lambda: surprise(intent_logits, intent, scores) + second,
    }.get(returned, lambda: np.asarray(loss))()


joint_intent_slot_loss = oracle(parts=("loss",))(joint_of)


@oracle(parts=("d_intent_logits", "d_slot_logits"), slow=True)
@with_switches_of(joint_of)
def joint_gradient(intent_logits, slot_logits, intent, slots, *, gradient="flows", **switches):
    """The loss's derivative by both logits; zero where nothing is judged.

    Args:
        intent_logits, slot_logits, intent, slots: as for `joint_of`.
        gradient: what gets lost on the way back.
        **switches: of `joint_of`.
    """

    def total(first, second):  # of several numbers a gradient takes the sum
        found = joint_of(first, second, intent, slots, **switches)
        return sum(np.sum(part) for part in (found if isinstance(found, tuple) else (found,)))

    found = numeric_gradient(
        total,
        [np.asarray(intent_logits, np.float64), np.asarray(slot_logits, np.float64)],
        np.float64(1),
    )
    lost = {"lost": (0, 1), "intents_lost": (0,), "slots_lost": (1,)}.get(gradient, ())
    return tuple(0 * each if place in lost else each for place, each in enumerate(found))
