"""GPT against NumPy, against changed tokens and padding, and its loss by hand."""

import json
import math

import keras
import numpy as np
import pytest
from backend_tools import arrays, compiled, randomize, step
from keras import ops

from bert_keras.errors import InputError
from bert_keras.models.gpt import GPTBackbone, GPTLanguageModel
from bert_keras.models.gpt_pieces import causal_lm_loss, gpt_logits

SIZES = {"vocabulary_size": 13, "num_layers": 2, "num_heads": 2, "hidden_dim": 8}
SIZES |= {"intermediate_dim": 12, "max_sequence_length": 11}
both_norms = pytest.mark.parametrize("norm_first", [False, True])


def model_of(**more):
    model = GPTLanguageModel(GPTBackbone(**{**SIZES, **more}))
    randomize(model)
    return model


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


@pytest.fixture
def inputs():
    mask = np.arange(7) < np.array([7, 4, 2])[:, None]
    ids = np.random.default_rng(5).integers(1, 13, (3, 7)).astype("int32")
    return {"token_ids": ids * mask, "padding_mask": mask}


def norm(x, w, path):
    x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    return x * w[f"{path}/gamma"] + w[f"{path}/beta"]


def numpy_logits(model, row, norm_first):
    """One row without padding in float64; every query on its own, over the keys before it."""
    w = {v.path.split("gpt_backbone/")[-1]: numbers(v).astype("float64") for v in model.weights}
    table = w["token_embedding/embeddings"]
    x = table[row] + w["position_embedding/table"][: len(row)]

    def attend(path, x):
        query, key, value = (
            x @ w[f"{path}/{name}/kernel"] + w[f"{path}/{name}/bias"]
            for name in ("query", "key", "value")
        )
        rows = []
        for now in range(len(x)):
            heads = []
            for part in (slice(0, 4), slice(4, 8)):
                scores = key[: now + 1, part] @ query[now, part] / 2
                weights = np.exp(scores - scores.max())
                heads.append(weights / weights.sum() @ value[: now + 1, part])
            rows.append(np.concatenate(heads))
        return np.array(rows) @ w[f"{path}/output/kernel"] + w[f"{path}/output/bias"]

    def feed(path, x):
        middle = x @ w[f"{path}/intermediate/kernel"] + w[f"{path}/intermediate/bias"]
        middle = middle * (1 + np.vectorize(math.erf)(middle / math.sqrt(2))) / 2
        return middle @ w[f"{path}/output/kernel"] + w[f"{path}/output/bias"]

    for layer in range(2):
        for branch, name in ((attend, "self_attention"), (feed, "feed_forward")):
            path = f"block_{layer}/{name}"
            if norm_first:
                x = x + branch(path, norm(x, w, f"{path}_layer_norm"))
            else:
                x = norm(x + branch(path, x), w, f"{path}_layer_norm")
    return (norm(x, w, "layer_norm") if norm_first else x) @ table.T


@both_norms
def test_every_number_is_what_numpy_makes_of_the_definition(inputs, norm_first):
    model = model_of(norm_first=norm_first)
    found = numbers(model(inputs))
    for row, length in enumerate(inputs["padding_mask"].sum(axis=1)):
        right = numpy_logits(model, inputs["token_ids"][row, :length], norm_first)
        np.testing.assert_allclose(found[row, :length], right, atol=1e-5 * np.abs(right).max())


def test_the_piece_is_the_model(inputs):
    model = model_of()
    tables = (model.backbone.token_embedding.embeddings, model.backbone.position_embedding.table)
    ids, mask = inputs["token_ids"], inputs["padding_mask"]
    found = gpt_logits(ids, mask, *map(ops.convert_to_tensor, tables), model.backbone.blocks)
    np.testing.assert_allclose(numbers(found), numbers(model(inputs)), atol=1e-5)


@both_norms
def test_later_tokens_do_not_reach_earlier_logits(inputs, norm_first):
    model = model_of(norm_first=norm_first)
    right = numbers(model(inputs))[0]
    for now in range(7):
        other = inputs["token_ids"].copy()
        other[0, now] = 1 + other[0, now] % 12
        found = numbers(model({**inputs, "token_ids": other}))[0]
        np.testing.assert_allclose(found[:now], right[:now], atol=1e-6)
        assert (np.abs(found[now:] - right[now:]).max(axis=-1) > 1e-4).all()


@both_norms
def test_padding_moves_nothing(inputs, norm_first):
    model = model_of(norm_first=norm_first)
    mask = inputs["padding_mask"]
    right = numbers(model(inputs))[mask]
    noisy = {**inputs, "token_ids": np.where(mask, inputs["token_ids"], 9)}
    np.testing.assert_allclose(numbers(model(noisy))[mask], right, atol=1e-6)
    wider = {name: np.pad(x, ((0, 0), (0, 3))) for name, x in inputs.items()}
    np.testing.assert_allclose(numbers(model(wider))[:, :7][mask], right, atol=1e-5)
    losses = [
        float(model.compute_loss(x=x, y_pred=model(x), training=False))
        for x in (inputs, noisy, wider)
    ]
    np.testing.assert_allclose(losses, losses[0], atol=1e-5)


def test_the_output_is_tied_to_the_input(inputs):
    """One table for both: no weight beyond the backbone's, and the gradient has both parts."""
    model = model_of()
    assert len(model.weights) == len(model.backbone.weights)
    state = np.ones((1, 1, 8), "float32")
    table = numbers(model.backbone.token_embedding.embeddings)
    np.testing.assert_allclose(
        numbers(model.backbone.score_tokens(state))[0, 0], table.sum(axis=1), atol=1e-5
    )
    _, gradients, _ = step(model, {"inputs": inputs}, lambda y: causal_lm_loss(y, *inputs.values()))
    by_path = {v.path: g for v, g in zip(model.trainable_variables, gradients, strict=True)}
    of_table = by_path["gpt_backbone/token_embedding/embeddings"]
    never_read = sorted(set(range(13)) - set(inputs["token_ids"].ravel()))
    assert never_read and np.abs(of_table[never_read]).max() > 1e-4, "the output learns, too"
    for path, gradient in by_path.items():
        assert path.endswith("key/bias") or np.abs(gradient).max() > 1e-6, path


# Next-token logits that are all but sure: 9 for the right token and 0 for the others, V = 5.
IDS = np.array([[1, 2, 3, 4], [4, 4, 1, 0]], "int32")
ALL = np.ones((2, 4), bool)


def sure(ids):
    following = np.roll(ids, -1, axis=1)
    return 9 * np.eye(5, dtype="float32")[following]


def test_the_shift_is_made_once():
    """log(1 + 4 e^-9) is 0.000494 in float; unshifted or shifted twice it costs about 9."""
    right = math.log(1 + 4 * math.exp(-9))
    assert float(causal_lm_loss(sure(IDS[:1]), IDS[:1], ALL[:1])) == pytest.approx(right, abs=1e-6)
    unshifted = 9 * np.eye(5, dtype="float32")[IDS[:1]]
    assert float(causal_lm_loss(unshifted, IDS[:1], ALL[:1])) == pytest.approx(9 + right, abs=1e-5)


def test_rows_do_not_run_into_each_other():
    """The first token of a row is predicted by nobody: not by the row above, either."""
    logits = np.random.default_rng(1).normal(size=(2, 4, 5)).astype("float32")
    before = float(causal_lm_loss(logits, IDS, ALL))
    other = IDS.copy()
    other[:, 0] = 3
    assert float(causal_lm_loss(logits, other, ALL)) == before


def test_what_counts_is_the_mask_and_not_the_id():
    """[EOS] may serve as padding: the real one is predicted, the others are not."""
    logits = np.random.default_rng(2).normal(size=(1, 4, 5)).astype("float32")
    ids = np.array([[1, 2, 0, 0]], "int32")
    log = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    for length, right in ((3, -(log[0, 0, 2] + log[0, 1, 0]) / 2), (2, -log[0, 0, 2]), (1, 0.0)):
        mask = np.arange(4)[None] < length
        assert float(causal_lm_loss(logits, ids, mask)) == pytest.approx(right, abs=1e-6)


def test_it_learns_without_a_loss_and_without_targets(inputs):
    model = GPTLanguageModel(GPTBackbone(**SIZES, dropout=0.0))
    model.compile(optimizer=keras.optimizers.Adam(0.02), jit_compile=False)
    before = causal_lm_loss(model(inputs), *inputs.values())
    often = {name: np.tile(x, (30, 1)) for name, x in inputs.items()}
    model.fit(often, batch_size=3, verbose=0)
    whole = causal_lm_loss(model(inputs), *inputs.values())
    assert float(before) > 2.3 and float(whole) < 0.7
    # Batches of different numbers of tokens: the average is one over tokens, 6, 3 and 1 of them.
    found = model.evaluate(inputs, batch_size=1, verbose=0, return_dict=True)
    assert found["lm_loss"] == pytest.approx(float(whole), abs=1e-5)
    assert found["lm_loss"] != pytest.approx(found["loss"], abs=1e-3)


def test_dropout_drops_in_training_alone(inputs):
    model = model_of(dropout=0.4)
    right = numbers(model(inputs))
    np.testing.assert_array_equal(numbers(model(inputs)), right)
    assert np.abs(numbers(model(inputs, training=True)) - right).max() > 1e-3


def test_what_was_saved_computes_the_same_compiled_or_not(inputs, tmp_path):
    model = model_of(norm_first=True, dropout=0.2, activation="relu")
    config = json.loads(json.dumps(model.get_config()))
    assert GPTLanguageModel.from_config(config).get_config() == model.get_config()
    model.save(tmp_path / "model.keras")
    restored = keras.saving.load_model(tmp_path / "model.keras")
    right = numbers(model(inputs))
    np.testing.assert_array_equal(numbers(restored(inputs)), right)
    assert [w.path for w in restored.weights] == [w.path for w in model.weights]
    np.testing.assert_allclose(arrays(compiled(restored, {"inputs": inputs}))[0], right, atol=1e-4)


def test_all_states_are_those_on_the_way(inputs):
    model = model_of()
    found = model.backbone.all_states(inputs)
    assert [tuple(x.shape) for x in found["hidden_states"]] == [(3, 7, 8)] * 3
    for weights in map(numbers, found["attention_weights"]):
        assert weights.shape == (3, 2, 7, 7) and not np.triu(weights, 1).any()
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
        assert not weights[2, :, :, 2:].any(), "nobody looks at padding"
    np.testing.assert_array_equal(
        numbers(found["sequence_output"]), numbers(model.backbone(inputs))
    )


def test_half_precision_gives_a_finite_loss_in_float32(inputs):
    model = GPTLanguageModel(GPTBackbone(**SIZES, norm_first=True, dtype="mixed_bfloat16"))
    randomize(model, scale=0.3)
    logits = model(inputs)
    assert keras.backend.standardize_dtype(logits.dtype) == "bfloat16"
    loss = model.compute_loss(x=inputs, y_pred=logits)
    assert keras.backend.standardize_dtype(loss.dtype) == "float32" and np.isfinite(float(loss))
    said = model.generate(inputs["token_ids"], inputs["padding_mask"], max_length=2)
    assert tuple(said.shape) == (3, 2)


def test_wrong_inputs_cost_one_line(inputs):
    model = model_of()
    mask, ids = inputs["padding_mask"], inputs["token_ids"]
    for change, message in (
        ({"token_ids": ids + 9}, "the ids go from 0 to 12"),
        ({"token_ids": ids - 99}, "the ids go from 0 to 12"),
        ({"token_ids": ids.astype("float32")}, "token_ids must be int"),
        ({"token_ids": ids[0]}, "must have the shape (B, T), not (7,)"),
        ({"padding_mask": mask.astype("int32")}, "True = a real token; it is int32"),
        ({"padding_mask": mask[:, :5]}, "shape of token_ids, (3, 7)"),
        ({"padding_mask": mask[:, ::-1]}, "padding must stand on the right"),
    ):
        for call in (model.predict, model.backbone.predict, model.evaluate):
            with pytest.raises(InputError) as error:
                call({**inputs, **change})
            assert message in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(InputError, match="lack padding_mask"):
        model.fit({"token_ids": ids})
    long = {name: np.pad(x, ((0, 0), (0, 5))) for name, x in inputs.items()}
    with pytest.raises(InputError, match="12 tokens; this model takes 11 at most"):
        model.predict(long)
    with pytest.raises(ValueError, match="multiple of num_heads"):
        GPTBackbone(**{**SIZES, "num_heads": 3})
