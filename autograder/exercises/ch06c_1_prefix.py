"""Notebook ch06c, exercise 1: one mask for reading and writing."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06c_prefix_mistakes import PREFIX
from autograder.exercises.common import IN_TRAINING, derived, normal
from autograder.exercises.mask_mistakes import add_type_property, mask_of
from autograder.expectations import expect
from autograder.oracles import prefix_masks as oracles

NOTEBOOK = "ch06c_generate_and_verify"

prefix_mask = Exercise(
    "prefix_mask",
    notebook=NOTEBOOK,
    points=6,
    forbids=(
        "bert_keras.layers.masks.prefix_mask",
        "bert_keras.layers.prefix_mask",
    ),
)


def rows_of(*rows):
    """Segments and padding mask of rows that are spelled out.

    Args:
        *rows: strings of one length; s is a source token, t one of the target, 0 and 1 are pads
            with that segment.
    """
    letters = np.array([list(row) for row in rows])
    segments = np.isin(letters, ["t", "1"]).astype(np.int32)
    return segments, np.isin(letters, ["s", "t"])


def _judge(student, *rows):
    given = rows_of(*rows)
    found = derived(student(*given), lambda mask: oracles.spared(mask, *given))
    expect(found).equals(oracles.prefix_mask(*given))


def some_row(rng, length, source, pads=()):
    """A row with so many source tokens, pads at these places, and a target for the rest."""
    row = ["s"] * source + ["t"] * (length - source)
    for place in pads:
        row[place] = str(rng.integers(2))
    return "".join(row)


@prefix_mask.case(
    points=1,
    zh="没有填充：原文互相看，要写的部分往回看",
    en="no padding: the source sees itself, what is written looks back",
)
def without_padding(student, rng):
    """Sources of all lengths; then nothing but source, and nothing but target."""
    _judge(student, *(some_row(rng, 7, source) for source in (3, 5, 2)))
    _judge(student, "sssss", "ttttt")
    _judge(student, some_row(rng, 6, int(rng.integers(2, 5))))


@prefix_mask.case(
    points=1,
    zh="填充在右边，片段号 0 或 1",
    en="padding on the right, of segment 0 or 1",
)
def padding_behind(student, rng):
    """First as many rows as tokens, where a missing axis broadcasts."""
    _judge(student, "ssttt", "sst00", "sstt1", "ssss0", "stt11")
    _judge(student, "ssstt00", "sttt111", "sssss10", "sst0000")


@prefix_mask.case(
    points=1,
    zh="填充在左边，在原文和要写的部分之间",
    en="padding on the left, and between source and target",
)
def padding_elsewhere(student, rng):
    """A source that was padded before the target came; pads of either segment everywhere."""
    _judge(student, "sss000tt", "ss1111tt", "ssss00tt")
    _judge(student, "00sst", "1sstt", "0stt1", "01stt", "s1t0t")
    rows = []
    for source in (4, 6, 5):
        rows.append(some_row(rng, 9, source, rng.permutation(np.arange(1, 8))[:3]))
    _judge(student, *rows)


@prefix_mask.case(
    points=1,
    zh="最短的行",
    en="the shortest rows",
)
def shortest(student, rng):
    """A single token; a single row."""
    _judge(student, "s")
    _judge(student, "t")
    _judge(student, "st", "s0", "tt")
    _judge(student, "st1")


@prefix_mask.case(
    points=1,
    zh="用进注意力：没有权重流向填充和还没写的",
    en="used in attention: no weight goes to padding or to what isn't written yet",
)
def used_in_attention(student, rng):
    """Attention itself is the grader's own here."""
    given = rows_of("sssttt00", "ss11tt00", "sssstt11")
    query, key = normal(rng, 3, 8, 4), normal(rng, 3, 8, 4)

    def weights(mask):
        mask = oracles.spared(np.asarray(mask), *given)
        return oracles.weights_under(mask, query, key)

    expect(derived(student(*given), weights)).equals(oracles.prefix_weights(*given, query, key))


@prefix_mask.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """No number of rows is known; an error here is no evidence of a mistake."""
    given = rows_of("ssstt0", "sstttt", "ss11t0")
    found = student.in_training(*given, unknown=(0, 1))
    expect(derived(found, lambda mask: oracles.spared(mask, *given))).equals(
        oracles.prefix_mask(*given), evidence=False
    )


for _name, (_switch, _zh, _en, _hints) in PREFIX.items():
    prefix_mask.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _cells(seen):
    """The mask beside what is given, the rows of real tokens only.

    Raises:
        LookupError: it is no mask of bool (B, T, T).
    """
    mask, (segments, real) = mask_of(seen), seen.args[:2]
    if mask.dtype != bool or mask.shape != (*segments.shape, segments.shape[1]):
        raise LookupError("no mask")
    rows = real[:, :, None]
    return mask & rows, segments[:, None], real[:, None] & np.ones_like(rows), rows


@prefix_mask.property(
    "padding_is_closed",
    zh="有的填充还看得见。",
    en="Some pads can still be seen.",
)
def padding_is_open(seen):
    mask, _, real, _ = _cells(seen)
    return bool((mask & ~real).any())


@prefix_mask.property(
    "source_is_open",
    zh="有的位置看不见某些原文。",
    en="Some places don't see all of the source.",
)
def source_is_closed(seen):
    mask, segments, real, rows = _cells(seen)
    return bool((~mask & (segments == 0) & real & rows).any())


@prefix_mask.property(
    "future_is_closed",
    zh="有的位置看得见还没写到的词元。",
    en="Some places see what isn't written yet.",
)
def future_is_open(seen):
    mask, segments, real, _ = _cells(seen)
    later = np.triu(np.ones(mask.shape[1:], bool), 1)
    return bool((mask & (segments != 0) & real & later).any())


@prefix_mask.property(
    "past_is_open",
    zh="写出来的词元，有的看不见自己或前面写的。",
    en="Something that is written doesn't see itself or what was written before.",
)
def past_is_closed(seen):
    mask, segments, real, rows = _cells(seen)
    earlier = np.tri(mask.shape[1], dtype=bool)
    return bool((~mask & (segments != 0) & real & rows & earlier).any())


@prefix_mask.property(
    "shape_is_right",
    zh="形状不对：应当是 (B, T, T)。",
    en="The shape is wrong: it should be (B, T, T).",
)
def shape_is_wrong(seen):
    # In training plain arrays are compared, and nothing is known of what was expected.
    return seen.prediction is not None and np.shape(seen.actual) != np.shape(seen.expected)


add_type_property(prefix_mask)
