"""Your own text: a file, a folder or a pattern of `.txt` and `.txt.gz` files.

One paragraph a line; an empty line ends a document. The text is read as a stream, so it may be far
larger than memory. For work in parallel, `blocks` cuts the files into pieces that independent
processes can read with `read_block`; all the blocks together hold the same documents.
"""

from __future__ import annotations

import glob
import gzip
import re
import unicodedata
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.peoples_daily import split_sentences
from bert_keras.text.corpora.running_text import (
    SPLITS,
    Paragraph,
    split_documents,
    split_english,
    split_of_key,
)

SUFFIXES = (".txt", ".txt.gz")
MAXIMUM_LINE = 16 * 2**20  # bytes; a longer one is no paragraph, and reading it would fill memory
_FEW, _BLOCK = 10, 20  # documents; paragraphs
_HAN = re.compile("[\u3400-\u9fff]")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Document(NamedTuple):
    """Consecutive paragraphs of one document.

    Attributes:
        path: the file it comes from.
        start: byte (after unpacking) where its first paragraph begins.
        paragraphs: tuple of str, neither empty nor with white space at the ends.
        continues: True if it is a further piece of the document yielded before it. Very long
            documents come in pieces, and so does a text without any empty line.
    """

    path: Path
    start: int
    paragraphs: tuple[str, ...]
    continues: bool = False


class Block(NamedTuple):
    """A part of one file that can be read on its own.

    Attributes:
        path: the file.
        start: first byte.
        stop: byte after the last one; None reads to the end.
        continues: True if the block begins in the middle of a document.
    """

    path: Path
    start: int = 0
    stop: int | None = None
    continues: bool = False


def files(path: str | Path) -> list[Path]:
    """All text files that a path means, in an order that is the same on every machine.

    Args:
        path: a file (of any name; `.gz` is unpacked), a folder, searched with its subfolders for
            `.txt` and `.txt.gz` files that are not hidden, or a pattern with `*`, `?`, `[…]` or
            `**`, of which the `.txt` and `.txt.gz` files are taken.

    Returns:
        Paths, sorted by name.

    Raises:
        CorpusError: there are no such files.
    """
    given = Path(path).expanduser()
    if given.is_file():
        return [given]
    if given.is_dir():
        found = [p for p in given.rglob("*") if not _hidden(p.relative_to(given))]
        what = f"the folder {given}"
    elif glob.has_magic(str(given)):
        found = [Path(p) for p in glob.glob(str(given), recursive=True)]
        what = f"the pattern {given}"
    else:
        raise CorpusError(f"there is no file or folder {given}")
    texts = [p for p in found if p.name.endswith(SUFFIXES) and p.is_file()]
    if not texts:
        raise CorpusError(f"{what} has no files that end in {' or '.join(SUFFIXES)}")
    return sorted(texts, key=lambda p: p.parts)


def documents(path: str | Path, *, maximum_paragraphs: int = 1000) -> Iterator[Document]:
    """Read a text of any size, document by document.

    Args:
        path: as for `files`.
        maximum_paragraphs: longer documents come in pieces of this many paragraphs.

    Yields:
        `Document`s in the order of the files.

    Raises:
        CorpusError: there are no such files, one cannot be read, or it is not UTF-8 (the message
            names the file and the line).
    """
    for file in files(path):
        yield from read_block(Block(file), maximum_paragraphs=maximum_paragraphs)


def load(
    path: str | Path, *, minimum_characters: int = 20, seed: int = 13
) -> dict[str, list[Paragraph]]:
    """A text that fits into memory, as paragraphs of sentences, split.

    Documents are split 80/10/10; where fewer than ten are marked, blocks of twenty paragraphs are.

    Args:
        path: as for `files`.
        minimum_characters: int, shorter paragraphs are left out, and so are repeated ones.
        seed: int, which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Paragraph`.

    Raises:
        CorpusError: as `documents`.
    """
    found, seen = [], set()
    position, number = 0, -1
    for document in documents(path):
        number += not document.continues
        for line in document.paragraphs:
            text = unicodedata.normalize("NFKC", line).strip()
            if len(text) >= minimum_characters and text not in seen:
                seen.add(text)
                found.append(Paragraph(position, *_sentences(text, number)))
            position += 1
    if number + 1 >= _FEW:
        return split_documents(found, seed)
    parts: dict[str, list[Paragraph]] = {name: [] for name in SPLITS}
    for paragraph in found:
        parts[split_of_key(f"{seed}/block {paragraph.position // _BLOCK}")].append(
            paragraph._replace(document=None)
        )
    return parts


def blocks(path: str | Path, size: int = 16 * 2**20) -> list[Block]:
    """Cut a text into blocks for independent workers, without reading it all.

    A file is cut at the first empty line after every `size` bytes. If no document ends within the
    next `size` bytes, the cut is made between two paragraphs. A gzipped file cannot be entered in
    the middle: it is one block, so large ones are better kept as many files.

    Args:
        path: as for `files`.
        size: wanted bytes in a block, at least 1.

    Returns:
        The blocks in the order of the text; files without a byte give none.

    Raises:
        CorpusError: there are no such files, or one cannot be read.
        ValueError: `size` is below 1.
    """
    if size < 1:
        raise ValueError(f"size is {size}; a block has at least 1 byte")
    found = []
    for file in files(path):
        if file.suffix == ".gz":
            found.append(Block(file))
            continue
        try:
            with file.open("rb") as stream:
                found += _cut(file, stream, file.stat().st_size, size)
        except OSError as error:
            raise CorpusError(f"cannot read {file}: {error.strerror}") from None
    return found


def read_block(block: Block, *, maximum_paragraphs: int = 1000) -> Iterator[Document]:
    """Read one block.

    Args:
        block: from `blocks`; `Block(path)` is a whole file.
        maximum_paragraphs: longer documents come in pieces of this many paragraphs.

    Yields:
        `Document`s.

    Raises:
        CorpusError: the file cannot be read or is not UTF-8.
    """
    paragraphs: list[str] = []
    first, continues = block.start, block.continues
    for position, line in _lines(block):
        text = _decode(block, position, line).strip()
        if text and not paragraphs:
            first = position
        if text:
            paragraphs.append(text)
        if paragraphs and (not text or len(paragraphs) == maximum_paragraphs):
            yield Document(block.path, first, tuple(paragraphs), continues)
            paragraphs = []
            continues = bool(text)
        elif not text:
            continues = False
    if paragraphs:
        yield Document(block.path, first, tuple(paragraphs), continues)


def _sentences(text: str, document: int) -> tuple[tuple[str, ...], int, str]:
    """Sentences, document and what stands between two sentences."""
    if len(_HAN.findall(text)) > len(text) / 4:
        return split_sentences(text), document, ""
    return split_english(text), document, " "


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _cut(path: Path, stream, length: int, size: int) -> Iterator[Block]:
    start, continues = 0, False
    while start < length:
        stop, inside = length, False
        if start + size < length:
            stream.seek(start + size)
            stream.readline(MAXIMUM_LINE)  # the rest of the line that byte start + size is in
            stop = stream.tell()
            limit = min(stop + size, length)
            between = None
            while stop < limit:
                line = stream.readline(MAXIMUM_LINE)
                stop += len(line)
                if inside := bool(line.strip()):
                    between = between or stop
                else:
                    break
            if inside:  # no document ends near: cut after a line that surely is a paragraph
                stop = between
        yield Block(path, start, stop, continues)
        start, continues = stop, inside


def _open(path: Path):
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


def _lines(block: Block) -> Iterator[tuple[int, bytes]]:
    """Lines of a block with the byte at which each begins."""
    position = block.start
    try:
        with _open(block.path) as stream:
            stream.seek(position)
            while block.stop is None or position < block.stop:
                line = stream.readline(MAXIMUM_LINE)
                if not line:
                    return
                if len(line) == MAXIMUM_LINE:
                    raise CorpusError(
                        f"{block.path}: the line at byte {position} is longer than "
                        f"{MAXIMUM_LINE // 2**20} MiB; put one paragraph on a line, "
                        "for example with fold -s -w 1000"
                    )
                yield position, line
                position += len(line)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CorpusError(f"cannot read {block.path}: {reason}") from None


def _decode(block: Block, position: int, line: bytes) -> str:
    try:
        return (line.removeprefix(_BYTE_ORDER_MARK) if position == 0 else line).decode("utf-8")
    except UnicodeDecodeError as error:
        if position == 0 and line.startswith((b"\xff\xfe", b"\xfe\xff")):
            problem = "it looks like UTF-16"
        else:
            problem = f"byte 0x{line[error.start]:02x} is not UTF-8"
        # Lines before the block are counted only now, when their number is needed.
        number = 1 + sum(1 for _ in _lines(Block(block.path, 0, position))) if position else 1
        raise CorpusError(
            f"{block.path}, line {number}: {problem}; "
            "save the text as UTF-8, for example with iconv -t UTF-8"
        ) from None
