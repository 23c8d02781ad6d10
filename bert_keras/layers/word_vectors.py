"""Word vectors from neighbours: the continuous bag of words, forward and loss."""

from keras import ops


def cbow_forward(context_ids, embedding, output_embedding):
    """Guess a word from the average of the words around it.

    Args:
        context_ids: int tensor of shape (B, C), the words around each target; 0 = no word there,
            as at the edge of a sentence.
        embedding: float tensor of shape (V, D), one vector for every word as a neighbour. Row 0
            belongs to no word and is never used.
        output_embedding: float tensor of shape (V, D), one vector for every word as a target.

    Returns:
        The pair (hidden, logits) of shapes (B, D) and (B, V): the mean vector of the real context
        words, and its dot product with every word's output vector. A row without any real word
        has a hidden vector of zeros.

    Reference:
        Mikolov et al. (2013), Efficient Estimation of Word Representations in Vector Space, 3.1.
    """
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    vectors = ops.take(embedding, context_ids, axis=0)  # (B, C, D)
    total = ops.sum(vectors * ops.expand_dims(real, axis=-1), axis=1)  # (B, D)
    count = ops.maximum(ops.sum(real, axis=1, keepdims=True), 1)  # (B, 1)
    hidden = total / count  # (B, D)
    return hidden, ops.matmul(hidden, ops.transpose(output_embedding))  # (B, V)


def cbow_loss(context_ids, target_ids, embedding, output_embedding):
    """Mean cross-entropy of the words in the middle, given those around them.

    Args:
        context_ids: int tensor of shape (B, C), 0 = no word there.
        target_ids: int tensor of shape (B,), the words to guess.
        embedding: float tensor of shape (V, D), the vectors of the neighbours.
        output_embedding: float tensor of shape (V, D), the vectors of the targets.

    Returns:
        float tensor of shape (), in nats: the mean of -log p(target) over the B examples. It
        stays finite however far apart the logits are.

    Reference:
        Mikolov et al. (2013), Efficient Estimation of Word Representations in Vector Space, 3.1;
        with the full softmax, which small vocabularies allow.
    """
    _, logits = cbow_forward(context_ids, embedding, output_embedding)  # (B, V)
    log_probabilities = ops.log_softmax(logits, axis=-1)
    chosen = ops.take_along_axis(log_probabilities, ops.expand_dims(target_ids, axis=-1), axis=-1)
    return -ops.mean(chosen)  # of (B, 1)
