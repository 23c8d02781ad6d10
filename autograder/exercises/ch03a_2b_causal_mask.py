"""Notebook ch03a, exercise 3: the causal mask."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import derived, normal
from autograder.exercises.mask_mistakes import (
    EXTRA_AXIS,
    LISTS,
    NOT_BOOLEAN,
    add_shape_property,
    mask_of,
)
from autograder.expectations import expect
from autograder.oracles import masks

NOTEBOOK = "ch03a_self_attention"

causal_mask = Exercise(
    "causal_mask",
    notebook=NOTEBOOK,
    points=3,
    library="bert_keras.layers.masks:causal_mask",
    tensors=False,
)


@causal_mask.case(
    points=1, zh="每个位置看得见自己和前面的位置", en="every position sees itself and those before"
)
def triangle(student, rng):
    """The whole matrix, for a length that depends on the seed."""
    length = int(rng.integers(5, 9))
    expect(student(length)).equals(masks.causal_mask(length))


@causal_mask.case(points=1, zh="最短的序列：长度 1 和 2", en="the shortest sequences: 1 and 2")
def shortest(student, rng):
    """Length 1: the only token sees itself."""
    expect(student(2)).equals(masks.causal_mask(2))
    expect(student(1)).equals(masks.causal_mask(1))


@causal_mask.case(
    points=1,
    zh="用进注意力：没有权重流向未来",
    en="used in attention: no weight goes to the future",
)
def no_weight_on_the_future(student, rng):
    """Attention itself is the grader's own here."""
    query, key = normal(rng, 6, 4), normal(rng, 6, 4)
    actual = student(6)
    expect(derived(actual, lambda mask: masks.weights_under(mask, query, key))).equals(
        masks.causal_weights(query, key)
    )


TRIANGLE_HINTS = (
    (
        "写出长度 3 的矩阵：第 0 行能看哪几列？第 2 行呢？",
        "Write the matrix for length 3: which columns may row 0 see, and which row 2?",
    ),
    (
        "比较两个位置：查询的位置 t 与键的位置 s，什么关系才允许看？等号要不要？",
        "Compare two positions, t of the query and s of the key: when is looking allowed? Does "
        "equality count?",
    ),
)
for _name, _data in {
    "mask_not_boolean": NOT_BOOLEAN,
    "wrong_triangle": dict(
        switch={"triangle": "upper"},
        zh="三角形画反了：现在每个位置只看得见自己和未来。",
        en="It is the other triangle: every position sees itself and the future.",
        hints=TRIANGLE_HINTS,
    ),
    "diagonal_masked": dict(
        switch={"triangle": "strict_lower"},
        zh="对角线也关上了：位置看不见自己，第 0 行一个键都不剩。",
        en="The diagonal is closed too: no position sees itself, and row 0 has no key left.",
        hints=TRIANGLE_HINTS,
    ),
    "causal_inverted": dict(
        switch={"output": "inverted"},
        zh="掩码整个反了：True 落在了未来的位置上。",
        en="The mask is inverted: its True entries are the future.",
        hints=TRIANGLE_HINTS,
    ),
    "sees_one_ahead": dict(
        switch=({"triangle": "one_ahead"}, {"triangle": "two_ahead"}),
        zh="边界差了一格或两格：每个位置能偷看后面的词。",
        en="The edge is off by one or two: every position can peek ahead.",
        hints=TRIANGLE_HINTS,
    ),
    "nothing_hidden": dict(
        switch={"triangle": "everything"},
        zh="什么也没有遮住：未来的位置仍然全部可见。",
        en="Nothing is hidden: the whole future is still visible.",
        hints=TRIANGLE_HINTS,
    ),
    "diagonal_only": dict(
        switch={"triangle": "diagonal"},
        zh="每个位置只看得见自己；前面的位置也应当看得见。",
        en="Every position sees only itself; it should see the positions before it too.",
        hints=TRIANGLE_HINTS,
    ),
    "only_one_step_back": dict(
        switch={"triangle": "previous_only"},
        zh="每个位置只看得见自己和前一个；更早的也应当看得见。",
        en="Every position sees only itself and the one before; all earlier ones should be seen.",
        hints=TRIANGLE_HINTS,
    ),
    "mirrored_triangle": dict(
        switch=({"triangle": "anti_diagonal"}, {"triangle": "anti_diagonal_below"}),
        zh="三角形镜像了：应当比较两个位置的大小，而不是把它们相加。",
        en="The triangle is mirrored: positions should be compared with each other, not added.",
        hints=TRIANGLE_HINTS,
    ),
    "extra_axis": EXTRA_AXIS,
    "mask_is_a_list": LISTS,
    "length_off_by_one": dict(
        switch=({"triangle": "one_shorter"}, {"triangle": "one_longer"}),
        zh="大小差了一格：长度为 T 的序列，掩码是 T 行 T 列。",
        en="The size is off by one: for T tokens the mask has T rows and T columns.",
        hints=TRIANGLE_HINTS,
    ),
}.items():
    causal_mask.misconception(_name, **_data)


@causal_mask.property(
    "future_is_closed",
    zh="有的位置看得见未来。",
    en="Some positions can see the future.",
)
def future_is_open(seen):
    mask = mask_of(seen)
    return mask.dtype == bool and bool(np.triu(mask, 1).any())


@causal_mask.property(
    "own_position_is_open",
    zh="有的位置看不见自己。",
    en="Some positions can't see themselves.",
)
def own_position_is_closed(seen):
    mask = mask_of(seen)
    return mask.dtype == bool and not np.diagonal(mask).all()


@causal_mask.property(
    "past_is_open",
    zh="有的位置看不见前面的某些位置。",
    en="Some positions can't see some of those before them.",
)
def past_is_closed(seen):
    mask = mask_of(seen)
    return mask.dtype == bool and bool((np.tri(len(mask), k=-1, dtype=bool) & ~mask).any())


add_shape_property(causal_mask)
