"""The Transformer against NumPy and KerasHub, with padding, with later targets, and its loss."""

import json

import keras
import keras_hub
import numpy as np
import pytest
from backend_tools import compiled, step
from keras import ops

from bert_keras.errors import InputError
from bert_keras.models.transformer import Transformer
from bert_keras.models.transformer_pieces import smoothed_sequence_loss

SIZES = {
    "source_vocabulary_size": 13,
    "target_vocabulary_size": 11,
    "num_encoder_layers": 3,
    "num_decoder_layers": 2,
    "num_heads": 3,
    "hidden_dim": 12,
    "intermediate_dim": 20,
    "max_sequence_length": 9,
    "dropout": 0.0,
}
VARIANTS = [
    {},
    {"norm_first": True, "tie_output": False},
    {"norm_first": True, "positions": "learned"},
    {"tie_embeddings": True, "target_vocabulary_size": 13, "positions": "learned"},
]
every_variant = pytest.mark.parametrize("changes", VARIANTS, ids=["post", "pre", "learned", "tied"])


def model_of(**changes):
    """Random weights everywhere; gammas stay around 1, so that tokens differ after many norms."""
    model = Transformer(**{**SIZES, **changes})
    rng = np.random.default_rng(0)
    model.set_weights(
        [
            rng.normal(float(w.name == "gamma"), 0.4, w.shape).astype("float32")
            for w in model.weights
        ]
    )
    return model


@pytest.fixture
def inputs():
    rng = np.random.default_rng(5)
    mask = np.arange(7) < np.array([7, 4, 2])[:, None]
    return {
        "token_ids": rng.integers(4, 13, (3, 7)).astype("int32") * mask,
        "padding_mask": mask,
        "target_ids": rng.integers(4, 11, (3, 5)).astype("int32"),
    }


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


class NumPyTransformer:
    """One unpadded row at a time, in float64, straight from the paper."""

    def __init__(self, model):
        self.model = model
        self.w = {
            v.path.removeprefix("transformer/"): numbers(v).astype("f8") for v in model.weights
        }

    def embedded(self, side, ids):
        name = "source" if self.model.tie_embeddings else side
        size = self.model.hidden_dim
        x = self.w[f"{name}_embeddings/token_embedding/embeddings"][ids] * size**0.5
        if self.model.positions == "learned":
            return x + self.w[f"{name}_embeddings/positions/table"][: len(ids)]
        for place in range(len(ids)):
            for i in range(size):
                angle = place / 10000 ** ((i - i % 2) / size)
                x[place, i] += np.cos(angle) if i % 2 else np.sin(angle)
        return x

    def norm(self, name, x):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6)
        return self.w[f"{name}/gamma"] * x + self.w[f"{name}/beta"]

    def dense(self, name, x):
        return x @ self.w[f"{name}/kernel"] + self.w[f"{name}/bias"]

    def attention(self, name, x, other=None, causal=False):
        other = x if other is None else other
        q, k, v = (
            np.split(self.dense(f"{name}/{part}", y), self.model.num_heads, axis=-1)
            for part, y in (("query", x), ("key", other), ("value", other))
        )
        heads = []
        for n in range(self.model.num_heads):
            scores = q[n] @ k[n].T / (self.model.hidden_dim / self.model.num_heads) ** 0.5
            if causal:
                scores = np.where(np.tri(len(x)), scores, -np.inf)
            heads.append(softmax(scores) @ v[n])
        return self.dense(f"{name}/output", np.concatenate(heads, axis=-1))

    def branch(self, name, x, work, **more):
        if self.model.norm_first:
            return x + work(name, self.norm(f"{name}_layer_norm", x), **more)
        return self.norm(f"{name}_layer_norm", x + work(name, x, **more))

    def feed_forward(self, name, x):
        return self.dense(f"{name}/output", np.maximum(self.dense(f"{name}/intermediate", x), 0))

    def logits(self, source_ids, target_ids):
        source, x = self.embedded("source", source_ids), self.embedded("target", target_ids)
        for n in range(self.model.num_encoder_layers):
            at = f"encoder_block_{n}"
            source = self.branch(f"{at}/self_attention", source, self.attention)
            source = self.branch(f"{at}/feed_forward", source, self.feed_forward)
        if self.model.norm_first:
            source = self.norm("encoder_layer_norm", source)
        for n in range(self.model.num_decoder_layers):
            at = f"decoder_block_{n}"
            x = self.branch(f"{at}/self_attention", x, self.attention, causal=True)
            x = self.branch(f"{at}/cross_attention", x, self.attention, other=source)
            x = self.branch(f"{at}/feed_forward", x, self.feed_forward)
        if self.model.norm_first:
            x = self.norm("decoder_layer_norm", x)
        if not self.model.tie_output:
            return x @ self.w["output/kernel"]
        name = "source" if self.model.tie_embeddings else "target"
        return x @ self.w[f"{name}_embeddings/token_embedding/embeddings"].T


@every_variant
def test_every_number_is_what_numpy_makes_of_the_definition(inputs, changes):
    model = model_of(**changes)
    found, oracle = numbers(model(inputs)), NumPyTransformer(model)
    for row, length in enumerate(inputs["padding_mask"].sum(axis=1)):
        right = oracle.logits(inputs["token_ids"][row, :length], inputs["target_ids"][row])
        np.testing.assert_allclose(found[row], right, atol=1e-5, rtol=1e-5)


def hub_twin(block, twin, *examples):
    """KerasHub's block with the same weights; it keeps heads as an axis of the kernels."""
    twin(*examples)
    theirs = {w.path.split("/", 1)[1]: w for w in twin.weights}
    for ours in block.weights:
        branch, *rest = ours.path.split(f"{block.name}/")[1].split("/")
        if branch in ("self_attention", "cross_attention"):
            part = "attention_output" if rest[0] == "output" else rest[0]
            names = [f"{branch}/{part}/{rest[1]}", f"{branch}_layer/{part}/{rest[1]}"]
        elif branch == "feed_forward":
            names = [f"feedforward_{rest[0]}_dense/{rest[1]}"]
        else:
            names = [branch.replace("feed_forward", "feedforward") + f"/{rest[0]}"]
        (name,) = (name for name in names if name in theirs)
        weight = theirs.pop(name)
        weight.assign(ops.reshape(ours, weight.shape))
    assert not theirs
    return twin


@pytest.mark.parametrize("norm_first", [False, True])
def test_the_stacks_are_kerashubs_with_the_same_weights(inputs, norm_first):
    model, mask = model_of(norm_first=norm_first), inputs["padding_mask"]
    options = {"activation": "relu", "layer_norm_epsilon": 1e-6, "normalize_first": norm_first}
    x = model.source_embeddings(inputs["token_ids"])
    for block in model.encoder_blocks:
        twin = hub_twin(block, keras_hub.layers.TransformerEncoder(20, 3, **options), x)
        x = twin(x, padding_mask=mask)
    source = model.encoder_layer_norm(x) if norm_first else x
    found, _ = model.encode(inputs["token_ids"], mask)
    np.testing.assert_allclose(numbers(found)[mask], numbers(source)[mask], atol=1e-5)
    x = model.target_embeddings(inputs["target_ids"])
    for block in model.decoder_blocks:
        twin = hub_twin(block, keras_hub.layers.TransformerDecoder(20, 3, **options), x, source)
        x = twin(x, source, encoder_padding_mask=mask)
    np.testing.assert_allclose(numbers(model(inputs)), numbers(model.score(x)), atol=1e-5)


@every_variant
def test_padding_moves_nothing(inputs, changes):
    """More of it, on either side, or other ids in it."""
    model = model_of(**changes)
    right = numbers(model(inputs))
    wider = {
        "token_ids": np.pad(inputs["token_ids"], ((0, 0), (0, 2))),
        "padding_mask": np.pad(inputs["padding_mask"], ((0, 0), (0, 2))),
        "target_ids": np.pad(inputs["target_ids"], ((0, 0), (0, 2))),
    }
    np.testing.assert_allclose(numbers(model(wider))[:, :5], right, atol=1e-5)
    noisy = {**inputs, "token_ids": np.where(inputs["padding_mask"], inputs["token_ids"], 9)}
    np.testing.assert_allclose(numbers(model(noisy)), right, atol=1e-6)
    alone = {name: array[1:2] for name, array in inputs.items()}
    alone |= {name: alone[name][:, :4] for name in ("token_ids", "padding_mask")}
    np.testing.assert_allclose(numbers(model(alone))[0], right[1], atol=1e-5)


@every_variant
def test_later_targets_do_not_reach_earlier_logits_and_sources_reach_all(inputs, changes):
    model = model_of(**changes)
    right = numbers(model(inputs))
    for now in range(1, 5):
        other = inputs["target_ids"].copy()
        other[:, now] = 4 + (other[:, now] - 3) % 7
        found = numbers(model({**inputs, "target_ids": other}))
        np.testing.assert_allclose(found[:, :now], right[:, :now], atol=1e-6)
        assert (np.abs(found[:, now] - right[:, now]).max(axis=-1) > 1e-3).all()
    other = inputs["token_ids"].copy()
    other[:, 1] = 4 + (other[:, 1] - 3) % 9
    moved = np.abs(numbers(model({**inputs, "token_ids": other})) - right)
    assert (moved.max(axis=-1) > 1e-4).all()


def test_weights_are_told_of_every_block(inputs):
    model, mask = model_of(), inputs["padding_mask"]
    source, weights = model.encode(inputs["token_ids"], mask)
    _, looked, looked_back = model.decode(inputs["target_ids"], source, mask)
    assert [len(x) for x in (weights, looked, looked_back)] == [3, 2, 2]
    for found, shape in ((weights, (7, 7)), (looked, (5, 5)), (looked_back, (5, 7))):
        for layer in found:
            assert layer.shape == (3, 3, *shape)
            np.testing.assert_allclose(numbers(layer).sum(-1), 1, atol=1e-5)
    assert not np.triu(numbers(looked[1]), 1).any()
    assert not numbers(looked_back[1])[1, :, :, 4:].any()


@every_variant
def test_every_weight_learns(inputs, changes):
    model = model_of(**changes)
    targets = {"label_ids": inputs["target_ids"], "label_mask": inputs["target_ids"] > 4}

    def loss(logits):
        return model.compute_loss(y=targets, y_pred=logits)

    _, gradients, _ = step(model, {"inputs": inputs}, loss)
    for variable, gradient in zip(model.trainable_variables, gradients, strict=True):
        assert gradient is not None
        if not variable.path.endswith("key/bias"):  # the same for all keys: the softmax drops it
            assert np.abs(gradient).max() > 1e-6, variable.path
    assert len({id(v) for v in model.weights}) == len(model.weights)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.4])
def test_the_loss_is_the_mean_over_real_tokens_of_softened_labels(smoothing):
    rng = np.random.default_rng(8)
    logits, labels = rng.normal(size=(3, 5, 11)), rng.integers(0, 11, (3, 5))
    mask = np.arange(5) < np.array([[5], [2], [3]])
    total = 0.0
    for place in zip(*np.nonzero(mask), strict=True):
        wanted = np.full(11, smoothing / 11)
        wanted[labels[place]] += 1 - smoothing
        total -= (wanted * np.log(softmax(logits[place]))).sum()
    found = smoothed_sequence_loss(logits.astype("float32"), labels, mask, smoothing)
    assert float(found) == pytest.approx(total / 10, abs=1e-5)


def test_the_loss_by_hand_and_without_smoothing_in_evaluation(inputs):
    """V = 4 and a smoothing of 0.2: the best possible answer is 0.85 and three times 0.05."""
    best = np.log(np.array([[[0.05, 0.85, 0.05, 0.05]]], "float32"))
    labels, mask = np.array([[1]]), np.array([[True]])
    entropy = -0.85 * np.log(0.85) - 0.15 * np.log(0.05)
    for logits, right in ((best, entropy), (0 * best, np.log(4))):
        found = smoothed_sequence_loss(logits, labels, mask, 0.2)
        assert float(found) == pytest.approx(right, abs=1e-6)
    model = model_of(label_smoothing=0.2)
    targets = {"label_ids": inputs["target_ids"], "label_mask": inputs["target_ids"] > 4}
    logits = model(inputs)
    for training, smoothing in ((True, 0.2), (False, 0.0)):
        found = model.compute_loss(y=targets, y_pred=logits, training=training)
        right = smoothed_sequence_loss(logits, *targets.values(), smoothing)
        assert float(found) == pytest.approx(float(right), abs=1e-6)


def test_dropout_drops_in_training_alone(inputs):
    model = model_of(dropout=0.4)
    right = numbers(model(inputs))
    np.testing.assert_array_equal(numbers(model(inputs)), right)
    assert np.abs(numbers(model(inputs, training=True)) - right).max() > 1e-3


@pytest.mark.parametrize("changes", [VARIANTS[1], VARIANTS[3]], ids=["pre", "tied"])
def test_what_was_saved_computes_the_same(inputs, changes, tmp_path):
    model = model_of(**changes, name="transformer")
    config = model.get_config()
    assert Transformer.from_config(json.loads(json.dumps(config))).get_config() == config
    assert {name: config[name] for name in {**SIZES, **changes}} == {**SIZES, **changes}
    model.save(tmp_path / "model.keras")
    restored = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(numbers(restored(inputs)), numbers(model(inputs)))
    assert [w.path for w in restored.weights] == [w.path for w in model.weights]


def test_compiled_and_in_half_precision(inputs):
    small = {"norm_first": True, "num_encoder_layers": 1, "num_decoder_layers": 1}
    model = model_of(**small)
    right = numbers(model(inputs))
    np.testing.assert_allclose(numbers(compiled(model, {"inputs": inputs})), right, atol=1e-5)
    half = model_of(**small, dtype="mixed_bfloat16")
    half.set_weights(model.get_weights())
    found = half(inputs)
    assert keras.backend.standardize_dtype(found.dtype) == "bfloat16"
    error = np.abs(numbers(ops.cast(found, "float32")) - right).max()
    assert error < 0.06 * np.abs(right).max()
    assert {w.dtype for w in half.weights} == {"float32"}


def test_fit_lowers_the_loss(inputs):
    keras.utils.set_random_seed(3)
    layers = {"num_encoder_layers": 1, "num_decoder_layers": 1}
    model = Transformer(**{**SIZES, **layers}, label_smoothing=0.0)
    model.compile(optimizer=keras.optimizers.Adam(0.02), run_eagerly=True)
    labels = np.roll(inputs["target_ids"], -1, axis=1)
    y = {"label_ids": labels, "label_mask": labels > 4}
    losses = model.fit(inputs, y, epochs=9, batch_size=3, verbose=0).history["loss"]
    assert model.evaluate(inputs, y, batch_size=3, verbose=0) < 0.5 * losses[0]


def test_wrong_inputs_cost_one_line(inputs):
    model = model_of()
    for change, message in (
        ({"token_ids": inputs["token_ids"] + 9}, "the ids go from 0 to 12"),
        ({"target_ids": inputs["target_ids"] - 99}, "the ids go from 0 to 10"),
        ({"token_ids": inputs["token_ids"].astype("float32")}, "token_ids must be int"),
        ({"padding_mask": inputs["padding_mask"].astype("int32")}, "True = a real token"),
        ({"target_ids": np.full((3, 10), 4, "int32")}, "takes 9 at most (max_sequence_length)"),
    ):
        with pytest.raises(InputError) as error:
            model.predict({**inputs, **change})
        assert message in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(InputError, match="lack padding_mask"):
        model.fit({"token_ids": inputs["token_ids"]})
    with pytest.raises(ValueError, match="not one of sinusoidal, learned"):
        Transformer(**SIZES, positions="rotary")
    with pytest.raises(ValueError, match="tie_embeddings is for one vocabulary"):
        Transformer(**SIZES, tie_embeddings=True)
