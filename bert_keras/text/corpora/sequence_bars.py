"""Bars for sets of sequence pairs: what a lookup scores. `docs/data.md` has the figures.

Each is fitted on the train split and asked about the others; `sequences` has the measures.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from bert_keras.text.corpora.sequences import SequencePair, Translation


class SymbolTable:
    """Replace each symbol by what it most often becomes; for pairs aligned one to one.

    Args:
        pairs: with targets as long as their sources.

    Raises:
        ValueError: a target has another length than its source.
    """

    def __init__(self, pairs: Iterable[SequencePair]):
        counts: dict[str, Counter] = defaultdict(Counter)
        for pair in pairs:
            for symbol, target in zip(pair.source, pair.targets[0], strict=True):
                counts[symbol][target] += 1
        self.table = {symbol: found.most_common(1)[0][0] for symbol, found in counts.items()}

    def predict(self, source: Sequence[str]) -> tuple[str, ...]:
        """What the table makes of a sequence.

        Args:
            source: sequence of symbols.

        Returns:
            tuple of str; a symbol never seen stays as it is.
        """
        return tuple(self.table.get(symbol, symbol) for symbol in source)


class NearestCopy:
    """Translate by copying the translation of the training sentence that is most alike.

    Alike means: the cosine of the words, each weighted by how rare it is.

    Args:
        pairs: the train split.
    """

    def __init__(self, pairs: Iterable[Translation]):
        self.targets: list[str] = []
        frequency: Counter = Counter()
        sources = []
        for pair in pairs:
            sources.append(_words(pair.source))
            self.targets.append(pair.target)
            frequency.update(sources[-1].keys())
        self.rarity = {w: math.log(len(sources) / n) + 1 for w, n in frequency.items()}
        self.index: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, words in enumerate(sources):
            length = math.sqrt(sum((n * self.rarity[w]) ** 2 for w, n in words.items())) or 1.0
            for word, n in words.items():
                self.index[word].append((number, n * self.rarity[word] / length))

    def predict(self, source: str) -> str:
        """The copied translation.

        Args:
            source: str.

        Returns:
            str; empty if no word of the source was seen in training.
        """
        likeness: Counter = Counter()
        for word, n in _words(source).items():
            for number, weight in self.index.get(word, ()):
                likeness[number] += n * self.rarity[word] * weight
        # Of equally near ones the first, on every machine.
        best = max(likeness, key=lambda number: (likeness[number], -number), default=None)
        return "" if best is None else self.targets[best]


def _words(text: str) -> Counter:
    return Counter(re.findall(r"\w+|[^\w\s]", text.lower()))
