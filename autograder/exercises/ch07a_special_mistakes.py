"""Mistakes in the attention on special tokens: switches, sentences and hints."""

from autograder.exercises.ch07a_kit import AVERAGE_HINTS, AVERAGES, WEIGHTS_CHANGED

KEY_HINTS = (
    (
        "[CLS] 猫 睡 [SEP]：“猫”这一行的权重是 0.1、0.2、0.3、0.4，它给特殊词元的是 0.5。",
        "[CLS] cats sleep [SEP]: the weights of “cats” are 0.1, 0.2, 0.3, 0.4, so it gives 0.5 to "
        "special tokens.",
    ),
    (
        "special_mask 标的是键：它的轴该对上 weights 的哪一个轴？",
        "Here special_mask marks keys: with which axis of weights does its own have to line up?",
    ),
)
QUERY_HINTS = (
    (
        "[CLS] 猫 睡 [SEP] 和一个填充：五个查询里，要算的是哪两个？",
        "[CLS] cats sleep [SEP] and one place of padding: which two of the five queries count?",
    ),
    (
        "要算的查询有两个条件：是真的，**并且**自己不是特殊词元。",
        "A query counts under two conditions: it is real, **and** it is no special token itself.",
    ),
)
MASS_HINTS = (
    (
        "一个查询给三个特殊词元各 0.2：它给特殊词元的份额是 0.6。",
        "A query gives 0.2 to each of three special tokens: its share is 0.6.",
    ),
    (
        "把落在特殊词元上的权重加起来，不平均，不挑最大的；权重加起来本来就是 1。",
        "Add up the weights on special tokens, no mean and no largest; all weights together are 1 "
        "in any case.",
    ),
)

MASS = {
    "special_queries_counted": (
        {"queries": "all_real"},
        "特殊词元自己也当查询算进去了。",
        "Special tokens count as queries, too.",
        QUERY_HINTS,
    ),
    "special_queries_in_the_number": (
        {"scale": "over_all_real"},
        "和对了，除数不对：除以的是所有真词元的个数，特殊词元自己也数进去了。",
        "The sum is right, the divisor isn't: it is the number of all real tokens, special ones "
        "among them.",
        QUERY_HINTS,
    ),
    "padding_counted": (
        ({"queries": "not_special"}, {"average": "divided_by_all"}),
        "填充位置的查询也算进去了。",
        "Queries at padding count, too.",
        QUERY_HINTS,
    ),
    "all_queries_counted": (
        ({"queries": "everything"},),
        "所有查询都算进去了，特殊词元和填充也在内。",
        "All queries count, special tokens and padding among them.",
        QUERY_HINTS,
    ),
    "queries_are_the_special_ones": (
        {"queries": "special"},
        "弄反了：算的是特殊词元自己给特殊词元多少。",
        "It is the other way round: what special tokens give to special tokens.",
        QUERY_HINTS,
    ),
    "words_not_special": (
        {"keys": "words"},
        "算的是给普通词的份额，不是给特殊词元的。",
        "It is the share that goes to words, not to special tokens.",
        KEY_HINTS,
    ),
    "other_keys": (
        (
            {"keys": "first"},
            {"keys": "not_the_first"},
            {"keys": "last_special"},
            {"keys": "of_the_first_row"},
        ),
        "算的键不对：每行里 special_mask 为 True 的键都要算，别的都不算。",
        "The wrong keys are looked at: in each row it is all those that special_mask marks, and no "
        "others.",
        KEY_HINTS,
    ),
    "mask_on_the_queries": (
        (
            {"axis": "mask_on_queries"},
            {"axis": "mask_on_queries", "queries": "all_real"},
            {"axis": "mask_on_queries", "queries": "everything"},
        ),
        "special_mask 对上了查询的轴；这里它标的是键。",
        "special_mask stands along the axis of queries; it marks keys.",
        KEY_HINTS,
    ),
    "mean_not_sum": (
        ({"mass": "mean"}, {"mass": "mean_over_keys"}, {"mass": "over_real_keys"}),
        "对键取了平均：一个查询的份额应当是权重之和。",
        "A mean is taken over keys; the share of a query is a sum of weights.",
        MASS_HINTS,
    ),
    "largest_not_sum": (
        ({"mass": "largest"}, {"mass": "how_often_largest"}),
        "看的是最大的权重（或者它有几次在特殊词元上）：份额是权重之和。",
        "It is about the largest weight (or how often that is on a special token); a share is a "
        "sum of weights.",
        MASS_HINTS,
    ),
    "ratio_to_the_rest": (
        {"mass": "over_the_rest"},
        "除以了别处的权重：份额是占全部的几成，全部就是 1。",
        "It is divided by the weight elsewhere; a share is of all the weight, which is 1.",
        MASS_HINTS,
    ),
    "per_cent": (
        {"scale": "percent"},
        "返回的是百分数，应当是 0 到 1 之间的份额。",
        "These are per cent; shares from 0 to 1 are wanted.",
        MASS_HINTS,
    ),
    "weights_changed": WEIGHTS_CHANGED,
}
# The mean is over words here: a mask that is inverted, or not used, is a mistake of its own.
MEANS = {
    name: mistake
    for name, mistake in AVERAGES.items()
    if name
    not in ("padding_counts", "mask_on_the_keys", "mask_inverted", "padding_taken_for_the_end")
}
MEANS["mean_of_the_rows_means"] = (
    ({"average": "rows"}, {"average": "rows_with_any"}),
    *AVERAGES["mean_of_the_rows_means"][1:3],
    AVERAGE_HINTS,
)
