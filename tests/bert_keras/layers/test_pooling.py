import keras
import numpy as np
from keras import ops

from bert_keras.layers import ScaleShift, masked_mean


def test_masked_mean_against_kerass_pooling(rng):
    x = rng.normal(size=(3, 5, 4)).astype("float32")
    mask = np.arange(5) < np.array([[5], [2], [1]])
    theirs = keras.layers.GlobalAveragePooling1D()(x, mask=mask)
    np.testing.assert_allclose(masked_mean(ops.convert_to_tensor(x), mask), theirs, atol=1e-6)


def test_pads_move_nothing_and_nothing_is_zero(rng):
    x = ops.convert_to_tensor(rng.normal(size=(2, 3, 4)).astype("float32"))
    mask = np.array([[True, True, False], [False, False, False]])
    longer = ops.concatenate([x, 1e4 + ops.zeros((2, 6, 4))], axis=1)
    before = ops.convert_to_numpy(masked_mean(x, mask))
    after = ops.convert_to_numpy(masked_mean(longer, np.pad(mask, ((0, 0), (0, 6)))))
    np.testing.assert_array_equal(before, after)
    np.testing.assert_array_equal(before[1], np.zeros(4))


def test_masked_mean_keeps_half_precision(rng):
    x = ops.cast(rng.normal(size=(2, 3, 4)), "float16")
    found = masked_mean(x, ops.ones((2, 3), dtype="bool"))
    assert keras.backend.standardize_dtype(found.dtype) == "float16"


def test_scale_shift_is_the_end_of_layer_normalisation(rng):
    x = rng.normal(size=(2, 3, 8)).astype("float32")
    norm = keras.layers.LayerNormalization(epsilon=0.1)
    norm.build(x.shape)
    gamma, beta = (rng.normal(size=8).astype("float32") for _ in range(2))
    norm.set_weights([gamma, beta])
    ours = ScaleShift(initial_scale=3.0)
    np.testing.assert_allclose(ours(x), 3 * x, rtol=1e-6)
    ours.set_weights([gamma, beta])
    variance = x.var(axis=-1, keepdims=True)
    normalised = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(variance + 0.1)
    np.testing.assert_allclose(ours(normalised), norm(x), atol=1e-5)
    assert [weight.name for weight in ours.weights] == ["scale", "shift"]
