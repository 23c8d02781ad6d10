"""Notebook ch03b, exercise 1: waves for positions."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.wave_mistakes import WAVES
from autograder.expectations import expect
from autograder.oracles import positions

NOTEBOOK = "ch03b_blocks"
LIBRARY = "bert_keras.layers.positions"

sinusoidal_positions = Exercise(
    "sinusoidal_positions",
    notebook=NOTEBOOK,
    points=4,
    library=f"{LIBRARY}:sinusoidal_positions",
    forbids=(
        f"{LIBRARY}.SinusoidalPositions",
        "keras_hub.layers.SinePositionEncoding",
        "keras_nlp.layers.SinePositionEncoding",
    ),
)


def _expect_waves(student, length, hidden_dim, atol):
    actual = student(length, hidden_dim)
    expect(actual).equals(positions.sinusoidal_positions(length, hidden_dim), atol=atol)


@sinusoidal_positions.case(points=2, zh="几个位置，几对波", en="a few positions, a few pairs")
def a_few_positions(student, rng):
    """More columns than rows, then fewer."""
    for length, pairs in ((2 * int(rng.integers(2, 4)), 4), (int(rng.integers(7, 10)), 3)):
        _expect_waves(student, length, 2 * pairs, 2e-5)


@sinusoidal_positions.case(points=1, zh="走得远的位置", en="positions far out")
def far_positions(student, rng):
    """Single precision may do all of it: an angle of 60 is known to some 1e-5."""
    _expect_waves(student, int(rng.integers(50, 60)), 2 * int(rng.integers(8, 12)), 2e-4)


@sinusoidal_positions.case(
    points=1, zh="只有一个位置，或只有一对波", en="one position, or one pair"
)
def smallest_sizes(student, rng):
    """What divides by the number of pairs less one, say, fails here."""
    _expect_waves(student, 1, 2 * int(rng.integers(2, 5)), 2e-5)
    _expect_waves(student, int(rng.integers(4, 8)), 2, 2e-5)


for _name, _data in WAVES.items():
    sinusoidal_positions.misconception(_name, **_data)


def _table(seen):
    if not isinstance(seen.actual, np.ndarray):
        raise LookupError("a list, say")
    table = np.asarray(seen.actual, float)
    if table.shape != np.shape(seen.expected):
        raise LookupError("another shape")
    return table


@sinusoidal_positions.property(
    "one_array",
    zh="返回的是列表或元组；应当是一个张量，或者 NumPy 数组。",
    en="A list or tuple comes back; it should be one tensor, or a NumPy array.",
)
def no_array(seen):
    return isinstance(seen.actual, (tuple, list))


@sinusoidal_positions.property(
    "one_row_per_position",
    zh="形状应当是 (T, D)：一行一个位置。",
    en="The shape should be (T, D): one row for each position.",
)
def no_row_per_position(seen):
    return isinstance(seen.actual, np.ndarray) and seen.actual.shape != np.shape(seen.expected)


@sinusoidal_positions.property(
    "numbers_are_floats",
    zh="结果应当是 float32 的数。",
    en="The result should be float32 numbers.",
)
def no_floats(seen):
    return isinstance(seen.actual, np.ndarray) and seen.actual.dtype.kind != "f"


@sinusoidal_positions.property(
    "result_is_finite",
    zh="结果里有 NaN 或无穷大。",
    en="There are NaN or infinities in the result.",
)
def not_finite(seen):
    return not np.isfinite(_table(seen)).all()


@sinusoidal_positions.property(
    "between_minus_one_and_one",
    zh="有的数超出了 [-1, 1]：正弦和余弦不会。",
    en="Some numbers lie outside [-1, 1], where no sine or cosine ever is.",
)
def out_of_range(seen):
    return bool((np.abs(_table(seen)) > 1 + 1e-4).any())


@sinusoidal_positions.property(
    "first_row_is_known",
    zh="第 0 行不对：角度是 0 的时候，正弦和余弦各是多少？",
    en="Row 0 is wrong: what are sine and cosine of an angle of 0?",
)
def first_row_is_wrong(seen):
    return not np.allclose(_table(seen)[0], seen.expected[0], atol=1e-4)


@sinusoidal_positions.property(
    "pairs_lie_on_a_circle",
    zh="同一对里的两个数，平方和应当是 1：它们是同一根指针、同一个角度的正弦和余弦。",
    en="The squares of the two numbers of a pair should add up to 1: they are sine and cosine of "
    "one angle.",
)
def pairs_off_the_circle(seen):
    table = _table(seen)
    return not np.allclose(table[:, 0::2] ** 2 + table[:, 1::2] ** 2, 1, atol=1e-3)


@sinusoidal_positions.property(
    "first_pair_turns_by_one",
    zh="第 0 根指针转得不对：每走一个位置，它转 1 弧度。",
    en="The first hand turns wrongly: from one position to the next it turns by 1 radian.",
)
def first_pair_turns_wrongly(seen):
    return not np.allclose(_table(seen)[:, :2], seen.expected[:, :2], atol=1e-3)


@sinusoidal_positions.property(
    "later_pairs_turn_more_slowly",
    alone=True,
    zh="第 0 根指针是对的，后面的不对：看看转得快慢怎样随 i 变化。",
    en="The first hand is right and later ones are wrong: look at how their speed depends on i.",
)
def later_pairs_are_wrong(seen):
    return np.allclose(_table(seen)[:, :2], seen.expected[:, :2], atol=1e-3)
