"""The losses of BERT's pretraining and of its tasks, in nats."""

from keras import ops


@ops.custom_gradient
def sparse_cross_entropy(logits, ids):
    """The cross-entropy of scores against the index of the right class.

    The same numbers as `ops.sparse_categorical_crossentropy(..., from_logits=True)`, for many
    classes. Scores for a whole vocabulary are the largest tensor of a small BERT, so every pass
    over them counts: here one finds the maximum, one the exponentials, one their sum, and one the
    gradient, softmax minus one-hot, for which no one-hot tensor is made.

    Args:
        logits: float32 tensor of shape (..., V).
        ids: int tensor of shape (...), from 0 to V - 1.

    Returns:
        float32 tensor of shape (...), in nats.
    """
    highest = ops.max(logits, axis=-1, keepdims=True)  # (..., 1)
    exponentials = ops.exp(logits - highest)  # (..., V)
    total = ops.sum(exponentials, axis=-1, keepdims=True)  # (..., 1)
    index = ops.expand_dims(ids, axis=-1)  # (..., 1)
    right = ops.take_along_axis(logits, index, axis=-1)  # (..., 1)
    loss = ops.squeeze(ops.log(total) + highest - right, axis=-1)  # (...)

    def gradient(*arguments, upstream=None):
        weight = ops.expand_dims(arguments[0] if upstream is None else upstream, axis=-1)
        classes = ops.arange(ops.shape(logits)[-1], dtype=index.dtype)  # (V,)
        softmax = exponentials * (weight / total)  # (..., V), times the weight
        return ops.where(ops.equal(classes, index), softmax - weight, softmax), None

    return loss, gradient


def masked_lm_loss(logits, mask_ids, mask_weights):
    """Average the cross-entropy over the masked positions, and over nothing else.

    Sequences have different numbers of masked tokens, so the tensors hold unused slots with
    weight 0. The sum over the used slots is divided by their number, not by the number of slots.
    Like the original, the divisor has 1e-5 added, so that a batch without any masked token
    gives 0 instead of NaN.

    Args:
        logits: float tensor of shape (B, P, V).
        mask_ids: int tensor of shape (B, P), the tokens that were there before masking.
        mask_weights: float tensor of shape (B, P), 1 for used slots and 0 for unused ones.

    Returns:
        float32 tensor of shape ().

    Reference:
        Devlin et al., BERT (2019), section 3.1 and the released run_pretraining.py.
    """
    logits = ops.cast(logits, "float32")  # a softmax over the vocabulary needs the precision
    mask_weights = ops.cast(mask_weights, "float32")
    per_slot = sparse_cross_entropy(logits, ops.convert_to_tensor(mask_ids))  # (B, P)
    return ops.sum(mask_weights * per_slot) / (ops.sum(mask_weights) + 1e-5)


def next_sentence_loss(logits, next_sentence_label):
    """Average the cross-entropy of "is next" (0) against "is not next" (1).

    Args:
        logits: float tensor of shape (B, 2).
        next_sentence_label: int tensor of shape (B,), 0 = is next.

    Returns:
        float32 tensor of shape ().

    Reference:
        Devlin et al., BERT (2019), section 3.1, task 2.
    """
    logits = ops.cast(logits, "float32")
    per_pair = ops.sparse_categorical_crossentropy(
        next_sentence_label, logits, from_logits=True
    )  # (B,)
    return ops.mean(per_pair)


def labelled_loss(logits, labels):
    """Average the cross-entropy over everything that has a label.

    Args:
        logits: float tensor of shape (..., C).
        labels: int tensor of shape (...); -1 where there is none, which counts for nothing. Without
            any label the loss is 0.

    Returns:
        float32 tensor of shape ().
    """
    labels = ops.cast(labels, "int32")
    is_judged = ops.cast(ops.greater_equal(labels, 0), "float32")
    logits = ops.cast(logits, "float32")  # a softmax needs the precision
    each = sparse_cross_entropy(logits, ops.maximum(labels, 0))
    return ops.sum(is_judged * each) / ops.maximum(ops.sum(is_judged), 1.0)
