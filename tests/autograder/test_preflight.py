"""The student's pre-flight: the same points as grading, in an ordinary subprocess."""

import ast
import inspect
import os

import numpy as np
import pytest
from tiny_course import POINTS, TINY, filled, released, to_bytes

from autograder import attempt, matching, notebooks, preflight, preflight_text, submissions
from autograder.errors import CommandError
from autograder.results import StudentDied, StudentTimeout
from autograder.sandbox import Limits, child, protocol

TOTAL = sum(POINTS.values())


@pytest.fixture
def course(tiny, tmp_path, monkeypatch):
    for lang in ("zh", "en"):
        folder = tmp_path / "course" / lang / TINY
        folder.mkdir(parents=True)
        (folder / f"{TINY}.ipynb").write_bytes(to_bytes(released(lang)))
    monkeypatch.setattr(preflight, "COURSE", tmp_path / "course")
    return tmp_path


def test_a_notebook_is_checked_with_its_repairs(course):
    notebook = filled(pair_sum="def pair_sum(a, b):\n    return a - b\n")
    del notebook["cells"][3]
    path = course / "my.ipynb"
    path.write_bytes(to_bytes(notebook))
    result = preflight.check_file(path)
    assert {entry["id"]: entry["score"] for entry in result["exercises"]} == {
        **POINTS,
        "pair_sum": 0,
    }
    text = preflight_text.describe(result, "en")
    assert f"Total: {TOTAL - 2:g}/{TOTAL:g}" in text and "Repaired (double)" in text
    assert f"合计：{TOTAL - 2:g}/{TOTAL:g}" in preflight_text.describe(result, "zh")


@pytest.fixture
def plain(tmp_path):
    process = preflight.PlainSpawner(tmp_path).spawn()
    yield process
    process.close()


def test_the_plain_process_runs_cells_and_calls(plain, tmp_path):
    source = "import os\nprint('said')\ndef f(x):\n    return x * 2, os.getcwd()"
    assert plain.run_cell(source, "cell_1", timeout=60).status == "ok"
    outcome = plain.run_cell("def g(:", "cell_2", timeout=60)
    assert (outcome.status, outcome.error["type"]) == ("error", "SyntaxError")
    op = {"op": "call", "target": "f", "args": [np.arange(3)], "kwargs": {}, "tensors": False}
    doubled, folder = plain.request(op, timeout=60)["value"]
    np.testing.assert_array_equal(doubled, [0, 2, 4])
    assert os.path.realpath(folder) == os.path.realpath(tmp_path)


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("while True: pass", "timeout"),
        ("import os\nos._exit(3)", "died"),
        ("raise MemoryError", "memory"),
        ("import sys\nsys.exit()", "error"),
    ],
)
def test_the_plain_process_may_hang_or_die(plain, source, status):
    assert plain.run_cell("x = 1", "cell_1", timeout=60).status == "ok"
    assert plain.run_cell(source, "cell_2", timeout=0.5).status == status
    assert plain.alive == (status in ("memory", "error"))


def test_a_call_that_hangs_is_an_incident(plain):
    plain.run_cell("def f():\n    while True: pass", "cell_1", timeout=60)
    op = {"op": "call", "target": "f", "args": [], "kwargs": {}, "tensors": False}
    with pytest.raises(StudentTimeout):
        plain.request(op, timeout=0.5)
    # It was stopped, and did not end by itself: the second answer must not say otherwise.
    with pytest.raises(StudentTimeout):
        plain.request(op, timeout=0.5)
    assert plain.run_cell("x = 1", "cell_2", timeout=5).status == "timeout"


def test_a_process_that_ends_by_itself_is_told_so(plain):
    assert plain.run_cell("import os\nos._exit(3)", "cell_1", timeout=60).status == "died"
    with pytest.raises(StudentDied):
        plain.request({"op": "value", "target": "x"}, timeout=5)


def test_after_a_hang_nothing_ends_unexpectedly(course, monkeypatch):
    """A hanging call and a hanging cell: both are told as what they are, and nothing else."""
    limits = Limits(cell_seconds=25, call_seconds=1.5, submission_seconds=200)
    monkeypatch.setattr(preflight, "LIMITS", limits)
    hang = "def double(x):\n    while True: pass\n"
    notebook = filled(double=hang, pair_sum="def pair_sum(a, b):\n    return a + b\n")
    path = course / "my.ipynb"
    path.write_bytes(to_bytes(notebook))
    text = preflight_text.describe(preflight.check_file(path), "en")
    assert "ran out of time" in text and "unexpectedly" not in text
    assert "pair_sum: 2/2" in text and "Scale: 2/2" in text


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_words_for_what_was_found_and_for_cells_that_were_ended(lang):
    notes = [
        {"code": "missing_check", "cell": "a", "zh": "恢复了", "en": "put back"},
        {"code": "missing_check", "cell": "b", "zh": "恢复了", "en": "put back"},
        {"code": "missing_cell", "cell": "c", "zh": "被删掉了", "en": "was deleted"},
        {"code": "too_many_cells", "cell": "", "zh": "略过", "en": "left out"},
    ]
    ended = {"type": "timeout", "message": "", "where": ""}
    cells = [
        {"cell": "x", "status": "timeout", **ended},
        {"cell": "y", "status": "timeout", **ended, "message": "submission"},
        {"cell": "z", "status": "error", "type": "E\x1b[31m", "message": "m", "where": "line 2"},
    ]
    result = {"repairs": notes, "cells": cells, "exercises": []}
    lines = preflight_text.describe(result, lang).split("\n")
    expected = {
        "en": ["Repaired (a, b): put back", "Missing (c): was deleted", "Note: left out"],
        "zh": ["修复 (a, b)：恢复了", "缺失 (c)：被删掉了", "注意：略过"],
    }
    assert lines[:3] == expected[lang]
    assert StudentTimeout.text[lang] in lines[3] and preflight_text.TIME_IS_UP[lang] in lines[4]
    assert "line 2" in lines[5] and "\x1b" not in lines[5]


def test_a_foreign_notebook_is_told(course):
    notebook = filled()
    notebook["metadata"] = {}
    path = course / "holiday.ipynb"
    path.write_bytes(to_bytes(notebook))
    with pytest.raises(CommandError, match=TINY):
        preflight.check_file(path)


@pytest.mark.parametrize(
    "module", [preflight, submissions, attempt, matching, notebooks, protocol, child]
)
def test_nothing_on_this_path_needs_posix(module):
    """No module of the pre-flight imports, at its top, what Windows does not have."""
    tree = ast.parse(inspect.getsource(module))
    names = {
        a.name.partition(".")[0] for n in tree.body if isinstance(n, ast.Import) for a in n.names
    }
    names |= {n.module.partition(".")[0] for n in tree.body if isinstance(n, ast.ImportFrom)}
    assert not names & {"fcntl", "resource", "pwd", "grp", "termios", "pty", "posix"}
