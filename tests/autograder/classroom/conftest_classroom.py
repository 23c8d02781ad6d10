"""Fixtures of the classroom's tests."""

import shutil

import pytest
from class_kit import make_class, submit
from nbgrader.api import Gradebook
from tiny_course import LIMITS, TINY, register, unregister

from autograder import __main__
from autograder.class_dir import ClassDir
from autograder.grading import grade_class


@pytest.fixture
def spoken(monkeypatch):
    """Commands speak English, whatever machine this is."""
    monkeypatch.setenv("BERT_COURSE_LANG", "en")


@pytest.fixture
def cli(capsys, spoken):
    """Runs an `autograder` command; returns its exit code, output and errors."""

    def run(*argv):
        code = __main__.main([str(part) for part in argv])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture(scope="session")
def graded_once(tmp_path_factory, warm):
    """A graded class, made once; see `late_class`."""
    register()
    course = make_class(tmp_path_factory.mktemp("term") / "class")
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        gradebook.update_or_create_assignment(TINY, duedate="2026-03-01 12:00:00 UTC")
    submit(course, "anna", timestamp="2026-03-03 13:00:00 UTC")
    submit(course, "ben", timestamp="2026-03-01 20:00:00 +0800")
    submit(course, "cai")
    summary = grade_class(course, TINY, limits=LIMITS, spawner=warm)
    unregister()
    assert summary["gradebook_errors"] == []
    return course.root


@pytest.fixture
def late_class(tmp_path, tiny, graded_once):
    """A graded class in which the tiny notebook was due on 1 March 2026, 12:00 UTC.

    Seven points each. anna was two days and an hour late, ben in time, cai has no time stamp.
    """
    shutil.copytree(graded_once, tmp_path / "class")
    return ClassDir.open(tmp_path / "class")


def stored(course, student):
    """The penalty in nbgrader's own gradebook."""
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        row = gradebook.find_submission_notebook(TINY, TINY, student)
        return row.late_submission_penalty
