"""`autograder term`: the page about a whole term."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from autograder import private
from autograder.class_dir import ClassDir
from autograder.classroom.term import Term, term_table
from autograder.errors import CommandError
from autograder.messages import LANGUAGES, for_reader


def add_parser(subparsers: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Add `term` to the command line of `autograder`."""
    parser = subparsers.add_parser(
        "term",
        help="the term on one page: points, exercises, mistakes over time, answers alike",
        description="Write reports/term.html from the results of `autograder grade` and the "
        "gradebook. Nothing is run and nothing is sent.",
    )
    parser.add_argument("--course", required=True, type=Path, metavar="DIR", help="class folder")
    parser.add_argument("--lang", choices=LANGUAGES, help="language of the page")
    parser.add_argument("--out", type=Path, help="default: DIR/reports/term.html")
    parser.add_argument("--no-alike", action="store_true", help="leave out which answers are alike")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    return parser


def run(args: argparse.Namespace) -> int:
    """Write the page.

    Args:
        args: what the command line said.

    Returns:
        0.

    Raises:
        CommandError: there is no such class, or nothing is graded in it.
    """
    from autograder.report.page import notebook_title
    from autograder.report.term_alike import Alike, alike
    from autograder.report.term_page import render
    from autograder.report.term_traits import traits

    course = ClassDir.open(args.course)
    lang = args.lang or (course.lang if course.lang in LANGUAGES else "en")
    term = term_table(course.root)
    if not term.graded:
        raise CommandError(
            for_reader(
                f"{args.course} 里还没有批改过的笔记本；先运行 autograder grade",
                f"nothing is graded in {args.course} yet; run autograder grade first",
            )
        )
    found = Alike() if args.no_alike else alike(traits(term, course.root))
    titles = {one.id: notebook_title(course.root, one.id, lang) or one.id for one in term.notebooks}
    page = args.out or course.root / "reports" / "term.html"
    private.write(page, render(term, found, lang, titles, course.root.name).encode("utf-8"))
    if args.json:
        print(json.dumps(_as_json(term, found, page), ensure_ascii=False))
    else:
        print(page)
    return 0


def _as_json(term: Term, found, page: Path) -> dict:
    from autograder.classroom.attention import concerns
    from autograder.report.term_figures import items, lasting

    return {
        "page": str(page),
        "students": len(term.students),
        "notebooks": [one.id for one in term.graded],
        "concerns": [
            {"id": one.student, "reasons": [r.en for r in one.reasons]} for one in concerns(term)
        ],
        "exercises": [
            {
                "notebook": one.notebook,
                "exercise": one.exercise.id,
                "answers": one.count,
                "mean": round(one.mean, 4),
                "discrimination": one.discrimination and round(one.discrimination, 4),
            }
            for one in items(term)
        ],
        "lasting": [
            {"name": m.name, "made": m.made, "cured": m.cured, "lasting": m.lasting}
            for m in lasting(term)
        ],
        "alike": {
            "compared": found.students,
            "simulated_classes": found.classes,
            "pairs": [
                {
                    "students": list(pair.students),
                    "weight": round(pair.weight, 2),
                    "chance_at_most": round(pair.chance, 5),
                    "shared": [
                        {"where": s.where, "kind": s.kind, "name": s.name, "holders": s.holders}
                        for s in pair.shared
                    ],
                }
                for pair in found.pairs
            ],
        },
    }
