import math

import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.layers import EncoderBlock, FeedForward


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def layer_norm(x, gamma, beta, epsilon):
    """Population variance, epsilon inside the root."""
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + epsilon) + beta


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def encoder_block(x, mask, num_heads, w, epsilon=1e-12):
    """The whole block in NumPy; w maps the end of a path to a weight."""
    head_dim = x.shape[-1] // num_heads
    branch = np.zeros_like(x)
    all_weights = []
    for n in range(num_heads):
        block = slice(n * head_dim, (n + 1) * head_dim)
        q, k, v = (
            (x @ w[f"self_attention/{name}/kernel"] + w[f"self_attention/{name}/bias"])[..., block]
            for name in ("query", "key", "value")
        )
        scores = np.einsum("bth,bsh->bts", q, k) / np.sqrt(head_dim)
        weights = softmax(np.where(mask, scores, -np.inf))
        branch += weights @ v @ w["self_attention/output/kernel"][block]
        all_weights.append(weights)
    branch += w["self_attention/output/bias"]
    x = layer_norm(
        x + branch,
        w["self_attention_layer_norm/gamma"],
        w["self_attention_layer_norm/beta"],
        epsilon,
    )
    branch = gelu(x @ w["feed_forward/intermediate/kernel"] + w["feed_forward/intermediate/bias"])
    branch = branch @ w["feed_forward/output/kernel"] + w["feed_forward/output/bias"]
    x = layer_norm(
        x + branch, w["feed_forward_layer_norm/gamma"], w["feed_forward_layer_norm/beta"], epsilon
    )
    return x, np.stack(all_weights, axis=1)


def by_name(layer):
    return {
        w.path.removeprefix(f"{layer.name}/"): ops.convert_to_numpy(w).astype("float64")
        for w in layer.weights
    }


@pytest.mark.parametrize("per_query", [False, True])
def test_block_against_numpy(rng, randomized, per_query):
    x = rng.normal(size=(2, 5, 12)).astype("float32")
    mask = rng.random((2, 5 if per_query else 1, 5)) < 0.6
    mask[..., 0] = True
    block = randomized(EncoderBlock(3, 12, 20, name="block", layer_norm_epsilon=0.1), x)
    output, weights = block(x, attention_mask=mask)
    expected, expected_weights = encoder_block(x, mask, 3, by_name(block), epsilon=0.1)
    np.testing.assert_allclose(output, expected, atol=1e-5)
    np.testing.assert_allclose(weights, expected_weights, atol=1e-5)


def test_the_norm_is_the_last_thing_that_happens(rng):
    x = 3 + 5 * rng.normal(size=(2, 4, 32)).astype("float32")
    output = ops.convert_to_numpy(EncoderBlock(4, 32, 8)(x)[0])
    np.testing.assert_allclose(output.mean(-1), 0, atol=1e-5)
    np.testing.assert_allclose(output.std(-1), 1, atol=1e-4)


def test_feed_forward_uses_the_exact_gelu_unless_told(rng, randomized):
    x = rng.normal(size=(2, 3, 4)).astype("float32")
    layer = randomized(FeedForward(7, 4, name="ff"), x)
    w = by_name(layer)
    middle = x @ w["intermediate/kernel"] + w["intermediate/bias"]
    for activation, bent in (("gelu", gelu(middle)), ("relu", np.maximum(middle, 0))):
        other = FeedForward(7, 4, activation=activation)
        other.build(x.shape)
        other.set_weights(layer.get_weights())
        np.testing.assert_allclose(
            other(x), bent @ w["output/kernel"] + w["output/bias"], atol=1e-5
        )


def test_names_are_stable():
    block = EncoderBlock(2, 4, 6, name="encoder_block_0")
    block.build((None, None, 4))
    assert [w.path for w in block.weights] == [
        f"encoder_block_0/{name}"
        for name in (
            "self_attention/query/kernel",
            "self_attention/query/bias",
            "self_attention/key/kernel",
            "self_attention/key/bias",
            "self_attention/value/kernel",
            "self_attention/value/bias",
            "self_attention/output/kernel",
            "self_attention/output/bias",
            "self_attention_layer_norm/gamma",
            "self_attention_layer_norm/beta",
            "feed_forward/intermediate/kernel",
            "feed_forward/intermediate/bias",
            "feed_forward/output/kernel",
            "feed_forward/output/bias",
            "feed_forward_layer_norm/gamma",
            "feed_forward_layer_norm/beta",
        )
    ]


def test_one_initializer_makes_six_different_kernels():
    block = EncoderBlock(2, 4, 4, kernel_initializer=keras.initializers.RandomNormal(stddev=0.1))
    block.build((None, None, 4))
    kernels = [ops.convert_to_numpy(w) for w in block.weights if w.name == "kernel"]
    assert len({kernel.tobytes() for kernel in kernels}) == 6


def test_norm_first_leaves_the_way_around_untouched(rng, randomized):
    """Written out with the block's own parts; and with dead branches the block is the identity."""
    x = rng.normal(size=(2, 4, 6)).astype("float32")
    block = randomized(EncoderBlock(2, 6, 8, norm_first=True, name="block", dropout=0.0), x)
    seen = block.self_attention_layer_norm(x)
    middle = x + block.self_attention(seen, seen, seen)[0]
    expected = middle + block.feed_forward(block.feed_forward_layer_norm(middle))
    np.testing.assert_allclose(block(x)[0], expected, atol=1e-5)
    for dead in (block.self_attention.output_dense, block.feed_forward.output_dense):
        dead.set_weights([np.zeros_like(w) for w in dead.get_weights()])
    np.testing.assert_array_equal(block(x)[0], x)
