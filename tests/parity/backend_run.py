# ruff: noqa: E402 (the path comes first)
"""Every layer and model on the backend that KERAS_BACKEND names; writes what it computed.

KERAS_BACKEND=jax python tests/parity/backend_run.py FILE.npz [all]
"""

import sys
from pathlib import Path

import keras
import numpy as np
from keras import ops

# The folders of tests are called as the packages that they test, which must be found first.
sys.path[:0] = [str(Path(__file__).resolve().parents[up]) for up in (2, 1)]

from backend_tools import arrays, randomize, step
from layer_cases import CASES

from bert_keras.models import BertBackbone, BertPretrainer, TextClassifier

SIZES = {
    "vocabulary_size": 29,
    "num_layers": 3,
    "num_heads": 2,
    "hidden_dim": 8,
    "intermediate_dim": 20,
    "max_sequence_length": 11,
    "dropout": 0.0,  # a training step: random draws differ from backend to backend
}


def batch():
    rng = np.random.default_rng(7)
    mask = np.array([[1] * 7, [1] * 4 + [0] * 3, [1] * 2 + [0] * 5], bool)
    inputs = {
        "token_ids": rng.integers(1, 29, (3, 7)).astype("int32") * mask,
        "segment_ids": (np.arange(7) > 2).astype("int32") * mask,
        "padding_mask": mask,
        "mask_positions": np.array([[1, 3, 4, 6], [2, 1, 0, 0], [1, 0, 0, 0]], "int32"),
    }
    targets = {
        "mask_ids": rng.integers(1, 29, (3, 4)).astype("int32"),
        "mask_weights": np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 0, 0]], "float32"),
        "next_sentence_label": np.array([0, 1, 1], "int32"),
    }
    return inputs, targets


def symbol(array):
    return keras.KerasTensor(array.shape, dtype=array.dtype.name)


def record(found, name, model, inputs, loss_of):
    """Outputs, loss and the gradient of every weight, under names that all backends share."""
    loss, gradients, outputs = step(model, inputs, loss_of)
    for number, array in enumerate(arrays(outputs)):
        found[f"{name}/output/{number}"] = array
    found[f"{name}/loss"] = np.array(loss)
    for variable, gradient in zip(model.trainable_variables, gradients, strict=True):
        if gradient is not None:
            found[f"{name}/gradient/{variable.path}"] = gradient


# What the models are not made of, and is not much work: the default; all under `slow`.
FEW = ("additive", "learned_positions", "convolution", "lstm", "crf")


def every_state(backbone, inputs):
    """All layers' outputs, by a model of its own, so that they are compiled as one."""
    symbols = {
        name: keras.Input(inputs[name].shape[1:], dtype=inputs[name].dtype.name, name=name)
        for name in ("token_ids", "segment_ids", "padding_mask")
    }
    probe = keras.Model(symbols, backbone.all_states(symbols))
    return probe.predict_on_batch({name: inputs[name] for name in symbols})


def main(path, which="few"):
    found = {}
    for case in CASES:
        if which == "few" and case.name not in FEW:
            continue
        layer, inputs = case.layer(), case.inputs()
        layer(**keras.tree.map_structure(symbol, inputs))  # builds, and computes nothing
        randomize(layer)
        record(
            found,
            case.name,
            layer,
            inputs,
            lambda outputs: sum(ops.mean(ops.square(x)) for x in keras.tree.flatten(outputs)),
        )
    inputs, targets = batch()
    pretrainer = BertPretrainer(BertBackbone(**SIZES))
    randomize(pretrainer, scale=0.3)
    for name, value in every_state(pretrainer.backbone, inputs).items():
        for number, array in enumerate(arrays(value)):
            found[f"backbone/{name}/{number}"] = array
    targets = {name: ops.convert_to_tensor(value) for name, value in targets.items()}
    arguments = {"inputs": inputs, "training": True}
    record(
        found,
        "pretrainer",
        pretrainer,
        arguments,
        lambda outputs: pretrainer.losses_of(targets, outputs)["loss"],
    )
    classifier = TextClassifier(pretrainer.backbone, num_classes=3, dropout=0.0)
    randomize(classifier.classifier)
    record(
        found,
        "classifier_model",
        classifier,
        {"inputs": inputs},
        lambda outputs: ops.mean(
            ops.sparse_categorical_crossentropy(np.array([0, 2, 1]), outputs, from_logits=True)
        ),
    )
    np.savez(path, backend=keras.backend.backend(), **found)


if __name__ == "__main__":
    main(*sys.argv[1:])
