"""Mistakes in choosing a temperature: switches, sentences and hints."""

from autograder.oracles.temperatures import EPSILONS

SCALE_HINTS = (
    (
        "logits 是 [2, 0]，T = 2：概率应当是 [0.731, 0.269]，比 T = 1 时更平。",
        "Logits are [2, 0] and T = 2: probabilities should be [0.731, 0.269], flatter than at "
        "T = 1.",
    ),
    (
        "先用温度去除 logits，再做 softmax，只做一次。",
        "Divide logits by the temperature first, then take the softmax, a single time.",
    ),
)
LARGE_HINTS = (
    (
        "logits 是 [10000, 0]：你的概率和损失是多少？有 NaN 或无穷大吗？",
        "Logits are [10000, 0]: what are your probabilities and the loss? Is there a NaN or an "
        "infinity?",
    ),
    (
        "先从每一行减去它自己最大的数；要对数时，不要先算概率再取对数，把 softmax 的对数化开来写。",
        "Subtract from each row its own largest number; and where the logarithm is wanted don't "
        "take it of a probability, but write out the logarithm of the softmax.",
    ),
)
LOSS_HINTS = (
    (
        "两行 [2, 0] 和 [0, 1]，正确的类都是 0：T = 1 时的损失应当是 0.720。",
        "Two rows, [2, 0] and [0, 1], and class 0 is right in both: the loss at T = 1 should be "
        "0.720.",
    ),
    (
        "每一行只取正确类的概率，取对数，变号，再对行取平均。",
        "Of each row take the probability of the right class alone, its logarithm, the sign "
        "turned, and then the mean over rows.",
    ),
)
CHOICE_HINTS = (
    (
        "把每个温度和它的损失打印成两列：哪一行应当被选中？",
        "Print temperatures and losses in two columns: which line should be chosen?",
    ),
    (
        "损失最小的那个；一样小时，排在前面的。",
        "The one with the smallest loss; of equals the one that comes first.",
    ),
)
AXIS_HINTS = (
    (
        "概率的每一行加起来是多少？每一列呢？",
        "What do the rows of your probabilities add up to, and the columns?",
    ),
    (
        "softmax 是对类做的，也就是最后一个轴。",
        "The softmax goes over classes, which are the last axis.",
    ),
)
FORM_HINTS = (
    (
        "返回的是一对：选中的温度，和那个温度下的概率 (n, C)。",
        "A pair comes back: the temperature that was chosen, and the probabilities there, (n, C).",
    ),
    (
        "选完以后，再用选中的温度算一遍概率。",
        "After choosing, compute the probabilities once more, at the temperature that was chosen.",
    ),
)

TEMPERATURES = {
    "multiplied": (
        {"scale": "multiplied"},
        "乘了温度：应当除以它。",
        "Logits are multiplied by the temperature; they should be divided.",
        SCALE_HINTS,
    ),
    "scaled_otherwise": (
        (
            {"scale": "root"},
            {"scale": "square"},
            {"scale": "minus"},
            {"scale": "power_of_e"},
            {"scale": "none"},
        ),
        "温度用得不对：应当是 logits 除以 T。",
        "The temperature is used wrongly: it should be logits divided by T.",
        SCALE_HINTS,
    ),
    "probabilities_scaled": (
        (
            {"scale": "softmax_twice"},
            {"scale": "probabilities"},
            {"scale": "powers_not_normalised"},
        ),
        "除以温度的是概率（或它的对数），不是 logits。",
        "What is divided by the temperature are probabilities, or their logarithms, not logits.",
        SCALE_HINTS,
    ),
    "overflow": (
        (
            {"stable": "overflow"},
            {"stable": "overflow", "choice": "nan_passed_over"},
        ),
        "logits 大的时候，指数溢出了，得到 NaN。",
        "With large logits the exponential overflows, and there is NaN.",
        LARGE_HINTS,
    ),
    "one_maximum_for_all": (
        (
            {"stable": "one_maximum"},
            {"stable": "one_maximum", "choice": "nan_passed_over"},
        ),
        "减去的是整个数组最大的数：别的行全成了 0。应当每一行减去自己的。",
        "The largest number of the whole array is subtracted, and other rows come to 0; each row "
        "needs its own.",
        LARGE_HINTS,
    ),
    "logarithm_of_zero": (
        (
            {"stable": "not_a_logarithm_at_once"},
            {"stable": "clipped_logits"},
            *({"stable": f"added_{size}"} for size in EPSILONS),
            *({"stable": f"clipped_{size}"} for size in EPSILONS),
        ),
        "很小的概率丢了：成了 0，对数是负无穷；或者被截断、被一个小数顶替。这样温度就选错了。",
        "Very small probabilities are lost: they come to 0, whose logarithm is −∞, or are clipped, "
        "or a small number takes their place; and another temperature is chosen.",
        LARGE_HINTS,
    ),
    "another_loss": (
        (
            {"loss": "likelihood_itself"},
            {"loss": "squares"},
            {"loss": "all_classes"},
            {"loss": "first_class"},
            {"loss": "worst_row"},
            {"loss": "median"},
        ),
        "损失不对：应当是正确类的负对数似然，对行取平均。",
        "The loss is wrong: it should be the negative log likelihood of the right class, averaged "
        "over rows.",
        LOSS_HINTS,
    ),
    "own_answers_for_labels": (
        ({"loss": "own_answers"}, {"loss": "entropy"}),
        "没有看正确的类：用的是模型自己最相信的类（或者熵），越尖锐损失就越小。",
        "The right classes play no part: it is the class that the model itself believes in, or the "
        "entropy, and the sharper the better.",
        LOSS_HINTS,
    ),
    "chosen_by_accuracy": (
        ({"loss": "errors"}, {"choice": "first"}),
        "按准确率挑的：温度不改变谁最大，准确率都一样，挑到的总是第一个。",
        "It is chosen by accuracy; temperatures don't change who is largest, so that all are equal "
        "and the first is taken.",
        LOSS_HINTS,
    ),
    "highest_loss": (
        {"choice": "highest"},
        "挑了损失最大的。",
        "The one with the largest loss is chosen.",
        CHOICE_HINTS,
    ),
    "last_of_equals": (
        {"choice": "last_of_equals"},
        "一样小的时候挑了最后一个。",
        "Of equals, the last one is chosen.",
        CHOICE_HINTS,
    ),
    "softmax_over_rows": (
        {"axis": "rows"},
        "softmax 是对行做的：应当对类做。",
        "The softmax goes over rows; it should go over classes.",
        AXIS_HINTS,
    ),
    "temperature_not_applied": (
        (
            {"applied": "one"},
            {"applied": "last_tried"},
            {"applied": "first_tried"},
            {"applied": "twice"},
        ),
        "返回的概率不是选中的那个温度下的。",
        "The probabilities that come back aren't those at the temperature that was chosen.",
        FORM_HINTS,
    ),
    "another_form": (
        (
            {"returned": "exchanged"},
            {"returned": "place"},
            {"returned": "logits"},
            {"returned": "logarithms"},
            {"returned": "of_the_label"},
            {"returned": "largest"},
            {"returned": "probabilities_alone"},
            {"returned": "temperature_alone"},
            {"returned": "loss"},
        ),
        "返回的不是 (temperature, probabilities)。",
        "What comes back isn't (temperature, probabilities).",
        FORM_HINTS,
    ),
}
