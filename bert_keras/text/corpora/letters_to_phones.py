"""The bar for pronunciations: align letters with phones, then look letters up in their context."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from bert_keras.text.corpora.sequences import SequencePair

_CONTEXTS = ((3, 3), (2, 3), (2, 2), (1, 2), (1, 1), (0, 1), (0, 0))  # letters left and right
_LONGEST = 2  # phones of one letter, as in x: K S
_UNSEEN = math.log(1e-6)
_MARGIN = "#"

Chunk = tuple[str, ...]


class ContextLookup:
    """Pronounce each letter as it was most often pronounced between the same neighbours.

    A letter stands for no phone, one or two. Which ones is found by aligning, counting and
    aligning again. To predict, the widest context that was seen in training decides.

    Args:
        pairs: the train split; of several readings the first counts.
        rounds: int, how often to align and count.
        sample: int, words that the first rounds look at; the last one aligns all of them.

    Reference:
        Black, Lenzo & Pagel (1998), Issues in building general letter to sound rules.
    """

    def __init__(self, pairs: Iterable[SequencePair], rounds: int = 4, sample: int = 10_000):
        pairs = list(pairs)
        self.scores = _first_guess(pairs[:sample])
        for _ in range(rounds - 1):
            counts: dict[str, Counter] = defaultdict(Counter)
            for pair in pairs[:sample]:
                for letter, chunk in zip(pair.source, self._aligned(pair) or (), strict=False):
                    counts[letter][chunk] += 1
            self.scores = _logarithms(counts)
        found: dict[str, Counter] = defaultdict(Counter)
        for pair in pairs:
            if chunks := self._aligned(pair):
                for place, chunk in enumerate(chunks):
                    for context in _contexts(pair.source, place):
                        found[context][chunk] += 1
        self.table = {context: chunks.most_common(1)[0][0] for context, chunks in found.items()}

    def predict(self, source: Sequence[str]) -> tuple[str, ...]:
        """Phones of a word.

        Args:
            source: its letters.

        Returns:
            tuple of str; letters never seen are silent.
        """
        phones: list[str] = []
        for place in range(len(source)):
            known = (c for c in _contexts(source, place) if c in self.table)
            if context := next(known, None):
                phones += self.table[context]
        return tuple(phones)

    def _aligned(self, pair: SequencePair) -> list[Chunk] | None:
        """The likeliest phones of each letter; None if there are more phones than can be dealt."""
        letters, phones = pair.source, pair.targets[0]
        # best[j]: score of the letters so far with the first j phones, and how it came about.
        best: dict[int, tuple[float, list[Chunk]]] = {0: (0.0, [])}
        for letter in letters:
            scores, reached = self.scores.get(letter, {}), {}
            for j, (score, chunks) in best.items():
                for size in range(min(_LONGEST, len(phones) - j) + 1):
                    chunk = phones[j : j + size]
                    value = score + scores.get(chunk, _UNSEEN)
                    if j + size not in reached or value > reached[j + size][0]:
                        reached[j + size] = (value, [*chunks, chunk])
            best = reached
        return best[len(phones)][1] if len(phones) in best else None


def _first_guess(pairs: Sequence[SequencePair]) -> dict[str, dict[Chunk, float]]:
    """Letters go with phones that stand at about the same place of the word."""
    counts: dict[str, Counter] = defaultdict(Counter)
    for pair in pairs:
        letters, phones = pair.source, pair.targets[0]
        for place, letter in enumerate(letters):
            middle = place * len(phones) / len(letters)
            for j, phone in enumerate(phones):
                if abs(j - middle) <= 1:
                    counts[letter][(phone,)] += 1
            counts[letter][()] += 0.2
    return _logarithms(counts)


def _logarithms(counts: dict[str, Counter]) -> dict[str, dict[Chunk, float]]:
    return {
        letter: {chunk: math.log(n / found.total()) for chunk, n in found.items()}
        for letter, found in counts.items()
    }


def _contexts(letters: Sequence[str], place: int) -> list[str]:
    """The letter between its neighbours, widest context first."""
    padded = _MARGIN * 3 + "".join(letters) + _MARGIN * 3
    place += 3
    return [
        f"{padded[place - left : place]}[{padded[place]}]{padded[place + 1 : place + 1 + right]}"
        for left, right in _CONTEXTS
    ]
