"""GPT with norms first against KerasHub's GPT-2, which is the same stack, with copied weights."""

import keras
import numpy as np
import pytest
from backend_tools import randomize

from bert_keras.checkpoints.activations import gelu_tanh
from bert_keras.models.gpt import GPTBackbone

keras_hub = pytest.importorskip("keras_hub")

SIZES = {"vocabulary_size": 29, "num_layers": 2, "num_heads": 3, "hidden_dim": 15}
SIZES |= {"intermediate_dim": 20, "max_sequence_length": 11}
# Ours → theirs, inside a block.
NAMES = {
    "self_attention/query": "self_attention/query",
    "self_attention/key": "self_attention/key",
    "self_attention/value": "self_attention/value",
    "self_attention/output": "self_attention/attention_output",
    "self_attention_layer_norm": "self_attention_layer_norm",
    "feed_forward/intermediate": "feedforward_intermediate_dense",
    "feed_forward/output": "feedforward_output_dense",
    "feed_forward_layer_norm": "feedforward_layer_norm",
}


def theirs_of(path):
    """The path of KerasHub's variable that holds the same."""
    if path.startswith("block_"):
        block, _, rest = path.partition("/")
        layer, _, weight = rest.rpartition("/")
        return f"transformer_layer_{block.removeprefix('block_')}/{NAMES[layer]}/{weight}"
    return path.replace("position_embedding/table", "position_embedding/embeddings")


def test_every_state_is_kerashubs():
    ours = GPTBackbone(**SIZES, norm_first=True, activation=gelu_tanh)
    randomize(ours)
    theirs = keras_hub.models.GPT2Backbone(**SIZES)
    variables = {variable.path: variable for variable in theirs.weights}
    assert len(variables) == len(ours.weights)
    for weight in ours.weights:
        target = variables[theirs_of(weight.path.removeprefix("gpt_backbone/"))]
        target.assign(np.reshape(keras.ops.convert_to_numpy(weight), target.shape))
    mask = np.arange(9) < np.array([[9], [5], [1]])
    ids = np.random.default_rng(4).integers(0, 29, (3, 9)).astype("int32")
    right = theirs({"token_ids": ids, "padding_mask": mask.astype("int32")})
    found = ours({"token_ids": ids, "padding_mask": mask})
    right, found = (np.asarray(keras.ops.convert_to_numpy(x))[mask] for x in (right, found))
    difference = np.abs(found - right).max()
    print(f"GPT-2 in KerasHub: {difference:.1e} at most, states up to {np.abs(right).max():.1f}")
    assert difference < 1e-5
