"""The Transformer's decoder block: an encoder block that also looks at another sequence."""

import keras

from bert_keras.layers.dropout import Dropout
from bert_keras.layers.transformer import BlockAttention, FeedForward


@keras.saving.register_keras_serializable(package="bert_keras")
class DecoderBlock(keras.layers.Layer):
    """Self-attention, attention to another sequence and a feed-forward network.

    Each of the three has a residual and a norm, in the order that `norm_first` says; see
    `EncoderBlock`.

    Args:
        num_heads: int, the number of attention heads N, of both attentions.
        hidden_dim: int, the size D of the model.
        intermediate_dim: int, the size F in the middle of the feed-forward network.
        dropout: float, the share dropped in training of the attention weights and of the output
            of all branches.
        activation: name or callable, of the feed-forward network.
        norm_first: whether to normalise what goes into a branch rather than the sum after it.
        layer_norm_epsilon: float, added to the variance inside the root.
        kernel_initializer: initializer of all kernels.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Raises:
        ValueError: unless hidden_dim is a multiple of num_heads.

    Reference:
        Vaswani et al., Attention Is All You Need (2017), section 3.1.
    """

    def __init__(
        self,
        num_heads,
        hidden_dim,
        intermediate_dim,
        dropout=0.1,
        activation="relu",
        norm_first=False,
        layer_norm_epsilon=1e-6,
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

        def attention(name):
            return BlockAttention(
                num_heads,
                hidden_dim,
                dropout=dropout,
                kernel_initializer=self.kernel_initializer,
                dtype=self.dtype_policy,
                name=name,
            )

        def dropping(branch):
            return Dropout(dropout, dtype=self.dtype_policy, name=f"{branch}_dropout")

        def layer_norm(branch):
            return keras.layers.LayerNormalization(
                epsilon=layer_norm_epsilon, dtype=self.dtype_policy, name=f"{branch}_layer_norm"
            )

        self.self_attention = attention("self_attention")
        self.self_attention_dropout = dropping("self_attention")
        self.self_attention_layer_norm = layer_norm("self_attention")
        self.cross_attention = attention("cross_attention")
        self.cross_attention_dropout = dropping("cross_attention")
        self.cross_attention_layer_norm = layer_norm("cross_attention")
        self.feed_forward = FeedForward(
            intermediate_dim,
            hidden_dim,
            activation=self.activation,
            kernel_initializer=self.kernel_initializer,
            dtype=self.dtype_policy,
            name="feed_forward",
        )
        self.feed_forward_dropout = dropping("feed_forward")
        self.feed_forward_layer_norm = layer_norm("feed_forward")

    def build(self, x_shape, source_shape):
        self.self_attention.build(x_shape, x_shape, x_shape)
        self.self_attention_layer_norm.build(x_shape)
        self.cross_attention.build(x_shape, source_shape, source_shape)
        self.cross_attention_layer_norm.build(x_shape)
        self.feed_forward.build(x_shape)
        self.feed_forward_layer_norm.build(x_shape)
        self.built = True

    def call(self, x, source, attention_mask=None, source_mask=None):
        """Let the target's tokens look at each other, then at the source, then think.

        Args:
            x: float tensor of shape (B, T, D), the target.
            source: float tensor of shape (B, S, any), the encoder's output.
            attention_mask: optional bool tensor of shape (B, T, T) or (B, 1, T): which tokens of
                the target a token may look at; causal in a decoder.
            source_mask: optional bool tensor of shape (B, T, S) or (B, 1, S): which tokens of the
                source.

        Returns:
            The triple (output, self_weights, cross_weights): output of shape (B, T, D) and the
            weights of every head of shape (B, N, T, T) and (B, N, T, S).
        """
        seen = self.self_attention_layer_norm(x) if self.norm_first else x
        attended, self_weights = self.self_attention(
            seen, seen, seen, attention_mask=attention_mask
        )
        x = x + self.self_attention_dropout(attended)
        if not self.norm_first:
            x = self.self_attention_layer_norm(x)
        seen = self.cross_attention_layer_norm(x) if self.norm_first else x
        attended, cross_weights = self.cross_attention(
            seen, source, source, attention_mask=source_mask
        )
        x = x + self.cross_attention_dropout(attended)
        if not self.norm_first:
            x = self.cross_attention_layer_norm(x)
        seen = self.feed_forward_layer_norm(x) if self.norm_first else x
        x = x + self.feed_forward_dropout(self.feed_forward(seen))
        if not self.norm_first:
            x = self.feed_forward_layer_norm(x)
        return x, self_weights, cross_weights

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
