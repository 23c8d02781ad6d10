"""Mistakes in the accuracy of heads: switches, sentences and hints."""

from autograder.exercises.ch07a_kit import AVERAGES, AXIS_HINTS, FORM_HINTS, WEIGHTS_CHANGED

CANDIDATE_HINTS = (
    (
        "权重 0.7、0.1、0.2，候选是后两个键：挑的是最后一个，不是第一个。",
        "Weights 0.7, 0.1, 0.2, and the last two keys are candidates: the last one is chosen, not "
        "the first.",
    ),
    (
        "不是候选的键，换成一个比什么权重都小的数，再找最大的。",
        "Give keys that are no candidates a number below every weight, and then look for the "
        "largest.",
    ),
)
ZERO_HINTS = (
    (
        "候选的权重可能全是 0。别的键这时也是 0，谁在前面？",
        "All candidates may have weight 0. If other keys have 0 as well, which comes first?",
    ),
    CANDIDATE_HINTS[1],
)
TIE_HINTS = (
    (
        "两个候选的权重一样大：挑前面那个，就这一个。",
        "Two candidates have equal weights: the first is chosen, and no other.",
    ),
    (
        "查一查 NumPy 的 argmax 遇到一样大的怎么办；不用别的花样。",
        "See what NumPy's argmax does about equal numbers; nothing else is needed.",
    ),
)
COUNT_HINTS = (
    (
        "十个查询，四个有目标，挑对了三个：3/4，不是 3/10。",
        "Ten queries, four of them with a target, three chosen rightly: 3/4, not 3/10.",
    ),
    (
        "有目标就是 targets 不小于 0（0 也是目标）；分子分母都只数这些查询，所有行合在一起。",
        "To have a target means that targets isn't below 0 (and 0 is one); count only such "
        "queries above and below the line, of all rows together.",
    ),
)
OUTSIDE_HINTS = (
    (
        "两个查询有目标，一个的目标不是候选，另一个挑对了：1/2，不是 1/1。",
        "Two queries have targets; that of one is no candidate, the other chose right: 1/2, not "
        "1/1.",
    ),
    (
        "目标不在候选里的查询挑不到目标，自然是错的；它照样占一个分母。",
        "A query whose target is no candidate can't choose it, so it is wrong, and it counts below "
        "the line like any other.",
    ),
)
HIT_HINTS = (
    (
        "每个查询不是对就是错：1 或 0。",
        "Each query is right or wrong: 1 or 0.",
    ),
    (
        "先是每个查询挑中的键，再跟目标比是不是同一个。",
        "First the key that each query chooses, then whether it is the target.",
    ),
)
REFUSE_HINTS = (
    (
        "一个目标也没有时，你的函数返回什么？",
        "What does your function return where there is no target at all?",
    ),
    (
        "份额没有分母就没有意义，所以说好了抛出 ValueError。",
        "A share of nothing means nothing; so it was agreed to raise a ValueError.",
    ),
)

RELATIONS = {
    "candidates_ignored": (
        ({"choice": "anything"}, {"choice": "anything_then_checked"}),
        "没有管候选：在所有的键里挑了最大的。",
        "Candidates are ignored: the largest of all keys is chosen.",
        CANDIDATE_HINTS,
    ),
    "zero_is_not_low_enough": (
        {"choice": "zeros_elsewhere"},
        "不是候选的键换成了 0：候选的权重全是 0 时，会挑到别的键。",
        "Keys that are no candidates get a 0: where all candidates have weight 0, another key is "
        "chosen.",
        ZERO_HINTS,
    ),
    "other_candidates": (
        (
            {"choice": "inverted"},
            {"choice": "candidates_of_the_first_row"},
            {"choice": "candidates_are_queries"},
        ),
        "候选用错了：反了，用的是第一行的，或者对上了查询的轴。",
        "The candidates are used wrongly: inverted, those of the first row, or along the axis of "
        "queries.",
        CANDIDATE_HINTS,
    ),
    "a_candidate_left_out": (
        ({"choice": "not_itself"}, {"choice": "not_the_first"}),
        "有的候选不让挑：自己的位置也可以挑，第 0 个键也可以。",
        "Some candidates can't be chosen; a query's own place may be, and so may key 0.",
        CANDIDATE_HINTS,
    ),
    "place_among_the_candidates": (
        {"choice": "place_among_candidates"},
        "挑中的是“第几个候选”，不是第几个键。",
        "What is chosen is the number among candidates, not among keys.",
        CANDIDATE_HINTS,
    ),
    "smallest_chosen": (
        {"choice": "smallest"},
        "挑了最小的。",
        "The smallest is chosen.",
        CANDIDATE_HINTS,
    ),
    "last_of_equals": (
        {"choice": "last_of_equals"},
        "一样大的时候挑了最后一个。",
        "Of equals, the last one is chosen.",
        TIE_HINTS,
    ),
    "all_equals_are_right": (
        ({"hit": "as_large_as_any"}, {"hit": "equal_to_the_largest"}),
        "一样大的都算挑中了：只挑第一个。",
        "All of several equals count as chosen; it is the first one only.",
        TIE_HINTS,
    ),
    "all_queries_counted": (
        (
            {"counted": "everything"},
            {"average": "divided_by_all"},
            {"counted": "everything", "hit": "minus_one_is_the_last"},
        ),
        "没有目标的查询也算进去了（NumPy 里 −1 是最后一个）。",
        "Queries without a target count, too (and to NumPy −1 is the last).",
        COUNT_HINTS,
    ),
    "other_queries_counted": (
        (
            {"counted": "zero_is_none"},
            {"counted": "candidates"},
            {"counted": "with_target_and_candidate"},
            {"counted": "all_but_the_last"},
        ),
        "算的查询不对：有目标的都算，目标是 0 的也算，别的不算。",
        "The wrong queries count: it is all that have a target, which may be 0, and no others.",
        COUNT_HINTS,
    ),
    "targets_outside_left_out": (
        {"counted": "target_is_a_candidate"},
        "目标不是候选的查询给丢掉了：它们要算，而且总算错。",
        "Queries whose target is no candidate are left out; they count, and are always wrong.",
        OUTSIDE_HINTS,
    ),
    "mean_of_the_rows_means": (
        ({"average": "rows"}, {"average": "rows_with_any"}),
        *AVERAGES["mean_of_the_rows_means"][1:3],
        COUNT_HINTS,
    ),
    "another_divisor": (
        (
            {"scale": "count"},
            {"average": "divided_by_rows"},
            {"average": "divided_by_length"},
            {"average": "heads_too"},
            {"scale": "percent"},
        ),
        "除数不对：应当是有目标的查询的个数，得到 0 到 1 的份额。",
        "The divisor is wrong: it should be the number of queries with a target, so that a share "
        "from 0 to 1 comes out.",
        COUNT_HINTS,
    ),
    "weight_not_choice": (
        (
            {"hit": "weight"},
            {"hit": "share_of_candidates"},
            {"hit": "above_half"},
        ),
        "看的是目标上有多少权重，不是它是不是最大的。",
        "It is about how much weight the target has, not whether it is the largest.",
        HIT_HINTS,
    ),
    "misses_counted": (
        {"hit": "misses"},
        "数的是挑错的。",
        "It is the misses that are counted.",
        HIT_HINTS,
    ),
    "nearly_counts": (
        ({"hit": "one_beside"}, {"hit": "relative"}),
        "比得不对：挑中的键要正好是目标，targets 是键的位置，不是隔几个。",
        "The comparison is wrong: the key must be just the target, and targets are places of keys, "
        "not distances.",
        HIT_HINTS,
    ),
    "queries_for_keys": (
        {"axis": "queries"},
        AVERAGES["queries_for_keys"][1],
        AVERAGES["queries_for_keys"][2],
        AXIS_HINTS,
    ),
    "axes_run_together": (
        {"average": "reshaped"},
        AVERAGES["axes_run_together"][1],
        AVERAGES["axes_run_together"][2],
        FORM_HINTS,
    ),
    "first_row_only": AVERAGES["first_row_only"],
    "mask_on_the_heads": AVERAGES["mask_on_the_heads"],
    "not_a_number_for_each_head": AVERAGES["not_a_number_for_each_head"],
    "no_target_not_refused": (
        ({"refusal": "nan"}, {"refusal": "zeros"}, {"refusal": "another_error"}),
        "没有一个查询有目标时，没有抛出 ValueError。",
        "No ValueError is raised where no query has a target.",
        REFUSE_HINTS,
    ),
    "weights_changed": WEIGHTS_CHANGED,
}
