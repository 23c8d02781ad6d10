"""The loss of GPT's fine-tuning in plain NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import softmax, with_switches_of
from autograder.oracles.calculus import numeric_gradient
from autograder.oracles.gpt_losses import next_token_loss


def _task_losses(class_logits, labels, task):
    """The task's loss of every text, (B,)."""
    kind = class_logits.dtype.type
    shares = softmax(class_logits, -1)
    if task == "softmax_first":
        shares = softmax(shares, -1)
    elif task == "softmax_over_batch":
        shares = softmax(class_logits, 0)
    elif task == "taken_for_probabilities":  # as Keras does unless it is told otherwise
        clipped = np.clip(class_logits, kind(1e-7), kind(1) - kind(1e-7))
        shares = clipped / clipped.sum(axis=-1, keepdims=True)
    right = np.take_along_axis(shares, labels[:, None], axis=-1)[:, 0]
    if task == "probability":
        return -right
    if task == "squared_error":
        hot = np.eye(class_logits.shape[-1], dtype=class_logits.dtype)[labels]
        return ((shares - hot) ** 2).sum(axis=-1)
    if task == "likeliest":
        return -np.log(shares.max(axis=-1))
    if task == "every_class":
        return -np.log(shares).sum(axis=-1)
    return -np.log(right)


def finetune_of(
    class_logits,
    labels,
    lm_logits,
    token_ids,
    padding_mask,
    lm_weight,
    *,
    mixing="weighted",
    task="cross_entropy",
    task_mean="mean",
    share="given",
    lm_returned="mean",
    returned="scalar",
    **switches,
):
    """Loss of the task plus λ times the loss of the language model.

    Args:
        class_logits: float (B, C).
        labels: int (B,).
        lm_logits, token_ids, padding_mask: as for `next_token_loss`.
        lm_weight: float.
        mixing, task, task_mean, share, lm_returned, returned: the switches.
        **switches: of `next_token_loss`.

    Returns:
        float (), unless ``returned`` says otherwise.
    """
    kind = class_logits.dtype.type
    each = _task_losses(class_logits, labels, task)
    total = {
        "sum": each.sum(),
        "first": each[0],
        "by_classes": each.sum() / kind(class_logits.size),
    }.get(task_mean, each.mean())
    lm = next_token_loss(lm_logits, token_ids, padding_mask, **switches)
    if lm_returned == "perplexity":
        lm = np.exp(lm)
    weight = kind({"default": 0.5, "one": 1.0}.get(share, lm_weight))
    loss = {
        "weighted": total + weight * lm,
        "task_only": total,
        "lm_only": lm,
        "lm_only_weighted": weight * lm,
        "on_the_task": weight * total + lm,
        "on_both": weight * (total + lm),
        "shared_out": (1 - weight) * total + weight * lm,
        "shared_out_turned": weight * total + (1 - weight) * lm,
        "product": total * weight * lm,
        "minus": total - weight * lm,
        "divided": total + lm / weight if weight else total,
        "halved": (total + weight * lm) / 2,
    }[mixing]
    return {"pair": (total, lm), "each": each + weight * lm, "triple": (loss, total, lm)}.get(
        returned, loss
    )


finetune_of = with_switches_of(next_token_loss)(finetune_of)
gpt_finetune_loss = oracle(parts=("loss",))(finetune_of)


@oracle(parts=("d_class_logits", "d_lm_logits"), slow=True)
@with_switches_of(finetune_of)
def finetune_gradient(
    class_logits,
    labels,
    lm_logits,
    token_ids,
    padding_mask,
    lm_weight,
    *,
    gradient="flows",
    **switches,
):
    """Derivatives of the loss of fine-tuning by both kinds of logits.

    Args:
        class_logits, labels, lm_logits, token_ids, padding_mask, lm_weight: as for `finetune_of`.
        gradient: which of them got lost.
        **switches: of `finetune_of`.
    """
    task, lm = numeric_gradient(
        lambda ours, theirs: finetune_of(
            ours, labels, theirs, token_ids, padding_mask, lm_weight, **switches
        ),
        [np.asarray(class_logits, np.float64), np.asarray(lm_logits, np.float64)],
        np.float64(1),
    )
    task_lost, lm_lost = gradient in ("lost", "task_lost"), gradient in ("lost", "lm_lost")
    return task * (not task_lost), lm * (not lm_lost)
