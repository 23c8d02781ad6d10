"""BERT's input: what the token is, where it stands, and which sentence it belongs to."""

import keras
from keras import ops

from bert_keras.layers.dropout import Dropout


@keras.saving.register_keras_serializable(package="bert_keras")
class BertEmbeddings(keras.layers.Layer):
    """Add token, position and segment embeddings, normalise, drop.

    All three tables are learned. BERT adds the three rows as they are, without the factor
    sqrt(D) of the original Transformer. The token table can be read as
    `layer.token_embedding.embeddings`; the masked-LM head uses it again as its decoder.

    Args:
        vocabulary_size: int, the number of tokens V.
        hidden_dim: int, the size D of an embedding.
        max_sequence_length: int, the number of positions; longer sequences are refused.
        num_segments: int, the number of segments; BERT has two, numbered 0 and 1.
        dropout: float, the share of the output dropped in training.
        layer_norm_epsilon: float, added to the variance inside the root.
        initializer_stddev: float, the spread of the truncated normal that fills the tables.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Devlin et al., BERT (2019), section 3 and figure 2.
    """

    def __init__(
        self,
        vocabulary_size,
        hidden_dim,
        max_sequence_length=512,
        num_segments=2,
        dropout=0.1,
        layer_norm_epsilon=1e-12,
        initializer_stddev=0.02,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.vocabulary_size = vocabulary_size
        self.hidden_dim = hidden_dim
        self.max_sequence_length = max_sequence_length
        self.num_segments = num_segments
        self.dropout = dropout
        self.layer_norm_epsilon = layer_norm_epsilon
        self.initializer_stddev = initializer_stddev

        def table(num_rows, name):
            return keras.layers.Embedding(
                num_rows,
                hidden_dim,
                embeddings_initializer=keras.initializers.TruncatedNormal(
                    stddev=initializer_stddev
                ),
                dtype=self.dtype_policy,
                name=name,
            )

        self.token_embedding = table(vocabulary_size, "token_embedding")
        self.position_embedding = table(max_sequence_length, "position_embedding")
        self.segment_embedding = table(num_segments, "segment_embedding")
        self.layer_norm = keras.layers.LayerNormalization(
            epsilon=layer_norm_epsilon, dtype=self.dtype_policy, name="layer_norm"
        )
        self.embeddings_dropout = Dropout(
            dropout, dtype=self.dtype_policy, name="embeddings_dropout"
        )

    def build(self, token_ids_shape, segment_ids_shape):
        self.token_embedding.build(token_ids_shape)
        self.position_embedding.build((None,))
        self.segment_embedding.build(segment_ids_shape)
        self.layer_norm.build((*token_ids_shape, self.hidden_dim))
        self.built = True

    def call(self, token_ids, segment_ids, position=None):
        """Embed a batch of packed sequences, or one token of each.

        Args:
            token_ids: int tensor of shape (B, T).
            segment_ids: int tensor of shape (B, T).
            position: optional int tensor of shape (B,), where the token of each row stands, with
                T = 1; without it the first token of a row stands at 0.

        Returns:
            float tensor of shape (B, T, D).

        Raises:
            ValueError: if T is larger than max_sequence_length.
        """
        length = ops.shape(token_ids)[1]
        # While a graph for any length is traced, the length is a symbol and not yet an int.
        if isinstance(length, int) and length > self.max_sequence_length:
            raise ValueError(
                f"The sequences have {length} tokens, but there are embeddings for "
                f"{self.max_sequence_length} positions only (max_sequence_length)"
            )
        # (T,), the same for every sequence, or (B, 1)
        position = ops.arange(length) if position is None else ops.expand_dims(position, 1)
        tokens = self.token_embedding(token_ids)  # (B, T, D)
        positions = self.position_embedding(position)  # (T, D) or (B, 1, D)
        segments = self.segment_embedding(segment_ids)  # (B, T, D)
        return self.embeddings_dropout(self.layer_norm(tokens + positions + segments))

    def get_config(self):
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "hidden_dim": self.hidden_dim,
            "max_sequence_length": self.max_sequence_length,
            "num_segments": self.num_segments,
            "dropout": self.dropout,
            "layer_norm_epsilon": self.layer_norm_epsilon,
            "initializer_stddev": self.initializer_stddev,
        }
