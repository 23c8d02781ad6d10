import pytest

from bert_keras.text.rouge import rouge, rouge_l, rouge_n


def test_by_hand():
    said, wanted = (
        ["the", "cat", "sat", "on", "the", "mat"],
        ["the", "cat", "lay", "on", "a", "mat"],
    )
    # the, cat, on, mat of six and six words; "the cat" of five and five pairs.
    assert rouge_n(said, wanted, 1) == pytest.approx(8 / 12)
    assert rouge_n(said, wanted, 2) == pytest.approx(2 / 10)
    assert rouge_l(said, wanted) == pytest.approx(8 / 12)  # the cat … on … mat
    assert rouge_l(wanted[::-1], wanted) == pytest.approx(2 / 12)
    # A word counts as often as both have it.
    assert rouge_n(["a", "a", "a"], ["a", "a"], 1) == pytest.approx(4 / 5)


def test_nothing_said_is_worth_nothing():
    assert rouge_n([], ["a"], 1) == rouge_l(["a"], []) == rouge_n(["a"], ["b", "a"], 2) == 0.0
    assert rouge([], []) == {"rouge_1": 0.0, "rouge_2": 0.0, "rouge_l": 0.0}


def test_means_over_texts_whose_words_are_folded_and_in_chinese_characters():
    found = rouge(["The mat!", "月港"], ["the mat", "石港"])
    assert found["rouge_1"] == pytest.approx((4 / 5 + 1 / 2) / 2)
    assert found["rouge_2"] == pytest.approx((2 / 3 + 0) / 2)
