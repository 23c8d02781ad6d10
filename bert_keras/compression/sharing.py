"""One block in place of many."""

import keras


@keras.saving.register_keras_serializable(package="bert_keras")
class SharedEncoder(keras.layers.Layer):
    """A stack whose layers all have the same weights: one block, called again and again.

    It has the parameters of one block and takes the time of all: ALBERT is small on a disk, not
    fast.

    Args:
        block: layer, called as block(x, attention_mask=...), that returns the pair (x, weights).
        num_layers: int, how often it is called.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Lan et al., ALBERT: A Lite BERT for Self-supervised Learning of Language Representations
        (2020).
    """

    def __init__(self, block, num_layers, **kwargs):
        super().__init__(**kwargs)
        self.block = block
        self.num_layers = num_layers

    def build(self, x_shape):
        """Build the one block, unless it was built before.

        Args:
            x_shape: tuple, the shape of x, (B, T, D).
        """
        if not self.block.built:
            self.block.build(x_shape)
        self.built = True

    def call(self, x, attention_mask=None):
        """Pass the tokens through the block num_layers times.

        Args:
            x: float tensor of shape (B, T, D).
            attention_mask: optional bool tensor of shape (B, T, T) or (B, 1, T); True = may
                attend.

        Returns:
            List of num_layers + 1 float tensors of shape (B, T, D), the input first.
        """
        states = [x]
        for _ in range(self.num_layers):
            x, _ = self.block(x, attention_mask=attention_mask)  # (B, T, D)
            states.append(x)
        return states

    def get_config(self):
        return {
            **super().get_config(),
            "block": keras.saving.serialize_keras_object(self.block),
            "num_layers": self.num_layers,
        }

    @classmethod
    def from_config(cls, config):
        block = keras.saving.deserialize_keras_object(config["block"])
        return cls(**{**config, "block": block})
