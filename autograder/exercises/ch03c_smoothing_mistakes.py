"""Mistakes in smoothing labels: switches, sentences and hints."""

SHARE_HINTS = (
    (
        "取 V = 5、smoothing = 0.1，用纸笔写出一行：五个数加起来是多少？",
        "Let V be 5 and smoothing 0.1 and write down one row on paper: what do the five numbers "
        "add up to?",
    ),
    (
        "先把正确词元的概率拿走一份，再把这一份平均分给多少个词元？正确的那个在不在里面？",
        "First a share is taken from the right token. Among how many tokens is it then spread "
        "evenly, and is the right one among them?",
    ),
)
PAD_HINTS = (
    (
        "编号 0 是不是填充，这个函数知道吗？",
        "Does this function know whether 0 is padding?",
    ),
    (
        "填充在损失里由掩码去掉；这里每个标签、每个词元都一视同仁。",
        "The loss's mask takes care of padding; here all labels and all tokens are treated alike.",
    ),
)
ARGUMENT_HINTS = (
    (
        "给 smoothing = 0.3 和 smoothing = 0：结果变吗？",
        "Call it with smoothing = 0.3 and with smoothing = 0. Does the result change?",
    ),
    (
        "0.1 只是没有给出 smoothing 时的值；写出来的式子里不该有这个数。",
        "0.1 is only what smoothing is unless it is given; your formula shouldn't contain it.",
    ),
)
FORM_HINTS = (
    (
        "打印结果的形状和 dtype，对照说明。",
        "Print shape and dtype of the result and compare with the contract.",
    ),
    (
        "每个标签换成一行 V 个概率，行排在最后一个轴上。",
        "Every label turns into a row of V probabilities, along the last axis.",
    ),
)

SMOOTHING = {
    "right_token_left_out": (
        {"mass": "others_only"},
        "拿走的一份只分给了其余 V − 1 个词元；约定平分给全部 V 个，正确的那个也有一份。",
        "The share is spread over the V − 1 others only; it should be over all V tokens, the "
        "right one among them.",
        SHARE_HINTS,
    ),
    "another_divisor": (
        (
            {"mass": "evenly_one_less"},
            {"mass": "others_only_of_all"},
            {"mass": "others_but_two"},
        ),
        "拿走的和分出去的对不上：一行概率加起来不是 1。",
        "What is taken away isn't what is given: a row doesn't add up to 1.",
        SHARE_HINTS,
    ),
    "nothing_taken_from_the_right_token": (
        {"mass": "not_taken_away"},
        "正确词元原来的 1 没有减少：一行概率加起来超过了 1。",
        "The right token keeps its 1 and gets more: a row adds up to more than 1.",
        SHARE_HINTS,
    ),
    "nothing_given_to_the_others": (
        {"mass": "not_given"},
        "拿走的一份没有分给任何词元。",
        "The share is taken away and given to nobody.",
        SHARE_HINTS,
    ),
    "every_token_gets_all_of_it": (
        ({"mass": "given_whole"}, {"mass": "given_whole_to_all"}),
        "每个词元都拿到了整整一份；应当是大家平分这一份。",
        "Every token gets the whole share; it should be divided among them.",
        SHARE_HINTS,
    ),
    "shares_exchanged": (
        ({"mass": "exchanged"}, {"mass": "exchanged_others"}),
        "两份弄反了：smoothing 是拿走的那一份，不是正确词元留下的那一份。",
        "The two shares are swapped: smoothing is what is taken away, not what the right token "
        "keeps.",
        SHARE_HINTS,
    ),
    "not_smoothed": (
        {"mass": "none"},
        "标签没有变软：还是非 0 即 1。",
        "The labels aren't softened: still nothing but 0 and 1.",
        SHARE_HINTS,
    ),
    "half_of_it": (
        {"mass": "half"},
        "只拿走了一半。",
        "Only half of the share is taken.",
        SHARE_HINTS,
    ),
    "wrong_token_is_right": (
        {"mass": "next_token"},
        "概率高的是后面那个词元：编号差了一个。",
        "It is the token after it that is likely: the ids are off by one.",
        FORM_HINTS,
    ),
    "padding_set_to_zero": (
        ({"pad": "column_zero"}, {"pad": "rows_zero"}, {"pad": "both_zero"}),
        "编号 0 被当成填充，设成了 0；这里不区分填充。",
        "Id 0 is taken for padding and set to zero; padding is no business of this function.",
        PAD_HINTS,
    ),
    "share_is_fixed": (
        {"rate": "fixed"},
        "份额写死成了 0.1：参数 smoothing 没有用上。",
        "The share is fixed at 0.1: the argument smoothing isn't used.",
        ARGUMENT_HINTS,
    ),
    "another_form_returned": (
        (
            {"returned": "flat"},
            {"returned": "classes_first"},
            {"returned": "whole_numbers"},
            {"returned": "logarithm"},
            {"returned": "of_the_label"},
        ),
        "返回的不是形状 (..., V) 的概率（轴丢了或换了位，取了整，取了对数，或只有标签那一个）。",
        "What comes back aren't probabilities of shape (..., V): axes are lost or moved, or they "
        "are whole numbers, logarithms, or the label's alone.",
        FORM_HINTS,
    ),
}
