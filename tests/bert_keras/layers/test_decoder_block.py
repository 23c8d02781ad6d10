import keras_hub
import numpy as np
import pytest
from keras import ops

from bert_keras.layers import DecoderBlock, causal_mask

SIZES = {"num_heads": 3, "hidden_dim": 12, "intermediate_dim": 20, "dropout": 0.0}


@pytest.fixture
def target(rng):
    return rng.normal(size=(2, 4, 12)).astype("float32")


@pytest.fixture
def source(rng):
    return rng.normal(size=(2, 6, 12)).astype("float32")


def hub_twin(block, target, source, norm_first):
    """KerasHub's decoder with the same weights; it keeps heads as an axis of the kernels."""
    twin = keras_hub.layers.TransformerDecoder(
        20, 3, activation="relu", layer_norm_epsilon=1e-6, normalize_first=norm_first
    )
    twin(target, source)
    theirs = {w.path.split("/", 1)[1]: w for w in twin.weights}
    for ours in block.weights:
        path = ours.path.removeprefix(f"{block.name}/")
        branch, *rest = path.split("/")
        if branch in ("self_attention", "cross_attention"):
            part = "attention_output" if rest[0] == "output" else rest[0]
            name = f"{branch}/{part}/{rest[1]}"
        elif branch == "feed_forward":
            name = f"feedforward_{rest[0]}_dense/{rest[1]}"
        else:
            name = branch.replace("feed_forward", "feedforward") + f"/{rest[0]}"
        weight = theirs.pop(name)
        weight.assign(ops.reshape(ours, weight.shape))
    assert not theirs
    return twin


@pytest.mark.parametrize("norm_first", [False, True])
def test_against_kerashubs_decoder(norm_first, target, source, randomized):
    block = randomized(DecoderBlock(norm_first=norm_first, **SIZES), target, source)
    real = np.arange(6) < np.array([[6], [3]])
    output, self_weights, cross_weights = block(
        target,
        source,
        attention_mask=causal_mask(4)[None],
        source_mask=real[:, None],
    )
    twin = hub_twin(block, target, source, norm_first)
    expected = twin(target, source, encoder_padding_mask=real)
    np.testing.assert_allclose(output, expected, atol=1e-5)
    assert self_weights.shape == (2, 3, 4, 4) and cross_weights.shape == (2, 3, 4, 6)
    assert (ops.convert_to_numpy(cross_weights)[1, :, :, 3:] == 0).all()


def test_the_future_and_masked_source_change_nothing(target, source, randomized):
    block = randomized(DecoderBlock(**SIZES), target, source)
    masks = {"attention_mask": causal_mask(4)[None], "source_mask": np.arange(6)[None, None] < 4}
    output = ops.convert_to_numpy(block(target, source, **masks)[0])
    target[:, 2:], source[:, 4:] = 9, -9
    changed = ops.convert_to_numpy(block(target, source, **masks)[0])
    np.testing.assert_array_equal(output[:, :2], changed[:, :2])
    assert (output[:, 2:] != changed[:, 2:]).any()


def test_a_source_of_another_size(target, rng, randomized):
    source = rng.normal(size=(2, 6, 7)).astype("float32")
    output, _, weights = randomized(DecoderBlock(**SIZES), target, source)(target, source)
    assert output.shape == target.shape and weights.shape == (2, 3, 4, 6)
