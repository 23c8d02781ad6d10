"""Pieces of the Transformer: the loss that it was trained with."""

from keras import ops


def smoothed_sequence_loss(logits, label_ids, label_mask, label_smoothing=0.1):
    """Average the cross-entropy against softened labels over the real tokens of the whole batch.

    The right token is given the probability 1 - label_smoothing, and label_smoothing is spread
    evenly over all V tokens, the right one among them: it has 1 - s + s / V in all, every other
    token s / V. The sum over the real tokens is divided by their number; padding is in neither.

    The smallest possible loss is the entropy of the softened labels, not 0.

    Args:
        logits: float tensor of shape (B, T, V).
        label_ids: int tensor of shape (B, T).
        label_mask: bool tensor of shape (B, T), True where the label is a real token; it has at
            least one True.
        label_smoothing: float, from 0 to below 1; 0 is the plain cross-entropy.

    Returns:
        float32 tensor of shape (), in nats.

    Reference:
        Szegedy et al., Rethinking the Inception Architecture for Computer Vision (2016), section 7;
        Vaswani et al., Attention Is All You Need (2017), section 5.4.
    """
    logits = ops.cast(logits, "float32")  # a softmax over the vocabulary needs the precision
    log_probabilities = ops.log_softmax(logits, axis=-1)  # (B, T, V)
    index = ops.expand_dims(label_ids, axis=-1)  # (B, T, 1)
    of_labels = ops.squeeze(ops.take_along_axis(log_probabilities, index, axis=-1), -1)  # (B, T)
    of_all = ops.mean(log_probabilities, axis=-1)  # (B, T)
    per_token = -(1 - label_smoothing) * of_labels - label_smoothing * of_all  # (B, T)
    is_real = ops.cast(label_mask, "float32")  # (B, T)
    return ops.sum(per_token * is_real) / ops.sum(is_real)
