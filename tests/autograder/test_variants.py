"""The runner of right and wrong answers, and a fast part of what it shows about the graders."""

import json
import subprocess
import sys

import numpy as np
import pytest

from autograder import answers, variants
from autograder.exercise import load
from autograder.judge import PUBLIC_SEED
from autograder.variant_table import InProcess, exercise_table, healthy, same, totals
from autograder.variants import right, wrong

NOTEBOOK = "ch03a_self_attention"
EXERCISES = load(NOTEBOOK)
VARIANTS = variants.load_variants(NOTEBOOK)
# Those whose answers are layers or need gradients take a second each: here a few of them do.
LIGHT = [e for e in EXERCISES if e.kind != "layer" and e.id != "scaled_dot_product"]
HEAVY = {
    "scaled_dot_product": (
        "softmax_times_mask_renormalised",
        "minus_infinity_guarded",
        "no_scale",
        "minus_infinity",
        "numpy_inside",
        "no_scale_and_mask_after_softmax",
    ),
    "MultiHeadAttention": ("head_by_head", "layers_made_in_call", "mask_without_head_axis"),
    "capstone_self_attention": ("masks_written_out", "own_attention_unscaled"),
}


def table(exercise, chosen, seeds):
    found = []
    row = exercise_table(exercise, EXERCISES, chosen, InProcess, seeds=seeds, report=found.append)
    return row, found


@pytest.mark.parametrize("exercise", LIGHT, ids=[e.id for e in LIGHT])
def test_every_variant_of_the_light_exercises(exercise):
    row, found = table(exercise, VARIANTS, [PUBLIC_SEED, 1, 2])
    assert not found and healthy([row])
    assert row["right"]["total"] >= 3 and row["wrong"]["total"] >= 8


@pytest.mark.parametrize("exercise_id", HEAVY)
def test_a_few_variants_of_the_heavy_exercises(exercise_id):
    exercise = next(e for e in EXERCISES if e.id == exercise_id)
    chosen = [v for v in VARIANTS if v.exercise == exercise_id and v.name in HEAVY[exercise_id]]
    assert len(chosen) == len(HEAVY[exercise_id])
    row, found = table(exercise, chosen, [3])
    assert not found and healthy([row])


@pytest.mark.slow
@pytest.mark.parametrize("exercise", EXERCISES, ids=[e.id for e in EXERCISES])
def test_right_answers_keep_full_marks_on_fifty_seeds(exercise):
    row, found = table(exercise, VARIANTS, range(50))
    assert not found and healthy([row])


@pytest.mark.parametrize("exercise", EXERCISES, ids=[e.id for e in EXERCISES])
def test_there_are_enough_variants_and_they_fit_the_reference(exercise):
    mine = [v for v in VARIANTS if v.exercise == exercise.id]
    assert sum(v.right for v in mine) >= 3 and sum(not v.right for v in mine) >= 8
    base = answers.reference(exercise)
    texts = [(v.key, v.text(base)) for v in mine]
    assert len(set(texts)) == len(texts)
    known = set(exercise.misconceptions)
    for v in mine:
        assert v.right or (v.names and set(v.names) <= known), v.name


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
