"""Notebook ch05a, exercise 3: blank some of the positions."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05a_corrupt_mistakes import CORRUPT
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import corruption_laws as laws

NOTEBOOK = "ch05a_inputs"
ROWS = 3000  # tells rates of 0.3 and 0.25 apart, and equal numbers in all rows from chance
NOT_A_PAIR = Text(
    "应当返回一对：与 x 同形状的数组，和形状为 (B, T) 的布尔数组。",
    "A pair should come back: an array of the shape of x, and a bool array of shape (B, T).",
)
DTYPE = Text(
    "弄坏的数组，dtype 应当和 x 的一样（float32）。",
    "The damaged array should have the dtype of x, float32.",
)
CHANGED = Text("x 被改动了。", "x was changed.")
SEED = Text(
    "种子用得不对：同一个种子两次要相同；换一个种子，或者不给种子，要不同。",
    "The seed isn't used as it should be: one seed twice gives the same; another one, or none, "
    "gives something else.",
)

denoise_corrupt = Exercise("denoise_corrupt", notebook=NOTEBOOK, points=5, tensors=False)


def some_x(rng, *shape):
    """Numbers of which none is near 0."""
    return (rng.uniform(0.5, 2, shape) * rng.choice([-1, 1], shape)).astype(np.float32)


def _given(rate, span):
    """The settings by name, as far as they aren't left out."""
    return {k: v for k, v in (("rate", rate), ("span", span)) if v is not None}


def _follows(student, rng, shape, rate=None, span=None, seed=None):
    """The form of what comes back is right, and what it says is spread as it should be."""
    x = some_x(rng, *shape)
    found = student(x.copy(), **_given(rate, span), **({} if seed is None else {"seed": seed}))
    rate, span = 0.15 if rate is None else rate, span or 1
    expect(derived(found, lambda it: laws.form_of(it, shape))).equals(
        laws.form(shape[1], span), otherwise=NOT_A_PAIR
    )
    actual = derived(found, lambda pair: laws.outcomes(x, *pair, span))
    expect(actual).follows(laws.corruption(*shape, rate, span, seed is not None))


@denoise_corrupt.case(
    points=1,
    zh="每个位置各自坏掉，所有特征一起",
    en="every position for itself, all of its features together",
)
def single_positions(student, rng):
    """A rate far from 1/2 and from the default, then the default."""
    _follows(student, rng, (ROWS, 7, 3), float(rng.choice([0.3, 0.35])), 1)
    _follows(student, rng, (ROWS, 6, 2))


@denoise_corrupt.case(points=1, zh="一块一块地坏掉", en="whole blocks of neighbours")
def blocks(student, rng):
    """The last block is shorter; blocks that fit; one block that is longer than the row."""
    _follows(student, rng, (ROWS, 11, 3), 0.3, 4)
    _follows(student, rng, (ROWS, 12, 2), 0.25, 3)
    _follows(student, rng, (ROWS, 4, 2), 0.4, 6)


@denoise_corrupt.case(
    points=1,
    zh="本来就是 0 的位置不算坏掉；x 不变，dtype 也不变",
    en="a position that is 0 already isn't thereby damaged; x and the dtype stay as they were",
)
def zeros_and_x(student, rng):
    """A third of the positions are 0, and some features of others."""
    rate = 0.3
    x = some_x(rng, ROWS, 6, 3)
    x[rng.random((ROWS, 6)) < 0.33] = 0
    x[:, 0, 0] = 0
    found = student(x.copy(), rate=rate)
    expect(derived(found, lambda it: laws.form_of(it, x.shape))).equals(
        laws.form(6, 1), otherwise=NOT_A_PAIR
    )
    expect(derived(found, lambda pair: laws.zero_outcomes(x, pair[1]))).follows(
        laws.zero_positions(ROWS, 6, 3, rate)
    )
    same = derived(found, lambda pair: np.asarray(np.asarray(pair[0]).dtype == x.dtype))
    expect(same).equals(laws.same_dtype(), otherwise=DTYPE)
    x = some_x(rng, 40, 6, 2)
    both = student.followed_by(fixture("array_afterwards"), fixture("lent_array", x, 0.5, 1))
    stays = derived(both, lambda pair: np.asarray(np.array_equal(pair[1], x)))
    expect(stays).equals(laws.x_stays(), otherwise=CHANGED)


@denoise_corrupt.case(points=1, zh="比例为 0 和 1", en="rates of 0 and 1")
def nothing_and_everything(student, rng):
    """Nothing is left to chance there."""
    for span in (1, 3):
        _follows(student, rng, (60, 7, 2), 0.0, span)
        _follows(student, rng, (60, 7, 2), 1.0, span)


@denoise_corrupt.case(points=1, zh="种子", en="seeds")
def seeds(student, rng):
    """Rows of thirty positions: not even their first rows agree in two different draws."""
    first, second = (int(number) for number in rng.choice(10_000, 2, replace=False))
    _follows(student, rng, (ROWS, 6, 3), 0.3, 2, seed=first)
    x = some_x(rng, 50, 30, 2)
    calls = ((first, first), (first, second), (None, None))
    drawn = [[student(x.copy(), 0.4, 1, seed) for seed in pair] for pair in calls]
    failed = [one for pair in drawn for one in pair if isinstance(one, Failed)]
    agree = failed[0] if failed else np.array([_same(*pair) for pair in drawn])
    expect(agree).equals(laws.repeats(), otherwise=SEED)


def _same(one, other):
    return all(map(np.array_equal, one, other))


for _name, _data in CORRUPT.items():
    denoise_corrupt.misconception(_name, **_data)


def _laws_and_outcomes(seen):
    """The laws and outcomes of one batch, by name.

    Raises:
        LookupError: the observation is about something else.
    """
    if seen.prediction.parts != ("corruption",):
        raise LookupError("no damaged batch here")
    names = seen.expected.laws
    return {
        name: (law, outcomes)
        for (name, law), outcomes in zip(names.items(), seen.actual, strict=True)
    }


def _broken(seen, *names):
    found = _laws_and_outcomes(seen)
    return any(found[name][0].surprise(found[name][1]) < 1e-10 for name in names)


def _rows_are_alike(seen):
    """Whether all of the batch is damaged in the same places; shares say nothing then."""
    law, outcomes = _laws_and_outcomes(seen)["rows"]
    return bool(np.size(outcomes)) and np.all(outcomes) and law.surprise(outcomes) < 1e-10


@denoise_corrupt.property("pair_comes_back", zh=NOT_A_PAIR.zh, en=NOT_A_PAIR.en)
def no_pair(seen):
    return seen.prediction.parts == ("form",)


@denoise_corrupt.property(
    "corrupted_positions_are_blank",
    zh="标成坏掉的位置，没有全部变成 0。",
    en="Positions that are marked as damaged aren't all zeros.",
)
def not_blank(seen):
    _, outcomes = _laws_and_outcomes(seen)["blank"]
    return bool(np.size(outcomes)) and _broken(seen, "blank")


@denoise_corrupt.property(
    "the_rest_stays",
    zh="没有标成坏掉的位置，和原来不一样了。",
    en="Positions that aren't marked as damaged are no longer what they were.",
)
def rest_changes(seen):
    _, outcomes = _laws_and_outcomes(seen)["kept"]
    return bool(np.size(outcomes)) and _broken(seen, "kept")


@denoise_corrupt.property(
    "blocks_share_a_fate",
    zh="同一块里的位置命运不同。",
    en="Positions of one block have different fates.",
)
def blocks_break(seen):
    return _broken(seen, "within")


@denoise_corrupt.property(
    "draws_are_independent",
    zh="块与块之间、行与行之间不是各抽各的。",
    en="Blocks, or rows, aren't drawn independently of each other.",
)
def draws_depend(seen):
    if _rows_are_alike(seen):
        return True
    return _broken(seen, "rows", "neighbours") and not _broken(seen, "flagged")


@denoise_corrupt.property(
    "rate_is_right",
    zh="坏掉的块所占的比例不对。",
    en="The share of damaged blocks is wrong.",
)
def rate_is_wrong(seen):
    return _broken(seen, "flagged") and not _rows_are_alike(seen)


@denoise_corrupt.property(
    "number_varies",
    zh="每行坏掉几块，变化得不对：各块独立时，这个数会上下浮动。",
    en="The number of damaged blocks in a row doesn't vary as it should: with independent "
    "draws it goes up and down.",
    alone=True,
)
def number_is_fixed(seen):
    return _broken(seen, "counts") and not _rows_are_alike(seen)


@denoise_corrupt.property(
    "zeros_are_no_corruption",
    zh="本来就是 0 的位置，坏掉的比例和别处不同。",
    en="Positions that were 0 already are marked at another rate than the others.",
)
def zeros_differ(seen):
    return seen.prediction.parts == ("zeros",)


@denoise_corrupt.property("x_stays_as_it_was", zh=CHANGED.zh, en=CHANGED.en)
def x_changes(seen):
    return seen.prediction.parts == ("x_stays",)


@denoise_corrupt.property("seed_decides", zh=SEED.zh, en=SEED.en)
def seed_is_misused(seen):
    return seen.prediction.parts == ("repeats",)
