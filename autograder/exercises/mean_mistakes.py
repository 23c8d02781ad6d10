"""Known mistakes in a mean of the real words: name → switches, sentences and hints."""

SUM_HINTS = (
    (
        "拿一句两个词加三个填充的话，手算一遍。",
        "Take a sentence of two words and three pads and do it by hand.",
    ),
    (
        "把填充处的数换掉，看结果动不动。",
        "Change the numbers at the pads and see whether the result moves.",
    ),
)
CAST_HINTS = (
    (
        "打印 x 乘掩码得到的东西，看看它的 dtype。",
        "Print what x times the mask gives, and look at its dtype.",
    ),
    (
        "要拿来乘的掩码，应当和 x 是同一种数：0 和 1，而不是 False 和 True。",
        "A mask that is multiplied should hold numbers like those of x: 0 and 1, not False and "
        "True.",
    ),
)
COUNT_HINTS = (
    (
        "每一句该除以几？写下来，和你除的数对照。",
        "Write down what each sentence should be divided by.",
    ),
    (
        "真词有几个，每一句都不一样；和句长、批次大小都无关。",
        "How many words are real differs from sentence to sentence, and has nothing to do with the "
        "length or the size of the batch.",
    ),
)
AXIS_HINTS = (
    (
        "在纸上写：(B, T, D) 进去，(B, D) 出来，是哪根轴消失了？",
        "On paper: (B, T, D) goes in and (B, D) comes out. Which axis is gone?",
    ),
    ("消失的是词，句子和特征都留着。", "It is the words; sentences and features stay."),
)
BROADCAST_HINTS = (
    (
        "用 B = 2、T = 3、D = 4 试一次，会报错；再让三个数相等，就不报错了。"
        "两次对齐的各是哪几根轴？",
        "Try B = 2, T = 3, D = 4: it raises. Make the three alike and it doesn't. Which axes are "
        "matched each time?",
    ),
    (
        "广播从最后一根轴往前对。(B, T) 要对上 (B, T, D) 的前两根，"
        "少的那根轴得自己补上，长度是 1。",
        "Broadcasting matches axes from the last one backwards. For (B, T) to match the first two "
        "of (B, T, D) you have to add the axis that it lacks, with length 1.",
    ),
)
DTYPE_HINTS = (
    ("打印 x 和结果的 dtype。", "Print the dtype of x and of the result."),
    (
        "一步步打印中间结果的 dtype：是哪一步变宽的？",
        "Print the dtype of every step: which one makes it wider?",
    ),
)
EMPTY_HINTS = (
    ("0 除以 0 得到什么？", "What is 0 divided by 0?"),
    (
        "分母最小该是几，这一句的结果才会是 0？",
        "What is the smallest divisor for which such a sentence gives 0?",
    ),
)
MISTAKES = {
    "padding_counted": (
        {"summed": "all", "divisor": "length"},
        "填充也算进去了：求的是所有位置的平均，掩码没有起作用。",
        "Pads count too: it is the mean over all positions, and the mask does nothing.",
        SUM_HINTS,
    ),
    "mask_not_cast": (
        ({"summed": "truth"}, {"summed": "truth", "empty": "nan"}),
        "掩码还是布尔就拿来乘了：在 TensorFlow 里，浮点乘布尔得到的是布尔，"
        "加起来只是 True 的个数。",
        "The mask is multiplied while it is boolean: on TensorFlow float times bool gives bool, "
        "and its sum merely counts what is True.",
        CAST_HINTS,
    ),
    "divided_by_length": (
        {"divisor": "length"},
        "和是对的，除错了：除以了句长 T，应当除以真词的个数。",
        "The sum is right, the divisor isn't: it is the length T and should be the number of real "
        "words.",
        COUNT_HINTS,
    ),
    "pads_in_the_sum": (
        {"summed": "all"},
        "除数是对的，和不对：填充处的数也加了进去。",
        "The divisor is right, the sum isn't: what stands at pads is added in.",
        SUM_HINTS,
    ),
    "mask_inverted": (
        ({"summed": "pads", "divisor": "pads"}, {"summed": "pads"}),
        "掩码反了：平均的是填充，不是真词。",
        "The mask is used the wrong way round: pads are averaged, not words.",
        SUM_HINTS,
    ),
    "sum_not_mean": (
        {"divisor": "one"},
        "只求了和，没有除以真词的个数：句子越长，结果越大。",
        "It is the sum, not divided by the number of words: longer sentences give larger results.",
        COUNT_HINTS,
    ),
    "one_count_for_all": (
        (
            {"divisor": "all_in_the_batch"},
            {"divisor": "mean_of_the_batch"},
            {"divisor": "batch_size"},
        ),
        "所有句子除以了同一个数：每一句要除以它自己的真词个数。",
        "All sentences are divided by one number: each has a number of words of its own.",
        COUNT_HINTS,
    ),
    "count_off": (
        ({"divisor": "one_more"}, {"divisor": "times_features"}, {"divisor": "root"}),
        "除数不对：不正好是真词的个数。",
        "The divisor is off: it isn't just the number of real words.",
        COUNT_HINTS,
    ),
    "added_to_the_count": (
        (
            {"divisor": "thousandth_more"},
            {"divisor": "hundredth_more"},
            {"divisor": "tenth_more"},
        ),
        "为了避开 0 除以 0，给个数加了一个小数，可它不够小：每一句的平均都跟着偏了一点。",
        "To keep clear of 0 / 0 something small is added to the count, and it isn't small enough: "
        "every mean is off by a little.",
        EMPTY_HINTS,
    ),
    "nonzero_counted": (
        ({"divisor": "nonzero_real"}, {"divisor": "nonzero"}),
        "个数是数出来的“不是 0 的数”：真词的向量里也会有 0，要数的是掩码里的 True。",
        "What is counted is numbers other than 0: a real word's vector may hold zeros, too. Count "
        "what is True in the mask.",
        COUNT_HINTS,
    ),
    "axis_missing": (
        (
            {"mask_axis": "missing"},
            {"count_axis": "missing"},
            {"mask_axis": "missing", "count_axis": "missing"},
        ),
        "少了一根轴：(B, T) 的掩码乘 (B, T, D)，或 (B,) 的个数除 (B, D)，对上的是最后几根轴。"
        "长短不合时报错；凑巧一样长，不报错，数却错了。",
        "An axis is missing: a mask (B, T) against (B, T, D), or counts (B,) against (B, D), are "
        "matched to the last axes. Where lengths differ that raises; where they happen to agree it "
        "gives wrong numbers in silence.",
        BROADCAST_HINTS,
    ),
    "dtype_widened": (
        {"precision": "double"},
        "结果的类型变宽了，成了 float64：约定是和 x 一样。",
        "The result has become float64: the dtype of x was agreed on.",
        DTYPE_HINTS,
    ),
    "nan_without_words": (
        {"empty": "nan"},
        "一个真词也没有时，0 除以 0 得到 NaN，而 NaN 会一路传下去。",
        "Where there is no real word 0 is divided by 0, and the NaN that comes out spreads.",
        EMPTY_HINTS,
    ),
    "wrong_axis": (
        (
            {"averaged": "features"},
            {"averaged": "features", "divisor": "one"},
            {"averaged": "features", "summed": "all", "divisor": "length"},
            {"averaged": "features", "summed": "all", "divisor": "one"},
            {"averaged": "batch"},
            {"averaged": "batch", "divisor": "one"},
            {"averaged": "batch", "summed": "all", "divisor": "length"},
        ),
        "平均的方向错了：应当沿着词的方向，每个特征、每一句各算各的。",
        "The mean runs along the wrong axis: it should run over the words, for every feature and "
        "every sentence by itself.",
        AXIS_HINTS,
    ),
    "token_axis_kept": (
        {"kept": "token_axis"},
        "词的轴还留着，长度是 1：约定的形状是 (B, D)。",
        "The axis of the words is still there, with size 1: the shape agreed on is (B, D).",
        AXIS_HINTS,
    ),
    "mask_from_values": (
        ({"mask_from": "vectors"}, {"mask_from": "sums"}),
        "没有用 padding_mask，而是看向量是不是 0 来认填充：填充的向量不一定是 0。",
        "Pads are recognised by their vectors being 0, and padding_mask isn't used: a pad's vector "
        "need not be 0.",
        SUM_HINTS,
    ),
    "one_token_picked": (
        ({"reduced": "first"}, {"reduced": "last"}, {"reduced": "last_real"}),
        "只取了一个词的向量，别的词都没有用上。",
        "One word's vector is picked and the others aren't used.",
        SUM_HINTS,
    ),
    "largest_not_mean": (
        ({"reduced": "largest"}, {"reduced": "largest_with_zeros"}),
        "取的是最大值，不是平均。",
        "It takes the largest value, not the mean.",
        SUM_HINTS,
    ),
}
