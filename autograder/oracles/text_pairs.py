"""Pairs of texts in rows, read by a planted encoder, in NumPy, with switches.

The encoder adds tables of tokens and segments and mixes in a mean of all real tokens in which later
ones count for more: the first state tells order, segments and mask.
"""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash, softmax

INPUTS = ("token_ids", "segment_ids", "padding_mask")


def encode(token_ids, segment_ids, padding_mask, token_table, segment_table, kernel):
    """States (B, T, D) of int ids and segments and a bool mask, all (B, T)."""
    kind = token_table.dtype.type
    x = token_table[token_ids] + segment_table[np.asarray(segment_ids, int)]
    places = kind(1) + kind(0.25) * np.arange(token_ids.shape[1]).astype(kind)
    weights = np.asarray(padding_mask, bool) * places
    total = np.maximum(weights.sum(axis=1, keepdims=True), kind(1e-3))
    context = (weights[..., None] * x).sum(axis=1) / total
    return x + np.tanh(context @ kernel)[:, None]


def row_of(first, second, length, marks, manner="plain"):
    """A row of two texts, or of one where the second is None: a dict of arrays (T,).

    Args:
        first, second: lists of int.
        length: int, T.
        marks: ids of [CLS], [SEP] and the padding.
        manner: "plain" is BERT's; "other" exchanges the numbers of segments, puts pads into
            segment 1 and hides the first [SEP], which nobody could guess from ids.
    """
    begin, end, pad = marks
    one = [begin, *first, end]
    two = [] if second is None else [*second, end]
    if len(one) + len(two) > length:
        raise ValueError(f"{len(one) + len(two)} > {length}")
    rest = length - len(one) - len(two)
    ids = np.array([*one, *two, *[pad] * rest], np.int32)
    segments = np.array([0] * len(one) + [1] * len(two) + [0] * rest, np.int32)
    real = np.arange(length) < length - rest
    if manner == "other":
        segments = np.where(real, 1 - segments, 1).astype(np.int32)
        real = real & (np.arange(length) != len(one) - 1)
    return {"token_ids": ids, "segment_ids": segments, "padding_mask": real}


def batch_of(texts, plan):
    """Rows of pairs, stacked: the three inputs (B, T)."""
    rows = [row_of(list(first), second, *plan) for first, second in texts]
    return [np.stack([row[name] for row in rows]) for name in INPUTS]


_PACKED = {
    "together": lambda a, b: (a, b),
    "turned": lambda a, b: (b, a),
    "first_only": lambda a, b: (a, []),
    "second_only": lambda a, b: (b, []),
    "first_twice": lambda a, b: (a, a),
    "second_twice": lambda a, b: (b, b),
    "joined": lambda a, b: ([*a, *b], []),
    "joined_behind": lambda a, b: ([], [*a, *b]),
    "joined_alone": lambda a, b: ([*a, *b], None),
    "longer_first": lambda a, b: (a, b) if len(a) >= len(b) else (b, a),
    "shorter_first": lambda a, b: (b, a) if len(b) < len(a) else (a, b),
}
_APART = {
    "sum": lambda u, v: u + v,
    "mean": lambda u, v: (u + v) / u.dtype.type(2),
    "difference": lambda u, v: u - v,
    "distance": lambda u, v: np.abs(u - v),
    "product": lambda u, v: u * v,
}


def _rows(pairs, rows):
    """The pairs in another order."""
    return {
        "reversed": pairs[::-1],
        "by_length": sorted(pairs, key=lambda pair: len(pair[0]) + len(pair[1])),
        "first_again": [pairs[0]] * len(pairs),
        "last_again": [pairs[-1]] * len(pairs),
        "first_alone": pairs[:1],
        "last_alone": pairs[-1:],
    }.get(rows, pairs)


def _inputs(texts, plan, segments, mask, exchanged):
    """What reaches the encoder."""
    ids, parts, real = batch_of(texts, plan)
    _, end, pad = plan[1]
    ones = np.ones_like(real)
    shown = {
        "zeros": lambda: np.zeros_like(parts),
        "ones": lambda: np.ones_like(parts),
        "inverted": lambda: 1 - parts,
        "like_the_first_row": lambda: np.broadcast_to(parts[:1], parts.shape),
        "rebuilt": lambda: _after_the_first(ids, end),
    }.get(segments, lambda: parts)()
    seen = {
        "ones": lambda: ones,
        "inverted": lambda: ~real,
        "like_the_first_row": lambda: np.broadcast_to(real[:1], real.shape),
        "not_pad": lambda: ids != pad,
        "nonzero": lambda: ids != 0,
    }.get(mask, lambda: real)()
    return (ids, seen, shown) if exchanged == "yes" else (ids, shown, seen)


def _after_the_first(ids, end):
    """Segments as one would rebuild them: 1 behind the first [SEP] up to the last."""
    count = np.cumsum(ids == end, axis=1)
    return ((count - (ids == end) >= 1) & (count - (ids == end) < 2)).astype(np.int32)


@oracle(parts=("logits",))
def pair_logits(
    pairs,
    plan,
    tables,
    kernel,
    bias,
    *,
    packed="together",
    rows="as_given",
    segments="packed",
    mask="packed",
    exchanged="no",
    token="first",
    apart="no",
    bent="nowhere",
    returned="logits",
):
    """Logits of pairs, each packed into a row.

    Args:
        pairs: list of pairs of lists of int.
        plan: length, marks and manner of `row_of`.
        tables: tuple of the encoder's two tables and its kernel.
        kernel, bias: float (D, C) and (C,) of the dense layer.
        packed, rows, segments, mask, exchanged, token, apart, bent, returned: the switches.

    Returns:
        float (B, C), unless a switch says otherwise.

    Raises:
        Crash: where the mistake asked for could not run on these sizes.
    """
    pairs = _rows([(list(a), list(b)) for a, b in pairs], rows)

    def vectors(texts):
        states = encode(*_inputs(texts, plan, segments, mask, exchanged), *tables)
        real = batch_of(texts, plan)[2][..., None].astype(states.dtype)
        return {
            "first": lambda: states[:, 0],
            "second": lambda: states[:, 1],
            "last": lambda: states[:, -1],
            "mean": lambda: states.mean(axis=1),
            "mean_of_real": lambda: (states * real).sum(axis=1) / real.sum(axis=1),
            "largest": lambda: states.max(axis=1),
            "first_row": lambda: states[0],
            "all": lambda: states,
        }[token]().astype(states.dtype)

    try:
        if apart == "no":
            x = vectors([_PACKED[packed](a, b) for a, b in pairs])
        else:
            x = _APART[apart](
                vectors([(a, []) for a, _ in pairs]), vectors([(b, []) for _, b in pairs])
            )
        if bent == "pooled":
            x = np.tanh(x)
        logits = x @ kernel + bias
    except ValueError as error:
        raise shapes_clash() from error
    if returned == "pair_of_rows" and len(logits) < 2:
        raise Crash
    return {
        "softmax": lambda: softmax(logits, -1),
        "sigmoid": lambda: 1 / (1 + np.exp(-logits)),
        "log_softmax": lambda: np.log(softmax(logits, -1)),
        "classes": lambda: logits.argmax(axis=-1),
        "states": lambda: x,
    }.get(returned, lambda: logits)()
