"""Notebook ch01a, exercise 6: a decoder's inputs and labels."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_shift_mistakes import SHIFT
from autograder.exercises.common import IN_TRAINING
from autograder.expectations import expect
from autograder.oracles.sequences import shift_right as oracle

NOTEBOOK = "ch01a_seq2seq"
BOS, EOS = 14, 15

shift_right = Exercise(
    "shift_right",
    notebook=NOTEBOOK,
    points=2,
    library="bert_keras.models.sequence_pieces:shift_right",
)


def some_targets(rng, lengths, width, pad):
    """Ids of [BOS], as many tokens as said, [EOS] and padding; and the mask of all but padding."""
    token_ids = np.full((len(lengths), width), pad, np.int32)
    for row, length in enumerate(lengths):
        token_ids[row, 0] = BOS
        token_ids[row, 1 : length + 1] = rng.integers(3, BOS, length)
        token_ids[row, length + 1] = EOS
    return token_ids, np.arange(width) < np.asarray(lengths)[:, None] + 2


@shift_right.case(
    points=1, zh="输入、标签和掩码：几句长短不一", en="inputs, labels and mask: several lengths"
)
def several_lengths(student, rng):
    """The number of [PAD] isn't 0, so that a mask made from the ids must know it."""
    token_ids, mask = some_targets(rng, (5, 2, 0, 3), 7, pad=2)
    expect(student(token_ids, mask)).equals(oracle(token_ids, mask))


@shift_right.case(points=1, zh="没有填充，和填充是 0", en="no padding, and padding that is 0")
def other_padding(student, rng):
    """As many rows as columns once, so that an exchanged axis runs."""
    token_ids, mask = some_targets(rng, (4, 4), 6, pad=2)
    expect(student(token_ids, mask)).equals(oracle(token_ids, mask))
    token_ids, mask = some_targets(rng, (3, 1, 2, 0, 1), 5, pad=0)
    expect(student(token_ids, mask)).equals(oracle(token_ids, mask))


@shift_right.case(points=0, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """No points: an answer that is right on given sizes is right, but `fit` would stop at it."""
    token_ids, mask = some_targets(rng, (4, 2, 3), 6, pad=2)
    found = student.in_training(token_ids, mask, unknown=(0, 1))
    expect(found).equals(oracle(token_ids, mask))


for _name, (_switch, _zh, _en, _hints) in SHIFT.items():
    shift_right.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@shift_right.property(
    "three_of_one_shape",
    zh="应当返回三样东西，形状都是 (B, T)。",
    en="Three things should come back, each of shape (B, T).",
)
def form_is_wrong(seen):
    shapes = [np.shape(part) for part in seen.actual]
    return shapes != [part.shape for part in seen.expected]


for _place, (_name, _zh, _en) in enumerate(
    (
        (
            "inputs_are_right",
            "输入不对：应当从 [BOS] 开始，依次往后。",
            "Inputs are wrong: they should begin with [BOS] and go on from there.",
        ),
        (
            "labels_are_right",
            "标签不对：应当从 [BOS] 后面那个词元开始，依次往后。",
            "Labels are wrong: they should begin with the token after [BOS] and go on from there.",
        ),
        ("mask_is_right", "掩码和标签对不上。", "The mask doesn't agree with the labels."),
    )
):

    def _is_wrong(seen, place=_place):
        got, want = np.asarray(seen.actual[place]), seen.expected[place]
        # A wrong shape is told above, and its numbers may well begin as they should.
        return got.shape == want.shape and not np.array_equal(got, want)

    shift_right.property(_name, zh=_zh, en=_en)(_is_wrong)
