"""Mistakes in putting a pronoun beside its candidates: switches, sentences and hints."""

MEAN_HINTS = (
    (
        "一个提及有两个词元，状态是 2 和 4，句子里别的词元是 9：它的向量应当是 3。",
        "A mention has two tokens of states 2 and 4, other tokens are 9: its vector should be 3.",
    ),
    (
        "每个提及除以**自己**的词元个数；别的词元既不加进和里，也不算进个数里。",
        "Each mention is divided by **its own** number of tokens; others count neither in the sum "
        "nor in the number.",
    ),
)
PAIR_HINTS = (
    (
        "M = 4 时有几对？第 0 对是哪两个提及？",
        "With M = 4, how many pairs are there, and which two mentions is pair 0 made of?",
    ),
    (
        "第 0 个提及是代词，它跟后面的每一个各配一对，不跟自己配。",
        "Mention 0 is the pronoun; it makes a pair with each of the others, and none with itself.",
    ),
)
ORDER_HINTS = (
    (
        "D = 1，代词是 2，候选是 5：这一对的三个数是哪三个？",
        "D = 1, the pronoun is 2 and a candidate 5: which three numbers does the pair have?",
    ),
    (
        "代词、候选、逐个相乘，按这个次序，接在最后一个轴上。",
        "Pronoun, candidate, product number by number, in this order, joined along the last axis.",
    ),
)
SHAPE_HINTS = (
    (
        "在纸上写出每一步的形状：(B, M, T) 和 (B, T, D)，怎么成了 (B, M, D)？",
        "Write the shape of every step down: how do (B, M, T) and (B, T, D) become (B, M, D)?",
    ),
    (
        "三份各是 (B, M − 1, D)，接在最后一个轴上是 (B, M − 1, 3D)。",
        "Each of the three is (B, M − 1, D); along the last axis they make (B, M − 1, 3D).",
    ),
)
AXIS_HINTS = (
    SHAPE_HINTS[0],
    (
        "B、M、T、D 四个轴里，取平均以后该少掉哪一个？",
        "Of the four axes B, M, T and D, which one should the mean take away?",
    ),
)

MENTIONS = {
    "sum_not_mean": (
        {"mean": "sum"},
        "提及的向量是和，不是平均。",
        "A mention's vector is a sum, not a mean.",
        MEAN_HINTS,
    ),
    "divided_by_another_number": (
        (
            {"mean": "divided_by_length"},
            {"mean": "number_of_all_mentions"},
            {"mean": "number_of_the_first"},
            {"mean": "number_in_the_batch"},
            {"mean": "divided_twice"},
            {"mean": "root_of_the_number"},
            {"mean": "one_more"},
        ),
        "除数不对：应当是这个提及自己的词元个数。",
        "The divisor is wrong: it should be this mention's own number of tokens.",
        MEAN_HINTS,
    ),
    "one_token_only": (
        ({"mean": "first_token"}, {"mean": "last_token"}, {"mean": "both_ends"}),
        "只看了提及的第一个（或最后一个）词元。",
        "Only the first or last token of a mention is looked at.",
        MEAN_HINTS,
    ),
    "mask_not_heeded": (
        ({"mean": "all_tokens"}, {"mean": "softmax_of_the_mask"}),
        "提及外面的词元也算进去了。",
        "Tokens outside of the mention count, too.",
        MEAN_HINTS,
    ),
    "mask_inverted": (
        {"mean": "inverted"},
        "掩码反了：平均的是提及外面的词元。",
        "The mask is inverted: the mean is over tokens outside of the mention.",
        MEAN_HINTS,
    ),
    "largest_not_mean": (
        ({"mean": "largest"}, {"mean": "largest_of_zeros"}),
        "取了最大，不是平均。",
        "The largest is taken, not the mean.",
        MEAN_HINTS,
    ),
    "mean_over_mentions": (
        ({"mean": "over_mentions"}, {"mean": "mean_over_mentions"}),
        "轴取错了：应当对一个提及的词元取平均，不是把各个提及加起来。",
        "The axis is wrong: the mean is over a mention's tokens; mentions aren't added up.",
        AXIS_HINTS,
    ),
    "pronoun_among_the_candidates": (
        {"others": "all"},
        "代词跟自己也配了一对：应当是 M − 1 对。",
        "The pronoun makes a pair with itself; there should be M − 1 pairs.",
        PAIR_HINTS,
    ),
    "candidates_shifted": (
        (
            {"others": "all_but_the_last"},
            {"others": "first_two_left_out"},
            {"others": "reversed"},
        ),
        "候选取错了：应当是第 1 个到最后一个，按原来的次序。",
        "The candidates are the wrong ones: they should be mention 1 to the last, in order.",
        PAIR_HINTS,
    ),
    "another_pronoun": (
        (
            {"pronoun": "last"},
            {"pronoun": "last", "others": "all_but_the_last"},
            {"pronoun": "second"},
            {"pronoun": "mean"},
            {"pronoun": "previous"},
            {"pronoun": "first_of_the_batch"},
            {"pronoun": "state_of_the_first_token"},
        ),
        "代词取错了：它是每一句的第 0 个提及。",
        "The pronoun is the wrong one: it is mention 0 of each sentence.",
        PAIR_HINTS,
    ),
    "product_missing": (
        {"order": "product_missing"},
        "少了乘积。",
        "The product is missing.",
        ORDER_HINTS,
    ),
    "only_some_parts": (
        (
            {"order": "product_only"},
            {"order": "pronoun_missing"},
            {"order": "candidate_missing"},
        ),
        "三份没有都接上。",
        "Not all of the three parts are joined.",
        ORDER_HINTS,
    ),
    "parts_in_another_order": (
        (
            {"order": "candidate_first"},
            {"order": "product_first"},
            {"order": "product_between"},
        ),
        "三份的次序不对：代词、候选、乘积。",
        "The three parts are in another order than pronoun, candidate, product.",
        ORDER_HINTS,
    ),
    "no_product": (
        (
            {"third": "difference"},
            {"third": "difference_turned"},
            {"third": "distance"},
            {"third": "sum"},
            {"third": "square_of_the_candidate"},
            {"third": "square_of_the_pronoun"},
            {"third": "cosine"},
        ),
        "第三份不是两个向量逐个相乘。",
        "The third part isn't the product of the two vectors, number by number.",
        ORDER_HINTS,
    ),
    "dot_product": (
        ({"third": "dot"}, {"third": "dot_everywhere"}),
        "第三份是点积，一个数；应当逐个相乘，不加起来。",
        "The third part is a dot product, one number; the products shouldn't be added up.",
        ORDER_HINTS,
    ),
    "joined_along_another_axis": (
        (
            {"axis": "mentions"},
            {"axis": "batch"},
            {"axis": "stacked"},
            {"axis": "stacked_before"},
            {"axis": "interleaved"},
            {"axis": "added"},
        ),
        "三份没有接在最后一个轴上。",
        "The three parts aren't joined along the last axis.",
        SHAPE_HINTS,
    ),
}
