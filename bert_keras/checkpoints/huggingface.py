"""Hugging Face's folders: `config.json`, `model.safetensors`, a vocabulary.

PyTorch's linear layers keep their weights as (out, in); Keras's Dense as (in, out), so every kernel
is transposed on its way. Older files call the weights of layer norms gamma and beta, and models
without heads have no `bert.` in front of their names; both are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.checkpoints import safetensors, vocabularies
from bert_keras.checkpoints.contents import Checkpoint, ConversionError, Stored, Wanted, collect
from bert_keras.checkpoints.names import PARTS, entries
from bert_keras.checkpoints.settings import config_from, load_json, sizes_from

CONFIG, WEIGHTS, INDEX = "config.json", "model.safetensors", "model.safetensors.index.json"
TABLE = "embeddings.word_embeddings.weight"
DECODER, DECODER_BIAS = "cls.predictions.decoder.weight", "cls.predictions.decoder.bias"
POSITION_IDS = "embeddings.position_ids"  # 0, 1, 2, ...: a constant that old versions stored
_ARCHITECTURES = {
    ("encoder",): "BertModel",
    ("encoder", "masked_lm"): "BertForMaskedLM",
    ("encoder", "next_sentence"): "BertForNextSentencePrediction",
    ("encoder", "masked_lm", "next_sentence"): "BertForPreTraining",
}


def read(folder: str | Path, ignore: Sequence[str] = (), vocabulary=None) -> Checkpoint:
    """Read a folder as `save_pretrained` writes it.

    Args:
        folder: the folder.
        ignore: patterns of tensor names to leave out, such as "classifier.*".
        vocabulary: a `Vocabulary` to use instead of the one in the folder.

    Returns:
        The checkpoint; its heads are those that the file has.

    Raises:
        ConversionError: a file is missing, damaged or of another model.
        MismatchError: the tensors do not fit the sizes.
    """
    folder = Path(folder)
    config = load_json(folder / CONFIG)
    sizes, notes = sizes_from(config, folder / CONFIG)
    if vocabulary is None:
        vocabulary, _ = vocabularies.read(
            folder, sizes["vocabulary_size"], ("vocab.txt", "tokenizer.json")
        )
    where, stored = _open(folder)
    stored, spelling, dropped = _settle_names(where, stored)
    parts = [
        part
        for part in PARTS
        if part == "encoder" or any(e.huggingface in stored for e in entries(sizes, [part]))
    ]
    wanted = [
        Wanted(
            entry,
            spelling(entry.huggingface),  # names in messages are those of the file
            entry.shape[::-1] if entry.huggingface_transposed else entry.shape,
            np.transpose if entry.huggingface_transposed else np.asarray,
        )
        for entry in entries(sizes, parts)
    ]
    stored = {spelling(name): tensor for name, tensor in stored.items()}
    weights, ignored = collect(where, stored, wanted, ignore)
    half = sorted({t.dtype for t in stored.values()} - {"F32"})
    if half:
        notes.append(f"some tensors hold {', '.join(half)} and were read as float32")
    lowercase, note = _lowercase(folder, vocabulary)
    return Checkpoint(
        sizes, weights, vocabulary, lowercase, [*dropped, *ignored], notes + [note] * bool(note)
    )


def write(folder: str | Path, checkpoint: Checkpoint) -> None:
    """Write what `BertForPreTraining.from_pretrained` and `BertModel.from_pretrained` read.

    Args:
        folder: an empty folder.
        checkpoint: what to write.

    Raises:
        ConversionError: the format cannot hold it.
    """
    folder = Path(folder)
    sizes, parts = checkpoint.sizes, tuple(checkpoint.parts)
    config = {
        "architectures": [_ARCHITECTURES[parts]],
        "model_type": "bert",
        **config_from(sizes),
        "layer_norm_eps": sizes["layer_norm_epsilon"],
        "pad_token_id": checkpoint.vocabulary.pad_id,
        "position_embedding_type": "absolute",
        "torch_dtype": "float32",
    }
    prefix = "" if parts == ("encoder",) else "bert."
    tensors = {}
    for entry in entries(sizes, parts):
        array = np.asarray(checkpoint.weights[entry.ours], "<f4")
        array = array.T if entry.huggingface_transposed else array
        name = entry.huggingface if entry.part != "encoder" else prefix + entry.huggingface
        tensors[name] = array
    safetensors.write(folder / WEIGHTS, tensors)
    checkpoint.vocabulary.save(folder / "vocab.txt")
    _write_json(folder / CONFIG, config)
    tokenizer = {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": checkpoint.lowercase,
        "model_max_length": sizes["max_sequence_length"],
        "tokenize_chinese_chars": True,
        "strip_accents": None,
        "unk_token": "[UNK]",
        "sep_token": "[SEP]",
        "pad_token": "[PAD]",
        "cls_token": "[CLS]",
        "mask_token": "[MASK]",
    }
    _write_json(folder / "tokenizer_config.json", tokenizer)


def _open(folder: Path) -> tuple[Path, dict[str, Stored]]:
    """The tensors of one file, or of the shards that an index names."""
    if (folder / WEIGHTS).is_file():
        return folder / WEIGHTS, safetensors.read(folder / WEIGHTS)
    index = folder / INDEX
    if not index.is_file():
        pickled = (folder / "pytorch_model.bin").exists()
        advice = (
            "pytorch_model.bin is a pickle, which can run code and is never read here: "
            "save it with safe_serialization=True first"
            if pickled
            else f"it should lie beside {CONFIG}"
        )
        raise ConversionError(f"{folder} has no {WEIGHTS}; {advice}")
    places = load_json(index).get("weight_map")
    if not isinstance(places, dict) or not all(isinstance(v, str) for v in places.values()):
        raise ConversionError(f"{index} has no weight_map from names to files")
    stored: dict[str, Stored] = {}
    for shard in sorted(set(places.values())):
        if not re.fullmatch(r"[\w.-]+\.safetensors", shard):
            raise ConversionError(f"{index} names {shard!r}, which is not a file beside it")
        tensors = safetensors.read(folder / shard)
        if twins := set(stored) & set(tensors):
            raise ConversionError(f"{folder / shard} has {min(twins)} for the second time")
        stored |= tensors
    if lost := sorted(set(places) - set(stored)):
        raise ConversionError(f"{index} promises {lost[0]}, which no shard has")
    return index, stored


def _settle_names(
    where: Path, stored: Mapping[str, Stored]
) -> tuple[dict[str, Stored], Callable[[str], str], list[str]]:
    """Bring all names to today's form without `bert.`.

    Returns:
        The tensors by settled name, what tells how the file spells such a name, and the names of
        copies and constants that need no reading.
    """
    settled: dict[str, Stored] = {}
    originals: dict[str, str] = {}
    for name, tensor in stored.items():
        short = name.removeprefix("bert.")
        short = re.sub(r"LayerNorm\.gamma$", "LayerNorm.weight", short)
        short = re.sub(r"LayerNorm\.beta$", "LayerNorm.bias", short)
        if short in settled:
            raise ConversionError(f"{where} has {name} twice, under an old and a new name")
        settled[short], originals[short] = tensor, name
    prefix = "bert." if any(name.startswith("bert.") for name in stored) else ""
    dropped = []
    if settled.pop(POSITION_IDS, None):
        dropped.append(originals[POSITION_IDS])
    # The decoder is the token table; a file may hold a copy, but not another one.
    for copy, kept in ((DECODER, TABLE), (DECODER_BIAS, "cls.predictions.bias")):
        if copy in settled:
            tensor = settled.pop(copy)
            if not _equal(settled.setdefault(kept, tensor), tensor):
                raise ConversionError(
                    f"{where}: {copy} differs from {originals[kept]}; our masked-LM head has one "
                    "weight for both"
                )
            dropped.append(copy)

    def spelling(name: str) -> str:
        return originals.get(name) or (name if name.startswith("cls.") else prefix + name)

    return settled, spelling, dropped


def _equal(first: Stored, second: Stored) -> bool:
    if first is second:
        return True
    return first.shape == second.shape and np.array_equal(first.read(), second.read())


def _lowercase(folder: Path, vocabulary) -> tuple[bool, str]:
    """Whether to lowercase, from the tokenizer's files or, failing that, from the vocabulary."""
    if (folder / "tokenizer_config.json").is_file():
        answer = load_json(folder / "tokenizer_config.json").get("do_lower_case")
        if isinstance(answer, bool):
            return answer, ""
    if (folder / "tokenizer.json").is_file():
        normalizer = load_json(folder / "tokenizer.json").get("normalizer")
        if isinstance(normalizer, dict) and isinstance(normalizer.get("lowercase"), bool):
            return normalizer["lowercase"], ""
    answer = vocabularies.is_lowercase(vocabulary)
    return answer, f"lowercase = {answer}, judged by the vocabulary: no file says so"


def _write_json(path: Path, content: dict[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")
