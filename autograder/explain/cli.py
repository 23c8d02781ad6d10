"""`autograder explain`: why a student lost points in an exercise, case by case."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from autograder.errors import CommandError
from autograder.exercise import unknown
from autograder.explain.replay import replay
from autograder.explain.shown import as_lines
from autograder.grade_options import TIERS, add_limits, limits_of, open_course
from autograder.messages import LANGUAGES, Text
from autograder.report.clean import plain
from autograder.running import How
from autograder.submissions import open_assignment

INPUTS = Text("输入", "inputs")
ANSWER = Text("学生的结果", "answer")
EXPECTED = Text("应得结果", "expected")
DIFFER = Text("不同之处（最大的在前）", "where they differ (largest first)")
IS_NOW = Text("{at}：得到 {got}，应为 {want}", "{at}: got {got}, expected {want}")
EARLIER = Text(
    "（这个检查点里，前面 {n} 次比较都对）", "(comparisons before it in this case, all right: {n})"
)
NEARLY = Text("接近、但不完全吻合的错误", "mistakes that almost fit")
SHARE = Text("{share:.0%} 的数值吻合", "{share:.0%} of the values fit")
NO_VALUES = Text("（没有可比较的数值）", "(no values to compare)")
ALL_PASSED = Text("所有检查点都通过了。", "Every case passed.")
CELL = Text("这一格没能运行：{error}", "The cell did not run: {error}")
INCIDENTS = Text("运行异常：{kinds}", "Incidents: {kinds}")


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add `explain` to the command line of `autograder`."""
    parser = subparsers.add_parser(
        "explain",
        help="replay one student's exercise: inputs, answer, expectation (for teachers)",
        description="Run one exercise of one student again and print, for every case that failed, "
        "what went in, what came out and what should have. It shows the class's inputs: for "
        "teachers only.",
    )
    parser.add_argument("student", help="the student, as the class folder calls them")
    parser.add_argument("exercise", help="id of the exercise, such as causal_mask")
    parser.add_argument("--course", metavar="DIR", help="the class folder", type=Path)
    parser.add_argument("--notebook", help="the notebook; default: the one with that exercise")
    parser.add_argument("--case", metavar="NAME", help="only this case, passed or not")
    parser.add_argument("--lang", choices=LANGUAGES, help="default: the class's")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--tier", choices=TIERS, default="auto", help="the jail to run it in")
    add_limits(parser)
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Replay, and print.

    Args:
        args: what the command line said.

    Returns:
        0 where all points were earned, 1 otherwise.

    Raises:
        CommandError: there is no such student, exercise or case.
    """
    course = open_course(args)
    assignment = _assignment(course, args.notebook, args.exercise)
    handed = course.handed_in(assignment.name, lambda student: student == args.student)
    if not handed:
        known = [one.student for one in course.handed_in(assignment.name)]
        raise CommandError(unknown("student who handed this in,", plain(args.student), known))
    (about,) = (one for one in assignment.exercises if one.id == args.exercise)
    names = [case.name for case in about.cases]
    if args.case and args.case not in names:
        raise CommandError(unknown(f"case of {args.exercise}", args.case, names))
    options = limits_of(args)
    if not args.allow_unsandboxed:
        options["tier"] = args.tier
    how = How(**options, hidden=(course.root,))
    told = replay(handed[0], assignment, args.exercise, how)
    if args.case:
        told["cases"] = [case for case in told["cases"] if case["name"] == args.case]
    if args.json:
        print(json.dumps(told, ensure_ascii=False))
    else:
        print("\n".join(describe(told, args.lang or course.lang, every=bool(args.case))))
    return int(told["score"] < told["max_score"])


def describe(told: dict[str, Any], lang: str, every: bool = False) -> list[str]:
    """Return a replay as lines for a terminal; what came from the student can't act on it.

    Args:
        told: what `replay` returned.
        lang: "zh" or "en".
        every: whether passed cases are shown like the others.

    Returns:
        Lines of text.
    """
    points = f"{told['score']:g}/{told['max_score']:g}"
    lines = [f"{plain(told['student'], 80)} · {told['exercise']} · {points}"]
    if told["cell"]:
        words = ": ".join(told["cell"][k] for k in ("type", "message") if told["cell"].get(k))
        lines.append(CELL.format(error=plain(words or told["cell"]["status"]))[lang])
    if told["incidents"]:
        lines.append(INCIDENTS.format(kinds=", ".join(told["incidents"]))[lang])
    lines += [f"→ {plain(sentence[lang])}" for sentence in told["diagnosis"]]
    if told["nearly"]:
        lines.append(f"{NEARLY[lang]}:")
        for one in told["nearly"]:
            share = SHARE.format(share=one["share"])[lang]
            lines.append(f"  {one['name']} ({share}) {one[lang]}")
    shown = [case for case in told["cases"] if every or case["status"] != "passed"]
    for case in shown:
        lines += ["", *_case(case, lang)]
    return lines if shown else [*lines, ALL_PASSED[lang]]


def _case(case: dict[str, Any], lang: str) -> list[str]:
    mark = "✓" if case["status"] == "passed" else "✗" if case["max_points"] else "○"
    points = f"{case['points']:g}/{case['max_points']:g}"
    lines = [f"{mark} {case['name']} ({points}): {case['title'][lang]}"]
    if case["detail"]:
        lines.append(f"  {plain(case['detail'][lang])}")
    if case.get("compared", 0) > 1:
        lines.append(f"  {EARLIER.format(n=case['compared'] - 1)[lang]}")
    if "inputs" not in case:
        return [*lines, f"  {NO_VALUES[lang]}"] if case["status"] != "passed" else lines
    if case["inputs"]:
        lines += [f"  {INPUTS[lang]}:", *as_lines(case["inputs"], "    ")]
    for key, word in (("answer", ANSWER), ("expected", EXPECTED)):
        if case.get(key) is not None:
            first, *rest = as_lines(case[key], "    ")
            lines.append(f"  {word[lang]}:" if rest else f"  {word[lang]}: {first.strip()}")
            lines += [first, *rest] if rest else []
    if case.get("differ"):
        lines.append(f"  {DIFFER[lang]}:")
        lines += [f"    {_place(place, lang)}" for place in case["differ"]]
    return lines


def _place(place: dict[str, Any], lang: str) -> str:
    at = place["part"] + (f"[{', '.join(map(str, place['at']))}]" if place["at"] else "")
    return IS_NOW.format(at=at, got=place["answer"], want=place["expected"])[lang]


def _assignment(course, notebook: str | None, exercise: str):
    """The released notebook that has the exercise."""
    known: list[str] = []
    for name in course.notebooks(notebook):
        assignment = open_assignment(name, course.released(name), course.seed)
        known += [one.id for one in assignment.exercises]
        if exercise in known:
            return assignment
    raise CommandError(unknown("exercise", exercise, known))
