"""The drill of notebook ch06a: its bugs and other mistakes in repairs."""

from autograder.messages import Text

# The keys of solutions/ch06a_sentences/drill.py, in its order, as the oracle's switches; a test
# compares them.
ILLS = {
    "checkpoint_not_loaded": {"loaded": "fresh"},
    "segments_all_zero": {"segments": "zeros"},
    "mask_and_segments_exchanged": {"exchanged": "yes"},
    "padding_in_mean": {"mean": "all"},
    "dropout_at_prediction": {"dropped": "always"},
    "labels_not_reordered": {"wanted": "first"},
    "softmax_before_loss": (
        {"scores": "softmax_first"},
        {"scores": "softmax_first", "shown": "shares"},
    ),
}

# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种毛病（没修掉，或者是新添的）：给它和 patient 同一批小输入，"
    "看看 logits 和损失是不是一样。",
    "repaired has one of the faults in the list (still, or newly): give it and patient the same "
    "small batch and see whether logits and loss agree.",
)
ILL_HINTS = (
    (
        "每次只动一样：检查点、一个片段号、一个填充的编号、order、training。"
        "logits 和损失，哪个跟着动了，该不该动？",
        "Change one thing at a time: the checkpoint, a segment, the id of a pad, order, training. "
        "Which of logits and loss moves, and should it?",
    ),
    (
        "先看 logits 对不对；logits 对而损失不对，毛病就在后面几行。",
        "See first whether the logits are right; where they are and the loss isn't, the fault is "
        "in the last lines.",
    ),
)
STEP_HINTS = (
    (
        "跟 patient 逐行对照：除了那个毛病，别的都照原样。",
        "Compare with patient line by line: but for the fault, all of it stays as it is.",
    ),
    (
        "拿一句、两个类，用纸笔走一遍：参数、输入、平均、logits、损失。",
        "Go through it on paper with one sentence and two classes: weights, inputs, mean, logits, "
        "loss.",
    ),
)
MEAN_HINTS = (
    (
        "取一句：两个真词元，状态是 2 和 4，一个填充，状态是 9。平均应当是 3。",
        "Take two real tokens of states 2 and 4 and a pad of 9: the mean should be 3.",
    ),
    (
        "填充不加进和里，除数是这一行真词元的个数。",
        "Pads stay out of the sum, and the divisor is the number of real tokens of that row.",
    ),
)
LOAD_HINTS = (
    (
        "检查点里有哪些名字，fresh 里有哪些？打印出来，一个一个对。",
        "Which names are in the checkpoint, and which in fresh? Print both and match them one by "
        "one.",
    ),
    (
        "“`bert.` 加那个名字”才是编码器的；一个也不能少，别的用不着。",
        "Those of the encoder are its names with `bert.` in front; none may be missing, and the "
        "rest is of no use.",
    ),
)

OTHERS = {
    "weights_partly_loaded": (
        ({"loaded": "tables_only"}, {"loaded": "block_only"}, {"loaded": "added"}),
        "检查点的参数只装了一部分，或者跟随机的混在了一起。",
        "Only some of the checkpoint's weights are loaded, or they are mixed with the random ones.",
        LOAD_HINTS,
    ),
    "missing_not_refused": (
        {"missing": "never"},
        "检查点里少了参数，却没有抛出 ValueError。",
        "A weight is missing in the checkpoint, and no ValueError says so.",
        LOAD_HINTS,
    ),
    "sentences_not_reordered": (
        ({"rows": "first"}, {"rows": "first", "wanted": "first"}),
        "句子没有按 order 取。",
        "The sentences aren't taken by order.",
        STEP_HINTS,
    ),
    "another_order": (
        (
            {"rows": "reversed", "wanted": "reversed"},
            {"rows": "sorted", "wanted": "sorted"},
            {"rows": "sorted"},
            {"wanted": "reversed"},
            {"wanted": "sorted"},
            {"rows": "all", "wanted": "all"},
        ),
        "次序不是 order 说的那样。",
        "The order isn't that of order.",
        STEP_HINTS,
    ),
    "mask_missing": (
        {"mask": "ones"},
        "编码器没有拿到掩码：填充也被读了。",
        "The encoder doesn't get the mask: pads are read.",
        STEP_HINTS,
    ),
    "another_mean": (
        (
            {"mean": "pads_in_the_sum"},
            {"mean": "divided_by_length"},
            {"mean": "sum"},
            {"mean": "first"},
            {"mean": "without_the_first"},
            {"mean": "inverted"},
            {"mean": "largest"},
        ),
        "平均不对：应当是真词元的平均，不多也不少。",
        "The mean is wrong: it should be over real tokens, no more and no less.",
        MEAN_HINTS,
    ),
    "no_dropout_in_training": (
        {"dropped": "never"},
        "训练时没有 dropout。",
        "There is no dropout in training.",
        STEP_HINTS,
    ),
    "dropout_the_wrong_way_round": (
        {"dropped": "inverted"},
        "反了：预测时有 dropout，训练时倒没有。",
        "It is the wrong way round: there is dropout in prediction, and none in training.",
        STEP_HINTS,
    ),
    "tanh_added": (
        {"bent": "pooled"},
        "多了一个 tanh。",
        "There is a tanh too many.",
        STEP_HINTS,
    ),
    "logits_taken_for_probabilities": (
        {"scores": "probabilities"},
        "交叉熵把 logits 当成了概率。",
        "The cross-entropy takes the logits for probabilities.",
        STEP_HINTS,
    ),
    "loss_not_a_mean": (
        ({"reduced": "sum"}, {"reduced": "largest"}, {"shown": "each"}),
        "损失不是这一批的平均。",
        "The loss isn't the mean of the batch.",
        STEP_HINTS,
    ),
    "something_else_returned": (
        (
            {"shown": "loss_only"},
            {"shown": "logits_only"},
            {"shown": "exchanged"},
            {"shown": "shares"},
        ),
        "返回的不是一对 (logits, loss)。",
        "What comes back isn't the pair (logits, loss).",
        STEP_HINTS,
    ),
}
