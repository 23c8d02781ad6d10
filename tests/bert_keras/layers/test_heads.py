import math

import numpy as np
import pytest
from keras import ops

from bert_keras.layers import ClassifierHead, MaskedLMHead, NextSentenceHead, Pooler


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


@pytest.fixture
def masked(rng):
    sequence_output = rng.normal(size=(2, 5, 6)).astype("float32")
    mask_positions = np.array([[4, 0, 2], [1, 1, 3]], "int32")
    token_table = rng.normal(size=(11, 6)).astype("float32")
    return sequence_output, mask_positions, token_table


def test_pooler_reads_the_first_token_only(rng, randomized):
    x = rng.normal(size=(2, 5, 6)).astype("float32")
    layer = randomized(Pooler(4), x)
    kernel, bias = layer.get_weights()
    np.testing.assert_allclose(layer(x), np.tanh(x[:, 0] @ kernel + bias), atol=1e-6)


def test_masked_lm_head_against_numpy(masked, randomized):
    sequence_output, mask_positions, token_table = masked
    layer = randomized(MaskedLMHead(name="head"), *masked)
    w = {w.path: ops.convert_to_numpy(w) for w in layer.weights}
    logits = ops.convert_to_numpy(layer(*masked))
    assert logits.shape == (2, 3, 11)
    for b in range(2):
        for p in range(3):
            x = sequence_output[b, mask_positions[b, p]]
            x = gelu(x @ w["head/dense/kernel"] + w["head/dense/bias"])
            x = (x - x.mean()) / np.sqrt(x.var() + 1e-12)
            x = x * w["head/layer_norm/gamma"] + w["head/layer_norm/beta"]
            expected = token_table @ x + w["head/output_bias"]
            np.testing.assert_allclose(logits[b, p], expected, atol=1e-4)


def test_masked_lm_head_equals_kerashub(masked, randomized):
    keras_hub = pytest.importorskip("keras_hub")
    layer = randomized(MaskedLMHead(name="head"), *masked)
    embedding = keras_hub.layers.ReversibleEmbedding(11, 6)
    embedding.build((None, None))
    embedding.set_weights([masked[2]])
    theirs = keras_hub.layers.MaskedLMHead(
        token_embedding=embedding, intermediate_activation="gelu", layer_norm_epsilon=1e-12
    )
    theirs(masked[0], masked[1])
    w = {w.path.removeprefix("head/"): w for w in layer.weights}
    theirs._intermediate_dense.set_weights([w["dense/kernel"], w["dense/bias"]])
    theirs._intermediate_layer_norm.set_weights([w["layer_norm/gamma"], w["layer_norm/beta"]])
    theirs._bias.assign(w["output_bias"])
    np.testing.assert_allclose(layer(*masked), theirs(masked[0], masked[1]), atol=1e-5)


def test_the_decoder_is_the_table_and_its_bias_counts_once(masked, randomized):
    layer = randomized(MaskedLMHead(), *masked)
    assert not any(w.shape in ((11, 6), (6, 11)) for w in layer.weights)
    logits = ops.convert_to_numpy(layer(*masked))
    layer.output_bias.assign(layer.output_bias + 1.0)
    np.testing.assert_allclose(layer(*masked), logits + 1, atol=1e-5)
    changed = masked[2].copy()
    changed[7] += 1
    moved = np.abs(ops.convert_to_numpy(layer(*masked[:2], changed)) - logits - 1).max((0, 1))
    assert (moved > 1e-3).tolist() == [row == 7 for row in range(11)]


def test_classifier_and_next_sentence_are_linear(rng, randomized):
    x = rng.normal(size=(3, 6)).astype("float32")
    for layer, classes in ((ClassifierHead(4), 4), (NextSentenceHead(), 2)):
        randomized(layer, x)
        kernel, bias = layer.get_weights()
        assert kernel.shape == (6, classes)
        np.testing.assert_allclose(layer(x), x @ kernel + bias, atol=1e-5)


def test_classifier_drops_its_input_in_training(rng):
    layer = ClassifierHead(4, dropout=0.5)
    x = rng.normal(size=(3, 60)).astype("float32")
    assert np.abs(ops.convert_to_numpy(layer(x, training=True) - layer(x))).max() > 1e-4
