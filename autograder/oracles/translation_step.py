"""The drill of ch03c in plain NumPy: a training loss, and a beam search for one sentence."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import softmax, with_switches_of
from autograder.oracles.beam import search
from autograder.oracles.recipe import softened
from autograder.oracles.translating import Translator

BEAM_WIDTH, LENGTH_PENALTY, SMOOTHING = 3, 0.6, 0.1


def smoothed_loss(
    logits, label_ids, label_mask, *, mass="evenly", masked="each", denominator="real", **switches
):
    """Cross-entropy against softened labels, averaged over the real ones."""
    kind = logits.dtype
    pad = {"pad": switches["pad"]} if "pad" in switches else {}
    labels = softened(label_ids, logits.shape[-1], SMOOTHING, mass=mass, **pad).astype(kind)
    each = -(labels * np.log(softmax(logits, -1))).sum(axis=-1)
    real = label_mask.astype(kind)
    weight = {"each": real, "not": np.ones_like(real), "inverted": 1 - real}[masked]
    kept = each * weight
    return {
        "real": lambda: kept.sum() / weight.sum(),
        "all": lambda: kept.mean(),
        "rows": lambda: (kept.sum(axis=1) / np.maximum(weight.sum(axis=1), 1)).mean(),
        "none": lambda: kept.sum(),
    }[denominator]()


def shifted(target_ids, target_mask, inputs):
    """What the decoder is given, what it should say, and where that is real."""
    before, after = target_ids[:, :-1], target_ids[:, 1:]
    return {
        "labels": (after, after, target_mask[:, 1:]),
        "both_inputs": (before, before, target_mask[:, :-1]),
        "exchanged": (after, before, target_mask[:, :-1]),
        "mask_of_inputs": (before, after, target_mask[:, :-1]),
    }.get(inputs, (before, after, target_mask[:, 1:]))


@oracle(parts=("loss", "tokens", "score"))
@with_switches_of(smoothed_loss, search)
def loss_and_translation(
    script,
    token_ids,
    padding_mask,
    target_ids,
    target_mask,
    max_length,
    *,
    inputs="shifted",
    encode_mask="right",
    decode_mask="right",
    pad="like_others",
    sentence="first",
    shown="score",
    **switches,
):
    """The smoothed loss of a batch, and the best translation of its first source.

    Args:
        script: of the translator.
        token_ids, padding_mask, target_ids, target_mask, max_length: as the drill has them.
        inputs, encode_mask, decode_mask, pad, sentence, shown: switches.
        **switches: of the pieces.

    Returns:
        loss (), ids (L,) and score ().
    """
    model, plan = Translator(script), np.zeros(len(token_ids))
    masks = {
        "right": padding_mask,
        "ones": np.ones_like(padding_mask),
        "inverted": ~padding_mask,
    }
    source, seen = model.encode(token_ids, masks[encode_mask]), masks[decode_mask]
    input_ids, label_ids, label_mask = shifted(target_ids, target_mask, inputs)
    logits = model.decode(input_ids, source, seen, plan)
    of_loss = {k: v for k, v in switches.items() if k in ("mass", "masked", "denominator")}
    loss = smoothed_loss(logits, label_ids, label_mask, pad=pad, **of_loss)
    row = slice(-1, None) if sentence == "last" else slice(0, 1)
    of_search = {k: v for k, v in switches.items() if k not in of_loss}
    kept, scores = search(
        model.log_probs_after(source[row], seen[row]),
        script["begin_id"],
        script["end_id"],
        max_length,
        BEAM_WIDTH,
        LENGTH_PENALTY,
        **of_search,
    )
    tokens, log_p, _ = kept[0]
    score = {"log_p": log_p, "probability": float(np.exp(log_p))}.get(shown, scores[0])
    if shown == "end_cut" and tokens[-1] == script["end_id"]:
        tokens = tokens[:-1]
    if shown == "begin_kept":
        tokens = [script["begin_id"], *tokens]
    return loss, np.array(tokens), score
