"""The student's pre-flight: the same points as grading, in an ordinary subprocess."""

import ast
import inspect
import os

import numpy as np
import pytest
from tiny_course import POINTS, TINY, filled, released, to_bytes

from autograder import attempt, matching, notebooks, preflight, submissions
from autograder.errors import CommandError
from autograder.results import StudentDied, StudentTimeout
from autograder.sandbox import child, protocol

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
    text = preflight.describe(result, "en")
    assert f"Total: {TOTAL - 2:g}/{TOTAL:g}" in text and "Repaired (double)" in text
    assert f"合计：{TOTAL - 2:g}/{TOTAL:g}" in preflight.describe(result, "zh")


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
    with pytest.raises(StudentDied):
        plain.request(op, timeout=0.5)


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
