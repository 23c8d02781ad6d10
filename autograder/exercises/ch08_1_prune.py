"""Notebook ch08, exercise 1: small weights go."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch08_kit import (
    LIBRARY,
    NOTEBOOK,
    ask_whether_it_changes,
    in_parts,
    is_about,
    judge_refusals,
)
from autograder.exercises.ch08_prune_mistakes import CHANGED, NOT_REFUSED, PRUNING
from autograder.exercises.common import name_mistakes
from autograder.expectations import expect
from autograder.oracles import weight_pruning as oracles

magnitude_prune = Exercise(
    "magnitude_prune",
    notebook=NOTEBOOK,
    points=6,
    library=f"{LIBRARY}.prune:magnitude_prune",
    forbids=("tensorflow_model_optimization.sparsity.keras.prune_low_magnitude",),
    tensors=False,
)


def some_kernels(rng, shapes):
    """Kernels whose sizes differ: no two numbers are of one size, and signs are mixed."""
    total = sum(int(np.prod(shape)) for shape in shapes)
    # Steps of one sixty-fourth: exact in float32, so sizes that differ do so for everybody.
    sizes = rng.permutation(np.arange(1, 3 * total + 1))[:total] / 64
    numbers = sizes * rng.choice([-1.0, 1.0], total)
    factors = rng.permutation(2.0 ** np.arange(len(shapes)))
    kernels, start = [], 0
    for shape, factor in zip(shapes, factors, strict=True):
        part = numbers[start : start + int(np.prod(shape))] * factor
        kernels.append(part.reshape(shape).astype(np.float32))
        start += part.size
    if len(np.unique(np.abs(np.concatenate([k.ravel() for k in kernels])))) < total:
        return some_kernels(rng, shapes)
    return kernels


def some_levels(rng, shapes):
    """Kernels of few sizes, each with both signs, so that many are equal."""
    return [(rng.integers(1, 4, s) * rng.choice([-1, 1], s) / 2).astype(np.float32) for s in shapes]


def _judge(student, kernels, share):
    copies = [kernel.copy() for kernel in kernels]
    wanted = in_parts(oracles.magnitude_prune(kernels, share), "masks")
    expect(student(copies, share)).equals(wanted)


@magnitude_prune.case(
    points=2,
    zh="几个核，大小不一：一起排，不看正负",
    en="several kernels of different sizes, ranked together whatever their signs",
)
def all_together(student, rng):
    """52, 12 and 27 numbers: rounding down, up and quantiles give other numbers than asked."""
    sets = (((4, 6), (4,), (2, 3, 4)), (0.2, 0.8)), (((3, 2), (6,)), (0.2, 0.8, 0.55))
    for shapes, shares in (*sets, (((5, 3), (3, 4)), (0.35, 0.9))):
        for share in shares:
            _judge(student, some_kernels(rng, shapes), share)


@magnitude_prune.case(
    points=1,
    zh="只有一个核；share × n 正好是一半",
    en="a single kernel; share times n is exactly a half",
)
def exact_halves(student, rng):
    """2.5 and 3.5, 4.5 and 7.5: the even numbers are 2 and 4, 4 and 8."""
    for shape, share in (((2, 5), 0.25), ((14,), 0.25), ((3, 2), 0.75), ((5, 3), 0.5)):
        _judge(student, some_kernels(rng, (shape,)), share)


@magnitude_prune.case(
    points=1,
    zh="有的绝对值相同：排在前面的先去掉",
    en="equal sizes: the earlier ones go first",
)
def equal_sizes(student, rng):
    """Three sizes in each set, and in one of them a single size: the end falls among equals."""
    for shapes, share in ((((4, 5), (3, 4)), 0.5), (((2, 3, 4), (6,), (5, 2)), 0.3)):
        _judge(student, some_levels(rng, shapes), share)
    constant = [np.full(shape, -0.5, np.float32) for shape in ((3, 4), (8, 3))]
    _judge(student, constant, 0.75)
    _judge(student, constant, 0.25)


@magnitude_prune.case(
    points=1,
    zh="剪第二遍（已经有 0）；share 是 0 和 1",
    en="pruned a second time (there are zeros); shares of 0 and 1",
)
def zeros_and_ends(student, rng):
    """To the same share, to a smaller one and to a larger one."""
    kernels = some_kernels(rng, ((4, 5), (4, 3)))
    masks = oracles.magnitude_prune.raw(kernels, 0.5)
    pruned = [(k * m).astype(np.float32) for k, m in zip(kernels, masks, strict=True)]
    for share in (0.5, 0.3, 0.7):
        _judge(student, pruned, share)
    for share in (0, 1, 0.0, 1.0):
        _judge(student, kernels, share)


@magnitude_prune.case(
    points=1,
    zh="share 不在 0 到 1 之间：ValueError；kernels 不改动",
    en="a share that isn't from 0 to 1: a ValueError; kernels are left alone",
)
def refused_or_unchanged(student, rng):
    """A little and far outside."""
    kernels = some_kernels(rng, ((3, 4), (5,)))
    shares = [-0.1, 1.1, -2.0, 3]
    found = [student([kernel.copy() for kernel in kernels], share) for share in shares]
    judge_refusals(found, oracles.refused(shares), NOT_REFUSED)
    ask_whether_it_changes(student, (kernels, 0.5), CHANGED)


name_mistakes(magnitude_prune, PRUNING)


def _masks(seen):
    """Masks that came back and those that should have, each in one row.

    Raises:
        LookupError: it is no tuple of masks of the right shapes.
    """
    if not is_about(seen, "masks"):
        raise LookupError("not about masks")
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != len(seen.expected):
        raise LookupError("another number of masks")
    shapes = [np.shape(mask) for mask in seen.actual]
    if shapes != [mask.shape for mask in seen.expected]:
        raise LookupError("other shapes")
    if any(np.asarray(mask).dtype != bool for mask in seen.actual):
        raise LookupError("other types")
    rows = [np.concatenate([np.ravel(m) for m in each]) for each in (seen.actual, seen.expected)]
    return rows[0], rows[1], np.abs(np.concatenate([k.ravel() for k in seen.args[0]]))


@magnitude_prune.property(
    "a_bool_mask_for_each_kernel",
    zh="应当返回列表，每个核一个 bool 数组，形状和核相同。",
    en="A list should come back, with one bool array for each kernel, of its shape.",
)
def no_masks(seen):
    if not is_about(seen, "masks"):
        return False
    try:
        _masks(seen)
    except LookupError:
        return True
    return False


@magnitude_prune.property(
    "as_many_go_as_should",
    zh="去掉的个数不对。",
    en="Another number of weights goes than should.",
)
def another_number(seen):
    got, wanted, _ = _masks(seen)
    return got.sum() != wanted.sum()


@magnitude_prune.property(
    "nothing_larger_goes",
    zh="有的数去掉了，绝对值比它小的却留着。",
    en="Some weight goes although a smaller one stays.",
)
def something_larger_goes(seen):
    got, _, sizes = _masks(seen)
    return bool(got.any() and not got.all() and sizes[~got].max() > sizes[got].min())


@magnitude_prune.property(
    "earlier_ones_go_first",
    zh="绝对值相同的里面，去掉的不是排在前面的。",
    en="Of equal sizes it isn't the earlier ones that go.",
    alone=True,
)
def later_ones_go(seen):
    got, wanted, _ = _masks(seen)
    return got.sum() == wanted.sum() and bool((got != wanted).any())


@magnitude_prune.property("share_is_checked", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def share_is_not_checked(seen):
    return seen.prediction.parts == ("refused",)


@magnitude_prune.property("kernels_are_left_alone", zh=CHANGED.zh, en=CHANGED.en)
def something_is_changed(seen):
    return seen.prediction.parts == ("unchanged",)
