"""Mistakes in counting and combining what BLEU is made of."""

COUNT_HINTS = (
    (
        "译文“the the the”，参考“the cat”：单词里有几个算对？",
        "Prediction “the the the”, reference “the cat”: how many of the words count as right?",
    ),
    (
        "拿两句三个词的话，把长度 1 和 2 的 n-gram 都写在纸上数一数。",
        "Take two sentences of three words and write all their n-grams of length 1 and 2 on paper.",
    ),
)
CORPUS_HINTS = (
    (
        "两句话，一句 2 个词全错，一句 20 个词全对：先平均和先加总，差多少？",
        "Two sentences, one of 2 words all wrong, one of 20 all correct: how do the mean of the "
        "scores and the score of the sums differ?",
    ),
    ("分子和分母，各在什么时候加起来？", "When are numerators and denominators added up?"),
)
LENGTH_HINTS = (
    (
        "译文只有一个词，而且对：没有惩罚会得多少分？",
        "A prediction of one word, and that is right: what would it score without a penalty?",
    ),
    (
        "译文越长，精确率自己就会降下来；需要惩罚的是哪一边？",
        "Long predictions lower their precision by themselves: which side needs a penalty?",
    ),
)
MEAN_HINTS = (
    (
        "精确率是 0.9、0.5、0.3、0.1 时，几何平均和算术平均各是多少？",
        "Precisions of 0.9, 0.5, 0.3 and 0.1: what are their geometric and arithmetic means?",
    ),
    ("一字不差的译文应当得多少分？", "What should a perfect prediction score?"),
)
SMOOTH_HINTS = (
    (
        "长度 4 的 n-gram 一个也不匹配：平滑和不平滑，各得多少？",
        "Not one n-gram of length 4 matches: what is the score with and without smoothing?",
    ),
    ("smooth 的约定说的是哪几种长度？加在哪里？", "Which lengths does smooth speak about, and what "
     "does it add to?"),
)  # fmt: skip
BLEU_MISTAKES = {
    "echoes_count": dict(
        switch=({"clip": "none"}, {"clip": "every_pair"}),
        zh="同一个 n-gram 重复多少次就算对了多少次；至多算参考译文里有的那么多次。",
        en="An n-gram counts as often as it is repeated; it should count at most as often as it is "
        "in the reference.",
        hints=COUNT_HINTS,
    ),
    "runs_counted_once": dict(
        switch=({"runs": "distinct"}, {"clip": "sets"}),
        zh="重复的 n-gram 只算了一次（用了集合）；要连次数一起数。",
        en="A repeated n-gram counts once (a set); they should be counted with their numbers.",
        hints=COUNT_HINTS,
    ),
    "order_inside_runs_ignored": dict(
        switch={"runs": "unordered"},
        zh="n-gram 里的次序被忽略了。",
        en="The order inside an n-gram is ignored.",
        hints=COUNT_HINTS,
    ),
    "last_run_left_out": dict(
        switch={"runs": "last_missing"},
        zh="每句最后一个 n-gram 没有数到：长度是 n 的一段，最晚可以从哪里开始？",
        en="The last n-gram of every sentence isn't counted: where may one of length n begin at "
        "the latest?",
        hints=COUNT_HINTS,
    ),
    "tokens_run_together": dict(
        switch={"runs": "joined"},
        zh="n-gram 里的词被首尾相接成了一个字符串：no where 和 now here 接起来一样，"
        "其实是两个不同的 n-gram。",
        en="The words of an n-gram are joined into one string: “no where” and “now here” become "
        "the same, and they are two different n-grams.",
        hints=COUNT_HINTS,
    ),
    "runs_are_lists": dict(
        switch={"unit": "slices"},
        zh="从列表里切出来的一段还是列表，而列表不能当 Counter（字典）的键；字符串切出来的可以，"
        "所以按字数的时候没有出错。",
        en="A slice of a list is a list, and a list can't be a key of a Counter (or a dict); a "
        "slice of a string can, so characters gave no trouble.",
        hints=(
            ("哪些 Python 值可以当字典的键，哪些不行？", "Which values of Python can be keys of a "
             "dict, and which can't?"),
            ("有没有一种和列表很像、但不能改动的东西？", "What is much like a list but can't be "
             "changed?"),
        ),
    ),
    "recall_not_precision": dict(
        switch={"divided_by": "reference"},
        zh="除以的是参考译文的 n-gram 个数（召回率）；BLEU 用精确率，除以译文的。",
        en="Divided by the n-grams of the reference, which is recall; BLEU uses precision and "
        "divides by those of the prediction.",
        hints=COUNT_HINTS,
    ),
    "sides_exchanged": dict(
        switch={"roles": "swapped"},
        zh="译文和参考译文弄反了。",
        en="Predictions and references are exchanged.",
        hints=COUNT_HINTS,
    ),
    "mean_over_sentences": dict(
        switch={"level": "sentences"},
        zh="逐句算分再平均；这里要整个语料一起数，最后只算一次。",
        en="Scored sentence by sentence and averaged; here the whole corpus is counted and scored "
        "once.",
        hints=CORPUS_HINTS,
    ),
    "runs_across_sentences": dict(
        switch={"level": "joined"},
        zh="各句首尾相接以后才数：有的 n-gram 跨过了句子的边界，别句的词也能“匹配”。",
        en="The sentences are joined before n-grams are counted: some cross a boundary, and "
        "words match in other sentences.",
        hints=CORPUS_HINTS,
    ),
    "no_penalty": dict(
        switch={"brevity": "none"},
        zh="没有对过短的译文作惩罚。",
        en="There is no penalty for predictions that are too short.",
        hints=LENGTH_HINTS,
    ),
    "penalty_on_the_wrong_side": dict(
        switch=({"brevity": "long"}, {"brevity": "both_ways"}),
        zh="惩罚放错了边：只罚过短的译文；译文偏长时，乘的是 1。",
        en="The penalty is on the wrong side: it is for predictions that are too short; for longer "
        "ones the factor is 1.",
        hints=LENGTH_HINTS,
    ),
    "penalty_turned": dict(
        switch={"brevity": "turned"},
        zh="指数里的 r 和 c 用反了：译文越短，乘的数反而越大。",
        en="r and c are exchanged in the exponent: the shorter the prediction, the larger the "
        "factor.",
        hints=LENGTH_HINTS,
    ),
    "penalty_of_each_sentence": dict(
        switch=tuple(
            {"brevity": f"each_{how}"}
            for how in (
                "averaged", "averaged_guarded", "multiplied", "multiplied_guarded", "shortfall",
            )
        ),
        zh="过短惩罚是逐句算的；r 和 c 是整个语料的总长，惩罚只算一次。",
        en="The brevity penalty is worked out for every sentence; r and c are lengths of the whole "
        "corpus, and there is one penalty.",
        hints=CORPUS_HINTS,
    ),
    "another_penalty": dict(
        switch=({"brevity": "ratio"}, {"brevity": "other_ratio"}),
        zh="惩罚的公式不对：约定是 e 的 1 − r/c 次方，c 是译文总长，r 是参考译文总长。",
        en="The penalty has another formula: it should be e to the power of 1 − r/c, with c the "
        "length of all predictions and r that of all references.",
        hints=LENGTH_HINTS,
    ),
    "arithmetic_mean": dict(
        switch=({"mean": "arithmetic_unless_zero"}, {"mean": "arithmetic"}),
        zh="取了算术平均；约定是几何平均。",
        en="The arithmetic mean is taken; it should be the geometric one.",
        hints=MEAN_HINTS,
    ),
    "product_without_root": dict(
        switch={"mean": "product"},
        zh="各精确率只相乘，没有开方：几何平均还差一步。",
        en="The precisions are multiplied and no root is taken: the geometric mean lacks a step.",
        hints=MEAN_HINTS,
    ),
    "max_order_ignored": dict(
        switch={"orders": "four"},
        zh="没有按 max_order 来：总是算到 4。",
        en="max_order is ignored: it always goes up to 4.",
        hints=MEAN_HINTS,
    ),
    "root_always_the_fourth": dict(
        switch={"orders": "four_roots"},
        zh="开的总是四次方；几何平均应当开 max_order 次方。",
        en="It is always the fourth root; a geometric mean of max_order numbers takes the root of "
        "that order.",
        hints=MEAN_HINTS,
    ),
    "longest_left_out": dict(
        switch=(
            {"orders": "one_short"},
            {"orders": "one_short_of_all"},
            {"orders": "longest_never_counted"},
        ),
        zh="最长的 n-gram 没有算进去：长度从 1 到 max_order，两头都要。",
        en="The longest n-grams are left out: lengths go from 1 to max_order, both included.",
        hints=COUNT_HINTS,
    ),
    "longest_only": dict(
        switch={"orders": "longest"},
        zh="只算了最长的 n-gram；1 到 max_order 每一种长度都要算。",
        en="Only the longest n-grams are counted; every length from 1 to max_order should be.",
        hints=MEAN_HINTS,
    ),
    "single_tokens_left_out": dict(
        switch={"orders": "from_two"},
        zh="长度从 2 开始了：单个的词也要算。",
        en="Lengths begin at 2: single tokens count too.",
        hints=COUNT_HINTS,
    ),
    "out_of_one": dict(
        switch={"scale": "one"},
        zh="得分在 0 到 1 之间；约定是 0 到 100。",
        en="The score is between 0 and 1; it should go up to 100.",
        hints=MEAN_HINTS,
    ),
    "strings_cut_at_spaces": dict(
        switch={"unit": "words"},
        zh="字符串被切成了词；一串字符就按字符数，空格也算一个。",
        en="A string is cut into words; the tokens of a str are its characters, spaces too.",
        hints=(
            ("一个字符串，逐个走过去，遇到的是什么？", "Go through a string one item after the "
             "other: what do you meet?"),
            ("谁来决定一个词元是什么：函数，还是调用的人？", "Who decides what a token is: the "
             "function, or whoever calls it?"),
        ),
    ),
    "words_cut_into_characters": dict(
        switch={"unit": "characters"},
        zh="词被拆成了字符；列表里的每一项就是一个词元。",
        en="Words are taken apart into characters; every item of a list is one token.",
        hints=COUNT_HINTS,
    ),
    "zero_not_handled": dict(
        switch={"when_zero": "crash"},
        zh="某个长度一个也不匹配时报错了：0 的对数不存在；约定这时得 0 分。",
        en="Where no n-gram of some length matches it raises an error, 0 having no logarithm; the "
        "score should be 0 then.",
        hints=SMOOTH_HINTS,
    ),
    "zero_precisions_skipped": dict(
        switch={"when_zero": "skipped"},
        zh="精确率是 0 的长度被跳过了；约定这时整个得分是 0。",
        en="Lengths with a precision of 0 are skipped; the whole score should be 0 then.",
        hints=SMOOTH_HINTS,
    ),
    "smoothing_of_single_tokens": dict(
        switch={"smoothing": "every_run"},
        zh="平滑时连长度 1 也加了一：约定只加长度大于 1 的。",
        en="Smoothing adds one to single tokens too: it should begin with length 2.",
        hints=SMOOTH_HINTS,
    ),
    "smoothing_ignored": dict(
        switch={"smoothing": "never"},
        zh="参数 smooth 没有起作用。",
        en="The argument smooth has no effect.",
        hints=SMOOTH_HINTS,
    ),
    "always_smoothed": dict(
        switch=({"smoothing": "always"}, {"smoothing": "inverted"}),
        zh="没要平滑的时候也平滑了。",
        en="The score is smoothed when nobody asked for it.",
        hints=SMOOTH_HINTS,
    ),
    "smoothing_of_matches_only": dict(
        switch={"smoothing": "matches_only"},
        zh="平滑只加在了分子上；分子、分母都要加一。",
        en="Smoothing adds one to the matches only; it belongs on the totals too.",
        hints=SMOOTH_HINTS,
    ),
    "pairs_cut_short": dict(
        switch={"pairing": "cut"},
        zh="译文和参考译文的句数不同，却没有报 ValueError：多出来的句子悄悄丢了。",
        en="There are more sentences on one side, and no ValueError says so: what is left over is "
        "silently dropped.",
        hints=(
            ("zip 遇到一长一短的两个列表，会在哪里停？", "Where does zip stop when one list of two "
             "is shorter?"),
            ("在 Python 文档里看看 zip 有哪些参数。", "Look up in Python's documentation which "
             "arguments zip takes."),
        ),
    ),
}  # fmt: skip
