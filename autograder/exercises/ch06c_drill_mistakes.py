"""The drill of notebook ch06c: its bugs and other mistakes in repairs."""

from autograder.messages import Text

# The keys of solutions/ch06c_generate_and_verify/drill.py, in its order, as the oracle's switches;
# a test compares them.
ILLS = {
    "source_causal": {"mask": "causal"},
    "source_sees_target": ({"mask": "source_sees_target"}, {"mask": "everything_real"}),
    "padding_visible": {"mask": "padding_visible"},
    "target_in_segment_0": {"segments": "zeros"},
    "last_column_read": {"read": "last_column"},
    "goes_on_after_end": ({"stop": "goes_on"}, {"stop": "never"}),
    "all_stop_with_first": {"stop": "first"},
    "logits_not_log_probabilities": {"score": "logits"},
}

# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种毛病，没修掉，或者是新添的。给它和 patient 同样的小输入："
    "结果一样，就是还没修掉；不一样，就看看改动了什么。",
    "repaired has one of the faults in the list (still, or newly): give it and patient the same "
    "small input. Where both agree, the fault is still in; where they don't, look at what has "
    "changed.",
)
ILL_HINTS = (
    (
        "每次只动一样：一行还是两行、原文的最后一个词元、max_length。"
        "写出来的和分数，哪个跟着动了，该不该动？",
        "Change one thing at a time: one row or two, a source's last token, max_length. Which of "
        "what is said and its score moves, and should it?",
    ),
    (
        "把 model 换成一个会打印的函数：它收到的片段号、掩码，和读分数的位置，逐行看。",
        "Put in the place of model a function that prints: look at the segments and the mask that "
        "it gets, and at the place where scores are read, row by row.",
    ),
)
LOOP_HINTS = (
    (
        "跟 patient 逐行对照：除了那个毛病，别的都照原样。",
        "Compare with patient line by line: but for the fault, all of it stays as it is.",
    ),
    (
        "拿一行、两步，用纸笔走一遍：拼成一行、片段号、掩码、读哪里、接上、停不停。",
        "Go through one row and two steps on paper: the row, its segments, the mask, where to "
        "read, what is appended, whether to stop.",
    ),
)
SCORE_HINTS = (
    (
        "词表只有两个词，logits 都是 0 时，写一个词元的对数概率是多少？你的呢？",
        "With a vocabulary of two and logits of 0, what is the log-probability of one token? And "
        "yours?",
    ),
    (
        "每写一个词元加一次，[SEP] 那一次也加；加的是归一化以后的对数。",
        "It is added once for every token, that of [SEP] as well, and what is added is the "
        "logarithm of what the softmax gives.",
    ),
)

OTHERS = {
    "another_mask": (
        (
            {"mask": "everything"},
            {"mask": "target_without_source"},
            {"mask": "transposed"},
        ),
        "谁能看谁，跟 6c.2 约定的不一样。",
        "Who sees whom isn't as agreed in 6c.2.",
        LOOP_HINTS,
    ),
    "segments_start_elsewhere": (
        ({"segments": "one_late"}, {"segments": "one_early"}),
        "片段 1 开始的地方差了一个：它从原文的 [SEP] 后面开始。",
        "Segment 1 starts one place off: it begins right behind the source's [SEP].",
        LOOP_HINTS,
    ),
    "read_elsewhere": (
        (
            {"read": "one_early"},
            {"read": "one_late"},
            {"read": "last_of_source"},
            {"read": "first"},
        ),
        "分数读错了位置：应当是这一行最后一个真词元那里。",
        "Scores are read at the wrong place; it should be the row's last real token.",
        LOOP_HINTS,
    ),
    "marks_missing": (
        ({"packed": "without_cls"}, {"packed": "without_sep"}),
        "拼成一行时少了记号：[CLS] 原文 [SEP]。",
        "A mark is missing in the row, which is [CLS] source [SEP].",
        LOOP_HINTS,
    ),
    "one_step_too_few_or_many": (
        ({"limit": "one_less"}, {"limit": "one_more"}),
        "写的步数差了一步：最多 max_length 步。",
        "There is one step too few or too many; it should be max_length at most.",
        LOOP_HINTS,
    ),
    "least_likely_chosen": (
        {"choice": "worst"},
        "选的是分数最低的词元。",
        "The token with the lowest score is chosen.",
        LOOP_HINTS,
    ),
    "score_of_something_else": (
        (
            {"score": "probabilities"},
            {"score": "negative"},
            {"score": "base_2"},
            {"score": "mean"},
        ),
        "分数不是对数概率之和。",
        "Scores aren't sums of log-probabilities.",
        SCORE_HINTS,
    ),
    "end_not_scored": (
        {"score": "without_end"},
        "[SEP] 的对数概率没有加进去。",
        "The log-probability of [SEP] isn't added.",
        SCORE_HINTS,
    ),
    "end_is_said": (
        {"ends": "kept"},
        "[SEP] 也写进了结果里；它只表示结束。",
        "[SEP] is among what is said; it only marks the end.",
        LOOP_HINTS,
    ),
    "last_token_cut": (
        {"ends": "last_cut"},
        "没有说完的那几行，最后一个词元也被去掉了。",
        "Rows that didn't end lose their last token, too.",
        LOOP_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "said_only"},
            {"returned": "scores_only"},
            {"returned": "exchanged"},
        ),
        "返回的不是一对 (said, scores)。",
        "What comes back isn't the pair (said, scores).",
        LOOP_HINTS,
    ),
}
