"""Encoder blocks that have lost something: heads, or the rank of their wide kernels."""

import keras
from keras import ops

from bert_keras.layers.attention import merge_heads, scaled_dot_product, split_heads
from bert_keras.layers.dropout import Dropout
from bert_keras.layers.masks import require_bool
from bert_keras.layers.transformer import EncoderBlock, FeedForward


@keras.saving.register_keras_serializable(package="bert_keras")
class PrunedAttention(keras.layers.Layer):
    """Self-attention that has lost some of its heads.

    Args:
        num_heads: int n, the heads that are left; with 0 only the output's bias is.
        head_dim: int H, the size of a head, as it was.
        hidden_dim: int, the size D of input and output.
        dropout: float, the share of attention weights dropped in training.
        kernel_initializer: initializer of the four kernels.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.
    """

    def __init__(
        self,
        num_heads,
        head_dim,
        hidden_dim,
        dropout=0.0,
        kernel_initializer="glorot_uniform",
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.head_dim = head_dim
        self.hidden_dim = hidden_dim
        self.dropout = dropout
        self.kernel_initializer = keras.initializers.get(kernel_initializer)
        if num_heads:
            inside = num_heads * head_dim
            self.query_dense = _dense(self, inside, "query")
            self.key_dense = _dense(self, inside, "key")
            self.value_dense = _dense(self, inside, "value")
            self.output_dense = _dense(self, hidden_dim, "output")
        self.attention_dropout = Dropout(dropout, dtype=self.dtype_policy, name="attention_dropout")

    def build(self, query_shape, key_shape, value_shape):
        if self.num_heads:
            self.query_dense.build(query_shape)
            self.key_dense.build(key_shape)
            self.value_dense.build(value_shape)
            self.output_dense.build((*query_shape[:-1], self.num_heads * self.head_dim))
        else:
            self.output_bias = self.add_weight(
                shape=(self.hidden_dim,), initializer="zeros", name="output_bias"
            )
        self.built = True

    def call(self, query, key, value, attention_mask=None):
        """Attend with the heads that are left.

        Args:
            query: float tensor of shape (B, T, D).
            key: float tensor of shape (B, S, D).
            value: float tensor of shape (B, S, D).
            attention_mask: optional bool tensor of shape (B, T, S) or (B, 1, S); True = may
                attend.

        Returns:
            The pair (output, weights) of shapes (B, T, D) and (B, n, T, S).
        """
        if not self.num_heads:
            batch_size, length, _ = ops.shape(query)
            output = ops.broadcast_to(self.output_bias, (batch_size, length, self.hidden_dim))
            empty = ops.zeros((batch_size, 0, length, ops.shape(key)[1]), dtype=output.dtype)
            return output, empty
        query = split_heads(self.query_dense(query), self.num_heads)  # (B, n, T, H)
        key = split_heads(self.key_dense(key), self.num_heads)  # (B, n, S, H)
        value = split_heads(self.value_dense(value), self.num_heads)  # (B, n, S, H)
        if attention_mask is not None:
            require_bool(attention_mask, "attention_mask")
            attention_mask = ops.expand_dims(attention_mask, axis=1)  # (B, 1, T, S)
        output, weights = scaled_dot_product(
            query, key, value, mask=attention_mask, dropout=self.attention_dropout
        )  # (B, n, T, H), (B, n, T, S)
        return self.output_dense(merge_heads(output)), weights  # (B, T, D), (B, n, T, S)

    def get_config(self):
        return {
            **super().get_config(),
            "num_heads": self.num_heads,
            "head_dim": self.head_dim,
            "hidden_dim": self.hidden_dim,
            "dropout": self.dropout,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }


@keras.saving.register_keras_serializable(package="bert_keras")
class LowRankFeedForward(FeedForward):
    """A feed-forward network each of whose kernels is the product of two thin ones.

    Args:
        intermediate_dim: int, the size F in the middle.
        hidden_dim: int, the size D of the output.
        rank: int, how thin.
        **kwargs: of `FeedForward`.
    """

    def __init__(self, intermediate_dim, hidden_dim, rank, **kwargs):
        super().__init__(intermediate_dim, hidden_dim, **kwargs)
        self.rank = rank
        self.intermediate_thin = _dense(self, rank, "intermediate_thin", use_bias=False)
        self.output_thin = _dense(self, rank, "output_thin", use_bias=False)

    def build(self, input_shape):
        *batch, _ = input_shape
        self.intermediate_thin.build(input_shape)
        self.intermediate_dense.build((*batch, self.rank))
        self.output_thin.build((*batch, self.intermediate_dim))
        self.output_dense.build((*batch, self.rank))
        self.built = True

    def call(self, x):
        """Transform every token.

        Args:
            x: float tensor of shape (..., any).

        Returns:
            float tensor of shape (..., D).
        """
        x = self.intermediate_dense(self.intermediate_thin(x))  # (..., rank) -> (..., F)
        return self.output_dense(self.output_thin(x))  # (..., rank) -> (..., D)

    def get_config(self):
        return {**super().get_config(), "rank": self.rank}


@keras.saving.register_keras_serializable(package="bert_keras")
class CompressedBlock(EncoderBlock):
    """`EncoderBlock` with fewer heads or with thin kernels; otherwise it is the same.

    Args:
        heads_left: int n, the heads that are left of num_heads.
        rank: int, of both kernels of the feed-forward network; 0 leaves them whole.
        num_heads: int, the heads that there were; with hidden_dim it decides their size.
        hidden_dim: int, the size D of the model.
        intermediate_dim: int, the size F in the middle of the feed-forward network.
        **kwargs: of `EncoderBlock`.
    """

    def __init__(self, heads_left, rank, num_heads, hidden_dim, intermediate_dim, **kwargs):
        self.heads_left, self.rank = heads_left, rank  # the makers below need them
        super().__init__(num_heads, hidden_dim, intermediate_dim, **kwargs)

    def make_attention(self, **kwargs):
        """The attention with the heads that are left.

        Args:
            **kwargs: dropout, kernel_initializer, dtype and name.

        Returns:
            `PrunedAttention`.
        """
        head_dim = self.hidden_dim // self.num_heads
        return PrunedAttention(self.heads_left, head_dim, self.hidden_dim, **kwargs)

    def make_feed_forward(self, **kwargs):
        """The feed-forward network, thin or whole.

        Args:
            **kwargs: activation, kernel_initializer, dtype and name.

        Returns:
            `LowRankFeedForward`, or `FeedForward`.
        """
        if not self.rank:
            return super().make_feed_forward(**kwargs)
        return LowRankFeedForward(self.intermediate_dim, self.hidden_dim, self.rank, **kwargs)

    def get_config(self):
        return {**super().get_config(), "heads_left": self.heads_left, "rank": self.rank}


def _dense(layer, units, name, **kwargs):
    return keras.layers.Dense(
        units,
        kernel_initializer=layer.kernel_initializer.clone(),
        dtype=layer.dtype_policy,
        name=name,
        **kwargs,
    )
