"""Notebook ch07b, exercise 1: a linear probe."""

import numpy as np

from autograder.exercise import Exercise
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
from autograder.exercises.ch07b_probe_mistakes import PROBE
from autograder.exercises.common import name_mistakes, normal
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import ridge_probe as oracles

CLOSE = {"atol": 5e-5, "rtol": 5e-5}
TOO_SMALL = Text("labels 里有 −1", "labels hold −1")
TOO_LARGE = Text("labels 里有 C", "labels hold C")
FAR_TOO_LARGE = Text("labels 里有 C + 2", "labels hold C + 2")

probe_layer = Exercise(
    "probe_layer",
    notebook=NOTEBOOK,
    points=7,
    library=f"{PROBING}:probe_layer",
    tensors=False,
)


def some_classes(rng, n, num_classes, missing=()):
    """Classes of n examples: every one that isn't missing occurs, no two of the first equally."""
    kept = [number for number in range(num_classes) if number not in missing]
    shares = np.arange(1.0, len(kept) + 1) ** 1.5
    labels = rng.choice(rng.permutation(kept), size=n, p=shares / shares.sum())
    labels[: len(kept)] = kept
    return rng.permutation(labels)


def some_examples(rng, n, dim, tests, num_classes, missing=()):
    """Features that say something about classes, have large means, and differ in their spread."""
    labels = some_classes(rng, n, num_classes, missing)
    centres = normal(rng, num_classes, dim)
    spread = rng.permutation(np.geomspace(0.4, 2.0, dim)).astype(np.float32)
    means = (2 * normal(rng, dim) + 1).astype(np.float32)
    features = (centres[labels] + normal(rng, n, dim)) * spread + means
    asked = (centres[rng.integers(num_classes, size=tests)] + normal(rng, tests, dim)) * spread
    return features, labels, (asked + means + 0.3).astype(np.float32)


def _judge(student, given, num_classes, **rest):
    wanted = oracles.probe_layer(*given, num_classes, *rest.values())
    expect(student(*(x.copy() for x in given), num_classes, **rest)).equals(wanted, **CLOSE)


@probe_layer.case(
    points=2,
    zh="比特征多的例子，ridge 用默认值",
    en="more examples than features, with the ridge left at its default",
)
def many_examples(student, rng):
    """All sizes differ; classes differ in how common they are."""
    for n, dim, tests, num_classes in ((14, 3, 5, 4), (25, 4, 6, 3)):
        _judge(student, some_examples(rng, n, dim, tests, num_classes), num_classes)


@probe_layer.case(
    points=1,
    zh="别的 ridge：很小，几，很大",
    en="other ridges: tiny, some, and huge",
)
def other_ridges(student, rng):
    """A huge one leaves nothing but the shares of the classes."""
    for ridge in (0.05, 7.0, 1e6):
        _judge(student, some_examples(rng, 16, 3, 4, 5), 5, ridge=ridge)


@probe_layer.case(
    points=1,
    zh="特征比例子多",
    en="more features than examples",
)
def many_features(student, rng):
    """XᵀX alone has no inverse here."""
    _judge(student, some_examples(rng, 6, 15, 4, 3), 3, ridge=2.5)
    _judge(student, some_examples(rng, 5, 9, 3, 4), 4)


@probe_layer.case(
    points=1,
    zh="有的类一个例子也没有",
    en="classes without an example",
)
def missing_classes(student, rng):
    """One in the middle, the last one, or both ends."""
    _judge(student, some_examples(rng, 12, 4, 3, 5, missing=(2,)), 5)
    _judge(student, some_examples(rng, 12, 3, 5, 4, missing=(3,)), 4)
    _judge(student, some_examples(rng, 13, 2, 6, 5, missing=(0, 4)), 5)


@probe_layer.case(
    points=1,
    zh="几个轴一样大；只有一个测试例子、一个特征；数组不改动",
    en="axes of one size; a single test example, a single feature; arrays are left alone",
)
def other_sizes(student, rng):
    """Where a wrong axis fits."""
    _judge(student, some_examples(rng, 4, 4, 4, 4), 4)
    _judge(student, some_examples(rng, 9, 1, 1, 2), 2)
    ask_whether_arrays_change(student, *some_examples(rng, 8, 3, 8, 3), 3)


@probe_layer.case(
    points=1,
    zh="不存在的类：ValueError",
    en="a class that doesn't exist: a ValueError",
)
def bad_labels(student, rng):
    """0 and C − 1 are fine, −1, C and C + 2 aren't."""
    given = some_examples(rng, 9, 3, 4, 3)
    _judge(student, given, 3)
    found = []
    for bad in (-1, 3, 5):
        features, labels, tests = (x.copy() for x in given)
        labels[4] = bad
        found.append(student(features, labels, tests, 3))
    ask_for_refusals(found, oracles.refused(), (TOO_SMALL, TOO_LARGE, FAR_TOO_LARGE))


name_mistakes(probe_layer, PROBE)
add_shape_property(
    probe_layer,
    "形状不对：应当是 (M, C)，每个测试例子一行，每一类一列。",
    "The shape is wrong: (M, C) is wanted, a row for each test example and a column for each "
    "class.",
    "scores",
)
add_finite_property(probe_layer, "scores")


@probe_layer.property(
    "shares_are_left_by_a_huge_ridge",
    zh="ridge 极大时，W 几乎是 0，分数应当就是训练部分各类的份额。",
    en="With a huge ridge W is nearly 0, and scores should be the shares of the classes in the "
    "training part.",
)
def other_shares(seen):
    got, wanted = numbers_of(seen, "scores")
    return len(seen.args) > 4 and seen.args[4] > 1e5 and not np.allclose(got, wanted, atol=1e-3)


@probe_layer.property(
    "rows_add_up_to_one",
    zh="每一行的分数加起来应当是 1：独热目标每行的和是 1，线性的解保持它。",
    en="The scores of every row should add up to 1: so do the one-hot targets, and a linear "
    "solution keeps that.",
)
def another_sum(seen):
    got, _ = numbers_of(seen, "scores")
    return not np.allclose(got.sum(axis=1), 1, atol=1e-3)


@probe_layer.property(
    "right_for_many_examples",
    zh="例子比特征多、ridge = 1 时就不对：先看平均，再看 W。",
    en="It is wrong even for many examples and a ridge of 1: look at the means first, then at W.",
    alone=True,
)
def wrong_for_many(seen):
    numbers_of(seen, "scores")
    return len(seen.args[0]) > seen.args[0].shape[1] and len(seen.args) == 4


@probe_layer.property(
    "ridge_does_what_it_should",
    zh="换一个 ridge，或者特征比例子多的时候，不对：岭加在哪里，加多少？",
    en="It is wrong for another ridge, or where features outnumber examples: where is the ridge "
    "added, and how much of it?",
    alone=True,
)
def wrong_for_ridges(seen):
    numbers_of(seen, "scores")
    return not wrong_for_many(seen)


add_last_properties(
    probe_layer,
    Text(
        "labels 里有 −1 或 C，应当抛出 ValueError。",
        "labels that hold −1 or C should raise a ValueError.",
    ),
)
