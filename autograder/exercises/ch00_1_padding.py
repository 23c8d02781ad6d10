"""Notebook ch00, exercise 1: which tokens are real."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import IN_TRAINING, real_tokens
from autograder.expectations import expect
from autograder.oracles import pooling

NOTEBOOK = "ch00_start"

padding_mask_from_ids = Exercise(
    "padding_mask_from_ids",
    notebook=NOTEBOOK,
    points=2,
    library="bert_keras.layers.masks:padding_mask_from_ids",
    forbids=("bert_keras.layers.padding_mask_from_ids",),
)


def sentences(rng, lengths, size, pad_id=0):
    """Ids (B, T) of which row b has ``lengths[b]`` real ones, pads behind them."""
    token_ids = rng.integers(1, 30, (len(lengths), size))
    token_ids[token_ids == pad_id] = 31
    return np.where(real_tokens(lengths, size), token_ids, pad_id).astype("int32")


@padding_mask_from_ids.case(
    points=1, zh="填充在句末，编号是 0", en="pads at the end, with the usual id 0"
)
def pads_at_the_end(student, rng):
    """One row full, one nearly empty."""
    token_ids = sentences(rng, [7, 4, 1, 6], 7)
    expect(student(token_ids)).equals(pooling.padding_mask(token_ids))


@padding_mask_from_ids.case(
    points=1,
    zh="填充的编号不是 0，也不一定在句末",
    en="pads of another id, and not always at the end",
)
def another_pad_id(student, rng):
    """Ids below and above that of the pad; pads in front, in the middle and behind."""
    pad_id = int(rng.integers(8, 16))
    token_ids = sentences(rng, [5, 6, 3], 6, pad_id)
    token_ids[0, 2] = token_ids[1, 0] = pad_id
    token_ids[:, 1] = (0, pad_id + 3, 2)  # id 0 is a word like any other here
    expect(student(token_ids, pad_id)).equals(pooling.padding_mask(token_ids, pad_id))
    turned = np.ascontiguousarray(token_ids[:, ::-1])
    expect(student(turned, pad_id=pad_id)).equals(pooling.padding_mask(turned, pad_id))


@padding_mask_from_ids.case(points=0, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def ids_in_training(student, rng):
    """No number of sentences is known."""
    token_ids = sentences(rng, [3, 5], 5)
    expect(student.in_training(token_ids)).equals(pooling.padding_mask(token_ids))


SENSE_HINTS = (
    (
        "写一句三个词、两个填充的话，把结果打印出来，逐格和约定对照。",
        "Take a sentence of three words and two pads, print what comes out, and hold every cell "
        "against the contract.",
    ),
    ("True 问的是“这是真词吗”。", "True answers the question: is this a real word?"),
)
FORM_HINTS = (
    (
        "打印结果的 shape，再看约定里的形状。",
        "Print the shape of the result and compare it with the one in the contract.",
    ),
    (
        "每个编号对应一个格子：不多一根轴，也不少一根。",
        "One cell for every id: not an axis more, not an axis less.",
    ),
)
BY_ID_HINTS = (
    (
        "换一个填充编号，把填充放到句首和句中，再看结果。",
        "Use another id for pads, put some in front and in the middle, and look again.",
    ),
    (
        "一个格子的答案只取决于这一格的编号，别的格子都不用看。",
        "What a cell says depends on the id in that cell and on no other.",
    ),
)
KIND_HINTS = (
    ("打印结果的 dtype。", "Print the dtype of the result."),
    (
        "约定里说的是布尔：两个编号相比，得到的正是布尔。",
        "The contract says bool, and comparing two ids gives just that.",
    ),
)
for _name, (_switch, _zh, _en, _hints) in {
    "mask_inverted": (
        {"polarity": "true_is_pad"},
        "掩码反了：True 应当标出真词，你标出的是填充。",
        "The mask is inverted: True should mark real words, yours marks the pads.",
        SENSE_HINTS,
    ),
    "mask_not_boolean": (
        ({"kind": "int"}, {"kind": "float"}),
        "得到的是 0 和 1，不是布尔：本课程的掩码一律是 True 和 False。",
        "It holds 0 and 1, not booleans: every mask of this course is True and False.",
        KIND_HINTS,
    ),
    "ids_instead_of_mask": (
        {"kind": "ids"},
        "返回的是编号（填充处清零），而不是一张“是不是真词”的表。",
        "It returns ids, with zeros at the pads, and not a table of which ones are real.",
        KIND_HINTS,
    ),
    "pad_id_fixed_to_zero": (
        {"pad": "zero"},
        "填充的编号写死成了 0：参数 pad_id 没有用上。",
        "The id of pads is taken to be 0 always: the argument pad_id isn't used.",
        BY_ID_HINTS,
    ),
    "compared_by_size": (
        ({"found": "larger"}, {"found": "smaller"}),
        "把编号当作大小来比了：比填充大或小都不说明什么，不相等才说明是真词。",
        "Ids are compared by size: larger or smaller than a pad means nothing, being another id "
        "does.",
        BY_ID_HINTS,
    ),
    "pads_only_at_the_end": (
        (
            {"found": "counted_from_the_left"},
            {"found": "up_to_the_last"},
            {"found": "up_to_the_first_pad"},
        ),
        "假定了填充都在句末：按个数或位置来分，句首和句中的填充就错了。",
        "It takes pads to stand at the end: counting or cutting at a position goes wrong with pads "
        "in front or in the middle.",
        BY_ID_HINTS,
    ),
    "one_row_for_all": (
        {"found": "same_in_every_row"},
        "每一句得到的都一样：掩码要一句一句、一格一格地定。",
        "Every sentence gets the same row: the mask is decided cell by cell.",
        BY_ID_HINTS,
    ),
    "axis_added": (
        ({"form": "key_axis"}, {"form": "query_axis"}),
        "多了一根轴：这里的形状就是 (B, T)，要加轴是以后的事。",
        "There is an extra axis: the shape here is plain (B, T); axes are added later, where they "
        "are needed.",
        FORM_HINTS,
    ),
    "lengths_instead_of_mask": (
        {"form": "lengths"},
        "返回的是每句有几个真词，而不是哪几个。",
        "It returns how many words of a sentence are real, and not which ones.",
        FORM_HINTS,
    ),
    "axes_in_another_order": (
        ({"form": "transposed"}, {"form": "flat"}),
        "轴的次序变了，或者被拉平了：第 b 行应当说第 b 句话。",
        "The axes are turned or flattened: row b should speak about sentence b.",
        FORM_HINTS,
    ),
}.items():
    padding_mask_from_ids.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@padding_mask_from_ids.property(
    "one_cell_per_id", zh="形状应当和 token_ids 一样。", en="The shape should be that of token_ids."
)
def no_cell_per_id(seen):
    return np.shape(seen.actual) != seen.expected.shape


@padding_mask_from_ids.property(
    "cells_are_booleans",
    zh="每一格应当是 True 或 False。",
    en="Every cell should be True or False.",
)
def cells_are_no_booleans(seen):
    return np.asarray(seen.actual).dtype != bool


@padding_mask_from_ids.property(
    "pads_are_false", zh="有填充被当成了真词。", en="Some pads are taken for real words."
)
def pads_are_true(seen):
    return bool((np.asarray(seen.actual).astype(bool) & ~seen.expected).any())


@padding_mask_from_ids.property(
    "real_words_are_true", zh="有真词被当成了填充。", en="Some real words are taken for pads."
)
def real_words_are_false(seen):
    return bool((~np.asarray(seen.actual).astype(bool) & seen.expected).any())
