"""Every public layer with a configuration and inputs: what the generic tests walk over."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bert_keras import layers
from bert_keras.layers.dropout import Dropout
from bert_keras.layers.transformer import BlockAttention

V, D = 11, 12


@dataclass
class Case:
    """One layer to test.

    Args:
        name: what the test is called.
        cls: the layer's class.
        config: its arguments.
        make: (rng, batch, length) → dict of the arguments of call, NumPy arrays.
        masks: name of a mask among the inputs → names of the inputs whose positions it closes.
        rows: the input whose positions are those of the first output; None compares all of it.
        passes_mask_on: whether it hands a Keras mask to the layer after it.
        free_of_gradient: ends of the paths of weights that change nothing.
        fixed: inputs without a batch axis.
    """

    name: str
    cls: type
    config: dict[str, Any]
    make: Callable[..., dict[str, Any]]
    masks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rows: str | None = None
    passes_mask_on: bool = False
    free_of_gradient: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()

    def inputs(self, batch: int = 3, length: int = 5) -> dict[str, Any]:
        """The same numbers in every process."""
        rng = np.random.default_rng([zlib.crc32(self.name.encode()), batch, length])
        return self.make(rng, batch, length)

    def layer(self, **changes):
        return self.cls(**{"name": "tested", **self.config, **changes})


def floats(rng, *shape):
    return rng.normal(size=shape).astype("float32")


def lengths_mask(rng, batch, length):
    """(B, 1, S): the first row is full, the others end somewhere."""
    ends = np.concatenate([[length], rng.integers(1, length + 1, batch - 1)])
    return (np.arange(length) < ends[:, None])[:, None]


def x_only(rng, batch, length):
    return {"x": floats(rng, batch, length, D)}


def features_only(rng, batch, length):
    return {"features": floats(rng, batch, length, D)}


def x_and_mask(rng, batch, length):
    return {**x_only(rng, batch, length), "mask": lengths_mask(rng, batch, length)[:, 0]}


def block(rng, batch, length):
    return {**x_only(rng, batch, length), "attention_mask": lengths_mask(rng, batch, length)}


def decoder(rng, batch, length):
    return {
        **block(rng, batch, length),
        "source": floats(rng, batch, length + 2, 7),
        "source_mask": lengths_mask(rng, batch, length + 2),
    }


def three(rng, batch, length, size=9):
    """Queries, and keys and values of another length and, maybe, size."""
    return {
        "query": floats(rng, batch, length, 9),
        "key": floats(rng, batch, length + 1, size),
        "value": floats(rng, batch, length + 1, 8),
        "attention_mask": lengths_mask(rng, batch, length + 1),
    }


def ids(rng, batch, length):
    return {
        "token_ids": rng.integers(0, V, (batch, length)).astype("int32"),
        "segment_ids": rng.integers(0, 2, (batch, length)).astype("int32"),
    }


def token_ids_only(rng, batch, length):
    return {"token_ids": ids(rng, batch, length)["token_ids"]}


def masked(rng, batch, length):
    return {
        "sequence_output": floats(rng, batch, length, D),
        "mask_positions": rng.integers(0, length, (batch, 2)).astype("int32"),
        "token_table": floats(rng, V, D),
    }


def cell(states):
    def make(rng, batch, length):
        return {
            "x": floats(rng, batch, 5),
            "states": [floats(rng, batch, 4) for _ in range(states)],
        }

    return make


def spelt(rng, batch, length):
    """Words of one to four characters; the last word of the second row has none."""
    ids = rng.integers(1, V, (batch, length, 4)) * (
        np.arange(4) < rng.integers(1, 5, (batch, length, 1))
    )
    ids[1:2, -1] = 0
    return {"character_ids": ids.astype("int32")}


def tags(rng, batch, length):
    """Four tags a word; which words are judged has no pattern, but one of each row is."""
    mask = rng.random((batch, length)) < 0.7
    mask[:, -1] = True
    return {
        "scores": floats(rng, batch, length, 4),
        "labels": rng.integers(0, 4, (batch, length)).astype("int32"),
        "label_mask": mask,
    }


def looking_back(states):
    def make(rng, batch, length):
        return {
            **cell(states)(rng, batch, length),
            "source": floats(rng, batch, length, 6),
            "padding_mask": lengths_mask(rng, batch, length)[:, 0],
        }

    return make


# A bias on the keys adds the same number to all scores of a query: the softmax drops it.
KEY = ("key/bias",)
SIZES = {"num_heads": 3, "hidden_dim": D, "intermediate_dim": 20, "dropout": 0.0}
OVER_KEYS = {"attention_mask": ("key", "value")}
OVER_X = {"attention_mask": ("x",)}
OVER_BOTH = {"attention_mask": ("x",), "source_mask": ("source",)}

CASES = [
    Case("multi_head", layers.MultiHeadAttention,
         {"num_heads": 3, "hidden_dim": D}, three, OVER_KEYS, free_of_gradient=KEY),
    Case("block_attention", BlockAttention,
         {"num_heads": 3, "hidden_dim": D}, three, OVER_KEYS, free_of_gradient=KEY),
    Case("additive", layers.AdditiveAttention, {"hidden_dim": 6}, three, OVER_KEYS),
    Case("multiplicative", layers.MultiplicativeAttention, {}, three, OVER_KEYS),
    Case("dot", layers.MultiplicativeAttention, {"use_kernel": False}, three, OVER_KEYS),
    Case("embeddings", layers.BertEmbeddings,
         {"vocabulary_size": V, "hidden_dim": D, "max_sequence_length": 7, "dropout": 0.0}, ids,
         rows="token_ids"),
    *(Case(f"transformer_embeddings_{positions}", layers.TransformerEmbeddings,
           {"vocabulary_size": V, "hidden_dim": D, "max_sequence_length": 7, "dropout": 0.0,
            "positions": positions}, token_ids_only, rows="token_ids")
      for positions in ("sinusoidal", "learned")),
    Case("feed_forward", layers.FeedForward,
         {"intermediate_dim": 20, "hidden_dim": 7, "activation": "relu"}, x_only, rows="x",
         passes_mask_on=True),
    Case("encoder", layers.EncoderBlock, {**SIZES, "layer_norm_epsilon": 1e-6}, block, OVER_X,
         rows="x", free_of_gradient=KEY),
    Case("encoder_norm_first", layers.EncoderBlock, {**SIZES, "norm_first": True}, block, OVER_X,
         rows="x", free_of_gradient=KEY),
    Case("decoder", layers.DecoderBlock, SIZES, decoder, OVER_BOTH, rows="x",
         free_of_gradient=KEY),
    Case("decoder_norm_first", layers.DecoderBlock, {**SIZES, "norm_first": True}, decoder,
         OVER_BOTH, rows="x", free_of_gradient=KEY),
    Case("pooler", layers.Pooler, {"hidden_dim": 4, "initializer_stddev": 0.3},
         lambda *a: {"sequence_output": x_only(*a)["x"]}),
    Case("masked_lm", layers.MaskedLMHead, {"activation": "relu", "layer_norm_epsilon": 1e-6},
         masked, fixed=("token_table",)),
    Case("classifier", layers.ClassifierHead, {"num_classes": 3, "dropout": 0.0}, features_only,
         rows="features", passes_mask_on=True),
    Case("next_sentence", layers.NextSentenceHead, {"initializer_stddev": 0.3},
         lambda rng, batch, length: {"pooled_output": floats(rng, batch, D)}),
    Case("learned_positions", layers.LearnedPositions, {"max_sequence_length": 7}, x_only,
         rows="x", passes_mask_on=True),
    Case("sinusoidal_positions", layers.SinusoidalPositions,
         {"max_sequence_length": 7, "scale": 2.0}, x_only, rows="x", passes_mask_on=True),
    Case("convolution", layers.MaskedConvolution,
         {"filters": 4, "kernel_size": 3, "dilation_rate": 2, "activation": "tanh"}, x_and_mask,
         {"mask": ("x",)}, rows="x", passes_mask_on=True),
    Case("char_cnn", layers.CharCNN,
         {"num_characters": V, "hidden_dim": D, "filters": [[1, 4], [3, 5]], "character_dim": 6},
         spelt, rows="character_ids"),
    Case("highway", layers.Highway, {"activation": "tanh", "gate_bias": -1.0}, x_only, rows="x",
         passes_mask_on=True),
    Case("directed_lstm", layers.DirectedLSTM, {"hidden_dim": D, "dropout": 0.0}, x_only, rows="x",
         passes_mask_on=True),
    Case("scalar_mix", layers.ScalarMix, {},
         lambda *a: {"layers": [x_only(*a)["x"] for _ in range(3)]}),
    Case("crf", layers.LinearChainCRF,
         {"num_classes": 4, "allowed_starts": [True, True, False, True], "scale": 2.0}, tags,
         {"label_mask": ("scores", "labels")}),
    Case("scale_shift", layers.ScaleShift, {"initial_scale": 1.5}, x_only, rows="x",
         passes_mask_on=True),
    Case("dropout", Dropout, {"rate": 0.25}, lambda *a: {"inputs": x_only(*a)["x"]}, rows="inputs",
         passes_mask_on=True),
    *(Case(kind, layers.RecurrentCell, {"kind": kind, "hidden_dim": 4, "forget_bias": 0.5},
           cell(states)) for kind, states in (("rnn", 1), ("lstm", 2), ("gru", 1))),
    *(Case(f"{kind}_looking_back", layers.AttentionDecoderCell, {"kind": kind, "hidden_dim": 4},
           looking_back(states))  # its code is what the course shows: it looks at no mask's dtype
      for kind, states in (("lstm", 2), ("gru", 1))),
]  # fmt: skip
