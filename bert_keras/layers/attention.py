"""Scaled dot-product attention and multi-head attention."""

import math

import keras
from keras import ops


def scaled_dot_product(query, key, value, mask=None, dropout=None):
    """Mix the values, weighted by how well each key answers the query.

    Every query is compared with every key by a dot product. Dividing the scores by the square
    root of the size of a key keeps their spread independent of that size, the softmax over the
    keys turns them into weights that sum to one, and the output is the weighted sum of the
    values. Closed keys are taken out *before* the softmax, so that the weights of the open ones
    still sum to one. A query without any open key gets some finite numbers, never NaN.

    Args:
        query: float tensor of shape (..., T, H).
        key: float tensor of shape (..., S, H).
        value: float tensor of shape (..., S, V).
        mask: optional bool tensor that broadcasts to (..., T, S); True = may attend.
        dropout: optional callable, such as a Dropout layer, applied to the weights on their way
            to the values. The returned weights are those before dropout.

    Returns:
        The pair (output, weights), both of the dtype of the query: output of shape (..., T, V)
        and weights of shape (..., T, S).

    Reference:
        Vaswani et al., Attention Is All You Need (2017), section 3.2.1.
    """
    head_dim = query.shape[-1]
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1)) / math.sqrt(head_dim)  # (..., T, S)
    if mask is not None:
        scores = ops.where(mask, scores, -3e4)  # exp(-3e4) is 0, and float16 can hold -3e4
    weights = ops.softmax(scores, axis=-1)  # over the keys
    kept_weights = weights if dropout is None else dropout(weights)
    output = ops.matmul(kept_weights, value)  # (..., T, V)
    return output, weights


def split_heads(x, num_heads):
    """Cut the features of every token into heads.

    Head n gets the n-th block of D/N features of every token. The heads then become an axis of
    their own in front of the tokens, so that each head attends on its own.

    Args:
        x: tensor of any dtype, of shape (B, T, D).
        num_heads: int, the number of heads N, a divisor of D.

    Returns:
        tensor of shape (B, N, T, D/N), of the dtype of x.
    """
    batch_size, length, hidden_dim = ops.shape(x)
    x = ops.reshape(x, (batch_size, length, num_heads, hidden_dim // num_heads))  # (B, T, N, H)
    return ops.transpose(x, (0, 2, 1, 3))  # (B, N, T, H)


def merge_heads(x):
    """Put the heads of every token side by side again; the inverse of `split_heads`.

    Args:
        x: tensor of any dtype, of shape (B, N, T, H).

    Returns:
        tensor of shape (B, T, N*H), of the dtype of x.
    """
    batch_size, num_heads, length, head_dim = ops.shape(x)
    x = ops.transpose(x, (0, 2, 1, 3))  # (B, T, N, H)
    return ops.reshape(x, (batch_size, length, num_heads * head_dim))  # (B, T, N*H)


@keras.saving.register_keras_serializable(package="bert_keras")
class MultiHeadAttention(keras.layers.Layer):
    """Attention in several heads at once, each with its own projections.

    Query, key and value are projected by one matrix each and cut into heads; every head attends
    on its own; the heads are put side by side and projected once more. Self-attention passes one
    tensor three times; cross-attention takes keys and values from another sequence.

    Args:
        num_heads: int, the number of heads N.
        hidden_dim: int, the size D of the output and of all heads together.
        dropout: float, the share of attention weights dropped in training.
        kernel_initializer: initializer of the four kernels.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Raises:
        ValueError: unless hidden_dim is a multiple of num_heads.

    Reference:
        Vaswani et al., Attention Is All You Need (2017), section 3.2.2.
    """

    def __init__(
        self,
        num_heads,
        hidden_dim,
        dropout=0.0,
        kernel_initializer="glorot_uniform",
        **kwargs,
    ):
        super().__init__(**kwargs)
        if hidden_dim % num_heads != 0:
            raise ValueError(
                f"hidden_dim ({hidden_dim}) must be a multiple of num_heads ({num_heads})"
            )
        self.num_heads = num_heads
        self.hidden_dim = hidden_dim
        self.dropout = dropout
        self.kernel_initializer = keras.initializers.get(kernel_initializer)

        def dense(name):
            # Each kernel gets its own initializer: a shared one would draw the same numbers again.
            initializer = self.kernel_initializer.clone()
            return keras.layers.Dense(
                hidden_dim, kernel_initializer=initializer, dtype=self.dtype_policy, name=name
            )

        self.query_dense = dense("query")
        self.key_dense = dense("key")
        self.value_dense = dense("value")
        self.output_dense = dense("output")
        self.attention_dropout = keras.layers.Dropout(
            dropout, dtype=self.dtype_policy, name="attention_dropout"
        )

    def build(self, query_shape, key_shape, value_shape):
        self.query_dense.build(query_shape)
        self.key_dense.build(key_shape)
        self.value_dense.build(value_shape)
        self.output_dense.build((*query_shape[:-1], self.hidden_dim))
        self.built = True

    def call(self, query, key, value, attention_mask=None):
        """Attend from every query to the keys it may see.

        Args:
            query: float tensor of shape (B, T, any).
            key: float tensor of shape (B, S, any).
            value: float tensor of shape (B, S, any).
            attention_mask: optional bool tensor of shape (B, T, S) or (B, 1, S), the same for
                every head; True = may attend.

        Returns:
            The pair (output, weights): output of shape (B, T, D) and the weights of every head,
            before dropout, of shape (B, N, T, S).
        """
        query = split_heads(self.query_dense(query), self.num_heads)  # (B, N, T, H)
        key = split_heads(self.key_dense(key), self.num_heads)  # (B, N, S, H)
        value = split_heads(self.value_dense(value), self.num_heads)  # (B, N, S, H)
        if attention_mask is not None:
            attention_mask = ops.expand_dims(attention_mask, axis=1)  # (B, 1, T, S)
        output, weights = scaled_dot_product(
            query, key, value, mask=attention_mask, dropout=self.attention_dropout
        )  # (B, N, T, H), (B, N, T, S)
        return self.output_dense(merge_heads(output)), weights  # (B, T, D), (B, N, T, S)

    def get_config(self):
        return {
            **super().get_config(),
            "num_heads": self.num_heads,
            "hidden_dim": self.hidden_dim,
            "dropout": self.dropout,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }


def attention_flops(query_length, key_length, hidden_dim, num_heads):
    """Count the work of one multi-head attention layer on one sequence.

    One FLOP is one multiplication or one addition, so a matrix product of (a, b) and (b, c)
    costs 2abc. Counted are the four projections and the two products that involve every pair of
    query and key; biases, scaling and softmax are small change.

    Args:
        query_length: int, the number of queries T.
        key_length: int, the number of keys S.
        hidden_dim: int, the size D of the model.
        num_heads: int, the number of heads N, each of size D/N.

    Returns:
        The pair of ints (projections, attention).
    """
    one_kernel = 2 * hidden_dim * hidden_dim  # FLOPs per token
    projections = one_kernel * (2 * query_length + 2 * key_length)  # query, output; key, value
    # All heads together multiply hidden_dim = num_heads * head_dim numbers per query and key.
    scores = 2 * query_length * key_length * hidden_dim
    weighted_sum = 2 * query_length * key_length * hidden_dim
    return projections, scores + weighted_sum
