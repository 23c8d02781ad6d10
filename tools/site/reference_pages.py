"""The library's reference: a page a module, from its docstrings."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What is run rather than imported.
LEFT_OUT = ("bert_keras.commands", "bert_keras.bench", "bert_keras.__main__")


def write(folder: Path) -> None:
    """Write a page for every module that has a public name, and a list of them.

    Args:
        folder: of the sources of the English edition.
    """
    place = folder / "reference"
    place.mkdir()
    groups: dict[str, list[tuple[str, str]]] = {}
    for path in sorted((ROOT / "bert_keras").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = ".".join(part for part in parts if part != "__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if module.startswith(LEFT_OUT) or not _public(tree):
            continue
        groups.setdefault(".".join(module.split(".")[:2]), []).append((module, _first(tree)))
        body = f".. automodule:: {module}\n   :members:\n   :member-order: bysource\n"
        (place / f"{module}.md").write_text(
            f"# {module}\n\n```{{eval-rst}}\n{body}```\n", encoding="utf-8"
        )
    lines = ["# The library", "", "Every public name, with shapes, units, errors and sources.", ""]
    for group, modules in groups.items():
        lines += [f"## {group}", ""]
        lines += [f"- [{module}]({module}.md): {what}" for module, what in modules]
        entries = [f"{module.split('.', 1)[-1]} <{module}>" for module, _ in modules]
        lines += ["", "```{toctree}", ":hidden:", "", *entries, "```", ""]
    (place / "index.md").write_text("\n".join(lines), encoding="utf-8")


def _public(tree: ast.Module) -> bool:
    kinds = (ast.FunctionDef, ast.ClassDef)
    return any(isinstance(n, kinds) and not n.name.startswith("_") for n in tree.body)


def _first(tree: ast.Module) -> str:
    """The first line of a module's docstring."""
    return (ast.get_docstring(tree) or "").split("\n")[0]
