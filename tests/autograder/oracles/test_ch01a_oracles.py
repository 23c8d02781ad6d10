"""Recurrent steps, encoder and decoder in NumPy against Keras and against arithmetic by hand."""

import numpy as np
import pytest

from autograder.oracles import decoding, recurrent, recurrent_gradients, seq2seq, sequences
from autograder.stand_ins import ch01a_seq2seq as stand_ins

CELLS = {
    "SimpleRNNCell": (recurrent.rnn_step, 1),
    "LSTMCell": (recurrent.lstm_step, 2),
    "GRUCell": (recurrent.gru_step, 1),
}


@pytest.mark.parametrize("name", CELLS)
def test_steps_equal_kerass_cells(name):
    keras = pytest.importorskip("keras")
    oracle, count = CELLS[name]
    rng = np.random.default_rng(1)
    x, states = rng.normal(size=(3, 5)), tuple(rng.normal(size=(count, 3, 4)))
    cell = getattr(keras.layers, name)(4)
    cell.build((3, 5))
    weights = [rng.normal(size=weight.shape) for weight in cell.weights]
    cell.set_weights(weights)
    _, theirs = cell(x.astype("float32"), [s.astype("float32") for s in states])
    mine = oracle.raw(x, *states, *weights)
    for ours, other in zip(mine if count > 1 else (mine,), theirs, strict=True):
        np.testing.assert_allclose(ours, other, atol=2e-6)


def test_an_lstm_by_hand():
    """All sums 1 and a carry of 0.5: three well-known ways of getting it wrong."""
    one, zero = np.ones((1, 1)), np.zeros((1, 4))
    inputs = (0 * one, 0 * one, 0.5 * one, zero, zero, np.ones(4))

    def numbers(**switches):
        return [
            round(float(part[0, 0]), 4) for part in recurrent.lstm_step.raw(*inputs, **switches)
        ]

    assert numbers() == [0.5315, 0.9223]
    assert numbers(shown="no_tanh") == [0.6743, 0.9223]
    assert numbers(shown="tanh_stored")[1] == 0.727
    assert numbers(combined="added")[1] == 1.8582


def test_the_gradient_along_the_carry_is_the_forget_gate():
    rng = np.random.default_rng(2)
    x, state, carry = rng.normal(size=(2, 3)), rng.normal(size=(2, 4)), rng.normal(size=(2, 4))
    weights = rng.normal(size=(3, 16)), rng.normal(size=(4, 16)), rng.normal(size=16)
    total = x @ weights[0] + state @ weights[1] + weights[2]
    forget = recurrent.sigmoid(total[:, 4:8])
    (found,) = recurrent_gradients.carry_gradient(x, state, carry, *weights, np.ones((2, 4))).value
    np.testing.assert_allclose(found, forget, atol=1e-8)


def test_unrolling_counts_real_tokens_only():
    def step(x, total):
        return (total + x,)

    x = np.array([[[1.0], [2.0], [4.0]], [[8.0], [16.0], [32.0]]])
    mask = np.array([[True, True, True], [True, False, True]])
    outputs, total = sequences.masked_unroll.raw(step, x, (np.zeros((2, 1)),), mask)
    np.testing.assert_array_equal(outputs[..., 0], [[1, 3, 7], [8, 8, 40]])
    np.testing.assert_array_equal(total, [[7], [40]])


def test_the_stand_in_step_is_bounded_and_minds_its_states():
    rng = np.random.default_rng(3)
    step = stand_ins.fading_memories(rng.normal(size=(3, 4)), rng.normal(size=(3, 2)))
    new = step(rng.normal(size=(5, 3)), np.ones((5, 4)), np.ones((5, 2)))
    assert [part.shape for part in new] == [(5, 4), (5, 2)]
    assert all(np.abs(part).max() <= 0.5 for part in new)
    with pytest.raises(TypeError, match=r"2 states, not 1|2 个状态，拿到的是 1"):
        step(rng.normal(size=(5, 3)), np.ones((5, 4)))


def test_a_batch_by_hand():
    vocabulary = {"b": 0, "[EOS]": 1, "[PAD]": 2, "a": 3, "[UNK]": 4, "[BOS]": 5}
    ids, mask = sequences.encode_batch.raw([["a", "b", "x"], []], vocabulary)
    assert ids.tolist() == [[5, 3, 0, 4, 1], [5, 1, 2, 2, 2]]
    assert mask.tolist() == [[True] * 5, [True, True, False, False, False]]
    inputs, labels, label_mask = sequences.shift_right.raw(ids, mask)
    assert inputs.tolist() == [[5, 3, 0, 4], [5, 1, 2, 2]]
    assert labels.tolist() == [[3, 0, 4, 1], [1, 2, 2, 2]]
    assert label_mask.tolist() == [[True] * 4, [True, False, False, False]]


def a_model(rng):
    def cell(size):
        return rng.normal(size=(size, 16)), rng.normal(size=(4, 16)), rng.normal(size=16)

    return {
        "source_embedding": rng.normal(size=(7, 5)),
        "target_embedding": rng.normal(size=(6, 3)),
        "encoder": cell(5),
        "decoder": cell(3),
        "output_kernel": rng.normal(size=(4, 6)),
        "output_bias": rng.normal(size=6),
    }


def test_the_model_equals_kerass_layers():
    keras = pytest.importorskip("keras")
    rng = np.random.default_rng(4)
    weights = a_model(rng)
    source, target = rng.integers(0, 7, (3, 5)), rng.integers(0, 6, (3, 4))
    mask = np.arange(5) < np.array([[5], [2], [3]])
    encoder = keras.layers.LSTM(4, return_state=True)
    decoder = keras.layers.LSTM(4, return_sequences=True)
    x = weights["source_embedding"][source].astype("float32")
    y = weights["target_embedding"][target].astype("float32")
    encoder(x), decoder(y)
    encoder.set_weights(weights["encoder"])
    decoder.set_weights(weights["decoder"])
    _, *context = encoder(x, mask=mask)
    states = np.asarray(decoder(y, initial_state=context))
    mine = seq2seq.encoder_decoder.raw(source, mask, target, weights)
    wanted = states @ weights["output_kernel"] + weights["output_bias"]
    np.testing.assert_allclose(mine, wanted, atol=1e-4)


def test_losses_by_hand():
    """Losses 2, 2, 2, 2 and 0, averaged in the ways that are confused with each other."""
    logits = np.zeros((2, 4, 2))
    logits[0, :, 0] = np.log(np.exp(2) - 1)
    logits[1] = [-60, 0]
    labels, mask = np.ones((2, 4), int), np.array([[True] * 4, [True] + [False] * 3])

    def loss(**switches):
        return round(float(seq2seq.mean_loss(logits, labels, mask, **switches)), 6)

    assert loss() == 1.6
    assert loss(denominator="rows_then_batch") == 1.0
    assert loss(denominator="batch_times_length") == 1.0
    # Perfect scores for 2 classes, put through a softmax before the loss's own.
    perfect = np.array([[[60.0, -60.0]]])
    floor = seq2seq.mean_loss(
        perfect, np.zeros((1, 1), int), np.ones((1, 1), bool), scores="softmax_first"
    )
    np.testing.assert_allclose(floor, np.log(1 + 1 / np.e), rtol=1e-6)


def test_the_losss_gradient_is_softmax_minus_one_hot():
    rng = np.random.default_rng(5)
    logits, labels = rng.normal(size=(2, 3, 4)), rng.integers(0, 4, (2, 3))
    mask = np.array([[True, True, True], [True, False, False]])
    exponentials = np.exp(logits)
    wanted = exponentials / exponentials.sum(axis=-1, keepdims=True) - np.eye(4)[labels]
    (found,) = seq2seq.sequence_loss_gradient(logits, labels, mask).value
    np.testing.assert_allclose(found, wanted * mask[..., None] / 4, atol=1e-7)


def test_greedy_decoding_by_hand():
    """Scores from a script without an echo; row 0 ends second, row 1 third."""
    scripts = np.zeros((2, 4, 3))
    scripts[0, [0, 1, 2, 3], [1, 2, 1, 1]] = 5
    scripts[1, [0, 1, 2, 3], [1, 0, 2, 0]] = 5
    echo, memory = np.zeros((3, 3)), np.zeros((2, 3))
    where = np.array([[0.0, 0.0], [1.0, 0.0]])

    def said(**switches):
        found = decoding.greedy_decode.raw(scripts, echo, where, memory, 0, 2, 4, **switches)
        return found.tolist()

    assert said() == [[1, 2, 2], [1, 0, 2]]
    assert said(ended="speaks_on") == [[1, 2, 1], [1, 0, 2]]
    assert said(stops="any_ended") == [[1, 2], [1, 0]]
    assert said(limit="one_less") == said()
