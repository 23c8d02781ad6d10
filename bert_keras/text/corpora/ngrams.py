"""Bars for running text: language models that only count. `docs/data.md` has their figures."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence


class NGramModel:
    """An n-gram language model with Witten-Bell smoothing.

    How far a context is trusted depends on how many different symbols followed it: the more there
    were, the likelier is yet another one.

    Args:
        sequences: of the train split, such as sentences as words or as characters.
        order: int, symbols that are looked at, the predicted one included.
        minimum_count: int, rarer symbols all become one symbol, as do those never seen.

    Reference:
        Witten & Bell (1991), The zero-frequency problem; Chen & Goodman (1998), section 2.6.
    """

    START, END, RARE = "<s>", "</s>", "<rare>"

    def __init__(self, sequences: Iterable[Sequence[str]], order: int = 3, minimum_count: int = 1):
        sequences = list(sequences)
        counts = Counter(symbol for sequence in sequences for symbol in sequence)
        self.order = order
        self.symbols = {symbol for symbol, n in counts.items() if n >= minimum_count}
        self.symbols |= {self.END, self.RARE}
        self.counts: dict[tuple[str, ...], Counter] = defaultdict(Counter)
        for sequence in sequences:
            for context, symbol in self._events(sequence):
                for start in range(order):
                    self.counts[context[start:]][symbol] += 1
        self.totals = {context: found.total() for context, found in self.counts.items()}

    def probability(self, symbol: str, context: tuple[str, ...]) -> float:
        """Probability of a known symbol after others.

        Args:
            symbol: one of `symbols`.
            context: up to order - 1 symbols before it.

        Returns:
            float; the probabilities of all `symbols` sum to 1.
        """
        value = 1 / len(self.symbols)
        for start in range(len(context), -1, -1):
            found = self.counts.get(context[start:])
            if found is None:
                break
            kinds, total = len(found), self.totals[context[start:]]
            value = (found[symbol] + kinds * value) / (total + kinds)
        return value

    def perplexity(self, sequences: Iterable[Sequence[str]]) -> float:
        """Perplexity for each symbol, the end of each sequence included.

        Args:
            sequences: of another split.

        Returns:
            float, e to the mean negative log-probability.
        """
        total, count = 0.0, 0
        for sequence in sequences:
            for context, symbol in self._events(sequence):
                total -= math.log(self.probability(symbol, context))
                count += 1
        return math.exp(total / count)

    def _events(self, sequence: Sequence[str]):
        known = [symbol if symbol in self.symbols else self.RARE for symbol in sequence]
        padded = [self.START] * (self.order - 1) + known + [self.END]
        for end in range(self.order - 1, len(padded)):
            yield tuple(padded[end - self.order + 1 : end]), padded[end]
