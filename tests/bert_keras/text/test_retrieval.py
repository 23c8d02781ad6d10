import math

import pytest

from bert_keras.text.retrieval import BM25


def test_scores_by_hand():
    texts = ["red fox", "red red hen in a barn", "a barn"]
    found = BM25(texts).scores("Red barn!")
    mean, k, b = 10 / 3, 1.2, 0.75

    def part(holding, count, length):
        rarity = math.log(1 + (3 - holding + 0.5) / (holding + 0.5))
        return rarity * count * (k + 1) / (count + k * (1 - b + b * length / mean))

    assert found == pytest.approx(
        [part(2, 1, 2), part(2, 2, 6) + part(2, 1, 6), part(2, 1, 2)], abs=1e-12
    )


def test_rare_words_decide_and_equals_keep_their_order():
    search = BM25(["the cat", "the dog", "the cow", "the dog"])
    assert search.rank("the dog") == [1, 3, 0, 2]
    assert search.rank("the dog", 1) == [1]
    assert search.rank("nothing of this") == [0, 1, 2, 3] and search.scores("x") == [0.0] * 4
    assert BM25([]).rank("the dog") == []


def test_chinese_words_are_characters():
    assert (
        BM25(["石桥的首府是月港", "石桥出口茶叶", "青川建于1356年"]).rank("石桥出口什么?")[0] == 1
    )
