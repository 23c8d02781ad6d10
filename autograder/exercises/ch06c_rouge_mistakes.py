"""Mistakes in scoring a text by ROUGE-L: switches, sentences and hints."""

from autograder.messages import Text

MOST_COMPARISONS = 150_000  # as the stand-in counts them; a test compares both

SHARED_HINTS = (
    (
        "写出来的是 a b c d，标准答案是 a x c b d：用手找最长的公共子序列，有几个词？",
        "Written is a b c d, the reference is a x c b d. Find the longest common subsequence by "
        "hand: how many words?",
    ),
    (
        "可以隔着别的词，次序不能乱；选哪几个词，要让总数最多，不是见一个拿一个。",
        "Gaps are fine, the order isn't free; and choose the words so that they are as many as can "
        "be, rather than the next one each time.",
    ),
)
TABLE_HINTS = (
    (
        "给 a a 和 a 画一张表，逐格填：最后一格应当是 1。",
        "Draw the table for a a and a, and fill in every cell: the last one should be 1.",
    ),
    (
        "两个词相等，从左上角那一格加 1；不相等，取上面和左边较大的。每一格都要算到。",
        "If both words are equal, add 1 to the cell up and to the left; if not, take the larger of "
        "above and left. No cell may be left out.",
    ),
)
SCORE_HINTS = (
    (
        "写了四个词，标准答案两个，公共的有一个：P 是 1/4，R 是 1/2，F1 应当是 1/3。你的是几？",
        "Four words written, two in the reference, one shared: P is 1/4, R is 1/2, and F1 should "
        "be 1/3. What is yours?",
    ),
    (
        "P 除以写出来的词数，R 除以标准答案的词数，F1 是 2PR / (P + R)。",
        "P is divided by the words written, R by those of the reference, and F1 is 2PR / (P + R).",
    ),
)
UNIT_HINTS = (
    (
        "打印你拿来比较的两个列表：跟传进来的一样吗？",
        "Print the two lists that you compare: are they what was handed in?",
    ),
    (
        "词原样比较：不拆成字母，不改大小写，不去掉重复，不排序。",
        "Words are compared as they are: not split into letters, not lower-cased, with their "
        "repetitions and in their order.",
    ),
)
EMPTY_HINTS = (
    (
        "两边各给一个空列表试一次，再给两个没有公共词的列表。",
        "Try an empty list on either side, and then two lists that share no word.",
    ),
    (
        "除之前先看：分母会不会是 0？这些时候约定都是 0.0。",
        "Ask before dividing whether the divisor can be 0; where it can, the score is 0.0.",
    ),
)

SLOW_HINTS = (
    (
        "用五个词和五个没有公共词的词，数一数：两段都是前三个词的那一对，你的函数算了几次？",
        "With five words and five others, none shared: how often does your function come to the "
        "pair of both beginnings of three words?",
    ),
    (
        "两段开头一共只有几种搭配？每种的结果都记下来，下次就去查。",
        "How many pairs of beginnings are there in all? Keep what you find for each, and look it "
        "up the next time.",
    ),
)
TOO_SLOW = Text(
    f"词比较了 {MOST_COMPARISONS // 10_000} 万次还没有算完；用一张表，几千次就够了。",
    f"Words have been compared {MOST_COMPARISONS:,} times, and there is no end; with a table a few "
    "thousand are enough.",
)

ROUGE = {
    "every_way_tried": (
        {"effort": "every_way"},
        "算得太慢：同样的两段开头一遍又一遍地重算，或者把子序列一个个试过去。",
        "It takes too long: the same two beginnings are done over and over, or every subsequence "
        "is tried.",
        SLOW_HINTS,
    ),
    "no_gaps_allowed": (
        ({"shared": "run"}, {"shared": "beginning"}, {"shared": "pairs"}),
        "数的是连着的一段；公共子序列中间可以隔着别的词。",
        "It counts words in a row; a common subsequence may have gaps.",
        SHARED_HINTS,
    ),
    "order_ignored": (
        (
            {"shared": "bag"},
            {"shared": "set"},
            {"shared": "each_in_reference"},
            {"shared": "each_in_candidate"},
            {"unit": "sorted"},
        ),
        "只数了两边都有的词，没有管次序：那是 ROUGE-1 一类。",
        "It counts words that both have, in whatever order: that is more like ROUGE-1.",
        SHARED_HINTS,
    ),
    "taken_greedily": (
        ({"shared": "greedy"}, {"shared": "greedy_from_reference"}),
        "见一个拿一个：先拿的词可能挡住后面更多的。",
        "Words are taken as they come; one that is taken early may block several later ones.",
        SHARED_HINTS,
    ),
    "places_compared": (
        {"shared": "places"},
        "只比较了同一个位置上的词：多一个词，后面就全错开了。",
        "Only words at the same place are compared; one extra word shifts all that follow.",
        SHARED_HINTS,
    ),
    "reference_backwards": (
        {"shared": "turned"},
        "有一边倒过来了。",
        "One side is turned around.",
        SHARED_HINTS,
    ),
    "word_used_twice": (
        (
            {"shared": "added_to_left"},
            {"shared": "added_to_above"},
            {"shared": "added_to_larger"},
        ),
        "一个词用了两次：相等时应当从左上角那一格加 1；那一格要还是上一行的（[[0] * n] * m 的各行是"
        "同一个列表）。",
        "A word is used twice: where words are equal, 1 is added to the cell up and to the left, "
        "which still has to be the row above's (all rows of [[0] * n] * m are one list).",
        TABLE_HINTS,
    ),
    "best_so_far_lost": (
        (
            {"shared": "corner_carried"},
            {"shared": "left_only"},
            {"shared": "above_only"},
        ),
        "不相等时丢了前面的结果：要取上面和左边较大的。",
        "Where words differ, what was found is lost: take the larger of above and left.",
        TABLE_HINTS,
    ),
    "last_words_left_out": (
        {"shared": "last_missing"},
        "最后的词没有算进去。",
        "The last words are left out.",
        TABLE_HINTS,
    ),
    "first_words_left_out": (
        {"shared": "first_missing"},
        "第一个词没有算进去。",
        "The first word of either side is left out.",
        TABLE_HINTS,
    ),
    "one_row_only": (
        ({"shared": "first_row"}, {"shared": "last_row"}),
        "只算了 candidate 的一个词：循环早早就返回了，或者每一行都从零开始？",
        "Only one word of candidate counts: does the loop return early, or does every row begin "
        "with zeros?",
        TABLE_HINTS,
    ),
    "table_wraps_around": (
        {"shared": "wrapped"},
        "下标 −1 绕到了表的另一头：表要多一行一列 0。",
        "Index −1 is the other end of the table; it needs one more row and column, of zeros.",
        TABLE_HINTS,
    ),
    "score_rounded": (
        ({"score": "four_digits"}, {"score": "three_digits"}, {"score": "two_digits"}),
        "得分四舍五入了；原样返回就行。",
        "The score is rounded; return it as it is.",
        SCORE_HINTS,
    ),
    "precision_or_recall_only": (
        ({"score": "precision"}, {"score": "recall"}),
        "只算了精确率，或只算了召回率。",
        "It is precision only, or recall only.",
        SCORE_HINTS,
    ),
    "another_mean": (
        (
            {"score": "mean"},
            {"score": "geometric"},
            {"score": "longer"},
            {"score": "shorter"},
            {"score": "jaccard"},
            {"score": "product"},
            {"score": "beta"},
        ),
        "精确率和召回率合得不对：约定是 2PR / (P + R)。",
        "Precision and recall are combined otherwise; as agreed it is 2PR / (P + R).",
        SCORE_HINTS,
    ),
    "two_forgotten": (
        ({"score": "sum"}, {"score": "without_two"}),
        "少了一个 2：一字不差时应当是 1。",
        "A 2 is missing: for the very same words it should be 1.",
        SCORE_HINTS,
    ),
    "another_scale": (
        ({"score": "count"}, {"score": "percent"}, {"score": "distance"}),
        "返回的不是 0 到 1 的 F1。",
        "What comes back isn't F1 from 0 to 1.",
        SCORE_HINTS,
    ),
    "letters_compared": (
        ({"unit": "letters"}, {"unit": "spaced_letters"}),
        "比较的是字母，不是词。",
        "Letters are compared, not words.",
        UNIT_HINTS,
    ),
    "case_ignored": (
        {"unit": "folded"},
        "大小写没有分开。",
        "Upper and lower case aren't told apart.",
        UNIT_HINTS,
    ),
    "repetitions_dropped": (
        {"unit": "distinct"},
        "重复的词去掉了；它们也算。",
        "Repeated words are dropped; they count, too.",
        UNIT_HINTS,
    ),
    "empty_not_handled": (
        (
            {"empty": "error"},
            {"empty": "one"},
            {"empty": "one_if_both"},
            {"empty": "nan"},
            {"empty": "error", "none": "error"},
            {"empty": "nan", "none": "nan"},
        ),
        "有一边是空的时候，应当返回 0.0。",
        "Where either side is empty, 0.0 should come back.",
        EMPTY_HINTS,
    ),
    "nothing_shared_not_handled": (
        ({"none": "error"}, {"none": "nan"}),
        "没有公共的词时除以了 0；应当返回 0.0。",
        "Where no word is shared it divides by 0; 0.0 should come back.",
        EMPTY_HINTS,
    ),
}
