"""Answers to ch01a_seq2seq that once passed, or were told something that wasn't so."""

import pytest

from autograder import answers
from autograder.exercise import load
from autograder.handle import Handle
from autograder.judge import judge
from autograder.variant_table import InProcess

EXERCISES = load("ch01a_seq2seq")
BY_ID = {exercise.id: exercise for exercise in EXERCISES}


def judged(exercise_id, source, seed=7):
    """The result of an answer, and all that its student gets to read."""
    exercise = BY_ID[exercise_id]
    process = InProcess()
    for cell in [*answers.preparation(exercise, EXERCISES), source]:
        process.run(cell)
    result = judge(exercise, Handle(process, exercise), seed=seed)
    return result, "\n".join(result.message(lang) for lang in ("zh", "en"))


def patched(exercise_id, *pairs):
    """The reference with some texts exchanged."""
    text = answers.reference(BY_ID[exercise_id])
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


# All of these are right on given sizes, and stop in `fit`.
STOP_IN_FIT = {
    "lstm_step": [patched("lstm_step", ("ops.matmul(x, kernel)", "np.asarray(x) @ kernel"))],
    "gru_step": [
        patched("gru_step", ("ops.matmul(x, kernel)", "np.asarray(x) @ kernel")),
        patched("gru_step", ("return ", "ops.zeros(x.shape)\n    return ")),
    ],
    "masked_unroll": [
        patched(
            "masked_unroll",
            ("outputs = []", "outputs, padding_mask = [], np.asarray(padding_mask)"),
        ),
        """
def masked_unroll(step, x, states, padding_mask):
    batch, finals = [], []
    for b in range(x.shape[0]):
        own = tuple(s[b : b + 1] for s in states)
        outputs = []
        for t in range(x.shape[1]):
            if padding_mask[b, t]:
                own = step(x[b : b + 1, t], *own)
            outputs.append(own[0])
        batch.append(ops.stack(outputs, axis=1))
        finals.append(own)
    last = tuple(ops.concatenate(parts, axis=0) for parts in zip(*finals))
    return ops.concatenate(batch, axis=0), last
""",
    ],
    "encoder_decoder": [
        patched("encoder_decoder", ("ops.shape(source_ids)[0]", "source_ids.shape[0]")),
    ],
    "sequence_loss": [
        patched(
            "sequence_loss",
            ("is_real = ", "label_mask = ops.reshape(label_mask, label_ids.shape)\n    is_real = "),
        ),
    ],
}


@pytest.mark.parametrize(
    ("exercise_id", "source"),
    [(name, source) for name, sources in STOP_IN_FIT.items() for source in sources],
)
def test_what_stops_in_fit_costs_a_point_and_has_no_wrong_name(exercise_id, source):
    result, _ = judged(exercise_id, source)
    failed = [case.name for case in result.cases if not case.passed]
    assert failed == ["in_training"] and result.score == result.max_score - 1
    assert not result.named


def test_a_step_in_numpy_is_told_that_its_gradient_is_lost():
    result, _ = judged(
        "rnn_step", patched("rnn_step", ("ops.matmul(x,", "ops.matmul(np.asarray(x),"))
    )
    assert result.score == 1 and not result.named  # the kernel's gradient still gets back
    result, _ = judged("rnn_step", patched("rnn_step", ("return ops.tanh(", "return np.tanh(")))
    assert result.named == ["gradient_lost"]


def test_a_loss_turned_into_a_python_number_is_told_so():
    source = patched(
        "sequence_loss",
        (
            "return -ops.sum(of_labels * is_real) / ops.sum(is_real)",
            "return float(-ops.sum(of_labels * is_real) / ops.sum(is_real))",
        ),
    )
    result, words = judged("sequence_loss", source)
    assert result.named == ["gradient_lost"] and result.score <= 2
    assert "float(...)" in words


def test_a_softmax_that_keras_would_undo_is_seen_on_every_backend():
    source = """
def sequence_loss(logits, label_ids, label_mask):
    chances = ops.softmax(logits, axis=-1)
    each = ops.sparse_categorical_crossentropy(label_ids, chances, from_logits=True)
    weight = ops.cast(label_mask, "float32")
    return ops.sum(each * weight) / ops.sum(weight)
"""
    result, _ = judged("sequence_loss", source)
    assert result.named == ["softmax_before_the_loss"] and result.score == 0
    # Taken for what it is, it is right.
    assert judged("sequence_loss", source.replace("from_logits=True", "from_logits=False"))[
        0
    ].passed


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("axis=1), states", "axis=1), states[0]", "single tensor"),
        ("axis=1), states", "axis=1), states[:1]", "as many as there were"),
        ("axis=1), states", "axis=1)", "a pair (outputs, states)"),
    ],
)
def test_a_pair_of_another_form_is_told_in_the_words_of_the_contract(old, new, told):
    _, words = judged("masked_unroll", patched("masked_unroll", (old, new)))
    assert told in words and "states[1]" not in words


def test_what_goes_wrong_at_leading_padding_only_is_not_blamed_on_the_first_step():
    source = patched(
        "masked_unroll",
        ("outputs.append(states[0])", "outputs.append(ops.where(is_real, states[0], 0.0))"),
    )
    result, _ = judged("masked_unroll", source)
    assert "waits_at_leading_padding" in result.properties
    assert "first_step_is_right" not in result.properties


def test_an_exchanged_pair_is_not_told_that_its_carry_is_wrong():
    source = patched(
        "lstm_step",
        (
            "return ops.sigmoid(output_gate) * ops.tanh(carry), carry",
            "return carry, ops.sigmoid(output_gate) * ops.tanh(carry)",
        ),
    )
    result, _ = judged("lstm_step", source)
    assert result.named == ["pair_swapped"] and "carry_is_right" not in result.properties


def test_what_follows_an_end_is_not_blamed_on_the_second_step():
    source = patched("greedy_decode", ("ops.where(has_ended, end_id, likeliest)", "likeliest"))
    result, _ = judged("greedy_decode", source)
    assert result.named == ["ended_rows_speak_on"]
    assert "second_token_is_right" not in result.properties
    assert "rows_end_properly" in result.properties


def test_the_drill_tells_a_fault_of_ones_own_from_the_old_ones():
    source = """
suspect = "inputs_not_shifted"


def repaired(source_ids, source_mask, token_ids, token_mask, weights):
    inputs, labels, label_mask = shift_right(token_ids, token_mask)
    logits = encoder_decoder(source_ids, source_mask, inputs, weights)
    return ops.softmax(logits), sequence_loss(logits, labels, label_mask)
"""
    result, _ = judged("drill_ch01a_seq2seq", source)
    assert "softmax_returned" in result.named and "softmax_missing" not in result.named
