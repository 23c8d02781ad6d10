"""Confidence against accuracy, by hand."""

import numpy as np
import pytest

from bert_keras.analysis.calibration import calibration_error, temperature_scale


def binary(*confidences):
    return np.array([[c, 1 - c] for c in confidences])


def test_the_error_by_hand():
    """Two bins of ten: at .9 right once in two, at .6 right once."""
    found = calibration_error(binary(0.9, 0.9, 0.6), [0, 1, 0], 10)
    np.testing.assert_allclose(found, 2 / 3 * abs(0.5 - 0.9) + 1 / 3 * abs(1 - 0.6))


def test_an_edge_belongs_to_the_bin_below():
    """With two bins 0.5 lies in the first one and 0.7 in the second, so nothing averages out."""
    found = calibration_error(np.array([[0.5, 0.3, 0.2], [0.7, 0.2, 0.1]]), [1, 0], 2)
    np.testing.assert_allclose(found, 0.5 * 0.5 + 0.5 * 0.3)
    one = calibration_error(np.array([[0.5, 0.3, 0.2], [0.7, 0.2, 0.1]]), [1, 0], 1)
    np.testing.assert_allclose(one, abs(0.5 - 0.6))
    assert calibration_error(binary(1.0, 1.0), [0, 0], 7) == 0


@pytest.mark.parametrize("seed", range(5))
def test_a_planted_temperature_is_found(seed):
    rng = np.random.default_rng(seed)
    true = rng.normal(0, 2, (20000, 3))
    shares = np.exp(true) / np.exp(true).sum(axis=1, keepdims=True)
    labels = (rng.random((20000, 1)) > shares.cumsum(axis=1)).sum(axis=1)
    temperatures = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0]
    found, probabilities = temperature_scale(2.5 * true, labels, temperatures)
    assert found == 2.5
    np.testing.assert_allclose(probabilities, shares, atol=1e-9)
    assert calibration_error(probabilities, labels, 10) < 0.02
    before = temperature_scale(2.5 * true, labels, [1.0])[1]
    assert calibration_error(before, labels, 10) > 0.1


def test_large_logits_and_equal_losses():
    found, probabilities = temperature_scale([[1e4, 0.0]], [0], [3.0, 1.0])
    assert found == 3.0 and np.isfinite(probabilities).all()
