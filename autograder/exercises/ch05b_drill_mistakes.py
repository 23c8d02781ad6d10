"""The drill of notebook ch05b: its bugs and other mistakes in repairs."""

from autograder.exercises.ch05b_loss_mistakes import MEAN_HINTS, NSP_HINTS, SUM_HINTS
from autograder.messages import Text

# The keys of solutions/ch05b_masked_lm/drill.py, in its order; a test compares them.
DRILL_BUGS = (
    "labels_after_corruption",
    "tenth_of_the_rest",
    "unused_slots_written",
    "loss_over_all_slots",
    "ids_above_zero",
    "wrong_denominator",
    "bias_twice",
    "tying_lost",
    "is_next_ignored",
)

# The same bugs as the oracle's switches.
ILLS = {
    "labels_after_corruption": {"labels": "after"},
    "tenth_of_the_rest": {"fates": "tenth_of_the_rest"},
    "unused_slots_written": {"unused": "written"},
    "loss_over_all_slots": {"weighting": "all"},
    "ids_above_zero": {"weighting": "nonzero"},
    "wrong_denominator": {"denominator": "slots"},
    "bias_twice": {"added": "twice"},
    "tying_lost": {"tying": "output_cut"},
    "is_next_ignored": (
        {"class_zero": "left_out_plus"},
        {"class_zero": "left_out"},
        {"class_zero": "left_out_nan"},
        {"class_zero": "left_out_of_the_sum"},
    ),
}

# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种毛病（没修掉，或者是新添的）：给它和 patient 同一批小输入，"
    "看看编号、损失和梯度是不是一样。",
    "repaired has one of the faults in the list (still, or newly): give it and patient the same "
    "small batch and see whether ids, loss and gradient agree.",
)
ILL_HINTS = (
    (
        "每次只动一样：一个抽签的数、一个空槽位的权重、标签、偏置，或者一个答案的编号。哪个结果跟着动了？",
        "Change one thing at a time: a draw, the weight of an unused slot, a label, the bias, the "
        "id of an answer. Which result moves?",
    ),
    (
        "在同样的输入上用纸笔走一遍：每个槽位原来是谁、换成了谁、答案是谁、权重是几；再算损失。",
        "Go through it on paper: for every slot the original, what came in its place, the answer, "
        "the weight; then the loss.",
    ),
)
FATE_HINTS = (
    (
        "抽签的数是 0.5、0.85、0.95：三个槽位各变成了什么？",
        "Draws of 0.5, 0.85 and 0.95: what becomes of the three slots?",
    ),
    (
        "80%、10%、10%：两个分界各在哪里？",
        "80 %, 10 % and 10 %: where are the two borders?",
    ),
)
FORM_HINTS = (
    (
        "patient 返回的是哪两样，什么次序？",
        "Which two things does patient return, and in which order?",
    ),
    (
        "第一样是模型读到的编号 (B, T)，第二样是损失。",
        "The first are the ids that the model reads, (B, T), the second is the loss.",
    ),
)
STEP_HINTS = (
    (
        "跟 patient 逐行对照：除了那个毛病，别的都照原样。",
        "Compare with patient line by line: but for the fault, all of it stays as it is.",
    ),
    (
        "模型读的是改过的编号；要猜的位置从它的输出里取；偏置加一次。",
        "The model reads the corrupted ids; the positions are taken out of what it gives; the bias "
        "is added once.",
    ),
)

OTHERS = {
    "other_fates": (
        (
            {"fates": "all_hidden"},
            {"fates": "never_kept"},
            {"fates": "second_tenth"},
            {"fates": "nothing"},
            {"fates": "random_and_kept_exchanged"},
            {"fates": "hidden_up_to_nine_tenths"},
        ),
        "三种结果的分界不对：0.8 以下是 [MASK]，0.9 以下是随机词元，其余不动。",
        "The borders between the three fates are wrong: [MASK] below 0.8, a random token below "
        "0.9, else unchanged.",
        FATE_HINTS,
    ),
    "original_read": (
        {"read": "original"},
        "模型读的是没有改过的编号：答案就摆在眼前。",
        "The model reads the ids as they were, with the answers in plain sight.",
        STEP_HINTS,
    ),
    "positions_not_taken_out": (
        {"gather": "first_places"},
        "取的不是 mask_positions，而是最前面的几个位置。",
        "Not mask_positions are taken out, but the first positions.",
        STEP_HINTS,
    ),
    "bias_missing": (
        {"added": "never"},
        "没有加 output_bias。",
        "output_bias isn't added.",
        STEP_HINTS,
    ),
    "another_denominator": (
        (
            {"denominator": "batch"},
            {"denominator": "none"},
            {"denominator": "plus"},
            {"denominator": "means"},
        ),
        "猜词的损失除错了：应当除以用上的槽位数。",
        "The loss of the guessed tokens is divided wrongly; it should be by the number of slots in "
        "use.",
        MEAN_HINTS,
    ),
    "weights_missing_in_the_sum": (
        {"weighting": "all_in_the_sum"},
        "除的数对了，可是空着的槽位也加进了总和：乘上权重，再求和。",
        "It is divided by the right number, but unused slots are in the sum, too: multiply by the "
        "weights before you add.",
        (
            (
                "权重是 1、1、0、0，各槽位的交叉熵是 2、4、8、8：你的总和是几，应当是几？",
                "Weights of 1, 1, 0, 0 and cross-entropies of 2, 4, 8, 8: what is your sum, and "
                "what should it be?",
            ),
            (
                "把空槽位那里的 logits 换掉：损失不应当变。",
                "Change the logits of an unused slot: the loss shouldn't move.",
            ),
        ),
    ),
    "sentence_labels_inverted": (
        {"label": "inverted"},
        "真假的标签反了：0 = 是下一句。",
        "The labels of the sentences are inverted: 0 means is next.",
        NSP_HINTS,
    ),
    "pairs_summed": (
        {"pairs": "sum"},
        "真假的损失没有求平均。",
        "The loss of the sentences isn't a mean.",
        NSP_HINTS,
    ),
    "softmax_before_the_loss": (
        {"nsp_scores": "softmax_first"},
        "真假的 logits 先做了 softmax，损失里又做一次。",
        "The logits of the sentences go through a softmax first, and the loss takes another.",
        NSP_HINTS,
    ),
    "logits_taken_for_probabilities": (
        {"nsp_scores": "probabilities"},
        "交叉熵把真假的 logits 当成了概率。",
        "The cross-entropy takes the logits of the sentences for probabilities.",
        NSP_HINTS,
    ),
    "one_loss_missing": (
        ({"together": "mlm_only"}, {"together": "nsp_only"}, {"together": "mean"}),
        "两个损失没有加起来：只有一个，或者求了平均。",
        "The two losses aren't added: there is only one, or a mean.",
        SUM_HINTS,
    ),
    "lookup_cut_off": (
        ({"tying": "lookup_cut"}, {"gradient": "lost"}),
        "梯度传不回嵌入：查表用的是一份拷贝。",
        "No gradient gets back to the embeddings: a copy of the table is looked up.",
        STEP_HINTS,
    ),
    "something_else_returned": (
        ({"shown": "loss_only"}, {"shown": "exchanged"}, {"shown": "ids"}),
        "返回的不是（改过的编号，损失）。",
        "What comes back isn't (corrupted ids, loss).",
        FORM_HINTS,
    ),
}
