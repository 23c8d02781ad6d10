"""Mistakes that only the drill of ch03c has: switches, sentences and hints."""

from autograder.exercises.ch03c_beam_hints import END_HINTS
from autograder.messages import Text

# What the bugs of the list do, those first that show in the fewest sentences. Code that still has
# its bug earns nothing for its repair: in every case there is a call on which each of them shows.
FAULTS = (
    {"ended": "dropped"},
    {"start": "all_alike"},
    {"penalty": "step"},
    {"encode_mask": "ones", "decode_mask": "ones"},
    {"inputs": "labels"},
    {"mass": "evenly_one_less"},
)
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
COPY_HINTS = (
    (
        "打印每一步留下的三个假设：有没有一模一样的？",
        "Print the three hypotheses that each step keeps: are some of them one and the same?",
    ),
    (
        "结束了的假设，在它那一行的 V 个候选里只该有一个留得下；其余的该是多少，才永远排不上？",
        "Of the V candidates in the row of an ended hypothesis one only may be kept. What do the "
        "others have to be, never to be chosen?",
    ),
)
LENGTH_HINTS = (
    (
        "打印每一步的 length 和 has_ended：说完了的那一行，长度变了没有？",
        "Print length and has_ended at every step: does the length of an ended one change?",
    ),
    (
        "每走一步，只有还没说完的才长一个词元。",
        "With each step only those that haven't ended become longer by a token.",
    ),
)
OWN = {
    "ended_ones_copied": (
        {"ended": "copied"},
        "说完的假设变成了许多个一样的副本，把别的假设都挤掉了：只留一个副本。",
        "An ended hypothesis becomes many copies of itself, which crowd all others out: there "
        "should be one of it.",
        COPY_HINTS,
    ),
    "ended_length_grows": (
        {"ended": "counted_on"},
        "说完了的假设，长度还在增加：n 应当停在它说 end_id 的那一步。",
        "Ended hypotheses still grow longer: n should stop at the step in which they say end_id.",
        LENGTH_HINTS,
    ),
    # Takes the place of the piece's: here what goes on behind an end_id may never be seen.
    "ended_ones_go_on": (
        tuple(
            {"ended": form} for form in ("in_secret", "in_secret_end_free", "continued", "charged")
        ),
        "说完了的假设还在往下说（接着说别的，或一遍遍说 end_id），log P 也跟着变。",
        "Hypotheses that have ended speak on (other tokens, or end_id again and again), and their "
        "log P changes.",
        END_HINTS,
    ),
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
