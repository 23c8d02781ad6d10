"""Mistakes on the way back from int8: switches, sentences and hints."""

from autograder.exercises.ch08_int8_mistakes import CHANGE_HINTS, SYMMETRIC_HINTS
from autograder.messages import Text

Q_CHANGED = Text("传进来的 q 被改动了。", "q, which was handed in, is changed.")
BACK_HINTS = (
    (
        "q = [−127, 0, 64]，scale = 0.5：应当得到 [−63.5, 0, 32]。",
        "q = [−127, 0, 64] and scale = 0.5: it should make [−63.5, 0, 32].",
    ),
    (
        "每个数乘它自己的尺度，一次乘法，别的什么也不做。",
        "Each number times the scale that is its own: one product and nothing else.",
    ),
)
TYPE_HINTS = (
    (
        "打印结果的 dtype。",
        "Print the dtype of the result.",
    ),
    (
        "int8 只装得下 −128 到 127：先转成浮点数，再乘。",
        "int8 holds no more than −128 to 127: turn it into floats before the product.",
    ),
)

BACK = {
    "another_operation": (
        ({"operation": "divided"}, {"operation": "plus"}, {"operation": "not"}),
        "q 应当乘 scale。",
        "q should be multiplied with scale.",
        BACK_HINTS,
    ),
    "overflow_in_int8": (
        (
            {"result": "int8"},
            {"result": "int32"},
            {"result": "rounded"},
            {"used": "whole"},
            {"used": "whole", "result": "int8"},
        ),
        "在整数里算了（结果或尺度成了整数）：小数没了，大数还会溢出。",
        "It is done in whole numbers (the result or the scale is one): fractions are lost, and "
        "large numbers overflow.",
        TYPE_HINTS,
    ),
    "one_scale_for_all": (
        ({"used": "first"}, {"used": "largest"}, {"used": "mean"}),
        "所有的数用了同一个尺度；scale 里每个位置各有各的。",
        "All numbers have one scale; each index has its own in scale.",
        BACK_HINTS,
    ),
    "scales_along_another_axis": (
        ({"used": "in_a_row"}, {"used": "transposed"}),
        "scale 的形状被改了：它已经能对上 q，别压平也别转置。",
        "The shape of scale is changed; it lines up with q as it is, and needs no flattening and "
        "no transposing.",
        BACK_HINTS,
    ),
    "scale_used_otherwise": (
        ({"used": "squared"}, {"used": "over_127"}),
        "尺度乘了两次，或者又除以了 127。",
        "The scale is multiplied twice, or divided by 127 again.",
        BACK_HINTS,
    ),
    "zero_point_added": (
        ({"offset": 128.0}, {"offset": -128.0}, {"offset": 127.0}, {"offset": 0.5}),
        "加了零点（或者半步）：这里是对称的，0 对 0。",
        "A zero point (or half a step) is added; the scheme is symmetric, and 0 stands for 0.",
        SYMMETRIC_HINTS,
    ),
    "sign_lost": (
        ({"overflow": "unsigned"}, {"overflow": "size"}),
        "负数没有了：q 是有符号的。",
        "Negative numbers are lost; q has signs.",
        TYPE_HINTS,
    ),
    "another_type": (
        ({"type": "float64"}, {"type": "float16"}),
        "类型不对：应当是 float32。",
        "The type is wrong: it should be float32.",
        TYPE_HINTS,
    ),
    "q_changed": (
        {"edits": "in_place"},
        Q_CHANGED.zh,
        Q_CHANGED.en,
        CHANGE_HINTS,
    ),
}
