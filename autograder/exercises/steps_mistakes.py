"""Named mistakes of counting steps and work: switches, sentence, hints."""

STEP_HINTS = (
    (
        "画 5 个词：哪些事可以同时做，哪些非等前一件做完不可？",
        "Draw five words: what can be done at once, and what has to wait for something else?",
    ),
    (
        "步数跟处理器有多快、有多少个都没有关系。",
        "The number of steps has nothing to do with how fast or how many the processors are.",
    ),
)
REACH_HINTS = (
    (
        "宽度为 5 的窗口，自己在正中间：一层能让消息往右走几个位置？"
        "从第一个词到最后一个词要走多远？",
        "A window of five with the word in its middle: how many places does one layer carry news "
        "to the right? How far is it from the first word to the last?",
    ),
    (
        "走 10 个位置，每层走 3 个，要几层？",
        "Ten places to go and three a layer: how many layers?",
    ),
)
WORK_HINTS = (
    (
        "(a, b) 乘 (b, c)：结果有几个数？每个数要几次乘法、几次加法？",
        "(a, b) times (b, c): how many numbers come out, and how many multiplications and "
        "additions does each take?",
    ),
    (
        "把这一种网络里的每个矩阵乘法列成表：形状、出现几次。",
        "List every matrix product of this kind of network: its shapes, and how often it occurs.",
    ),
)
FORM_HINTS = (
    ("返回值有几项？依次是什么？", "How many things are returned, and in which order?"),
    ("两个都是整数：用 //，不用 /。", "Both are whole numbers: it takes // and not /."),
)
STEPS = {
    "recurrent_steps_miscounted": (
        ({"recurrence": "one_less"}, {"recurrence": "matrices_apart"}),
        "循环网络的步数不对：每读一个词算一步，第一个词也算。",
        "The steps of the recurrent network are off: one for every word read, the first included.",
        STEP_HINTS,
    ),
    "recurrence_at_once": (
        {"recurrence": "at_once"},
        "循环网络不能一步读完：每个词都要等前一个词的状态。",
        "A recurrent network can't read in one step: every word waits for the state of the one "
        "before.",
        STEP_HINTS,
    ),
    "one_matrix_in_the_recurrence": (
        {"matrices": "one"},
        "循环网络只数了一个矩阵；输入一个，上一个状态一个。",
        "Only one matrix of the recurrent network is counted; the input has one and the state "
        "another.",
        WORK_HINTS,
    ),
    "both_directions_counted": (
        (
            {"matrices": "both_directions"},
            {"matrices": "both_directions", "recurrence": "matrices_apart"},
        ),
        "循环网络来回各数了一遍；约定只从左到右读一遍。",
        "The recurrent network is counted in both directions; here it reads from left to right "
        "only.",
        WORK_HINTS,
    ),
    "gated_cell_counted": (
        ({"matrices": "lstm"}, {"matrices": "gru"}),
        "数成了带门的 LSTM 或 GRU；这里约定是最简单的循环网络。",
        "That is the work of an LSTM or GRU with its gates; here it is the simplest recurrent "
        "network.",
        WORK_HINTS,
    ),
    "recurrence_squared": (
        {"matrices": "squared_length"},
        "循环网络的运算量多乘了一次长度。",
        "The work of the recurrent network is multiplied by the length once too often.",
        WORK_HINTS,
    ),
    "whole_window_as_reach": (
        (
            {"reach": "both_sides"},
            {"reach": "whole_window"},
            {"reach": "window_from_next"},
            {"reach": "both_sides", "rounding": "down"},
            {"reach": "whole_window", "rounding": "down"},
        ),
        "每层按整个窗口前进了：窗口的中间是自己，向右只有半个窗口。",
        "Every layer is taken to advance by the whole window: its middle is the word itself, and "
        "to the right there is only half of it.",
        REACH_HINTS,
    ),
    "layers_rounded_down": (
        ({"rounding": "down"}, {"rounding": "nearest"}),
        "层数没有向上取整：差一个位置没够到，也还得再加一层。",
        "The layers aren't rounded up: one place short still takes one more layer.",
        REACH_HINTS,
    ),
    "layers_not_whole": (
        {"rounding": "none"},
        "层数成了小数：层数是整数，不够一层也要再加一层，用 // 或 math.ceil 向上取整。",
        "The number of layers has a fraction: layers are whole, and a rest takes one more; round "
        "up with // or math.ceil.",
        REACH_HINTS,
    ),
    "one_layer_too_many": (
        ({"reach": "whole_length"}, {"rounding": "down_and_one"}),
        "整除的时候多算了一层：从第一个词到最后一个词的距离是 T − 1。",
        "Where the division comes out even there is a layer too many: the distance from the first "
        "word to the last is T − 1.",
        REACH_HINTS,
    ),
    "layers_grow_with_the_logarithm": (
        {"reach": "logarithm"},
        "层数按对数算了：那要靠每层更大的间隔；这里各层都没有间隔。",
        "The layers are counted by a logarithm: that takes gaps that grow from layer to layer, "
        "and here there are none.",
        REACH_HINTS,
    ),
    "one_convolution_is_enough": (
        {"reach": "one_layer"},
        "卷积只数了一层：一层只能看见窗口那么远。",
        "Only one convolution is counted: it sees no further than its window.",
        REACH_HINTS,
    ),
    "one_word_a_layer": (
        {"reach": "one_word"},
        "卷积每层只前进了一个词；应当前进半个窗口。",
        "Every layer advances by one word; it should be half a window.",
        REACH_HINTS,
    ),
    "work_of_one_layer": (
        {"layer_work": "one"},
        "卷积的运算量只数了一层；一共有几层就数几层。",
        "The work of only one convolution is counted; there are as many as there are layers.",
        WORK_HINTS,
    ),
    "window_not_in_the_work": (
        ({"window": "left_out"}, {"window": "one_side"}),
        "卷积的运算量里窗口的宽度不对：核的 K 行，每行都是一个矩阵。",
        "The width of the window is wrong in the work: each of the K rows of a kernel is a matrix.",
        WORK_HINTS,
    ),
    "one_channel_counted": (
        {"window": "one_channel"},
        "卷积只数了一个通道：D 个输入特征，D 个输出特征。",
        "Only one channel is counted: there are D features in and D features out.",
        WORK_HINTS,
    ),
    "words_counted_as_steps": (
        ({"parallel": "word"}, {"parallel": "pair"}),
        "把可以同时做的事也当成了一步一步：一层里的所有词（所有词对）互不等待。",
        "What can be done at once is counted as steps: the words, or pairs, within a layer don't "
        "wait for each other.",
        STEP_HINTS,
    ),
    "projections_miscounted": (
        ({"projections": "three"}, {"projections": "none"}, {"projections": "one"}),
        "注意力的投影数得不对：查询、键、值、输出，一共四个。",
        "The projections of attention are miscounted: query, key, value and output make four.",
        WORK_HINTS,
    ),
    "pairs_miscounted": (
        ({"pair_products": "one"}, {"pair_products": "none"}),
        "成对的乘法数得不对：分数一次，加权求和一次。",
        "The products over pairs are miscounted: one for the scores, one for the weighted sum.",
        WORK_HINTS,
    ),
    "pairs_without_order": (
        (
            {"pair_products": "without_order"},
            {"pair_products": "without_itself"},
            {"pair_products": "without_order_and_itself"},
        ),
        "词对数少了：每个词都看所有 T 个词，连自己也看，一共 T² 对。",
        "There are more pairs: every word looks at all T words, itself included, which makes T² "
        "of them.",
        WORK_HINTS,
    ),
    "mac_counted_once": (
        {"mac": "one"},
        "一次乘加算成了 1 次运算；这里约定乘法和加法各算 1 次。",
        "A multiply-add is counted as one; here multiplication and addition count one each.",
        WORK_HINTS,
    ),
    "pair_swapped": (
        (
            {"order": "flops_first"},
            {"order": "flops_first_recurrent"},
            {"order": "flops_first_convolution"},
            {"order": "flops_first_attention"},
        ),
        "两个数的次序反了：先步数，后运算量。",
        "The two numbers are in the wrong order: steps first, work second.",
        FORM_HINTS,
    ),
    "counts_are_floats": (
        (
            {"returned": "floats"},
            {"returned": "steps_are_floats"},
            {"returned": "flops_are_floats"},
            {"returned": "flops_are_floats_convolution"},
        ),
        "返回了小数；个数是整数。",
        "Floats are returned; counts are whole numbers.",
        FORM_HINTS,
    ),
    "one_thing_returned": (
        ({"returned": "steps_only"}, {"returned": "flops_only"}),
        "只返回了一个数；约定返回（步数，运算量）。",
        "Only one number is returned; it should be the pair of steps and work.",
        FORM_HINTS,
    ),
}
