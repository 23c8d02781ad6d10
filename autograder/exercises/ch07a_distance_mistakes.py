"""Mistakes in the distance that a head looks: switches, sentences and hints."""

from autograder.exercises.ch07a_kit import WEIGHTS_CHANGED

SIGN_HINTS = (
    (
        "一个查询一半看左边第 2 个，一半看右边第 2 个：距离应当是 2，不是 0。",
        "A query looks two tokens to the left and two to the right, half and half: its distance "
        "should be 2, not 0.",
    ),
    (
        "每一对 i、j 先取绝对值，再按权重平均。",
        "First the absolute value for every pair of i and j, then the mean by weight.",
    ),
)
STEP_HINTS = (
    (
        "T = 4，写出 4 行 4 列的 |i − j| 表：对角线上是几？最大是几？",
        "For T = 4 write down the table of |i − j|, 4 by 4: what is on the diagonal, and what is "
        "the largest?",
    ),
    (
        "隔着几个词元就是几，不开方，不平方，也不多算一个。",
        "It is the number of tokens between the places: no root, no square, and none more.",
    ),
)
WEIGHT_HINTS = (
    (
        "权重 0.6 在隔 1 个的键上，0.4 在隔 6 个的键上：距离是 0.6 + 2.4 = 3。",
        "A weight of 0.6 at a distance of 1 and one of 0.4 at 6: that makes 0.6 + 2.4 = 3.",
    ),
    (
        "每个键一项：权重乘距离；对键求和（权重加起来已经是 1）。",
        "A term for each key, weight times distance; a sum over keys, since weights add up to 1 "
        "already.",
    ),
)
SCALE_HINTS = (
    (
        "总看前一个词的头，不管句子多长，距离都是 1 左右。你的呢？",
        "A head that always looks at the word before has a distance of about 1, however long the "
        "sentence. Has yours?",
    ),
    (
        "单位是词元：除了求平均，不再除以什么。",
        "The unit is tokens: but for the mean nothing is divided.",
    ),
)

DISTANCE = {
    "sign_kept": (
        (
            {"steps": "query_minus_key"},
            {"steps": "key_minus_query"},
            {"steps": "query_minus_key", "scale": "absolute_in_the_end"},
        ),
        "左边和右边有正负，互相抵消了。",
        "Left and right have opposite signs, and cancel.",
        SIGN_HINTS,
    ),
    "distance_to_the_mean_place": (
        {"measure": "of_the_mean_place"},
        "先把看的位置平均成一个，再算距离：左右抵消了。",
        "The places looked at are averaged into one, and the distance is that to it: left and "
        "right cancel.",
        SIGN_HINTS,
    ),
    "squared": (
        (
            {"steps": "squared"},
            {"measure": "root_of_squares"},
            {"steps": "squared", "scale": "root"},
        ),
        "距离平方了（开回根号也不是平均距离）。",
        "Distances are squared (nor is the root of their mean a mean distance).",
        STEP_HINTS,
    ),
    "one_side_only": (
        ({"steps": "backwards_only"}, {"steps": "forwards_only"}),
        "只算了一边：负的被当成了 0。",
        "Only one side counts: what is negative becomes 0.",
        SIGN_HINTS,
    ),
    "off_by_one": (
        ({"steps": "from_one"}, {"steps": "not_itself"}),
        "距离差了 1：看自己是 0，看邻居是 1。",
        "Distances are off by one: 0 for itself, 1 for a neighbour.",
        STEP_HINTS,
    ),
    "place_not_distance": (
        {"steps": "place_of_the_key"},
        "算的是键的位置 j，不是离查询多远。",
        "It is the place j of the key, not how far it is from the query.",
        STEP_HINTS,
    ),
    "largest_weight_only": (
        {"measure": "of_the_largest"},
        "只看了权重最大的键；每个键都要按权重算。",
        "Only the key with the largest weight is looked at; all keys count, by weight.",
        WEIGHT_HINTS,
    ),
    "not_by_weight": (
        ({"measure": "unweighted"}, {"measure": "of_open_keys"}),
        "没有按权重：每个键的分量一样。",
        "Weights aren't used: all keys count alike.",
        WEIGHT_HINTS,
    ),
    "divided_by_the_length": (
        (
            {"measure": "mean_over_keys"},
            {"scale": "over_largest"},
            {"scale": "over_real_tokens"},
        ),
        "对键取了平均，或者除以了句子的长度：单位应当是词元，权重加起来已经是 1。",
        "A mean is taken over keys, or it is divided by the length of the sentence; the unit "
        "should be tokens, and weights add up to 1 already.",
        SCALE_HINTS,
    ),
    "weights_changed": WEIGHTS_CHANGED,
}
