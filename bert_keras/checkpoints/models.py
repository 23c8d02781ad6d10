"""From plain data to our models and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras

from bert_keras.checkpoints.activations import gelu_tanh
from bert_keras.checkpoints.contents import Checkpoint, ConversionError
from bert_keras.checkpoints.names import entries
from bert_keras.models.bert import BertBackbone, BertPretrainer

SIZES = (
    "vocabulary_size",
    "num_layers",
    "num_heads",
    "hidden_dim",
    "intermediate_dim",
    "max_sequence_length",
    "num_segments",
    "dropout",
    "layer_norm_epsilon",
    "initializer_stddev",
)


def build_backbone(checkpoint: Checkpoint, **changes: Any) -> BertBackbone:
    """Build the encoder and give it the weights.

    Args:
        checkpoint: what was read.
        **changes: arguments of `BertBackbone` to change, such as dropout or dtype.

    Returns:
        The encoder.
    """
    backbone = BertBackbone(**{**checkpoint.sizes, **_activation(checkpoint.sizes), **changes})
    _assign(_variables(backbone), checkpoint, ["encoder"])
    return backbone


def build_pretrainer(
    checkpoint: Checkpoint, heads: Sequence[str] = ("masked_lm", "next_sentence"), **changes: Any
) -> BertPretrainer:
    """Build the encoder with both heads.

    Args:
        checkpoint: what was read; it must have the heads.
        heads: keys of `PARTS`; another one keeps the weights that it starts with.
        **changes: as for `build_backbone`.

    Returns:
        The pretrainer.

    Raises:
        ConversionError: the checkpoint lacks a head.
    """
    lacking = [part for part in ("encoder", *heads) if part not in checkpoint.parts]
    if lacking:
        raise ConversionError(f"the checkpoint has no weights for the {' and '.join(lacking)} head")
    pretrainer = BertPretrainer(build_backbone(checkpoint, **changes))
    _assign(_variables(pretrainer), checkpoint, list(heads))
    return pretrainer


def from_model(model, vocabulary=None, lowercase: bool = True) -> Checkpoint:
    """Take the plain data out of one of our models.

    Args:
        model: `BertBackbone` or `BertPretrainer`.
        vocabulary: the `Vocabulary` that it was trained with.
        lowercase: whether its texts were lowercased.

    Returns:
        The checkpoint.

    Raises:
        ConversionError: the model has variables that no other format has a place for.
    """
    backbone = getattr(model, "backbone", model)
    if hasattr(backbone, "compression"):
        raise ConversionError(
            "no other format has a place for a compressed encoder: convert the one before"
        )
    sizes = {name: getattr(backbone, name) for name in SIZES}
    sizes["activation"] = _activation_name(backbone.activation)
    variables = _variables(model)
    known = {entry.ours for entry in entries(sizes)}
    if strange := sorted(set(variables) - known):
        raise ConversionError(f"no format has a place for {strange[0]} of {model.name}")
    weights = {
        name: keras.ops.convert_to_numpy(variable.value).astype("float32")
        for name, variable in variables.items()
    }
    return Checkpoint(sizes, weights, vocabulary, lowercase)


def _variables(model) -> dict[str, Any]:
    """The weights of a model by the path below it, which does not depend on its name."""
    return {variable.path.split("/", 1)[1]: variable for variable in model.weights}


def _assign(variables, checkpoint: Checkpoint, parts: list[str]) -> None:
    for entry in entries(checkpoint.sizes, parts):
        variables[entry.ours].assign(checkpoint.weights[entry.ours])


def _activation(sizes: dict[str, Any]) -> dict[str, Any]:
    return {"activation": gelu_tanh} if sizes.get("activation") == "gelu_tanh" else {}


def _activation_name(activation) -> str:
    name = keras.activations.serialize(activation)
    if isinstance(name, str):
        return name
    bare = str(name.get("config") or name.get("class_name")).rpartition(">")[2]
    return "gelu_tanh" if bare in ("gelu_tanh", "gelu_approximate") else bare
