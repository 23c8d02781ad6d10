"""Notebook ch07c, exercise 5: who is right about a text and all its copies."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07c_contrast_mistakes import CONSISTENCY
from autograder.exercises.ch07c_kit import FAILURE, NOTEBOOK, as_floats, telling
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.oracles.contrasts import contrast_consistency as oracle

MISTAKES = [
    form
    for row in CONSISTENCY.values()
    for form in ((row[0],) if isinstance(row[0], dict) else row[0])
]

# Many groups, so that two mistakes seldom come to the same share.
SIDE_BY_SIDE = ((1, 2, 3, 4, 5, 2, 3, 4, 3, 1, 2) * 2 + (3,), (2, 2, 3, 6, 1, 4, 4, 5, 3, 2) * 3)
SCATTERED = ((3, 2, 4, 1, 2, 5, 3, 2, 4, 3, 1) * 2 + (4,), (5, 2, 2, 3, 1, 1, 3, 4, 2, 6) * 3)

contrast_consistency = Exercise(
    "contrast_consistency",
    notebook=NOTEBOOK,
    points=3,
    library=f"{FAILURE}:contrast_consistency",
    tensors=False,
)


def some_answers(rng, sizes, numbers, mixed):
    """Whether texts are right, and their groups: some groups all right, others in part.

    Args:
        rng: generator.
        sizes: of the groups.
        numbers: of the groups.
        mixed: whether members of a group stand apart.
    """
    groups = np.repeat(numbers, sizes)
    all_right = rng.random(len(sizes)) < 0.5
    right = np.repeat(all_right, sizes) | (rng.random(len(groups)) < 0.55)
    if mixed:
        order = rng.permutation(len(groups))
        groups, right = groups[order], right[order]
    return right, groups.astype(np.int64)


def judge(student, right, groups):
    found = student(right.copy(), groups.copy())
    expect(derived(found, as_floats)).equals(oracle(right, groups))


def drawn(rng, sizes, numbers, mixed):
    """Answers and groups for which the mistakes show; `numbers` makes so many numbers."""
    return telling(
        lambda: some_answers(rng, rng.permutation(sizes), numbers(len(sizes)), mixed),
        lambda given, switch: oracle(*given).predict(switch, np.float64),
        MISTAKES,
        tries=12,
    )


@contrast_consistency.case(
    points=1,
    zh="组挨着排，大小不一",
    en="groups side by side, of different sizes",
)
def side_by_side(student, rng):
    """Numbers from 0 on, in order."""
    for sizes in SIDE_BY_SIDE:
        judge(student, *drawn(rng, sizes, np.arange, False))


@contrast_consistency.case(
    points=1,
    zh="次序打乱，编号有空缺",
    en="in any order, with gaps between numbers",
)
def scattered(student, rng):
    """Numbers from anywhere below 60; 0 may be one of them."""
    for sizes in SCATTERED:
        judge(
            student, *drawn(rng, sizes, lambda number: np.sort(rng.permutation(60)[:number]), True)
        )


@contrast_consistency.case(
    points=1,
    zh="一句一组，只有一组，全对，全错",
    en="groups of one text, a single group, all right, all wrong",
)
def edges(student, rng):
    """With a single text in each group their share is that of right texts."""
    right = rng.random(9) < 0.6
    right[:2] = (True, False)
    judge(student, right, rng.permutation(9).astype(np.int64) + 4)
    for right in (np.ones(5, bool), np.zeros(5, bool), np.array([True, True, False, True])):
        judge(student, right, np.full(len(right), 6))
    judge(student, np.ones(7, bool), np.array([3, 1, 3, 8, 8, 1, 1]))
    judge(student, np.array([True]), np.array([0]))


name_mistakes(contrast_consistency, CONSISTENCY)


def _number(seen):
    """The number that came back.

    Raises:
        LookupError: it is no single number.
    """
    got = np.asarray(seen.actual)
    if got.shape != () or got.dtype.kind != "f":
        raise LookupError("no number")
    return float(got)


@contrast_consistency.property(
    "a_share_comes_back",
    zh="应当返回一个 0 到 1 的小数。",
    en="A float from 0 to 1 should come back.",
)
def no_share(seen):
    try:
        return not -1e-6 <= _number(seen) <= 1 + 1e-6
    except (LookupError, TypeError):
        return True


@contrast_consistency.property(
    "right_for_groups_side_by_side",
    zh="组挨着排、编号没有空缺时就不对：每组一票，全对才算。",
    en="It is wrong even with groups side by side and no gaps between numbers: each group has a "
    "vote, and counts if all of it is right.",
)
def wrong_side_by_side(seen):
    _number(seen)
    return np.array_equal(seen.args[1], np.sort(seen.args[1])) and _has_no_gaps(seen.args[1])


def _has_no_gaps(groups):
    return np.array_equal(np.unique(groups), np.arange(groups.max() + 1))


@contrast_consistency.property(
    "right_for_scattered_groups",
    zh="编号有空缺，或者同组的句子不挨着时不对：有哪几组，每组有谁？",
    en="It is wrong where numbers have gaps or members of a group stand apart: which groups are "
    "there, and who is in each?",
    alone=True,
)
def wrong_scattered(seen):
    _number(seen)
    return True
