"""Mistakes in reading a batch from the left and from the right: switches, sentences and hints."""

from autograder.exercises.ch01a_2_rnn import GRADIENT_LOST

STACK_HINTS = (
    (
        "只有一层时对不对？两层时，第二层拿到的是什么？",
        "Is it right with a single layer? With two, what is the second one given?",
    ),
    (
        "在纸上画出 x、第一层、第二层，箭头从谁指向谁？",
        "Draw x, the first layer and the second on paper: which arrows run from which to which?",
    ),
)
LIST_HINTS = (
    (
        "L 层应当返回几个张量？打印一下返回值的长度和每个的形状。",
        "How many tensors should come back for L layers? Print the length of what you return, and "
        "the shape of each.",
    ),
    (
        "列表里的第 0 个应当是谁的输出？最后一个呢？",
        "Whose output should number 0 in the list be? And the last?",
    ),
)
NUMBER_HINTS = (
    (
        "给一层、两层、三层各试一次：都跑得通吗，各返回几个？",
        "Try it with one layer, with two and with three: does it run, and how many come back?",
    ),
    (
        "你的代码里哪个数字写死了？",
        "Which number is written into your code for good?",
    ),
)
CALL_HINTS = (
    (
        "数一数：L 层，你一共调用了几次？",
        "Count: with L layers, how many calls do you make?",
    ),
    (
        "一次调用的结果要用在两处：存进列表，交给下一层。",
        "The result of one call is used in two places: in the list, and by the next layer.",
    ),
)
INPUT_CHANGED_HINTS = (
    (
        "同一个列表调用两次，两次结果一样吗？",
        "Call it twice with the same list: are both results the same?",
    ),
    (
        "要加东西的时候，加在你自己新建的列表里。",
        "If something has to be added, add it to a list that you made yourself.",
    ),
)
TURN_HINTS = (
    (
        "拿一句 3 个词元、补了 2 个填充的句子，写出网络依次读到的五个位置。",
        "Take a sentence of 3 tokens with 2 pads, and write down the five positions in the order "
        "in which the network reads them.",
    ),
    (
        "多补一个填充，最后一个真词元的状态变了吗？应当变吗？",
        "Add one more pad: does the state of the last real token change? Should it?",
    ),
)
BACK_HINTS = (
    (
        "网络的第 0 个输出，属于原文的第几个词元？",
        "Which token of the text does output 0 of the network belong to?",
    ),
    (
        "只改句子的第一个词元：哪个位置的状态应当变，你的呢？",
        "Change nothing but the first token: the state of which position should move, and which "
        "of yours does?",
    ),
)
LEFT_HINTS = (
    (
        "改动位置 0 的词元，位置 1 以后的状态应当一个也不动。第一层做到了吗？第二层呢？",
        "Change the token at position 0: no state from position 1 on should move. Does the first "
        "layer keep to that? And the second?",
    ),
    (
        "第一层的输出现在按什么次序排着？第二层从哪一头读它？",
        "In which order do the outputs of the first layer stand now, and from which end does the "
        "second layer read them?",
    ),
)
LOST = (
    {"gradient": "lost"},
    GRADIENT_LOST["zh"],
    GRADIENT_LOST["en"],
    GRADIENT_LOST["hints"],
)

STACK = {
    "layers_side_by_side": (
        {"stacked": "side_by_side"},
        "每一层读的都是 x：第二层应当读第一层的输出，一层叠一层。",
        "Every layer reads x: the second should read what the first gives, and so on upwards.",
        STACK_HINTS,
    ),
    "input_added": (
        ({"stacked": "residual_kept"}, {"stacked": "residual"}),
        "层的输入又加到了输出上；这里约定的只是输出本身。",
        "A layer's input is added to its output; what was agreed is the output itself.",
        STACK_HINTS,
    ),
    "layers_in_another_order": (
        (
            {"order": "backwards"},
            {"order": "first_repeated"},
            {"order": "last_repeated"},
            {"stacked": "first_below_all"},
        ),
        "层的次序不对：有的层用了两次，或者从最后一层用起，或者总是读第一层。",
        "The layers aren't taken in their order: one is used twice, or the last one comes first, "
        "or all of them read the first.",
        STACK_HINTS,
    ),
    "two_layers_only": (
        {"order": "two_only"},
        "层数写死成了两层；有几层就读几层，一层、三层都要能用。",
        "It is written for just two layers; there may be any number, one or three as well.",
        NUMBER_HINTS,
    ),
    "only_some_layers_returned": (
        (
            {"kept": "last"},
            {"kept": "last_in_a_list"},
            {"kept": "without_first"},
            {"kept": "without_last"},
        ),
        "没有返回所有层的状态；每一层的都要。",
        "Not all layers' states come back; every one of them is wanted.",
        LIST_HINTS,
    ),
    "input_returned_too": (
        ({"kept": "with_input"}, {"kept": "input_for_last"}),
        "x 自己也放进了列表；里面应当只有各层的输出。",
        "x itself stands in the list; only the outputs of the layers should.",
        LIST_HINTS,
    ),
    "top_layer_first": (
        {"kept": "reversed"},
        "列表的次序反了：第一层的输出应当排在最前面。",
        "The list is the wrong way round: the first layer's output should come first.",
        LIST_HINTS,
    ),
    "one_state_for_all_layers": (
        {"kept": "last_of_all"},
        "列表里每一个都是最上面一层的状态。",
        "All entries of the list are the top layer's states.",
        LIST_HINTS,
    ),
    "layers_merged": (
        (
            {"kept": "one_tensor"},
            {"kept": "one_tensor_inside"},
            {"kept": "sum"},
            {"kept": "mean"},
            {"kept": "concatenated"},
        ),
        "各层的状态并成了一个张量；应当是一个列表，一层一个。",
        "The layers' states are merged into one tensor; a list is wanted, with one for each layer.",
        LIST_HINTS,
    ),
    "pair_returned": (
        {"kept": "pair"},
        "返回的是一对东西；应当只是各层状态的列表。",
        "A pair comes back; it should be the list of states and nothing else.",
        LIST_HINTS,
    ),
}

FORWARD = {
    **STACK,
    "only_the_last_position": (
        {"kept": "last_step"},
        "只留下了最后一个位置的状态；每个位置的都要。",
        "Only the last position's state is kept; every position's is wanted.",
        LIST_HINTS,
    ),
    "read_from_the_right": (
        ({"reading": "backward"}, {"reading": "backward_and_back"}),
        "把 x 倒过来读了；这里从左往右读，倒读是下一题的事。",
        "x is read backwards; here it is read from left to right, and backwards in the next "
        "exercise.",
        STACK_HINTS,
    ),
    "layers_called_again": (
        tuple({"calls": which} for which in ("passed_on", "kept", "both", "all_over")),
        "有的层调用了不止一次；每一层只调用一次。（带 dropout 的层，两次调用的结果不一样。）",
        "A layer is called more than once; each should be called just once. (A layer with dropout "
        "gives something else the second time.)",
        CALL_HINTS,
    ),
    "list_changed": (
        ({"changed": "emptied"}, {"changed": "longer"}),
        "传进来的列表被改动了：调用者手里的也跟着变了。",
        "A list that was handed in is changed, and with it the caller's.",
        INPUT_CHANGED_HINTS,
    ),
    "gradient_lost": LOST,
}

BACKWARD = {
    "padding_read_first": (
        (
            {"reversal": "whole", "turned_back": "whole"},
            {"reversal": "padding_zeroed_first", "turned_back": "whole"},
            {"reversal": "by_the_longest", "turned_back": "by_the_longest"},
            {"reversal": "whole", "turned_back": "whole", "between": "turned"},
        ),
        "倒的时候没有管每行自己的句长（倒的是整行，或者整批最长的那一句的长度）：短的句子，网络先读"
        "到填充，然后才是句子。",
        "Rows are turned around without regard to their own lengths (as whole rows, or by the "
        "longest sentence of the batch): of a short one the network reads padding first and only "
        "then the sentence.",
        TURN_HINTS,
    ),
    "mirror_one_place_off": (
        {"reversal": "one_too_far", "turned_back": "one_too_far"},
        "倒的时候差了一格：编号从 0 数起，位置 0 却去取了第 n 个，那已经在最后一个真词元之后了"
        "（满的一行里会超出范围）。",
        "The mirror image is one place off: places count from 0, and position 0 is taken from "
        "place n, which is beyond the last real token (in a full row, beyond its end).",
        TURN_HINTS,
    ),
    "length_of_another_row": (
        {"reversal": "by_the_first_row", "turned_back": "by_the_first_row"},
        "整批都用了第一行的句长；每一行有它自己的。",
        "The whole batch uses the length of its first row; each row has its own.",
        TURN_HINTS,
    ),
    "not_turned_back": (
        (
            {"turned_back": "not"},
            {"reversal": "whole", "turned_back": "not"},
            {"reversal": "by_the_longest", "turned_back": "not"},
        ),
        "状态没有倒回原文的次序：位置 0 放着的是最后一个词元的状态。",
        "The states aren't turned back into the order of the text: position 0 holds that of the "
        "last token.",
        BACK_HINTS,
    ),
    "turned_back_as_whole_rows": (
        (
            {"turned_back": "whole"},
            {"turned_back": "by_the_longest"},
            {"reversal": "whole", "turned_back": "real"},
        ),
        "去和回不是同一种倒法：一次按句长，一次整行。",
        "There and back are turned in different ways: once by length, once as whole rows.",
        BACK_HINTS,
    ),
    "read_from_the_left": (
        (
            {"reversal": "not", "turned_back": "not"},
            {"reversal": "not"},
            {"reversal": "not", "turned_back": "whole"},
        ),
        "还是从左往右读的：倒过来要在读之前。",
        "It still reads from left to right: the turning has to come before the reading.",
        BACK_HINTS,
    ),
    "another_axis_turned": (
        (
            {"reversal": "features", "turned_back": "features"},
            {"reversal": "features", "turned_back": "not"},
            {"reversal": "batch", "turned_back": "not"},
        ),
        "倒的不是时间那一轴（倒了批次或特征）。",
        "It isn't time that is turned around, but the batch or the features.",
        BACK_HINTS,
    ),
    "a_layer_reads_from_the_left": (
        (
            {"between": "turned"},
            {"between": "forward_above"},
            {"between": "forward_above_turned"},
        ),
        "有一层是从左往右读的：它看见了左边的词元，也就看见了要猜的答案。",
        "One of the layers reads from the left: it has seen the tokens on the left, and with them "
        "what is to be guessed.",
        LEFT_HINTS,
    ),
    "one_position_off": (
        ({"aligned": "one_to_the_left"}, {"aligned": "one_to_the_right"}),
        "状态错开了一格：位置 t 的状态应当正好读到第 t 个词元为止。",
        "The states are one position off: that of position t should have read down to token t.",
        BACK_HINTS,
    ),
    **STACK,
    "gradient_lost": LOST,
}
