"""A recurrent encoder and decoder and their loss in plain NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, softmax, with_switches_of
from autograder.oracles.recurrent import lstm_step
from autograder.oracles.sequences import shift_right

MEMORIES = {
    "both": lambda state, carry: (state, carry),
    "exchanged": lambda state, carry: (carry, state),
    "state_twice": lambda state, carry: (state, state),
    "carry_twice": lambda state, carry: (carry, carry),
    "state_only": lambda state, carry: (state, 0 * carry),
    "carry_only": lambda state, carry: (0 * state, carry),
    "nothing": lambda state, carry: (0 * state, 0 * carry),
}


def walk(x, states, weights, padding_mask=None, backwards=False):
    """The states (B, T, H) of an LSTM and its last state and carry; it stands still at padding."""
    outputs = []
    state, carry = states
    for now in range(x.shape[1])[:: -1 if backwards else 1]:
        moved = lstm_step.raw(x[:, now], state, carry, *weights)
        is_real = np.ones((len(x), 1), bool)
        if padding_mask is not None:
            is_real = padding_mask[:, now, None]
        state, carry = (
            np.where(is_real, new, old) for new, old in zip(moved, (state, carry), strict=True)
        )
        outputs.append((state, carry))
    every_state = np.stack([pair[0] for pair in outputs], axis=1)
    every_carry = np.stack([pair[1] for pair in outputs], axis=1)
    return every_state, every_carry, (state, carry)


def logits_of(
    source_ids,
    source_mask,
    input_ids,
    weights,
    *,
    source_padding="skipped",
    wiring="both",
    source_order="as_given",
    matrices="right",
    decoding="threaded",
    output="logits",
    returned="logits",
):
    """Logits of an encoder and a decoder that share nothing but the last state and carry.

    Args:
        source_ids: int (B, S).
        source_mask: bool (B, S).
        input_ids: int (B, T).
        weights: dict as the exercise has it.
        source_padding, wiring, source_order, matrices, decoding, output, returned: the switches.

    Returns:
        float (B, T, V), unless ``returned`` says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    encoder, decoder = weights["encoder"], weights["decoder"]
    tables = weights["source_embedding"], weights["target_embedding"]
    encoder, decoder = {
        "cells_exchanged": (decoder, encoder),
        "encoder_twice": (encoder, encoder),
        "decoder_twice": (decoder, decoder),
    }.get(matrices, (encoder, decoder))
    tables = {
        "tables_exchanged": tables[::-1],
        "source_table_twice": (tables[0], tables[0]),
        "target_table_twice": (tables[1], tables[1]),
    }.get(matrices, tables)
    mask = {
        "skipped": source_mask,
        "read": None,
        "inverted": ~source_mask,
        "nonzero_ids": source_ids != 0,
    }[source_padding]
    zeros = np.zeros((len(source_ids), weights["output_kernel"].shape[0]), tables[0].dtype)
    if matrices == "starts_with_ones":
        zeros = zeros + 1
    try:
        source = tables[0][source_ids]
        backwards = source_order == "backwards"
        states, carries, last = walk(source, (zeros, zeros), encoder, mask, backwards)
        context = _context(wiring, last, states, carries, source_mask)
        target = tables[1][input_ids]
        outputs = _decode(target, context, decoder, decoding, input_ids, source_mask)
        if output == "carry":
            outputs = _decode(target, context, decoder, "carries", input_ids, source_mask)
        if output == "tanh":
            outputs = np.tanh(outputs)
        if output == "with_context":
            outputs = outputs + context[0][:, None]
        logits = outputs @ weights["output_kernel"]
    except ValueError as error:
        raise shapes_clash() from error
    except IndexError as error:  # looking up an id that the table lacks
        raise Crash("InvalidArgumentError", "IndexError", "ValueError") from error
    logits = logits + {"no_bias": 0, "bias_twice": 2}.get(output, 1) * weights["output_bias"]
    if output == "softmax":
        logits = softmax(logits, -1)
    if output == "log_softmax":
        logits = np.log(softmax(logits, -1))
    return {
        "last_only": logits[:, -1],
        "states": outputs,
        "ids": logits.argmax(axis=-1),
        "with_states": (logits, *context),
        "time_first": np.swapaxes(logits, 0, 1),
    }.get(returned, logits)


def _context(wiring, last, states, carries, source_mask):
    """The decoder's first state and carry."""
    if wiring in MEMORIES:
        return MEMORIES[wiring](*last)
    if wiring == "mean_of_states":
        weight = (source_mask / source_mask.sum(axis=1, keepdims=True))[..., None]
        return (states * weight.astype(states.dtype)).sum(axis=1), last[1]
    if wiring == "first_step":
        return states[:, 0], carries[:, 0]
    assert wiring == "rolled", wiring
    return tuple(np.roll(memory, 1, axis=0) for memory in last)


def _decode(target, context, weights, decoding, input_ids, source_mask):
    if decoding == "threaded":
        return walk(target, context, weights)[0]
    if decoding == "carries":
        return walk(target, context, weights)[1]
    if decoding == "backwards":
        return walk(target, context, weights, backwards=True)[0][:, ::-1]
    if decoding == "source_mask":
        return walk(target, context, weights, source_mask)[0]
    if decoding == "stops_at_zero":
        return walk(target, context, weights, input_ids != 0)[0]
    if decoding == "first_input_only":
        return walk(np.repeat(target[:, :1], target.shape[1], axis=1), context, weights)[0]
    if decoding == "no_input":
        return walk(0 * target, context, weights)[0]
    assert decoding == "restarted", decoding
    steps = [walk(target[:, t : t + 1], context, weights)[0] for t in range(target.shape[1])]
    return np.concatenate(steps, axis=1)


encoder_decoder = oracle(parts=("logits",))(logits_of)


def mean_loss(
    logits,
    label_ids,
    label_mask,
    *,
    masked="each",
    denominator="real_tokens",
    scores="logits",
    picked="label",
    unit="nats",
    sign="positive",
    returned="scalar",
):
    """Cross-entropy of labels, averaged over real tokens.

    Args:
        logits: float (B, T, V).
        label_ids: int (B, T).
        label_mask: bool (B, T).
        masked, denominator, scores, picked, unit, sign, returned: the switches.

    Returns:
        float (), unless ``returned`` says otherwise.
    """
    kind = logits.dtype.type
    if scores == "softmax_first":
        logits = softmax(logits, -1)
    if scores == "softmax_over_time":
        logs = np.log(softmax(logits, 1))
    elif scores == "softmax_over_batch":
        logs = np.log(softmax(logits, 0))
    elif scores == "not_normalised":
        logs = logits
    elif scores == "no_logarithm":
        logs = softmax(logits, -1)
    elif scores == "taken_for_probabilities":  # as Keras does unless it is told otherwise
        clipped = np.clip(logits, kind(1e-7), kind(1) - kind(1e-7))
        logs = np.log(clipped / clipped.sum(axis=-1, keepdims=True))
    elif scores == "log_of_logits":
        logs = np.log(logits)
    elif scores == "squared_error":
        hot = np.eye(logits.shape[-1], dtype=logits.dtype)[label_ids]
        logs = np.repeat(
            -((softmax(logits, -1) - hot) ** 2).sum(-1)[..., None], logits.shape[-1], -1
        )
    elif scores.startswith("log_of_softmax"):  # in single precision small shares are 0
        shares = softmax(logits, -1)
        if scores == "log_of_softmax_clipped":  # as Keras does with probabilities
            shares = np.clip(shares, kind(1e-7), kind(1) - kind(1e-7))
            shares = shares / shares.sum(axis=-1, keepdims=True)
        logs = np.log(shares)
    else:
        shifted = logits - logits.max(axis=-1, keepdims=True)
        logs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    ids = {
        "label": label_ids,
        "next_label": np.roll(label_ids, -1, axis=1),
        "previous_label": np.roll(label_ids, 1, axis=1),
    }.get(picked, label_ids)
    each = -np.take_along_axis(logs, ids[..., None], axis=-1)[..., 0]  # (B, T)
    if picked == "likeliest":
        each = -logs.max(axis=-1)
    if picked == "every_class":
        each = -logs.sum(axis=-1)
    if picked == "mean_of_classes":
        each = -logs.mean(axis=-1)
    real = label_mask.astype(logits.dtype)
    weight = {
        "each": real,
        "inverted": 1 - real,
        "nonzero_labels": (label_ids != 0).astype(logits.dtype),
        "first_row": np.broadcast_to(real[:1], real.shape),
    }.get(masked, np.ones_like(real))
    batch, length = each.shape
    kept = each * weight
    if masked == "logits":  # a row of zeros is a guess among all classes
        guess = kind(np.log(logits.shape[-1]))
        kept = np.where(label_mask, each, guess)
    loss = {
        "real_tokens": lambda: kept.sum() / weight.sum(),
        "real_count": lambda: kept.sum() / real.sum(),
        "real_tokens_plus": lambda: kept.sum() / (weight.sum() + kind(1)),
        "batch_times_length": lambda: kept.mean(),
        "batch": lambda: kept.sum() / batch,
        "length": lambda: kept.sum() / length,
        "none": lambda: kept.sum(),
        "rows_then_batch": lambda: (kept.sum(1) / weight.sum(1)).mean(),
        "columns_then_length": lambda: (kept.sum(0) / np.maximum(weight.sum(0), 1)).mean(),
        "rows": lambda: kept.sum(1) / weight.sum(1),
        "all_labels": lambda: kept.sum() / kind(label_ids.size),
        "squared": lambda: kept.sum() / weight.sum() ** 2,
    }[denominator]()
    if masked == "mean_times_share":
        loss = each.mean() * real.mean()
    loss = loss * {"nats": kind(1), "bits": kind(1 / np.log(2)), "tens": kind(1 / np.log(10))}[unit]
    loss = -loss if sign == "negative" else loss
    return {
        "perplexity": np.exp(loss),
        "each": each,
        "each_masked": kept,
        "each_row": kept.sum(1) / weight.sum(1),
        "pair": (loss, weight.sum()),
    }.get(returned, loss)


sequence_loss = oracle(parts=("loss",))(mean_loss)


@oracle(parts=("d_logits",), slow=False)
@with_switches_of(mean_loss)
def sequence_loss_gradient(logits, label_ids, label_mask, *, gradient="flows", **switches):
    """The loss's derivative by the logits: (softmax − one-hot) ÷ real tokens, zero at padding."""
    from autograder.oracles.calculus import numeric_gradient

    if gradient == "lost":
        return (np.zeros(logits.shape),)
    point = [np.asarray(logits, np.float64)]
    loss = numeric_gradient(
        lambda scores: mean_loss(scores, label_ids, label_mask, **switches), point, np.float64(1)
    )
    return loss


SHIFT = ("shift", "inputs", "labels", "mask")
MODEL = ("source_padding", "wiring", "source_order", "matrices", "decoding", "output")
LOSS = ("masked", "denominator", "scores", "picked", "unit", "sign")


@oracle(parts=("logits", "loss"))
@with_switches_of(logits_of, mean_loss, shift_right.raw)
def training_loss(
    source_ids, source_mask, token_ids, token_mask, weights, *, shown="logits", **switches
):
    """Logits and loss of one training step with teacher forcing, as the drill has it.

    Args:
        source_ids, source_mask, token_ids, token_mask, weights: as the drill has them.
        shown: what is returned beside the loss; "softmax" or "log_softmax" leave the loss alone.
        **switches: of the pieces.

    Returns:
        The pair of logits (B, T, V) and loss ().
    """

    def of(names):
        return {name: switches[name] for name in names if name in switches}

    input_ids, label_ids, label_mask = shift_right.raw(token_ids, token_mask, **of(SHIFT))
    logits = logits_of(source_ids, source_mask, input_ids, weights, **of(MODEL))
    try:
        loss = mean_loss(logits, label_ids, label_mask, **of(LOSS))
        if shown != "logits":
            logits = softmax(logits, -1)
        return np.log(logits) if shown == "log_softmax" else logits, loss
    except (ValueError, IndexError) as error:
        raise shapes_clash() from error
