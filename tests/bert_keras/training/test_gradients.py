"""One loss and its gradients, against finite differences, on both backends that can."""

import os
import subprocess
import sys

import keras
import numpy as np
import pytest
from keras import ops

from bert_keras.training import gradients
from bert_keras.training.gradients import value_and_gradients

SCRIPT = """
import keras, numpy as np
from keras import ops
from bert_keras.training.gradients import value_and_gradients

x = np.linspace(-1, 1, 12).reshape(4, 3).astype("float32")
ids = np.array([[0, 2], [2, 2]])
table, dense = keras.layers.Embedding(5, 3), keras.layers.Dense(2, activation="tanh")
idle = keras.Variable([1.0, 2.0])
table.build(), dense.build((4, 3))
table.set_weights([np.linspace(-1, 2, 15).reshape(5, 3)])
dense.set_weights([np.linspace(-1, 1, 6).reshape(3, 2), np.array([0.3, -0.2])])
variables = [*table.trainable_variables, *dense.trainable_variables, idle]


def objective():
    return ops.sum(ops.square(dense(x))) + ops.sum(ops.square(dense(table(ids))) ** 2)


value, slopes = value_and_gradients(objective, variables)
for variable, slope in zip(variables, slopes):
    start = ops.convert_to_numpy(variable.value)
    assert tuple(slope.shape) == start.shape
    for i in np.ndindex(start.shape):
        both = []
        for move in (1e-2, -1e-2):
            moved = start.copy()
            moved[i] += move
            variable.assign(moved)
            both.append(float(objective()))
        variable.assign(start)
        numeric = (both[0] - both[1]) / 2e-2
        assert abs(numeric - float(slope[i])) < 2e-2 * (1 + abs(numeric)), (variable.path, i)
assert abs(float(value) - float(objective())) < 1e-5
print(keras.backend.backend(), "agrees")
"""


@pytest.mark.parametrize("backend", ["tensorflow", pytest.param("jax", marks=[pytest.mark.slow])])
def test_gradients_are_slopes(backend):
    """Tables that are read by rows and weights that don't matter among them."""
    if backend == "jax":
        pytest.importorskip("jax")
    environment = {**os.environ, "KERAS_BACKEND": backend, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == f"{backend} agrees"


def test_a_loop_by_hand_learns():
    """Ten steps of plain gradient descent on a parabola, against the formula."""
    weight = keras.Variable([4.0, -2.0])
    for _ in range(10):
        _, (slope,) = value_and_gradients(lambda: ops.sum(ops.square(weight)), [weight])
        weight.assign(weight.value - 0.1 * slope)
    np.testing.assert_allclose(weight.value, np.array([4.0, -2.0]) * 0.8**10, rtol=1e-5)


def test_a_forgotten_return_is_told():
    with pytest.raises(TypeError, match="is there a return missing"):
        value_and_gradients(lambda: None, [keras.Variable(1.0)])


def test_another_backend_is_refused_in_a_line(monkeypatch):
    monkeypatch.setattr(gradients.keras.backend, "backend", lambda: "torch")
    with pytest.raises(RuntimeError, match="TensorFlow or JAX; the backend is torch"):
        value_and_gradients(lambda: 0.0, [])
