"""A submission's cells while their places are looked for."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from autograder.cell_text import dedented, names_in, strip_magics, tree_of
from autograder.notebooks import RawCell
from autograder.repairs import Repair, note
from autograder.trusted import TrustedCell, TrustedNotebook


class HandedCell:
    """A submitted cell and what its text says, each thing found out once."""

    def __init__(self, raw: RawCell):
        self.kind, self.text, self.id, self.grade_id = raw.kind, raw.source, raw.id, raw.grade_id
        self.name, self.experiment = f"cell_{raw.number}", "experiment" in raw.tags
        self.squeezed = squeeze(raw.source)

    @cached_property
    def stripped(self) -> tuple[str, list[str]]:
        return strip_magics(self.text)

    @property
    def python(self) -> str:
        """The text without IPython's commands."""
        return self.stripped[0]

    @cached_property
    def runnable(self) -> str:
        """The same as Jupyter would run it: a cell may be indented as a whole."""
        if self.parses:
            return self.python
        text = dedented(self.python)
        return text if tree_of(text) is not None else self.python

    @cached_property
    def _facts(self) -> tuple[bool, bool, frozenset[str], frozenset[str]]:
        # The tree itself can be a thousand times as large as the text, and is not kept.
        text, tree = self.python, tree_of(self.python)
        parses = tree is not None
        if not parses:
            text = dedented(text)
            tree = tree_of(text)
        body = tree.body if tree else []
        checks = bool(body) and all(_calls_check(node) for node in body)
        forms = frozenset(node.name for node in body if _is_form(node))
        return parses, checks, frozenset(names_in(tree, text, imports=False)), forms

    @property
    def parses(self) -> bool:
        """Whether it is Python as it stands."""
        return self._facts[0]

    @property
    def is_check(self) -> bool:
        """Whether it does nothing but call `check`."""
        return self._facts[1]

    @property
    def names(self) -> frozenset[str]:
        """Names that it defines."""
        return self._facts[2]

    @property
    def forms(self) -> frozenset[str]:
        """Those of them that are still as empty as when they were handed out."""
        return self._facts[3]


@dataclass(frozen=True)
class Answer:
    """The cells that answer an exercise, or hold a written answer.

    Args:
        numbers: Which, in order; more than one are put together.
        elsewhere: Whether they run in another exercise's place.
    """

    numbers: tuple[int, ...]
    elsewhere: bool = False


@dataclass
class Match:
    """What is known so far about where submitted cells belong.

    Args:
        cells: All of them.
        repairs: What was wrong with them.
        trusted: The released notebook.
        defines: Exercise id → names its answer must define.
        place: Submitted cell → index of the trusted cell it stands for.
        chosen: Index of a trusted cell → what fills it.
    """

    cells: list[HandedCell]
    repairs: list[Repair]
    trusted: TrustedNotebook
    defines: dict[str, list[str]]
    place: dict[int, int] = field(default_factory=dict)
    chosen: dict[int, Answer] = field(default_factory=dict)

    def __post_init__(self):
        self.texts = [squeeze(cell.source) for cell in self.trusted.cells]

    def placed(self, index: int) -> list[int]:
        """The submitted cells that stand for a trusted one."""
        return sorted(n for n, place in self.place.items() if place == index)

    def role(self, number: int) -> str:
        """The role of the trusted cell that a submitted one stands for; "own" where it is none."""
        index = self.place.get(number)
        return "own" if index is None else self.trusted.cells[index].role

    def taken(self, number: int) -> bool:
        """Whether a cell is chosen already."""
        return any(number in answer.numbers for answer in self.chosen.values())

    def wanted(self, answer: TrustedCell) -> set[str]:
        """Names that an exercise asks for."""
        return set(self.defines.get(answer.exercise, ()))

    def blank(self, number: int, trusted: TrustedCell) -> bool:
        """Whether a cell is empty, or as it was handed out, if perhaps in another version."""
        cell = self.cells[number]
        if cell.squeezed in ("", self.texts[trusted.index]):
            return True
        return bool(cell.forms & self.wanted(trusted))

    def is_ours(self, number: int) -> bool:
        """Whether a submitted cell is word for word the trusted one at its place."""
        index = self.place.get(number)
        if index is None:
            return False
        same = self.texts[index] == self.cells[number].squeezed
        return same and self.trusted.cells[index].kind == self.cells[number].kind

    def note(self, code: str, cell: str = "", **values: Any) -> None:
        """Says what was wrong."""
        note(self.repairs, code, cell, **values)


def _calls_check(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "check"
    )


def _is_form(node: ast.stmt) -> bool:
    """Whether a function does nothing but raise NotImplementedError, or a method of a class."""
    if isinstance(node, ast.ClassDef):
        return any(_is_form(part) for part in node.body if not isinstance(part, ast.ClassDef))
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    if len(body) != 1 or not isinstance(body[0], ast.Raise):
        return False
    raised = body[0].exc.func if isinstance(body[0].exc, ast.Call) else body[0].exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def squeeze(text: str) -> str:
    """Text without what no eye sees: white space at the ends of lines, empty lines around it."""
    return "\n".join(line.rstrip(" \t") for line in text.replace("\r\n", "\n").split("\n")).strip()
