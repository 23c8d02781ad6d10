"""Mistakes in scoring spans: switches, sentences and hints."""

HIT_HINTS = (
    (
        "正确的是 ('PER', 2, 4)，模型说 ('PER', 2, 5)：算对吗？种类换成 LOC 呢？",
        "('PER', 2, 4) is right and the model says ('PER', 2, 5): does it count? And with the "
        "kind LOC?",
    ),
    (
        "三样都一样才算：种类、start、end。差一个词，精确率和召回率都要扣。",
        "All three have to agree, kind, start and end; one word more costs precision and recall.",
    ),
)
SENTENCE_HINTS = (
    (
        "第一句的 ('PER', 0, 2) 模型没说，第二句却说了一个 ('PER', 0, 2)：算对吗？",
        "The model misses ('PER', 0, 2) in the first sentence and says ('PER', 0, 2) in the "
        "second: does it count?",
    ),
    (
        "一句跟一句比，对的、说的、该有的三个数加起来，最后才除。",
        "Compare sentence by sentence, add up three numbers (right, said, should be there), and "
        "divide in the end.",
    ),
)
MICRO_HINTS = (
    (
        "第一句 1 个片段，说对了；第二句 9 个片段，一个没说。召回率是 0.5 还是 0.1？",
        "The first sentence has 1 span, found; the second has 9, none of them found. Is recall "
        "0.5 or 0.1?",
    ),
    (
        "micro：先把各句的个数加起来，再除一次。",
        "Micro: add up the sentences' counts first, then divide once.",
    ),
)
F_HINTS = (
    (
        "精确率 1，召回率 0：F1 应当是 0，不是 0.5。",
        "With precision 1 and recall 0, F1 should be 0, not 0.5.",
    ),
    (
        "对照约定里的式子：分子是乘积的两倍，分母是和。",
        "Compare with the formula in the contract: twice the product over the sum.",
    ),
)
ZERO_HINTS = (
    (
        "模型什么也没说：精确率的分母是几？按约定结果是几？",
        "The model says nothing: what is the divisor of precision, and what is the result by the "
        "contract?",
    ),
    (
        "三个除法，每个的分母都可能是 0：结果都是 0。",
        "There are three divisions, each of which may have a divisor of 0: the result is 0.",
    ),
)
TWICE_HINTS = (
    (
        "模型在一句里把同一个片段说了两遍：说了几个，对了几个？",
        "A model says one span twice in a sentence: how many are said, and how many are right?",
    ),
    (
        "按约定，一句里写了两遍的只算一遍：数之前先去掉重复的。",
        "By the contract a span that is listed twice counts once: drop repetitions before "
        "counting.",
    ),
)
FORM_HINTS = (
    (
        "该有 4 个，说了 2 个，对了 1 个：应当返回 (0.5, 0.25, 0.333…)。你的呢？",
        "4 should be there, 2 are said, 1 is right: (0.5, 0.25, 0.333…) should come back. What "
        "does yours give?",
    ),
    (
        "精确率除以说的个数，召回率除以该有的个数；次序是精确率、召回率、F1。",
        "Precision is divided by what is said, recall by what should be there; the order is "
        "precision, recall, F1.",
    ),
)

SCORES = {
    "kind_not_compared": (
        ({"matched": "ends"}, {"matched": "overlap_of_any_kind"}),
        "种类不同也算对了。",
        "Spans of another kind count as right.",
        HIT_HINTS,
    ),
    "one_end_only": (
        (
            {"matched": "kind_and_start"},
            {"matched": "kind_and_end"},
            {"matched": "start"},
            {"matched": "kind_and_start_both_ways"},
            {"matched": "kind_and_end_both_ways"},
        ),
        "只比了一端：两端都要一样。",
        "Only one end is compared; both have to agree.",
        HIT_HINTS,
    ),
    "overlap_is_enough": (
        ({"matched": "overlap"}, {"matched": "overlap_both_ways"}),
        "有重叠就算对了：差一个词也是错。",
        "Spans that overlap count as right; one word more or less is wrong.",
        HIT_HINTS,
    ),
    "kinds_only_compared": (
        ({"matched": "kind"}, {"matched": "kind_both_ways"}),
        "只比了种类，没有比位置。",
        "Only kinds are compared, not places.",
        HIT_HINTS,
    ),
    "words_counted": (
        ({"matched": "tokens"}, {"matched": "tokens_of_any_kind"}),
        "数的是词，不是片段。",
        "Words are counted, not spans.",
        HIT_HINTS,
    ),
    "compared_in_order": (
        {"matched": "in_order"},
        "第 n 个跟第 n 个比了：一句里的片段没有次序，漏一个就全错位。",
        "Number n is compared with number n; spans of a sentence have no order, and one that is "
        "missed shifts all the others.",
        HIT_HINTS,
    ),
    "sentences_mixed": (
        (
            {"sentences": "pooled"},
            {"sentences": "pooled", "twice": "lists"},
            {"sentences": "pooled", "twice": "spent"},
        ),
        "各句的片段混在了一起：别的句子里的也算对了。",
        "The sentences' spans are thrown together, and those of other sentences count as right.",
        SENTENCE_HINTS,
    ),
    "sentences_missing": (
        {"sentences": "first"},
        "只看了第一句。",
        "Only the first sentence is looked at.",
        SENTENCE_HINTS,
    ),
    "averaged_over_sentences": (
        (
            {"averaged": "sentences"},
            {"averaged": "some_sentences"},
            {"averaged": "sentences", "zero": "one_if_both_empty"},
            {"averaged": "f1_of_means"},
            {"averaged": "whole_sentences"},
        ),
        "先算每句的，再平均：应当所有句子合起来数。",
        "Every sentence is scored and then averaged; counts should be taken over all of them "
        "together.",
        MICRO_HINTS,
    ),
    "averaged_over_kinds": (
        {"averaged": "kinds"},
        "先算每个种类的，再平均：应当合起来数。",
        "Every kind is scored and then averaged; counts should be taken over all of them together.",
        MICRO_HINTS,
    ),
    "another_mean": (
        (
            {"mean": "arithmetic"},
            {"mean": "not_doubled"},
            {"mean": "geometric"},
            {"mean": "jaccard"},
            {"mean": "product"},
            {"mean": "least"},
            {"mean": "squares"},
        ),
        "精确率和召回率都对，F1 的式子不对。",
        "Precision and recall are right, the formula of F1 isn't.",
        F_HINTS,
    ),
    "divided_by_zero": (
        (
            {"zero": "crash"},
            {"zero": "nan"},
            {"zero": "precision_crash"},
            {"zero": "recall_crash"},
            {"zero": "f1_crash"},
        ),
        "分母是 0 时报错，或者得到 NaN；按约定结果是 0。",
        "A divisor of 0 raises an error or gives NaN; by the contract the result is 0.",
        ZERO_HINTS,
    ),
    "one_for_nothing": (
        (
            {"zero": "one"},
            {"zero": "one_if_both_empty"},
            {"zero": "precision_one"},
            {"zero": "recall_one"},
        ),
        "分母是 0 时给了 1；按约定是 0。",
        "A divisor of 0 gives 1; by the contract it is 0.",
        ZERO_HINTS,
    ),
    "twice_counts_twice": (
        ({"twice": "lists"}, {"twice": "spent"}),
        "一句里写了两遍的片段算了两遍。",
        "A span that is listed twice in a sentence counts twice.",
        TWICE_HINTS,
    ),
    "precision_and_recall_exchanged": (
        {"returned": "exchanged"},
        "精确率和召回率换了位置。",
        "Precision and recall are in each other's places.",
        FORM_HINTS,
    ),
    "numbers_rounded": (
        ({"returned": "rounded"}, {"returned": "rounded_3"}, {"returned": "rounded_4"}),
        "三个数四舍五入了：算出多少就返回多少，打印时再取舍。",
        "The three numbers are rounded; they should come back as they are, and be rounded when "
        "they are printed.",
        FORM_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "f1_only"},
            {"returned": "f1_first"},
            {"returned": "pair"},
            {"returned": "percent"},
            {"returned": "counts"},
            {"returned": "errors"},
        ),
        "返回的不是 (precision, recall, f1) 这三个 0 到 1 的数。",
        "What comes back isn't (precision, recall, f1), three numbers from 0 to 1.",
        FORM_HINTS,
    ),
}
