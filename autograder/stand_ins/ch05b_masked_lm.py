"""Stand-ins of notebook ch05b: arguments that may be changed, and a planted encoder."""

import numpy as np


def _arguments_of_masking(*given):
    """All arguments of a call, arrays copied, so that they may be changed."""
    return [np.array(each) if isinstance(each, np.ndarray) else each for each in given]


def _first_argument():
    """What the first argument is now."""
    return lambda first, *rest: np.asarray(first)


def _thrifty_activation(slots):
    """An activation that bends more where it is given more places than there are slots.

    Args:
        slots: int, B · P.
    """

    def activation(x):
        from keras import ops

        places = 1
        for size in x.shape[:-1]:
            places *= size or 1
        return ops.tanh((2.0 if places > slots else 0.7) * x)

    return activation


BATCH = (
    "token_ids",
    "mask_positions",
    "mask_weights",
    "draws",
    "random_ids",
    "next_sentence_label",
)


def _batch_to_read(*arrays):
    """The drill's batch: NumPy arrays by name, which can be read and copied, but not written."""
    batch = {name: np.array(array) for name, array in zip(BATCH, arrays, strict=True)}
    for array in batch.values():
        array.setflags(write=False)
    return batch


def _planted_encoder(query_kernel, value_kernel, sentence_kernel):
    """An encoder of which every weight is known: one head of attention and no norm.

    Args:
        query_kernel, value_kernel: float arrays (D, D).
        sentence_kernel: float array (D, 2).
    """
    from keras import ops

    def encode(x):
        x = ops.convert_to_tensor(x)  # (B, T, D)
        scores = ops.matmul(ops.matmul(x, query_kernel), ops.swapaxes(x, 1, 2))
        mixed = ops.matmul(ops.matmul(ops.softmax(scores, axis=-1), x), value_kernel)
        states = x + ops.tanh(mixed)  # (B, T, D)
        return states, ops.matmul(ops.tanh(states[:, 0]), sentence_kernel)

    return encode


BUILDERS = {
    "arguments_of_masking": _arguments_of_masking,
    "first_argument": _first_argument,
    "thrifty_activation": _thrifty_activation,
    "planted_encoder": _planted_encoder,
    "batch_to_read": _batch_to_read,
}
