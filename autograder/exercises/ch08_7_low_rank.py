"""Notebook ch08, exercise 7: one kernel as two thin ones."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch08_kit import (
    LIBRARY,
    NOTEBOOK,
    ask_whether_it_changes,
    judge_refusals,
)
from autograder.exercises.ch08_rank_mistakes import CHANGED, NOT_REFUSED, RANKS
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.oracles import low_ranks as oracles

CLOSE = {"atol": 5e-5, "rtol": 5e-5}

low_rank = Exercise(
    "low_rank",
    notebook=NOTEBOOK,
    points=6,
    library=f"{LIBRARY}.low_rank:low_rank",
    forbids=("sklearn.decomposition.TruncatedSVD", "scipy.sparse.linalg.svds"),
    tensors=False,
)


def some_kernel(rng, wide, out, zeros=0):
    """A kernel whose singular values are far apart: it is sure which are the largest.

    Args:
        rng: generator; wide, out: its shape.
        zeros: int, how many singular values are 0.
    """
    size = min(wide, out)
    left, _ = np.linalg.qr(rng.standard_normal((wide, size)))
    right, _ = np.linalg.qr(rng.standard_normal((out, size)))
    values = 4.0 * 0.7 ** np.arange(size) * rng.uniform(0.95, 1.05, size)
    if zeros:
        values[-zeros:] = 0
    return ((left * values) @ right.T).astype(np.float32)


def shapes_of(found):
    """The shapes of what came back as a text; anything else as it is."""

    def said(got):
        parts = got if isinstance(got, (tuple, list)) else [got]
        try:
            return oracles.in_words([np.shape(np.asarray(part, float)) for part in parts])
        except (TypeError, ValueError):
            return got

    return derived(found, said)


def _judge(student, kernel, rank):
    """Shapes first: what both make together can only be computed where they fit."""
    found = student(kernel.copy(), rank)
    expect(shapes_of(found)).equals(oracles.low_rank_shapes(kernel.shape, rank))
    product = derived(found, lambda pair: np.asarray(pair[0], float) @ np.asarray(pair[1], float))
    expect(product).equals(oracles.low_rank(kernel, rank), **CLOSE)


@low_rank.case(points=2, zh="高的核：几种秩", en="a tall kernel, at several ranks")
def tall(student, rng):
    """All sizes differ."""
    for wide, out, rank in ((7, 4, 2), (9, 5, 3), (6, 5, 1)):
        _judge(student, some_kernel(rng, wide, out), rank)


@low_rank.case(points=2, zh="宽的核、方的核", en="wide kernels and square ones")
def wide(student, rng):
    """Square ones let vectors be taken the wrong way."""
    for wide, out, rank in ((4, 7, 2), (5, 9, 4), (5, 5, 2), (6, 6, 3)):
        _judge(student, some_kernel(rng, wide, out), rank)


@low_rank.case(
    points=1,
    zh="满秩：一点不差；本来秩就低的核",
    en="full rank, where nothing is missing; a kernel that has a low rank",
)
def full(student, rng):
    """More is asked of the last than it has."""
    for wide, out in ((5, 3), (3, 6), (4, 4)):
        _judge(student, some_kernel(rng, wide, out), min(wide, out))
    _judge(student, some_kernel(rng, 6, 4, zeros=2), 2)
    _judge(student, some_kernel(rng, 5, 6, zeros=3), 3)


@low_rank.case(
    points=1,
    zh="没有的秩：ValueError；类型和 kernel 一样；kernel 不改动",
    en="ranks that there aren't: a ValueError; the type of kernel, which is left alone",
)
def types_and_refusals(student, rng):
    """Too large for the shorter side only, for both, and too small."""
    kernel = some_kernel(rng, 6, 4)
    for each in (kernel, kernel.astype(np.float64)):
        types = derived(student(each.copy(), 2), _types)
        expect(types).equals(oracles.low_rank_types(str(each.dtype)))
    pairs = [((6, 4), 5), ((4, 6), 5), ((4, 5), 9), ((5, 4), 0), ((4, 5), -1)]
    found = [student(some_kernel(rng, *shape), rank) for shape, rank in pairs]
    judge_refusals(found, oracles.ranks_refused(pairs), NOT_REFUSED)
    ask_whether_it_changes(student, (kernel, 2), CHANGED)


def _types(pair):
    """The dtype of both as a text; both of them where they differ."""
    if not isinstance(pair, (tuple, list)):
        return pair
    return ", ".join(dict.fromkeys(str(np.asarray(part).dtype) for part in pair))


name_mistakes(low_rank, RANKS)


@low_rank.property(
    "two_factors_of_the_right_shape",
    zh="应当返回一对，形状是 (in, rank) 和 (rank, out)。",
    en="A pair of shapes (in, rank) and (rank, out) should come back.",
)
def other_shapes(seen):
    return seen.prediction.parts == ("shapes",)


@low_rank.property(
    "full_rank_is_exact",
    zh="满秩时，乘积就该是 kernel。",
    en="At full rank the product should be the kernel.",
)
def full_rank_is_off(seen):
    return seen.prediction.parts == ("product",) and seen.args[1] == min(seen.args[0].shape)


@low_rank.property(
    "nothing_comes_closer",
    zh="乘积离 kernel 不够近：同样的秩，还能更近。",
    en="The product isn't as close to the kernel as this rank allows.",
)
def something_is_closer(seen):
    return seen.prediction.parts == ("product",)


@low_rank.property(
    "types_are_the_kernels",
    zh="两个因子的类型应当和 kernel 一样。",
    en="Both factors should have the type of kernel.",
)
def other_types(seen):
    return seen.prediction.parts == ("types",)


@low_rank.property("rank_is_checked", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def rank_is_not_checked(seen):
    return seen.prediction.parts == ("refused",)


@low_rank.property("kernel_is_left_alone", zh=CHANGED.zh, en=CHANGED.en)
def kernel_is_changed(seen):
    return seen.prediction.parts == ("unchanged",)
