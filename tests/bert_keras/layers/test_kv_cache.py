"""Token by token with kept keys and values, or all at once under a causal mask: the same."""

import numpy as np
import pytest
from keras import ops

from bert_keras.layers import EncoderBlock, causal_mask
from bert_keras.layers.kv_cache import cached_block, keys_and_values, write_at


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


def test_each_row_is_written_at_its_own_place():
    cache = np.zeros((2, 1, 3, 2), "float32")
    new = np.arange(1, 5, dtype="float32").reshape(2, 1, 1, 2)
    found = numbers(write_at(cache, new, np.array([2, 0], "int32")))
    right = [[[[0, 0], [0, 0], [1, 2]]], [[[3, 4], [0, 0], [0, 0]]]]
    np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("norm_first", [False, True])
def test_stepping_is_reading_at_once(rng, randomized, norm_first):
    """From two tokens read at once on, and with rubbish in the slots that are not in use yet."""
    x = rng.normal(size=(2, 6, 8)).astype("float32")
    block = randomized(EncoderBlock(2, 8, 12, norm_first=norm_first), x)
    right, _ = block(x, attention_mask=causal_mask(6)[None])
    keys, values = keys_and_values(block, x[:, :2], 7)
    assert tuple(keys.shape) == tuple(values.shape) == (2, 2, 7, 4)
    unused = np.arange(7)[:, None] >= 2
    keys, values = (ops.where(unused, 9.0, cache) for cache in (keys, values))
    for now in range(1, 6):  # the last token of the beginning is given once more
        position = np.full(2, now, "int32")
        found, keys, values = cached_block(block, x[:, now : now + 1], keys, values, position)
        np.testing.assert_allclose(numbers(found)[:, 0], numbers(right)[:, now], atol=1e-5)


def test_rows_may_stand_at_different_places(rng, randomized):
    x = rng.normal(size=(2, 5, 8)).astype("float32")
    block = randomized(EncoderBlock(2, 8, 12), x)
    right = numbers(block(x, attention_mask=causal_mask(5)[None])[0])
    position = np.array([4, 2], "int32")
    new = np.stack([x[0, 4:5], x[1, 2:3]])
    found, _, _ = cached_block(block, new, *keys_and_values(block, x, 5), position)
    np.testing.assert_allclose(numbers(found)[:, 0], [right[0, 4], right[1, 2]], atol=1e-5)
