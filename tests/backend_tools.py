"""Gradients and compilation on whichever backend Keras has; for tests of layers and of parity."""

import keras
import numpy as np
from keras import ops


def arrays(tree):
    """The leaves of a structure of tensors, as NumPy arrays."""
    return [np.asarray(ops.convert_to_numpy(leaf)) for leaf in keras.tree.flatten(tree)]


def randomize(layer, seed=0, scale=0.5):
    """Give every weight, also gammas and biases, its own random numbers, the same everywhere."""
    rng = np.random.default_rng(seed)
    layer.set_weights([rng.normal(0, scale, w.shape).astype("float32") for w in layer.weights])


def step(layer, inputs, loss_of):
    """Loss, the gradient of every trainable weight, and the outputs that the loss is of.

    Args:
        layer: a built layer or model.
        inputs: dict, the arguments of its call.
        loss_of: callable, outputs → scalar tensor.

    Returns:
        The triple (loss, gradients, outputs): a float; a list in the order of
        trainable_variables, None where a weight has none; and what the call gave.
    """
    variables = layer.trainable_variables
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        with tf.GradientTape() as tape:
            outputs = layer(**inputs)
            loss = loss_of(outputs)
        found = tape.gradient(loss, [variable.value for variable in variables])
        found = [None if g is None else tf.convert_to_tensor(g).numpy() for g in found]
    elif keras.backend.backend() == "jax":
        import jax

        fixed = [variable.value for variable in layer.non_trainable_variables]

        def pure(trainable):
            outputs = layer.stateless_call(trainable, fixed, **inputs)[0]
            return loss_of(outputs), outputs

        both = jax.jit(jax.value_and_grad(pure, has_aux=True))  # one compilation, not one an op
        (loss, outputs), found = both([variable.value for variable in variables])
        found = [np.asarray(gradient) for gradient in found]
    else:
        for variable in variables:
            variable.value.grad = None  # PyTorch adds to what is there
        outputs = layer(**inputs)
        loss = loss_of(outputs)
        if variables:
            loss.backward()
        found = [variable.value.grad for variable in variables]
        found = [None if g is None else g.detach().cpu().numpy().copy() for g in found]
    return float(loss), found, outputs


def compiled(layer, inputs):
    """The outputs of one call that XLA has compiled, where the backend has XLA."""
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        tensors = keras.tree.map_structure(tf.convert_to_tensor, inputs)
        return tf.function(lambda given: layer(**given), jit_compile=True)(tensors)
    if keras.backend.backend() == "jax":
        import jax

        weights = [[v.value for v in layer.trainable_variables]]
        weights.append([v.value for v in layer.non_trainable_variables])
        return jax.jit(lambda w, given: layer.stateless_call(*w, **given)[0])(weights, inputs)
    return layer(**inputs)
