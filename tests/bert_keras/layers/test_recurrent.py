import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.layers.recurrent import (
    RecurrentCell,
    gru_step,
    lstm_step,
    masked_unroll,
    rnn_step,
)

LAYERS = {"rnn": keras.layers.SimpleRNN, "lstm": keras.layers.LSTM, "gru": keras.layers.GRU}
STEPS = {"rnn": (rnn_step, 1), "lstm": (lstm_step, 2), "gru": (gru_step, 1)}


def walking(kind, hidden_dim, **options):
    """Our cell in Keras's loop."""
    cell = RecurrentCell(kind, hidden_dim)
    return keras.layers.RNN(cell, return_sequences=True, return_state=True, **options)


def keras_twin(layer, kind, hidden_dim, x, **options):
    """Keras's own layer with the same weights."""
    twin = LAYERS[kind](hidden_dim, return_sequences=True, return_state=True, **options)
    twin(x)
    twin.set_weights(layer.get_weights())
    return twin


@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("go_backwards", [False, True])
def test_the_cell_against_kerass_layer(kind, padded, go_backwards, rng, randomized):
    x = rng.normal(size=(3, 7, 4)).astype("float32")
    mask = np.arange(7) < np.array([[7], [4], [1]]) if padded else None
    layer = randomized(walking(kind, 5, go_backwards=go_backwards), x)
    twin = keras_twin(layer, kind, 5, x, go_backwards=go_backwards)
    for ours, theirs in zip(layer(x, mask=mask), twin(x, mask=mask), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize("kind", LAYERS)
def test_unrolling_over_padding_against_kerass_layer(kind, rng, randomized):
    x = rng.normal(size=(3, 6, 4)).astype("float32")
    mask = np.arange(6) < np.array([[6], [4], [1]])
    layer = randomized(LAYERS[kind](5, return_sequences=True, return_state=True), x)
    expected, *expected_states = layer(x, mask=mask)
    function, number = STEPS[kind]
    weights = layer.get_weights()

    def step(token, *states):
        moved = function(token, *states, *weights)
        return moved if isinstance(moved, tuple) else (moved,)

    zeros = (np.zeros((3, 5), "float32"),) * number
    outputs, states = masked_unroll(step, x, zeros, mask)
    np.testing.assert_allclose(outputs, expected, atol=1e-5)
    for state, wanted in zip(states, expected_states, strict=True):
        np.testing.assert_allclose(state, wanted, atol=1e-5)


def test_steps_against_arithmetic_by_hand():
    one = np.ones((1, 1), "float32")
    tanh, sigmoid = np.tanh, lambda z: 1 / (1 + np.exp(-z))
    state = rnn_step(2 * one, 3 * one, 0.5 * one, -0.25 * one, np.float32([0.125]))
    np.testing.assert_allclose(state, [[tanh(1 - 0.75 + 0.125)]], rtol=1e-6)
    kernel = np.float32([[0.1, 0.2, 0.3, 0.4]])
    bias = np.float32([0.01, 0.02, 0.03, 0.04])
    state, carry = lstm_step(one, one, 2 * one, kernel, -kernel, bias)
    wanted = sigmoid(0.02) * 2 + sigmoid(0.01) * tanh(0.03)
    np.testing.assert_allclose(carry, [[wanted]], rtol=1e-6)
    np.testing.assert_allclose(state, [[sigmoid(0.04) * tanh(wanted)]], rtol=1e-6)
    kernel, bias = np.float32([[0.1, 0.2, 0.3]]), np.float32([[1, 2, 3], [-0.1, -0.2, -0.3]])
    state = gru_step(one, 2 * one, kernel, 2 * kernel, bias)
    update, reset = sigmoid(0.1 + 1 + 0.4 - 0.1), sigmoid(0.2 + 2 + 0.8 - 0.2)
    candidate = tanh(0.3 + 3 + reset * (1.2 - 0.3))
    np.testing.assert_allclose(state, [[update * 2 + (1 - update) * candidate]], rtol=1e-6)


def test_unrolling_carries_the_state_over_padding():
    """Counting: each real token adds its number to the state."""
    x = np.float32([[[1], [2], [4]], [[8], [16], [32]]])
    mask = np.array([[True, True, True], [True, False, True]])
    outputs, (total,) = masked_unroll(
        lambda token, state: (state + token,), x, (np.zeros((2, 1), "float32"),), mask
    )
    np.testing.assert_array_equal(ops.convert_to_numpy(outputs)[..., 0], [[1, 3, 7], [8, 8, 40]])
    np.testing.assert_array_equal(total, [[7], [40]])


def test_the_mask_travels_from_an_embedding_and_both_directions_start_at_real_tokens():
    ids = np.array([[3, 1, 2, 0, 0], [1, 2, 0, 0, 0]])
    embedding = keras.layers.Embedding(4, 6, mask_zero=True)
    both = keras.layers.Bidirectional(keras.layers.RNN(RecurrentCell("gru", 3)))
    inputs = keras.Input((None,), dtype="int32")
    model = keras.Model(inputs, both(embedding(inputs)))
    padded = model.predict_on_batch(ids)
    np.testing.assert_allclose(padded[:1], model.predict_on_batch(ids[:1, :3]), atol=1e-6)
    np.testing.assert_allclose(padded[1:], model.predict_on_batch(ids[1:, :2]), atol=1e-6)


def test_the_forget_gate_starts_open():
    cell = RecurrentCell("lstm", 2, forget_bias=3.0)
    cell.build((None, 4))
    np.testing.assert_array_equal(cell.bias, [0, 0, 3, 3, 0, 0, 0, 0])


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="'elman', not one of rnn, lstm, gru"):
        RecurrentCell("elman", 3)


@pytest.mark.parametrize("kind", LAYERS)
def test_the_cell_saves_trains_and_runs_in_half_precision(kind, rng, tmp_path):
    x = rng.normal(size=(4, 5, 3)).astype("float32")
    inputs = keras.Input((None, 3))
    model = keras.Model(inputs, keras.layers.RNN(RecurrentCell(kind, 4, forget_bias=0.5))(inputs))
    model.save(tmp_path / "cell.keras")
    restored = keras.models.load_model(tmp_path / "cell.keras")
    assert restored.layers[-1].cell.get_config() == model.layers[-1].cell.get_config()
    np.testing.assert_allclose(restored.predict_on_batch(x), model.predict_on_batch(x), atol=1e-6)
    before = model.get_weights()
    model.compile(optimizer="sgd", loss="mean_squared_error")
    model.train_on_batch(x, rng.normal(size=(4, 4)).astype("float32"))
    assert all((a != b).any() for a, b in zip(before, model.get_weights(), strict=True))
    half = keras.layers.RNN(RecurrentCell(kind, 4, dtype="mixed_float16"), dtype="mixed_float16")
    assert half(x).dtype == "float16" and {w.dtype for w in half.weights} == {"float32"}
