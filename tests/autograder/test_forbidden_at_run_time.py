"""Library functions that would do the exercise: refused while judging, however they were kept."""

import keras
import numpy as np
import pytest

from autograder.executor import Executor
from bert_keras.layers.attention import scaled_dot_product

FORBIDDEN = (
    "numpy.linalg.norm",
    "keras.layers.MultiHeadAttention",
    "keras.ops.dot_product_attention",
    "bert_keras.layers.attention.scaled_dot_product",
)
X = np.ones((2, 3, 4), "float32")


class Kept:
    """Holds a function where no name gives it away."""

    def __init__(self, function):
        self.inside = [function]

    def __call__(self, *args):
        return self.inside[0](*args)


def _answers():
    norm, layer = np.linalg.norm, keras.layers.MultiHeadAttention
    made, attention = layer(2, 3), keras.ops.dot_product_attention
    yield "numpy.linalg.norm", lambda x: norm(x)
    yield "numpy.linalg.norm", lambda x: np.linalg.norm(x)
    yield "numpy.linalg.norm", Kept(norm)
    yield "keras.layers.MultiHeadAttention", lambda x: layer(2, 3)(x, x)
    yield "keras.layers.MultiHeadAttention", lambda x: made(x, x)
    yield "keras.ops.dot_product_attention", lambda x: attention(x[None], x[None], x[None])
    yield "keras.ops.dot_product_attention", Kept(lambda x: attention(x[None], x[None], x[None]))
    yield (
        "bert_keras.layers.attention.scaled_dot_product",
        Kept(lambda x: scaled_dot_product(x, x, x)),
    )


def _called(answer, forbids):
    op = {"op": "call", "target": "answer", "args": [X], "kwargs": {}, "tensors": False}
    return Executor({"answer": answer}).execute({**op, "forbids": forbids})


@pytest.mark.parametrize(("name", "answer"), list(_answers()))
def test_what_was_kept_earlier_is_refused_too(name, answer):
    error = _called(answer, FORBIDDEN)["error"]
    assert (error["type"], error["message"]) == ("Forbidden", name)


def test_afterwards_everything_works_as_before():
    before = vars(keras.layers.MultiHeadAttention).copy()
    for _, answer in _answers():
        _called(answer, FORBIDDEN)
    assert vars(keras.layers.MultiHeadAttention) == before
    assert np.linalg.norm(X) == pytest.approx(24**0.5)
    layer = keras.layers.MultiHeadAttention(2, 3)
    assert layer(X, X).shape == (2, 3, 4)
    assert scaled_dot_product(X, X, X)[0].shape == (2, 3, 4)
    for _, answer in _answers():
        assert _called(answer, ())["ok"]


class Inheriting(Kept):
    """A class with neither __new__ nor __init__ of its own."""


class Picky(Kept):
    def __new__(cls, *_):
        return super().__new__(cls)


@pytest.mark.parametrize("kind", [Kept, Inheriting, Picky])
def test_classes_can_be_made_again_afterwards(kind):
    """CPython never forgets that a class once had a __new__."""
    banned = (f"{__name__}.{kind.__name__}",)
    error = _called(lambda x: kind(np.sum)(x), banned)["error"]
    assert (error["type"], error["message"]) == ("Forbidden", *banned)
    assert kind(np.sum)(X) == 24
    assert "error" not in _called(lambda x: kind(np.sum)(x), ())
