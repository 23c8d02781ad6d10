"""Real weights in KerasHub's BERT, which bends its features with the tanh form of GELU."""

import keras
import numpy as np
import numpy_bert
import pytest

from bert_keras import checkpoints
from bert_keras.checkpoints.activations import gelu_tanh
from bert_keras.checkpoints.names import entries

keras_hub = pytest.importorskip("keras_hub")


def fill(model, checkpoint):
    """Copy our weights into KerasHub's model, by the table of names read backwards."""
    theirs = {variable.path: variable for variable in model.weights}
    for entry in entries(checkpoint.sizes, ["encoder"]):
        theirs[entry.kerashub].assign(checkpoint.weights[entry.ours].reshape(entry.kerashub_shape))


def states_of(backbone, batch):
    """KerasHub's output after every layer."""
    layers = [backbone.get_layer("embeddings_layer_norm"), *backbone.transformer_layers]
    probe = keras.Model(
        backbone.inputs, [layer.output for layer in layers] + [backbone.output["pooled_output"]]
    )
    *hidden, pooled = probe.predict_on_batch(batch)
    return {"hidden_states": hidden, "pooled_output": pooled}


def furthest(states, expected):
    return max(
        np.abs(np.asarray(found) - right).max()
        for found, right in zip(states["hidden_states"], expected["hidden_states"], strict=True)
    )


@pytest.fixture(scope="module")
def checkpoint(minilm_folder):
    return checkpoints.read(minilm_folder)


@pytest.fixture(scope="module")
def theirs(checkpoint):
    sizes = checkpoint.sizes
    names = ("vocabulary_size", "num_layers", "num_heads", "hidden_dim", "intermediate_dim")
    backbone = keras_hub.models.BertBackbone(
        **{name: sizes[name] for name in names}, max_sequence_length=sizes["max_sequence_length"]
    )
    fill(backbone, checkpoint)
    return backbone


def test_every_layer_with_the_same_gelu_and_how_far_the_other_is(checkpoint, theirs, minilm_batch):
    expected = states_of(theirs, minilm_batch)
    matched = checkpoints.build_backbone(checkpoint, activation=gelu_tanh)
    numpy_bert.assert_layers_close(matched.all_states(minilm_batch), expected)
    exact = checkpoints.build_backbone(checkpoint)
    difference = furthest(exact.all_states(minilm_batch), expected)
    print(f"exact GELU against the tanh form: {difference:.1e} at most")
    assert 1e-3 < difference < 1e-2
