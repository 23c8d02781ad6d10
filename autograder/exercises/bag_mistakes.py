"""Named mistakes of the continuous bag of words: switches, sentence, hints."""

MEAN_HINTS = (
    (
        "拿一个只有两个邻居、其余都是 0 的上下文手算：结果应当是两个向量的正中间。",
        "Take a context of two neighbours and zeros elsewhere, and do it by hand: the result "
        "should lie midway between two vectors.",
    ),
    (
        "平均数有分子有分母：分子里有谁，分母就数谁。",
        "A mean has a sum and a count: whoever is in the sum is counted, and nobody else.",
    ),
)
TABLE_HINTS = (
    (
        "每个词有两个向量：做邻居时一个，做目标时一个。",
        "Every word has two vectors: one as a neighbour and one as a target.",
    ),
    (
        "哪张表在第一步用，哪张表在第二步用？看看参数名。",
        "Which table belongs to the first step and which to the second? Look at their names.",
    ),
)
LOGIT_HINTS = (
    ("logits 可以是负数吗？一行的和应当是多少？", "Can logits be negative? Must a row sum to one?"),
    (
        "softmax 留给损失函数去做。",
        "The softmax is the loss function's business.",
    ),
)
RETURN_HINTS = (
    ("返回值有几项？依次是什么形状？", "How many things are returned, and of which shapes?"),
    ("约定先 (B, D)，后 (B, V)。", "First the one of shape (B, D), then the one of (B, V)."),
)
# For all three functions of the notebook that `fit` calls.
STOPS = (
    "给定数字时都对，一训练就会停下：那时批次大小是 None，张量里也还没有数。"
    "是不是用了 NumPy、float()，或者 shape[0]？",
    "It is right on given numbers, but training stops at it: there the batch size is None, and "
    "tensors hold no numbers yet. Does it use NumPy, float() or shape[0]?",
    (
        (
            "一步一步看：哪个运算不是 ops 里的，或者非要知道批次里有几个例子不可？",
            "Go through it step by step: which operation isn't from ops, or has to know how many "
            "examples there are?",
        ),
        (
            "多数时候根本用不着批次大小；要按例子循环的事，换一个对整批做的运算。",
            "Mostly the batch size isn't needed at all; what loops over examples can be one "
            "operation on the whole batch.",
        ),
    ),
)
FORWARD = {
    "stops_in_training": ({"inside": "numbers"}, *STOPS),
    "summed_not_averaged": (
        {"combine": "sum"},
        "邻居的向量加了起来，没有除以个数。",
        "The neighbours' vectors are added up and not divided by how many there are.",
        MEAN_HINTS,
    ),
    "padding_counted": (
        ({"padding": "counted"}, {"combine": "count_and_one"}),
        "分母数多了：没有词的位置不该算进个数。",
        "The divisor is too large: places without a word don't count.",
        MEAN_HINTS,
    ),
    "small_number_in_the_count": (
        (
            {"combine": "count_and_1e-3"},
            {"combine": "count_and_1e-2"},
            {"combine": "count_and_1e-4"},
            {"combine": "count_and_1e-1"},
        ),
        "个数里垫了一个小数：不会除以 0 了，可是每个平均数都偏小一点。",
        "A small number is added to the count: nothing is divided by zero any more, but every mean "
        "comes out a little too small.",
        MEAN_HINTS,
    ),
    "padding_averaged_in": (
        (
            {"padding": "taken_along"},
            {"padding": "vector_included"},
            {"padding": "vector_included", "combine": "sum"},
        ),
        "第 0 行也混进来了：0 表示没有词，它在表里那一行却不是零向量。",
        "Row 0 is mixed in: 0 means no word, but its row of the table isn't a zero vector.",
        MEAN_HINTS,
    ),
    "empty_context_gives_nan": (
        {"empty": "nan"},
        "一个邻居也没有时除以了 0，得到 NaN。",
        "Without any neighbour it divides by zero and gives NaN.",
        (
            (
                "整行都是 0 的上下文，个数是几？",
                "What is the count of a context that is 0 everywhere?",
            ),
            (
                "分母最小可以允许是几，又不影响别的行？",
                "How small may a divisor be without changing any other row?",
            ),
        ),
    ),
    "not_a_mean": (
        (
            {"combine": "max"},
            {"combine": "first"},
            {"combine": "last"},
            {"combine": "root"},
            {"combine": "unit_vectors"},
        ),
        "隐藏向量不是邻居向量的平均数。",
        "The hidden vector isn't the mean of the neighbours' vectors.",
        MEAN_HINTS,
    ),
    "repeated_word_counted_once": (
        {"combine": "distinct"},
        "重复出现的邻居只算了一次；它站了几个位置，就算几次。",
        "A neighbour that comes twice counts once; it counts as often as it stands there.",
        MEAN_HINTS,
    ),
    "mean_over_the_batch": (
        {"combine": "batch_mean"},
        "平均到了别的例子头上：每个例子只平均自己的邻居。",
        "The mean runs over other examples as well: each should average its own neighbours only.",
        MEAN_HINTS,
    ),
    "ids_moved_by_one": (
        ({"ids": "one_less"}, {"ids": "one_more"}),
        "查表时编号错开了一位：第 i 行就是第 i 号词。",
        "The rows are off by one: row i belongs to word i.",
        TABLE_HINTS,
    ),
    "one_table_for_both": (
        ({"tables": "tied"}, {"tables": "tied_output"}),
        "只用了一张表：邻居和目标各有一张。",
        "Only one table is used: neighbours and targets have one each.",
        TABLE_HINTS,
    ),
    "tables_swapped": (
        {"tables": "swapped"},
        "两张表用反了。",
        "The two tables are exchanged.",
        TABLE_HINTS,
    ),
    "hidden_squashed": (
        ({"squash": "tanh"}, {"squash": "relu"}, {"squash": "unit"}),
        "隐藏向量又经过了一个函数；CBOW 的中间没有非线性，也不归一化。",
        "The hidden vector goes through another function; a continuous bag of words has neither a "
        "nonlinearity nor a normalisation in the middle.",
        MEAN_HINTS,
    ),
    "logits_scaled": (
        ({"squash": "scaled"}, {"squash": "cosine"}),
        "点积又被缩放了；这里用的就是点积本身。",
        "The dot products are scaled; here they are taken as they are.",
        LOGIT_HINTS,
    ),
    "softmax_already_taken": (
        (
            {"returned": "probabilities"},
            {"returned": "log_probabilities"},
            {"returned": "sigmoid"},
        ),
        "返回的已经是概率（或其对数）；约定返回 logits，即 softmax 之前的数。",
        "Probabilities (or their logarithms) are returned; it should be logits, the numbers before "
        "the softmax.",
        LOGIT_HINTS,
    ),
    "pair_swapped": (
        {"returned": "swapped"},
        "返回的两项次序反了：先隐藏向量，后 logits。",
        "The pair is the wrong way round: hidden first, logits second.",
        RETURN_HINTS,
    ),
    "one_thing_returned": (
        ({"returned": "logits_only"}, {"returned": "hidden_only"}),
        "只返回了一项；约定返回（隐藏向量，logits）。",
        "Only one thing is returned; it should be the pair (hidden, logits).",
        RETURN_HINTS,
    ),
}
