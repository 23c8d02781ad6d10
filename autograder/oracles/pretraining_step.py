"""One step of BERT's pretraining in plain NumPy, as the drill has it, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, softmax, with_switches_of
from autograder.oracles.calculus import numeric_gradient
from autograder.oracles.pretraining_losses import masked_mean, sentence_mean

_SENTENCES = ("class_zero", "label", "pairs", "nsp_scores")


def encode(x, query_kernel, value_kernel, sentence_kernel):
    """What the stand-in `planted_encoder` computes: states and logits of the sentences."""
    weights = softmax(x @ query_kernel @ np.swapaxes(x, 1, 2), -1)
    states = x + np.tanh(weights @ x @ value_kernel)
    return states, np.tanh(states[:, 0]) @ sentence_kernel


def corrupted_ids(batch, mask_id, *, fates="80_10_10", unused="nothing"):
    """The batch as the model reads it.

    Args:
        batch: dict of token_ids (B, T), mask_positions, mask_weights, draws and random_ids (B, P).
        mask_id: int.
        fates, unused: the switches.

    Returns:
        int (B, T).
    """
    draws, positions = batch["draws"], batch["mask_positions"]
    originals = np.take_along_axis(batch["token_ids"], positions, axis=1)
    hidden, exchanged = {
        "tenth_of_the_rest": (draws < 0.8, draws < 0.82),
        "second_tenth": (draws < 0.8, draws < 0.8),
        "all_hidden": (draws < 1, draws < 1),
        "never_kept": (draws < 0.8, draws < 1),
        "nothing": (draws < 0, draws < 0),
        "random_and_kept_exchanged": (draws < 0.8, draws >= 0.9),
        "hidden_up_to_nine_tenths": (draws < 0.9, draws < 0.9),
    }.get(fates, (draws < 0.8, draws < 0.9))
    new = np.where(hidden, mask_id, np.where(exchanged, batch["random_ids"], originals))
    corrupted = batch["token_ids"].copy()
    used = batch["mask_weights"] > 0.5
    for row, places in enumerate(positions):
        for slot, place in enumerate(places):
            if used[row, slot] or unused == "written":
                corrupted[row, place] = new[row, slot]
    return corrupted


def step_of(
    batch,
    mask_id,
    kernels,
    table,
    bias,
    output_table=None,
    *,
    labels="original",
    read="corrupted",
    weighting="used",
    denominator="used",
    added="once",
    gather="right",
    together="sum",
    shown="both",
    fates="80_10_10",
    unused="nothing",
    **switches,
):
    """The corrupted ids and the loss of one step.

    Args:
        batch: dict as for `corrupted_ids`, and next_sentence_label (B,).
        mask_id: int.
        kernels: tuple of the encoder's three kernels.
        table: float (V, D); bias: float (V,).
        output_table: float (V, D), or None for the tied one.
        labels, read, weighting, denominator, added, gather, together, shown, fates, unused: the
            switches.
        **switches: of `sentence_mean`.

    Returns:
        int (B, T) and float ().

    Raises:
        Crash: where the mistake asked for could not run.
    """
    kind = table.dtype.type
    positions, weights = batch["mask_positions"], batch["mask_weights"]
    corrupted = corrupted_ids(batch, mask_id, fates=fates, unused=unused)
    used = weights > 0.5
    source = corrupted if labels == "after" else batch["token_ids"]
    mask_ids = np.where(used, np.take_along_axis(source, positions, axis=1), 0)
    try:
        seen = batch["token_ids"] if read == "original" else corrupted
        states, sentences = encode(table[seen], *kernels)
        row = np.arange(len(positions))[:, None]
        picked = states[:, : positions.shape[1]] if gather == "first_places" else None
        picked = states[row, positions] if picked is None else picked
        logits = picked @ (table if output_table is None else output_table).T
        logits = logits + {"never": 0, "twice": 2}.get(added, 1) * bias
    except ValueError as error:
        raise shapes_clash() from error
    if weighting in ("all", "all_in_the_sum"):
        weights = np.ones_like(weights)
    elif weighting == "nonzero":
        weights = (mask_ids > 0).astype(kind)
    how = {
        "slots": "batch_times_length",
        "batch": "batch",
        "none": "none",
        "plus": "real_tokens_plus",
        "means": "rows_then_batch",
    }.get(denominator, "real_tokens")
    mlm = kind(masked_mean(logits, mask_ids, weights, denominator=how))
    if weighting == "all_in_the_sum":  # divided by the slots in use all the same
        mlm = mlm * kind(weights.size) / kind(used.sum())
    nsp = sentence_mean(sentences, batch["next_sentence_label"], **switches)
    loss = {"mlm_only": mlm, "nsp_only": nsp, "mean": (mlm + nsp) / kind(2)}
    loss = loss.get(together, mlm + nsp)
    if shown == "loss_only":
        return loss
    if shown == "exchanged":
        return loss, corrupted
    if shown == "ids":
        return mask_ids, loss
    return corrupted, loss


step_of = with_switches_of(sentence_mean)(step_of)
pretraining_step = oracle(parts=("corrupted", "loss"))(step_of)


@oracle(parts=("d_token_table",), slow=True)
@with_switches_of(step_of)
def pretraining_step_gradient(
    batch, mask_id, kernels, table, bias, *, tying="shared", gradient="flows", **switches
):
    """The loss's derivative by the token table, from both its uses.

    Args:
        batch, mask_id, kernels, table, bias: as for `step_of`.
        tying: "output_cut" where the output has a table of its own, "lookup_cut" the other way.
        gradient: "lost" where none gets back.
        **switches: of `step_of`.
    """
    if switches.get("shown", "both") != "both":
        raise Crash
    exact = tuple(np.asarray(kernel, np.float64) for kernel in kernels)
    lookup, head = numeric_gradient(
        lambda rows, out: step_of(batch, mask_id, exact, rows, bias, out, **switches)[1],
        [np.asarray(table, np.float64)] * 2,
        np.float64(1),
    )
    kept = {"output_cut": lookup, "lookup_cut": head}.get(tying, lookup + head)
    return (0 * kept if gradient == "lost" else kept,)
