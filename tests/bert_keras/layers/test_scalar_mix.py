"""The mix of layers, by hand."""

import keras
import numpy as np
import pytest
from backend_tools import step
from keras import ops

from bert_keras.layers import ScalarMix

LAYERS = [np.full((1, 2, 3), value, "float32") for value in (1.0, 10.0, 100.0)]


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


def test_before_training_it_is_the_plain_average():
    mix = ScalarMix()
    np.testing.assert_allclose(numbers(mix(LAYERS)), np.full((1, 2, 3), 37.0), rtol=1e-6)
    np.testing.assert_allclose(numbers(mix.layer_weights), [1 / 3] * 3, rtol=1e-6)
    assert [w.name for w in mix.trainable_variables] == ["scores", "scale"]


def test_scores_go_through_a_softmax_and_the_scale_comes_last():
    mix = ScalarMix()
    mix(LAYERS)
    mix.set_weights([np.log([1.0, 2.0, 5.0]).astype("float32"), np.float32(4.0)])
    # 4 · (1/8 · 1 + 2/8 · 10 + 5/8 · 100)
    np.testing.assert_allclose(numbers(mix(LAYERS)), np.full((1, 2, 3), 260.5), rtol=1e-6)


def test_gradients_by_hand():
    """Of the sum over six numbers: d scale = Σ, d score k = 6 · share_k · (layer_k - mix)."""
    mix = ScalarMix()
    mix(LAYERS)
    _, (scores, scale), _ = step(mix, {"layers": LAYERS}, ops.sum)
    np.testing.assert_allclose(scores, [2 * (value - 37) for value in (1, 10, 100)], rtol=1e-5)
    assert scale == pytest.approx(222, rel=1e-5)


def test_it_learns_where_the_layers_are_frozen_and_its_mask_goes_on():
    embed = keras.layers.Embedding(5, 4, mask_zero=True)
    embed.trainable = False
    token_ids = keras.Input((3,), dtype="int32")
    x = embed(token_ids)
    mixed = ScalarMix()([x, x])
    assert mixed._keras_mask is not None
    model = keras.Model(token_ids, mixed)
    assert [w.name for w in model.trainable_variables] == ["scores", "scale"]
