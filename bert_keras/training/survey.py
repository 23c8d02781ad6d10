"""What to keep of a text, decided before anything is tokenized.

Every passage gets a split, and of equal passages only the first stays, so that no text is in two
splits. For this each piece leaves a survey of a few bytes a passage on disk; they are compared in
ranges of signatures, so memory does not grow with the text.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bert_keras.text import duplicates
from bert_keras.training.files import write_file
from bert_keras.training.sources import SPLITS, Piece, Source, signature

DROPPED = -1
# Signatures compared at a time: 16 bytes each, and about four times that for sorting.
IN_MEMORY = 16 * 2**20
# Paragraphs that share a split where documents are not marked, or fewer than this.
NEIGHBOURHOOD, FEW_DOCUMENTS = 20, 50


class Survey(NamedTuple):
    """The passages of a piece, in the order of the text.

    Attributes:
        signature: uint64 (n,), equal for equal texts.
        characters: int64 (n,).
        position: int64 (n,), paragraph number in the source, or in files in the piece.
        document: int64 (n,), likewise.
        split: int8 (n,), index in `SPLITS`, or -1 where it is to be drawn.
        totals: int64 (2,), paragraphs and document beginnings in a file's piece.
        minima: uint32 (n, H), what nearly equal texts have in common, from
            `bert_keras.text.duplicates`; H is 0 where nobody asks for it.
    """

    signature: np.ndarray
    characters: np.ndarray
    position: np.ndarray
    document: np.ndarray
    split: np.ndarray
    totals: np.ndarray
    minima: np.ndarray


class PiecePlan(NamedTuple):
    """What to do with a piece.

    Attributes:
        split: int8 (n,), for each passage the index of its split, or `DROPPED`.
        first_position: int, number in the whole text of the paragraph that the piece calls 0.
        first_document: int, likewise for documents.
    """

    split: np.ndarray
    first_position: int
    first_document: int


def survey_piece(piece: Piece, near: bool = False) -> Survey:
    """Read a piece and describe its passages; this is work for a worker.

    Args:
        piece: of the text.
        near: also describe what nearly equal texts have in common, which takes longer.

    Returns:
        Its survey.
    """
    passages, paragraphs, documents = piece.read()
    split = [SPLITS.index(p.split) if p.split else -1 for p in passages]
    texts = [p.text for p in passages]
    return Survey(
        np.array([signature(text) for text in texts], np.uint64),
        np.array([len(text) for text in texts], np.int64),
        np.array([p.position for p in passages], np.int64),
        np.array([p.document for p in passages], np.int64),
        np.array(split, np.int8),
        np.array([paragraphs, documents], np.int64),
        duplicates.signatures(texts).minima if near else np.zeros((len(texts), 0), np.uint32),
    )


class Surveys:
    """The surveys of all pieces in a folder, and the plan that follows from them.

    Args:
        folder: where they are kept.
        sources: the text.
    """

    def __init__(self, folder: Path, sources: Sequence[Source]):
        self.folder = folder
        self.sources = sources
        self.pieces = [piece for source in sources for piece in source.pieces]
        self.repeated = 0
        self._split: np.ndarray | None = None

    def missing(self) -> list[int]:
        """Numbers of the pieces that still have to be surveyed."""
        return [n for n in range(len(self.pieces)) if not self._path(n, "npz").exists()]

    def save(self, number: int, survey: Survey) -> None:
        """Keep the survey of a piece; the file that `missing` looks for is written last.

        Args:
            number: of the piece.
            survey: what was found in it.
        """
        order = np.argsort(survey.signature, kind="stable").astype(np.uint64)
        rows = np.stack([survey.signature[order.astype(np.int64)], order])  # (2, n)
        for suffix, content in (("npy", rows), ("npz", survey)):
            buffer = io.BytesIO()
            if suffix == "npy":
                np.save(buffer, content)
            else:
                np.savez(buffer, **content._asdict())
            write_file(self._path(number, suffix), buffer.getvalue())

    def load(self, number: int) -> Survey:
        """The survey of a piece.

        Args:
            number: of the piece.

        Returns:
            Its survey.
        """
        with np.load(self._path(number, "npz")) as file:
            return Survey(*(file[name] for name in Survey._fields))

    def plan(self, seed: int, limit: int, near_duplicates: float = 0.0) -> dict[str, int]:
        """Decide about all passages; the decisions are kept in a file, one byte each.

        Args:
            seed: of the draw of splits.
            limit: passages of each split at most; 0 means all.
            near_duplicates: similarity from which a passage repeats an earlier one; 0 compares
                signatures only. Otherwise all surveys must have `minima`.

        Returns:
            How many passages each split has.
        """
        sizes, self._first, self._by_document = [], [], []
        position = 0
        self._source_begins = []
        for source in self.sources:
            self._source_begins.append(position)
            paragraphs, documents = 0, 0
            for _ in source.pieces:
                survey = self.load(len(sizes))
                sizes.append(len(survey.signature))
                self._first.append((position + paragraphs, position + documents))
                paragraphs += int(survey.totals[0])
                documents += int(survey.totals[1])
            # There are never more documents than paragraphs, so both may start at one number.
            position += source.paragraphs or paragraphs
            self._by_document += [source.marked and documents >= FEW_DOCUMENTS] * len(source.pieces)
        self._begin = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)  # (pieces + 1,)
        shape = (max(1, int(self._begin[-1])),)
        self._split = np.memmap(self.folder / "plan.bin", np.int8, "w+", shape=shape)
        self._mark_repeats()
        if near_duplicates:
            self._mark_near_repeats(near_duplicates)
        self._draw_splits(seed, limit)
        return {name: int((self._split == index).sum()) for index, name in enumerate(SPLITS)}

    def describe(self) -> list[dict[str, Any]]:
        """What the summary says about each source."""
        return [
            {
                "name": source.name,
                "megabytes": round(source.megabytes, 3),
                "first_paragraph": begin,
                "documents_marked": source.marked,
            }
            for source, begin in zip(self.sources, self._source_begins, strict=True)
        ]

    def close(self) -> None:
        """Let go of the plan's file, so that its folder can be deleted."""
        self._split = None

    def piece_plan(self, number: int) -> PiecePlan:
        """The decisions about one piece.

        Args:
            number: of the piece.

        Returns:
            The plan of the piece.
        """
        rows = slice(self._begin[number], self._begin[number + 1])
        return PiecePlan(np.array(self._split[rows]), *self._first[number])

    def sample(self, number: int, rate: float) -> np.ndarray:
        """Which passages of a piece are in the vocabulary's sample, bool (n,).

        They are chosen by their signatures: evenly, and the same ones whoever asks.

        Args:
            number: of the piece.
            rate: share of the passages to take.

        Returns:
            bool (n,).
        """
        drawn = (self.load(number).signature >> np.uint64(11)) * 2.0**-53
        return (self.piece_plan(number).split == SPLITS.index("train")) & (drawn < rate)

    def train_characters(self) -> int:
        """Characters of the train split."""
        train = SPLITS.index("train")
        return sum(
            int(self.load(n).characters[self.piece_plan(n).split == train].sum())
            for n in range(len(self.pieces))
        )

    def _path(self, number: int, suffix: str) -> Path:
        return self.folder / f"{number:06d}.{suffix}"

    def _mark_repeats(self) -> None:
        forbidden = np.concatenate([source.forbidden for source in self.sources])
        ranges = -(-int(self._begin[-1]) // IN_MEMORY) or 1
        edges = [step * 2**64 // ranges for step in range(ranges + 1)]
        for low, high in pairwise(edges):
            signatures, places = [], []
            for number in range(len(self.pieces)):
                rows = np.load(self._path(number, "npy"), mmap_mode="r")
                begin = np.searchsorted(rows[0], np.uint64(low))
                end = rows.shape[1]
                if high < 2**64:
                    end = np.searchsorted(rows[0], np.uint64(high))
                signatures.append(np.array(rows[0, begin:end]))
                places.append(rows[1, begin:end].astype(np.int64) + self._begin[number])
            every, place = np.concatenate(signatures), np.concatenate(places)
            first = np.unique(every, return_index=True)[1]
            repeated = np.isin(every, forbidden)
            later = np.ones(len(every), bool)
            later[first] = False
            self._split[place[later | repeated]] = DROPPED
            self.repeated += int((later | repeated).sum())

    def _mark_near_repeats(self, threshold: float) -> None:
        """Of nearly equal passages keep the first; all their minima are in memory at once."""
        kept = np.flatnonzero(self._split != DROPPED)
        surveys = (self.load(number) for number in range(len(self.pieces)))
        found = duplicates.merge(duplicates.Signatures(s.signature, s.minima) for s in surveys)
        found = duplicates.Signatures(found.exact[kept], found.minima[kept])
        later = kept[duplicates.duplicate_of(found, threshold=threshold) >= 0]
        self._split[later] = DROPPED
        self.repeated += len(later)

    def _draw_splits(self, seed: int, limit: int) -> None:
        left = dict.fromkeys(range(len(SPLITS)), limit or int(self._begin[-1]))
        for number, by_document in enumerate(self._by_document):
            survey, plan = self.load(number), self.piece_plan(number)
            split = survey.split
            if by_document:
                unit = plan.first_document + survey.document
            else:
                unit = (plan.first_position + survey.position) // NEIGHBOURHOOD
            split = np.where(split < 0, draw_split(unit, seed), split)
            split = np.where(plan.split == DROPPED, DROPPED, split)
            for index in left:
                rows = np.flatnonzero(split == index)
                split[rows[left[index] :]] = DROPPED
                left[index] -= min(len(rows), left[index])
            self._split[self._begin[number] : self._begin[number + 1]] = split


def draw_split(unit: np.ndarray, seed: int) -> np.ndarray:
    """The split of documents or neighbourhoods: 80 % train, 10 % dev, 10 % test.

    Args:
        unit: int (n,), their numbers.
        seed: int, which draw.

    Returns:
        int8 (n,), indices in `SPLITS`. It depends on number and seed alone.

    Reference:
        The mixing is SplitMix64: Steele, Lea and Flood, Fast splittable pseudorandom number
        generators (2014).
    """
    with np.errstate(over="ignore"):
        bits = (unit.astype(np.uint64) + np.uint64(seed << 32)) * np.uint64(0x9E3779B97F4A7C15)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor)
        bits ^= bits >> np.uint64(31)
    share = (bits >> np.uint64(11)) * 2.0**-53  # (n,) in [0, 1)
    train, dev, test = (SPLITS.index(name) for name in ("train", "dev", "test"))
    return np.where(share < 0.1, test, np.where(share < 0.2, dev, train)).astype(np.int8)
