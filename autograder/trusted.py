"""The released notebook: which cells there are, what they are worth and what the course wrote."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from typing import Any

from autograder.cell_text import tree_of


class TrustedError(ValueError):
    """The course's own notebook is not usable; the message says why."""


@dataclass(frozen=True)
class TrustedCell:
    """One cell of the released notebook."""

    index: int
    kind: str
    role: str
    source: str
    id: str = ""
    grade_id: str = ""
    exercise: str = ""
    variant: str | None = None
    points: float = 0.0


@dataclass
class TrustedNotebook:
    """The released notebook, as the course made it.

    Args:
        content: The notebook's JSON.
        cells: Its cells with their roles; plain markdown has the role "".
        lang: "zh" or "en".
    """

    content: dict[str, Any]
    cells: list[TrustedCell]
    lang: str = "en"

    @property
    def exercises(self) -> list[str]:
        """Ids of the graded exercises, in order."""
        return [cell.exercise for cell in self.cells if cell.role == "check"]

    def find(self, role: str, exercise: str) -> TrustedCell | None:
        """The cell with that role for an exercise."""
        return next((c for c in self.cells if c.role == role and c.exercise == exercise), None)

    @classmethod
    def from_bytes(cls, data: bytes) -> TrustedNotebook:
        """Reads a released notebook.

        Raises:
            TrustedError: when it is not one.
        """
        try:
            content = json.loads(data.decode("utf-8"))
            cells = [_trusted_cell(i, cell) for i, cell in enumerate(content["cells"])]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise TrustedError(f"not a released notebook ({type(error).__name__})") from None
        if not any(cell.role == "check" for cell in cells):
            raise TrustedError("it has no check cell")
        course = content.get("metadata", {}).get("course", {})
        return cls(content, cells, "zh" if course.get("lang") == "zh" else "en")


def _trusted_cell(index: int, cell: dict[str, Any]) -> TrustedCell:
    source = cell["source"]
    source = source if isinstance(source, str) else "".join(source)
    metadata = cell.get("metadata", {})
    mark, course = metadata.get("nbgrader", {}), metadata.get("course", {})
    grade_id = mark.get("grade_id", "")
    kind = "code" if cell["cell_type"] == "code" else "markdown"
    grade, solution = bool(mark.get("grade")), bool(mark.get("solution"))
    if grade and solution:
        role = "written"
    elif grade:
        role = "check"
    elif solution:
        role = "answer"
    elif kind == "code":
        role = "experiment" if "experiment" in metadata.get("tags", ()) else "setup"
    else:
        role = ""
    exercise = course.get("exercise") or re.sub(r"^(answer|check)_", "", grade_id)
    return TrustedCell(
        *(index, kind, role, source, cell.get("id", ""), grade_id if role else ""),
        exercise if role in ("check", "answer", "written") else "",
        _variant(source) if role == "check" else None,
        float(mark.get("points", 0.0)),
    )


def _variant(source: str) -> str | None:
    """The `variant="…"` that a check cell carries."""
    for node in ast.walk(tree_of(source) or ast.Module([], [])):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "variant" and isinstance(keyword.value, ast.Constant):
                    return str(keyword.value.value)
    return None
