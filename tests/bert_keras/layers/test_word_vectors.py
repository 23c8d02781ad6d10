import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.analysis.steps import sequential_steps
from bert_keras.analysis.words import nearest_words
from bert_keras.layers.attention import attention_flops
from bert_keras.layers.convolution import receptive_field
from bert_keras.layers.word_vectors import cbow_forward, cbow_loss
from bert_keras.training.word_vectors import train_word_vectors


def test_against_kerass_embedding_and_pooling(rng):
    ids = np.array([[1, 4, 0, 2], [0, 0, 3, 3], [5, 6, 7, 1]])
    table, other = rng.normal(size=(8, 5)), rng.normal(size=(8, 5)).astype("float32")
    layer = keras.layers.Embedding(8, 5, mask_zero=True)
    layer.build(ids.shape)
    layer.set_weights([table])
    pooled = keras.layers.GlobalAveragePooling1D()(layer(ids))
    hidden, logits = cbow_forward(ids, layer.embeddings, other)
    np.testing.assert_allclose(hidden, pooled, atol=1e-6)
    np.testing.assert_allclose(logits, ops.convert_to_numpy(pooled) @ other.T, atol=1e-5)
    targets = np.array([3, 1, 2])
    losses = keras.losses.sparse_categorical_crossentropy(targets, logits, from_logits=True)
    loss = cbow_loss(ids, targets, layer.embeddings, other)
    np.testing.assert_allclose(loss, np.mean(ops.convert_to_numpy(losses)), atol=1e-6)


def test_a_context_without_words_and_far_logits_stay_finite(rng):
    table = rng.normal(size=(6, 3)).astype("float32")
    ids = np.array([[0, 0], [1, 2]])
    hidden, _ = cbow_forward(ids, table, table)
    assert not np.any(ops.convert_to_numpy(hidden)[0])
    assert np.isfinite(float(cbow_loss(ids, np.array([1, 2]), table * 300, table * 300)))


def test_words_that_fit_the_same_gaps_get_similar_vectors():
    # Words 1 and 2 stand between 3 and 4; words 5 and 6 between 7 and 8.
    gaps = {(3, 4): (1, 2), (7, 8): (5, 6)}
    rows = [(around, word) for around, words in gaps.items() for word in words] * 50
    around, middle = (np.array(part) for part in zip(*rows, strict=True))
    vectors, targets, losses = train_word_vectors(around, middle, 9, 8, epochs=30, batch_size=40)
    assert losses[-1] < losses[0] and losses[-1] == pytest.approx(np.log(2), abs=0.1)
    nearest = [nearest_words(targets, word, 1)[0][0] for word in (1, 2, 5, 6)]
    assert nearest == [2, 1, 6, 5]
    assert vectors.shape == (9, 8)


def test_steps_and_work():
    assert sequential_steps("recurrent", 10, 6) == (10, 10 * 4 * 36)
    assert sequential_steps("attention", 10, 6) == (1, sum(attention_flops(10, 10, 6, 2)))
    for length in (2, 9, 50):
        layers, _ = sequential_steps("convolution", length, 6, 5)
        assert receptive_field([5] * layers) >= 2 * length - 1
        assert layers == 1 or receptive_field([5] * (layers - 1)) < 2 * length - 1
    with pytest.raises(ValueError, match="'lstm'"):
        sequential_steps("lstm", 10, 6)
