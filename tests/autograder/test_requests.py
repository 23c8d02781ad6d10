"""Two requests to a student's code: what follows from a call, and lists in a graph."""

import numpy as np
import pytest

from autograder import exercise as registry
from autograder.exercise import Exercise
from autograder.fixtures import fixture
from autograder.handle import Failed, Handle, LocalTransport


@pytest.fixture
def toy():
    yield Exercise("toy", notebook="toy_notebook", points=1)
    registry._REGISTRY.pop("toy")


def asking(exercise, answer):
    return Handle(LocalTransport({exercise.target: answer}), exercise)


def test_a_fixture_sees_what_became_of_the_arguments(toy):
    pytest.importorskip("keras")

    def clear(x, several):
        several.clear()

    def keep(x, several):
        return [len(several)]

    arguments = [np.ones(2), [np.ones(3), np.zeros(3)]]
    after = fixture("lengths")
    assert asking(toy, clear).followed_by(after, arguments) == (None, (0,))
    assert asking(toy, keep).followed_by(after, arguments) == ((2,), (2,))
    assert len(arguments[1]) == 2, "the case's own lists stay out of it"


def test_one_fixture_may_build_all_arguments_so_that_they_share_parts(toy):
    keras = pytest.importorskip("keras")
    seen = []

    def look(model, backbone):
        seen.append(any(layer is backbone for layer in model.layers))
        backbone.trainable = False
        return "done"

    x, y = np.ones((4, 6), "float32"), np.zeros((4, 3), "float32")
    after, arguments = fixture("one_step", 3, x, y), fixture("network_and_backbone", "single", 3)
    returned, report = asking(toy, look).followed_by(after, arguments)
    assert seen == [True] and returned == "done" and keras
    moved = dict(zip(report["paths"], report["moved"], strict=True))
    assert moved["head/kernel"] and not moved["lower/kernel"]


def test_an_error_on_the_way_is_the_answers(toy):
    def fails(x):
        raise KeyError("no")

    failed = asking(toy, fails).followed_by(fixture("lengths"), [np.ones(2)])
    assert isinstance(failed, Failed) and failed.error.type == "KeyError"


def test_lists_of_tensors_may_have_an_unknown_batch_too(toy):
    keras = pytest.importorskip("keras")
    shapes = []

    def total(layers, x):
        shapes.append([each.shape[0] for each in (*layers, x)])
        return sum(layers) + x

    one = np.ones((2, 3), "float32")
    found = asking(toy, total).in_training([one, 2 * one], one, unknown=(0, 1))
    np.testing.assert_array_equal(found, 4 * one)
    if keras.backend.backend() == "tensorflow":
        assert shapes == [[None, None, None]]
