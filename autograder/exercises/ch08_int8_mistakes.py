"""Mistakes in writing numbers as int8: switches, sentences and hints."""

from autograder.messages import Text

CHANGED = Text("传进来的 x 被改动了。", "x, which was handed in, is changed.")
SCALE_HINTS = (
    (
        "x = [−2, 0.5, 1.27]：尺度应当是 2 / 127，整数是 −127、32、81。你的呢？",
        "x = [−2, 0.5, 1.27]: the scale should be 2 / 127, and the whole numbers −127, 32 and 81. "
        "What are yours?",
    ),
    (
        "最大的绝对值除以 127：这样最大的数和它的相反数都正好够得着。",
        "The largest absolute value over 127: then the largest number and its negative are both "
        "just in reach.",
    ),
)
ROUND_HINTS = (
    (
        "尺度是 1 时，2.6、−2.6、2.5、3.5 各变成几？应当是 3、−3、2、4。",
        "With a scale of 1, what becomes of 2.6, −2.6, 2.5 and 3.5? It should be 3, −3, 2 and 4.",
    ),
    (
        "转成整数类型不会四舍五入：先四舍五入，再转。NumPy 有现成的，正好一半取偶数。",
        "Turning floats into ints doesn't round: round first, and NumPy's way takes an exact half "
        "to the even number.",
    ),
)
AXIS_HINTS = (
    (
        "核的形状是 (3, 2)，axis 是 1：一共几个尺度？每个管哪些数？",
        "A kernel of shape (3, 2) and an axis of 1: how many scales are there, and which numbers "
        "does each of them serve?",
    ),
    (
        "axis 是留下的那个轴：最大值要在别的轴上取。",
        "axis is the one that is kept: the maximum runs over all others.",
    ),
)
SHAPE_HINTS = (
    (
        "x 的形状是 (3, 2)，axis 是 0：scale 的形状应当是 (3, 1)。",
        "x has shape (3, 2), and axis is 0: scale should have shape (3, 1).",
    ),
    (
        "求最大值的函数有一个选项，让被它收掉的轴留下来，长度是 1；给 None 时不用它。",
        "Functions that take a maximum have an option that leaves such axes in place, with length "
        "1; for None it isn't needed.",
    ),
)
ZERO_HINTS = (
    (
        "一列全是 0：最大的绝对值是几？拿它去除，得什么？",
        "A column of zeros: what is its largest size, and what comes of a division by it?",
    ),
    (
        "只在全是 0 的地方，尺度换成 1；别的地方照旧。",
        "A scale of 1 goes just where all numbers are 0; elsewhere nothing changes.",
    ),
)
SYMMETRIC_HINTS = (
    (
        "x = [0, 1, 3]：0 变成几？应当正好是 0。",
        "x = [0, 1, 3]: what becomes of 0? It should be exactly 0.",
    ),
    (
        "这里没有零点：只除以尺度，不平移。",
        "There is no zero point here: divide by the scale and shift nothing.",
    ),
)
FORM_HINTS = (
    (
        "返回的是一对：先是整数 q，再是尺度 scale；q · scale 应当接近 x。",
        "A pair comes back, the whole numbers q and then the scale; q · scale should be close to "
        "x.",
    ),
    (
        "q 的类型是 int8，scale 的是 float32。",
        "q is int8, and scale is float32.",
    ),
)
CHANGE_HINTS = (
    (
        "哪一行往传进来的数组里写了东西？/=、*=、out=… 都算。",
        "Which line writes into the array that was handed in? /=, *= and out=… all do.",
    ),
    (
        "用会造出新数组的运算。",
        "Use what makes a new array.",
    ),
)

QUANTIZING = {
    "divided_by_128": (
        (
            {"divisor": 128, "overflow": "at_128"},
            {"divisor": 128, "overflow": "at_127"},
            {"divisor": 128, "overflow": "wraps"},
        ),
        "尺度除以了 128：最大的数就够不着了。",
        "Scales are divided by 128, and the largest number is out of reach.",
        SCALE_HINTS,
    ),
    "another_divisor": (
        (
            {"divisor": 255},
            {"divisor": 255, "overflow": "wraps"},
            {"divisor": 255, "overflow": "at_128"},
            {"divisor": 127.5},
            {"divisor": 127.5, "overflow": "at_128"},
            {"divisor": 256},
            {"divisor": 256, "overflow": "wraps"},
            {"divisor": 256, "overflow": "at_128"},
            {"divisor": 1},
        ),
        "尺度的除数不对，应当是 127。",
        "Scales have another divisor than 127.",
        SCALE_HINTS,
    ),
    "truncated": (
        ({"rounding": "truncated"}, {"rounding": "floor"}, {"rounding": "ceil"}),
        "没有取最近的整数：小数直接舍去了（或者总往一边取）。",
        "Numbers don't go to the nearest whole one: the fraction is cut off (or it is always to "
        "one side).",
        ROUND_HINTS,
    ),
    "half_not_to_the_even_one": (
        ({"rounding": "half_up"}, {"rounding": "half_away"}),
        "正好一半时没有取偶数。",
        "An exact half doesn't go to the even number.",
        ROUND_HINTS,
    ),
    "sign_counts_in_the_size": (
        (
            {"size": "largest_signed"},
            {"size": "largest_signed", "overflow": "wraps"},
            {"size": "largest_signed", "overflow": "at_128"},
        ),
        "取最大值前没有取绝对值：绝对值更大的负数装不下。",
        "The maximum is taken with signs: negative numbers of a larger size don't fit.",
        SCALE_HINTS,
    ),
    "another_size": (
        (
            {"size": "half_the_range"},
            {"size": "half_the_range", "overflow": "wraps"},
            {"size": "half_the_range", "overflow": "at_128"},
            {"size": "range"},
            {"size": "mean"},
            {"size": "mean", "overflow": "wraps"},
            {"size": "deviation"},
            {"size": "deviation", "overflow": "wraps"},
        ),
        "尺度不是从最大的绝对值来的（而是从范围、平均或标准差）。",
        "Scales don't come from the largest absolute value (but from the range, a mean or a "
        "deviation).",
        SCALE_HINTS,
    ),
    "zero_point_used": (
        ({"scheme": "asymmetric"}, {"scheme": "unsigned"}),
        "用了零点：这里是对称的，0 应当还是 0。",
        "There is a zero point; the scheme is symmetric here, and 0 should stay 0.",
        SYMMETRIC_HINTS,
    ),
    "scale_multiplied": (
        ({"scheme": "multiplied"}, {"scheme": "multiplied", "overflow": "wraps"}),
        "x 乘了尺度；应当除以尺度。",
        "x is multiplied with the scale, and should be divided by it.",
        SCALE_HINTS,
    ),
    "scale_along_the_wrong_axis": (
        ({"along": "that_axis"}, {"along": "first"}, {"along": "last"}),
        "尺度的轴不对：axis 上的每个位置应当各有一个尺度。",
        "Scales run along the wrong axis: each index of axis should have one of its own.",
        AXIS_HINTS,
    ),
    "axis_ignored": (
        {"along": "ignored"},
        "axis 没有用上：整个数组只有一个尺度。",
        "axis isn't used: there is one scale for the whole array.",
        AXIS_HINTS,
    ),
    "negative_axis_not_found": (
        {"along": "never_found"},
        "axis 是负数时不对：它从后往前数。",
        "It is wrong for a negative axis, which counts from the end.",
        AXIS_HINTS,
    ),
    "axes_lost": (
        ({"keepdims": "lost"}, {"keepdims": "always"}),
        "scale 的形状不对：给了 axis 时轴数跟 x 一样，别的轴长度是 1；None 时形状是 ()。",
        "scale has a wrong shape: with an axis it has as many axes as x, the others of length 1; "
        "for None its shape is ().",
        SHAPE_HINTS,
    ),
    "zeros_not_looked_after": (
        (
            {"zeros": "zero"},
            *({"zeros": f"tiny {number}"} for number in ("1e-8", "1e-7", "1e-6", "1e-5")),
            {"zeros": "one_over_127"},
            {"zeros": "one_if_any"},
        ),
        "全是 0 的地方，尺度应当是 1（别的地方照旧）。",
        "Where all numbers are 0 the scale should be 1 (and elsewhere what it is).",
        ZERO_HINTS,
    ),
    "another_pair": (
        (
            {"returned": "turned"},
            {"returned": "q_alone"},
            {"returned": "three"},
            {"returned": "inverse"},
            {"returned": "largest"},
            {"returned": "dequantized"},
            {"returned": "dequantized_alone"},
            {"returned": "floats"},
        ),
        "返回的不是 (q, scale)：整数，和 x ≈ q · scale 里的那个尺度。",
        "What comes back isn't (q, scale): whole numbers, and the scale of x ≈ q · scale.",
        FORM_HINTS,
    ),
    "q_of_another_type": (
        tuple({"q_type": kind} for kind in ("int64", "int32", "int16", "uint8")),
        "q 的类型不对，应当是 int8：不然一点也没有变小。",
        "q has another type than int8, and nothing becomes smaller.",
        FORM_HINTS,
    ),
    "scale_of_another_type": (
        ({"scale_type": "float64"}, {"scale_type": "float16"}),
        "scale 的类型不对，应当是 float32。",
        "scale has another type than float32.",
        FORM_HINTS,
    ),
    "x_changed": (
        {"edits": "in_place"},
        CHANGED.zh,
        CHANGED.en,
        CHANGE_HINTS,
    ),
}
