"""The student's pre-flight: the same points as grading, in an ordinary subprocess."""

import ast
import inspect

import pytest
from tiny_course import POINTS, TINY, filled, released, to_bytes

from autograder import attempt, matching, notebooks, preflight, submissions
from autograder.errors import CommandError
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
    text = preflight.describe(result, "en")
    assert f"Total: {TOTAL - 2:g}/{TOTAL:g}" in text and "Repaired (double)" in text
    assert f"合计: {TOTAL - 2:g}/{TOTAL:g}" in preflight.describe(result, "zh")


def test_a_process_that_hangs_or_dies_costs_its_case(course, monkeypatch):
    limits = Limits(cell_seconds=60, call_seconds=0.7, submission_seconds=120)
    monkeypatch.setattr(preflight, "LIMITS", limits)
    notebook = filled(
        double="def double(x):\n    while (x < 0).all():\n        pass\n    return x + x\n",
        pair_sum="import os\ndef pair_sum(a, b):\n    os._exit(3)\n",
    )
    notebook["cells"] = [c for c in notebook["cells"] if c["id"] not in ("c2", "answer-scale")]
    path = course / f"{TINY} (1).ipynb"
    path.write_bytes(to_bytes(notebook))
    result = preflight.check_file(path)
    found = {entry["id"]: (entry["score"], entry["incidents"]) for entry in result["exercises"]}
    assert found["double"] == (2, ["timeout"])
    assert found["pair_sum"] == (0, ["died"])


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
