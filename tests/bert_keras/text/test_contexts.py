import numpy as np
import pytest

from bert_keras.text import contexts
from bert_keras.text.corpora import news_words
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.ngram_lm import ngram_lm


def test_every_word_with_the_neighbours_of_its_own_sentence():
    around, middle = contexts.context_windows([np.array([5, 6, 7, 8, 9]), np.array([4])], 2)
    assert middle.tolist() == [5, 6, 7, 8, 9, 4]
    assert around[0].tolist() == [0, 0, 6, 7]
    assert around[2].tolist() == [5, 6, 8, 9]
    assert around[5].tolist() == [0, 0, 0, 0]
    assert (around != 0).sum() == 14  # pairs of word and neighbour, the right edge included


def test_words_by_frequency_and_the_others_left_out():
    sentences = [["a", "b", "a"], ["c", "b", "a"]]
    words = contexts.frequent_words(sentences, 2)
    assert words == ["", "a", "b"]
    ids = contexts.encode_known(sentences, words)
    assert [row.tolist() for row in ids] == [[1, 2, 1], [2, 1]]


def test_thinning_depends_on_shares_and_not_on_counts():
    rng = np.random.default_rng(0)
    text = [np.array([1] * 90 + [2] * 10)] * 200
    once = np.concatenate(contexts.thin_out(text, 0.1, rng))
    kept = np.bincount(once, minlength=3) / np.array([1, 18000, 2000])
    assert kept[1] == pytest.approx((0.1 / 0.9) ** 0.5, abs=0.02)
    assert kept[2] == 1
    twice = np.concatenate(contexts.thin_out(text * 2, 0.1, rng))
    assert np.bincount(twice)[1] / 36000 == pytest.approx(kept[1], abs=0.02)


def test_pseudo_words_replace_both_words_or_a_share_of_them():
    text = [np.array([1, 2, 3, 4, 1])]
    assert contexts.merge_words(text, [(1, 3)], 9)[0].tolist() == [9, 2, 9, 4, 9]
    many = [np.array([1, 2, 3] * 1000)]
    half = contexts.merge_words(many, [(1, 3)], 9, share=0.5, rng=np.random.default_rng(1))[0]
    counts = np.bincount(half)
    assert counts[9] == pytest.approx(1000, abs=120) and counts[2] == 1000
    assert counts[1] + counts[3] + counts[9] == 2000


def test_pairs_are_about_equally_frequent_and_share_no_word():
    counts = np.array([0, *range(400, 0, -1)])
    pairs = contexts.similar_pairs(counts, 50, 350, 30, np.random.default_rng(2))
    words = [word for pair in pairs for word in pair]
    assert len(pairs) == 30 and len(set(words)) == 60
    assert all(50 <= word < 350 for word in words)
    assert all(2 / 3 <= counts[a] / counts[b] <= 3 / 2 for a, b in pairs)


def test_a_trigram_of_the_library():
    cats = [[1, 3], [1, 4], [2, 3]]
    found, perplexity = ngram_lm(cats, [[1, 3], [2, 4], []], 5, 0, (0.9, 0.8, 0.5))
    assert found.shape == (7,)
    assert found[1] == pytest.approx(0.472) and found[5] == pytest.approx(0.864)
    assert perplexity == pytest.approx(np.exp(-np.log(found).mean()))


def test_news_come_as_plain_words():
    with pytest.raises(CorpusError, match="'zh' or 'en'"):
        news_words.load("fr")
    try:
        found = news_words.load("en")
    except CorpusError as error:
        pytest.skip(str(error))
    assert set(found) == {"train", "dev", "test"}
    assert len(found["train"]) > 10 * len(found["dev"]) / 2 > 0
    assert all(sentence for sentence in found["dev"])
    assert all(word.replace("'", "").isalpha() for word in found["dev"][0])
