"""Distillation: a small model learns from what a large one says, not from labels alone."""

from keras import ops


def distillation_loss(student_logits, teacher_logits, labels, temperature, alpha):
    """Learn from a teacher's probabilities and from the labels.

    Divided by a temperature above 1, logits give softer probabilities, in which one can see what
    the teacher takes for similar. Their gradient shrinks with 1/T², so the soft part is multiplied
    by T² and both parts keep their balance whatever T is.

    Args:
        student_logits: float tensor of shape (B, C).
        teacher_logits: float tensor of shape (B, C); no gradient flows into it.
        labels: int tensor of shape (B,).
        temperature: float T above 0.
        alpha: float from 0 to 1, the weight of the teacher.

    Returns:
        float tensor of shape (): alpha · T² · KL(teacher ‖ student), both at temperature T, plus
        (1 - alpha) · cross-entropy with the labels at temperature 1; both are means over the batch.

    Reference:
        Hinton et al., Distilling the Knowledge in a Neural Network (2015).
    """
    teacher = ops.log_softmax(ops.stop_gradient(teacher_logits) / temperature)  # (B, C)
    student = ops.log_softmax(student_logits / temperature)
    divergence = ops.sum(ops.exp(teacher) * (teacher - student), axis=-1)  # (B,)
    hard = ops.sparse_categorical_crossentropy(labels, student_logits, from_logits=True)
    return ops.mean(alpha * temperature**2 * divergence + (1 - alpha) * hard)


def layer_mapping(student_layers, teacher_layers):
    """Which layer of the teacher each layer of a student learns from, evenly spread.

    Args:
        student_layers: int M, at least 1.
        teacher_layers: int L, at least M.

    Returns:
        List of M + 1 ints, by the student's layers from 0, the embeddings: entry m is the teacher's
        layer m·L/M, rounded down. So embeddings learn from embeddings and the last from the last.

    Raises:
        ValueError: the student has more layers than the teacher, or none.

    Reference:
        Jiao et al., TinyBERT: Distilling BERT for Natural Language Understanding (2020).
    """
    if not 1 <= student_layers <= teacher_layers:
        raise ValueError(
            f"a student of {student_layers} layers can't learn from {teacher_layers}: it needs at "
            "least one and at most as many as its teacher"
        )
    return [layer * teacher_layers // student_layers for layer in range(student_layers + 1)]
