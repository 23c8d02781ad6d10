"""`autograder bench`: how fast, how dear and how right, beside nbgrader alone."""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from autograder.bench.measure import Plan, compare, grow, profile
from autograder.errors import CommandError

REQUIRED, GOAL = 12, 25


def add_parser(subparsers: Any) -> None:
    """Adds `bench` to the command line."""
    parser = subparsers.add_parser("bench", help="measure grading, beside nbgrader alone")
    text = "submissions that autograder grades (default 60)"
    parser.add_argument("--ours", type=int, default=60, metavar="N", help=text)
    text = "submissions that nbgrader grades (default 10; 0 leaves it out)"
    parser.add_argument("--stock", type=int, default=10, metavar="N", help=text)
    text = "the two take turns so many times; every turn starts anew (default 2)"
    parser.add_argument("--rounds", type=int, default=2, metavar="N", help=text)
    parser.add_argument("--jobs", type=int, default=2, help="ours at once (default 2)")
    text = "also grade classes of these sizes, e.g. 15,60,240"
    parser.add_argument("--growth", default="", metavar="N,N,…", help=text)
    text = "also show where the time of one round of ours goes"
    parser.add_argument("--profile", action="store_true", help=text)
    parser.add_argument("--tier", help="the jail, as for grade")
    text = "measure without a jail, as for grade"
    parser.add_argument("--allow-unsandboxed", action="store_true", help=text)
    text = "keep the class folders here; a new folder"
    parser.add_argument("--keep", type=Path, metavar="DIR", help=text)
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs `bench`.

    Returns:
        0, or 1 where one of our scores isn't the known one.

    Raises:
        CommandError: for what the user can put right.
    """
    if sys.platform != "linux":
        raise CommandError("grading a class needs Linux: use WSL or a container")
    if importlib.util.find_spec("nbgrader") is None:
        raise CommandError('nbgrader is not installed; it comes with the extra "lab"')
    plan = _plan(args)
    sizes = _sizes(args.growth)
    folder = _folder(args.keep)
    try:
        report = compare(plan, folder, _say)
        report["scaling"] = grow(plan, sizes, folder, _say)
        report["profile"] = profile(plan, folder, _say) if args.profile else None
    finally:
        if args.keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(report, ensure_ascii=False) if args.json else "\n".join(lines(report)))
    return int(bool(report["ours"]["wrong"]))


def _plan(args) -> Plan:
    for name in ("ours", "rounds", "jobs"):
        if getattr(args, name) < 1:
            raise CommandError(f"--{name} {getattr(args, name)}: it takes at least one")
    if args.stock < 0 or args.stock > args.ours:
        raise CommandError(f"--stock {args.stock}: at least 0, and no more than --ours")
    if args.rounds > args.ours or 0 < args.stock < args.rounds:
        raise CommandError(f"--rounds {args.rounds}: more rounds than submissions")
    options = ["--jobs", str(args.jobs)]
    options += ["--tier", args.tier] if args.tier else []
    options += ["--allow-unsandboxed"] if args.allow_unsandboxed else []
    return Plan(args.ours, args.stock, args.rounds, tuple(options))


def _sizes(text: str) -> list[int]:
    try:
        sizes = [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        sizes = [0]
    if any(size < 1 for size in sizes):
        raise CommandError(f"--growth {text}: numbers of submissions, such as 15,60,240")
    return sizes


def _folder(keep: Path | None) -> Path:
    if keep is None:
        return Path(tempfile.mkdtemp(prefix="autograder-bench-"))
    keep = keep.expanduser().absolute()
    if keep.exists():
        raise CommandError(f"{keep} exists; name a new folder")
    keep.mkdir(mode=0o700)
    return keep


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def lines(report: dict[str, Any]) -> list[str]:
    """The report as text."""
    sides = [(name, report[name]) for name in ("ours", "nbgrader") if report[name]["n"]]
    version = report["versions"]["nbgrader"]
    out = [
        f"{report['rounds']} round(s), jobs {report['jobs']}; "
        f"nbgrader {version} grades one submission at a time",
        "",
        f"{'':<10} {'n':>4} {'seconds':>8} {'per minute':>11} "
        f"{'CPU s: median':>14} {'worst':>7} {'mean':>7}  scores as they must be",
    ]
    for name, side in sides:
        cpu = side["cpu_seconds"]
        right = side["n"] - len(side["wrong"])
        out.append(
            f"{name:<10} {side['n']:>4} {side['seconds']:>8.1f} {side['per_minute']:>11.1f} "
            f"{cpu['median']:>14.2f} {cpu['worst']:>7.2f} {cpu['mean']:>7.2f}  {right}/{side['n']}"
        )
    if report["ratio"] is not None:
        out += ["", f"ratio {report['ratio']:.1f} (required {REQUIRED}, goal {GOAL})"]
    out += ["", f"{'student':<8} {'must be':>8} {'ours':>6} {'nbgrader':>9}"]
    stock = report["nbgrader"]["scores"]
    for student, must in report["expected"].items():
        ours = report["ours"]["scores"][student]
        theirs = stock.get(student)
        if theirs is not None or ours != must:
            shown = "" if theirs is None else f"{theirs:g}"
            mark = "" if ours == must and theirs in (None, must) else "  ≠"
            out.append(f"{student:<8} {must:>8g} {ours:>6g} {shown:>9}{mark}")
    for name, side in sides:
        for entry in side["wrong"]:
            out.append(
                f"{name}: {entry['student']} {entry['exercise']}: {entry['score']:g}, "
                f"must be {entry['expected']:g}"
            )
    if report["ours"]["unnamed"]:
        out.append(f"mistakes without their name: {len(report['ours']['unnamed'])}")
    if report["scaling"]:
        out += ["", f"{'class of':>8} {'seconds':>8} {'seconds ÷ n':>12}"]
        out += [f"{n:>8} {seconds:>8.1f} {seconds / n:>12.3f}" for n, seconds in report["scaling"]]
    if report["profile"]:
        out += ["", *_profile_lines(report["profile"])]
    return out


def _profile_lines(found: dict[str, Any]) -> list[str]:
    grader, students = found["grader_cpu_seconds"], found["students_cpu_seconds"]
    out = [
        f"{found['n']} submissions in {found['seconds']:.1f} s; CPU-s: {grader:.1f} grader, "
        f"{students:.1f} students' processes, "
        f"{found['cpu_seconds'] - grader - students:.1f} warm process and keepers",
        f"{'stage (all threads)':<26} {'calls':>6} {'seconds':>8} {'grader CPU s':>13} "
        f"{'from':>7} {'to':>7}",
    ]
    for row in found["stages"]:
        numbers = f"{row['calls']:>6} {row['seconds']:>8.2f} {row['cpu_seconds']:>13.2f}"
        out.append(f"{row['stage']:<26} {numbers} {row['first']:>7.2f} {row['last']:>7.2f}")
    return out
