import numpy as np
import pytest

from bert_keras.text.languages import draw_by_language, smoothed_language_weights


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


def test_a_pass_draws_as_many_rows_as_there_are():
    rng = np.random.default_rng(0)
    counts = np.array([90, 8, 0, 31])
    shares = smoothed_language_weights(counts, 0.3)
    drawn = draw_by_language(counts, shares, rng)
    sizes = np.array([len(one) for one in drawn])
    assert sizes.sum() == counts.sum() and np.all(np.abs(sizes - shares * counts.sum()) < 1)
    for numbers, count in zip(drawn, counts, strict=True):
        times = np.bincount(numbers, minlength=count)
        assert len(times) == count and (count == 0 or times.max() - times.min() <= 1)


def test_by_size_every_row_is_drawn_once():
    for counts in ([7, 30, 400], [3, 1], [1, 1, 1, 0]):
        drawn = draw_by_language(
            counts, smoothed_language_weights(counts, 1), np.random.default_rng(0)
        )
        assert [one.tolist() for one in drawn] == [list(range(count)) for count in counts]


def test_every_pass_leaves_other_rows_out():
    rng = np.random.default_rng(0)
    first, second = (draw_by_language([90, 8], [0.5, 0.5], rng)[0] for _ in range(2))
    assert len(first) == len(second) == 49 and set(first) != set(second)
