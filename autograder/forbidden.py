"""Finds library functions in an answer's text that would do the exercise for the student.

Standard library only: this reads students' text, and does so where a file that breaks the parser
breaks nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from autograder.cell_text import tree_of

if TYPE_CHECKING:
    from autograder.exercise import Exercise

# Names that the course's own set-up cells bind.
USUAL_NAMES = {"ops": "keras.ops", "np": "numpy", "tf": "tensorflow"}


def banned_names(exercise: Exercise) -> list[str]:
    """Dotted names that the answer may not use: the library's own answer and its like."""
    library = [exercise.library.replace(":", ".")] if exercise.library else []
    return [*exercise.forbids, *library]


def forbidden_use(banned: Iterable[str], source: str) -> str | None:
    """The first banned function that a text names, under whatever alias.

    Args:
        banned: Dotted names.
        source: The student's text.

    Returns:
        The dotted name; None where there is none, or where the text is not Python: that is
        reported where the cell is run.
    """
    banned = set(banned)
    tree = tree_of(source)
    if tree is None:
        return None
    aliases = dict(USUAL_NAMES)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                aliases[name.asname or name.name.partition(".")[0]] = (
                    name.name if name.asname else name.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                path = f"{node.module}.{name.name}"
                aliases[name.asname or name.name] = path
                if path in banned:
                    return path
    for node in ast.walk(tree):
        path = _dotted(node, aliases) if isinstance(node, ast.Attribute) else None
        if path in banned:
            return path
    return None


def _dotted(node: ast.expr, aliases: dict[str, str]) -> str | None:
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([aliases.get(node.id, node.id), *reversed(names)])
