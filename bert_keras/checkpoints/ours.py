"""Our own folders, which fine-tuning starts from: sizes, encoder weights, vocabulary, heads.

`bert-keras pretrain` writes the same three files; the heads it keeps in its checkpoint, where they
are found too. A converted folder has them in `heads.npz`.
"""

from __future__ import annotations

import json
import re
import struct
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bert_keras.checkpoints.contents import Checkpoint, ConversionError, Stored, Wanted, collect
from bert_keras.checkpoints.names import PARTS, entries

CONFIG, HEADS, RUN = "backbone.json", "heads.npz", "checkpoint.npz"
_DAMAGE = (AttributeError, TypeError, struct.error, zipfile.BadZipFile, zlib.error)
TABLE = "embeddings/token_embedding/embeddings"


def read(folder: str | Path, ignore: Sequence[str] = (), vocabulary=None) -> Checkpoint:
    """Read a pretraining run, or a folder that was converted before.

    Args:
        folder: the folder.
        ignore: patterns of names in `heads.npz` to leave out.
        vocabulary: a `Vocabulary` to use instead of the one in the folder.

    Returns:
        The checkpoint; its heads are those that are found.

    Raises:
        ConversionError: a file is missing or damaged.
        CheckpointError: the encoder cannot be read.
    """
    from bert_keras.checkpoints.models import from_model
    from bert_keras.training.checkpoints import load_backbone

    folder = Path(folder)
    try:
        backbone, own, lowercase = load_backbone(folder)
    except (RuntimeError, TypeError, KeyError, AttributeError) as error:  # damaged files
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ConversionError(f"the encoder in {folder} can't be read ({reason})") from None
    checkpoint = from_model(backbone, vocabulary or own, lowercase)
    if (folder / HEADS).is_file():
        stored = _arrays(folder / HEADS)
        weights, checkpoint.ignored = _heads(folder / HEADS, stored, checkpoint.sizes, ignore)
        checkpoint.weights |= weights
    elif (folder / RUN).is_file():
        arrays = _arrays(folder / RUN)
        # A run that may stop early exports its best weights, which lie beside the last ones.
        for group in ("model", "best"):
            stored = _of_the_run(arrays, group)
            table = stored.pop(TABLE, None)
            if table is not None and np.array_equal(table.read(), checkpoint.weights[TABLE]):
                checkpoint.weights |= _heads(folder / RUN, stored, checkpoint.sizes, ())[0]
                break
        else:
            checkpoint.notes.append(f"{RUN} is of another step than the encoder: no heads taken")
    return checkpoint


def write(folder: str | Path, checkpoint: Checkpoint) -> None:
    """Write what `finetune` starts from, and the heads beside it.

    Args:
        folder: an empty folder.
        checkpoint: what to write.
    """
    import keras

    from bert_keras.checkpoints.models import build_backbone
    from bert_keras.training.checkpoints import export_backbone, write_atomically

    folder = Path(folder)
    backbone = build_backbone(checkpoint)
    export_backbone(folder, backbone, checkpoint.vocabulary, checkpoint.lowercase)
    content = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    content["backbone"]["activation"] = keras.activations.serialize(backbone.activation)
    text = json.dumps(content, indent=2) + "\n"
    (folder / CONFIG).write_text(text, encoding="utf-8", newline="\n")
    heads = [part for part in checkpoint.parts if part != "encoder"]
    arrays = {e.ours: checkpoint.weights[e.ours] for e in entries(checkpoint.sizes, heads)}
    if arrays:
        write_atomically(folder / HEADS, lambda file: np.savez(file, **arrays))


def _heads(where: Path, stored, sizes, ignore):
    parts = [
        part
        for part in PARTS
        if part != "encoder" and any(entry.ours in stored for entry in entries(sizes, [part]))
    ]
    wanted = [Wanted(e, e.ours, e.shape, np.asarray) for e in entries(sizes, parts)]
    return collect(where, stored, wanted, ignore)


def _arrays(path: Path) -> dict[str, Stored]:
    try:
        # Opened here: NumPy leaves a file open that turns out to be no archive.
        with path.open("rb") as file, np.load(file) as content:
            arrays = {name: content[name] for name in content.files}
    except (OSError, ValueError, EOFError, KeyError, RuntimeError, *_DAMAGE):
        raise ConversionError(f"{path} is cut off or damaged") from None
    return {
        name: Stored(a.shape, str(a.dtype), a.dtype.kind == "f", lambda a=a: a)
        for name, a in arrays.items()
    }


def _of_the_run(stored: dict[str, Stored], group: str) -> dict[str, Stored]:
    """The heads and the token table among all that a run needs to go on."""
    wanted = rf"{group}/.*?(masked_lm_head/.*|next_sentence_head/.*|{TABLE})"
    return {m[1]: tensor for name, tensor in stored.items() if (m := re.fullmatch(wanted, name))}
