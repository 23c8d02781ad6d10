"""A term of an invented class, drawn, graded and reported by one command.

    python tools/demo_term.py [--students 60] [--notebooks ch00_start …] [--out build/term]

What is planted (copies, a hung answer, misconceptions that return) and what was found stands in
summary.json beside the class.
"""

from __future__ import annotations

import argparse
import copy
import csv
import json
import random
import sys
import time
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

from demo import CALL_SECONDS, DemoError, Progress, command, fresh, json_of
from demo_class import grade_id
from term_draw import Book, Work, people, term

START = datetime(2026, 9, 7, 12)
DEFAULT = ("ch00_start", "ch02_attention", "ch03a_self_attention")


def book(notebook: str, seed: int) -> Book:
    """Gather a notebook's right and wrong answers.

    Args:
        notebook: its id.
        seed: the class's, for the bug of its drill.
    """
    from autograder import answers
    from autograder.chapters import is_drill
    from autograder.exercise import load
    from autograder.variants import load_variants

    exercises = load(notebook)
    found: dict[str, list] = {}
    for one in load_variants(notebook):
        if not is_drill(one.exercise):  # those depend on which bug the class has
            found.setdefault(one.exercise, []).append(one)
    plain = tuple(e.id for e in exercises if e.kind == "function" and not is_drill(e.id))
    references = {e.id: answers.reference(e, seed) for e in exercises}
    return Book(notebook, references, found, plain)


def hand_in(work: Work, root: Path, due: datetime) -> None:
    """Write one submission, with the time at which it came.

    Args:
        work: what was drawn.
        root: the class folder.
        due: of the notebook (UTC).
    """
    source = root / "release" / work.notebook / f"{work.notebook}.ipynb"
    notebook = copy.deepcopy(json.loads(source.read_text("utf-8")))
    for cell in notebook["cells"]:
        name = grade_id(cell)
        text = work.texts.get(name.removeprefix("answer_")) if name.startswith("answer_") else None
        if text is not None:
            cell["source"] = text.splitlines(keepends=True)
    folder = root / "submitted" / work.student / work.notebook
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
    (folder / source.name).write_text(text, "utf-8")
    came = due + timedelta(days=work.days, hours=-2)
    (folder / "timestamp.txt").write_text(f"{came:%Y-%m-%d %H:%M:%S} UTC")


def compare(works: list[Work], graded: dict[str, dict]) -> Counter:
    """Count how what was found agrees with what was planted, answer by answer.

    Args:
        works: what was handed in first.
        graded: what `autograder grade --json` said, by notebook.

    Returns:
        Counts such as "named: as planted" or "right: lost points".
    """
    said = {
        (student["id"], notebook): {e["id"]: e for e in student["exercises"]}
        for notebook, result in graded.items()
        for student in result["students"]
    }
    counts: Counter = Counter()
    for work in works:
        entries = said.get((work.student, work.notebook), {})
        for exercise, kind in work.drawn.items():
            entry = entries.get(exercise)
            if entry is None:
                counts[f"{kind}: not graded"] += 1
            elif kind == "right":
                full = entry["score"] >= entry.get("max_score", entry["score"]) - 1e-9
                counts["right: full marks" if full else "right: lost points"] += 1
            elif kind == "named":
                same = set(work.names[exercise]) <= set(entry["named"])
                counts["named: as planted" if same else "named: other"] += 1
            elif kind == "hung":
                stopped = "timeout" in entry["incidents"]
                counts["hung: stopped" if stopped else "hung: not noticed"] += 1
            else:
                whole = entry["score"] >= entry.get("max_score", float("inf"))
                counts[f"{kind}: full marks" if whole else f"{kind}: lost points"] += 1
    return counts


def main(argv: list[str] | None = None) -> int:
    """Draw, grade and report a term.

    Args:
        argv: the command line; None takes the process's own.

    Returns:
        0, or 1 where something failed; the message says what.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--notebooks", nargs="+", default=list(DEFAULT), metavar="ID")
    parser.add_argument("--out", type=Path, default=Path("build/term"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--lang", choices=("zh", "en"), default="zh")
    args = parser.parse_args(argv)
    try:
        return run(args)
    except (DemoError, ValueError, LookupError) as error:
        print(f"demo_term: {error}", file=sys.stderr)
        return 1


def run(args: argparse.Namespace) -> int:
    """Do all steps; see `main`."""
    if args.students < 6:
        raise DemoError(f"--students {args.students}: 6 at least, for two pairs and a hung answer")
    out = fresh(args.out)
    root, progress = out / "class", Progress(4)
    progress.next(f"make a class of {args.students}, {len(args.notebooks)} notebooks")
    with (out / "roster.csv").open("w", encoding="utf-8", newline="") as file:
        invented = people(args.students, random.Random(args.seed))
        rows = ([one.id, one.name, f"{one.id}@example.org"] for one in invented)
        csv.writer(file).writerows([["id", "name", "email"], *rows])
    command(
        *("autograder", "init-class", root, "--lang", args.lang, "--roster", out / "roster.csv"),
        *("--notebook", *args.notebooks),
    )
    seed = json.loads((root / ".autograder" / "course.json").read_text("utf-8"))["seed"]
    books = [book(name, seed) for name in args.notebooks]
    # The same draw begins with the same people.
    _, works, planted = term(books, args.students, random.Random(args.seed))
    dues = {name: START + timedelta(weeks=i) for i, name in enumerate(args.notebooks)}
    rule = ("--timezone", "UTC", "--grace-days", 2, "--per-day", "10%", "--latest-days", 7)
    dated = [x for n, d in dues.items() for x in ("--due", n, f"{d:%Y-%m-%d %H:%M}")]
    command("autograder", "late", "--course", root, *rule, *dated)
    progress.next(f"hand in {len(works)} submissions")
    for work in works:
        hand_in(work, root, dues[work.notebook])
    progress.next(f"grade them, {args.jobs} jobs")
    graded, began = {}, time.monotonic()
    for name in args.notebooks:
        graded[name] = grade(name, root, args.jobs)
        progress.note(f"{name}: {len(graded[name]['students'])} submissions")
    seconds = time.monotonic() - began
    counts = compare(works, graded)
    again = [work for work in works if work.again]
    for work in again:
        right = next(one for one in books if one.id == work.notebook).references
        note = f"# {work.student}, corrected\n"
        work.texts.update({e: text.rstrip("\n") + f"\n{note}" for e, text in right.items()})
        hand_in(work, root, dues[work.notebook])
    for name in sorted({work.notebook for work in again}):
        grade(name, root, args.jobs)
    progress.next("write the term page")
    found = json_of("autograder", "term", "--course", root, "--lang", args.lang)
    shown = {tuple(pair["students"]) for pair in found["alike"]["pairs"]}
    copies = {tuple(pair) for pair in planted["copies"]}
    summary = {
        "students": args.students,
        "notebooks": args.notebooks,
        "submissions": len(works),
        "resubmitted": len(again),
        "late": sum(work.days > 0 for work in works),
        "planted": planted,
        "answers": dict(sorted(counts.items())),
        "alike": found["alike"],
        "copies_found": len(shown & copies),
        "others_shown": len(shown - copies),
        "grading_seconds": round(seconds, 1),
        "submissions_per_minute": round(60 * len(works) / seconds, 1),
        "seconds": round(progress.seconds, 1),
    }
    text = json.dumps(summary, ensure_ascii=False, indent=1) + "\n"
    (out / "summary.json").write_text(text, "utf-8")
    print(f"{found['page']}\n{out / 'summary.json'}")
    rate = summary["submissions_per_minute"]
    print(
        f"{len(works)} submissions in {seconds:.0f} s: {rate} a minute; "
        f"copies found: {len(shown & copies)} of {len(copies)}, other pairs: {len(shown - copies)}"
    )
    return 0


def grade(notebook: str, root: Path, jobs: int) -> dict:
    """Grade one notebook of the class; what `autograder grade --json` says."""
    return json_of(
        *("autograder", "grade", notebook, "--course", root),
        *("--jobs", jobs, "--call-seconds", CALL_SECONDS),
    )


if __name__ == "__main__":
    sys.exit(main())
