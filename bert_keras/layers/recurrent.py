"""Recurrent networks: one step of each kind, unrolling over padded sequences, and the cell."""

import keras
from keras import ops


def rnn_step(x, state, kernel, recurrent_kernel, bias):
    """Take one step of a simple recurrent network.

    Args:
        x: float tensor of shape (B, D), the input at this time.
        state: float tensor of shape (B, H), the state after the step before.
        kernel: float tensor of shape (D, H).
        recurrent_kernel: float tensor of shape (H, H).
        bias: float tensor of shape (H,).

    Returns:
        float tensor of shape (B, H), the new state.

    Reference:
        Elman, Finding Structure in Time (1990).
    """
    return ops.tanh(ops.matmul(x, kernel) + ops.matmul(state, recurrent_kernel) + bias)


def lstm_step(x, state, carry, kernel, recurrent_kernel, bias):
    """Take one step of a long short-term memory.

    The carry is the memory: the forget gate decides what stays of it, the input gate how much of
    the candidate is added. The output gate decides what of it is shown as the state. The four
    blocks of kernels and bias are, in Keras's order, input, forget, candidate, output.

    Args:
        x: float tensor of shape (B, D), the input at this time.
        state: float tensor of shape (B, H), the state after the step before.
        carry: float tensor of shape (B, H), the memory after the step before.
        kernel: float tensor of shape (D, 4 H).
        recurrent_kernel: float tensor of shape (H, 4 H).
        bias: float tensor of shape (4 H,).

    Returns:
        The pair (state, carry), each a float tensor of shape (B, H).

    Reference:
        Hochreiter and Schmidhuber, Long Short-Term Memory (1997); Gers et al., Learning to Forget
        (2000), for the forget gate.
    """
    blocks = ops.matmul(x, kernel) + ops.matmul(state, recurrent_kernel) + bias  # (B, 4 H)
    input_gate, forget_gate, candidate, output_gate = ops.split(blocks, 4, axis=-1)
    carry = ops.sigmoid(forget_gate) * carry + ops.sigmoid(input_gate) * ops.tanh(candidate)
    return ops.sigmoid(output_gate) * ops.tanh(carry), carry


def gru_step(x, state, kernel, recurrent_kernel, bias):
    """Take one step of a gated recurrent unit.

    The update gate mixes the old state with the candidate: where it is one, the old state stays.
    The reset gate decides how much of the old state the candidate sees, and is applied after the
    product with the recurrent kernel, as in cuDNN and in Keras. The three blocks are, in Keras's
    order, update, reset, candidate.

    Args:
        x: float tensor of shape (B, D), the input at this time.
        state: float tensor of shape (B, H), the state after the step before.
        kernel: float tensor of shape (D, 3 H).
        recurrent_kernel: float tensor of shape (H, 3 H).
        bias: float tensor of shape (2, 3 H): one row for each product.

    Returns:
        float tensor of shape (B, H), the new state.

    Reference:
        Cho et al., Learning Phrase Representations using RNN Encoder–Decoder (2014).
    """
    from_input = ops.matmul(x, kernel) + bias[0]  # (B, 3 H)
    from_state = ops.matmul(state, recurrent_kernel) + bias[1]  # (B, 3 H)
    input_update, input_reset, input_candidate = ops.split(from_input, 3, axis=-1)
    state_update, state_reset, state_candidate = ops.split(from_state, 3, axis=-1)
    update = ops.sigmoid(input_update + state_update)
    reset = ops.sigmoid(input_reset + state_reset)
    candidate = ops.tanh(input_candidate + reset * state_candidate)
    return update * state + (1 - update) * candidate


def masked_unroll(step, x, states, padding_mask):
    """Walk over padded sequences; at padding every state stays as it is.

    So the last state is the one after the last *real* token, however much padding follows.
    `keras.layers.RNN` does the same for a cell, and for sequences whose length is not known yet.

    Args:
        step: callable; `step(x, *states)` with x of shape (B, D) returns the new states as a
            tuple, each as large as before.
        x: float tensor of shape (B, T, D), T known.
        states: tuple of float tensors of shape (B, any) to begin with; H is the first one's size.
        padding_mask: bool tensor of shape (B, T), True at real tokens.

    Returns:
        The pair (outputs, states): the first state after every step, of shape (B, T, H), and the
        tuple of all states after the last.
    """

    outputs = []
    for now in range(x.shape[1]):
        moved = step(x[:, now], *states)
        is_real = padding_mask[:, now, None]  # (B, 1)
        states = tuple(ops.where(is_real, new, old) for new, old in zip(moved, states, strict=True))
        outputs.append(states[0])
    return ops.stack(outputs, axis=1), states  # (B, T, H)


# Kind → blocks of H columns in the kernels, rows of the bias, number of states.
KINDS = {"rnn": (1, 1, 1), "lstm": (4, 1, 2), "gru": (3, 2, 1)}


@keras.saving.register_keras_serializable(package="bert_keras")
class RecurrentCell(keras.layers.Layer):
    """One step of a recurrent network, with its weights.

    `keras.layers.RNN(cell)` walks over sequences with it, masks, direction and all;
    `keras.layers.Bidirectional` does it from both sides.

    Args:
        kind: "rnn", "lstm" or "gru".
        hidden_dim: int, the size H of a state.
        forget_bias: float, what the bias of an LSTM's forget gate starts with. At 0 half of the
            memory is gone after one step; 1 keeps about three quarters.
        **kwargs: of `keras.layers.Layer`, such as name and dtype.

    Raises:
        ValueError: for an unknown kind.

    Reference:
        Jozefowicz et al., An Empirical Exploration of Recurrent Network Architectures (2015), for
        the forget bias.
    """

    def __init__(self, kind, hidden_dim, forget_bias=1.0, **kwargs):
        super().__init__(**kwargs)
        if kind not in KINDS:
            raise ValueError(f"kind is {kind!r}, not one of {', '.join(KINDS)}")
        self.kind = kind
        self.hidden_dim = hidden_dim
        self.forget_bias = forget_bias
        self.state_size = [hidden_dim] * KINDS[kind][2]
        self.output_size = hidden_dim

    def build(self, x_shape, *state_shapes):
        blocks, rows, _ = KINDS[self.kind]
        width = blocks * self.hidden_dim
        self.kernel = self.add_weight(
            shape=(x_shape[-1], width), initializer="glorot_uniform", name="kernel"
        )
        self.recurrent_kernel = self.add_weight(
            shape=(self.hidden_dim, width), initializer="orthogonal", name="recurrent_kernel"
        )
        self.bias = self.add_weight(
            shape=(width,) if rows == 1 else (rows, width),
            initializer=self._initial_bias,
            name="bias",
        )

    def _initial_bias(self, shape, dtype=None):
        bias = ops.zeros(shape, dtype)
        if self.kind != "lstm":
            return bias
        forget = ops.full((self.hidden_dim,), self.forget_bias, dtype)
        return ops.concatenate([bias[: self.hidden_dim], forget, bias[2 * self.hidden_dim :]])

    def call(self, x, states):
        """Take one step.

        Args:
            x: float tensor of shape (B, any), the input at this time.
            states: list of float tensors of shape (B, H): the state and, for an LSTM, the carry.

        Returns:
            The pair (state, states): the new state of shape (B, H), and the list of all new ones.
        """
        variables = (self.kernel, self.recurrent_kernel, self.bias)
        weights = [ops.cast(variable, self.compute_dtype) for variable in variables]
        if self.kind == "lstm":
            states = list(lstm_step(x, *states, *weights))
        else:
            step = rnn_step if self.kind == "rnn" else gru_step
            states = [step(x, *states, *weights)]
        return states[0], states

    def get_config(self):
        return {
            **super().get_config(),
            "kind": self.kind,
            "hidden_dim": self.hidden_dim,
            "forget_bias": self.forget_bias,
        }
