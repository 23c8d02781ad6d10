"""Named mistakes of convolutions and of what a stack of them sees: switches, sentence, hints."""

WINDOW_HINTS = (
    (
        "拿一句 5 个词、每个词一个特征的句子，核取 (1, 10, 100)：手算第 2 个位置。",
        "Take five words of one feature each and the kernel (1, 10, 100), and work out place 2 by "
        "hand.",
    ),
    (
        "输入只有一处是 1、其余是 0 时，输出里会印出核的样子：看看它的次序和位置。",
        "With a single 1 in an input of zeros the output shows the kernel: look at its order and "
        "where it stands.",
    ),
)
EDGE_HINTS = (
    (
        "第 0 个位置的左边没有词。那里按约定是什么？",
        "Nothing stands to the left of place 0. What is there by convention?",
    ),
    (
        "两边各补多少，输出才和输入一样长？间隔会改变这个数吗？",
        "How much is added on either side, so that the output is as long as the input? Do gaps "
        "change it?",
    ),
)
GAP_HINTS = (
    (
        "核的相邻两行，看的是相隔几个词的位置？",
        "Two neighbouring rows of the kernel look at places how many words apart?",
    ),
    (
        "间隔为 2、宽度为 3 的窗口，一共跨过几个位置？",
        "How many places does a window of three, two apart, span from end to end?",
    ),
)
BIAS_HINTS = (
    (
        "让输入全是 0：输出应当正好是 bias。",
        "Set the input to zeros: the output should be exactly the bias.",
    ),
    (
        "偏置属于整个窗口，不属于窗口里的某一行。",
        "The bias belongs to the whole window and not to one of its rows.",
    ),
)
FLOW_HINTS = (
    (
        "哪一步离开了张量的世界（例如转成 NumPy）？",
        "Where does it leave the world of tensors, by way of NumPy, say?",
    ),
    (
        "改动核里的一个数，输出应当跟着动。",
        "Move one number of the kernel: the output should move with it.",
    ),
)
AFTER_HINTS = (
    (
        "卷积是线性的：输入翻倍，去掉偏置后的输出也翻倍。",
        "A convolution is linear: twice the input gives twice the output, the bias apart.",
    ),
    ("最后一步之后，又做了什么？", "What is done after the last step?"),
)
CONVOLUTION = {
    "kernel_reversed": (
        {"rows": "reversed"},
        "核被翻转了：数学书里的卷积要翻转，深度学习里的不翻转，第 0 行看最左边。",
        "The kernel is turned around: mathematicians do that, deep learning doesn't; row 0 looks "
        "furthest to the left.",
        WINDOW_HINTS,
    ),
    "row_left_out": (
        ({"rows": "last_left_out"}, {"rows": "first_left_out"}, {"rows": "middle_left_out"}),
        "核有一行没有用上。",
        "One row of the kernel isn't used.",
        WINDOW_HINTS,
    ),
    "middle_row_only": (
        {"rows": "middle_only"},
        "只用了核的中间一行：每个词只看到了自己。",
        "Only the middle row of the kernel is used: every word sees itself alone.",
        WINDOW_HINTS,
    ),
    "same_row_everywhere": (
        ({"rows": "first_for_all"}, {"rows": "averaged"}),
        "窗口里的每个位置用了同一行核：这样就不知道谁在左、谁在右了。",
        "Every place of the window gets the same row of the kernel: left and right can't be told "
        "apart.",
        WINDOW_HINTS,
    ),
    "window_in_the_past": (
        {"place": "past"},
        "窗口整个落在了左边（因果卷积）；约定自己在正中间。",
        "The whole window lies to the left, as in a causal convolution; the word itself should be "
        "in the middle.",
        EDGE_HINTS,
    ),
    "window_in_the_future": (
        {"place": "future"},
        "窗口整个落在了右边；约定自己在正中间。",
        "The whole window lies to the right; the word itself should be in the middle.",
        EDGE_HINTS,
    ),
    "window_off_by_one": (
        ({"place": "one_early"}, {"place": "one_late"}),
        "窗口错开了一个位置：核的中间一行应当落在自己身上。",
        "The window is off by one place: the middle row of the kernel belongs to the word itself.",
        EDGE_HINTS,
    ),
    "ends_not_zeros": (
        ({"ends": "nearest"}, {"ends": "around"}, {"ends": "mirrored"}),
        "句子两端之外不是 0：用了最近的词、绕到了另一头，或者照了镜子。",
        "Beyond the ends there aren't zeros but the nearest word, the other end, or a mirror "
        "image.",
        EDGE_HINTS,
    ),
    "ends_cut_off": (
        ({"ends": "cut"}, {"ends": "moved_to_front"}),
        "两端没有补 0：输出变短了，或者整个挪了位置。",
        "No zeros are added at the ends: the output is shorter, or has moved.",
        EDGE_HINTS,
    ),
    "too_few_zeros_for_the_gaps": (
        {"ends": "too_few_zeros"},
        "两端补的 0 不够：间隔变大，窗口够得更远，要补的也更多。",
        "Too few zeros at the ends: with larger gaps the window reaches further, and more of them "
        "are needed.",
        EDGE_HINTS,
    ),
    "gaps_ignored": (
        {"dilation": "ignored"},
        "没有用上 dilation_rate：窗口里还是相邻的词。",
        "dilation_rate isn't used: the window still holds neighbouring words.",
        GAP_HINTS,
    ),
    "gaps_of_another_size": (
        ({"dilation": "one_more"}, {"dilation": "doubled"}),
        "间隔的大小不对：dilation_rate 是相邻两行之间的距离，1 表示紧挨着。",
        "The gaps have the wrong size: dilation_rate is the distance between neighbouring rows, "
        "and 1 means next to each other.",
        GAP_HINTS,
    ),
    "bias_left_out": (
        {"bias_use": "left_out"},
        "没有加偏置。",
        "The bias isn't added.",
        BIAS_HINTS,
    ),
    "bias_in_every_row": (
        {"bias_use": "every_row"},
        "偏置加了 K 次，核的每一行都加了一次。",
        "The bias is added K times, once with every row of the kernel.",
        BIAS_HINTS,
    ),
    "bias_subtracted": (
        {"bias_use": "subtracted"},
        "偏置减掉了；应当加上。",
        "The bias is subtracted; it should be added.",
        BIAS_HINTS,
    ),
    "window_averaged": (
        {"sum_use": "mean"},
        "各行的结果取了平均；约定相加。",
        "The rows' results are averaged; they should be added up.",
        AFTER_HINTS,
    ),
    "something_after_it": (
        ({"after": "relu"}, {"after": "tanh"}, {"after": "max_over_time"}),
        "卷积之后又做了一步（激活函数或池化）；约定只做卷积。",
        "Something follows the convolution, an activation or a pooling; here it is nothing but the "
        "convolution.",
        AFTER_HINTS,
    ),
    "axes_swapped": (
        {"after": "transposed"},
        "最后两个轴的次序反了：约定 (B, T, F)。",
        "The last two axes are in the wrong order: it should be (B, T, F).",
        AFTER_HINTS,
    ),
    "gradient_cut_off": (
        {"flow": "none"},
        "输出的值对，梯度却传不回去。",
        "The output is right, but no gradient gets back.",
        FLOW_HINTS,
    ),
}

FIELD_HINTS = (
    (
        "在纸上画两层宽度为 3 的窗口，从最上面的一个点往下数。",
        "Draw two layers of width three on paper and count downwards from one point at the top.",
    ),
    (
        "加上一层，左右各多看见几个？原来的那些还在。",
        "How many more does one layer add to the left and to the right? The old ones stay.",
    ),
)
RATE_HINTS = (
    (
        "宽度 3、间隔 4 的一层，左右各够到多远？",
        "How far to the left and right does one layer of width 3 reach with places 4 apart?",
    ),
    (
        "间隔不增加看见的个数，而是把最远的那个推得更远。各层用各层自己的间隔。",
        "Gaps don't add places; they push the outermost ones further out. Every layer has its own.",
    ),
)
FIELD = {
    "windows_added_up": (
        (
            {"formula": "sum_of_windows"},
            {"formula": "sum_of_windows_and_one"},
            {"formula": "sum_of_spans"},
        ),
        "把各层的宽度直接加了起来：中间那个位置每一层都重复算了一次。",
        "The widths are simply added up: the place in the middle is counted once for every layer.",
        FIELD_HINTS,
    ),
    "windows_multiplied": (
        (
            {"formula": "product_of_windows"},
            {"formula": "product_of_spans"},
            {"formula": "product_with_rates"},
        ),
        "把各层的宽度乘了起来：下一层的窗口互相重叠，不是各看各的。",
        "The widths are multiplied: windows of the layer below overlap, they don't see separate "
        "places.",
        FIELD_HINTS,
    ),
    "own_place_forgotten": (
        {"formula": "no_own_place"},
        "少了 1：自己那个位置也看得见。",
        "One is missing: a place sees itself, too.",
        FIELD_HINTS,
    ),
    "own_place_twice": (
        {"formula": "two_too_many"},
        "多了 1：自己那个位置只算一次。",
        "One too many: a place counts itself only once.",
        FIELD_HINTS,
    ),
    "one_side_only": (
        ({"formula": "one_side"}, {"formula": "one_side_and_itself"}),
        "只数了一边；窗口向左也向右。",
        "Only one side is counted; windows reach to the left and to the right.",
        FIELD_HINTS,
    ),
    "both_sides_twice": (
        {"formula": "both_sides_doubled"},
        "左右各算了一整个窗口：K − 1 已经包括了两边。",
        "Each side is given a whole window: K − 1 holds both sides already.",
        FIELD_HINTS,
    ),
    "one_layer_only": (
        ({"formula": "last_layer"}, {"formula": "first_layer"}, {"formula": "widest_layer"}),
        "只数了一层。",
        "Only one of the layers is counted.",
        FIELD_HINTS,
    ),
    "all_layers_alike": (
        (
            {"formula": "layers_times_last"},
            {"formula": "layers_times_first"},
            {"dilation": "of_the_last"},
            {"dilation": "of_the_first"},
        ),
        "把所有的层当成一样的了：每层有自己的宽度和间隔。",
        "All layers are taken to be alike: each has a width and a rate of its own.",
        FIELD_HINTS,
    ),
    "gaps_ignored": (
        {"dilation": "ignored"},
        "没有用上间隔。",
        "The dilation isn't used.",
        RATE_HINTS,
    ),
    "gaps_used_the_wrong_way": (
        (
            {"formula": "window_times_rate"},
            {"formula": "gaps_alone"},
            {"dilation": "less_one"},
            {"dilation": "plus_one"},
            {"dilation": "multiplied_up"},
            {"dilation": "of_the_layer_below"},
        ),
        "间隔用得不对：一层最左和最右的位置相距 (K − 1) 个间隔，间隔就是这一层自己的。",
        "The dilation is used the wrong way: the outermost places of a layer are K − 1 gaps apart, "
        "gaps of that layer's own rate.",
        RATE_HINTS,
    ),
    "field_is_a_float": (
        {"returned": "float"},
        "返回了小数；个数是整数，整除用 //。",
        "A float is returned; a number of places is whole, and // divides without a fraction.",
        FIELD_HINTS,
    ),
}
