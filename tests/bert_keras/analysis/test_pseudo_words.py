"""The probe of senses, on vectors whose answer is known."""

import numpy as np
import pytest

from bert_keras.analysis.pseudo_words import (
    Places,
    accuracy_by_kind,
    find_places,
    sense_accuracy,
    spread_out,
    sum_around,
    vectors_at,
)

TEXT = [np.array(row) for row in ([1, 5, 2, 5], [6, 1], [1, 7, 6, 5, 8], [3])]


def test_places_are_balanced_and_where_the_words_stand():
    places = find_places(TEXT, [(5, 6), (7, 8)], 9, np.random.default_rng(0))
    assert len(places.rows) == 6  # two 6 and, of three 5, two; one 7 and one 8
    for row, column, form, sense in zip(*places, strict=True):
        assert TEXT[row][column] == [(5, 6), (7, 8)][form][sense]
    assert np.bincount(2 * places.forms + places.senses).tolist() == [2, 2, 1, 1]
    fewer = find_places(TEXT, [(5, 6)], 1, np.random.default_rng(0))
    assert np.sort(fewer.senses).tolist() == [0, 1]


def test_vectors_are_those_of_the_places():
    """A model that says its token and how many real ones the row has."""
    places = find_places(TEXT, [(5, 6), (7, 8)], 9, np.random.default_rng(0))
    shapes = set()

    def read(token_ids, mask):
        shapes.add(token_ids.shape)
        length = np.broadcast_to(mask.sum(axis=1, keepdims=True), mask.shape)
        return [token_ids[..., None], np.stack([token_ids, length], axis=-1)]

    first, second = vectors_at(read, TEXT, places, batch_size=2)
    tokens = [TEXT[row][column] for row, column in zip(places.rows, places.columns, strict=True)]
    assert first[:, 0].tolist() == tokens == second[:, 0].tolist()
    assert second[:, 1].tolist() == [len(TEXT[row]) for row in places.rows]
    assert shapes == {(2, 5)}


def test_the_words_around_without_the_place_itself():
    places = Places(np.array([0, 2]), np.array([1, 4]), np.zeros(2, int), np.zeros(2, int))
    found = sum_around(np.eye(9), TEXT, places, reach=2)
    assert found[0].tolist() == np.eye(9)[[1, 2, 5]].sum(axis=0).tolist()  # 1 [5] 2 5
    assert found[1].tolist() == np.eye(9)[[6, 5]].sum(axis=0).tolist()  # 6 5 [8]


def drawn(count, seed, gap):
    """Places of two pseudo-words, and vectors in which the senses are `gap` apart."""
    rng = np.random.default_rng(seed)
    forms, senses = np.repeat([0, 1], 2 * count), np.tile([0, 1], 2 * count)
    vectors = rng.normal(size=(4 * count, 6))
    vectors[:, 2] += gap * (senses == forms)  # the other way round for the other form
    zeros = np.zeros_like(forms)
    return vectors.astype("float32"), Places(zeros, zeros, forms, senses)


def test_senses_far_apart_are_told_and_each_form_has_its_own_probe():
    found = sense_accuracy(*drawn(20, 0, 20.0), *drawn(20, 1, 20.0))
    np.testing.assert_array_equal(found, [1, 1])


def test_noise_is_chance():
    found = sense_accuracy(*drawn(200, 0, 0.0), *drawn(200, 1, 0.0))
    assert np.abs(found - 0.5).max() < 6 * np.sqrt(0.25 / 400)


def test_a_vector_that_is_the_same_everywhere_is_exactly_chance():
    _, train = drawn(20, 0, 0.0)
    vectors = np.repeat([[0.1, 0.7, -3.0]], 80, axis=0).astype("float32")
    np.testing.assert_array_equal(sense_accuracy(vectors, train, vectors, train), [0.5, 0.5])


def test_senses_count_alike():
    """Nine places of one sense and one of the other: always saying the first is half right."""
    vectors, train = drawn(20, 0, 20.0)
    test = Places(*(np.zeros(10, int) for _ in range(3)), np.array([0] * 9 + [1]))
    same = np.repeat(vectors[train.senses == 0][:1], 10, axis=0)
    assert sense_accuracy(vectors, train, same, test)[0] == 0.5


def test_the_probe_is_ridge_regression():
    """The same predictions as the primal form, on standardised features."""
    vectors, train = drawn(20, 0, 1.5)
    other, test = drawn(30, 1, 1.5)
    for form, found in enumerate(sense_accuracy(vectors, train, other, test, penalty=0.3)):
        x = vectors[train.forms == form].astype("float64")
        y = other[test.forms == form].astype("float64")
        goals = 2.0 * train.senses[train.forms == form] - 1
        y, x = (y - x.mean(0)) / x.std(0), (x - x.mean(0)) / x.std(0)
        weights = np.linalg.solve(x.T @ x + 0.3 * 6 * np.eye(6), x.T @ goals)
        senses = test.senses[test.forms == form]
        assert found == pytest.approx(np.mean((y @ weights > 0) == senses))


def test_each_kind_of_vector_is_asked():
    """The first layer sees the token only; the second also the one before, which tells."""
    rng = np.random.default_rng(0)
    senses = rng.integers(2, size=80)
    plain = [np.array([3 + sense, 1 + sense]) for sense in senses]
    merged = [np.array([sentence[0], 5]) for sentence in plain]
    parts = {"train": slice(40), "test": slice(40, 80)}
    places = {name: find_places(plain[part], [(1, 2)], 9, rng) for name, part in parts.items()}

    def read(token_ids, mask):
        before = np.pad(token_ids[:, :-1], ((0, 0), (1, 0)))
        return [np.eye(6)[token_ids], np.eye(6)[before]]

    text = {name: merged[part] for name, part in parts.items()}
    found = accuracy_by_kind(read, np.eye(6), text, places)
    assert found == {"layer_0": 0.5, "layer_1": 1, "all_layers": 1, "neighbours": 1}


def test_spread_out_finds_the_long_direction():
    line = np.outer([-2.0, -1.0, 1.0, 2.0], [3.0, 4.0])
    np.testing.assert_allclose(spread_out(line)[:, 0], [-10, -5, 5, 10], atol=1e-9)
    np.testing.assert_allclose(spread_out(line)[:, 1], 0, atol=1e-9)
    assert not spread_out(np.ones((5, 3))).any()
    assert spread_out(np.arange(4.0)[:, None]).shape == (4, 2)
