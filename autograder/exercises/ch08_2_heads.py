"""Notebook ch08, exercise 2: whole heads are cut out."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch08_heads_mistakes import CHANGED, HEADS, NOT_REFUSED
from autograder.exercises.ch08_kit import (
    LIBRARY,
    NOTEBOOK,
    ask_whether_it_changes,
    judge_refusals,
    same,
)
from autograder.exercises.common import derived, name_mistakes, normal
from autograder.expectations import expect
from autograder.oracles import head_pruning as oracles

prune_heads = Exercise(
    "prune_heads",
    notebook=NOTEBOOK,
    points=7,
    library=f"{LIBRARY}.prune:prune_heads",
    tensors=False,
)


def some_attention_weights(rng, heads, size, wide, dim):
    """Weights of an attention layer.

    Args:
        rng: generator.
        heads, size: N and H; wide: what goes into query, key and value; dim: D.
    """
    shapes = {f"{part}_kernel": (wide, heads * size) for part in oracles.PARTS}
    shapes |= {f"{part}_bias": (heads * size,) for part in oracles.PARTS}
    shapes |= {"output_kernel": (heads * size, dim), "output_bias": (dim,)}
    return {name: normal(rng, *shapes[name]) for name in oracles.NAMES}


def as_row(found):
    """A dict of arrays as the row of these arrays; anything else stays as it is."""
    if not isinstance(found, dict):
        return found
    if set(found) == set(oracles.NAMES):
        return tuple(found[name] for name in oracles.NAMES)
    known = [name for name in oracles.NAMES if name in found]
    return tuple(found[name] for name in (*known, *(n for n in found if n not in known)))


def _judge(student, weights, heads, num_heads):
    copies = {name: array.copy() for name, array in weights.items()}
    found = derived(student(copies, list(heads), num_heads), as_row)
    expect(found).equals(oracles.prune_heads(weights, heads, num_heads))


@prune_heads.case(
    points=2,
    zh="剪掉一个、两个：Q、K、V 切列，输出切行",
    en="one head goes, or two: columns of Q, K and V, rows of the output",
)
def some_heads(student, rng):
    """All sizes differ; the heads that go aren't neighbours."""
    _judge(student, some_attention_weights(rng, 4, 3, 7, 5), [1], 4)
    _judge(student, some_attention_weights(rng, 5, 2, 6, 9), [1, 3], 5)
    _judge(student, some_attention_weights(rng, 4, 6, 5, 8), [2], 4)


@prune_heads.case(
    points=1,
    zh="次序不拘，写两遍的算一遍",
    en="in any order, and one that is listed twice counts once",
)
def unsorted_and_repeated(student, rng):
    """In descending order, then with repetitions, side by side and apart."""
    _judge(student, some_attention_weights(rng, 5, 3, 8, 6), [3, 0], 5)
    _judge(student, some_attention_weights(rng, 5, 2, 7, 6), [1, 1], 5)
    _judge(student, some_attention_weights(rng, 6, 2, 5, 7), [0, 2, 0, 3], 6)


@prune_heads.case(
    points=2,
    zh="几个轴一样大：输入、N·H、D；N 和 H",
    en="axes of one size: the input, N·H and D; N and H",
)
def square_ones(student, rng):
    """Where every axis can be cut; in the last two only one of input and D is N·H."""
    _judge(student, some_attention_weights(rng, 4, 3, 12, 12), [2], 4)
    _judge(student, some_attention_weights(rng, 3, 3, 9, 9), [0], 3)
    _judge(student, some_attention_weights(rng, 4, 2, 8, 8), [1, 2], 4)
    _judge(student, some_attention_weights(rng, 4, 3, 12, 16), [1, 3], 4)
    _judge(student, some_attention_weights(rng, 4, 3, 8, 12), [1, 3], 4)


@prune_heads.case(
    points=1,
    zh="一个也不剪；全都剪掉；只有一个头",
    en="none goes; all go; there is a single head",
)
def none_or_all(student, rng):
    """What stays of all is the output's bias."""
    _judge(student, some_attention_weights(rng, 3, 2, 5, 4), [], 3)
    _judge(student, some_attention_weights(rng, 3, 2, 6, 6), [0, 1, 2], 3)
    _judge(student, some_attention_weights(rng, 1, 4, 5, 3), [0], 1)
    _judge(student, some_attention_weights(rng, 1, 3, 3, 3), [], 1)


@prune_heads.case(
    points=1,
    zh="不存在的头：ValueError；weights 不改动",
    en="heads that there aren't: a ValueError; weights are left alone",
)
def refused_or_unchanged(student, rng):
    """At the border, beyond it, and negative ones."""
    weights = some_attention_weights(rng, 4, 2, 8, 8)
    lists = [[4], [7], [1, 5], [-1], [0, -3]]
    found = [
        student({name: array.copy() for name, array in weights.items()}, heads, 4)
        for heads in lists
    ]
    judge_refusals(found, oracles.refused(lists, 4), NOT_REFUSED)
    ask_whether_it_changes(student, (weights, [1, 2], 4), CHANGED)


name_mistakes(prune_heads, HEADS)


def _wrong(seen):
    """Names of what is wrong, and of what has a wrong shape.

    Raises:
        LookupError: the observation is about something else, or there aren't eight arrays.
    """
    if seen.prediction.parts != oracles.NAMES:
        raise LookupError("about something else")
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != len(oracles.NAMES):
        raise LookupError("another number of arrays")
    rows = list(zip(oracles.NAMES, seen.actual, seen.expected, strict=True))
    shapes = {name for name, got, want in rows if np.shape(got) != np.shape(want)}
    return {name for name, got, want in rows if not same(got, want)}, shapes


@prune_heads.property(
    "eight_arrays_come_back",
    zh="应当返回字典，八个名字跟 weights 的一样。",
    en="A dict of the eight names of weights should come back.",
)
def other_names(seen):
    if seen.prediction.parts != oracles.NAMES:
        return False
    return not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != len(oracles.NAMES)


@prune_heads.property(
    "output_bias_stays",
    zh="output_bias 应当原样。",
    en="output_bias should be as it was.",
)
def output_bias_changes(seen):
    return "output_bias" in _wrong(seen)[0]


@prune_heads.property(
    "output_kernel_is_right",
    zh="output_kernel 不对：该去掉的是几行，哪几行？",
    en="output_kernel is wrong: how many rows should go, and which?",
)
def output_kernel_is_wrong(seen):
    return "output_kernel" in _wrong(seen)[0]


@prune_heads.property(
    "projections_are_right",
    zh="query、key、value 的核里有不对的：该去掉的是几列，哪几列？",
    en="A kernel of query, key or value is wrong: how many columns should go, and which?",
)
def projections_are_wrong(seen):
    names = {f"{part}_kernel" for part in oracles.PARTS}
    return bool(names & _wrong(seen)[0])


@prune_heads.property(
    "biases_are_right",
    zh="query、key、value 的偏置里有不对的。",
    en="A bias of query, key or value is wrong.",
)
def biases_are_wrong(seen):
    names = {f"{part}_bias" for part in oracles.PARTS}
    return bool(names & _wrong(seen)[0])


@prune_heads.property("heads_are_checked", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def heads_are_not_checked(seen):
    return seen.prediction.parts == ("refused",)


@prune_heads.property("weights_are_left_alone", zh=CHANGED.zh, en=CHANGED.en)
def something_is_changed(seen):
    return seen.prediction.parts == ("unchanged",)
