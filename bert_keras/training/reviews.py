"""Labelled texts as packed rows for fine-tuning."""

from __future__ import annotations

import numpy as np

from bert_keras.text import packing
from bert_keras.text.vocabulary import Vocabulary


class ReviewBatches:
    """Reviews as packed rows, grouped by length so that little padding is computed.

    Args:
        reviews: list of rows with `text` and `label`.
        tokenizer: of the pretrained encoder.
        max_sequence_length: int, longer texts keep their head and their tail.
        bucket_width: int, rows are padded to a multiple of this.
    """

    def __init__(self, reviews, tokenizer, max_sequence_length: int, bucket_width: int):
        vocabulary: Vocabulary = tokenizer.vocabulary
        budget = max_sequence_length - 2  # [CLS] and [SEP]
        encoded = [
            (packing.head_and_tail(tokenizer.encode(review.text), budget), None)
            for review in reviews
        ]
        self.inputs = packing.pack_batch(encoded, vocabulary, max_sequence_length)
        self.labels = np.array([review.label for review in reviews], np.int32)  # (N,)
        lengths = self.inputs["padding_mask"].sum(axis=1)  # (N,)
        widths = -(-lengths // bucket_width) * bucket_width
        self.widths = np.minimum(widths, max_sequence_length)  # (N,)

    def __len__(self) -> int:
        return len(self.labels)

    def rows(self, rows: np.ndarray, width: int) -> dict[str, np.ndarray]:
        """The inputs of some rows.

        Args:
            rows: int (B,), their numbers.
            width: int, how many columns of them.

        Returns:
            dict of token_ids, segment_ids int32 (B, width) and padding_mask bool (B, width).
        """
        return {name: array[rows, :width] for name, array in self.inputs.items()}

    def epoch(self, batch_size: int, rng: np.random.Generator) -> list[tuple[np.ndarray, int]]:
        """One pass in random order, every batch of one width.

        Rows that do not fill a batch of their width join the next wider one; what is left at the
        end, fewer rows than a batch, sits this pass out.

        Args:
            batch_size: int, rows in a batch.
            rng: decides about the order.

        Returns:
            For every batch its row numbers, int (batch_size,), and its width.
        """
        batches, waiting = [], np.array([], int)
        for width in np.unique(self.widths):
            waiting = np.concatenate(
                [waiting, rng.permutation(np.flatnonzero(self.widths == width))]
            )
            full = len(waiting) // batch_size * batch_size
            batches += [(rows, int(width)) for rows in waiting[:full].reshape(-1, batch_size)]
            waiting = waiting[full:]
        return [batches[number] for number in rng.permutation(len(batches))]
