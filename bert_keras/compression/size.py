"""What a smaller model saves: parameters, bytes, time."""

from __future__ import annotations

import gzip
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import keras
import numpy as np


def size_of(model: keras.Model) -> dict[str, int]:
    """How large a model is.

    Args:
        model: a built model.

    Returns:
        dict of ints: parameters, numbers that its layers hold, a shared one once; nonzero, those of
        them that aren't 0; bytes, of the file of its weights; and gzip_bytes, of that file packed,
        where alone zeros save anything.
    """
    arrays = [keras.ops.convert_to_numpy(variable.value) for variable in model.weights]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "size.weights.h5")
        model.save_weights(path)
        content = path.read_bytes()
    return {
        "parameters": sum(array.size for array in arrays),
        "nonzero": sum(int(np.count_nonzero(array)) for array in arrays),
        "bytes": len(content),
        "gzip_bytes": len(gzip.compress(content, 6)),
    }


def latency_ratio(model: keras.Model, other: keras.Model, inputs, *, rounds: int = 15) -> float:
    """How long one model takes for a batch, as a multiple of what another takes.

    Both take turns, and medians are compared, so a machine that slows down slows both.

    Args:
        model: the numerator.
        other: the denominator.
        inputs: a batch that both take, a dict of arrays.
        rounds: int, timed calls of each.

    Returns:
        float.
    """
    for each in (model, other):  # compiled here
        each.predict_on_batch(inputs)
        each.predict_on_batch(inputs)
    seconds: dict[int, list[float]] = {0: [], 1: []}
    for number in range(rounds):
        for which in (0, 1) if number % 2 else (1, 0):
            started = time.perf_counter()
            (model, other)[which].predict_on_batch(inputs)
            seconds[which].append(time.perf_counter() - started)
    return statistics.median(seconds[0]) / statistics.median(seconds[1])


def batch_of(vocabulary_size: int, rows: int, length: int, seed: int = 0) -> dict[str, Any]:
    """A batch of random tokens without padding, to time models with.

    Args:
        vocabulary_size: int.
        rows: int B.
        length: int T.
        seed: int.

    Returns:
        dict of token_ids, segment_ids (int32) and padding_mask (bool), arrays of shape (B, T).
    """
    shape = (rows, length)
    return {
        "token_ids": np.random.default_rng(seed).integers(
            vocabulary_size, size=shape, dtype="int32"
        ),
        "segment_ids": np.zeros(shape, "int32"),
        "padding_mask": np.ones(shape, bool),
    }
