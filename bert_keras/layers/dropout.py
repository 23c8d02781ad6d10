"""Dropout whose random bits cost next to nothing."""

import keras
from keras import ops

# Odd constants of a 32-bit mixing function with low bias (every input bit flips every high output
# bit with a probability close to one half). Written as signed numbers: all backends multiply int32
# modulo 2**32, and not all of them know uint32.
_STRIDE = 0x9E3779B9 - 2**32
_MULTIPLIERS = (0x7FEB352D, 0x846CA68B - 2**32)


@keras.saving.register_keras_serializable(package="bert_keras")
class Dropout(keras.layers.Dropout):
    """Set a share of the numbers to zero in training, and scale up the others.

    A drop-in for `keras.layers.Dropout` with a random generator of its own. The library's ones are
    made for statistics, and on a CPU they cost an eighth of a training step. Here the number of an
    element and the state of the layer's seed generator go through one mixing function of two
    multiplications, which a compiler fuses with the scaling: no array of random numbers exists.

    Args:
        rate: float, the share to drop, at least 0 and below 1.
        **kwargs: of `keras.layers.Dropout`, such as seed, name and dtype.

    Raises:
        ValueError: if noise_shape is given; every number is dropped on its own.

    Reference:
        Srivastava et al., Dropout: A Simple Way to Prevent Neural Networks from Overfitting (2014).
        Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (2011), on counters as state.
    """

    def __init__(self, rate, **kwargs):
        super().__init__(rate, **kwargs)
        if self.noise_shape is not None:
            raise ValueError("noise_shape is not supported: every number is dropped on its own")

    def call(self, inputs, training=False):
        """Drop, in training only.

        Args:
            inputs: float tensor of any shape.
            training: bool, whether to drop.

        Returns:
            tensor of the shape and dtype of inputs.
        """
        if not training or self.rate == 0:
            return inputs
        bits = random_bits(ops.shape(inputs), self.seed_generator.next())  # int32, as inputs
        threshold = round(self.rate * 2**32) - 2**31
        kept = ops.greater_equal(bits, threshold)
        return ops.where(kept, inputs * (1 / (1 - self.rate)), 0)


def random_bits(shape, seed):
    """Draw 32 random bits for every element; the same seed draws the same bits.

    Args:
        shape: sequence of ints, or of scalar int tensors.
        seed: int tensor of shape (2,), such as from `keras.random.SeedGenerator.next`.

    Returns:
        int32 tensor of the shape, uniform over all 2**32 values. The high bits are mixed best.
    """
    number = 0
    for axis, size in enumerate(shape):
        along = ops.reshape(ops.arange(size, dtype="int32"), (-1, *(1,) * (len(shape) - axis - 1)))
        number = number * size + along  # of the element, counted from 0 in the order of memory
    seed = ops.cast(seed, "int32")  # (2,)
    start = _mix(seed[0] + _mix(seed[1] * _STRIDE))
    # Seeds whose starts lie close together would give shifted copies but for this second key.
    return _mix(number * _STRIDE + start, key=_mix(start + seed[1]))


def _mix(x, key=0):
    """Scramble int32 numbers, reversibly, in a way that an int32 key changes."""
    first, second = _MULTIPLIERS
    x = ops.bitwise_xor(x, _shifted_right(x, 16)) * first + key
    return ops.bitwise_xor(x, _shifted_right(x, 15)) * second


def _shifted_right(x, places):
    """Shift in zeros; the operation alone would repeat the sign."""
    return ops.bitwise_and(ops.right_shift(x, places), 2 ** (32 - places) - 1)
