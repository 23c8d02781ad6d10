"""What a masked-language model has to beat: models that only count.

The unigram model knows how frequent tokens are. The neighbour model also looks at the token on the
left and the token on the right of the gap. A network that does no better than the second one has
learned nothing beyond word neighbourhoods.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np


class UnigramModel:
    """Token frequencies with one added to each count of the tokens that may be asked for.

    Args:
        sequences: token ids of the training text.
        vocabulary_size: number V of ids.
        targets: int (K,), the ids that are ever masked; all others have probability 0.
    """

    def __init__(self, sequences: Iterable[Sequence[int]], vocabulary_size: int, targets):
        counts = np.zeros(vocabulary_size, np.int64)
        for sequence in sequences:
            counts += np.bincount(sequence, minlength=vocabulary_size)
        smoothed = np.zeros(vocabulary_size)
        smoothed[targets] = counts[targets] + 1.0
        self.probabilities = smoothed / smoothed.sum()  # (V,)

    def loss(self, targets: np.ndarray) -> float:
        """Mean cross-entropy in nats on the token ids `targets`.

        Args:
            targets: int (N,).

        Returns:
            Nats for a token.
        """
        return float(-np.log(self.probabilities[targets]).mean())


class NeighbourModel:
    """Predict a token from the tokens next to it by mixing relative frequencies.

    Five guesses are mixed: what stood between the same two neighbours, what followed the same left
    neighbour, what preceded the same right neighbour, what is frequent, and a uniform guess. How
    far to trust each depends on how often the context was seen, so every frequency class of the
    three contexts has mixture weights of its own, found by expectation maximisation on
    development text. A neighbour that is itself [MASK] counts as a context never seen.

    Args:
        sequences: token ids of the training sentences, without special tokens.
        unigram: fitted on the same text.
        boundary_id: stands before the first and after the last token of a sentence.

    Reference:
        Jelinek and Mercer, Interpolated estimation of Markov source parameters (1980).
    """

    def __init__(self, sequences: Iterable[Sequence[int]], unigram: UnigramModel, boundary_id: int):
        self.size = len(unigram.probabilities)
        self.unigram = unigram
        joined = [boundary_id]
        for sequence in sequences:
            joined.extend(sequence)
            joined.append(boundary_id)
        text = np.asarray(joined, np.int64)
        left, word, right = text[:-2], text[1:-1], text[2:]
        inside = word != boundary_id
        left, word, right = left[inside], word[inside], right[inside]
        v = self.size
        self._tables = {
            "left": _Counts(left),
            "right": _Counts(right),
            "both": _Counts(left * v + right),
            "left word": _Counts(left * v + word),
            "right word": _Counts(right * v + word),
            "both word": _Counts((left * v + right) * v + word),
        }
        self.weights: dict[tuple[int, int, int], np.ndarray] = {}
        self._fallback = np.full(5, 0.2)

    def _guesses(self, left, right, word):
        """Probability of each word under each guess, (N, 5), and frequency classes, (N, 3)."""
        v, table = self.size, self._tables
        seen = np.stack(
            [
                table["both"].of(left * v + right),
                table["left"].of(left),
                table["right"].of(right),
            ],
            axis=1,
        )  # (N, 3)
        hits = np.stack(
            [
                table["both word"].of((left * v + right) * v + word),
                table["left word"].of(left * v + word),
                table["right word"].of(right * v + word),
            ],
            axis=1,
        )  # (N, 3)
        ratios = hits / np.maximum(seen, 1)
        frequency = self.unigram.probabilities[word]
        uniform = np.full(len(word), 1.0 / np.count_nonzero(self.unigram.probabilities))
        guesses = np.concatenate([ratios, frequency[:, None], uniform[:, None]], axis=1)
        # Powers of four are fine enough as classes and keep each of them well filled.
        classes = np.ceil(np.log2(seen + 1) / 2).astype(int)
        classes[:, 1:] = np.minimum(classes[:, 1:], 5)
        classes[:, 0] = np.minimum(classes[:, 0], 3)
        return guesses, classes

    def tune(self, left, right, word, iterations: int = 30, minimum: int = 50) -> NeighbourModel:
        """Find the mixture weights on development text.

        Args:
            left, right, word: int (N,), neighbours and targets.
            iterations: passes of expectation maximisation.
            minimum: frequency classes with fewer examples use the overall weights.

        Returns:
            The model itself.
        """
        guesses, classes = self._guesses(*_int64(left, right, word))
        self._fallback = _mixture_weights(guesses, iterations)
        for group in np.unique(classes, axis=0):
            rows = (classes == group).all(axis=1)
            if rows.sum() >= minimum:
                self.weights[tuple(group)] = _mixture_weights(guesses[rows], iterations)
        return self

    def probabilities(self, left, right, word) -> np.ndarray:
        """Probability of each word between its neighbours, float64 (N,).

        Args:
            left: int (N,), the token before.
            right: int (N,), the token after.
            word: int (N,), the token between.

        Returns:
            float64 (N,).
        """
        guesses, classes = self._guesses(*_int64(left, right, word))
        weights = np.stack([self.weights.get(tuple(row), self._fallback) for row in classes])
        return (guesses * weights).sum(axis=1)

    def loss(self, left, right, word) -> float:
        """Mean cross-entropy in nats.

        Args:
            left: int (N,), the token before.
            right: int (N,), the token after.
            word: int (N,), the token between.

        Returns:
            Nats for a token.
        """
        return float(-np.log(self.probabilities(left, right, word)).mean())


class _Counts:
    """How often each key occurs, in two sorted arrays."""

    def __init__(self, keys: np.ndarray):
        self.keys, self.values = np.unique(keys, return_counts=True)

    def of(self, keys: np.ndarray) -> np.ndarray:
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, self.values[place], 0)


def _mixture_weights(guesses: np.ndarray, iterations: int) -> np.ndarray:
    weights = np.full(guesses.shape[1], 1.0 / guesses.shape[1])
    for _ in range(iterations):
        shares = guesses * weights
        shares /= shares.sum(axis=1, keepdims=True)
        weights = shares.mean(axis=0)
    # The uniform guess keeps a little, so that no word is impossible on new text.
    weights = np.maximum(weights, [0, 0, 0, 0, 1e-4])
    return weights / weights.sum()


def _int64(*arrays):
    return tuple(np.asarray(array, np.int64) for array in arrays)
