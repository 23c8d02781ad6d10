"""Mistakes in scoring several answers: switches, sentences and hints."""

FOLD_HINTS = (
    (
        "把 encode 换成一个会打印形状的函数：应当是 (B·K, T)，你的是什么？",
        "Replace encode by a function that prints shapes: they should be (B·K, T); what are yours?",
    ),
    (
        "最后一个轴不动，前两个轴并成一个；reshape 不换数的次序。",
        "The last axis stays, the first two become one; reshape leaves numbers in their order.",
    ),
)
BACK_HINTS = (
    (
        "B = 2、K = 3，六行的分数是 0 到 5：结果应当是 [[0, 1, 2], [3, 4, 5]]，你的呢？",
        "With B = 2, K = 3 and scores 0 to 5 of the six rows the result should be [[0, 1, 2], "
        "[3, 4, 5]]. Is yours?",
    ),
    (
        "折的时候谁在外、谁在里，折回来就谁在外、谁在里。",
        "Which axis was the outer one when you folded? It has to be the outer one again.",
    ),
)
INPUT_HINTS = (
    (
        "把 encode 换成一个会打印输入的函数：三样都在吗，跟 inputs 里的一样吗？",
        "Replace encode by a function that prints its inputs: are all three there, and are they "
        "those of inputs?",
    ),
    (
        "字典里的每一样都照同一种办法折，别的什么也不做。",
        "Every thing in the dict is folded in the same way, and nothing else is done to it.",
    ),
)
ANSWER_HINTS = (
    (
        "把一道题的两个答案对调：应当只有它们的两个分数对调。你的呢？",
        "Let two answers to a question change places: their two scores should do so, too, and "
        "nothing else happen. Does it?",
    ),
    (
        "每个答案自己一行，每行一个分数。",
        "Every answer has a row of its own, and every row has one score.",
    ),
)
LOGIT_HINTS = (
    (
        "每行的分数都加上 100，结果应当也都加上 100。你的呢？",
        "Add 100 to the score of every row: every number of the result should grow by 100. Does "
        "yours?",
    ),
    (
        "softmax 在答案之间做，由损失来做，这里不做。",
        "The softmax is over answers and is the loss's business, not done here.",
    ),
)

CHOICES = {
    "scores_turned": (
        ({"unfold": "turned"}, {"fold": "answers_first"}),
        "分数放错了格子：折的次序和折回来的次序不一样。",
        "Scores get into wrong cells: they aren't folded back in the order in which rows were "
        "folded.",
        BACK_HINTS,
    ),
    "answers_by_questions": (
        (
            {"unfold": "answers_first"},
            {"fold": "answers_first", "unfold": "answers_first"},
        ),
        "返回的是 (K, B)：应当是 (B, K)，一题一行。",
        "What comes back is (K, B); it should be (B, K), a row for each question.",
        BACK_HINTS,
    ),
    "not_folded_back": (
        (
            {"unfold": "left_as_lines"},
            {"unfold": "flat"},
            {"unfold": "axis_kept"},
            {"unfold": "question_axis_kept"},
            {"unfold": "in_one_row"},
            {"unfold": "batch_twice"},
        ),
        "分数没有折回 (B, K)。",
        "Scores aren't folded back to (B, K).",
        BACK_HINTS,
    ),
    "answers_in_one_row": (
        {"fold": "one_long_row"},
        "一道题的几个答案接成了一长行：每个答案应当自己一行。",
        "The answers to a question are joined to one long row; each should have a row of its own.",
        ANSWER_HINTS,
    ),
    "folded_along_other_axes": (
        ({"fold": "tokens_first"}, {"fold": "rows_of_answers"}),
        "折错了轴：一行里混进了别的答案的词元。",
        "Other axes are folded: tokens of several answers get into one row.",
        FOLD_HINTS,
    ),
    "one_answer_only": (
        (
            {"fold": "first_answer"},
            {"fold": "last_answer"},
            {"fold": "first_question"},
            {"fold": "first_answer_again"},
            {"fold": "first_answer", "unfold": "left_as_lines"},
            {"fold": "last_answer", "unfold": "left_as_lines"},
        ),
        "不是每道题的每个答案都读了。",
        "Not every answer to every question is read.",
        ANSWER_HINTS,
    ),
    "segments_missing": (
        ({"segments": "zeros"}, {"segments": "ones"}),
        "片段号没有交给 encode，或者全是同一个数。",
        "The segments never reach encode, or are all the same.",
        INPUT_HINTS,
    ),
    "mask_missing": (
        {"mask": "ones"},
        "掩码没有交给 encode，或者全是 True：填充也被读了。",
        "The mask never reaches encode, or is True everywhere: pads are read.",
        INPUT_HINTS,
    ),
    "inputs_of_the_first_answer": (
        (
            {"segments": "first_answer"},
            {"mask": "first_answer"},
            {"segments": "first_answer", "mask": "first_answer"},
        ),
        "每个答案都用了第一个答案的片段号或掩码。",
        "Every answer uses the segments or the mask of the first.",
        INPUT_HINTS,
    ),
    "inputs_changed": (
        ({"mask": "inverted"}, {"segments": "inverted"}, {"mask": "nonzero"}),
        "掩码或片段号变了：反了，或者是从编号重新造的。",
        "The mask or the segments are changed: inverted, or made anew from ids.",
        INPUT_HINTS,
    ),
    "softmax_taken": (
        (
            {"returned": "softmax"},
            {"returned": "log_softmax"},
            {"returned": "softmax_over_questions"},
            {"returned": "softmax_of_one"},
            {"returned": "softmax_of_all"},
            {"returned": "sigmoid"},
        ),
        "做了 softmax 或 sigmoid：应当返回 logits。",
        "There is a softmax or a sigmoid; logits should come back.",
        LOGIT_HINTS,
    ),
    "no_logits_returned": (
        ({"returned": "answers"}, {"returned": "best_scores"}, {"returned": "centred"}),
        "返回的不是每个答案的分数本身：挑了最大的，或者又减去了平均。",
        "It isn't the scores themselves that come back: the best is picked, or a mean is "
        "subtracted.",
        LOGIT_HINTS,
    ),
    "tanh_added": (
        {"bent": "pooled"},
        "多了一个 tanh：encode 给的向量应当原样交给 scorer。",
        "There is a tanh too many: what encode gives should go into scorer as it is.",
        LOGIT_HINTS,
    ),
}
