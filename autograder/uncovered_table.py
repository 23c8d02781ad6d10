"""Mistakes that have no name: are they located, and is none of them given a wrong name?

A wrong name sends a student to the wrong place with confidence, which is worse than silence.
"""

from __future__ import annotations

from collections.abc import Callable

from autograder import answers
from autograder.exercise import Exercise
from autograder.variant_table import judged


def uncovered_row(
    exercise: Exercise,
    exercises: list[Exercise],
    mine: list,
    open_transport: Callable,
    seeds: list[int],
    pool=None,
    report: Callable = lambda line: None,
) -> dict:
    """Judge the uncovered variants of one exercise.

    Args:
        exercise, exercises: the one, and all of its notebook.
        mine: list of `Variant`.
        open_transport: makes a transport with `run`, `request` and `close`.
        seeds: each variant runs on all of them and counts by its worst.
        pool: executor for running several at once, or None.
        report: told a line about everything that isn't as it should be.

    Returns:
        dict of id, total, caught (loses points), located (a property that fits is told on every
        seed), misnamed and `names`, the wrong names by variant.
    """
    before = answers.preparation(exercise, exercises)
    base = answers.reference(exercise)

    def work(variant):
        transport = open_transport()
        try:
            cells = [*before, variant.text(base)]
            return variant, judged(exercise, cells, transport, seeds, variant.key)
        finally:
            transport.close()

    row = {"id": exercise.id, "total": len(mine), "caught": 0, "located": 0, "misnamed": 0}
    row["names"] = {}
    for variant, outcome in (pool.map if pool else map)(work, mine):
        where = f"{exercise.id}/{variant.name}"
        caught = outcome.score < exercise.points - 1e-9
        located = bool(variant.properties) and all(
            set(variant.properties) & set(told) for told in outcome.properties
        )
        wrong = sorted({name for told in outcome.named for name in told})
        row["caught"] += caught
        row["located"] += located
        row["misnamed"] += bool(wrong)
        if not caught:
            report(f"{where}: wrong, but gets full marks")
        if wrong:
            row["names"][variant.name] = wrong
            report(f"{where}: has no name, but is told {', '.join(wrong)}")
        if not located:
            report(f"{where}: told {outcome.properties} ({outcome.note})")
    return row


def uncovered_totals(rows: list[dict]) -> dict:
    """The sums over a table."""
    return {
        key: sum(row[key] for row in rows) for key in ("total", "caught", "located", "misnamed")
    }


def uncovered_as_text(rows: list[dict]) -> str:
    """The table for people, in Markdown."""
    lines = ["| exercise | mistakes | caught | located by a property | given a wrong name |"]
    lines.append("|---" * 5 + "|")
    for row in [*rows, {"id": "**all**", **uncovered_totals(rows)}]:
        lines.append(
            f"| {row['id']} | {row['total']} | {row['caught']}/{row['total']} "
            f"| {row['located']}/{row['total']} | {row['misnamed']} |"
        )
    return "\n".join(lines)
