"""Notebook ch04a, exercise 5: what there is to be mixed."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04a_1_lms import LIST_CHANGED, NOTEBOOK, in_parts
from autograder.exercises.ch04a_features_mistakes import FEATURES
from autograder.exercises.common import IN_TRAINING, derived, normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles.elmo_features import elmo_features as features_oracle
from autograder.oracles.elmo_features import lists_left

elmo_features = Exercise(
    "elmo_features",
    notebook=NOTEBOOK,
    points=3,
    library="bert_keras.models.elmo_pieces:elmo_features",
)


def some_stacks(rng, length, *shape):
    """An embedding and both directions' states of so many layers."""
    forward, backward = ([normal(rng, *shape) for _ in range(length)] for _ in range(2))
    return normal(rng, *shape), forward, backward


def laid_out(student, inputs):
    """The student's features beside the oracle's."""
    wanted = in_parts(features_oracle(*inputs), "features", len(inputs[1]) + 1)
    expect(student(*inputs)).equals(wanted)


def lists_are_left(student, inputs):
    """Both lists are as long afterwards as they were."""
    found = student.followed_by(fixture("lengths"), inputs)
    lengths = derived(found, lambda pair: np.array(pair[1]))
    wanted = lists_left(len(inputs[1]), len(inputs[2]))
    expect(lengths).equals(wanted, otherwise=LIST_CHANGED)


@elmo_features.case(points=1, zh="两层：三个 (B, T, 2D)", en="two layers: three of (B, T, 2 D)")
def two_layers(student, rng):
    """All sizes differ; and the lists are left as they were."""
    laid_out(student, some_stacks(rng, 2, 2, 5, 3))
    lists_are_left(student, list(some_stacks(rng, 2, 3, 2, 4)))


@elmo_features.case(points=1, zh="层数可以不同", en="any number of layers")
def other_numbers(student, rng):
    """One, three and four layers; sizes that would let other axes be joined, too."""
    for length, shape in ((1, (2, 3, 4)), (3, (3, 3, 3)), (4, (1, 4, 2))):
        laid_out(student, some_stacks(rng, length, *shape))


@elmo_features.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def features_in_training(student, rng):
    """No number of sentences is known; plain numbers are expected.

    Lists are looked at first: a graph refuses answers that change them, in words that help nobody.
    """
    inputs = some_stacks(rng, 2, 3, 2, 4)
    lists_are_left(student, list(inputs))
    found = student.in_training(*inputs, unknown=(0, 1, 2))
    expect(found).equals(features_oracle(*inputs), evidence=False)


for _name, (_switch, _zh, _en, _hints) in FEATURES.items():
    elmo_features.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _shapes(tree):
    return [np.shape(part) for part in tree]


@elmo_features.property(
    "a_list_of_one_more",
    zh="返回的形式不对：应当是一个列表，有 L + 1 个张量。",
    en="The form is wrong: it should be a list of L + 1 tensors.",
)
def no_list_of_one_more(seen):
    if not seen.prediction.parts[0].startswith("features"):
        return False
    return not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != len(seen.expected)


@elmo_features.property(
    "twice_as_wide",
    zh="形状不对：每一个都应当是 (B, T, 2D)。",
    en="The shapes are wrong: each should be (B, T, 2 D).",
)
def not_twice_as_wide(seen):
    return not no_list_of_one_more(seen) and _shapes(seen.actual) != _shapes(seen.expected)


@elmo_features.property(
    "embedding_comes_first",
    zh="第一个不对：应当是 x 并排放两遍。",
    en="The first one is wrong: it should be x, side by side with itself.",
)
def embedding_is_wrong(seen):
    return seen.prediction.parts[0].startswith("features") and not np.allclose(
        seen.actual[0], seen.expected[0], atol=1e-4
    )


@elmo_features.property(
    "layers_follow",
    zh="第一个对，后面的层不对。",
    en="The first one is right and the layers that follow aren't.",
)
def layers_are_wrong(seen):
    if not seen.prediction.parts[0].startswith("features"):
        return False
    pairs = list(zip(seen.actual, seen.expected, strict=True))
    right = [np.allclose(got, want, atol=1e-4) for got, want in pairs]
    return right[0] and not all(right[1:])
