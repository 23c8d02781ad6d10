"""One representation out of several layers: each task learns how much it takes of which."""

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="bert_keras")
class ScalarMix(keras.layers.Layer):
    """Average layers with learned weights that sum to one, then scale by a learned factor.

    Before training all layers count the same and the factor is 1. The weights belong to the task:
    they learn also where the model that gave the layers is frozen.

    Args:
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Example:
        >>> mix = ScalarMix()
        >>> mix(model.features(inputs))  # L + 1 of (B, T, 2 D) become one

    Reference:
        Peters et al., Deep Contextualized Word Representations (2018), equation 1.
    """

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True  # every token on its own: a Keras mask holds after it too

    def build(self, layers_shape):
        self.scores = self.add_weight(
            shape=(len(layers_shape),), initializer="zeros", name="scores"
        )
        self.scale = self.add_weight(shape=(), initializer="ones", name="scale")

    @property
    def layer_weights(self):
        """float tensor of shape (L,): the share of each layer."""
        return ops.softmax(ops.convert_to_tensor(self.scores))

    def call(self, layers):
        """Mix the layers.

        Args:
            layers: list of L float tensors of one shape (..., D).

        Returns:
            float tensor of shape (..., D).
        """
        shares = ops.cast(self.layer_weights, self.compute_dtype)  # (L,)
        mixed = sum(shares[number] * layer for number, layer in enumerate(layers))  # (..., D)
        return ops.cast(self.scale, self.compute_dtype) * mixed

    def compute_mask(self, layers, mask=None):
        """The mask of the first layer; all of them are of the same tokens.

        Args:
            layers: as for `call`.
            mask: list of bool tensors of shape (B, T), or None.

        Returns:
            bool tensor of shape (B, T), or None.
        """
        return mask[0] if isinstance(mask, list | tuple) else mask
