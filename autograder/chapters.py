"""Read the percent-format source of a notebook: both languages and the answers in one file.

The format is described in docs/add-an-exercise.md. This module reads text and the standard
library only, so that `release` and `lint` start at once and never run a chapter.
"""

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import CommandError
from autograder.messages import LANGUAGES

KEYS = ("lang", "exercise", "blank", "check", "tags")
TAGS = ("experiment", "instructor")
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"

_CELL = re.compile(r"^# %%(?!%)(.*)$")
_KEY = re.compile(r'\s*([A-Za-z_]+)=("[^"]*"|\[[^\]]*\])')


class ChapterError(CommandError):
    """Something in a source file that the builder refuses, with the place.

    Args:
        path: str or Path of the file.
        line: int, counted from 1.
        message: str, one sentence saying what to do.
    """

    def __init__(self, path, line, message):
        super().__init__(f"{path}:{line}: {message}")
        self.path, self.line, self.message = path, line, message


@dataclass(frozen=True)
class Cell:
    """One cell of a chapter.

    ``line`` is where the cell's marker stands and ``first`` where its text starts, so that a
    message about line n of the text points at line ``first + n - 1`` of the file.
    """

    kind: str
    source: str
    line: int
    first: int
    lang: str | None = None
    exercise: str | None = None
    blank: tuple = ()
    check: str | None = None
    tags: tuple = ()

    @property
    def is_answer(self):
        """Whether a student writes in this cell: an exercise or a drill, not a question."""
        return self.kind == "code" and self.exercise is not None

    @property
    def is_plain(self):
        """Whether the cell is code that runs for everybody and is released as it stands."""
        return self.kind == "code" and not self.exercise and not self.check and not self.tags


@dataclass(frozen=True)
class Chapter:
    """A parsed notebook source.

    ``cells`` keeps the order of the file; a Chinese markdown cell is followed by its English
    sibling.
    """

    notebook: str
    path: Path
    cells: tuple

    @property
    def answers(self):
        """The cells that students write in, in order."""
        return [cell for cell in self.cells if cell.is_answer]

    @property
    def exercises(self):
        """The ids of those cells, in order."""
        return [cell.exercise for cell in self.answers]

    def error(self, cell, message, line=1):
        """Return a ChapterError at line ``line`` of a cell's text."""
        return ChapterError(self.path, cell.first + line - 1, message)


def is_drill(exercise_id):
    """Return whether an id names a debugging drill."""
    return exercise_id.startswith("drill_")


def parse(path):
    """Read a chapter.

    Args:
        path: Path of ``solutions/<notebook>/<notebook>.py``.

    Returns:
        Chapter.

    Raises:
        ChapterError: for the first thing in the file that isn't part of the format.
    """
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    cells = [_cell(path, *raw) for raw in _split(path, text.split("\n"))]
    if not cells:
        raise ChapterError(path, 1, "no cell: start the first one with '# %%'")
    _pair(path, cells)
    _place(path, cells)
    return Chapter(path.stem, path, tuple(cells))


def find(solutions):
    """Return the notebooks that exist, as a dict from id to the path of its source."""
    found = sorted(Path(solutions).glob("*/*.py"))
    return {path.stem: path for path in found if path.stem == path.parent.name}


def named(names, known):
    """Return the notebooks that the names on a command line mean.

    Args:
        names: iterable of str, each a notebook's id or a chapter, such as ``ch01``.
        known: iterable of str, the notebooks that exist.

    Returns:
        list of str without repetitions; a name that means nothing is kept, for whoever looks it up
        to refuse it.
    """
    known, found = list(known), []
    for name in names:
        chapter = [n for n in known if re.fullmatch(r"ch\d\d", name) and n.startswith(name)]
        found += [name] if name in known or not chapter else chapter
    return list(dict.fromkeys(found))


def _split(path, lines):
    """Yield (marker line, marker text, first line of the text, lines) for every cell."""
    starts = [number for number, line in enumerate(lines) if _CELL.match(line)]
    for number, line in enumerate(lines[: starts[0]] if starts else lines):
        if line.strip() and not line.startswith("#"):
            raise ChapterError(path, number + 1, "only comments may stand before the first cell")
    for start, end in zip(starts, [*starts[1:], len(lines)][: len(starts)], strict=True):
        body = lines[start + 1 : end]
        first = start + 2
        while body and not body[0].strip():
            body, first = body[1:], first + 1
        while body and not body[-1].strip():
            body = body[:-1]
        yield start + 1, _CELL.match(lines[start])[1], first, body


def _cell(path, line, marker, first, body):
    """Build one cell from its marker and its lines."""
    kind, keys = _keys(path, line, marker)
    if not body:
        raise ChapterError(path, line, "this cell is empty")
    if kind == "markdown":
        if body[0] != 'r"""' or body[-1] != '"""' or len(body) < 3:
            raise ChapterError(
                path, first, 'a markdown cell is one r""" … """ string, its quotes on own lines'
            )
        body, first = body[1:-1], first + 1
        for offset, text in enumerate(body):
            if '"""' in text:
                raise ChapterError(path, first + offset, 'no """ inside a markdown cell')
        text = "\n".join(body).strip("\n")
        first += len("\n".join(body)) - len("\n".join(body).lstrip("\n"))
        if not text:
            raise ChapterError(path, first, "this cell is empty")
    else:
        text = "\n".join(body)
        try:
            ast.parse(text)
        except SyntaxError as error:
            where = first + (error.lineno or 1) - 1
            raise ChapterError(path, where, f"not valid Python: {error.msg}") from None
    return Cell(kind, text, line, first, **keys)


def _keys(path, line, marker):
    """Read what follows ``# %%``: the kind and the keys."""
    rest = marker.strip()
    kind = "code"
    if rest.startswith("[markdown]"):
        kind, rest = "markdown", rest[len("[markdown]") :]
    keys = {}
    while rest.strip():
        match = _KEY.match(rest)
        if not match:
            raise ChapterError(path, line, f'expected key="value", found {rest.strip()!r}')
        name, value, rest = match[1], match[2], rest[match.end() :]
        if name not in KEYS:
            raise ChapterError(path, line, f"unknown key {name!r}; a cell may have {_or(KEYS)}")
        if name in keys:
            raise ChapterError(path, line, f"key {name!r} stands here twice")
        try:
            keys[name] = json.loads(value)
        except ValueError:
            raise ChapterError(path, line, f"{name}={value} isn't a JSON value") from None
    for name in ("blank", "tags"):
        value = keys.get(name, [])
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",")]
        keys[name] = tuple(value)
    for tag in keys["tags"]:
        if tag not in TAGS:
            raise ChapterError(path, line, f"unknown tag {tag!r}; a cell may have {_or(TAGS)}")
    _combine(path, line, kind, keys)
    return kind, keys


def _combine(path, line, kind, keys):
    """Refuse keys that don't go together."""
    exercise, check = keys.get("exercise"), keys.get("check")
    if kind == "markdown":
        if keys.get("lang") not in LANGUAGES:
            raise ChapterError(path, line, 'a markdown cell needs lang="zh" or lang="en"')
        if check or keys["blank"] or "experiment" in keys["tags"]:
            raise ChapterError(path, line, "check, blank and experiment belong on code cells")
        if exercise and exercise != f"written_{path.stem}":
            raise ChapterError(
                path, line, f'a markdown cell\'s exercise can only be "written_{path.stem}"'
            )
    elif "lang" in keys:
        raise ChapterError(path, line, "code is the same in both languages: no lang here")
    elif exercise and exercise.startswith("written_"):
        raise ChapterError(path, line, "a written question is a markdown cell")
    if exercise and check:
        raise ChapterError(path, line, "a cell is an exercise or a check, not both")
    if keys["blank"] and not exercise:
        raise ChapterError(path, line, "blank goes with exercise")
    if keys["tags"] and (exercise or check):
        raise ChapterError(path, line, "an exercise or a check can't carry tags")
    name = exercise or check
    if name is not None and not name.isidentifier():
        raise ChapterError(path, line, f"{name!r} isn't an exercise id")


def _or(words):
    return ", ".join(words[:-1]) + " or " + words[-1]


def _pair(path, cells):
    """Check that every zh cell is followed at once by its en sibling."""
    for number, cell in enumerate(cells):
        if cell.lang == "zh":
            sibling = cells[number + 1] if number + 1 < len(cells) else None
            if sibling is None or sibling.lang != "en":
                raise ChapterError(path, cell.line, "the English sibling must follow this cell")
            if (cell.exercise, cell.tags) != (sibling.exercise, sibling.tags):
                raise ChapterError(path, sibling.line, "siblings need the same keys")
        elif cell.lang == "en" and (number == 0 or cells[number - 1].lang != "zh"):
            raise ChapterError(path, cell.line, "the Chinese sibling must stand before this cell")


def _place(path, cells):
    """Check that ids are used once and that each exercise is followed by its check."""
    seen, waiting, written = set(), None, 0
    for cell in cells:
        if cell.kind == "markdown":
            written += cell.exercise is not None and cell.lang == "zh"
            if written > 1:
                raise ChapterError(path, cell.line, "one written question per notebook")
            continue
        if waiting and cell.check != waiting:
            raise ChapterError(path, cell.line, f'the next code cell must be check="{waiting}"')
        if cell.check and cell.check != waiting:
            raise ChapterError(path, cell.line, f"no exercise {cell.check!r} directly before")
        if cell.is_answer and cell.exercise in seen:
            raise ChapterError(path, cell.line, f"exercise {cell.exercise!r} stands here twice")
        waiting = cell.exercise if cell.is_answer else None
        seen.add(waiting)
    if waiting:
        raise ChapterError(path, cells[-1].line, f"exercise {waiting!r} has no check cell")
