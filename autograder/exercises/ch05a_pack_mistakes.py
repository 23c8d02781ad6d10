"""Mistakes in packing two texts into one row: switches, sentences and hints."""

MARK_HINTS = (
    (
        "first 取 [7, 8]，second 取 [9]：在纸上写出整行，数一数特殊词元。",
        "Take [7, 8] as first and [9] as second, write the whole row down and count its special "
        "tokens.",
    ),
    (
        "每段文字后面各有一个 [SEP]；[CLS] 只有一个，在最前面。",
        "Every text is followed by a [SEP]; there is one [CLS], in front of all.",
    ),
)
CUT_HINTS = (
    (
        "先算文字还剩几格，再裁，最后才加特殊词元。",
        "First work out how many tokens of text there is room for, then cut, and add the special "
        "tokens last.",
    ),
    (
        "拿一长一短两段，一次裁一个词元：每次该裁哪一段？一样长的时候呢？",
        "Take a long and a short text and remove one token at a time: from which one, each time? "
        "And when they are equally long?",
    ),
)
ROOM_HINTS = (
    (
        "裁过的一行有多长？正好是 max_sequence_length 吗？",
        "How long is a row that was cut: just max_sequence_length?",
    ),
    (
        "一段文字要几个特殊词元，两段呢？",
        "How many special tokens does one text need, and how many do two?",
    ),
)
SEGMENT_HINTS = (
    (
        "在整行下面逐个写出片段：[CLS] 属于哪一段，两个 [SEP] 各属于哪一段？",
        "Write the segments below the row one by one: where does [CLS] belong, and where does "
        "each [SEP]?",
    ),
    (
        "BERT 的片段表只有两行，编号 0 和 1。",
        "BERT's table of segments has two rows, numbered 0 and 1.",
    ),
)
PAD_HINTS = (
    (
        "pad_id 取一个不是 0 的数，打印整行。",
        "Take something other than 0 for pad_id and print the row.",
    ),
    (
        "三样东西都要填到一样长：词元、片段、掩码。填在哪一头？",
        "All three are filled up to one length: tokens, segments, mask. At which end?",
    ),
)
MASK_HINTS = (
    (
        "掩码和词元并排打印：哪些格子是填充？",
        "Print mask and tokens side by side: which of them are padding?",
    ),
    (
        "特殊词元是真词元：注意力要看得见它们。掩码是 bool。",
        "Special tokens are real ones: attention has to see them. The mask is bool.",
    ),
)
REFUSAL_HINTS = (
    (
        "max_sequence_length 等于特殊词元的个数时，文字全部裁掉，还是放得下的；再少一格就不行。",
        "Where max_sequence_length equals the number of special tokens, the texts vanish and it "
        "still fits; with one less it doesn't.",
    ),
    ("这个数对一段和两段文字不同。", "That number differs between one text and two."),
)
FORM_HINTS = (
    (
        "对照约定：返回的是字典还是别的，有哪几个键？",
        "Compare with the contract: is it a dict that comes back, and with which keys?",
    ),
    ("打印返回值的类型，和每一项的形状。", "Print the type of it and the shape of every item."),
)


def _each(switch, *forms):
    return tuple({switch: form} for form in forms)


PACK = {
    "begin_missing": dict(
        switch={"marks": "begin_missing"},
        zh="开头缺了 [CLS]。",
        en="[CLS] is missing in front.",
        hints=MARK_HINTS,
    ),
    "separator_missing": dict(
        switch=({"marks": "last_missing"}, {"marks": "middle_missing"}),
        zh="少了一个 [SEP]：每段文字后面都要有。",
        en="A [SEP] is missing: every text is followed by one.",
        hints=MARK_HINTS,
    ),
    "begin_again": dict(
        switch=({"marks": "begin_twice"}, {"marks": "middle_is_begin"}),
        zh="第二段文字前面多了 [CLS]（或者用它代替了 [SEP]）。",
        en="There is another [CLS] in front of the second text (or in place of the [SEP]).",
        hints=MARK_HINTS,
    ),
    "marks_exchanged": dict(
        switch=({"marks": "exchanged"}, {"marks": "separator_for_all"}),
        zh="[CLS] 和 [SEP] 用反了，或者都用了 [SEP]。",
        en="[CLS] and [SEP] are exchanged, or [SEP] is used for both.",
        hints=MARK_HINTS,
    ),
    "too_many_separators": dict(
        switch=({"marks": "two_in_the_middle"}, {"marks": "end_even_alone"}),
        zh="多了一个 [SEP]（两段之间只有一个；只有一段时也只有一个）。",
        en="There is a [SEP] too many (there is one between two texts, and one in all for a single "
        "text).",
        hints=MARK_HINTS,
    ),
    "separator_cut_off": dict(
        switch=({"cut": "assembled"}, {"cut": "assembled_sep_put_back"}),
        zh="先拼好再整个截断：末尾的 [SEP] 被截掉，或者盖住了文字。",
        en="The row is put together and then cut as a whole: its last [SEP] is lost, or "
        "overwrites text.",
        hints=CUT_HINTS,
    ),
    "nothing_cut": dict(
        switch={"cut": "never"},
        zh="太长的文字没有裁，一行超过了 max_sequence_length。",
        en="Texts that are too long aren't cut: the row is longer than max_sequence_length.",
        hints=CUT_HINTS,
    ),
    "room_for_specials_miscounted": dict(
        switch=_each("reserve", "two_always", "three_always", "none", "one"),
        zh="给特殊词元留的格子数不对：一段文字留 2 格，两段留 3 格。",
        en="The room kept for special tokens is wrong: two for one text, three for two.",
        hints=ROOM_HINTS,
    ),
    "one_token_less": dict(
        switch={"reserve": "one_more"},
        zh="多裁了一个词元。",
        en="One token too many is cut off.",
        hints=ROOM_HINTS,
    ),
    "cut_from_the_start": dict(
        switch={"cut": "from_the_start"},
        zh="裁掉的是文字的开头；应当裁末尾。",
        en="Texts lose their beginning; they should lose their end.",
        hints=CUT_HINTS,
    ),
    "one_text_cut": dict(
        switch=({"cut": "first_only"}, {"cut": "second_only"}, {"cut": "longer_only"}),
        zh="只裁了其中一段；应当一次一个，总是裁当时较长的那一段。",
        en="Only one of the texts is cut; it should be one token at a time, always from whichever "
        "is longer at that moment.",
        hints=CUT_HINTS,
    ),
    "shorter_text_cut": dict(
        switch={"cut": "shorter_first"},
        zh="裁的是较短的那一段。",
        en="The shorter text is cut.",
        hints=CUT_HINTS,
    ),
    "half_for_each": dict(
        switch=_each(
            "cut", "half_each", "half_each_odd_first", "half_each_odd_second", "half_always"
        ),
        zh="两段各分一半格子：一段短的时候，格子就浪费了。",
        en="Each text gets half of the room: where one is short, some of it is wasted.",
        hints=CUT_HINTS,
    ),
    "tie_cuts_the_first": dict(
        switch={"cut": "ties_first"},
        zh="一样长的时候裁了第一段；约定裁第二段。",
        en="Of two equally long texts the first is cut; by the contract it is the second.",
        hints=CUT_HINTS,
    ),
    "segments_from_one": dict(
        switch={"segments": "from_one"},
        zh="片段从 1 编起了；应当是 0 和 1。",
        en="Segments are numbered from 1; they should be 0 and 1.",
        hints=SEGMENT_HINTS,
    ),
    "segments_all_alike": dict(
        switch=({"segments": "zeros"}, {"segments": "ones"}),
        zh="片段处处一样：两段文字分不开。",
        en="All segments are the same: the two texts can't be told apart.",
        hints=SEGMENT_HINTS,
    ),
    "segments_inverted": dict(
        switch={"segments": "inverted"},
        zh="片段反了：第一段是 0，第二段是 1。",
        en="Segments are inverted: the first text is 0 and the second 1.",
        hints=SEGMENT_HINTS,
    ),
    "separator_in_the_other_segment": dict(
        switch=(
            *_each("segments", "first_separator_is_1", "first_separator_is_1_in_a_pair"),
            {"segments": "last_separator_is_0"},
        ),
        zh="有一个 [SEP] 算到了另一段里：它属于自己前面的那段文字。",
        en="A [SEP] is counted to the other segment: it belongs to the text in front of it.",
        hints=SEGMENT_HINTS,
    ),
    "more_than_two_segments": dict(
        switch=({"segments": "pads_are_2"}, {"segments": "numbered_on"}),
        zh="片段出现了 0 和 1 以外的数（填充也要取这两个里的一个）。",
        en="There are segments other than 0 and 1 (padding takes one of these two as well).",
        hints=SEGMENT_HINTS,
    ),
    "padded_on_the_left": dict(
        switch=({"padding": "left"}, {"padding": "left_segments_right"}),
        zh="填充补在了左边；应当在末尾。",
        en="Padding stands on the left; it should be at the end.",
        hints=PAD_HINTS,
    ),
    "not_padded": dict(
        switch=tuple({"padding": how} for how in ("none", "ids_only", "segments_short")),
        zh="没有填到 max_sequence_length 那么长（或者只填了词元）。",
        en="The row isn't filled up to max_sequence_length (or only its tokens are).",
        hints=PAD_HINTS,
    ),
    "row_too_long": dict(
        switch={"padding": "one_more"},
        zh="填充多了一格。",
        en="There is one [PAD] too many.",
        hints=PAD_HINTS,
    ),
    "padded_with_another_id": dict(
        switch=({"pad_use": "zero"}, {"pad_use": "last_token"}),
        zh="填充用的不是 pad_id。",
        en="Padding isn't made of pad_id.",
        hints=PAD_HINTS,
    ),
    "mask_inverted": dict(
        switch={"mask": "inverted"},
        zh="掩码反了：这里约定真词元是 True。",
        en="The mask is inverted: here True means a real token.",
        hints=MASK_HINTS,
    ),
    "mask_open_at_padding": dict(
        switch=({"mask": "open"}, {"mask": "not_zero"}),
        zh="掩码在填充处也是 True（编号不是 0，不等于不是填充）。",
        en="The mask is True at padding too (an id other than 0 may still be padding).",
        hints=MASK_HINTS,
    ),
    "specials_masked_out": dict(
        switch=({"mask": "specials_closed"}, {"mask": "first_only"}),
        zh="掩码把特殊词元或第二段文字也关掉了。",
        en="The mask closes special tokens or the second text as well.",
        hints=MASK_HINTS,
    ),
    "mask_is_not_boolean": dict(
        switch=({"mask_kind": "int"}, {"mask_kind": "float"}),
        zh="掩码应当是布尔，不是 0 和 1。",
        en="The mask should be boolean, not zeros and ones.",
        hints=MASK_HINTS,
    ),
    "texts_exchanged": dict(
        switch={"order": "turned"},
        zh="两段文字对调了。",
        en="The two texts are exchanged.",
        hints=MARK_HINTS,
    ),
    "empty_second_forgotten": dict(
        switch=_each("empty_second", "none", "separator_missing", "counted_as_none"),
        zh="空的第二段被当作没有第二段：空列表也是一段文字，None 才是没有。",
        en="An empty second text is taken for none: an empty list is a text too, only None isn't.",
        hints=(
            (
                "second 取 [] 和取 None，各试一次：[SEP] 应当各有几个？",
                "Try [] and None as second: how many [SEP] should there be in each?",
            ),
            (
                "一个列表是不是空的，和它是不是 None，是两个问题。",
                "Whether a list is empty and whether it is None are two questions.",
            ),
        ),
    ),
    "room_not_checked": dict(
        switch=tuple({"refusal": how} for how in ("never", "two_always")),
        zh="长度连特殊词元都放不下时，没有抛出 ValueError。",
        en="A length without room for the special tokens raises no ValueError.",
        hints=REFUSAL_HINTS,
    ),
    "refused_too_early": dict(
        switch=({"refusal": "one_more"}, {"refusal": "three_always"}),
        zh="还放得下特殊词元的长度也拒绝了。",
        en="A length that has room for the special tokens is refused too.",
        hints=REFUSAL_HINTS,
    ),
    "wrong_things_returned": dict(
        switch=tuple({"returned": form} for form in ("tuple", "two_keys", "batch")),
        zh="返回的不是有这三个键的字典，每项一行 T 个数。",
        en="What comes back isn't a dict of these three keys, each a row of T numbers.",
        hints=FORM_HINTS,
    ),
}
