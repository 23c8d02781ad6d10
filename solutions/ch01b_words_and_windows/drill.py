"""The debugging drill: six hand-written gradients of one loss, each with a bug; one per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "full_gradient_to_every_word": Bug(
        name="every neighbour gets the whole gradient / 每个邻居都拿到整份梯度",
        source='''
def patient(context_ids, target_ids, embedding, output_embedding):
    """Loss and gradients of a bag of words, by hand; it runs, and it has one bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = (probabilities - target) / context_ids.shape[0]  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, output_embedding)  # (B, D)
    embedding_gradient = ops.matmul(ops.transpose(counts), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
        fixed='''
def repaired(context_ids, target_ids, embedding, output_embedding):
    """The same function without its bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = (probabilities - target) / context_ids.shape[0]  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, output_embedding)  # (B, D)
    embedding_gradient = ops.matmul(ops.transpose(counts / neighbours), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
    ),
    "repeated_word_once": Bug(
        name="a neighbour that comes twice gets its share once / 重复的邻居只分到一次",
        source='''
def patient(context_ids, target_ids, embedding, output_embedding):
    """Loss and gradients of a bag of words, by hand; it runs, and it has one bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = (probabilities - target) / context_ids.shape[0]  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, output_embedding)  # (B, D)
    present = ops.cast(counts > 0, embedding.dtype)  # (B, V)
    back = present / neighbours
    embedding_gradient = ops.matmul(ops.transpose(back), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
        fixed='''
def repaired(context_ids, target_ids, embedding, output_embedding):
    """The same function without its bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = (probabilities - target) / context_ids.shape[0]  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, output_embedding)  # (B, D)
    back = counts / neighbours
    embedding_gradient = ops.matmul(ops.transpose(back), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
    ),
    "padding_takes_a_share": Bug(
        name="empty places get a gradient / 空位也分到了梯度",
        source='''
def patient(context_ids, target_ids, embedding, output_embedding):
    """Loss and gradients of a bag of words, by hand; it runs, and it has one bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = (probabilities - target) / context_ids.shape[0]  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, output_embedding)  # (B, D)
    back = ops.sum(words, axis=1) / neighbours  # (B, V)
    embedding_gradient = ops.matmul(ops.transpose(back), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
        fixed='''
def repaired(context_ids, target_ids, embedding, output_embedding):
    """The same function without its bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = (probabilities - target) / context_ids.shape[0]  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, output_embedding)  # (B, D)
    back = counts / neighbours  # (B, V)
    embedding_gradient = ops.matmul(ops.transpose(back), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
    ),
    "batch_not_averaged": Bug(
        name="loss averaged, gradient summed over the batch / 损失取平均，梯度却求和",
        source='''
def patient(context_ids, target_ids, embedding, output_embedding):
    """Loss and gradients of a bag of words, by hand; it runs, and it has one bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = probabilities - target  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, output_embedding)  # (B, D)
    embedding_gradient = ops.matmul(ops.transpose(counts / neighbours), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
        fixed='''
def repaired(context_ids, target_ids, embedding, output_embedding):
    """The same function without its bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = (probabilities - target) / context_ids.shape[0]  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, output_embedding)  # (B, D)
    embedding_gradient = ops.matmul(ops.transpose(counts / neighbours), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
    ),
    "wrong_table": Bug(
        name="the way back uses the wrong table / 往回走时用错了表",
        source='''
def patient(context_ids, target_ids, embedding, output_embedding):
    """Loss and gradients of a bag of words, by hand; it runs, and it has one bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = (probabilities - target) / context_ids.shape[0]  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, embedding)  # (B, D)
    embedding_gradient = ops.matmul(ops.transpose(counts / neighbours), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
        fixed='''
def repaired(context_ids, target_ids, embedding, output_embedding):
    """The same function without its bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = (probabilities - target) / context_ids.shape[0]  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, output_embedding)  # (B, D)
    embedding_gradient = ops.matmul(ops.transpose(counts / neighbours), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
    ),
    "target_not_subtracted": Bug(
        name="the target is not subtracted / 没有减去目标",
        source='''
def patient(context_ids, target_ids, embedding, output_embedding):
    """Loss and gradients of a bag of words, by hand; it runs, and it has one bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = probabilities / context_ids.shape[0]  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, output_embedding)  # (B, D)
    embedding_gradient = ops.matmul(ops.transpose(counts / neighbours), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
        fixed='''
def repaired(context_ids, target_ids, embedding, output_embedding):
    """The same function without its bug."""
    size = embedding.shape[0]
    real = ops.cast(ops.not_equal(context_ids, 0), embedding.dtype)  # (B, C)
    words = ops.one_hot(context_ids, size)  # (B, C, V)
    counts = ops.sum(words * ops.expand_dims(real, -1), axis=1)  # (B, V)
    neighbours = ops.sum(counts, axis=-1, keepdims=True)  # (B, 1)
    hidden = ops.matmul(counts / neighbours, embedding)  # (B, D)
    probabilities = ops.softmax(ops.matmul(hidden, ops.transpose(output_embedding)))  # (B, V)
    target = ops.one_hot(target_ids, size)  # (B, V)
    loss = -ops.mean(ops.log(ops.sum(probabilities * target, axis=-1)))
    error = (probabilities - target) / context_ids.shape[0]  # (B, V)
    output_gradient = ops.matmul(ops.transpose(error), hidden)  # (V, D)
    hidden_gradient = ops.matmul(error, output_embedding)  # (B, D)
    embedding_gradient = ops.matmul(ops.transpose(counts / neighbours), hidden_gradient)  # (V, D)
    return loss, embedding_gradient, output_gradient
''',
    ),
}
