"""Notebook ch02, exercise 2: the softmax that obeys a mask."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.alignment_mistakes import add_shape_property
from autograder.exercises.attention_mistakes import SHARED
from autograder.exercises.common import normal, real_tokens, some_open
from autograder.exercises.softmax_mistakes import SOFTMAX
from autograder.expectations import expect
from autograder.oracles import alignment

NOTEBOOK = "ch02_attention"
LIBRARY = "bert_keras.layers.alignment"

masked_softmax = Exercise(
    "masked_softmax",
    notebook=NOTEBOOK,
    points=4,
    library=f"{LIBRARY}:masked_softmax",
    needs={"mask_to_additive": f"{LIBRARY}:mask_to_additive"},
)


def telling_mask(rng, *shape):
    """A mask with a query that may look at everything and a key that no query of an item sees."""
    mask = some_open(rng, *shape)
    mask[0, 3] = True
    mask[1, :, 1] = False
    mask[1, :, 2] |= ~mask[1].any(axis=-1)
    return mask


@masked_softmax.case(points=1, zh="没有掩码：每一行之和是 1", en="no mask: every row sums to one")
def without_a_mask(student, rng):
    """Three axes and two; then scores so far from 0 that their exponentials overflow."""
    for shape in ((3, 5, 4), (6, 3)):
        scores = normal(rng, *shape)
        expect(student(scores)).equals(alignment.masked_softmax(scores, None))
    scores = normal(rng, 2, 4, 3) + 120 * rng.choice(np.float32([-1, 1]), size=(2, 4, 1))
    expect(student(scores)).equals(alignment.masked_softmax(scores, None), atol=1e-4)


@masked_softmax.case(
    points=2, zh="关闭的键权重为 0，其余之和仍为 1", en="closed keys get 0, the rest sums to one"
)
def with_a_mask(student, rng):
    """A mask of its own for every row; a padding mask that all queries share; one per pair."""
    scores, mask = normal(rng, 3, 5, 4) - np.float32(2), telling_mask(rng, 3, 5, 4)
    expect(student(scores, mask)).equals(alignment.masked_softmax(scores, mask))
    scores = normal(rng, 3, 4, 6) - np.float32(1)
    mask = real_tokens((6, 2, 4), 6)[:, None]
    expect(student(scores, mask=mask)).equals(alignment.masked_softmax(scores, mask))
    scores, mask = normal(rng, 2, 3, 5, 4), some_open(rng, 5, 4)
    expect(student(scores, mask)).equals(alignment.masked_softmax(scores, mask))


@masked_softmax.case(
    points=1,
    zh="一个键也不开放的行：平均分配，没有 NaN",
    en="a row without any open key: equal shares, no NaN",
)
def without_an_open_key(student, rng):
    """The other rows have their usual weights."""
    scores, mask = normal(rng, 2, 5, 4), telling_mask(rng, 2, 5, 4)
    mask[0, 2] = mask[1, 4] = False
    expect(student(scores, mask)).equals(alignment.masked_softmax(scores, mask))


_SHARED = ("mask_after_softmax", "closed_keys_score_zero", "mask_fill_too_weak", "softmax_axis")
_SHARED += ("mask_fill_positive", "mask_inverted", "mask_without_effect", "mask_read_in_part")
for _name in (*_SHARED, "infinity_times_zero"):
    masked_softmax.misconception(_name, **SHARED[_name])
for _name, _data in SOFTMAX.items():
    if _name == "nan_without_open_key":  # both are seen in that row alone
        _data = {**_data, "switch": (_data["switch"], {"empty_row": "nan"})}
    masked_softmax.misconception(_name, **_data)

EMPTY_HINTS = (
    (
        "拿一行三个分数、全部关闭，看看你的代码一步步得到什么。",
        "Take one row of three scores, all closed, and follow your code step by step.",
    ),
    (
        "换掉一个分数，和在它上面加一个数，这一行全部关闭时有什么不同？",
        "Replacing a score and adding to it: how do they differ where a whole row is closed?",
    ),
)
for _name, _data in {
    "empty_row_as_if_open": dict(
        switch=({"empty_row": "added_-3e4"}, {"empty_row": "added_-1e4"}),
        zh="一个键也不开放的行，得到的是不带掩码的权重：往整行加同一个数，softmax 看不出来。约定是"
        "平均分配。",
        en="A row without any open key gets the weights it would have without a mask: the softmax "
        "doesn't notice a number added to the whole row. The convention is equal shares.",
        hints=EMPTY_HINTS,
    ),
    "empty_row_gets_nothing": dict(
        switch={"empty_row": "zero"},
        zh="一个键也不开放的行，权重全成了 0；约定是平均分配，和仍为 1。",
        en="A row without any open key gets weights of 0; the convention is equal shares, which "
        "still sum to one.",
        hints=EMPTY_HINTS,
    ),
    "exponentials_overflow": dict(
        switch={"shift": "none"},
        zh="分数一大，指数就溢出成无穷大，权重变成 NaN。",
        en="With large scores the exponentials overflow and the weights become NaN.",
        hints=(
            ("e 的 120 次方，float32 装得下吗？", "Does e to the power of 120 fit into float32?"),
            (
                "整行减去同一个数，softmax 的结果会变吗？",
                "Does the softmax change when the same number is taken off a whole row?",
            ),
        ),
    ),
}.items():
    masked_softmax.misconception(_name, **_data)

add_shape_property(masked_softmax)


@masked_softmax.property(
    "rows_sum_to_one", zh="有的行之和不是 1。", en="Some rows don't sum to one."
)
def rows_do_not_sum_to_one(seen):
    return not np.allclose(np.asarray(seen.actual).sum(axis=-1), 1, atol=1e-4)


@masked_softmax.property(
    "weights_not_negative", zh="权重里有负数。", en="Some weights are negative."
)
def negative_weights(seen):
    return bool((np.asarray(seen.actual) < -1e-6).any())


@masked_softmax.property(
    "closed_keys_get_nothing",
    zh="有的键已经关闭，却还分到了权重。",
    en="Some closed keys still get weight.",
)
def closed_keys_get_weight(seen):
    return bool((np.asarray(seen.actual)[np.asarray(seen.expected) == 0] > 1e-6).any())


@masked_softmax.property(
    "open_rows_are_right",
    alone=True,
    zh="和是 1，可开放的键之间分得不对。",
    en="The sums are right, but the shares of the open keys aren't.",
)
def open_rows_are_wrong(seen):
    return not np.allclose(seen.actual, seen.expected, atol=1e-4)
