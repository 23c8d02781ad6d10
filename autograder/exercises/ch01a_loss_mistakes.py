"""Mistakes in the loss of padded sequences: switches, sentences and hints."""

from autograder.exercises.ch01a_2_rnn import GRADIENT_LOST

MASK_HINTS = (
    (
        "改动填充处的 logits：损失变了吗？",
        "Change the logits at padding: does the loss move?",
    ),
    (
        "掩码要在什么时候用：每个位置各有一个数的时候，还是只剩一个数以后？",
        "When does the mask have to act: while there is a number for every position, or once a "
        "single one is left?",
    ),
)
MEAN_HINTS = (
    (
        "两句话，一句损失是 2、2、2、2，另一句只有一个词元，损失是 1：约定的平均是多少？",
        "Two rows, one with losses 2, 2, 2, 2, the other with a single token of loss 1: what is "
        "the mean as agreed?",
    ),
    ("分母里数的是什么？", "What is it that the denominator counts?"),
)
CROSS_HINTS = (
    (
        "模型把全部概率给了正确的词元时，损失应当是多少？V 个词元平分时呢？",
        "What should the loss be when the right token has all the probability? And when V tokens "
        "share it evenly?",
    ),
    (
        "softmax、取对数、挑出标签那一个、变号：每步各做一次。",
        "Softmax, logarithm, the label's entry, the sign: each of them once.",
    ),
)

LOSS = {
    "padding_counts": (
        (
            # A mean that the mask meets afterwards is the same number: (m · mask) summed ÷ mask.
            {"masked": "not", "denominator": "batch_times_length"},
            {"masked": "not", "denominator": "real_count"},
            {"masked": "mean_times_share"},
        ),
        "填充也算进了损失：掩码没有用上，或者用得太晚，已经先求了平均或总和。",
        "Padding counts in the loss: the mask isn't used, or too late, when a mean or a sum has "
        "been taken.",
        MASK_HINTS,
    ),
    "mask_inverted": (
        {"masked": "inverted"},
        "掩码用反了：算的全是填充的损失。",
        "The mask is inverted: only padding counts.",
        MASK_HINTS,
    ),
    "mask_guessed_from_the_labels": (
        {"masked": "nonzero_labels"},
        "掩码是从标签猜的（编号是不是 0）；要用参数里给的那个。",
        "The mask is guessed from the labels (whether they are 0); it should be the one that is "
        "given.",
        MASK_HINTS,
    ),
    "mask_of_the_first_row": (
        {"masked": "first_row"},
        "整批用了第一行的掩码。",
        "Every row uses the mask of the first.",
        MASK_HINTS,
    ),
    "mask_on_the_logits": (
        (
            {"masked": "logits", "denominator": "real_count"},
            {"masked": "logits", "denominator": "batch_times_length"},
        ),
        "掩码乘在了 logits 上：填充处变成了乱猜，照样算进了损失。",
        "The mask multiplies the logits: at padding that is a blind guess, and it still counts.",
        MASK_HINTS,
    ),
    "divided_by_all_positions": (
        {"denominator": "batch_times_length"},
        "分母数错了：除以了 B × T，填充越多，损失就显得越小。",
        "Divided by B × T: the more padding, the smaller the loss looks.",
        MEAN_HINTS,
    ),
    "divided_by_the_batch": (
        ({"denominator": "batch"}, {"denominator": "length"}),
        "分母数错了：除以了句数（或时刻数）；约定除以真词元的个数。",
        "Divided by the number of rows (or of times); it should be the number of real tokens.",
        MEAN_HINTS,
    ),
    "not_divided": (
        ({"denominator": "none"}, {"denominator": "real_tokens_plus"}, {"denominator": "squared"}),
        "没有除以真词元的个数（没除、多加了 1，或除了两次）。",
        "Not divided by the number of real tokens (but by nothing, by one more, or twice).",
        MEAN_HINTS,
    ),
    "mean_of_means": (
        ({"denominator": "rows_then_batch"}, {"denominator": "columns_then_length"}),
        "先按句（或按时刻）平均，再平均一次：短句里的词元分量就变重了。",
        "A mean over rows (or times) of means: tokens of short rows get more weight.",
        MEAN_HINTS,
    ),
    "softmax_before_the_loss": (
        {"scores": "softmax_first"},
        "softmax 做了两次：先变成概率，又被当作 logits；再好的模型，损失也降不到 0。",
        "The softmax is taken twice: probabilities are fed in as logits, and not even a perfect "
        "model gets near 0.",
        CROSS_HINTS,
    ),
    "logits_taken_for_probabilities": (
        {"scores": "taken_for_probabilities"},
        "交叉熵把 logits 当成了概率：Keras 的交叉熵，不特别说明就以为拿到的是概率。",
        "The cross-entropy takes the logits for probabilities: Keras's expect probabilities "
        "unless they are told otherwise.",
        (
            (
                "logits 里有负数，也有大于 1 的：被当成概率，会怎么样？",
                "Some logits are negative, some above 1: what becomes of them as probabilities?",
            ),
            (
                "查一查你用的交叉熵的文档：它有哪几个参数，默认值各是什么？",
                "Look up your cross-entropy: which arguments does it have, with which defaults?",
            ),
        ),
    ),
    "softmax_along_another_axis": (
        ({"scores": "softmax_over_time"}, {"scores": "softmax_over_batch"}),
        "softmax 的方向错了：要在 V 个词元之间分配概率。",
        "The softmax runs along another axis: it shares out probability among the V tokens.",
        CROSS_HINTS,
    ),
    "softmax_missing": (
        ({"scores": "not_normalised"}, {"scores": "log_of_logits"}),
        "没有 softmax：logits 还不是概率。",
        "There is no softmax: logits aren't probabilities.",
        CROSS_HINTS,
    ),
    "logarithm_missing": (
        {"scores": "no_logarithm"},
        "没有取对数：拿概率本身去平均了。",
        "There is no logarithm: the probabilities themselves are averaged.",
        CROSS_HINTS,
    ),
    "squared_error": (
        {"scores": "squared_error"},
        "用了平方误差；约定是交叉熵。",
        "It's a squared error; a cross-entropy is asked for.",
        CROSS_HINTS,
    ),
    "another_label": (
        ({"picked": "next_label"}, {"picked": "previous_label"}),
        "标签又移了一格：移位在 shift_right 里已经做过了。",
        "Labels are shifted once more: shift_right has done that.",
        CROSS_HINTS,
    ),
    "not_the_label": (
        (
            {"picked": "likeliest"},
            {"picked": "every_class"},
            {"picked": "mean_of_classes"},
        ),
        "挑出来的不是标签那一个词元的对数概率。",
        "It isn't the label's log-probability that is picked out.",
        CROSS_HINTS,
    ),
    "another_unit": (
        ({"unit": "bits"}, {"unit": "tens"}),
        "单位不是奈特：约定用自然对数。",
        "The unit isn't nats: it should be the natural logarithm.",
        CROSS_HINTS,
    ),
    "wrong_sign": (
        {"sign": "negative"},
        "正负号反了：损失越小应当越好，而且不会是负数。",
        "The sign is wrong: a smaller loss should be better, and it is never negative.",
        CROSS_HINTS,
    ),
    "perplexity_returned": (
        {"returned": "perplexity"},
        "返回的是困惑度（损失取指数）。",
        "It is the perplexity that comes back (the exponential of the loss).",
        CROSS_HINTS,
    ),
    "not_a_single_number": (
        (
            {"returned": "each"},
            {"returned": "each_masked"},
            {"returned": "each_row"},
            {"returned": "pair"},
        ),
        "应当只返回一个数：整批的平均。",
        "A single number should come back: the mean over the batch.",
        MEAN_HINTS,
    ),
    "gradient_lost": (
        {"gradient": "lost"},
        GRADIENT_LOST["zh"],
        GRADIENT_LOST["en"],
        GRADIENT_LOST["hints"],
    ),
}
