"""ELMo: a language model from either side, whose states of all layers serve other tasks."""

import keras
from keras import ops

from bert_keras.errors import InputError
from bert_keras.layers.char_cnn import CharCNN
from bert_keras.layers.directed import DirectedLSTM
from bert_keras.layers.dropout import Dropout
from bert_keras.models.base import CompiledModel
from bert_keras.models.elmo_pieces import backward_lm, bilm_loss, elmo_features, forward_lm
from bert_keras.models.language_inputs import check_ids, check_language_inputs


@keras.saving.register_keras_serializable(package="bert_keras")
class ElmoLanguageModel(CompiledModel):
    """Predict every token from all before it, and, apart from that, from all after it.

    Both directions share the tokens' embedding and the softmax; their LSTMs are their own and
    never meet. Sequences begin with [BOS] and end with [EOS]; padding stands on the right, and
    every sequence is read from a state of zeros.

    `compile(optimizer=...)` and `fit` work without a loss and without targets: the inputs are the
    targets. e to the power of `forward_loss` or `backward_loss` is a perplexity.

    Args:
        vocabulary_size: int, the number of tokens V.
        num_layers: int, the LSTM layers L of each direction; from the second on their input is
            added to their output.
        hidden_dim: int, the size D of an embedded token and of a state.
        dropout: float, the share of every layer's input, and of the last one's output, dropped in
            training.
        characters: None for a table of embeddings; or a dict of the arguments of `CharCNN` but
            hidden_dim, to make tokens from their characters.
        name: str.
        **kwargs: of `keras.Model`, such as dtype.

    Example:
        >>> model = ElmoLanguageModel(5000, hidden_dim=128)
        >>> model.compile(optimizer="adam")
        >>> model.fit({"token_ids": token_ids, "padding_mask": padding_mask})
        >>> layers = model.features({"token_ids": token_ids, "padding_mask": padding_mask})

    Reference:
        Peters et al., Deep Contextualized Word Representations (2018).
    """

    def __init__(
        self,
        vocabulary_size,
        num_layers=2,
        hidden_dim=128,
        dropout=0.1,
        characters=None,
        name="elmo_language_model",
        **kwargs,
    ):
        super().__init__(name=name, **kwargs)
        self.vocabulary_size = vocabulary_size
        self.num_layers = num_layers
        self.hidden_dim = hidden_dim
        self.dropout = dropout
        self.characters = None if characters is None else dict(characters)

        def part(layer, name, *args, **more):
            return layer(*args, **more, dtype=self.dtype_policy, name=name)

        def direction(name):
            return [
                part(
                    DirectedLSTM,
                    f"{name}_{layer}",
                    hidden_dim,
                    dropout=dropout,
                    residual=layer > 0,
                )
                for layer in range(num_layers)
            ]

        if characters is None:
            self.token_encoder = part(
                keras.layers.Embedding, "token_embedding", vocabulary_size, hidden_dim
            )
        else:
            self.token_encoder = part(CharCNN, "char_cnn", hidden_dim=hidden_dim, **self.characters)
        self.forward_layers = direction("forward")
        self.backward_layers = direction("backward")
        self.output_dropout = part(Dropout, "output_dropout", dropout)
        self.output_dense = part(keras.layers.Dense, "output", vocabulary_size)
        # Progress: averages over all tokens since the start of the epoch, shown by `fit`.
        self.forward_loss = keras.metrics.Mean(name="forward_loss")
        self.backward_loss = keras.metrics.Mean(name="backward_loss")
        self.build()

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        states = (None, None, self.hidden_dim)
        self.token_encoder.build((None, None) if self.characters is None else (None, None, None))
        for layer in (*self.forward_layers, *self.backward_layers, self.output_dense):
            layer.build(states)
        self.built = True

    def call(self, inputs, training=None):
        """Score every next token and every token before.

        Args:
            inputs: dict of token_ids (int) and padding_mask (bool, True = a real token), each of
                shape (B, T); with `characters` also character_ids (int, 0 = none) of shape
                (B, T, C).
            training: optional bool, whether to drop.

        Returns:
            dict of forward_logits and backward_logits, float tensors of shape (B, T, V): position
            t scores token t + 1 in the one and token t - 1 in the other.
        """
        _, forward, backward = self.all_states(inputs)
        return {
            "forward_logits": self.output_dense(self.output_dropout(forward[-1])),
            "backward_logits": self.output_dense(self.output_dropout(backward[-1])),
        }

    def all_states(self, inputs):
        """Read from both sides, and keep every layer.

        Args:
            inputs: as for `call`.

        Returns:
            The triple (embedded, forward, backward): a float tensor of shape (B, T, D), and two
            lists of L of them; at position t, what the first direction has read up to token t, and
            the other from the end down to token t.

        Raises:
            InputError: an input is missing, or one that the model would misread.
        """
        self._check(inputs)
        mask = inputs["padding_mask"]
        what = "token_ids" if self.characters is None else "character_ids"
        x = self.token_encoder(inputs[what])  # (B, T, D)
        forward = forward_lm(x, self.forward_layers)
        return x, forward, backward_lm(x, mask, self.backward_layers)

    def features(self, inputs):
        """What a task gets of every token: all layers, each with both directions side by side.

        Called directly, this never drops. `ScalarMix` makes one vector of them.

        Args:
            inputs: as for `call`.

        Returns:
            list of L + 1 float tensors of shape (B, T, 2 D), the embedding first, as from
            `elmo_features`.
        """
        return elmo_features(*self.all_states(inputs))

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """The loss that `fit` and `evaluate` use, of the inputs themselves; `y` is not needed."""
        logits = y_pred["forward_logits"], y_pred["backward_logits"]
        loss, forward, backward = bilm_loss(*logits, x["token_ids"], x["padding_mask"])
        count = ops.sum(ops.cast(x["padding_mask"][:, 1:], "float32"))
        self.forward_loss.update_state(forward, sample_weight=count)
        self.backward_loss.update_state(backward, sample_weight=count)
        return loss

    def _check_arrays(self, x):
        if isinstance(x, dict):
            self._check(x)

    def _check(self, inputs):
        check_language_inputs(inputs, self.vocabulary_size)
        if self.characters is None:
            return
        if "character_ids" not in inputs:
            raise InputError("the inputs lack character_ids; this model reads characters")
        size = self.characters["num_characters"]
        check_ids("character_ids", inputs["character_ids"], size, "(B, T, C)")

    def get_config(self):
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "num_layers": self.num_layers,
            "hidden_dim": self.hidden_dim,
            "dropout": self.dropout,
            "characters": self.characters,
        }
