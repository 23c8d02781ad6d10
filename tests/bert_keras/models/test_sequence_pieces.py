import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.models.sequence_pieces import encoder_decoder, sequence_loss, shift_right


def test_inputs_are_labels_shifted_right():
    ids = np.array([[9, 3, 4, 8], [9, 5, 8, 0]])
    inputs, labels, mask = shift_right(ids, ids != 0)
    assert inputs.tolist() == [[9, 3, 4], [9, 5, 8]]
    assert labels.tolist() == [[3, 4, 8], [5, 8, 0]]
    assert mask.tolist() == [[True, True, True], [True, True, False]]


def a_cell(rng, input_dim, hidden_dim):
    shapes = ((input_dim, 4 * hidden_dim), (hidden_dim, 4 * hidden_dim), (4 * hidden_dim,))
    return tuple(rng.normal(size=shape).astype("float32") / 2 for shape in shapes)


@pytest.fixture
def weights():
    rng = np.random.default_rng(0)

    def normal(*shape):
        return rng.normal(size=shape).astype("float32")

    return {
        "source_embedding": normal(7, 5),
        "target_embedding": normal(6, 3),
        "encoder": a_cell(rng, 5, 4),
        "decoder": a_cell(rng, 3, 4),
        "output_kernel": normal(4, 6),
        "output_bias": normal(6),
    }


def tensors(weights):
    return keras.tree.map_structure(ops.convert_to_tensor, weights)


def test_the_model_against_kerass_layers(weights):
    rng = np.random.default_rng(1)
    source, target = rng.integers(0, 7, (3, 5)), rng.integers(0, 6, (3, 4))
    mask = np.arange(5) < np.array([[5], [2], [3]])
    encoder = keras.layers.LSTM(4, return_state=True)
    decoder = keras.layers.LSTM(4, return_sequences=True)
    x, y = weights["source_embedding"][source], weights["target_embedding"][target]
    encoder(x), decoder(y)
    encoder.set_weights(weights["encoder"])
    decoder.set_weights(weights["decoder"])
    _, *context = encoder(x, mask=mask)
    states = ops.convert_to_numpy(decoder(y, initial_state=context))
    wanted = states @ weights["output_kernel"] + weights["output_bias"]
    logits = encoder_decoder(source, ops.convert_to_tensor(mask), target, tensors(weights))
    np.testing.assert_allclose(logits, wanted, atol=1e-5)


def test_padding_of_the_source_and_later_inputs_change_nothing(weights):
    rng = np.random.default_rng(2)
    source, target = rng.integers(0, 7, (2, 6)), rng.integers(0, 6, (2, 5))
    mask = np.arange(6) < np.array([[4], [3]])
    before = np.asarray(encoder_decoder(source, mask, target, tensors(weights)))
    source[~mask] = (source[~mask] + 3) % 7
    target[:, 3:] = (target[:, 3:] + 2) % 6
    after = np.asarray(encoder_decoder(source, mask, target, tensors(weights)))
    np.testing.assert_allclose(before[:, :3], after[:, :3], atol=1e-6)
    assert np.abs(before[:, 3:] - after[:, 3:]).max() > 1e-3


def test_the_loss_counts_every_real_token_once():
    """Losses 2, 2, 2, 2 and 0: their mean is 1.6, and padding is another matter."""
    two = np.log(np.exp(2) - 1)  # scores (two, 0): the second label has the loss 2
    logits = np.zeros((2, 4, 2), "float32")
    logits[0, :, 0] = two
    logits[1] = [-40, 0]
    logits[1, 1:] = [60, -60]
    mask = np.array([[True] * 4, [True, False, False, False]])
    loss = sequence_loss(ops.convert_to_tensor(logits), np.ones((2, 4), "int32"), mask)
    np.testing.assert_allclose(loss, 1.6, rtol=1e-6)
    assert ops.shape(loss) == ()


def test_the_loss_against_keras():
    rng = np.random.default_rng(3)
    logits = rng.normal(size=(3, 5, 7)).astype("float32")
    labels, mask = rng.integers(0, 7, (3, 5)), np.arange(5) < np.array([[5], [1], [3]])
    theirs = keras.losses.SparseCategoricalCrossentropy(
        from_logits=True, reduction="mean_with_sample_weight"
    )
    wanted = theirs(labels, logits, sample_weight=mask.astype("float32"))
    np.testing.assert_allclose(sequence_loss(logits, labels, mask), wanted, rtol=1e-5)
