"""Notebook ch06a, exercise 4: several answers, a row for each."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch06a_1_classifier import CLOSE, NOTEBOOK, OPS, dense_of, some_dense
from autograder.exercises.ch06a_2_pairs import some_tables
from autograder.exercises.ch06a_choice_mistakes import CHOICES
from autograder.exercises.common import IN_TRAINING
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles.answer_choices import multiple_choice_forward as oracle
from autograder.oracles.text_pairs import INPUTS

WORDS = 30

multiple_choice_forward = Exercise(
    "multiple_choice_forward",
    notebook=NOTEBOOK,
    points=5,
    needs=OPS,
)


def some_questions(rng, batch, choices, length, padded=True, parted=True):
    """Ids, segments and mask (B, K, T); every row is padded and parted in its own way.

    Id 0 is a word like any other; a row's first token is never a pad.
    """
    shape = (batch, choices, length)
    ids = rng.integers(0, WORDS, shape).astype(np.int32)
    ids[:, :, 1] = 0
    places = np.arange(length)
    ends = rng.integers(2, length, shape[:2]) if padded else np.full(shape[:2], length)
    parts = rng.integers(1, length, shape[:2])
    mask = places < ends[..., None]
    segments = (places >= parts[..., None]).astype(np.int32)
    return ids, segments if parted else np.zeros_like(segments), mask


def _given(rng, inputs, dim):
    """Arguments of the answer, and those of the oracle."""
    tables = some_tables(rng, WORDS, dim)
    kernel, bias = some_dense(rng, dim, 1)
    named = dict(zip(INPUTS, inputs, strict=True))
    arguments = named, fixture("sentence_encoder", *tables, True), dense_of(kernel, bias)
    return arguments, (*inputs, tables, kernel, bias)


def _judge(student, rng, inputs, dim):
    arguments, known = _given(rng, inputs, dim)
    expect(student(*arguments)).equals(oracle(*known), **CLOSE)


@multiple_choice_forward.case(
    points=1,
    zh="折成行，打分，折回来",
    en="folded to rows, scored, folded back",
)
def folded_and_back(student, rng):
    """More answers than questions, then fewer; no padding and one segment."""
    for batch, choices, length, dim in ((2, 4, 6, 5), (5, 3, 7, 4)):
        _judge(student, rng, some_questions(rng, batch, choices, length, False, False), dim)


@multiple_choice_forward.case(
    points=1,
    zh="每一行有自己的片段号",
    en="every row has segments of its own",
)
def own_segments(student, rng):
    """Two segments, which end elsewhere in every row."""
    _judge(student, rng, some_questions(rng, 3, 4, 8, padded=False), 5)


@multiple_choice_forward.case(
    points=1,
    zh="每一行有自己的掩码",
    en="every row has a mask of its own",
)
def own_mask(student, rng):
    """Padding that differs from row to row."""
    _judge(student, rng, some_questions(rng, 4, 3, 9), 6)


@multiple_choice_forward.case(
    points=1,
    zh="K 是几都行：等于 B，等于 T，只有一个，只有一道题",
    en="any K: that of B, that of T, one answer, one question",
)
def other_sizes(student, rng):
    """Where several axes fit; then a single answer, and a single question."""
    for batch, choices, length, dim in (
        (4, 4, 4, 4),
        (3, 3, 6, 5),
        (2, 5, 5, 3),
        (3, 1, 6, 4),
        (1, 5, 7, 4),
    ):
        _judge(student, rng, some_questions(rng, batch, choices, length), dim)


@multiple_choice_forward.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """The number of questions isn't known; an error here is no evidence of a mistake."""
    arguments, known = _given(rng, some_questions(rng, 3, 4, 6), 5)
    works_in_training(student, arguments, oracle(*known), unknown=(0,))


for _name, (_switch, _zh, _en, _hints) in CHOICES.items():
    multiple_choice_forward.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _logits(seen):
    """What came back, where it has the right shape.

    Raises:
        LookupError: it hasn't.
    """
    got = np.asarray(seen.actual, float)
    if got.shape != seen.expected.shape:
        raise LookupError("another shape")
    return got


@multiple_choice_forward.property(
    "shape_is_right",
    zh="形状不对：应当是 (B, K)。",
    en="The shape is wrong: it should be (B, K).",
)
def shape_is_wrong(seen):
    return np.shape(seen.actual) != seen.expected.shape


@multiple_choice_forward.property(
    "no_probabilities",
    zh="每行加起来正好是 1：那是概率，不是 logits。",
    en="Every row adds up to 1: these are probabilities, not logits.",
)
def rows_add_up_to_one(seen):
    return bool(np.allclose(_logits(seen).sum(axis=-1), 1, atol=1e-4))


@multiple_choice_forward.property(
    "every_score_in_its_cell",
    zh="分数都算出来了，可是放错了格子。",
    en="The scores are all there, but in wrong cells.",
)
def scores_are_exchanged(seen):
    got = _logits(seen)
    here = np.allclose(np.sort(got, axis=None), np.sort(seen.expected, axis=None), **CLOSE)
    return here and not np.allclose(got, seen.expected, **CLOSE)


@multiple_choice_forward.property(
    "scores_are_right",
    zh="分数不对：每一行交给 encode 的是什么，后面过了哪几步？",
    en="The scores are wrong: what goes into encode for each row, and which steps follow?",
    alone=True,
)
def scores_are_wrong(seen):
    _logits(seen)
    return True
