"""Mistakes in marks, room and limits of a row of ids: switches, sentences and hints."""

MARK_HINTS = (
    (
        "文字取 [50, 60]（要两段就再取 [70]），记号取 1、2、3：在纸上写出整行，再跟你的比。",
        "Take the texts [50, 60] and [70] and the marks 1, 2, 3: write the whole line down and "
        "compare.",
    ),
    (
        "每种记号出现几次，在哪里？[EXTRACT] 后面什么都没有：模型读完一切，才在那里作答。",
        "How often does each mark occur, and where? Nothing follows [EXTRACT]: it is where the "
        "model answers, having read everything.",
    ),
)
CUT_HINTS = (
    (
        "max_length 取 6，文字给 10 个词元：结果有几个？记号还都在吗？",
        "Let max_length be 6 and the text have 10 tokens: how many come back, and are all marks "
        "there?",
    ),
    (
        "先算给文字留几个位置，再裁文字，最后才加记号。",
        "First work out how many places are left for texts, then cut the texts, and only then add "
        "the marks.",
    ),
)
LIMIT_HINTS = (
    (
        "max_length 取 0、刚好等于记号的个数、比它少 1：三种情形各应当怎样？",
        "Let max_length be 0, just the number of marks, and one less: what should happen in each?",
    ),
    (
        "0 表示不限；刚好放得下记号，就一个文字也不留；再少就抛出 ValueError。",
        "0 sets no limit; room for just the marks leaves no text; less raises a ValueError.",
    ),
)
FORM_HINTS = (
    (
        "打印结果：是一个整数列表，还是列表的列表？",
        "Print the result: is it a list of ints, or a list of lists?",
    ),
    (
        "对照说明里“返回”那一条。",
        "Compare with what the contract says under Returns.",
    ),
)

FRAME = {
    "begin_missing": (
        {"begin": "missing"},
        "开头的记号没有了。",
        "The mark at the beginning is missing.",
        MARK_HINTS,
    ),
    "extract_missing": (
        {"extract": "missing"},
        "末尾的 [EXTRACT] 没有了：模型没有地方作答。",
        "[EXTRACT] is missing at the end: the model has no place to answer.",
        MARK_HINTS,
    ),
    "extract_not_last": (
        {"extract": "before_the_text"},
        "[EXTRACT] 没有放在最后：它前面的才读得到，后面的读不到。",
        "[EXTRACT] isn't the last: there the model knows what went before, and nothing after it.",
        MARK_HINTS,
    ),
    "another_mark_at_the_end": (
        ({"extract": "delimiter"}, {"extract": "begin"}),
        "末尾用错了记号：应当是 marks.extract。",
        "Another mark stands at the end; it should be marks.extract.",
        MARK_HINTS,
    ),
    "another_mark_at_the_beginning": (
        ({"begin": "delimiter"}, {"begin": "extract"}),
        "开头用错了记号：应当是 marks.begin。",
        "Another mark stands at the beginning; it should be marks.begin.",
        MARK_HINTS,
    ),
    "begin_and_end_exchanged": (
        {"begin": "extract", "extract": "begin"},
        "开头和末尾的记号对调了。",
        "The marks of beginning and end are exchanged.",
        MARK_HINTS,
    ),
    "delimiter_before_the_end": (
        {"extract": "after_delimiter"},
        "末尾多了一个分隔记号：那是 BERT 的写法。",
        "There is one more delimiter at the end, as BERT would have it.",
        MARK_HINTS,
    ),
    "a_mark_twice": (
        ({"begin": "twice"}, {"extract": "twice"}),
        "有一个记号加了两次。",
        "One of the marks is added twice.",
        MARK_HINTS,
    ),
    "never_cut": (
        {"cut": "none"},
        "没有裁：结果比 max_length 长。",
        "Nothing is cut: the result is longer than max_length.",
        CUT_HINTS,
    ),
    "marks_cut_off": (
        {"cut": "with_marks"},
        "先加了记号才裁：[EXTRACT] 被裁掉了。",
        "The cut comes after the marks, and [EXTRACT] is lost.",
        CUT_HINTS,
    ),
    "row_cut_even_of_0": (
        {"cut": "with_marks_even_of_0"},
        "整行取了 [:max_length]：记号跟着文字一起被裁；max_length 是 0 时，返回的是空列表。",
        "The whole line is taken [:max_length]: marks are cut with the text, and a max_length of 0 "
        "leaves an empty list.",
        LIMIT_HINTS,
    ),
    "room_ignores_marks": (
        {"cut": "text_only"},
        "留给文字的位置算多了：没有减去记号。",
        "Too much room for texts: the marks aren't subtracted.",
        CUT_HINTS,
    ),
    "room_for_other_marks": (
        ({"cut": "one_mark_more"}, {"cut": "one_mark_less"}),
        "留给文字的位置算错了：数一数这种输入有几个记号。",
        "The room for texts is wrong: count the marks of this kind of input.",
        CUT_HINTS,
    ),
    "zero_cuts": (
        ({"zero": "cuts_some"}, {"zero": "empties"}),
        "max_length 是 0 时文字少了：0 表示不限，而负的下标会从末尾数。",
        "A max_length of 0 costs tokens: it sets no limit, and a negative index counts from the "
        "end.",
        LIMIT_HINTS,
    ),
    "no_room_not_refused": (
        {"refusal": "never"},
        "max_length 连记号都放不下，却没有抛出 ValueError。",
        "max_length has no room for the marks, and no ValueError says so.",
        LIMIT_HINTS,
    ),
    "exact_room_refused": (
        {"refusal": "at_exact"},
        "max_length 刚好放得下记号，却报了错：一个文字也不留就行。",
        "max_length has room for just the marks, and an error is raised; no text is left, that is "
        "all.",
        LIMIT_HINTS,
    ),
}
FORM = {
    "list_in_a_list": (
        {"returned": "nested"},
        "列表外面又套了一层列表。",
        "The list comes in another list.",
        FORM_HINTS,
    ),
    "order_reversed": (
        {"returned": "reversed"},
        "整行倒过来了。",
        "The whole line is in reverse order.",
        FORM_HINTS,
    ),
}
SINGLE = (
    FRAME
    | FORM
    | {
        "negative_slice": (
            {"cut": "negative_slice"},
            "多出几个，就用负的下标裁几个：多出 0 个时，[:-0] 一个也不留；还有空位时，减去负数"
            "又成了从头数的下标。",
            "What is too much is cut with a negative index: with nothing too much [:-0] leaves "
            "nothing, and with room to spare minus a negative number counts from the start.",
            LIMIT_HINTS,
        ),
        "cut_at_the_start": (
            ({"cut": "start"}, {"cut": "middle"}),
            "裁的不是末尾：约定留下开头。",
            "It isn't the end that is cut; the beginning should stay.",
            CUT_HINTS,
        ),
        "marks_missing": (
            {"returned": "text_only"},
            "记号一个也没有加。",
            "No mark is added at all.",
            MARK_HINTS,
        ),
        "padded_here": (
            {"returned": "padded"},
            "这里就填充到了 max_length：填充不归它管。",
            "It is padded to max_length, which isn't its business.",
            FORM_HINTS,
        ),
    }
)
