"""Multi-head attention in NumPy against Keras's own layer, and heads against hand-written cases."""

import numpy as np
import pytest

from autograder.oracles import capstone, heads, multi_head


@pytest.fixture
def weights():
    rng = np.random.default_rng(3)
    found = {}
    for name in multi_head.PROJECTIONS:
        found[f"{name}.kernel"] = rng.normal(size=(12, 12)) / 3
        found[f"{name}.bias"] = rng.normal(size=12)
    return found


def test_heads_are_blocks_of_features():
    x = np.arange(2 * 3 * 6, dtype=float).reshape(2, 3, 6)
    cut = heads.split_heads.raw(x, 2)
    np.testing.assert_array_equal(cut[1, 0, 2], x[1, 2, :3])
    np.testing.assert_array_equal(cut[1, 1, 2], x[1, 2, 3:])
    np.testing.assert_array_equal(heads.merge_heads.raw(cut), x)


@pytest.mark.parametrize(
    ("merge", "wanted"),
    [("mean", [[2.0, 3.0]]), ("sum_tiled", [[4.0, 6.0, 4.0, 6.0]]), ("max", [[3.0, 4.0]])],
)
def test_reduced_heads(merge, wanted):
    x = np.array([[[[1.0, 2.0]], [[3.0, 4.0]]]])
    np.testing.assert_allclose(heads.merge_heads.raw(x, merge=merge)[0], wanted)


def test_equals_keras_with_the_same_weights(weights):
    keras = pytest.importorskip("keras")
    rng = np.random.default_rng(4)
    query, key, value = (rng.normal(size=(2, n, 12)).astype("float32") for n in (5, 7, 7))
    mask = rng.random((2, 5, 7)) < 0.6
    mask[:, :, 0] = True
    layer = keras.layers.MultiHeadAttention(num_heads=3, key_dim=4)
    layer(query, value, key)
    arrays = []
    for name in ("query_dense", "key_dense", "value_dense"):
        kernel, bias = weights[f"{name}.kernel"], weights[f"{name}.bias"]
        arrays += [kernel.reshape(12, 3, 4), bias.reshape(3, 4)]
    arrays += [weights["output_dense.kernel"].reshape(3, 4, 12), weights["output_dense.bias"]]
    layer.set_weights(arrays)
    output, scores = layer(query, value, key, attention_mask=mask, return_attention_scores=True)
    mine = multi_head.multi_head_attention.raw(query, key, value, mask, weights, 3)
    np.testing.assert_allclose(mine[0], output, atol=2e-5)
    np.testing.assert_allclose(mine[1], scores, atol=2e-5)


def test_no_leak_and_no_padding_in_the_capstone(weights):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(2, 5, 12))
    padding = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], bool)
    before = capstone.causal_self_attention.raw(x, padding, weights, 3)[0]
    moved = x.copy()
    moved[0, 4] += 1
    moved[1, 3:] += 5
    after = capstone.causal_self_attention.raw(moved, padding, weights, 3)[0]
    np.testing.assert_allclose(before[0, :4], after[0, :4])
    np.testing.assert_allclose(before[1, :3], after[1, :3])


def test_fresh_layers_never_repeat_themselves(weights):
    x = np.random.default_rng(6).normal(size=(2, 4, 12))
    rng = np.random.default_rng(8)
    change = {name: rng.normal(size=array.shape) for name, array in weights.items()}
    arguments = (x, x, x, weights, 3, change)
    facts = multi_head.weights_that_count(*arguments)
    assert facts.value.tolist() == [True] * 5
    assert not multi_head.weights_that_count.raw(*arguments, layers="fresh").any()
