"""Step functions for notebook ch01a: a recurrent network and a decoder, seen from outside."""

import numpy as np

from autograder.messages import for_reader

FADES = (0.5, 0.8, 0.3)


def fading_memories(*kernels):
    """Makes a recurrent step with one state per kernel, which may all have different sizes.

    Operators alone do the arithmetic, so that it runs on tensors and on NumPy arrays alike.

    Args:
        kernels: float arrays (D, H₁), (D, H₂), …

    Returns:
        A function `step(x, *states)` that returns the tuple of new states.
    """

    def step(x, *states):
        if len(states) != len(kernels):
            raise TypeError(
                for_reader(
                    f"step(x, *states) 要 {len(kernels)} 个状态，拿到的是 {len(states)} 个",
                    f"step(x, *states) wants {len(kernels)} states, not {len(states)}",
                )
            )
        moved = []
        for kernel, fade, state in zip(kernels, FADES, states, strict=False):
            total = x @ kernel + fade * state
            moved.append(total / (1.0 + total * total))
        return tuple(moved)

    return step


def scripted_speaker(scripts, echo):
    """Makes a decoder's step whose scores stand in a script and depend on what it is given.

    Args:
        scripts: float (B, L, V), the scores of every row at every time.
        echo: float (V, V), what being given a token adds to this score and, faded, to later ones.

    Returns:
        A function `step(token_ids, states)` for states (where, memory): where (B, 2) holds each
        row's number and time, so that rows may also be taken one by one; memory is (B, V).
    """

    def step(token_ids, states):
        from keras import ops

        token_ids = np.asarray(ops.convert_to_numpy(token_ids))
        where, memory = (np.asarray(ops.convert_to_numpy(state)) for state in states)
        if token_ids.shape != where.shape[:1]:
            raise ValueError(
                for_reader(
                    f"step(token_ids, states)：token_ids 每行一个词元，形状应当是 "
                    f"{where.shape[:1]}，拿到的是 {token_ids.shape}",
                    f"step(token_ids, states): token_ids has one token for each row, so its shape "
                    f"should be {where.shape[:1]}, not {token_ids.shape}",
                )
            )
        row, time = where.astype(int).T
        memory = 0.5 * memory + echo[token_ids]
        scores = scripts[row, np.minimum(time, scripts.shape[1] - 1)] + memory
        moved = where + np.array([0, 1], where.dtype)
        scores, *states = (
            ops.convert_to_tensor(array.astype("float32")) for array in (scores, moved, memory)
        )
        return scores, tuple(states)

    return step


def one_list_twice(tokens):
    """Makes two sequences that are one and the same list.

    An answer that writes into its input meets what it wrote when it comes to the second.
    """
    shared = list(tokens)
    return [shared, shared]


class _PlainOps:
    """`keras.ops`, but for a softmax whose result has forgotten where it came from.

    On TensorFlow Keras's own remembers its logits, and its cross-entropies secretly go back to
    them: taking a softmax too many would show nowhere but on another backend.
    """

    def __getattr__(self, name):
        from keras import ops

        return getattr(ops, name)

    def softmax(self, x, axis=-1):
        from keras import ops

        return ops.softmax(x, axis=axis) * 1.0


plain_ops = _PlainOps()

BUILDERS = {
    "fading_memories": fading_memories,
    "scripted_speaker": scripted_speaker,
    "one_list_twice": one_list_twice,
}
