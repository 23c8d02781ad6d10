"""Batches for pretraining, each a function of the seed and its number alone.

Because batch k can be computed without the batches before it, a resumed run needs no saved reader
position: it asks for the batch after its last step and gets what the first run would have got.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from bert_keras.text import masked_lm, next_sentence, packing
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.training.prepare import TokenizedSplit

Item = TypeVar("Item")

# Streams of random numbers that must not repeat each other.
_PAIRS, _MASKS, _HELD_OUT = 1, 2, 3


class PretrainingBatches:
    """Pairs packed, masked and batched.

    In training, sentences that are too long lose a random part; for evaluation, their end.

    Args:
        split: the sentences.
        vocabulary: for special ids and random replacements.
        batch_size: pairs in a batch.
        max_sequence_length: length T of a row.
        max_predictions: prediction slots P of a row; 0 means as many as the mask rate can need.
        mask_rate: share of the ordinary tokens to predict.
        negative_rate: share of wrong second sentences.
        negative_distance: how many paragraphs away they must be.
        seed: source of all draws.

    Raises:
        ValueError: the split has fewer pairs than one batch.
    """

    def __init__(
        self,
        split: TokenizedSplit,
        vocabulary: Vocabulary,
        *,
        batch_size: int,
        max_sequence_length: int,
        max_predictions: int = 0,
        mask_rate: float = 0.15,
        negative_rate: float = 0.5,
        negative_distance: int = 200,
        seed: int = 0,
    ):
        self.split = split
        self.vocabulary = vocabulary
        self.batch_size = batch_size
        self.max_sequence_length = max_sequence_length
        self.mask_rate = mask_rate
        self.max_predictions = max_predictions or max(
            1, round(mask_rate * (max_sequence_length - 3))
        )
        self.negative_rate = negative_rate
        self.negative_distance = negative_distance
        self.seed = seed
        self.pairs = next_sentence.adjacent_pairs(split.sentences, split.paragraph)
        self.batches_per_epoch = len(self.pairs.first) // batch_size
        if self.batches_per_epoch == 0:
            raise ValueError(
                f"the text has {len(self.pairs.first)} sentence pairs, fewer than the batch size "
                f"{batch_size}"
            )
        self._epoch: int | None = None
        self._order: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

    def batch(self, number: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Batch `number` of the endless stream; every pass has new pairs, order and masks.

        Returns:
            Inputs `token_ids`, `segment_ids` int32 (B, T), `padding_mask` bool (B, T),
            `mask_positions` int32 (B, P), and targets `mask_ids` int32 (B, P), `mask_weights`
            float32 (B, P), `next_sentence_label` int32 (B,).
        """
        epoch, place = divmod(number, self.batches_per_epoch)
        first, second, label = self._drawn(epoch)
        rows = slice(place * self.batch_size, (place + 1) * self.batch_size)
        rng = np.random.default_rng([self.seed, _MASKS, number])
        inputs, masked = self._assemble(first[rows], second[rows], rng, crop=True)
        targets = {
            "mask_ids": masked.mask_ids,
            "mask_weights": masked.mask_weights,
            "next_sentence_label": label[rows],
        }
        return inputs, targets

    def held_out(self, limit: int = 0):
        """All pairs once, always with the same draws, for evaluation.

        Args:
            limit: number of pairs at most, spread evenly over the text; 0 means all.

        Returns:
            Inputs as from `batch`, the `MaskedBatch` and `next_sentence_label` int32 (N,).
        """
        rng = np.random.default_rng([self.seed, _HELD_OUT])
        first, second, label = self._draw(rng)
        if 0 < limit < len(label):
            rows = np.linspace(0, len(label) - 1, limit).round().astype(int)
            first, second, label = first[rows], second[rows], label[rows]
        inputs, masked = self._assemble(first, second, rng)
        return inputs, masked, label

    def _assemble(self, first, second, rng, crop=False):
        sentences = self.split.sentences
        texts = [(sentences[i], sentences[j]) for i, j in zip(first, second, strict=True)]
        if crop:
            budget = self.max_sequence_length - 3
            texts = [_random_windows(a, b, budget, rng) for a, b in texts]
        inputs = packing.pack_batch(texts, self.vocabulary, self.max_sequence_length)
        masked = masked_lm.mask_tokens(
            inputs["token_ids"],
            self.vocabulary,
            rng,
            max_predictions=self.max_predictions,
            mask_rate=self.mask_rate,
        )
        inputs["token_ids"] = masked.token_ids
        inputs["mask_positions"] = masked.mask_positions
        return inputs, masked

    def _draw(self, rng):
        return next_sentence.draw_pairs(
            self.pairs, rng, distance=self.negative_distance, negative_rate=self.negative_rate
        )

    def _drawn(self, epoch: int):
        if self._epoch != epoch:
            rng = np.random.default_rng([self.seed, _PAIRS, epoch])
            drawn = self._draw(rng)
            order = rng.permutation(len(drawn[0]))
            self._order = tuple(array[order] for array in drawn)
            self._epoch = epoch
        return self._order


def _random_windows(first, second, budget: int, rng: np.random.Generator):
    """Cut two sentences to the lengths that truncation leaves, but anywhere, not at the end.

    Otherwise a model trained on short rows would only ever see how sentences begin.
    """
    if len(first) + len(second) <= budget:
        return first, second
    kept = packing.truncate_pair(first, second, budget)
    windows = []
    for whole, part in zip((first, second), kept, strict=True):
        start = rng.integers(0, len(whole) - len(part) + 1)
        windows.append(whole[start : start + len(part)])
    return tuple(windows)


def prefetch(make: Callable[[int], Item], start: int, stop: int) -> Iterator[Item]:
    """Items start … stop-1, each made in a thread while the one before is in use."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        upcoming = pool.submit(make, start) if start < stop else None
        for number in range(start, stop):
            current = upcoming.result()
            upcoming = pool.submit(make, number + 1) if number + 1 < stop else None
            yield current
