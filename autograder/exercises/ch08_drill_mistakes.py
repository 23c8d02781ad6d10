"""The drill of notebook ch08: its bugs and other mistakes in repairs."""

from autograder.messages import Text


def _of_each(switch, value):
    """The same mistake in both parts, and in one of them."""
    return ({switch: value}, {switch: f"kernel: {value}"}, {switch: f"x: {value}"})


# The keys of solutions/ch08_compression/drill.py, in its order, as the oracle's switches; a test
# compares them.
ILLS = {
    "signed_ranking": {"ranking": "signed"},
    "one_scale_for_the_kernel": {"kernel_scales": "one"},
    "one_scale_for_the_batch": {"row_scales": "one"},
    "divided_by_128": (
        *_of_each("divisor", "128"),
        *_of_each("divisor", "128 clipped"),
        *_of_each("divisor", "128 wrapped"),
    ),
    "truncated": _of_each("rounding", "truncated"),
    "sum_in_int16": {"sums": "int16"},
    "row_scale_forgotten": {"row_scale": "forgotten"},
    "bias_scaled": ({"bias_added": "inside"},),
}

# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种毛病（没修掉，或者是新添的）：给它和 patient 同样的小例子，"
    "看看结果是不是一样。",
    "repaired has one of the faults in the list (still, or newly): give it and patient the same "
    "small example and see whether the results agree.",
)
ILL_HINTS = (
    (
        "每次只动一样：share、x 的一行、kernel 的一列、bias、输入的个数。哪一次结果离 "
        "x @ kernel + bias 特别远？",
        "Change one thing at a time: share, a row of x, a column of kernel, bias, the number of "
        "inputs. When is the result far from x @ kernel + bias?",
    ),
    (
        "把中间的每一样打印出来，跟说明里的每一句对：谁是 0、尺度、整数、和、结果。",
        "Print everything on the way and hold it against every sentence of the contract: zeros, "
        "scales, whole numbers, sums, the result.",
    ),
)
STEP_HINTS = (
    (
        "跟 patient 逐行对照：除了那个毛病，别的都照原样。",
        "Compare with patient line by line: but for the fault, all of it stays as it is.",
    ),
    (
        "share = 0、x 只有一行、kernel 是 1 × 1：用纸笔算一遍，再跟你的对。",
        "share = 0, one row of x, a kernel of 1 × 1: do it on paper and compare.",
    ),
)
SCALE_HINTS = (
    (
        "x ≈ x_q · x_scale，kernel ≈ kernel_q · kernel_scale：两样乘起来，外面一共有哪些因子？",
        "x ≈ x_q · x_scale and kernel ≈ kernel_q · kernel_scale: which factors stand outside of "
        "their product?",
    ),
    (
        "两个尺度各乘一次；偏置是普通的数，最后加上。",
        "Both scales are multiplied once; the bias is made of plain numbers and comes last.",
    ),
)
PRUNE_HINTS = (
    (
        "share = 0.5 时，kernel 里应当有一半是 0：数一数，也看一看是哪一半。",
        "At share = 0.5 half of the kernel should be 0: count, and see which half it is.",
    ),
    (
        "整个核一起排，小的先去。",
        "The whole kernel is ranked together, and small ones go first.",
    ),
)

OTHERS = {
    "another_part_is_pruned": (
        (
            {"number": "none"},
            {"number": "what_stays"},
            {"number": "floor"},
            {"number": "ceil"},
            {"number": "in_every_column"},
            {"order": "largest"},
        ),
        "变成 0 的不是那一份：应当是整个核里绝对值最小的那些，个数是 share × 总数，四舍五入。",
        "It isn't the right weights that become 0: of the whole kernel, the smallest ones, share "
        "times their number, rounded.",
        PRUNE_HINTS,
    ),
    "scales_along_the_other_axis": (
        ({"kernel_scales": "by_row"}, {"row_scales": "by_column"}),
        "尺度的轴不对：kernel 每个输出列一个，x 每行一个。",
        "Scales run along the wrong axis: one for each output column of kernel, one for each row "
        "of x.",
        SCALE_HINTS,
    ),
    "scales_used_otherwise": (
        (
            {"kernel_scale": "forgotten"},
            {"row_scale": "forgotten", "kernel_scale": "forgotten"},
            {"row_scale": "twice"},
            {"kernel_scale": "twice"},
            {"scaled": "divided"},
        ),
        "尺度没有各乘一次：漏了、乘了两次，或者除了。",
        "The scales aren't multiplied once each: one is missing, counts twice, or divides.",
        SCALE_HINTS,
    ),
    "other_rounding": (
        (
            *_of_each("rounding", "floor"),
            *_of_each("rounding", "ceil"),
        ),
        "没有取最近的整数。",
        "Numbers don't go to the nearest whole one.",
        STEP_HINTS,
    ),
    "another_divisor": (
        (
            *_of_each("divisor", "255"),
            *_of_each("divisor", "255 wrapped"),
        ),
        "尺度的除数不对，应当是 127。",
        "Scales have another divisor than 127.",
        SCALE_HINTS,
    ),
    "narrow_sums": (
        ({"sums": "int8"}, {"sums": "products_in_int8"}),
        "乘积在 int8 里算，溢出了。",
        "Products are computed in int8 and overflow.",
        STEP_HINTS,
    ),
    "bias_used_otherwise": (
        (
            {"bias_added": "missing"},
            {"bias_added": "by_the_kernels"},
            {"bias_added": "by_the_rows"},
            {"bias_added": "rounded"},
            {"bias_added": "subtracted"},
            {"bias_added": "of_the_pruned"},
        ),
        "偏置没有原样加上。",
        "The bias isn't added as it is.",
        SCALE_HINTS,
    ),
    "another_form": (
        ({"returned": "whole"}, {"returned": "turned"}, {"returned": "with_scales"}),
        "返回的不是 (B, out) 的浮点数组。",
        "What comes back isn't a float array of shape (B, out).",
        STEP_HINTS,
    ),
    "another_type": (
        ({"type": "float64"}, {"type": "float16"}),
        "类型不对：应当是 float32。",
        "The type is wrong: it should be float32.",
        STEP_HINTS,
    ),
}
