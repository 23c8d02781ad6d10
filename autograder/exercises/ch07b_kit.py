"""What the exercises of notebook ch07b share: refusals, arguments that stay, hints."""

import numpy as np

from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles.head_queries import unchanged

NOTEBOOK = "ch07b_layers_and_languages"
PROBING = "bert_keras.analysis.probing"
REPRESENTATION = "bert_keras.analysis.representation"
CHANGED = Text(
    "传进来的数组被改动了。",
    "An array that was handed in is changed.",
)
CHANGE_HINTS = (
    (
        "调用前后各打印一次传进来的数组：哪一行让它变了？",
        "Print the arrays that are handed in before and after the call: which line changes them?",
    ),
    (
        "-=、/= 和带方括号的赋值写进原来的数组；等号右边算出来的是一个新的。",
        "-=, /= and assignments with brackets write into the array itself; what is computed on "
        "the right of a plain = is a new one.",
    ),
)
ARGUMENT_CHANGED = (
    {"edits": "in_place"},
    CHANGED.zh,
    CHANGED.en,
    CHANGE_HINTS,
)
REFUSAL_HINTS = (
    (
        "拿每一种不该接受的输入各试一次：你的函数返回了什么，还是抛出了什么？",
        "Try each kind of input that shouldn't be accepted: what does your function return, or "
        "raise?",
    ),
    (
        "开头先看一眼输入，不对就 raise ValueError，说清楚收到的是什么；等后面自己出错，"
        "就不一定是什么错了。",
        "Look at the input first, and where it is no good raise a ValueError that says what was "
        "given; left to itself, another error comes, or none.",
    ),
)


def ask_for_refusals(found, wanted, kinds):
    """Every one of these calls should have raised a ValueError.

    Args:
        found: what the calls gave.
        wanted: prediction of a bool array, one for each call.
        kinds: for every call a `Text` that says what it was handed.
    """
    for each in found:  # not filled in yet, which is told as such
        if isinstance(each, Failed) and each.error.type == "NotImplementedError":
            expect(each).equals(wanted)
    told = [isinstance(each, Failed) and each.error.type == "ValueError" for each in found]

    def said(got):
        place = int(np.argmin(got))
        each, kind = found[place], kinds[place]
        if not isinstance(each, Failed):
            return Text(
                f"{kind.zh}：应当抛出 ValueError，却返回了结果。",
                f"{kind.en}: a ValueError should be raised, and a result came back.",
            )
        return Text(
            f"{kind.zh}：抛出的是 {each.error.type}，应当是 ValueError。",
            f"{kind.en}: {each.error.type} was raised; it should be ValueError.",
        )

    expect(np.array(told)).equals(wanted, otherwise=said)


def ask_whether_arrays_change(student, *given):
    """The arrays should be afterwards what they were before."""
    both = student.followed_by(fixture("copies_afterwards"), fixture("copies_to_change", *given))
    before = [each for each in given if isinstance(each, np.ndarray)]

    def alike(found):
        pairs = zip(found[1], before, strict=True)
        return np.asarray(all(np.array_equal(after, each) for after, each in pairs))

    expect(derived(both, alike)).equals(unchanged(), otherwise=CHANGED)


def numbers_of(seen, *parts):
    """What came back and what should have, as float arrays of one shape.

    Raises:
        LookupError: the observation is about something else, or the shape is another.
    """
    if seen.prediction.parts != parts:
        raise LookupError("about something else")
    got = np.asarray(seen.actual, float)
    if got.shape != np.shape(seen.expected):
        raise LookupError("another shape")
    return got, np.asarray(seen.expected, float)


def add_shape_property(exercise, zh, en, *parts):
    """Register that the shape is right."""

    @exercise.property("shape_is_right", zh=zh, en=en)
    def shape_is_wrong(seen):
        if seen.prediction.parts != parts:
            return False
        return np.shape(seen.actual) != np.shape(seen.expected)


def add_finite_property(exercise, *parts):
    """Register that all numbers are finite."""

    @exercise.property(
        "all_is_finite",
        zh="结果里有 NaN 或无穷大。",
        en="There are NaN or infinities in the result.",
    )
    def something_is_not_finite(seen):
        got, _ = numbers_of(seen, *parts)
        return not np.isfinite(got).all()


def add_last_properties(exercise, refused=None):
    """Register that arrays stay as they are, and that bad input is refused where it should be.

    Args:
        exercise: the exercise.
        refused: None, or a `Text` that says what should be refused.
    """
    if refused is not None:

        @exercise.property("bad_input_is_refused", zh=refused.zh, en=refused.en)
        def not_refused(seen):
            return seen.prediction.parts == ("refused",)

    @exercise.property("arguments_are_left_alone", zh=CHANGED.zh, en=CHANGED.en)
    def something_is_changed(seen):
        return seen.prediction.parts == ("unchanged",)
