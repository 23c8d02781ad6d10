"""Notebook ch07a, exercise 7 (stretch): integrated gradients."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07a_kit import NOTEBOOK
from autograder.exercises.ch07a_path_mistakes import PATH
from autograder.exercises.common import derived, name_mistakes, normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import path_gradients as oracles

CHANGED = Text(
    "传进来的 inputs 或 baseline 被改动了。",
    "inputs or baseline, which were handed in, are changed.",
)

integrated_gradients = Exercise(
    "integrated_gradients",
    notebook=NOTEBOOK,
    points=4,
    stretch=True,
    library="bert_keras.analysis.attribution:integrated_gradients",
    tensors=False,
)


def some_way(rng, *shape):
    """Where a way ends and where it begins, and what is on it; no number is near another."""
    inputs, baseline = normal(rng, *shape), 0.7 * normal(rng, *shape)
    near = np.abs(inputs - baseline) < 0.3
    inputs = np.where(near, inputs + 1, inputs).astype(np.float32)
    shifts = normal(rng, *shape)
    slopes = (0.8 * normal(rng, *shape) / np.sqrt(inputs.size)).astype(np.float32)
    return inputs, baseline.astype(np.float32), shifts, slopes


def _judge(student, way, steps):
    inputs, baseline, shifts, slopes = way
    ends = inputs.copy(), baseline.copy()
    found = student(fixture("bent_gradient", shifts, slopes), *ends, steps)
    expect(found).equals(
        oracles.integrated_gradients(inputs, baseline, steps, shifts, slopes), atol=5e-5, rtol=5e-5
    )


@integrated_gradients.case(
    points=1,
    zh="从 0 出发，几步：每一段的中点",
    en="from 0, in some steps: the middle of each part",
)
def from_zero(student, rng):
    """A baseline of zeros, as it often is."""
    for shape, steps in (((5,), 3), ((2, 4), 6)):
        inputs, baseline, *rest = some_way(rng, *shape)
        _judge(student, (inputs, 0 * baseline, *rest), steps)


@integrated_gradients.case(
    points=2,
    zh="基线不是 0，轴数不限",
    en="a baseline that isn't 0, and any number of axes",
)
def from_a_baseline(student, rng):
    """Also where inputs and baseline agree in places, which then get nothing."""
    for shape, steps in (((3, 5), 7), ((6,), 4), ((2, 3, 4), 2)):
        _judge(student, some_way(rng, *shape), steps)
    inputs, baseline, *rest = some_way(rng, 3, 4)
    inputs[1] = baseline[1]
    _judge(student, (inputs, baseline, *rest), 5)


@integrated_gradients.case(
    points=1,
    zh="只有一步；很多步；inputs 和 baseline 不改动",
    en="a single step; many steps; inputs and baseline are left alone",
)
def other_numbers(student, rng):
    """One step asks in the middle of the way."""
    _judge(student, some_way(rng, 4), 1)
    _judge(student, some_way(rng, 2, 3), 50)
    inputs, baseline, shifts, slopes = some_way(rng, 3, 2)
    given = fixture("way_and_gradient", shifts, slopes, inputs, baseline, 3)
    both = student.followed_by(fixture("way_afterwards"), given)

    def alike(found):
        return np.asarray(
            np.array_equal(found[1][0], inputs) and np.array_equal(found[1][1], baseline)
        )

    expect(derived(both, alike)).equals(oracles.unchanged(), otherwise=CHANGED)


name_mistakes(integrated_gradients, PATH)


def _attributions(seen):
    """What came back and what should have.

    Raises:
        LookupError: the observation is about something else, or the shape is another.
    """
    got = np.asarray(seen.actual, float)
    if seen.prediction.parts != ("attributions",) or got.shape != seen.expected.shape:
        raise LookupError("no attributions")
    return got, seen.expected


@integrated_gradients.property(
    "shape_is_right",
    zh="形状不对：应当和 inputs 一样。",
    en="The shape is wrong: it should be that of inputs.",
)
def shape_is_wrong(seen):
    wanted = seen.prediction.parts == ("attributions",)
    return wanted and np.shape(seen.actual) != seen.expected.shape


@integrated_gradients.property(
    "nothing_where_nothing_changes",
    zh="inputs 和 baseline 相同的地方，功劳应当是 0。",
    en="Where inputs and baseline agree there should be nothing to share out.",
)
def something_for_nothing(seen):
    got, _ = _attributions(seen)
    same = seen.args[0] == seen.args[1]
    return bool(same.any()) and not np.allclose(got[same], 0, atol=1e-4)


@integrated_gradients.property(
    "right_for_one_step",
    zh="只有一步时就不对：在路的正中间问一次。",
    en="It is wrong even for a single step, which asks once, half-way.",
)
def wrong_for_one_step(seen):
    _attributions(seen)
    return seen.args[2] == 1


@integrated_gradients.property(
    "right_from_zero",
    zh="基线是 0 时就不对：先看在哪几个点上问，最后怎么平均。",
    en="It is wrong even from a baseline of 0: see where the gradient is asked, and how the mean "
    "is taken.",
)
def wrong_from_zero(seen):
    _attributions(seen)
    return not seen.args[1].any()


@integrated_gradients.property(
    "right_from_a_baseline",
    zh="基线不是 0 时不对：路从哪里开始，最后乘什么？",
    en="It is wrong from a baseline other than 0: where does the way begin, and what is it "
    "multiplied with at the end?",
    alone=True,
)
def wrong_from_a_baseline(seen):
    _attributions(seen)
    return bool(seen.args[1].any())


@integrated_gradients.property("arguments_are_left_alone", zh=CHANGED.zh, en=CHANGED.en)
def something_is_changed(seen):
    return seen.prediction.parts == ("unchanged",)
