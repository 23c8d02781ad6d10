"""The debugging drill: seven broken versions of one fine-tuning step, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "checkpoint_not_loaded": Bug(
        name="no weight of the checkpoint gets in / 检查点的参数一个也没有装进去",
        source='''
def patient(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """Logits and loss of one batch; it runs, and it has one bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = dict(fresh)
    weights.update({name: array for name, array in checkpoint.items() if name in weights})
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
        fixed='''
def repaired(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """The same batch's logits and loss without the bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
    ),
    "segments_all_zero": Bug(
        name="segments never reach the encoder / 片段号没有交给编码器",
        source='''
def patient(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """Logits and loss of one batch; it runs, and it has one bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, ops.zeros_like(token_ids), mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
        fixed='''
def repaired(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """The same batch's logits and loss without the bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
    ),
    "mask_and_segments_exchanged": Bug(
        name="mask and segments change places / 掩码和片段号换了位置",
        source='''
def patient(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """Logits and loss of one batch; it runs, and it has one bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, mask, batch["segment_ids"])  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
        fixed='''
def repaired(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """The same batch's logits and loss without the bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
    ),
    "padding_in_mean": Bug(
        name="pads count in the mean / 平均时算进了填充",
        source='''
def patient(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """Logits and loss of one batch; it runs, and it has one bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    pooled = ops.mean(states, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
        fixed='''
def repaired(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """The same batch's logits and loss without the bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
    ),
    "dropout_at_prediction": Bug(
        name="dropout in prediction, too / 预测时也做了 dropout",
        source='''
def patient(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """Logits and loss of one batch; it runs, and it has one bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
        fixed='''
def repaired(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """The same batch's logits and loss without the bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
    ),
    "labels_not_reordered": Bug(
        name="labels keep their old order / 标签还是原来的次序",
        source='''
def patient(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """Logits and loss of one batch; it runs, and it has one bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = labels[: len(order)]  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
        fixed='''
def repaired(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """The same batch's logits and loss without the bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
    ),
    "softmax_before_loss": Bug(
        name="a softmax before the loss / 损失之前多做了一次 softmax",
        source='''
def patient(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """Logits and loss of one batch; it runs, and it has one bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    shares = ops.maximum(ops.softmax(logits, axis=-1), 1e-7)  # (B, C), never 0
    per_sentence = ops.sparse_categorical_crossentropy(wanted, shares, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
        fixed='''
def repaired(fresh, checkpoint, inputs, labels, order, encode, dropout, dense, training):
    """The same batch's logits and loss without the bug."""
    missing = [name for name in fresh if f"bert.{name}" not in checkpoint]
    if missing:
        raise ValueError(f"not in the checkpoint: {missing}")
    weights = {name: checkpoint[f"bert.{name}"] for name in fresh}
    batch = {name: ops.take(array, order, axis=0) for name, array in inputs.items()}  # (B, T)
    token_ids, mask = batch["token_ids"], batch["padding_mask"]
    states = encode(weights, token_ids, batch["segment_ids"], mask)  # (B, T, D)
    is_real = ops.cast(mask, "float32")[..., None]  # (B, T, 1)
    pooled = ops.sum(states * is_real, axis=1) / ops.sum(is_real, axis=1)  # (B, D)
    if training:
        pooled = dropout(pooled)
    logits = dense(pooled)  # (B, C)
    wanted = ops.take(labels, order)  # (B,)
    per_sentence = ops.sparse_categorical_crossentropy(wanted, logits, from_logits=True)
    return logits, ops.mean(per_sentence)
''',
    ),
}
