"""Checkpoints that a killed run continues from exactly, and the files that later runs start from.

A checkpoint holds every variable: weights, the optimizer's moments and counter, the state of every
seed generator (so dropout goes on with the draws it would have made), and what the loop wants to
remember. It is one file that is replaced in a single move, so a kill leaves the previous one.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import keras
import numpy as np

import bert_keras.checkpoints.activations  # noqa: F401  (makes a saved "gelu_tanh" known)
from bert_keras.checkpoints.models import SIZES
from bert_keras.compression.backbone import CompressedBackbone
from bert_keras.errors import UserError
from bert_keras.models.bert import BertBackbone
from bert_keras.text.vocabulary import Vocabulary, VocabularyError
from bert_keras.training.distribution import to_numpy

_BEST = "best/"
# What NumPy raises for files that are cut off, damaged, or of another kind.
UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    pickle.UnpicklingError,
)


class CheckpointError(UserError):
    """A checkpoint is missing or does not fit; the message is one line."""


def _variables(model, optimizer) -> dict[str, Any]:
    """All variables but metrics, by a name that is unique and the same from run to run.

    Metrics start anew with every stretch of the loop, so they have nothing to resume.
    """
    metric_variables = {id(v) for v in model.metrics_variables}
    groups = {
        "model": [v for v in model.variables if id(v) not in metric_variables],
        "optimizer": optimizer.variables,
    }
    return {
        f"{group}/{number}/{_plain_path(variable)}": variable
        for group, variables in groups.items()
        for number, variable in enumerate(variables)
    }


def _plain_path(variable) -> str:
    # Keras numbers unnamed parts by how many it has made in this process; drop those numbers.
    return re.sub(r"_[0-9]+", "", variable.path)


def save(
    path: str | Path,
    model,
    optimizer,
    progress: dict[str, Any],
    best: dict[str, np.ndarray] | None = None,
    write: bool = True,
) -> None:
    """Write a checkpoint.

    The previous one stays whole until the new one is on the disk: there always is a readable one.

    Args:
        path: where; replaced in one move.
        model: Keras model.
        optimizer: its optimizer, built.
        progress: what the loop needs to go on; plain JSON values.
        best: the best weights so far, from `weights_of`, of a run that may stop early.
        write: False in all but one of the processes that share a run; all have to call this,
            because the weights may lie on several hosts.

    Raises:
        CheckpointError: it cannot be written; the previous one is whole.
    """
    arrays = {name: to_numpy(variable) for name, variable in _variables(model, optimizer).items()}
    if not write:
        return
    arrays |= {f"{_BEST}{name}": array for name, array in (best or {}).items()}
    arrays["progress"] = np.frombuffer(json.dumps(progress).encode("utf-8"), np.uint8)
    with _disk_errors(path):
        write_atomically(path, lambda file: np.savez(file, **arrays))


def weights_of(model) -> dict[str, np.ndarray]:
    """A copy of the trained weights.

    Args:
        model: Keras model.

    Returns:
        dict of arrays by a name that is the same from run to run.
    """
    return {
        f"{number}/{_plain_path(variable)}": np.array(to_numpy(variable))
        for number, variable in enumerate(model.trainable_variables)
    }


def put_weights(model, weights: dict[str, np.ndarray]) -> None:
    """Undo: give a model the weights that `weights_of` took from it.

    Args:
        model: Keras model.
        weights: from `weights_of`.
    """
    for array, variable in zip(weights.values(), model.trainable_variables, strict=True):
        variable.assign(array)


def restore(
    path: str | Path, model, optimizer, check: Callable[[dict[str, Any]], None] = lambda found: None
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Put a checkpoint's values into a model and an optimizer built like the saved ones.

    Args:
        path: of the checkpoint.
        model: Keras model.
        optimizer: its optimizer, built.
        check: called with the checkpoint's `progress`; raises if it is that of another run.

    Returns:
        The `progress` and the `best` given to `save`, the latter empty if there was none.

    Raises:
        CheckpointError: no such file, a damaged one, or one of another model; the model is
            untouched then.
    """
    path = Path(path)
    if not path.exists():
        raise CheckpointError(f"there is no checkpoint {path} to resume from")
    try:
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        progress = dict(json.loads(bytes(arrays.pop("progress"))))
    except UNREADABLE:
        raise CheckpointError(
            f"{path} is not a readable checkpoint: it is cut off, damaged or another kind of file; "
            "start over with --force"
        ) from None
    check(progress)
    best = {n.removeprefix(_BEST): arrays.pop(n) for n in list(arrays) if n.startswith(_BEST)}
    variables = _variables(model, optimizer)
    different = sorted(set(variables) ^ set(arrays)) or sorted(
        name for name, variable in variables.items() if variable.shape != arrays[name].shape
    )
    if different:
        raise CheckpointError(
            f"{path} belongs to another model: {len(different)} variables differ, "
            f"the first is {different[0]}" + _two_shapes(different[0], variables, arrays)
        )
    for name, variable in variables.items():
        variable.assign(arrays[name])
    return progress, best


def _two_shapes(name: str, variables, arrays) -> str:
    if name not in variables or name not in arrays:
        return ""
    return f", {tuple(arrays[name].shape)} there and {tuple(variables[name].shape)} here"


@contextlib.contextmanager
def _disk_errors(path: str | Path) -> Iterator[None]:
    """Say in one line that something could not be written."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error).splitlines()[0]
        raise CheckpointError(
            f"cannot write {path}: {reason}; what was there before is whole, so make room and "
            "run again with --resume"
        ) from None


def export_backbone(folder: str | Path, backbone, vocabulary: Vocabulary, lowercase: bool) -> None:
    """Write what fine-tuning needs: vocabulary, sizes, weights.

    Args:
        folder: the run folder.
        backbone: the pretrained encoder.
        vocabulary: that it was trained with.
        lowercase: whether texts were lowercased.
    """
    folder = Path(folder)
    sizes = {name: getattr(backbone, name) for name in SIZES}
    sizes["activation"] = keras.activations.serialize(backbone.activation)
    content = {"lowercase": lowercase, "backbone": sizes}
    if isinstance(backbone, CompressedBackbone):
        content["compression"] = backbone.compression
    with _disk_errors(folder):
        _through_temporary(folder / "vocab.txt", vocabulary.save)
        _through_temporary(folder / "backbone.weights.h5", backbone.save_weights)
        # Last, because this is the file that `load_backbone` looks for.
        write_json(folder / "backbone.json", content)


def _through_temporary(path: Path, write) -> None:
    """Call `write(name)` with another name of the same ending and move the file to `path`."""
    stem, suffix = path.name.split(".", 1)
    temporary = path.with_name(f".{stem}.{os.getpid()}.tmp.{suffix}")
    try:
        write(temporary)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


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
        kind = CompressedBackbone if "compression" in content else BertBackbone
        backbone = kind(**(content["backbone"] | content.get("compression", {}) | changes))
        if len(vocabulary) != backbone.vocabulary_size:
            raise ValueError(
                f"vocab.txt has {len(vocabulary)} tokens, the weights {backbone.vocabulary_size}"
            )
        backbone.load_weights(folder / "backbone.weights.h5")
    except (OSError, RuntimeError, TypeError, ValueError, KeyError, VocabularyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CheckpointError(
            f"the pretrained encoder in {folder} can't be read ({reason}): pretrain it again"
        ) from None
    return backbone, vocabulary, content["lowercase"]


def write_atomically(path: str | Path, write) -> None:
    """Call `write(file)` on a temporary binary file and move it to `path` when it is on disk.

    Args:
        path: the file to write.
        write: takes the open file.
    """
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
    """Write JSON atomically.

    Args:
        path: the file to write.
        content: JSON values.
    """
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    write_atomically(path, lambda file: file.write(text.encode("utf-8")))
