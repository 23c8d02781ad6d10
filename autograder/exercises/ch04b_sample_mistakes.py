"""Mistakes in shaping the distribution that a token is drawn from: switches, sentences, hints."""

from autograder.exercises.ch04b_draw_mistakes import ROW_HINTS

HEAT_HINTS = (
    (
        "两个词元，分数是 2 和 0。温度取 2，概率各是多少？取 0.5 呢？先用纸笔算，再数一数抽到的。",
        "Two tokens with scores 2 and 0: work out their probabilities at temperature 2 and at 0.5, "
        "then count what you draw.",
    ),
    (
        "温度低，分布变尖；温度高，分布变平。你的方向对吗？它在哪一步起作用，起了几次作用？",
        "A low temperature sharpens and a high one flattens. Does yours? At which step does it "
        "act, and how often?",
    ),
)
TOP_HINTS = (
    (
        "五个词元，top_k = 2：哪两个留下？抽一千次，数一数出现过几种词元。",
        "Five tokens and top_k = 2: which two stay? Draw a thousand times and count how many kinds "
        "come up.",
    ),
    (
        "每一行各有自己的门槛；top_k 等于 0，或者不小于 V，就什么都不去掉。",
        "Every row has a threshold of its own; top_k of 0, or of V and more, takes nothing out.",
    ),
)
REMOVED_HINTS = (
    (
        "被去掉的词元，分数变成了多少？过了 softmax，它的概率是 0 吗？",
        "What score does a token have that was taken out? Is its probability 0 after the softmax?",
    ),
    (
        "分数 0 不等于概率 0：e 的 0 次方是 1。",
        "A score of 0 is no probability of 0: e to the power 0 is 1.",
    ),
)
NUCLEUS_HINTS = (
    (
        "概率是 0.5、0.3、0.15、0.05，top_p = 0.9：从大到小加，哪几个留下？越过 0.9 的那一个呢？",
        "Probabilities 0.5, 0.3, 0.15, 0.05 and top_p = 0.9: add them up from the largest. Which "
        "stay, and what about the one that crosses 0.9?",
    ),
    (
        "把这四个数打乱次序再给它：留下的还是同样的词元吗？",
        "Give it the same four numbers in another order: do the same tokens stay?",
    ),
)
ORDER_HINTS = (
    (
        "先温度，再 top-k，再 top-p：后一步看到的，是前一步留下的分布。",
        "Temperature, then top-k, then top-p: each step sees the distribution that the one before "
        "it left.",
    ),
    (
        "去掉一些词元之后，剩下的概率加起来还是 1 吗？top-p 该按哪一份概率来加？",
        "Once tokens are taken out, do the probabilities of the rest still add up to 1? Which of "
        "them should top-p add up?",
    ),
)
SHAPING = {
    "temperature_multiplied": (
        {"heat": "multiplied"},
        "温度乘上去了：应当用分数除以它。",
        "Scores are multiplied by the temperature; they should be divided by it.",
        HEAT_HINTS,
    ),
    "temperature_ignored": (
        {"heat": "ignored"},
        "温度没有起作用。",
        "The temperature has no effect.",
        HEAT_HINTS,
    ),
    "temperature_twice": (
        ({"heat": "twice"}, {"heat": "again_at_the_end"}, {"heat": "root"}),
        "除以的不是温度本身：除了两次（温度的平方），或者用了它的平方根。",
        "It isn't the temperature that scores are divided by, but its square (it is used twice) or "
        "its root.",
        HEAT_HINTS,
    ),
    "temperature_on_probabilities": (
        {"heat": "on_probabilities"},
        "温度除在了概率上，又把结果当作分数：应当除 logits。",
        "Probabilities are divided by the temperature and taken for scores; it is the logits that "
        "should be divided.",
        HEAT_HINTS,
    ),
    "temperature_after_the_nucleus": (
        {"heat": "after_nucleus"},
        "top-p 按没有除过温度的分布去选了：温度要最先用。",
        "Top-p chooses by a distribution without the temperature, which should come first.",
        ORDER_HINTS,
    ),
    "top_k_ignored": (
        {"top": "ignored"},
        "top_k 没有起作用。",
        "top_k has no effect.",
        TOP_HINTS,
    ),
    "top_k_off_by_one": (
        ({"top": "one_more"}, {"top": "one_less"}),
        "top-k 多留或少留了一个词元。",
        "Top-k keeps one token too many or too few.",
        TOP_HINTS,
    ),
    "top_k_keeps_others": (
        ({"top": "smallest"}, {"top": "first_ids"}),
        "top-k 留错了：应当留下分数最高的 k 个。",
        "Top-k keeps other tokens than the k with the highest scores.",
        TOP_HINTS,
    ),
    "top_k_of_other_rows": (
        ({"top": "threshold_of_the_first_row"}, {"top": "of_the_first_row"}),
        "top-k 的门槛或名单来自第一行：每一行要用自己的。",
        "Top-k takes its threshold or its tokens from the first row; every row has its own.",
        TOP_HINTS,
    ),
    "top_k_of_zero": (
        ({"top_off": "crash"}, {"top_off": "both_crash"}),
        "top_k 是 0 时出错了：0 表示不限。",
        "A top_k of 0 raises an error; it means that nothing is taken out.",
        TOP_HINTS,
    ),
    "top_k_above_v": (
        {"top_off": "large_crash"},
        "top_k 比词表还大时出错了：那就一个也不用去掉。",
        "A top_k larger than the vocabulary raises an error; nothing needs taking out then.",
        TOP_HINTS,
    ),
    "removed_tokens_score_zero": (
        (
            {"top_fill": "zero"},
            {"nucleus_fill": "zero"},
            {"top_fill": "zero", "nucleus_fill": "zero"},
        ),
        "去掉的词元分数成了 0：它们照样有概率，有时还不小。",
        "Tokens that are taken out get a score of 0, and keep a probability, sometimes a large "
        "one.",
        REMOVED_HINTS,
    ),
    "top_p_ignored": (
        {"nucleus": "ignored"},
        "top_p 没有起作用。",
        "top_p has no effect.",
        NUCLEUS_HINTS,
    ),
    "crossing_token_dropped": (
        ({"nucleus": "crossing_dropped"}, {"nucleus": "crossing_dropped_but_one"}),
        "越过 top_p 的那个词元被去掉了：约定留下它。",
        "The token that crosses top_p is taken out; it should stay.",
        NUCLEUS_HINTS,
    ),
    "nucleus_one_too_many": (
        {"nucleus": "one_more"},
        "核里多留了一个词元：加到 top_p 就够了。",
        "The nucleus holds one token too many: it is complete once top_p is reached.",
        NUCLEUS_HINTS,
    ),
    "nucleus_before_top_k": (
        {"nucleus_of": "everything"},
        "top-p 按 top-k 之前的概率去加了：应当按 top-k 留下的、重新归一的那一份。",
        "Top-p adds up the probabilities from before top-k; it should be those of what top-k left, "
        "normalised again.",
        ORDER_HINTS,
    ),
    "nucleus_not_sorted": (
        {"nucleus": "unsorted"},
        "概率没有排序就累加了：核要从最可能的词元加起。",
        "Probabilities are added up unsorted; the nucleus begins with the likeliest token.",
        NUCLEUS_HINTS,
    ),
    "nucleus_not_put_back": (
        {"nucleus": "not_put_back"},
        "核是在排好序的概率上选的，却直接套到了没有排序的词元上。",
        "The nucleus is chosen among sorted probabilities and then applied to tokens that aren't "
        "sorted.",
        NUCLEUS_HINTS,
    ),
    "nucleus_put_back_by_the_order": (
        {"nucleus": "put_back_by_the_order"},
        "核是在排好序的概率上选的，放回原处时用的却还是排序的次序；要用的是它的逆。",
        "The nucleus is chosen among sorted probabilities, and put back by the order that sorted "
        "them; that takes the inverse of the order.",
        (
            (
                "概率是 0.2、0.5、0.3，从大到小的次序是 1、2、0。词元 0 排第几？"
                "你的代码以为它排第几？",
                "Probabilities 0.2, 0.5, 0.3: from the largest down the order is 1, 2, 0. Which "
                "rank has token 0, and which does your code take?",
            ),
            (
                "order[r] 是第 r 名的词元；放回去要的是反过来的：每个词元是第几名。",
                "order[r] is the token of rank r; to put things back you need the other way round, "
                "the rank of every token.",
            ),
        ),
    ),
    "nucleus_from_the_tail": (
        ({"nucleus": "least_likely"}, {"nucleus": "least_likely_removed"}),
        "从最不可能的一头加起了：留下（或去掉）的是那一头的 top_p。",
        "Adding up begins at the unlikely end: it is top_p of the tail that stays, or that goes.",
        NUCLEUS_HINTS,
    ),
    "nucleus_by_single_probabilities": (
        (
            {"nucleus": "above_p"},
            {"nucleus": "above_the_rest"},
            {"nucleus": "share_of_the_largest"},
        ),
        "top_p 拿来跟每个词元自己的概率比了：应当跟累加起来的比。",
        "top_p is compared with every token's own probability; it should be compared with running "
        "sums.",
        NUCLEUS_HINTS,
    ),
    "nucleus_of_the_scores": (
        {"nucleus": "of_the_scores"},
        "累加的是分数，不是概率：先做 softmax。",
        "Scores are added up and not probabilities: the softmax comes first.",
        NUCLEUS_HINTS,
    ),
    "nucleus_shares_over_the_batch": (
        {"nucleus_of": "shares_over_the_batch"},
        "选核时，softmax 的方向错了：概率要在一行的 V 个词元之间分配，不是在各行之间。",
        "For the nucleus the softmax runs along the batch; probability is shared out among a "
        "row's V tokens.",
        NUCLEUS_HINTS,
    ),
    "nucleus_of_the_first_row": (
        {"nucleus": "of_the_first_row"},
        "每一行都用了第一行的核。",
        "Every row uses the nucleus of the first.",
        ROW_HINTS,
    ),
    "rest_not_shared_out": (
        ({"leftover": "to_the_last"}, {"leftover": "to_the_first"}),
        "去掉词元之后没有重新归一：少掉的概率全归了最后（或最前）一个词元。",
        "Nothing is normalised after tokens are taken out: the missing probability goes to the "
        "last or the first token.",
        ORDER_HINTS,
    ),
}
