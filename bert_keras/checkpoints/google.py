"""Google's TF1 checkpoints: `bert_model.ckpt.*`, `bert_config.json`, `vocab.txt`.

The files are TensorFlow's own, so TensorFlow reads and writes them; it is loaded here and only when
this format is asked for. What training left in them (Adam's moments, the step) is skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from bert_keras.checkpoints import vocabularies
from bert_keras.checkpoints.contents import Checkpoint, ConversionError, Stored, Wanted, collect
from bert_keras.checkpoints.names import PARTS, entries
from bert_keras.checkpoints.settings import GOOGLE_EPSILON, config_from, load_json, sizes_from

CONFIG, PREFIX = "bert_config.json", "bert_model.ckpt"
TRAINING = re.compile(r"(.*/)?(adam_m|adam_v|lamb_m|lamb_v|global_step)$")
# Besides its own errors TensorFlow's reader raises these, an IndexError for a file that ends early.
_FAILURES = (IndexError, ValueError, RuntimeError)
_GELU_NOTE = (
    "read as the exact GELU, as Hugging Face does; Google's later code computes "
    "'gelu' with tanh, up to 5e-4 apart: write gelu_new into bert_config.json for that form"
)


def read(folder: str | Path, ignore: Sequence[str] = (), vocabulary=None) -> Checkpoint:
    """Read a folder as Google released it.

    Args:
        folder: the folder.
        ignore: patterns of variable names to leave out.
        vocabulary: a `Vocabulary` to use instead of the one in the folder.

    Returns:
        The checkpoint; its heads are those that the file has.

    Raises:
        ConversionError: a file is missing, damaged or of another model, or TensorFlow is missing.
        MismatchError: the variables do not fit the sizes.
    """
    folder = Path(folder)
    config = load_json(folder / CONFIG)
    sizes, notes = sizes_from(config, folder / CONFIG)
    if sizes["layer_norm_epsilon"] != GOOGLE_EPSILON:
        notes.append(f"layer_norm_eps in {CONFIG} is used here; Google's code has 1e-12 fixed")
    if vocabulary is None:
        vocabulary, _ = vocabularies.read(folder, sizes["vocabulary_size"])
    prefix = _prefix(folder)
    stored = _open(prefix)
    training = sorted(name for name in stored if TRAINING.fullmatch(name))
    for name in training:
        del stored[name]
    parts = [
        part
        for part in PARTS
        if part == "encoder" or any(entry.google in stored for entry in entries(sizes, [part]))
    ]
    wanted = [
        Wanted(
            entry,
            entry.google,
            entry.shape[::-1] if entry.google_transposed else entry.shape,
            np.transpose if entry.google_transposed else np.asarray,
        )
        for entry in entries(sizes, parts)
    ]
    weights, ignored = collect(prefix, stored, wanted, ignore)
    if sizes["activation"] == "gelu":
        notes.append(_GELU_NOTE)
    lowercase = vocabularies.is_lowercase(vocabulary)
    notes.append(f"lowercase = {lowercase}, judged by the vocabulary: Google's files do not say")
    return Checkpoint(sizes, weights, vocabulary, lowercase, [*training, *ignored], notes)


def write(folder: str | Path, checkpoint: Checkpoint) -> None:
    """Write the three kinds of files that Google's code reads.

    Args:
        folder: an empty folder.
        checkpoint: what to write.

    Raises:
        ConversionError: the format cannot hold it, or TensorFlow is missing.
    """
    folder = Path(folder)
    sizes = checkpoint.sizes
    if sizes["layer_norm_epsilon"] != GOOGLE_EPSILON:
        raise ConversionError(
            f"Google's code has the epsilon of its layer norms fixed at 1e-12; this model has "
            f"{sizes['layer_norm_epsilon']}: choose another format"
        )
    config = config_from(sizes)
    tf = _tensorflow()
    tensors = {}
    for entry in entries(sizes, checkpoint.parts):
        array = np.asarray(checkpoint.weights[entry.ours], np.float32)
        tensors[entry.google] = array.T if entry.google_transposed else array
    names = sorted(tensors)  # the format wants them so
    try:
        with tf.device("/CPU:0"):
            tf.raw_ops.SaveV2(
                prefix=str(folder / PREFIX),
                tensor_names=names,
                shape_and_slices=[""] * len(names),
                tensors=[tf.constant(tensors[name]) for name in names],
            )
    except tf.errors.OpError as error:
        raise ConversionError(f"cannot write {folder / PREFIX}: {_reason(error)}") from None
    checkpoint.vocabulary.save(folder / "vocab.txt")
    text = json.dumps(config, indent=2, sort_keys=True) + "\n"
    (folder / CONFIG).write_text(text, encoding="utf-8", newline="\n")


def _prefix(folder: Path) -> Path:
    """The path that TensorFlow wants: that of the index file without its ending."""
    found = sorted(folder.glob("*.index"))
    if len(found) > 1:
        found = [path for path in found if path.name == f"{PREFIX}.index"] or found
    if not found:
        raise ConversionError(f"{folder} has no {PREFIX}.index")
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise ConversionError(f"{folder} has several checkpoints ({names}): keep one of them")
    prefix = found[0].with_suffix("")
    if not list(folder.glob(f"{prefix.name}.data-*-of-*")):
        raise ConversionError(f"{folder} has no {prefix.name}.data-00000-of-00001")
    return prefix


def _open(prefix: Path) -> dict[str, Stored]:
    tf = _tensorflow()
    try:
        reader = tf.train.load_checkpoint(str(prefix))
    except (tf.errors.OpError, *_FAILURES) as error:
        raise _damaged(prefix, error) from None
    shapes, types = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
    if "_CHECKPOINTABLE_OBJECT_GRAPH" in shapes:
        raise ConversionError(
            f"{prefix} is a TF2 object checkpoint; Google's TF1 ones, with names such as "
            "bert/embeddings/word_embeddings, are read here"
        )

    def read(name: str) -> np.ndarray:
        try:
            return np.asarray(reader.get_tensor(name))
        except (tf.errors.OpError, *_FAILURES) as error:
            raise _damaged(prefix, error) from None

    return {
        name: Stored(
            tuple(shapes[name]), types[name].name, types[name].is_floating, partial(read, name)
        )
        for name in shapes
    }


def _tensorflow():
    try:
        import tensorflow as tf
    except ImportError:
        raise ConversionError(
            "Google's checkpoints need TensorFlow; run: python -m pip install tensorflow"
        ) from None
    return tf


def _damaged(prefix: Path, error: Exception) -> ConversionError:
    return ConversionError(
        f"{prefix} is cut off, damaged or no TensorFlow checkpoint ({_reason(error)}); "
        "fetch it again"
    )


def _reason(error: Exception) -> str:
    text = getattr(error, "message", "") or str(error)
    return text.splitlines()[0][:200] if text else type(error).__name__
