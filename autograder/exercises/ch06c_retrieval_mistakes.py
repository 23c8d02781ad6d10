"""Mistakes in finding evidence by BM25: switches, sentences and hints."""

RARITY_HINTS = (
    (
        "三条资料：一个词三条都有，一个词只有一条有。打印这两个词的对数那一项，哪个大？",
        "Take three statements, a word that all have and one that a single one has. Print the "
        "logarithm of both: which is larger?",
    ),
    (
        "n 数的是“有这个词的资料有几条”，不是它一共出现几次；对数里面先加 1。",
        "n counts the statements that have the word, not how often it occurs; and 1 is added "
        "inside the logarithm.",
    ),
)
COUNT_HINTS = (
    (
        "两条一样长的资料，一条里那个词出现一次，另一条里三次：分数之比是多少？",
        "Two statements of one length, one with the word once, the other three times: what is the "
        "ratio of their scores?",
    ),
    (
        "次数在分子里有，在分母里也有：出现得越多，每多一次加的分越少。",
        "The count stands in the numerator and in the denominator: every further occurrence adds "
        "less.",
    ),
)
LENGTH_HINTS = (
    (
        "同一个词，在三个词的资料里和在三十个词的资料里：哪条分数高？",
        "One and the same word, in a statement of three words and in one of thirty: which scores "
        "higher?",
    ),
    (
        "长度是词数，重复的也数；除以所有资料的平均；括号里的三项都要乘 k。",
        "Length is the number of words, repetitions included, divided by the mean of all; and k "
        "multiplies all three terms of the bracket.",
    ),
)
PARAMETER_HINTS = (
    (
        "换一个 saturation，换一个 length_share：你的分数各变不变？",
        "Change saturation, and change length_share: does your score move each time?",
    ),
    (
        "公式里的 k 是 saturation，b 是 length_share；别把默认值写死。",
        "k in the formula is saturation and b is length_share; don't write their defaults into it.",
    ),
)
WORD_HINTS = (
    (
        "断言和资料各切成词，打印出来：大小写、句号、汉字，两边切得一样吗？",
        "Cut claim and statements into words and print them: capitals, full stops, Chinese "
        "characters, are both sides cut alike?",
    ),
    (
        "两边都交给 basic_tokenize；一个词要整个相等才算。",
        "Give both to basic_tokenize; a word counts where all of it is equal.",
    ),
)
REPEAT_HINTS = (
    (
        "断言是“红 红 蓝”：红的分加了几次？",
        "The claim is “red red blue”: how often is red added?",
    ),
    (
        "求和走的是断言里不同的词。",
        "The sum runs over the different words of the claim.",
    ),
)
ORDER_HINTS = (
    (
        "打印分数和编号：第一个编号的分数是最高的吗？两条一样的资料，哪个编号在前？",
        "Print scores and numbers: does the first number have the highest score? And of two "
        "statements that are the same, which number comes first?",
    ),
    (
        "按分数从高到低排，同分的不动；Python 的排序本来就不打乱同分的，整个倒过来就乱了。",
        "Sort from high to low, and let equals keep their order. Python's sort does that by "
        "itself; turning the whole list around doesn't.",
    ),
)
RESULT_HINTS = (
    (
        "count 是 2，资料有五条：应当返回几个编号？",
        "With count 2 and five statements, how many numbers should come back?",
    ),
    (
        "返回的是编号，从 0 数起；0 分的也在名单里；没有资料就是空列表。",
        "What comes back are numbers, from 0; those that score 0 are in the list, too; and without "
        "statements the list is empty.",
    ),
)

RETRIEVAL = {
    "rarity_left_out": (
        {"rarity": "none"},
        "少见的词没有多算：对数那一项没有了。",
        "Rare words don't count for more: the logarithm is missing.",
        RARITY_HINTS,
    ),
    "rarity_upside_down": (
        ({"rarity": "upside_down"}, {"rarity": "inverted"}),
        "反了：常见的词反而分高。",
        "It is upside down: common words count for more.",
        RARITY_HINTS,
    ),
    "another_rarity": (
        (
            {"rarity": "plain"},
            {"rarity": "without_one"},
            {"rarity": "smoothed"},
            {"rarity": "no_halves"},
            {"rarity": "without_log"},
            {"rarity": "one_over"},
        ),
        "少见程度的公式跟约定的不一样（加 1、加 0.5、取对数，各在哪里？）。",
        "The formula of rarity isn't the one agreed on: where are the 1, the halves and the "
        "logarithm?",
        RARITY_HINTS,
    ),
    "occurrences_counted": (
        ({"rarity": "occurrences_unbounded"}, {"rarity": "occurrences"}),
        "n 数成了词出现的次数；应当是有这个词的资料的条数。",
        "n counts how often the word occurs; it should count the statements that have it.",
        RARITY_HINTS,
    ),
    "shared_words_counted": (
        ({"rarity": "none", "counted": "once"}, {"rarity": "none", "counted": "plain"}),
        "只数了共同的词有几个，没有按公式算。",
        "It only counts shared words and doesn't follow the formula.",
        RARITY_HINTS,
    ),
    "once_or_often_alike": (
        ({"counted": "once"}, {"counted": "there_or_not"}),
        "一个词出现一次和出现几次，分数一样。",
        "It makes no difference whether a word occurs once or often.",
        COUNT_HINTS,
    ),
    "repetition_not_damped": (
        (
            {"counted": "plain"},
            {"counted": "no_damping"},
            {"counted": "log"},
            {"counted": "share_of_text"},
        ),
        "重复没有被压住：分母里没有次数，或者分母不见了。",
        "Repetition isn't held back: the count isn't in the denominator, or there is none.",
        COUNT_HINTS,
    ),
    "count_in_the_denominator_only": (
        {"counted": "numerator_once"},
        "次数只在分母里：出现得越多，分反而越低。",
        "The count stands in the denominator only: the more often, the lower.",
        COUNT_HINTS,
    ),
    "length_ignored": (
        {"share": "none"},
        "长短没有算进去。",
        "Length plays no part.",
        LENGTH_HINTS,
    ),
    "length_measured_otherwise": (
        (
            {"length": "characters"},
            {"length": "distinct"},
            {"length": "distinct_over_mean"},
            {"length": "longest"},
            {"length": "total"},
            {"length": "one"},
        ),
        "长度量得不对：应当是词数，除以所有资料的平均词数。",
        "Length is measured wrongly: it should be the number of words, divided by the mean of all "
        "statements.",
        LENGTH_HINTS,
    ),
    "length_upside_down": (
        {"length": "upside_down"},
        "长度反了：平均除以长度，越长的资料反而分越高。",
        "Length is upside down, mean over length: longer statements score higher.",
        LENGTH_HINTS,
    ),
    "bracket_misplaced": (
        ({"bracket": "share_outside"}, {"bracket": "length_only"}, {"bracket": "plus_instead"}),
        "括号错位了：k 应当乘 (1 − b + b · 长度 / 平均) 的全部。",
        "A bracket is misplaced: k should multiply all of (1 − b + b · length / mean).",
        LENGTH_HINTS,
    ),
    "length_share_turned": (
        {"share": "turned"},
        "b 和 1 − b 弄反了：乘 长度 / 平均 的是 b。",
        "b and 1 − b have changed places: it is b that multiplies length / mean.",
        LENGTH_HINTS,
    ),
    "saturation_not_used": (
        {"damping": "default"},
        "saturation 没有用上：换了它，结果不变。",
        "saturation isn't used: changing it changes nothing.",
        PARAMETER_HINTS,
    ),
    "length_share_not_used": (
        ({"share": "default"}, {"share": "all"}),
        "length_share 没有用上：换了它，结果不变。",
        "length_share isn't used: changing it changes nothing.",
        PARAMETER_HINTS,
    ),
    "parameters_exchanged": (
        {"share": "exchanged"},
        "saturation 和 length_share 对调了。",
        "saturation and length_share have changed places.",
        PARAMETER_HINTS,
    ),
    "words_cut_otherwise": (
        (
            {"words": "split"},
            {"words": "lower_split"},
            {"words": "characters"},
            {"words": "letters"},
        ),
        "词切得不对：句号会粘在词上，中文切不开；用 basic_tokenize。",
        "Words are cut wrongly: full stops stick to them, Chinese isn't cut at all; use "
        "basic_tokenize.",
        WORD_HINTS,
    ),
    "case_kept": (
        {"words": "case_kept"},
        "大小写分开了：The 和 the 应当是同一个词。",
        "Upper and lower case are apart; The and the should be one word.",
        WORD_HINTS,
    ),
    "parts_of_words_matched": (
        ({"matched": "letters"}, {"matched": "holding"}, {"matched": "holding_lower"}),
        "词的一部分也算对上了：art 在 cart 里也数了。",
        "Parts of words match, too: art is found in cart.",
        WORD_HINTS,
    ),
    "claim_words_repeated": (
        {"repeated": "each_time"},
        "断言里重复的词算了几次；应当只算一次。",
        "A word that is repeated in the claim counts several times; it should count once.",
        REPEAT_HINTS,
    ),
    "worst_first": (
        ({"order": "worst_first"}, {"order": "best_last"}),
        "次序反了：最好的应当在前。",
        "The order is turned around; the best should come first.",
        ORDER_HINTS,
    ),
    "sorted_by_number": (
        {"order": "by_number"},
        "选出来以后又按编号排了：应当最好的在前。",
        "Once chosen they are sorted by number; the best should come first.",
        ORDER_HINTS,
    ),
    "equals_turned_around": (
        ({"equals": "later"}, {"equals": "argsort"}, {"equals": "argsort_turned"}),
        "同分的资料，编号小的没有排在前面：整个名单倒过来，或者用 np.argsort，同分的次序就乱了。",
        "Of equals the smaller number doesn't come first: turning the list around, or np.argsort, "
        "upsets their order.",
        ORDER_HINTS,
    ),
    "count_not_used": (
        (
            {"limit": "all"},
            {"limit": "one_more"},
            {"limit": "one_less"},
            {"limit": "one"},
        ),
        "返回的个数不对：应当是 count 个，资料不够就全部。",
        "The wrong number comes back; it should be count, or all where there are fewer.",
        RESULT_HINTS,
    ),
    "unrelated_dropped": (
        {"unrelated": "dropped"},
        "0 分的资料不见了；它们照样排在名单里。",
        "Statements that score 0 are gone; they have their place in the list as well.",
        RESULT_HINTS,
    ),
    "no_texts_no_answer": (
        {"empty": "error"},
        "没有资料时报错了；应当返回空列表。",
        "Without statements it raises an error; it should return an empty list.",
        RESULT_HINTS,
    ),
    "no_numbers_returned": (
        (
            {"returned": "texts"},
            {"returned": "scores"},
            {"returned": "pairs"},
            {"returned": "from_one"},
            {"returned": "the_first"},
        ),
        "返回的不是编号的列表（从 0 数起）。",
        "What comes back isn't a list of numbers, counted from 0.",
        RESULT_HINTS,
    ),
}
