"""Notebook ch06b, exercise 7: a pronoun beside its candidates."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch06b_1_labels import NOTEBOOK
from autograder.exercises.ch06b_mention_mistakes import MENTIONS
from autograder.exercises.common import IN_TRAINING, normal
from autograder.expectations import expect
from autograder.oracles.mention_pairs import coreference_pair_features as oracle

CLOSE = {"atol": 3e-5, "rtol": 3e-5}

coreference_pair_features = Exercise(
    "coreference_pair_features",
    notebook=NOTEBOOK,
    points=4,
    needs={"ops": "autograder.stand_ins.ch01a_seq2seq:plain_ops"},
    forbids=("bert_keras.models.coreference.pair_features",),
)


def some_mentions(rng, batch, mentions, length, single=False):
    """A mask (B, M, T) whose mentions are of different lengths, overlap, and have gaps.

    Whether a mention's first token or its last one is looked at, a row has both of them elsewhere.
    """
    mask = np.zeros((batch, mentions, length), bool)
    for row in range(batch):
        for mention in range(mentions):
            number = 1 if single else 1 + (row + mention + int(rng.integers(2))) % 3
            mask[row, mention, rng.permutation(length)[:number]] = True
    return mask


def _given(rng, batch, mentions, length, dim, single=False):
    """States of order one, nowhere near a mean of 0, and the mask."""
    states = normal(rng, batch, length, dim) + np.float32(0.5)
    return states, some_mentions(rng, batch, mentions, length, single)


def _judge(student, given):
    expect(student(*given)).equals(oracle(*given), **CLOSE)


@coreference_pair_features.case(
    points=1,
    zh="提及各是一个词元：代词、候选、乘积，按这个次序",
    en="mentions of one token: pronoun, candidate, product, in this order",
)
def the_order(student, rng):
    """All sizes differ; no mean is taken yet."""
    for sizes in ((2, 4, 7, 5), (3, 5, 6, 2)):
        _judge(student, _given(rng, *sizes, single=True))


@coreference_pair_features.case(
    points=1,
    zh="提及的向量是它的词元的平均",
    en="the vector of a mention is the mean of its tokens",
)
def the_mean(student, rng):
    """Mentions of one to three tokens, neighbours or not; then large numbers elsewhere."""
    _judge(student, _given(rng, 3, 4, 8, 5))
    states, mask = _given(rng, 2, 5, 12, 3)
    states[~mask.any(axis=1)] *= np.float32(1e3)
    _judge(student, (states, mask))


@coreference_pair_features.case(
    points=1,
    zh="几个轴一样大；只有一个候选；只有一句",
    en="axes of one size; a single candidate; a single sentence",
)
def other_sizes(student, rng):
    """Where several axes fit."""
    for sizes in ((4, 4, 4, 4), (3, 4, 3, 3), (3, 2, 6, 4), (1, 4, 7, 5), (5, 5, 6, 6)):
        _judge(student, _given(rng, *sizes))


@coreference_pair_features.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """The number of sentences isn't known; an error here is no evidence of a mistake."""
    given = _given(rng, 3, 4, 7, 5)
    works_in_training(student, given, oracle(*given), unknown=(0, 1))


for _name, (_switch, _zh, _en, _hints) in MENTIONS.items():
    coreference_pair_features.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _thirds(seen):
    """The three thirds that came back, and those that should have.

    Raises:
        LookupError: the shape is another.
    """
    got = np.asarray(seen.actual, float)
    if got.shape != seen.expected.shape or is_half_precise(seen):
        raise LookupError("another shape, or rounded")
    return np.split(got, 3, axis=-1), np.split(seen.expected, 3, axis=-1)


@coreference_pair_features.property(
    "shape_is_right",
    zh="形状不对：应当是 (B, M − 1, 3D)。",
    en="The shape is wrong: it should be (B, M − 1, 3D).",
)
def shape_is_wrong(seen):
    return np.shape(seen.actual) != seen.expected.shape


@coreference_pair_features.property(
    "all_is_finite",
    zh="结果里有 NaN 或无穷大。",
    en="There are NaN or infinities in the result.",
)
def something_is_not_finite(seen):
    return not np.isfinite(np.asarray(seen.actual, float)).all()


@coreference_pair_features.property(
    "precision_is_kept",
    zh="结果是 float16，精度不够：dtype 应当和 sequence_output 一样。",
    en="The result is float16, which is too coarse: its dtype should be that of sequence_output.",
)
def is_half_precise(seen):
    return np.asarray(seen.actual).dtype == np.float16


@coreference_pair_features.property(
    "first_third_is_the_pronoun",
    zh="前三分之一不对：应当是代词的向量，对每个候选都一样。",
    en="The first third is wrong: it should be the pronoun's vector, the same beside every "
    "candidate.",
)
def pronoun_is_wrong(seen):
    got, wanted = _thirds(seen)
    return not np.allclose(got[0], wanted[0], **CLOSE)


@coreference_pair_features.property(
    "second_third_is_the_candidate",
    zh="中间三分之一不对：应当是每个候选的向量。",
    en="The second third is wrong: it should be the vector of each candidate.",
)
def candidate_is_wrong(seen):
    got, wanted = _thirds(seen)
    return not np.allclose(got[1], wanted[1], **CLOSE)


@coreference_pair_features.property(
    "last_third_is_the_product",
    zh="前两份都对，最后三分之一不对：应当是两个向量逐个相乘。",
    en="The first two thirds are right, the last isn't: it should be the product of the two "
    "vectors, number by number.",
)
def product_is_wrong(seen):
    got, wanted = _thirds(seen)
    before = all(np.allclose(got[i], wanted[i], **CLOSE) for i in range(2))
    return before and not np.allclose(got[2], wanted[2], **CLOSE)
