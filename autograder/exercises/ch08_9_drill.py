"""Notebook ch08, exercise 9: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch08_drill_mistakes import ILL_HINTS, ILLS, OTHERS, STILL_ILL
from autograder.exercises.ch08_kit import NOTEBOOK, rounds_surely
from autograder.exercises.common import derived, name_mistakes, normal
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.oracles import int8_layer as oracles

CLOSE = {"atol": 2e-4, "rtol": 1e-4}
TRIES = 300
DRILL_BUGS = tuple(ILLS)

drill = Exercise(
    "drill_ch08_compression",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    tensors=False,
    variants=DRILL_BUGS,
)


def _is_sure(x, kernel, share):
    """Whether rounding errors can change neither what is pruned nor any whole number."""
    sizes = np.sort(np.abs(kernel), axis=None)
    count = round(share * sizes.size)
    if 0 < count < sizes.size and sizes[count] - sizes[count - 1] < 1e-3:
        return False
    small = oracles.pruned(kernel.astype(float), share, "absolute", "round", "smallest")
    for array, axes in ((small, (0,)), (x.astype(float), (1,))):
        _, scale = oracles.quantized(array, axes, "", "127", "to_even")
        if not rounds_surely(array / scale):
            return False
    return True


def some_layer(rng, batch, wide, out, share, shift=0.0, zero_row=False):
    """Arguments: rows of x, columns of kernel and biases are of very different size.

    Args:
        rng: generator; batch, wide, out: B, in and out.
        share: float, of weights that go.
        shift: float, by which everything leans to one side, so that sums grow large.
        zero_row: whether the last row of x is zeros.
    """
    for _ in range(TRIES):
        x = (normal(rng, batch, wide) + shift) * rng.permutation(np.geomspace(0.3, 4.0, batch))[
            :, None
        ]
        kernel = (normal(rng, wide, out) + shift) * rng.permutation(np.geomspace(0.3, 2.0, out))
        x, kernel = x.astype(np.float32), kernel.astype(np.float32)
        if zero_row:
            x[-1] = 0
        if _is_sure(x, kernel, share):
            break
    bias = (2.0 + normal(rng, out)).astype(np.float32)
    return x, kernel, bias, float(share)


def _judge(student, given):
    copies = [x.copy() for x in given[:3]]
    found = student.named("repaired")(*copies, given[3])
    expect(found).equals(oracles.int8_layer(*given), **CLOSE)
    kind = derived(found, lambda output: str(np.asarray(output).dtype))
    expect(kind).equals(oracles.output_type())


ask_for_the_name(drill)


@drill.case(
    points=2,
    zh="修好之后：share = 0，几行几列，大小悬殊",
    en="repaired: share = 0, rows and columns of very different size",
)
def repaired_without_pruning(student, rng):
    """All sizes differ; then as many rows as inputs and outputs."""
    for batch, wide, out in ((3, 4, 5), (4, 5, 2), (4, 4, 4)):
        _judge(student, some_layer(rng, batch, wide, out, 0.0))


@drill.case(
    points=1,
    zh="修好之后：去掉一部分",
    en="repaired: some weights go",
)
def repaired_with_pruning(student, rng):
    """Numbers that round up, down and not at all."""
    for (batch, wide, out), share in (((3, 4, 5), 0.5), ((2, 6, 4), 0.4), ((3, 5, 6), 0.72)):
        _judge(student, some_layer(rng, batch, wide, out, share))


@drill.case(
    points=1,
    zh="修好之后：输入很多，和很大",
    en="repaired: many inputs and large sums",
)
def repaired_with_large_sums(student, rng):
    """Of one sign, so that they add up."""
    for batch, wide, out in ((2, 24, 3), (3, 40, 2)):
        _judge(student, some_layer(rng, batch, wide, out, 0.3, shift=2.0))


@drill.case(
    points=1,
    zh="修好之后：全是 0 的行；全都去掉；只有一行一列",
    en="repaired: a row of zeros; everything goes; a single row and column",
)
def repaired_at_the_edges(student, rng):
    """Where a scale would be 0."""
    _judge(student, some_layer(rng, 3, 4, 2, 0.25, zero_row=True))
    _judge(student, some_layer(rng, 2, 3, 4, 1.0))
    _judge(student, some_layer(rng, 1, 5, 1, 0.4))


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：share = 0 和 0.5、x 一行和几行、输入两个和四十个，各跟 "
            "x @ kernel + bias 比一比。",
            "Don't read yet, experiment: share = 0 and 0.5, one row of x and several, two inputs "
            "and forty, each beside x @ kernel + bias.",
        ),
        (
            "差一点点的，是量化本来的误差；差得多的，跟哪一样有关？",
            "A little off is what eight bits cost; what does it depend on when it is far off?",
        ),
    ),
)
for _name, _switch in ILLS.items():
    drill.misconception(
        _name,
        switch=_switch,
        zh=STILL_ILL.zh,
        en=STILL_ILL.en,
        hints=ILL_HINTS,
        hides_properties=True,
    )
name_mistakes(drill, OTHERS)


def _outputs(seen):
    """The output that came back and the right one.

    Raises:
        LookupError: about something else, or no floats of the right shape.
    """
    got = np.asarray(seen.actual)
    if seen.prediction.parts != ("output",) or got.shape != seen.expected.shape:
        raise LookupError("no output of the right shape")
    if got.dtype.kind != "f":
        raise LookupError("no floats")
    return got, seen.expected


@drill.property(
    "floats_of_the_right_shape",
    zh="repaired 应当返回 (B, out) 的浮点数组。",
    en="repaired should return a float array of shape (B, out).",
)
def another_form(seen):
    if seen.prediction.parts != ("output",):
        return False
    try:
        _outputs(seen)
    except LookupError:
        return True
    return False


@drill.property(
    "all_is_finite", zh="结果里有 NaN 或无穷大。", en="There are NaN or infinities in the result."
)
def not_finite(seen):
    return not np.isfinite(_outputs(seen)[0]).all()


@drill.property(
    "right_without_pruning",
    zh="share = 0 时就不对：先不管剪枝，看量化和尺度。",
    en="It is wrong even with share = 0: leave pruning aside and look at eight bits and scales.",
)
def wrong_without_pruning(seen):
    _outputs(seen)
    return seen.args[3] == 0


@drill.property(
    "right_with_pruning",
    zh="share 大于 0 时不对。",
    en="It is wrong with a share above 0.",
    alone=True,
)
def wrong_with_pruning(seen):
    _outputs(seen)
    return seen.args[3] > 0


@drill.property("type_is_float32", zh="类型应当是 float32。", en="The type should be float32.")
def another_type(seen):
    return seen.prediction.parts == ("type",)
