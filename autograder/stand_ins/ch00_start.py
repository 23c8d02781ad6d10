"""What the cases of ch00_start hand over: neighbours of a layer, and a small classifier."""

import numpy as np


def _masking(value):
    """A layer that marks positions as padding where all features are `value`, and zeroes them."""
    import keras

    return keras.layers.Masking(mask_value=value)


def _average():
    """A layer that averages positions; those that its input's mask closes are left out."""
    import keras

    return keras.layers.GlobalAveragePooling1D()


def _classifier(factors, precision, *weights):
    """A model `logits(factors * tanh(hidden(x)))` with these weights: two kernels with biases.

    Args:
        factors: what hidden features are multiplied by in training, and only there.
        precision: dtype of the logits. Keras's losses cast what is not float32, and so forget a
            softmax that they would otherwise undo.
        *weights: the four arrays.
    """
    import keras

    class InTraining(keras.layers.Layer):
        """Stands in for dropout without its randomness."""

        def call(self, x, training=False):
            return x * np.asarray(factors, "float32") if training else x

    sizes = [array.shape for array in weights]
    model = keras.Sequential(
        [
            keras.Input(sizes[0][:1]),
            keras.layers.Dense(sizes[0][1], activation="tanh", name="hidden"),
            InTraining(),
            keras.layers.Dense(sizes[2][1], name="logits"),
            keras.layers.Activation("linear", dtype=precision),
        ]
    )
    model.set_weights(list(weights))
    return model


BUILDERS = {"masking": _masking, "average": _average, "classifier": _classifier}
