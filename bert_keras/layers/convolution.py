"""Convolution over sequences: what it computes, how far it sees, and the layer."""

import keras
from keras import ops

from bert_keras.layers.masks import require_bool


def conv1d_same(x, kernel, bias, dilation_rate=1):
    """Slide a window over every sequence; the output is as long as the input.

    Position t sees positions around it, `dilation_rate` apart, the middle row of the kernel being
    t itself; beyond the ends there are zeros. Like every deep-learning library this computes a
    cross-correlation: the kernel is not turned around.

    Args:
        x: float tensor of shape (B, T, D).
        kernel: float tensor of shape (K, D, F), K odd.
        bias: float tensor of shape (F,).
        dilation_rate: int, the distance between neighbouring rows of the kernel.

    Returns:
        float tensor of shape (B, T, F).
    """
    kernel_size = kernel.shape[0]
    reach = dilation_rate * (kernel_size // 2)
    length = ops.shape(x)[1]
    padded = ops.pad(x, [[0, 0], [reach, reach], [0, 0]])  # (B, reach + T + reach, D)
    output = bias
    for row in range(kernel_size):
        start = row * dilation_rate
        seen = padded[:, start : start + length]  # (B, T, D)
        output = output + ops.matmul(seen, kernel[row])  # (B, T, F)
    return output


def receptive_field(kernel_sizes, dilation_rates=None):
    """How many positions one output of a stack of convolutions depends on.

    Args:
        kernel_sizes: sequence of ints, from the first layer to the last.
        dilation_rates: sequence of ints of the same length; all 1 where it is missing.

    Returns:
        int.
    """
    dilation_rates = dilation_rates or [1] * len(kernel_sizes)
    grown = ((size - 1) * rate for size, rate in zip(kernel_sizes, dilation_rates, strict=True))
    return 1 + sum(grown)


@keras.saving.register_keras_serializable(package="bert_keras")
class MaskedConvolution(keras.layers.Layer):
    """A convolution over sequences that does not look at padding.

    Args:
        filters: int, the number of output features F.
        kernel_size: int, odd, the width K of the window.
        dilation_rate: int, the distance between the positions that the window sees.
        activation: name or callable, applied at the end.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Raises:
        ValueError: for an even kernel_size, which has no middle.
    """

    def __init__(self, filters, kernel_size, dilation_rate=1, activation="relu", **kwargs):
        super().__init__(**kwargs)
        if kernel_size % 2 == 0:
            raise ValueError(f"kernel_size is {kernel_size}; it must be odd, to have a middle")
        self.filters = filters
        self.kernel_size = kernel_size
        self.dilation_rate = dilation_rate
        self.activation = keras.activations.get(activation)
        self.supports_masking = True

    def build(self, x_shape):
        self.kernel = self.add_weight(
            shape=(self.kernel_size, x_shape[-1], self.filters),
            initializer="glorot_uniform",
            name="kernel",
        )
        self.bias = self.add_weight(shape=(self.filters,), initializer="zeros", name="bias")

    def call(self, x, mask=None):
        """Convolve every sequence.

        Args:
            x: float tensor of shape (B, T, any).
            mask: optional bool tensor of shape (B, T), True at real tokens; padding counts as
                zeros, as what lies beyond the ends does. Keras passes it on from the layers before.

        Returns:
            float tensor of shape (B, T, F).

        Raises:
            ValueError: the mask is not bool.
        """
        if mask is not None:
            require_bool(mask)
            x = ops.where(ops.expand_dims(mask, axis=-1), x, 0)  # (B, T, D)
        weights = (ops.cast(w, self.compute_dtype) for w in (self.kernel, self.bias))
        return self.activation(conv1d_same(x, *weights, dilation_rate=self.dilation_rate))

    def get_config(self):
        return {
            **super().get_config(),
            "filters": self.filters,
            "kernel_size": self.kernel_size,
            "dilation_rate": self.dilation_rate,
            "activation": keras.activations.serialize(self.activation),
        }
