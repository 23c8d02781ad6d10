"""The tasks for frozen features, on sentences by hand; a mix that must find the telling layer."""

import numpy as np
import pytest

from bert_keras.training import probing_tasks
from bert_keras.training.small_elmo import padded, reader, train, with_marks

IDS = {"a": 4, "b": 5, "c": 6}


def test_sentences_stand_between_marks_and_unknown_tokens_have_one_number():
    assert with_marks("abxc", IDS).tolist() == [1, 4, 5, 3, 6, 2]
    rows = padded([with_marks("a", IDS), with_marks("ab", IDS)], 5)
    assert rows.tolist() == [[1, 4, 2, 0, 0], [1, 4, 5, 2, 0]]


def test_words_end_where_they_end():
    sentences = [("ab", "c", "ab"), ("a",), ("abcabcabc",)]
    token_ids, ends, asked = probing_tasks.word_ends(sentences, IDS, longest=6, count=9)
    assert token_ids.tolist() == [[1, 4, 5, 6, 4, 5, 2, 0]]  # the others are too short, too long
    assert ends[0].tolist() == [0, 0, 1, 1, 0, 1, 0, 0]
    assert asked[0].tolist() == [False] + [True] * 5 + [False] * 2


def test_the_next_character_is_asked_where_it_is_a_known_one():
    part = (np.array([[1, 4, 3, 5, 2, 0]]), None, None)
    _, labels, asked = probing_tasks.next_tokens(part)
    assert labels.tolist() == [[4, 3, 5, 2, 0, 0]]
    assert asked.tolist() == [[True, False, True, False, False, False]]


def test_names_are_scored_whole():
    labels = np.array([[0, 1, 2, 0, 3, 4, 0]])
    part = (np.full((1, 7), 4), labels, np.array([[False] + [True] * 5 + [False]]))
    scores = np.eye(7)[labels]
    assert probing_tasks.tags_f1(scores, part) == 1
    scores[0, 2] = np.eye(7)[0]  # the person ends too early; the place is right
    assert probing_tasks.tags_f1(scores, part) == pytest.approx(0.5)


def test_the_mix_finds_the_layer_that_tells():
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=600)
    layers = [rng.normal(size=(600, 8)) for _ in range(3)]
    layers[1][np.arange(600), labels] += 3
    layers = [100 * layer.astype("float32") for layer in layers]  # scaled away
    train_part, test_part = ([layer[s] for layer in layers] for s in (slice(500), slice(500, 600)))
    shares, scores = probing_tasks.linear_on_mix(
        train_part, labels[:500], test_part, 3, steps=150, seed=0
    )
    assert shares.argmax() == 1 and shares.sum() == pytest.approx(1, abs=1e-5)
    assert np.mean(scores.argmax(axis=-1) == labels[500:]) > 0.9


def test_the_tagger_reads_token_ids_or_layers():
    token_ids = np.array([[1, 4, 5, 2]], np.int32)
    layers = [np.ones((1, 4, 6), np.float32)] * 2
    for given in ([token_ids], layers):
        model, again = (
            probing_tasks.small_tagger(given, 7, learning_rate=0.01, seed=3) for _ in range(2)
        )
        scores = model.predict_on_batch(given)
        assert scores.shape == (1, 4, len(probing_tasks.TAGS))
        np.testing.assert_array_equal(scores, again.predict_on_batch(given))


def test_a_small_elmo_trains_and_reads():
    rows = [with_marks("abcabc"[:n], IDS) for n in (3, 4, 5, 6)] * 4
    sizes = {"longest": 8, "hidden_dim": 4, "batch_size": 8, "learning_rate": 1e-2}
    model = train(rows, 7, steps=2, seed=0, **sizes)
    again = train(rows, 7, steps=2, seed=0, **sizes)
    for one, other in zip(model.get_weights(), again.get_weights(), strict=True):
        np.testing.assert_array_equal(one, other)
    token_ids = padded(rows[:3], 8)
    layers = reader(model)(token_ids, token_ids != 0)
    assert [layer.shape for layer in layers] == [(3, 8, 8)] * 3
    expected = model.features({"token_ids": token_ids, "padding_mask": token_ids != 0})
    np.testing.assert_allclose(layers[2], expected[2], atol=1e-6)
