import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.layers import BertEmbeddings


def make(**changes):
    return BertEmbeddings(**{"vocabulary_size": 11, "hidden_dim": 6, **changes})


def normalize(x, epsilon=1e-12):
    variance = x.var(-1, keepdims=True)
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(variance + epsilon)


@pytest.fixture
def batch(rng):
    return rng.integers(0, 11, (3, 5)).astype("int32"), np.array([[0, 0, 1, 1, 1]] * 3, "int32")


def test_against_numpy(batch, randomized):
    token_ids, segment_ids = batch
    layer = randomized(make(max_sequence_length=7), *batch)
    token, position, segment, gamma, beta = layer.get_weights()
    assert token.shape == (11, 6) and position.shape == (7, 6) and segment.shape == (2, 6)
    summed = token[token_ids] + position[np.arange(5)] + segment[segment_ids]
    np.testing.assert_allclose(layer(*batch), normalize(summed) * gamma + beta, atol=1e-5)
    np.testing.assert_array_equal(layer.token_embedding.embeddings, token)


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_every_table_counts_on_its_own(batch, randomized, kept):
    layer = randomized(make(), *batch)
    weights = layer.get_weights()
    for i in range(3):
        if i != kept:
            weights[i] = np.zeros_like(weights[i])
    weights[3:] = np.ones(6), np.zeros(6)
    layer.set_weights(weights)
    index = (batch[0], np.arange(5)[None].repeat(3, 0), batch[1])[kept]
    np.testing.assert_allclose(layer(*batch), normalize(weights[kept][index]), atol=1e-4)


def test_small_differences_survive_the_norm(batch):
    """An epsilon of 1e-3, the default of Keras, would flatten them."""
    layer = make()
    layer.build((None, None), (None, None))
    tables = [np.zeros(w.shape, "float32") for w in layer.weights[:3]]
    tables[0][:] = [0.01, -0.01, 0.01, -0.01, 0.01, -0.01]
    layer.set_weights([*tables, np.ones(6), np.zeros(6)])
    expected = np.broadcast_to([1, -1, 1, -1, 1, -1], (3, 5, 6))
    np.testing.assert_allclose(layer(*batch), expected, atol=1e-4)


def test_long_sequences_are_refused(batch):
    layer = make(max_sequence_length=4)
    with pytest.raises(ValueError, match=r"5 tokens.*4 positions"):
        layer(*batch)
    with pytest.raises(ValueError, match=r"5 tokens.*4 positions"):
        layer(keras.Input((5,), dtype="int32"), keras.Input((5,), dtype="int32"))
    assert make(max_sequence_length=5)(*batch).shape == (3, 5, 6)


def test_tables_start_as_truncated_normal():
    layer = make(vocabulary_size=2000, initializer_stddev=0.02)
    layer.build((None, None), (None, None))
    table = ops.convert_to_numpy(layer.token_embedding.embeddings)
    assert np.abs(table).max() <= 0.0401
    assert 0.016 < table.std() < 0.019  # a normal cut at two deviations has 0.88 of its spread


def test_dropout_in_training_only(batch):
    layer = make(dropout=0.5)
    dropped = ops.convert_to_numpy(layer(*batch, training=True))
    assert 0.2 < (dropped == 0).mean() < 0.8
    assert (ops.convert_to_numpy(layer(*batch)) != 0).all()
