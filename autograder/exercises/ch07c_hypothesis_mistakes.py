"""Mistakes in guessing the label from one text: switches, sentences and hints."""

PAPER_HINTS = (
    (
        '拿纸上的例子算："a a b" 是 0 类，"b c" 是 1 类，a 在两类里的概率应当是 1/2 和 1/5。',
        'Do the example on paper: "a a b" is of class 0, "b c" of class 1; the probability of a '
        "should be 1/2 and 1/5.",
    ),
    (
        "分子是这个词在这一类里的次数加 1，分母是这一类的总词数加 V。",
        "Above the line stands the word's count in the class plus 1, below it all words of the "
        "class plus V.",
    ),
)
VOCABULARY_HINTS = (
    (
        "纸上的例子里 V 是几？两类的 V 一样吗？",
        "What is V in the example on paper? Is it the same for both classes?",
    ),
    (
        "V 数的是训练的所有句子里不同的词，不分类别，也不看要猜的句子。",
        "V counts the different words of all training texts, whatever their class, and nothing of "
        "the texts to be guessed.",
    ),
)
PRIOR_HINTS = (
    (
        "一个空句子，没有词可看：你的函数猜哪一类？应当猜训练里最多的那类。",
        "An empty text has no word to go by: what does your function guess? It should be the most "
        "frequent class of training.",
    ),
    (
        "先验是这一类的句数除以总句数，取对数，加一次，不平滑。",
        "The prior is the share of texts that are of the class; its logarithm is added once, "
        "without smoothing.",
    ),
)
UNKNOWN_HINTS = (
    (
        "要猜的句子里加一个训练里从没出现过的词：猜的类应当不变。",
        "Add a word that no training text has to a text: the guess shouldn't change.",
    ),
    (
        "跳过的只是训练里哪一类都没有的词；一类没有、别类有的词，要算。",
        "Skipped are words that no class has; a word that one class lacks and another has counts.",
    ),
)
REPEAT_HINTS = (
    (
        '"a a" 和 "a" 的分数应当一样吗？公式里的和是对句子里的每个位置求的。',
        'Should "a a" and "a" score the same? The sum of the formula goes over all places of the '
        "text.",
    ),
    (
        "训练时也一样：一句里出现三次，就数三次。",
        "The same goes for training: three times in a text count three times.",
    ),
)
CUT_HINTS = (
    (
        '把 "The cat" 和 "the\\tcat" 切开看看：应当是一样的两个词。',
        'Cut "The cat" and "the\\tcat" and look: both should make the same two words.',
    ),
    (
        "先全部变小写，再按任何空白切；标点留在词上。训练和要猜的句子切法一样。",
        "All becomes lower case, then any white space parts words; punctuation stays on. It is "
        "the same for training texts and those to be guessed.",
    ),
)
LONG_HINTS = (
    (
        "四百个 0.1 连乘，在 float64 里是多少？",
        "What are four hundred times 0.1, multiplied, in float64?",
    ),
    (
        "乘积最大的，对数之和也最大；对数之和不会变成 0。",
        "Whose product is largest has the largest sum of logarithms too, and that doesn't come to "
        "0.",
    ),
)
CHOICE_HINTS = (
    (
        "把一句话各类的分数打印出来：哪一类应当被选中？",
        "Print the scores of all classes for one text: which class should be chosen?",
    ),
    (
        "分数最大的那一类；一样大时，编号小的。返回的是类的编号，从 0 数起。",
        "The one with the largest score, of equals the one with the smaller number; what comes "
        "back are numbers of classes, from 0.",
    ),
)

HYPOTHESIS = {
    "not_smoothed": (
        (
            {"smoothing": "none"},
            {"smoothing": "none", "product": "probabilities"},
            {"smoothing": "below_only"},
        ),
        "没有加一平滑：一类没见过的词，一票就把这一类否决了。",
        "Nothing is added to the counts: a word new to a class vetoes it.",
        PAPER_HINTS,
    ),
    "another_constant_added": (
        ({"smoothing": "half"}, {"smoothing": "tenth"}, {"smoothing": "two"}),
        "平滑时加的不是 1。",
        "What is added to the counts isn't 1.",
        PAPER_HINTS,
    ),
    "smoothed_above_only": (
        (
            {"smoothing": "above_only"},
            {"smoothing": "one_below"},
            {"smoothing": "number_of_classes"},
        ),
        "分子加了 1，分母没有加 V。",
        "1 is added above the line, but not V below it.",
        PAPER_HINTS,
    ),
    "another_vocabulary": (
        (
            {"smoothing": "own_vocabulary"},
            {"smoothing": "twice_the_classes"},
        ),
        "V 数错了：应当是训练的所有句子里不同的词，不分类别。",
        "V is counted wrongly: it is the different words of all training texts together.",
        VOCABULARY_HINTS,
    ),
    "not_divided_by_the_class": (
        ({"smoothing": "all_words"}, {"given": "nothing"}, {"given": "word"}),
        "次数除以的不是这一类自己的词数：除数对各类都一样，词少的类就吃了亏。",
        "Counts aren't divided by the words of the class itself: with a divisor that is the same "
        "for all, classes of few words come off badly.",
        PAPER_HINTS,
    ),
    "no_prior": (
        {"prior": "none"},
        "没有加上类的先验。",
        "The prior of the class isn't added.",
        PRIOR_HINTS,
    ),
    "another_prior": (
        (
            {"prior": "smoothed"},
            {"prior": "share_of_words"},
            {"prior": "not_logged"},
            {"prior": "count"},
        ),
        "先验不对：应当是类在训练里的频率的对数，加一次。",
        "The prior is wrong: it should be the logarithm of the class's frequency in training, "
        "added once.",
        PRIOR_HINTS,
    ),
    "unknown_words_count": (
        ({"unknown": "counts"}, {"unknown": "test_words_too"}),
        "训练里没有的词没有跳过，也算了分。",
        "Words that no training text has aren't skipped, they get a score.",
        UNKNOWN_HINTS,
    ),
    "too_much_is_skipped": (
        (
            {"unknown": "new_to_the_class"},
            {"unknown": "text_given_up"},
            {"unknown": "stops"},
        ),
        "跳过得太多：只有训练里哪一类都没有的词才跳过，句子里别的词照样算。",
        "Too much is skipped: only words that no class has are, and all other words of the text "
        "count.",
        UNKNOWN_HINTS,
    ),
    "unknown_words_looked_up": (
        {"unknown": "looked_up"},
        "碰到训练里没有的词就报错了：应当跳过。",
        "A word that no training text has raises an error; it should be skipped.",
        UNKNOWN_HINTS,
    ),
    "repeated_words_once": (
        ({"repeated": "once"}, {"counted": "texts"}, {"repeated": "once", "counted": "texts"}),
        "一句里重复的词只算了一次。",
        "A word that a text repeats counts once only.",
        REPEAT_HINTS,
    ),
    "prior_for_every_word": (
        ({"prior": "for_every_word"}, {"total": "mean"}),
        "先验每个词都加了一次（或者各词的对数取了平均，结果一样）：先验只加一次，各词求和。",
        "The prior is added for every word (or the words' logarithms are averaged, which comes to "
        "the same): it is added once, to a sum over words.",
        PRIOR_HINTS,
    ),
    "case_kept": (
        ({"words": "kept"}, {"words": "lower_in_training"}, {"words": "lower_in_test"}),
        "大小写没有统一：训练的句子和要猜的句子都要先变小写。",
        "Capitals are left: training texts and those to be guessed both become lower case first.",
        CUT_HINTS,
    ),
    "cut_otherwise": (
        (
            {"words": "blanks_only"},
            {"words": "without_signs"},
            {"words": "stripped"},
            {"words": "characters"},
        ),
        "词切得不对：按任何空白切，标点留在词上。",
        "Words are cut wrongly: any white space parts them, and punctuation stays on.",
        CUT_HINTS,
    ),
    "probabilities_multiplied": (
        ({"product": "probabilities"}, {"product": "sum_of_probabilities"}),
        "概率连乘（或相加）：长句的乘积小得成了 0。要把对数相加。",
        "Probabilities are multiplied (or added): for a long text the product comes to 0. "
        "Logarithms have to be added.",
        LONG_HINTS,
    ),
    "larger_of_equals": (
        {"equals": "larger"},
        "分数一样时取了编号大的类。",
        "Of equal scores the larger class is taken.",
        CHOICE_HINTS,
    ),
    "another_choice": (
        ({"choice": "smallest"}, {"choice": "majority"}, {"returned": "from_one"}),
        "选的不是分数最大的类。",
        "What is chosen isn't the class with the largest score.",
        CHOICE_HINTS,
    ),
    "no_classes_returned": (
        ({"returned": "scores"}, {"returned": "likelihoods"}, {"returned": "shares"}),
        "返回的是各类的分数，应当是类的编号。",
        "Scores of all classes come back; it should be the number of a class.",
        CHOICE_HINTS,
    ),
}
