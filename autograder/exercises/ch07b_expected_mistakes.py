"""Mistakes in the expected layer: switches, sentences and hints."""

from autograder.exercises.ch07b_kit import CHANGE_HINTS, CHANGED, REFUSAL_HINTS

GAIN_HINTS = (
    (
        "scores 是 0.5、0.5、0.9：只有第 2 层添了东西，结果应当是 2。",
        "Let scores be 0.5, 0.5, 0.9: only layer 2 adds anything, so the result should be 2.",
    ),
    (
        "第 l 层添的，是看得见它的探针比看不见它的那个多得的分。",
        "What layer l adds is what the probe that sees it scores above the one just below, which "
        "doesn't.",
    ),
)
LOSS_HINTS = (
    (
        "scores 是 0、0.8、0.6：第 2 层添了 −0.2，结果应当是 (0.8 − 0.4) ÷ 0.6。",
        "Let scores be 0, 0.8, 0.6: layer 2 adds −0.2, and the result should be (0.8 − 0.4) ÷ 0.6.",
    ),
    (
        "负的 Δ 在分子、分母里都照原样。",
        "A negative Δ stays as it is, above and below the line.",
    ),
)
NUMBER_HINTS = (
    (
        "只有两个分数，0.2 和 0.7：添分的是第 1 层，结果应当是 1。",
        "With two scores alone, 0.2 and 0.7, it is layer 1 that adds, so the result should be 1.",
    ),
    (
        "分数比 Δ 多一个；第一个 Δ 是第 1 层的。",
        "There is one more score than there are Δ; the first Δ belongs to layer 1.",
    ),
)
DIVISOR_HINTS = (
    (
        "所有分数都加上 0.1，结果应当不变；都乘 2，也不变。",
        "Add 0.1 to all scores and the result should stay; double them, and it should stay, too.",
    ),
    (
        "分母是各层 Δ 的和，也就是最后一个分数减第一个。",
        "Below the line stands the sum of all Δ, which is the last score less the first.",
    ),
)

EXPECTED = {
    "scores_instead_of_gains": (
        (
            {"gains": "scores"},
            {"gains": "over_the_embeddings"},
            {"gains": "to_the_top"},
            {"gains": "relative"},
            {"gains": "scores", "refusal": "none"},
            {"gains": "over_the_embeddings", "refusal": "own_sum"},
            {"gains": "to_the_top", "refusal": "own_sum"},
            {"gains": "relative", "refusal": "own_sum"},
        ),
        "权重不是每层新添的分：用了分数本身、比嵌入高多少，或者别的差。",
        "What weighs isn't what each layer adds: it is the scores themselves, what they are above "
        "the embeddings, or another difference.",
        GAIN_HINTS,
    ),
    "losses_left_out": (
        ({"losses": "left_out"}, {"losses": "left_out", "refusal": "own_sum"}),
        "负的 Δ 当成了 0。",
        "A negative Δ is taken to be 0.",
        LOSS_HINTS,
    ),
    "losses_count_as_gains": (
        (
            {"losses": "absolute"},
            {"losses": "absolute", "refusal": "own_sum"},
            {"losses": "squared"},
            {"losses": "squared", "refusal": "own_sum"},
        ),
        "负的 Δ 取了绝对值（或者平方）：变差了也算添。",
        "A negative Δ has its absolute value taken, or is squared: getting worse counts as adding.",
        LOSS_HINTS,
    ),
    "layers_counted_from_zero": (
        {"counted": "from_zero"},
        "第一个 Δ 的层号应当是 1，不是 0。",
        "The number of the first Δ's layer should be 1, not 0.",
        NUMBER_HINTS,
    ),
    "a_layer_is_missing": (
        (
            {"gains": "the_last_missing"},
            {"gains": "the_first_missing"},
            {"gains": "the_last_missing", "refusal": "own_sum"},
            {"gains": "the_first_missing", "refusal": "own_sum"},
            {"gains": "the_last_missing", "divisor": "gains_of_all"},
            {"gains": "the_first_missing", "divisor": "gains_of_all"},
        ),
        "少了一层：最后一层（或者第 1 层）的 Δ 没有算。",
        "A layer is missing: the Δ of the last one, or of layer 1, isn't counted.",
        NUMBER_HINTS,
    ),
    "not_divided": (
        {"divisor": "not_divided"},
        "没有除以 Δ 的和。",
        "It isn't divided by the sum of all Δ.",
        DIVISOR_HINTS,
    ),
    "another_divisor": (
        (
            {"divisor": "last_score"},
            {"divisor": "layers"},
            {"divisor": "all_layers"},
            {"divisor": "scores"},
            {"divisor": "best_gain"},
            {"divisor": "numbers"},
            {"divisor": "absolute_gains"},
        ),
        "除的不是 Δ 的和：是最后的分数、层数或者别的。",
        "It is divided by something else than the sum of all Δ: by the last score, the number of "
        "layers, or the like.",
        DIVISOR_HINTS,
    ),
    "best_layer": (
        ({"returned": "best_layer"}, {"returned": "best_gain"}),
        "返回的是分数最高（或者添得最多）的那一层，不是平均。",
        "What comes back is the layer with the highest score, or with the largest Δ, not a mean.",
        GAIN_HINTS,
    ),
    "not_a_layer_number": (
        {"returned": "share_of_depth"},
        "结果不是平均的层号：又除以了层数。",
        "The result isn't a mean number of a layer: it is divided by their number, too.",
        DIVISOR_HINTS,
    ),
    "negative_sum_refused": (
        {"refusal": "not_above_zero"},
        "Δ 的和是负数时也抛出了错误：只有 0 才没有意义。",
        "A negative sum of all Δ raises an error, too; only 0 has no meaning.",
        LOSS_HINTS,
    ),
    "any_loss_refused": (
        ({"refusal": "any_loss"}, {"refusal": "any_loss_or_no_gain"}),
        "只要有一层变差就抛出错误：负的 Δ 应当照算。",
        "A single loss raises an error; a negative Δ should simply count.",
        LOSS_HINTS,
    ),
    "no_gain_not_refused": (
        {"refusal": "none"},
        "Δ 的和是 0，却没有抛出 ValueError。",
        "A sum of 0 doesn't raise a ValueError.",
        REFUSAL_HINTS,
    ),
    "arguments_changed": (
        {"edits": "in_place"},
        CHANGED.zh,
        CHANGED.en,
        CHANGE_HINTS,
    ),
}
