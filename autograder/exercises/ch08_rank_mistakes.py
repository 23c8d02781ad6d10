"""Mistakes in writing a kernel as two thin ones: switches, sentences and hints."""

from autograder.messages import Text

CHANGED = Text("传进来的 kernel 被改动了。", "kernel, which was handed in, is changed.")
NOT_REFUSED = Text(
    "rank 小于 1，或者大于 kernel 较短的那一边，应当抛出 ValueError。",
    "A rank below 1 or above the shorter side of kernel should raise a ValueError.",
)
VALUE_HINTS = (
    (
        "kernel = diag(4, 1)、rank = 1：乘积应当是 diag(4, 0)。你的呢？",
        "kernel = diag(4, 1) and rank = 1: the product should be diag(4, 0). What is yours?",
    ),
    (
        "三样乘起来才是原来的核，每个奇异值一共用一次：全给一边，或者两边各开方。",
        "It takes all three to make the kernel, and each singular value counts once: all of it on "
        "one side, or its root on both.",
    ),
)
WHICH_HINTS = (
    (
        "奇异值是从大到小排好的：留下的应当是哪一头？",
        "Singular values come in descending order: which end should stay?",
    ),
    (
        "秩越大，乘积离 kernel 越近；取满时，一点不差。你的是这样吗？",
        "The larger the rank, the closer the product is to the kernel, and at full rank nothing is "
        "missing. Is yours like that?",
    ),
)
RIGHT_HINTS = (
    (
        "取满秩，先不截断：三样按 NumPy 文档里说的那样乘，得到的是不是 kernel？",
        "At full rank, with nothing cut: multiplied as NumPy's page says, do the three make the "
        "kernel?",
    ),
    (
        "svd 返回的第三样已经转置过：右奇异向量是它的行。",
        "The third thing that svd returns is transposed already: right singular vectors are its "
        "rows.",
    ),
)
SHAPE_HINTS = (
    (
        "kernel 是 (6, 4)、rank = 2：两个因子的形状应当是 (6, 2) 和 (2, 4)。",
        "A kernel of (6, 4) and rank = 2: the factors should have shapes (6, 2) and (2, 4).",
    ),
    (
        "一共两样，first @ second 就接近 kernel：奇异值乘进其中一个（或各乘一点）。",
        "There are two things, and first @ second is close to kernel: singular values go into one "
        "of them, or in part into each.",
    ),
)
TYPE_HINTS = (
    (
        "kernel 是 float32 时，打印两个因子的 dtype；float64 时再来一次。",
        "Print the dtype of both factors for a kernel of float32, and again for float64.",
    ),
    (
        "中间用什么精度都行，最后转成 kernel 的类型。",
        "Any precision will do on the way; in the end both get the kernel's type.",
    ),
)
REFUSAL_HINTS = (
    (
        "kernel 是 (6, 4)，rank 取 0、1、4、5：哪几个该抛出 ValueError？反过来 (4, 6) 呢？",
        "A kernel of (6, 4) and ranks of 0, 1, 4 and 5: which of them should raise a ValueError? "
        "And for (4, 6)?",
    ),
    (
        "最大的秩由较短的那一边定。",
        "The largest rank there is depends on the shorter side.",
    ),
)
CHANGE_HINTS = (
    (
        "哪一行往 kernel 里写了东西？",
        "Which line writes into kernel?",
    ),
    (
        "用会造出新数组的运算。",
        "Use what makes a new array.",
    ),
)

RANKS = {
    "smallest_values_kept": (
        {"which": "smallest"},
        "留下的是最小的奇异值；应当留最大的。",
        "The smallest singular values are kept, and it should be the largest.",
        WHICH_HINTS,
    ),
    "singular_values_missing": (
        {"weighed": "never"},
        "奇异值没有乘进去。",
        "Singular values aren't multiplied in.",
        VALUE_HINTS,
    ),
    "singular_values_counted_wrongly": (
        (
            {"weighed": "twice"},
            {"weighed": "roots_once"},
            {"weighed": "squared_roots"},
            {"weighed": "inverse"},
        ),
        "每个奇异值应当一共乘一次：这里乘了两次、只乘了它的平方根，或者除了。",
        "Each singular value should count once; here it counts twice, only its root does, or it "
        "divides.",
        VALUE_HINTS,
    ),
    "right_vectors_in_columns": (
        ({"right": "columns"}, {"right": "columns_of_all"}, {"right": "not_turned"}),
        "右奇异向量取错了方向：svd 返回的第三样，向量在行上。",
        "Right singular vectors are taken the wrong way; in the third thing that svd returns they "
        "are rows.",
        RIGHT_HINTS,
    ),
    "kernel_cut_off": (
        ({"which": "first_columns"}, {"which": "first_rows"}),
        "直接截了 kernel 的几列或几行，没有做奇异值分解。",
        "Columns or rows of the kernel are simply cut off; there is no singular value "
        "decomposition.",
        WHICH_HINTS,
    ),
    "centred": (
        {"which": "centred"},
        "先减了平均值：这里分解的是 kernel 本身。",
        "A mean is subtracted first; it is the kernel itself that is decomposed here.",
        WHICH_HINTS,
    ),
    "another_rank": (
        (
            {"number": "one_more"},
            {"number": "one_less"},
            {"number": "all"},
            {"number": "what_is_left"},
        ),
        "用的奇异值个数不是 rank。",
        "The number of singular values that are used isn't rank.",
        SHAPE_HINTS,
    ),
    "other_factors": (
        (
            {"returned": "three"},
            {"returned": "three_square"},
            {"returned": "turned"},
            {"returned": "upright"},
            {"returned": "product"},
        ),
        "返回的不是 (in, rank) 和 (rank, out) 的一对。",
        "What comes back isn't a pair of shapes (in, rank) and (rank, out).",
        SHAPE_HINTS,
    ),
    "another_type": (
        ({"types": "float64"}, {"types": "float32"}),
        "类型不对：两个因子的类型应当和 kernel 一样。",
        "The types are wrong: both factors should have the type of kernel.",
        TYPE_HINTS,
    ),
    "rank_not_checked": (
        (
            {"refusal": "never"},
            {"refusal": "large_only"},
            {"refusal": "small_only"},
            {"refusal": "negative_or_large"},
            {"refusal": "by_the_rows"},
            {"refusal": "by_the_columns"},
            {"refusal": "by_the_larger"},
        ),
        NOT_REFUSED.zh,
        NOT_REFUSED.en,
        REFUSAL_HINTS,
    ),
    "full_rank_refused": (
        ({"refusal": "full_too"}, {"refusal": "does_not_pay"}),
        "能取的秩也报错了：从 1 到较短的那一边都可以，划不划算是另一回事。",
        "Ranks that there are get refused: any from 1 to the shorter side is fine, whether it "
        "pays or not.",
        REFUSAL_HINTS,
    ),
    "kernel_changed": (
        {"edits": "in_place"},
        CHANGED.zh,
        CHANGED.en,
        CHANGE_HINTS,
    ),
}
