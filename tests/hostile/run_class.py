"""Grades the hostile suite as one class and prints what came of it, as JSON.

Runs as a program of its own, so that it can be started as another user, and so that everything
which a submission leaves behind ends up below it.

    python tests/hostile/run_class.py FOLDER TIER [ENTRY ...]
"""

import argparse
import contextlib
import csv
import io
import json
import os
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parent)]

import hostile_course  # noqa: E402
from catalogue import entries  # noqa: E402
from ground import Ground  # noqa: E402
from hostile_course import LIMITS, NOTEBOOK  # noqa: E402
from peak import peak_megabytes  # noqa: E402

from autograder.grading import grade_class  # noqa: E402
from autograder.sandbox import kernel  # noqa: E402
from autograder.sandbox.processes import descendants  # noqa: E402

NEIGHBOURS = ("neighbour", "zoe")
DANGEROUS = ("script", "iframe", "object", "embed", "base", "form", "link", "meta")


def main(folder: str, tier: str, names: list[str]) -> dict:
    """Grades the class in a new folder.

    Args:
        folder: An empty folder of this user's.
        tier: The jail.
        names: Entries to take; none means all.

    Returns:
        What the tests look at.
    """
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    home = Path(folder)
    os.environ["TMPDIR"] = str(home / "tmp")
    (home / "tmp").mkdir()
    hostile_course.register()
    course = hostile_course.make_class(home / "class", "SECRET-not-yet")
    ground = Ground(home, course.root)
    settings = {"lang": "en", "seed": hostile_course.SEED, "note": ground.secret}
    (course.root / ".autograder" / "course.json").write_text(json.dumps(settings))
    try:
        return _grade(course, ground, tier, names)
    finally:
        ground.close()


def _grade(course, ground, tier, names) -> dict:
    taken = [e for e in entries() if not names or e.name in names]
    submitted = course.root / "submitted"
    for name in NEIGHBOURS:
        path = submitted / name / NOTEBOOK / f"{NOTEBOOK}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(hostile_course.to_bytes(hostile_course.notebook()))
    how = {"jobs": 2, "limits": LIMITS, "tier": tier, "hidden": (course.root,)}
    grade_class(course, NOTEBOOK, **how)
    _grade_by_hand(course.root, ground.secret)
    before_others = _others(course.root)
    for entry in taken:
        entry.hand_in(submitted, ground.targets)
    before, tree = ground.picture(), descendants(os.getpid())
    started = time.perf_counter()
    slow = []
    summary = grade_class(
        course,
        NOTEBOOK,
        progress=lambda result: slow.append((result["seconds"], result["student"])),
        **how,
    )
    seconds = time.perf_counter() - started
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    after = ground.picture()
    page, table = _report(course.root)
    paths = sorted((course.root / "results").rglob("*.json"))
    texts = [path.read_text() for path in paths] + [page, table]
    return {
        "tier": tier,
        "user": os.geteuid(),
        "seconds": round(seconds, 1),
        "megabytes": peak_megabytes(),
        "slowest": sorted(slow, reverse=True)[:12],
        "entries": [entry.name for entry in taken],
        "students": {
            student["id"]: {
                "points": {e["id"]: e["score"] for e in student["exercises"]},
                "score": student["score"],
                "max_score": student["max_score"],
                "incidents": sorted({k for e in student["exercises"] for k in e["incidents"]}),
                "repairs": sorted({note["code"] for note in student["repairs"]}),
            }
            for student in summary["students"]
        },
        "found": {
            path.parent.name: path.read_text()[place : place + 300]
            for path in paths
            if (place := path.read_text().find("FOUND [")) >= 0
        },
        "leaked": [index for index, text in enumerate(texts) if ground.secret in text],
        "changed": [key for key in before if before[key] != after[key]],
        "traces": ground.traces(),
        "processes": sorted(descendants(os.getpid()) - tree),
        "others_before": before_others,
        "others_after": _others(course.root),
        "gradebook_errors": summary["gradebook_errors"],
        "defects": [note for path in paths for note in json.loads(path.read_text())["defects"]],
        "page": _dangers(page),
        "table": _formulas(table),
        "modes": sorted({oct(path.stat().st_mode & 0o077) for path in paths}),
    }


def _grade_by_hand(root: Path, secret: str) -> None:
    """What a person has entered in the gradebook before."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{root}/gradebook.db") as book:
        submission = book.find_submission(NOTEBOOK, "neighbour")
        for grade in submission.notebooks[0].grades:
            if grade.cell.name.startswith("written"):
                grade.manual_score, grade.needs_manual_grade = 1.5, False
            else:
                grade.extra_credit = 0.25
        submission.notebooks[0].comments[0].manual_comment = secret
        book.db.commit()


def _others(root: Path) -> list:
    """The gradebook's rows of the honest students, without what every run changes."""
    from nbgrader.api import Gradebook

    found = []
    with Gradebook(f"sqlite:///{root}/gradebook.db") as book:
        for name in NEIGHBOURS:
            notebook = book.find_submission(NOTEBOOK, name).notebooks[0]
            for grade in sorted(notebook.grades, key=lambda grade: grade.cell.name):
                numbers = (grade.auto_score, grade.manual_score, grade.extra_credit)
                found.append([name, grade.cell.name, *numbers, grade.needs_manual_grade])
            found.append([name, [comment.manual_comment for comment in notebook.comments]])
    return found


def _report(root: Path) -> tuple[str, str]:
    from autograder.report import cli

    parser = argparse.ArgumentParser()
    cli.add_parser(parser.add_subparsers())
    with contextlib.redirect_stdout(io.StringIO()):
        cli.run(parser.parse_args(["report", NOTEBOOK, "--course", str(root), "--lang", "en"]))
    folder = root / "reports"
    page = (folder / f"{NOTEBOOK}.html").read_text("utf-8")
    return page, (folder / "grades.csv").read_text("utf-8-sig")


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.scripts = [], 0

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        values = " ".join(value or "" for _, value in attributes).lower()
        if any(name.startswith("on") for name in names) or "javascript:" in values:
            self.found.append(tag)
        if tag in DANGEROUS and "hostile" in values:
            self.found.append(tag)

    def handle_data(self, data):
        if self.get_starttag_text() and self.get_starttag_text().startswith("<script"):
            self.scripts += "hostile()" in data


def _dangers(page: str) -> list[str]:
    """Elements that hostile text has become, and characters that no page should hold."""
    parser = _Tags()
    parser.feed(page)
    controls = {
        hex(ord(c)) for c in page if (c < " " and c not in "\n\t\r") or c in "\x7f\x9b\u202e"
    }
    return [*parser.found, *sorted(controls), *(["script"] if parser.scripts else [])]


def _formulas(table: str) -> list[str]:
    """Cells that a spreadsheet would take for a formula."""
    rows = csv.reader(io.StringIO(table))
    return [cell for row in rows for cell in row if cell.lstrip()[:1] in ("=", "+", "-", "@")]


if __name__ == "__main__":
    stdout, sys.stdout = sys.stdout, sys.stderr
    result = main(sys.argv[1], sys.argv[2], sys.argv[3:])
    print(json.dumps(result), file=stdout)
