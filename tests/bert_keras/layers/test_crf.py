"""The CRF against all sequences of tags, one by one, in float64."""

import itertools

import keras
import numpy as np
import pytest
from backend_tools import randomize, step
from keras import ops

from bert_keras.layers import LinearChainCRF
from bert_keras.layers.crf import FORBIDDEN
from bert_keras.text.word_labels import legal_transitions, viterbi

C = 3


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


def worths(scores, moves, starts, ends):
    """Every sequence of tags → what it is worth; `scores` are those of judged words."""
    return {
        path: starts[path[0]]
        + sum(score[tag] for score, tag in zip(scores, path, strict=True))
        + sum(moves[pair] for pair in itertools.pairwise(path))
        + ends[path[-1]]
        for path in itertools.product(range(len(starts)), repeat=len(scores))
    }


def log_sum(values):
    values = np.array(list(values))
    return values.max() + np.log(np.exp(values - values.max()).sum())


@pytest.fixture
def rows():
    """Six rows; words that are not judged stand before, between and behind those that are."""
    rng = np.random.default_rng(5)
    mask = np.array([[1] * 5, [1, 1, 1, 0, 0], [0, 1, 0, 1, 1], [0, 0, 1, 0, 0], [1, 0, 0, 0, 1],
                     [0] * 5], bool)  # fmt: skip
    return {
        "scores": (2 * rng.normal(size=(6, 5, C))).astype("float32"),
        "labels": rng.integers(0, C, (6, 5)).astype("int32"),
        "label_mask": mask,
    }


@pytest.fixture
def crf():
    layer = LinearChainCRF(C, scale=1.5)
    layer.build()
    randomize(layer)
    return layer


def test_partition_and_likelihood_are_those_of_all_sequences(crf, rows):
    potentials = crf.potentials()
    for weight, value in zip(crf.get_weights(), potentials, strict=True):
        np.testing.assert_allclose(value, 1.5 * weight, rtol=1e-6)
    partitions = numbers(crf.log_partition(rows["scores"], rows["label_mask"]))
    likelihoods = numbers(crf(**rows))
    for row in range(5):
        judged = rows["label_mask"][row]
        table = worths(rows["scores"][row][judged].astype("float64"), *potentials)
        total = log_sum(table.values())
        assert partitions[row] == pytest.approx(total, abs=1e-5)
        right = table[tuple(rows["labels"][row][judged])] - total
        assert likelihoods[row] == pytest.approx(right, abs=1e-5) and right < 0
    assert partitions[5] == likelihoods[5] == 0


def test_likelihoods_of_all_sequences_add_up_to_one(crf, rows):
    paths = np.array(list(itertools.product(range(C), repeat=4)), "int32")  # (81, 4)
    scores = np.broadcast_to(rows["scores"][:1, :4], (81, 4, C))
    likelihoods = numbers(crf(scores, paths, np.ones((81, 4), bool)))
    assert np.exp(likelihoods.astype("float64")).sum() == pytest.approx(1, abs=1e-5)


def test_moves_worth_nothing_leave_the_softmax_of_every_word(rows):
    logs = rows["scores"].astype("float64")
    logs -= np.log(np.exp(logs).sum(-1, keepdims=True))
    each = np.take_along_axis(logs, rows["labels"][..., None], axis=-1)[..., 0]
    right = np.where(rows["label_mask"], each, 0).sum(axis=1)
    np.testing.assert_allclose(numbers(LinearChainCRF(C)(**rows)), right, atol=1e-5)


def test_words_that_are_not_judged_do_not_matter(crf, rows):
    mask = rows["label_mask"]
    other = {
        "scores": np.where(mask[..., None], rows["scores"], 77.0).astype("float32"),
        "labels": np.where(mask, rows["labels"], -1).astype("int32"),
        "label_mask": mask,
    }
    np.testing.assert_array_equal(numbers(crf(**other)), numbers(crf(**rows)))
    # Nor does how many there are.
    longer = {
        name: np.concatenate([array, np.zeros_like(array[:, :2])], axis=1)
        for name, array in rows.items()
    }
    np.testing.assert_allclose(numbers(crf(**longer)), numbers(crf(**rows)), atol=1e-5)


def test_gradients_are_those_of_finite_differences(crf, rows):
    """Of float64 sums over all sequences, by central differences; also that of the scores."""
    weights = [weight.astype("float64") for weight in crf.get_weights()]
    share = np.random.default_rng(2).normal(size=6)

    def value(weights, scores):
        total = 0.0
        for row in range(5):
            judged = rows["label_mask"][row]
            table = worths(scores[row][judged], *(1.5 * weight for weight in weights))
            worth = table[tuple(rows["labels"][row][judged])]
            total += share[row] * (worth - log_sum(table.values()))
        return total

    def difference(array, index):
        found = []
        for change in (1e-5, -1e-5):
            array[index] += change
            found.append(value(weights, scores))
            array[index] -= change
        return (found[0] - found[1]) / 2e-5

    scores = rows["scores"].astype("float64")
    _, gradients, _ = step(crf, rows, lambda x: ops.sum(x * share.astype("float32")))
    for weight, gradient in zip(weights, gradients, strict=True):
        for index in np.ndindex(weight.shape):
            assert gradient[index] == pytest.approx(difference(weight, index), abs=1e-4)
    _, gradient = gradient_of_scores(crf, rows, share.astype("float32"))
    for index in np.ndindex(scores.shape):
        assert gradient[index] == pytest.approx(difference(scores, index), abs=1e-4)


def gradient_of_scores(crf, rows, share):
    """As of a weight: the scores come from a layer that learns them."""

    class Learned(keras.Layer):
        def __init__(self):
            super().__init__()
            self.crf = crf
            self.scores = self.add_weight(shape=rows["scores"].shape, name="scores")

        def call(self, labels, label_mask):
            return self.crf(ops.convert_to_tensor(self.scores), labels, label_mask)

    layer = Learned()
    layer.scores.assign(rows["scores"])
    rest = {name: rows[name] for name in ("labels", "label_mask")}
    layer(**rest)
    _, gradients, outputs = step(layer, rest, lambda x: ops.sum(x * share))
    place = [variable.path for variable in layer.trainable_variables].index(layer.scores.path)
    return outputs, gradients[place]


def test_viterbi_reads_the_sequence_that_is_worth_most(crf, rows):
    moves, starts, ends = crf.potentials()
    for row in range(5):
        scores = rows["scores"][row][rows["label_mask"][row]].astype("float64")
        table = worths(scores, moves, starts, ends)
        scores[-1] += ends
        assert tuple(viterbi(scores, moves, starts)) == max(table, key=table.get)


def test_what_is_forbidden_has_no_share_and_learns_nothing():
    tags = ["O", "B-PER", "I-PER"]
    allowed_starts, allowed_moves = (x.tolist() for x in legal_transitions(tags))
    crf = LinearChainCRF(C, allowed_starts, allowed_moves)
    crf.build()
    randomize(crf)
    moves, starts, ends = crf.potentials()
    assert np.isneginf(starts[2]) and np.isneginf(moves[0, 2]) and np.isfinite(moves[1:]).all()
    scores = np.random.default_rng(1).normal(size=(1, 4, C)).astype("float32")
    rows = {
        "scores": scores,
        "labels": np.array([[0, 1, 2, 0]], "int32"),
        "label_mask": np.ones((1, 4), bool),
    }
    table = worths(scores[0].astype("float64"), moves, starts, ends)
    right = table[0, 1, 2, 0] - log_sum(table.values())
    assert numbers(crf(**rows))[0] == pytest.approx(right, abs=1e-5)
    _, (of_moves, of_starts, _), _ = step(crf, rows, ops.sum)
    assert of_starts[2] == 0 and of_moves[0, 2] == 0
    illegal = {**rows, "labels": np.array([[2, 1, 2, 0]], "int32")}
    assert numbers(crf(**illegal))[0] < FORBIDDEN / 2


def test_training_makes_the_right_tags_likelier():
    """Tags that take turns, of words whose scores say nothing: only the moves can learn it."""
    rows = {
        "scores": np.zeros((4, 6, 2), "float32"),
        "labels": np.array([[0, 1, 0, 1, 0, 1]] * 4, "int32"),
        "label_mask": np.arange(6) < np.array([6, 5, 3, 2])[:, None],
    }
    crf = LinearChainCRF(2)
    before = numbers(crf(**rows))
    np.testing.assert_allclose(before, np.log(0.5) * np.array([6, 5, 3, 2]), atol=1e-5)
    optimizer = keras.optimizers.Adam(0.2)
    optimizer.build(crf.trainable_variables)
    for _ in range(30):
        _, gradients, _ = step(crf, rows, lambda x: -ops.mean(x))
        optimizer.apply([ops.convert_to_tensor(gradient) for gradient in gradients])
    assert (numbers(crf(**rows)) > -0.2).all()
    moves, starts, _ = crf.potentials()
    assert viterbi(np.zeros((5, 2)), moves, starts) == [0, 1, 0, 1, 0]
