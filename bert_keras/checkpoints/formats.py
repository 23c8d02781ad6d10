"""The formats by name, which one a folder has, and the two verbs."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

from bert_keras.checkpoints import vocabularies
from bert_keras.checkpoints.contents import Checkpoint, ConversionError

FORMATS = ("keras", "google", "huggingface", "kerashub")
WRITTEN = ("keras", "google", "huggingface")
_MODULES = {
    "keras": "bert_keras.checkpoints.ours",
    "google": "bert_keras.checkpoints.google",
    "huggingface": "bert_keras.checkpoints.huggingface",
    "kerashub": "bert_keras.checkpoints.kerashub",
}


def detect(path: str | Path) -> str:
    """Tell the format from the files that are there.

    Args:
        path: a folder, or one `.weights.h5` file.

    Returns:
        One of `FORMATS`.

    Raises:
        ConversionError: nothing there, nothing known, or two formats at once.
    """
    path = Path(path)
    if not path.exists():
        raise ConversionError(f"there is no {path}")
    if path.is_file():
        if path.name.endswith(".h5"):
            return "kerashub"
        raise ConversionError(f"{path} is a file: name the folder that has it")
    found = []
    if (path / "backbone.json").is_file():
        found.append("keras")
    if (path / "bert_config.json").is_file() and list(path.glob("*.index")):
        found.append("google")
    if (path / "config.json").is_file():
        if (path / "model.weights.h5").is_file() or (path / "task.weights.h5").is_file():
            found.append("kerashub")
        # With no weights at all, its reader says which file is missing.
        if list(path.glob("*.safetensors*")) or not found:
            found.append("huggingface")
    if not found and (path / "bert_config.json").is_file():
        found.append("google")
    if not found:
        raise ConversionError(
            f"{path} has no backbone.json (ours), bert_config.json (Google) or config.json "
            "(Hugging Face, KerasHub): it is no checkpoint that is known here"
        )
    if len(found) > 1:
        raise ConversionError(
            f"{path} has files of {' and '.join(found)}: say which with --from {found[0]}"
        )
    return found[0]


def read(
    path: str | Path,
    format: str | None = None,
    *,
    ignore: Sequence[str] = (),
    vocabulary: str | Path | None = None,
) -> Checkpoint:
    """Read a checkpoint of any format, completely or not at all.

    Args:
        path: the folder, or a `.weights.h5` file.
        format: one of `FORMATS`; None finds out.
        ignore: patterns of names that may be left out, such as "classifier.*".
        vocabulary: a vocabulary file to use instead of the checkpoint's own.

    Returns:
        The checkpoint.

    Raises:
        ConversionError: anything is missing, damaged or of another model.
        MismatchError: the tensors do not fit the sizes; its `report` lists all names.
    """
    path = Path(path)
    format = format or detect(path)
    if not path.exists():
        raise ConversionError(f"there is no {path}")
    chosen = vocabularies.load(Path(vocabulary)) if vocabulary else None
    checkpoint = _module(format, FORMATS).read(path, ignore=ignore, vocabulary=chosen)
    if chosen is not None:
        vocabularies.check(vocabulary, chosen, checkpoint.sizes["vocabulary_size"])
    return checkpoint


def write(checkpoint: Checkpoint, folder: str | Path, format: str) -> None:
    """Write a checkpoint into an empty folder.

    Args:
        checkpoint: what to write; it must have a vocabulary.
        folder: where; made if it is not there.
        format: one of `WRITTEN`.

    Raises:
        ConversionError: the format cannot hold it, or the disk cannot.
    """
    folder = Path(folder)
    if checkpoint.vocabulary is None:
        raise ConversionError("the source has no vocabulary: name one with --vocabulary FILE")
    module = _module(format, WRITTEN)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        module.write(folder, checkpoint)
    except OSError as error:
        reason = error.strerror or str(error).splitlines()[0]
        raise ConversionError(f"cannot write {folder}: {reason}") from None


def _module(format: str, allowed: Sequence[str]):
    if format not in allowed:
        raise ConversionError(
            f"{format!r} is not one of the formats {', '.join(allowed)}"
            + (" that are written" if allowed is WRITTEN else "")
        )
    return importlib.import_module(_MODULES[format])
