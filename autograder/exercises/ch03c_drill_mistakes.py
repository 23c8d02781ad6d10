"""Mistakes that only the drill of ch03c has: switches, sentences and hints."""

from autograder.messages import Text

STILL_ILL = Text(
    "repaired 里有名单上的一种毛病（没修掉，或者是新添的）：给它和 patient 同一批小输入；"
    "结果如果还一样，就是没修掉。",
    "repaired has one of the faults in the list (still, or newly): give it and patient the same "
    "small batch; if they still agree, the fault is still there.",
)
ILL_HINTS = (
    (
        "先分清是哪一半：在没有填充的一批上，损失对不对？翻译和得分对不对？",
        "Find out first which half it is: on a batch without padding, is the loss right? Are the "
        "translation and its score?",
    ),
    (
        "用你自己的 label_smoothing 和 beam_search 在同样的输入上重做那一半，再一行一行地比。",
        "Do that half again with your own label_smoothing and beam_search on the same input, and "
        "compare line by line.",
    ),
)
LOSS_HINTS = (
    (
        "改动译文填充处的词元：损失变了吗？",
        "Change a token of the target's padding: does the loss move?",
    ),
    (
        "分母里数的是什么？",
        "What is it that the denominator counts?",
    ),
)
SHIFT_HINTS = (
    (
        "第 t 个位置给解码器的是什么，要它说的是什么？",
        "What is the decoder given at position t, and what should it say?",
    ),
    (
        "标签比输入晚一个词元，掩码跟着标签走。",
        "Labels are one token later than inputs, and the mask goes with the labels.",
    ),
)
OWN = {
    "labels_handed_in": (
        {"inputs": "labels"},
        "解码器拿到的就是标签。",
        "The decoder is given the labels themselves.",
        SHIFT_HINTS,
    ),
    "shifted_otherwise": (
        ({"inputs": "both_inputs"}, {"inputs": "exchanged"}, {"inputs": "mask_of_inputs"}),
        "输入、标签、掩码没有对齐。",
        "Inputs, labels and mask don't go together.",
        SHIFT_HINTS,
    ),
    "target_padding_counts": (
        ({"masked": "not"}, {"masked": "not", "denominator": "all"}),
        "译文的填充也算进了损失。",
        "The target's padding counts in the loss.",
        LOSS_HINTS,
    ),
    "target_mask_inverted": (
        {"masked": "inverted"},
        "损失的掩码反了：算的全是填充。",
        "The loss's mask is inverted: only padding counts.",
        LOSS_HINTS,
    ),
    "divided_by_something_else": (
        ({"denominator": "all"}, {"denominator": "rows"}, {"denominator": "none"}),
        "损失没有除以真词元的个数。",
        "The loss isn't divided by the number of real tokens.",
        LOSS_HINTS,
    ),
    "another_sentence_translated": (
        {"sentence": "last"},
        "翻译的不是第一句。",
        "It isn't the first source that is translated.",
        ILL_HINTS,
    ),
    "something_else_shown": (
        tuple({"shown": form} for form in ("log_p", "probability", "end_cut", "begin_kept")),
        "返回的译文或得分是另一种形式：译文不含 begin_id，end_id 留着，得分除过长度。",
        "Translation or score come back in another form: begin_id isn't part of it, an end_id "
        "stays, and the score is divided by the length.",
        ILL_HINTS,
    ),
}
