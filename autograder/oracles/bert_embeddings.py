"""BERT's three tables, their sum and its norm in plain NumPy, with a switch for every mistake."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, with_switches_of
from autograder.oracles.normalisation import normalised

TABLES = ("token_embedding", "position_embedding", "segment_embedding")


def _rows_of_positions(token_ids, segment_ids, table, places):
    """The rows that are added for positions."""
    batch, length = token_ids.shape
    steps = np.arange(length)
    index = {
        "from_zero": steps,
        "from_one": steps + 1,
        "backwards": steps[::-1],
        "last": np.arange(len(table) - length, len(table)),
        "by_token": token_ids,
        "by_segment": segment_ids,
        "first_row": np.zeros(length, int),
        "by_length": np.full(length, length),
        "by_item": np.arange(batch)[:, None],
        "within_segments": _within(segment_ids),
        "all": np.arange(len(table)),
    }[places]
    if index.max(initial=0) >= len(table):
        raise Crash
    return table[index]


def _within(segment_ids):
    """Positions that start again at 0 with every segment."""
    found = np.zeros(segment_ids.shape, int)
    for row, kinds in zip(found, segment_ids, strict=True):
        for t in range(1, len(kinds)):
            row[t] = row[t - 1] + 1 if kinds[t] == kinds[t - 1] else 0
    return found


def three_rows(
    token_ids,
    segment_ids,
    weights,
    epsilon,
    mode="plain",
    *,
    summed="all",
    places="from_zero",
    segments_read="given",
    scale="none",
    norm="of_the_sum",
    dropped="after_the_norm",
    dropout_when="training",
    checked="longer",
):
    """The sum of three rows, normalised.

    Args:
        token_ids, segment_ids: int (B, T).
        weights: dict of "token_embedding.embeddings" and so on, and of "layer_norm.gamma", "beta".
        epsilon: float, inside the root.
        mode: `plain` without dropout; `training` or `inference` at a dropout of nearly one.
        summed, places, segments_read, scale, norm, dropped, dropout_when, checked: the switches.

    Returns:
        float (B, T, D).

    Raises:
        Crash: where the mistake could not run.
    """
    tokens, positions, segments = (weights[f"{name}.embeddings"] for name in TABLES)
    if checked == "one_too_early" and token_ids.shape[1] >= len(positions):
        raise Crash("ValueError")
    width = tokens.shape[-1]
    kinds = {
        "given": segment_ids, "zeros": 0 * segment_ids, "inverted": 1 - segment_ids,
        "from_one": segment_ids + 1, "token_ids": token_ids,
    }[segments_read]  # fmt: skip
    if kinds.max(initial=0) >= len(segments):
        raise Crash
    x = tokens[token_ids]
    p = _rows_of_positions(token_ids, segment_ids, positions, places)
    s = segments[kinds]
    root = x.dtype.type(math.sqrt(width))
    if scale == "tokens":
        x = x * root
    if scale == "tokens_down":
        x = x / root
    dropping = (
        (dropout_when in ("training", "always") and mode == "training")
        or (dropout_when == "always" and mode == "inference")
    )  # fmt: skip

    def normed(value):
        if norm in ("fresh", "plain"):  # made in the middle of a call, with Keras's own epsilon
            small = 1e-3 if norm == "fresh" else epsilon
            return normalised(value, np.ones(width, x.dtype), np.zeros(width, x.dtype), small)
        gamma, beta = weights["layer_norm.gamma"], weights["layer_norm.beta"]
        return normalised(value, gamma, beta, epsilon)

    def lost(value, where):
        return 0 * value if dropping and dropped == where else value

    try:
        x = lost(x, "tokens_only")
        if norm == "of_each":
            x, p, s = normed(x), normed(p), normed(s)
        if norm == "of_tokens":
            x = normed(x)
        total = {
            "all": lambda: x + p + s,
            "no_positions": lambda: x + s,
            "no_segments": lambda: x + p,
            "no_tokens": lambda: 0 * x + p + s,
            "tokens_only": lambda: x,
            "positions_twice": lambda: x + p + p + s,
            "segments_twice": lambda: x + p + s + s,
            "averaged": lambda: (x + p + s) / 3,
            "multiplied": lambda: x * p * s,
            "product_of_positions": lambda: x * p + s,
            "joined": lambda: np.concatenate(np.broadcast_arrays(x, p, s), axis=-1),
            "subtracted": lambda: x - p + s,
        }[summed]()
        if scale == "sum":
            total = total * root
        if norm == "of_tokens_and_positions":
            total = normed(x + p) + s
        if norm == "of_tokens_and_segments":
            total = normed(x + s) + p
        total = lost(total, "before_the_norm")
        if norm in ("of_the_sum", "twice", "fresh", "plain"):
            total = normed(total)
        if norm == "twice":
            total = normed(total)
    except ValueError as error:
        raise shapes_clash() from error
    return lost(total, "after_the_norm")


bert_embeddings = oracle(parts=("output",))(three_rows)


@oracle(parts=("output",))
@with_switches_of(three_rows)
def one_table(token_ids, segment_ids, weights, epsilon, which, **switches):
    """The same where all tables but one are zeros.

    Args:
        token_ids, segment_ids, weights, epsilon: as for `three_rows`.
        which: name of the table that isn't.
        **switches: of `three_rows`.
    """
    return three_rows(token_ids, segment_ids, weights, epsilon, **switches)


@oracle(parts=("output",))
@with_switches_of(three_rows)
def embeddings_dropping(token_ids, segment_ids, weights, epsilon, mode, **switches):
    """The same under a name of its own: at a rate at which everything is dropped."""
    return three_rows(token_ids, segment_ids, weights, epsilon, mode, **switches)


@oracle(parts=("refused",))
@with_switches_of(three_rows)
def too_long_refused(length, limit, **switches):
    """What comes of a sequence of that length, in a word: see `what_came`."""
    checked = switches.get("checked", "longer")
    late = {"nothing": "another error", "cut": "accepted"}.get(checked, checked)
    if length <= limit:
        if checked == "one_too_early" and length == limit:
            raise Crash("ValueError")
        return np.asarray("accepted")
    if checked == "one_late":
        return np.asarray("another error" if length == limit + 1 else "ValueError")
    known = ("another error", "accepted", "AssertionError", "returned")
    return np.asarray(late if late in known else "ValueError")
