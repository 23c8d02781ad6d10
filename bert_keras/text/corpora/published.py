"""The folders in which labelled sets are published: one file or folder for each part."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from pathlib import Path

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import SPLITS, Row, split_groups
from bert_keras.text.corpora.tables import SUFFIXES, Table

# How published files name the held-out parts; testa and testb are CoNLL-2003's.
_PARTS = {
    "train": "train",
    "training": "train",
    "dev": "dev",
    "validation": "dev",
    "valid": "dev",
    "val": "dev",
    "testa": "dev",
    "test": "test",
    "testb": "test",
}


def part_of(name: str) -> str | None:
    """Which part a published file or folder holds, by its name: train, dev, test, or None.

    `train-00000-of-00001.parquet`, `cmrc2018_dev.json`, `eng.testa` and `valid` are understood.

    Args:
        name: of the file or folder.

    Returns:
        "train", "dev", "test" or None.
    """
    words = re.split(r"[^a-z]+", name.lower())
    return next((_PARTS[word] for word in words if word in _PARTS), None)


def load_parts(
    path: str | Path,
    read_part: Callable[[Path], list[Row]],
    suffixes: tuple[str, ...] = SUFFIXES,
    *,
    hidden_test: bool = False,
    dev_from_train: bool = False,
    folders: bool = False,
    group: Callable[[Row], Hashable] | None = None,
    seed: int = 13,
) -> dict[str, list[Row]] | list[Row]:
    """Rows of a published set: one file, or a folder with files named train, dev and test.

    Args:
        path: file or folder.
        read_part: reads one file (or folder) into rows.
        suffixes: which files of a folder count.
        hidden_test: many sets keep the labels of their test part secret. If True, a missing or
            empty test part is replaced by the dev part, whose place a tenth of train takes.
        dev_from_train: If True, a tenth of train takes the place of a missing dev part.
        folders: the parts are folders (train/, dev/, test/) that `read_part` reads whole.
        group: what the rows of one group have in common; a group isn't torn apart for that tenth.
        seed: which tenth.

    Returns:
        `{"train": […], "dev": […], "test": […]}` for a folder, and a list of rows for a file:
        the caller splits it.

    Raises:
        CorpusError: a part or all labels are missing, or as `read_part`.
    """
    path = Path(path)
    if not path.exists():
        raise CorpusError(f"there is no file or folder {path}")
    if not path.is_dir():
        rows = read_part(path)
        if not rows:
            raise CorpusError(f"{path} has no rows with labels")
        return rows
    parts: dict[str, list[Row]] = {name: [] for name in SPLITS}
    for entry in sorted(path.iterdir()):
        name = part_of(entry.name)
        if name and (entry.is_dir() if folders else entry.name.endswith(suffixes)):
            parts[name] += read_part(entry)
    test = parts["test"] or (parts["dev"] if hidden_test else [])
    dev = parts["dev"] if parts["test"] else []
    if parts["train"] and test and not dev and (dev_from_train or not parts["test"]):
        groups: dict[Hashable, list[Row]] = {}
        for row in parts["train"]:
            groups.setdefault(group(row) if group else row, []).append(row)
        cut = split_groups(groups, seed)
        parts = {"train": cut["train"] + cut["test"], "dev": cut["dev"], "test": test}
    missing = [name for name in SPLITS if not parts[name]]
    if missing:
        kind = "folders" if folders else "files"
        ending = "" if folders else f" with one of the endings {', '.join(suffixes)}"
        raise CorpusError(
            f"{path} has no rows for {missing[0]}: expected {kind} named train, dev (or "
            f"validation) and test{ending}"
        )
    return parts


def labels_are_hidden(table: Table, *names: str) -> bool:
    """Whether a table is a test part whose labels were kept secret, as GLUE's are.

    Args:
        table: the table.
        *names: names of the column with the labels; none: "label".

    Returns:
        True if the file is a test part and has no labels, or nothing but -1 and blanks.
    """
    if part_of(table.path.name) != "test":
        return False
    column = table.column(*(names or ("label",)))
    return column is None or all(row[column] in (-1, "-1", None, "", "-") for row in table.rows)
