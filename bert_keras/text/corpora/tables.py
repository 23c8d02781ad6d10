"""Read the file formats in which labelled sets are published: TSV, CSV, JSON, JSON lines, parquet.

Every row remembers where it stood, so an error names the file, the row, the column, and what was
expected there.
"""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from bert_keras.text.corpora import archives

SUFFIXES = (".parquet", ".tsv", ".csv", ".jsonl", ".json")


class Table:
    """Rows of a file, with what an error message needs.

    Args:
        path: the file.
        columns: names of the columns.
        rows: one dict a row.
    """

    def __init__(self, path: Path, columns: list[str], rows: list[dict]):
        self.path = path
        self.columns = columns
        self.rows = rows

    def column(self, *names: str) -> str | None:
        """The first of several names that the table has, or None.

        Args:
            *names: in the order of preference.

        Returns:
            The name, or None.
        """
        return next((name for name in names if name in self.columns), None)

    def columns_for(self, **wanted: tuple[str, ...]) -> dict[str, str]:
        """Find several columns at once, each under any of its usual names.

        Args:
            **wanted: meaning → the names it goes by.

        Returns:
            Meaning → the name it has in this table.

        Raises:
            CorpusError: a column is missing.
        """
        found = {meaning: self.column(*names) for meaning, names in wanted.items()}
        if None in found.values():
            needed = " and ".join(names[0] for names in wanted.values())
            raise archives.CorpusError(
                f"{self.path}: needs the columns {needed}, has {', '.join(self.columns) or 'none'}"
            )
        return found

    def refuse(self, row: int, column: str, value: Any, expected: str) -> NoReturn:
        """Raise the error for one cell.

        Args:
            row: number of the row, counted from 1 without the header.
            column: name of the column.
            value: what is there.
            expected: what should be there.

        Raises:
            CorpusError: always.
        """
        raise archives.CorpusError(
            f"{self.path}, row {row}: {column} {_shown(value)} is not {expected}"
        )

    def text(self, row: int, column: str) -> str:
        """The text of a cell; row numbers begin at 1.

        Args:
            row: number of the row, from 1.
            column: name of the column.

        Returns:
            The text.

        Raises:
            CorpusError: the cell holds no text.
        """
        value = self.rows[row - 1].get(column)
        if not isinstance(value, str):
            self.refuse(row, column, value, "a text")
        return value

    def choice(self, row: int, column: str, allowed: dict[str, int]) -> int:
        """The number of a label.

        Args:
            row: number of the row, from 1.
            column: name of the column.
            allowed: how labels are written → their numbers.

        Returns:
            Int, one of the values of `allowed`.

        Raises:
            CorpusError: the cell holds another label.
        """
        value = self.rows[row - 1].get(column)
        name = str(int(value) if isinstance(value, float) and value.is_integer() else value)
        if name.strip() not in allowed:
            self.refuse(row, column, value, _either(list(allowed)))
        return allowed[name.strip()]

    def number(self, row: int, column: str) -> float:
        """A number.

        Args:
            row: number of the row, from 1.
            column: name of the column.

        Returns:
            Float.

        Raises:
            CorpusError: the cell holds something else.
        """
        value = self.rows[row - 1].get(column)
        try:
            found = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError):
            found = math.nan
        if not math.isfinite(found):
            self.refuse(row, column, value, "a number")
        return found


def read(path: str | Path) -> Table:
    """Read a table.

    TSV files are read without quoting, as published ones are written: a quotation mark is part of
    the text. A JSON file holds a list of objects, an object whose `data` is one, or one object a
    line.

    Args:
        path: a file that ends in .parquet, .tsv, .csv, .jsonl or .json; .txt is read as .tsv.

    Returns:
        `Table`.

    Raises:
        CorpusError: the file is missing, damaged, or of another kind.
    """
    path = Path(path)
    if not path.exists():
        raise archives.CorpusError(f"there is no file or folder {path}")
    if path.suffix == ".parquet":
        return _read_parquet(path)
    if path.suffix in (".tsv", ".csv", ".txt"):
        return _read_delimited(path)
    if path.suffix == ".jsonl":
        lines = (line for line in read_text(path).split("\n"))
        items = [_parse(path, n, line) for n, line in enumerate(lines, 1) if line.strip()]
        return _from_items(path, items)
    if path.suffix == ".json":
        items = read_json(path)
        if isinstance(items, dict):
            items = items.get("data", [items])
        return _from_items(path, items)
    raise archives.CorpusError(f"{path}: expected one of {', '.join(SUFFIXES)}")


def read_text(path: Path) -> str:
    """Content of a UTF-8 file.

    Args:
        path: of the file.

    Returns:
        The text, without a byte order mark.

    Raises:
        CorpusError: the file cannot be read, or is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise archives.CorpusError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise archives.CorpusError(
            f"cannot read {path}: byte {error.start} is not UTF-8 text"
        ) from None


def read_json(path: Path) -> Any:
    """Content of a JSON file; a file with one object a line gives a list.

    Args:
        path: of the file.

    Returns:
        The values.

    Raises:
        CorpusError: the file cannot be read, or is not JSON.
    """
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        # CLUE calls its JSON-lines files .json.
        lines = [line for line in text.split("\n") if line.strip()]
        return [_parse(path, number, line) for number, line in enumerate(lines, 1)]


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _either(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]


def _parse(path: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise archives.CorpusError(
            f"{path}, row {number}: expected one JSON object a line ({error.msg})"
        ) from None


def _from_items(path: Path, items: Any) -> Table:
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise archives.CorpusError(f"{path}: expected a list of JSON objects, one for each row")
    columns = list(dict.fromkeys(key for item in items for key in item))
    return Table(path, columns, items)


def _read_parquet(path: Path) -> Table:
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
    return Table(path, table.column_names, table.to_pylist())


def _read_delimited(path: Path) -> Table:
    # Published TSV files do not quote: a lone quotation mark is part of the text.
    options = {} if path.suffix == ".csv" else {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # a whole article may be one cell
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, **options)
            rows = list(_numbered(path, reader))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise archives.CorpusError(f"cannot read {path}: {reason}") from None
    return Table(path, list(reader.fieldnames or []), rows)


def _numbered(path: Path, reader: csv.DictReader) -> Iterator[dict]:
    for number, row in enumerate(reader, 1):
        if row.pop(None, None) is not None:
            raise archives.CorpusError(
                f"{path}, row {number}: more cells than the header's {len(reader.fieldnames)}"
            )
        yield row
