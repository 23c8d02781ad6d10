"""Mistakes in mixing layers: switches, sentences and hints."""

WEIGHT_HINTS = (
    (
        "打印 mix.weights：一共几个，各叫什么，形状和初值是多少？",
        "Print mix.weights: how many are there, with which names, shapes and first values?",
    ),
    (
        "B、T、D、层数各不相同时，哪一个数决定 scores 的长度？",
        "With B, T, D and the number of layers all different: which of them is the length of "
        "scores?",
    ),
)
NUMBER_HINTS = (
    (
        "给一层、两层、五层各试一次：都跑得通吗？每一层都算上了吗？",
        "Try it with one layer, with two and with five: does it run, and does every layer count?",
    ),
    (
        "你的代码里哪个数字写死了？",
        "Which number is written into your code for good?",
    ),
)
SHARE_HINTS = (
    (
        "没有训练过（scores 全是 0，scale 是 1）：你的结果是各层的平均吗？",
        "Before training, with scores of 0 and a scale of 1: is your result the layers' average?",
    ),
    (
        "把所有分数都加上 1：份额应当变吗，你的变了吗？",
        "Add 1 to all scores: should the shares change, and do yours?",
    ),
)
START_HINTS = (
    (
        "造两个一样的 ScalarMix，打印它们的 scores 和 scale：两个一样吗？应当一样吗？",
        "Make two layers of the same kind and print scores and scale of both: are they alike? "
        "Should they be?",
    ),
    (
        "约定里给了两个初值；你的 add_weight 是从哪里知道它们的？",
        "The contract has two first values: where does your add_weight learn of them?",
    ),
)
SCALE_HINTS = (
    (
        "把 scale 加倍：结果应当怎样变，你的呢？",
        "Double the scale: what should become of the result, and what does in yours?",
    ),
    (
        "公式里，倍数乘在求和的里面还是外面？乘在什么上？",
        "In the formula, does the factor stand inside the sum or outside? What does it multiply?",
    ),
)
SUM_HINTS = (
    (
        "用说明里手算的那个例子：三层、份额 1/4、1/2、1/4，得到的是 (1.5, 2) 吗？",
        "Take the example by hand above the exercise: three layers, shares 1/4, 1/2, 1/4. Is it "
        "(1.5, 2)?",
    ),
    (
        "哪一个份额乘哪一层？最后还剩几个轴？",
        "Which share goes with which layer? How many axes are left in the end?",
    ),
)
MIX = {
    "weights_without_names": (
        {"names": "unnamed"},
        "参数没有按约定起名：add_weight 的 name 是 scores 和 scale。",
        "The weights don't have the names agreed: those of add_weight are scores and scale.",
        WEIGHT_HINTS,
    ),
    "a_weight_is_missing": (
        ({"owned": "scores", "scaled": "not"}, {"owned": "scale"}, {"owned": "neither"}),
        "少登记了参数：要有 scores 和 scale 两个。",
        "A weight isn't registered: there should be both scores and scale.",
        WEIGHT_HINTS,
    ),
    "a_weight_for_each_layer": (
        {"names": "listed"},
        "每一层各登记了一个参数，放在列表里；scores 应当是一个参数，形状 (层数,)。",
        "Each layer has a weight of its own, in a list; scores should be one weight, of shape "
        "(number of layers,).",
        WEIGHT_HINTS,
    ),
    "scores_of_another_size": (
        (
            {"size": "features"},
            {"size": "layers_and_features"},
            {"size": "one"},
            {"size": "layers_in_a_row"},
            {"size": "layers_in_a_column"},
            {"size": "one_more"},
        ),
        "scores 的形状不对：每一层一个数，别的都没有。",
        "scores has the wrong shape: one number for each layer, and nothing else.",
        WEIGHT_HINTS,
    ),
    "scale_is_no_single_number": (
        ({"scale_size": "one_in_a_row"}, {"scale_size": "features"}, {"scale_size": "layers"}),
        "scale 应当只是一个数，形状 ()。",
        "scale should be a single number, of shape ().",
        WEIGHT_HINTS,
    ),
    "three_layers_only": (
        (
            {"combined": "three_only"},
            {"size": "three"},
            {"combined": "three_only", "size": "three"},
        ),
        "层数写死成了三层；有几层就混几层。",
        "It is written for just three layers; there may be any number of them.",
        NUMBER_HINTS,
    ),
    "weights_start_at_random": (
        (
            {"start": "random", "scale_start": "random"},
            {"start": "random"},
            {"scale_start": "random"},
        ),
        "参数从随机数开始：没有说初值的参数，Keras 就随机给。约定是 scores 从 0、scale 从 1 开始。",
        "A weight starts at random, which is what Keras does unless it is told otherwise; scores "
        "should start at 0 and scale at 1.",
        START_HINTS,
    ),
    "scores_start_elsewhere": (
        ({"start": "ones"}, {"start": "even"}),
        "scores 的初值不对：从 0 开始。（过了 softmax，相等的分数都给出平均；训练以后才不同。）",
        "scores starts at another value than 0. (After a softmax equal scores all give the "
        "average; it is training that differs.)",
        WEIGHT_HINTS,
    ),
    "scale_starts_at_zero": (
        {"scale_start": "zero"},
        "scale 从 0 开始了：没有训练过时输出全是 0；约定从 1 开始。",
        "scale starts at 0, so that nothing comes out before training; it should start at 1.",
        WEIGHT_HINTS,
    ),
    "softmax_missing": (
        ({"shares": "raw"}, {"shares": "raw", "combined": "mean"}),
        "没有 softmax：分数直接当了份额，加起来不是 1。",
        "There is no softmax: scores are used as shares and don't add up to 1.",
        SHARE_HINTS,
    ),
    "another_way_to_shares": (
        (
            {"shares": "sigmoid"},
            {"shares": "divided_by_sum"},
            {"shares": "exponentials"},
            {"shares": "relu"},
            {"shares": "logarithms"},
            {"shares": "temperature"},
        ),
        "份额不是 softmax 得来的。",
        "It isn't a softmax that makes the shares.",
        SHARE_HINTS,
    ),
    "softmax_twice": (
        {"shares": "softmax_twice"},
        "softmax 做了两次：份额被抹平了。",
        "The softmax is taken twice: shares become nearly even.",
        SHARE_HINTS,
    ),
    "scores_unused": (
        (
            {"shares": "even"},
            {"shares": "ones"},
            {"shares": "top_only"},
            {"shares": "bottom_only"},
            {"shares": "likeliest"},
        ),
        "分数没有用来混合：只是取了平均、总和，或者某一层。",
        "The scores don't mix anything: it is just an average, a sum, or one of the layers.",
        SHARE_HINTS,
    ),
    "scale_unused": (
        {"scaled": "not"},
        "倍数 scale 没有乘上。",
        "The scale isn't used.",
        SCALE_HINTS,
    ),
    "scale_inside_the_softmax": (
        (
            {"shares": "scaled_inside", "scaled": "not"},
            {"shares": "scaled_inside"},
        ),
        "scale 用在了 softmax 里面：它应当乘在混合的结果上。",
        "The scale acts inside the softmax; it should multiply the mix.",
        SCALE_HINTS,
    ),
    "scale_used_otherwise": (
        (
            {"scaled": "plus"},
            {"scaled": "over"},
            {"scaled": "squared"},
            {"scaled": "exponential"},
            {"scaled": "absolute"},
            {"scaled": "sigmoid"},
        ),
        "scale 应当直接乘在结果上，只乘一次。",
        "The scale should simply multiply the result, once.",
        SCALE_HINTS,
    ),
    "divided_by_the_layers_again": (
        {"combined": "mean"},
        "又除了一次层数：份额加起来已经是 1。",
        "Divided by the number of layers once more: the shares add up to 1 already.",
        SUM_HINTS,
    ),
    "shares_in_reverse": (
        {"shares": "backwards"},
        "份额和层的次序反了。",
        "The shares meet the layers in the wrong order.",
        SUM_HINTS,
    ),
    "a_layer_left_out": (
        ({"combined": "without_the_top"}, {"combined": "without_the_bottom"}),
        "漏了一层：每一层都要乘上它的份额。",
        "A layer is left out: every one of them has its share.",
        SUM_HINTS,
    ),
    "layers_not_added_up": (
        (
            {"combined": "stacked"},
            {"combined": "side_by_side"},
            {"combined": "maximum"},
            {"combined": "summed_features"},
            {"combined": "with_the_top"},
        ),
        "乘过份额的各层没有（只）加起来。",
        "The layers times their shares aren't added up, or not they alone.",
        SUM_HINTS,
    ),
    "a_weight_does_not_learn": (
        ({"learns": "scale"}, {"learns": "scores"}, {"learns": "neither"}),
        "数值对，但训练时有的参数不动：没有设成可训练，或者中间变成了 NumPy 的数。",
        "The numbers are right, but a weight doesn't move in training: it isn't trainable, or "
        "NumPy stands in the middle.",
        (
            (
                "打印 mix.trainable_weights：两个都在吗？",
                "Print mix.trainable_weights: are both there?",
            ),
            (
                "NumPy 的运算不在梯度的记录里；同名的运算 ops 里都有。",
                "NumPy's operations leave no trace for gradients; ops has operations of the same "
                "names.",
            ),
        ),
    ),
}
