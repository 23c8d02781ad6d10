"""Notebook ch06a, exercise 2: two texts in one row."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06a_1_classifier import CLOSE, NOTEBOOK, OPS, dense_of, some_dense
from autograder.exercises.ch06a_pair_mistakes import PAIRS
from autograder.exercises.common import normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles.text_pairs import pair_logits as oracle

WORDS = 40

pair_logits = Exercise(
    "pair_logits",
    notebook=NOTEBOOK,
    points=4,
    needs=OPS,
    tensors=False,
)


def some_tables(rng, size, dim):
    """Tables of tokens and of segments, and the kernel of the planted encoder."""
    return normal(rng, size, dim), normal(rng, 2, dim), normal(rng, dim, dim)


def some_pairs(rng, *lengths):
    """Pairs of texts of these lengths; id 0 is a word like any other and stands in the first."""
    found = [
        tuple([int(token) for token in rng.integers(0, WORDS - 5, length)] for length in pair)
        for pair in lengths
    ]
    if found[0][0]:
        found[0][0][0] = 0
    return found


def some_plan(rng, length, manner="plain"):
    """Length of a row, ids of [CLS], [SEP] and padding (none is 0), and how it is packed."""
    marks = rng.permutation(np.arange(WORDS - 5, WORDS))[:3]
    return length, tuple(int(mark) for mark in marks), manner


def _judge(student, rng, lengths, length, dim, classes, manner="plain"):
    pairs, plan = some_pairs(rng, *lengths), some_plan(rng, length, manner)
    tables, dense = some_tables(rng, WORDS, dim), some_dense(rng, dim, classes)
    found = student(
        fixture("lent_pairs", [[list(text) for text in pair] for pair in pairs]),
        fixture("planted_pack", *plan[:1], list(plan[1]), plan[2]),
        fixture("sentence_encoder", *tables, False),
        dense_of(*dense),
    )
    expect(found).equals(oracle(pairs, plan, tables, *dense), **CLOSE)


@pair_logits.case(
    points=1,
    zh="每一对拼成一行，第一段在前",
    en="each pair makes one row, its first text first",
)
def pairs_in_rows(student, rng):
    """Lengths that differ, the first longer or the second; then all sizes agree."""
    _judge(student, rng, ((3, 5), (4, 2), (2, 2)), 12, 5, 3)
    _judge(student, rng, ((2, 3), (4, 1), (1, 4), (3, 3), (2, 1), (1, 1), (4, 4), (3, 1)), 11, 4, 2)


@pair_logits.case(
    points=1,
    zh="片段号和掩码都到得了 encode",
    en="segments and mask reach the encoder",
)
def all_three_inputs(student, rng):
    """Much padding and little; texts of very different lengths."""
    _judge(student, rng, ((1, 6), (7, 1)), 14, 6, 2)
    _judge(student, rng, ((5, 4), (1, 1), (2, 6)), 12, 4, 4)


@pair_logits.case(
    points=1,
    zh="pack 怎么拼都行：给什么就交什么",
    en="pack may do it another way: what it makes is handed on",
)
def packed_another_way(student, rng):
    """Segments and mask that can't be guessed from ids."""
    _judge(student, rng, ((3, 4), (5, 2), (1, 3)), 12, 5, 3, "other")
    _judge(student, rng, ((2, 5), (4, 4)), 11, 4, 2, "other")


@pair_logits.case(
    points=1,
    zh="只有一对；空的一段；许多对",
    en="a single pair; an empty text; many pairs",
)
def few_and_many(student, rng):
    """One row that is just full; an empty text on either side; nine pairs of all lengths."""
    _judge(student, rng, ((4, 3),), 10, 5, 3)
    _judge(student, rng, ((3, 0), (0, 4)), 9, 4, 2)
    lengths = [tuple(int(n) for n in rng.integers(1, 7, 2)) for _ in range(9)]
    _judge(student, rng, lengths, 16, 6, 3)


for _name, (_switch, _zh, _en, _hints) in PAIRS.items():
    pair_logits.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@pair_logits.property(
    "shape_is_right",
    zh="形状不对：应当是 (B, C)，一对一行。",
    en="The shape is wrong: it should be (B, C), a row for each pair.",
)
def shape_is_wrong(seen):
    return np.shape(seen.actual) != seen.expected.shape


@pair_logits.property(
    "no_probabilities",
    zh="每行加起来正好是 1：那是概率，不是 logits。",
    en="Every row adds up to 1: these are probabilities, not logits.",
)
def rows_add_up_to_one(seen):
    got = np.asarray(seen.actual, float)
    return got.shape == seen.expected.shape and bool(np.allclose(got.sum(axis=-1), 1, atol=1e-4))


@pair_logits.property(
    "every_pair_has_its_row",
    zh="数都算出来了，可是行的次序不对。",
    en="The numbers are all there, but rows are in another order.",
)
def rows_are_exchanged(seen):
    got = np.asarray(seen.actual, float)
    if got.shape != seen.expected.shape:
        return False
    near = np.isclose(got[:, None], seen.expected[None], **CLOSE).all(axis=-1)
    return bool(near.any(axis=1).all()) and not bool(np.diagonal(near).all())


@pair_logits.property(
    "logits_are_right",
    zh="logits 不对：交给 encode 的是什么，从哪里读的？",
    en="The logits are wrong: what goes into encode, and where is the answer read?",
    alone=True,
)
def logits_are_wrong(seen):
    return np.shape(seen.actual) == seen.expected.shape
