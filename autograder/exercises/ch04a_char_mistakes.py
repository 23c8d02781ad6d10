"""Mistakes in making a word from its characters: switches, sentences and hints."""

ZERO_HINTS = (
    (
        "同一个词，行尾多补三个 0：结果变了吗？",
        "Add three more zeros at the end of a word's row: does the result change?",
    ),
    (
        "窗口里看到的每一个数从哪里来：真字符、嵌入表的第 0 行，还是你补的 0？",
        "Where does each number in a window come from: a real character, row 0 of the table, or "
        "the zeros that you put there?",
    ),
)
WINDOW_HINTS = (
    (
        "一个两个字符的词，宽度 3：按约定有几个窗口，各看到什么？",
        "A word of two characters and a width of 3: how many windows are there, by the contract, "
        "and what does each see?",
    ),
    (
        "卷积之后，哪些位置是从真字符开始的？",
        "After the convolution, which places begin at a real character?",
    ),
)
PARTS_HINTS = (
    (
        "把 __init__ 里造好的零件一个个数一遍：每个都用上了吗，用了几次，按什么次序？",
        "Count the parts that __init__ made: is each of them used, how often, and in which order?",
    ),
    (
        "用一种宽度、0 层 highway 先对上，再一样样加回去。",
        "Get it right with one width and no highways first, then put them back one by one.",
    ),
)

CHARACTERS = {
    "padding_has_a_vector": (
        (
            {"blank": "table"},
            {"blank": "table", "counted": "all"},
        ),
        "行尾的 0 用了嵌入表第 0 行的向量；约定一律当作全 0。",
        "Zeros at the end get the vector in row 0 of the table; they should count as all zeros.",
        ZERO_HINTS,
    ),
    "padding_may_win": (
        {"counted": "all"},
        "从行尾的 0 开始的窗口也参加了取最大值：有偏置时，空窗口可能会赢。",
        "Windows that begin at zeros take part in the maximum: with a bias, an empty one may win.",
        ZERO_HINTS,
    ),
    "only_whole_windows": (
        (
            {"counted": "whole_windows"},
            {"sides": "none"},
            {"sides": "none", "counted": "all"},
            {"sides": "none", "counted": "all", "blank": "table"},
        ),
        "只算了完全落在词里（或行里）的窗口；伸出词尾的也要算，看到的是 0。",
        "Only windows that lie within the word (or the row) count; those that reach beyond its end "
        "should, too, and see zeros there.",
        WINDOW_HINTS,
    ),
    "zeros_on_another_side": (
        (
            {"sides": "left"},
            {"sides": "both"},
            {"sides": "both_more_on_the_left"},
            {"sides": "left", "counted": "all"},
            {"sides": "both", "counted": "all"},
            {"sides": "both_more_on_the_left", "counted": "all"},
        ),
        "0 补在了左边或者两边；窗口从真字符开始，应当只补右边。",
        "Zeros are put on the left or on both sides; windows begin at real characters, so they "
        "belong on the right.",
        WINDOW_HINTS,
    ),
    "not_the_maximum": (
        (
            {"pooled": "mean_of_real"},
            {"pooled": "mean_of_all"},
            {"pooled": "sum"},
            {"pooled": "first"},
            {"pooled": "last"},
            {"pooled": "mean_of_all", "counted": "all"},
            {"pooled": "sum", "counted": "all"},
        ),
        "取的不是最大值（而是平均、总和，或者某一个窗口）。",
        "It isn't the maximum over the windows, but a mean, a sum, or one of them.",
        WINDOW_HINTS,
    ),
    "empty_words_far_away": (
        ({"empty": "minus_1e9"}, {"empty": "minus_infinity"}, {"empty": "minus_1e4"}),
        "没有字符的词，最大值成了一个极大的负数；约定算作 0。",
        "For words without characters the maximum is a huge negative number; it should count as 0.",
        ZERO_HINTS,
    ),
    "empty_words_blanked": (
        {"empty": "vector_of_zeros"},
        "没有字符的词，最后的向量设成了 0；约定只是最大值算作 0，highway 和投影照样要过。",
        "Words without characters get a vector of zeros in the end; what was agreed is that their "
        "maximum is 0, and highways and projection follow all the same.",
        ZERO_HINTS,
    ),
    "widths_in_another_order": (
        {"order": "backwards"},
        "各种宽度拼接的次序不对：按 self.filters 的次序。",
        "The widths are joined in another order than that of self.filters.",
        PARTS_HINTS,
    ),
    "highways_left_out": (
        ({"roads": "none"}, {"roads": "first_only"}, {"roads": "last_only"}),
        "highway 没有用，或者只用了一层。",
        "The highways aren't used, or only one of them is.",
        PARTS_HINTS,
    ),
    "highways_used_otherwise": (
        ({"roads": "backwards"}, {"roads": "added"}, {"roads": "first_repeated"}),
        "highway 应当按次序一个接一个，每层一次，别的都不加。",
        "The highways should follow one another in their order, once each, with nothing added.",
        PARTS_HINTS,
    ),
    "projection_elsewhere": (
        ({"projection": "none"}, {"projection": "before_highways"}, {"projection": "twice"}),
        "最后的投影没有用、用了两次，或者用在了 highway 之前。",
        "The last projection isn't used, or twice, or before the highways.",
        PARTS_HINTS,
    ),
    "words_change_places": (
        {"folded": "letters_first"},
        "变形的时候词换了位置：句子里第几个词，结果里还应当是第几个。",
        "Words change places in a reshape: each should stay where it was in its sentence.",
        PARTS_HINTS,
    ),
    "sentences_not_put_back": (
        {"folded": "flat"},
        "最后没有变回 (B, T, D)。",
        "The result isn't put back into the shape (B, T, D).",
        PARTS_HINTS,
    ),
}
