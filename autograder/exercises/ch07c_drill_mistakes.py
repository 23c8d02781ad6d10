"""The drill of notebook ch07c: its bugs and other mistakes in repairs."""

from autograder.messages import Text

# The keys of solutions/ch07c_failure/drill.py, in its order, as the oracle's switches; a test
# compares them.
ILLS = {
    "chosen_on_all_rows": {"chosen_on": "all"},
    "judged_on_all_rows": {"judged_on": "all"},
    "multiplied_by_temperature": {"scale": "multiplied"},
    "chosen_by_accuracy": {"loss": "errors"},
    "probabilities_scaled": ({"after_of": "probabilities"}, {"scale": "softmax_twice"}),
    "bins_weigh_the_same": ({"weight": "same"}, {"weight": "over_all_bins"}),
    "signed_gaps": {"weight": "signed_sum"},
    "confidence_of_the_label": {"confidence": "of_the_label"},
}

# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种毛病（没修掉，或者是新添的）：拿一个手算得出来的小例子，"
    "看看它和你手算的一样不一样。",
    "repaired has one of the faults in the list (still, or newly): take an example small enough to "
    "do by hand, and compare.",
)
ILL_HINTS = (
    (
        "每次只动一样：dev 里的一个 label、别的行的一个 label、全部 logits 乘 2、行的次序。"
        "三个数里哪些该变，哪些不该？",
        "Change one thing at a time: a label within dev, a label elsewhere, all logits doubled, "
        "the order of rows. Which of the three numbers should change, and which shouldn't?",
    ),
    (
        "用纸笔走一遍：哪些行挑温度，拿什么挑；哪些行评判；每个格子的差、分量、总和。",
        "Go through it on paper: which rows choose the temperature, and by what; which rows are "
        "judged; each bin's gap, its weight, and the sum.",
    ),
)
STEP_HINTS = (
    (
        "跟 patient 逐行对照：除了那个毛病，别的都照原样。",
        "Compare with patient line by line: but for the fault, all of it stays as it is.",
    ),
    (
        "把中间的数打印出来：每个温度的损失，每个格子的行数和差，跟说明里的每一句对。",
        "Print the numbers on the way, the loss of every temperature, rows and gap of every bin, "
        "and hold them against every sentence of the contract.",
    ),
)

OTHERS = {
    "rows_exchanged": (
        (
            {"chosen_on": "rest", "judged_on": "dev"},
            {"chosen_on": "rest"},
            {"judged_on": "dev"},
        ),
        "行用反了：dev 为 True 的行挑温度，别的行评判。",
        "The rows are mixed up: those with dev True choose the temperature, and the others are "
        "judged.",
        STEP_HINTS,
    ),
    "another_temperature": (
        ({"choice": "highest"}, {"choice": "last"}),
        "选的不是损失最小的温度。",
        "The temperature isn't the one with the lowest loss.",
        STEP_HINTS,
    ),
    "another_loss": (
        (
            {"loss": "likelihood_itself"},
            {"loss": "own_answers"},
            {"loss": "all_classes"},
            {"loss": "entropy"},
        ),
        "挑温度的损失不对：应当是正确类的平均负对数似然。",
        "The loss that temperatures are chosen by is wrong: it should be the mean negative log "
        "likelihood of the right class.",
        STEP_HINTS,
    ),
    "one_error_twice": (
        ({"before_at": "chosen"}, {"after_at": "one"}),
        "before 和 after 是在同一个温度下算的。",
        "before and after are computed at one and the same temperature.",
        STEP_HINTS,
    ),
    "another_weight": (
        (
            {"weight": "none"},
            {"weight": "rows"},
            {"weight": "largest"},
            {"weight": "signed"},
            {"weight": "squared"},
            {"weight": "row_by_row"},
            {"weight": "signed_mean"},
        ),
        "格子的差合起来的方式不对：取绝对值，按行数的份额加权，相加。",
        "The gaps of bins are put together wrongly: absolute values, weighted by shares of rows, "
        "added up.",
        STEP_HINTS,
    ),
    "another_gap": (
        (
            {"right": "probability_of_the_label"},
            {"right": "misses"},
            {"middle": "middle_of_the_bin"},
            {"middle": "upper_edge"},
            {"confidence": "lead"},
        ),
        "格子里的差不对：答对的份额，减去最大概率的平均。",
        "The gap of a bin is wrong: the share that is right, less the mean of largest "
        "probabilities.",
        STEP_HINTS,
    ),
    "another_form": (
        (
            {"returned": "exchanged"},
            {"returned": "gain"},
            {"returned": "temperature_last"},
            {"returned": "errors_alone"},
        ),
        "返回的不是 (temperature, before, after)。",
        "What comes back isn't (temperature, before, after).",
        STEP_HINTS,
    ),
}
