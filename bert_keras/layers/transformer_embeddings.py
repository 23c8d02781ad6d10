"""The Transformer's input: what the token is, and where it stands."""

import math

import keras
from keras import ops

from bert_keras.layers.dropout import Dropout
from bert_keras.layers.positions import LearnedPositions, SinusoidalPositions

POSITIONS = {"sinusoidal": SinusoidalPositions, "learned": LearnedPositions}


@keras.saving.register_keras_serializable(package="bert_keras")
class TransformerEmbeddings(keras.layers.Layer):
    """Look tokens up, multiply by sqrt(D), add positions, drop.

    The table begins with a variance of 1/D, as suits a table that also scores the output; the
    factor makes the tokens as large as the waves that are added to them. It can be read as
    `layer.token_embedding.embeddings`.

    Args:
        vocabulary_size: int, the number of tokens V.
        hidden_dim: int, the size D of an embedding; even for sinusoidal positions.
        max_sequence_length: int, the number of positions; longer sequences are refused.
        positions: "sinusoidal", which need no training, or "learned".
        dropout: float, the share of the output dropped in training.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Raises:
        ValueError: for unknown positions.

    Reference:
        Vaswani et al., Attention Is All You Need (2017), sections 3.4, 3.5 and 5.4.
    """

    def __init__(
        self,
        vocabulary_size,
        hidden_dim,
        max_sequence_length=512,
        positions="sinusoidal",
        dropout=0.1,
        **kwargs,
    ):
        super().__init__(**kwargs)
        if positions not in POSITIONS:
            raise ValueError(f"positions is {positions!r}, not one of {', '.join(POSITIONS)}")
        self.vocabulary_size = vocabulary_size
        self.hidden_dim = hidden_dim
        self.max_sequence_length = max_sequence_length
        self.positions = positions
        self.dropout = dropout
        self.token_embedding = keras.layers.Embedding(
            vocabulary_size,
            hidden_dim,
            embeddings_initializer=keras.initializers.RandomNormal(stddev=hidden_dim**-0.5),
            dtype=self.dtype_policy,
            name="token_embedding",
        )
        self.position_layer = POSITIONS[positions](
            max_sequence_length, dtype=self.dtype_policy, name="positions"
        )
        self.embeddings_dropout = Dropout(
            dropout, dtype=self.dtype_policy, name="embeddings_dropout"
        )

    def build(self, token_ids_shape):
        self.token_embedding.build(token_ids_shape)
        self.position_layer.build((*token_ids_shape, self.hidden_dim))
        self.built = True

    def call(self, token_ids, position=None):
        """Embed whole sequences, or one token of each.

        Args:
            token_ids: int tensor of shape (B, T).
            position: optional int tensor of shape (B,), where the token of each row stands, with
                T = 1; without it the first token of a row stands at 0.

        Returns:
            float tensor of shape (B, T, D).

        Raises:
            ValueError: if T is larger than max_sequence_length.
        """
        x = self.token_embedding(token_ids) * math.sqrt(self.hidden_dim)  # (B, T, D)
        if position is None:
            x = self.position_layer(x)
        else:
            rows = ops.take(ops.convert_to_tensor(self.position_layer.table), position, axis=0)
            x = x + ops.cast(ops.expand_dims(rows, axis=1), x.dtype)  # (B, 1, D)
        return self.embeddings_dropout(x)

    def get_config(self):
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "hidden_dim": self.hidden_dim,
            "max_sequence_length": self.max_sequence_length,
            "positions": self.positions,
            "dropout": self.dropout,
        }
