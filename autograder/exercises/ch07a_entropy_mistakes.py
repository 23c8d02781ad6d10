"""Mistakes in the entropy of a head: switches, sentences and hints."""

from autograder.exercises.ch07a_kit import WEIGHTS_CHANGED
from autograder.oracles.head_entropy import EPSILONS

HOW = ("added", "moved", "clipped")
LOG_HINTS = (
    (
        "四个键平分：熵应当是 ln 4 ≈ 1.386。你的是多少？是它的几倍？",
        "Four keys share equally: the entropy should be ln 4 ≈ 1.386. What is yours, and how many "
        "times that?",
    ),
    (
        "奈特用自然对数；比特用以 2 为底的。",
        "Nats go with the natural logarithm, bits with that to the base 2.",
    ),
)
ZERO_HINTS = (
    (
        "在 NumPy 里，0 乘 ln 0 得到什么，为什么？",
        "What does NumPy make of 0 times ln 0, and why?",
    ),
    (
        "先把 0 换成对数恰好是 0 的那个数，再取对数；反正它前面乘的是 0。",
        "Before the logarithm, replace a 0 with the number whose logarithm is exactly 0; it is "
        "multiplied with 0 in any case.",
    ),
)
EPSILON_HINTS = (
    (
        "加上去的数让每个键的那一项都变了一点；200 个键加起来是多少？",
        "What you add changes the term of every key a little: how much is that for 200 keys?",
    ),
    ZERO_HINTS[1],
)
LOST_HINTS = (
    (
        "一行里有一个键是关上的，这一行的熵就是 0 了吗？拿 [0.5, 0.5, 0] 试试。",
        "One key of a row is closed: is the entropy of that row 0? Try [0.5, 0.5, 0].",
    ),
    (
        "NaN 要在求和之前挡住，一个键一个键地；求和以后就晚了。",
        "NaN has to be kept out key by key, before the sum; afterwards it is too late.",
    ),
)
FORMULA_HINTS = (
    (
        "拿 [0.5, 0.5, 0, 0] 和 [1, 0, 0, 0] 用纸笔算：应当是 ln 2 和 0。",
        "Do [0.5, 0.5, 0, 0] and [1, 0, 0, 0] on paper: it should be ln 2 and 0.",
    ),
    (
        "每个键一项：权重乘它自己的对数；对键求和，再变号。",
        "A term for each key, its weight times the logarithm of that weight; a sum over keys, and "
        "the sign turned.",
    ),
)
ORDER_HINTS = (
    (
        "两个查询各看一个不同的键，各自的熵都是 0；把两行平均了再算呢？",
        "Two queries look at one key each, at different ones; both entropies are 0. What if the "
        "two rows are averaged first?",
    ),
    (
        "先是每个查询的熵，后是平均。",
        "First the entropy of every query, then the mean.",
    ),
)

ENTROPY = {
    "bits_not_nats": (
        ({"log": "bits"}, {"log": "decimal"}),
        "对数的底不对：奈特用自然对数。",
        "The logarithm has another base; nats go with the natural one.",
        LOG_HINTS,
    ),
    "zero_times_infinity": (
        {"zero": "not_a_number"},
        "权重是 0 的地方，0 乘 ln 0 成了 NaN。",
        "Where a weight is 0, 0 times ln 0 becomes NaN.",
        ZERO_HINTS,
    ),
    "epsilon_too_large": (
        (
            *({"zero": f"{how}_{size}"} for size in EPSILONS for how in HOW),
            {"zero": "one_more"},
        ),
        "为了躲开 ln 0 加上（或换成）的那个数太大，熵不准了。",
        "What is added, or put in the place of 0, to avoid ln 0 is too large: the entropy isn't "
        "exact any more.",
        EPSILON_HINTS,
    ),
    "rows_with_zeros_lost": (
        ({"zero": "row_lost"}, {"zero": "row_skipped"}),
        "有 0 的行整个丢了：NaN 是在对键求和以后才处理的。",
        "Rows with a 0 are lost altogether: NaN is dealt with only after the sum over keys.",
        LOST_HINTS,
    ),
    "sign_missing": (
        {"sign": "plus"},
        "少了负号：ln a 是负数，熵不是。",
        "The minus is missing: ln a is negative, an entropy isn't.",
        FORMULA_HINTS,
    ),
    "mean_over_keys": (
        ({"measure": "mean_over_keys"}, {"measure": "unweighted_mean"}),
        "对键取了平均，应当求和。",
        "A mean is taken over keys; it should be a sum.",
        FORMULA_HINTS,
    ),
    "weight_missing": (
        ({"measure": "unweighted"}, {"measure": "log_times_log"}),
        "−ln a 前面没有乘权重 a。",
        "−ln a isn't multiplied with the weight a.",
        FORMULA_HINTS,
    ),
    "another_measure": (
        (
            {"measure": "squares"},
            {"measure": "largest"},
            {"measure": "perplexity"},
            {"measure": "of_uniform"},
            {"measure": "of_real"},
            {"measure": "below_uniform"},
        ),
        "算的是别的：Σa²、最大的权重、e 的 H 次方，或者除以了 ln T。",
        "It is something else: Σa², the largest weight, e to the H, or divided by ln T.",
        FORMULA_HINTS,
    ),
    "rows_averaged_first": (
        {"first": "mean_row"},
        "先把各查询的权重平均了，再算熵：应当先算每个查询的熵，再平均。",
        "The rows of weights are averaged first; the entropy of every query comes first, then the "
        "mean.",
        ORDER_HINTS,
    ),
    "weights_changed": WEIGHTS_CHANGED,
}
