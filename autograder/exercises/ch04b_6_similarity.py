"""Notebook ch04b, exercise 6: two texts of equal rank as GPT's inputs."""

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
from autograder.exercises.ch04b_5_entailment import WHOLE
from autograder.exercises.ch04b_set_mistakes import SIMILAR
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles import task_input_sets, task_inputs

ENTAILMENT = {"entailment_input": f"{LIBRARY}:entailment_input"}
# Lengths of both texts, and max_length.
CUT = ((8, 2, 9), (3, 9, 8), (6, 6, 10), (5, 5, 8), (7, 5, 10), (4, 8, 8), (9, 2, 6))
TIGHT = ((3, 3, 5), (4, 2, 4), (2, 5, 3))

similarity_input = Exercise(
    "similarity_input",
    notebook=NOTEBOOK,
    points=3,
    library=f"{LIBRARY}:similarity_input",
    needs={**ROOM, **ENTAILMENT},
    tensors=False,
)


def _judge(student, rng, lengths, max_length):
    texts, marks = some_texts(rng, *lengths), some_marks(rng)
    found = student(*lent(*texts), fixture("task_marks", *marks), **limit(max_length))
    expect(derived(found, task_inputs.rows_of)).equals(
        task_input_sets.similarity_input(*texts, marks, max_length or 0)
    )


@similarity_input.case(points=1, zh="放得下：两种次序", en="there is room: both orders")
def whole(student, rng):
    """No limit, a limit of 0, one that is never reached, one that just is; an empty text."""
    for *lengths, max_length in WHOLE:
        _judge(student, rng, lengths, max_length)


@similarity_input.case(
    points=1,
    zh="放不下：两种次序里，每段文字裁得一样",
    en="too long: each text is cut alike in both orders",
)
def cut(student, rng):
    """One text longer, both longer than half, even and odd room."""
    for *lengths, max_length in CUT:
        _judge(student, rng, lengths, max_length)


@similarity_input.case(
    points=1,
    zh="几乎没有地方：只剩一个词元、只剩记号，再少就报错",
    en="hardly any room: a token each, the marks alone, and less, which is an error",
)
def hardly_any_room(student, rng):
    """Down to three marks; then two numbers that are too small."""
    for *lengths, max_length in TIGHT:
        _judge(student, rng, lengths, max_length)
    given = (*lent(*some_texts(rng, 3, 2)), fixture("task_marks", *some_marks(rng)))
    for max_length in (2, 1):
        refuses(student, *given, marks=3, max_length=max_length)


for _name, (_switch, _zh, _en, _hints) in SIMILAR.items():
    similarity_input.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)
add_row_properties(similarity_input, marks=2, length=3)
