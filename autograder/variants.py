"""Tests the graders: right and wrong answers, written on purpose, are judged like a student's.

`solutions/<notebook>/variants.py` lists them with `right(...)` and `wrong(...)`. Every one runs in
a sandboxed process of its own; what comes out is how many wrong answers lose points, how many are
told the right name, whether any right answer is refused, and which wrong ones no case tells apart.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from autograder.exercise import all_exercises, get, load
from autograder.judge import PUBLIC_SEED
from autograder.release import ROOT
from autograder.variant_table import InSandbox, as_text, exercise_table, healthy, totals


@dataclass(frozen=True)
class Variant:
    """One answer that is known to be right or wrong.

    Args:
        exercise: id of the exercise.
        name: unique among the variants of that exercise.
        right: whether it deserves full marks.
        source: the whole answer; or
        patch: one pair, or several, of texts ``(old, new)`` applied to the reference; or
        method: a method that replaces the reference's of that name.
        names: the misconceptions that a wrong answer must be told, all of them and no other.
        key: for drills, the bug that was released.
    """

    exercise: str
    name: str
    right: bool
    source: str | None = None
    patch: object = None
    method: str | None = None
    names: tuple[str, ...] = ()
    key: str | None = None

    def text(self, reference: str) -> str:
        """Return the answer as source text.

        Raises:
            ValueError: a patch doesn't fit the reference.
        """
        if self.source is not None:
            return self.source.strip("\n") + "\n"
        if self.method is not None:
            return _replace_method(reference, textwrap.dedent(self.method).strip("\n"))
        pairs = [self.patch] if isinstance(self.patch[0], str) else self.patch
        for old, new in pairs:
            if reference.count(old) != 1:
                raise ValueError(
                    f"{self.exercise}/{self.name}: {old!r} stands {reference.count(old)} times in "
                    "the reference, not once"
                )
            reference = reference.replace(old, new)
        return reference


def right(exercise: str, name: str, **rest) -> Variant:
    """A right answer, written differently from the reference."""
    return Variant(exercise, name, True, **rest)


def wrong(exercise: str, name: str, **rest) -> Variant:
    """A wrong answer and the ``names`` that it must be told."""
    return Variant(exercise, name, False, **rest)


def _replace_method(reference: str, method: str) -> str:
    name = ast.parse(method).body[0].name
    cls = next(n for n in ast.parse(reference).body if isinstance(n, ast.ClassDef))
    node = next(n for n in cls.body if isinstance(n, ast.FunctionDef) and n.name == name)
    lines = reference.split("\n")
    lines[node.lineno - 1 : node.end_lineno] = textwrap.indent(method, "    ").split("\n")
    return "\n".join(lines)


def load_variants(notebook: str, solutions=None) -> list[Variant]:
    """Return the variants of one notebook; their file is trusted and is run.

    Raises:
        LookupError: the notebook has none.
        ValueError: two of them have one name.
    """
    path = (solutions or ROOT / "solutions") / notebook / "variants.py"
    if not path.is_file():
        raise LookupError(f"{notebook} has no right and wrong answers: {path} is missing")
    spec = importlib.util.spec_from_file_location(f"variants_{notebook}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    names = [(v.exercise, v.name) for v in module.VARIANTS]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{path}: two variants are called {twice[0]}")
    return list(module.VARIANTS)


def add_parser(subparsers) -> None:
    """Add ``variants`` to the command line."""
    parser = subparsers.add_parser(
        "variants", help="test the checks with right and wrong answers written on purpose"
    )
    parser.add_argument("--notebook", metavar="NB", help="only this notebook")
    parser.add_argument("--exercise", metavar="ID", help="only this exercise")
    parser.add_argument("--list", action="store_true", help="list the exercises, run nothing")
    parser.add_argument("--json", action="store_true", help="print the table as JSON")
    parser.add_argument("--seeds", type=_positive, default=3, metavar="N", help="default 3")
    parser.add_argument("--jobs", type=_positive, default=2, metavar="N", help="default 2")
    parser.set_defaults(run=run)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


def run(args) -> int:
    """Run ``variants``; return 1 where a grader isn't as it must be."""
    chosen = load(args.notebook) if args.notebook else list(all_exercises().values())
    if args.exercise:
        get(args.exercise)
        chosen = [exercise for exercise in chosen if exercise.id == args.exercise]
    if args.list:
        listed = [
            {"id": e.id, "notebook": e.notebook, "points": e.points, "stretch": e.stretch}
            for e in chosen
        ]
        print(json.dumps(listed) if args.json else "\n".join(e["id"] for e in listed))
        return 0
    from autograder.sandbox import Sandbox

    seeds = [PUBLIC_SEED + i for i in range(args.seeds)]
    rows = []
    with Sandbox() as sandbox, ThreadPoolExecutor(args.jobs) as pool:
        for notebook in dict.fromkeys(exercise.notebook for exercise in chosen):
            variants = load_variants(notebook)
            for exercise in (e for e in chosen if e.notebook == notebook):
                rows.append(
                    exercise_table(
                        exercise,
                        load(notebook),
                        variants,
                        lambda: InSandbox(sandbox),
                        seeds=seeds,
                        pool=pool,
                        report=lambda line: print(line, file=sys.stderr),
                    )
                )
                print(f"judged {exercise.id}", file=sys.stderr)
    if args.json:
        print(json.dumps({"exercises": rows, "totals": totals(rows)}))
    else:
        print(as_text(rows))
    return 0 if healthy(rows) else 1
