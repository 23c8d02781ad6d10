"""KerasHub's BERT, read from a preset folder, a `.weights.h5` file or a model in memory.

KerasHub keeps the heads of its attention kernels as an axis of their own, (D, N, H) instead of
(D, D): in memory that is the same order of numbers, so a reshape is enough. Its own package is not
needed to read its files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.checkpoints import vocabularies
from bert_keras.checkpoints.contents import Checkpoint, ConversionError, Stored, Wanted, collect
from bert_keras.checkpoints.names import entries
from bert_keras.checkpoints.settings import load_json

CONFIG, WEIGHTS, TASK_WEIGHTS = "config.json", "model.weights.h5", "task.weights.h5"
NOTE = (
    "KerasHub's encoder computes GELU with tanh, so the encoder read here does too "
    "(activation gelu_tanh); our default is the exact form, up to 5e-4 apart per value"
)
HEAD_NOTE = (
    "KerasHub's masked-LM head has the exact GELU and an epsilon of 1e-5; in our pretrainer a head "
    "takes both from its encoder, so its logits differ slightly"
)


def read(path: str | Path, ignore: Sequence[str] = (), vocabulary=None) -> Checkpoint:
    """Read a preset folder or a weights file.

    Args:
        path: a folder with config.json and model.weights.h5 (or task.weights.h5), or one
            `.weights.h5` file, whose sizes are read off the shapes.
        ignore: patterns of paths in the file to leave out.
        vocabulary: a `Vocabulary` to use instead of the one in the folder.

    Returns:
        The checkpoint; without a vocabulary if it comes from a bare file.

    Raises:
        ConversionError: a file is missing, damaged or of another model.
        MismatchError: the tensors do not fit the sizes.
    """
    path = Path(path)
    config: dict[str, Any] = {}
    lowercase: bool | None = None
    if path.is_dir():
        content = load_json(path / CONFIG)
        name = content.get("registered_name") or content.get("class_name")
        if str(name).rpartition(">")[2] != "BertBackbone":
            raise ConversionError(f"{path / CONFIG} describes {name!r}, not a BertBackbone")
        config = _inner_config(content)
        task = path / TASK_WEIGHTS
        file = task if task.is_file() else path / WEIGHTS
    else:
        file = path
    weights, sizes, ignored = _read_file(file, config, ignore)
    if path.is_dir():
        tokenizer = path / "tokenizer.json"
        if tokenizer.is_file():
            lowercase = _inner_config(load_json(tokenizer)).get("lowercase")
        if vocabulary is None:
            vocabulary, _ = vocabularies.read(
                path,
                sizes["vocabulary_size"],
                ("assets/tokenizer/vocabulary.txt", "vocabulary.txt", "vocab.txt"),
            )
    checkpoint = _finish(weights, sizes, vocabulary, lowercase)
    checkpoint.ignored += ignored
    return checkpoint


def from_kerashub(model, vocabulary=None, lowercase: bool | None = None) -> Checkpoint:
    """Take the weights out of a KerasHub model.

    Args:
        model: `keras_hub.models.BertBackbone` or `BertMaskedLM`.
        vocabulary: its `Vocabulary`, if it has one.
        lowercase: whether its texts are lowercased; None judges by the vocabulary.

    Returns:
        The checkpoint.

    Raises:
        MismatchError: it is not a BERT, or has other weights.
    """
    stored = {
        variable.path: Stored(
            tuple(variable.shape),
            str(variable.dtype),
            "float" in str(variable.dtype),
            lambda variable=variable: np.asarray(variable),
        )
        for variable in model.weights
    }
    # Older versions call the table of positions after its own layer.
    table = "position_embedding/position_embeddings"
    if table in stored:
        stored["position_embedding/embeddings"] = stored.pop(table)
    sizes = _sizes(
        f"the model {model.name}",
        stored,
        "token_embedding/embeddings",
        "position_embedding/embeddings",
        "segment_embedding/embeddings",
        "transformer_layer_0/self_attention_layer/query/kernel",
        "transformer_layer_0/feedforward_intermediate_dense/kernel",
        r"transformer_layer_(\d+)/",
    )
    backbone = getattr(model, "backbone", model)
    sizes["dropout"] = float(getattr(backbone, "dropout", 0.1))
    weights, _ = _collect(model.name, stored, sizes, "kerashub")
    return _finish(weights, sizes, vocabulary, lowercase)


def _inner_config(content: dict[str, Any]) -> dict[str, Any]:
    """The arguments in a serialized Keras object; {} where there are none."""
    config = content.get("config")
    return config if isinstance(config, dict) else {}


def _read_file(file: Path, config: Mapping[str, Any], ignore: Sequence[str]):
    import h5py

    if not file.is_file():
        raise ConversionError(f"cannot read {file}: there is no such file")
    try:
        with h5py.File(file, "r") as content:
            stored = _stored(content)
            sizes = _sizes(
                file,
                stored,
                "reversible_embedding/vars/0",
                "position_embedding/vars/0",
                "embedding/vars/0",
                "transformer_encoder/_self_attention_layer/query_dense/vars/0",
                "transformer_encoder/_feedforward_intermediate_dense/vars/0",
                r"transformer_encoder(?:_(\d+))?/",
            )
            for name in sizes:
                if name in config and config[name] != sizes[name]:
                    raise ConversionError(
                        f"{file} has {name} {sizes[name]}, but {CONFIG} says {config[name]}"
                    )
            dropout = config.get("dropout", 0.1)
            sizes["dropout"] = float(dropout) if type(dropout) in (int, float) else 0.1
            weights, ignored = _collect(file, stored, sizes, "kerashub_file", ignore)
            return weights, sizes, ignored
    except (OSError, RuntimeError, ValueError, KeyError, TypeError) as error:
        # What h5py raises depends on which part of a damaged file it meets first.
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ConversionError(
            f"{file} is cut off, damaged or no HDF5 file ({reason}); fetch it again"
        ) from None


def _stored(content) -> dict[str, Stored]:
    """The data sets of a file, by their path below the model's layers."""
    import h5py

    found: dict[str, Stored] = {}

    def visit(path: str, item) -> None:
        if not isinstance(item, h5py.Dataset) or "seed_generator" in path:
            return
        if path.startswith(("optimizer/", "metrics/")):
            return
        # In the file of a task the encoder's layers lie one model deeper.
        name = path.rpartition("layers/")[2]
        found[name] = Stored(
            tuple(item.shape), str(item.dtype), item.dtype.kind == "f", lambda: np.asarray(item)
        )

    content.visititems(visit)
    return found


def _sizes(where, stored, token, position, segment, query, intermediate, layers) -> dict[str, Any]:
    """Everything but dropout can be read off the shapes: the heads have an axis of their own."""
    lengths = {}
    for name, axes in ((token, 2), (position, 2), (segment, 2), (query, 3), (intermediate, 2)):
        if name not in stored:
            raise ConversionError(f"{where} is not KerasHub's BERT: it has no {name}")
        if len(stored[name].shape) != axes:
            raise ConversionError(f"{where}: {name} is {stored[name].shape}; {axes} axes belong")
        lengths[name] = stored[name].shape
    numbers = {int(m[1] or 0) for name in stored if (m := re.match(layers, name))}
    return {
        "vocabulary_size": lengths[token][0],
        "num_layers": len(numbers),
        "num_heads": lengths[query][1],
        "hidden_dim": lengths[token][1],
        "intermediate_dim": lengths[intermediate][1],
        "max_sequence_length": lengths[position][0],
        "num_segments": lengths[segment][0],
    }


def _collect(where, stored, sizes, key: str, ignore: Sequence[str] = ()):
    head = entries(sizes, ["masked_lm"])
    rows = entries(sizes, ["encoder"])
    if any(getattr(entry, key) in stored for entry in head):
        rows += head
    wanted = [
        Wanted(
            entry,
            getattr(entry, key),
            entry.kerashub_shape,
            lambda array, shape=entry.shape: array.reshape(shape),
        )
        for entry in rows
    ]
    return collect(where, stored, wanted, ignore)


def _finish(weights, sizes, vocabulary, lowercase) -> Checkpoint:
    sizes |= {"activation": "gelu_tanh", "layer_norm_epsilon": 1e-12, "initializer_stddev": 0.02}
    checkpoint = Checkpoint(sizes, weights, vocabulary, notes=[NOTE])
    if "masked_lm" in checkpoint.parts:
        checkpoint.notes.append(HEAD_NOTE)
    if isinstance(lowercase, bool):
        checkpoint.lowercase = lowercase
    elif vocabulary is not None:
        checkpoint.lowercase = vocabularies.is_lowercase(vocabulary)
        checkpoint.notes.append(f"lowercase = {checkpoint.lowercase}, judged by the vocabulary")
    return checkpoint
