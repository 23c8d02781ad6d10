"""The losses of masked tokens and of next sentences, and both together, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import softmax, with_switches_of
from autograder.oracles.calculus import numeric_gradient
from autograder.oracles.seq2seq import mean_loss


def masked_mean(
    logits,
    mask_ids,
    mask_weights,
    *,
    empty="zero",
    counted="used",
    fed="logits",
    weights="once",
    **switches,
):
    """Cross-entropy of the original tokens, averaged over the slots in use.

    Args:
        logits: float (B, P, V).
        mask_ids: int (B, P).
        mask_weights: float (B, P), 0 or 1.
        empty, counted, fed, weights: the switches.
        **switches: of `mean_loss`.

    Returns:
        float (), unless a switch says otherwise; 0 where no slot is in use.
    """
    kind = logits.dtype.type
    used = mask_weights > 0.5
    scores = logits
    if fed == "log_softmax":
        falling = scores - scores.max(axis=-1, keepdims=True)
        scores = falling - np.log(np.exp(falling).sum(axis=-1, keepdims=True))
    with np.errstate(all="ignore"):
        loss = mean_loss(scores, mask_ids, used, **switches)
        if counted == "rows_guarded":  # a mean over rows of means, where an empty row has 0
            each = mean_loss(scores, mask_ids, used, **{**switches, "returned": "each_masked"})
            loss = kind((each.sum(axis=1) / np.maximum(used.sum(axis=1), 1)).mean())
        elif counted == "rows_in_use":  # the same, over those rows that have any
            each = mean_loss(scores, mask_ids, used, **{**switches, "returned": "each_masked"})
            some = used.any(axis=1)
            rows = each.sum(axis=1)[some] / used.sum(axis=1)[some]
            loss = kind(rows.mean() if some.any() else np.nan)
        elif counted == "nonzero_ids":
            loss = loss * kind(used.sum()) / kind((mask_ids != 0).sum())
    if empty == "zero" and np.ndim(loss) == 0 and np.isnan(loss) and not used.any():
        loss = kind(0)
    return loss


masked_mean = with_switches_of(mean_loss)(masked_mean)
mlm_loss = oracle(parts=("loss",))(masked_mean)


@oracle(parts=("d_logits",), slow=True)
@with_switches_of(masked_mean)
def mlm_loss_gradient(logits, mask_ids, mask_weights, *, gradient="flows", **switches):
    """The loss's derivative by the logits; zero in unused slots.

    Args:
        logits, mask_ids, mask_weights: as for `masked_mean`.
        gradient: "lost" where none gets back.
        **switches: of `masked_mean`.
    """
    if gradient == "lost":
        return (np.zeros(logits.shape),)
    return numeric_gradient(
        lambda scores: masked_mean(scores, mask_ids, mask_weights, **switches),
        [np.asarray(logits, np.float64)],
        np.float64(1),
    )


def sentence_mean(
    logits, labels, *, class_zero="counts", label="zero_is_next", pairs="mean", nsp_scores="logits"
):
    """Cross-entropy of "is next" (0) against "is not" (1), averaged over all pairs.

    Args:
        logits: float (B, 2).
        labels: int (B,).
        class_zero, label, pairs, nsp_scores: the switches.

    Returns:
        float ().
    """
    kind = logits.dtype.type
    if label == "inverted":
        labels = 1 - labels
    if nsp_scores == "softmax_first":
        logits = softmax(logits, -1)
    if nsp_scores == "probabilities":
        clipped = np.clip(logits, kind(1e-7), kind(1) - kind(1e-7))
        logs = np.log(clipped / clipped.sum(axis=-1, keepdims=True))
    elif nsp_scores == "softmax_over_the_batch":
        logs = np.log(softmax(logits, 0))
    elif nsp_scores == "two_sigmoids":
        hot = np.eye(2, dtype=logits.dtype)[labels]
        each = np.log1p(np.exp(-np.abs(logits))) + np.maximum(logits, 0) - logits * hot
        logs = None
    else:
        shifted = logits - logits.max(axis=-1, keepdims=True)
        logs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    each = each.mean(axis=-1) if logs is None else -logs[np.arange(len(labels)), labels]
    if class_zero != "counts":
        is_one = labels > 0
        number = {
            "left_out": np.maximum(is_one.sum(), 1),
            "left_out_nan": is_one.sum(),
            "left_out_plus": kind(is_one.sum()) + kind(1e-5),
        }.get(class_zero, len(labels))
        return kind((each * is_one).sum() / kind(number))
    return kind({"mean": each.mean(), "sum": each.sum()}[pairs])


@oracle(parts=("loss", "mlm", "nsp"))
@with_switches_of(sentence_mean)
def pretraining_loss(
    mlm_logits,
    next_sentence_logits,
    mask_ids,
    mask_weights,
    next_sentence_label,
    *,
    together="sum",
    mlm="used_slots",
    returned="three",
    **switches,
):
    """Both losses and their sum.

    Args:
        mlm_logits: float (B, P, V).
        next_sentence_logits: float (B, 2).
        mask_ids, mask_weights: (B, P).
        next_sentence_label: int (B,).
        together, mlm, returned: the switches.
        **switches: of `sentence_mean`.

    Returns:
        Three floats (), unless a switch says otherwise.
    """
    kind = mlm_logits.dtype.type
    with np.errstate(all="ignore"):
        nsp = sentence_mean(next_sentence_logits, next_sentence_label, **switches)
    ones = np.ones_like(mask_weights)
    tokens = {
        "all_slots": lambda: masked_mean(mlm_logits, mask_ids, ones),
        "nonzero_ids": lambda: masked_mean(mlm_logits, mask_ids, (mask_ids > 0).astype(kind)),
        "softmax_first": lambda: masked_mean(softmax(mlm_logits, -1), mask_ids, mask_weights),
        "divided_by_slots": lambda: masked_mean(
            mlm_logits, mask_ids, mask_weights, denominator="batch_times_length"
        ),
    }.get(mlm, lambda: masked_mean(mlm_logits, mask_ids, mask_weights))()
    tokens = kind(tokens)
    loss = {
        "sum": tokens + nsp,
        "mean": (tokens + nsp) / kind(2),
        "mlm_only": tokens,
        "nsp_only": nsp,
        "half_of_nsp": tokens + nsp / kind(2),
        "difference": tokens - nsp,
        "product": tokens * nsp,
        "sum_over_batch": tokens + nsp * kind(len(next_sentence_label)),
    }[together]
    three = (kind(loss), tokens, nsp)
    return {
        "loss_only": three[0],
        "loss_last": (tokens, nsp, three[0]),
        "exchanged": (three[0], nsp, tokens),
        "pair": (tokens, nsp),
        "loss_and_pair": (three[0], (tokens, nsp)),
    }.get(returned, three)


@oracle(parts=("d_mlm_logits", "d_next_sentence_logits"), slow=True)
@with_switches_of(pretraining_loss.raw)
def pretraining_loss_gradient(
    mlm_logits,
    next_sentence_logits,
    mask_ids,
    mask_weights,
    next_sentence_label,
    *,
    gradient="flows",
    **switches,
):
    """The sum's derivative by both logits, by finite differences.

    Args:
        mlm_logits, next_sentence_logits, mask_ids, mask_weights, next_sentence_label: as for
            `pretraining_loss`.
        gradient: what gets lost on the way back.
        **switches: of `pretraining_loss`.
    """
    if switches.get("returned") == "loss_only":  # there is no first of one number
        raise Crash
    found = numeric_gradient(
        lambda tokens, pairs: pretraining_loss.raw(
            tokens, pairs, mask_ids, mask_weights, next_sentence_label, **switches
        )[0],
        [np.asarray(mlm_logits, np.float64), np.asarray(next_sentence_logits, np.float64)],
        np.float64(1),
    )
    lost = {"lost": (0, 1), "mlm_lost": (0,), "nsp_lost": (1,)}.get(gradient, ())
    return tuple(0 * each if place in lost else each for place, each in enumerate(found))
