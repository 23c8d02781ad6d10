"""What of an answer can be alike: its mistake, and the structure of its code.

Nothing is run: the code is read from the stored results and only parsed.
"""

from __future__ import annotations

import ast
import hashlib
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.answers import reference
from autograder.cell_text import tree_of
from autograder.chapters import is_drill
from autograder.classroom.term import Term
from autograder.exercise import load
from autograder.report.data import Outcome, read_record
from autograder.report.term_figures import outcomes

RIGHT = ""  # the mistake of an answer that has none
FEWEST_NODES = 12  # shorter code has one form or two: being alike in it says nothing
MOST_CHARACTERS = 50_000  # longer answers are no answers


@dataclass(frozen=True)
class Trait:
    """What one student's answer to one exercise is like.

    Args:
        mistake: `RIGHT`, "named:" and the mistake's name, or "unnamed:" and a fingerprint of what
            fails and by how much: the class's inputs are the same for everybody, so equal
            fingerprints are equal wrong outputs.
        structure: a fingerprint of the code without names, strings, comments and formatting; ""
            where it is the reference's own, too short, or unknown.
    """

    mistake: str
    structure: str = ""


Traits = dict[str, dict[str, Trait]]  # exercise → student → trait


def traits(term: Term, root: Path) -> Traits:
    """Read what everybody's answers are like.

    Left out are blank answers, drills (one bug, one repair), mere consequences of another answer
    and what ended by an incident.

    Args:
        term: the table.
        root: the class folder, for the code in its results.
    """
    code = {
        (who, one.id): _code(root / "results" / who / f"{one.id}.json")
        for one in term.graded
        for who in term.students
        if term.entries[who, one.id].status == "graded"
    }
    ours = {one.id: _references(one.id) for one in term.graded}
    found: Traits = {}
    for notebook, exercise, who, outcome in outcomes(term):
        key = mistake_of(outcome)
        if key is None or is_drill(exercise.id):
            continue
        form = structure(code[who, notebook.id].get(exercise.id, ""))
        known = ours[notebook.id].get(exercise.id)
        place = f"{notebook.id}/{exercise.id}"
        found.setdefault(place, {})[who] = Trait(key, "" if form == known else form)
    return found


def mistake_of(outcome: Outcome) -> str | None:
    """Return which mistake an answer holds, or None where that can't be compared.

    Args:
        outcome: what the judge found.
    """
    result = outcome.result
    if outcome.kind == "blank" or result.follows or result.incidents or outcome.error:
        return None
    if outcome.kind == "full":
        return RIGHT
    if result.named:
        return "named:" + "+".join(sorted(result.named))
    lost = [case for case in result.cases if not case.passed]
    # An exception, or a name that is missing, is one output for many causes.
    if any(case.status in ("error", "missing", "signature", "blank") for case in lost):
        return None
    said = [(case.name, case.status, case.detail.en if case.detail else "") for case in lost]
    return "unnamed:" + _short(repr(said))


def structure(source: str) -> str:
    """Return a fingerprint of code that stays when names, strings and formatting change.

    Numbers, operators, calls and their order stay in it; docstrings and annotations don't.

    Args:
        source: Python code.

    Returns:
        Hexadecimal digits; "" where it doesn't parse or is too short to say anything.
    """
    if not source or len(source) > MOST_CHARACTERS:
        return ""
    tree = tree_of(textwrap.dedent(source))
    if tree is None:
        return ""
    try:
        tree = _Plain().visit(tree)
        nodes = sum(1 for _ in ast.walk(tree))
        return _short(ast.dump(tree)) if nodes >= FEWEST_NODES else ""
    except RecursionError:
        return ""


class _Plain(ast.NodeTransformer):
    """Takes out what somebody changes who wants to hide where an answer comes from."""

    def visit_Name(self, node):
        return ast.copy_location(ast.Name("x", node.ctx), node)

    def visit_arg(self, node):
        return ast.arg("x")

    def visit_keyword(self, node):
        return ast.keyword("x", self.visit(node.value))

    def visit_Attribute(self, node):
        # `ops.exp` and `ops.log` do different things; `self.a` and `self.b` are the student's own.
        own = isinstance(node.value, ast.Name) and node.value.id == "self"
        return ast.Attribute(self.visit(node.value), "x" if own else node.attr, node.ctx)

    def visit_Constant(self, node):
        return ast.Constant("x") if isinstance(node.value, (str, bytes)) else node

    def visit_AnnAssign(self, node):
        if node.value is None:
            return None
        return self.visit(ast.Assign([node.target], node.value))

    def visit_FunctionDef(self, node):
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        inner = ast.FunctionDef("x", node.args, body, node.decorator_list, None, None)
        return self.generic_visit(inner)

    def visit_ClassDef(self, node):
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        inner = ast.ClassDef("x", node.bases, node.keywords, body, node.decorator_list)
        return self.generic_visit(inner)


def _code(path: Path) -> dict[str, str]:
    """The answers that a result file was made from, by exercise."""
    try:
        plan = read_record(path).get("plan") or []
    except (OSError, ValueError, RecursionError, AttributeError):
        return {}
    return {
        str(cell.get("exercise")): str(cell.get("original") or cell.get("source") or "")
        for cell in plan
        if isinstance(cell, Mapping) and cell.get("role") == "answer"
    }


def _references(notebook: str) -> dict[str, str]:
    """The structure of every reference answer."""
    found = {}
    for exercise in load(notebook):
        try:
            found[exercise.id] = structure(reference(exercise))
        except (LookupError, OSError, ValueError):
            continue  # an exercise without a stored answer has no form of its own
    return found


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
