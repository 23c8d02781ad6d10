"""Mistakes in the losses of pretraining: switches, sentences and hints."""

from autograder.exercises.ch01a_loss_mistakes import CROSS_HINTS, LOSS
from autograder.exercises.ch04b_lm_mistakes import LM_LOSS

WEIGHT_HINTS = (
    (
        "改动空槽位处的 logits：损失变了吗？不应当变。",
        "Change the logits in an unused slot: does the loss move? It shouldn't.",
    ),
    (
        "权重要在什么时候用：每个槽位各有一个数的时候，还是只剩一个数以后？",
        "When do the weights have to act: while there is a number for every slot, or once a single "
        "one is left?",
    ),
)
MEAN_HINTS = (
    (
        "权重是 1、1、0、0，各槽位的交叉熵是 2、4、8、8：损失应当是多少？",
        "Weights 1, 1, 0, 0 and cross-entropies 2, 4, 8, 8: what should the loss be?",
    ),
    (
        "分母数的是用上的槽位，不是全部槽位，也不是句数。",
        "The denominator counts slots in use, not all slots, nor rows.",
    ),
)
ZERO_HINTS = (
    (
        "一个用上的槽位，答案的编号恰好是 0：它算进去了吗？",
        "A slot in use has an answer whose id happens to be 0: does it count?",
    ),
    (
        "算不算，有一个参数专门说；编号说明不了。",
        "One argument says what counts; ids don't.",
    ),
)
EMPTY_HINTS = (
    (
        "所有的权重都是 0：分子、分母各是多少？",
        "All weights are 0: what are numerator and denominator?",
    ),
    (
        "分母里加的那个很小的数是做什么用的？",
        "What is the tiny number in the denominator for?",
    ),
)
NSP_HINTS = (
    (
        "三对句子，标签是 0、1、0，logits 全是 0：真假的损失应当是 ln 2，你的呢？标签全是 0 时呢？",
        "Three pairs with labels 0, 1, 0 and logits of 0: the loss of the sentences should be "
        "ln 2. Is yours? And with labels that are all 0?",
    ),
    (
        "这里没有填充，也没有要跳过的：B 对句子都算，除以 B。",
        "There is no padding here and nothing to leave out: all B pairs count, divided by B.",
    ),
)
SUM_HINTS = (
    (
        "把三个返回值打印出来：第一个等于后两个之和吗？",
        "Print all three results: is the first the sum of the other two?",
    ),
    (
        "说明里写了三个数和它们的次序。",
        "The contract names three numbers and their order.",
    ),
)


def _with_hints(name, zh, en, hints):
    """A mistake of an earlier loss, in the words of this one."""
    return LOSS[name][0], zh, en, hints


MLM_LOSS = {
    "unused_slots_count": _with_hints(
        "padding_counts",
        "空着的槽位也算进了损失：权重没有用上，或者用得太晚，已经先求了平均或总和。",
        "Unused slots count in the loss: the weights aren't used, or too late, when a mean or a "
        "sum has been taken.",
        WEIGHT_HINTS,
    ),
    "weights_inverted": _with_hints(
        "mask_inverted",
        "权重用反了：算的全是空着的槽位。",
        "The weights are inverted: only unused slots count.",
        WEIGHT_HINTS,
    ),
    "weights_of_the_first_row": _with_hints(
        "mask_of_the_first_row",
        "整批用了第一行的权重。",
        "Every row uses the weights of the first.",
        WEIGHT_HINTS,
    ),
    "weights_on_the_logits": _with_hints(
        "mask_on_the_logits",
        "权重乘在了 logits 上：空槽位变成了乱猜，照样算进了损失。",
        "The weights multiply the logits: in unused slots that is a blind guess, and it still "
        "counts.",
        WEIGHT_HINTS,
    ),
    "id_zero_left_out": (
        ({"masked": "nonzero_labels"}, {"masked": "nonzero_labels", "denominator": "real_count"}),
        "用编号是不是 0 来决定算不算：编号 0 的答案丢了。",
        "Whether a slot counts is read off its id: answers with id 0 are lost.",
        ZERO_HINTS,
    ),
    "divided_by_nonzero_ids": (
        {"counted": "nonzero_ids"},
        "分母数的是编号不为 0 的答案，应当数用上的槽位。",
        "The denominator counts answers whose id isn't 0; it should count slots in use.",
        ZERO_HINTS,
    ),
    "divided_by_all_slots": _with_hints(
        "divided_by_all_positions",
        "分母数错了：除以了 B × P，空槽位越多，损失就显得越小。",
        "Divided by B × P: the more unused slots, the smaller the loss looks.",
        MEAN_HINTS,
    ),
    "divided_by_the_batch": _with_hints(
        "divided_by_the_batch",
        "分母数错了：除以了句数 B（或每行的槽位数 P）；约定除以用上的槽位数。",
        "Divided by the number of rows (or of slots in a row); it should be the number of slots "
        "in use.",
        MEAN_HINTS,
    ),
    "not_divided": _with_hints(
        "not_divided",
        "没有除以用上的槽位数（没除、多加了 1，或除了两次）。",
        "Not divided by the number of slots in use (but by nothing, by one more, or twice).",
        MEAN_HINTS,
    ),
    "mean_of_means": (
        (
            *LOSS["mean_of_means"][0],
            {"counted": "rows_guarded"},
            {"counted": "rows_in_use"},
        ),
        "先在每行里平均，再平均一次：槽位少的行分量就变重了。",
        "A mean over rows of means: slots of rows with few of them get more weight.",
        MEAN_HINTS,
    ),
    "nothing_in_use": (
        {"empty": "nan"},
        "一个槽位也没用上时得到了 NaN；约定是 0。",
        "Without any slot in use it gives NaN; it should be 0.",
        EMPTY_HINTS,
    ),
    "not_a_single_number": _with_hints(
        "not_a_single_number",
        "应当只返回一个数：整批的平均。",
        "A single number should come back: the mean over the batch.",
        MEAN_HINTS,
    ),
}
MLM_LOSS |= {
    name: LM_LOSS[name]
    for name in (
        "softmax_before_the_loss",
        "logits_taken_for_probabilities",
        "logarithms_taken_for_probabilities",
        "softmax_then_logarithm",
        "softmax_missing",
        "logarithm_missing",
        "squared_error",
        "not_the_label",
        "another_unit",
        "wrong_sign",
        "perplexity_returned",
        "gradient_lost",
    )
}
MLM_LOSS["softmax_along_another_axis"] = _with_hints(
    "softmax_along_another_axis",
    "softmax 的方向错了：要在 V 个词元之间分配概率。",
    "The softmax runs along another axis: it shares out probability among the V tokens.",
    CROSS_HINTS,
)

PRETRAINING = {
    "is_next_left_out": (
        (
            {"class_zero": "left_out"},
            {"class_zero": "left_out_plus"},
            {"class_zero": "left_out_nan"},
            {"class_zero": "left_out_of_the_sum"},
        ),
        "标签是 0 的句子没有算：0 是“是下一句”，跟填充没有关系。",
        "Pairs with label 0 don't count: 0 means “is next” and has nothing to do with padding.",
        NSP_HINTS,
    ),
    "labels_inverted": (
        {"label": "inverted"},
        "标签反了：0 是“是下一句”，用第 0 个 logit。",
        "The labels are inverted: 0 means “is next” and belongs to logit number 0.",
        NSP_HINTS,
    ),
    "pairs_summed": (
        ({"pairs": "sum"}, {"together": "sum_over_batch"}),
        "真假的损失没有除以 B：应当是平均。",
        "The loss of the sentences isn't divided by B; it should be a mean.",
        NSP_HINTS,
    ),
    "softmax_before_the_loss": (
        (
            {"nsp_scores": "softmax_first"},
            {"mlm": "softmax_first"},
            {"nsp_scores": "softmax_first", "mlm": "softmax_first"},
        ),
        "softmax 做了两次：先变成概率，又被当作 logits。",
        "The softmax is taken twice: probabilities are fed in as logits.",
        CROSS_HINTS,
    ),
    "logits_taken_for_probabilities": (
        {"nsp_scores": "probabilities"},
        "交叉熵把 logits 当成了概率：Keras 的交叉熵，不特别说明就以为拿到的是概率。",
        "The cross-entropy takes the logits for probabilities: Keras's expect probabilities unless "
        "they are told otherwise.",
        LOSS["logits_taken_for_probabilities"][3],
    ),
    "another_cross_entropy": (
        ({"nsp_scores": "two_sigmoids"}, {"nsp_scores": "softmax_over_the_batch"}),
        "真假的损失不是两类之间的交叉熵：用了两个 sigmoid，或者在批次之间做了 softmax。",
        "The loss of the sentences isn't a cross-entropy between two classes, but takes two "
        "sigmoids, or a softmax along the batch.",
        NSP_HINTS,
    ),
    "weights_not_used": (
        ({"mlm": "all_slots"}, {"mlm": "nonzero_ids"}),
        "猜词的损失没有用 mask_weights：给 mlm_loss 的权重全是 1，或者是从编号猜的。",
        "mask_weights isn't used for the guessed tokens: mlm_loss gets ones, or weights guessed "
        "from ids.",
        WEIGHT_HINTS,
    ),
    "divided_by_all_slots": (
        {"mlm": "divided_by_slots"},
        "猜词的损失除以了全部槽位数 B × P。",
        "The loss of the guessed tokens is divided by all B × P slots.",
        MEAN_HINTS,
    ),
    "losses_weighted": (
        ({"together": "mean"}, {"together": "half_of_nsp"}),
        "两个损失不是直接相加的：求了平均，或者给了权重。",
        "The two losses aren't added as they are, but averaged or weighted.",
        SUM_HINTS,
    ),
    "one_loss_missing": (
        ({"together": "mlm_only"}, {"together": "nsp_only"}),
        "loss 里只有一个损失。",
        "Only one of the losses is in the sum.",
        SUM_HINTS,
    ),
    "not_added": (
        ({"together": "difference"}, {"together": "product"}),
        "两个损失没有相加：做了减法或乘法。",
        "The two losses aren't added, but subtracted or multiplied.",
        SUM_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "loss_only"},
            {"returned": "loss_last"},
            {"returned": "exchanged"},
            {"returned": "pair"},
            {"returned": "loss_and_pair"},
        ),
        "返回的不是三个数 (loss, mlm, nsp)：少了，或者次序不对。",
        "What comes back isn't the three numbers (loss, mlm, nsp): some are missing, or in another "
        "order.",
        SUM_HINTS,
    ),
    "gradient_lost": (
        ({"gradient": "lost"}, {"gradient": "mlm_lost"}, {"gradient": "nsp_lost"}),
        *LOSS["gradient_lost"][1:],
    ),
}
