"""What is said of answers to ch00_start beyond the names that `variants.py` asks for."""

import pytest

from autograder.exercise import load
from autograder.handle import Handle
from autograder.judge import PUBLIC_SEED, judge
from autograder.variant_table import InProcess

BY_ID = {exercise.id: exercise for exercise in load("ch00_start")}
REPAIRED = """
from keras import ops

def repaired(token_ids, table, pad_id=0):
    weight = ops.cast(token_ids != pad_id, "float32")[:, :, None]
    mean = ops.sum(ops.take(table, token_ids, axis=0) * weight, axis=1)
    return mean / ops.maximum(ops.sum(weight, axis=1), 1)
"""


def judged(exercise_id, source, variant=None):
    transport = InProcess()
    assert not transport.run(source)
    exercise = BY_ID[exercise_id]
    return judge(exercise, Handle(transport, exercise, variant), seed=PUBLIC_SEED)


@pytest.mark.parametrize(
    "suspect",
    ["None", "'mask_from_vector'", "'掩码反了'", "('mask_inverted', 'divided_by_length')"],
)
def test_a_wrong_name_says_nothing_about_a_right_repair(suspect):
    result = judged("drill_ch00_start", f"suspect = {suspect}\n{REPAIRED}", "mask_from_vectors")
    assert [case.points for case in result.cases] == [0, 1, 1]
    assert not result.named and not result.located


def test_the_special_case_is_not_told_first():
    plain = (
        "from keras import ops\ndef masked_mean(x, padding_mask):\n    return ops.mean(x, axis=1)"
    )
    result = judged("masked_mean", plain)
    assert result.named == ["padding_counted"]
    assert "empty_sentences_are_zero" not in result.properties
