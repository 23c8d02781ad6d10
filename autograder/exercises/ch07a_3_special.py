"""Notebook ch07a, exercise 3: how much of their attention words give to special tokens."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07a_kit import (
    LIBRARY,
    NOTEBOOK,
    add_measure_properties,
    ask_whether_weights_change,
    measured,
    padding,
    some_attention,
)
from autograder.exercises.ch07a_special_mistakes import MASS, MEANS
from autograder.exercises.common import name_mistakes
from autograder.expectations import expect
from autograder.oracles.special_mass import mass_on_special as oracle

mass_on_special = Exercise(
    "mass_on_special",
    notebook=NOTEBOOK,
    points=4,
    library=f"{LIBRARY}:mass_on_special",
    tensors=False,
)


def some_special(rng, mask, most=3):
    """A mask of special tokens: the first real one, the last one, and in most rows others.

    Their number differs from row to row, and words are left everywhere.
    """
    special = np.zeros_like(mask)
    for number, (row, real) in enumerate(zip(special, mask, strict=True)):
        places = np.flatnonzero(real)
        row[places[[0, -1]]] = True
        inner = places[1:-1]
        others = min(number % most, len(inner) - 1)
        if others > 0:
            row[rng.permutation(inner)[:others]] = True
    return special


def attention_with_rests(rng, mask, special, heads):
    """Attention that likes special tokens, most of all where it comes from one."""
    weights = some_attention(rng, mask, heads).astype(float)
    liked = np.where(special[:, None, None, :], 3.0, 1.0)
    liked = np.where(special[:, None, :, None] & special[:, None, None, :], 9.0, liked)
    weights *= liked
    return (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)


def _judge(student, given):
    expect(student(*(x.copy() for x in given))).equals(oracle(*given))


def _given(rng, lengths, size, heads, left=(), marked_padding=False):
    mask = padding(lengths, size, left)
    special = some_special(rng, mask)
    weights = attention_with_rests(rng, mask, special, heads)
    if marked_padding:
        special = special | (~mask & (rng.random(mask.shape) < 0.6))
    return weights, special, mask


@mass_on_special.case(
    points=1,
    zh="没有填充：词给特殊词元的份额",
    en="no padding: what words give to special tokens",
)
def of_words(student, rng):
    """Rows differ in how many special tokens they have, and where."""
    for batch, heads, length in ((1, 2, 6), (4, 3, 7)):
        _judge(student, _given(rng, [length] * batch, length, heads))


@mass_on_special.case(
    points=2,
    zh="填充的查询不算，所有行放在一起平均",
    en="queries at padding don't count; one mean over all rows",
)
def with_padding(student, rng):
    """Padding is marked as special sometimes, as it may be: its keys have no weight."""
    _judge(student, _given(rng, (7, 4, 5), 9, 3))
    _judge(student, _given(rng, (5, 9, 4, 6), 10, 3, left=(0, 3)))
    _judge(student, _given(rng, (4, 8, 6), 9, 2, marked_padding=True))


@mass_on_special.case(
    points=1,
    zh="一行里没有特殊词元，或者只有一个词；weights 不改动",
    en="rows without special tokens or with a single word; weights are left alone",
)
def at_the_edges(student, rng):
    """As full stops are, which not every sentence has."""
    weights, special, mask = _given(rng, (6, 4, 3), 6, 6)
    special[1] = False
    _judge(student, (weights, special, mask))
    weights, special, mask = _given(rng, (5, 5, 3), 6, 2)
    special[0] = mask[0]
    special[0, 2] = False
    _judge(student, (weights, special, mask))
    ask_whether_weights_change(student, _given(rng, (5, 4), 5, 2))


name_mistakes(mass_on_special, MASS, MEANS)
add_measure_properties(mass_on_special, "mass", 2)


@mass_on_special.property(
    "shares_are_from_0_to_1",
    zh="份额应当在 0 到 1 之间。",
    en="Shares should be from 0 to 1.",
)
def outside(seen):
    got, _ = measured(seen, ("mass",))
    return bool((got < -1e-4).any() or (got > 1 + 1e-4).any())
