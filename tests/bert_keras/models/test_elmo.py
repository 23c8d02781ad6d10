"""ELMo against NumPy, each direction against changed tokens, its loss by hand, its features."""

import json

import keras
import numpy as np
import pytest
from backend_tools import arrays, compiled, randomize, step
from keras import ops

from bert_keras.errors import InputError
from bert_keras.layers import ScalarMix
from bert_keras.models.elmo import ElmoLanguageModel
from bert_keras.models.elmo_pieces import bilm_loss, reverse_real

SIZES = {"vocabulary_size": 13, "num_layers": 2, "hidden_dim": 6, "dropout": 0.0}
CHARACTERS = {"num_characters": 9, "filters": [[1, 3], [2, 4]], "character_dim": 4}
LENGTHS = [7, 4, 2]


def model_of(**more):
    model = ElmoLanguageModel(**{**SIZES, **more})
    randomize(model)
    return model


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


@pytest.fixture
def inputs():
    mask = np.arange(7) < np.array(LENGTHS)[:, None]
    ids = np.random.default_rng(5).integers(1, 13, (3, 7)).astype("int32")
    return {"token_ids": ids * mask, "padding_mask": mask}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def numpy_states(model, row):
    """One row without padding in float64: the embedding, and all states of both directions."""
    w = {v.path.split("elmo_language_model/")[-1]: numbers(v).astype(float) for v in model.weights}

    def walk(path, rows):
        kernel, recurrent, bias = (
            w[f"{path}/lstm/lstm_cell/{name}"] for name in ("kernel", "recurrent_kernel", "bias")
        )
        h, c, states = np.zeros(6), np.zeros(6), []
        for x in rows:
            i, f, g, o = np.split(x @ kernel + h @ recurrent + bias, 4)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
            states.append(h)
        return np.array(states)

    x = w["token_embedding/embeddings"][row]
    found = []
    for name, turn in (("forward", 1), ("backward", -1)):
        first = walk(f"{name}_0", x[::turn])
        second = walk(f"{name}_1", first) + first
        found.append([first[::turn], second[::turn]])
    logits = [states[-1] @ w["output/kernel"] + w["output/bias"] for states in found]
    return x, found, logits


def test_every_number_is_what_numpy_makes_of_the_definition(inputs):
    model = model_of()
    outputs = model(inputs)
    layers = [numbers(layer) for layer in model.features(inputs)]
    assert [layer.shape for layer in layers] == [(3, 7, 12)] * 3
    for row, length in enumerate(LENGTHS):
        x, (forward, backward), logits = numpy_states(model, inputs["token_ids"][row, :length])
        for name, right in zip(("forward_logits", "backward_logits"), logits, strict=True):
            np.testing.assert_allclose(numbers(outputs[name])[row, :length], right, atol=1e-5)
        for found, pair in zip(layers, [(x, x), *zip(forward, backward, strict=True)], strict=True):
            right = np.concatenate(pair, axis=-1)
            np.testing.assert_allclose(found[row, :length], right, atol=1e-5)


def test_neither_direction_sees_the_other_side(inputs):
    """A changed token moves every forward state from it on, every backward state up to it."""
    model = model_of()
    _, forward, backward = model.all_states(inputs)
    for row, length in enumerate(LENGTHS):
        for now in range(length):
            other = inputs["token_ids"].copy()
            other[row, now] = 1 + other[row, now] % 12
            _, *changed = model.all_states({**inputs, "token_ids": other})
            for before, after, moved in zip(
                (forward, backward), changed, (slice(now, length), slice(0, now + 1)), strict=True
            ):
                for old, new in zip(before, after, strict=True):
                    difference = np.abs(numbers(new) - numbers(old))[row, :length].max(axis=-1)
                    assert (difference[moved] > 1e-5).all()
                    difference[moved] = 0
                    assert not difference.any()


def test_gradients_run_one_way_each(inputs):
    """The forward logits of a place have no gradient for what comes later, and vice versa."""
    model = model_of()
    distinct = {**inputs, "token_ids": np.arange(1, 8, dtype="int32")[None]}
    distinct["padding_mask"] = np.ones((1, 7), bool)
    for name, read in (("forward_logits", [1, 2, 3]), ("backward_logits", [3, 4, 5, 6, 7])):
        _, gradients, _ = step(
            model, {"inputs": distinct}, lambda y, name=name: ops.sum(y[name][:, 2])
        )
        paths = [v.path for v in model.trainable_variables]
        table = gradients[[p.endswith("token_embedding/embeddings") for p in paths].index(True)]
        assert np.flatnonzero(np.abs(table).max(axis=1)).tolist() == read


def test_padding_moves_nothing(inputs):
    model = model_of()
    mask = inputs["padding_mask"]
    noisy = {**inputs, "token_ids": np.where(mask, inputs["token_ids"], 9)}
    wider = {name: np.pad(x, ((0, 0), (0, 3))) for name, x in inputs.items()}
    right = model(inputs)
    loss = float(model.compute_loss(x=inputs, y_pred=right))
    for other in (noisy, wider):
        found = model(other)
        for name in right:
            np.testing.assert_allclose(
                numbers(found[name])[:, :7][mask], numbers(right[name])[mask], atol=1e-5
            )
        assert float(model.compute_loss(x=other, y_pred=found)) == pytest.approx(loss, abs=1e-5)


def test_only_the_real_part_is_turned_around():
    ids = np.array([[1, 2, 3, 0, 0], [1, 2, 3, 4, 5], [1, 0, 0, 0, 0]])
    mask = ids > 0
    right = [[3, 2, 1, 0, 0], [5, 4, 3, 2, 1], [1, 0, 0, 0, 0]]
    np.testing.assert_array_equal(numbers(reverse_real(ids, mask)), right)
    x = np.random.default_rng(1).normal(size=(3, 5, 2)).astype("float32")
    turned = numbers(reverse_real(x, mask))
    np.testing.assert_array_equal(turned[0], x[0, [2, 1, 0, 3, 4]])
    np.testing.assert_array_equal(numbers(reverse_real(turned, mask)), x)


def test_the_loss_by_hand():
    """Forward: every real token but the first. Backward: every real token but the last."""
    rng = np.random.default_rng(2)
    forward, backward = rng.normal(size=(2, 2, 4, 5)).astype("float32")
    ids = np.array([[1, 2, 3, 4], [4, 0, 2, 2]], "int32")
    mask = np.arange(4) < np.array([[4], [3]])
    log = [x - np.log(np.exp(x).sum(-1, keepdims=True)) for x in (forward, backward)]
    pairs = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]
    right = -np.mean([log[0][b, t, ids[b, t + 1]] for b, t in pairs])
    left = -np.mean([log[1][b, t + 1, ids[b, t]] for b, t in pairs])
    found = [float(x) for x in bilm_loss(forward, backward, ids, mask)]
    assert found == pytest.approx([(right + left) / 2, right, left], abs=1e-5)


def test_embedding_and_softmax_are_shared_and_the_directions_are_not(inputs):
    model = model_of()
    assert model.count_params() == 13 * 6 + 4 * (2 * 6 * 24 + 24) + 6 * 13 + 13
    gradients = {}
    for name in ("forward_logits", "backward_logits"):
        _, found, _ = step(model, {"inputs": inputs}, lambda y, name=name: ops.sum(y[name] ** 2))
        gradients[name] = {
            v.path.split("/", 1)[1]: None if g is None else np.abs(g).max()
            for v, g in zip(model.trainable_variables, found, strict=True)
        }
    for path in gradients["forward_logits"]:
        used = [bool(gradients[name][path]) for name in ("forward_logits", "backward_logits")]
        assert used == ["backward" not in path, "forward" not in path], path


def test_it_learns_without_a_loss_and_without_targets(inputs):
    model = ElmoLanguageModel(**SIZES)
    model.compile(optimizer=keras.optimizers.Adam(0.05), jit_compile=False)
    before = bilm_loss(*model(inputs).values(), *inputs.values())[0]
    often = {name: np.tile(x, (40, 1)) for name, x in inputs.items()}
    model.fit(often, batch_size=3, verbose=0)
    right = bilm_loss(*model(inputs).values(), *inputs.values())
    assert float(before) > 2.3 and float(right[0]) < 0.7
    found = model.evaluate(inputs, batch_size=1, verbose=0, return_dict=True)
    for name, value in zip(("forward_loss", "backward_loss"), right[1:], strict=True):
        assert found[name] == pytest.approx(float(value), abs=1e-4)


def test_a_mix_learns_on_top_of_frozen_layers(inputs):
    model, mix = model_of(), ScalarMix()
    layers = model.features(inputs)
    right = numbers(sum(layers)) / 3
    np.testing.assert_allclose(numbers(mix(layers)), right, atol=1e-6)
    np.testing.assert_array_equal(numbers(model.features(inputs)[2]), numbers(layers[2]))


def test_dropout_drops_in_training_alone(inputs):
    model = model_of(dropout=0.4)
    right = numbers(model(inputs)["backward_logits"])
    np.testing.assert_array_equal(numbers(model(inputs)["backward_logits"]), right)
    assert np.abs(numbers(model(inputs, training=True)["backward_logits"]) - right).max() > 1e-3


@pytest.mark.parametrize(
    "characters",
    [pytest.param(None, marks=pytest.mark.slow), CHARACTERS],
    ids=["table", "characters"],
)
def test_what_was_saved_computes_the_same_compiled_or_not(inputs, characters, tmp_path):
    if characters:
        spelt = np.random.default_rng(6).integers(0, 9, (3, 7, 5)).astype("int32")
        inputs = {**inputs, "character_ids": spelt}
    model = model_of(characters=characters)
    config = json.loads(json.dumps(model.get_config()))
    assert ElmoLanguageModel.from_config(config).get_config() == model.get_config()
    model.save(tmp_path / "model.keras")
    restored = keras.saving.load_model(tmp_path / "model.keras")
    right = arrays(model(inputs))
    for found, other, expected in zip(
        arrays(restored(inputs)), arrays(compiled(restored, {"inputs": inputs})), right, strict=True
    ):
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_allclose(other, expected, atol=1e-5)
    assert [w.path for w in restored.weights] == [w.path for w in model.weights]


def test_with_characters_the_spelling_counts_and_the_number_does_not(inputs):
    model = model_of(characters=CHARACTERS)
    spelt = np.random.default_rng(6).integers(1, 9, (3, 7, 5)).astype("int32")
    right = numbers(model({**inputs, "character_ids": spelt})["forward_logits"])
    other = {**inputs, "token_ids": 1 + inputs["token_ids"] % 12, "character_ids": spelt}
    np.testing.assert_array_equal(numbers(model(other)["forward_logits"]), right)
    respelt = {**inputs, "character_ids": spelt[:, :, ::-1]}
    assert np.abs(numbers(model(respelt)["forward_logits"]) - right).max() > 1e-3


def test_half_precision_gives_a_finite_loss_in_float32(inputs):
    model = ElmoLanguageModel(**SIZES, dtype="mixed_bfloat16")
    randomize(model, scale=0.3)
    outputs = model(inputs)
    assert keras.backend.standardize_dtype(outputs["backward_logits"].dtype) == "bfloat16"
    loss = model.compute_loss(x=inputs, y_pred=outputs)
    assert keras.backend.standardize_dtype(loss.dtype) == "float32" and np.isfinite(float(loss))


def test_wrong_inputs_cost_one_line(inputs):
    spelt = {**inputs, "character_ids": np.full((3, 7, 5), 9, "int32")}
    for characters, given, message in (
        (None, {**inputs, "token_ids": inputs["token_ids"] + 9}, "the ids go from 0 to 12"),
        (None, {**inputs, "padding_mask": inputs["padding_mask"][:, ::-1]}, "on the right"),
        (None, {**inputs, "padding_mask": inputs["token_ids"]}, "padding_mask must be bool"),
        (CHARACTERS, inputs, "the inputs lack character_ids"),
        (CHARACTERS, spelt, "character_ids has 9; the ids go from 0 to 8"),
        (CHARACTERS, {**inputs, "character_ids": inputs["token_ids"]}, "(B, T, C), not (3, 7)"),
    ):
        with pytest.raises(InputError) as error:
            model_of(characters=characters).predict(given)
        assert message in str(error.value) and "\n" not in str(error.value)
