import numpy as np

from bert_keras.training.yardsticks import NeighbourModel, UnigramModel

EDGE = 0


def test_unigram_by_hand():
    model = UnigramModel([[3, 4, 4], [4, 5]], 7, targets=[3, 4, 5, 6])
    np.testing.assert_allclose(model.probabilities, [0, 0, 0, 2 / 9, 4 / 9, 2 / 9, 1 / 9])
    np.testing.assert_allclose(model.loss(np.array([4, 6])), -np.log(4 / 81) / 2)


def planted(rows, seed):
    """The token in the middle is a function of both neighbours, and of neither alone."""
    rng = np.random.default_rng(seed)
    left, right = rng.integers(1, 7, rows), rng.integers(7, 13, rows)
    return left, right, 13 + (left + right) % 6


def fitted():
    left, right, word = planted(400, 0)
    sentences = np.stack([left, word, right], axis=1).tolist()
    unigram = UnigramModel(sentences, 19, targets=np.arange(1, 19))
    return unigram, NeighbourModel(sentences, unigram, EDGE)


def test_both_neighbours_together_give_the_answer_away():
    unigram, model = fitted()
    left, right, word = planted(4000, 1)
    model.tune(np.where(np.arange(4000) % 2, left, -1), right, word)
    left, right, word = planted(300, 2)
    assert unigram.loss(word) > np.log(6)
    assert model.loss(left, right, word) < 0.05
    unseen = np.full_like(left, -1)
    # One neighbour alone tells only that it is one of the six.
    assert abs(model.loss(unseen, right, word) - np.log(6)) < 0.4


def test_probabilities_sum_to_one():
    _, model = fitted()
    words = np.arange(1, 19)
    # Contexts whose three counts are all above zero: there every guess is a distribution.
    for left, right in ((2, 9), (5, 12)):
        model.tune(*planted(300, 1))
        total = model.probabilities(np.full(18, left), np.full(18, right), words).sum()
        np.testing.assert_allclose(total, 1.0, atol=1e-9)


def test_no_word_is_impossible():
    _, model = fitted()
    model.tune(*planted(300, 1))
    assert (model.probabilities([-1, 3], [-1, 8], [18, 1]) > 0).all()


def test_the_edge_of_a_sentence_is_a_neighbour():
    sentences = [[1, 2], [1, 3]] * 20
    unigram = UnigramModel(sentences, 5, targets=[1, 2, 3, 4])
    model = NeighbourModel(sentences, unigram, EDGE)
    model.tune([EDGE] * 60, [2, 3] * 30, [1] * 60)
    assert model.probabilities([EDGE], [2], [1])[0] > 0.99
