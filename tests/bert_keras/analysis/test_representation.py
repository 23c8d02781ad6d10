"""What the similarity of representations does and doesn't see."""

import numpy as np

from bert_keras.analysis.representation import linear_cka, transfer_table


def rng(seed=0):
    return np.random.default_rng(seed)


def test_cka_by_its_definition_over_examples():
    """The same from n by n similarities, as it is defined for any kernel."""
    x, y = rng().normal(2, 1, (9, 4)), rng(1).normal(-1, 3, (9, 6))
    centre = np.eye(9) - 1 / 9
    k, other = centre @ x @ x.T @ centre, centre @ y @ y.T @ centre
    expected = np.sum(k * other) / np.sqrt(np.sum(k * k) * np.sum(other * other))
    np.testing.assert_allclose(linear_cka(x, y), expected)


def test_turning_and_scaling_change_nothing_and_stretching_does():
    x = rng().normal(size=(50, 4)) * [1, 2, 3, 4]
    turn, _ = np.linalg.qr(rng(1).normal(size=(4, 4)))
    np.testing.assert_allclose(linear_cka(x, 3 * x @ turn + 8), 1)
    assert linear_cka(x, x * [9, 1, 1, 1]) < 0.9
    assert linear_cka(x, rng(2).normal(size=(50, 4))) < 0.3


def test_each_language_is_trained_on_once():
    trained = []

    def fit(train):
        trained.append(train)
        return train

    table = transfer_table(
        [("a", 1), ("b", 2), ("c", 3)], fit, lambda model, test: ord(model) * 10.0 + test
    )
    assert trained == ["a", "b", "c"]
    assert table.tolist() == [[10 * ord(m) + t for t in (1, 2, 3)] for m in "abc"]
