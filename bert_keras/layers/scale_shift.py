"""The smallest layer that learns: a factor and an offset for every feature."""

import keras


@keras.saving.register_keras_serializable(package="bert_keras")
class ScaleShift(keras.layers.Layer):
    """Multiply every feature by a learned scale, then add a learned shift.

    Each of the D features has a scale and a shift of its own, the same for all positions and all
    sequences. Layer normalisation ends with this step. The weights are called `scale` and `shift`;
    a mask that comes with the input goes on with the output.

    Args:
        initial_scale: float, what every scale is before training; every shift is 0.
        **kwargs: name, dtype and so on, handed on to `keras.layers.Layer`.

    Reference:
        Ba et al., Layer Normalization (2016), section 3: the gain and the bias.
    """

    def __init__(self, initial_scale=1.0, **kwargs):
        """Keep what the layer is made with, and let masks pass."""
        super().__init__(**kwargs)
        self.initial_scale = initial_scale
        self.supports_masking = True

    def build(self, input_shape):
        """Create the two weights, now that the number of features is known."""
        size = (input_shape[-1],)  # (D,)
        start = keras.initializers.Constant(self.initial_scale)
        self.scale = self.add_weight(name="scale", shape=size, initializer=start)
        self.shift = self.add_weight(name="shift", shape=size, initializer="zeros")

    def call(self, x):
        """Scale and shift every feature.

        Args:
            x: float tensor of shape (..., D).

        Returns:
            float tensor of shape (..., D).
        """
        return x * self.scale + self.shift  # (..., D)

    def get_config(self):
        """Return all that is needed to make the same layer again, as a dict."""
        return {**super().get_config(), "initial_scale": self.initial_scale}
