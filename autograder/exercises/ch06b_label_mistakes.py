"""Mistakes in putting labels on pieces: switches, sentences and hints."""

FIRST_HINTS = (
    (
        "一个词切成三个子词，标签是 5：三个位置上各写什么？",
        "A word of three pieces has label 5: what is written at its three places?",
    ),
    (
        "标签的列表和子词的列表应当一样长：每加几个子词，就加几个标签。",
        "The list of labels grows with the list of pieces: as many labels as pieces, word by word.",
    ),
)
SHIFT_HINTS = (
    (
        "打印 pieces 和标签，一上一下对齐：[CLS] 下面是什么？",
        "Print pieces and labels, one under the other: what stands under [CLS]?",
    ),
    (
        "[CLS] 占了第 0 个位置，标签也要让出这一格。",
        "[CLS] takes place 0, and the labels have to leave that place, too.",
    ),
)
CUT_HINTS = (
    (
        "T = 5，三个词各两个子词：一行是哪五个词元？标签是哪五个？",
        "T = 5 and three words of two pieces: which five tokens are in the row, and which five "
        "labels?",
    ),
    (
        "两个特殊词元占两个位置，留给子词的是 T − 2 个；裁子词时，标签裁到同一个地方。",
        "Two marks take two places and leave T − 2 for pieces; where pieces are cut, labels are "
        "cut at the same place.",
    ),
)
WORD_HINTS = (
    (
        "T = 4，第一个词有三个子词：按约定，留下几个？它的标签在不在？",
        "T = 4 and a first word of three pieces: how many stay, by the contract, and is its label "
        "there?",
    ),
    (
        "裁的是子词，不是词：一个词可以只剩前几个子词。",
        "Pieces are cut, not words: a word may keep its first few.",
    ),
)
EMPTY_HINTS = (
    (
        "tokenize 对某个词返回空列表：你的标签和子词还对得上吗？",
        "When tokenize returns an empty list for a word, do labels and pieces still match?",
    ),
    (
        '这样的词在一行里也占一格，是 "[UNK]"，格子里是它的标签。',
        'Such a word has a place in the row, too: it is "[UNK]", and carries the word\'s label.',
    ),
)
IGNORE_HINTS = (
    (
        "把 ignore 换成 99 试试：哪些位置应当是 99？",
        "Try an ignore of 99: which places should be 99?",
    ),
    (
        "不判的位置有三种：后面的子词，两个特殊词元，填充；写的都是 ignore。",
        "Three kinds of places aren't judged, later pieces, the two marks and padding; all of them "
        "get ignore.",
    ),
)
LABEL_HINTS = (
    (
        "标签 0 也是标签；同一个词在别处可以有别的标签。",
        "0 is a label like any other; and the same word may have another label elsewhere.",
    ),
    (
        "第 n 个词的标签就是 labels 的第 n 个，不用查，也不用判断它是什么。",
        "The label of word n is number n of labels; nothing has to be looked up or tested.",
    ),
)
FORM_HINTS = (
    (
        "对照说明里“返回”那一条：两样，次序，长度。",
        "Compare with what the contract says under Returns: two things, their order, their "
        "lengths.",
    ),
    (
        "pieces 含两个特殊词元，不含填充；标签总是 T 个。",
        "pieces has both marks and no padding; there are always T labels.",
    ),
)

LABELS = {
    "label_on_every_piece": (
        ({"label_on": "all"}, {"label_on": "next"}),
        "后面的子词也带了标签：一个词变成了好几个。",
        "Later pieces carry the label, too, so that one word becomes several.",
        FIRST_HINTS,
    ),
    "label_on_another_piece": (
        ({"label_on": "last"}, {"label_on": "single_only"}),
        "标签没有放在第一个子词上。",
        "The label isn't put on the first piece.",
        FIRST_HINTS,
    ),
    "labels_by_number_of_piece": (
        {"spread": "words"},
        "第 n 个标签给了第 n 个子词：词切开以后，后面全错位了。",
        "Label n goes to piece n; once a word is cut, all that follow are in wrong places.",
        FIRST_HINTS,
    ),
    "labels_not_shifted": (
        {"label_marks": "missing"},
        "标签没有让出 [CLS] 的位置，全都早了一格。",
        "The labels leave no place for [CLS], and all of them are one place early.",
        SHIFT_HINTS,
    ),
    "marks_missing": (
        (
            {"marks": "none"},
            {"marks": "none", "label_marks": "missing"},
            {"marks": "begin"},
            {"marks": "end"},
            {"marks": "end", "label_marks": "missing"},
        ),
        "pieces 里少了 [CLS] 或 [SEP]。",
        "[CLS] or [SEP] is missing in pieces.",
        SHIFT_HINTS,
    ),
    "not_cut_together": (
        (
            {"cut": "labels_left"},
            {"cut": "labels_left", "label_marks": "filled"},
            {"cut": "pieces_left"},
        ),
        "子词和标签只裁了一样，另一样没有裁。",
        "Of pieces and labels only one is cut.",
        CUT_HINTS,
    ),
    "nothing_cut": (
        ({"cut": "neither"}, {"cut": "neither", "label_marks": "filled"}),
        "放不下的没有裁掉。",
        "What doesn't fit isn't cut.",
        CUT_HINTS,
    ),
    "end_mark_cut_off": (
        {"cut": "before_the_marks"},
        "先加特殊词元再裁，[SEP] 被裁掉了。",
        "Marks are added before the cut, and [SEP] is cut off.",
        CUT_HINTS,
    ),
    "room_miscounted": (
        (
            {"cut": "one_more"},
            {"cut": "one_more", "label_marks": "filled"},
            {"cut": "one_less"},
            {"cut": "marks_forgotten"},
            {"cut": "marks_forgotten", "label_marks": "filled"},
        ),
        "留给子词的位置数错了：两个特殊词元要占两个。",
        "The places for pieces are miscounted: the two marks take two.",
        CUT_HINTS,
    ),
    "end_mark_labelled": (
        {"cut": "label_of_the_end"},
        "[SEP] 那一格有了标签：第一个子词已经裁掉的词，标签也不在了。",
        "The place of [SEP] has a label; a word whose first piece is cut off has none.",
        CUT_HINTS,
    ),
    "whole_words_only": (
        ({"whole": "words"}, {"whole": "rest_kept"}),
        "放不下整个词就把它全丢了；按约定裁的是子词。",
        "A word that doesn't fit as a whole is left out; by the contract pieces are cut.",
        WORD_HINTS,
    ),
    "empty_word_skipped": (
        {"empty": "skipped"},
        "切不出子词的词丢掉了：它应当是 [UNK]。",
        "A word without pieces is left out; it should be [UNK].",
        EMPTY_HINTS,
    ),
    "label_without_a_piece": (
        {"empty": "label_alone"},
        "切不出子词的词没有位置，标签却还在，后面全错位了。",
        "A word without pieces has no place but still has its label, and all that follow are in "
        "wrong places.",
        EMPTY_HINTS,
    ),
    "unknown_word_unlabelled": (
        {"empty": "unlabelled"},
        "[UNK] 没有带上那个词的标签。",
        "[UNK] doesn't carry the word's label.",
        EMPTY_HINTS,
    ),
    "another_unknown": (
        ({"empty": "word_itself"}, {"empty": "nothing"}, {"empty": "pad"}),
        "切不出子词的词，那一格写的不是 [UNK]。",
        "Where a word has no pieces, something else than [UNK] is written.",
        EMPTY_HINTS,
    ),
    "zero_where_not_judged": (
        (
            {"ignored_at": "pads"},
            {"ignored_at": "later"},
            {"ignored_at": "marks"},
            {"ignored_at": "marks_and_pads"},
            {"ignored_at": "all"},
        ),
        "不判的位置写了 0：0 是一个真的标签，会被算进损失里。",
        "0 is written where nothing is judged; it is a real label, and the loss will count it.",
        IGNORE_HINTS,
    ),
    "ignore_not_used": (
        ({"ignored_as": "minus_one"}, {"ignored_as": "minus_hundred"}),
        "没有用参数 ignore，写死了一个数。",
        "The argument ignore isn't used; a number is written in.",
        IGNORE_HINTS,
    ),
    "label_zero_lost": (
        {"zero": "missing"},
        "标签 0 被当成没有标签了。",
        "Label 0 is taken for no label.",
        LABEL_HINTS,
    ),
    "label_looked_up": (
        ({"lookup": "first_of_its_kind"}, {"lookup": "last_of_its_kind"}),
        "标签是按词查的：同一个词总是得到同一个标签。",
        "Labels are looked up by word, so that a word always gets the same one.",
        LABEL_HINTS,
    ),
    "labels_not_padded": (
        {"padded": "none"},
        "标签没有补到 T 个。",
        "The labels aren't filled up to T.",
        FORM_HINTS,
    ),
    "pieces_padded": (
        {"padded": "both"},
        "pieces 也补了填充；约定里它不含填充。",
        "pieces is padded, too; by the contract it isn't.",
        FORM_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "swapped"},
            {"returned": "labels_only"},
            {"returned": "pieces_only"},
            {"returned": "joined"},
            {"returned": "zipped"},
        ),
        "返回的不是 pieces 和标签这一对。",
        "What comes back isn't the pair of pieces and labels.",
        FORM_HINTS,
    ),
}
