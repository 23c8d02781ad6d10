"""Where a token stands: waves that need no training, or a learned table."""

import keras
import numpy as np
from keras import ops


def sinusoidal_positions(length, hidden_dim):
    """Describe every position by waves, from about six steps to tens of thousands of steps long.

    Columns come in pairs, a sine and a cosine of the same wave: column 2 i is sin(t / w_i), column
    2 i + 1 is cos(t / w_i), with w_i = 10000^(2 i / D). A step to the side turns every pair by a
    fixed angle, wherever it is taken.

    Args:
        length: int, the number of positions T.
        hidden_dim: int, the size D of a description; even.

    Returns:
        float32 tensor of shape (T, D).

    Reference:
        Vaswani et al., Attention Is All You Need (2017), section 3.5.
    """
    position = np.arange(length)[:, None]  # (T, 1)
    pair = np.arange(hidden_dim // 2)[None, :]  # (1, D/2)
    angle = position / 10000 ** (2 * pair / hidden_dim)  # (T, D/2)
    waves = np.stack([np.sin(angle), np.cos(angle)], axis=-1)  # (T, D/2, 2)
    return ops.convert_to_tensor(waves.reshape(length, hidden_dim).astype("float32"))


@keras.saving.register_keras_serializable(package="bert_keras")
class SinusoidalPositions(keras.layers.Layer):
    """Add the waves of every position to its token; nothing to train.

    Args:
        max_sequence_length: int, the number of positions to prepare; longer inputs are refused.
        scale: float, what the tokens are multiplied by first; the original Transformer takes
            sqrt(D), so that embeddings drawn with a variance of 1/D stand up to the waves.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Raises:
        ValueError: for features of an odd size, and for sequences that are too long.

    Reference:
        Vaswani et al., Attention Is All You Need (2017), sections 3.4 and 3.5.
    """

    def __init__(self, max_sequence_length=512, scale=1.0, **kwargs):
        super().__init__(**kwargs)
        self.max_sequence_length = max_sequence_length
        self.scale = scale
        self.supports_masking = True

    def build(self, x_shape):
        if x_shape[-1] % 2:
            raise ValueError(
                f"sinusoidal positions need features of an even size, not {x_shape[-1]}"
            )
        self.table = sinusoidal_positions(self.max_sequence_length, x_shape[-1])

    def call(self, x):
        """Say where every token stands.

        Args:
            x: float tensor of shape (B, T, D).

        Returns:
            float tensor of shape (B, T, D).

        Raises:
            ValueError: there are more tokens than positions.
        """
        length = x.shape[1]  # None while a graph for any length is traced
        if length is not None and length > self.max_sequence_length:
            raise ValueError(
                f"The sequences have {length} tokens, but there are descriptions of "
                f"{self.max_sequence_length} positions only (max_sequence_length)"
            )
        waves = self.table[: ops.shape(x)[1]]  # (T, D)
        return self.scale * x + ops.cast(waves, self.compute_dtype)

    def get_config(self):
        return {
            **super().get_config(),
            "max_sequence_length": self.max_sequence_length,
            "scale": self.scale,
        }


@keras.saving.register_keras_serializable(package="bert_keras")
class LearnedPositions(keras.layers.Layer):
    """Add a learned vector for every position to its token.

    Args:
        max_sequence_length: int, the number of positions; longer inputs are refused.
        initializer_stddev: float, the spread of the truncated normal that fills the table.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Raises:
        ValueError: for sequences that are too long.

    Reference:
        Gehring et al., Convolutional Sequence to Sequence Learning (2017), section 3.1.
    """

    def __init__(self, max_sequence_length=512, initializer_stddev=0.02, **kwargs):
        super().__init__(**kwargs)
        self.max_sequence_length = max_sequence_length
        self.initializer_stddev = initializer_stddev
        self.supports_masking = True

    def build(self, x_shape):
        """Create the table, now that the number of features is known."""
        self.table = self.add_weight(
            shape=(self.max_sequence_length, x_shape[-1]),
            initializer=keras.initializers.TruncatedNormal(stddev=self.initializer_stddev),
            name="table",
        )

    def call(self, x):
        """Say where every token stands.

        Args:
            x: float tensor of shape (B, T, D).

        Returns:
            float tensor of shape (B, T, D).

        Raises:
            ValueError: there are more tokens than positions.
        """
        length = x.shape[1]  # None while a graph for any length is traced
        if length is not None and length > self.max_sequence_length:
            raise ValueError(
                f"The sequences have {length} tokens, but there are descriptions of "
                f"{self.max_sequence_length} positions only (max_sequence_length)"
            )
        return x + self.table[: ops.shape(x)[1]]  # (B, T, D) + (T, D)

    def get_config(self):
        return {
            **super().get_config(),
            "max_sequence_length": self.max_sequence_length,
            "initializer_stddev": self.initializer_stddev,
        }
