"""Notebook ch01b, exercise 6: steps that wait for each other, and work."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import derived
from autograder.exercises.steps_mistakes import STEPS
from autograder.expectations import expect
from autograder.messages import Text
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
    wanted = steps.sequential_steps(*arguments)
    kind, length, size, *width = arguments
    given = f'kind = "{kind}", length = {length}, hidden_dim = {size}'
    given += f", kernel_size = {width[0]}" if width else ""

    def with_input(got):
        want, is_now = wanted.value, tuple(np.asarray(part).item() for part in got)
        return Text(
            f"{given} 时应为 {want}，实际为 {is_now}。",
            f"For {given} it should be {want}, but is {is_now}.",
        )

    expect(_pair(student(*arguments))).equals(wanted, otherwise=with_input)


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


for _name, (_switch, _zh, _en, _hints) in STEPS.items():
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
