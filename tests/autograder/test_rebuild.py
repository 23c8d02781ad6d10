"""A gradebook that was lost is filled again from the results."""

import contextlib
import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from class_kit import make_class, submit
from tiny_course import LIMITS, POINTS, TINY

from autograder.errors import CommandError
from autograder.gradebook import normalised_dump
from autograder.grading import grade_class
from autograder.rebuild import rebuild

TOTAL = sum(POINTS.values())
pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture
def course(tmp_path, warm):
    course = make_class(tmp_path / "class")
    submit(course, "anna", timestamp="2026-03-01 09:30:00 UTC")
    submit(course, "ben", double="def double(x):\n    return 3 * x\n", written="because")
    submit(course, "dan", b"no notebook at all")
    submit(course, "eve", scale="import os\nos._exit(0)")
    grade_class(course, TINY, limits=LIMITS, spawner=warm, jobs=2)
    return course


def _command(course, *more):
    command = [sys.executable, Path(__file__).with_name("tiny_command.py"), *more]
    return subprocess.run([*command, "--course", course.root], capture_output=True, text=True)


def test_a_lost_gradebook_comes_back_equal(course):
    before = normalised_dump(course.root)
    results = {p: p.read_bytes() for p in (course.root / "results").rglob("*.json")}
    (course.root / "gradebook.db").unlink()
    done = _command(course, "rebuild", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["registered"] and summary["students"] == ["anna", "ben", "dan", "eve"]
    assert "by hand" in done.stderr and "Traceback" not in done.stderr
    assert normalised_dump(course.root) == before
    assert results == {p: p.read_bytes() for p in (course.root / "results").rglob("*.json")}
    # SQLite doesn't mind a course that isn't there; other databases do.
    with contextlib.closing(sqlite3.connect(course.root / "gradebook.db")) as database:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        assert database.execute("SELECT course_id FROM assignment").fetchall() == [("tiny",)]
    # Nothing is left to do, for rebuild and for grade.
    assert not rebuild(course, TINY)["registered"]
    assert normalised_dump(course.root) == before


def test_lost_submissions_and_notebooks_do_not_matter(course):
    before = normalised_dump(course.root)
    (course.root / "gradebook.db").unlink()
    shutil.rmtree(course.root / "autograded")
    shutil.rmtree(course.root / "submitted")
    assert len(rebuild(course, TINY)["students"]) == 4
    assert normalised_dump(course.root) == before
    assert (course.root / "autograded" / "ben" / TINY / f"{TINY}.ipynb").exists()


def test_a_damaged_result_is_named_and_the_others_are_back(course):
    path = course.result_path("ben", TINY)
    path.write_text(path.read_text()[:200])
    (course.root / "gradebook.db").unlink()
    done = _command(course, "rebuild", TINY)
    assert done.returncode == 1 and "ben" in done.stderr
    assert {row["student"] for row in normalised_dump(course.root)} == {"anna", "dan", "eve"}


def test_grade_without_a_gradebook_says_what_to_do(course, warm):
    (course.root / "gradebook.db").unlink()
    with pytest.raises(CommandError, match="autograder rebuild"):
        grade_class(course, TINY, limits=LIMITS, spawner=warm)


def test_a_damaged_gradebook_and_a_missing_source_are_told(course):
    (course.root / "gradebook.db").write_bytes(b"no database " * 100)
    with pytest.raises(CommandError, match="move it away"):
        rebuild(course, TINY)
    (course.root / "gradebook.db").unlink()
    shutil.rmtree(course.root / "source")
    with pytest.raises(CommandError, match="autograder release"):
        rebuild(course, TINY)
