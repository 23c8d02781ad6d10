import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.layers.dropout import Dropout, random_bits


def oracle_bits(shape, seed):
    """The same generator written on unsigned numbers, element by element in memory order."""

    def mix(x, key=0):
        with np.errstate(over="ignore"):
            x = (x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D) + np.uint32(key)
            return (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)

    with np.errstate(over="ignore"):
        stride = np.uint32(0x9E3779B9)
        number = np.arange(np.prod(shape), dtype="uint32")
        seed = np.array(seed, "uint32")
        start = mix(seed[:1] + mix(seed[1:] * stride))
        return mix(number * stride + start, mix(start + seed[1:])).reshape(shape)


@pytest.mark.parametrize("shape", [(7,), (3, 5), (2, 3, 5, 7)])
@pytest.mark.parametrize("seed", [(0, 0), (13, 4), (2**31 - 1, 2**31 - 1)])
def test_bits_are_those_of_the_generator(shape, seed):
    bits = ops.convert_to_numpy(random_bits(shape, np.array(seed, "int32")))
    assert bits.dtype == np.int32
    np.testing.assert_array_equal(bits.view("uint32"), oracle_bits(shape, seed))


def test_every_bit_is_fair_and_neighbours_are_independent():
    n = 2**20
    draws = [
        ops.convert_to_numpy(random_bits((1024, 1024), np.array(seed, "int32"))).view("uint32")
        for seed in ((5, 0), (5, 1), (6, 0))
    ]
    # 32 bits and three draws: 6 standard errors are passed by chance once in 5 million times.
    for bits in draws:
        ones = [((bits >> np.uint32(place)) & 1).mean() for place in range(32)]
        assert np.abs(np.array(ones) - 0.5).max() < 6 * 0.5 / np.sqrt(n)
    signs = [np.where(bits < 2**31, -1.0, 1.0) for bits in draws]
    pairs = [(signs[0], signs[1]), (signs[0], signs[2]), (signs[1], signs[2])]
    for axis in (0, 1):
        pairs += [(signs[0], np.roll(signs[0], lag, axis)) for lag in (1, 2, 3, 64)]
    for a, b in pairs:
        assert abs((a * b).mean()) < 6 / np.sqrt(n)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_drops_the_stated_share_and_scales_the_rest(rate):
    x = np.full((500, 2000), 3.0, "float32")
    y = ops.convert_to_numpy(Dropout(rate, seed=1)(x, training=True))
    kept = y != 0
    assert abs(kept.mean() - (1 - rate)) < 6 * np.sqrt(rate * (1 - rate) / x.size)
    np.testing.assert_allclose(y[kept], 3 / (1 - rate), rtol=1e-6)


def test_does_nothing_outside_training_or_at_rate_zero():
    x = np.ones((3, 4), "float32")
    np.testing.assert_array_equal(ops.convert_to_numpy(Dropout(0.5)(x)), x)
    np.testing.assert_array_equal(ops.convert_to_numpy(Dropout(0.0)(x, training=True)), x)


def test_draws_anew_at_every_call_and_the_same_from_the_same_seed():
    x = np.ones((30, 40), "float32")
    first, again = Dropout(0.5, seed=7), Dropout(0.5, seed=7)
    calls = [ops.convert_to_numpy(first(x, training=True)) for _ in range(3)]
    assert not np.array_equal(calls[0], calls[1]) and not np.array_equal(calls[1], calls[2])
    for call in calls:
        np.testing.assert_array_equal(call, ops.convert_to_numpy(again(x, training=True)))
    other = ops.convert_to_numpy(Dropout(0.5, seed=8)(x, training=True))
    assert not np.array_equal(calls[0], other)


def test_compiled_for_any_length_it_draws_what_eager_draws():
    class AlwaysDrops(keras.Model):
        def __init__(self):
            super().__init__()
            self.dropout = Dropout(0.4, seed=3)

        def call(self, x):
            return self.dropout(x, training=True)

    compiled = AlwaysDrops()
    compiled.compile(jit_compile=True)
    eager = Dropout(0.4, seed=3)
    for length in (3, 11):
        x = np.random.default_rng(length).normal(size=(2, length, 5)).astype("float32")
        expected = ops.convert_to_numpy(eager(x, training=True))
        np.testing.assert_allclose(compiled.predict_on_batch(x), expected, rtol=1e-6)


def test_half_precision_stays_half():
    y = Dropout(0.5, dtype="mixed_float16")(np.ones((4, 4), "float32"), training=True)
    assert keras.backend.standardize_dtype(y.dtype) == "float16"


def test_one_decision_for_several_numbers_is_refused():
    with pytest.raises(ValueError, match="noise_shape"):
        Dropout(0.5, noise_shape=(None, 1))
