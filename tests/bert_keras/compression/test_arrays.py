"""Functions on plain arrays, against arithmetic by hand and independent forms."""

import numpy as np
import pytest

from bert_keras.compression.distill import layer_mapping
from bert_keras.compression.low_rank import low_rank
from bert_keras.compression.prune import head_strength, magnitude_prune, prune_heads
from bert_keras.compression.quantize import dequantize, quantize_int8


def test_the_smallest_of_all_kernels_go():
    masks = magnitude_prune([np.array([[-3.0, 0.1], [1, -0.2]]), np.array([2.0, 0.5])], 0.5)
    assert masks[0].tolist() == [[True, False], [True, False]]
    assert masks[1].tolist() == [True, False]


@pytest.mark.parametrize(("share", "gone"), [(0, 0), (0.3, 2), (0.5, 2), (0.7, 4), (1, 5)])
def test_how_many_go(share, gone, rng):
    """Of five 0.3 is 1.5 and 0.5 is 2.5: halves go to the even number."""
    assert sum(int((~m).sum()) for m in magnitude_prune([rng.normal(size=5)], share)) == gone


def test_pruning_twice_to_one_share_changes_nothing(rng):
    kernel = rng.normal(size=(6, 7))
    once = kernel * magnitude_prune([kernel], 0.5)[0]
    assert np.array_equal(once * magnitude_prune([once], 0.5)[0], once)


def test_of_equal_sizes_the_earlier_go():
    assert magnitude_prune([np.ones(4)], 0.5)[0].tolist() == [False, False, True, True]


def test_an_impossible_share():
    for share in (-0.1, 1.1):
        with pytest.raises(ValueError, match=str(share)):
            magnitude_prune([np.ones(2)], share)


def attention(weights, num_heads, x, silent=()):
    """Self-attention in loops, with the results of some heads taken as 0."""
    sizes = weights["output_kernel"].shape[0] // num_heads
    out = np.tile(weights["output_bias"], (len(x), 1))
    for head in set(range(num_heads)) - set(silent):
        part = slice(head * sizes, (head + 1) * sizes)
        query, key, value = (
            x @ weights[f"{name}_kernel"][:, part] + weights[f"{name}_bias"][part]
            for name in ("query", "key", "value")
        )
        scores = query @ key.T / np.sqrt(sizes)
        weight = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        out = out + weight @ value @ weights["output_kernel"][part]
    return out


def attention_weights(rng, hidden_dim=12, width=10):
    weights = {"output_kernel": rng.normal(size=(hidden_dim, hidden_dim))}
    weights["output_bias"] = rng.normal(size=hidden_dim)
    for name in ("query", "key", "value"):
        weights[f"{name}_kernel"] = rng.normal(size=(width, hidden_dim))
        weights[f"{name}_bias"] = rng.normal(size=hidden_dim)
    return weights


@pytest.mark.parametrize("gone", [[], [1], [0, 3], [3, 0, 0], [0, 1, 2, 3]])
def test_what_stays_computes_what_the_others_did(gone, rng):
    weights, x = attention_weights(rng), rng.normal(size=(5, 10))
    pruned = prune_heads(weights, gone, 4)
    left = 4 - len(set(gone))
    assert pruned["query_kernel"].shape == (10, 3 * left)
    assert pruned["output_kernel"].shape == (3 * left, 12)
    found = attention(pruned, left, x) if left else np.tile(pruned["output_bias"], (5, 1))
    np.testing.assert_allclose(found, attention(weights, 4, x, gone), atol=1e-12)


def test_a_head_that_there_is_not(rng):
    for head in (-1, 4):
        with pytest.raises(ValueError, match=f"no head {head}"):
            prune_heads(attention_weights(rng), [head], 4)


def test_the_strength_of_a_head_is_that_of_its_way(rng):
    weights = attention_weights(rng)
    weights["value_kernel"][:, 3:6] *= 2  # of head 1
    weights["output_kernel"][9:] = 0  # of head 3
    whole = [weights["value_kernel"][:, n : n + 3] @ weights["output_kernel"][n : n + 3]
             for n in (0, 3, 6, 9)]  # fmt: skip
    expected = [np.sqrt((way**2).sum()) for way in whole]
    np.testing.assert_allclose(head_strength(weights, 4), expected)


def test_int8_by_hand():
    q, scale = quantize_int8([-1.0, 0.3, 1.0])
    assert q.dtype == np.int8 and q.tolist() == [-127, 38, 127]
    assert scale.dtype == np.float32 and scale.shape == ()
    assert np.isclose(scale, 1 / 127)


@pytest.mark.parametrize(("axis", "shape"), [(None, ()), (1, (1, 4)), (0, (3, 1)), (-1, (1, 4))])
def test_int8_is_within_half_a_scale(axis, shape, rng):
    x = rng.normal(size=(3, 4)).astype("float32") * np.array([1, 10, 0.1, 100], "float32")
    q, scale = quantize_int8(x, axis)
    assert scale.shape == shape and q.min() >= -127
    assert np.all(np.abs(dequantize(q, scale) - x) <= scale / 2 * (1 + 1e-5))
    assert np.all(np.max(np.abs(q), axis=None if axis is None else 1 - axis % 2) == 127)


def test_int8_of_zeros():
    q, scale = quantize_int8(np.array([[0.0, 2.0], [0.0, -1.0]]), axis=1)
    assert q[:, 0].tolist() == [0, 0] and scale[0, 0] == 1
    assert np.array_equal(dequantize(q, scale)[:, 0], [0, 0])


def test_the_best_product_of_a_rank(rng):
    kernel = rng.normal(size=(6, 9)).astype("float32")
    values = np.linalg.svd(kernel, compute_uv=False)
    for rank in (1, 4, 6):
        first, second = low_rank(kernel, rank)
        assert first.shape == (6, rank) and second.shape == (rank, 9)
        assert first.dtype == second.dtype == np.float32
        error = np.linalg.norm(first @ second - kernel)
        np.testing.assert_allclose(error, np.sqrt((values[rank:] ** 2).sum()), atol=1e-5)
        np.testing.assert_allclose(np.linalg.norm(first), np.linalg.norm(second), rtol=1e-5)
    for rank in (0, 7):
        with pytest.raises(ValueError, match="from 1 to 6"):
            low_rank(kernel, rank)


def test_layers_are_mapped_evenly():
    assert layer_mapping(4, 12) == [0, 3, 6, 9, 12]
    assert layer_mapping(2, 5) == [0, 2, 5]
    assert layer_mapping(3, 3) == [0, 1, 2, 3]
    for student, teacher in ((0, 3), (4, 3)):
        with pytest.raises(ValueError, match=f"{student} layers"):
            layer_mapping(student, teacher)
