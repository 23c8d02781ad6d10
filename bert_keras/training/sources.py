"""Where the pretraining text comes from, cut into pieces that workers read on their own.

A text is one or several sources: a set of the registry or your own files, and the train splits of
sets added to it. Each source is a list of pieces; a piece yields passages, the paragraphs that are
long enough. Pieces depend on the text alone, so whatever works on them in whatever order, the
result is the same.
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bert_keras.text import corpora
from bert_keras.text.corpora import peoples_daily, plain_text, running_text
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.training.sections import CorpusSection

SPLITS = running_text.SPLITS

# A text is cut into about this many pieces, none smaller or larger than the two sizes in bytes.
PIECES, SMALLEST, LARGEST = 64, 2**20, 16 * 2**20
# Of larger texts only samples are read for the fingerprint.
_WHOLLY_HASHED = 2**30
_CHINESE = re.compile("[\u3400-\u9fff\uf900-\ufaff]")


class Passage(NamedTuple):
    """A paragraph that is long enough.

    Attributes:
        position: int, counts the paragraphs of the source, or in files those of the piece.
        document: int, which document of the source, or in files of the piece, where -1 is one
            that began before it; 0 where the source marks none.
        split: str, "train", "dev" or "test"; empty where it is still to be drawn.
        text: str, NFKC-normalised.
        sentences: tuple of str, or None if the text is still to be cut.
        words: for each sentence a tuple of its words; None if the source is not segmented.
    """

    position: int
    document: int
    split: str
    text: str
    sentences: tuple[str, ...] | None = None
    words: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True)
class FilePiece:
    """Part of a text file.

    Attributes:
        block: which part of which file.
        marked: whether empty lines end documents.
        minimum_characters: shorter paragraphs are passed over.
        megabytes: float, size of the part.
    """

    block: plain_text.Block
    marked: bool
    minimum_characters: int
    megabytes: float

    def read(self) -> tuple[list[Passage], int, int]:
        """Read the part.

        Returns:
            Its passages, numbered within it, the number of all its paragraphs, and the number of
            documents that begin in it.

        Raises:
            CorpusError: the file cannot be read.
        """
        passages, position, document = [], 0, -1
        for part in plain_text.read_block(self.block):
            document += not part.continues
            for paragraph in part.paragraphs:
                text = " ".join(unicodedata.normalize("NFKC", paragraph).split())
                if len(text) >= self.minimum_characters:
                    number = document if self.marked else 0
                    passages.append(Passage(position, number, "", text))
                position += 1
        return passages, position, document + 1


@dataclass(frozen=True)
class ListPiece:
    """Part of a set that was loaded into memory.

    Attributes:
        passages: tuple of `Passage`, with the positions of the source.
        megabytes: float, size of their text in UTF-8.
    """

    passages: tuple[Passage, ...]
    megabytes: float

    def read(self) -> tuple[list[Passage], int, int]:
        """The passages; positions are those of the source, so nothing is counted here."""
        return list(self.passages), 0, 0


Piece = FilePiece | ListPiece


@dataclass(frozen=True)
class Source:
    """One text.

    Attributes:
        name: what messages call it.
        fingerprint: str, changes when the text does.
        pieces: its parts in order.
        marked: whether it says which paragraphs belong to one document.
        paragraphs: int, number of all its paragraphs; 0 where only reading the pieces tells.
        forbidden: uint64 (N,), signatures of held-out texts, which must not enter any split.
    """

    name: str
    fingerprint: str
    pieces: tuple[Piece, ...]
    marked: bool
    paragraphs: int = 0
    forbidden: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint64))

    @property
    def megabytes(self) -> float:
        """float, size of the text."""
        return sum(piece.megabytes for piece in self.pieces)


def signature(text: str) -> int:
    """A 64-bit number that equal texts share and different ones, but for rare accidents, do not.

    Args:
        text: any string.

    Returns:
        The number, at least 0.
    """
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "little")


def sentences_of(passage: Passage) -> tuple[str, ...]:
    """The sentences of a passage, by the rules of Chinese where it has Chinese characters.

    Args:
        passage: with or without sentences of its own.

    Returns:
        The sentences, in order.
    """
    if passage.sentences is not None:
        return passage.sentences
    if _CHINESE.search(passage.text):
        return peoples_daily.split_sentences(passage.text)
    return running_text.split_english(passage.text)


def open_sources(data: CorpusSection) -> list[Source]:
    """The sources that a configuration names.

    Args:
        data: its `data` section.

    Returns:
        The main text first, in each of its languages, then the added sets.

    Raises:
        CorpusError: a text cannot be had or a set has no running text.
    """
    if data.path and data.languages:
        raise CorpusError("data.languages names languages of a set; data.path is your own text")
    of_set = (_registered(data.corpus, data, False, one) for one in data.languages or [""])
    main = [_files(data)] if data.path else list(of_set)
    return [*main, *(_registered(name, data, train_only=True) for name in data.add)]


def _files(data: CorpusSection) -> Source:
    try:
        paths = plain_text.files(data.path)
        sizes = [path.stat().st_size for path in paths]
    except (OSError, CorpusError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CorpusError(f"cannot read the text {data.path}: {reason}") from None
    size = piece_size(sum(sizes))
    # One document after another, not pieces of the same one: then empty lines, or files, mark them.
    first_two = [part for part, _ in zip(plain_text.documents(data.path), range(2), strict=False)]
    marked = len(first_two) == 2 and not first_two[1].continues
    pieces = []
    for block in plain_text.blocks(data.path, size):
        stop = block.path.stat().st_size if block.stop is None else block.stop
        megabytes = (stop - block.start) / 1e6
        pieces.append(FilePiece(block, marked, data.minimum_characters, megabytes))
    return Source(str(data.path), _fingerprint(paths, sizes), tuple(pieces), marked)


def piece_size(total: int) -> int:
    """Bytes in a piece of a text of `total` bytes.

    Args:
        total: bytes of the text.

    Returns:
        Bytes of a piece.
    """
    return min(max(total // PIECES, SMALLEST), LARGEST)


def _fingerprint(paths: list[Path], sizes: list[int]) -> str:
    """SHA-256 of the files; of more than 1 GiB, of their sizes and 64 samples of each."""
    digest, whole = hashlib.sha256(), sum(sizes) <= _WHOLLY_HASHED
    for path, size in zip(paths, sizes, strict=True):
        digest.update(f"{path.name} {size}\n".encode())
        try:
            with path.open("rb") as file:
                for start in range(0, size, 2**20 if whole else max(2**20, size // 64)):
                    file.seek(start)
                    digest.update(file.read(2**20))
        except OSError as error:
            raise CorpusError(f"cannot read the text {path}: {error.strerror}") from None
    return digest.hexdigest()


def _registered(name: str, data: CorpusSection, train_only: bool, language: str = "") -> Source:
    """A set of the registry; of an added one the train split, and what it must keep clean."""
    splits = corpora.load(name, **({"language": language} if language else {}))
    label = f"{name}, {language}" if language else name
    passages = []
    for split in ("train",) if train_only else SPLITS:
        for number, row in enumerate(splits[split]):
            passage = _passage(name, row, number, split)
            if len(passage.text) >= data.minimum_characters:
                passages.append(passage)
    passages.sort(key=lambda passage: passage.position)
    digest = hashlib.sha256(label.encode())
    for passage in passages:
        digest.update(f"\n{passage.position} {passage.split} {passage.text}".encode())
    held_out = []
    if train_only:
        rows = [row for split in SPLITS[1:] for row in splits[split]]
        held_out = [signature(_passage(name, row, 0, "").text) for row in rows]
        digest.update(repr(sorted(held_out)).encode())
    return Source(
        label,
        digest.hexdigest(),
        tuple(_cut(passages)),
        marked=all(_document(row) is not None for row in splits["train"]),
        paragraphs=max((passage.position for passage in passages), default=-1) + 1,
        forbidden=np.array(held_out, np.uint64),
    )


def _passage(name: str, row: Any, number: int, split: str) -> Passage:
    """A row of a set as a passage: a paragraph of running text, or the text of an example."""
    if hasattr(row, "sentences"):
        return Passage(
            row.position,
            _document(row) or 0,
            split,
            row.text,
            tuple(row.sentences),
            getattr(row, "words", None),
        )
    text = getattr(row, "text", None) or getattr(row, "context", None)
    if not isinstance(text, str):
        raise CorpusError(f"the set {name} has no running text to pretrain on")
    text = " ".join(unicodedata.normalize("NFKC", text).split())
    return Passage(number, number, split, text)


def _document(row: Any) -> int | None:
    """The document of a paragraph; an example of a labelled set is one of its own."""
    return getattr(row, "document", None) if hasattr(row, "sentences") else 0


def _cut(passages: list[Passage]) -> Iterator[ListPiece]:
    sizes = [len(passage.text.encode("utf-8")) for passage in passages]
    limit, start, filled = piece_size(sum(sizes)), 0, 0
    for number, size in enumerate(sizes):
        filled += size
        if filled >= limit or number == len(sizes) - 1:
            yield ListPiece(tuple(passages[start : number + 1]), filled / 1e6)
            start, filled = number + 1, 0


def worker_count() -> int:
    """Processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
