"""Rows of several sources, such as languages, drawn more or less often than by their size."""

from __future__ import annotations

import numpy as np

from bert_keras.text import languages
from bert_keras.training.rows import Rows, RowSource
from bert_keras.training.shards import FlatArray, Sentences, TokenizedSplit


class MixedRowSource:
    """Rows of several sources, each drawn more or less often than by its size.

    A wrong second part comes from the same source: told by its language it would be no riddle.

    Args:
        split: the sentences, with their `source`.
        kind: as for `RowSource`.
        exponent: float, sources are drawn by their numbers of rows to this power.
        **options: as for `RowSource`.

    Raises:
        PairingError: as for `RowSource`.
    """

    def __init__(self, split: TokenizedSplit, kind: str, exponent: float, **options):
        self.exponent = exponent
        edges = np.searchsorted(split.source, np.unique(split.source))
        bounds = zip(edges, [*edges[1:], len(split.source)], strict=True)
        self.sources = [
            (begin, RowSource(_stretch(split, begin, end), kind, **options))
            for begin, end in bounds
        ]
        self._offsets = split.sentences.offsets

    def draw(self, rng: np.random.Generator) -> Rows:
        """The rows of one pass, one source after the other.

        Args:
            rng: source of the draws.

        Returns:
            The rows, as many as there are of all sources.
        """
        drawn = [(self._offsets[begin], source.draw(rng)) for begin, source in self.sources]
        counts = [len(rows.label) for _, rows in drawn]
        shares = languages.smoothed_language_weights(counts, self.exponent)
        numbers = languages.draw_by_language(counts, shares, rng)
        chosen = [
            Rows(rows.first[some] + start, rows.second[some] + start, rows.label[some])
            for (start, rows), some in zip(drawn, numbers, strict=True)
        ]
        return Rows(*(np.concatenate(arrays) for arrays in zip(*chosen, strict=True)))


def _stretch(split: TokenizedSplit, begin: int, end: int) -> TokenizedSplit:
    """Some sentences of a split that stand together."""
    start, stop = (int(split.sentences.offsets[n]) for n in (begin, end))
    some = slice(begin, end)
    return TokenizedSplit(
        Sentences(
            FlatArray([split.sentences.ids[slice(start, stop)]]), split.sentences.lengths[some]
        ),
        split.paragraph[some],
        split.document[some],
        split.marked[some],
    )
