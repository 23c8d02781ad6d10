"""Probes against scikit-learn, arithmetic by hand, and planted truth."""

import numpy as np
import pytest

from bert_keras.analysis.probing import (
    control_task,
    expected_layer,
    probe_layer,
    scalar_mix_probe,
    selectivity,
)


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize(("rows", "size"), [(40, 5), (6, 9)], ids=["more rows", "more features"])
def test_a_probe_is_ridge_regression_with_a_free_constant(rows, size):
    linear = pytest.importorskip("sklearn.linear_model")
    x, test = rng().normal(3, 1, (rows, size)), rng(1).normal(3, 1, (4, size))
    labels = rng(2).integers(3, size=rows)
    model = linear.Ridge(alpha=2.0).fit(x, np.eye(3)[labels])
    np.testing.assert_allclose(probe_layer(x, labels, test, 3, 2.0), model.predict(test), atol=1e-9)


def test_scores_sum_to_one_and_ignore_a_constant():
    x, labels = rng().normal(size=(20, 4)), rng(1).integers(3, size=20)
    scores = probe_layer(x, labels, x[:5], 3)
    np.testing.assert_allclose(scores.sum(axis=1), 1)
    np.testing.assert_allclose(probe_layer(x + 7, labels, x[:5] + 7, 3), scores, atol=1e-9)


def test_a_label_that_there_is_not():
    for labels in ([0, 3], [-1, 0]):
        with pytest.raises(ValueError, match="from 0 to 2"):
            probe_layer(np.ones((2, 2)), labels, np.ones((1, 2)), 3)


def test_a_control_goes_by_words():
    words = [f"w{n % 300}" for n in range(900)]
    found = control_task(words, 4, rng(5))
    assert all(len({found[i] for i in range(n, 900, 300)}) == 1 for n in range(300))
    # 300 words by lot: each class gets 75, with a standard deviation of 7.5.
    assert np.abs(np.bincount(found[:300], minlength=4) - 75).max() < 7 * 7.5
    assert np.array_equal(found, control_task(words, 4, rng(5)))
    assert not np.array_equal(found, control_task(words, 4, rng(6)))


@pytest.mark.parametrize("seed", range(5))
def test_what_is_planted_is_selective_and_a_name_is_not(seed):
    """Features that say the class beat their control; features that say the word don't."""
    draw = rng(seed)
    words = draw.integers(40, size=2000)
    names, controls = [str(word) for word in words], None
    controls = control_task(names, 2, draw)
    labels = draw.integers(2, size=2000)
    train = np.arange(2000) < 1000
    says_class = np.eye(2)[labels] + draw.normal(0, 0.1, (2000, 2))
    task, control, gap = selectivity(says_class, labels, controls, train, 2)
    assert task > 0.99 and control < 0.75 and gap == task - control
    says_word = np.eye(40)[words]
    by_word = (words % 2).astype(int)
    task, control, gap = selectivity(says_word, by_word, controls, train, 2)
    assert task > 0.99 and control > 0.99 and abs(gap) < 0.01


def test_a_mix_and_its_centre():
    layers = rng().normal(size=(3, 4, 2))
    mixed, centre = scalar_mix_probe(layers, np.log([1.0, 1.0, 2.0]) + 5)
    np.testing.assert_allclose(mixed, 0.25 * layers[0] + 0.25 * layers[1] + 0.5 * layers[2])
    assert np.isclose(centre, 0.25 + 1.0)
    assert np.isfinite(scalar_mix_probe(layers, [1000.0, 0.0, 0.0])[0]).all()


def test_the_expected_layer():
    assert np.isclose(expected_layer([0.5, 0.7, 0.8, 0.8]), (0.2 * 1 + 0.1 * 2) / 0.3)
    assert np.isclose(expected_layer([0.5, 0.8, 0.7]), (0.3 * 1 - 0.1 * 2) / 0.2)
    with pytest.raises(ValueError, match="nothing in all"):
        expected_layer([0.5, 0.7, 0.5])
