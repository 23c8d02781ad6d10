"""Fine-tuning GPT: three ways of scoring, the auxiliary loss by hand, and learning."""

import json

import keras
import numpy as np
import pytest
from backend_tools import randomize, step
from keras import ops

from bert_keras.errors import InputError
from bert_keras.models.gpt import GPTBackbone
from bert_keras.models.gpt_pieces import gpt_finetune_loss
from bert_keras.models.gpt_tasks import GPTClassifier
from bert_keras.text.task_inputs import (
    Marks,
    classification_input,
    multiple_choice_input,
    pad_task_inputs,
    similarity_input,
)

SIZES = {"vocabulary_size": 13, "num_layers": 1, "num_heads": 2, "hidden_dim": 8}
SIZES |= {"intermediate_dim": 12, "max_sequence_length": 11}
MARKS = Marks(10, 11, 12)
FIRST, SECOND = [[1, 2], [3], [4, 5, 6]], [[7], [8, 9, 1], [2, 3]]


def numbers(x):
    return np.asarray(ops.convert_to_numpy(x))


def classifier(num_classes=3, **more):
    model = GPTClassifier(GPTBackbone(**SIZES, dropout=0.0), num_classes, dropout=0.0, **more)
    randomize(model)
    return model


def head(model, state):
    kernel, bias = (numbers(v) for v in model.classifier.dense.weights)
    return state @ kernel + bias


def state_of(model, sequence):
    """The backbone's state at the last token of one sequence alone."""
    inputs = pad_task_inputs([sequence])
    return numbers(model.backbone(inputs))[0, -1]


def test_a_text_is_scored_at_its_last_real_token():
    model = classifier()
    rows = [classification_input(text, MARKS) for text in FIRST]
    found = numbers(model(pad_task_inputs(rows)))
    assert found.shape == (3, 3)
    for row, scores in zip(rows, found, strict=True):
        np.testing.assert_allclose(scores, head(model, state_of(model, row)), atol=1e-5)


def test_similarity_adds_both_orders_before_the_head_and_is_symmetric():
    model = classifier(kind="both_orders")
    pairs = [similarity_input(*texts, MARKS) for texts in zip(FIRST, SECOND, strict=True)]
    found = numbers(model(pad_task_inputs(pairs)))
    for (one, other), scores in zip(pairs, found, strict=True):
        right = head(model, state_of(model, one) + state_of(model, other))
        np.testing.assert_allclose(scores, right, atol=1e-5)
    turned = [similarity_input(*texts, MARKS) for texts in zip(SECOND, FIRST, strict=True)]
    np.testing.assert_allclose(numbers(model(pad_task_inputs(turned))), found, atol=1e-5)


def test_every_answer_has_its_own_score():
    model = classifier(1, kind="choices")
    rows = [multiple_choice_input([1, 2], [[3], [4, 5], [6]], MARKS)] * 2
    inputs = pad_task_inputs(rows)
    found = numbers(model(inputs))
    assert found.shape == (2, 3)
    for answer, score in zip(rows[0], found[0], strict=True):
        assert score == pytest.approx(head(model, state_of(model, answer))[0], abs=1e-5)
    other = inputs["token_ids"].copy()
    other[0, 1, 4] = 9  # the second answer of the first row
    moved = numbers(model({**inputs, "token_ids": other})) - found
    assert np.abs(moved[0, 1]) > 1e-4
    moved[0, 1] = 0
    np.testing.assert_allclose(moved, 0, atol=1e-6)


def test_padding_moves_nothing():
    for kind, rows in (
        ("single", [classification_input(text, MARKS) for text in FIRST]),
        ("both_orders", [similarity_input(*t, MARKS) for t in zip(FIRST, SECOND, strict=True)]),
    ):
        model = classifier(kind=kind)
        right = numbers(model(pad_task_inputs(rows)))
        wider = numbers(model(pad_task_inputs(rows, pad_id=5, length=11)))
        np.testing.assert_allclose(wider, right, atol=1e-5)


def test_the_loss_of_fine_tuning_by_hand():
    rng = np.random.default_rng(1)
    class_logits, lm_logits = (rng.normal(size=s).astype("float32") for s in ((2, 3), (2, 4, 5)))
    labels, ids = np.array([2, 0], "int32"), rng.integers(0, 5, (2, 4)).astype("int32")
    mask = np.arange(4) < np.array([[4], [3]])
    log = class_logits - np.log(np.exp(class_logits).sum(-1, keepdims=True))
    task = -(log[0, 2] + log[1, 0]) / 2
    log = lm_logits - np.log(np.exp(lm_logits).sum(-1, keepdims=True))
    places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]
    lm = -np.mean([log[b, t, ids[b, t + 1]] for b, t in places])
    for weight in (0.5, 0.0, 2.0):
        found = gpt_finetune_loss(class_logits, labels, lm_logits, ids, mask, weight)
        assert float(found) == pytest.approx(task + weight * lm, abs=1e-5)


@pytest.mark.parametrize("weight", [0.5, 0.0])
def test_training_takes_both_losses_and_evaluation_the_tasks(weight):
    model = classifier(lm_weight=weight)
    inputs = pad_task_inputs([classification_input(text, MARKS) for text in FIRST])
    labels = np.array([0, 2, 1], "int32")
    lm_logits = model.backbone.score_tokens(model.backbone(inputs))
    both = gpt_finetune_loss(model(inputs), labels, lm_logits, *inputs.values(), weight)
    task = gpt_finetune_loss(model(inputs), labels, lm_logits, *inputs.values(), 0.0)
    for training, right in ((True, both), (False, task)):
        scores = model(inputs, training=training)
        found = model.compute_loss(x=inputs, y=labels, y_pred=scores)
        assert float(found) == pytest.approx(float(right), abs=1e-5)
    if not weight:
        return
    # Keras's own loop sees the same two.
    model.compile(optimizer=keras.optimizers.SGD(0.0), metrics=["accuracy"], jit_compile=False)
    history = model.fit(inputs, labels, verbose=0).history
    assert history["loss"] == pytest.approx([float(both)], abs=1e-5)
    assert history["task_loss"] == pytest.approx([float(task)], abs=1e-5)
    found = model.evaluate(inputs, labels, verbose=0, return_dict=True)
    assert found["loss"] == pytest.approx(float(task), abs=1e-5)
    right = (numbers(model(inputs)).argmax(-1) == labels).mean()
    assert found["accuracy"] == pytest.approx(right)


def test_every_weight_learns():
    model = classifier(kind="both_orders")
    pairs = [similarity_input(*texts, MARKS) for texts in zip(FIRST, SECOND, strict=True)]
    inputs, labels = pad_task_inputs(pairs), np.array([0, 1, 1], "int32")

    def loss(scores):
        return model.compute_loss(x=inputs, y=labels, y_pred=scores)

    _, gradients, _ = step(model, {"inputs": inputs}, loss)
    for variable, gradient in zip(model.trainable_variables, gradients, strict=True):
        assert variable.path.endswith("key/bias") or np.abs(gradient).max() > 1e-6, variable.path


@pytest.mark.slow
def test_it_learns_compiled():
    backbone = GPTBackbone(**SIZES, dropout=0.0, initializer_stddev=0.3)
    model = GPTClassifier(backbone, 2, dropout=0.0)
    model.compile(optimizer=keras.optimizers.Adam(0.03))
    texts = np.random.default_rng(3).integers(1, 10, (32, 4))
    inputs = pad_task_inputs([classification_input(text, MARKS) for text in texts.tolist()])
    labels = (texts[:, 0] > 5).astype("int32")
    often = {name: np.tile(x, (80, 1)) for name, x in inputs.items()}
    model.fit(often, np.tile(labels, 80), batch_size=32, shuffle=False, verbose=0)
    assert (numbers(model(inputs)).argmax(-1) == labels).mean() > 0.9


def test_what_was_saved_computes_the_same(tmp_path):
    model = classifier(kind="both_orders", lm_weight=0.25)
    config = json.loads(json.dumps(model.get_config()))
    assert GPTClassifier.from_config(config).get_config() == model.get_config()
    model.save(tmp_path / "model.keras")
    restored = keras.saving.load_model(tmp_path / "model.keras")
    inputs = pad_task_inputs([similarity_input([1], [2, 3], MARKS)])
    np.testing.assert_array_equal(numbers(restored(inputs)), numbers(model(inputs)))
    assert restored.lm_weight == 0.25


def test_wrong_inputs_cost_one_line():
    flat = pad_task_inputs([classification_input([1, 2], MARKS)])
    deep = pad_task_inputs([similarity_input([1], [2], MARKS)])
    for kind, inputs, message in (
        ("single", deep, "must have the shape (B, T)"),
        ("both_orders", flat, "must have the shape (B, K, T)"),
        ("single", {**flat, "token_ids": flat["token_ids"] + 9}, "the ids go from 0 to 12"),
    ):
        with pytest.raises(InputError) as error:
            classifier(kind=kind).predict(inputs)
        assert message in str(error.value) and "\n" not in str(error.value)
    three = pad_task_inputs([multiple_choice_input([1], [[2], [3], [4]], MARKS)])
    with pytest.raises(InputError, match="both orders are 2 sequences a row, not 3"):
        classifier(kind="both_orders").predict(three)
    with pytest.raises(ValueError, match="not one of single, both_orders, choices"):
        classifier(kind="similarity")
    with pytest.raises(ValueError, match="num_classes must be 1 for choices"):
        classifier(3, kind="choices")
