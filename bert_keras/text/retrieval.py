"""Find the statements that a question or a claim is about."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from bert_keras.text.wordpiece import basic_tokenize


class BM25:
    """Rank some texts by the words that they share with another, rare words first.

    A word counts more the fewer texts have it, counts less with every repetition, and less in a
    long text. In Chinese the words are characters.

    Args:
        texts: the texts to search.
        saturation: float, how fast repetitions stop counting (k1).
        length_share: float from 0 to 1, how much a text's length counts (b).

    Example:
        >>> BM25(["the capital is Osk", "the flag shows a lion"]).rank("what does the flag show?")
        [1, 0]

    Reference:
        Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009).
    """

    def __init__(self, texts: Sequence[str], saturation: float = 1.2, length_share: float = 0.75):
        counts = [Counter(basic_tokenize(text)) for text in texts]
        lengths = [found.total() for found in counts]
        mean = sum(lengths) / max(1, len(lengths))
        holding = Counter(word for found in counts for word in found)
        self._weights = []
        for found, length in zip(counts, lengths, strict=True):
            norm = saturation * (1 - length_share + length_share * length / max(mean, 1e-9))
            self._weights.append(
                {
                    word: self._rarity(holding[word], len(counts))
                    * count
                    * (saturation + 1)
                    / (count + norm)
                    for word, count in found.items()
                }
            )

    @staticmethod
    def _rarity(holding: int, texts: int) -> float:
        return math.log(1 + (texts - holding + 0.5) / (holding + 0.5))

    def scores(self, query: str) -> list[float]:
        """How well each text fits.

        Args:
            query: str.

        Returns:
            List of float, one for each text, at least 0.
        """
        words = set(basic_tokenize(query))
        return [sum(found.get(word, 0.0) for word in words) for found in self._weights]

    def rank(self, query: str, count: int | None = None) -> list[int]:
        """The numbers of the best texts, the best first; of equals, the earlier one.

        Args:
            query: str.
            count: int, how many; None means all.

        Returns:
            List of int.
        """
        scores = self.scores(query)
        return sorted(range(len(scores)), key=lambda n: -scores[n])[:count]
