"""Numbered batches on their way into `fit` and `predict`, made ahead of their use.

A batch is a function of its number, so the only state is which number comes next. One thread makes
the next few while the device computes; it goes on while a run logs or writes a checkpoint.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import keras
import numpy as np

from bert_keras.errors import UserError

AHEAD = 4  # batches that wait, ready, for the one in use


class BatchStream:
    """Batches start … stop-1 in order, handed out in as many parts as one likes.

    Use it as a context manager, or call `close`: a thread works for it.

    Args:
        make: function of a number that returns one batch, a nested structure of NumPy arrays. It
            is called in one thread, once for each number, in order.
        start: int, the first number.
        stop: int, the number after the last one.
        ahead: int, how many batches are made ahead of their use.
    """

    def __init__(self, make: Callable[[int], Any], start: int, stop: int, ahead: int = AHEAD):
        self.make = make
        self.number = start
        self.stop = stop
        # What `make` raised. TensorFlow hides it in an error of its own, with a long trace.
        self.failure: Exception | None = None
        self._ahead = max(1, ahead)
        self._upcoming: deque[Future] = deque()
        self._submitted = start
        self._datasets: dict[str, Any] = {}
        self._count = 0
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="batches")

    def __enter__(self) -> BatchStream:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """Stop the thread after the batch that it is making."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def take(self, count: int, widths_vary: bool = False) -> Any:
        """The next batches, for `fit` or `predict` on the current backend.

        Args:
            count: int, how many; fewer come if the stream ends before. A part has to be used up
                before the next one is taken.
            widths_vary: bool, whether arrays of two or more axes may differ in their second axis
                from batch to batch. Where they do not, TensorFlow is told the whole shape.

        Returns:
            A `tf.data.Dataset` on TensorFlow, of unknown cardinality, elsewhere a generator of
            tuples. `fit` wants to be told steps_per_epoch=count.
        """
        count = min(count, self.stop - self.number)
        if keras.backend.backend() == "tensorflow":
            return self._tensorflow_dataset(count, widths_vary)
        return (item if isinstance(item, tuple) else (item,) for item in self._next(count))

    def _next(self, count: int) -> Iterator[Any]:
        for _ in range(count):
            self._fill()
            try:
                item = self._upcoming.popleft().result()
            except Exception as error:
                self.failure = error
                raise
            self.number += 1
            self._fill()
            yield item

    def _fill(self) -> None:
        while len(self._upcoming) < self._ahead and self._submitted < self.stop:
            self._upcoming.append(self._pool.submit(self.make, self._submitted))
            self._submitted += 1

    def _tensorflow_dataset(self, count: int, widths_vary: bool):
        self._fill()
        # Looked at, not taken.
        try:
            first = self._upcoming[0].result() if count else ()
        except Exception as error:
            self.failure = error
            raise

        import tensorflow as tf

        def spec(array):
            array = np.asarray(array)
            shape = list(array.shape)
            if widths_vary and shape:
                shape[:2] = [None] * len(shape[:2])
            return tf.TensorSpec(shape, array.dtype)

        signature = keras.tree.map_structure(spec, first)
        self._count = count
        # Made once for every kind of batch: TensorFlow keeps something of each dataset there was.
        key = str(signature)
        if key not in self._datasets:
            dataset = tf.data.Dataset.from_generator(
                lambda: self._next(self._count), output_signature=signature
            )
            options = tf.data.Options()
            # The autotuner gains nothing here, and stopping it stalls the end of every pass.
            options.autotune.enabled = False
            options.experimental_optimization.apply_default_optimizations = False
            options.threading.private_threadpool_size = 1
            self._datasets[key] = dataset.prefetch(2).with_options(options)
        return self._datasets[key]


def as_dataset(make: Callable[[int], Any], start: int, stop: int, widths_vary: bool = False) -> Any:
    """Batches start … stop-1 as what `model.fit` and `model.predict` take, made in a thread.

    Args:
        make: function of a number that returns one batch: for `fit` a tuple of inputs and targets,
            for `predict` the inputs alone; nested structures of NumPy arrays.
        start: int, the first number.
        stop: int, the number after the last one.
        widths_vary: bool, whether batches differ in the length of their rows.

    Returns:
        On TensorFlow a `tf.data.Dataset` of known cardinality, prefetched, its autotuner off;
        elsewhere a generator of tuples that does the same. Either serves one pass.
    """
    found = BatchStream(make, start, stop).take(stop - start, widths_vary)
    if keras.backend.backend() != "tensorflow":
        return found
    import tensorflow as tf

    return found.apply(tf.data.experimental.assert_cardinality(stop - start))


class BatchError(UserError):
    """A batch that the model cannot take; the message is one line."""


def check_inputs(inputs: dict[str, np.ndarray], number: int, vocabulary_size: int, length: int):
    """Refuse a batch that a model would read past its tables with, and say which one it is.

    A gather with an id out of range fails on one device and silently takes another row on the
    next, so it is cheaper to look before.

    Args:
        inputs: token_ids int (B, T), padding_mask bool (B, T) and, in pretraining,
            mask_positions int (B, P).
        number: int, of the batch.
        vocabulary_size: int, rows of the model's token table.
        length: int, the longest row that the model takes.

    Raises:
        BatchError: an id out of range, rows too long, a mask of another dtype or shape.
    """
    ids, mask = inputs["token_ids"], inputs["padding_mask"]
    if ids.shape[1] > length:
        raise BatchError(
            f"batch {number} has rows of {ids.shape[1]} tokens; the model takes {length} at most "
            "(model.max_sequence_length)"
        )
    if mask.dtype != bool or mask.shape != ids.shape:
        raise BatchError(
            f"the padding_mask of batch {number} must be bool {ids.shape}, not {mask.dtype} "
            f"{mask.shape}"
        )
    if ids.min() < 0 or ids.max() >= vocabulary_size:
        row = int(np.argmax((ids < 0).any(axis=1) | (ids >= vocabulary_size).any(axis=1)))
        wrong = ids[row][(ids[row] < 0) | (ids[row] >= vocabulary_size)][0]
        raise BatchError(
            f"row {row} of batch {number} holds the id {wrong}, but the vocabulary has "
            f"{vocabulary_size} tokens: the text was prepared with another vocabulary, or damaged"
        )
    if "mask_positions" in inputs and (
        inputs["mask_positions"].min() < 0 or inputs["mask_positions"].max() >= ids.shape[1]
    ):
        raise BatchError(f"batch {number} wants a prediction outside its {ids.shape[1]} places")
