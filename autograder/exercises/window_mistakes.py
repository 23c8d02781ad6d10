"""Named mistakes of convolutions: switches, sentence, hints."""

from autograder.exercises.bag_mistakes import STOPS

WINDOW_HINTS = (
    (
        "拿一句 5 个词、每个词一个特征的句子，核取 (1, 10, 100)：手算第 2 个位置。",
        "Take five words of one feature each and the kernel (1, 10, 100), and work out place 2 by "
        "hand.",
    ),
    (
        "让输入只有一处是 1、其余是 0。这个 1 右边的位置要往左看才看得见它："
        "那里应当出现核的第几行？",
        "Take an input of zeros with a single 1. The place to the right of it sees it by looking "
        "to the left: which row of the kernel should come out there?",
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
    # NumPy cuts the gradient as well; a batch size that is frozen in doesn't.
    "stops_in_training": (
        ({"inside": "numbers"}, {"inside": "numbers", "flow": "none"}),
        *STOPS,
    ),
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
    "only_first_row_used": (
        {"rows": "first_only"},
        "只用上了核的第 0 行：是不是在循环的第一圈就 return 了？",
        "Only row 0 of the kernel is used: does it return in the first turn of a loop?",
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
    "negative_places_wrap": (
        ({"ends": "negative_wraps"}, {"ends": "negative_wraps_else_nearest"}),
        "位置成了负数，下标就绕到了句尾：左端之外应当是 0。",
        "A place before the start has a negative index, which counts from the end of the sentence; "
        "there should be a zero instead.",
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
    "gaps_in_the_zeros_only": (
        {"dilation": "in_the_zeros_only"},
        "补 0 时用了间隔，取词时却没有：核的相邻两行还是看着紧挨着的词。",
        "The dilation goes into the zeros at the ends, but not into the places that are looked at: "
        "neighbouring rows still see neighbouring words.",
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
