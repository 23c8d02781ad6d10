"""Mistakes in judging a claim by what was found: switches, sentences and hints."""

CHOICE_HINTS = (
    (
        "两条证据：[0.5, 0.1, 0.4] 和 [0.2, 0.7, 0.1]。谁说了算？把每条的把握写在旁边。",
        "Take two pieces of evidence, [0.5, 0.1, 0.4] and [0.2, 0.7, 0.1]. Which decides? Write "
        "beside each how confident it is.",
    ),
    (
        "把握只看前两个概率里较大的；一条说了算，别的只用来比大小。",
        "How confident one is, is the larger of its first two probabilities; one of them decides, "
        "and the others serve for comparison only.",
    ),
)
EQUAL_HINTS = (
    (
        "两条证据一样有把握，一条支持，一条反驳，支持的那条先找到：答案是哪个？",
        "Two pieces are equally confident, one supports and one refutes, and the supporting one "
        "was found first: which is the answer?",
    ),
    (
        "一样大的时候，先找到的留着：比较要用大于，次序要用 retrieve 给的。",
        "Among equals the one found first stays: compare with “larger than”, in the order that "
        "retrieve gives.",
    ),
)
UNKNOWN_HINTS = (
    (
        "说了算的那条是 [0.4, 0.1, 0.5] 时答什么？是 [0.4, 0.2, 0.4] 时呢？",
        "What is the answer if the deciding one is [0.4, 0.1, 0.5]? And if it is [0.4, 0.2, 0.4]?",
    ),
    (
        "只看说了算的那一条：它的第三个概率比它的把握大，才是资料不足。",
        "Look at the deciding one alone: only if its third probability exceeds its confidence, the "
        "information is not enough.",
    ),
)
NUMBER_HINTS = (
    (
        "找到的是 [7, 2]，第二条说了算：返回的编号应当是 2，你的是几？",
        "What was found is [7, 2], and the second one decides: the number should be 2. What is "
        "yours?",
    ),
    (
        "编号是证据在 texts 里的，就是 retrieve 给的那个数；资料不足时是 −1。",
        "The number is the evidence's in texts, the very one that retrieve gave; where the "
        "information isn't enough it is −1.",
    ),
)
CALL_HINTS = (
    (
        "打印交给 retrieve 和 classify 的东西，跟说明里的次序对一对。",
        "Print what retrieve and classify are given and compare with the contract's order.",
    ),
    (
        "classify 先收断言，后收一条资料的文字；只问找到的那些，每条一次。",
        "classify takes the claim first and then one statement's text; ask only about those that "
        "were found, once each.",
    ),
)
LABEL_HINTS = (
    (
        "说了算的那条是 [0.4, 0.4, 0.2]：答案是 0 还是 1？",
        "The deciding one is [0.4, 0.4, 0.2]: is the answer 0 or 1?",
    ),
    (
        "比较前两个概率的时候，一样大归哪一边？换成“大于”或“大于等于”看一看。",
        "When the first two probabilities are compared, which side does a tie go to? Look at what "
        "“larger” does there, and “larger or equal”.",
    ),
)
SEARCH_HINTS = (
    (
        "你的函数里，名字 retrieve 出现在哪里？",
        "Where in your function does the name retrieve occur?",
    ),
    (
        "检查时传进来的 retrieve 有自己的主意，跟 BM25 不一样：它找到哪几条，就看哪几条。",
        "The retrieve that is handed in has a mind of its own, which isn't BM25: what it finds is "
        "what you look at.",
    ),
)
NOTHING_HINTS = (
    (
        "retrieve 返回空列表时，你的循环一次也不跑：后面用到的名字都有值吗？",
        "Where retrieve returns an empty list the loop never runs: does every name that is used "
        "later have a value?",
    ),
    (
        "先把“什么也没找到”的答案放好，再开始循环。",
        "Set the answer for “nothing found” first, then start the loop.",
    ),
)

VERDICTS = {
    "first_found_decides": (
        ({"decides": "first"}, {"decides": "first_told"}),
        "总是先找到的那条说了算；应当是最有把握的那条。",
        "The one that was found first decides; it should be the most confident.",
        CHOICE_HINTS,
    ),
    "last_found_decides": (
        {"decides": "last"},
        "总是最后找到的那条说了算：循环里一遍遍盖掉了前面的。",
        "The one that was found last decides: the loop overwrites what came before.",
        CHOICE_HINTS,
    ),
    "third_probability_in_the_choice": (
        ({"decides": "surest_of_three"}, {"decides": "least_unknown"}),
        "挑证据时把“资料不足”的概率也算进了把握；只看前两个。",
        "The probability of “not enough” counts in the choice; only the first two should.",
        CHOICE_HINTS,
    ),
    "one_side_only": (
        ({"decides": "support_only"}, {"decides": "refutal_only"}),
        "挑证据时只看了支持（或只看了反驳）；两个里较大的才是把握。",
        "Only support counts in the choice, or only refutal; confidence is the larger of both.",
        CHOICE_HINTS,
    ),
    "difference_decides": (
        {"decides": "difference"},
        "把握算成了支持与反驳之差；应当是两个里较大的。",
        "Confidence is taken for the difference of support and refutal; it should be the larger.",
        CHOICE_HINTS,
    ),
    "least_sure_decides": (
        {"decides": "least_sure"},
        "最没有把握的那条说了算。",
        "The least confident one decides.",
        CHOICE_HINTS,
    ),
    "not_enough_skipped": (
        {"decides": "surest_told"},
        "偏向“资料不足”的证据被跳过了；它们也参加比较，最有把握的那条说了算。",
        "Evidence that leans to “not enough” is passed over; it takes part, and the most confident "
        "decides.",
        CHOICE_HINTS,
    ),
    "evidence_averaged": (
        ({"pooled": "mean"}, {"pooled": "product"}, {"pooled": "largest"}),
        "几条证据的概率合在了一起；应当由一条说了算。",
        "The probabilities of several pieces are put together; one of them should decide.",
        CHOICE_HINTS,
    ),
    "majority_decides": (
        {"pooled": "votes"},
        "是几条证据投票决定的；应当由最有把握的一条说了算。",
        "The evidence takes a vote; the most confident piece alone should decide.",
        CHOICE_HINTS,
    ),
    "later_of_equals": (
        {"equals": "later"},
        "一样有把握时取了后找到的那条；应当是先找到的。",
        "Among equals the one found later is taken; it should be the one found first.",
        EQUAL_HINTS,
    ),
    "order_of_texts": (
        {"search": "by_number"},
        "找到的资料按编号重新排了；一样有把握时要按 retrieve 的次序。",
        "What was found is put in the order of numbers; among equals the order of retrieve counts.",
        EQUAL_HINTS,
    ),
    "never_not_enough": (
        {"enough": "never"},
        "从来不说“资料不足”。",
        "It never says “not enough information”.",
        UNKNOWN_HINTS,
    ),
    "equal_is_not_enough": (
        {"enough": "at_least"},
        "第三个概率跟把握一样大时，不算资料不足；要大于才算。",
        "Where the third probability equals the confidence, the information is enough; "
        "it has to be larger.",
        UNKNOWN_HINTS,
    ),
    "not_enough_by_a_threshold": (
        ({"enough": "half"}, {"enough": "more_than_half"}),
        "“资料不足”用一半做了界线；应当跟这一条自己的把握比。",
        "“Not enough” is decided by a half; it should be compared with this piece's confidence.",
        UNKNOWN_HINTS,
    ),
    "not_enough_too_easily": (
        ({"enough": "any"}, {"enough": "either"}, {"enough": "support"}),
        "“资料不足”说得太容易：只看说了算的那一条，第三个概率跟前两个里较大的比。",
        "“Not enough” comes too easily: look at the deciding piece alone and compare its third "
        "probability with the larger of the first two.",
        UNKNOWN_HINTS,
    ),
    "not_enough_inverted": (
        {"enough": "inverted"},
        "反了：资料够的时候说不足，不足的时候说够。",
        "It is inverted: not enough where there is enough, and the other way round.",
        UNKNOWN_HINTS,
    ),
    "labels_exchanged": (
        {"label": "exchanged"},
        "支持和反驳弄反了：0 是支持，1 是反驳。",
        "Supported and refuted are exchanged: 0 is supported, 1 refuted.",
        UNKNOWN_HINTS,
    ),
    "equal_is_refuted": (
        {"label": "refuted_if_equal"},
        "支持和反驳一样大时，应当是支持（0）。",
        "Where support and refutal are equal the verdict should be supported, 0.",
        LABEL_HINTS,
    ),
    "always_supported": (
        {"label": "supported"},
        "从来不说“反驳”。",
        "It never says “refuted”.",
        UNKNOWN_HINTS,
    ),
    "rank_returned": (
        ({"number": "rank"}, {"number": "from_one"}),
        "返回的编号不对：应当是证据在 texts 里的编号，不是找到的次序。",
        "The number is wrong: it should be the evidence's in texts, not its place among those "
        "found.",
        NUMBER_HINTS,
    ),
    "looked_up_by_text": (
        {"number": "looked_up"},
        "编号是按文字找回来的：同样的话出现两次时，会找到另一条。",
        "The number is looked up by the text; where a text stands there twice, that finds the "
        "other one.",
        NUMBER_HINTS,
    ),
    "first_number_returned": (
        {"number": "first_found"},
        "返回的总是先找到的那条的编号；应当是说了算的那条的。",
        "It is always the first one's number that comes back; it should be that of the one that "
        "decides.",
        NUMBER_HINTS,
    ),
    "number_with_not_enough": (
        ({"unknown_number": "of_the_text"}, {"unknown_number": "zero"}),
        "资料不足时，编号应当是 −1。",
        "Where the information isn't enough the number should be −1.",
        NUMBER_HINTS,
    ),
    "retrieve_not_used": (
        {"search": "of_my_own"},
        "retrieve 没有用上：找资料要问传进来的 retrieve，别换成自己的函数，也别把资料全看一遍。",
        "retrieve isn't used: what is handed in finds the statements, no function of your own, "
        "and not a look at all of them.",
        SEARCH_HINTS,
    ),
    "every_text_asked": (
        (
            {"search": "every_text"},
            {"asking": "every_text_instead"},
            {"asking": "every_text_first"},
        ),
        "所有的资料都拿去问了 classify；应当只问找到的那些。",
        "classify is asked about all statements; it should be asked only about those found.",
        CALL_HINTS,
    ),
    "asked_twice": (
        ({"asking": "twice"}, {"asking": "deciding_again"}),
        "同一条资料问了 classify 两次；问一次，把答案留下来。",
        "classify is asked twice about a statement; ask once and keep the answer.",
        CALL_HINTS,
    ),
    "count_not_used": (
        (
            *({"search": how} for how in ("whole_plan", "all_there_are", "cut_later", "one_less")),
            *({"search": how} for how in ("the_best", "two", "three", "five")),
        ),
        "count 没有照样交给 retrieve。",
        "count isn't handed to retrieve as it is.",
        CALL_HINTS,
    ),
    "claim_and_text_exchanged": (
        {"way": "exchanged"},
        "classify 的两个参数弄反了：先断言，后资料。",
        "classify gets its arguments the wrong way round: the claim comes first, then the "
        "statement.",
        CALL_HINTS,
    ),
    "nothing_found_not_handled": (
        (
            {"nothing": "error"},
            {"nothing": "supported"},
            {"nothing": "refuted"},
            {"nothing": "zero"},
        ),
        "什么也没找到时，应当返回 (2, −1)。",
        "Where nothing is found, (2, −1) should come back.",
        NOTHING_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "exchanged"},
            {"returned": "label_only"},
            {"returned": "number_only"},
        ),
        "返回的不是一对整数（判断，编号）。",
        "What comes back isn't the pair of ints (verdict, number).",
        NUMBER_HINTS,
    ),
}
