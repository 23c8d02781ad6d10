"""Pairs of segments that fill a row, for next-sentence prediction as BERT was trained on it.

A segment is one sentence or several. `segment_rows` cuts the text into runs once; `draw_segments`
divides each run in two and exchanges some of the second segments, anew for every pass. True and
wrong second segments come from the same pool and are equally long.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bert_keras.text.next_sentence import (
    IS_NEXT,
    NOT_NEXT,
    PairingError,
    far_partner,
    in_order,
)

# Segments change places among rows whose second segments are the most alike in length, in groups
# of this many; all segments of a group are cut to the shortest.
_GROUP = 32


class SegmentRows(NamedTuple):
    """Runs of sentences that fill a row, each to be divided into two segments.

    Attributes:
        start: int64 (N,), number of the first sentence of the run.
        stop: int64 (N,), number of the sentence after the last; stop - start ≥ 2.
        target: int32 (N,), how many tokens the two segments may have together.
        place: int64 (N,), document of the run, or its paragraph where documents are not marked.
        marked: whether `place` is a document.
        offsets: int64 (M + 1,), where each sentence begins in the stream of all tokens.
        wording: int32 (M,), equal numbers where sentences read the same; None if not known.
    """

    start: np.ndarray
    stop: np.ndarray
    target: np.ndarray
    place: np.ndarray
    marked: bool
    offsets: np.ndarray
    wording: np.ndarray | None


class SegmentPairs(NamedTuple):
    """Pairs of segments as places in the stream of all tokens of the text.

    Attributes:
        first: int64 (N, 2), start and stop of the first segment.
        second: int64 (N, 2), start and stop of the second.
        next_sentence_label: int32 (N,), IS_NEXT or NOT_NEXT.
    """

    first: np.ndarray
    second: np.ndarray
    next_sentence_label: np.ndarray


def segment_rows(
    lengths: Sequence[int],
    paragraph: Sequence[int],
    rng: np.random.Generator,
    *,
    budget: int,
    document: Sequence[int] | None = None,
    short_rate: float = 0.1,
    wording: np.ndarray | None = None,
) -> SegmentRows:
    """Cut a text into runs of sentences, each long enough to fill a row.

    A run stays within its document, or within its paragraph where documents are not marked. It
    ends with the sentence that reaches its target: `budget` tokens, and for some runs fewer, so
    that the model learns short inputs too. A sentence left over alone has no neighbour and is
    left out.

    Args:
        lengths: int (M,), tokens of each sentence, in the order of the text; at least 1.
        paragraph: int (M,), position of each sentence's paragraph; it must never decrease.
        rng: source of the draws.
        budget: tokens in both segments together: the length T of a row less [CLS] and two [SEP].
        document: int (M,), number of each sentence's document, never decreasing; None if not
            marked.
        short_rate: share of runs whose target is drawn evenly from 2 … budget.
        wording: int (M,), from `next_sentence.wordings`: keeps a wrong segment from beginning like
            the true one.

    Returns:
        The runs, in the order of the text.

    Raises:
        PairingError: the arrays do not fit together, or `budget` is below 2.

    Reference:
        Devlin et al. 2019, appendix A.2.
    """
    lengths = np.asarray(lengths, np.int64)
    paragraph = in_order(paragraph, "paragraph", len(lengths))
    place = paragraph if document is None else in_order(document, "document", len(lengths))
    if budget < 2:
        raise PairingError(f"a row of two segments needs a budget of 2 tokens, not {budget}")
    if len(lengths) and lengths.min() < 1:
        raise PairingError(f"sentence {lengths.argmin()} has no tokens: leave it out")
    runs: list[tuple[int, int, int]] = []
    edges = [0, *(np.flatnonzero(np.diff(place)) + 1).tolist(), len(place)]
    sizes = lengths.tolist()
    for begin, end in itertools.pairwise(edges):
        start = begin
        while end - start >= 2:
            target = int(rng.integers(2, budget + 1)) if rng.random() < short_rate else budget
            stop, tokens = start, 0
            while stop < end and (tokens < target or stop - start < 2):
                tokens += sizes[stop]
                stop += 1
            runs.append((start, stop, target))
            start = stop
    start, stop, target = np.array(runs, np.int64).reshape(-1, 3).T
    return SegmentRows(
        start,
        stop,
        target.astype(np.int32),
        place[start].astype(np.int64),
        document is not None,
        np.concatenate([[0], np.cumsum(lengths)]),
        wording,
    )


def draw_segments(
    rows: SegmentRows,
    rng: np.random.Generator,
    *,
    distance: int = 200,
    negative_rate: float = 0.5,
) -> SegmentPairs:
    """Divide every run at a random sentence boundary, and exchange some of the second segments.

    Where both are too long for the target, the longer one is shortened first; the first segment
    loses its beginning and the second its end, so that the two still meet at the boundary. Second
    segments are exchanged among rows where they are equally long (they are made so, if need be by
    cutting a few tokens from true and wrong ones alike), and so the label depends neither on
    lengths nor on either segment alone. A row for which no far segment is at hand, or whose wrong
    segment would begin with the same sentence as the true one, keeps its own and counts as true.

    Args:
        rows: N runs.
        rng: source of the draws.
        distance: how many paragraphs away a wrong segment must be at least; not used where
            documents are marked.
        negative_rate: share of rows to exchange.

    Returns:
        N pairs, in the order of the text.

    Raises:
        PairingError: no row has a far partner.
    """
    count = len(rows.start)
    cut = rng.integers(rows.start + 1, rows.stop) if count else rows.start  # first of segment two
    middle = rows.offsets[cut]  # (N,) where the segments meet
    a, b = _truncated(middle - rows.offsets[rows.start], rows.offsets[rows.stop] - middle, rows)
    label = (rng.random(count) < negative_rate).astype(np.int32)

    # Neighbours in the order of length form the groups; the same place stands together in each.
    ranks = np.empty(count, np.int64)
    ranks[np.lexsort((rng.random(count), b))] = np.arange(count)
    group = np.minimum(ranks // _GROUP, max(0, count // _GROUP - 1))  # no small rest
    shortest = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(shortest, group, b)
    b = shortest[group]  # (N,)

    order = np.lexsort((rows.place, group))
    partner = np.empty(count, np.int64)
    found = np.empty(count, bool)
    near = 1 if rows.marked else distance
    partner[order], found[order] = far_partner(rows.place[order], rng, near, group[order])
    partner[order] = order[partner[order]]
    wrong = (label == NOT_NEXT) & found
    if rows.wording is not None:
        wrong &= rows.wording[cut[partner]] != rows.wording[cut]
    if np.any(label == NOT_NEXT) and not found.any():
        raise PairingError(
            "the text is a single document: wrong segments need at least two"
            if rows.marked
            else f"the text has no segments {distance} paragraphs apart: reduce distance"
        )
    begin = np.where(wrong, middle[partner], middle)
    return SegmentPairs(
        np.stack([middle - a, middle], axis=1),  # (N, 2)
        np.stack([begin, begin + b], axis=1),  # (N, 2)
        np.where(wrong, NOT_NEXT, IS_NEXT).astype(np.int32),
    )


def _truncated(a, b, rows):
    """Lengths of both segments after longest-first truncation, see `packing.truncate_pair`."""
    excess = np.maximum(0, a + b - rows.target)
    level = np.minimum(excess, abs(a - b))
    rest = excess - level
    longer = a > b
    return (
        a - np.where(longer, level, 0) - rest // 2,
        b - np.where(longer, 0, level) - (rest + 1) // 2,
    )
