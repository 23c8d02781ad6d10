import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.layers import (
    MultiHeadAttention,
    attention_flops,
    merge_heads,
    scaled_dot_product,
    split_heads,
)


def attend_slowly(query, key, value, mask=None):
    """One query at a time, in float64."""
    output = np.zeros((len(query), value.shape[-1]))
    weights = np.zeros((len(query), len(key)))
    for t in range(len(query)):
        allowed = [s for s in range(len(key)) if mask is None or mask[t, s]]
        scores = [float(query[t] @ key[s]) / query.shape[-1] ** 0.5 for s in allowed]
        total = sum(np.exp(scores))
        for s, score in zip(allowed, scores, strict=True):
            weights[t, s] = np.exp(score) / total
            output[t] += weights[t, s] * value[s]
    return output, weights


def qkv(rng, lead=(), queries=5, keys=7, size=4, value_size=6, dtype="float32"):
    sizes = (queries, size), (keys, size), (keys, value_size)
    return [rng.normal(size=(*lead, *s)).astype(dtype) for s in sizes]


@pytest.mark.parametrize("masked", [False, True])
def test_scaled_dot_product_against_loops(rng, masked):
    query, key, value = qkv(rng, lead=(2, 3))
    mask = rng.random((2, 3, 5, 7)) < 0.5 if masked else None
    if masked:
        mask[..., 2] = True  # at least one open key
    output, weights = map(ops.convert_to_numpy, scaled_dot_product(query, key, value, mask))
    assert output.shape == (2, 3, 5, 6) and weights.shape == (2, 3, 5, 7)
    for index in np.ndindex(2, 3):
        one_mask = mask[index] if masked else None
        expected = attend_slowly(query[index], key[index], value[index], one_mask)
        np.testing.assert_allclose(output[index], expected[0], atol=1e-5)
        np.testing.assert_allclose(weights[index], expected[1], atol=1e-5)
    if masked:
        assert (weights[~mask] == 0).all()


def test_known_numbers():
    query = np.array([[1.0, 0, 1, 1]], "float32")
    key = np.array([[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 1]], "float32")
    _, weights = scaled_dot_product(query, key, key)
    np.testing.assert_allclose(weights, [[0.2589, 0.4269, 0.1571, 0.1571]], atol=1e-4)


def test_mask_broadcasts_over_leading_axes(rng):
    query, key, value = qkv(rng, lead=(2, 3))
    mask = np.ones((2, 1, 1, 7), bool)
    mask[0, ..., 4:] = False
    _, weights = scaled_dot_product(query, key, value, mask)
    weights = ops.convert_to_numpy(weights)
    assert (weights[0, ..., 4:] == 0).all() and (weights[1] > 0).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_closed_row_stays_finite_and_the_dtype_stays(rng, dtype):
    if dtype == "float64" and keras.backend.backend() == "jax":
        pytest.skip("JAX has no float64 unless it is switched on")
    query, key, value = qkv(rng, dtype=dtype)
    mask = np.ones((5, 7), bool)
    mask[1] = False
    mask[2, 3:] = False
    output, weights = scaled_dot_product(query, key, value, mask)
    for x in (output, weights):
        assert keras.backend.standardize_dtype(x.dtype) == dtype
        assert np.isfinite(ops.convert_to_numpy(x)).all()
    assert (ops.convert_to_numpy(weights)[2, 3:] == 0).all()


def test_dropout_acts_on_the_way_to_the_values_only(rng):
    query, key, value = qkv(rng)
    plain_output, plain_weights = scaled_dot_product(query, key, value)
    output, weights = scaled_dot_product(query, key, value, dropout=lambda w: 2 * w)
    np.testing.assert_array_equal(weights, plain_weights)
    np.testing.assert_allclose(output, 2 * plain_output, rtol=1e-5)


def test_heads_are_blocks_of_features(rng):
    x = rng.normal(size=(2, 5, 12)).astype("float32")
    heads = ops.convert_to_numpy(split_heads(x, 3))
    assert heads.shape == (2, 3, 5, 4)
    for n in range(3):
        np.testing.assert_array_equal(heads[:, n], x[:, :, 4 * n : 4 * n + 4])
    np.testing.assert_array_equal(merge_heads(heads), x)


def copied_keras_attention(layer, query, key, value):
    """Keras's own layer with the weights of ours."""
    num_heads, hidden_dim = layer.num_heads, layer.hidden_dim
    head_dim = hidden_dim // num_heads
    theirs = keras.layers.MultiHeadAttention(num_heads, head_dim, output_shape=hidden_dim)
    theirs(query, value, key)
    weights = []
    for dense in (layer.query_dense, layer.key_dense, layer.value_dense):
        kernel, bias = dense.get_weights()
        weights += [kernel.reshape(-1, num_heads, head_dim), bias.reshape(num_heads, head_dim)]
    kernel, bias = layer.output_dense.get_weights()
    theirs.set_weights([*weights, kernel.reshape(num_heads, head_dim, hidden_dim), bias])
    return theirs


@pytest.mark.parametrize("per_query", [False, True])
def test_equals_keras_attention(rng, randomized, per_query):
    query, key, value = (
        rng.normal(size=(2, *size)).astype("float32") for size in ((5, 10), (7, 9), (7, 8))
    )
    mask = rng.random((2, 5 if per_query else 1, 7)) < 0.6
    mask[:, :, 3] = True
    layer = randomized(MultiHeadAttention(3, 12), query, key, value)
    theirs = copied_keras_attention(layer, query, key, value)
    output, weights = layer(query, key, value, attention_mask=mask)
    expected = theirs(
        query, value, key, attention_mask=mask, return_attention_scores=True, training=False
    )
    assert output.shape == (2, 5, 12) and weights.shape == (2, 3, 5, 7)
    np.testing.assert_allclose(output, expected[0], atol=1e-5)
    np.testing.assert_allclose(weights, expected[1], atol=1e-5)


def test_self_attention_does_not_know_the_order(rng, randomized):
    x = rng.normal(size=(2, 6, 8)).astype("float32")
    layer = randomized(MultiHeadAttention(2, 8), x, x, x)
    order = rng.permutation(6)
    output = ops.convert_to_numpy(layer(x, x, x)[0])
    shuffled = x[:, order]
    np.testing.assert_allclose(layer(shuffled, shuffled, shuffled)[0], output[:, order], atol=1e-5)


def test_padding_and_other_sequences_do_not_matter(rng, randomized):
    x = rng.normal(size=(3, 6, 8)).astype("float32")
    mask = np.ones((3, 1, 6), bool)
    mask[0, :, 4:] = False
    layer = randomized(MultiHeadAttention(2, 8), x, x, x)
    output = ops.convert_to_numpy(layer(x, x, x, attention_mask=mask)[0])
    changed = x.copy()
    changed[0, 4:] += 100
    changed[2] -= 1
    after = ops.convert_to_numpy(layer(changed, changed, changed, attention_mask=mask)[0])
    np.testing.assert_allclose(after[0, :4], output[0, :4], atol=1e-6)
    np.testing.assert_allclose(after[1], output[1], atol=1e-6)
    assert np.abs(after[2] - output[2]).max() > 1e-2


def test_every_kernel_has_its_own_draw():
    layer = MultiHeadAttention(
        2, 8, kernel_initializer=keras.initializers.TruncatedNormal(stddev=0.02)
    )
    layer.build((None, None, 8), (None, None, 8), (None, None, 8))
    kernels = [ops.convert_to_numpy(w) for w in layer.weights if w.name == "kernel"]
    assert len(kernels) == 4
    for i in range(4):
        assert 0 < np.abs(kernels[i]).max() <= 0.0401
        for j in range(i):
            assert np.abs(kernels[i] - kernels[j]).max() > 1e-3


def test_dropout_draws_anew_in_training_only(rng):
    x = rng.normal(size=(2, 6, 8)).astype("float32")
    layer = MultiHeadAttention(2, 8, dropout=0.5)
    first, weights = layer(x, x, x, training=True)
    second, _ = layer(x, x, x, training=True)
    assert np.abs(ops.convert_to_numpy(first - second)).max() > 1e-3
    np.testing.assert_allclose(ops.sum(weights, axis=-1), np.ones((2, 2, 6)), atol=1e-5)
    np.testing.assert_array_equal(layer(x, x, x)[0], layer(x, x, x)[0])


def test_sizes_that_do_not_fit_are_both_named():
    with pytest.raises(ValueError, match=r"10.*3"):
        MultiHeadAttention(3, 10)


def test_flops():
    # 2 queries, 3 keys, size 4: 16 weights per kernel; 2 + 2 + 3 + 3 = 10 projected tokens.
    assert attention_flops(2, 3, 4, 2) == (2 * 16 * 10, 2 * (2 * 3 * 4) * 2)
    assert attention_flops(2, 3, 4, 1) == attention_flops(2, 3, 4, 4)
    assert attention_flops(128, 128, 768, 12) == (603_979_776, 50_331_648)
    assert all(type(n) is int for n in attention_flops(5, 7, 12, 3))
