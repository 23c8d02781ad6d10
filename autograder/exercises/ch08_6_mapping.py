"""Notebook ch08, exercise 6: which layer learns from which."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch08_kit import LIBRARY, NOTEBOOK, judge_refusals
from autograder.exercises.ch08_mapping_mistakes import MAPPING, NOT_REFUSED
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.oracles import distillation as oracles

layer_mapping = Exercise(
    "layer_mapping",
    notebook=NOTEBOOK,
    points=4,
    library=f"{LIBRARY}.distill:layer_mapping",
    tensors=False,
)


def as_array(found):
    """A list of numbers as an array; anything else stays as it is."""
    if isinstance(found, (tuple, list)) and found:
        try:
            return np.asarray(found)
        except ValueError:
            return found
    return found


def _judge(student, size, whole):
    found = derived(student(size, whole), as_array)
    expect(found).equals(oracles.layer_mapping(size, whole))


@layer_mapping.case(
    points=1,
    zh="L 是 M 的倍数",
    en="L is a multiple of M",
)
def even(student, rng):
    """A single layer and as many layers among them."""
    for size, whole in ((2, 6), (3, 12), (1, 5), (4, 4), (1, 1)):
        _judge(student, size, whole)


@layer_mapping.case(
    points=2,
    zh="除不尽：向下取整，最后一层还是对最后一层",
    en="with a remainder: rounded down, and the last still goes with the last",
)
def uneven(student, rng):
    """Exact halves, more and less."""
    for size, whole in ((2, 3), (4, 6), (5, 12), (3, 7), (5, 7), (4, 11), (7, 12)):
        _judge(student, size, whole)


@layer_mapping.case(
    points=1,
    zh="M 小于 1，或者大于 L：ValueError",
    en="an M below 1 or above L: a ValueError",
)
def refused(student, rng):
    """As many is fine, and so is one."""
    pairs = [(5, 4), (0, 4), (-1, 3), (9, 3), (4, 4), (1, 3), (2, 5)]
    found = [student(size, whole) for size, whole in pairs]
    judge_refusals(found, oracles.mappings_refused(pairs), NOT_REFUSED)


name_mistakes(layer_mapping, MAPPING)


def _numbers(seen):
    """The list that came back, as an array, and the right one.

    Raises:
        LookupError: it isn't about lists, or no list of whole numbers came back.
    """
    if seen.prediction.parts != ("layers",):
        raise LookupError("not about lists")
    got = np.asarray(seen.actual)
    if got.ndim != 1 or got.dtype.kind not in "iu":
        raise LookupError("no list of ints")
    return got, seen.expected


@layer_mapping.property(
    "a_list_of_ints_comes_back",
    zh="应当返回整数的列表。",
    en="A list of ints should come back.",
)
def no_list(seen):
    if seen.prediction.parts != ("layers",):
        return False
    try:
        _numbers(seen)
    except LookupError:
        return True
    return False


@layer_mapping.property(
    "one_more_than_layers",
    zh="列表的长度应当是 M + 1。",
    en="The list should have M + 1 entries.",
)
def another_length(seen):
    got, wanted = _numbers(seen)
    return len(got) != len(wanted)


@layer_mapping.property(
    "ends_meet",
    zh="嵌入应当对嵌入（0），最后一层对最后一层（L）。",
    en="The embeddings should go with the embeddings (0), and the last layer with the last (L).",
)
def ends_are_off(seen):
    got, wanted = _numbers(seen)
    return len(got) == len(wanted) and (got[0] != wanted[0] or got[-1] != wanted[-1])


@layer_mapping.property(
    "middle_is_right",
    zh="两头对，中间有不对的。",
    en="Both ends are right, and something between them isn't.",
)
def middle_is_off(seen):
    got, wanted = _numbers(seen)
    return len(got) == len(wanted) and got[0] == wanted[0] and got[-1] == wanted[-1]


@layer_mapping.property("numbers_are_checked", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def not_checked(seen):
    return seen.prediction.parts == ("refused",)
