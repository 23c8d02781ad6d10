"""Looks into the text of single cells: IPython's own commands, names that are defined.

Students' text can be made to be slow to read. Everything here takes time in proportion to its
length, or gives up.
"""

from __future__ import annotations

import ast
import re

MAGIC = re.compile(
    r"^[ \t]*(?:[%!?]|get_ipython\(\)\.)|\?[ \t]*$|=[ \t]*(?:[%!]|get_ipython\(\)\.)", re.MULTILINE
)
COMMAND = re.compile(r"[%!?]|get_ipython\(\)\.\w+\(.*\)[ \t;]*(?:#.*)?$|[\w.]+\?{1,2}$")
ASSIGNED = re.compile(r"([ \t]*\w[\w, \t]*=[ \t]*)(?:[%!]|get_ipython\(\)\.\w+\(.*\)[ \t;]*$)")
TIMED = re.compile(r"%time[ \t]+(?=[^-\s])")
WHOLE_CELL = re.compile(r"%%(time|timeit|capture|prun)\b")
PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: |$)")
DOTTED = re.compile(r"\b\w++(?:[ \t\\\n]*+\.[ \t\\\n]*+\w++)++")
MAX_DOTS = 400


def strip_magics(source: str) -> tuple[str, list[str]]:
    """Takes IPython's own commands out of a cell; lines keep their numbers.

    Args:
        source: A cell.

    Returns:
        The cell as plain Python, and the lines that were taken out. Lines inside strings and
        brackets are never touched, nor is a cell that is Python already, unless it calls
        `get_ipython`, which grading does not have.
    """
    if not MAGIC.search(source) or ("get_ipython()" not in source and tree_of(source) is not None):
        return source, []
    lines = source.split("\n")
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%") and not WHOLE_CELL.match(first):
        return "\n".join("# " + line for line in lines), [first]
    removed, result, state, continues = [], [], _State(), False
    for line in lines:
        stripped = line.strip()
        indent = line[: len(line) - len(line.lstrip())]
        if continues:  # The rest of a command that goes on over several lines.
            continues = stripped.endswith("\\")
            result.append("")
            continue
        timed = None if state.open else TIMED.match(stripped)
        if timed:
            removed.append(stripped)
            stripped = stripped[timed.end() :]
            line = indent + stripped
        command = COMMAND.match(stripped)
        assigned = ASSIGNED.match(line)
        if state.open or not (command or assigned):
            state.feed(line)
            result.append(line)
            continue
        if not timed:
            removed.append(stripped)
        continues = stripped.endswith("\\")
        result.append(assigned[1] + "None" if assigned and not command else f"{indent}pass")
    return "\n".join(result), removed


def dedented(source: str) -> str:
    """A cell as Jupyter reads it: indentation of the whole and prompts (`>>>`) do not count."""
    lines = source.split("\n")
    first = next((line for line in lines if line.strip()), "")
    if first.lstrip().startswith(">>>"):
        lines = [PROMPT.sub("", line) for line in lines]
        first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    return "\n".join(line.removeprefix(indent) for line in lines)


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


def tree_of(source: str) -> ast.Module | None:
    """The syntax tree of a cell, or None where it is not valid Python or of no sane form."""
    # For a dotted name the parser needs memory in proportion to the square of its length.
    if any(name[0].count(".") > MAX_DOTS for name in DOTTED.finditer(source)):
        return None
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
    return names_in(tree_of(source), source, imports)


def names_in(tree: ast.Module | None, source: str, imports: bool = True) -> set[str]:
    """The same where the tree is there already, or is known to be None."""
    if tree is None:
        pattern = r"^(?:def|class)[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]+)?=(?!=)"
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
