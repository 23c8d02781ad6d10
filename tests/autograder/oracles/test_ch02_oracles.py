"""Early attention and BLEU against entries written by hand."""

import math

import numpy as np
import pytest

from autograder.oracles import Crash, alignment, alignment_gradients, attention_step, bleu

ROW = np.array([[0.0, math.log(3), 5.0]])
MASK = np.array([[True, True, False]])


def test_a_mask_as_numbers():
    low, bits = alignment.mask_to_additive.raw(MASK, "float16")
    assert low.tolist() == [[0, 0, -3e4]] and bits == 16
    wrong, _ = alignment.mask_to_additive.raw(MASK, "float16", fill="-1e9")
    assert wrong[0, 2] == -np.inf
    fine, _ = alignment.mask_to_additive.raw(MASK, "float32", fill="-1e9")
    np.testing.assert_array_equal(fine, low)  # low enough is low enough
    times, _ = alignment.mask_to_additive.raw(MASK, "float16", fill="-1e9", open_entry="product")
    assert np.isnan(times[0, :2]).all() and times[0, 2] == -np.inf  # 0 times minus infinity


def test_masked_softmax_by_hand():
    np.testing.assert_allclose(alignment.masked_softmax.raw(ROW, MASK), [[0.25, 0.75, 0]])
    even = alignment.masked_softmax.raw(ROW, np.zeros((1, 3), bool))
    np.testing.assert_allclose(even, [[1 / 3] * 3])
    drowned = alignment.masked_softmax.raw(ROW, np.zeros((1, 3), bool), empty_row="added_-3e4")
    np.testing.assert_allclose(drowned, alignment.softmax(ROW, -1), atol=1e-9)


def test_the_largest_of_all_is_too_much_for_other_rows():
    rows = np.array([[600.0, 600.0], [-600.0, -600.0]])
    np.testing.assert_allclose(alignment.masked_softmax.raw(rows, None), np.full((2, 2), 0.5))
    with np.errstate(invalid="ignore"):
        found = alignment.masked_softmax.raw(rows, None, shift="all")
    assert np.isnan(found[1]).all() and found[0].tolist() == [0.5, 0.5]


def test_none_is_no_mask():
    assert isinstance(alignment.masked_softmax(ROW, None).predict({"no_mask": "used"}), Crash)
    masked = alignment.masked_softmax(ROW, MASK)
    np.testing.assert_allclose(masked.predict({"no_mask": "used"}), masked.value, atol=1e-6)


def test_gradients_by_hand():
    """d softmax = w (g - sum w g); of products: the other side; NumPy cuts the path."""
    wanted = np.array([[0.25, 0.75, 0]]) * (np.array([[1.0, 2.0, 9.0]]) - 1.75)
    cotangent = np.array([[1.0, 2.0, 9.0]])
    (found,) = alignment_gradients.masked_softmax.raw(ROW, MASK, cotangent)
    np.testing.assert_allclose(found, wanted, atol=1e-7)
    (lost,) = alignment_gradients.masked_softmax.raw(ROW, MASK, cotangent, gradient="lost")
    assert not lost.any()
    rng = np.random.default_rng(2)
    query, key, kernel = (rng.normal(size=size) for size in ((1, 2, 3), (1, 4, 5), (3, 5)))
    ones = np.ones((1, 2, 4))
    d_query, d_key, d_kernel = alignment_gradients.general_score.raw(query, key, kernel, ones)
    np.testing.assert_allclose(d_query, np.tile(key.sum(1) @ kernel.T, (1, 2, 1)), atol=1e-7)
    np.testing.assert_allclose(d_key, np.tile(query.sum(1) @ kernel, (1, 4, 1)), atol=1e-7)
    np.testing.assert_allclose(d_kernel, np.outer(query.sum(1), key.sum(1)), atol=1e-7)
    d_query, d_key = alignment_gradients.dot_score.raw(query, query, ones[..., :2])
    np.testing.assert_allclose(d_query, d_key, atol=1e-7)
    d_weights, d_value = alignment_gradients.context_vector.raw(
        ones, key, np.ones((1, 2, 5)), gradient="lost_in_1"
    )
    np.testing.assert_allclose(d_weights, np.tile(key.sum(-1)[:, None], (1, 2, 1)), atol=1e-7)
    assert not d_value.any()


@pytest.mark.parametrize(
    ("switch", "wanted"),
    [
        ({}, [[11, 5], [3, 1]]),
        ({"output": "transposed"}, [[11, 3], [5, 1]]),
        ({"scale": "dim"}, [[5.5, 2.5], [1.5, 0.5]]),
    ],
)
def test_dot_scores_by_hand(switch, wanted):
    query, key = np.array([[[1.0, 2.0], [0.0, 1.0]]]), np.array([[[5.0, 3.0], [3.0, 1.0]]])
    np.testing.assert_array_equal(alignment.dot_score.raw(query, key, **switch)[0], wanted)


def test_a_reshape_is_no_transpose():
    query, key = np.array([[[1.0, 2.0], [0.0, 1.0]]]), np.array([[[1.0, 5.0], [3.0, 1.0]]])
    found = alignment.dot_score.raw(query, key, turn="reshaped")[0]
    assert found.tolist() == [[7, 7], [3, 1]]


def test_the_three_scores_meet():
    """With an identity in between, general is dot; a slim network is nearly its linear part."""
    rng = np.random.default_rng(0)
    query, key = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4))
    np.testing.assert_allclose(
        alignment.general_score.raw(query, key, np.eye(4)), alignment.dot_score.raw(query, key)
    )
    small, scale = 1e-4 * np.eye(4), rng.normal(size=4)
    found = alignment.additive_score.raw(query, key, small, small, scale)
    linear = 1e-4 * ((query @ scale)[:, :, None] + (key @ scale)[:, None])
    np.testing.assert_allclose(found, linear, atol=1e-9)


def test_without_its_tanh_the_additive_score_forgets_the_query():
    rng = np.random.default_rng(1)
    shapes = ((1, 3, 4), (1, 5, 4), (4, 6), (4, 6), (6,))
    scores = alignment.additive_score.raw(
        *(rng.normal(size=shape) for shape in shapes), activation="none"
    )
    weights = alignment.softmax(scores, -1)[0]
    np.testing.assert_allclose(weights, np.tile(weights[:1], (3, 1)))


def test_context_by_hand():
    weights, value = np.array([[[0.0, 1.0], [0.5, 0.5]]]), np.array([[[2.0], [4.0]]])
    assert alignment.context_vector.raw(weights, value)[0].tolist() == [[4], [3]]
    turned = alignment.context_vector(weights[:, :1], value).predict({"mixing": "turned"})
    assert isinstance(turned, Crash)


def test_planted_walks():
    follow = np.roll(6 * np.eye(4), 1, axis=1)
    start, source = np.eye(4)[None, 3], 12 * np.eye(4)[None]
    copied = attention_step.alignment_matrix.raw(
        np.zeros((2, 4)), follow, np.ones((1, 4, 2)), [start], source, None
    )
    np.testing.assert_allclose(copied[0], np.eye(4), atol=1e-3)
    back = attention_step.alignment_matrix.raw(
        np.zeros((2, 4)), follow.T, np.ones((1, 4, 2)), [np.eye(4)[None, 0]], source, None
    )
    np.testing.assert_allclose(back[0], np.eye(4)[::-1], atol=1e-3)
    stuck = attention_step.alignment_matrix.raw(
        np.zeros((2, 4)), follow, np.ones((1, 4, 2)), [start], source, None, carried="nothing"
    )
    np.testing.assert_allclose(stuck[0].argmax(axis=-1), 0)


def test_a_look_by_hand():
    state, source = np.zeros((1, 2)), np.array([[[1.0, 0.0], [3.0, 2.0], [9.0, 9.0]]])
    context, weights = attention_step.look.raw(state, source, MASK)
    assert context.tolist() == [[2, 1]] and weights.tolist() == [[0.5, 0.5, 0]]
    ones = attention_step.look.raw(state, source, None, softmax_axis="queries")
    assert ones[0].tolist() == [[13, 11]] and ones[1].tolist() == [[1, 1, 1]]


@pytest.mark.parametrize(
    ("switch", "wanted"),
    [
        ({}, 100 * (3 / 4 * 1 / 3) ** 0.5 * math.exp(1 - 5 / 4)),
        ({"brevity": "none"}, 100 * (3 / 4 * 1 / 3) ** 0.5),
        ({"clip": "none"}, 100 * (4 / 4 * 1 / 3) ** 0.5 * math.exp(1 - 5 / 4)),
        ({"mean": "arithmetic"}, 100 * (3 / 4 + 1 / 3) / 2 * math.exp(1 - 5 / 4)),
        ({"divided_by": "reference"}, 100 * (3 / 5 * 1 / 4) ** 0.5 * math.exp(1 - 5 / 4)),
        ({"scale": "one"}, (3 / 4 * 1 / 3) ** 0.5 * math.exp(1 - 5 / 4)),
        ({"smoothing": "every_run"}, 100 * (3 / 4 * 1 / 3) ** 0.5 * math.exp(1 - 5 / 4)),
        ({"runs": "last_missing"}, 100 * (2 / 3 * 1 / 2) ** 0.5 * math.exp(1 - 5 / 4)),
        ({"brevity": "turned"}, 100 * (3 / 4 * 1 / 3) ** 0.5 * math.exp(1 - 4 / 5)),
        ({"orders": "four_roots"}, 100 * (3 / 4 * 1 / 3) ** 0.25 * math.exp(1 - 5 / 4)),
        ({"orders": "one_short_of_all"}, 100 * (3 / 4) ** 0.5 * math.exp(1 - 5 / 4)),
        ({"orders": "longest_never_counted"}, 0),
    ],
)
def test_bleu_by_hand(switch, wanted):
    """“a a b c” for “a b d c e”: a once too often; of its pairs only “a b” is there."""
    found = bleu.bleu.raw(["aabc"], ["abdce"], 2, False, **switch)
    assert found == pytest.approx(wanted)


def test_bleu_over_a_corpus():
    predictions, references = ["ab", "xyxy"], ["ab", "zzzz"]
    assert bleu.bleu.raw(predictions, references, 1, False) == pytest.approx(100 * 2 / 6)
    mean = bleu.bleu.raw(predictions, references, 1, False, level="sentences")
    assert mean == pytest.approx(50)
    joined = bleu.bleu.raw(["ab", "cd"], ["abc", "d"], 2, False, level="joined")
    assert joined == pytest.approx(100)
    assert bleu.bleu.raw(["ab"], ["ba"], 2, True) == pytest.approx(100 * 0.5**0.5)
    assert bleu.bleu.raw(["ab"], ["ba"], 2, False) == 0


def test_words_written_together_are_other_words():
    sides = [["now", "here"]], [["no", "where"]]
    assert bleu.bleu.raw(*sides, 2, True) == 0  # no single word is there
    sides = [["a", "now", "here"]], [["a", "no", "where"]]
    apart = bleu.bleu.raw(*sides, 2, True)
    assert apart == pytest.approx(100 * (1 / 3 * 1 / 3) ** 0.5)
    joined = bleu.bleu.raw(*sides, 2, True, runs="joined")
    assert joined == pytest.approx(100 * (1 / 3 * 2 / 3) ** 0.5)


def test_a_penalty_for_each_sentence():
    sides = ["ab", "abcd"], ["abcd", "abcd"]
    assert bleu.bleu.raw(*sides, 1, False) == pytest.approx(100 * math.exp(1 - 8 / 6))
    mean = bleu.bleu.raw(*sides, 1, False, brevity="each_averaged")
    assert mean == pytest.approx(100 * (math.exp(-1) + 1) / 2)
    product = bleu.bleu.raw(*sides, 1, False, brevity="each_multiplied")
    assert product == pytest.approx(100 * math.exp(-1))
    empty = bleu.bleu(["ab", ""], ["ab", "ab"], 1, False)
    assert isinstance(empty.predict({"brevity": "each_averaged"}), Crash)
    assert empty.predict({"brevity": "each_averaged_guarded"}) == pytest.approx(50)


def test_who_refuses():
    assert bleu.refused.raw(["a"], ["a", "b"]) and not bleu.refused.raw(["a"], ["b"])
    assert not bleu.refused.raw(["a"], ["a", "b"], pairing="cut")
    slices = bleu.bleu([["a", "b"]], [["a", "b"]], 1, False).predict({"unit": "slices"})
    assert isinstance(slices, Crash) and slices.types == ("TypeError",)
    assert bleu.bleu.raw(["ab"], ["ab"], 2, False, unit="slices") == pytest.approx(100)
