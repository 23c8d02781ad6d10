"""Named mistakes of the loss of a bag of words: switches, sentence, hints."""

from autograder.exercises.bag_mistakes import STOPS, TABLE_HINTS

LOSS_HINTS = (
    (
        "如果所有 logits 都相等，损失应当正好是 ln V。",
        "If all logits are equal, the loss should be exactly ln V.",
    ),
    (
        "对一个例子，把 softmax、对数、负号三步分开打印。",
        "For one example print softmax, logarithm and minus sign one by one.",
    ),
)
SIZE_HINTS = (
    ("一个例子和两个相同的例子，损失应当一样。", "One example and two copies of it: same loss."),
    ("返回的应当是一个数，没有轴。", "What is returned should be one number without axes."),
)
STABLE_HINTS = (
    (
        "logits 是 0 和 300 时，float32 里 softmax 给出的小的那个是多少？",
        "For logits 0 and 300, what does a softmax in float32 make of the smaller one?",
    ),
    (
        "有一个运算把两步合成一步，中间不经过那个会变成 0 的数。",
        "There is one operation for the two steps, which never passes through the number that "
        "becomes 0.",
    ),
)
FLOW_HINTS = (
    (
        "哪一步离开了张量的世界（例如转成 NumPy，或取了最大值的位置）？",
        "Where does it leave the world of tensors, by way of NumPy, or by the place of a maximum?",
    ),
    (
        "把一张表里的一个数改动一点，损失应当跟着动。",
        "Move one number of a table a little: the loss should move with it.",
    ),
)
_CLIPPED = tuple(
    {"logarithm": f"{how}_1e-{power}"}
    for how in ("added", "clipped")
    for power in (7, 8, 9, 10, 12, 15, 20, 30, 6, 5)
)
LOSS = {
    # NumPy cuts the gradient as well; a batch size that is frozen in doesn't.
    "stops_in_training": (
        ({"inside": "numbers"}, {"inside": "numbers", "flow": "none"}),
        *STOPS,
    ),
    "summed_over_the_batch": (
        {"reduction": "sum"},
        "各个例子的损失加了起来；约定取平均。",
        "The losses of the examples are added up; it should be their mean.",
        SIZE_HINTS,
    ),
    "one_loss_per_example": (
        ({"reduction": "none"}, {"reduction": "kept_axis"}),
        "每个例子返回了一个损失；约定返回一个数。",
        "Every example returns a loss of its own; it should be one number.",
        SIZE_HINTS,
    ),
    "divided_by_something_else": (
        ({"reduction": "per_word_of_vocabulary"}, {"reduction": "per_neighbour"}),
        "除错了数：总和应当除以例子的个数 B。",
        "Divided by the wrong number: the sum should be divided by the number of examples B.",
        SIZE_HINTS,
    ),
    "examples_without_neighbours_left_out": (
        ({"lonely": "left_out"}, {"lonely": "zero"}),
        "没有邻居的例子被排除了，或者损失记成了 0；约定它照样算一个。",
        "Examples without neighbours are left out, or their loss is set to 0; they should count "
        "like any other.",
        (
            (
                "一个邻居也没有时，隐藏向量是 0：每个词的 logit 是多少？损失呢？",
                "Without any neighbour the hidden vector is zero: what are the logits then, and "
                "what is the loss?",
            ),
            SIZE_HINTS[0],
        ),
    ),
    "logarithm_after_the_mean": (
        {"reduction": "mean_of_probabilities"},
        "先平均了概率再取对数；应当先取对数再平均。",
        "The mean is taken before the logarithm; it should be the other way round.",
        SIZE_HINTS,
    ),
    "perplexity_returned": (
        {"reduction": "perplexity"},
        "返回的是困惑度；损失还没有取指数。",
        "That is a perplexity; a loss comes before the exponential.",
        LOSS_HINTS,
    ),
    "sign_forgotten": (
        {"sign": "plus"},
        "少了负号：训练会让目标词越来越不可能。",
        "The minus sign is missing: training would make the targets ever less likely.",
        LOSS_HINTS,
    ),
    "softmax_twice": (
        {"probability": "softmax_twice"},
        "softmax 做了两次：给损失函数的已经是概率，它却当成 logits 又做了一遍。",
        "The softmax is taken twice: the loss was handed probabilities and took them for logits.",
        LOSS_HINTS,
    ),
    "softmax_over_the_batch": (
        {"probability": "over_batch"},
        "softmax 沿着例子的方向做了；它应当在词表上做。",
        "The softmax runs over the examples; it should run over the vocabulary.",
        LOSS_HINTS,
    ),
    "column_0_left_out": (
        {"probability": "without_column_0"},
        "softmax 漏掉了第 0 列；约定在全部 V 列上做。",
        "The softmax leaves out column 0; it should run over all V columns.",
        LOSS_HINTS,
    ),
    "logits_taken_for_probabilities": (
        (
            {"probability": "logits_as_probabilities"},
            {"probability": "logits_as_probabilities_divided_first"},
        ),
        "交叉熵以为拿到的是概率，其实给它的是 logits：少了 softmax，或者忘了告诉它。",
        "The cross-entropy takes what it is given for probabilities, but these are logits: the "
        "softmax is missing, or it wasn't told.",
        LOSS_HINTS,
    ),
    "softmax_missing": (
        ({"probability": "no_softmax"}, {"probability": "no_division"}),
        "缺了 softmax 的一部分：-log p 里既有目标的 logit，又有所有词的对数总和。",
        "A part of the softmax is missing: -log p holds the logit of the target as well as the "
        "logarithm of the sum over all words.",
        LOSS_HINTS,
    ),
    "every_word_by_itself": (
        ({"probability": "sigmoid"}, {"probability": "binary"}, {"probability": "binary_mean"}),
        "用了 sigmoid：每个词各自打分；这里要的是一个在整个词表上的分布。",
        "A sigmoid judges every word by itself; here it should be one distribution over the "
        "vocabulary.",
        LOSS_HINTS,
    ),
    "squared_error": (
        ({"probability": "squared"}, {"probability": "squared_mean"}),
        "用了平方误差；约定用交叉熵。",
        "That is a squared error; it should be a cross-entropy.",
        LOSS_HINTS,
    ),
    "logarithm_missing": (
        ({"logarithm": "not_taken"}, {"logarithm": "one_less"}),
        "没有取对数：用的是概率本身。",
        "There is no logarithm: probabilities are used as they are.",
        LOSS_HINTS,
    ),
    "logarithm_of_base_two": (
        {"logarithm": "base_two"},
        "对数以 2 为底；约定用自然对数，单位是奈特。",
        "The logarithm has base two; it should be the natural one, in nats.",
        LOSS_HINTS,
    ),
    "probability_becomes_zero": (
        (
            {"logarithm": "underflows"},
            {"logarithm": "overflows"},
            {"logarithm": "overflows_late"},
        ),
        "logits 相差很大时，概率在 float32 里成了 0（或指数溢出），对数就成了无穷大。",
        "With logits far apart a probability becomes 0 in float32 (or an exponential overflows), "
        "and its logarithm infinite.",
        STABLE_HINTS,
    ),
    "small_number_added": (
        _CLIPPED,
        "取对数之前给概率垫了一个小数：不会出现无穷大了，可是损失被封了顶，数值不对。",
        "A small number props the probability up before the logarithm: nothing is infinite any "
        "more, but the loss has a ceiling and is wrong there.",
        STABLE_HINTS,
    ),
    "targets_of_the_whole_batch": (
        {"target": "everybodys"},
        "每个例子都拿到了整批的目标（结果是 B × B）：第 b 行只取第 b 个目标。",
        "Every example is asked for the targets of the whole batch, which makes B × B numbers: row "
        "b should give the one at target b.",
        (
            (
                "取出目标之后，打印它的形状：应当有几个数？",
                "Print the shape after the targets are picked: how many numbers should it have?",
            ),
            (
                "有的运算对所有行取同一组列，有的运算每行取自己的列。",
                "One operation takes the same columns in every row, another takes for each row its "
                "own.",
            ),
        ),
    ),
    "another_target": (
        (
            {"target": "first_neighbour"},
            {"target": "likeliest"},
            {"target": "one_less"},
        ),
        "取的不是目标词的概率。",
        "It isn't the target's probability that is taken.",
        LOSS_HINTS,
    ),
    "tables_swapped": (
        {"tables": "swapped"},
        "两张表用反了：邻居查第一张，目标查第二张。",
        "The two tables are exchanged: neighbours live in the first, targets in the second.",
        TABLE_HINTS,
    ),
    "gradient_cut_off": (
        ({"flow": "none"}, {"flow": "not_to_embedding"}, {"flow": "not_to_output"}),
        "损失的值对，梯度却传不回表里：训练什么也学不到。",
        "The loss is right, but no gradient gets back to a table: training would learn nothing.",
        FLOW_HINTS,
    ),
}
