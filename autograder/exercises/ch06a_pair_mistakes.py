"""Mistakes in scoring pairs of texts: switches, sentences and hints."""

PACK_HINTS = (
    (
        "把 pack 换成一个会打印参数的函数：它被调用了几次，每次拿到的是哪两段？",
        "Replace pack by a function that prints its arguments: how often is it called, and with "
        "which texts?",
    ),
    (
        "每一对调用一次 pack，两段都交给它，第一段在前。",
        "pack is called once for a pair and gets both texts, the first one first.",
    ),
)
INPUT_HINTS = (
    (
        "把 encode 换成一个会打印输入的函数：三样各是什么形状，跟 pack 给的一样吗？",
        "Replace encode by a function that prints its inputs: which shapes do the three have, and "
        "are they what pack made?",
    ),
    (
        "三个名字，三样东西：一样也不重造，一样也不换。",
        "Three names, three things: none is made anew, and none takes another's place.",
    ),
)
ROW_HINTS = (
    (
        "把 pairs 的次序倒过来：结果的各行应当跟着倒过来，别的不变。",
        "Turn pairs around: the rows of the result should turn with them, and nothing else change.",
    ),
    (
        "结果的第 b 行只由第 b 对决定。",
        "Row b of the result depends on pair b alone.",
    ),
)
TOKEN_HINTS = (
    (
        "sequence_output 的形状是 (B, T, D)：第一个词元是哪一片，剩下什么形状？",
        "sequence_output has the shape (B, T, D): which slice is the first token, and what shape "
        "is left?",
    ),
    (
        "第一个词元的状态原样交给 dense：不求平均，不加 tanh。",
        "The first token's state goes into dense as it is, without a mean and without a tanh.",
    ),
)
LOGIT_HINTS = (
    (
        "把 dense 换成一个结果全是 100 的函数：你应当原样返回 100。",
        "Replace dense by a function that gives 100 everywhere: 100 is what should come back.",
    ),
    (
        "dense 的结果就是 logits；softmax 是损失的事。",
        "What dense gives are the logits; the softmax is the loss's business.",
    ),
)

PAIRS = {
    "texts_exchanged": (
        {"packed": "turned"},
        "两段换了次序：first 应当在前。",
        "The texts are exchanged: first should come first.",
        PACK_HINTS,
    ),
    "texts_sorted_by_length": (
        ({"packed": "longer_first"}, {"packed": "shorter_first"}),
        "哪段在前由长短决定了；应当总是 first 在前。",
        "Which text comes first depends on their lengths; it should always be first.",
        PACK_HINTS,
    ),
    "one_text_missing": (
        (
            {"packed": "first_only"},
            {"packed": "second_only"},
            {"packed": "first_twice"},
            {"packed": "second_twice"},
        ),
        "两段里有一段没有交给 pack。",
        "One of the two texts never reaches pack.",
        PACK_HINTS,
    ),
    "texts_joined_before_packing": (
        ({"packed": "joined"}, {"packed": "joined_alone"}, {"packed": "joined_behind"}),
        "先把两段接成了一段，再交给 pack：中间没有 [SEP]，片段号也全一样。",
        "The texts are joined before pack gets them: there is no [SEP] between them, and both have "
        "one segment.",
        PACK_HINTS,
    ),
    "encoded_apart": (
        (
            {"apart": "difference"},
            {"apart": "distance"},
            {"apart": "sum"},
            {"apart": "mean"},
            {"apart": "product"},
        ),
        "两段各编码各的，再合起来：应当拼成一行，一起编码。",
        "The texts are encoded by themselves and then combined; they should share one row.",
        PACK_HINTS,
    ),
    "pairs_in_another_order": (
        (
            {"rows": "reversed"},
            {"rows": "by_length"},
            {"rows": "first_again"},
            {"rows": "last_again"},
            {"rows": "first_alone"},
            {"rows": "last_alone"},
        ),
        "各对的次序变了，或者不是每一对都算了。",
        "The pairs are in another order, or not each of them is scored.",
        ROW_HINTS,
    ),
    "segments_missing": (
        ({"segments": "zeros"}, {"segments": "ones"}),
        "片段号没有交给 encode，或者全是同一个数。",
        "The segments never reach encode, or are all the same.",
        INPUT_HINTS,
    ),
    "mask_missing": (
        {"mask": "ones"},
        "掩码没有交给 encode，或者全是 True：填充也被读了。",
        "The mask never reaches encode, or is True everywhere: pads are read.",
        INPUT_HINTS,
    ),
    "mask_and_segments_exchanged": (
        {"exchanged": "yes"},
        "片段号和掩码换了位置。",
        "Segments and mask have changed places.",
        INPUT_HINTS,
    ),
    "inputs_rebuilt": (
        (
            {"mask": "not_pad"},
            {"mask": "nonzero"},
            {"segments": "rebuilt"},
            {"segments": "rebuilt", "mask": "not_pad"},
            {"segments": "rebuilt", "mask": "nonzero"},
        ),
        "片段号或掩码是从编号重新造的；应当用 pack 给的。",
        "Segments or mask are made anew from ids; those of pack should be used.",
        INPUT_HINTS,
    ),
    "inputs_inverted": (
        ({"mask": "inverted"}, {"segments": "inverted"}),
        "掩码或片段号反了：0 和 1 对调了。",
        "The mask or the segments are inverted: 0 and 1 are exchanged.",
        INPUT_HINTS,
    ),
    "inputs_of_the_first_row": (
        (
            {"segments": "like_the_first_row"},
            {"mask": "like_the_first_row"},
            {"segments": "like_the_first_row", "mask": "like_the_first_row"},
        ),
        "整批用了第一行的片段号或掩码。",
        "Every row uses the segments or the mask of the first.",
        INPUT_HINTS,
    ),
    "another_token": (
        (
            {"token": "last"},
            {"token": "second"},
            {"token": "mean"},
            {"token": "mean_of_real"},
            {"token": "largest"},
        ),
        "读的不是第一个词元的状态。",
        "It isn't the first token's state that is read.",
        TOKEN_HINTS,
    ),
    "wrong_axis": (
        ({"token": "all"}, {"token": "first_row"}),
        "轴不对：取成了第一行，或者位置那一轴还在。",
        "A wrong axis: the first row is taken, or the axis of positions is still there.",
        TOKEN_HINTS,
    ),
    "tanh_added": (
        {"bent": "pooled"},
        "多了一个 tanh：状态应当原样交给 dense。",
        "There is a tanh too many: the state should go into dense as it is.",
        TOKEN_HINTS,
    ),
    "no_logits_returned": (
        (
            {"returned": "softmax"},
            {"returned": "sigmoid"},
            {"returned": "log_softmax"},
            {"returned": "classes"},
            {"returned": "states"},
        ),
        "返回的不是 logits：后面又做了 softmax（或 sigmoid、argmax），或者没有过 dense。",
        "It isn't logits that come back: a softmax (or sigmoid, or argmax) follows, or dense is "
        "missing.",
        LOGIT_HINTS,
    ),
}
