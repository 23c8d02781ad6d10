"""A tiny notebook with three exercises, and submissions to it: for the tests of grading."""

import copy
import json

import numpy as np

from autograder import exercise as registry
from autograder.exercise import Exercise
from autograder.expectations import expect
from autograder.matching import TrustedNotebook
from autograder.sandbox import Limits
from autograder.submissions import Assignment, Handed

TINY = "tiny_notebook"
LIMITS = Limits(cell_seconds=3, call_seconds=1.5, submission_seconds=40, memory_mb=1200, file_mb=8)
SEED = 77

DOUBLE = "def double(x):\n    return x + x\n"
BLANK_DOUBLE = "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()\n"
PAIR_SUM = "def pair_sum(a, b):\n    return a + b\n"
SCALE = """class Scale(keras.layers.Layer):
    def build(self, shape):
        self.factor = self.add_weight(shape=(), initializer="ones", name="factor")

    def call(self, x):
        return x * self.factor
"""
POINTS = {"double": 3.0, "pair_sum": 2.0, "Scale": 2.0}


def register():
    """Puts the three exercises into the registry; their expectations are plain arrays."""
    double = Exercise("double", notebook=TINY, points=3, tensors=False)

    @double.case(points=1, zh="一个数", en="one number")
    def one(student, rng):
        x = rng.normal(size=3)
        expect(student(x)).equals(2 * x)

    @double.case(points=1, zh="负数", en="negative")
    def negative(student, rng):
        x = -np.abs(rng.normal(size=(2, 5)))
        expect(student(x)).equals(2 * x)

    @double.case(points=1, zh="整数", en="integers")
    def integers(student, rng):
        x = rng.integers(1, 9, size=4)
        expect(student(x)).equals(2 * x)

    pair_sum = Exercise("pair_sum", notebook=TINY, points=2, tensors=False)

    @pair_sum.case(points=2, zh="两个数", en="two numbers")
    def two(student, rng):
        a, b = rng.normal(size=(2, 4))
        expect(student(a, b)).equals(a + b)

    scale = Exercise("Scale", notebook=TINY, points=2, kind="layer")

    @scale.case(points=2, zh="用给定的权重", en="with given weights")
    def given_weights(student, rng):
        x = rng.normal(size=(2, 3)).astype("float32")
        layer = student.build(inputs=(x,))
        layer.set_weights({"factor": np.float32(2.5)})
        expect(layer(x)).equals(2.5 * x)


def unregister():
    for name in POINTS:
        registry._REGISTRY.pop(name, None)


def released(lang="en"):
    """The notebook as nbgrader would release it."""
    cells = [
        cell("markdown", "# Tiny", "c1"),
        cell("code", "import keras\nfrom autograder import check, ready", "c2"),
        cell("code", BLANK_DOUBLE, "answer-double", grade("answer_double", solution=True)),
        cell("code", 'check("double", double)', "check-double", grade("check_double", 3)),
        cell("code", "raise RuntimeError('never run')", "c5", {"tags": ["experiment"]}),
        cell(
            "code",
            "def pair_sum(a, b):\n    raise NotImplementedError()\n",
            "answer-pair",
            grade("answer_pair_sum", solution=True),
        ),
        cell("code", 'check("pair_sum", pair_sum)', "check-pair", grade("check_pair_sum", 2)),
        cell(
            "code",
            "class Scale(keras.layers.Layer):\n    def call(self, x):\n        return x\n",
            "answer-scale",
            grade("answer_Scale", solution=True),
        ),
        cell(
            "code",
            'check("Scale", Scale, variant="v1")',
            "check-scale",
            grade("check_Scale", 2),
        ),
        cell("markdown", "Why? (in your own words)", "c9"),
        cell(
            "markdown",
            "*your answer*",
            "written",
            grade(f"written_{TINY}", 0, solution=True),
        ),
    ]
    course = {"notebook": TINY, "lang": lang, "version": "1"}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": cells,
        "metadata": {"course": course, "kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def cell(kind, source, cell_id, metadata=None):
    content = {"cell_type": kind, "id": cell_id, "metadata": metadata or {}, "source": source}
    return content | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def grade(grade_id, points=None, solution=False):
    mark = {
        "grade": points is not None,
        "grade_id": grade_id,
        "locked": points is not None and not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    if points is not None:
        mark["points"] = points
    return {"nbgrader": mark}


def filled(double=DOUBLE, pair_sum=PAIR_SUM, scale=SCALE, written="*your answer*"):
    """A submission with these answers."""
    notebook = copy.deepcopy(released())
    texts = {
        "answer-double": double,
        "answer-pair": pair_sum,
        "answer-scale": scale,
        "written": written,
    }
    for part in notebook["cells"]:
        part["source"] = texts.get(part["id"], part["source"])
    return notebook


def to_bytes(notebook):
    return json.dumps(notebook, ensure_ascii=False).encode()


def assignment():
    data = to_bytes(released())
    exercises = tuple(registry._REGISTRY[name] for name in POINTS)
    return Assignment(TINY, data, TrustedNotebook.from_bytes(data), exercises, SEED)


def handed(notebook, student="s1"):
    data = notebook if isinstance(notebook, bytes) else to_bytes(notebook)
    return Handed(student, None, data)
