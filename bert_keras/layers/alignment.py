"""Attention as translation first had it: scores from several formulas, masked softmax, context."""

import keras
from keras import ops

from bert_keras.layers.masks import require_bool


def mask_to_additive(mask, dtype="float32"):
    """Turn a mask into numbers to add to scores: 0 where open, very low where closed.

    The numbers at closed places are finite in float16 too, so that a row without any open place
    doesn't become NaN.

    Args:
        mask: bool tensor of any shape, True = may attend.
        dtype: str, the float type of the result.

    Returns:
        float tensor of the shape of mask and the given dtype.

    Reference:
        Devlin et al., BERT (2019), released code: `attention_layer` in `modeling.py`, with -1e4.
    """
    return ops.cast(ops.where(mask, 0.0, -3e4), dtype)


def dot_score(query, key):
    """Score every pair by a dot product; query and key have the same size.

    Args:
        query: float tensor of shape (B, T, H).
        key: float tensor of shape (B, S, H).

    Returns:
        float tensor of shape (B, T, S).

    Reference:
        Luong et al., Effective Approaches to Attention-based Neural Machine Translation (2015).
    """
    return ops.matmul(query, ops.swapaxes(key, 1, 2))  # (B, T, S)


def general_score(query, key, kernel):
    """Score every pair by a bilinear form: the query, a matrix, the key.

    Args:
        query: float tensor of shape (B, T, Q).
        key: float tensor of shape (B, S, K).
        kernel: float tensor of shape (Q, K).

    Returns:
        float tensor of shape (B, T, S).

    Reference:
        Luong et al. (2015), "general".
    """
    return ops.matmul(ops.matmul(query, kernel), ops.swapaxes(key, 1, 2))  # (B, T, S)


def additive_score(query, key, query_kernel, key_kernel, scale):
    """Score every pair by a small network with one hidden layer.

    Args:
        query: float tensor of shape (B, T, Q).
        key: float tensor of shape (B, S, K).
        query_kernel: float tensor of shape (Q, H).
        key_kernel: float tensor of shape (K, H).
        scale: float tensor of shape (H,), what the hidden units count for.

    Returns:
        float tensor of shape (B, T, S).

    Reference:
        Bahdanau et al., Neural Machine Translation by Jointly Learning to Align and Translate
        (2015), appendix A.1.2.
    """
    from_query = ops.expand_dims(ops.matmul(query, query_kernel), axis=2)  # (B, T, 1, H)
    from_key = ops.expand_dims(ops.matmul(key, key_kernel), axis=1)  # (B, 1, S, H)
    return ops.sum(scale * ops.tanh(from_query + from_key), axis=-1)  # (B, T, S)


def masked_softmax(scores, mask=None):
    """Turn scores into weights over the keys; closed keys get none.

    A row without any open key gets equal weights everywhere rather than NaN.

    Args:
        scores: float tensor of shape (..., T, S).
        mask: optional bool tensor that broadcasts to the scores; True = may attend.

    Returns:
        float tensor of the shape and dtype of scores; each row sums to one.
    """
    if mask is not None:
        scores = ops.where(mask, scores, -3e4)  # exp(-3e4) is 0, and float16 can hold -3e4
    return ops.softmax(scores, axis=-1)


def context_vector(weights, value):
    """Mix the values by their weights.

    Args:
        weights: float tensor of shape (B, T, S).
        value: float tensor of shape (B, S, V).

    Returns:
        float tensor of shape (B, T, V).
    """
    return ops.matmul(weights, value)  # (B, T, V)


@keras.saving.register_keras_serializable(package="bert_keras")
class MultiplicativeAttention(keras.layers.Layer):
    """Attention whose score is a product; with a matrix in between, or without.

    Args:
        use_kernel: whether a matrix stands between query and key, which may then differ in size.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Luong et al., Effective Approaches to Attention-based Neural Machine Translation (2015).
    """

    def __init__(self, use_kernel=True, **kwargs):
        super().__init__(**kwargs)
        self.use_kernel = use_kernel

    def build(self, query_shape, key_shape, value_shape):
        if self.use_kernel:
            self.kernel = self.add_weight(
                shape=(query_shape[-1], key_shape[-1]), initializer="glorot_uniform", name="kernel"
            )

    def call(self, query, key, value, attention_mask=None):
        """Look back at the keys from every query.

        Args:
            query: float tensor of shape (B, T, Q).
            key: float tensor of shape (B, S, K).
            value: float tensor of shape (B, S, V).
            attention_mask: optional bool tensor of shape (B, T, S) or (B, 1, S); True = may attend.

        Returns:
            The pair (context, weights) of shapes (B, T, V) and (B, T, S).

        Raises:
            ValueError: the mask is not bool.
        """
        if attention_mask is not None:
            require_bool(attention_mask, "attention_mask")
        if self.use_kernel:
            scores = general_score(query, key, ops.cast(self.kernel, self.compute_dtype))
        else:
            scores = dot_score(query, key)
        weights = masked_softmax(scores, attention_mask)
        return context_vector(weights, value), weights

    def get_config(self):
        return {**super().get_config(), "use_kernel": self.use_kernel}


@keras.saving.register_keras_serializable(package="bert_keras")
class AdditiveAttention(keras.layers.Layer):
    """Attention whose score is a small network of query and key.

    Args:
        hidden_dim: int, the number of hidden units of that network.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Bahdanau et al., Neural Machine Translation by Jointly Learning to Align and Translate
        (2015).
    """

    def __init__(self, hidden_dim, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim

    def build(self, query_shape, key_shape, value_shape):
        self.query_kernel = self.add_weight(
            shape=(query_shape[-1], self.hidden_dim),
            initializer="glorot_uniform",
            name="query_kernel",
        )
        self.key_kernel = self.add_weight(
            shape=(key_shape[-1], self.hidden_dim), initializer="glorot_uniform", name="key_kernel"
        )
        self.scale = self.add_weight(
            shape=(self.hidden_dim,), initializer="glorot_uniform", name="scale"
        )

    def call(self, query, key, value, attention_mask=None):
        """Look back at the keys from every query.

        Args:
            query: float tensor of shape (B, T, Q).
            key: float tensor of shape (B, S, K).
            value: float tensor of shape (B, S, V).
            attention_mask: optional bool tensor of shape (B, T, S) or (B, 1, S); True = may attend.

        Returns:
            The pair (context, weights) of shapes (B, T, V) and (B, T, S).

        Raises:
            ValueError: the mask is not bool.
        """
        if attention_mask is not None:
            require_bool(attention_mask, "attention_mask")
        weights = (self.query_kernel, self.key_kernel, self.scale)
        scores = additive_score(query, key, *(ops.cast(w, self.compute_dtype) for w in weights))
        weights = masked_softmax(scores, attention_mask)
        return context_vector(weights, value), weights

    def get_config(self):
        return {**super().get_config(), "hidden_dim": self.hidden_dim}
