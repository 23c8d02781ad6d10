"""Notebook ch07b, exercise 5: the layer that solves a task, on average."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07b_expected_mistakes import EXPECTED
from autograder.exercises.ch07b_kit import (
    NOTEBOOK,
    PROBING,
    add_finite_property,
    add_last_properties,
    add_shape_property,
    ask_for_refusals,
    ask_whether_arrays_change,
    numbers_of,
)
from autograder.exercises.common import name_mistakes
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import layer_mixes as oracles

UPS_AND_DOWNS = Text("先升后降，最后回到原处", "scores that rise, fall and end where they began")
FLAT = Text("所有分数都一样", "scores that are all alike")

expected_layer = Exercise(
    "expected_layer",
    notebook=NOTEBOOK,
    points=4,
    library=f"{PROBING}:expected_layer",
    tensors=False,
)


def rising(rng, layers):
    """Scores of layers 0 to L that rise with every layer, by no two alike."""
    gains = rng.permutation(np.linspace(0.02, 0.1, layers)) * rng.uniform(0.7, 1.0)
    return (rng.uniform(0.2, 0.4) + np.cumsum([0.0, *gains])).astype(np.float32)


def with_losses(rng, layers, total):
    """Scores that fall in two layers at least, and end above or below where they began."""
    gains = rng.permutation(np.linspace(0.03, 0.12, layers))
    falling = rng.permutation(layers)[: max(2, layers // 3)]
    gains[falling] *= -0.6
    # The sum is kept away from 0: the last but one makes up for it.
    kept = next(i for i in range(layers) if i not in falling)
    gains[kept] += total - gains.sum()
    return (0.45 + np.cumsum([0.0, *gains])).astype(np.float32)


def _judge(student, *sets):
    """Ask for all of these scores, and look at all the results at once."""
    found = [student(scores.copy()) for scores in sets]
    failed = [each for each in found if isinstance(each, Failed)]
    came = [each for each in found if not isinstance(each, Failed)]
    odd = [each for each in came if np.ndim(each) or isinstance(each, str)]
    first = (failed or odd or [None])[0]
    actual = np.array(came) if first is None else first
    expect(actual).equals(oracles.expected_layers(list(sets)), atol=5e-5, rtol=5e-5)


@expected_layer.case(
    points=2,
    zh="每一层都添一点",
    en="every layer adds something",
)
def every_layer_adds(student, rng):
    """Twelve layers, then four, then a single one."""
    _judge(student, *(rising(rng, layers) for layers in (12, 4, 1)))


@expected_layer.case(
    points=1,
    zh="有的层添的是负数",
    en="some layers add a negative number",
)
def some_losses(student, rng):
    """Ends above where it began, then below; mind that the mean may lie outside of all layers."""
    for sizes in (((9, 0.3), (5, 0.2)), ((6, -0.15), (4, -0.2))):
        _judge(student, *(with_losses(rng, layers, total) for layers, total in sizes))


@expected_layer.case(
    points=1,
    zh="总共没添：ValueError；scores 不改动",
    en="nothing added in all: a ValueError; scores is left alone",
)
def nothing_added(student, rng):
    """Scores in eighths, so that what adds up to 0 does so exactly; layers that add 0 are fine."""
    first = rng.integers(1, 4) / 8
    plateau = first + np.array([0, 0, 2, 2, 3], np.float32) / 8
    _judge(student, plateau.astype(np.float32))
    ups = first + np.array([0, 3, 1, 4, 0], np.float32) / 8
    found = [student(each.astype(np.float32)) for each in (ups, np.full(4, first))]
    ask_for_refusals(found, oracles.refused(), (UPS_AND_DOWNS, FLAT))
    ask_whether_arrays_change(student, rising(rng, 5))


name_mistakes(expected_layer, EXPECTED)
PARTS = ("layers",)
add_shape_property(
    expected_layer,
    "应当返回一个数。",
    "A single number should come back.",
    *PARTS,
)
add_finite_property(expected_layer, *PARTS)


def _results(seen):
    """Triples (gains, what came back, what should have).

    Raises:
        LookupError: the observation is about something else, or the shape is another.
    """
    got, wanted = numbers_of(seen, *PARTS)
    return [(np.diff(x), g, w) for x, g, w in zip(seen.args[0], got, wanted, strict=True)]


@expected_layer.property(
    "a_single_layer_is_1",
    zh="只有一层时，不管它添多少，结果都应当是 1。",
    en="With a single layer the result should be 1, however much it adds.",
)
def single_layer_is_not_1(seen):
    return any(len(gains) == 1 and abs(got - 1) > 1e-4 for gains, got, _ in _results(seen))


@expected_layer.property(
    "from_1_to_the_top",
    zh="每层都添分时，结果应当在 1 和 L 之间。",
    en="Where every layer adds, the result should be from 1 to L.",
)
def outside(seen):
    return any(
        (gains > 0).all() and not 1 - 1e-4 <= got <= len(gains) + 1e-4
        for gains, got, _ in _results(seen)
    )


def _off(seen, kind):
    return any(kind(gains) and not np.isclose(g, w, atol=1e-4) for gains, g, w in _results(seen))


@expected_layer.property(
    "right_where_all_add",
    zh="每层都添分时就不对：先写出各个 Δ，再看层号，最后看分母。",
    en="It is wrong even where every layer adds: write down every Δ first, then their layers' "
    "numbers, then what stands below the line.",
    alone=True,
)
def wrong_where_all_add(seen):
    return _off(seen, lambda gains: (gains > 0).all())


@expected_layer.property(
    "right_with_losses",
    zh="有的层变差时不对：负的 Δ 照原样算。",
    en="It is wrong where some layers make it worse: a negative Δ counts as it is.",
    alone=True,
)
def wrong_with_losses(seen):
    return _off(seen, lambda gains: (gains < 0).any())


add_last_properties(
    expected_layer,
    Text(
        "Δ 的和是 0 时应当抛出 ValueError。",
        "A ValueError should be raised where the sum of all Δ is 0.",
    ),
)
