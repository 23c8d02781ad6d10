"""The passes of `prepare` over a text, and the journal that lets a killed run go on."""

from __future__ import annotations

import contextlib
import hashlib
import json
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

import bert_keras
from bert_keras.text import vocabulary, wordpiece
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.training import encode, files, survey
from bert_keras.training.sections import CorpusSection
from bert_keras.training.shards import ShardWriter
from bert_keras.training.sources import SPLITS, Source
from bert_keras.training.survey import Surveys
from bert_keras.training.workers import Map

FORMAT = 2
# Pieces go into about this many shards.
SHARDS = 64
# Which draw of the splits; a text always has the same ones.
_SPLIT_SEED = 13
VOCABULARY, JOURNAL, SUMMARY = "vocab.txt", "journal.json", "summary.json"


class Preparation:
    """One preparation in the folder in which it is done.

    Args:
        folder: where everything is written; it exists, and what an earlier run left there is used.
        settings: what the result depends on.
        sources: the text.
        data: the `data` section of the configuration.
        mapped: from `open_workers`.

    Attributes:
        shards: the entries of the shards that are whole, by number.
        summary: what describes the result, once `run` has ended.
    """

    def __init__(
        self,
        folder: Path,
        settings: dict[str, Any],
        sources: list[Source],
        data: CorpusSection,
        mapped: Map,
    ):
        self.folder, self.settings, self.sources = folder, settings, sources
        self.data, self.mapped = data, mapped
        self.pieces = [piece for source in sources for piece in source.pieces]
        self.segmented = any(
            passage.words is not None
            for piece in self.pieces
            for passage in getattr(piece, "passages", ())[:1]
        )
        self.group = -(-len(self.pieces) // SHARDS) or 1
        self.shards: dict[int, dict[str, Any]] = {}
        self.vocabulary_file: dict[str, Any] | None = None
        self._made_with: dict[str, Any] | None = None  # the vocabulary of the shards that are there
        self.summary: dict[str, Any] = {}

    def run(self) -> float:
        """Do what is still to be done.

        Returns:
            Megabytes of text that were tokenized.

        Raises:
            CorpusError: the text has too few paragraphs, cannot be read, or no space is left.
        """
        self._resume()
        scratch = self.folder / "survey"
        with files.saying_why(scratch):
            scratch.mkdir(exist_ok=True)
        surveys = Surveys(scratch, self.sources)
        self._survey(surveys)
        tokens = self._vocabulary(surveys)
        megabytes = self._encode(surveys, tokens)
        surveys.close()
        self._summarize(surveys, tokens)
        shutil.rmtree(scratch, ignore_errors=True)
        (self.folder / JOURNAL).unlink(missing_ok=True)
        return megabytes

    def _resume(self) -> None:
        """Take over from an earlier run what is whole; anything else goes."""
        known = read_json(self.folder / JOURNAL) or read_json(self.folder / SUMMARY) or {}
        entries = files_of(known) if known.get("settings") == self.settings else {}
        wrong = files.damaged(self.folder, entries)
        if entries:
            self._made_with = known.get("files", {}).get(VOCABULARY)
            self.vocabulary_file = None if VOCABULARY in wrong else self._made_with
            for shard in known["shards"]:
                if not wrong.keys() & shard["files"].keys():
                    self.shards[shard["number"]] = shard
        kept = {VOCABULARY, files.VERIFIED, *files_of(self._journal())}
        kept |= {"survey", JOURNAL} if known.get("settings") == self.settings else set()
        with files.saying_why(self.folder):
            for path in self.folder.iterdir():
                if path.name not in kept:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
        self._write(JOURNAL, self._journal())

    def _survey(self, surveys: Surveys) -> None:
        missing = surveys.missing()
        near = self.data.near_duplicates
        tasks = ((self.pieces[number], near > 0) for number in missing)
        with _progress("reading", [self.pieces[n].megabytes for n in missing]) as advance:
            results = self.mapped(survey.survey_piece, tasks)
            for number, result in zip(missing, results, strict=True):
                surveys.save(number, result)
                advance()
        for name, count in surveys.plan(_SPLIT_SEED, self.data.paragraphs, near).items():
            if not count:
                raise CorpusError(
                    f"the text has no paragraphs for {name}: it needs at least a few hundred lines"
                )

    def _vocabulary(self, surveys: Surveys) -> Vocabulary:
        path = self.folder / VOCABULARY
        if self.vocabulary_file is not None:
            return Vocabulary.load(path)
        if self.data.vocabulary_file:
            tokens = Vocabulary.load(self.data.vocabulary_file)
        else:
            tokens = build_vocabulary(self.data, self._sample(surveys))
        content = ("\n".join(tokens.tokens) + "\n").encode("utf-8")
        files.write_file(path, content)
        self.vocabulary_file = {
            "sha256": hashlib.sha256(content).hexdigest(),
            "bytes": len(content),
        }
        if self.vocabulary_file != self._made_with:
            self.shards.clear()
        self._write(JOURNAL, self._journal())
        return tokens

    def _sample(self, surveys: Surveys) -> list[str]:
        """Paragraphs of the train split, drawn evenly."""
        total = surveys.train_characters()
        rate = min(1.0, (self.data.vocabulary_sample or total) / total)
        tasks = ((piece, surveys.sample(n, rate)) for n, piece in enumerate(self.pieces))
        texts = []
        with _progress("vocabulary", [piece.megabytes for piece in self.pieces]) as advance:
            for found in self.mapped(encode.sample_piece, tasks):
                texts += found
                advance()
        return texts

    def _encode(self, surveys: Surveys, tokens: Vocabulary) -> float:
        groups = [
            (number, range(first, min(first + self.group, len(self.pieces))))
            for number, first in enumerate(range(0, len(self.pieces), self.group))
        ]
        missing = [(number, pieces) for number, pieces in groups if number not in self.shards]
        marked = [source.marked for source in self.sources for _ in source.pieces]
        same = ("\n".join(tokens.tokens), self.data.lowercase, self.segmented)
        tasks = (
            (self.pieces[n], surveys.piece_plan(n), marked[n], *same)
            for _, pieces in missing
            for n in pieces
        )
        sizes = [self.pieces[n].megabytes for _, pieces in missing for n in pieces]
        results = self.mapped(encode.encode_piece, tasks)
        with _progress("tokenizing", sizes) as advance:
            for number, pieces in missing:
                with ShardWriter(self.folder, number, encode.id_dtype(len(tokens))) as shard:
                    for _ in pieces:
                        shard.append(next(results))
                        advance()
                self.shards[number] = shard.entry
                self._write(JOURNAL, self._journal())
        return sum(sizes)

    def _journal(self) -> dict[str, Any]:
        entry = self.vocabulary_file
        return {
            "settings": self.settings,
            "files": {VOCABULARY: entry} if entry else {},
            "shards": [self.shards[number] for number in sorted(self.shards)],
        }

    def _summarize(self, surveys: Surveys, tokens: Vocabulary) -> None:
        journal = self._journal()
        counts = {
            name: {
                key: sum(shard["splits"][name][key] for shard in journal["shards"])
                for key in ("paragraphs", "sentences", "tokens", "pairs")
            }
            for name in SPLITS
        }
        summary = {
            "format": FORMAT,
            **journal,
            "sources": surveys.describe(),
            "splits": counts,
            "repeated": surveys.repeated,
            "vocabulary_size": len(tokens),
        }
        summary["checksum"] = checksum_of(summary)
        summary["versions"] = {
            "bert_keras": bert_keras.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        }
        self._write(SUMMARY, summary)
        self.summary = summary

    def _write(self, name: str, content: dict[str, Any]) -> None:
        text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        files.write_file(self.folder / name, text.encode("utf-8"))


def build_vocabulary(data: CorpusSection, texts: Sequence[str]) -> Vocabulary:
    """The vocabulary of a sample of text, as the configuration wants it.

    Args:
        data: the `data` section.
        texts: paragraphs of the train split.

    Returns:
        The vocabulary.
    """
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


def files_of(summary: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """All files that a summary or a journal names, with `sha256` and `bytes`.

    Args:
        summary: of a folder, or a journal.

    Returns:
        File name → its `sha256` and `bytes`.
    """
    shards = summary.get("shards", [])
    return summary.get("files", {}) | {k: v for shard in shards for k, v in shard["files"].items()}


def checksum_of(summary: dict[str, Any]) -> str:
    """SHA-256 of all that a summary says, but for itself and the versions of programs.

    Args:
        summary: of a prepared folder.

    Returns:
        The sum, in hexadecimal.
    """
    content = {k: v for k, v in summary.items() if k not in ("checksum", "versions")}
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def read_json(path: Path) -> dict[str, Any] | None:
    """A JSON object from a file; None if there is no such file or it holds something else.

    Args:
        path: of the file.

    Returns:
        The object, or None.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


@contextlib.contextmanager
def _progress(what: str, megabytes: Sequence[float]) -> Iterator[Any]:
    """A bar in megabytes; what it yields is called after each piece."""
    sizes = [round(size, 3) for size in megabytes]
    with tqdm(total=sum(sizes), desc=what, unit="MB", file=sys.stderr, mininterval=1.0) as bar:
        left = iter(sizes)
        yield lambda: bar.update(next(left))
