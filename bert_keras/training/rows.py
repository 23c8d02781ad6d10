"""Rows for pretraining as places in the stream of all tokens, and how they become arrays.

A row is two stretches of the stream. Drawing, cutting and packing are done for many rows at once
with whole arrays, so a batch costs far less than a training step with it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bert_keras.text import next_sentence, segments
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.training.shards import TokenizedSplit

SPECIALS = 3  # [CLS] and two [SEP]
# Tokens looked at together when sentences are compared.
_CHUNK = 4 * 2**20


class Rows(NamedTuple):
    """Pairs of stretches.

    Attributes:
        first: int64 (N, 2), start and stop of the first one.
        second: int64 (N, 2), start and stop of the second.
        label: int32 (N,), 1 if the second does not follow the first.
    """

    first: np.ndarray
    second: np.ndarray
    label: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """int64 (N,), tokens of both and the special ones."""
        return (
            self.first[:, 1] - self.first[:, 0] + self.second[:, 1] - self.second[:, 0] + SPECIALS
        )

    def take(self, numbers: np.ndarray) -> Rows:
        """Some of the rows, in the order of `numbers` int (B,).

        Args:
            numbers: int (B,), of the rows.

        Returns:
            These rows.
        """
        return Rows(*(array[numbers] for array in self))


class RowSource:
    """All rows of a split; each pass draws its pairs anew.

    Args:
        split: the sentences.
        kind: "sentences", two neighbouring ones of a paragraph make a row, or "segments", runs of
            sentences of a document that fill it.
        max_sequence_length: length T of a full row.
        negative_rate: share of wrong second parts.
        distance: how many paragraphs away they come from at least, where documents are not marked;
            where they are, from another document.
        short_rate: share of rows of segments that are made shorter at random.

    Raises:
        PairingError: the text has no far enough parts; some only in `draw`.
    """

    def __init__(
        self,
        split: TokenizedSplit,
        kind: str = "sentences",
        *,
        max_sequence_length: int,
        negative_rate: float = 0.5,
        distance: int = 200,
        short_rate: float = 0.1,
    ):
        self.split = split
        self.negative_rate = negative_rate
        self.distance = distance
        self._offsets = split.sentences.offsets
        place, wording = places(split, distance), wordings(split)
        if kind == "segments":
            runs = segments.segment_rows(
                split.sentences.lengths,
                split.paragraph,
                np.random.default_rng(0),
                budget=max_sequence_length - SPECIALS,
                document=split.document,
                short_rate=short_rate,
                wording=wording,
            )
            self._runs = runs._replace(place=place[runs.start], marked=False)
            # A run is placed where it begins, and its second segment may be paragraphs further on.
            self.distance += int((place[runs.stop - 1] - place[runs.start]).max(initial=0))
            self.pairs = None
        else:
            self.pairs = neighbours(split.paragraph, place, wording)

    def draw(self, rng: np.random.Generator) -> Rows:
        """The rows of one pass, in the order of the text.

        Args:
            rng: source of the draws.

        Returns:
            The rows.
        """
        options = {"distance": self.distance, "negative_rate": self.negative_rate}
        if self.pairs is None:
            return Rows(*segments.draw_segments(self._runs, rng, **options))
        first, second, label = next_sentence.draw_pairs(self.pairs, rng, **options)
        begin, end = self._offsets[:-1], self._offsets[1:]
        return Rows(
            np.stack([begin[first], end[first]], axis=1),  # (N, 2)
            np.stack([begin[second], end[second]], axis=1),  # (N, 2)
            label,
        )


def places(split: TokenizedSplit, distance: int) -> np.ndarray:
    """Where sentences stand, in numbers that differ by `distance` where they are far apart.

    Without marked documents that is the position of the paragraph. A marked document is one place,
    and the next one is `distance` further on; so is the text of another source.

    Args:
        split: N sentences.
        distance: which difference is far.

    Returns:
        int64 (N,), never decreasing.
    """
    if not len(split.paragraph):
        return np.zeros(0, np.int64)
    new_document = np.diff(split.document) != 0  # (N - 1,)
    both_plain = ~split.marked[1:] & ~split.marked[:-1]
    steps = np.where(both_plain, np.diff(split.paragraph), np.where(new_document, distance, 0))
    return np.concatenate([[0], np.cumsum(steps)])  # (N,)


def wordings(split: TokenizedSplit) -> np.ndarray:
    """Numbers that are equal where sentences read the same, int64 (N,).

    Sentences are compared by 64-bit sums of a random number for each token and place.

    Args:
        split: N sentences.

    Returns:
        int64 (N,).
    """
    sentences = split.sentences
    count = len(sentences)
    if not count:
        return np.zeros(0, np.int64)
    rng = np.random.default_rng(1)
    longest = int(sentences.lengths.max())
    of_place = rng.integers(1, 2**63, longest, np.uint64) | np.uint64(1)
    sums = np.zeros(count, np.uint64)
    edges = np.searchsorted(sentences.offsets, np.arange(0, len(sentences.ids), _CHUNK), "left")
    for begin, end in zip(edges, [*edges[1:], count], strict=True):
        if begin == end:
            continue
        offsets = sentences.offsets[begin : end + 1]
        ids = sentences.ids[slice(int(offsets[0]), int(offsets[-1]))].astype(np.uint64) + 1
        inside = np.arange(len(ids)) - np.repeat(offsets[:-1] - offsets[0], np.diff(offsets))
        with np.errstate(over="ignore"):
            ids *= np.uint64(0x9E3779B97F4A7C15)
            ids ^= ids >> np.uint64(29)
            sums[begin:end] = np.add.reduceat(ids * of_place[inside], offsets[:-1] - offsets[0])
    return np.unique(sums, return_inverse=True)[1]


def neighbours(
    paragraph: np.ndarray, place: np.ndarray, wording: np.ndarray
) -> next_sentence.PairIndex:
    """Neighbouring sentences of one paragraph, each distinct pair once.

    The same as `next_sentence.adjacent_pairs`, from arrays.

    Args:
        paragraph: int (N,), position of each sentence's paragraph.
        place: int64 (N,), from `places`.
        wording: int64 (N,), from `wordings`.

    Returns:
        The pairs, in the order of the text, with places as paragraphs.
    """
    first = np.flatnonzero(paragraph[1:] == paragraph[:-1])
    both = np.stack([wording[first], wording[first + 1]], axis=1)  # (pairs, 2)
    kept = np.sort(np.unique(both, axis=0, return_index=True)[1]) if len(first) else first
    first = first[kept]
    return next_sentence.PairIndex(first, first + 1, place[first], wording[first + 1])


def cut(rows: Rows, budget: int, rng: np.random.Generator | None) -> Rows:
    """Shorten rows to at most `budget` ordinary tokens, from the longer part first.

    Args:
        rows: N rows.
        budget: tokens of both parts together.
        rng: where a shortened part begins is drawn; None keeps its beginning. Otherwise a model
            that is trained on short rows would only ever see how sentences begin.

    Returns:
        The rows, shortened.
    """
    a = rows.first[:, 1] - rows.first[:, 0]
    b = rows.second[:, 1] - rows.second[:, 0]
    excess = np.maximum(0, a + b - budget)
    # As `packing.truncate_pair`: level the longer one, then take turns, the second one first.
    level = np.minimum(excess, abs(a - b))
    rest = excess - level
    lost_a = np.where(a > b, level, 0) + rest // 2
    lost_b = np.where(a > b, 0, level) + (rest + 1) // 2
    begin_a, begin_b = rows.first[:, 0], rows.second[:, 0]
    if rng is not None:
        begin_a = begin_a + (rng.random(len(a)) * (lost_a + 1)).astype(np.int64)
        begin_b = begin_b + (rng.random(len(b)) * (lost_b + 1)).astype(np.int64)
    return Rows(
        np.stack([begin_a, begin_a + a - lost_a], axis=1),
        np.stack([begin_b, begin_b + b - lost_b], axis=1),
        rows.label,
    )


def pack(
    rows: Rows, split: TokenizedSplit, vocabulary: Vocabulary, width: int
) -> dict[str, np.ndarray]:
    """Rows as BERT's input: [CLS] first [SEP] second [SEP], then padding.

    Args:
        rows: B rows of at most `width` tokens, special ones included.
        split: where the tokens are.
        vocabulary: where the special ids come from.
        width: length T of the rows.

    Returns:
        `token_ids` int32 (B, T), `segment_ids` int32 (B, T), `padding_mask` bool (B, T), True = a
        real token, and `word_starts` uint8 (B, T) if the split has them.
    """
    column = np.arange(width)
    middle = (rows.first[:, 1] - rows.first[:, 0] + 1)[:, None]  # (B, 1) the first [SEP]
    end = middle + (rows.second[:, 1] - rows.second[:, 0] + 1)[:, None]  # (B, 1) the last one
    special = (column == 0) | (column == middle) | (column == end)  # (B, T)
    ordinary = (column < end) & ~special  # (B, T)
    begin = np.where(column < middle, rows.first[:, :1] - 1, rows.second[:, :1] - middle - 1)
    stream = (begin + column)[ordinary]  # (tokens,) places in the stream

    token_ids = np.full(ordinary.shape, vocabulary.pad_id, np.int32)
    token_ids[ordinary] = split.sentences.ids[stream]
    token_ids[special] = vocabulary.sep_id
    token_ids[:, 0] = vocabulary.cls_id
    packed = {
        "token_ids": token_ids,
        "segment_ids": ((column > middle) & (column <= end)).astype(np.int32),
        "padding_mask": column <= end,
    }
    if split.starts is not None:
        packed["word_starts"] = np.ones(ordinary.shape, np.uint8)
        packed["word_starts"][ordinary] = split.starts[stream]
    return packed
