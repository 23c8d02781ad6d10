import numpy as np
import pytest

from bert_keras.analysis.weights import equivalent_weights


@pytest.mark.parametrize(("length", "size"), [(7, 3), (13, 4), (20, 8)])
def test_same_output_from_different_weights(length, size):
    rng = np.random.default_rng(length)
    weights, values = rng.dirichlet(np.ones(length)), rng.normal(size=(length, size))
    other = equivalent_weights(weights, values, trials=40)
    assert other.min() >= 0
    assert other.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(other @ values, weights @ values, atol=1e-12)
    assert np.abs(other - weights).sum() / 2 > 0.2


def test_finds_the_far_corner_of_a_known_case():
    """Values 0, 1, 2 on a line: (.5, 0, .5) and (0, 1, 0) have the same mean."""
    values = np.array([[0.0], [1.0], [2.0]])
    np.testing.assert_allclose(equivalent_weights([0.5, 0.0, 0.5], values), [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(
        equivalent_weights([0.0, 1.0, 0.0], values), [0.5, 0, 0.5], atol=1e-12
    )


def test_nothing_else_when_the_values_pin_the_weights_down():
    rng = np.random.default_rng(0)
    weights, values = rng.dirichlet(np.ones(4)), rng.normal(size=(4, 5))
    np.testing.assert_array_equal(equivalent_weights(weights, values), weights)


def test_seeded():
    rng = np.random.default_rng(1)
    weights, values = rng.dirichlet(np.ones(9)), rng.normal(size=(9, 2))
    first, second = (equivalent_weights(weights, values, trials=5, seed=3) for _ in range(2))
    np.testing.assert_array_equal(first, second)
