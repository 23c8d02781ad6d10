"""The loss of a language model that reads from left to right, in plain NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import shapes_clash, softmax, with_switches_of
from autograder.oracles.calculus import numeric_gradient
from autograder.oracles.seq2seq import mean_loss

_CUTS = {
    "inside": (slice(None, -1), slice(1, None)),
    "none": (slice(None), slice(None)),
    "cut_only": (slice(None, -1), slice(None, -1)),
    "cut_in_front": (slice(1, None), slice(1, None)),
    "twice": (slice(None, -2), slice(2, None)),
    "wrong_way": (slice(1, None), slice(None, -1)),
}


def _paired(logits, token_ids, padding_mask, shift):
    """Scores, labels and the labels' mask, as they are put beside each other."""
    if shift == "flattened":
        scores = logits.reshape(1, -1, logits.shape[-1])[:, :-1]
        return scores, token_ids.reshape(1, -1)[:, 1:], padding_mask.reshape(1, -1)[:, 1:]
    if shift == "along_batch":
        return logits[:-1], token_ids[1:], padding_mask[1:]
    if shift in ("rolled", "rolled_ids"):
        mask = np.roll(padding_mask, -1, axis=1) if shift == "rolled" else padding_mask
        return logits, np.roll(token_ids, -1, axis=1), mask
    if shift == "filled":  # the last position has to predict token 0
        return (
            logits,
            np.pad(token_ids[:, 1:], ((0, 0), (0, 1))),
            np.pad(padding_mask[:, 1:], ((0, 0), (0, 1)), constant_values=True),
        )
    before, after = _CUTS[shift]
    return logits[:, before], token_ids[:, after], padding_mask[:, after]


def next_token_loss(
    logits,
    token_ids,
    padding_mask,
    *,
    shift="inside",
    mask_of="labels",
    counted="predicted",
    empty="zero",
    denominator="real_tokens",
    fed="logits",
    **switches,
):
    """Cross-entropy of every real token but each row's first, averaged over all of them.

    Args:
        logits: float (B, T, V).
        token_ids: int (B, T).
        padding_mask: bool (B, T).
        shift: how scores and tokens stand to each other.
        mask_of, counted, empty, denominator: the other switches.
        fed: what takes the place of the logits: a logarithm of shares, or ("1e-9" and the like) of
            shares to which so much has been added.
        **switches: of `mean_loss`.

    Returns:
        float (), unless a switch says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    scores, label_ids, label_mask = _paired(logits, token_ids, padding_mask, shift)
    if fed == "log_softmax":
        falling = scores - scores.max(axis=-1, keepdims=True)
        scores = falling - np.log(np.exp(falling).sum(axis=-1, keepdims=True))
    elif fed != "logits":  # the logarithm that follows hardly changes these once more
        scores = np.log(softmax(scores, -1) + scores.dtype.type(fed))
    if mask_of == "lengths":  # the mask is only counted, as if it were always on the left
        lengths = padding_mask.sum(axis=1, keepdims=True)
        padding_mask = np.arange(padding_mask.shape[1]) < lengths
        label_mask = _paired(logits, token_ids, padding_mask, shift)[2]
    if mask_of == "inputs":
        label_mask = padding_mask[:, : label_mask.shape[1]]
    elif mask_of == "both":
        label_mask = label_mask & padding_mask[:, : label_mask.shape[1]]
    elif mask_of == "not_the_last":  # a mask that is cut as if it were shifted once more
        label_mask = label_mask & np.pad(label_mask[:, 1:], ((0, 0), (0, 1)))
    if label_ids.shape != label_mask.shape or not label_ids.size:
        raise shapes_clash()
    wholes = {"all_real": padding_mask.sum(), "all_places": padding_mask.size}
    used = "none" if counted in wholes else denominator
    with np.errstate(all="ignore"):
        loss = mean_loss(scores, label_ids, label_mask, denominator=used, **switches)
    if counted in wholes:
        loss = loss / scores.dtype.type(wholes[counted])
    if counted == "rows_guarded":  # a mean over rows of means, where an empty row has 0
        each = mean_loss(scores, label_ids, label_mask, **{**switches, "returned": "each_masked"})
        loss = (each.sum(axis=1) / np.maximum(label_mask.sum(axis=1), 1)).mean()
        loss = scores.dtype.type(loss)
    if empty == "zero" and np.ndim(loss) == 0 and np.isnan(loss) and not label_mask.any():
        loss = scores.dtype.type(0)
    return loss


next_token_loss = with_switches_of(mean_loss)(next_token_loss)
causal_lm_loss = oracle(parts=("loss",))(next_token_loss)


@oracle(parts=("d_logits",), slow=True)
@with_switches_of(next_token_loss)
def causal_lm_loss_gradient(logits, token_ids, padding_mask, *, gradient="flows", **switches):
    """The loss's derivative by the logits; zero at the last position and where the label is a pad.

    Args:
        logits, token_ids, padding_mask: as for `next_token_loss`.
        gradient: "lost" where none gets back.
        **switches: of `next_token_loss`.
    """
    if gradient == "lost":
        return (np.zeros(logits.shape),)
    return numeric_gradient(
        lambda scores: next_token_loss(scores, token_ids, padding_mask, **switches),
        [np.asarray(logits, np.float64)],
        np.float64(1),
    )
