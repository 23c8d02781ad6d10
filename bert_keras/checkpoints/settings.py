"""Sizes in the words of the configuration files that Google and Hugging Face use.

Both are nearly the same list. What our model cannot be is refused here, before any weight is read.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bert_keras.checkpoints.contents import ConversionError

# Our name, theirs, and the value where a file may leave it out. None: it may not.
_WHOLE = {
    "vocabulary_size": ("vocab_size", None),
    "num_layers": ("num_hidden_layers", None),
    "num_heads": ("num_attention_heads", None),
    "hidden_dim": ("hidden_size", None),
    "intermediate_dim": ("intermediate_size", None),
    "max_sequence_length": ("max_position_embeddings", 512),
    "num_segments": ("type_vocab_size", 2),
}
_FRACTIONS = {
    "dropout": ("hidden_dropout_prob", 0.1),
    "layer_norm_epsilon": ("layer_norm_eps", 1e-12),
    "initializer_stddev": ("initializer_range", 0.02),
}
# "gelu" is the exact form with erf, the others are ways to say "with tanh".
ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_python": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
    "silu": "silu",
    "swish": "silu",
}
_WRITTEN_ACTIVATIONS = {"gelu": "gelu", "gelu_tanh": "gelu_new", "relu": "relu", "silu": "silu"}
GOOGLE_EPSILON = 1e-12
LARGEST = {"num_layers": 1000}  # a wrong number should not make us list names for hours
LARGEST_ELSEWHERE = 10_000_000


def load_json(path: str | Path) -> dict[str, Any]:
    """Read a file with one JSON object.

    Args:
        path: the file.

    Returns:
        The object.

    Raises:
        ConversionError: no such file, or something else in it.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConversionError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ConversionError(f"{path} is not JSON ({str(error).splitlines()[0]})") from None
    if not isinstance(content, dict):
        raise ConversionError(f"{path} should hold a JSON object")
    return content


def sizes_from(config: dict[str, Any], path: str | Path) -> tuple[dict[str, Any], list[str]]:
    """Translate a configuration file into our arguments.

    Args:
        config: the content of the file.
        path: the file, for messages.

    Returns:
        The arguments of `BertBackbone`, and notes for the reader.

    Raises:
        ConversionError: a value is missing or wrong, or the model is not one that ours can be.
    """
    _refuse_other_models(config, path)
    sizes: dict[str, Any] = {}
    for ours, (theirs, default) in _WHOLE.items():
        value = config.get(theirs, default)
        if value is None:
            raise ConversionError(f"{path} does not say {theirs}")
        if type(value) is not int or value < 1:
            raise ConversionError(
                f"{path}: {theirs} must be a positive whole number, not {value!r}"
            )
        if value > LARGEST.get(ours, LARGEST_ELSEWHERE):
            raise ConversionError(f"{path}: {theirs} is {value:,}, which no BERT has")
        sizes[ours] = value
    for ours, (theirs, default) in _FRACTIONS.items():
        value = config.get(theirs, default)
        if type(value) not in (int, float) or not 0 <= value < 1:
            raise ConversionError(f"{path}: {theirs} must be a number from 0 to 1, not {value!r}")
        sizes[ours] = float(value)
    if sizes["hidden_dim"] % sizes["num_heads"]:
        raise ConversionError(
            f"{path}: hidden_size ({sizes['hidden_dim']}) must be a multiple of "
            f"num_attention_heads ({sizes['num_heads']})"
        )
    activation = config.get("hidden_act", "gelu")
    if not isinstance(activation, str) or activation not in ACTIVATIONS:
        raise ConversionError(
            f"{path}: hidden_act {activation!r} is not known here; known are "
            f"{', '.join(ACTIVATIONS)}"
        )
    sizes["activation"] = ACTIVATIONS[activation]
    notes = []
    attention_dropout = config.get("attention_probs_dropout_prob", sizes["dropout"])
    if attention_dropout != sizes["dropout"]:
        notes.append(
            f"attention_probs_dropout_prob is {attention_dropout}; our model has one dropout and "
            f"takes hidden_dropout_prob, {sizes['dropout']} (training only)"
        )
    return sizes, notes


def config_from(sizes: dict[str, Any]) -> dict[str, Any]:
    """Translate our arguments into the words that both configuration files share.

    Args:
        sizes: arguments of `BertBackbone`, activation as a name.

    Returns:
        The content of a configuration file, without what is Hugging Face's alone.

    Raises:
        ConversionError: the activation has no name there.
    """
    activation = sizes.get("activation", "gelu")
    if activation not in _WRITTEN_ACTIVATIONS:
        raise ConversionError(
            f"the activation {activation!r} has no name in other formats; "
            f"these have: {', '.join(_WRITTEN_ACTIVATIONS)}"
        )
    config = {theirs: sizes[ours] for ours, (theirs, _) in _WHOLE.items()}
    config["hidden_act"] = _WRITTEN_ACTIVATIONS[activation]
    config["hidden_dropout_prob"] = sizes["dropout"]
    config["attention_probs_dropout_prob"] = sizes["dropout"]
    config["initializer_range"] = sizes["initializer_stddev"]
    return config


def _refuse_other_models(config: dict[str, Any], path: str | Path) -> None:
    kind = config.get("model_type", "bert")
    if kind != "bert":
        raise ConversionError(f"{path} describes a model of type {kind!r}, not 'bert'")
    positions = config.get("position_embedding_type") or "absolute"
    if positions != "absolute":
        raise ConversionError(
            f"{path}: position_embedding_type is {positions!r}; our BERT has absolute positions"
        )
    for key in ("is_decoder", "add_cross_attention"):
        if config.get(key):
            raise ConversionError(f"{path}: {key} is set; our BERT is an encoder")
    factorized = config.get("embedding_size", config.get("hidden_size"))
    if factorized != config.get("hidden_size"):
        raise ConversionError(
            f"{path}: embedding_size differs from hidden_size; our BERT has one size for both"
        )
