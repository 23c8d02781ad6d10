"""Measures of heads against sums written out, and planted roles that have to be found."""

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy as scipy_entropy

from bert_keras.analysis import head_roles
from bert_keras.analysis.attribution import integrated_gradients
from bert_keras.analysis.heads import (
    attention_distance,
    attention_entropy,
    head_relation_accuracy,
    head_similarity,
    map_of_heads,
    mass_on_special,
)


def attention(seed=0, rows=3, heads=4, length=6):
    """Attention with closed keys, and nonsense in the rows of padding."""
    rng = np.random.default_rng(seed)
    mask = np.arange(length) < rng.integers(3, length + 1, size=rows)[:, None]
    powers = np.exp(rng.normal(size=(rows, heads, length, length)) * 2) * mask[:, None, None, :]
    weights = powers / powers.sum(-1, keepdims=True)
    weights = np.where(mask[:, None, :, None], weights, rng.uniform(0, 9, weights.shape))
    return weights, mask


def each(weights, mask, head):
    """All rows of real queries of a head, with their place."""
    return [
        (b, i, weights[b, head, i])
        for b in range(len(mask))
        for i in range(mask.shape[1])
        if mask[b, i]
    ]


def test_entropy_and_distance_are_means_over_all_real_queries():
    weights, mask = attention()
    wide = [np.mean([scipy_entropy(a) for _, _, a in each(weights, mask, n)]) for n in range(4)]
    np.testing.assert_allclose(attention_entropy(weights.astype("float32"), mask), wide, rtol=1e-6)
    far = [
        np.mean([sum(a[j] * abs(i - j) for j in range(6)) for _, i, a in each(weights, mask, n)])
        for n in range(4)
    ]
    np.testing.assert_allclose(attention_distance(weights, mask), far)


def test_entropy_of_what_can_be_said_at_once():
    eye = np.eye(4)[None, None]
    even = np.full((1, 1, 4, 4), 0.25)
    mask = np.ones((1, 4), bool)
    assert attention_entropy(eye, mask)[0] == 0
    assert attention_entropy(even, mask)[0] == pytest.approx(np.log(4))
    assert attention_distance(eye, mask)[0] == 0
    # 0 1 2 3 | 1 0 1 2 | 2 1 0 1 | 3 2 1 0, divided by 16
    assert attention_distance(even, mask)[0] == pytest.approx(20 / 16)


def test_mass_on_special_asks_words_only():
    weights, mask = attention()
    special = np.zeros_like(mask)
    special[:, 0] = True
    found = mass_on_special(weights, special, mask)
    for head in range(4):
        shares = [a[0] for b, i, a in each(weights, mask, head) if i > 0]
        assert found[head] == pytest.approx(np.mean(shares))


def test_relations_are_chosen_among_candidates():
    weights = np.zeros((1, 2, 4, 4))
    weights[0, 0, 0] = [0.7, 0.0, 0.1, 0.2]
    weights[0, 1, 0] = [1.0, 0.0, 0.0, 0.0]  # nothing on a candidate: the first of them
    targets = np.array([[3, -1, -1, -1]])
    candidates = np.array([[False, False, True, True]])
    np.testing.assert_array_equal(head_relation_accuracy(weights, targets, candidates), [1, 0])
    with pytest.raises(ValueError, match="no query"):
        head_relation_accuracy(weights, targets * 0 - 1, candidates)


def test_similarity_is_one_minus_the_mean_divergence():
    weights, mask = attention(rows=2, heads=3)
    found = head_similarity(weights, mask)
    for one in range(3):
        for other in range(3):
            pairs = zip(each(weights, mask, one), each(weights, mask, other), strict=True)
            divergences = [jensenshannon(p, q, base=2) ** 2 for (_, _, p), (_, _, q) in pairs]
            assert found[one, other] == pytest.approx(1 - np.nanmean(divergences), abs=1e-7)
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_array_equal(np.diag(found), 1)
    apart = np.stack([np.eye(4), np.eye(4)[[1, 0, 3, 2]]])[None]
    assert head_similarity(apart, np.ones((1, 4), bool))[0, 1] == pytest.approx(0)


def test_a_map_of_heads_keeps_distances_that_fit_on_a_plane():
    points = np.array([[0.0, 0.0], [0.6, 0.0], [0.0, 0.3], [0.5, 0.2]])
    gaps = np.linalg.norm(points[:, None] - points[None], axis=-1)
    plane = map_of_heads(1 - gaps)
    np.testing.assert_allclose(np.linalg.norm(plane[:, None] - plane[None], axis=-1), gaps)
    assert map_of_heads(np.ones((3, 3))).shape == (3, 2)  # all the same: one point
    assert map_of_heads(np.ones((1, 1))).shape == (1, 2)


@pytest.mark.parametrize("seed", range(5))
def test_planted_roles_are_found_and_no_others(seed):
    planted = head_roles.planted_heads(np.random.default_rng(seed))
    real = planted.padding_mask
    np.testing.assert_allclose(np.swapaxes(planted.weights[0], 1, 2)[real].sum(-1), 1)
    table = head_roles.role_table(
        planted.weights, planted.tokens, real, {"relation": planted.relation}
    )
    bars = head_roles.BARS | {"relation": 0.8}
    found = head_roles.roles_of(table, bars)
    for number, role in enumerate(planted.roles, 1):
        assert found[1, number] == ([] if role == "random" else [role])
    assert sorted(set(planted.roles)) == sorted([*bars.keys() - {"same"}, "random"])


def test_the_table_of_roles_has_every_head_and_survives_rows_without_words():
    weights = np.full((2, 1, 3, 2, 2), 0.5)
    table = head_roles.role_table(weights, [["[CLS]", "[SEP]"]], np.ones((1, 2), bool))
    assert {values.shape for values in table.values()} == {(2, 3)}
    assert table["previous"].max() == 0 and table["broad"].min() == pytest.approx(1)


def test_neighbours_stop_at_what_is_no_word():
    words = np.array([[False, True, True, False, True]])
    np.testing.assert_array_equal(head_roles.neighbours(words, -1), [[-1, -1, 1, -1, -1]])
    np.testing.assert_array_equal(head_roles.neighbours(words, 1), [[-1, 2, -1, -1, -1]])
    np.testing.assert_array_equal(head_roles.neighbours(words, 0), [[-1, 1, 2, -1, 4]])


def test_integrated_gradients_balance_and_ask_at_the_middles():
    asked = []

    def gradient(x):
        asked.append(x.copy())
        return 3 * x**2

    x, start = np.array([[1.0, 2.0]]), np.array([[0.0, -1.0]])
    found = integrated_gradients(gradient, x, start, 50)
    np.testing.assert_allclose(found.sum(), (x**3).sum() - (start**3).sum(), rtol=1e-3)
    np.testing.assert_allclose(asked[0], start + 0.01 * (x - start))
    np.testing.assert_allclose(integrated_gradients(lambda x: x * 0 + 2, x, start, 1), [[2, 6]])
