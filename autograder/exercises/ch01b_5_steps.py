"""Notebook ch01b, exercise 6: steps that wait for each other, and work."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.oracles import steps

NOTEBOOK = "ch01b_words_and_windows"

sequential_steps = Exercise(
    "sequential_steps",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.analysis.steps:sequential_steps",
    tensors=False,
)


def _pair(actual):
    """The result, whose two counts may also come as one array of integers."""

    def unpacked(found):
        array = isinstance(found, np.ndarray) and found.shape == (2,)
        return tuple(found) if array else found

    return derived(actual, unpacked)


def _judge(student, *arguments):
    expect(_pair(student(*arguments))).equals(steps.sequential_steps(*arguments))


def _length(rng):
    return int(rng.integers(40, 90))


@sequential_steps.case(points=1, zh="循环网络", en="a recurrent network")
def recurrent(student, rng):
    """Two lengths and sizes; the width of a window plays no part."""
    _judge(student, "recurrent", _length(rng), int(rng.integers(5, 9)))
    _judge(student, "recurrent", _length(rng), int(rng.integers(9, 13)), 5)


@sequential_steps.case(points=1, zh="卷积：层数正好整除", en="convolution: the layers fit exactly")
def convolution_that_fits(student, rng):
    """The last layer's reach ends at the last word."""
    for size, least in ((5, 4), (9, 2)):
        # The distance is also a multiple of the whole window, so that every way to round shows.
        length = 1 + size // 2 * size * int(rng.integers(least, 2 * least + 1))
        _judge(student, "convolution", length, int(rng.integers(5, 12)), size)


@sequential_steps.case(
    points=1,
    zh="卷积：最后一层绰绰有余；默认宽度",
    en="convolution: the last layer reaches further; the default width",
)
def convolution_with_a_rest(student, rng):
    """One layer more than the division says, and one for a single pair of words."""
    for size in (7, 11):
        rest = int(rng.integers(1, size // 2))
        length = 1 + size // 2 * int(rng.integers(15, 30)) + rest
        _judge(student, "convolution", length, int(rng.integers(5, 12)), size)
    _judge(student, "convolution", _length(rng), 6)
    _judge(student, "convolution", 2, 7, 5)


@sequential_steps.case(points=1, zh="自注意力", en="self-attention")
def attention(student, rng):
    """More words than features, then fewer."""
    _judge(student, "attention", _length(rng), int(rng.integers(5, 12)))
    _judge(student, "attention", int(rng.integers(5, 12)), _length(rng), 7)


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
for _name, (_switch, _zh, _en, _hints) in {
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
    "mac_counted_once": (
        {"mac": "one"},
        "一次乘加算成了 1 次运算；这里约定乘法和加法各算 1 次。",
        "A multiply-add is counted as one; here multiplication and addition count one each.",
        WORK_HINTS,
    ),
    "pair_swapped": (
        {"order": "flops_first"},
        "两个数的次序反了：先步数，后运算量。",
        "The two numbers are in the wrong order: steps first, work second.",
        FORM_HINTS,
    ),
    "counts_are_floats": (
        (
            {"returned": "floats"},
            {"returned": "steps_are_floats"},
            {"returned": "flops_are_floats"},
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
}.items():
    sequential_steps.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@sequential_steps.property(
    "two_counts_returned",
    zh="应当返回两个整数：步数、运算量。",
    en="It should return two whole numbers: steps and work.",
)
def no_two_counts(seen):
    return not (isinstance(seen.actual, tuple) and len(seen.actual) == 2)


for _kind, _zh, _en in (
    ("recurrent", "循环网络", "the recurrent network"),
    ("convolution", "卷积", "the convolution"),
    ("attention", "自注意力", "self-attention"),
):

    @sequential_steps.property(
        f"{_kind}_steps", zh=f"{_zh}的步数不对。", en=f"The steps of {_en} are miscounted."
    )
    def steps_are_wrong(seen, kind=_kind):
        return seen.args[0] == kind and int(seen.actual[0]) != seen.expected[0]

    @sequential_steps.property(
        f"{_kind}_work", zh=f"{_zh}的运算量不对。", en=f"The work of {_en} is miscounted."
    )
    def work_is_wrong(seen, kind=_kind):
        return seen.args[0] == kind and int(seen.actual[1]) != seen.expected[1]
