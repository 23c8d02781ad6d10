import numpy as np
import pytest

from bert_keras.text.languages import smoothed_language_weights


def test_shares_by_hand():
    found = smoothed_language_weights([900, 100], 0.7)
    assert np.isclose(found[0] / found[1], 9**0.7) and np.isclose(found.sum(), 1)
    np.testing.assert_allclose(smoothed_language_weights([3, 1], 1), [0.75, 0.25])
    np.testing.assert_allclose(smoothed_language_weights([3, 0, 1], 0), [0.5, 0, 0.5])
    np.testing.assert_allclose(smoothed_language_weights([5]), [1])


def test_the_unit_of_counting_does_not_matter():
    counts = np.array([7, 30, 400])
    np.testing.assert_allclose(
        smoothed_language_weights(counts), smoothed_language_weights(counts * 1000)
    )


@pytest.mark.parametrize("counts", [[0, 0], [3, -1]])
def test_what_cannot_be_drawn_from(counts):
    with pytest.raises(ValueError, match="0 or more and not all 0"):
        smoothed_language_weights(counts)
