"""The sequence-to-sequence model against NumPy, against itself step by step, and with padding."""

import json

import keras
import numpy as np
import pytest
from backend_tools import randomize, step

from bert_keras.errors import InputError
from bert_keras.layers.attention_decoder import AttentionDecoderCell
from bert_keras.models.seq2seq import ATTENTIONS, Seq2Seq

SIZES = {"source_vocabulary_size": 13, "target_vocabulary_size": 11}
SIZES |= {"embedding_dim": 5, "hidden_dim": 6}
both = pytest.mark.parametrize(
    ("kind", "attention"), [("gru", "additive"), ("gru", "multiplicative"), ("lstm", "none")]
)


def model_of(kind="gru", attention="additive", **more):
    model = Seq2Seq(**SIZES, kind=kind, attention=attention, **more)
    randomize(model)
    return model


@pytest.fixture
def inputs():
    rng = np.random.default_rng(5)
    lengths = np.array([7, 4, 2])
    mask = np.arange(7) < lengths[:, None]
    return {
        "token_ids": rng.integers(4, 13, (3, 7)).astype("int32") * mask,
        "padding_mask": mask,
        "target_ids": rng.integers(4, 11, (3, 5)).astype("int32"),
    }


def numbers(x):
    return np.asarray(keras.ops.convert_to_numpy(x))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def numpy_logits(model, row, target):
    """One unpadded row, a GRU with additive attention, in float64 and word by word."""
    w = {v.path.split("seq2seq/")[-1]: numbers(v).astype("float64") for v in model.weights}

    def cell(name, x, h):
        kernel, recurrent, bias = (w[f"{name}/{p}"] for p in ("kernel", "recurrent_kernel", "bias"))
        a, b = np.split(x @ kernel + bias[0], 3), np.split(h @ recurrent + bias[1], 3)
        update, reset = sigmoid(a[0] + b[0]), sigmoid(a[1] + b[1])
        return update * h + (1 - update) * np.tanh(a[2] + reset * b[2])

    def walk(name, rows):
        h, states = np.zeros(6), []
        for x in rows:
            h = cell(name, x, h)
            states.append(h)
        return np.array(states)

    x = w["source_embedding/embeddings"][row]
    right, left = walk("forward/cell", x), walk("backward/cell", x[::-1])
    source = np.concatenate([right, left[::-1]], axis=-1)  # (S, 2 H)
    ends = np.concatenate([right[-1], left[-1]])
    h = np.tanh(ends @ w["bridge_0/kernel"] + w["bridge_0/bias"])
    logits, rows = [], []
    for token in target:
        h = cell("decoder/cell", w["target_embedding/embeddings"][token], h)
        hidden = np.tanh(h @ w["attention/query_kernel"] + source @ w["attention/key_kernel"])
        weights = softmax(hidden @ w["attention/scale"])  # (S,)
        joined = np.concatenate([weights @ source, h])
        out = np.tanh(joined @ w["readout/kernel"] + w["readout/bias"])
        logits.append(out @ w["output/kernel"] + w["output/bias"])
        rows.append(weights)
    return np.array(logits), np.array(rows)


def test_every_number_is_what_numpy_makes_of_the_definition(inputs):
    model = model_of()
    found = numbers(model(inputs))
    states, source = model.encode(inputs["token_ids"], inputs["padding_mask"])
    weights = numbers(model.decode(inputs["target_ids"], states, source, inputs["padding_mask"])[2])
    for row, length in enumerate(inputs["padding_mask"].sum(axis=1)):
        logits, looked = numpy_logits(
            model, inputs["token_ids"][row, :length], inputs["target_ids"][row]
        )
        np.testing.assert_allclose(found[row], logits, atol=2e-5)
        np.testing.assert_allclose(weights[row, :, :length], looked, atol=1e-5)
        assert not weights[row, :, length:].any()


@both
def test_padding_moves_nothing(inputs, kind, attention):
    """More of it, on either side, or other ids in it."""
    model = model_of(kind, attention)
    right = numbers(model(inputs))
    wider = {
        "token_ids": np.pad(inputs["token_ids"], ((0, 0), (0, 3))),
        "padding_mask": np.pad(inputs["padding_mask"], ((0, 0), (0, 3))),
        "target_ids": np.pad(inputs["target_ids"], ((0, 0), (0, 2))),
    }
    np.testing.assert_allclose(numbers(model(wider))[:, :5], right, atol=1e-5)
    noisy = {**inputs, "token_ids": np.where(inputs["padding_mask"], inputs["token_ids"], 9)}
    np.testing.assert_allclose(numbers(model(noisy)), right, atol=1e-6)
    alone = {name: array[1:2] for name, array in inputs.items()}
    alone |= {name: alone[name][:, :4] for name in ("token_ids", "padding_mask")}
    np.testing.assert_allclose(numbers(model(alone))[0], right[1], atol=1e-5)


@both
def test_teacher_forcing_is_stepping(inputs, kind, attention):
    """All target tokens at once, or one after another: the same logits, states and weights."""
    model = model_of(kind, attention)
    mask = inputs["padding_mask"]
    states, source = model.encode(inputs["token_ids"], mask)
    logits, last, weights = model.decode(inputs["target_ids"], states, source, mask)
    for now in range(5):
        one, states, looked = model.decode(
            inputs["target_ids"][:, now : now + 1], states, source, mask
        )
        np.testing.assert_allclose(numbers(one)[:, 0], numbers(logits)[:, now], atol=1e-5)
        if attention != "none":
            np.testing.assert_allclose(numbers(looked)[:, 0], numbers(weights)[:, now], atol=1e-5)
    for found, right in zip(states, last, strict=True):
        np.testing.assert_allclose(numbers(found), numbers(right), atol=1e-5)
    assert len(states) == {"gru": 1, "lstm": 2}[kind] and (weights is None) == (attention == "none")


def test_later_targets_do_not_reach_earlier_logits(inputs):
    model = model_of()
    right = numbers(model(inputs))
    for now in range(1, 5):
        other = inputs["target_ids"].copy()
        other[:, now] = 4 + (other[:, now] - 3) % 7
        found = numbers(model({**inputs, "target_ids": other}))
        np.testing.assert_allclose(found[:, :now], right[:, :now], atol=1e-6)
        assert np.abs(found[:, now] - right[:, now]).max() > 1e-3


def test_without_attention_the_source_is_its_states_alone(inputs):
    model = model_of(attention="none")
    states, source = model.encode(inputs["token_ids"], inputs["padding_mask"])
    assert [tuple(state.shape) for state in states] == [(3, 6)]
    logits = model.decode(inputs["target_ids"], states, source, inputs["padding_mask"])[0]
    other = model.decode(inputs["target_ids"], states, source * 0, inputs["padding_mask"])[0]
    np.testing.assert_array_equal(numbers(other), numbers(logits))


def test_the_decoder_is_the_attention_decoder_cell(inputs):
    """Multiplicative attention takes the very step of the cell that chapter 2 builds."""
    model, cell = model_of(attention="multiplicative"), AttentionDecoderCell(6)
    mask = inputs["padding_mask"]
    states, source = model.encode(inputs["token_ids"], mask)
    x = model.target_embedding(inputs["target_ids"][:, 0])
    cell(x, states, source, mask)
    cell.cell.set_weights(model.decoder.cell.get_weights())
    cell.score_kernel.assign(model.attention.kernel)
    model.readout.bias.assign(np.zeros(6, "float32"))
    cell.output_dense.set_weights([model.readout.kernel])
    logits, _, weights = model.decode(inputs["target_ids"][:, :1], states, source, mask)
    output, _, looked = cell(x, states, source, mask)
    np.testing.assert_allclose(numbers(weights)[:, 0], numbers(looked), atol=1e-6)
    found = numbers(model.output_dense(output))
    np.testing.assert_allclose(numbers(logits)[:, 0], found, atol=1e-5)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_every_weight_learns(inputs, attention):
    model = model_of("lstm", attention)
    targets = {"label_ids": inputs["target_ids"], "label_mask": inputs["target_ids"] > 5}

    def loss(logits):
        return model.compute_loss(y=targets, y_pred=logits)

    _, gradients, _ = step(model, {"inputs": inputs}, loss)
    for variable, gradient in zip(model.trainable_variables, gradients, strict=True):
        assert gradient is not None and np.abs(gradient).max() > 0, variable.path


def test_the_loss_is_the_mean_over_real_tokens(inputs):
    model = model_of()
    logits = numbers(model(inputs)).astype("float64")
    labels = inputs["target_ids"]
    mask = np.arange(5) < np.array([[5], [2], [3]])
    log = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    right = -np.take_along_axis(log, labels[..., None], -1)[..., 0][mask].mean()
    found = model.compute_loss(y={"label_ids": labels, "label_mask": mask}, y_pred=model(inputs))
    assert float(found) == pytest.approx(right, abs=1e-5)


def test_dropout_drops_in_training_alone(inputs):
    model = model_of(dropout=0.4)
    right = numbers(model(inputs))
    np.testing.assert_array_equal(numbers(model(inputs)), right)
    assert np.abs(numbers(model(inputs, training=True)) - right).max() > 1e-3


@pytest.mark.parametrize(("kind", "attention"), [("lstm", "additive"), ("gru", "none")])
def test_what_was_saved_computes_the_same(inputs, kind, attention, tmp_path):
    model = model_of(kind, attention, dropout=0.2, name="reader")
    config = model.get_config()
    assert Seq2Seq.from_config(json.loads(json.dumps(config))).get_config() == config
    model.save(tmp_path / "model.keras")
    restored = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(numbers(restored(inputs)), numbers(model(inputs)))
    assert [w.path for w in restored.weights] == [w.path for w in model.weights]


@pytest.mark.parametrize("kind", ["rnn", "lstm"])
def test_what_it_says_is_what_it_scores_highest(inputs, kind):
    model = model_of(kind)
    said = numbers(
        model.generate(
            inputs["token_ids"], inputs["padding_mask"], begin_id=2, end_id=3, max_length=6
        )
    )
    begun = np.full((3, 1), 2, "int32")
    fed = {**inputs, "target_ids": np.concatenate([begun, said[:, :-1]], axis=1)}
    likeliest = numbers(model(fed)).argmax(axis=-1)
    for row, guess in zip(said, likeliest, strict=True):
        ended = np.flatnonzero(row == 3)
        length = ended[0] + 1 if ended.size else len(row)
        np.testing.assert_array_equal(row[:length], guess[:length])
        assert (row[length:] == 3).all()


def test_wrong_inputs_cost_one_line(inputs):
    model = model_of()
    for change, message in (
        ({"token_ids": inputs["token_ids"] + 9}, "the ids go from 0 to 12"),
        ({"target_ids": inputs["target_ids"] - 99}, "the ids go from 0 to 10"),
        ({"token_ids": inputs["token_ids"].astype("float32")}, "token_ids must be int"),
        ({"padding_mask": inputs["padding_mask"].astype("int32")}, "True = a real token"),
        ({"padding_mask": inputs["padding_mask"][:, :5]}, "shape of token_ids, (3, 7)"),
    ):
        with pytest.raises(InputError) as error:
            model.predict({**inputs, **change})
        assert message in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(InputError, match="lack padding_mask"):
        model.fit({"token_ids": inputs["token_ids"]})
    with pytest.raises(ValueError, match="not one of rnn, lstm, gru"):
        Seq2Seq(**SIZES, kind="grue")
    with pytest.raises(ValueError, match="not one of none, additive"):
        Seq2Seq(**SIZES, attention="dot")


@pytest.mark.parametrize("kind", ["rnn", "gru", "lstm"])
def test_a_fresh_cell_feels_which_token_it_is_given(kind):
    # With embeddings too small, states hardly differ, and training rests at token frequencies.
    model = Seq2Seq(300, 300, kind=kind)
    for table, walk in (
        (model.source_embedding, model.forward_walk),
        (model.target_embedding, model.decoder),
    ):
        states = walk(table(np.arange(300)[:, None]))[-1]  # (300, H), after one token each
        assert np.std(numbers(states), axis=0).mean() > 0.05
