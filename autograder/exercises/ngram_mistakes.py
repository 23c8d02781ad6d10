"""Named mistakes of counting language models: switches, sentence, hints."""

EDGE_HINTS = (
    (
        "在纸上写出一个两个词的句子：加上句首标记和结尾，一共要预测几个词元？每个的上下文是什么？",
        "Write a sentence of two words on paper, with its marks and its end: how many tokens are "
        "predicted, and what is the context of each?",
    ),
    (
        "拿空句子试试：它也有一个词元要预测。",
        "Try an empty sentence: even there one token has to be predicted.",
    ),
)
CONTEXT_HINTS = (
    (
        "对一个句子，打印每个位置的三个上下文，看看长度是不是 0、1、2。",
        "For one sentence print the three contexts at every place: are they 0, 1 and 2 long?",
    ),
    (
        "上下文只有左边的词，次序不变。",
        "A context holds words to the left only, in the order in which they stand.",
    ),
)
SHARE_HINTS = (
    (
        "固定一个上下文，把所有词的份额加起来：和应当是 1。",
        "Fix one context and add up the shares of all words: the sum should be one.",
    ),
    (
        "分母要数的是：这个上下文后面跟过多少个词元。",
        "The denominator counts how many tokens have followed this context.",
    ),
)
MIX_HINTS = (
    (
        "用一个只有两个词的例子手算：先是 1/V，再混入一元，再混入二元……"
        "每一步都是新旧两份的加权平均。",
        "Take an example of two words and do it by hand: first 1/V, then mix in the single word, "
        "then the pair… every step is a weighted mean of the new and the old.",
    ),
    (
        "每一步之后，所有词的猜测之和应当还是 1。",
        "After every step the guesses for all words should still sum to one.",
    ),
)
MISTAKES = {
    "one_start_mark": (
        {"starts": "one", "edge": "python"},
        "句首只有一个句首标记：第一个词往前数两个，切片就落到了句子的另一头，取出来是空的。",
        "A sentence starts with one mark only: two places before the first word a slice begins at "
        "the other end of the sentence and comes out empty.",
        EDGE_HINTS,
    ),
    "no_start_marks": (
        (
            {"starts": "none"},
            {"starts": "none", "edge": "python"},
            {"starts": "none", "first": "third_on"},
        ),
        "句首没有句首标记：头两个词的上下文不完整，或者干脆没有被预测。",
        "Sentences have no marks at their start: the first two words lack a full context, or "
        "aren't predicted at all.",
        EDGE_HINTS,
    ),
    "start_marks_predicted": (
        ({"first": "marks_too"}, {"first": "marks_too", "edge": "python"}),
        "句首标记也被当成要预测的词元了；它们只做上下文。",
        "The marks at the start are predicted like tokens; they are nothing but context.",
        EDGE_HINTS,
    ),
    "mark_is_a_word": (
        ({"mark": "zeros"}, {"mark": "zero_and_one"}, {"mark": "one_and_zero"}),
        "句首标记用了一个词的编号（0 也是词的编号）：句首和那个词就混在一起了。",
        "A mark at the start has the id of a word (0 is one, too): the start of a sentence and "
        "that word become the same context.",
        EDGE_HINTS,
    ),
    "arguments_edited": (
        {"arguments": "edited"},
        "传进来的句子被改动了（例如用 insert、append 就地添上标记）：调用者的文本从此就变了。",
        "The sentences that were handed in are changed, by insert or append, say: from then on the "
        "caller's text is another one.",
        (
            (
                "调用两次，第二次之前把 test 打印出来看看。",
                "Call it twice, and print test before the second call.",
            ),
            (
                "哪些写法造一个新列表，哪些改动原来的那个？",
                "Which ways of adding to a list make a new one, and which change the old?",
            ),
        ),
    ),
    "ends_left_out": (
        {"ends": "neither"},
        "句子的结尾没有算进去：哪里结束，也是模型要预测的。",
        "The ends are left out: where a sentence stops has to be predicted, too.",
        EDGE_HINTS,
    ),
    "ends_not_counted": (
        {"ends": "test_only"},
        "数的时候没有把结尾数进去，预测时却要它。",
        "Ends are predicted but were never counted.",
        EDGE_HINTS,
    ),
    "ends_not_predicted": (
        {"ends": "train_only"},
        "结尾数进去了，测试时却没有预测它。",
        "Ends are counted, but those of the test aren't predicted.",
        EDGE_HINTS,
    ),
    "sentences_joined": (
        {"joined": "yes"},
        "句子连成了一长串：一句的开头接上了上一句的结尾，其实每句都应当重新开始。",
        "The sentences are joined into one: the start of one sees the end of another, where each "
        "should start afresh.",
        EDGE_HINTS,
    ),
    "context_ahead": (
        {"look": "ahead"},
        "上下文取的是后面的词；语言模型只能看前面。",
        "The context lies ahead; a language model sees what came before.",
        CONTEXT_HINTS,
    ),
    "context_unordered": (
        {"look": "unordered"},
        "两个词的上下文丢了次序：“甲乙”和“乙甲”是两个不同的上下文。",
        "The context of two words has lost its order: a b and b a are two contexts.",
        CONTEXT_HINTS,
    ),
    "context_skips_a_word": (
        {"look": "skips_one"},
        "三元的上下文只取了隔一个的那个词；应当是前面两个词一起。",
        "The longest context is only the word before the last; it should be both together.",
        CONTEXT_HINTS,
    ),
    "only_pairs": (
        {"orders": "two"},
        "只数到二元：前两个词合起来的上下文没有用上。",
        "It stops at pairs: the context of two words isn't used.",
        CONTEXT_HINTS,
    ),
    "pairs_skipped": (
        {"orders": "highest_twice"},
        "二元那一步用的也是两个词的上下文；一步长一个词，0、1、2。",
        "The step for one word of context uses two, like the last; they should be 0, 1, 2 long.",
        CONTEXT_HINTS,
    ),
    "test_counted_too": (
        ({"counted": "both"}, {"counted": "test"}),
        "测试文本也被数了进去：考题提前看过，困惑度就没有意义了。",
        "The test is counted as well: with the questions known beforehand, a perplexity means "
        "nothing.",
        SHARE_HINTS,
    ),
    "wrong_denominator": (
        (
            {"total": "marks_twice"},
            {"total": "all_grams"},
            {"total": "marks_in_unigrams"},
            {"total": "ends_left_out"},
            {"total": "all_tokens"},
            {"total": "distinct"},
        ),
        "份额的分母不对：应当是这个上下文后面跟过的词元总数。",
        "A share has the wrong denominator: it should be how many tokens have followed this "
        "context.",
        SHARE_HINTS,
    ),
    "one_added_to_counts": (
        {"share": "add_one"},
        "每个计数都加了 1：这是另一种平滑，这里用插值。",
        "One is added to every count: that is another kind of smoothing; here it is interpolation.",
        SHARE_HINTS,
    ),
    "share_of_zero_skipped": (
        {"share": "zero_skipped"},
        "上下文见过，只是后面没跟过这个词：份额就是 0，也要混进去。这里却把它跳过了。",
        "Where a context is known but was never followed by this token, its share is 0 and has to "
        "be mixed in like any other; here it is skipped.",
        MIX_HINTS,
    ),
    "unknown_context_counts_as_zero": (
        {"unseen": "share_zero"},
        "没见过的上下文给了份额 0：它应当什么也不说，让猜测保持原样。",
        "A context that was never seen contributes a share of 0: it should say nothing and leave "
        "the guess as it was.",
        MIX_HINTS,
    ),
    "unknown_context_counts_as_uniform": (
        {"unseen": "share_floor"},
        "没见过的上下文给了份额 1/V：它应当什么也不说，让猜测保持原样。",
        "A context that was never seen contributes 1/V: it should say nothing and leave the guess "
        "as it was.",
        MIX_HINTS,
    ),
    "longest_context_alone": (
        ({"mixing": "highest_context"}, {"mixing": "backoff"}),
        "只用了最长的那个上下文，没有和短的混合：这叫回退，这里要插值。",
        "Only the longest known context is used and not mixed with shorter ones: that is backing "
        "off; here it is interpolation.",
        MIX_HINTS,
    ),
    "shares_only_added": (
        (
            {"mixing": "flat"},
            {"mixing": "flat_over_floor"},
            {"mixing": "added"},
            {"mixing": "lower_at_full"},
        ),
        "各个份额只是乘上信任度加了起来：旧的猜测还要乘上剩下的那部分。",
        "Shares times trust are merely added up: the old guess has to keep only what is left.",
        MIX_HINTS,
    ),
    "trust_written_in": (
        {"weights": "written_in"},
        "用的是写死的信任度；应当用参数 trust 传进来的那三个数。",
        "The trust is written into the code; it should be the three numbers that come as trust.",
        MIX_HINTS,
    ),
    "trust_without_effect": (
        ({"mixing": "even"}, {"mixing": "product"}),
        "没有用信任度来混合。",
        "The shares are combined without the given trust.",
        MIX_HINTS,
    ),
    "no_floor": (
        ({"floor": "nothing"}, {"floor": "nothing_raises"}),
        "猜测从 0 开始：没见过的词概率就成了 0，困惑度成了无穷大。应当从 1/V 开始。",
        "The guess starts at 0, so an unknown word is impossible and the perplexity infinite. It "
        "should start at 1/V.",
        MIX_HINTS,
    ),
    "floor_of_another_size": (
        (
            {"floor": "one_in_known"},
            {"floor": "one_in_v_and_one"},
            {"floor": "one_in_v_less_one"},
            {"floor": "one_in_v_and_two"},
        ),
        "起点不是 1/V：V 就是参数 vocabulary_size，已经包括结尾。",
        "It doesn't start at 1/V: V is the argument vocabulary_size, which counts the end already.",
        MIX_HINTS,
    ),
    "trust_reversed": (
        {"weights": "reversed"},
        "信任度的次序反了：第一个属于一元，最后一个属于三元。",
        "The trust is used in reverse: the first number belongs to single words, the last to the "
        "longest context.",
        MIX_HINTS,
    ),
    "trust_given_to_the_old_guess": (
        {"weights": "swapped"},
        "信任度乘在了旧的猜测上；它说的是新的份额占多少。",
        "The trust multiplies the old guess; it says how much of the new share goes in.",
        MIX_HINTS,
    ),
}
