"""Bins of confidence by hand, and what the picture shows of them."""

from xml.etree import ElementTree

import numpy as np
import pytest

from bert_keras.analysis.calibration import calibration_error
from bert_keras.analysis.reliability import reliability_bins, reliability_diagram

NAMES = ("confidence", "accuracy", "too sure", "not sure enough", "share")
ROWS = np.array([[0.9, 0.1], [0.1, 0.9], [0.6, 0.4], [0.5, 0.5]])
LABELS = np.array([0, 0, 0, 1])


def test_bins_by_hand():
    confidence, accuracy, share = reliability_bins(ROWS, LABELS, 10)
    np.testing.assert_allclose(share, [0, 0, 0, 0, 0.25, 0.25, 0, 0, 0.5, 0])
    np.testing.assert_allclose(confidence[[4, 5, 8]], [0.5, 0.6, 0.9])
    np.testing.assert_allclose(accuracy[[4, 5, 8]], [0, 1, 0.5])
    assert np.isnan(confidence[[0, 1, 2, 3, 6, 7, 9]]).all()


@pytest.mark.parametrize("num_bins", [1, 7, 10, 15])
def test_bins_add_up_to_the_error(num_bins):
    rng = np.random.default_rng(num_bins)
    probabilities = rng.dirichlet(np.ones(4), 300)
    labels = rng.integers(4, size=300)
    confidence, accuracy, share = reliability_bins(probabilities, labels, num_bins)
    error = np.nansum(share * np.abs(accuracy - confidence))
    np.testing.assert_allclose(error, calibration_error(probabilities, labels, num_bins))


def test_the_picture_has_a_bar_and_a_gap_for_every_bin_with_rows():
    picture = reliability_diagram([("one", ROWS, LABELS, 10), ("two", ROWS, LABELS, 2)], NAMES)
    root = ElementTree.fromstring(picture.svg)
    fills = [one.get("fill") for one in root.iter("{http://www.w3.org/2000/svg}rect")]
    # One more of each colour in the key.
    assert fills.count("#0072b2") == 5 + 1
    assert fills.count("#f3c778") == 4 + 1  # at 0.5 and 0.9 of one, both bins of the other
    assert fills.count("#8fd3be") == 1 + 1  # at 0.6
    assert "one: confidence / accuracy 50% / 0% (25%), 60% / 100% (25%)" in picture.summary
    bars = [one for one in root.iter("{http://www.w3.org/2000/svg}rect")]
    right = [float(one.get("height")) for one in bars if one.get("fill") == "#0072b2"]
    np.testing.assert_allclose(right[:3], [0, 230, 115], atol=0.1)


def test_nothing_to_draw():
    with pytest.raises(ValueError, match="needs a row"):
        reliability_diagram([], NAMES)
