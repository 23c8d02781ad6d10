"""What the checks of ch03a_self_attention know, and kinds of mistakes that they can name.

What every exercise must have is in test_every_exercise.py.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from autograder import answers
from autograder.drill_sources import read_bugs
from autograder.exercise import load
from autograder.exercises import common
from autograder.exercises.attention_mistakes import SHARED
from autograder.forbidden import banned_names, forbidden_use
from autograder.handle import Handle
from autograder.judge import judge
from autograder.variant_table import InProcess, judged

NOTEBOOK = "ch03a_self_attention"
POINTS = {
    "scaled_dot_product": 6,
    "selective_mask": 3,
    "causal_mask": 3,
    "combine_masks": 4,
    "split_heads": 3,
    "merge_heads": 2,
    "MultiHeadAttention": 8,
    "attention_flops": 3,
    "drill_ch03a_self_attention": 4,
    "capstone_self_attention": 4,
}
ROOT = Path(__file__).resolve().parents[2]
EXERCISES = load(NOTEBOOK)
BY_ID = {exercise.id: exercise for exercise in EXERCISES}


def named(exercise_id, source, seed=7):
    """The misconceptions that an answer is told."""
    exercise = BY_ID[exercise_id]
    cells = [*answers.preparation(exercise, EXERCISES), source]
    return judged(exercise, cells, InProcess(), [seed]).named[0]


def test_ids_points_and_order_are_the_contract():
    assert {e.id: e.points for e in EXERCISES} == POINTS
    assert [e.id for e in EXERCISES] == list(POINTS)
    assert sum(e.points for e in EXERCISES if not e.stretch) == 38


def test_exercises_and_oracles_import_neither_keras_nor_the_library():
    code = (
        "import sys; from autograder.exercise import all_exercises; all_exercises();"
        "print([m for m in ('keras', 'tensorflow', 'bert_keras') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_masks_for_cases_are_open_and_closed_in_every_row():
    rng = np.random.default_rng(0)
    for _ in range(50):
        mask = common.some_open(rng, 3, 4, 2)
        assert (mask.sum(axis=-1) == 1).all()
        mask = common.some_open(rng, 5, 7)
        assert mask.any(axis=-1).all() and not mask.all(axis=-1).any()


def result_of(exercise_id, source, seed=7):
    """All that an answer is told."""
    transport = InProcess()
    for cell in (answers.PRELUDE, source):
        assert transport.run(cell) == ""
    exercise = BY_ID[exercise_id]
    used = forbidden_use(banned_names(exercise), source)
    return judge(exercise, Handle(transport, exercise), seed=seed, forbidden=used)


SDPA = """
def scaled_dot_product(query, key, value, mask=None, dropout=None):
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1)) / query.shape[-1] ** 0.5
    if mask is not None:
        {mask}
    weights = ops.softmax(scores, axis=-1)
    used = weights if dropout is None else dropout(weights)
    return ops.matmul(used, value), weights
"""


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("scores = ops.where(mask, scores, 1e-9)", "closed_keys_score_zero"),
        ("scores = ops.where(mask, scores, 0.0)", "closed_keys_score_zero"),
        ("scores = scores * ops.cast(mask, 'float32')", "closed_keys_score_zero"),
        ("scores = scores + ops.cast(mask, 'float32') * -1e9", "mask_inverted"),
        ("scores = scores + ops.cast(mask, 'float32') * -1e4", "mask_inverted"),
        ("scores = ops.where(mask, -1e9, scores)", "mask_inverted"),
        ("scores = ops.where(mask, scores, 3e4)", "mask_fill_positive"),
        ("mask = ops.where(mask, scores, -1e9)", "mask_without_effect"),
    ],
)
def test_one_kind_of_mistake_has_one_name(line, name):
    assert named("scaled_dot_product", SDPA.format(mask=line)) == [name]


def test_scaling_twice_is_scaling_too_much():
    text = SDPA.format(mask="scores = ops.where(mask, scores, -1e9)")
    text = text.replace("scores = ops.matmul(", "query = query / 1.0\n    scores = ops.matmul(")
    text = text.replace("query / 1.0", "query / query.shape[-1] ** 0.5")
    assert named("scaled_dot_product", text) == ["scaled_without_root"]


def test_an_unknown_mistake_is_not_guessed_at_but_located():
    text = SDPA.format(mask="scores = ops.where(mask, scores, -1e9)")
    text = text.replace("return ops.matmul(used, value)", "return ops.sin(ops.matmul(used, value))")
    assert result_of("scaled_dot_product", text).named == []
    found = result_of("scaled_dot_product", text).properties
    assert found == ["weights_are_right", "output_follows_from_weights"]
    text = SDPA.format(mask="scores = ops.where(mask, scores, -3.7)")
    found = result_of("scaled_dot_product", text)
    assert found.named == [] and found.properties == ["closed_keys_get_nothing"]


@pytest.mark.parametrize(
    ("exercise_id", "source", "wanted"),
    [
        (
            "split_heads",
            "def split_heads(x, num_heads):\n"
            "    x = ops.reshape(x, (*x.shape[:2], num_heads, -1))\n"
            "    return ops.transpose(x, (0, 2, 1, 3)) * 2\n",
            ["numbers_only_move"],
        ),
        (
            "causal_mask",
            "def causal_mask(length):\n    return np.tri(length, k=3) > 0\n",
            ["future_is_closed"],
        ),
        (
            "combine_masks",
            "def combine_masks(padding_mask, attention_mask):\n"
            "    both = padding_mask[:, None] & attention_mask\n"
            "    return ops.logical_or(both, padding_mask[:, None] & (ops.shape(both)[1] > 5))\n",
            ["forbidden_keys_are_closed"],
        ),
    ],
)
def test_properties_say_where_to_look(exercise_id, source, wanted):
    found = result_of(exercise_id, source)
    assert found.named == [] and found.properties == wanted


def test_an_error_in_every_call_is_no_named_mistake():
    text = "def scaled_dot_product(*args, **kwargs):\n    raise ValueError('shapes')\n"
    assert named("scaled_dot_product", text) == []
    assert named("split_heads", "def split_heads(x, num_heads):\n    return undefined\n") == []


def judge_file(tmp_path, exercise_id, text, *options):
    path = tmp_path / "answer.py"
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "autograder", "judge", exercise_id, str(path), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_judge_grades_a_file_in_the_sandbox(tmp_path):
    text = "def split_heads(x, num_heads):\n    b, t, d = x.shape\n"
    text += "    return ops.reshape(x, (b, num_heads, t, d // num_heads))\n"
    done = judge_file(tmp_path, "split_heads", text, "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert found["named"] == ["bare_reshape"] and found["max_score"] == 3
    assert set(found) == {"score", "max_score", "named", "properties", "message", "incident"}


@pytest.mark.parametrize(
    ("exercise_id", "wanted"), [("nonsense", "no exercise 'nonsense'"), ("split_heads", "no file")]
)
def test_judge_says_what_is_missing(tmp_path, exercise_id, wanted):
    command = [sys.executable, "-m", "autograder", "judge", exercise_id, str(tmp_path / "no.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and wanted in done.stderr
    assert done.stderr.count("\n") == 1 and not done.stdout


# ------------------------------------------------------------------ what two walk-throughs found


def shown(exercise_id, source, seed=7):
    """The result of an answer, and all that its student gets to read."""
    exercise = BY_ID[exercise_id]
    cells = [*answers.preparation(exercise, EXERCISES), source]
    process = InProcess()
    for cell in cells:
        process.run(cell)
    result = judge(exercise, Handle(process, exercise), seed=seed)
    words = [result.message(lang) for lang in ("zh", "en")]
    return result, "\n".join([*words, *(hint.zh + hint.en for hint in result.hints)])


FROZEN = {
    "split_heads": """def split_heads(x, num_heads):
    B, T, D = x.shape
    return ops.transpose(ops.reshape(x, (B, T, num_heads, D // num_heads)), (0, 2, 1, 3))
""",
    "merge_heads": """def merge_heads(x):
    B, N, T, H = x.shape
    return ops.reshape(ops.transpose(x, (0, 2, 1, 3)), (B, T, N * H))
""",
    "combine_masks": """def combine_masks(padding_mask, attention_mask):
    B, S = padding_mask.shape
    T = attention_mask.shape[-2]
    rows = ops.broadcast_to(padding_mask[:, None, :], (B, T, S))
    return ops.logical_and(rows, attention_mask)
""",
}


@pytest.mark.parametrize("exercise_id", FROZEN)
def test_a_frozen_batch_size_is_right_but_gets_a_note(exercise_id):
    result, words = shown(exercise_id, FROZEN[exercise_id])
    assert result.score == result.max_score and not result.passed and not result.named
    assert "only at run time" in words and "到运行时才知道" in words


@pytest.mark.parametrize("exercise_id", FROZEN)
def test_the_reference_works_in_training(exercise_id):
    assert shown(exercise_id, answers.reference(BY_ID[exercise_id]))[0].passed


def test_the_drill_never_tells_which_bug_it_is():
    from autograder.exercises.ch03a_6_drill import DRILL_BUGS, drill
    from autograder.exercises.drill_parts import released_bug

    bugs = read_bugs(ROOT / "solutions" / NOTEBOOK / "drill.py")
    bug = released_bug(drill, Handle(None, drill))
    copied = bugs[DRILL_BUGS.index(bug)].source.replace("patient", "repaired")
    for guess in [*(key for key in DRILL_BUGS if key != bug), "nonsense", f"{bug}x"]:
        result, words = shown(drill.id, f'suspect = "{guess}"\n{copied}')
        assert result.score < 4
        assert bug not in words.replace(f"{bug}x", "")
        for text in (SHARED[name] for name in SHARED if name in result.named):
            assert text["zh"] not in words and text["en"] not in words
    assert shown(drill.id, f'suspect = " {bug} "\n{copied}')[0].cases[0].passed


def test_a_fact_about_the_result_is_told_in_words():
    nan = """def scaled_dot_product(query, key, value, mask=None, dropout=None):
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1)) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = ops.where(mask, scores, -float("inf"))
    weights = ops.softmax(scores, axis=-1)
    kept = weights if dropout is None else dropout(weights)
    return ops.matmul(kept, value), weights
"""
    words = shown("scaled_dot_product", nan)[1]
    assert "contain NaN" in words and "result[" not in words
