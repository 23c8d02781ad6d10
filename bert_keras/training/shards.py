"""Prepared text on disk: checksummed shards of plain arrays, read where they lie.

A shard of a split is a handful of .npy files: `ids`, all its sentences one after the other, as the
smallest unsigned numbers that hold the vocabulary; `lengths` of the sentences; `paragraph` and
`document` of each; and `starts`, one byte a token, where the text is segmented into words (see
`bert_keras.text.masked_lm`). Files appear under their names only when they are whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.training.encode import EncodedPiece
from bert_keras.training.files import HEADER, GrowingArray
from bert_keras.training.sources import SPLITS

# Text with fewer bytes of ids is read into memory; larger text stays in its files, mapped.
IN_MEMORY = 256 * 2**20
_DTYPES = {"lengths": np.uint32, "paragraph": np.int64, "document": np.int64, "starts": np.uint8}


class ShardWriter:
    """Writes one shard of every split, piece by piece; a context manager.

    Args:
        folder: where to.
        number: which shard.
        dtype: of token ids.

    Attributes:
        entry: what the summary says about the shard, once the context was left.
    """

    def __init__(self, folder: Path, number: int, dtype: np.dtype):
        self.folder = folder
        self.number = number
        self.dtype = dtype
        self.entry: dict[str, Any] = {}
        self._arrays: dict[str, GrowingArray] = {}
        keys = ("paragraphs", "sentences", "tokens", "pairs")
        self._counts = {name: dict.fromkeys(keys, 0) for name in SPLITS}

    def append(self, piece: EncodedPiece) -> None:
        """Add the sentences of a piece.

        Args:
            piece: its sentences as ids, by split.

        Raises:
            CorpusError: they cannot be written.
        """
        for split, part in piece.splits.items():
            count = self._counts[split]
            count["paragraphs"] += piece.paragraphs[split]
            count["sentences"] += len(part.lengths)
            count["tokens"] += len(part.ids)
            count["pairs"] += int((part.paragraph[1:] == part.paragraph[:-1]).sum())
            for kind, values in part._asdict().items():
                if values is not None:
                    name = f"{split}-{self.number:05d}.{kind}.npy"
                    if name not in self._arrays:
                        dtype = self.dtype if kind == "ids" else _DTYPES[kind]
                        self._arrays[name] = GrowingArray(self.folder / name, dtype)
                    self._arrays[name].append(values)

    def __enter__(self) -> ShardWriter:
        return self

    def __exit__(self, kind, *_) -> None:
        try:
            if kind is None:
                whole = {name: array.finish() for name, array in self._arrays.items()}
                self.entry = {"number": self.number, "files": whole, "splits": self._counts}
        finally:
            for array in self._arrays.values():
                array.discard()


class FlatArray:
    """Arrays one after the other, indexed as if they were one.

    Args:
        parts: one-dimensional arrays of one dtype, in memory or mapped.
    """

    def __init__(self, parts: Sequence[np.ndarray]):
        # A mapped array costs microseconds at each access more than the plain view of it.
        parts = [np.asarray(part) for part in parts if len(part)] or [np.zeros(0, np.uint8)]
        if len(parts) > 1 and sum(part.nbytes for part in parts) < IN_MEMORY:
            parts = [np.concatenate(parts)]
        self.parts = parts
        self.begin = np.cumsum([0, *(len(part) for part in parts)])  # (parts + 1,)

    def __len__(self) -> int:
        return int(self.begin[-1])

    def __getitem__(self, positions):
        """Elements: a slice within bounds gives an array (n,), an int array one of its shape."""
        if isinstance(positions, slice):
            start, stop, _ = positions.indices(len(self))
            first, last = np.searchsorted(self.begin, [start, max(start, stop - 1)], "right") - 1
            if first == last:
                begin = self.begin[first]
                return self.parts[first][start - begin : stop - begin]
            positions = np.arange(start, stop)
        if len(self.parts) == 1:
            return self.parts[0][positions]
        owner = np.searchsorted(self.begin, positions, side="right") - 1
        found = np.empty(positions.shape, self.parts[0].dtype)
        for number in np.unique(owner):
            wanted = owner == number
            found[wanted] = self.parts[number][positions[wanted] - self.begin[number]]
        return found


class Sentences(Sequence):
    """Sentences as arrays of ids, in the order of the text.

    Args:
        ids: all their tokens.
        lengths: int (N,), tokens of each.
    """

    def __init__(self, ids: FlatArray, lengths: np.ndarray):
        self.ids = ids
        self.lengths = np.asarray(lengths)
        self.offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])  # (N + 1,)

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, number: int) -> np.ndarray:
        """Ids of a sentence, an unsigned array."""
        if not -len(self) <= number < len(self):
            raise IndexError(f"sentence {number} of {len(self)}")
        number %= len(self)
        return self.ids[slice(int(self.offsets[number]), int(self.offsets[number + 1]))]


@dataclass(frozen=True)
class TokenizedSplit:
    """Sentences of one split as ids.

    Attributes:
        sentences: `Sentences`, in the order of the text.
        paragraph: int (N,), position of each sentence's paragraph in the text, never decreasing.
        document: int (N,), number of its document, never decreasing. Where the source marks no
            documents, these are runs of paragraphs with no heading or other short line between.
        marked: bool (N,), whether the source marks documents.
        starts: `FlatArray` of uint8, 1 where a word begins, one for each token; None if the text
            is not segmented.
        source: int (N,), which source each sentence is of, never decreasing; None if all are of
            one.
    """

    sentences: Sentences
    paragraph: np.ndarray
    document: np.ndarray
    marked: np.ndarray
    starts: FlatArray | None = None
    source: np.ndarray | None = None

    @classmethod
    def of(cls, sentences: Sequence, paragraph: Sequence[int], document=None) -> TokenizedSplit:
        """A split from plain lists, for texts that were not prepared.

        Args:
            sentences: N sequences of token ids.
            paragraph: int (N,).
            document: int (N,); None if documents are not marked.

        Returns:
            The split.
        """
        arrays = [np.asarray(sentence, np.int32) for sentence in sentences]
        stored = Sentences(FlatArray(arrays), np.array([len(a) for a in arrays], np.int64))
        paragraph = np.asarray(paragraph, np.int64)
        marked = np.full(len(arrays), document is not None)
        return cls(stored, paragraph, paragraph if document is None else np.array(document), marked)


def read_split(
    directory: Path,
    split: str,
    shards: Sequence[Mapping[str, Any]],
    sources: Sequence[Mapping[str, Any]],
) -> TokenizedSplit:
    """A split from its shards.

    Args:
        directory: their folder.
        split: its name.
        shards: their entries in the summary, in order.
        sources: the sources' entries in the summary.

    Returns:
        The split; large arrays of tokens stay in their files.
    """

    def parts(kind: str) -> list[np.ndarray]:
        return [
            # An empty file cannot be mapped.
            np.load(directory / name, mmap_mode="r" if file["bytes"] > HEADER else None)
            for shard in shards
            for name, file in shard["files"].items()
            if name.startswith(f"{split}-") and name.endswith(f".{kind}.npy")
        ]

    def whole(kind: str) -> np.ndarray:
        return np.concatenate([np.zeros(0, np.int32), *parts(kind)])

    paragraph = whole("paragraph").astype(np.int64)
    first = [source["first_paragraph"] for source in sources]
    owner = np.searchsorted(first, paragraph, side="right") - 1
    starts = parts("starts")
    return TokenizedSplit(
        Sentences(FlatArray(parts("ids")), whole("lengths").astype(np.int32)),
        paragraph,
        whole("document").astype(np.int64),
        np.array([source["documents_marked"] for source in sources], bool)[owner],
        FlatArray(starts) if starts else None,
        owner if len(sources) > 1 else None,
    )
