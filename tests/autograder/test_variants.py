"""The runner of right and wrong answers; what it shows is in test_every_exercise.py."""

import json
import subprocess
import sys

import numpy as np
import pytest

from autograder import answers
from autograder.exercise import load
from autograder.variant_table import Outcome, alike, healthy, same, totals
from autograder.variants import right, wrong

NOTEBOOK = "ch03a_self_attention"
EXERCISES = load(NOTEBOOK)


def test_a_blank_answer_is_what_nbgrader_hands_out():
    exercise = next(e for e in EXERCISES if e.id == "split_heads")
    text = answers.blank(exercise)
    assert text.rstrip().endswith("# YOUR CODE HERE\n    raise NotImplementedError()")
    assert "transpose" not in text.split('"""')[-1]


def test_patches_must_fit_exactly_once():
    assert wrong("x", "a", patch=("b", "c")).text("abd") == "acd"
    assert wrong("x", "a", patch=[("b", "c"), ("d", "e")]).text("abd") == "ace"
    with pytest.raises(ValueError, match="x/a: 'b' stands 2 times"):
        wrong("x", "a", patch=("b", "c")).text("bb")


def test_a_method_is_replaced_in_its_class():
    base = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
    text = right("x", "a", method="\n    def f(self):\n        return 3\n").text(base)
    scope = {}
    exec(text, scope)
    assert scope["A"]().f() == 3 and scope["A"]().g() == 2


def test_replies_are_compared_up_to_rounding():
    x = np.arange(3.0)
    assert same([x, (x, "ValueError")], [x + 1e-8, (x, "ValueError")])
    assert not same(x, x + 1e-3)
    assert not same(x, x[:2])
    assert not same([x], [x, x])
    assert not same("ValueError", x)
    assert same(np.array([np.nan]), np.array([np.nan]))


def test_answers_that_are_told_different_names_are_not_alike():
    stops = Outcome(0, named=[["a"]], replies=["ValueError"])
    assert alike(stops, Outcome(0, named=[["a"]], replies=["ValueError"]))
    assert not alike(stops, Outcome(0, named=[["b"]], replies=["ValueError"]))
    assert not alike(stops, Outcome(0, named=[["a"]], replies=[np.zeros(2)]))


def test_totals_are_sums():
    rows = [
        {
            "points": points,
            "reference": 1.0,
            "blank": 0.0,
            "right": {"total": 2, "full": 2},
            "wrong": {"total": 3, "killed": 3, "named": named},
            "indistinguishable": [],
        }
        for points, named in ((3, 2), (5, 3))
    ]
    assert totals(rows)["wrong"] == {"total": 6, "killed": 6, "named": 5}
    assert totals(rows)["points"] == 8 and totals(rows)["reference"] == 1.0
    assert not healthy(rows) and healthy(rows[1:])


def test_list_runs_nothing():
    command = [sys.executable, "-m", "autograder", "variants", "--list", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    listed = json.loads(done.stdout)
    assert {"id": "merge_heads", "notebook": NOTEBOOK, "points": 2, "stretch": True} in listed
