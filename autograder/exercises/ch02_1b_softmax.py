"""Notebook ch02, exercise 2: the softmax that obeys a mask."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.alignment_mistakes import GRADIENT_LOST, add_shape_property
from autograder.exercises.attention_mistakes import SHARED
from autograder.exercises.common import IN_TRAINING, gradients, normal, real_tokens, some_open
from autograder.exercises.softmax_mistakes import SOFTMAX
from autograder.expectations import expect
from autograder.oracles import alignment, alignment_gradients

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
    points=1, zh="关闭的键权重为 0，其余之和仍为 1", en="closed keys get 0, the rest sums to one"
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


@masked_softmax.case(points=1, zh="梯度能传回去", en="gradients flow back")
def gradients_flow(student, rng):
    """Through the mask to the scores, against finite differences of the oracle."""
    scores, mask, cotangent = normal(rng, 2, 5, 4), telling_mask(rng, 2, 5, 4), normal(rng, 2, 5, 4)
    found = student.gradient(scores, mask, cotangent=cotangent)
    expect(gradients(found, [scores])).equals(
        alignment_gradients.masked_softmax(scores, mask, cotangent), atol=1e-4, rtol=1e-3
    )


@masked_softmax.case(points=0, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """A mask that NumPy turns, or a batch size written into the code, fails there only."""
    scores, mask = normal(rng, 3, 2, 4), some_open(rng, 3, 2, 4)
    found = student.in_training(scores, mask, unknown=(0, 1))
    expect(found).equals(alignment.masked_softmax(scores, mask))


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
    "largest_of_everything": dict(
        switch={"shift": "all"},
        zh="减去的是所有分数里最大的一个：别的行离它太远，指数全成了 0，再相除就是 0 ÷ 0。",
        en="The largest of all scores is taken off: in rows far below it every exponential becomes "
        "0, and 0 is divided by 0.",
        hints=(
            (
                "两行分数，一行在 120 上下，一行在 -120 上下：减去同一个数，第二行还剩什么？",
                "Two rows of scores, one around 120 and one around -120: take the same number off "
                "both, and what is left of the second?",
            ),
            (
                "softmax 是一行一行做的，减去的数要不要也是？",
                "A softmax goes row by row: should the number taken off do so, too?",
            ),
        ),
    ),
    "none_used_as_a_mask": dict(
        switch={"no_mask": "used"},
        zh="没有给掩码的时候，也拿它去遮了：那时它是 None，不是一张“全开”的掩码，要先问一句。",
        en="Where no mask is given you mask all the same: it is None then, and not a mask with "
        "everything open, so ask first.",
        hints=(
            ("只给分数、不给掩码，调用一次试试。", "Call it with scores alone."),
            (
                "没有掩码的时候，哪一步应当跳过？",
                "Which step should be left out when there is no mask?",
            ),
        ),
    ),
    "gradient_lost": GRADIENT_LOST,
}.items():
    masked_softmax.misconception(_name, **_data)

add_shape_property(masked_softmax)


def _weights(seen):
    """The weights of an observation.

    Raises:
        LookupError: it is about gradients.
    """
    if seen.prediction.parts[0] != "weights":
        raise LookupError("no weights here")
    return np.asarray(seen.actual)


@masked_softmax.property(
    "rows_sum_to_one", zh="有的行之和不是 1。", en="Some rows don't sum to one."
)
def rows_do_not_sum_to_one(seen):
    return not np.allclose(_weights(seen).sum(axis=-1), 1, atol=1e-4)


@masked_softmax.property(
    "weights_not_negative", zh="权重里有负数。", en="Some weights are negative."
)
def negative_weights(seen):
    return bool((_weights(seen) < -1e-6).any())


@masked_softmax.property(
    "closed_keys_get_nothing",
    zh="有的键已经关闭，却还分到了权重。",
    en="Some closed keys still get weight.",
)
def closed_keys_get_weight(seen):
    return bool((_weights(seen)[np.asarray(seen.expected) == 0] > 1e-6).any())


@masked_softmax.property(
    "open_rows_are_right",
    alone=True,
    zh="和是 1，可开放的键之间分得不对。",
    en="The sums are right, but the shares of the open keys aren't.",
)
def open_rows_are_wrong(seen):
    return not np.allclose(_weights(seen), seen.expected, atol=1e-4)


@masked_softmax.property(
    "gradient_is_right",
    alone=True,
    zh="梯度不对；要是前面也有数值不对，先改数值。",
    en="The gradients are wrong; where values are wrong above, mend those first.",
)
def gradient_is_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
