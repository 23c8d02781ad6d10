"""The oracles of chapter 1b against numbers worked out by hand, loops and other libraries."""

import math

import numpy as np
import pytest

from autograder.oracles import Crash, convolution, ngrams, steps, word_losses, word_vectors

CATS = [[1, 3], [1, 4], [2, 3]]  # cats sleep, cats eat, dogs sleep; 0 is the end


def test_the_trigram_of_the_notebook():
    found, perplexity = ngrams.ngram_lm.raw(CATS, [[1, 3], [2, 4]], 5, 0, (0.9, 0.8, 0.5))
    # "sleep" after "start, cats": 0.2 → 0.22 → 0.444 → 0.472, and the end after "dogs eat".
    assert found[1] == pytest.approx(0.472)
    assert found[5] == pytest.approx(0.864)
    assert perplexity == pytest.approx(math.prod(1 / p for p in found) ** (1 / 6))


def test_guesses_for_all_tokens_sum_to_one_whatever_the_context():
    for context in ([], [1], [1, 3], [4, 4], [2, 1]):
        test = [[*context, word] for word in (1, 2, 3, 4)] + [context]
        found, _ = ngrams.ngram_lm.raw(CATS, test, 5, 0, (0.9, 0.8, 0.5))
        places = [(len(context) + 2) * row + len(context) for row in range(5)]
        assert found[places].sum() == pytest.approx(1)


def test_trust_of_zero_makes_a_unigram():
    found, _ = ngrams.ngram_lm.raw(CATS, [[3], [4, 4]], 5, 0, (0.9, 0, 0))
    unigram = [0.9 * count / 9 + 0.02 for count in (2, 3, 1, 1, 3)]
    np.testing.assert_allclose(found, unigram)


def test_an_even_guess_among_eight_has_perplexity_eight():
    _, perplexity = ngrams.ngram_lm.raw([[1]], [[1, 2], [3]], 8, 0, (0, 0, 0))
    assert perplexity == pytest.approx(8)


def test_without_a_floor_an_unknown_word_is_impossible():
    arguments = (CATS, [[4, 4, 7]], 9, 0, (0.9, 0.8, 0.5))
    assert ngrams.ngram_lm.raw(*arguments, floor="nothing")[1] == math.inf
    with pytest.raises(Crash):
        ngrams.ngram_lm.raw(*arguments, floor="nothing_raises")


def test_the_bag_of_words_of_the_notebook():
    neighbours = np.array([[9.0, 9], [2, 0], [0, 2], [0, 0]])
    targets = np.array([[9.0, 9], [2, 1], [0, 1], [-1, 0]])
    hidden, logits = word_vectors.cbow_forward.raw(np.array([[0, 2, 0, 1]]), neighbours, targets)
    np.testing.assert_allclose(hidden, [[1, 1]])
    np.testing.assert_allclose(logits[0, 1:], [3, 1, -1])
    loss = word_losses.cbow_loss.raw(np.array([[1, 2]]), np.array([1]), neighbours, targets)
    every = np.exp([18.0, 3, 1, -1])
    assert loss == pytest.approx(-math.log(every[1] / every.sum()))


def test_gradients_by_hand_agree_with_finite_differences():
    rng = np.random.default_rng(0)
    ids = np.array([[1, 2, 2, 0], [3, 0, 1, 5], [4, 4, 4, 4]])
    targets, first, second = np.array([2, 5, 1]), rng.normal(size=(6, 3)), rng.normal(size=(6, 3))
    arguments = (ids, targets, first, second)
    loss, of_first, of_second = word_losses.cbow_gradients.raw(*arguments)
    numeric = word_losses.cbow_loss_gradient.raw(*arguments)
    assert loss == pytest.approx(word_losses.cbow_loss.raw(*arguments))
    np.testing.assert_allclose(of_first, numeric[0], atol=1e-8)
    np.testing.assert_allclose(of_second, numeric[1], atol=1e-8)
    full = word_losses.cbow_gradients.raw(*arguments, spread="full")
    np.testing.assert_allclose(full[1][4], 4 * of_first[4])  # the word that is its whole context
    assert np.abs(word_losses.cbow_gradients.raw(*arguments, padding="taken_along")[1][0]).max()


def test_the_convolution_of_the_notebook():
    x, kernel = np.array([[[1.0], [2], [3], [4]]]), np.array([1.0, 10, 100]).reshape(3, 1, 1)
    found = convolution.conv1d_same.raw(x, kernel, np.zeros(1))
    np.testing.assert_allclose(found[0, :, 0], [210, 321, 432, 43])
    found = convolution.conv1d_same.raw(x, kernel, np.ones(1), 2)
    np.testing.assert_allclose(found[0, :, 0], [311, 421, 32, 43])


def test_a_convolution_is_a_sum_of_shifted_products():
    rng = np.random.default_rng(1)
    x, kernel, bias = rng.normal(size=(2, 9, 3)), rng.normal(size=(5, 3, 4)), rng.normal(size=4)
    wanted = np.zeros((2, 9, 4)) + bias
    padded = np.pad(x, ((0, 0), (4, 4), (0, 0)))
    for row in range(5):
        wanted += padded[:, 2 * row : 2 * row + 9] @ kernel[row]
    found = convolution.conv1d_same.raw(x, kernel, bias, 2)
    np.testing.assert_allclose(found, wanted)
    cotangent = rng.normal(size=wanted.shape)
    of_x, of_kernel, of_bias = convolution.conv1d_same_gradient.raw(x, kernel, bias, 2, cotangent)
    np.testing.assert_allclose(of_bias, cotangent.sum(axis=(0, 1)), atol=1e-6)
    np.testing.assert_allclose(of_kernel[2], np.einsum("btd,btf->df", x, cotangent), atol=1e-6)
    assert of_x.shape == x.shape


@pytest.mark.parametrize(
    ("sizes", "rates", "seen"),
    [([], None, 1), ([3], None, 3), ([3, 5], None, 7), ([3, 3, 3], [1, 2, 4], 15), ([1], [9], 1)],
)
def test_receptive_fields(sizes, rates, seen):
    assert convolution.receptive_field.raw(sizes, rates) == seen
    reached = {0}
    for size, rate in zip(sizes, rates or [1] * len(sizes), strict=True):
        reached = {p + rate * (r - size // 2) for p in reached for r in range(size)}
    assert max(reached) - min(reached) + 1 == seen


def test_steps_are_the_fewest_layers_that_reach():
    for length in range(2, 30):
        for size in (3, 5, 7):
            layers, work = steps.sequential_steps.raw("convolution", length, 4, size)
            assert layers * (size // 2) >= length - 1 > (layers - 1) * (size // 2)
            assert work == layers * length * size * 2 * 16
    assert steps.sequential_steps.raw("recurrent", 7, 4) == (7, 7 * 2 * 2 * 16)
    assert steps.sequential_steps.raw("attention", 7, 4) == (1, 7 * 4 * 2 * 16 + 2 * 2 * 49 * 4)
