"""Stand-ins of notebook ch02: a decoder's step of which every look is known."""


def _planted_step(input_kernel, state_kernel):
    """A step function as an `AttentionDecoderCell` is one, without anything that was learned.

    Its output is the new state with the sign turned, so that nobody takes one for the other.
    """
    from keras import ops

    def step(x, states, source, padding_mask=None):
        if len(x.shape) != 2:
            raise ValueError(f"step wants x of shape (B, D), not {tuple(x.shape)}")
        state = ops.tanh(ops.matmul(x, input_kernel) + ops.matmul(states[0], state_kernel))
        scores = ops.einsum("bh,bsh->bs", state, source)
        if padding_mask is not None:
            scores = ops.where(padding_mask, scores, -3e4)
        return -state, [state], ops.softmax(scores, axis=-1)

    return step


BUILDERS = {"planted_step": _planted_step}
