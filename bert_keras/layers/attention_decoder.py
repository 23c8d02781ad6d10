"""A recurrent decoder that looks back at the whole source, and where it looks while it speaks."""

import keras
from keras import ops

from bert_keras.layers.alignment import context_vector, general_score, masked_softmax
from bert_keras.layers.recurrent import RecurrentCell


@keras.saving.register_keras_serializable(package="bert_keras")
class AttentionDecoderCell(keras.layers.Layer):
    """One step of a decoder that looks back at every source token.

    The recurrent cell moves first. Its new state asks the source where to look, and what it finds
    there (the context) joins the state in a tanh layer: that is the output, from which a model
    predicts the next token. Neither context nor output goes back into the recurrence (no "input
    feeding"). So where all target tokens are known, as in training, `keras.layers.RNN(cell.cell)`
    can walk over them first and `look_back` then attends from all of its states at once.

    Args:
        hidden_dim: int, the size H of a state and of the output.
        kind: "rnn", "lstm" or "gru", of the recurrent cell.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Raises:
        ValueError: for an unknown kind.

    Reference:
        Luong et al., Effective Approaches to Attention-based Neural Machine Translation (2015),
        section 3.1: global attention, with the score they call "general".
    """

    def __init__(self, hidden_dim, kind="gru", **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim = hidden_dim
        self.kind = kind
        self.cell = RecurrentCell(kind, hidden_dim, dtype=self.dtype_policy, name="cell")
        self.output_dense = keras.layers.Dense(
            hidden_dim, activation="tanh", use_bias=False, dtype=self.dtype_policy, name="output"
        )

    def build(self, x_shape, states_shape, source_shape):
        state_shape, source_dim = (x_shape[0], self.hidden_dim), source_shape[-1]
        if not self.cell.built:  # a layer that walks with the cell may have come first
            self.cell.build(x_shape, *[state_shape] * len(self.cell.state_size))
        self.score_kernel = self.add_weight(
            shape=(self.hidden_dim, source_dim), initializer="glorot_uniform", name="score_kernel"
        )
        self.output_dense.build((x_shape[0], source_dim + self.hidden_dim))
        self.built = True

    def look_back(self, state, source, padding_mask=None):
        """Let states look at the source, and join each with what it finds there.

        Args:
            state: float tensor of shape (B, T, H), T states of the decoder.
            source: float tensor of shape (B, S, K), the encoder's outputs.
            padding_mask: optional bool tensor of shape (B, S), True at real source tokens.

        Returns:
            The pair (output, weights) of shapes (B, T, H) and (B, T, S).
        """
        scores = general_score(state, source, self.score_kernel)  # (B, T, S)
        mask = None if padding_mask is None else ops.expand_dims(padding_mask, 1)  # (B, 1, S)
        weights = masked_softmax(scores, mask)  # (B, T, S)
        context = context_vector(weights, source)  # (B, T, K)
        joined = ops.concatenate([context, state], axis=-1)  # (B, T, K + H)
        return self.output_dense(joined), weights  # (B, T, H), (B, T, S)

    def call(self, x, states, source, padding_mask=None):
        """Take one step: move the state, look back, join.

        Args:
            x: float tensor of shape (B, D), the token before, embedded.
            states: list of float tensors of shape (B, H): the state and, for an LSTM, the carry.
            source: float tensor of shape (B, S, K), the encoder's outputs.
            padding_mask: optional bool tensor of shape (B, S), True at real source tokens.

        Returns:
            The triple (output, states, weights): output of shape (B, H), the list of new states,
            and the weights over the source of shape (B, S).
        """
        state, states = self.cell(x, states)  # (B, H)
        output, weights = self.look_back(ops.expand_dims(state, 1), source, padding_mask)
        return output[:, 0], states, weights[:, 0]  # (B, H), list, (B, S)

    def get_config(self):
        return {**super().get_config(), "hidden_dim": self.hidden_dim, "kind": self.kind}


def alignment_matrix(step, inputs, states, source, padding_mask=None):
    """Walk along the target and note at every step where the decoder looked.

    Row t tells where it looked while it made target token t: rows are the target, columns the
    source. A decoder that copies looks along the diagonal, one that reverses along the other.

    Args:
        step: callable, such as an `AttentionDecoderCell`;
            `step(x, states, source, padding_mask)` returns (output, states, weights), weights of
            shape (B, S).
        inputs: float tensor of shape (B, T, D), the embedded tokens that the decoder is fed: the
            target moved one to the right. T is known.
        states: list of float tensors of shape (B, H) to begin with.
        source: float tensor of shape (B, S, K).
        padding_mask: optional bool tensor of shape (B, S), True at real source tokens.

    Returns:
        float tensor of shape (B, T, S); each row sums to one.

    Reference:
        Bahdanau et al., Neural Machine Translation by Jointly Learning to Align and Translate
        (2015), figure 3.
    """
    rows = []
    for now in range(inputs.shape[1]):
        _, states, weights = step(inputs[:, now], states, source, padding_mask)
        rows.append(weights)
    return ops.stack(rows, axis=1)  # (B, T, S)
