"""A loop that writes with a prefix mask, as the drill of chapter 6c has it, with switches.

The model is planted: two layers of attention over tables of tokens, segments and places, so that it
shows in every score who was allowed to look at whom.
"""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import softmax
from autograder.oracles.prefix_masks import prefix_mask_array

NAMES = ("tokens", "segments", "places", "first", "second", "output", "bias")


def some_model(rng, vocabulary, dim, length):
    """The weights of a model, in the order of `NAMES`; sharp, so that words differ widely."""
    return (
        1.2 * rng.normal(size=(vocabulary, dim)),
        rng.normal(size=(2, dim)),
        0.8 * rng.normal(size=(length, dim)),
        rng.normal(size=(3, dim, dim)) / math.sqrt(dim),
        rng.normal(size=(3, dim, dim)) / math.sqrt(dim),
        1.5 * rng.normal(size=(dim, vocabulary)),
        np.zeros(vocabulary),
    )


def scored(weights, token_ids, segment_ids, mask):
    """Logits (B, T, V) of int ids and segments (B, T) under a bool mask (B, T, T)."""
    tokens, segments, places, *layers, output, bias = weights
    x = tokens[token_ids] + segments[segment_ids] + places[: token_ids.shape[1]]
    for query, key, value in layers:
        scores = (x @ query) @ np.swapaxes(x @ key, 1, 2) / math.sqrt(x.shape[-1])
        scores = np.where(mask, scores, scores.dtype.type(-1e9))
        x = np.tanh(x + softmax(scores, -1) @ (x @ value))
    return x @ output + bias


def _packed(rows, starts, pad_id, segments):
    """Ids, segments and padding mask of rows, (B, T) each."""
    shape = len(rows), max(map(len, rows))
    ids, parts = np.full(shape, pad_id), np.zeros(shape, int)
    for row, tokens in enumerate(rows):
        ids[row, : len(tokens)] = tokens
        start = starts[row] + {"one_late": 1, "one_early": -1}.get(segments, 0)
        if segments != "zeros":
            parts[row, start : len(tokens)] = 1
    return ids, parts, np.arange(shape[1]) < np.array([len(row) for row in rows])[:, None]


def _mask(parts, real, mask):
    length = parts.shape[1]
    earlier, keys = np.tri(length, dtype=bool), real[:, None]
    right = prefix_mask_array(parts, real)
    return {
        "causal": lambda: earlier & keys,
        "source_sees_target": lambda: right | ((parts == 0)[:, :, None] & keys),
        "padding_visible": lambda: prefix_mask_array(parts, np.ones_like(real)),
        "everything": lambda: np.ones((len(real), length, length), bool),
        "everything_real": lambda: keys & np.ones((length, length), bool),
        "target_without_source": lambda: right & (parts[:, :, None] == parts[:, None]),
        "transposed": lambda: np.swapaxes(right, 1, 2),
    }.get(mask, lambda: right)()


def _gain(logits, token, score):
    """What a token adds to its row's score."""
    top = logits.max()
    log = logits[token] - top - np.log(np.exp(logits - top).sum())
    return {
        "logits": logits[token],
        "probabilities": np.exp(log),
        "negative": -log,
        "base_2": log / math.log(2),
    }.get(score, log)


def write(
    sources,
    weights,
    cls_id,
    sep_id,
    pad_id,
    max_length,
    *,
    packed="right",
    segments="target",
    mask="prefix",
    read="last_real",
    stop="each",
    limit="right",
    choice="best",
    score="log",
    margins=None,
):
    """What every row says, [SEP] included, and its score.

    Args:
        sources: list of lists of int.
        weights: tuple of arrays, see `some_model`.
        cls_id, sep_id, pad_id, max_length: int.
        packed, segments, mask, read, stop, limit, choice, score: the switches.
        margins: optional list, which gets by how much the best token led in every step.

    Raises:
        Crash: where the mistake would read outside the row.
    """
    rows = [[cls_id, *source, sep_id] for source in sources]
    if packed == "without_cls":
        rows = [row[1:] for row in rows]
    if packed == "without_sep":
        rows = [row[:-1] for row in rows]
    starts = [len(row) for row in rows]
    ended, scores = [False] * len(rows), np.zeros(len(rows))
    for _ in range(max_length + {"one_less": -1, "one_more": 1}.get(limit, 0)):
        ids, parts, real = _packed(rows, starts, pad_id, segments)
        logits = scored(weights, ids, parts, _mask(parts, real, mask))
        for row, tokens in enumerate(rows):
            if ended[row] and stop not in ("goes_on", "never"):
                continue
            place = {
                "last_column": ids.shape[1] - 1,
                "one_early": len(tokens) - 2,
                "one_late": min(len(tokens), ids.shape[1] - 1),
                "last_of_source": starts[row] - 1,
                "first": 0,
            }.get(read, len(tokens) - 1)
            here = logits[row, place]
            token = int(here.argmin() if choice == "worst" else here.argmax())
            if margins is not None:
                margins.append(np.diff(np.sort(here)[-2:])[0])
            if not (score == "without_end" and token == sep_id):
                scores[row] += _gain(here, token, score)
            tokens.append(token)
            ended[row] = ended[row] or token == sep_id
        if stop == "first" and any(ended):
            break
        if stop != "never" and all(ended):
            break
    said = [tokens[start:] for tokens, start in zip(rows, starts, strict=True)]
    if score == "mean":
        scores = scores / np.array([max(1, len(tokens)) for tokens in said])
    return said, scores


def as_rows(said, width):
    """Lists of int as an array (B, width), filled up with -1.

    Raises:
        ValueError, TypeError: they aren't lists of int, or too long.
    """
    found = np.full((len(said), width), -1)
    for row, tokens in enumerate(said):
        tokens = np.asarray(tokens)
        if tokens.ndim != 1 or (len(tokens) and tokens.dtype.kind not in "iu"):
            raise TypeError("no row of ints")
        found[row, : len(tokens)] = tokens[:width]
    return found


@oracle(parts=("said", "scores"))
def prefix_writing(
    sources,
    weights,
    cls_id,
    sep_id,
    pad_id,
    max_length,
    *,
    packed="right",
    segments="target",
    mask="prefix",
    read="last_real",
    stop="each",
    limit="right",
    choice="best",
    score="log",
    ends="left_out",
    returned="pair",
):
    """What every row says, int (B, 2 max_length) filled up with -1, and its score (B,).

    Args:
        sources, weights, cls_id, sep_id, pad_id, max_length: see `write`.
        packed, segments, mask, read, stop, limit, choice, score: see `write`.
        ends, returned: the other switches.
    """
    said, scores = write(
        sources,
        weights,
        cls_id,
        sep_id,
        pad_id,
        max_length,
        packed=packed,
        segments=segments,
        mask=mask,
        read=read,
        stop=stop,
        limit=limit,
        choice=choice,
        score=score,
    )
    if ends == "left_out":
        said = [[token for token in tokens if token != sep_id] for tokens in said]
    if ends == "last_cut":
        said = [tokens[:-1] for tokens in said]
    if returned not in ("pair", "said_only", "scores_only", "exchanged"):
        raise Crash
    rows = as_rows(said, 2 * max_length)
    return {
        "said_only": lambda: rows,
        "scores_only": lambda: scores,
        "exchanged": lambda: (scores, rows),
    }.get(returned, lambda: (rows, scores))()
