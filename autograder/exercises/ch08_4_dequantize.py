"""Notebook ch08, exercise 4: back from eight bits."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch08_back_mistakes import BACK, Q_CHANGED
from autograder.exercises.ch08_kit import LIBRARY, NOTEBOOK, ask_whether_it_changes
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.oracles import int8 as oracles

CLOSE = {"atol": 1e-7, "rtol": 2e-6}

dequantize = Exercise(
    "dequantize",
    notebook=NOTEBOOK,
    points=3,
    library=f"{LIBRARY}.quantize:dequantize",
    tensors=False,
)


def some_quantized(rng, shape, axis=None, largest=0.05):
    """int8 numbers of all sizes, and scales of very different size."""
    q = rng.integers(-127, 128, shape).astype(np.int8)
    q.flat[0], q.flat[1], q.flat[2] = -127, 127, 0
    if axis is None:
        return q, np.asarray(rng.uniform(0.3, 1.0) * largest, np.float32)
    sizes = [size if place == axis else 1 for place, size in enumerate(shape)]
    scales = rng.permutation(np.geomspace(0.05, 1.0, shape[axis])) * largest
    return q, scales.reshape(sizes).astype(np.float32)


def _judge(student, q, scale):
    expect(student(q.copy(), scale.copy())).equals(oracles.dequantize(q, scale), **CLOSE)


@dequantize.case(points=1, zh="一个尺度", en="one scale")
def one_scale(student, rng):
    """Results below 1 and above 127."""
    _judge(student, *some_quantized(rng, (3, 4)))
    _judge(student, *some_quantized(rng, (12,), largest=6.0))
    _judge(student, *some_quantized(rng, (2, 3, 4), largest=0.004))


@dequantize.case(
    points=1,
    zh="每列、每行、三个轴里的一个各有尺度",
    en="scales for columns, for rows, for one of three axes",
)
def several_scales(student, rng):
    """Square arrays, where scales of the other axis fit, too."""
    for shape, axis in (((5, 3), 1), ((4, 4), 0), ((4, 4), 1), ((2, 3, 4), 1)):
        _judge(student, *some_quantized(rng, shape, axis, largest=3.0))


@dequantize.case(
    points=1,
    zh="类型是 float32；q 不改动",
    en="the type is float32; q is left alone",
)
def type_and_q(student, rng):
    """With one scale and with several."""
    for axis in (None, 1):
        q, scale = some_quantized(rng, (4, 4), axis)  # square, where nothing clashes
        found = student(q.copy(), scale.copy())
        kind = derived(found, lambda x: str(np.asarray(x).dtype))
        expect(kind).equals(oracles.dequantized_type())
        ask_whether_it_changes(student, (q, scale), Q_CHANGED)


name_mistakes(dequantize, BACK)


def _numbers(seen):
    """What came back and what should have.

    Raises:
        LookupError: about something else, or another shape.
    """
    got = np.asarray(seen.actual)
    if seen.prediction.parts != ("x",) or got.shape != seen.expected.shape:
        raise LookupError("no numbers of the right shape")
    return got, seen.expected


@dequantize.property(
    "shape_stays",
    zh="形状应当和 q 的相同。",
    en="The shape should be that of q.",
)
def another_shape(seen):
    return seen.prediction.parts == ("x",) and np.shape(seen.actual) != seen.expected.shape


@dequantize.property(
    "zero_stays_zero",
    zh="q 是 0 的地方，结果不是 0。",
    en="Where q is 0 the result isn't.",
)
def zero_moves(seen):
    got, _ = _numbers(seen)
    return bool((got[seen.args[0] == 0] != 0).any())


@dequantize.property(
    "right_with_one_scale",
    zh="只有一个尺度时就不对。",
    en="It is wrong even with a single scale.",
)
def wrong_with_one(seen):
    got, wanted = _numbers(seen)
    return np.ndim(seen.args[1]) == 0 and not np.allclose(got, wanted, **CLOSE)


@dequantize.property(
    "right_with_several_scales",
    zh="有好几个尺度时不对：谁乘谁？",
    en="It is wrong with several scales: which goes with which numbers?",
    alone=True,
)
def wrong_with_several(seen):
    got, wanted = _numbers(seen)
    return np.ndim(seen.args[1]) > 0 and not np.allclose(got, wanted, **CLOSE)


@dequantize.property(
    "type_is_float32",
    zh="类型应当是 float32。",
    en="The type should be float32.",
)
def another_type(seen):
    return seen.prediction.parts == ("type",)


@dequantize.property("q_is_left_alone", zh=Q_CHANGED.zh, en=Q_CHANGED.en)
def q_is_changed(seen):
    return seen.prediction.parts == ("unchanged",)
