"""Words from characters against NumPy, window by window; padding; the highway's two ends."""

import numpy as np
import pytest
from keras import ops

from bert_keras.layers import CharCNN, Highway

FILTERS = [[1, 3], [2, 4], [4, 2]]


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


@pytest.fixture
def words(rng):
    """Two rows of three words of up to five characters; the last one is no word."""
    ids = rng.integers(1, 9, (2, 3, 5)) * (np.arange(5) < [[[5], [2], [1]], [[3], [4], [0]]])
    return ids.astype("int32")


@pytest.fixture
def layer(randomized, words):
    return randomized(CharCNN(9, 6, filters=FILTERS, character_dim=4), words)


def numpy_word(w, characters):
    """One word without padding, in float64."""
    x = w["characters/embeddings"][characters]  # (C, E)
    found = []
    for width, count in FILTERS:
        kernel, bias = w[f"width_{width}/kernel"], w[f"width_{width}/bias"]
        windows = []
        for start in range(len(x)):
            total = bias.copy()
            for row in range(width):
                if start + row < len(x):
                    total += x[start + row] @ kernel[row]
            windows.append(np.maximum(total, 0))
        found.append(np.max(windows, axis=0) if windows else np.zeros(count))
    x = np.concatenate(found)
    for number in range(2):
        path = f"highway_{number}"
        gate = 1 / (1 + np.exp(-(x @ w[f"{path}/gate/kernel"] + w[f"{path}/gate/bias"])))
        new = np.maximum(x @ w[f"{path}/transform/kernel"] + w[f"{path}/transform/bias"], 0)
        x = gate * new + (1 - gate) * x
    return x @ w["output/kernel"] + w["output/bias"]


def test_every_word_is_what_numpy_makes_of_the_definition(layer, words):
    w = {v.path.split("/", 1)[1]: numbers(v).astype("float64") for v in layer.weights}
    found = numbers(layer(words))
    for row, place in np.ndindex(2, 3):
        characters = words[row, place][words[row, place] > 0]
        np.testing.assert_allclose(found[row, place], numpy_word(w, characters), atol=1e-5)


def test_more_room_for_characters_moves_nothing(layer, words):
    wider = np.pad(words, ((0, 0), (0, 0), (0, 6)))
    np.testing.assert_allclose(numbers(layer(wider)), numbers(layer(words)), atol=1e-6)
    np.testing.assert_allclose(
        numbers(layer(words[:, 1:2, :4])), numbers(layer(words))[:, 1:2], atol=1e-6
    )


def test_the_order_of_characters_counts(layer):
    one, other = numbers(layer(np.array([[[1, 2, 3], [3, 2, 1]]], "int32")))[0]
    assert np.abs(one - other).max() > 1e-2


def test_a_highway_begins_as_little_more_than_a_road_and_can_be_closed(rng):
    x = rng.normal(size=(2, 3, 4)).astype("float32")
    closed = Highway(gate_bias=-30.0)
    np.testing.assert_allclose(numbers(closed(x)), x, atol=1e-6)
    opened = Highway(gate_bias=30.0)
    opened(x)
    kernel, bias = (numbers(v) for v in opened.transform_dense.weights)
    np.testing.assert_allclose(numbers(opened(x)), np.maximum(x @ kernel + bias, 0), atol=1e-5)
    assert numbers(Highway().gate_bias) == -2
