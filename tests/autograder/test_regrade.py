"""Grading again after a check was mended: what changes is shown and written down."""

import json
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from class_kit import make_class, submit
from nbgrader.api import Gradebook
from tiny_course import LIMITS, POINTS, TINY, register, unregister

from autograder import exercise as registry
from autograder.class_dir import ClassDir
from autograder.errors import CommandError
from autograder.exercise import Exercise
from autograder.expectations import expect
from autograder.gradebook import normalised_dump
from autograder.grading import grade_class
from autograder.regrade import _lines, plan_regrade
from autograder.running import How

TOTAL = sum(POINTS.values())
MINUS = "def pair_sum(a, b):\n    return a - b\n"
QUIET = SimpleNamespace(begin=lambda total, finished: None, step=lambda result: None)
pytestmark = pytest.mark.usefixtures("tiny")


def _break_the_check():
    """The check of `pair_sum` asks for a difference, as somebody might have written it."""
    registry._REGISTRY.pop("pair_sum")
    wrong = Exercise("pair_sum", notebook=TINY, points=2, tensors=False)

    @wrong.case(points=2, zh="两个数", en="two numbers")
    def two(student, rng):
        a, b = rng.normal(size=(2, 4))
        expect(student(a, b)).equals(a - b)


@pytest.fixture(scope="module")
def graded(tmp_path_factory, warm):
    """A class graded with the wrong check; made once."""
    register()
    _break_the_check()
    course = make_class(tmp_path_factory.mktemp("wrong") / "class")
    submit(course, "anna")
    submit(course, "ben", pair_sum=MINUS)
    submit(course, "cara", pair_sum=MINUS, double="def double(x):\n    return 3 * x\n")
    grade_class(course, TINY, limits=LIMITS, spawner=warm)
    unregister()
    return course.root


@pytest.fixture
def course(graded, tmp_path):
    return ClassDir.open(shutil.copytree(graded, tmp_path / "class"))


def _plan(course, warm, students=(), exercises=()):
    how = How(limits=LIMITS, spawner=warm)
    return plan_regrade(course, TINY, how, list(students), list(exercises), QUIET)


def _scores(course):
    rows = normalised_dump(course.root)
    return {
        name: sum(row["auto_score"] or 0 for row in rows if row["student"] == name)
        for name in ("anna", "ben", "cara")
    }


def test_what_changes_is_shown_written_down_and_in_the_gradebook(course, warm):
    assert _scores(course) == {"anna": TOTAL - 2, "ben": TOTAL, "cara": TOTAL - 3}
    plan = _plan(course, warm)
    assert _scores(course) == {"anna": TOTAL - 2, "ben": TOTAL, "cara": TOTAL - 3}
    done = plan.apply(QUIET)
    assert done["gradebook_errors"] == []
    assert _scores(course) == {"anna": TOTAL, "ben": TOTAL - 2, "cara": TOTAL - 5}

    record = Path(done["record"])
    assert record.parent == course.root / ".autograder" / "regrades"
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    assert stat.S_IMODE(record.parent.stat().st_mode) == 0o700
    content = json.loads(record.read_text())
    changes = {student["id"]: student for student in content["students"]}
    assert set(changes) == {"anna", "ben", "cara"} and content["lowered"] == ["ben", "cara"]
    (change,) = changes["anna"]["exercises"]
    assert (change["id"], change["before"], change["now"]) == ("pair_sum", 0, 2)
    assert change["was"]["cases"] == {"two": [0, "value"]}
    assert change["is"]["cases"] == {"two": [2, "passed"]}

    again = _plan(course, warm)
    assert again.report()["students"] == [] and again.apply(QUIET)["record"] == ""
    assert len(list(record.parent.iterdir())) == 1


def test_a_lower_score_stands_out(course, warm):
    lines = _lines(_plan(course, warm).report(), dry=True)
    (anna,) = [n for n, line in enumerate(lines) if line.split()[:1] == ["anna"]]
    assert lines[anna].endswith("5 → 7") and lines[anna + 1].endswith("0 → 2")
    lowered = [line for line in lines if "LOWERED" in line]
    assert len(lowered) == 3 and lines[-1] == "  ↓ LOWERED for 2: ben, cara"


def test_only_who_is_asked_for(course, warm):
    plan = _plan(course, warm, students=["anna"])
    plan.apply(QUIET)
    assert _scores(course) == {"anna": TOTAL, "ben": TOTAL, "cara": TOTAL - 3}
    with pytest.raises(CommandError, match="nobody"):
        _plan(course, warm, students=["anna", "nobody"])
    with pytest.raises(CommandError, match="pair_sum"):
        _plan(course, warm, exercises=["pair_sums"])


def test_only_what_is_asked_for_and_the_rest_is_told(course, warm):
    plan = _plan(course, warm, exercises=["double"])
    report = plan.report()
    assert report["students"] == [] and report["others"] == {"pair_sum": 3}
    assert any("pair_sum would change too for 3" in line for line in _lines(report, dry=False))
    plan.apply(QUIET)
    assert _scores(course) == {"anna": TOTAL - 2, "ben": TOTAL, "cara": TOTAL - 3}
    _plan(course, warm, exercises=["pair_sum"]).apply(QUIET)
    assert _scores(course) == {"anna": TOTAL, "ben": TOTAL - 2, "cara": TOTAL - 5}


def test_what_was_left_as_it_was_is_noticed_by_the_next_grading(course, warm):
    """A mixture of old and new is no result of today's grader, and its key says so."""
    stale = [course.result_path(name, TINY) for name in ("anna", "ben", "cara")]
    for path in stale:
        result = json.loads(path.read_text())
        path.write_text(json.dumps({**result, "key": "0" * 32 + result["key"][32:]}))
    _plan(course, warm, exercises=["double"]).apply(QUIET)
    summary = grade_class(course, TINY, limits=LIMITS, spawner=warm)
    assert summary["graded"] == 3
    assert [entry["id"] for entry in summary["lowered"]] == ["ben", "cara"]


def test_manual_grades_stay(course, warm):
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        grade = gradebook.find_grade("check_double", TINY, TINY, "ben")
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 1.5, 0.5, False
        gradebook.db.commit()
    kept = ("manual_score", "extra_credit", "needs_manual_grade", "manual_comment")

    def by_hand():
        return [[row[key] for key in kept] for row in normalised_dump(course.root)]

    before = by_hand()
    assert any(1.5 in row for row in before)
    _plan(course, warm).apply(QUIET)
    assert by_hand() == before


def test_the_command_tries_first(course):
    tree = {p: p.read_bytes() for p in course.root.rglob("*.json")}
    command = [sys.executable, Path(__file__).with_name("tiny_command.py"), "regrade", TINY]
    command += ["--course", course.root, "--student", "ben", "--dry-run", "--call-seconds", "1.5"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "would change" in done.stdout and "LOWERED for 1: ben" in done.stdout
    assert tree == {p: p.read_bytes() for p in course.root.rglob("*.json")}
