"""The class of the demo, graded for real: points, names, accidents, the gradebook, leftovers."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from leftovers import adopting, orphans

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK = "ch03a_self_attention"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="grading a class needs Linux")


def run(argv, folder):
    """Run one of our commands with a temporary folder of its own."""
    environment = {**os.environ, "TMPDIR": str(folder / "tmp"), "TF_CPP_MIN_LOG_LEVEL": "2"}
    (folder / "tmp").mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, *map(str, argv)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done


def test_what_outlives_its_parent_is_found():
    """Otherwise finding nothing after grading would mean nothing."""
    before = orphans()
    with adopting():
        command = ["sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!"]
        pid = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        try:
            assert orphans() - before == {pid}
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Run the class part of the demo, and note what it leaves behind."""
    folder = tmp_path_factory.mktemp("demo")
    before = orphans()
    with adopting():
        done = run(["tools/demo.py", "--out", folder / "demo", "--skip-training"], folder)
        (folder / "stderr").write_text(done.stderr, encoding="utf-8")
        time.sleep(0.5)  # what was killed a moment ago may still be on its way out
        (folder / "orphans").write_text(json.dumps(sorted(orphans() - before)))
        (folder / "rest").write_text(json.dumps(sorted(os.listdir(folder / "tmp"))))
    return folder


@pytest.fixture(scope="module")
def class_dir(folder):
    return folder / "demo" / "class"


@pytest.fixture(scope="module")
def summary(folder):
    return json.loads((folder / "demo" / "summary.json").read_text("utf-8"))


def test_every_submission_gets_what_it_must(summary):
    # Worked out by hand from the tables of points in the notebook; 40 = 38 + 2 stretch.
    expected = {
        "s01-perfect": 40,
        "s02-einsum": 40,
        "s03-last-link": 40 - 2,
        "s04-blind-to-self": 40 - 3 - 4,
        "s05-padding-on-rows": 40 - 4 - 2,
        "s06-bare-reshape": 40 - 2 - 4,
        "s07-two-at-once": 40 - 6 - 4,
        "s08-blank": 0,
        "s09-syntax-error": 40 - 8 - 4,
        "s10-endless-loop": 40 - 1,
        "s11-greedy": 40 - 1,
        "s12-torn-notebook": 40,
    }
    assert {s["id"]: s["score"] for s in summary["students"]} == expected
    assert {s["id"]: s["expected"] for s in summary["students"]} == expected
    assert {s["max_score"] for s in summary["students"]} == {40}


@pytest.mark.parametrize(
    ("student", "names"),
    [
        ("s03-last-link", {"last_link_wins"}),
        ("s04-blind-to-self", {"diagonal_masked"}),
        ("s05-padding-on-rows", {"padding_on_query_rows"}),
        ("s06-bare-reshape", {"bare_reshape"}),
        ("s07-two-at-once", {"unscaled_scores", "mask_after_softmax"}),
    ],
)
def test_mistakes_are_named(summary, student, names):
    (found,) = [s["named"] for s in summary["students"] if s["id"] == student]
    assert names <= set(found)


def test_right_answers_are_told_nothing(summary):
    told = {s["id"]: s["named"] for s in summary["students"]}
    for student in ("s01-perfect", "s02-einsum", "s12-torn-notebook", "s10-endless-loop"):
        assert told[student] == []


def test_accidents_cost_only_their_case(class_dir):
    for student, exercise, case, kind in [
        ("s10-endless-loop", "attention_flops", "one_head", "timeout"),
        ("s11-greedy", "causal_mask", "shortest", "memory"),
    ]:
        result = json.loads((class_dir / "results" / student / f"{NOTEBOOK}.json").read_text())
        lost = [
            (entry["id"], one["name"], one["status"])
            for entry in result["exercises"]
            for one in entry["cases"]
            if one["status"] != "passed"
        ]
        assert lost == [(exercise, case, kind)]


def test_nothing_outlives_the_run(folder):
    assert json.loads((folder / "orphans").read_text()) == []
    assert json.loads((folder / "rest").read_text()) == []


def test_page_and_table(folder, summary):
    page = (folder / "demo" / "report.html").read_text("utf-8")
    for student in summary["students"]:
        assert student["id"] in page
    with open(folder / "demo" / "grades.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {r["student"]: float(r["total"]) for r in rows} == {
        s["id"]: s["score"] for s in summary["students"]
    }
    for row in rows:
        assert float(row["core"]) + float(row["stretch"]) == float(row["total"])


def test_a_second_grading_changes_nothing(class_dir, folder):
    """Neither resumed nor done afresh, and not after a teacher graded a written answer."""
    from nbgrader.api import Gradebook

    from autograder.gradebook import normalised_dump, quiet_nbgrader

    before = normalised_dump(class_dir)
    assert len({row["student"] for row in before}) == 12
    again = ["-m", "autograder", "grade", NOTEBOOK, "--course", class_dir, "--jobs", "2"]
    again += ["--call-seconds", "5"]
    run(again, folder)
    assert normalised_dump(class_dir) == before
    with quiet_nbgrader(), Gradebook(f"sqlite:///{class_dir / 'gradebook.db'}") as gradebook:
        written = f"written_{NOTEBOOK}"
        who = (NOTEBOOK, NOTEBOOK, "s01-perfect")
        grade = gradebook.find_grade(written, *who)
        grade.extra_credit, grade.needs_manual_grade = 1.5, False
        gradebook.find_comment(written, *who).manual_comment = "两个数字都对。"
        gradebook.db.commit()
    by_hand = normalised_dump(class_dir)
    (row,) = [r for r in by_hand if r["student"] == "s01-perfect" and r["cell"] == written]
    assert (row["extra_credit"], row["manual_comment"]) == (1.5, "两个数字都对。")
    run([*again, "--fresh"], folder)
    assert normalised_dump(class_dir) == by_hand
