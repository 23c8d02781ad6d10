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

from autograder.chapters import named
from autograder.exercise import all_exercises, get, load
from autograder.judge import PUBLIC_SEED
from autograder.pair_table import pair_outcomes, pair_row, pairs_as_text, rehearsed
from autograder.release import ROOT
from autograder.uncovered_table import uncovered_as_text, uncovered_row, uncovered_totals
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
        properties: for a mistake without a name, those that may show it; one of them must.
    """

    exercise: str
    name: str
    right: bool
    source: str | None = None
    patch: object = None
    method: str | None = None
    names: tuple[str, ...] = ()
    key: str | None = None
    properties: tuple[str, ...] = ()

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


def uncovered(exercise: str, name: str, **rest) -> Variant:
    """A wrong answer whose mistake has no name, and the ``properties`` that may locate it."""
    return Variant(exercise, name, False, **rest)


def _replace_method(reference: str, method: str) -> str:
    name = ast.parse(method).body[0].name
    cls = next(n for n in ast.parse(reference).body if isinstance(n, ast.ClassDef))
    node = next(n for n in cls.body if isinstance(n, ast.FunctionDef) and n.name == name)
    lines = reference.split("\n")
    lines[node.lineno - 1 : node.end_lineno] = textwrap.indent(method, "    ").split("\n")
    return "\n".join(lines)


def load_variants(notebook: str, solutions=None, kind: str = "variants") -> list[Variant]:
    """Return the variants of one notebook; their file is trusted and is run.

    Args:
        notebook: its id.
        solutions: the folder of all notebooks' sources; None is our own.
        kind: `variants`, or `uncovered` for the mistakes that have no name.

    Raises:
        LookupError: the notebook has none.
        ValueError: two of them have one name.
    """
    path = (solutions or ROOT / "solutions") / notebook / f"{kind}.py"
    if not path.is_file():
        raise LookupError(f"{notebook} has no right and wrong answers: {path} is missing")
    spec = importlib.util.spec_from_file_location(f"{kind}_{notebook}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = list(getattr(module, kind.upper()))
    names = [(v.exercise, v.name) for v in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{path}: two variants are called {twice[0]}")
    return found


def add_parser(subparsers) -> None:
    """Add ``variants`` to the command line."""
    parser = subparsers.add_parser(
        "variants", help="test the checks with right and wrong answers written on purpose"
    )
    parser.add_argument("--notebook", metavar="NB", help="only this notebook, or chapter (ch01)")
    parser.add_argument("--exercise", metavar="ID", help="only this exercise")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="list the exercises, run nothing")
    what.add_argument(
        "--pairs",
        nargs="?",
        type=_positive,
        const=300,
        metavar="N",
        help="two named mistakes at once: how many are told; N pairs an exercise, default 300",
    )
    what.add_argument(
        "--uncovered",
        action="store_true",
        help="mistakes that have no name: are they located, and is none given a wrong name?",
    )
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
    chosen = list(all_exercises().values())
    if args.notebook:
        known = dict.fromkeys(exercise.notebook for exercise in chosen)
        chosen = [e for notebook in named([args.notebook], known) for e in load(notebook)]
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

    with Sandbox() as sandbox, ThreadPoolExecutor(args.jobs) as pool:
        work = _Work(sandbox, pool, [PUBLIC_SEED + i for i in range(args.seeds)])
        if args.pairs:
            rows = [_pairs(exercise, work, args.pairs) for exercise in chosen]
            table, sound = pairs_as_text(rows), not any(row["wrong"] for row in rows)
            found = {"exercises": rows}
        elif args.uncovered:
            rows = [row for e in chosen if (row := _uncovered(e, work))]
            table, sound = uncovered_as_text(rows), not any(row["misnamed"] for row in rows)
            found = {"exercises": rows, "totals": uncovered_totals(rows)}
        else:
            rows = [_named(exercise, work) for exercise in chosen]
            table, sound = as_text(rows), healthy(rows)
            found = {"exercises": rows, "totals": totals(rows)}
    print(json.dumps(found) if args.json else table)
    return 0 if sound else 1


@dataclass
class _Work:
    """What every table needs to run answers."""

    sandbox: object
    pool: object
    seeds: list[int]

    def open(self):
        return InSandbox(self.sandbox)

    def report(self, line):
        print(line, file=sys.stderr)


def _named(exercise, work) -> dict:
    variants = load_variants(exercise.notebook)
    row = exercise_table(
        exercise,
        load(exercise.notebook),
        variants,
        work.open,
        seeds=work.seeds,
        pool=work.pool,
        report=work.report,
    )
    work.report(f"judged {exercise.id}")
    return row


def _uncovered(exercise, work) -> dict | None:
    try:
        mine = load_variants(exercise.notebook, kind="uncovered")
    except LookupError:
        return None
    mine = [v for v in mine if v.exercise == exercise.id]
    row = uncovered_row(
        exercise, load(exercise.notebook), mine, work.open, work.seeds, work.pool, work.report
    )
    work.report(f"judged {exercise.id}")
    return row


def _pairs(exercise, work, limit) -> dict:
    outcomes = []
    for seed in work.seeds[:1]:
        evidence = rehearsed(exercise, load(exercise.notebook), work.open, seed)
        outcomes += pair_outcomes(exercise, evidence, limit)
    row = pair_row(exercise, outcomes)
    for a, b, fate, *told in row["notable"]:
        work.report(f"{exercise.id}: {a} + {b}: {fate} {', '.join(told)}".rstrip())
    work.report(f"tried {exercise.id}")
    return row
