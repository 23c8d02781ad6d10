"""One number and its gradients, on whatever backend computes: for loops written by hand.

`model.fit` does this for you, and faster. Here it stands alone, so that a training loop can be read
from top to bottom.
"""

import keras
from keras import ops


def value_and_gradients(objective, variables):
    """Call a function and differentiate what it returns by some variables.

    On JAX, what the function changes besides (seeds of dropout, running means) is not kept.

    Args:
        objective: callable without arguments that returns one number, a float tensor of shape ().
        variables: list of keras.Variable, such as `model.trainable_variables`.

    Returns:
        The pair (value, gradients): a float tensor of shape () and a list of float tensors with the
        shapes of the variables; zeros where the number doesn't depend on one.

    Raises:
        RuntimeError: the backend is neither TensorFlow nor JAX.
        TypeError: the function returned nothing.
    """

    def number():
        value = objective()
        if value is None:
            raise TypeError("objective() returned None: is there a return missing?")
        return ops.convert_to_tensor(value)

    backend = keras.backend.backend()
    if backend == "tensorflow":
        return _with_tensorflow(number, variables)
    if backend == "jax":
        return _with_jax(number, variables)
    raise RuntimeError(f"gradients by hand need TensorFlow or JAX; the backend is {backend}")


def _with_tensorflow(objective, variables):
    import tensorflow as tf

    with tf.GradientTape() as tape:
        value = objective()
    gradients = tape.gradient(
        value,
        [variable.value for variable in variables],
        unconnected_gradients=tf.UnconnectedGradients.ZERO,
    )
    # A table that is read by rows has its gradient as rows, too.
    return value, [tf.convert_to_tensor(gradient) for gradient in gradients]


def _with_jax(objective, variables):
    import jax

    def of(values):
        with keras.StatelessScope(state_mapping=list(zip(variables, values, strict=True))):
            return objective()

    value, gradients = jax.value_and_grad(of)([variable.value for variable in variables])
    return value, list(gradients)
