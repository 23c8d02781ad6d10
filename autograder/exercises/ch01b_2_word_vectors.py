"""Notebook ch01b, exercise 2: the continuous bag of words."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.bag_mistakes import FORWARD
from autograder.exercises.common import NOT_FINITE, derived, normal
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import word_vectors

NOTEBOOK = "ch01b_words_and_windows"
# The contract says that they will be trained with, and the notebook does so: it has its points.
TRAINS = Text(
    "训练时也能用：那时批次大小还不知道，数也还没算出来",
    "works in training too, where neither the batch size nor any number is known yet",
)

cbow_forward = Exercise(
    "cbow_forward",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.layers.word_vectors:cbow_forward",
)


def bags(rng, examples, width, vocabulary, padded=True):
    """Context ids; with padding in front, behind and in the middle, one neighbour at least."""
    ids = rng.integers(1, vocabulary, (examples, width)).astype(np.int32)
    if padded:
        keep = rng.integers(width, size=examples)
        holes = rng.random((examples, width)) < 0.4
        holes[0] = False  # one full row,
        holes[1] = True  # and one with a single neighbour
        holes[2, [0, -1]] = [True, False]
        keep[2] = width - 1
        holes[np.arange(examples), keep] = False
        ids[holes] = 0
    return ids


def tables(rng, vocabulary, size):
    """Two tables of vectors; the row of the padding is as large as any."""
    return normal(rng, vocabulary, size), normal(rng, vocabulary, size)


@cbow_forward.case(
    points=1,
    zh="每个位置都有词；重复的词算两次，打乱次序结果不变",
    en="a word in every place; one that comes twice counts twice, and order doesn't matter",
)
def full_contexts(student, rng):
    """All sizes differ; then the same contexts, with repeated words, in two orders."""
    ids = bags(rng, 3, 4, 9, padded=False)
    arguments = (ids, *tables(rng, 9, 5))
    expect(student(*arguments)).equals(word_vectors.cbow_forward(*arguments))
    ids = bags(rng, 4, 5, 8, padded=False)
    ids[:, 1] = ids[:, 0]
    arguments = (ids, *tables(rng, 8, 3))
    expect(student(*arguments)).equals(word_vectors.cbow_forward(*arguments))
    shuffled = (ids[:, rng.permutation(5)], *arguments[1:])
    expect(student(*shuffled)).equals(word_vectors.cbow_forward(*shuffled))


@cbow_forward.case(
    points=1, zh="有的位置没有词：0 不算", en="places without a word: 0 doesn't count"
)
def with_padding(student, rng):
    """Row 0 of the table is far from zero."""
    ids = bags(rng, 5, 6, 11)
    arguments = (ids, *tables(rng, 11, 4))
    expect(student(*arguments)).equals(word_vectors.cbow_forward(*arguments))


@cbow_forward.case(
    points=1, zh="一个邻居也没有：向量是 0，不是 NaN", en="no neighbour at all: zeros, not NaN"
)
def nobody_around(student, rng):
    """A sentence of one word has no context."""
    ids = bags(rng, 4, 3, 7, padded=False)
    ids[1] = 0
    arguments = (ids, *tables(rng, 7, 6))
    actual = student(*arguments)
    expect(derived(actual, word_vectors.finite)).equals(
        word_vectors.finite_rows(*arguments), otherwise=NOT_FINITE
    )
    expect(actual).equals(word_vectors.cbow_forward(*arguments))


@cbow_forward.case(points=1, zh=TRAINS.zh, en=TRAINS.en)
def forward_in_training(student, rng):
    """As `fit` calls it: a tensor of unknown batch size that has no numbers yet."""
    arguments = (bags(rng, 3, 4, 6), *tables(rng, 6, 5))
    wanted = word_vectors.cbow_forward(*arguments, traced=True)
    expect(student.in_training(*arguments)).equals(wanted)


for _name, (_switch, _zh, _en, _hints) in FORWARD.items():
    cbow_forward.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@cbow_forward.property(
    "pair_returned",
    zh="应当返回一对：（隐藏向量，logits）。",
    en="It should return the pair (hidden, logits).",
)
def no_pair(seen):
    return isinstance(seen.expected, tuple) and not (
        isinstance(seen.actual, tuple) and len(seen.actual) == 2
    )


@cbow_forward.property(
    "shapes_are_right",
    zh="形状不对：逐个轴对照说明。",
    en="A shape is wrong: compare it with the contract axis by axis.",
)
def a_shape_is_wrong(seen):
    pairs = zip(seen.actual, seen.expected, strict=True)
    return any(np.shape(got) != np.shape(want) for got, want in pairs)


@cbow_forward.property(
    "result_is_finite",
    zh="结果里有 NaN 或无穷大。",
    en="There are NaN or infinities in the result.",
)
def not_finite(seen):
    if not isinstance(seen.expected, tuple):
        return not np.asarray(seen.actual).all()
    return any(not np.isfinite(part).all() for part in seen.actual)


@cbow_forward.property(
    "full_rows",
    zh="没有 0 的上下文，隐藏向量不对。",
    en="Contexts without any 0 get a wrong hidden vector.",
)
def full_rows_are_wrong(seen):
    full = (seen.args[0] != 0).all(axis=1)
    return not np.allclose(seen.actual[0][full], seen.expected[0][full], atol=1e-4)


@cbow_forward.property(
    "padded_rows",
    zh="有 0 的上下文，隐藏向量不对。",
    en="Contexts with some 0 get a wrong hidden vector.",
)
def padded_rows_are_wrong(seen):
    padded = (seen.args[0] == 0).any(axis=1)
    return not np.allclose(seen.actual[0][padded], seen.expected[0][padded], atol=1e-4)


@cbow_forward.property(
    "logits_follow_from_hidden",
    zh="隐藏向量对了，logits 却不是它和每个词的输出向量的点积。",
    en="The hidden vectors are right, but the logits aren't their dot products with the words' "
    "output vectors.",
)
def logits_are_something_else(seen):
    return np.allclose(seen.actual[0], seen.expected[0], atol=1e-4) and not np.allclose(
        seen.actual[1], seen.expected[1], atol=1e-4
    )
