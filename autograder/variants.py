"""Tests the graders: right and wrong answers, written on purpose, are judged like a student's.

`solutions/<notebook>/variants.py` lists them with `right(...)` and `wrong(...)`. Every one runs in
a sandboxed process of its own; what comes out is how many wrong answers lose points, how many are
told the right name, whether any right answer is refused, and which wrong ones no case tells apart.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import itertools
import json
import sys
import textwrap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from autograder import answers
from autograder.exercise import Exercise, all_exercises, load
from autograder.handle import Handle, LocalTransport
from autograder.judge import PUBLIC_SEED, judge
from autograder.release import ROOT


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


class Recording:
    """A transport that remembers every reply, to tell whether two answers ever differ."""

    def __init__(self, transport):
        self.transport, self.replies = transport, []

    def request(self, op):
        reply = self.transport.request(op)
        if op["op"] not in ("describe", "weights", "set_weights", "build"):
            error = reply.get("error") or {}
            self.replies.append(reply.get("value") if reply.get("ok") else str(error.get("type")))
        return reply


@dataclass
class Outcome:
    """How one answer fared.

    Args:
        score: the least of its scores over the seeds, in points.
        named: the misconceptions it was told for each seed.
        replies: what its code answered, with the first seed.
        note: what went wrong before it could be judged, or "".
    """

    score: float
    named: list[list[str]] = field(default_factory=list)
    replies: list = field(default_factory=list)
    note: str = ""


def judged(exercise, cells, transport, seeds, key=None) -> Outcome:
    """Judge one answer on several seeds.

    Args:
        exercise: Exercise.
        cells: list of str, run one after another; the last is the answer.
        transport: has `run(source)`, which returns an error text or "", and `request`.
        seeds: list of int.
        key: for drills, the bug that was released.
    """
    note = ""
    for cell in cells:
        note = transport.run(cell) or note
    outcome = Outcome(exercise.points, note=note)
    for seed in seeds:
        recording = Recording(transport)
        result = judge(exercise, Handle(recording, exercise, key), seed=seed, source=cells[-1])
        outcome.score = min(outcome.score, result.score)
        outcome.named.append(list(result.named))
        outcome.replies = outcome.replies or recording.replies
        failed = [case for case in result.cases if not case.passed]
        if failed and not outcome.note:
            detail = failed[0].detail["en"] if failed[0].detail else ""
            outcome.note = f"seed {seed}, {failed[0].name}: {detail}"
    return outcome


class InProcess(LocalTransport):
    """Runs answers in this process: fast, and for trusted variants only."""

    def __init__(self):
        super().__init__({"__name__": "variant"})

    def run(self, source: str) -> str:
        try:
            exec(compile(source, "<variant>", "exec"), self.executor.namespace)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return ""

    def close(self):
        """Nothing to end."""


class InSandbox:
    """Runs answers in a child of the sandbox, as a student's are."""

    def __init__(self, sandbox):
        self.child, self.count = sandbox.spawn(), itertools.count(1)

    def run(self, source: str) -> str:
        outcome = self.child.run_cell(source, f"cell {next(self.count)}")
        if outcome.status == "ok":
            return ""
        error = outcome.error or {}
        return f"{error.get('type', outcome.status)}: {error.get('message', '')}"

    def request(self, op):
        return self.child.request(op)

    def close(self):
        self.child.close()


def exercise_table(
    exercise: Exercise,
    exercises: list[Exercise],
    variants: list[Variant],
    open_transport: Callable,
    *,
    seeds: list[int],
    pool=None,
    report: Callable = lambda line: None,
) -> dict:
    """Judge reference, blank and variants of one exercise.

    Args:
        exercise: the one.
        exercises: all of its notebook, in order.
        variants: any; those of other exercises are left out.
        open_transport: makes a transport with `run`, `request` and `close`.
        seeds: right answers run on all of them, wrong ones on the first three.
        pool: executor for running several at once, or None.
        report: told a line about everything that isn't as it should be.

    Returns:
        The exercise's line of the table; see `run`.
    """
    before = answers.preparation(exercise, exercises)
    mine = [v for v in variants if v.exercise == exercise.id]
    keys = sorted({v.key for v in mine if v.key}) or [None]
    jobs = [
        (f"reference/{k}" if k else "reference", _reference(exercise, k), seeds, k) for k in keys
    ]
    jobs += [("blank", answers.blank(exercise), seeds[:1], None)]
    base = answers.reference(exercise)
    for v in mine:
        jobs.append((v.name, v.text(base), seeds if v.right else seeds[:3], v.key))

    def work(job):
        name, text, on, key = job
        transport = open_transport()
        try:
            return name, judged(exercise, [*before, text], transport, on, key)
        finally:
            transport.close()

    found = dict((pool.map if pool else map)(work, jobs))
    return _row(exercise, mine, found, report)


def _reference(exercise, key):
    if key is None:
        return answers.reference(exercise)
    return answers.reference(exercise, seed=answers.seed_of_bug(exercise, key))


def _row(exercise, mine, found, report):
    full = exercise.points
    references = {name: o for name, o in found.items() if name.split("/")[0] == "reference"}
    rights = [v for v in mine if v.right]
    wrongs = [v for v in mine if not v.right]
    killed = [v for v in wrongs if found[v.name].score < full - 1e-9]
    named = [
        v for v in killed if v.names and all(set(n) == set(v.names) for n in found[v.name].named)
    ]
    kept = [v for v in rights if found[v.name].score >= full - 1e-9]
    for name, outcome in references.items():
        if outcome.score < full:
            report(f"{exercise.id}: the {name} gets {outcome.score:g}/{full:g} ({outcome.note})")
    for v in rights:
        if v not in kept:
            report(f"{exercise.id}/{v.name}: right, but refused ({found[v.name].note})")
    for v in wrongs:
        if v not in killed:
            report(f"{exercise.id}/{v.name}: wrong, but gets full marks")
        elif v not in named:
            told = found[v.name].named
            report(f"{exercise.id}/{v.name}: wants {v.names}, told {told} ({found[v.name].note})")
    twins = [
        [a.name, b.name]
        for a, b in itertools.combinations(killed, 2)
        if a.key == b.key and same(found[a.name].replies, found[b.name].replies)
    ]
    for a, b in twins:
        report(f"{exercise.id}: no case tells {a} from {b}")
    return {
        "id": exercise.id,
        "notebook": exercise.notebook,
        "points": full,
        "reference": min(o.score for o in references.values()) / full,
        "blank": found["blank"].score / full,
        "right": {"total": len(rights), "full": len(kept)},
        "wrong": {"total": len(wrongs), "killed": len(killed), "named": len(named)},
        "indistinguishable": twins,
    }


def same(a, b) -> bool:
    """Whether two trees of replies are equal up to rounding."""
    import numpy as np

    if isinstance(a, (list, tuple)) or isinstance(b, (list, tuple)):
        if not isinstance(a, (list, tuple)) or not isinstance(b, (list, tuple)):
            return False
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if a is None or b is None or isinstance(a, str) or isinstance(b, str):
        return type(a) is type(b) and a == b
    x, y = np.asarray(a), np.asarray(b)
    if x.shape != y.shape or x.dtype.kind != y.dtype.kind:
        return False
    if x.dtype.kind != "f":
        return bool(np.array_equal(x, y))
    return bool(np.allclose(x, y, atol=1e-5, rtol=1e-5, equal_nan=True))


def totals(rows: list[dict]) -> dict:
    """The sums over a table; `reference` and `blank` are shares of all points."""
    points = sum(row["points"] for row in rows)

    def share(key):
        return sum(row[key] * row["points"] for row in rows) / points if points else 0.0

    return {
        "points": points,
        "reference": share("reference"),
        "blank": share("blank"),
        "right": {k: sum(r["right"][k] for r in rows) for k in ("total", "full")},
        "wrong": {k: sum(r["wrong"][k] for r in rows) for k in ("total", "killed", "named")},
        "indistinguishable": [pair for row in rows for pair in row["indistinguishable"]],
    }


def as_text(rows: list[dict]) -> str:
    """The table for people, in Markdown."""
    names = (
        "exercise",
        "points",
        "reference",
        "blank",
        "right kept",
        "wrong caught",
        "wrong named",
    )
    lines = ["| " + " | ".join((*names, "twins")) + " |", "|---" * 8 + "|"]
    for row in [*rows, {"id": "**all**", **totals(rows)}]:
        r, w = row["right"], row["wrong"]
        lines.append(
            f"| {row['id']} | {row['points']:g} | {row['reference']:.0%} | {row['blank']:.0%} "
            f"| {r['full']}/{r['total']} | {w['killed']}/{w['total']} | {w['named']}/{w['total']} "
            f"| {len(row['indistinguishable'])} |"
        )
    return "\n".join(lines)


def healthy(rows: list[dict]) -> bool:
    """Whether the graders are as they must be: nothing refused, missed, unnamed or confused."""
    return all(
        row["reference"] == 1
        and row["blank"] == 0
        and row["right"]["full"] == row["right"]["total"]
        and row["wrong"]["named"] == row["wrong"]["total"]
        and not row["indistinguishable"]
        for row in rows
    )


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
        from autograder.exercise import get

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
