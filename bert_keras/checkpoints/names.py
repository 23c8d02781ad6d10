"""Which of our tensors has which name, and which layout, in the other formats.

One row a tensor. `{layer}` stands for the number of an encoder block. Shapes are letters: V tokens,
T positions, S segments, D the size of the model, F the middle of the feed-forward network, N heads
of size H. Our kernels are (in, out), as Google's; PyTorch stores (out, in), so all of Hugging
Face's kernels are transposed; KerasHub gives the heads an axis of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

PARTS = {"encoder": "", "masked_lm": "masked_lm_head/", "next_sentence": "next_sentence_head/"}


@dataclass(frozen=True)
class Entry:
    """One tensor of the model.

    Args:
        part: a key of `PARTS`.
        ours: the path of the variable below its model.
        shape: the shape of the variable.
        google: the name in Google's TF1 checkpoints.
        huggingface: the name in Hugging Face's files, without the prefix `bert.`.
        kerashub: the path of the variable in KerasHub's model; "" where it has none.
        kerashub_file: the path in its `.weights.h5`.
        kerashub_shape: the shape there.
        google_transposed: whether Google stores it transposed.
        huggingface_transposed: whether Hugging Face does.
    """

    part: str
    ours: str
    shape: tuple[int, ...]
    google: str
    huggingface: str
    kerashub: str
    kerashub_file: str
    kerashub_shape: tuple[int, ...]
    google_transposed: bool
    huggingface_transposed: bool


def _dense(ours, sizes, google, huggingface, kerashub, kerashub_file, heads="", bias_heads=""):
    """A kernel and its bias; `sizes` is its shape, `heads` that of KerasHub's kernel."""
    return [
        (f"{ours}/kernel", sizes, f"{google}/kernel", f"{huggingface}.weight", f"{kerashub}/kernel",
         f"{kerashub_file}/vars/0", heads or sizes),
        (f"{ours}/bias", sizes[-1], f"{google}/bias", f"{huggingface}.bias", f"{kerashub}/bias",
         f"{kerashub_file}/vars/1", bias_heads or sizes[-1]),
    ]  # fmt: skip


def _norm(ours, google, huggingface, kerashub, kerashub_file):
    """A layer norm's scale and shift."""
    return [
        (f"{ours}/gamma", "D", f"{google}/gamma", f"{huggingface}.weight", f"{kerashub}/gamma",
         f"{kerashub_file}/vars/0", "D"),
        (f"{ours}/beta", "D", f"{google}/beta", f"{huggingface}.bias", f"{kerashub}/beta",
         f"{kerashub_file}/vars/1", "D"),
    ]  # fmt: skip


_EMBEDDINGS = [
    ("embeddings/token_embedding/embeddings", "VD", "bert/embeddings/word_embeddings",
     "embeddings.word_embeddings.weight", "token_embedding/embeddings",
     "reversible_embedding/vars/0", "VD"),
    ("embeddings/position_embedding/embeddings", "TD", "bert/embeddings/position_embeddings",
     "embeddings.position_embeddings.weight", "position_embedding/embeddings",
     "position_embedding/vars/0", "TD"),
    ("embeddings/segment_embedding/embeddings", "SD", "bert/embeddings/token_type_embeddings",
     "embeddings.token_type_embeddings.weight", "segment_embedding/embeddings",
     "embedding/vars/0", "SD"),
    *_norm("embeddings/layer_norm", "bert/embeddings/LayerNorm", "embeddings.LayerNorm",
           "embeddings_layer_norm", "layer_normalization"),
]  # fmt: skip


def _block():
    ours, google = "encoder_block_{layer}", "bert/encoder/layer_{layer}"
    huggingface, kerashub = "encoder.layer.{layer}", "transformer_layer_{layer}"
    file = "transformer_encoder{suffix}"
    rows = []
    for name in ("query", "key", "value"):
        rows += _dense(
            f"{ours}/self_attention/{name}", "DD", f"{google}/attention/self/{name}",
            f"{huggingface}.attention.self.{name}", f"{kerashub}/self_attention_layer/{name}",
            f"{file}/_self_attention_layer/{name}_dense", "DNH", "NH",
        )  # fmt: skip
    rows += _dense(
        f"{ours}/self_attention/output", "DD", f"{google}/attention/output/dense",
        f"{huggingface}.attention.output.dense",
        f"{kerashub}/self_attention_layer/attention_output",
        f"{file}/_self_attention_layer/output_dense", "NHD",
    )  # fmt: skip
    rows += _norm(
        f"{ours}/self_attention_layer_norm", f"{google}/attention/output/LayerNorm",
        f"{huggingface}.attention.output.LayerNorm", f"{kerashub}/self_attention_layer_norm",
        f"{file}/_self_attention_layer_norm",
    )  # fmt: skip
    rows += _dense(
        f"{ours}/feed_forward/intermediate", "DF", f"{google}/intermediate/dense",
        f"{huggingface}.intermediate.dense", f"{kerashub}/feedforward_intermediate_dense",
        f"{file}/_feedforward_intermediate_dense",
    )  # fmt: skip
    rows += _dense(
        f"{ours}/feed_forward/output", "FD", f"{google}/output/dense",
        f"{huggingface}.output.dense", f"{kerashub}/feedforward_output_dense",
        f"{file}/_feedforward_output_dense",
    )  # fmt: skip
    rows += _norm(
        f"{ours}/feed_forward_layer_norm", f"{google}/output/LayerNorm",
        f"{huggingface}.output.LayerNorm", f"{kerashub}/feedforward_layer_norm",
        f"{file}/_feedforward_layer_norm",
    )  # fmt: skip
    return rows


_BLOCK = _block()
_POOLER = _dense("pooler/dense", "DD", "bert/pooler/dense", "pooler.dense", "pooled_dense", "dense")
_MASKED_LM = [
    *_dense("masked_lm_head/dense", "DD", "cls/predictions/transform/dense",
            "cls.predictions.transform.dense", "mlm_head/intermediate_dense",
            "masked_lm_head/_intermediate_dense"),
    *_norm("masked_lm_head/layer_norm", "cls/predictions/transform/LayerNorm",
           "cls.predictions.transform.LayerNorm", "mlm_head/intermediate_layer_norm",
           "masked_lm_head/_intermediate_layer_norm"),
    ("masked_lm_head/output_bias", "V", "cls/predictions/output_bias", "cls.predictions.bias",
     "mlm_head/output_bias", "masked_lm_head/vars/0", "V"),
]  # fmt: skip
# The one kernel that Google transposes: its code multiplies with transpose_b.
_NEXT_SENTENCE = [
    ("next_sentence_head/dense/kernel", "D2", "cls/seq_relationship/output_weights",
     "cls.seq_relationship.weight", "", "", "D2"),
    ("next_sentence_head/dense/bias", "2", "cls/seq_relationship/output_bias",
     "cls.seq_relationship.bias", "", "", "2"),
]  # fmt: skip


def entries(sizes: dict[str, Any], parts: Iterable[str] = PARTS) -> list[Entry]:
    """All tensors of a model.

    Args:
        sizes: arguments of `BertBackbone`.
        parts: keys of `PARTS`.

    Returns:
        One entry a tensor, in the order of the layers.
    """
    lengths = {
        "V": sizes["vocabulary_size"],
        "T": sizes["max_sequence_length"],
        "S": sizes["num_segments"],
        "D": sizes["hidden_dim"],
        "F": sizes["intermediate_dim"],
        "N": sizes["num_heads"],
        "H": sizes["hidden_dim"] // sizes["num_heads"],
        "2": 2,
    }

    def entry(part, row, **layer):
        ours, shape, google, huggingface, kerashub, file, kerashub_shape = row
        return Entry(
            part,
            ours.format(**layer),
            tuple(lengths[letter] for letter in shape),
            google.format(**layer),
            huggingface.format(**layer),
            kerashub.format(**layer),
            file.format(**layer),
            tuple(lengths[letter] for letter in kerashub_shape),
            google_transposed=google.endswith("output_weights"),
            huggingface_transposed=ours.endswith("/kernel"),
        )

    found = []
    if "encoder" in parts:
        found += [entry("encoder", row) for row in _EMBEDDINGS]
        for number in range(sizes["num_layers"]):
            # Keras numbers the layers of a file from the second one on.
            suffix = f"_{number}" if number else ""
            found += [entry("encoder", row, layer=number, suffix=suffix) for row in _BLOCK]
        found += [entry("encoder", row) for row in _POOLER]
    if "masked_lm" in parts:
        found += [entry("masked_lm", row) for row in _MASKED_LM]
    if "next_sentence" in parts:
        found += [entry("next_sentence", row) for row in _NEXT_SENTENCE]
    return found


def convert_name(name: str) -> tuple[str, bool] | None:
    """Say where a tensor of a Hugging Face file belongs in our encoder.

    Args:
        name: the tensor's name, with or without "bert." in front; layer norms may have the names of
            old files, gamma and beta.

    Returns:
        The path below the backbone, and whether the tensor has to be transposed; None for what an
        encoder does not take: heads, slots of an optimizer, stored positions.

    Raises:
        ValueError: a BERT has no such tensor.
    """
    below = name.removeprefix("bert.")
    if below.startswith("cls.") or below.endswith(("/adam_m", "/adam_v")):
        return None
    if below in ("embeddings.position_ids", "global_step"):
        return None
    below = below.replace("LayerNorm.gamma", "LayerNorm.weight")
    below = below.replace("LayerNorm.beta", "LayerNorm.bias")
    for ours, _, _, huggingface, *_ in (*_EMBEDDINGS, *_BLOCK, *_POOLER):
        pattern = re.escape(huggingface).replace(re.escape("{layer}"), "([0-9]+)")
        if found := re.fullmatch(pattern, below):
            return ours.format(layer=(*found.groups(), "")[0]), ours.endswith("/kernel")
    raise ValueError(f"no tensor of a BERT is called {name}")
