"""What moves in a training step after freezing, and what doesn't."""

import keras
import numpy as np
import pytest

from bert_keras.training.freezing import freeze_backbone, gradual_unfreeze


def model_of():
    """A backbone with moving averages, a layer that was frozen before, and a head."""
    backbone = keras.Sequential(
        [keras.layers.Dense(4, name="inner"), keras.layers.BatchNormalization(name="norm")],
        name="backbone",
    )
    still = keras.layers.Dense(4, name="still", trainable=False)
    head = keras.layers.Dense(1, name="head")
    model = keras.Sequential([keras.Input((3,)), backbone, still, head])
    return model, backbone


def moved(model):
    """The paths of the variables that a few steps of training change."""
    model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse")
    before = {weight.path: np.array(weight) for weight in model.weights}
    rng = np.random.default_rng(0)
    model.fit(rng.normal(size=(8, 3)), rng.normal(size=(8, 1)), epochs=3, verbose=0)
    return sorted(
        weight.path for weight in model.weights if (np.array(weight) != before[weight.path]).any()
    )


def test_only_what_is_outside_moves_and_nothing_thaws():
    model, backbone = model_of()
    x = np.random.default_rng(1).normal(size=(2, 3))
    before = np.array(model(x))
    names = freeze_backbone(model, backbone)
    np.testing.assert_array_equal(model(x), before)
    assert [name.split("/")[-2:] for name in names] == [["head", "bias"], ["head", "kernel"]]
    assert moved(model) == names


def test_without_freezing_moving_averages_move():
    model, _ = model_of()
    assert any(path.endswith("moving_mean") for path in moved(model))


def test_a_list_is_frozen_too():
    model, backbone = model_of()
    names = freeze_backbone(model, [backbone.layers[0], model.layers[-1]])
    assert [name.split("/")[-1] for name in names] == ["beta", "gamma"]


@pytest.mark.parametrize("order", [(0, 1, 2, 5), (5, 0), (2, 1)])
def test_one_more_layer_each_epoch_whatever_was_before(order):
    layers = [keras.layers.Dense(2, name=name) for name in ("embedding", "middle", "head")]
    expected = {0: ["head"], 1: ["middle", "head"]}
    for epoch in order:
        names = gradual_unfreeze(layers, epoch)
        assert names == expected.get(epoch, ["embedding", "middle", "head"])
        assert names == [layer.name for layer in layers if layer.trainable]
