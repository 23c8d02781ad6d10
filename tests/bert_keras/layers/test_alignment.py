import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.layers.alignment import (
    AdditiveAttention,
    MultiplicativeAttention,
    additive_score,
    context_vector,
    dot_score,
    general_score,
    masked_softmax,
)


@pytest.fixture
def pairs(rng):
    """Query (2, 3, 4), key (2, 5, 6), value (2, 5, 7)."""
    shapes = ((2, 3, 4), (2, 5, 6), (2, 5, 7))
    return [rng.normal(size=shape).astype("float32") for shape in shapes]


def test_scores_pair_by_pair(pairs, rng):
    query, key, _ = pairs
    kernel = rng.normal(size=(4, 6)).astype("float32")
    query_kernel, key_kernel = (rng.normal(size=(n, 8)).astype("float32") for n in (4, 6))
    scale = rng.normal(size=8).astype("float32")
    same = rng.normal(size=(2, 5, 4)).astype("float32")
    dot = ops.convert_to_numpy(dot_score(query, same))
    general = ops.convert_to_numpy(general_score(query, key, kernel))
    additive = ops.convert_to_numpy(additive_score(query, key, query_kernel, key_kernel, scale))
    for b, t, s in np.ndindex(2, 3, 5):
        np.testing.assert_allclose(dot[b, t, s], query[b, t] @ same[b, s], atol=1e-5)
        np.testing.assert_allclose(
            general[b, t, s], query[b, t] @ kernel @ key[b, s], atol=1e-4, rtol=1e-5
        )
        hidden = np.tanh(query[b, t] @ query_kernel + key[b, s] @ key_kernel)
        np.testing.assert_allclose(additive[b, t, s], hidden @ scale, atol=1e-4, rtol=1e-5)


def test_masked_softmax_by_hand():
    scores = np.float32([[0.0, np.log(3), 50.0], [1.0, 1.0, 1.0]])
    mask = np.array([[True, True, False], [False, False, False]])
    weights = ops.convert_to_numpy(masked_softmax(scores, mask))
    np.testing.assert_allclose(weights, [[0.25, 0.75, 0.0], [1 / 3] * 3], rtol=1e-6)
    half = ops.convert_to_numpy(masked_softmax(scores.astype("float16"), mask))
    assert half.dtype == np.float16 and np.isfinite(half).all()


def test_context_is_the_weighted_sum(pairs, rng):
    weights = rng.random((2, 3, 5)).astype("float32")
    expected = np.einsum("bts,bsv->btv", weights, pairs[2])
    np.testing.assert_allclose(context_vector(weights, pairs[2]), expected, atol=1e-5)


def test_additive_against_kerass_layer(pairs, rng):
    """Keras's has no projections: with identity kernels the two must agree."""
    query = rng.normal(size=(2, 3, 6)).astype("float32")
    _, key, value = pairs
    ours, theirs = AdditiveAttention(6), keras.layers.AdditiveAttention()
    mask = np.arange(5) < np.array([[5], [2]])
    ours(query, key, value), theirs([query, value, key])
    scale = rng.normal(size=6).astype("float32")
    ours.set_weights([np.eye(6), np.eye(6), scale])
    theirs.set_weights([scale])
    output, weights = ours(query, key, value, attention_mask=mask[:, None])
    expected, expected_weights = theirs(
        [query, value, key], mask=[None, mask], return_attention_scores=True
    )
    np.testing.assert_allclose(output, expected, atol=1e-5)
    np.testing.assert_allclose(weights, expected_weights, atol=1e-5)


def test_multiplicative_against_kerass_layer(rng):
    query, key = (rng.normal(size=(2, n, 6)).astype("float32") for n in (3, 5))
    value = rng.normal(size=(2, 5, 4)).astype("float32")
    output, weights = MultiplicativeAttention(use_kernel=False)(query, key, value)
    expected, expected_weights = keras.layers.Attention()(
        [query, value, key], return_attention_scores=True
    )
    np.testing.assert_allclose(output, expected, atol=1e-5)
    np.testing.assert_allclose(weights, expected_weights, atol=1e-5)
