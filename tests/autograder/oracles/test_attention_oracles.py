"""The attention oracle against hand arithmetic, and its switches against what they should do."""

import numpy as np
import pytest

from autograder.oracles import Crash, attention
from autograder.oracles.calculus import numeric_gradient


def scores_of(row, mask=None, **switches):
    """Weights that a row of scores gets: one query, keys that are multiples of it."""
    query, key = np.array([[1.0]]), np.array(row, float)[:, None]
    mask = None if mask is None else np.array([mask], bool)
    return attention.scaled_dot_product.raw(query, key, key, mask, **switches)[1][0]


def test_worked_example_of_the_scale():
    query = np.array([[1.0, 0, 1, 1]])
    key = np.array([[1.0, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 1]])
    for scale, wanted in {
        "root_head_dim": [0.2589, 0.4269, 0.1571, 0.1571],
        "none": [0.2245, 0.6103, 0.0826, 0.0826],
        "head_dim": [0.2603, 0.3342, 0.2027, 0.2027],
    }.items():
        weights = attention.scaled_dot_product.raw(query, key, key, scale=scale)[1]
        np.testing.assert_allclose(weights[0], wanted, atol=5e-5)


@pytest.mark.parametrize(
    ("mask_use", "scores", "mask", "wanted"),
    [
        ("before_softmax", [-2, -1, 0], [1, 1, 0], [0.2689, 0.7311, 0]),
        ("multiplied", [-2, -1, 0], [1, 1, 0], [0.0900, 0.2447, 0.6652]),
        ("after_softmax", [2, 1, 0], [1, 1, 0], [0.6652, 0.2447, 0]),
        ("tiny_fill", [2, 1, 0], [1, 1, 0], [0.6652, 0.2447, 0.0900]),
        ("discarded", [2, 1, 3], [1, 1, 0], [0.2447, 0.0900, 0.6652]),
        ("inverted", [2, 1, 0], [1, 1, 0], [0, 0, 1]),
        ("penalty_on_kept", [2, 1, 0], [1, 1, 0], [0, 0, 1]),
        ("large_positive", [2, 1, 0], [1, 1, 0], [0, 0, 1]),
        ("minus_infinity", [2, 1, 0], [0, 0, 0], [np.nan] * 3),
        ("plus_infinity", [2, 1, 0], [1, 1, 0], [np.nan] * 3),
    ],
)
def test_masks_by_hand(mask_use, scores, mask, wanted):
    found = scores_of(scores, mask, mask_use=mask_use)
    np.testing.assert_allclose(found, wanted, atol=5e-5)


def test_softmax_over_queries_sums_to_one_down_the_columns():
    rng = np.random.default_rng(0)
    query, key, value = rng.normal(size=(5, 4)), rng.normal(size=(7, 4)), rng.normal(size=(7, 3))
    weights = attention.scaled_dot_product.raw(query, key, value, softmax_axis="queries")[1]
    np.testing.assert_allclose(weights.sum(axis=0), np.ones(7))


def test_a_mistake_that_cannot_run_is_a_crash():
    query, key = np.ones((2, 3, 4)), np.ones((2, 5, 4))
    prediction = attention.scaled_dot_product(query, key, key)
    assert isinstance(prediction.predict({"score_order": "key_query"}), Crash)


def test_predictions_stay_in_single_precision():
    query = np.ones((3, 4), np.float32)
    mask = np.ones((3, 3), bool)
    for switch in ({}, {"scale": "root_key_length"}, {"mask_use": "penalty_on_kept"}):
        predicted = attention.scaled_dot_product(query, query, query, mask).predict(switch)
        assert {part.dtype for part in predicted} == {np.dtype("float32")}, switch


def test_dropout_has_a_place_of_its_own_for_every_switch():
    rng = np.random.default_rng(1)
    query, key, value = rng.normal(size=(5, 4)), rng.normal(size=(7, 4)), rng.normal(size=(7, 6))

    def drop(x):
        return x * (np.arange(x.shape[-1]) % 2)

    kinds = ("on_weights", "ignored", "returned", "on_scores", "on_output")
    found = [
        np.concatenate(
            [
                p.ravel()
                for p in attention.scaled_dot_product.raw(
                    query, key, value, None, drop, dropout_use=kind
                )
            ]
        )
        for kind in kinds
    ]
    for i, one in enumerate(found):
        for other in found[:i]:
            assert not np.allclose(one, other)


def test_numeric_gradient_of_a_known_function():
    x, y = np.array([1.0, 2.0]), np.array([3.0, -1.0])
    by_x, by_y = numeric_gradient(lambda a, b: a**2 * b, [x, y], np.array([1.0, 2.0]))
    np.testing.assert_allclose(by_x, 2 * x * y * [1, 2], atol=1e-8)
    np.testing.assert_allclose(by_y, x**2 * [1, 2], atol=1e-8)


def test_switches_that_are_passed_on_are_declared():
    inherited = attention.scaled_dot_product_gradient.switches
    assert set(attention.scaled_dot_product.switches) | {"gradient"} == set(inherited)
