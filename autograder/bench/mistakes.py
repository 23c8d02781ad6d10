"""Mistakes of the exercise that trains: name, switch of the oracle, and what to say."""

NEXT_WORD_MISTAKES = (
    (
        "padding_in_the_loss",
        {"mean": "over_all"},
        "损失的平均把填充也算成了词。",
        "The mean of the loss counts padding as words.",
    ),
    (
        "mean_of_row_means",
        {"mean": "of_rows"},
        "先对每句求平均，再对句子求平均：短句里的词就更重了。",
        "It is a mean of the sentences' means: words of short sentences weigh more.",
    ),
    (
        "loss_summed",
        {"mean": "no_mean"},
        "损失是总和，不是平均。",
        "The loss is a sum, not a mean.",
    ),
    (
        "labels_not_shifted",
        {"shift": "same"},
        "位置 t 的分数对上了位置 t 的词，模型只是在抄自己的输入。",
        "The scores at t are compared with the word at t, so the model copies its input.",
    ),
    (
        "labels_shifted_back",
        {"shift": "last"},
        "错位的方向反了：在猜前一个词。",
        "Shifted the wrong way: it guesses the word before.",
    ),
    (
        "uphill",
        {"direction": "up"},
        "更新的方向反了：损失会越来越大。",
        "The update goes the wrong way: the loss grows.",
    ),
    (
        "rate_ignored",
        {"direction": "without_rate"},
        "更新没有乘学习率。",
        "The update leaves the learning rate out.",
    ),
    (
        "kernel_never_moves",
        {"still": "kernel"},
        "kernel 一直不变：它被冻结了，还是梯度到不了它？",
        "The kernel never moves: is it frozen, or does no gradient reach it?",
    ),
    (
        "table_never_moves",
        {"still": "table"},
        "table 一直不变：它被冻结了，还是梯度到不了它？",
        "The table never moves: is it frozen, or does no gradient reach it?",
    ),
)
