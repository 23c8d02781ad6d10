"""Known mistakes in layer normalisation: name → switches, sentences and hints."""

SPREAD_HINTS = (
    (
        "手算一个词：[1, 0, 0, 0]，ε 取 0。应得约 [1.73, −0.58, −0.58, −0.58]，你的呢？",
        "Work out one token by hand: [1, 0, 0, 0] with ε = 0 should give about [1.73, −0.58, "
        "−0.58, −0.58]. What does yours give?",
    ),
    (
        "gamma 全是 1、beta 全是 0 时，输出的方差应当是 1。你的呢？",
        "With gamma all ones and beta all zeros the output's variance should be 1. Is yours?",
    ),
)
EPSILON_HINTS = (
    (
        "拿一个每个数都一样的词来试，再拿一个数都在 0.001 上下的词来试。",
        "Try a token whose numbers are all equal, then one whose numbers are about 0.001.",
    ),
    (
        "取 ε = 0.1：方差是 0.3 的词要除以 √0.4，也就是约 0.632。",
        "Take ε = 0.1: a token of variance 0.3 is divided by √0.4, about 0.632.",
    ),
)
CENTRE_HINTS = (
    (
        "把 x 整个加上 100，输出应当不变。你的呢？",
        "Add 100 to all of x: the output should stay as it is. Does yours?",
    ),
    (
        "先减均值，再看离均值有多远：两步用的是同一个均值。",
        "Take the mean away, then ask how far from it numbers lie: both steps use one mean.",
    ),
)
AXIS_HINTS = (
    (
        "改动一个词，别的词的输出会变吗？改动另一句话呢？",
        "Change one token: do the outputs of others move? And if another sentence changes?",
    ),
    (
        "在均值后面写下形状：它应当是每个词一个数。",
        "Write down the mean's shape: it should be one number for each token.",
    ),
)
AFFINE_HINTS = (
    (
        "让 gamma 全是 2、beta 全是 5，看输出的均值和方差。",
        "Let gamma be all 2 and beta all 5, and look at the output's mean and variance.",
    ),
    (
        "gamma 先乘，beta 后加，两者都作用在已经归一化的数上。",
        "First times gamma, then plus beta, and both act on what is normalised already.",
    ),
)
WEIGHT_HINTS = (
    (
        "造一层，用 (2, 3, 4) 的输入调用一次，再打印 layer.weights。",
        "Make the layer, call it on an input of shape (2, 3, 4), and print layer.weights.",
    ),
    (
        "两个参数，每个特征一个数：名字、形状、初始值，逐一对照约定。",
        "Two weights with one number for each feature: hold names, shapes and first values against "
        "the contract.",
    ),
)

START_HINTS = (
    (
        "造一层，用 (2, 3, 4) 的输入调用一次，再打印 layer.gamma 和 layer.beta。",
        "Make the layer, call it on an input of shape (2, 3, 4), and print layer.gamma and "
        "layer.beta.",
    ),
    (
        "add_weight 有一个参数专管初始值；不写它，Keras 就抽随机数。",
        "add_weight has an argument for the first values; without it Keras draws random numbers.",
    ),
)

NORM = {
    "sample_variance": dict(
        switch=({"spread": "sample"}, {"spread": "sample_epsilon_outside"}),
        zh="方差除以了 D − 1；约定是总体方差，除以 D。",
        en="The variance is divided by D − 1; it's the population variance here, divided by D.",
        hints=SPREAD_HINTS,
    ),
    "divided_by_variance": dict(
        switch={"spread": "variance"},
        zh="除以的是方差，少了一个平方根。",
        en="The division is by the variance: a square root is missing.",
        hints=SPREAD_HINTS,
    ),
    "root_of_the_deviation": dict(
        switch={"spread": "root_of_deviation"},
        zh="开了两次平方根：先得到标准差，又对它开了方。",
        en="There are two roots: of the variance, and then of the standard deviation again.",
        hints=SPREAD_HINTS,
    ),
    "sum_of_squares": dict(
        switch={"spread": "sum_of_squares"},
        zh="方差没有除以 D：平方是加起来的，没有求平均。",
        en="The variance isn't divided by D: squares are summed and not averaged.",
        hints=SPREAD_HINTS,
    ),
    "another_measure_of_spread": dict(
        switch=({"spread": "absolute"}, {"spread": "largest"}),
        zh="除以的不是标准差（而是平均的绝对值，或者最大的那个）。",
        en="The division isn't by the standard deviation (but by the mean absolute value, or the "
        "largest).",
        hints=SPREAD_HINTS,
    ),
    "not_divided": dict(
        switch=({"spread": "none"}, {"spread": "inverted"}),
        zh="减了均值，却没有除以标准差（或者乘上了它）。",
        en="The mean is taken away, but nothing is divided by the standard deviation (or is "
        "multiplied by it).",
        hints=SPREAD_HINTS,
    ),
    "epsilon_outside_the_root": dict(
        switch=({"spread": "epsilon_outside"}, {"spread": "epsilon_in_both"}),
        zh="ε 加在了根号外面；约定是加在方差上，在根号里面。",
        en="ε is added outside the root; it belongs to the variance, inside it.",
        hints=EPSILON_HINTS,
    ),
    "epsilon_squared": dict(
        switch={"spread": "epsilon_squared"},
        zh="ε 平方了；约定是直接加在方差上。",
        en="ε is squared; it should be added to the variance as it is.",
        hints=EPSILON_HINTS,
    ),
    "epsilon_ignored": dict(
        switch=tuple(
            {"epsilon_used": used} for used in ("none", "1e-6", "1e-5", "1e-3", "1e-12", "1e-7")
        ),
        zh="没有用构造时给的 epsilon（漏了，或者写死了一个数）。",
        en="The epsilon given to the constructor isn't used (left out, or a fixed number instead).",
        hints=EPSILON_HINTS,
    ),
    "mean_not_subtracted": dict(
        switch=({"centre": "kept"}, {"centre": "kept", "spread": "around_zero"}),
        zh="没有减去均值。",
        en="The mean isn't taken away.",
        hints=CENTRE_HINTS,
    ),
    "variance_around_zero": dict(
        switch={"spread": "around_zero"},
        zh="方差是绕着 0 算的：平方之前没有减去均值。",
        en="The variance is taken around 0: nothing was subtracted before squaring.",
        hints=CENTRE_HINTS,
    ),
    "mean_added_back": dict(
        switch={"centre": "added_back"},
        zh="除完以后又把均值加了回来。",
        en="After the division the mean is added back.",
        hints=CENTRE_HINTS,
    ),
    "means_lose_their_axis": dict(
        switch=tuple({"axes_kept": kept} for kept in ("none", "variance", "mean")),
        zh="求平均之后少了一个轴：(B, T) 和 (B, T, D) 从右边对齐，对不到各自的词上。",
        en="The mean has one axis fewer: (B, T) and (B, T, D) line up from the right, so tokens "
        "don't meet their own means.",
        hints=(
            (
                "求平均之后打印形状：最后一个轴还在吗？",
                "Print the shape after taking the mean: is the last axis still there?",
            ),
            (
                "ops 里求平均、求和的函数都能把那个轴留成长度 1：有一个参数专管这件事。",
                "In ops, what takes means and sums can keep that axis with length 1: there is an "
                "argument for it.",
            ),
        ),
    ),
    "over_tokens": dict(
        switch=({"over": "tokens"}, {"over": "all_but_features"}, {"over": "batch"}),
        zh="均值和方差是沿着别的轴算的，各个词（或各句话）混在了一起；应当沿着最后一轴，每个词各算各的。",
        en="Mean and variance run along another axis, across tokens or sentences; they belong to "
        "the last axis, each token on its own.",
        hints=AXIS_HINTS,
    ),
    "over_whole_sequences": dict(
        switch=({"over": "tokens_and_features"}, {"over": "everything"}),
        zh="均值和方差是对整句话（或整批）一起算的；应当每个词各算各的。",
        en="Mean and variance are those of a whole sequence or batch; each token should have its "
        "own.",
        hints=AXIS_HINTS,
    ),
    "gamma_unused": dict(
        switch={"gamma_use": "unused"},
        zh="gamma 没有用上。",
        en="gamma isn't used.",
        hints=AFFINE_HINTS,
    ),
    "beta_unused": dict(
        switch={"beta_use": "unused"},
        zh="beta 没有用上。",
        en="beta isn't used.",
        hints=AFFINE_HINTS,
    ),
    "beta_before_gamma": dict(
        switch={"affine": "beta_first"},
        zh="先加了 beta，再乘 gamma；次序反了。",
        en="beta is added first and gamma multiplies after; it should be the other way round.",
        hints=AFFINE_HINTS,
    ),
    "affine_before_normalising": dict(
        switch={"affine": "before"},
        zh="gamma 和 beta 用在了归一化之前。",
        en="gamma and beta act before the normalisation.",
        hints=AFFINE_HINTS,
    ),
    "gamma_and_beta_swapped": dict(
        switch=({"affine": "names_swapped"}, {"named": "exchanged"}),
        zh="gamma 和 beta 用反了：gamma 是乘的，从 1 开始；beta 是加的，从 0 开始。",
        en="gamma and beta are swapped: gamma multiplies and starts at 1, beta is added and starts "
        "at 0.",
        hints=AFFINE_HINTS,
    ),
    "gamma_plus_one": dict(
        switch=({"gamma_use": "one_plus"}, {"gamma_use": "one_plus", "gamma_start": "zeros"}),
        zh="乘的是 1 + gamma；约定乘 gamma 本身，它从 1 开始。",
        en="The factor is 1 + gamma; it should be gamma itself, which starts at 1.",
        hints=AFFINE_HINTS,
    ),
    "gamma_starts_at_zero": dict(
        switch={"gamma_start": "zeros"},
        zh="gamma 从 0 开始了：那样一开始输出全是 beta，什么信息也过不去。",
        en="gamma starts at 0: at first the output is beta and no information gets through.",
        hints=WEIGHT_HINTS,
    ),
    "beta_starts_at_one": dict(
        switch={"beta_start": "ones"},
        zh="beta 从 1 开始了；应当从 0 开始。",
        en="beta starts at 1; it should start at 0.",
        hints=WEIGHT_HINTS,
    ),
    "random_start": dict(
        switch=({"gamma_start": "random", "beta_start": "random"}, {"gamma_start": "random"},
                {"beta_start": "random"}),
        zh="gamma 或 beta 是从随机数开始的：初始值要交代给 add_weight，gamma 全是 1，beta 全是 0。",
        en="gamma or beta starts from random numbers: add_weight has to be told the first values, "
        "ones for gamma and zeros for beta.",
        hints=START_HINTS,
    ),
    "one_number_for_all_features": dict(
        switch=({"shaped": "one"}, {"shaped": "one_in_a_row"}),
        zh="gamma 和 beta 各只有一个数；应当每个特征一个。",
        en="gamma and beta are single numbers; there should be one for each feature.",
        hints=WEIGHT_HINTS,
    ),
    "weights_for_positions_too": dict(
        switch=({"shaped": "tokens_too"}, {"shaped": "whole_input"}, {"shaped": "tokens"}),
        zh="gamma 和 beta 的形状里有句长或批的大小；应当只有 (D,)。",
        en="gamma and beta have the length or the batch in their shape; it should be (D,) alone.",
        hints=WEIGHT_HINTS,
    ),
    "weights_without_names": dict(
        switch=tuple(
            {"named": which}
            for which in ("unnamed", "gamma_only", "none", "beta_only", "gamma_and_another",
                          "beta_and_another")
        ),
        zh="这一层的参数不是 gamma 和 beta 这两个：登记时没有这样起名；或者没有用 add_weight，"
        "那样它只是一个张量，不是参数。",
        en="The layer's weights aren't gamma and beta: add_weight wasn't given these names, or "
        "wasn't used, and then it is a tensor and no weight.",
        hints=WEIGHT_HINTS,
    ),
    "weights_do_not_learn": dict(
        switch=(
            {"learns": "neither"},
            {"learns": "neither", "numpy": "used"},
            {"learns": "gamma"},
            {"learns": "beta"},
        ),
        zh="有的参数训练时不动：登记时关掉了训练，或者没有梯度传到它。",
        en="Some weight doesn't move in training: it is registered as not trainable, or no "
        "gradient reaches it.",
        hints=WEIGHT_HINTS,
    ),
    "gradient_lost": dict(
        switch=(
            {"gradient": "lost", "numpy": "used"},
            {"gradient": "lost"},
        ),
        zh="数值对，梯度却断了：中途离开了张量（用了 NumPy）或停掉了梯度。",
        en="The values are right but gradients are lost: on the way there is NumPy, or something "
        "that stops gradients.",
        hints=(
            (
                "计算中途有没有把张量变成 NumPy 数组？",
                "Is there a place where a tensor becomes a NumPy array?",
            ),
            ("每一步都用 ops 里的运算。", "Use operations from ops at every step."),
        ),
    ),
}  # fmt: skip
