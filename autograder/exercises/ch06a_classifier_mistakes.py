"""Mistakes in pooling and scoring a sentence: switches, sentences and hints."""

TOKEN_HINTS = (
    (
        'pooling 是 "cls" 时，换掉最后一个词元的状态：你的结果变了吗？不应当变。',
        'With pooling "cls", change the state of the last token: does your result move? It '
        "shouldn't.",
    ),
    (
        "(B, T, D) 里，哪个轴是句子，哪个轴是位置？第一个位置剩下的形状是 (B, D)。",
        "Which axis of (B, T, D) is for sentences and which for positions? The first position "
        "leaves (B, D).",
    ),
)
MEAN_HINTS = (
    (
        "取一句：两个真词元，状态是 2 和 4，后面一个填充，状态是 9。平均应当是 3，你的是几？",
        "Take a row with two real tokens of states 2 and 4, and a pad of 9 behind them. The mean "
        "should be 3; what is yours?",
    ),
    (
        "填充要在求和之前变成 0；除以的数，每一行各是各的。",
        "Pads have to become 0 before the sum, and every row has a divisor of its own.",
    ),
)
SPECIAL_HINTS = (
    (
        "掩码里，[CLS] 和 [SEP] 的位置是 True 还是 False？",
        "Is the mask True or False at [CLS] and [SEP]?",
    ),
    (
        "约定：掩码说是真的，都算进平均，不多也不少。",
        "As agreed, what the mask calls real is in the mean, no more and no less.",
    ),
)
ORDER_HINTS = (
    (
        "在每一步后面写下形状：(B, T, D)、(B, D)、(B, D)、(B, C)。",
        "Write the shape behind every step: (B, T, D), (B, D), (B, D), (B, C).",
    ),
    (
        "三步是：池化、dropout、dense。各做几次，什么次序？",
        "The three steps are pooling, dropout and dense: how often each, and in which order?",
    ),
)
LOGIT_HINTS = (
    (
        "把 dense 换成一个结果全是 100 的函数：你应当原样返回 100。",
        "Replace dense by a function that gives 100 everywhere: 100 is what should come back.",
    ),
    (
        "dense 的结果就是 logits，后面什么也不做；softmax 是损失的事。",
        "What dense gives are the logits, and nothing follows; the softmax is the loss's business.",
    ),
)
CAST_HINTS = (
    (
        "打印状态乘掩码的结果：它的 dtype 是什么？",
        "Print what the states times the mask give: which dtype does it have?",
    ),
    (
        "要拿来乘的掩码，应当是 0 和 1 这样的浮点数，跟状态同一种类型。",
        "A mask that is multiplied should hold 0 and 1 in the dtype of the states.",
    ),
)
AXIS_HINTS = (
    (
        "用 B = 2、T = 3、D = 4 试一次，看会不会报错；三个数相等时不报错，可是对上的是哪根轴？",
        "Try it with B = 2, T = 3, D = 4 and see whether it raises. With equal sizes it doesn't, "
        "but which axes are matched?",
    ),
    (
        "广播从最后一根轴往前对：(B, T) 要对上 (B, T, D)，还缺一根长度为 1 的轴。",
        "Broadcasting matches axes from the last one backwards: for (B, T) to match (B, T, D) an "
        "axis of length 1 is missing.",
    ),
)
REFUSAL_HINTS = (
    (
        'pooling 写成 "max"、"CLS" 或空的，会怎么样？',
        'What happens where pooling is "max", "CLS" or empty?',
    ),
    (
        "约定只认两个词，别的一律抛出 ValueError。",
        "Two words are known, as agreed; anything else raises a ValueError.",
    ),
)

CLASSIFIER = {
    "another_token": (
        (
            {"token": "last"},
            {"token": "second"},
            {"token": "last_real"},
            {"token": "last_but_one"},
        ),
        'pooling 是 "cls" 时，取的不是第一个词元。',
        'With pooling "cls" it isn\'t the first token that is taken.',
        TOKEN_HINTS,
    ),
    "pooling_not_used": (
        (
            {"token": "mean"},
            {"mean": "first"},
            {"token": "largest"},
            {"mean": "last_real"},
        ),
        '两种 pooling 里有一种没有做："cls" 读第一个词元，"mean" 求平均，各是各的。',
        'One kind of pooling isn\'t done: "cls" reads the first token, "mean" takes a mean, each '
        "for itself.",
        TOKEN_HINTS,
    ),
    "kinds_exchanged": (
        {"token": "mean", "mean": "first"},
        "两种 pooling 对调了。",
        "The two kinds of pooling are exchanged.",
        TOKEN_HINTS,
    ),
    "wrong_axis": (
        (
            {"token": "first_sentence"},
            {"token": "first_feature"},
            {"token": "kept_as_an_axis"},
            {"token": "all"},
            {"mean": "over_features"},
            {"mean": "over_the_batch"},
            {"mean": "axis_kept"},
        ),
        "轴不对：取成了第一句或第一个特征，平均的方向错了，或者位置那一轴还在。",
        "A wrong axis: the first sentence or feature is taken, the mean runs along another axis, "
        "or the axis of positions is still there.",
        TOKEN_HINTS,
    ),
    "padding_counted": (
        {"mean": "all"},
        "平均时填充也算进去了：掩码没有起作用。",
        "Pads count in the mean: the mask does nothing.",
        MEAN_HINTS,
    ),
    "pads_in_the_sum": (
        {"mean": "pads_in_the_sum"},
        "除数是对的，和不对：填充处的数也加了进去。",
        "The divisor is right, the sum isn't: what stands at pads is added in.",
        MEAN_HINTS,
    ),
    "divided_by_length": (
        {"mean": "divided_by_length"},
        "和是对的，除错了：除以了长度 T，应当除以真词元的个数。",
        "The sum is right, the divisor isn't: it is the length T and should be the number of real "
        "tokens.",
        MEAN_HINTS,
    ),
    "sum_not_mean": (
        ({"mean": "sum"}, {"mean": "sum_of_all"}),
        "只求了和，没有除以真词元的个数。",
        "It is a sum, not divided by the number of real tokens.",
        MEAN_HINTS,
    ),
    "divisor_off": (
        (
            {"mean": "one_more"},
            {"mean": "tenth_more"},
            {"mean": "root"},
            {"mean": "one_count"},
            {"mean": "mean_count"},
        ),
        "除数不对：应当正好是这一行真词元的个数。",
        "The divisor is off: it should be just the number of real tokens of that row.",
        MEAN_HINTS,
    ),
    "mask_inverted": (
        {"mean": "inverted"},
        "掩码用反了：平均的是填充。",
        "The mask is used the wrong way round: pads are averaged.",
        MEAN_HINTS,
    ),
    "mask_not_cast": (
        {"mean": "truth"},
        "掩码还是布尔就拿来乘了：浮点乘布尔得到的是布尔，加起来只是 True 的个数。",
        "The mask is multiplied while it is boolean: float times bool gives bool, and the sum "
        "merely counts what is True.",
        CAST_HINTS,
    ),
    "mask_axis_missing": (
        (
            {"mean": "axis_missing"},
            {"mean": "count_axis_missing"},
            {"mean": "both_axes_missing"},
        ),
        "少了一根轴：(B, T) 的掩码乘 (B, T, D)，或 (B,) 的个数除 (B, D)，对上的是最后几根轴。",
        "An axis is missing: a mask (B, T) against (B, T, D), or counts (B,) against (B, D), are "
        "matched to the last axes.",
        AXIS_HINTS,
    ),
    "special_tokens_left_out": (
        ({"mean": "without_the_first"}, {"mean": "without_specials"}),
        "平均里少了 [CLS]（或 [CLS] 和 [SEP]）：掩码说它们是真词元。",
        "[CLS], or both [CLS] and [SEP], are left out of the mean, though the mask calls them "
        "real.",
        SPECIAL_HINTS,
    ),
    "largest_not_mean": (
        ({"mean": "largest"}, {"mean": "largest_of_all"}),
        "取的是最大值，不是平均。",
        "It takes the largest value, not the mean.",
        MEAN_HINTS,
    ),
    "tanh_added": (
        ({"bent": "pooled"}, {"bent": "logits"}),
        "多了一个 tanh：BERT 的池化层这里不用，状态原样拿来。",
        "There is a tanh too many: BERT's pooler has no part in this, states are taken as they "
        "are.",
        LOGIT_HINTS,
    ),
    "dropout_missing": (
        {"dropped": "never"},
        "没有用 dropout。",
        "dropout isn't used.",
        ORDER_HINTS,
    ),
    "dropout_twice": (
        {"dropped": "twice"},
        "dropout 用了两次。",
        "dropout is used twice.",
        ORDER_HINTS,
    ),
    "dropout_before_pooling": (
        {"order": "drop_pool_dense"},
        "先做了 dropout 才池化：约定先池化。",
        "dropout comes before the pooling; pooling should come first.",
        ORDER_HINTS,
    ),
    "dropout_after_dense": (
        {"order": "pool_dense_drop"},
        "dropout 用在了 logits 上：约定在 dense 之前。",
        "dropout is applied to the logits; it should come before dense.",
        ORDER_HINTS,
    ),
    "pooling_last": (
        # A mean commutes with dense: only a dropout in between can be told.
        {"order": "dense_drop_pool"},
        "先过了 dense 和 dropout 才池化：约定先池化。",
        "dense and dropout come before the pooling; pooling should come first.",
        ORDER_HINTS,
    ),
    "no_logits_returned": (
        (
            {"returned": "softmax"},
            {"returned": "log_softmax"},
            {"returned": "sigmoid"},
            {"returned": "softmax_over_the_batch"},
            {"returned": "classes"},
        ),
        "返回的不是 logits：后面又做了 softmax（或 sigmoid、argmax）。",
        "It isn't logits that come back: a softmax (or sigmoid, or argmax) follows.",
        LOGIT_HINTS,
    ),
    "dense_not_used": (
        ({"returned": "pooled"}, {"returned": "with_pooled"}),
        "返回的不是 (B, C) 的 logits：没有过 dense，或者还带着别的。",
        "It isn't logits (B, C) that come back: dense is missing, or there is something beside "
        "them.",
        ORDER_HINTS,
    ),
    "other_pooling_not_refused": (
        {"refusal": "never"},
        "pooling 是别的词时，没有抛出 ValueError。",
        "Another pooling raises no ValueError.",
        REFUSAL_HINTS,
    ),
}
