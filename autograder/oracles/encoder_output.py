"""BERT's encoder put together from given pieces, in plain NumPy with switches.

The blocks are the stand-ins of chapter 3c: attention with one head, a tanh, and a way around it.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np

from autograder.oracles import Crash, Prediction, oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.translation import chosen, encoder_block, source_side

CRASHES = ("InvalidArgumentError", "IndexError", "ValueError")


def _ids(token_ids, segment_ids, segments):
    """What the embeddings are given, right or wrong."""
    if segments in ("zeros", "ones"):
        return token_ids, np.full_like(segment_ids, int(segments == "ones"))
    return {
        "turned": (token_ids, 1 - segment_ids),
        "token_ids": (token_ids, token_ids),
        "exchanged": (segment_ids, token_ids),
    }.get(segments, (token_ids, segment_ids))


def real_only(states, padding_mask):
    """States (B, T, D) with zeros at padding, whose vectors nobody reads; others as they are."""
    if np.ndim(states) != 3 or np.shape(states)[:2] != padding_mask.shape:
        return states
    return np.where(padding_mask[..., None], states, np.zeros((), np.asarray(states).dtype))


def assembled(
    token_ids,
    segment_ids,
    padding_mask,
    embed,
    stack,
    pool,
    *,
    mask="padding",
    segments="given",
    blocks="all",
    chained="each",
    kept="all",
    pooled="last",
    returned="pair",
):
    """What every layer says, and the pooled output, in one tuple.

    Args:
        token_ids, segment_ids, padding_mask: (B, T), int, int and bool.
        embed: (token_ids, segment_ids) -> (B, T, D); ids may be too large for its tables.
        stack: list of (x, mask) -> (B, T, D).
        pool: (B, T, D) -> (B, D).
        mask: what the blocks may look at.
        segments, blocks, chained, kept, pooled, returned: the switches.

    Returns:
        The L + 1 hidden states with zeros at padding, and the pooled output (B, D).

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    size = padding_mask.shape[1]
    try:
        start = embed(*_ids(token_ids, segment_ids, segments))
    except IndexError as error:
        raise Crash(*CRASHES) from error
    seen = source_side(mask, padding_mask, token_ids, size, size)
    states, x = [start], start
    for block in chosen(stack, blocks):
        x = block(start if chained == "none" else x, seen)
        states.append(x)
    of = {
        "last": lambda: x,
        "embeddings": lambda: start,
        "first_block": lambda: states[min(1, len(states) - 1)],
        "before_the_last": lambda: states[-2] if len(states) > 1 else start,
        "mean": lambda: np.repeat(_mean(x, padding_mask), size, axis=1),
        "plain_mean": lambda: np.repeat(x.mean(axis=1, keepdims=True), size, axis=1),
        "last_token": lambda: x[:, ::-1],
        "sum": lambda: sum(states),
    }
    if pooled == "first_token":
        pooled_output = x[:, 0]
    elif pooled == "states":
        pooled_output = real_only(x, padding_mask)
    else:
        pooled_output = pool(of[pooled]())
    listed = {
        "all": lambda: states,
        "without_embeddings": lambda: states[1:],
        "without_the_last": lambda: states[:-1],
        "last_twice": lambda: [*states, states[-1]],
        "embeddings_twice": lambda: [start, *states],
        "inputs_and_last": lambda: [start, *states[:-1]],
        "reversed": lambda: states[::-1],
        "last_again_and_again": lambda: [states[-1]] * len(states),
        "last_only": lambda: [states[-1]],
        "changes": lambda: [start, *(b - a for a, b in itertools.pairwise(states))],
    }[kept]()
    listed = [real_only(state, padding_mask) for state in listed]
    return {
        "stacked": lambda: (np.stack(listed), pooled_output),
        "last_state": lambda: (listed[-1], pooled_output),
        "exchanged": lambda: (pooled_output, *listed),
        "states_only": lambda: tuple(listed),
    }.get(returned, lambda: (*listed, pooled_output))()


@with_switches_of(assembled)
def encoder_output(token_ids, segment_ids, padding_mask, weights, **switches):
    """`assembled` of the stand-ins.

    Args:
        token_ids, segment_ids, padding_mask: as there.
        weights: dict of `tables`, three arrays; `blocks`, a list of kernels (3, D, D); `pooler`,
            the pair of a kernel and a bias.
        **switches: as there.
    """
    tokens, places, of_segments = weights["tables"]
    kernel, bias = weights["pooler"]

    def embed(ids, segments):
        return tokens[ids] + places[: ids.shape[1]] + of_segments[segments]

    stack = [functools.partial(_block, kernels) for kernels in weights["blocks"]]
    return assembled(
        token_ids,
        segment_ids,
        padding_mask,
        embed,
        stack,
        lambda x: np.tanh(x[:, 0] @ kernel + bias),
        **switches,
    )


def _block(kernels, x, mask):
    return encoder_block(x, kernels, mask)


def in_parts(prediction, count):
    """The prediction with a name for each of so many hidden states and for the pooled output."""
    parts = (*(f"hidden_states[{number}]" for number in range(count)), "pooled_output")
    return Prediction(prediction.function, prediction.args, prediction.kwargs, parts)


def _mean(x, padding_mask):
    real = padding_mask[..., None].astype(x.dtype)
    return (x * real).sum(axis=1, keepdims=True) / real.sum(axis=1, keepdims=True)


bert_encoder_output = oracle(parts=("hidden_states", "pooled_output"))(encoder_output)
