"""The Transformer's encoder block: attention, then a feed-forward network, each with a bypass."""

import keras

from bert_keras.layers.activations import quick
from bert_keras.layers.attention import MultiHeadAttention
from bert_keras.layers.dropout import Dropout
from bert_keras.layers.masks import require_bool


@keras.saving.register_keras_serializable(package="bert_keras")
class FeedForward(keras.layers.Layer):
    """Widen every token, bend it, narrow it again; each token on its own.

    Args:
        intermediate_dim: int, the size F in the middle, usually 4 D.
        hidden_dim: int, the size D of the output.
        activation: name or callable, applied in the middle. "gelu" is the exact form with erf,
            as in BERT; `keras.activations.relu` makes the original Transformer.
        kernel_initializer: initializer of both kernels.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Vaswani et al., Attention Is All You Need (2017), section 3.3.
        Hendrycks and Gimpel, Gaussian Error Linear Units (2016).
    """

    def __init__(
        self,
        intermediate_dim,
        hidden_dim,
        activation="gelu",
        kernel_initializer="glorot_uniform",
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.intermediate_dim = intermediate_dim
        self.hidden_dim = hidden_dim
        self.activation = keras.activations.get(activation)
        self.kernel_initializer = keras.initializers.get(kernel_initializer)
        self.supports_masking = True  # every token on its own: a Keras mask holds after it too
        self.intermediate_dense = keras.layers.Dense(
            intermediate_dim,
            activation=quick(self.activation),
            kernel_initializer=self.kernel_initializer.clone(),
            dtype=self.dtype_policy,
            name="intermediate",
        )
        self.output_dense = keras.layers.Dense(
            hidden_dim,
            kernel_initializer=self.kernel_initializer.clone(),
            dtype=self.dtype_policy,
            name="output",
        )

    def build(self, input_shape):
        self.intermediate_dense.build(input_shape)
        self.output_dense.build((*input_shape[:-1], self.intermediate_dim))
        self.built = True

    def call(self, x):
        """Transform every token.

        Args:
            x: float tensor of shape (..., any).

        Returns:
            float tensor of shape (..., D).
        """
        return self.output_dense(self.intermediate_dense(x))  # (..., F) -> (..., D)

    def get_config(self):
        return {
            **super().get_config(),
            "intermediate_dim": self.intermediate_dim,
            "hidden_dim": self.hidden_dim,
            "activation": keras.activations.serialize(self.activation),
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }


@keras.saving.register_keras_serializable(package="bert_keras")
class BlockAttention(MultiHeadAttention):
    """`MultiHeadAttention` as the blocks use it: with cheap dropout, and its mask looked at.

    The class it is made from is also what the course shows, so it stays with Keras's parts.

    Args:
        num_heads: int, the number of heads N.
        hidden_dim: int, the size D of the output and of all heads together.
        dropout: float, the share of attention weights dropped in training.
        **kwargs: of `MultiHeadAttention`.
    """

    def __init__(self, num_heads, hidden_dim, dropout=0.0, **kwargs):
        super().__init__(num_heads, hidden_dim, dropout=0.0, **kwargs)
        self.dropout = dropout
        self.attention_dropout = Dropout(dropout, dtype=self.dtype_policy, name="attention_dropout")

    def call(self, query, key, value, attention_mask=None):
        """Attend from every query to the keys it may see.

        Args:
            query: float tensor of shape (B, T, any).
            key: float tensor of shape (B, S, any).
            value: float tensor of shape (B, S, any).
            attention_mask: optional bool tensor of shape (B, T, S) or (B, 1, S).

        Returns:
            The pair (output, weights) of shapes (B, T, D) and (B, N, T, S).

        Raises:
            ValueError: the mask is not bool.
        """
        if attention_mask is not None:
            require_bool(attention_mask, "attention_mask")
        return super().call(query, key, value, attention_mask=attention_mask)


@keras.saving.register_keras_serializable(package="bert_keras")
class EncoderBlock(keras.layers.Layer):
    """Self-attention and a feed-forward network, each with a residual and a norm.

    As in the original Transformer and in BERT, a branch is added to its input first and the sum is
    normalised, so what leaves the block is always normalised. With `norm_first` the branch gets a
    normalised input instead and the way around it stays untouched: deep stacks train more easily
    so, and need one more norm at their end.

    Args:
        num_heads: int, the number of attention heads N.
        hidden_dim: int, the size D of the model.
        intermediate_dim: int, the size F in the middle of the feed-forward network.
        dropout: float, the share dropped in training of the attention weights and of the output
            of both branches.
        activation: name or callable, of the feed-forward network.
        norm_first: whether to normalise what goes into a branch rather than the sum after it.
        layer_norm_epsilon: float, added to the variance inside the root.
        kernel_initializer: initializer of all kernels.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Raises:
        ValueError: unless hidden_dim is a multiple of num_heads.

    Reference:
        Vaswani et al., Attention Is All You Need (2017), section 3.1.
        Xiong et al., On Layer Normalization in the Transformer Architecture (2020).
    """

    def __init__(
        self,
        num_heads,
        hidden_dim,
        intermediate_dim,
        dropout=0.1,
        activation="gelu",
        norm_first=False,
        layer_norm_epsilon=1e-12,
        kernel_initializer="glorot_uniform",
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.hidden_dim = hidden_dim
        self.intermediate_dim = intermediate_dim
        self.dropout = dropout
        self.activation = keras.activations.get(activation)
        self.norm_first = norm_first
        self.layer_norm_epsilon = layer_norm_epsilon
        self.kernel_initializer = keras.initializers.get(kernel_initializer)

        self.self_attention = self.make_attention(
            dropout=dropout,
            kernel_initializer=self.kernel_initializer,
            dtype=self.dtype_policy,
            name="self_attention",
        )
        self.self_attention_dropout = Dropout(
            dropout, dtype=self.dtype_policy, name="self_attention_dropout"
        )
        self.self_attention_layer_norm = keras.layers.LayerNormalization(
            epsilon=layer_norm_epsilon, dtype=self.dtype_policy, name="self_attention_layer_norm"
        )
        self.feed_forward = self.make_feed_forward(
            activation=self.activation,
            kernel_initializer=self.kernel_initializer,
            dtype=self.dtype_policy,
            name="feed_forward",
        )
        self.feed_forward_dropout = Dropout(
            dropout, dtype=self.dtype_policy, name="feed_forward_dropout"
        )
        self.feed_forward_layer_norm = keras.layers.LayerNormalization(
            epsilon=layer_norm_epsilon, dtype=self.dtype_policy, name="feed_forward_layer_norm"
        )

    def make_attention(self, **kwargs):
        """The layer that lets the tokens look at each other; a compressed block has another.

        Args:
            **kwargs: dropout, kernel_initializer, dtype and name.

        Returns:
            A layer called like `BlockAttention`.
        """
        return BlockAttention(self.num_heads, self.hidden_dim, **kwargs)

    def make_feed_forward(self, **kwargs):
        """The network that every token passes; a compressed block has another.

        Args:
            **kwargs: activation, kernel_initializer, dtype and name.

        Returns:
            A layer called like `FeedForward`.
        """
        return FeedForward(self.intermediate_dim, self.hidden_dim, **kwargs)

    def build(self, x_shape):
        self.self_attention.build(x_shape, x_shape, x_shape)
        self.self_attention_layer_norm.build(x_shape)
        self.feed_forward.build(x_shape)
        self.feed_forward_layer_norm.build(x_shape)
        self.built = True

    def call(self, x, attention_mask=None):
        """Let the tokens look at each other, then think on their own.

        Args:
            x: float tensor of shape (B, T, D).
            attention_mask: optional bool tensor of shape (B, T, T) or (B, 1, T); True = may
                attend.

        Returns:
            The pair (output, weights): output of shape (B, T, D) and the attention weights of
            every head of shape (B, N, T, T).
        """
        seen = self.self_attention_layer_norm(x) if self.norm_first else x
        attended, weights = self.self_attention(seen, seen, seen, attention_mask=attention_mask)
        x = x + self.self_attention_dropout(attended)
        if not self.norm_first:
            x = self.self_attention_layer_norm(x)
        seen = self.feed_forward_layer_norm(x) if self.norm_first else x
        x = x + self.feed_forward_dropout(self.feed_forward(seen))
        if not self.norm_first:
            x = self.feed_forward_layer_norm(x)
        return x, weights

    def get_config(self):
        return {
            **super().get_config(),
            "num_heads": self.num_heads,
            "hidden_dim": self.hidden_dim,
            "intermediate_dim": self.intermediate_dim,
            "dropout": self.dropout,
            "activation": keras.activations.serialize(self.activation),
            "norm_first": self.norm_first,
            "layer_norm_epsilon": self.layer_norm_epsilon,
            "kernel_initializer": keras.initializers.serialize(self.kernel_initializer),
        }
