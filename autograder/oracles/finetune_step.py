"""One forward pass of fine-tuning, as the drill of chapter 6a has it, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, softmax
from autograder.oracles.joint_loss import surprise
from autograder.oracles.sentence_classifier import bend, mean_of
from autograder.oracles.text_pairs import encode

WEIGHTS = ("token_table", "segment_table", "block/kernel")
PREFIX = "bert."


def _loaded(fresh, checkpoint, loaded):
    """The encoder's three weights."""
    found = {name: checkpoint.get(PREFIX + name, fresh[name]) for name in WEIGHTS}
    return {
        "fresh": lambda: [fresh[name] for name in WEIGHTS],
        "tables_only": lambda: [found[name] for name in WEIGHTS[:2]] + [fresh[WEIGHTS[2]]],
        "block_only": lambda: [fresh[name] for name in WEIGHTS[:2]] + [found[WEIGHTS[2]]],
        "added": lambda: [found[name] + fresh[name] for name in WEIGHTS],
    }.get(loaded, lambda: [found[name] for name in WEIGHTS])()


@oracle(parts=("logits", "loss"))
def finetune_step(
    fresh,
    checkpoint,
    inputs,
    labels,
    order,
    kernel,
    bias,
    training,
    *,
    loaded="checkpoint",
    segments="given",
    mask="given",
    exchanged="no",
    rows="ordered",
    wanted="ordered",
    mean="real",
    dropped="in_training",
    bent="nowhere",
    scores="logits",
    reduced="mean",
    shown="both",
):
    """Logits and loss of a batch.

    Args:
        fresh, checkpoint: dicts of arrays.
        inputs: dict of token_ids, segment_ids and padding_mask (N, T).
        labels: int (N,).
        order: int (B,).
        kernel, bias: float (D, C) and (C,) of the dense layer.
        training: bool.
        loaded, segments, mask, exchanged, rows, wanted, mean, dropped, bent, scores, reduced,
            shown: the switches.

    Returns:
        float (B, C) and float (), unless a switch says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    size = len(order)
    pick = {
        "first": np.arange(size),
        "reversed": order[::-1],
        "sorted": np.sort(order),
        "all": np.arange(len(labels)),
    }
    ids, parts, real = (
        inputs[name][pick.get(rows, order)] for name in ("token_ids", "segment_ids", "padding_mask")
    )
    answers = labels[pick.get(wanted, order)]
    if len(answers) != len(ids):
        raise shapes_clash()
    shown_parts = np.zeros_like(parts) if segments == "zeros" else parts
    seen = np.ones_like(real) if mask == "ones" else real
    given = (seen, shown_parts) if exchanged == "yes" else (shown_parts, seen)
    states = encode(ids, *given, *_loaded(fresh, checkpoint, loaded))
    x = mean_of(states, real, mean)
    if bent == "pooled":
        x = np.tanh(x)
    drops = {"always": True, "never": False, "inverted": not training}.get(dropped, training)
    if drops:
        x = bend(x)
    try:
        logits = x @ kernel + bias
    except ValueError as error:
        raise shapes_clash() from error
    each = surprise(logits, answers, scores)
    loss = np.asarray({"sum": each.sum, "largest": each.max}.get(reduced, each.mean)())
    if scores == "softmax_first" and shown == "shares":
        return softmax(logits, -1), loss
    return {
        "loss_only": lambda: loss,
        "logits_only": lambda: logits,
        "exchanged": lambda: (loss, logits),
        "shares": lambda: (softmax(logits, -1), loss),
        "each": lambda: (logits, each),
    }.get(shown, lambda: (logits, loss))()


@oracle(parts=("refused",))
def missing_refused(*, missing="refused"):
    """Whether a weight that the checkpoint lacks raises a ValueError."""
    if missing not in ("refused", "never"):
        raise Crash
    return np.asarray(missing == "refused")
