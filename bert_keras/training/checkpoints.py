"""Checkpoints that a killed run continues from exactly, and the files that later runs start from.

A checkpoint holds every variable: weights, the optimizer's moments and counter, the state of every
seed generator (so dropout goes on with the draws it would have made), and what the loop wants to
remember. It is one file that is replaced in a single move, so a kill leaves the previous one.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import keras
import numpy as np

import bert_keras.checkpoints.activations  # noqa: F401  (makes a saved "gelu_tanh" known)
from bert_keras.errors import UserError
from bert_keras.models.bert import BertBackbone
from bert_keras.text.vocabulary import Vocabulary, VocabularyError


class CheckpointError(UserError):
    """A checkpoint is missing or does not fit; the message is one line."""


def _variables(model, optimizer) -> dict[str, Any]:
    """All variables but metrics, by a name that is unique and the same from run to run.

    `train_on_batch` starts metrics anew with every batch, so they have nothing to resume.
    """
    metric_variables = {id(v) for v in model.metrics_variables}
    groups = {
        "model": [v for v in model.variables if id(v) not in metric_variables],
        "optimizer": optimizer.variables,
    }
    # Keras numbers unnamed parts by how many it has made in this process; drop those numbers.
    return {
        f"{group}/{number}/{re.sub(r'_[0-9]+', '', variable.path)}": variable
        for group, variables in groups.items()
        for number, variable in enumerate(variables)
    }


def save(path: str | Path, model, optimizer, progress: dict[str, Any]) -> None:
    """Write a checkpoint.

    Args:
        path: where; replaced in one move.
        model: Keras model.
        optimizer: its optimizer, built.
        progress: what the loop needs to go on; plain JSON values.
    """
    path = Path(path)
    arrays = {
        name: keras.ops.convert_to_numpy(variable.value)
        for name, variable in _variables(model, optimizer).items()
    }
    arrays["progress"] = np.frombuffer(json.dumps(progress).encode("utf-8"), np.uint8)
    write_atomically(path, lambda file: np.savez(file, **arrays))


def restore(path: str | Path, model, optimizer) -> dict[str, Any]:
    """Put a checkpoint's values into a model and an optimizer built like the saved ones.

    Returns:
        The `progress` given to `save`.

    Raises:
        CheckpointError: no such file, a damaged one, or one of another model.
    """
    path = Path(path)
    if not path.exists():
        raise CheckpointError(f"there is no checkpoint {path} to resume from")
    try:
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        progress = json.loads(bytes(arrays.pop("progress")))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise CheckpointError(f"{path} is not a readable checkpoint") from None
    variables = _variables(model, optimizer)
    different = sorted(set(variables) ^ set(arrays)) or sorted(
        name for name, variable in variables.items() if variable.shape != arrays[name].shape
    )
    if different:
        raise CheckpointError(
            f"{path} belongs to another model: {len(different)} variables differ, "
            f"the first is {different[0]}"
        )
    for name, variable in variables.items():
        variable.assign(arrays[name])
    return progress


def export_backbone(folder: str | Path, backbone, vocabulary: Vocabulary, lowercase: bool) -> None:
    """Write what fine-tuning needs: vocabulary, sizes, weights.

    Args:
        folder: the run folder.
        backbone: the pretrained encoder.
        vocabulary: that it was trained with.
        lowercase: whether texts were lowercased.
    """
    folder = Path(folder)
    sizes = {
        name: getattr(backbone, name)
        for name in (
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
    }
    sizes["activation"] = keras.activations.serialize(backbone.activation)
    vocabulary.save(folder / "vocab.txt")
    content = {"lowercase": lowercase, "backbone": sizes}
    text = json.dumps(content, indent=2) + "\n"
    (folder / "backbone.json").write_text(text, encoding="utf-8")
    # Keras wants the suffix, so the temporary file has it too.
    temporary = folder / "backbone.tmp.weights.h5"
    backbone.save_weights(temporary)
    os.replace(temporary, folder / "backbone.weights.h5")


def load_backbone(folder: str | Path, **changes) -> tuple[BertBackbone, Vocabulary, bool]:
    """Build the encoder of a pretraining run.

    Args:
        folder: the run folder.
        **changes: arguments of `BertBackbone` to change, such as dropout.

    Returns:
        The encoder with its pretrained weights, its vocabulary, and whether to lowercase.

    Raises:
        CheckpointError: the folder has no finished pretraining.
    """
    folder = Path(folder)
    if not (folder / "backbone.json").exists():
        raise CheckpointError(f"no pretrained encoder in {folder}: run bert-keras pretrain first")
    try:
        content = json.loads((folder / "backbone.json").read_text(encoding="utf-8"))
        vocabulary = Vocabulary.load(folder / "vocab.txt")
        backbone = BertBackbone(**(content["backbone"] | changes))
        backbone.load_weights(folder / "backbone.weights.h5")
    except (OSError, RuntimeError, TypeError, ValueError, KeyError, VocabularyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CheckpointError(
            f"the pretrained encoder in {folder} can't be read ({reason}): pretrain it again"
        ) from None
    return backbone, vocabulary, content["lowercase"]


def write_atomically(path: str | Path, write) -> None:
    """Call `write(file)` on a temporary binary file and move it to `path` when it is on disk."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: str | Path, content: Any) -> None:
    """Write JSON atomically."""
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    write_atomically(path, lambda file: file.write(text.encode("utf-8")))
