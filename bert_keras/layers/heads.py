"""What stands on top of the encoder: the pooler and one head per task."""

import keras
from keras import ops

from bert_keras.layers.activations import quick
from bert_keras.layers.dropout import Dropout


@keras.saving.register_keras_serializable(package="bert_keras")
class Pooler(keras.layers.Layer):
    """Turn the output at [CLS], the first token, into a vector for the whole sequence.

    Args:
        hidden_dim: int, the size D of the vector.
        initializer_stddev: float, the spread of the truncated normal that fills the kernel.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Devlin et al., BERT (2019), section 3.
    """

    def __init__(self, hidden_dim, initializer_stddev=0.02, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.initializer_stddev = initializer_stddev
        self.dense = keras.layers.Dense(
            hidden_dim,
            activation="tanh",
            kernel_initializer=keras.initializers.TruncatedNormal(stddev=initializer_stddev),
            dtype=self.dtype_policy,
            name="dense",
        )

    def build(self, input_shape):
        batch_size, _, hidden_dim = input_shape
        self.dense.build((batch_size, hidden_dim))
        self.built = True

    def call(self, sequence_output):
        """Pool every sequence of the batch.

        Args:
            sequence_output: float tensor of shape (B, T, any). [CLS] must stand first, so
                padding must stand on the right.

        Returns:
            float tensor of shape (B, D), between -1 and 1.
        """
        cls_output = sequence_output[:, 0, :]  # (B, any)
        return self.dense(cls_output)  # (B, D)

    def get_config(self):
        return {
            **super().get_config(),
            "hidden_dim": self.hidden_dim,
            "initializer_stddev": self.initializer_stddev,
        }


@keras.saving.register_keras_serializable(package="bert_keras")
class MaskedLMHead(keras.layers.Layer):
    """Guess the tokens at the masked positions.

    The head picks the masked positions out of the sequence *first*: some 15 % of the tokens, so
    the projection to the vocabulary, the most expensive product of a small BERT, costs 15 % as
    much. The picked outputs pass a dense layer, GELU and a norm, and are then compared with
    every row of the token table. The decoder is thus tied to the embeddings; its only weight of
    its own is one bias per token.

    Args:
        activation: name or callable, after the dense layer.
        layer_norm_epsilon: float, added to the variance inside the root.
        initializer_stddev: float, the spread of the truncated normal that fills the kernel.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Devlin et al., BERT (2019), section 3.1, task 1.
        Press and Wolf, Using the Output Embedding to Improve Language Models (2017).
    """

    def __init__(
        self,
        activation="gelu",
        layer_norm_epsilon=1e-12,
        initializer_stddev=0.02,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.activation = keras.activations.get(activation)
        self.layer_norm_epsilon = layer_norm_epsilon
        self.initializer_stddev = initializer_stddev

    def build(self, sequence_output_shape, mask_positions_shape, token_table_shape):
        vocabulary_size, hidden_dim = token_table_shape
        self.dense = keras.layers.Dense(
            hidden_dim,
            activation=quick(self.activation),
            kernel_initializer=keras.initializers.TruncatedNormal(stddev=self.initializer_stddev),
            dtype=self.dtype_policy,
            name="dense",
        )
        self.layer_norm = keras.layers.LayerNormalization(
            epsilon=self.layer_norm_epsilon, dtype=self.dtype_policy, name="layer_norm"
        )
        picked_shape = (*mask_positions_shape, sequence_output_shape[-1])
        self.dense.build(picked_shape)
        self.layer_norm.build((*mask_positions_shape, hidden_dim))
        self.output_bias = self.add_weight(
            shape=(vocabulary_size,), initializer="zeros", name="output_bias"
        )
        self.built = True

    def call(self, sequence_output, mask_positions, token_table):
        """Score every token of the vocabulary at every masked position.

        Args:
            sequence_output: float tensor of shape (B, T, D).
            mask_positions: int tensor of shape (B, P). Unused slots hold any position, usually
                0; the loss gives them weight 0.
            token_table: float tensor of shape (V, D), the token embeddings.

        Returns:
            float tensor of shape (B, P, V), logits.
        """
        index = ops.expand_dims(mask_positions, axis=-1)  # (B, P, 1)
        picked = ops.take_along_axis(sequence_output, index, axis=1)  # (B, P, D)
        return self.score(picked, token_table)  # (B, P, V)

    def score(self, x, token_table):
        """Score every token of the vocabulary for some outputs of the encoder.

        Args:
            x: float tensor of shape (..., D).
            token_table: float tensor of shape (V, D), the token embeddings.

        Returns:
            float tensor of shape (..., V), logits.
        """
        transformed = self.layer_norm(self.dense(x))  # (..., D)
        return ops.matmul(transformed, ops.transpose(token_table)) + self.output_bias  # (..., V)

    def get_config(self):
        return {
            **super().get_config(),
            "activation": keras.activations.serialize(self.activation),
            "layer_norm_epsilon": self.layer_norm_epsilon,
            "initializer_stddev": self.initializer_stddev,
        }


@keras.saving.register_keras_serializable(package="bert_keras")
class ClassifierHead(keras.layers.Layer):
    """Dropout, then one score per class.

    Args:
        num_classes: int, the number of classes C.
        dropout: float, the share of the input dropped in training.
        initializer_stddev: float, the spread of the truncated normal that fills the kernel.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Devlin et al., BERT (2019), section 4.1.
    """

    def __init__(self, num_classes, dropout=0.1, initializer_stddev=0.02, **kwargs):
        super().__init__(**kwargs)
        self.num_classes = num_classes
        self.dropout = dropout
        self.initializer_stddev = initializer_stddev
        self.supports_masking = True  # over the sequence output, a Keras mask holds after it too
        self.input_dropout = Dropout(dropout, dtype=self.dtype_policy, name="input_dropout")
        self.dense = keras.layers.Dense(
            num_classes,
            kernel_initializer=keras.initializers.TruncatedNormal(stddev=initializer_stddev),
            dtype=self.dtype_policy,
            name="dense",
        )

    def build(self, input_shape):
        self.dense.build(input_shape)
        self.built = True

    def call(self, features):
        """Score every class.

        Args:
            features: float tensor of shape (..., any), such as the pooled output (B, D) or the
                sequence output (B, T, D).

        Returns:
            float tensor of shape (..., C), logits.
        """
        return self.dense(self.input_dropout(features))

    def get_config(self):
        return {
            **super().get_config(),
            "num_classes": self.num_classes,
            "dropout": self.dropout,
            "initializer_stddev": self.initializer_stddev,
        }


@keras.saving.register_keras_serializable(package="bert_keras")
class NextSentenceHead(keras.layers.Layer):
    """Guess whether the second segment followed the first in its text.

    Class 0 means "is next" and class 1 "is not", as in the original.

    Args:
        initializer_stddev: float, the spread of the truncated normal that fills the kernel.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Devlin et al., BERT (2019), section 3.1, task 2.
    """

    def __init__(self, initializer_stddev=0.02, **kwargs):
        super().__init__(**kwargs)
        self.initializer_stddev = initializer_stddev
        self.dense = keras.layers.Dense(
            2,
            kernel_initializer=keras.initializers.TruncatedNormal(stddev=initializer_stddev),
            dtype=self.dtype_policy,
            name="dense",
        )

    def build(self, input_shape):
        self.dense.build(input_shape)
        self.built = True

    def call(self, pooled_output):
        """Score both classes.

        Args:
            pooled_output: float tensor of shape (B, D).

        Returns:
            float tensor of shape (B, 2), logits: is next, is not next.
        """
        return self.dense(pooled_output)  # (B, 2)

    def get_config(self):
        return {**super().get_config(), "initializer_stddev": self.initializer_stddev}
