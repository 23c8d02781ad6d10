"""Notebook ch01b, exercises 4 and 5: convolution over a sequence and how far a stack sees."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01b_2_word_vectors import NOTEBOOK, TRAINS
from autograder.exercises.common import gradients, normal
from autograder.exercises.field_mistakes import FIELD
from autograder.exercises.window_mistakes import CONVOLUTION
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import convolution

conv1d_same = Exercise(
    "conv1d_same",
    notebook=NOTEBOOK,
    points=5,
    library="bert_keras.layers.convolution:conv1d_same",
    forbids=(
        "keras.ops.conv",
        "keras.ops.nn.conv",
        "keras.ops.separable_conv",
        "keras.ops.depthwise_conv",
        "keras.layers.Conv1D",
        "keras.layers.SeparableConv1D",
        "tensorflow.nn.conv1d",
        "tensorflow.nn.convolution",
        "bert_keras.layers.convolution.MaskedConvolution",
    ),
)


def _convolution(rng, examples, length, size, width, filters):
    """x, kernel and bias of sizes that differ; no bias is near zero."""
    bias = normal(rng, filters)
    return normal(rng, examples, length, size), normal(rng, width, size, filters), bias + 2


@conv1d_same.case(points=1, zh="宽度为 3 的窗口", en="a window of three")
def three_wide(student, rng):
    """All sizes differ."""
    arguments = _convolution(rng, 2, 8, 4, 3, 5)
    expect(student(*arguments)).equals(convolution.conv1d_same(*arguments), atol=1e-4)


@conv1d_same.case(
    points=1,
    zh="宽度为 1、5，以及比句子还宽的窗口",
    en="windows of one and five, and one wider than the sentence",
)
def other_widths(student, rng):
    """With one row in the kernel every word is by itself; with nine there are mostly zeros."""
    for sizes in ((3, 5, 2, 1, 4), (2, 9, 3, 5, 6), (4, 5, 2, 9, 3)):
        arguments = _convolution(rng, *sizes)
        expect(student(*arguments)).equals(convolution.conv1d_same(*arguments), atol=1e-4)


@conv1d_same.case(points=1, zh="间隔（dilation）大于 1 的窗口", en="windows with gaps (dilation)")
def with_gaps(student, rng):
    """Two and three apart, by position and by name; the last reaches beyond both ends."""
    for sizes, rate in (((2, 11, 3, 3, 4), 2), ((3, 13, 2, 5, 4), 3), ((2, 5, 4, 3, 6), 4)):
        arguments = _convolution(rng, *sizes)
        answer = convolution.conv1d_same(*arguments, rate)
        expect(student(*arguments, rate)).equals(answer, atol=1e-4)
    expect(student(*arguments, dilation_rate=rate)).equals(answer, atol=1e-4)


@conv1d_same.case(
    points=1, zh="梯度能传回 x、kernel 和 bias", en="gradients reach x, kernel and bias"
)
def gradients_flow(student, rng):
    """Against finite differences of the oracle."""
    arguments = _convolution(rng, 2, 5, 3, 3, 2)
    cotangent = normal(rng, 2, 5, 2)
    found = student.gradient(*arguments, wrt=(0, 1, 2), cotangent=cotangent)
    expect(gradients(found, arguments)).equals(
        convolution.conv1d_same_gradient(*arguments, 1, cotangent), atol=1e-3, rtol=1e-3
    )


@conv1d_same.case(points=1, zh=TRAINS.zh, en=TRAINS.en)
def in_training(student, rng):
    """As `fit` calls it: a tensor of unknown batch size that has no numbers yet."""
    arguments = _convolution(rng, 3, 6, 2, 3, 4)
    found = student.in_training(*arguments)
    expect(found).equals(convolution.conv1d_same(*arguments, traced=True), atol=1e-4)


for _name, (_switch, _zh, _en, _hints) in CONVOLUTION.items():
    conv1d_same.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@conv1d_same.property(
    "shape_is_right",
    zh="形状不对：输出和输入一样长，最后一轴是 F。",
    en="The shape is wrong: as long as the input, and F on the last axis.",
)
def shape_is_wrong(seen):
    return not isinstance(seen.expected, tuple) and np.shape(seen.actual) != np.shape(seen.expected)


def _far_from_the_ends(seen):
    """Which places have their whole window inside the sequence."""
    x, kernel, _, *rate = seen.args
    reach = (rate[0] if rate else 1) * (len(kernel) // 2)
    places = np.arange(x.shape[1])
    return (places >= reach) & (places < x.shape[1] - reach)


def _wrong_places(seen):
    gap = np.abs(np.asarray(seen.actual, float) - seen.expected)
    return gap.max(axis=(0, 2)) > 1e-3


@conv1d_same.property(
    "ends_are_right",
    zh="句子中间都对，靠近两端的位置不对。",
    en="The middle of the sequence is right; places near its ends are off.",
)
def only_the_ends_are_wrong(seen):
    inside, bad = _far_from_the_ends(seen), _wrong_places(seen)
    return bool(inside.any() and bad.any() and not bad[inside].any())


@conv1d_same.property(
    "middle_is_right",
    zh="窗口完整地落在句子里的位置也不对。",
    en="Even where the whole window lies inside the sequence, the result is off.",
)
def the_middle_is_wrong(seen):
    return bool(_wrong_places(seen)[_far_from_the_ends(seen)].any())


@conv1d_same.property(
    "gaps_are_right",
    zh="间隔是 1 时都对，大于 1 时才不对。",
    en="It goes wrong with gaps in the window.",
    alone=True,
)
def only_gaps_are_wrong(seen):
    return len(seen.args) == 4


@conv1d_same.property(
    "gradients_are_right",
    zh="输出对了，梯度和有限差分对不上。",
    en="The output is right, but gradients don't agree with finite differences.",
    alone=True,
)
def gradients_are_wrong(seen):
    return isinstance(seen.expected, tuple)


@conv1d_same.property("values", zh="数值不对。", en="The values are off.", alone=True)
def values_are_wrong(seen):
    return not isinstance(seen.expected, tuple)


receptive_field = Exercise(
    "receptive_field",
    notebook=NOTEBOOK,
    points=3,
    library="bert_keras.layers.convolution:receptive_field",
    tensors=False,
)


def _fields(student, *stacks):
    for stack in stacks:
        wanted = convolution.receptive_field(*stack)
        sizes, rates = [*stack, None][:2]
        given = f"kernel_sizes = {sizes}, dilation_rates = {rates}"

        def with_input(got, given=given, wanted=wanted):
            want, is_now = wanted.value, np.asarray(got).item()
            return Text(
                f"{given} 时应为 {want}，实际为 {is_now}。",
                f"For {given} it should be {want}, but is {is_now}.",
            )

        expect(student(*stack)).equals(wanted, otherwise=with_input)


def _odd(rng, count):
    return [int(size) for size in rng.choice([3, 5, 7, 9], count, replace=False)]


@receptive_field.case(points=1, zh="间隔都是 1", en="without gaps")
def without_gaps(student, rng):
    """Windows of several widths, in any order."""
    _fields(student, ([3, 3],), (_odd(rng, 3),), (_odd(rng, 4),))


@receptive_field.case(points=1, zh="间隔大于 1", en="with gaps")
def with_dilation(student, rng):
    """Rates that grow, shrink and repeat."""
    rates = [int(rate) for rate in rng.choice([2, 3, 4, 5], 3, replace=False)]
    _fields(student, ([3, 3, 3], [1, 2, 4]), (_odd(rng, 3), rates), ([5, 3], [4, 2]))


@receptive_field.case(
    points=1, zh="一层、宽度为 1 的层、没有层", en="one layer, layers of width one, no layer"
)
def small_stacks(student, rng):
    """Without any layer an output is its own input."""
    size, rate = _odd(rng, 1)[0], int(rng.integers(2, 6))
    stacks = ([size],), ([size], [rate]), ([1, 3, 1], [7, 2, 3]), ([1, 1],), ([],)
    _fields(student, *stacks)


for _name, (_switch, _zh, _en, _hints) in FIELD.items():
    receptive_field.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@receptive_field.property(
    "whole_number", zh="应当返回一个整数。", en="It should return one whole number."
)
def no_whole_number(seen):
    return np.shape(seen.actual) != () or np.asarray(seen.actual).dtype.kind not in "iu"


@receptive_field.property(
    "plain_stacks",
    zh="间隔都是 1 的时候就不对。",
    en="It is wrong even without gaps.",
)
def wrong_without_gaps(seen):
    return len(seen.args) == 1


@receptive_field.property(
    "stacks_with_gaps", zh="间隔大于 1 的时候不对。", en="It is wrong where windows have gaps."
)
def wrong_with_gaps(seen):
    return len(seen.args) == 2


@receptive_field.property(
    "odd_result",
    zh="结果是偶数：左右对称再加上自己，应当是奇数。",
    en="The result is even: as much to the left as to the right, and itself, make it odd.",
)
def even(seen):
    return int(seen.actual) % 2 == 0
