import collections

import numpy as np
import pytest

from bert_keras.text.corpora import referent
from bert_keras.text.corpora.archives import CorpusError


@pytest.mark.parametrize("language", referent.LANGUAGES)
@pytest.mark.parametrize("split", ["train", "test"])
def test_every_word_is_a_coin(language, split):
    """No weight per word can tell first from second: every word sees both labels equally often."""
    labels = collections.defaultdict(list)
    for sentence in referent.load(language, 400, split):
        for word in set(sentence.tokens):
            labels[word].append(sentence.label)
    assert len(labels) > 60
    assert {np.mean(found) for found in labels.values()} == {0.5}


@pytest.mark.parametrize("language", referent.LANGUAGES)
def test_no_linear_model_on_word_counts_beats_a_coin(language):
    """At zero weights the gradient of the (convex) logistic loss vanishes: it is the optimum."""
    sentences = referent.load(language, 400)
    ids = {word: i for i, word in enumerate(referent.vocabulary(language))}
    counts = np.zeros((len(sentences), len(ids)))
    for row, sentence in enumerate(sentences):
        for word in sentence.tokens:
            counts[row, ids[word]] += 1
    errors = 0.5 - np.array([sentence.label for sentence in sentences])
    np.testing.assert_array_equal(counts.T @ errors, 0)
    assert errors.sum() == 0


@pytest.mark.parametrize("language", referent.LANGUAGES)
def test_the_adjective_alone_turns_the_answer(language):
    """Without the last adjective every sentence has both answers."""
    answers = collections.defaultdict(set)
    for sentence in referent.load(language, 400):
        rest = list(sentence.tokens)
        rest[sentence.adjective] = "_"
        answers[tuple(rest)].add(sentence.label)
    assert all(found == {0, 1} for found in answers.values())


@pytest.mark.parametrize("language", referent.LANGUAGES)
def test_positions_point_at_what_they_say(language):
    pronoun = {"en": "it", "zh": "它"}[language]
    nouns = {
        noun for scene in referent.SCENES[language] for _, noun in (*scene.nouns_a, *scene.nouns_b)
    }
    for sentence in referent.load(language, 200, seed=3):
        assert sentence.tokens[sentence.pronoun] == pronoun
        first, second = sentence.nouns
        assert first < second < sentence.pronoun < sentence.adjective
        assert {sentence.tokens[first], sentence.tokens[second]} <= nouns
        assert sentence.referent == sentence.nouns[sentence.label]


@pytest.mark.parametrize("language", referent.LANGUAGES)
def test_answers_of_the_test_split_are_new(language):
    def pairs(split):
        return {
            (sentence.tokens[sentence.referent], sentence.tokens[sentence.adjective])
            for sentence in referent.load(language, 2000, split)
        }

    train, test = pairs("train"), pairs("test")
    assert not train & test
    assert len(test) > 40
    for tired, wide in [referent.example(language)]:
        for sentence in (tired, wide):
            answer = sentence.tokens[sentence.referent], sentence.tokens[sentence.adjective]
            assert answer not in train
    assert {word for pair in test for word in pair} <= {word for pair in train for word in pair}


def test_truth_by_hand():
    tired, wide = referent.example("en")
    assert tired.text() == "The animal didn't cross the street because it was too tired."
    assert wide.text() == "The animal didn't cross the street because it was too wide."
    assert tired.tokens[tired.referent] == "animal"
    assert wide.tokens[wide.referent] == "street"
    assert (tired.label, wide.label) == (0, 1)
    tired, wide = referent.example("zh")
    assert tired.text() == "那只动物没有穿过那条街道，因为它太累了。"
    assert wide.tokens[wide.referent] == "街道"


@pytest.mark.parametrize("language", referent.LANGUAGES)
def test_seeded(language):
    assert referent.load(language, 40, seed=5) == referent.load(language, 40, seed=5)
    assert referent.load(language, 40, seed=5) != referent.load(language, 40, seed=6)


@pytest.mark.parametrize("language", referent.LANGUAGES)
def test_encode(language):
    sentences = referent.load(language, 40)
    token_ids, pronoun, label = referent.encode(sentences, language, length=15)
    vocabulary = referent.vocabulary(language)
    assert vocabulary[0] == referent.PAD
    assert len(set(vocabulary)) == len(vocabulary)
    assert token_ids.shape == (40, 15)
    for row, sentence in enumerate(sentences):
        words = [vocabulary[i] for i in token_ids[row] if i]
        assert tuple(words) == sentence.tokens
        assert (pronoun[row], label[row]) == (sentence.pronoun, sentence.label)


def test_clear_errors():
    with pytest.raises(ValueError, match="'fr'"):
        referent.load("fr", 4)
    with pytest.raises(ValueError, match="'dev'"):
        referent.load("en", 4, split="dev")
    with pytest.raises(ValueError, match="multiple of 4"):
        referent.load("en", 6)
    with pytest.raises(ValueError, match="length is 3"):
        referent.encode(referent.load("en", 4), "en", length=3)


@pytest.mark.parametrize("language", referent.LANGUAGES)
def test_three_parts_that_share_no_answer(language):
    parts = referent.load_splits(language=language, size=320)
    assert {name: len(rows) for name, rows in parts.items()} == {
        "train": 320,
        "dev": 40,
        "test": 40,
    }
    every = [sentence for rows in parts.values() for sentence in rows]
    assert len(set(every)) == len(every)
    answers = {
        name: {(s.tokens[s.referent], s.tokens[s.adjective]) for s in rows}
        for name, rows in parts.items()
    }
    assert not answers["train"] & (answers["dev"] | answers["test"])
    assert referent.load_splits(language=language, size=320) == parts
    with pytest.raises(CorpusError, match="language is 'xx'; it can be en or zh"):
        referent.load_splits(language="xx")
    with pytest.raises(ValueError, match="it must be a multiple of 32"):
        referent.load_splits(language=language, size=100)
