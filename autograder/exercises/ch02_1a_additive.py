"""Notebook ch02, exercise 1: a mask as numbers to add to scores."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.alignment_mistakes import add_shape_property
from autograder.exercises.common import derived, normal, some_open
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import alignment

NOTEBOOK = "ch02_attention"
LIBRARY = "bert_keras.layers.alignment"
FILL_HINTS = (
    (
        "把你的结果加到分数 (-2, -1, -3) 上再做 softmax：关闭的那一格还剩多少权重？",
        "Add your result to the scores (-2, -1, -3) and take a softmax: how much weight is left "
        "for the closed entry?",
    ),
    (
        "float16 最大只到 65504。你填的数装得下吗？",
        "float16 ends at 65504. Does your number fit?",
    ),
)

mask_to_additive = Exercise(
    "mask_to_additive",
    notebook=NOTEBOOK,
    points=3,
    library=f"{LIBRARY}:mask_to_additive",
)


def compare(actual, mask, dtype):
    """Hold the answer, as `alignment.settled` shows it, against the oracle's.

    The contract leaves the number at closed places free, so what is told speaks of bounds and not
    of the oracle's own number.
    """

    def where_it_differs(found):
        entries, bits = found
        if bits != 8 * np.dtype(dtype).itemsize:
            return Text(
                f"结果应为 {dtype} 类型，实际每个数占 {bits} 位。",
                f"The result should be of the type {dtype}, but has {bits} bits to a number.",
            )
        if entries[mask].any():
            return Text(
                f"True 处应为 0，实际有 {entries[mask][entries[mask] != 0][0]:.4g}。",
                f"At True it should be 0, and there is {entries[mask][entries[mask] != 0][0]:.4g}.",
            )
        highest = entries[~mask].max()
        return Text(
            f"False 处应为不高于 -1e4 的有限数，实际有 {highest:.4g}。",
            f"At False it should be a finite number of -1e4 or below, and there is {highest:.4g}.",
        )

    expect(derived(actual, alignment.settled)).equals(
        alignment.mask_to_additive(mask, dtype), otherwise=where_it_differs
    )


@mask_to_additive.case(
    points=1, zh="开放处是 0，关闭处极低", en="0 where open, very low where closed"
)
def zero_or_very_low(student, rng):
    """Masks of two and of three axes."""
    for shape in ((3, 5), (2, 4, 6)):
        mask = some_open(rng, *shape)
        compare(student(mask), mask, "float32")


@mask_to_additive.case(
    points=1,
    zh="按 dtype 给出类型，float16 也是有限的数",
    en="the dtype asked for, finite in float16",
)
def other_precisions(student, rng):
    """By position and by name."""
    mask = some_open(rng, 4, 7)
    compare(student(mask, "float16"), mask, "float16")
    mask = some_open(rng, 2, 3)
    compare(student(mask, dtype="float32"), mask, "float32")


@mask_to_additive.case(
    points=1, zh="加到分数上：关闭的键不再有权重", en="added to scores: closed keys get no weight"
)
def used_in_a_softmax(student, rng):
    """Scores below zero, where a closed score of about 0 would win."""
    mask, scores = some_open(rng, 5, 6), normal(rng, 5, 6) - np.float32(4)
    actual = derived(
        student(mask), lambda a: alignment.softmax(scores + alignment.settled(a)[0], -1)
    )
    expect(actual).equals(alignment.weights_under(mask, scores, "float32"), atol=1e-4)


for _name, _data in {
    "mask_inverted": dict(
        switch={"polarity": "true_is_closed"},
        zh="方向反了：True 表示“可以看”，那里应当是 0。",
        en="It is the wrong way round: True means “may attend”, and there it should be 0.",
        hints=FILL_HINTS,
    ),
    "zeros_and_ones": dict(
        switch=(
            {"output": "boolean"},
            {"fill": "0", "open_entry": "1"},
            {"fill": "1"},
            {"polarity": "true_is_closed", "output": "boolean"},
        ),
        zh="返回的还是 0 和 1（或布尔值）：加到分数上，只差 1 分。",
        en="It is still zeros and ones, or booleans: added to scores they make a difference of 1.",
        hints=FILL_HINTS,
    ),
    "fill_too_weak": dict(
        switch=tuple({"fill": f} for f in ("-1e-9", "1e-9", "-1", "-5", "-10", "-100", "-1000")),
        zh="关闭处的数不够低：题目要求不高于 -1e4。",
        en="The number at closed places isn't low enough: the contract asks for -1e4 or below.",
        hints=FILL_HINTS,
    ),
    "fill_positive": dict(
        switch=tuple({"fill": fill} for fill in ("3e4", "1e9", "1e4", "inf")),
        zh="关闭处的符号反了：一个极大的正数会把权重全吸走。",
        en="The sign at closed places is wrong: a huge positive number takes all the weight.",
        hints=FILL_HINTS,
    ),
    "fill_infinite": dict(
        switch={"fill": "-inf"},
        zh="关闭处填了负无穷：整行都关上时，softmax 会给出 NaN。",
        en="Closed places get minus infinity: where a whole row is closed the softmax gives NaN.",
        hints=FILL_HINTS,
    ),
    "infinity_times_zero": dict(
        switch={"fill": "-inf", "open_entry": "nan"},
        zh="开放处算出了 0 × 无穷大，也就是 NaN。",
        en="At open places 0 is multiplied by infinity, which is NaN.",
        hints=FILL_HINTS,
    ),
    "overflows_in_half_precision": dict(
        switch=tuple(
            {"fill": fill} | times
            for times in ({}, {"open_entry": "product"})  # 0 times minus infinity is NaN
            for fill in ("-1e9", "-1e5", "-1e30")
        ),
        zh="float32 里没有问题，到了 float16 却溢出成负无穷（再乘上 0，就成了 NaN）。",
        en="Fine in float32, but in float16 the number overflows to minus infinity (and times 0 "
        "that is NaN).",
        hints=FILL_HINTS,
    ),
    "open_entries_not_zero": dict(
        switch={"open_entry": "1"},
        zh="开放处应当是 0，加上去什么也不变；你的是 1。",
        en="Open places should be 0, which changes nothing when added; yours are 1.",
        hints=FILL_HINTS,
    ),
    "dtype_ignored": dict(
        switch=({"precision": "float32"}, {"precision": "float64"}, {"precision": "float16"}),
        zh="没有按参数 dtype 给出类型。",
        en="The result isn't of the type that the argument dtype asks for.",
        hints=(
            ("打印结果的 dtype，换几个参数试试。", "Print the dtype of the result for several "
             "arguments."),
            ("NumPy 默认是 float64；谁来做最后的转换？", "NumPy defaults to float64; who does the "
             "final conversion?"),
        ),
    ),
    "extra_axis": dict(
        switch={"output": "extra_axis"},
        zh="多了一个轴：形状应当与掩码一样。",
        en="There is an axis too many: the shape should be that of the mask.",
        hints=(
            ("打印形状，与说明对一对。", "Print the shape and compare it with the contract."),
            ("广播留给用它的人去做。", "Leave broadcasting to whoever uses it."),
        ),
    ),
}.items():  # fmt: skip
    mask_to_additive.misconception(_name, **_data)

add_shape_property(mask_to_additive)


@mask_to_additive.property(
    "open_places_are_zero", zh="有的开放处不是 0。", en="Some open places aren't 0."
)
def open_places_are_not_zero(seen):
    mask = np.asarray(seen.args[0])
    return seen.prediction.parts[0] == "result" and bool(np.asarray(seen.actual[0])[mask].any())


@mask_to_additive.property(
    "closed_places_are_low",
    zh="有的关闭处不够低。",
    en="Some closed places aren't low enough.",
)
def closed_places_are_high(seen):
    mask = np.asarray(seen.args[0])
    if seen.prediction.parts[0] == "weights":
        return bool(np.asarray(seen.actual)[~mask].max() > 1e-6)
    return bool((np.asarray(seen.actual[0])[~mask] > alignment.LOW_ENOUGH).any())


@mask_to_additive.property(
    "type_is_as_asked", zh="类型与参数 dtype 不符。", en="The type isn't the one asked for."
)
def type_is_another(seen):
    return seen.prediction.parts[0] == "result" and seen.actual[1] != seen.expected[1]
