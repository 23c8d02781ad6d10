"""A word from its characters: convolutions of several widths, then highway layers."""

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="bert_keras")
class Highway(keras.layers.Layer):
    """Let a gate decide, for every feature, how much is transformed and how much passes as it is.

    The gate is mostly closed at first: a stack of these begins as little more than a straight road.

    Args:
        activation: name or callable, of the transformation.
        gate_bias: float, what the bias of the gate starts with; below 0 it is mostly closed.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Srivastava et al., Highway Networks (2015).
    """

    def __init__(self, activation="relu", gate_bias=-2.0, **kwargs):
        super().__init__(**kwargs)
        self.activation = keras.activations.get(activation)
        self.gate_bias = gate_bias
        self.supports_masking = True

    def build(self, x_shape):
        def dense(name, **more):
            return keras.layers.Dense(x_shape[-1], dtype=self.dtype_policy, name=name, **more)

        closed = keras.initializers.Constant(self.gate_bias)
        self.transform_dense = dense("transform", activation=self.activation)
        self.gate_dense = dense("gate", activation="sigmoid", bias_initializer=closed)
        self.transform_dense.build(x_shape)
        self.gate_dense.build(x_shape)

    def call(self, x):
        """Transform a part.

        Args:
            x: float tensor of shape (..., D).

        Returns:
            float tensor of shape (..., D).
        """
        gate = self.gate_dense(x)  # (..., D), 1 = transformed
        return gate * self.transform_dense(x) + (1 - gate) * x

    def get_config(self):
        return {
            **super().get_config(),
            "activation": keras.activations.serialize(self.activation),
            "gate_bias": self.gate_bias,
        }


@keras.saving.register_keras_serializable(package="bert_keras")
class CharCNN(keras.layers.Layer):
    """Make the vector of a word from its characters, so that no word is unknown.

    Each filter slides over the characters of a word and reports where it fits best: the maximum
    over all windows that begin at a real character; beyond the end of the word a window sees zeros.
    So how many characters the rows are padded to changes nothing. A word without any character, as
    padding is, gives the same vector everywhere.

    Args:
        num_characters: int, how many there are; 0 stands for no character.
        hidden_dim: int, the size D of a word's vector.
        filters: sequence of pairs of int: the width of a window, and how many filters have it.
        character_dim: int, the size E of a character's vector.
        num_highways: int, the highway layers between the filters and the last projection.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Kim et al., Character-Aware Neural Language Models (2016), sections 2.2 and 2.3; Peters et
        al., Deep Contextualized Word Representations (2018), section 3.4.
    """

    def __init__(
        self,
        num_characters,
        hidden_dim,
        filters=((1, 32), (2, 32), (3, 64), (4, 64)),
        character_dim=16,
        num_highways=2,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.num_characters = num_characters
        self.hidden_dim = hidden_dim
        self.filters = [list(pair) for pair in filters]
        self.character_dim = character_dim
        self.num_highways = num_highways

        def part(layer, name, *args, **more):
            return layer(*args, **more, dtype=self.dtype_policy, name=name)

        self.character_embedding = part(
            keras.layers.Embedding, "characters", num_characters, character_dim
        )
        self.convolutions = [
            part(keras.layers.Conv1D, f"width_{width}", count, width, activation="relu")
            for width, count in self.filters
        ]
        self.highways = [part(Highway, f"highway_{number}") for number in range(num_highways)]
        self.output_dense = part(keras.layers.Dense, "output", hidden_dim)

    def build(self, character_ids_shape):
        total = sum(count for _, count in self.filters)
        self.character_embedding.build((None, None))
        for convolution in self.convolutions:
            convolution.build((None, None, self.character_dim))
        for layer in (*self.highways, self.output_dense):
            layer.build((None, total))
        self.built = True

    def call(self, character_ids):
        """Spell every word.

        Args:
            character_ids: int tensor of shape (B, T, C), 0 after the end of a word.

        Returns:
            float tensor of shape (B, T, D).
        """
        batch_size, length, longest = ops.shape(character_ids)
        ids = ops.reshape(character_ids, (-1, longest))  # (B T, C)
        is_real = ops.expand_dims(ops.not_equal(ids, 0), axis=-1)  # (B T, C, 1)
        x = ops.where(is_real, self.character_embedding(ids), 0)  # (B T, C, E)
        best = []
        for convolution, (width, _) in zip(self.convolutions, self.filters, strict=True):
            found = convolution(ops.pad(x, [[0, 0], [0, width - 1], [0, 0]]))  # (B T, C, filters)
            best.append(ops.max(ops.where(is_real, found, 0), axis=1))  # relu gives nothing below 0
        x = ops.concatenate(best, axis=-1)  # (B T, all filters)
        for highway in self.highways:
            x = highway(x)
        return ops.reshape(self.output_dense(x), (batch_size, length, self.hidden_dim))

    def get_config(self):
        return {
            **super().get_config(),
            "num_characters": self.num_characters,
            "hidden_dim": self.hidden_dim,
            "filters": self.filters,
            "character_dim": self.character_dim,
            "num_highways": self.num_highways,
        }
