"""Step functions for notebook ch01a: a recurrent network and a decoder, seen from outside."""

import numpy as np

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
            raise TypeError(f"this step takes {len(kernels)} states after x, not {len(states)}")
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
                f"step takes token ids of shape {where.shape[:1]}, one for each row, "
                f"not {token_ids.shape}"
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


BUILDERS = {"fading_memories": fading_memories, "scripted_speaker": scripted_speaker}
