"""Inputs and helpers that the cases of several notebooks share."""

import numpy as np

from autograder.handle import Failed
from autograder.messages import Text

IN_TRAINING = Text(
    "训练时也能用：那时批次大小还不知道",
    "works in training too, where the batch size isn't known yet",
)
NOT_FINITE = Text(
    "输出或权重里出现了 NaN 或无穷大。",
    "The output or the weights contain NaN or infinities.",
)


def normal(rng, *shape):
    """Independent values of order one, float32: some scores come out negative, none near zero."""
    return rng.standard_normal(shape).astype(np.float32)


def some_open(rng, *shape):
    """A bool mask in which every query (row) has both open and closed keys."""
    mask = rng.random(shape) < 0.55
    size = shape[-1]
    first = rng.integers(size, size=shape[:-1])[..., None]
    second = (first + rng.integers(1, size, size=shape[:-1])[..., None]) % size
    np.put_along_axis(mask, first, True, axis=-1)
    np.put_along_axis(mask, second, False, axis=-1)
    return mask


def real_tokens(lengths, size):
    """A padding mask (B, size) whose row b is True at the first ``lengths[b]`` tokens."""
    return np.arange(size)[None, :] < np.asarray(lengths)[:, None]


def name_mistakes(exercise, *tables):
    """Register the misconceptions of these tables, name → (switches, zh, en, hints)."""
    for table in tables:
        for name, (switch, zh, en, hints) in table.items():
            exercise.misconception(name, switch=switch, zh=zh, en=en, hints=hints)


def derived(actual, function):
    """What follows from a result, or the failure itself, so that it's reported as one."""
    return actual if isinstance(actual, Failed) else function(actual)


def gradients(actual, inputs):
    """Gradients with zeros for the inputs that nothing depends on."""

    def filled(found):
        pairs = zip(found, inputs, strict=True)
        return tuple(np.zeros_like(x) if g is None else np.asarray(g) for g, x in pairs)

    return derived(actual, filled)
