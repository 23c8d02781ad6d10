"""Mistakes in the loss of two directions: switches, sentences and hints."""

from autograder.exercises.ch01a_2_rnn import GRADIENT_LOST
from autograder.exercises.ch04a_loss_hints import (
    CROSS_HINTS,
    FORM_HINTS,
    LAYER_HINTS,
    MEAN_HINTS,
    PADDING_HINTS,
    SHIFT_HINTS,
    SIDES_HINTS,
)

LOSS = {
    "own_token_predicted": (
        (
            {"forward_labels": "own_everywhere", "backward_labels": "own_everywhere"},
            {"backward_labels": "own"},
            {"forward_labels": "own"},
            {"backward_labels": "own_everywhere"},
            {"forward_labels": "own_everywhere"},
            {"forward_labels": "own", "backward_labels": "own"},
        ),
        "状态猜的是它自己刚读过的词元：没有错开一格。",
        "A state is to guess the very token that it has just read: nothing is shifted.",
        SHIFT_HINTS,
    ),
    "backward_shifted_like_forward": (
        ({"backward_labels": "next"}, {"backward_labels": "next_state"}),
        "后向也朝前错了一格：它从右边读来，第 t + 1 个词元早就读过了。",
        "The backward direction is shifted like the forward one: coming from the right, it has "
        "read token t + 1 long before.",
        SHIFT_HINTS,
    ),
    "forward_shifted_like_backward": (
        ({"forward_labels": "previous"}, {"forward_labels": "previous_state"}),
        "前向朝后错了一格：第 t − 1 个词元它早就读过了。",
        "The forward direction is shifted backwards: it has read token t − 1 before.",
        SHIFT_HINTS,
    ),
    "shifted_by_two": (
        (
            {"forward_labels": "two_on"},
            {"backward_labels": "two_back"},
            {"forward_labels": "two_on", "backward_labels": "two_back"},
        ),
        "错开了两格。",
        "Shifted by two.",
        SHIFT_HINTS,
    ),
    "rolled_around_the_end": (
        (
            {"forward_labels": "rolled_left", "backward_labels": "rolled_right"},
            {"forward_labels": "rolled_left"},
            {"backward_labels": "rolled_right"},
        ),
        "标签转了一圈（roll），却没有去掉转过头的那一个：句子的一头要猜填充，或者另一头的词元。",
        "The labels are rolled, and what comes around the end isn't cut off: at one end of a "
        "sentence padding is guessed, or a token of the other end.",
        PADDING_HINTS,
    ),
    "padding_counts": (
        (
            {"counted": "all"},
            {"counted": "all", "denominator": "real_at_labels"},
            {"counted": "all", "denominator": "real_tokens"},
            {"counted": "mean_times_share"},
            {"counted": "logits_zeroed", "denominator": "real_at_labels"},
            {"counted": "logits_zeroed", "denominator": "positions"},
        ),
        "填充也算进了损失：掩码没有用上，或者用得太晚，或者用在了 logits 上。",
        "Padding counts in the loss: the mask isn't used, or too late, or on the logits.",
        PADDING_HINTS,
    ),
    "mask_cut_at_the_wrong_end": (
        (
            {"backward_labels": "mask_of_the_label"},
            {"forward_labels": "mask_of_the_state"},
            {"backward_labels": "mask_of_the_label", "forward_labels": "mask_of_the_state"},
        ),
        "掩码切错了一头：每句多算了一次，一端是填充（从填充处猜，或者猜填充）。",
        "The mask is cut at the wrong end: each sentence has a guess too many, made from padding "
        "or of padding.",
        PADDING_HINTS,
    ),
    "mask_inverted": (
        {"counted": "inverted"},
        "掩码用反了：算的全是填充。",
        "The mask is inverted: only padding counts.",
        PADDING_HINTS,
    ),
    "mask_guessed_from_the_ids": (
        tuple({"counted": f"nonzero_{what}"} for what in ("ids", "labels", "pairs", "and_real")),
        "掩码是从编号猜的（是不是 0）；要用参数里给的那个。",
        "The mask is guessed from the ids (whether they are 0); it should be the one that is "
        "given.",
        PADDING_HINTS,
    ),
    "first_tokens_in_the_denominator": (
        {"denominator": "real_tokens"},
        "分母是所有真词元的个数；每句有一个词元是没有人猜的，不该算。",
        "The denominator counts all real tokens; one in each sentence is guessed by nobody.",
        MEAN_HINTS,
    ),
    "divided_by_all_positions": (
        ({"denominator": "positions"}, {"denominator": "all_positions"}),
        "分母数的是所有位置，填充也在内。",
        "The denominator counts every position, padding among them.",
        MEAN_HINTS,
    ),
    "divided_by_the_batch": (
        ({"denominator": "batch"}, {"denominator": "length"}),
        "分母是句数（或位置数）；应当是猜的总次数。",
        "Divided by the number of sentences (or of positions); it should be the number of guesses.",
        MEAN_HINTS,
    ),
    "not_divided": (
        ({"denominator": "none"}, {"denominator": "plus_one"}),
        "没有除以猜的总次数（没除，或者多加了 1）。",
        "Not divided by the number of guesses (but by nothing, or by one more).",
        MEAN_HINTS,
    ),
    "mean_of_means": (
        tuple({"denominator": by} for by in ("rows", "bare_rows", "columns", "bare_columns")),
        "先按句（或按位置）平均，再平均一次：短句的分量变重了。",
        "A mean over sentences (or positions) of means: short sentences get more weight.",
        MEAN_HINTS,
    ),
    "losses_added": (
        {"joined": "sum"},
        "两个方向相加了；这里约定取平均。",
        "Both directions are added; what was agreed is their mean.",
        SIDES_HINTS,
    ),
    "one_direction_only": (
        ({"joined": "forward_only"}, {"joined": "backward_only"}),
        "第一个数只算了一个方向的损失。",
        "The first number has the loss of one direction only.",
        SIDES_HINTS,
    ),
    "losses_joined_wrongly": (
        ({"joined": "product"}, {"joined": "difference"}),
        "第一个数应当是两个方向的平均，这里却是相乘或相减。",
        "The first number should be the mean of both; here they are multiplied or subtracted.",
        SIDES_HINTS,
    ),
    "same_states_twice": (
        ({"sides": "forward_twice"}, {"sides": "backward_twice"}),
        "两个方向用了同一个方向的状态。",
        "Both directions use the states of one.",
        SIDES_HINTS,
    ),
    "directions_exchanged": (
        ({"sides": "exchanged"}, {"returned": "sides_exchanged"}),
        "两个方向弄反了。",
        "The two directions change places.",
        SIDES_HINTS,
    ),
    "directions_mixed_before_scoring": (
        ({"sides": "summed"}, {"sides": "averaged"}),
        "打分之前就把两个方向的状态合在了一起：每一边都看见了要猜的答案。",
        "Both directions' states are joined before scoring: each side has seen what is to be "
        "guessed.",
        SIDES_HINTS,
    ),
    "not_the_top_layer": (
        ({"layer": "bottom"}, {"layer": "summed"}, {"layer": "averaged"}),
        "打分的不是（只是）最上面一层。",
        "It isn't the top layer, or not that alone, which is scored.",
        LAYER_HINTS,
    ),
    "unstable": (
        (
            {"scores": "logarithm_late"},
            {"scores": "overflows"},
            *({"scores": f"added_1e-{n}"} for n in (7, 8, 9, 10, 12, 6, 5)),
            *({"scores": f"clipped_1e-{n}"} for n in (7, 8, 9, 10, 12, 6, 5)),
        ),
        "先做 softmax，再取对数：概率太小时成了 0，损失就成了无穷大，或者被截在一个假的数上。",
        "The logarithm comes after a softmax: a tiny probability becomes 0, and the loss infinite, "
        "or cut off at a number that isn't true.",
        (
            (
                "logits 是 0 和 −300，标签是第二个：损失应当是多少，你的是多少？",
                "For logits 0 and −300 with the second as the label: what should the loss be, and "
                "what is yours?",
            ),
            (
                "有没有函数能直接从 logits 得到概率的对数，或者直接拿 logits 算交叉熵？",
                "Is there a function that goes from logits to logarithms of probabilities in one "
                "step, or a cross-entropy that takes logits?",
            ),
        ),
    ),
    "softmax_before_the_loss": (
        {"scores": "softmax_twice"},
        "softmax 做了两次：先变成概率，又被当作 logits。",
        "The softmax is taken twice: probabilities are fed in as logits.",
        CROSS_HINTS,
    ),
    "logits_taken_for_probabilities": (
        {"scores": "taken_for_probabilities"},
        "交叉熵把 logits 当成了概率：Keras 的交叉熵，不特别说明就以为拿到的是概率。",
        "The cross-entropy takes the logits for probabilities: Keras's expect probabilities "
        "unless they are told otherwise.",
        CROSS_HINTS,
    ),
    "softmax_missing": (
        ({"scores": "not_normalised"}, {"scores": "no_logarithm"}),
        "少了一步：没有 softmax，或者没有取对数。",
        "A step is missing: there is no softmax, or no logarithm.",
        CROSS_HINTS,
    ),
    "softmax_along_another_axis": (
        {"scores": "over_positions"},
        "softmax 的方向错了：要在 V 个词元之间分配概率。",
        "The softmax runs along another axis: it shares out probability among the V tokens.",
        CROSS_HINTS,
    ),
    "another_unit": (
        {"unit": "bits"},
        "单位不是奈特：约定用自然对数。",
        "The unit isn't nats: it should be the natural logarithm.",
        CROSS_HINTS,
    ),
    "wrong_sign": (
        {"sign": "negative"},
        "正负号反了：损失不会是负数。",
        "The sign is wrong: a loss is never negative.",
        CROSS_HINTS,
    ),
    "perplexities_returned": (
        {"returned": "perplexities"},
        "返回的是困惑度（损失取指数）。",
        "It is perplexities that come back (the exponentials of the losses).",
        FORM_HINTS,
    ),
    "not_three_in_order": (
        ({"returned": "loss"}, {"returned": "pair"}, {"returned": "loss_last"}),
        "应当返回三个数，次序是：合起来的、前向的、后向的。",
        "Three numbers should come back: the joint one, then forward, then backward.",
        FORM_HINTS,
    ),
    "gradient_lost": (
        {"gradient": "lost"},
        GRADIENT_LOST["zh"],
        GRADIENT_LOST["en"],
        GRADIENT_LOST["hints"],
    ),
}
