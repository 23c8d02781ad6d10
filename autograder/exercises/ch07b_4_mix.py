"""Notebook ch07b, exercise 4: a mix of all layers, and where its weight lies."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07b_kit import (
    NOTEBOOK,
    PROBING,
    add_last_properties,
    ask_whether_arrays_change,
)
from autograder.exercises.ch07b_mix_mistakes import MIX
from autograder.exercises.common import name_mistakes, normal
from autograder.expectations import expect
from autograder.oracles.layer_mixes import scalar_mix_probe as oracle

PARTS = ("mixed", "centre")

scalar_mix_probe = Exercise(
    "scalar_mix_probe",
    notebook=NOTEBOOK,
    points=4,
    library=f"{PROBING}:scalar_mix_probe",
    tensors=False,
)


def some_layers(rng, layers, n, dim):
    """States that aren't 0 on average, and logits of which none is near another or the sum 0."""
    logits = rng.permutation(np.linspace(-1.2, 1.6, layers)) if layers > 1 else np.array([0.7])
    logits = logits + 0.1 * rng.random(layers)
    return normal(rng, layers, n, dim) + np.float32(0.5), logits.astype(np.float32)


def _judge(student, layers, logits):
    expect(student(layers.copy(), logits.copy())).equals(oracle(layers, logits))


@scalar_mix_probe.case(
    points=2,
    zh="混合各层，和权重的重心",
    en="the mix of layers, and the centre of gravity of their weights",
)
def ordinary(student, rng):
    """All sizes differ."""
    for sizes in ((4, 5, 3), (7, 2, 6)):
        _judge(student, *some_layers(rng, *sizes))


@scalar_mix_probe.case(
    points=1,
    zh="很大、很小的 logits",
    en="very large and very small logits",
)
def large_logits(student, rng):
    """Differences stay as they were; then one layer outweighs all others."""
    layers, logits = some_layers(rng, 5, 3, 4)
    for shift in (1500, -1500):
        _judge(student, layers, logits + np.float32(shift))
    _judge(student, layers, np.eye(5, dtype=np.float32)[rng.integers(1, 5)] * 1200)


@scalar_mix_probe.case(
    points=1,
    zh="几个轴一样大；两层；只有一层；数组不改动",
    en="axes of one size; two layers; a single one; arrays are left alone",
)
def other_sizes(student, rng):
    """Where a wrong axis fits."""
    for sizes in ((4, 4, 4), (3, 3, 5), (3, 6, 3), (2, 3, 4), (1, 3, 2)):
        _judge(student, *some_layers(rng, *sizes))
    ask_whether_arrays_change(student, *some_layers(rng, 3, 4, 2))


name_mistakes(scalar_mix_probe, MIX)


def _pair(seen):
    """The pair that came back and the one that should have.

    Raises:
        LookupError: it is no such pair.
    """
    if seen.prediction.parts != PARTS or len(seen.actual) != 2:
        raise LookupError("no pair")
    mixed, centre = (np.asarray(each, float) for each in seen.actual)
    if mixed.shape != seen.expected[0].shape or centre.shape != ():
        raise LookupError("another shape")
    return mixed, float(centre), seen.expected


@scalar_mix_probe.property(
    "a_pair_comes_back",
    zh="应当返回 (mixed, centre)：形状 (n, D) 的数组，和一个数。",
    en="(mixed, centre) should come back: an array of shape (n, D), and a number.",
)
def no_pair(seen):
    if seen.prediction.parts != PARTS:
        return False
    try:
        _pair(seen)
    except (LookupError, TypeError, ValueError):
        return True
    return False


@scalar_mix_probe.property(
    "all_is_finite",
    zh="结果里有 NaN 或无穷大。",
    en="There are NaN or infinities in the result.",
)
def something_is_not_finite(seen):
    mixed, centre, _ = _pair(seen)
    return not (np.isfinite(mixed).all() and np.isfinite(centre))


@scalar_mix_probe.property(
    "a_single_layer_stays_as_it_is",
    zh="只有一层时，mixed 应当就是这一层，centre 是 0。",
    en="With a single layer mixed should be that layer, and centre 0.",
)
def single_layer_changes(seen):
    mixed, centre, wanted = _pair(seen)
    off = not np.allclose(mixed, wanted[0], atol=1e-4) or abs(centre) > 1e-4
    return len(seen.args[0]) == 1 and off


@scalar_mix_probe.property(
    "mixed_is_right",
    zh="mixed 不对：先看权重，再看加权和在哪个轴上。",
    en="mixed is wrong: look at the weights first, then at the axis of the weighted sum.",
)
def mixed_is_wrong(seen):
    mixed, _, wanted = _pair(seen)
    return not np.allclose(mixed, wanted[0], atol=1e-5, rtol=1e-5)


@scalar_mix_probe.property(
    "centre_is_right",
    zh="mixed 对，centre 不对：应当是按权重平均的层号，从 0 数起。",
    en="mixed is right and centre isn't: it is the mean number of a layer by weight, counted from "
    "0.",
)
def centre_is_wrong(seen):
    mixed, centre, wanted = _pair(seen)
    return np.allclose(mixed, wanted[0], atol=1e-5) and abs(centre - wanted[1]) > 1e-5


add_last_properties(scalar_mix_probe)
