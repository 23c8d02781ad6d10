import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.layers.alignment import mask_to_additive, masked_softmax
from bert_keras.layers.attention_decoder import AttentionDecoderCell, alignment_matrix
from bert_keras.layers.recurrent import RecurrentCell


@pytest.fixture
def step_inputs(rng):
    """x (3, 5), one state (3, 4), source (3, 6, 7), padding mask (3, 6)."""
    shapes = ((3, 5), (3, 4), (3, 6, 7))
    x, state, source = (rng.normal(size=shape).astype("float32") for shape in shapes)
    return x, [state], source, np.arange(6) < np.array([[6], [2], [4]])


@pytest.fixture
def cell(step_inputs):
    keras.utils.set_random_seed(1)
    cell = AttentionDecoderCell(4)
    cell(*step_inputs)
    return cell


def test_mask_to_additive_in_every_precision():
    mask = np.array([[True, False], [False, True]])
    for dtype in ("float32", "float16", "bfloat16"):
        added = mask_to_additive(mask, dtype)
        assert keras.backend.standardize_dtype(added.dtype) == dtype
        twice = ops.convert_to_numpy(ops.cast(added + added, "float32"))
        assert np.isfinite(twice).all() and (twice[~mask] < -5e4).all()
        np.testing.assert_array_equal(twice[mask], 0)


def test_adding_and_replacing_agree_where_a_key_is_open(rng):
    scores = rng.normal(size=(3, 4, 5)).astype("float32")
    mask = np.arange(5) < np.array([5, 1, 3])[:, None, None]
    added = ops.softmax(scores + mask_to_additive(mask), axis=-1)
    np.testing.assert_allclose(added, masked_softmax(scores, mask), atol=1e-6)


def test_one_step_by_hand(cell, step_inputs):
    """One sequence at a time, one source token at a time."""
    x, (state,), source, mask = step_inputs
    output, (new,), weights = (
        keras.tree.map_structure(ops.convert_to_numpy, part) for part in cell(*step_inputs)
    )
    moved = RecurrentCell("gru", 4)
    moved(x, [state])
    moved.set_weights(cell.cell.get_weights())
    right = ops.convert_to_numpy(moved(x, [state])[0])
    np.testing.assert_allclose(new, right, atol=1e-6)
    kernel, last = (np.asarray(w) for w in (cell.score_kernel, cell.output_dense.kernel))
    for b in range(3):
        scores = [right[b] @ kernel @ token for token in source[b][mask[b]]]
        shares = np.exp(scores) / np.sum(np.exp(scores))
        context = sum(s * token for s, token in zip(shares, source[b][mask[b]], strict=True))
        np.testing.assert_allclose(weights[b, mask[b]], shares, atol=1e-5)
        assert not weights[b, ~mask[b]].any()
        said = np.tanh(np.concatenate([context, right[b]]) @ last)
        np.testing.assert_allclose(output[b], said, atol=1e-5)


def test_what_stands_at_padding_is_never_seen(cell, step_inputs):
    x, states, source, mask = step_inputs
    loud = np.where(mask[..., None], source, 100.0).astype("float32")
    for quiet, changed in zip(
        keras.tree.flatten(cell(x, states, source, mask)),
        keras.tree.flatten(cell(x, states, loud, mask)),
        strict=True,
    ):
        np.testing.assert_allclose(quiet, changed, atol=1e-6)


@pytest.mark.parametrize(("kind", "states"), [("gru", 1), ("lstm", 2)])
def test_all_steps_at_once_equal_one_after_the_other(rng, kind, states):
    inputs = rng.normal(size=(2, 5, 3)).astype("float32")
    source = rng.normal(size=(2, 4, 6)).astype("float32")
    start = [rng.normal(size=(2, 4)).astype("float32") for _ in range(states)]
    mask = np.array([[True] * 4, [True, True, False, False]])
    cell, said, now = AttentionDecoderCell(4, kind=kind), [], start
    for t in range(5):
        output, now, _ = cell(inputs[:, t], now, source, mask)
        said.append(output)
    walked = keras.layers.RNN(cell.cell, return_sequences=True)(inputs, initial_state=start)
    together, weights = cell.look_back(walked, source, mask)
    np.testing.assert_allclose(together, ops.stack(said, axis=1), atol=1e-5)
    matrix = alignment_matrix(cell, inputs, start, source, mask)
    assert matrix.shape == (2, 5, 4)
    np.testing.assert_allclose(matrix, weights, atol=1e-5)
    assert not ops.convert_to_numpy(matrix)[1, :, 2:].any()


def test_planted_alignments():
    """A step that counts: it looks at place 0, 1, 2, … or from the other end."""

    def counting(order):
        def step(x, states, source, padding_mask=None):
            looked = ops.one_hot(order[int(states[0][0, 0])], source.shape[1])[None]
            return x, [states[0] + 1], looked

        return step

    inputs, source = np.zeros((1, 4, 2), "float32"), np.zeros((1, 4, 3), "float32")
    start = [np.zeros((1, 1), "float32")]
    copied = alignment_matrix(counting(range(4)), inputs, start, source)
    np.testing.assert_array_equal(copied[0], np.eye(4))
    turned = alignment_matrix(counting(range(3, -1, -1)), inputs, start, source)
    np.testing.assert_array_equal(turned[0], np.eye(4)[::-1])


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="'grue', not one of rnn, lstm, gru"):
        AttentionDecoderCell(4, kind="grue")
