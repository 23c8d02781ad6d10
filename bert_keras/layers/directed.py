"""One recurrent layer of a language model that reads in one direction."""

import keras

from bert_keras.layers.dropout import Dropout


@keras.saving.register_keras_serializable(package="bert_keras")
class DirectedLSTM(keras.layers.Layer):
    """One recurrent layer of one direction: dropout, an LSTM, and a way around it but at the start.

    Args:
        hidden_dim: int, the size D of its input and of its state.
        dropout: float, the share of the input dropped in training.
        residual: bool, whether the input is added to the output.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Reference:
        Peters et al., Deep Contextualized Word Representations (2018), section 3.4.
    """

    def __init__(self, hidden_dim, dropout=0.1, residual=True, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.dropout = dropout
        self.residual = residual
        self.supports_masking = True
        self.input_dropout = Dropout(dropout, dtype=self.dtype_policy, name="input_dropout")
        self.lstm = keras.layers.LSTM(
            hidden_dim, return_sequences=True, dtype=self.dtype_policy, name="lstm"
        )

    def build(self, x_shape):
        self.lstm.build(x_shape)
        self.built = True

    def call(self, x):
        """Walk along every sequence.

        Args:
            x: float tensor of shape (B, T, D).

        Returns:
            float tensor of shape (B, T, D); position t has seen positions 0 to t.
        """
        # No mask is needed: padding comes last, so it is read after everything that counts.
        output = self.lstm(self.input_dropout(x))  # (B, T, D)
        return output + x if self.residual else output

    def get_config(self):
        return {
            **super().get_config(),
            "hidden_dim": self.hidden_dim,
            "dropout": self.dropout,
            "residual": self.residual,
        }
