"""Mistakes of a softmax and of the mask in front of it, for functions that return weights alone."""

from autograder.exercises.attention_mistakes import MASK_HINTS, with_fills

SUM_HINTS = (
    ("权重会是负数吗？每一行的和是多少？", "Can a weight be negative? What do rows sum to?"),
    ("把 softmax 的公式写下来，逐步对照。", "Write the softmax down and compare step by step."),
)
SOFTMAX = {
    "softmax_missing": dict(
        switch=with_fills({"softmax_axis": "none"}),
        zh="没有做 softmax：返回的还是分数。",
        en="There is no softmax: what comes back is still the scores.",
        hints=SUM_HINTS,
    ),
    "softmax_incomplete": dict(
        switch=(*with_fills({"softmax_axis": "no_exponential"}), {"softmax_axis": "no_division"}),
        zh="softmax 只做了一半：先取指数，再除以一行之和，两步缺一不可。",
        en="Only half of the softmax is there: take exponentials, then divide by the sum of the "
        "row; it needs both.",
        hints=SUM_HINTS,
    ),
    "softmax_twice": dict(
        switch={"softmax_axis": "twice"},
        zh="softmax 做了两次：权重几乎变成平均，关闭的键也重新分到了权重。",
        en="The softmax is taken twice: weights become nearly even, and closed keys get weight "
        "again.",
        hints=(
            ("什么东西进了 softmax？应当是什么？", "What goes into the softmax, and what should?"),
            ("数一数，softmax 出现了几次。", "Count how often a softmax is applied."),
        ),
    ),
    "logarithm_of_softmax": dict(
        switch=with_fills({"softmax_axis": "logarithm"}),
        zh="得到的是 softmax 的对数：权重全是负数。",
        en="It is the logarithm of the softmax: all weights are negative.",
        hints=SUM_HINTS,
    ),
    "sigmoid_for_softmax": dict(
        switch={"softmax_axis": "sigmoid"},
        zh="用了 sigmoid：每个权重各自为政，加起来不等于 1。",
        en="A sigmoid in place of the softmax: every weight is on its own and they don't sum to "
        "one.",
        hints=SUM_HINTS,
    ),
    "largest_score_takes_all": dict(
        switch={"softmax_axis": "largest_only"},
        zh="只有分数最高的键得到权重；softmax 让每个键按分数各得一份。",
        en="Only the best key gets any weight; a softmax gives every key a share.",
        hints=SUM_HINTS,
    ),
    "mask_added": dict(
        switch={"mask_use": "added_as_number"},
        zh="把布尔掩码当成 0 和 1 加到了分数上：关闭的键只少了 1 分。",
        en="The boolean mask is added to the scores as 0 and 1: closed keys lose just one point.",
        hints=MASK_HINTS,
    ),
    "nan_without_open_key": dict(
        switch={"mask_use": "minus_infinity"},
        zh="一个键也不开放的行得到了 NaN：整行都是负无穷，或者算出了 0 ÷ 0。",
        en="A row without any open key becomes NaN: all of it is minus infinity, or 0 is divided "
        "by 0.",
        hints=(
            (
                "只放一行、全部关闭，看看 softmax 的每一步。",
                "Take one row with every key closed and follow the softmax step by step.",
            ),
            (
                "有没有一个数，足够小，却还是有限的？",
                "Is there a number that is small enough and still finite?",
            ),
        ),
    ),
}
