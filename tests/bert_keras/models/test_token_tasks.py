"""Task models against NumPy: heads on the encoder's outputs, and their losses."""

import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.errors import InputError
from bert_keras.models import (
    CoreferenceRanker,
    JointIntentSlot,
    MultipleChoice,
    SpanPredictor,
    TokenClassifier,
)
from bert_keras.models.coreference import pair_features

MODELS = {
    "token_classifier": (TokenClassifier, {"num_classes": 5}),
    "span_predictor": (SpanPredictor, {}),
    "joint_intent_slot": (JointIntentSlot, {"num_intents": 4, "num_slots": 3}),
    "multiple_choice": (MultipleChoice, {}),
    "coreference_ranker": (CoreferenceRanker, {}),
}


# Three mentions a row, one of them of two tokens.
MENTIONS = np.zeros((3, 3, 7), bool)
MENTIONS[:, 0, 1] = MENTIONS[:, 1, 0] = MENTIONS[0, 2, 3:5] = MENTIONS[1:, 2, 1] = True


@pytest.fixture
def choices(batch):
    """Three rows of two sequences each; the second is the first with other tokens."""
    other = {**batch, "token_ids": np.where(batch["padding_mask"], batch["token_ids"] % 28 + 1, 0)}
    return {name: np.stack([batch[name], other[name]], axis=1) for name in batch}


@pytest.fixture
def made(make_backbone, batch, choices):
    def make(name):
        kind, options = MODELS[name]
        model = kind(make_backbone(), dropout=0.3, **options)
        if name == "coreference_ranker":
            return model, {**batch, "mention_mask": MENTIONS}
        return model, choices if name == "multiple_choice" else batch

    return make


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


def head(layer, x):
    kernel, bias = layer.dense.get_weights()
    return x @ kernel + bias


def nll(logits, label):
    """Mean negative log-likelihood in float64 of rows whose label is not -1."""
    logits = numbers(logits).astype("float64")
    logs = logits - np.log(np.exp(logits - logits.max(-1, keepdims=True)).sum(-1, keepdims=True))
    logs -= logits.max(-1, keepdims=True)
    picked = np.take_along_axis(logs, np.maximum(label, 0)[..., None], axis=-1)[..., 0]
    return -picked[label >= 0].mean()


def test_tags(made):
    model, batch = made("token_classifier")
    output = numbers(model.backbone(batch)["sequence_output"])
    logits = model(batch)
    np.testing.assert_allclose(numbers(logits), head(model.classifier, output), atol=1e-5)
    labels = np.array([[-1, 4, 0, -1, 2, 1, -1], [-1, 3, -1, -1, -1, -1, -1], [-1] * 7])
    assert float(model.task_loss(labels, logits)) == pytest.approx(nll(logits, labels), abs=1e-5)
    assert float(model.task_loss(np.full((3, 7), -1), logits)) == 0.0


def test_ends_of_an_answer(made):
    model, batch = made("span_predictor")
    output = numbers(model.backbone(batch)["sequence_output"])
    right = head(model.ends, output).transpose(0, 2, 1)
    logits = numbers(model(batch))
    assert logits.shape == (3, 2, 7)
    real = np.broadcast_to(batch["padding_mask"][:, None], logits.shape)
    np.testing.assert_allclose(logits[real], right[real], atol=1e-5)
    assert (logits[~real] == -3e4).all()
    labels = np.array([[2, 4], [0, 0], [1, 1]])
    expected = (nll(logits[:, 0], labels[:, 0]) + nll(logits[:, 1], labels[:, 1])) / 2
    assert float(model.task_loss(labels, logits)) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("name", ["token_classifier", "span_predictor"])
def test_all_that_trains_gets_a_gradient(made, name):
    """Keras warns where a variable has none; warnings are errors here."""
    model, batch = made(name)
    model.compile(optimizer=keras.optimizers.SGD(0.1), run_eagerly=True)
    before = [numbers(x) for x in model.backbone.pooler.weights]
    model.train_on_batch(batch, np.zeros((3, 7 if name == "token_classifier" else 2), "int32"))
    for old, new in zip(before, model.backbone.pooler.weights, strict=True):
        np.testing.assert_array_equal(old, numbers(new))


def test_intent_and_slots(made):
    model, batch = made("joint_intent_slot")
    output = {name: numbers(x) for name, x in model.backbone(batch).items() if name[0] in "sp"}
    logits = model(batch)
    intent, slots = (numbers(logits[name]) for name in ("intent", "slots"))
    np.testing.assert_allclose(
        intent, head(model.intent_classifier, output["pooled_output"]), atol=1e-5
    )
    np.testing.assert_allclose(
        slots, head(model.slot_classifier, output["sequence_output"]), atol=1e-5
    )
    y = {"intent": np.array([3, 0, 1]), "slots": np.array([[-1, 2, 0, 1, 1, 0, -1]] * 3)}
    expected = nll(intent, y["intent"]) + nll(slots, y["slots"])
    assert float(model.task_loss(y, logits)) == pytest.approx(expected, abs=1e-5)


def test_choices_are_scored_one_by_one(made, batch):
    model, choices = made("multiple_choice")
    logits = numbers(model(choices))
    assert logits.shape == (3, 2)
    for place in range(2):
        alone = {name: x[:, place] for name, x in choices.items()}
        pooled = numbers(model.backbone(alone)["pooled_output"])
        np.testing.assert_allclose(logits[:, place], head(model.scorer, pooled)[:, 0], atol=1e-5)
    turned = {name: x[:, ::-1].copy() for name, x in choices.items()}
    np.testing.assert_allclose(numbers(model(turned)), logits[:, ::-1], atol=1e-5)
    with pytest.raises(InputError, match=r"\(B, K, T\), K choices a row, not \(3, 7\)"):
        model(batch)
    wrong = {**choices, "token_ids": choices["token_ids"] + 40}
    with pytest.raises(InputError, match="they go from 0 to 28"):
        model.predict(wrong, verbose=0)


def test_pairs_of_mentions(made, batch):
    model, inputs = made("coreference_ranker")
    output = numbers(model.backbone(batch)["sequence_output"])
    pronoun, first, second = output[0, 1], output[0, 0], (output[0, 3] + output[0, 4]) / 2
    right = [np.concatenate([pronoun, x, pronoun * x]) for x in (first, second)]
    features = numbers(pair_features(ops.convert_to_tensor(output), MENTIONS))
    assert features.shape == (3, 2, 24)
    np.testing.assert_allclose(features[0], right, atol=1e-5)
    kernel, bias = model.hidden_dense.get_weights()
    hidden = np.maximum(features @ kernel + bias, 0)
    logits = numbers(model(inputs))
    np.testing.assert_allclose(logits, head(model.scorer, hidden)[..., 0], atol=1e-5)
    labels = np.array([1, 0, 1])
    assert float(model.task_loss(labels, logits)) == pytest.approx(nll(logits, labels), abs=1e-5)
    with pytest.raises(InputError, match="the inputs lack mention_mask"):
        model(batch)


@pytest.mark.parametrize("name", MODELS)
def test_saved_and_loaded(made, name, tmp_path):
    model, batch = made(name)
    model.save(tmp_path / "model.keras")
    restored = keras.models.load_model(tmp_path / "model.keras")
    assert type(restored) is type(model) and restored.get_config() == model.get_config()
    for new, old in zip(*map(keras.tree.flatten, (restored(batch), model(batch))), strict=True):
        np.testing.assert_array_equal(numbers(new), numbers(old))
    assert all(variable.path.startswith(name) for variable in model.weights[-2:])


def test_a_loss_of_ones_own_takes_the_place(made):
    model, batch = made("token_classifier")
    labels = np.array([[0, 4, 0, 3, 2, 1, 1]] * 3)
    losses = []
    for loss in (None, lambda y, y_pred: ops.mean(y_pred) * 0 + 7.0):
        model.compile(optimizer=keras.optimizers.SGD(0.0), loss=loss, run_eagerly=True)
        losses.append(float(model.test_on_batch(batch, labels)))
    assert losses[0] == pytest.approx(nll(model(batch), labels), abs=1e-4) and losses[1] == 7.0
