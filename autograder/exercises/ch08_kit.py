"""What the exercises of notebook ch08 share: refusals, lent arguments, sure rounding."""

import numpy as np

from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import Prediction
from autograder.oracles.head_queries import unchanged

NOTEBOOK = "ch08_compression"
LIBRARY = "bert_keras.compression"


def in_parts(prediction, name):
    """The prediction of a list of arrays with a name for each of them."""
    parts = tuple(f"{name}[{number}]" for number in range(len(prediction.value)))
    return Prediction(prediction.function, prediction.args, prediction.kwargs, parts)


def is_about(seen, name):
    """Whether the observation is about such a list."""
    return seen.prediction is not None and seen.prediction.parts[0].startswith(f"{name}[")


def judge_refusals(found, wanted, otherwise):
    """Whether the answer raises a ValueError where it should, and only there.

    All of it is one fact: what comes after the first wrong one tells mistakes apart.

    Args:
        found: what came back, one for each set of arguments.
        wanted: prediction of which should be refused, bool of the same length.
        otherwise: `Text`, what to say where one should be and isn't.
    """
    refused = [isinstance(one, Failed) and one.error.type == "ValueError" for one in found]
    for one, told, right in zip(found, refused, wanted.value, strict=True):
        if isinstance(one, Failed) and not told and not right:
            expect(one).equals(wanted)  # it just doesn't run
            return

    def what_came(got):
        place = int(np.argmax(np.asarray(got) != wanted.value))
        if not wanted.value[place]:
            return Text("有一次不该抛出 ValueError。", "Once a ValueError is raised in vain.")
        if isinstance(found[place], Failed):
            kind = found[place].error.type
            return Text(
                f"{otherwise.zh[:-1]}；这里抛出的是 {kind}。",
                f"{otherwise.en[:-1]}; what is raised here is {kind}.",
            )
        return otherwise

    expect(np.asarray(refused)).equals(wanted, otherwise=what_came)


def ask_whether_it_changes(student, given, otherwise):
    """The first argument, an array or several, should be afterwards what it was before.

    Args:
        student: the answer.
        given: its arguments; the first is an array, a list of them or a dict.
        otherwise: `Text`.
    """
    first = given[0]
    both = student.followed_by(fixture("array_afterwards"), fixture("lent_copies", *given))

    def is_as_before(found):
        if isinstance(first, dict):
            kept = isinstance(found[1], dict) and set(found[1]) == set(first)
            kept = kept and all(np.array_equal(found[1][key], first[key]) for key in first)
        elif isinstance(first, list):
            kept = len(found[1]) == len(first)
            kept = kept and all(map(np.array_equal, found[1], first))
        else:
            kept = np.array_equal(found[1], first)
        return np.asarray(bool(kept))

    expect(derived(both, is_as_before)).equals(unchanged(), otherwise=otherwise)


def rounds_surely(ratios, margin=2e-3):
    """Whether no number is so near a half that float32 could round it the other way."""
    away = np.abs(np.asarray(ratios, float) % 1 - 0.5)
    return bool((away > margin).all())


def same(first, second, **close):
    """Whether two arrays agree; other shapes don't."""
    first, second = np.asarray(first), np.asarray(second)
    if first.shape != second.shape:
        return False
    if first.dtype.kind == "f" or second.dtype.kind == "f":
        return bool(np.allclose(first, second, **close))
    return bool((first == second).all())
