"""From one sequence to another: a recurrent encoder, and a decoder with or without attention."""

import keras
from keras import ops

from bert_keras.generation import greedy_decode
from bert_keras.layers.alignment import AdditiveAttention, MultiplicativeAttention
from bert_keras.layers.dropout import Dropout
from bert_keras.layers.recurrent import KINDS, RecurrentCell
from bert_keras.models.base import CompiledModel
from bert_keras.models.sequence_inputs import check_sequence_inputs
from bert_keras.models.sequence_pieces import sequence_loss

ATTENTIONS = ("none", "additive", "multiplicative")


@keras.saving.register_keras_serializable(package="bert_keras")
class Seq2Seq(CompiledModel):
    """Read a source from both sides, then say the target word by word.

    Without attention all that the decoder learns about the source is its first state, whose size
    does not depend on the length of the source. With attention every new state of the decoder also
    looks back at what the encoder has kept of every source token. What it finds there joins the
    state in a tanh layer, from which the next token is predicted; it does not go back into the
    recurrence. So while the target is known, as in training, the cell walks first and all states
    look back at once.

    `compile(optimizer=...)` and `fit` work without a loss: the model knows its own. Targets are
    then a dict of label_ids and label_mask, as `shift_right` makes them.

    Args:
        source_vocabulary_size: int.
        target_vocabulary_size: int.
        kind: "rnn", "lstm" or "gru".
        attention: "none", "additive" or "multiplicative".
        embedding_dim: int, the size E of an embedded token.
        hidden_dim: int, the size H of the decoder's state, and of both directions' of the encoder.
        dropout: float, the share of embedded tokens' and of outputs' numbers dropped in training.
        name: str.
        **kwargs: of `keras.Model`, such as dtype.

    Raises:
        ValueError: for an unknown kind or attention.

    Example:
        >>> model = Seq2Seq(30, 40, attention="additive")
        >>> token_ids, padding_mask = encode_batch([["c", "a", "t"]], letters)
        >>> model.generate(token_ids, padding_mask, begin_id=2, end_id=3, max_length=9)

    Reference:
        Sutskever et al., Sequence to Sequence Learning with Neural Networks (2014); Bahdanau et
        al., Neural Machine Translation by Jointly Learning to Align and Translate (2015); Luong et
        al., Effective Approaches to Attention-based Neural Machine Translation (2015), whose order
        of steps this is.
    """

    def __init__(
        self,
        source_vocabulary_size,
        target_vocabulary_size,
        kind="gru",
        attention="additive",
        embedding_dim=64,
        hidden_dim=128,
        dropout=0.0,
        name="seq2seq",
        **kwargs,
    ):
        super().__init__(name=name, **kwargs)
        if kind not in KINDS:
            raise ValueError(f"kind is {kind!r}, not one of {', '.join(KINDS)}")
        if attention not in ATTENTIONS:
            raise ValueError(f"attention is {attention!r}, not one of {', '.join(ATTENTIONS)}")
        self.source_vocabulary_size = source_vocabulary_size
        self.target_vocabulary_size = target_vocabulary_size
        self.kind = kind
        self.attention_kind = attention
        self.embedding_dim = embedding_dim
        self.hidden_dim = hidden_dim
        self.dropout_rate = dropout
        policy = self.dtype_policy

        def part(layer, name, *sizes, **options):
            return layer(*sizes, dtype=policy, name=name, **options)

        # Keras's own ±0.05 lets a cell hardly feel which token it was given. With thousands of
        # tokens the loss then rests at their mere frequencies for hundreds of steps.
        self.source_embedding, self.target_embedding = (
            part(
                keras.layers.Embedding,
                f"{side}_embedding",
                size,
                embedding_dim,
                embeddings_initializer=keras.initializers.RandomUniform(-1, 1),
            )
            for side, size in (
                ("source", source_vocabulary_size),
                ("target", target_vocabulary_size),
            )
        )
        walks = {"return_sequences": True, "return_state": True}
        self.forward_walk, self.backward_walk = (
            part(
                keras.layers.RNN,
                direction,
                part(RecurrentCell, "cell", kind, hidden_dim),
                go_backwards=direction == "backward",
                **walks,
            )
            for direction in ("forward", "backward")
        )
        # One for each state of the decoder: an LSTM's carry gets one of its own.
        self.bridges = [
            part(keras.layers.Dense, f"bridge_{number}", hidden_dim, activation="tanh")
            for number in range(KINDS[kind][2])
        ]
        cell = part(RecurrentCell, "cell", kind, hidden_dim)
        self.decoder = part(keras.layers.RNN, "decoder", cell, **walks)
        self.attention = {
            "none": lambda: None,
            "additive": lambda: part(AdditiveAttention, "attention", hidden_dim),
            "multiplicative": lambda: part(MultiplicativeAttention, "attention"),
        }[attention]()
        self.readout = part(keras.layers.Dense, "readout", hidden_dim, activation="tanh")
        self.output_dense = part(keras.layers.Dense, "output", target_vocabulary_size)
        self.embedding_dropout = part(Dropout, "embedding_dropout", dropout)
        self.output_dropout = part(Dropout, "output_dropout", dropout)
        self.build()

    def build(self, input_shape=None):
        """Create all weights; none of them depends on the shape of the input."""
        embedded, state = (None, None, self.embedding_dim), (None, None, self.hidden_dim)
        source = (None, None, 2 * self.hidden_dim)
        for table in (self.source_embedding, self.target_embedding):
            table.build((None, None))
        for walk in (self.forward_walk, self.backward_walk, self.decoder):
            walk.build(embedded)
        for bridge in self.bridges:
            bridge.build((None, 2 * self.hidden_dim))
        joined = self.hidden_dim
        if self.attention is not None:
            self.attention.build(state, source, source)
            joined += 2 * self.hidden_dim
        self.readout.build((None, None, joined))
        self.output_dense.build(state)
        self.built = True

    def call(self, inputs, training=None):
        """Score every next token of targets that are known: teacher forcing.

        Args:
            inputs: dict of token_ids, an int tensor of shape (B, S), the source; padding_mask, a
                bool tensor of shape (B, S), True at its real tokens; target_ids, an int tensor of
                shape (B, T), the target shifted right, which begins with [BOS].
            training: optional bool, whether to drop.

        Returns:
            float tensor of shape (B, T, V), the logits; V is target_vocabulary_size.
        """
        mask = inputs["padding_mask"]
        states, source = self.encode(inputs["token_ids"], mask, training=training)
        return self.decode(inputs["target_ids"], states, source, mask, training=training)[0]

    def encode(self, token_ids, padding_mask, training=None):
        """Read the source from both sides.

        Args:
            token_ids: int tensor of shape (B, S).
            padding_mask: bool tensor of shape (B, S), True at real tokens.
            training: optional bool, whether to drop.

        Returns:
            The pair (states, source): the list of the decoder's first states, of shape (B, H)
            each, and what was kept of every token, a float tensor of shape (B, S, 2 H).
        """
        mask = ops.cast(padding_mask, "bool")
        x = self.embedding_dropout(self.source_embedding(token_ids), training=training)
        forward, *ends = self.forward_walk(x, mask=mask)  # (B, S, H)
        backward, *starts = self.backward_walk(x, mask=mask)  # (B, S, H), last token first
        source = ops.concatenate([forward, ops.flip(backward, axis=1)], axis=-1)  # (B, S, 2 H)
        states = [
            bridge(ops.concatenate([end, start], axis=-1))  # (B, H)
            for bridge, end, start in zip(self.bridges, ends, starts, strict=True)
        ]
        return states, source

    def decode(self, target_ids, states, source, padding_mask, training=None):
        """Score the next token after each of some target tokens.

        Args:
            target_ids: int tensor of shape (B, T), what has been said; T may be 1.
            states: list of float tensors of shape (B, H), before the first of them.
            source: float tensor of shape (B, S, 2 H), from `encode`.
            padding_mask: bool tensor of shape (B, S), True at real source tokens.
            training: optional bool, whether to drop.

        Returns:
            The triple (logits, states, weights): logits of shape (B, T, V), the list of states
            after the last token, and the attention weights of shape (B, T, S), None without
            attention.
        """
        x = self.embedding_dropout(self.target_embedding(target_ids), training=training)
        if x.shape[1] == 1:  # a loop of one round costs more than what it does
            outputs, states = self.decoder.cell(x[:, 0], list(states))
            outputs = ops.expand_dims(outputs, axis=1)  # (B, 1, H)
        else:
            outputs, *states = self.decoder(x, initial_state=list(states))  # (B, T, H)
        weights = None
        if self.attention is not None:
            mask = ops.expand_dims(ops.cast(padding_mask, "bool"), axis=1)  # (B, 1, S)
            context, weights = self.attention(outputs, source, source, attention_mask=mask)
            outputs = ops.concatenate([context, outputs], axis=-1)  # (B, T, 3 H)
        outputs = self.output_dropout(self.readout(outputs), training=training)  # (B, T, H)
        return self.output_dense(outputs), list(states), weights  # (B, T, V)

    def generate(self, token_ids, padding_mask, *, begin_id, end_id, max_length):
        """Say the likeliest target of every source, as far as looking one token ahead finds it.

        Args:
            token_ids: int tensor or array of shape (B, S).
            padding_mask: bool tensor or array of shape (B, S), True at real tokens.
            begin_id: int, [BOS].
            end_id: int, [EOS].
            max_length: int, more tokens than this are never said.

        Returns:
            int32 tensor of shape (B, L) as from `greedy_decode`: without [BOS], rows that have
            ended filled up with [EOS].

        Raises:
            InputError: arrays that do not fit the model.
        """
        self._check_arrays({"token_ids": token_ids, "padding_mask": padding_mask})
        mask = ops.convert_to_tensor(padding_mask)
        states, source = self.encode(ops.convert_to_tensor(token_ids), mask)

        def step(ids, states):
            logits, states, _ = self.decode(ids[:, None], states, source, mask)
            return logits[:, 0], tuple(states)

        return greedy_decode(step, tuple(states), begin_id, end_id, max_length)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """The loss that `fit` and `evaluate` use: the mean over all real target tokens."""
        return sequence_loss(ops.cast(y_pred, "float32"), y["label_ids"], y["label_mask"])

    def _check_arrays(self, x):
        """Refuse what a gather would misread, before a device sees it."""
        if isinstance(x, dict):
            sizes = {
                "token_ids": self.source_vocabulary_size,
                "target_ids": self.target_vocabulary_size,
            }
            check_sequence_inputs(x, sizes)

    def get_config(self):
        return {
            **super().get_config(),
            "source_vocabulary_size": self.source_vocabulary_size,
            "target_vocabulary_size": self.target_vocabulary_size,
            "kind": self.kind,
            "attention": self.attention_kind,
            "embedding_dim": self.embedding_dim,
            "hidden_dim": self.hidden_dim,
            "dropout": self.dropout_rate,
        }
