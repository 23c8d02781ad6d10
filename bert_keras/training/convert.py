"""Convert a checkpoint from one format to another, completely or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bert_keras.checkpoints import formats
from bert_keras.checkpoints.contents import ConversionError

# What shows that a folder is a checkpoint, so that --force may replace it.
MARKERS = ("backbone.json", "bert_config.json", "config.json")


def convert(
    source: str | Path,
    target: str | Path,
    to: str,
    *,
    source_format: str | None = None,
    ignore: Sequence[str] = (),
    vocabulary: str | Path | None = None,
    force: bool = False,
) -> dict[str, Any]:
    """Read a checkpoint, write it in another format, and only then give it its name.

    Args:
        source: a folder, or one of KerasHub's `.weights.h5` files.
        target: the folder to write.
        to: "keras", "google" or "huggingface".
        source_format: the format of the source; None finds out.
        ignore: patterns of names in the source that may be left out.
        vocabulary: a vocabulary file to use instead of the source's own.
        force: replace a target that is a checkpoint.

    Returns:
        What was done, as JSON values.

    Raises:
        ConversionError: anything is missing, damaged, of another model, or in the way.
        MismatchError: the tensors of the source do not fit its sizes.
    """
    source, target = Path(source), Path(target)
    came_from = source_format or formats.detect(source)
    with whole_folder(source, target, force) as new:
        checkpoint = formats.read(source, came_from, ignore=ignore, vocabulary=vocabulary)
        formats.write(checkpoint, new, to)
    return {
        "source": str(source),
        "target": str(target),
        "from": came_from,
        "to": to,
        "tensors": len(checkpoint.weights),
        "parameters": int(sum(array.size for array in checkpoint.weights.values())),
        "parts": checkpoint.parts,
        "sizes": checkpoint.sizes,
        "lowercase": checkpoint.lowercase,
        "ignored": checkpoint.ignored,
        "notes": checkpoint.notes,
    }


def summary(result: dict[str, Any]) -> list[str]:
    """A few lines for people.

    Args:
        result: of `convert`.

    Returns:
        The lines.
    """
    ignored = result["ignored"]
    lines = [
        f"{result['from']} -> {result['to']}: {result['tensors']} tensors, "
        f"{result['parameters']:,} weights ({', '.join(result['parts'])})"
    ]
    if ignored:
        more = f" and {len(ignored) - 4} more" if len(ignored) > 4 else ""
        lines.append(f"left out: {', '.join(ignored[:4])}{more}")
    return [*lines, *(f"note: {note}" for note in result["notes"]), result["target"]]


@contextlib.contextmanager
def whole_folder(source: Path, target: Path, force: bool) -> Iterator[Path]:
    """A place for what is made of a checkpoint; it gets its name when all of it is there.

    That place is a temporary folder beside the target: after an error, or a kill, there is no half
    of a target.

    Args:
        source: what it is made of; it must not lie in the target.
        target: the folder to write.
        force: replace a target that is a checkpoint.

    Yields:
        The path of a folder that does not exist yet.

    Raises:
        ConversionError: the target is in the way, or cannot be written.
    """
    _check_target(source, target, force)
    try:
        target.absolute().parent.mkdir(parents=True, exist_ok=True)
        scratch = tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.absolute().parent)
    except OSError as error:
        raise ConversionError(f"cannot write beside {target}: {error.strerror}") from None
    try:
        yield Path(scratch) / "new"
        _move(Path(scratch) / "new", target, Path(scratch) / "old")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _check_target(source: Path, target: Path, force: bool) -> None:
    """Refuse what would lose something, before anything is read."""
    ours, theirs = source.resolve(), target.resolve()
    if ours == theirs or theirs in ours.parents:
        raise ConversionError(f"{target} is the source or lies around it: choose another target")
    if target.is_dir() and not any(target.iterdir()):
        return
    if not target.exists() and not target.is_symlink():
        return
    if not force:
        raise ConversionError(f"{target} is there already; --force replaces it")
    if target.is_symlink() or not any((target / name).is_file() for name in MARKERS):
        raise ConversionError(f"{target} is not a checkpoint: --force does not replace it")


def _move(new: Path, target: Path, old: Path) -> None:
    """Give `new` the name of the target; what was there comes back if that fails."""
    try:
        if target.exists():
            os.rename(target, old)
        try:
            os.rename(new, target)
        except OSError:
            with contextlib.suppress(OSError):
                os.rename(old, target)
            raise
    except OSError as error:
        raise ConversionError(f"cannot write {target}: {error.strerror}") from None
