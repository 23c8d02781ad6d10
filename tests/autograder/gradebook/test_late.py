"""Late penalties are nbgrader's own: same settings, same numbers as its `autograde`."""

import os
import shutil
import subprocess
import sys

import pytest
from class_kit import make_class, submit
from nbgrader.api import Gradebook
from tiny_course import LIMITS, POINTS, TINY, filled, to_bytes

from autograder.gradebook import normalised_dump, read_standings
from autograder.grading import grade_class

TOTAL = sum(POINTS.values())
DUE = "2026-03-01 12:00:00 UTC"
HOUR_LATE = "2026-03-01 13:00:00 UTC"
IN_TIME = "2026-03-01 11:59:59 UTC"
PLUGIN = """
from nbgrader.plugins import BasePlugin


class HalfAPointAnHour(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 0.5 * total_seconds_late / 3600
"""
METHODS = {
    "none": "",
    "zero": 'c.LateSubmissionPlugin.penalty_method = "zero"\n',
    "custom": 'c.AssignLatePenalties.plugin_class = "hours_late.HalfAPointAnHour"\n',
}
PENALTIES = {"none": 0.0, "zero": TOTAL, "custom": 0.5}

pytestmark = pytest.mark.usefixtures("tiny")


def late_class(path, method):
    """A class with a due date, one late student and one in time."""
    course = make_class(path)
    with open(course.root / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write(METHODS[method])
    (course.root / "hours_late.py").write_text(PLUGIN)
    set_due(course, DUE)
    submit(course, "anna", timestamp=HOUR_LATE)
    submit(course, "ben", timestamp=IN_TIME)
    return course


def set_due(course, due):
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        gradebook.update_or_create_assignment(TINY, duedate=due)


def grade(course, warm):
    summary = grade_class(course, TINY, limits=LIMITS, spawner=warm)
    assert summary["gradebook_errors"] == []


@pytest.mark.parametrize("method", METHODS)
def test_the_penalty_is_the_one_that_the_class_sets(method, tmp_path, warm):
    course = late_class(tmp_path / "class", method)
    grade(course, warm)
    found = read_standings(course.root, TINY)
    assert found["anna"].seconds_late == 3600 and found["ben"].seconds_late == 0
    assert found["anna"].raw == found["ben"].raw == TOTAL
    assert found["anna"].penalty == PENALTIES[method] and found["ben"].penalty == 0
    assert found["anna"].final == TOTAL - PENALTIES[method]
    assert found["anna"].due.startswith("2026-03-01 12:00")


def test_a_due_date_set_or_moved_later_counts_at_the_next_run(tmp_path, warm):
    course = late_class(tmp_path / "class", "custom")
    set_due(course, "2026-03-01 13:00:00 UTC")
    grade(course, warm)
    assert read_standings(course.root, TINY)["anna"].penalty == 0
    set_due(course, DUE)
    grade(course, warm)
    assert read_standings(course.root, TINY)["anna"].penalty == 0.5
    set_due(course, "2026-03-02 12:00:00 UTC")
    grade(course, warm)
    assert read_standings(course.root, TINY)["anna"].penalty == 0


def test_points_by_hand_count_towards_the_penalty_at_the_next_run(tmp_path, warm):
    course = late_class(tmp_path / "class", "zero")
    grade(course, warm)
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        gradebook.find_grade("check_double", TINY, TINY, "anna").extra_credit = 1.5
        gradebook.db.commit()
    assert read_standings(course.root, TINY)["anna"].final == 1.5
    grade(course, warm)
    assert read_standings(course.root, TINY)["anna"].final == 0


def test_a_broken_plugin_names_the_student_and_stops_nobody(tmp_path, warm):
    course = late_class(tmp_path / "class", "custom")
    (course.root / "hours_late.py").write_text(PLUGIN.replace("0.5 *", "1 / 0 *"))
    # Plugins are modules: an earlier test has loaded the one that works.
    sys.modules.pop("hours_late", None)
    summary = grade_class(course, TINY, limits=LIMITS, spawner=warm)
    sys.modules.pop("hours_late", None)
    assert [one[:4] for one in summary["gradebook_errors"]] == ["anna"], summary["gradebook_errors"]
    (trouble,) = summary["gradebook_errors"]
    assert "anna" in trouble and "ZeroDivisionError" in trouble
    assert "ben" in read_standings(course.root, TINY)


@pytest.mark.parametrize(
    "method", [pytest.param(m, marks=pytest.mark.slow if m != "custom" else ()) for m in METHODS]
)
def test_stock_autograde_gives_the_same_penalty(method, tmp_path, warm):
    """The same class, ours and then nbgrader's own command in a copy of the folder."""
    course = late_class(tmp_path / "class", method)
    stock = tmp_path / "stock"
    shutil.copytree(course.root, stock)
    grade(course, warm)
    ours = {s: (x.raw, x.penalty) for s, x in read_standings(course.root, TINY).items()}
    # Stock nbgrader runs the check cells: here they only say what ours gave.
    for place in ("source", "release", "submitted/anna", "submitted/ben"):
        path = stock / place / TINY / f"{TINY}.ipynb"
        notebook = filled()
        for part in notebook["cells"]:
            if part["id"].startswith("check"):
                part["source"] = repr(POINTS[part["source"].split('"')[1]])
            elif part["cell_type"] == "code":
                part["source"] = "pass"
        path.write_bytes(to_bytes(notebook))
    (stock / "gradebook.db").unlink()
    # nbgrader starts `alembic`, which lies beside Python.
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    for command in (["generate_assignment", TINY, "--force"], ["autograde", TINY, "--force"]):
        if command[0] == "autograde":
            with Gradebook(f"sqlite:///{stock}/gradebook.db") as gradebook:
                gradebook.update_or_create_assignment(TINY, duedate=DUE)
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *command],
            cwd=stock,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-2000:]
    theirs = {s: (x.raw, x.penalty) for s, x in read_standings(stock, TINY).items()}
    assert theirs == ours
    assert len(normalised_dump(stock)) == len(normalised_dump(course.root))
