"""An encoder and a decoder put together from given blocks, in plain NumPy with switches.

The blocks are those of the stand-ins: attention with one head, a tanh, and a way around it.
"""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import MASKED, shapes_clash, softmax


def attended(x, source, kernels, mask):
    """One head of attention from x (B, T, D) to a source (B, S, D), squashed."""
    query, key, value = kernels
    scores = (x @ query) @ np.swapaxes(source @ key, -1, -2) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, np.asarray(MASKED, scores.dtype))
    return np.tanh(softmax(scores, -1) @ (source @ value))


def encoder_block(x, kernels, mask):
    return x + attended(x, x, kernels, mask)


def decoder_block(x, source, kernels, mask, source_mask):
    own, cross = kernels
    x = x + attended(x, x, own, mask)
    return x + attended(x, source, cross, source_mask)


def triangle(size, kind):
    """A mask (1, T, T), or None where everything is open."""
    ones = np.ones((1, size, size), bool)
    return {
        "none": None,
        "causal": np.tril(ones),
        "upper": np.triu(ones),
        "strict_lower": np.tril(ones, -1),
        "strict_upper": np.triu(ones, 1),
        "one_ahead": np.tril(ones, 1),
        "own": np.eye(size, dtype=bool)[None],
    }[kind]


def source_side(kind, padding_mask, token_ids, queries, keys):
    """The mask of so many keys that a mistake makes for so many queries; (B, 1 or T, S) or None."""
    padding = padding_mask[:, None]  # (B, 1, S)
    if kind == "by_query" and queries != padding_mask.shape[1]:
        raise Crash("ValueError", "InvalidArgumentError")
    if kind == "causal" and queries != keys:
        raise Crash("ValueError", "InvalidArgumentError")
    return {
        "padding": lambda: padding,
        "none": lambda: None,
        "inverted": lambda: ~padding,
        "by_query": lambda: padding_mask[:, :, None],
        "nonzero_ids": lambda: (token_ids != 0)[:, None],
        "causal": lambda: triangle(queries, "causal"),
        "causal_and_padding": lambda: triangle(queries, "causal") & padding,
    }[kind]()


def target_side(kind, padding_mask, target_ids):
    """The mask of the target that a mistake makes, (1 or B, 1 or T, T) or None."""
    size = target_ids.shape[1]
    if kind == "source_padding":
        if padding_mask.shape[1] != size:
            raise Crash("ValueError", "InvalidArgumentError")
        return padding_mask[:, None]
    if kind == "source_padding_too":
        if padding_mask.shape[1] != size:
            raise Crash("ValueError", "InvalidArgumentError")
        return triangle(size, "causal") & padding_mask[:, None]
    if kind == "causal_of_source":
        if padding_mask.shape[1] != size:
            raise Crash("ValueError", "InvalidArgumentError")
        return triangle(size, "causal")
    if kind == "and_nonzero_ids":
        return triangle(size, "causal") & (target_ids != 0)[:, None]
    if kind == "nonzero_ids":
        return (target_ids != 0)[:, None]
    return triangle(size, kind)


def chosen(blocks, kind):
    """The blocks in the order in which they are used."""
    return {
        "all": lambda: blocks,
        "first": lambda: blocks[:1],
        "last": lambda: blocks[-1:],
        "reversed": lambda: blocks[::-1],
        "first_repeated": lambda: [blocks[0]] * len(blocks),
        "last_left_out": lambda: blocks[:-1],
        "first_left_out": lambda: blocks[1:],
        "none": lambda: [],
        "twice": lambda: [*blocks, *blocks],
    }[kind]()


@oracle(parts=("logits",))
def transformer_logits(
    token_ids,
    padding_mask,
    target_ids,
    weights,
    *,
    tables="own",
    source_mask="padding",
    cross_mask="padding",
    target_mask="causal",
    encoder="all",
    decoder="all",
    memory="last",
    extra="none",
    target="as_given",
    output="scored",
):
    """Logits of a target, given a source.

    Args:
        token_ids, padding_mask, target_ids: as the exercise has them.
        weights: dict of source_embeddings and target_embeddings, pairs of a table and positions;
            encoder, a list of kernels (3, D, D); decoder, a list of pairs of such; score.
        tables, source_mask, cross_mask, target_mask, encoder, decoder, memory, extra, target,
            output: the switches.

    Returns:
        float (B, T, V), unless ``output`` says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    source_table, target_table = _embeddings(tables, weights)
    if target == "shifted_again":
        target_ids = target_ids[:, :-1]
    if target == "first_only":
        target_ids = np.repeat(target_ids[:, :1], target_ids.shape[1], axis=1)
    if target == "source":
        target_ids = token_ids
    if target == "sides_exchanged":
        token_ids, target_ids = target_ids, token_ids
    size = padding_mask.shape[1]
    try:
        embedded = _embed(source_table, token_ids, extra in ("scaled", "source_scaled"))
        x = _embed(target_table, target_ids, extra in ("scaled", "target_scaled"))
        mask = source_side(source_mask, padding_mask, token_ids, size, size)
        levels = [embedded]
        for kernels in chosen(weights["encoder"], encoder):
            levels.append(encoder_block(levels[-1], kernels, mask))
        own = target_side(target_mask, padding_mask, target_ids)
        keys = x.shape[1] if memory in ("target", "embedded_target") else size
        looked_at = source_side(cross_mask, padding_mask, token_ids, x.shape[1], keys)
        start = x
        for number, kernels in enumerate(chosen(weights["decoder"], decoder)):
            source = _memory(memory, levels, number, start, x, weights["encoder"], mask)
            x = decoder_block(x, source, kernels, own, looked_at)
    except ValueError as error:
        raise shapes_clash() from error
    except IndexError as error:  # looking up an id that the table lacks
        raise Crash("InvalidArgumentError", "IndexError", "ValueError") from error
    if output == "source_scored":
        x = levels[-1]
    if output == "added_to_the_embedded":
        x = x + start
    logits = x @ weights["score"]
    return {
        "states": x,
        "softmax": softmax(logits, -1),
        "log_softmax": np.log(softmax(logits, -1)),
        "last_only": logits[:, -1],
        "last_kept": logits[:, -1:],
        "ids": logits.argmax(axis=-1),
        "with_source": (logits, levels[-1]),
        "time_first": np.swapaxes(logits, 0, 1),
    }.get(output, logits)


def _embeddings(tables, weights):
    pair = weights["source_embeddings"], weights["target_embeddings"]
    return {
        "exchanged": pair[::-1],
        "source_twice": (pair[0], pair[0]),
        "target_twice": (pair[1], pair[1]),
    }.get(tables, pair)


def _embed(table, ids, scaled):
    tokens, positions = table
    x = tokens[ids] + positions[: ids.shape[1]]
    return x * tokens.dtype.type(math.sqrt(tokens.shape[1])) if scaled else x


def _memory(kind, levels, number, start, x, encoder, mask):
    """What a decoder block looks at."""
    if kind == "read_again":  # the encoder's blocks run once more for every block of the decoder
        source = levels[-1]
        for _ in range(number):
            for kernels in encoder:
                source = encoder_block(source, kernels, mask)
        return source
    return {
        "last": levels[-1],
        "embedded": levels[0],
        "same_level": levels[min(number + 1, len(levels) - 1)],
        "sum_of_levels": sum(levels[1:], 0 * levels[0]),
        "target": x,
        "embedded_target": start,
    }[kind]
