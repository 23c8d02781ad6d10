"""Mistakes in BERT's embeddings: switches, sentences and hints."""

SUM_HINTS = (
    (
        "把三张表里的两张设成 0：剩下的那张，每个位置取到了哪一行？",
        "Set two of the three tables to 0: which row of the third does every position get?",
    ),
    (
        "在纸上写出第 t 个词元的三行：它是什么、在哪里、属于哪一段；然后怎样合成一个向量？",
        "Write down the three rows of token t: what it is, where it stands, which segment it is "
        "in. How do they become one vector?",
    ),
)
PLACE_HINTS = (
    (
        "只留位置表，打印 T = 3 的结果：三个位置各是表的第几行？",
        "Keep only the position table and print the result for T = 3: which row does each "
        "position get?",
    ),
    (
        "位置只由 T 决定：跟词元、片段和第几句都没有关系。",
        "Positions depend on T alone, neither on tokens or segments nor on the row of the batch.",
    ),
)
SEGMENT_HINTS = (
    (
        "只留片段表，把 segment_ids 里的 0 和 1 换一换：输出跟着变吗？",
        "Keep only the segment table and exchange 0 and 1 in segment_ids: does the output follow?",
    ),
    (
        "segment_ids 已经是行号了。",
        "What stands in segment_ids are row numbers already.",
    ),
)
SCALE_HINTS = (
    (
        "只留一张表时归一化会把倍数抹掉；三张表都在，倍数就改变了它们的比例。",
        "With one table alone the norm wipes a factor out; with all three it changes their "
        "proportions.",
    ),
    (
        "Transformer 的词元嵌入要乘一个倍数。BERT 呢？",
        "The Transformer multiplies its token embeddings. Does BERT?",
    ),
)
NORM_HINTS = (
    (
        "归一化用了几次，对着什么用的？",
        "How often is the norm used, and on what?",
    ),
    (
        "在每一步后面写下来：三行、和、归一化、dropout。次序对吗？",
        "Write the steps down: three rows, their sum, the norm, dropout. Is that the order?",
    ),
)
DROPOUT_HINTS = (
    (
        "dropout 取 0.9，分别用 training=True 和 False 调用，数一数输出里的 0。",
        "Take a dropout of 0.9 and call it with training=True and False: how many zeros are in "
        "the output?",
    ),
    (
        "被丢掉的输出应当正好是 0；如果还剩下归一化的偏移，它就丢得太早了。",
        "What is dropped should be exactly 0; where the norm's offset is left, it was dropped too "
        "early.",
    ),
)
CHECK_HINTS = (
    (
        "max_sequence_length 取 4，拿长 4 和长 5 的输入各调用一次。",
        "Take max_sequence_length 4 and call the layer on inputs of lengths 4 and 5.",
    ),
    (
        "正好那么长是可以的；再长一个词元就该报错，而且要报约定的那一种。",
        "Just that long is fine; one token more should raise, and raise what the contract says.",
    ),
)

EMBEDDINGS = {
    "positions_missing": dict(
        switch={"summed": "no_positions"},
        zh="没有加上位置嵌入：词序对模型没有区别了。",
        en="Position embeddings aren't added: order makes no difference to the model.",
        hints=SUM_HINTS,
    ),
    "segments_missing": dict(
        switch={"summed": "no_segments"},
        zh="没有加上片段嵌入。",
        en="Segment embeddings aren't added.",
        hints=SUM_HINTS,
    ),
    "tokens_missing": dict(
        switch=({"summed": "no_tokens"},),
        zh="没有加上词元嵌入。",
        en="Token embeddings aren't added.",
        hints=SUM_HINTS,
    ),
    "tokens_alone": dict(
        switch={"summed": "tokens_only"},
        zh="只有词元嵌入：位置和片段都没有加上。",
        en="There are token embeddings only: neither positions nor segments are added.",
        hints=SUM_HINTS,
    ),
    "added_twice": dict(
        switch=({"summed": "positions_twice"}, {"summed": "segments_twice"}),
        zh="有一张表加了两次。",
        en="A table is added twice.",
        hints=SUM_HINTS,
    ),
    "not_a_sum": dict(
        switch=tuple(
            {"summed": how}
            for how in ("multiplied", "product_of_positions", "joined", "subtracted", "averaged")
        ),
        zh="三行没有相加（乘、减、平均，或拼在了一起）。",
        en="The three rows aren't added (but multiplied, subtracted, averaged or joined).",
        hints=SUM_HINTS,
    ),
    "positions_from_one": dict(
        switch={"places": "from_one"},
        zh="位置从 1 数起了：第 0 个词元应当得到第 0 行。",
        en="Positions count from 1: token 0 should get row 0.",
        hints=PLACE_HINTS,
    ),
    "other_rows_of_positions": dict(
        switch=tuple({"places": how} for how in ("backwards", "last", "first_row", "by_length")),
        zh="位置取的不是表的前 T 行，依次一行一个。",
        en="Positions don't get the first T rows of the table one after the other.",
        hints=PLACE_HINTS,
    ),
    "positions_by_something_else": dict(
        switch=tuple(
            {"places": how} for how in ("by_token", "by_segment", "by_item", "within_segments")
        ),
        zh="位置那一行是按别的东西取的（词元、片段，或者批里的第几句），或者每段重新数起。",
        en="Rows of positions are taken by something else (tokens, segments, the row of the batch) "
        "or start anew with every segment.",
        hints=PLACE_HINTS,
    ),
    "whole_position_table": dict(
        switch={"places": "all"},
        zh="加的是整张位置表：句子比表短就加不上。",
        en="The whole position table is added, which fails for sequences shorter than it.",
        hints=PLACE_HINTS,
    ),
    "segment_ids_not_used": dict(
        switch={"segments_read": "zeros"},
        zh="segment_ids 没有用上：到处都是片段 0。",
        en="segment_ids isn't used: all tokens are in segment 0.",
        hints=SEGMENT_HINTS,
    ),
    "segments_changed": dict(
        switch=({"segments_read": "inverted"}, {"segments_read": "from_one"}),
        zh="片段的行号被改过了（反了，或者加了 1）。",
        en="The row numbers of segments are changed (turned round, or one is added).",
        hints=SEGMENT_HINTS,
    ),
    "scaled_by_root": dict(
        switch=({"scale": "tokens"}, {"scale": "sum"}, {"scale": "tokens_down"}),
        zh="词元嵌入多乘（或除）了 √D：那是 Transformer 的做法，BERT 直接相加。",
        en="Token embeddings are multiplied (or divided) by √D: the Transformer does so, BERT just "
        "adds.",
        hints=SCALE_HINTS,
    ),
    "norm_missing": dict(
        switch={"norm": "missing"},
        zh="没有归一化。",
        en="The norm is missing.",
        hints=NORM_HINTS,
    ),
    "norm_elsewhere": dict(
        switch=tuple(
            {"norm": how}
            for how in (
                "of_each",
                "of_tokens",
                "of_tokens_and_positions",
                "of_tokens_and_segments",
            )
        ),
        zh="归一化用在了三行相加之前；应当先加完再归一化。",
        en="The norm comes before all three are added; it should be of their sum.",
        hints=NORM_HINTS,
    ),
    "norm_made_in_the_call": dict(
        switch=({"norm": "fresh"}, {"norm": "plain"}),
        zh="归一化不是用 self.layer_norm 做的，而是当场造了一个：它没有学到的 gamma 和 beta。",
        en="The norm isn't self.layer_norm but one made on the spot, which lacks the gamma and "
        "beta that were learned.",
        hints=NORM_HINTS,
    ),
    "norm_twice": dict(
        switch={"norm": "twice"},
        zh="归一化了两次。",
        en="The norm is used twice.",
        hints=NORM_HINTS,
    ),
    "dropout_missing": dict(
        switch={"dropout_when": "never"},
        zh="训练时没有 dropout（没有用上，或者关着）。",
        en="There is no dropout in training (it isn't used, or it is off).",
        hints=DROPOUT_HINTS,
    ),
    "dropout_in_inference": dict(
        switch={"dropout_when": "always"},
        zh="推理时 dropout 也开着。",
        en="Dropout is on in inference too.",
        hints=DROPOUT_HINTS,
    ),
    "dropout_too_early": dict(
        switch=({"dropped": "before_the_norm"}, {"dropped": "tokens_only"}),
        zh="dropout 用在了归一化之前；应当用在最后的结果上。",
        en="Dropout comes before the norm; it belongs on the final result.",
        hints=DROPOUT_HINTS,
    ),
    "length_not_checked": dict(
        switch=({"checked": "nothing"}, {"checked": "cut"}),
        zh="太长的句子没有报 ValueError：没有比较长度（取不到行才出别的错，或者截断、补上了）。",
        en="Too long a sequence raises no ValueError: the lengths aren't compared (another "
        "error comes once a row is missing, or rows are cut or made up).",
        hints=CHECK_HINTS,
    ),
    "error_not_raised": dict(
        switch=({"checked": "AssertionError"}, {"checked": "returned"}),
        zh="要用 raise 抛出 ValueError，不是 assert，也不是 return。",
        en="A ValueError has to be raised with raise; neither assert nor return does that.",
        hints=CHECK_HINTS,
    ),
    "checked_off_by_one": dict(
        switch=({"checked": "one_too_early"}, {"checked": "one_late"}),
        zh="长度的界限差了一格：正好 max_sequence_length 个词元可以，多一个就不行。",
        en="The limit is off by one: max_sequence_length tokens are fine, one more is not.",
        hints=CHECK_HINTS,
    ),
}
