"""Notebook ch04b, exercise 7: a context and several answers as GPT's inputs."""

from autograder.exercise import Exercise
from autograder.exercises.ch04b_4_classification import (
    LIBRARY,
    NOTEBOOK,
    ROOM,
    add_row_properties,
    lent,
    limit,
    refuses,
    some_marks,
    some_texts,
)
from autograder.exercises.ch04b_6_similarity import ENTAILMENT
from autograder.exercises.ch04b_set_mistakes import CHOICES
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles import task_input_sets, task_inputs

# Lengths of the context and of three answers, and max_length.
WHOLE = ((5, 2, 4, 3, None), (3, 3, 1, 6, 0), (4, 2, 3, 1, 30), (6, 3, 2, 1, 12), (2, 0, 2, 1, 9))
CUT = ((9, 2, 6, 3, 9), (4, 2, 9, 7, 9), (5, 5, 1, 8, 9), (7, 3, 3, 4, 8), (6, 9, 1, 6, 8))
TIGHT = ((4, 2, 1, 3, 4), (2, 3, 1, 2, 3))

multiple_choice_input = Exercise(
    "multiple_choice_input",
    notebook=NOTEBOOK,
    points=3,
    library=f"{LIBRARY}:multiple_choice_input",
    needs={**ROOM, **ENTAILMENT},
    tensors=False,
)


def _given(rng, lengths):
    """The context and the answers, and both as the student's answer is given them."""
    context, *answers = some_texts(rng, *lengths)
    return (context, answers), (*lent(context), fixture("lent_sentences", answers))


def _judge(student, rng, lengths, max_length):
    texts, given = _given(rng, lengths)
    marks = some_marks(rng)
    found = student(*given, fixture("task_marks", *marks), **limit(max_length))
    expect(derived(found, task_inputs.rows_of)).equals(
        task_input_sets.multiple_choice_input(*texts, marks, max_length or 0)
    )


@multiple_choice_input.case(
    points=1,
    zh="放得下：每个答案都带着上文",
    en="there is room: every answer with the context",
)
def whole(student, rng):
    """No limit, a limit of 0, one that is never reached, one that just is; an empty answer."""
    for *lengths, max_length in WHOLE:
        _judge(student, rng, lengths, max_length)


@multiple_choice_input.case(
    points=1,
    zh="放不下：每一行各裁各的",
    en="too long: every line is cut for itself",
)
def cut(student, rng):
    """A long context, long answers, and both, beside rows that fit."""
    for *lengths, max_length in CUT:
        _judge(student, rng, lengths, max_length)


@multiple_choice_input.case(
    points=1,
    zh="几乎没有地方：只剩一个词元、只剩记号，再少就报错",
    en="hardly any room: one token, the marks alone, and less, which is an error",
)
def hardly_any_room(student, rng):
    """Down to three marks; then two numbers that are too small."""
    for *lengths, max_length in TIGHT:
        _judge(student, rng, lengths, max_length)
    _, given = _given(rng, (3, 2, 1, 2))
    given = (*given, fixture("task_marks", *some_marks(rng)))
    for max_length in (2, 1):
        refuses(student, *given, marks=3, max_length=max_length)


for _name, (_switch, _zh, _en, _hints) in CHOICES.items():
    multiple_choice_input.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)
add_row_properties(multiple_choice_input, marks=2, length=3)
