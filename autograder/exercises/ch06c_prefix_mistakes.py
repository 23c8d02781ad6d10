"""Mistakes in the mask of a source and what is written for it: switches, sentences and hints."""

from autograder.exercises.mask_mistakes import EXTRA_AXIS, LISTS, NOT_BOOLEAN, POLARITY

RULE_HINTS = (
    (
        "取一行：两个原文词元，两个写出来的。画 4 行 4 列，逐格问：这一行可不可以看这一列？",
        "Take two source tokens and two that are written. Draw four rows and columns, and ask of "
        "every cell: may this row look at this column?",
    ),
    (
        "一个真的键，有两种理由可以看，有一种就够：它的片段是 0；或者，它就在自己这里，或在前面。",
        "A real key may be looked at for either of two reasons: its segment is 0; or it is the "
        "query itself, or before it.",
    ),
)
AXIS_HINTS = (
    (
        "在 (B, T, T) 里，哪个轴是看的，哪个轴是被看的？片段和填充说的是哪一个？",
        "Which axis of (B, T, T) looks, and which is looked at? Which of them are segments and "
        "padding about?",
    ),
    (
        "(B, T) 要变成被看的那个轴，中间缺一个长度是 1 的轴。",
        "To become the axis that is looked at, (B, T) needs an axis of length 1 in the middle.",
    ),
)
LENGTH_HINTS = (
    (
        "取一行：一个填充（片段 0）、两个原文词元、两个写出来的。你数出来的长度是几？"
        "从左边数过去，盖住的是哪几个？",
        "Take a row of one pad of segment 0, two source tokens and two that are written. Which "
        "length do you count, and which places does it cover from the left?",
    ),
    (
        "不用数：每一列的片段号是几，直接问那一列。",
        "Nothing needs counting: ask every column for its own segment.",
    ),
)
PADDING_HINTS = (
    (
        "填充的片段号是 0 的时候，它那一列全是 False 吗？片段号是 1 的时候呢？",
        "Is the column of a pad False throughout when its segment is 0? And when it is 1?",
    ),
    (
        "“或”和“与”谁先算？先定好片段说了什么，最后再关掉填充的列。",
        "Which comes first, the OR or the AND? Settle what segments say, and close the columns of "
        "padding last.",
    ),
)


def _plain(data):
    """A shared mistake in this module's form."""
    return data["switch"], data["zh"], data["en"], data["hints"]


PREFIX = {
    "mask_not_boolean": _plain(NOT_BOOLEAN),
    "mask_polarity": _plain(POLARITY),
    "extra_axis": _plain(EXTRA_AXIS),
    "mask_is_a_list": _plain(LISTS),
    "source_cannot_look_ahead": (
        ({"rule": "causal"}, {"rule": "source_reads_forward"}),
        "原文也只能往回看：整行都是因果掩码。原文之间应当互相看得见。",
        "The source looks back only, too: all of the row is causal. Source tokens should see each "
        "other.",
        RULE_HINTS,
    ),
    "everything_open": (
        {"rule": "everything"},
        "除了填充什么也没有遮住：还没写出来的也看得见。",
        "Nothing but padding is hidden: what isn't written yet can be seen.",
        RULE_HINTS,
    ),
    "target_sees_ahead": (
        ({"rule": "target_sees_all"}, {"rule": "one_ahead"}),
        "写出来的词元看得见它后面的：抄答案了。",
        "What is written sees what comes after it: it can copy the answer.",
        RULE_HINTS,
    ),
    "target_sees_source_only": (
        ({"rule": "source_only"}, {"rule": "target_itself"}),
        "写出来的词元看不见前面已经写了什么。",
        "A token that is written doesn't see what was written before it.",
        RULE_HINTS,
    ),
    "own_place_closed": (
        {"rule": "strict"},
        "写出来的词元看不见自己。",
        "A token that is written doesn't see itself.",
        RULE_HINTS,
    ),
    "wrong_triangle": (
        {"rule": "upper"},
        "三角形反了：写出来的词元看后面，不看前面。",
        "The triangle is the wrong way round: what is written looks ahead and not back.",
        RULE_HINTS,
    ),
    "target_without_the_source": (
        ({"rule": "apart"}, {"rule": "same_segment"}),
        "两个片段互相看不见：要写的部分应当看得见原文。",
        "The two segments don't see each other; what is written should see the source.",
        RULE_HINTS,
    ),
    "segments_exchanged": (
        {"rule": "exchanged"},
        "片段 0 和 1 弄反了：原文才是谁都能看的。",
        "Segments 0 and 1 are exchanged: it is the source that everybody sees.",
        RULE_HINTS,
    ),
    "source_sees_the_target": (
        {"rule": "source_sees_all"},
        "原文看得见要写的部分：片段问的是看的那一边，应当问被看的那一边。",
        "The source sees what is written: the segment is asked of who looks, and should be of what "
        "is looked at.",
        AXIS_HINTS,
    ),
    "joined_with_and": (
        ({"rule": "both"}, {"rule": "either"}),
        "“是原文”和“在前面”用错了逻辑运算：有一样成立就可以看。",
        "“Is source” and “is before” are joined by the wrong operation: either one is enough.",
        RULE_HINTS,
    ),
    "source_length_counted": (
        ({"source": "zeros_counted"}, {"source": "real_ones_counted"}),
        "先数出原文有多长，再取左边那么多个位置：填充可以站在任何地方，数出来的就对不上。",
        "The source's length is counted and so many places from the left are taken; padding may "
        "stand anywhere, so that they aren't the source.",
        LENGTH_HINTS,
    ),
    "segments_without_query_axis": (
        {"axis": "missing"},
        "片段少了一个轴：广播时批次那个轴对到了看的那一边。",
        "Segments lack an axis: broadcasting matches the batch with the queries.",
        AXIS_HINTS,
    ),
    "padding_without_query_axis": (
        {"padding": "missing"},
        "填充掩码少了一个轴：广播时批次那个轴对到了看的那一边。",
        "The padding mask lacks an axis: broadcasting matches the batch with the queries.",
        AXIS_HINTS,
    ),
    "padding_ignored": (
        ({"padding": "ignored"}, {"padding": "queries"}),
        "填充还看得见：要关的是填充的列，不是它的行。",
        "Padding can still be seen: what should close are its columns, not its rows.",
        PADDING_HINTS,
    ),
    "padding_joined_with_or": (
        {"padding": "or"},
        "填充掩码用“或”连上了：真词元谁都能看了，也包括后面的。",
        "The padding mask is joined by OR: every real token is seen by everybody, later ones too.",
        PADDING_HINTS,
    ),
    "padding_of_segment_1_open": (
        ({"padding": "source_only"}, {"padding": "source_part_only"}),
        "填充只在片段 0 里关上了；片段是 1 的填充还看得见。",
        "Padding is closed in segment 0 only; pads of segment 1 can still be seen.",
        PADDING_HINTS,
    ),
    "padding_of_segment_0_open": (
        ({"padding": "target_only"}, {"padding": "target_part_only"}),
        "填充只在片段 1 里关上了；片段是 0 的填充谁都能看。",
        "Padding is closed in segment 1 only; pads of segment 0 are seen by everybody.",
        PADDING_HINTS,
    ),
    "padding_inverted": (
        {"real": "inverted"},
        "填充掩码读反了：True 表示真词元。",
        "The padding mask is read the wrong way round: True means a real token.",
        PADDING_HINTS,
    ),
    "rows_are_keys": (
        {"transposed": "yes"},
        "行和列对调了：行是看的，列是被看的。",
        "Rows and columns are exchanged: rows look, columns are looked at.",
        AXIS_HINTS,
    ),
    "first_row_for_all": (
        ({"batch": "first"}, {"batch": "first_only"}),
        "整批都用了第一行的：每一行有自己的原文。",
        "The whole batch gets what belongs to its first row; every row has a source of its own.",
        AXIS_HINTS,
    ),
}
