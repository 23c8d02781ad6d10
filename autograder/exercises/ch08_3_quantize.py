"""Notebook ch08, exercise 3: numbers in eight bits."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch08_int8_mistakes import CHANGED, QUANTIZING
from autograder.exercises.ch08_kit import (
    LIBRARY,
    NOTEBOOK,
    ask_whether_it_changes,
    rounds_surely,
    same,
)
from autograder.exercises.common import derived, name_mistakes, normal
from autograder.expectations import expect
from autograder.oracles import int8 as oracles

# Scales are compared relatively: they are small.
CLOSE = {"atol": 1e-9, "rtol": 2e-6}
TRIES = 200

quantize_int8 = Exercise(
    "quantize_int8",
    notebook=NOTEBOOK,
    points=7,
    library=f"{LIBRARY}.quantize:quantize_int8",
    forbids=("keras.quantizers.abs_max_quantize", "keras.src.quantizers.abs_max_quantize"),
    tensors=False,
)


def some_numbers(rng, shape, axis=None, lean=0):
    """Numbers none of which is near a half of a step, slices of very different size.

    Args:
        rng: generator; shape: of the array.
        axis: int or None, the axis along which there will be scales.
        lean: 1 or -1 where the largest size is to be that of a positive or negative number.
    """
    for _ in range(TRIES):
        x = normal(rng, *shape)
        for place, size in enumerate(shape):
            factors = rng.permutation(np.geomspace(0.2, 3.0, size)) if size > 1 else np.ones(1)
            x = x * factors.reshape([-1 if i == place else 1 for i in range(len(shape))])
        if lean:
            x[np.unravel_index(np.abs(x).argmax(), shape)] = lean * 1.7 * np.abs(x).max()
        x = x.astype(np.float32)
        _, scale = oracles.quantize_int8.raw(x.astype(float), axis)
        if rounds_surely(x / scale):
            break
    return x


def with_halves(rng, shape):
    """Multiples of half a step of 1/32, with a largest size of 127 steps."""
    steps = rng.permutation(np.arange(-100, 100))[: int(np.prod(shape))] + 0.5
    steps[rng.integers(1, len(steps))] = -127.0
    steps[0] = 126.0
    return (steps / 32).reshape(shape).astype(np.float32)


def _judge(student, x, axis=None):
    """With `axis` left out where it is None, now and then."""
    given = (x.copy(),) if axis is None and x.ndim != 2 else (x.copy(), axis)
    expect(student(*given)).equals(oracles.quantize_int8(x, axis), **CLOSE)


@quantize_int8.case(
    points=2,
    zh="一个尺度：最大的是正数，最大的是负数",
    en="one scale: the largest size is a positive number, or a negative one",
)
def one_scale(student, rng):
    """A matrix, a row and three axes."""
    _judge(student, some_numbers(rng, (4, 5), lean=-1))
    _judge(student, some_numbers(rng, (6,), lean=1))
    _judge(student, some_numbers(rng, (2, 3, 4), lean=-1))


@quantize_int8.case(
    points=2,
    zh="每一列、每一行、每个位置各有尺度",
    en="a scale for each column, for each row, for each index of three axes",
)
def scales_of_an_axis(student, rng):
    """The outputs of a kernel first; a square one, where scales of the other axis fit, too."""
    for shape, axis in (((5, 3), 1), ((4, 4), 0), ((4, 4), 1), ((2, 3, 4), 1), ((3, 5), 0)):
        _judge(student, some_numbers(rng, shape, axis), axis)


@quantize_int8.case(
    points=1,
    zh="负的 axis；只有一个轴；只有一个数",
    en="a negative axis; a single axis; a single number",
)
def negative_axes(student, rng):
    """Of one axis every number has a scale of its own."""
    for shape, axis in (((4, 3), -1), ((3, 4), -2), ((2, 4, 3), -2), ((5,), 0)):
        _judge(student, some_numbers(rng, shape, axis), axis)
    _judge(student, np.array([[-0.3]], np.float32))


@quantize_int8.case(
    points=1,
    zh="全是 0：尺度是 1；正好一半：取偶数",
    en="nothing but zeros: a scale of 1; an exact half: to the even one",
)
def zeros_and_halves(student, rng):
    """A whole array, and a column among others; a step is a power of two, so halves are exact."""
    x = some_numbers(rng, (4, 3), 1)
    x[:, 1] = 0
    _judge(student, x, 1)
    _judge(student, np.zeros((3, 2), np.float32))
    _judge(student, with_halves(rng, (4, 6)))
    _judge(student, with_halves(rng, (30,)))


def types_of(found):
    """The dtypes of both as a text; anything else stays as it is."""

    def in_words(pair):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            return pair
        return ", ".join(str(np.asarray(part).dtype) for part in pair)

    return derived(found, in_words)


@quantize_int8.case(
    points=1,
    zh="q 是 int8，scale 是 float32；x 不改动",
    en="q is int8 and scale float32; x is left alone",
)
def types_and_x(student, rng):
    """With one scale and with several."""
    x = some_numbers(rng, (4, 3), 1)
    for axis in (1, None):
        expect(types_of(student(x.copy(), axis))).equals(oracles.quantized_types())
    ask_whether_it_changes(student, (x, 1), CHANGED)
    ask_whether_it_changes(student, (x,), CHANGED)


name_mistakes(quantize_int8, QUANTIZING)


def _pair(seen):
    """q and scale that came back, and those that should have.

    Raises:
        LookupError: the observation is about something else, or there is no pair.
    """
    if seen.prediction.parts != ("q", "scale"):
        raise LookupError("about something else")
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 2:
        raise LookupError("no pair")
    return *(np.asarray(part) for part in seen.actual), *seen.expected


@quantize_int8.property(
    "a_pair_comes_back",
    zh="应当返回一对：整数 q，形状和 x 相同；和浮点数 scale。",
    en="A pair should come back: whole numbers q of the shape of x, and scale, of floats.",
)
def no_pair(seen):
    if seen.prediction.parts != ("q", "scale"):
        return False
    try:
        q, scale, wanted, _ = _pair(seen)
    except LookupError:
        return True
    return q.shape != wanted.shape or q.dtype.kind not in "iu" or scale.dtype.kind != "f"


@quantize_int8.property(
    "scale_has_its_shape",
    zh="scale 的形状不对：axis=None 时是 ()；否则轴数和 x 一样，别的轴长度是 1。",
    en="scale has a wrong shape: () for axis=None, and else as many axes as x, all others of "
    "length 1.",
)
def scale_of_another_shape(seen):
    _, scale, _, wanted = _pair(seen)
    return scale.shape != wanted.shape


@quantize_int8.property(
    "scale_is_right",
    zh="尺度不对：最大的绝对值 / 127，全是 0 时是 1。",
    en="Scales are wrong: the largest absolute value / 127, and 1 where all numbers are 0.",
)
def scale_is_wrong(seen):
    _, scale, _, wanted = _pair(seen)
    return scale.shape == wanted.shape and not same(scale, wanted, **CLOSE)


@quantize_int8.property(
    "no_128",
    zh="q 里有 −128；应当都在 −127 到 127 之间。",
    en="There is a −128 in q; all of it should be from −127 to 127.",
)
def there_is_128(seen):
    q, _, _, _ = _pair(seen)
    return q.dtype.kind == "i" and bool((q < -127).any())


@quantize_int8.property(
    "signs_are_kept",
    zh="q 里有的数跟 x 的正负号相反。",
    en="Some numbers of q have the opposite sign of x.",
)
def another_sign(seen):
    q, _, wanted, _ = _pair(seen)
    return bool((q.astype(float) * wanted < 0).any())


@quantize_int8.property(
    "numbers_are_rounded",
    zh="尺度对了，q 不对：x / scale 取最近的整数，正好一半取偶数。",
    en="Scales are right, and q isn't: x / scale goes to the nearest whole number, an exact half "
    "to the even one.",
)
def another_rounding(seen):
    q, scale, wanted, right = _pair(seen)
    return same(scale, right, **CLOSE) and q.shape == wanted.shape and bool((q != wanted).any())


@quantize_int8.property(
    "types_are_right",
    zh="类型不对：q 应当是 int8，scale 应当是 float32。",
    en="The types are wrong: q should be int8, and scale float32.",
)
def other_types(seen):
    return seen.prediction.parts == ("types",)


@quantize_int8.property("x_is_left_alone", zh=CHANGED.zh, en=CHANGED.en)
def x_is_changed(seen):
    return seen.prediction.parts == ("unchanged",)
