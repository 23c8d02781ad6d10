"""Mistakes in the similarity of heads: switches, sentences and hints."""

from autograder.exercises.ch07a_kit import AVERAGES, WEIGHTS_CHANGED

KL = ("first_against_second", "second_against_first", "both_ways")
TINY = ("1e-12", "1e-10", "1e-09", "1e-08")  # what is added to a weight before its logarithm
FORMULA_HINTS = (
    (
        "p = [1, 0]、q = [0, 1]：m = [½, ½]，散度应当是 ln 2；p = q 时应当是 0。",
        "p = [1, 0] and q = [0, 1]: m is [½, ½], and the divergence should be ln 2; with p = q it "
        "should be 0.",
    ),
    (
        "三个熵：混合的那个，减去两个头各自的一半。哪一项你没有，或者多了倍数？",
        "Three entropies: that of the mixture, less half of each head's own. Which one is missing, "
        "or has another factor?",
    ),
)
MIDDLE_HINTS = (
    (
        "混合的那个分布加起来也应当是 1：打印看看。",
        "The mixture should add up to 1, too: print it.",
    ),
    (
        "两个分布各占一半。",
        "It is half of each of the two distributions.",
    ),
)
KL_HINTS = (
    (
        "p 有而 q 没有的键：你的数是多少？把两个头对调，得到的还一样吗？",
        "What do you get for a key where p has something and q nothing? And is it the same when "
        "the two heads change places?",
    ),
    (
        "Jensen–Shannon 不拿 p 直接跟 q 比，而是两个都跟它们的混合比。",
        "Jensen–Shannon compares neither with the other, but both with their mixture.",
    ),
)
ZERO_HINTS = (
    (
        "权重是 0 的键，0 ln 0 要当作 0；7a.2 里是怎么做的？",
        "Where a weight is 0, 0 ln 0 counts as 0; how was that done in 7a.2?",
    ),
    (
        "加一个小数躲开 0，它就得小到结果里看不出来。",
        "If something is added to avoid 0, it has to be so small that the result doesn't show it.",
    ),
)
UNIT_HINTS = (
    (
        "毫无重叠的两个头，相似度应当恰好是 0；一模一样的，恰好是 1。",
        "Two heads that have nothing in common should have a similarity of just 0, and two that "
        "are the same of just 1.",
    ),
    (
        "散度最大是 ln 2：除以它，再从 1 里减掉。",
        "The largest divergence is ln 2: divide by that, and take it from 1.",
    ),
)
ORDER_HINTS = (
    (
        "两个查询：头甲看左、右，头乙看右、左。每个查询都毫无重叠；平均了的行呢？",
        "Two queries: one head looks left, then right, the other right, then left. For each query "
        "they have nothing in common; what about the mean rows?",
    ),
    (
        "先是每个查询的散度，后是平均。",
        "First the divergence of each query, then the mean.",
    ),
)
FILL_HINTS = (
    (
        "打印 N = 3 的结果：九个数都有吗？对角线是几？",
        "Print the result for N = 3: are all nine numbers there, and what is the diagonal?",
    ),
    (
        "每个头跟每个头比，自己也在内；只算了一半的，另一半是对称的。",
        "Every head is compared with every head, itself among them; if only one half was computed, "
        "the other is its mirror image.",
    ),
)

LIKENESS = {
    "zero_times_infinity": (
        {"zero": "not_a_number"},
        "权重是 0 的地方，0 乘 ln 0 成了 NaN。",
        "Where a weight is 0, 0 times ln 0 becomes NaN.",
        ZERO_HINTS,
    ),
    "epsilon_too_large": (
        tuple({"zero": f"added_{size}"} for size in ("1e-05", "0.0001", "0.001", "0.01")),
        "为了躲开 ln 0 加上的那个数太大，结果不准了。",
        "What is added to avoid ln 0 is too large: the result isn't exact any more.",
        ZERO_HINTS,
    ),
    "kl_not_js": (
        (
            {"measure": "first_against_second"},
            {"measure": "second_against_first"},
            {"measure": "both_ways"},
            *({"measure": how, "zero": f"added_{tiny}"} for tiny in TINY for how in KL),
        ),
        "这是 KL 散度（或者两个方向的平均），不是 Jensen–Shannon 散度。",
        "This is the KL divergence (or the mean of both directions), not Jensen–Shannon.",
        KL_HINTS,
    ),
    "one_half_only": (
        ({"measure": "one_half_only"}, {"measure": "other_half_only"}),
        "只算了一半：两个头都要跟混合比，各占一半。",
        "Only one half is there: both heads are compared with the mixture, and count half each.",
        FORMULA_HINTS,
    ),
    "not_halved": (
        ({"measure": "not_halved"}, {"measure": "own_not_halved"}),
        "少了 ½：两个头自己的熵各算一半。",
        "A ½ is missing: the entropies of the two heads count half each.",
        FORMULA_HINTS,
    ),
    "sign_turned": (
        {"measure": "entropies_turned"},
        "符号反了：散度不会是负数。",
        "The sign is turned; a divergence is never negative.",
        FORMULA_HINTS,
    ),
    "another_mixture": (
        (
            {"middle": "sum"},
            {"measure": "entropy_of_the_sum"},
            {"middle": "geometric"},
            {"middle": "uniform"},
        ),
        "混合的分布不对：应当是两个的平均，加起来是 1。",
        "The mixture is wrong: it should be the mean of the two, which adds up to 1.",
        MIDDLE_HINTS,
    ),
    "another_comparison": (
        (
            {"measure": "cosine"},
            {"measure": "total_variation"},
            {"measure": "distance"},
            {"measure": "overlap"},
        ),
        "比的办法是别的（余弦、差的绝对值、距离），不是 Jensen–Shannon 散度。",
        "The comparison is another one (cosine, absolute differences, distance), not the "
        "Jensen–Shannon divergence.",
        KL_HINTS,
    ),
    "root_taken": (
        ({"root": "of_the_mean"}, {"root": "of_every_row"}),
        "开了平方：那是 Jensen–Shannon 距离。",
        "A root is taken; that makes it the Jensen–Shannon distance.",
        UNIT_HINTS,
    ),
    "not_divided_by_ln_2": (
        (
            {"unit": "nats"},
            {"unit": "multiplied"},
            {"unit": "twice"},
            {"unit": "ln_keys"},
            {"unit": "largest"},
        ),
        "没有（正好一次）除以 ln 2。",
        "It isn't divided by ln 2 (just once).",
        UNIT_HINTS,
    ),
    "divergence_not_similarity": (
        (
            {"turn": "divergence"},
            {"turn": "minus"},
            {"turn": "exponential"},
            {"turn": "reciprocal"},
        ),
        "返回的是散度，或者换算的办法是别的：应当从 1 里减。",
        "It is the divergence that comes back, or it is turned into a similarity in another way; "
        "it should be taken from 1.",
        UNIT_HINTS,
    ),
    "rows_averaged_first": (
        {"first": "mean_row"},
        "先把权重平均成一张表，再比：应当先算每个查询的散度，再平均。",
        "The weights are averaged into one table first; the divergence of each query comes first, "
        "then the mean.",
        ORDER_HINTS,
    ),
    "half_of_the_table": (
        (
            {"filled": "above_the_diagonal"},
            {"filled": "above_and_the_diagonal"},
            {"filled": "without_the_diagonal"},
            {"filled": "first_against_all"},
            {"filled": "pairs_in_a_row"},
        ),
        "表没有填满：每个头跟每个头，自己也在内。",
        "The table isn't full: every head with every head, itself among them.",
        FILL_HINTS,
    ),
    "weights_changed": WEIGHTS_CHANGED,
}
# A row with its keys cut away is no distribution any more: nobody compares such rows.
PAIR_MEANS = {name: row for name, row in AVERAGES.items() if name != "mask_on_the_keys"}
