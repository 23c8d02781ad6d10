"""Encoded rows, grouped by length so that little padding is computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np


class Encoded(NamedTuple):
    """Rows as arrays.

    Attributes:
        inputs: dict of token_ids, segment_ids and padding_mask, int32, int32 and bool arrays of
            shape (N, T), or (N, K, T) with several sequences a row; further arrays have their last
            axis in common with them.
        targets: int32 array of shape (N,), (N, 2) or (N, T), or a dict of such; as the model of the
            task describes them.
        by_token: names of the targets that have a value for every token; "" for targets that are
            no dict.
        notes: for each encoded row, what `Task.guesses` needs to read an answer off its outputs.
        whole: names of inputs that are not cut with the row, such as what a decoder is given.
    """

    inputs: dict[str, np.ndarray]
    targets: Any
    by_token: tuple[str, ...] = ()
    notes: Sequence = ()
    whole: tuple[str, ...] = ()


class TaskBatches:
    """Batches of rows of about one length.

    Args:
        encoded: the rows.
        bucket_width: int, rows are padded to a multiple of this.
    """

    def __init__(self, encoded: Encoded, bucket_width: int):
        self.encoded = encoded
        mask = encoded.inputs["padding_mask"]  # (N, T) or (N, K, T)
        lengths = mask.sum(axis=-1).reshape(len(mask), -1).max(axis=1)  # (N,)
        widths = -(-lengths // bucket_width) * bucket_width
        self.widths = np.minimum(widths, mask.shape[-1])  # (N,)

    def __len__(self) -> int:
        return len(self.widths)

    def inputs(self, rows: np.ndarray, width: int) -> dict[str, np.ndarray]:
        """The inputs of some rows.

        Args:
            rows: int (B,), their numbers.
            width: int, how many columns of them.

        Returns:
            dict of token_ids, segment_ids int32 and padding_mask bool, of shape (B, width) or
            (B, K, width).
        """
        whole = self.encoded.whole
        return {
            name: array[rows] if name in whole else array[rows][..., :width]
            for name, array in self.encoded.inputs.items()
        }

    def by_width(self) -> Iterator[tuple[np.ndarray, int]]:
        """All rows, those of one width together.

        Yields:
            Row numbers, int (n,), and their width.
        """
        for width in np.unique(self.widths):
            yield np.flatnonzero(self.widths == width), int(width)

    def targets(self, rows: np.ndarray, width: int) -> Any:
        """The targets of some rows.

        Args:
            rows: int (B,), their numbers.
            width: int, how many columns of targets that have a value for every token.

        Returns:
            int32 array, or dict of them.
        """

        def part(name, array):
            return array[rows, :width] if name in self.encoded.by_token else array[rows]

        targets = self.encoded.targets
        if isinstance(targets, dict):
            return {name: part(name, array) for name, array in targets.items()}
        return part("", targets)

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

    def steps(
        self, count: int, batch_size: int, rng: np.random.Generator
    ) -> list[tuple[np.ndarray, int]]:
        """The batches of so many steps, pass after pass.

        Args:
            count: int, steps.
            batch_size: int, rows in a batch; fewer, if there aren't so many.
            rng: decides about the order.

        Returns:
            As `epoch` does.
        """
        batches: list = []
        while len(batches) < count:
            batches += self.epoch(min(batch_size, len(self)), rng)
        return batches[:count]
