"""Notebook ch04b, exercise 5: a premise and a hypothesis as GPT's input."""

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
from autograder.exercises.ch04b_pair_mistakes import PAIR
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles import task_inputs as oracles

entailment_input = Exercise(
    "entailment_input",
    notebook=NOTEBOOK,
    points=3,
    library=f"{LIBRARY}:entailment_input",
    needs=ROOM,
    tensors=False,
)
# Lengths of both texts, and max_length.
WHOLE = ((4, 6, None), (5, 2, 0), (3, 4, 20), (4, 3, 10), (0, 3, None), (2, 0, 9))
CUT = ((9, 2, 10), (8, 3, 9), (2, 9, 8), (6, 6, 10), (5, 5, 9), (7, 4, 7), (3, 7, 6), (6, 9, 5))
TIGHT = ((3, 3, 4), (2, 5, 3), (1, 1, 3))


def _judge(student, rng, lengths, max_length):
    texts, marks = some_texts(rng, *lengths), some_marks(rng)
    found = student(*lent(*texts), fixture("task_marks", *marks), **limit(max_length))
    expect(derived(found, oracles.rows_of)).equals(
        oracles.entailment_input(*texts, marks, max_length or 0)
    )


@entailment_input.case(
    points=1,
    zh="放得下：前提、分隔、假设",
    en="there is room: premise, delimiter, hypothesis",
)
def whole(student, rng):
    """No limit, a limit of 0, one that is never reached, one that just is; an empty text."""
    for *lengths, max_length in WHOLE:
        _judge(student, rng, lengths, max_length)


@entailment_input.case(
    points=1,
    zh="放不下：裁长的那一段，一样长就裁第二段",
    en="too long: the longer text is cut, of equal ones the second",
)
def cut(student, rng):
    """The premise longer, the hypothesis longer, both of one length, even and odd room."""
    for *lengths, max_length in CUT:
        _judge(student, rng, lengths, max_length)


@entailment_input.case(
    points=1,
    zh="几乎没有地方：只剩一个词元、只剩记号，再少就报错",
    en="hardly any room: one token, the marks alone, and less, which is an error",
)
def hardly_any_room(student, rng):
    """Down to three marks; then two numbers that are too small."""
    for *lengths, max_length in TIGHT:
        _judge(student, rng, lengths, max_length)
    given = (*lent(*some_texts(rng, 3, 2)), fixture("task_marks", *some_marks(rng)))
    for max_length in (2, 1):
        refuses(student, *given, marks=3, max_length=max_length)


for _name, (_switch, _zh, _en, _hints) in PAIR.items():
    entailment_input.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)
add_row_properties(entailment_input, marks=2, length=3)
