"""Reads notebooks that students hand in, however damaged, and says what had to be repaired.

Nothing here raises for what is in a file: a notebook that cannot be read at all has no cells. Pure
standard library, so that it can run in a limited process and loads at once.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from autograder.cell_text import defined_names, strip_magics, tree_of
from autograder.handed_files import MAX_FILE, decode, read_bytes
from autograder.repairs import Repair, note, printable, repair

# What others need of the parts below, in one place.
__all__ = [
    "MAX_CELLS",
    "MAX_FILE",
    "MAX_SOURCE",
    "MAX_TOTAL",
    "RawCell",
    "RawNotebook",
    "Repair",
    "decode",
    "defined_names",
    "parse",
    "printable",
    "read_bytes",
    "repair",
    "strip_magics",
    "tree_of",
]

MAX_SOURCE = 200_000  # characters of one cell
MAX_TOTAL = 3_000_000  # characters of all cells, written as JSON: so much can travel on
MAX_CELLS = 2000
LARGE = 2_000_000  # longer files are freed of their outputs before they are read
MAX_DIGITS = 400

CELL_START = re.compile(
    r'\{\s*"(?:attachments|cell_type|code|collapsed|execution_count|id|input|language|metadata'
    r'|outputs|prompt_number|source)"\s*:'
)
OUTPUTS = re.compile(r'"outputs"\s*:\s*\[')
TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[][{}]', re.DOTALL)
GAP = re.compile(r"[\s,\ufeff\x00]*")


@dataclass
class RawCell:
    """One cell as it was handed in; every field is of the right type, none is to be trusted."""

    kind: str
    source: str
    id: str = ""
    grade_id: str = ""
    tags: tuple[str, ...] = ()
    number: int = 0


@dataclass
class RawNotebook:
    """What could be read of a notebook."""

    cells: list[RawCell] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)


def parse(data: bytes) -> RawNotebook:
    """Reads a notebook out of bytes.

    Args:
        data: The file's content.

    Returns:
        Its cells and what had to be repaired; no cells where nothing could be read.
    """
    notebook = RawNotebook()
    text, encoding = decode(data)
    if encoding != "UTF-8":
        note(notebook.repairs, "encoding", name=encoding)
    if text.count("\ufffd"):
        note(notebook.repairs, "bad_characters", count=text.count("\ufffd"))
    cells = _Reader(text, notebook.repairs).cells()
    total, kept = 0, {True: 0, False: 0}
    for number, cell in enumerate(cells, 1):
        raw = _raw_cell(cell, number, notebook.repairs)
        if raw is None or not (raw.source.strip() or raw.grade_id):
            continue
        # Cells that carry a label are counted apart, so that a flood of others hides none.
        labelled = bool(raw.grade_id)
        kept[labelled] += 1
        if kept[labelled] > MAX_CELLS:
            note(notebook.repairs, "too_many_cells")
            continue
        size = len(json.dumps(raw.source))
        if len(raw.source) > MAX_SOURCE or total + size > MAX_TOTAL:
            note(notebook.repairs, "cell_too_long", f"cell_{number}")
            continue
        total += size
        notebook.cells.append(raw)
    return notebook


class _Reader:
    """Finds the cells in a file's text.

    Args:
        text: The file.
        repairs: Where to say what was wrong.
    """

    def __init__(self, text: str, repairs: list[Repair]):
        self.text = text.lstrip("\ufeff")
        self.repairs = repairs
        self._twice = False
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object, parse_int=_integer)

    def cells(self) -> list[Any]:
        """The cells as plain JSON values, none of which is to be trusted."""
        if len(self.text) > LARGE:
            self.text = without_outputs(self.text)
        documents, end = self._documents()
        notebooks = [found for content in documents if (found := self._sheets(content)) is not None]
        cells = [cell for found in notebooks for cell in found]
        if len(notebooks) > 1:
            note(self.repairs, "joined", count=len(notebooks))
        if end < len(self.text):
            rescued = self._rescue(end)
            cells += rescued
            if rescued or not notebooks:
                if cells:
                    note(self.repairs, "truncated", count=len(cells))
            else:
                note(self.repairs, "trailing")
        if not cells and not notebooks:
            note(self.repairs, "unreadable")
        if self._twice:
            note(self.repairs, "duplicate_keys")
        return cells

    def _documents(self) -> tuple[list[Any], int]:
        """Whole JSON values from the beginning on, and where they end."""
        found: list[Any] = []
        position = GAP.match(self.text).end()
        while position < len(self.text):
            try:
                content, position = self._decoder.raw_decode(self.text, position)
            except (ValueError, RecursionError, MemoryError):
                break
            found.append(content)
            position = GAP.match(self.text, position).end()
        return found, position

    def _rescue(self, begin: int) -> list[Any]:
        """The complete cells in the rest of a file that is no JSON as a whole.

        What cannot be read is passed over up to the next place that looks like a cell's beginning.
        """
        text = self.text
        start = re.compile(r'"cells"\s*:\s*\[').search(text, begin)
        position = start.end() if start else begin
        found: list[Any] = []
        patience = max(5, min(500, 200_000_000 // (len(text) + 1)))
        while patience:
            position = GAP.match(text, position).end()
            try:
                cell, after = self._decoder.raw_decode(text, position)
            except (ValueError, RecursionError, MemoryError):
                cell, after = None, position + 1
            if isinstance(cell, dict) and "cell_type" in cell:
                found.append(cell)
                position = after
                continue
            patience -= 1
            again = CELL_START.search(text, position + 1 if cell is None else after)
            if again is None:
                break
            position = again.start()
        return found

    def _sheets(self, content: Any) -> list[Any] | None:
        """The list of cells, of the old format with worksheets too; None where it is no notebook.

        Up to version 2 a cell's text could be under "code" or "text".
        """
        if not isinstance(content, dict):
            return None
        version = content.get("nbformat")
        if isinstance(version, (int, float)) and version < 4:
            note(self.repairs, "old_format")
        cells, sheets = content.get("cells"), content.get("worksheets")
        if isinstance(cells, list):
            return cells
        if isinstance(sheets, list):
            note(self.repairs, "old_format")
            lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
            return [cell for found in lists if isinstance(found, list) for cell in found]
        return [] if "nbformat" in content else None

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """A JSON object; of a key that occurs twice the last value with something in it counts."""
        result = dict(pairs)
        if len(result) < len(pairs):
            self._twice = True
            result.update((key, value) for key, value in pairs if value not in ("", [], {}, None))
        return result


def without_outputs(text: str) -> str:
    """The text of a notebook with empty lists of outputs; unchanged from where it is broken.

    Outputs can be a hundred times as large as everything else and are never needed.
    """
    parts, position = [], 0
    while found := OUTPUTS.search(text, position):
        depth, end = 1, None
        for token in TOKEN.finditer(text, found.end()):
            mark = token[0]
            if mark in ("[", "{"):
                depth += 1
            elif mark in ("]", "}"):
                depth -= 1
                if not depth:
                    end = token.start()
                    break
        if end is None:
            break
        parts.append(text[position : found.end()])
        position = end
    parts.append(text[position:])
    return "".join(parts)


def _integer(text: str) -> int:
    """An integer of JSON; Python itself refuses those with thousands of digits."""
    return int(text) if len(text) <= MAX_DIGITS else 0


def _raw_cell(cell: Any, number: int, repairs: list[Repair]) -> RawCell | None:
    source = _source(cell, number, repairs) if isinstance(cell, dict) else None
    if source is None:
        note(repairs, "broken_cell", f"cell_{number}")
        return None
    source = source.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    # A lone surrogate is legal JSON and cannot be written back as UTF-8.
    source = source.encode("utf-8", "replace").decode("utf-8").lstrip("\ufeff")
    kind = "code" if cell.get("cell_type") == "code" else "markdown"
    metadata = cell.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    mark = metadata.get("nbgrader")
    grade_id = mark.get("grade_id") if isinstance(mark, dict) else ""
    tags = metadata.get("tags")
    return RawCell(
        kind,
        source,
        cell["id"] if isinstance(cell.get("id"), str) else "",
        grade_id if isinstance(grade_id, str) else "",
        tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
        number,
    )


def _source(cell: dict[str, Any], number: int, repairs: list[Repair]) -> str | None:
    """A cell's text, under whichever name its format keeps it; None where there is none."""
    names = ("source", "input", "code", "text")
    source = next((cell[name] for name in names if name in cell), None)
    if not isinstance(source, list):
        return source if isinstance(source, str) else None
    lines = [line for line in source if isinstance(line, str)]
    if len(lines) < len(source):
        note(repairs, "broken_lines", f"cell_{number}")
    return "".join(lines)
