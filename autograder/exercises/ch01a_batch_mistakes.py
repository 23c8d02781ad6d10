"""Mistakes in making a batch of ids and its mask: switches, sentences and hints."""

SPECIAL_HINTS = (
    (
        '拿 ["ka", "lo"] 这一句，在纸上写出它应当占的四格。',
        'Take the sequence ["ka", "lo"] and write down the four cells that it should fill.',
    ),
    (
        "打印结果的第一行，用词表把编号逐个换回词元。",
        "Print the first row and turn its ids back into tokens one by one.",
    ),
)
PAD_HINTS = (
    (
        "找最短的那一句：它的行里，真词元之后是什么？",
        "Look at the shortest sequence: what stands in its row after the real tokens?",
    ),
    (
        "每个特殊词元的编号都要去词表里查，哪个都不要假定。",
        "Look every special token up in the vocabulary; assume the number of none.",
    ),
)
MASK_HINTS = (
    (
        "掩码和编号并排打印：哪些格子是 [PAD]？",
        "Print mask and ids side by side: which cells are [PAD]?",
    ),
    (
        "[BOS]、[EOS] 和 [UNK] 都是真词元：解码器要读它们，也要学会说“结束”。",
        "[BOS], [EOS] and [UNK] are real tokens: a decoder reads them, and has to learn to say "
        "that it is done.",
    ),
)
LEFT_HINTS = (
    (
        "一行里从左到右应当是：[BOS]、各个词元、[EOS]，然后才是什么？",
        "From left to right a row holds [BOS], its tokens, [EOS], and only then what?",
    ),
    (
        "打印短的那一句的编号和掩码：第一格是 [BOS] 吗？",
        "Print ids and mask of the shortest sequence: is its first cell [BOS]?",
    ),
)
BOOLEAN_HINTS = (
    (
        "打印掩码的 dtype：是 bool，还是 int、float？",
        "Print the mask's dtype: is it bool, or int, or float?",
    ),
    (
        "比较（==、!=、<）得到的就是布尔数组；新建一个数组时，类型也可以自己定。",
        "A comparison (==, !=, <) gives booleans; and a new array may be given a dtype.",
    ),
)
CHANGED_HINTS = (
    (
        "调用前后各打印一次你的输入：它还是原来的样子吗？",
        "Print your input before and after the call: is it still what it was?",
    ),
    (
        "append、insert 和 extend 改的是原来那个列表；+ 得到的是一个新的。",
        "append, insert and extend change the list itself; + makes a new one.",
    ),
)
FORM_HINTS = (
    (
        "对照说明：返回几样东西，什么次序？",
        "Compare with the contract: how many things, in what order?",
    ),
    ("打印两个结果的形状和 dtype。", "Print shape and dtype of both results."),
)

BATCH = {
    "begin_missing": (
        ({"begin": "missing"}, {"begin": "pad_token"}),
        "每一句的开头缺了 [BOS]。",
        "[BOS] is missing at the beginning of every sequence.",
        SPECIAL_HINTS,
    ),
    "end_missing": (
        ({"end": "missing"}, {"end": "missing", "length": "one_more"}),
        "每一句的末尾缺了 [EOS]：解码器永远学不会停。",
        "[EOS] is missing at the end of every sequence: a decoder never learns to stop.",
        SPECIAL_HINTS,
    ),
    "begin_and_end_missing": (
        {"begin": "missing", "end": "missing"},
        "[BOS] 和 [EOS] 都没有加上。",
        "Neither [BOS] nor [EOS] is there.",
        SPECIAL_HINTS,
    ),
    "begin_and_end_exchanged": (
        {"begin": "end_token", "end": "begin_token"},
        "[BOS] 和 [EOS] 对调了。",
        "[BOS] and [EOS] are exchanged.",
        SPECIAL_HINTS,
    ),
    "end_is_the_begin_token": (
        ({"end": "begin_token"}, {"begin": "end_token"}),
        "开头和结尾用了同一个特殊词元。",
        "Beginning and end are marked by the same special token.",
        SPECIAL_HINTS,
    ),
    "end_twice": (
        {"end": "twice"},
        "[EOS] 加了两次。",
        "[EOS] is added twice.",
        SPECIAL_HINTS,
    ),
    "end_after_the_padding": (
        {"end": "last_column"},
        "[EOS] 写在了最后一列，填充的后面；它应当紧跟在这一句的最后一个词元之后。",
        "[EOS] stands in the last column, behind the padding; it should follow the last token of "
        "its own sequence.",
        SPECIAL_HINTS,
    ),
    "unknown_tokens_skipped": (
        (
            {"unknown": "skipped"},
            {"unknown": "skipped", "length": "as_given"},
            {"unknown": "skipped", "length": "as_given", "mask": "by_given_length"},
        ),
        "词表里没有的词元被丢掉了；应当换成 [UNK]，位置要留着。",
        "Tokens that the vocabulary lacks are dropped; each should become [UNK] in its place.",
        (
            (
                "有生词的那一行，比原来短了吗？",
                "Is the row with an unknown token shorter than it was?",
            ),
            ("每个词元都要占一格。", "Every token fills one cell."),
        ),
    ),
    "unknown_tokens_raise": (
        {"unknown": "crash"},
        "遇到词表里没有的词元就报错；应当换成 [UNK]。",
        "A token that the vocabulary lacks raises an error; it should become [UNK].",
        (
            (
                "字典有一种取法，找不到时给你一个替代。",
                "A dict can be asked in a way that has a fallback.",
            ),
            (
                "替代的应当是哪个特殊词元的编号？",
                "The number of which special token is the fallback?",
            ),
        ),
    ),
    "unknown_has_another_number": (
        tuple({"unknown": form} for form in ("zero", "pad", "minus_one", "length", "bos", "eos")),
        "词表里没有的词元得到的不是 [UNK] 的编号。",
        "A token that the vocabulary lacks gets another number than that of [UNK].",
        (
            (
                "[UNK] 的编号是多少？去词表里查。",
                "What is the number of [UNK]? Ask the vocabulary.",
            ),
            (
                "如果生词和填充编号相同，掩码还分得开它们吗？",
                "If unknown tokens and padding shared a number, could anybody tell them apart?",
            ),
        ),
    ),
    "padded_with_zero": (
        {"pad": "zero"},
        "填充用了 0，而不是词表里 [PAD] 的编号。",
        "Padded with 0 and not with the number that the vocabulary has for [PAD].",
        PAD_HINTS,
    ),
    "padded_with_another_token": (
        ({"pad": "unk"}, {"pad": "eos"}),
        "填充用了别的特殊词元的编号，不是 [PAD] 的。",
        "Padded with the number of another special token, not that of [PAD].",
        PAD_HINTS,
    ),
    "padded_on_the_left": (
        ({"side": "left"}, {"side": "left", "mask": "by_length"}),
        "填充补在了左边；这里约定补在右边。",
        "Padding stands on the left; here it goes to the right.",
        LEFT_HINTS,
    ),
    "specials_cut_off": (
        {"length": "words_only"},
        "宽度没有给 [BOS] 和 [EOS] 留位置，长的句子被截断了。",
        "The width leaves no room for [BOS] and [EOS]: long sequences are cut off.",
        PAD_HINTS,
    ),
    "width_of_the_shortest": (
        {"length": "shortest"},
        "宽度取了最短的一句，别的都被截断了。",
        "The shortest sequence decides the width, and all others are cut off.",
        PAD_HINTS,
    ),
    "width_of_the_first": (
        {"length": "first"},
        "宽度取自第一句；应当取自最长的一句。",
        "The first sequence decides the width; it should be the longest.",
        PAD_HINTS,
    ),
    "one_column_off": (
        ({"length": "one_more"}, {"length": "one_short"}),
        "宽度差了一列：最长的一句，加上 [BOS] 和 [EOS]，正好填满一行。",
        "The width is off by one: the longest sequence with [BOS] and [EOS] just fills its row.",
        PAD_HINTS,
    ),
    "mask_inverted": (
        {"mask": "inverted"},
        "掩码反了：这里约定真词元是 True，填充是 False。",
        "The mask is inverted: here True means a real token and False padding.",
        MASK_HINTS,
    ),
    "mask_open_at_padding": (
        ({"mask": "everything"}, {"mask": "nonzero"}),
        "掩码在填充处也是 True（编号不是 0，不等于不是 [PAD]）。",
        "The mask is True at padding too (an id other than 0 may still be [PAD]).",
        MASK_HINTS,
    ),
    "specials_masked_out": (
        ({"mask": "words"}, {"mask": "not_end"}, {"mask": "not_begin"}, {"mask": "known"}),
        "掩码把 [BOS]、[EOS] 或 [UNK] 也关掉了；只有 [PAD] 不算真词元。",
        "The mask closes [BOS], [EOS] or [UNK] as well; [PAD] alone isn't a real token.",
        MASK_HINTS,
    ),
    "mask_is_not_boolean": (
        ({"mask": "integers"}, {"mask": "floats"}),
        "掩码应当是布尔数组，不是 0 和 1。",
        "The mask should be boolean, not zeros and ones.",
        BOOLEAN_HINTS,
    ),
    "sequences_reversed": (
        {"rows": "reversed"},
        "每一句的词元次序反了。",
        "The tokens of every sequence are in reverse order.",
        SPECIAL_HINTS,
    ),
    "sequences_sorted": (
        {"rows": "sorted"},
        "各句按长短排了序；行的次序要跟输入一样，不然对不上译文。",
        "Rows are sorted by length; they should keep their order, or sources and targets no longer "
        "match.",
        PAD_HINTS,
    ),
    "input_changed": (
        ({"rows": "changed"}, {"rows": "changed_in_turn"}, {"rows": "changed_too_wide"}),
        "函数改动了传进来的列表：同一句话再用一次，就多出了 [BOS] 和 [EOS]。",
        "The lists that were passed in are changed: the same sequence, used again, has grown a "
        "[BOS] and an [EOS].",
        CHANGED_HINTS,
    ),
    "mask_missing": (
        {"returned": "ids_only"},
        "只返回了编号；约定返回一对：编号和掩码。",
        "Only ids come back; it should be the pair of ids and mask.",
        FORM_HINTS,
    ),
    "pair_swapped": (
        {"returned": "mask_first"},
        "两样东西的次序反了：先编号，后掩码。",
        "The two are in the wrong order: ids first, mask second.",
        FORM_HINTS,
    ),
    "ids_are_floats": (
        {"returned": "floats"},
        "编号成了小数；它们要当下标用，应当是整数。",
        "The ids are floats; they will be used as indices and should be whole numbers.",
        FORM_HINTS,
    ),
    "time_comes_first": (
        {"returned": "time_first"},
        "行和列对调了：一句占一行，形状是 (B, T)。",
        "Rows and columns are exchanged: one sequence is one row, the shape is (B, T).",
        FORM_HINTS,
    ),
}
