"""Reads notebooks that students hand in, however damaged, and says what had to be repaired.

Nothing here raises for what is in a file: a notebook that cannot be read at all has no cells. Pure
standard library, so that it can run in a limited process and loads at once.
"""

from __future__ import annotations

import ast
import codecs
import json
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.messages import Text

MAX_FILE = 50 * 2**20
MAX_SOURCE = 200_000
MAX_TOTAL = 2_000_000
MAX_CELLS = 2000


@dataclass(frozen=True)
class Repair:
    """Something that was wrong with a submission, and what was done about it.

    Args:
        code: Stable name, such as "duplicate_cell".
        zh: The sentence for the reader, Chinese.
        en: The same in English.
        cell: Which cell, by exercise or number; "" for the whole file.
    """

    code: str
    zh: str
    en: str
    cell: str = ""

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "zh": self.zh, "en": self.en, "cell": self.cell}


SENTENCES = {
    "missing": Text("没有交这份笔记本。", "This notebook was not handed in."),
    "renamed": Text(
        "文件名不对，批改的是 {name}。", "The file has another name; {name} was graded."
    ),
    "not_a_file": Text(
        "交上来的不是普通文件（链接或目录），没有打开。",
        "What was handed in is no ordinary file (a link or a folder); it was not opened.",
    ),
    "too_large": Text("文件太大，没有打开。", "The file is too large and was not opened."),
    "unreadable": Text(
        "文件无法读取：不是笔记本，也找不到完整的单元格。",
        "The file cannot be read: it is no notebook and holds no complete cell.",
    ),
    "encoding": Text("文件编码是 {name}，已转换。", "The file was in {name} and was converted."),
    "truncated": Text(
        "文件不完整，找回了 {count} 个单元格。",
        "The file is incomplete; {count} cells were recovered.",
    ),
    "old_format": Text("旧版笔记本格式，已转换。", "An old notebook format, converted."),
    "broken_cell": Text("有一个单元格已损坏，被略过。", "A broken cell was left out."),
    "too_many_cells": Text("单元格太多，后面的被略过。", "Too many cells; the rest were left out."),
    "cell_too_long": Text("单元格太长，被略过。", "A cell is too long and was left out."),
    "magic": Text("去掉了 IPython 命令：{line}", "An IPython command was taken out: {line}"),
    "duplicate_cell": Text(
        "这道题有 {count} 个单元格，批改的是最后一个写了内容的。",
        "This exercise has {count} cells; the last one with an answer in it was graded.",
    ),
    "lost_metadata": Text(
        "单元格的标识丢了，按它定义的名字找到。",
        "The cell had lost its label and was found by the name it defines.",
    ),
    "missing_cell": Text("这道题的单元格被删掉了。", "The cell of this exercise was deleted."),
    "missing_check": Text(
        "检查单元格被删掉了，已恢复；不影响得分。",
        "The check cell was deleted and has been put back; it costs nothing.",
    ),
    "edited_check": Text(
        "检查单元格被改过，已恢复；不影响得分。",
        "The check cell was edited and has been put back; it costs nothing.",
    ),
}


def repair(code: str, cell: str = "", **values: Any) -> Repair:
    """Builds a repair from its sentence; hostile text among the values is cut and cleaned."""
    clean = {key: printable(str(value))[:80] for key, value in values.items()}
    text = SENTENCES[code].format(**clean)
    return Repair(code, text.zh, text.en, printable(cell)[:80])


def printable(text: str) -> str:
    """Text without control characters: terminal codes must not come out of a report."""
    return "".join(char if char.isprintable() else "�" for char in text)


@dataclass
class RawCell:
    """One cell as it was handed in; every field is of the right type, none is to be trusted."""

    kind: str
    source: str
    id: str = ""
    grade_id: str = ""
    tags: tuple[str, ...] = ()


@dataclass
class RawNotebook:
    """What could be read of a notebook."""

    cells: list[RawCell] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)


def read_bytes(path: Path) -> tuple[bytes | None, list[Repair]]:
    """Reads a submitted file without following links, up to the size limit.

    Args:
        path: The file.

    Returns:
        The bytes, or None with the repair that says why there are none.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    flags |= getattr(os, "O_BINARY", 0)
    try:
        if path.is_symlink():
            return None, [repair("not_a_file")]
        descriptor = os.open(path, flags)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            return None, [repair("not_a_file")]
    except FileNotFoundError:
        return None, [repair("missing")]
    except OSError:
        return None, [repair("not_a_file")]
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        return None, [repair("too_large")]
    return data, []


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
        notebook.repairs.append(repair("encoding", name=encoding))
    try:
        content = json.loads(text)
    except (ValueError, RecursionError, MemoryError):
        content = {"cells": _salvage(text)}
        if content["cells"]:
            notebook.repairs.append(repair("truncated", count=len(content["cells"])))
    cells = _cell_list(content, notebook)
    if not cells and not (isinstance(content, dict) and "nbformat" in content):
        notebook.repairs.append(repair("unreadable"))
    total = 0
    for number, cell in enumerate(cells, 1):
        if number > MAX_CELLS:
            notebook.repairs.append(repair("too_many_cells"))
            break
        raw = _raw_cell(cell)
        if raw is None:
            notebook.repairs.append(repair("broken_cell", str(number)))
            continue
        total += len(raw.source)
        if len(raw.source) > MAX_SOURCE or total > MAX_TOTAL:
            notebook.repairs.append(repair("cell_too_long", str(number)))
            continue
        notebook.cells.append(raw)
    return notebook


def decode(data: bytes) -> tuple[str, str]:
    """Finds the encoding of a text file; the last resort, Latin-1, fits any bytes.

    Returns:
        The text and the encoding's name.
    """
    marks = {
        codecs.BOM_UTF8: "utf-8",
        codecs.BOM_UTF32_LE: "utf-32-le",
        codecs.BOM_UTF32_BE: "utf-32-be",
        codecs.BOM_UTF16_LE: "utf-16-le",
        codecs.BOM_UTF16_BE: "utf-16-be",
    }
    for mark, name in marks.items():
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), f"{name.upper()} (BOM)"
    # ASCII in UTF-16 has a zero in every other byte; in which one tells the byte order.
    for name, zeros in (("utf-16-le", data[1:200:2]), ("utf-16-be", data[0:200:2])):
        if len(zeros) > 4 and zeros.count(0) > 0.8 * len(zeros):
            return data.decode(name, "replace"), name.upper()
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return data.decode("latin-1"), "Latin-1"
    foreign = [char for char in text if ord(char) > 127]
    usual = [char for char in foreign if "\u3000" <= char <= "\u9fff" or char >= "\uff00"]
    # In GBK common characters take two bytes above 127; Latin-1 accents stand alone in ASCII.
    pairs = re.findall(rb"[\x80-\xff]+", data)
    even = sum(len(run) % 2 == 0 for run in pairs)
    if len(usual) > 0.9 * len(foreign) and even > 0.8 * len(pairs):
        return text, "GB18030"
    return data.decode("latin-1"), "Latin-1"


def _salvage(text: str) -> list[Any]:
    """The complete cells at the beginning of a broken JSON text."""
    start = re.search(r'"cells"\s*:\s*\[', text)
    decoder, cells = json.JSONDecoder(), []
    position = start.end() if start else len(text)
    while len(cells) < MAX_CELLS:
        gap = re.compile(r"[\s,]*").match(text, position)
        position = gap.end() if gap else position
        try:
            cell, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError, MemoryError):
            break
        if not isinstance(cell, dict):
            break
        cells.append(cell)
    return cells


def _cell_list(content: Any, notebook: RawNotebook) -> list[Any]:
    """The list of cells, of the old format with worksheets too."""
    if not isinstance(content, dict):
        return []
    cells = content.get("cells")
    if isinstance(cells, list):
        return cells
    sheets = content.get("worksheets")
    if isinstance(sheets, list):
        notebook.repairs.append(repair("old_format"))
        lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
        return [cell for found in lists if isinstance(found, list) for cell in found]
    return []


def _raw_cell(cell: Any) -> RawCell | None:
    if not isinstance(cell, dict):
        return None
    source = cell.get("source", cell.get("input"))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        return None
    source = source.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    # A lone surrogate is legal JSON and cannot be written back as UTF-8.
    source = source.encode("utf-8", "replace").decode("utf-8")
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
    )


def strip_magics(source: str) -> tuple[str, list[str]]:
    """Takes IPython's own commands out of a cell; lines keep their numbers.

    Args:
        source: A cell.

    Returns:
        The cell as plain Python, and the lines that were taken out. Lines inside strings and
        brackets are never touched, nor is a cell that is Python already.
    """
    if not re.search(r"^\s*[%!?]|\?\s*$|=\s*[%!]", source, re.MULTILINE) or _parses(source):
        return source, []
    lines = source.split("\n")
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%") and not re.match(r"%%(time|timeit|capture|prun)\b", first):
        return "\n".join("# " + line for line in lines), [first]
    removed, result, state = [], [], _State()
    for line in lines:
        stripped = line.strip()
        command = re.match(r"[%!?]", stripped) or re.match(r"[\w.]+\?{1,2}$", stripped)
        assigned = re.match(r"(\s*[\w, ]+=\s*)[%!]", line)
        if state.open or not (command or assigned):
            state.feed(line)
            result.append(line)
            continue
        removed.append(stripped)
        indent = line[: len(line) - len(line.lstrip())]
        result.append(assigned[1] + "None" if assigned else f"{indent}pass")
    return "\n".join(result), removed


class _State:
    """Whether the end of the lines seen so far lies inside a string or a bracket."""

    def __init__(self):
        self.quote, self.depth = "", 0

    @property
    def open(self) -> bool:
        return bool(self.quote) or self.depth > 0

    def feed(self, line: str) -> None:
        position = 0
        while position < len(line):
            char, three = line[position], line[position : position + 3]
            if self.quote:
                if char == "\\":
                    position += 1
                elif line.startswith(self.quote, position):
                    position += len(self.quote) - 1
                    self.quote = ""
            elif char == "#":
                return
            elif char in "\"'":
                self.quote = three if three in ('"""', "'''") else char
                position += len(self.quote) - 1
            elif char in "([{":
                self.depth += 1
            elif char in ")]}":
                self.depth = max(0, self.depth - 1)
            position += 1
        if len(self.quote) == 1 and not line.endswith("\\"):
            self.quote = ""  # A plain string ends with its line, closed or not.


def _parses(source: str) -> bool:
    return tree_of(source) is not None


def tree_of(source: str) -> ast.Module | None:
    """The syntax tree of a cell, or None where it is not valid Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defined_names(source: str, imports: bool = True) -> set[str]:
    """Names that a cell binds at its top level; an approximation where it does not parse.

    Args:
        source: The cell.
        imports: Whether imported names count; they do not answer an exercise.

    Returns:
        The names.
    """
    tree = tree_of(source)
    if tree is None:
        pattern = r"^(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=(?!=)"
        return {a or b for a, b in re.findall(pattern, source, re.MULTILINE)}
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)) and imports:
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                names |= {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
    return names
