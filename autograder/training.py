"""Trains a layer by eager single steps, where the student's code runs.

A compiled `fit` spends more time on tracing than a handful of steps takes, twice the processor time
in a fresh process, and hides which step went wrong. Here every step is one loss, one gradient and
one update; nothing is compiled, so the losses can be compared number by number with arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.weights import find_weight, named_weights


def train(layer: Any, inputs: tuple, targets: Any, plan: dict[str, Any], own: Callable) -> tuple:
    """Train a layer on one batch and leave it as it was.

    The weights are put back afterwards, so that a training can be asked for twice, or in another
    process after this one ended, with the same result.

    Args:
        layer: a built Keras layer.
        inputs: tensors, the layer's arguments; the same ones in every step.
        targets: tensor.
        plan: `steps` (int), `loss` and `update` (names from `LOSSES` and `OPTIMIZERS`, or
            `{"own": name}`), `learning_rate` and `momentum` (floats), `weights` (attribute paths).
        own: gives the student's function of a name.

    Returns:
        The losses, float32 (steps,), each from before its step's update; then the weights in
        `plan["weights"]` as they are at the end.

    Raises:
        AttributeError: the layer has no weight of that path.
        TypeError: the loss isn't one number.
        RuntimeError: the backend isn't supported.
    """
    weights = named_weights(layer)
    wanted = [find_weight(weights, path) for path in plan["weights"]]
    variables = list(layer.variables)
    before = [np.array(_numpy(variable)) for variable in variables]
    gradients = _backend()
    measure = _loss(plan["loss"], own)
    update = _update(plan, own)
    losses = []
    try:
        for _ in range(plan["steps"]):
            moving = list(layer.trainable_variables)
            value, slopes = gradients(layer, moving, inputs, targets, measure)
            losses.append(float(value))
            # What the loss doesn't depend on stays as it is.
            pairs = [(v, g) for v, g in zip(moving, slopes, strict=True) if g is not None]
            update(pairs)
        return (np.array(losses, "float32"), *(np.array(_numpy(variable)) for variable in wanted))
    finally:
        for variable, value in zip(variables, before, strict=True):
            variable.assign(value)


# ---------------------------------------------------------------- losses


def _mean_squared_error(targets, outputs):
    from keras import ops

    return ops.mean(ops.square(outputs - targets))


def _cross_entropy(targets, outputs):
    """Mean of -log softmax(outputs)[target] over all positions."""
    from keras import ops

    picked = ops.one_hot(targets, outputs.shape[-1], dtype=outputs.dtype)
    return -ops.mean(ops.sum(picked * ops.log_softmax(outputs, axis=-1), axis=-1))


LOSSES = {"mean_squared_error": _mean_squared_error, "cross_entropy": _cross_entropy}


def _loss(name, own) -> Callable:
    function = own(name["own"]) if isinstance(name, dict) else LOSSES[name]

    def measure(targets, outputs):
        value = function(targets, outputs)
        shape = tuple(getattr(value, "shape", ()))
        if value is None or shape:
            what = "nothing" if value is None else f"an array of shape {shape}"
            raise TypeError(f"a loss is one number, but this one returned {what}")
        return value

    return measure


# ---------------------------------------------------------------- updates

# All but the first are Keras's own.
OPTIMIZERS = ("sgd", "adam", "adamw", "rmsprop", "adagrad")


def _update(plan, own) -> Callable:
    """A function of pairs (variable, gradient) that carries out one update."""
    name, rate = plan["update"], plan["learning_rate"]
    if isinstance(name, dict):
        function = own(name["own"])

        def step(pairs):
            for variable, gradient in pairs:
                variable.assign(function(variable.value, gradient, rate))

        return step
    if name == "sgd":
        return _sgd(rate, plan["momentum"])
    return _keras(name, rate)


def _sgd(rate: float, momentum: float) -> Callable:
    """velocity = momentum · velocity + gradient; weight -= rate · velocity."""
    velocities: dict[int, Any] = {}

    def step(pairs):
        for variable, gradient in pairs:
            old = velocities.get(id(variable))
            velocity = gradient if old is None else momentum * old + gradient
            velocities[id(variable)] = velocity
            variable.assign(variable.value - rate * velocity)

    return step


def _keras(name: str, rate: float) -> Callable:
    """An optimizer of Keras's, made anew for this training."""
    import keras

    config = {"learning_rate": rate}
    optimizer = keras.optimizers.get({"class_name": name, "config": config})

    def step(pairs):
        if pairs:
            if not optimizer.built:
                # A weight may fall silent later; slots for all that move now.
                optimizer.build([variable for variable, _ in pairs])
            optimizer.apply([g for _, g in pairs], [v for v, _ in pairs])

    return step


# ---------------------------------------------------------------- gradients


def _backend() -> Callable:
    import keras

    name = keras.backend.backend()
    if name == "tensorflow":
        return _with_tensorflow
    if name == "jax":
        return _with_jax
    raise RuntimeError("training is checked on the TensorFlow and JAX backends only")


def _with_tensorflow(layer, moving, inputs, targets, measure):
    import tensorflow as tf

    with tf.GradientTape() as tape:
        value = tf.convert_to_tensor(measure(targets, layer(*inputs, training=True)))
    slopes = tape.gradient(value, [variable.value for variable in moving])
    # A table that is read by rows has its gradient as rows, too.
    return value, [None if slope is None else tf.convert_to_tensor(slope) for slope in slopes]


def _with_jax(layer, moving, inputs, targets, measure):
    import jax
    import keras
    from keras import ops

    resting = list(layer.non_trainable_variables)

    def objective(values):
        # Not `stateless_call`, which hands `training` to layers whose call doesn't take it.
        with keras.StatelessScope(state_mapping=zip(moving, values, strict=True)) as scope:
            value = ops.convert_to_tensor(measure(targets, layer(*inputs, training=True)))
        return value, [scope.get_current_value(variable) for variable in resting]

    values = [variable.value for variable in moving]
    (value, state), slopes = jax.value_and_grad(objective, has_aux=True)(values)
    for variable, new in zip(resting, state, strict=True):
        if new is not None:
            variable.assign(new)
    return value, slopes


def _numpy(variable):
    from keras import ops

    return ops.convert_to_numpy(variable)
