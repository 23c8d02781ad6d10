"""Cues and distractors, by hand, beside scikit-learn, and planted."""

import numpy as np
import pytest

from bert_keras.analysis.failure import (
    add_distractor,
    contrast_consistency,
    contrast_edit,
    cue_productivity,
    hypothesis_only_baseline,
)


def planted(seed, rows=600, share=0.8):
    """Texts of random words; the word "not" stands with class 1 in most cases."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(2, size=rows)
    texts = []
    for label in labels:
        words = [f"w{n}" for n in rng.integers(50, size=6)]
        if rng.random() < (share if label else 1 - share):
            words[rng.integers(6)] = "not"
        texts.append(" ".join(words))
    return texts, labels


@pytest.mark.parametrize("seed", range(3))
def test_naive_bayes_beside_scikit_learn(seed):
    bayes = pytest.importorskip("sklearn.naive_bayes")
    counting = pytest.importorskip("sklearn.feature_extraction.text")
    texts, labels = planted(seed)
    counter = counting.CountVectorizer(token_pattern=r"\S+").fit(texts[:400])
    model = bayes.MultinomialNB(alpha=1.0).fit(counter.transform(texts[:400]), labels[:400])
    found = hypothesis_only_baseline(texts[:400], labels[:400], texts[400:], 2)
    assert np.array_equal(found, model.predict(counter.transform(texts[400:])))


@pytest.mark.parametrize("seed", range(5))
def test_a_planted_cue_is_found_and_chance_is_not(seed):
    texts, labels = planted(seed, rows=2000)
    guesses = hypothesis_only_baseline(texts[:1000], labels[:1000], texts[1000:], 2)
    assert np.mean(guesses == labels[1000:]) > 0.72
    lots = np.random.default_rng(seed + 90).integers(2, size=2000)
    guesses = hypothesis_only_baseline(texts[:1000], lots[:1000], texts[1000:], 2)
    assert abs(np.mean(guesses == lots[1000:]) - 0.5) < 0.08  # 5 standard deviations


def test_unknown_words_and_ties():
    assert hypothesis_only_baseline(["a b", "A c"], [0, 1], ["zzz", "a", "C"], 2).tolist() == [
        0,
        0,
        1,
    ]


def test_productivity_by_hand():
    choices = [
        [{"not", "a"}, {"b"}],  # applies, and the right one has it
        [{"not"}, {"c"}],  # applies, the wrong one has it
        [{"not"}, {"not"}],  # doesn't apply
        [{"a"}, {"b"}],
        [{"not"}, {"not", "d"}, {"e"}],  # applies, but two have it
    ]
    assert cue_productivity(choices, [0, 1, 0, 0, 0], "not") == (1 / 3, 3 / 5)
    assert cue_productivity(choices, [0, 1, 0, 0, 0], "none") == (0.0, 0.0)


@pytest.mark.parametrize("seed", range(5))
def test_the_planted_cue_is_the_most_productive_of_those_that_cover_much(seed):
    texts, labels = planted(seed, rows=800)
    wrong = [text for text, label in zip(texts, labels, strict=True) if not label]
    right = [text for text, label in zip(texts, labels, strict=True) if label]
    rows = [[set(a.split()), set(b.split())] for a, b in zip(wrong, right, strict=False)]
    found = {cue: cue_productivity(rows, [1] * len(rows), cue) for cue in ("not", "w1", "w2", "w3")}
    assert found["not"][0] > 0.85 and found["not"][1] > 0.5
    assert all(0.2 < found[cue][0] < 0.8 for cue in ("w1", "w2", "w3"))


TEXT = ["the", "cat", "sat", "on", "the", "old", "mat"]


@pytest.mark.parametrize(
    ("position", "places"), [(0, (7, 8)), (5, (7, 8)), (7, (5, 6))], ids=["first", "before", "last"]
)
def test_the_answer_moves_with_the_text(position, places):
    words, answer = add_distractor(TEXT, (5, 6), ["a", "dog"], position)
    assert answer == places and words[answer[0] : answer[1] + 1] == ["old", "mat"]
    assert words[position : position + 2] == ["a", "dog"] and len(words) == 9 and len(TEXT) == 7


@pytest.mark.parametrize(
    ("distractor", "position", "said"),
    [
        (["x"], 8, "from 0 to 7"),
        (["x"], -1, "from 0 to 7"),
        (["x"], 6, "inside the answer"),
        (["an", "old", "mat"], 0, "has the answer in it"),
    ],
)
def test_what_would_spoil_the_question(distractor, position, said):
    with pytest.raises(ValueError, match=said):
        add_distractor(TEXT, (5, 6), distractor, position)


def test_opposites_are_read_both_ways():
    words = ["warm", "days", "and", "cold", "warm", "nights"]
    found = contrast_edit(words, {"warm": "cold"})
    assert [index for _, index in found] == [0, 3, 4]
    assert found[1][0] == ["warm", "days", "and", "warm", "warm", "nights"]
    assert contrast_edit(["x"], {"warm": "cold"}) == [] and words[0] == "warm"


def test_a_group_counts_only_as_a_whole():
    assert contrast_consistency([True, True, False, True, True], [0, 0, 1, 1, 7]) == 2 / 3
