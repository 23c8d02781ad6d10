"""Many vectors into one: a sentence as the mean of its words."""

from keras import ops


def masked_mean(x, padding_mask):
    """Average the real tokens of every sequence; what stands at pads doesn't count.

    Appending pads to a sequence, whatever they hold, leaves its mean where it is. A sequence
    without any real token gives zeros.

    Args:
        x: float tensor of shape (B, T, D).
        padding_mask: bool tensor of shape (B, T), True at real tokens.

    Returns:
        float tensor of shape (B, D), dtype of x.
    """
    is_real = ops.expand_dims(ops.cast(padding_mask, x.dtype), axis=-1)  # (B, T, 1)
    total = ops.sum(x * is_real, axis=1)  # (B, D)
    count = ops.sum(is_real, axis=1)  # (B, 1)
    return total / ops.maximum(count, 1)  # (B, D)
