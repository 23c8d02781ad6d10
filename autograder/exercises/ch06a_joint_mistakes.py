"""Mistakes in adding the losses of intents and slots: switches, sentences and hints."""

from autograder.exercises.ch01a_2_rnn import GRADIENT_LOST

JUDGED_HINTS = (
    (
        "改动一个标签是 −1 的位置上的 logits：损失变了吗？标签是 0 的位置上呢？",
        "Change the logits at a place with tag −1: does the loss move? And at one with tag 0?",
    ),
    (
        "−1 说的是不判；0 是一种标签，要判。",
        "−1 means not judged; 0 is a tag and is judged.",
    ),
)
MEAN_HINTS = (
    (
        "两句话，要判的词元一句四个、一句一个，交叉熵是 2、2、2、2 和 7："
        "槽的损失应当是 3，你的呢？",
        "Two sentences with four judged tokens and one, of cross-entropies 2, 2, 2, 2 and 7: the "
        "slot loss should be 3. Is yours?",
    ),
    (
        "分母数的是整批里要判的词元：不是全部位置，也不是句数。",
        "The denominator counts the judged tokens of the batch, not all places, nor sentences.",
    ),
)
INTENT_HINTS = (
    (
        "两句话，意图的交叉熵是 1 和 3：意图的损失应当是 2，你的呢？",
        "Two sentences with intent cross-entropies 1 and 3: the intent loss should be 2. Is yours?",
    ),
    (
        "同一批句子原样放两遍，损失不该变。你的变了吗？",
        "Put the same sentences in twice: the loss should stay as it is. Does yours?",
    ),
)
EMPTY_HINTS = (
    (
        "所有标签都是 −1：分子、分母各是多少？",
        "All tags are −1: what are numerator and denominator?",
    ),
    (
        "分母最小应当是几，商才是 0？",
        "How small may the denominator be for the quotient to be 0?",
    ),
)
CROSS_HINTS = (
    (
        "logits 全是 0、C 种意图时，意图的损失应当是 ln C；正确的 logit 远大于别的时，应当接近 0。",
        "With logits of 0 and C intents the intent loss should be ln C; where the right logit is "
        "far above the others it should be near 0.",
    ),
    (
        "softmax、取对数、挑出正确的那一个、变号：每步各做一次。",
        "Softmax, logarithm, the entry of the right one, the sign: each of them once.",
    ),
)
KERAS_HINTS = (
    (
        "logits 里有负数，也有大于 1 的：被当成概率，会怎么样？",
        "Some logits are negative, some above 1: what becomes of them as probabilities?",
    ),
    (
        "查一查你用的交叉熵的文档：它有哪几个参数，默认值各是什么？",
        "Look up your cross-entropy: which arguments does it have, with which defaults?",
    ),
)
SUM_HINTS = (
    (
        "把所有的标签换成 −1，只剩意图的损失；再反过来，让意图的 logits 全对。"
        "两个数加起来，是你的结果吗？",
        "Set all tags to −1, and the intent loss is left; then make the intent logits all "
        "right. Do the two numbers add up to your result?",
    ),
    (
        "两个平均各算各的，最后相加，系数都是 1。",
        "Two means, each by itself, are added in the end, each counting once.",
    ),
)


def _both(value):
    """The same mistake in both losses, in that of slots and in that of intents."""
    return {"scores": value}, {"slot_scores": value}, {"intent_scores": value}


JOINT = {
    "unjudged_places_count": (
        (
            {"judged": "all"},
            {"judged": "all", "counted": "not_minus_one"},
            {"judged": "as_the_last"},
            {"judged": "as_the_last", "counted": "not_minus_one"},
        ),
        "标签是 −1 的位置也算进了损失。",
        "Places with tag −1 count in the loss.",
        JUDGED_HINTS,
    ),
    "tag_zero_left_out": (
        ({"judged": "above_zero"}, {"judged": "above_zero", "counted": "not_minus_one"}),
        "标签是 0 的位置没有算：只有 −1 才不判。",
        "Places with tag 0 don't count; only −1 means not judged.",
        JUDGED_HINTS,
    ),
    "judged_on_the_logits": (
        ({"judged": "on_the_logits"}, {"judged": "on_the_logits", "counted": "not_minus_one"}),
        "掩码乘在了 logits 上：不判的位置变成了乱猜，照样算进了损失。",
        "The mask multiplies the logits: at places that aren't judged that is a blind guess, and "
        "it still counts.",
        JUDGED_HINTS,
    ),
    "judged_inverted": (
        {"judged": "inverted"},
        "反了：算的全是不判的位置。",
        "It is inverted: only places that aren't judged count.",
        JUDGED_HINTS,
    ),
    "judged_by_the_first_row": (
        {"judged": "first_row"},
        "整批用了第一句的 −1。",
        "Every sentence uses the −1 of the first.",
        JUDGED_HINTS,
    ),
    "divided_by_all_places": (
        {"counted": "all_places"},
        "槽的损失除以了全部位置 B × T：不判的越多，损失就显得越小。",
        "The slot loss is divided by all B × T places: the fewer are judged, the smaller it looks.",
        MEAN_HINTS,
    ),
    "mean_of_means": (
        (
            {"counted": "rows_guarded"},
            {"counted": "rows_then_batch"},
            {"counted": "rows_in_use"},
            {"counted": "columns_then_length"},
        ),
        "槽的损失先在每句里平均，再平均一次：词元少的句子分量就变重了。",
        "The slot loss is a mean over sentences of means: tokens of sentences with few of them "
        "get more weight.",
        MEAN_HINTS,
    ),
    "divided_by_something_else": (
        (
            {"counted": "batch"},
            {"counted": "length"},
            {"counted": "none"},
            {"counted": "one_more"},
            {"counted": "sum_of_rows"},
        ),
        "槽的损失除错了：应当除以整批里要判的词元数。",
        "The slot loss is divided wrongly; it should be by the number of judged tokens in the "
        "batch.",
        MEAN_HINTS,
    ),
    "nothing_judged": (
        {"empty": "nan"},
        "一个要判的都没有时得到了 NaN；约定是 0。",
        "Where nothing is judged it gives NaN; it should be 0.",
        EMPTY_HINTS,
    ),
    "intents_summed": (
        {"intents": "sum"},
        "意图的损失没有求平均，只求了和。",
        "The intent loss is a sum, not a mean.",
        INTENT_HINTS,
    ),
    "intent_zero_left_out": (
        {"intents": "zero_left_out"},
        "编号是 0 的意图没有算：意图句句都要判。",
        "Intents with number 0 don't count; every sentence's intent does.",
        JUDGED_HINTS,
    ),
    "softmax_before_the_loss": (
        _both("softmax_first"),
        "softmax 做了两次：先变成概率，又被当作 logits。",
        "The softmax is taken twice: probabilities are fed in as logits.",
        CROSS_HINTS,
    ),
    "logits_taken_for_probabilities": (
        _both("probabilities"),
        "交叉熵把 logits 当成了概率：Keras 的交叉熵，不特别说明就以为拿到的是概率。",
        "The cross-entropy takes the logits for probabilities: Keras's expect probabilities unless "
        "they are told otherwise.",
        KERAS_HINTS,
    ),
    "softmax_then_logarithm": (
        _both("log_of_softmax"),
        "先做 softmax 再取对数：logits 相差很大时，概率变成 0，对数是负无穷。",
        "A softmax and then a logarithm: where logits are far apart a probability becomes 0, and "
        "its logarithm is minus infinity.",
        CROSS_HINTS,
    ),
    "another_cross_entropy": (
        (
            *_both("not_normalised"),
            *_both("no_logarithm"),
            *_both("another_axis"),
            *_both("likeliest"),
        ),
        "交叉熵算错了：少了 softmax 或对数，softmax 的方向不对，或者挑的不是正确的那一类。",
        "The cross-entropy is wrong: softmax or logarithm is missing, the softmax runs along "
        "another axis, or it isn't the right class that is picked.",
        CROSS_HINTS,
    ),
    "one_loss_missing": (
        ({"together": "intents_only"}, {"together": "slots_only"}),
        "只有一个损失：意图和槽的应当相加。",
        "There is one loss only; those of intents and slots should be added.",
        SUM_HINTS,
    ),
    "not_a_plain_sum": (
        (
            {"together": "mean"},
            {"together": "half_of_slots"},
            {"together": "difference"},
            {"together": "product"},
            {"together": "per_sentence"},
        ),
        "两个损失不是直接相加的：求了平均、给了权重，或者把句子和词元放在一起平均了。",
        "The two losses aren't just added, but averaged or weighted, or sentences and tokens share "
        "one mean.",
        SUM_HINTS,
    ),
    "wrong_sign": (
        {"sign": "negative"},
        "正负号反了：损失不会是负数。",
        "The sign is wrong: a loss is never negative.",
        CROSS_HINTS,
    ),
    "another_unit": (
        {"unit": "bits"},
        "单位不是奈特：约定用自然对数。",
        "The unit isn't nats: it should be the natural logarithm.",
        CROSS_HINTS,
    ),
    "not_a_single_number": (
        ({"returned": "pair"}, {"returned": "three"}, {"returned": "each_sentence"}),
        "应当只返回一个数：两个损失之和。",
        "A single number should come back, the sum of both losses.",
        SUM_HINTS,
    ),
    "gradient_lost": (
        ({"gradient": "lost"}, {"gradient": "intents_lost"}, {"gradient": "slots_lost"}),
        GRADIENT_LOST["zh"],
        GRADIENT_LOST["en"],
        GRADIENT_LOST["hints"],
    ),
}
