"""Judges right and wrong answers and counts what came of it: the table of `autograder variants`."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from autograder import answers
from autograder.exercise import Exercise
from autograder.forbidden import banned_names, forbidden_use
from autograder.handle import Handle, LocalTransport
from autograder.judge import judge


class Recording:
    """A transport that remembers every reply, to tell whether two answers ever differ."""

    def __init__(self, transport):
        self.transport, self.replies = transport, []

    def request(self, op):
        reply = self.transport.request(op)
        if op["op"] == "weights" and reply.get("ok"):  # their values are random, as a rule
            shapes = sorted(str(np.shape(value)) for value in reply["value"].values())
            self.replies.append(" ".join(shapes))
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
        properties: the properties it was told for each seed.
        replies: what its code answered, with the first seed.
        note: what went wrong before it could be judged, or "".
    """

    score: float
    named: list[list[str]] = field(default_factory=list)
    properties: list[list[str]] = field(default_factory=list)
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
        used = forbidden_use(banned_names(exercise), cells[-1])
        result = judge(exercise, Handle(recording, exercise, key), seed=seed, forbidden=used)
        outcome.score = min(outcome.score, result.score)
        outcome.named.append(list(result.named))
        outcome.properties.append(list(result.properties))
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
    variants: list,
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
        variants: list of `Variant`; those of other exercises are left out.
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
        if a.key == b.key and alike(found[a.name], found[b.name])
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


def alike(one: Outcome, other: Outcome) -> bool:
    """Whether nothing tells two answers apart, neither what they reply nor what they are told.

    Answers that stop everywhere with errors of one type reply alike, but are told apart by what
    the errors say.
    """
    return one.named == other.named and same(one.replies, other.replies)


def same(a, b) -> bool:
    """Whether two trees of replies are equal up to rounding."""
    if isinstance(a, dict) or isinstance(b, dict):
        if not isinstance(a, dict) or not isinstance(b, dict) or a.keys() != b.keys():
            return False
        return all(same(a[key], b[key]) for key in a)
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
