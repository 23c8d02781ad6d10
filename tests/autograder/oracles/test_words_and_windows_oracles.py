"""The oracles of chapter 1b against numbers worked out by hand, loops and other libraries."""

import copy
import math

import numpy as np
import pytest

from autograder.exercises.ch01b_6_drill import DRILL_BUGS
from autograder.fixtures import fixture
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


def test_a_mark_that_is_a_word_is_mistaken_for_it():
    # After word 0 "sleep" came never, after two marks it came twice in three sentences.
    arguments = ([[3], [3], [0, 1]], [[0, 3]], 5, 4, (0.5, 0.5, 0.5))
    right, wrong = (ngrams.ngram_lm.raw(*arguments, mark=m)[0] for m in ("own", "zeros"))
    assert right[1] == pytest.approx(0.25 * (0.1 + 0.5 * 2 / 7))  # known, never followed by it
    assert wrong[1] > right[1]


def test_a_share_of_zero_is_mixed_in_unless_it_is_skipped():
    arguments = (CATS, [[2, 4]], 5, 0, (0.9, 0.8, 0.5))  # "dogs eat": "dogs" only ever slept
    assert ngrams.ngram_lm.raw(*arguments)[0][1] == pytest.approx(0.12 * 0.2 * 0.5)
    skipped = ngrams.ngram_lm.raw(*arguments, share="zero_skipped")[0]
    assert skipped[1] == pytest.approx(0.12)


def test_lent_sentences_can_be_read_and_copied_but_not_changed():
    given = fixture("lent_sentences", [[1, 2], [3]]).build()
    assert [None, *given[0], 9] == [None] + given[0] + [9] and given[1] == [3]
    copies = [given[0][:], given[0].copy(), copy.copy(given[0]), copy.deepcopy(given)[0]]
    for mine in copies:
        mine.append(4)
        assert mine == [1, 2, 4]
    for change in (
        lambda s: s.append(4),
        lambda s: s.insert(0, 4),
        lambda s: s.extend([4]),
        lambda s: s.__setitem__(0, 4),
        lambda s: s.__iadd__([4]),
    ):
        for lent in (given, given[0]):
            with pytest.raises(TypeError, match="handed in"):
                change(lent)
    assert given == [[1, 2], [3]]
    with pytest.raises(Crash):
        ngrams.ngram_lm.raw(CATS, CATS, 5, 0, (0.9, 0, 0), True, arguments="edited")


def test_an_example_without_neighbours_costs_ln_v():
    rng = np.random.default_rng(2)
    ids, targets = np.array([[1, 2], [0, 0]]), np.array([3, 1])
    tables = rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    first = word_losses.cbow_loss.raw(ids[:1], targets[:1], *tables)
    loss = word_losses.cbow_loss.raw(ids, targets, *tables)
    assert loss == pytest.approx((first + math.log(5)) / 2)
    assert word_losses.cbow_loss.raw(ids, targets, *tables, lonely="left_out") == pytest.approx(
        first
    )
    assert word_losses.cbow_loss.raw(ids, targets, *tables, lonely="zero") == pytest.approx(
        first / 2
    )
    without = word_losses.cbow_loss.raw(
        ids[1:], targets[1:], *tables, probability="without_column_0"
    )
    assert without == pytest.approx(math.log(4))


def test_the_targets_of_a_whole_batch():
    rng = np.random.default_rng(3)
    ids, targets = np.array([[1, 2], [3, 0]]), np.array([3, 1])
    tables = rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    every = [
        word_losses.cbow_loss.raw(ids[b : b + 1], targets[o : o + 1], *tables)
        for b in (0, 1)
        for o in (0, 1)
    ]
    found = word_losses.cbow_loss.raw(ids, targets, *tables, target="everybodys")
    assert found == pytest.approx(np.mean(every))


def test_a_bug_of_the_drill_is_either_left_or_new():
    assert tuple(word_losses.ILLS) == DRILL_BUGS
    rng = np.random.default_rng(0)
    ids, targets = np.array([[1, 2, 2, 0], [3, 0, 1, 5]]), np.array([2, 5])
    arguments = (ids, targets, rng.normal(size=(6, 3)), rng.normal(size=(6, 3)))
    hand = word_losses.cbow_gradients.raw
    right = hand(*arguments)
    for ill in DRILL_BUGS:
        for bug in DRILL_BUGS:
            allowed, refused = ("still", "slip") if bug == ill else ("slip", "still")
            found = hand(*arguments, ill, **{allowed: bug})
            assert not all(np.allclose(a, b) for a, b in zip(found, right, strict=True)), bug
            with pytest.raises(ValueError, match=bug):
                hand(*arguments, ill, **{refused: bug})
    one = hand(*arguments, batch="first_summed")
    np.testing.assert_allclose(one[1], 2 * right[1])
    np.testing.assert_allclose(one[2], right[2])


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


def test_other_windows_by_hand():
    x, kernel = np.array([[[1.0], [2], [3], [4]]]), np.array([1.0, 10, 100]).reshape(3, 1, 1)
    arguments = (x, kernel, np.zeros(1))
    for switch, rate, wanted in (
        ({"rows": "first_only"}, 1, [0, 1, 2, 3]),
        ({"ends": "negative_wraps"}, 1, [214, 321, 432, 43]),
        ({"ends": "negative_wraps_else_nearest"}, 1, [214, 321, 432, 443]),
        # Positions t - 2, t - 1 and t, where they should be t - 2, t and t + 2.
        ({"dilation": "in_the_zeros_only"}, 2, [100, 210, 321, 432]),
    ):
        found = convolution.conv1d_same.raw(*arguments, rate, **switch)
        np.testing.assert_allclose(found[0, :, 0], wanted)


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


def test_pairs_of_words_counted_in_other_ways():
    plain = 7 * 4 * 2 * 16
    for switch, pairs in (("without_order", 21), ("without_itself", 42)):
        found = steps.sequential_steps.raw("attention", 7, 4, pair_products=switch)
        assert found == (1, plain + 2 * 2 * pairs * 4)
