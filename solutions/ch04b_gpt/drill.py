"""The debugging drill: seven broken versions of one training step, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "labels_not_shifted": Bug(
        name="every position is compared with its own token / 每个位置跟自己的词元比",
        source='''
def patient(token_ids, padding_mask, token_table, position_table, blocks):
    """One training step's logits and loss; it runs, and it has one bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    log_shares = ops.log_softmax(logits, axis=-1)  # (B, T, V)
    surprise = -ops.take_along_axis(log_shares, token_ids[..., None], axis=-1)[..., 0]
    is_real = ops.cast(padding_mask, "float32")  # (B, T)
    return logits, ops.sum(surprise * is_real) / ops.maximum(ops.sum(is_real), 1.0)
''',
        fixed='''
def repaired(token_ids, padding_mask, token_table, position_table, blocks):
    """The same training step without its bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    log_shares = ops.log_softmax(logits[:, :-1], axis=-1)  # (B, T − 1, V)
    surprise = -ops.take_along_axis(log_shares, token_ids[:, 1:][..., None], axis=-1)[..., 0]
    is_real = ops.cast(padding_mask[:, 1:], "float32")  # (B, T − 1)
    return logits, ops.sum(surprise * is_real) / ops.maximum(ops.sum(is_real), 1.0)
''',
    ),
    "shifted_twice": Bug(
        name="labels are shifted twice / 标签错开了两次",
        source='''
def patient(token_ids, padding_mask, token_table, position_table, blocks):
    """One training step's logits and loss; it runs, and it has one bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    logits_before, label_ids = logits[:, :-1], token_ids[:, 1:]  # (B, T − 1, V), (B, T − 1)
    return logits, causal_lm_loss(logits_before, label_ids, padding_mask[:, 1:])
''',
        fixed='''
def repaired(token_ids, padding_mask, token_table, position_table, blocks):
    """The same training step without its bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    return logits, causal_lm_loss(logits, token_ids, padding_mask)
''',
    ),
    "flattened_before_shift": Bug(
        name="rows run into each other / 一句的末尾去预测下一句的开头",
        source='''
def patient(token_ids, padding_mask, token_table, position_table, blocks):
    """One training step's logits and loss; it runs, and it has one bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    scores = ops.reshape(logits, (-1, logits.shape[-1]))[:-1]  # (B · T − 1, V)
    label_ids = ops.reshape(token_ids, (-1,))[1:]  # (B · T − 1)
    is_real = ops.cast(ops.reshape(padding_mask, (-1,))[1:], "float32")  # (B · T − 1)
    log_shares = ops.log_softmax(scores, axis=-1)
    surprise = -ops.take_along_axis(log_shares, label_ids[:, None], axis=-1)[:, 0]
    return logits, ops.sum(surprise * is_real) / ops.maximum(ops.sum(is_real), 1.0)
''',
        fixed='''
def repaired(token_ids, padding_mask, token_table, position_table, blocks):
    """The same training step without its bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    scores = ops.reshape(logits[:, :-1], (-1, logits.shape[-1]))  # (B · (T − 1), V)
    label_ids = ops.reshape(token_ids[:, 1:], (-1,))  # (B · (T − 1))
    is_real = ops.cast(ops.reshape(padding_mask[:, 1:], (-1,)), "float32")  # (B · (T − 1))
    log_shares = ops.log_softmax(scores, axis=-1)
    surprise = -ops.take_along_axis(log_shares, label_ids[:, None], axis=-1)[:, 0]
    return logits, ops.sum(surprise * is_real) / ops.maximum(ops.sum(is_real), 1.0)
''',
    ),
    "end_token_masked": Bug(
        name="the end token isn't predicted / 句末的 [EOS] 没有算",
        source='''
def patient(token_ids, padding_mask, token_table, position_table, blocks):
    """One training step's logits and loss; it runs, and it has one bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    log_shares = ops.log_softmax(logits[:, :-1], axis=-1)  # (B, T − 1, V)
    surprise = -ops.take_along_axis(log_shares, token_ids[:, 1:][..., None], axis=-1)[..., 0]
    is_real = ops.cast(ops.not_equal(token_ids[:, 1:], 0), "float32")  # (B, T − 1)
    return logits, ops.sum(surprise * is_real) / ops.maximum(ops.sum(is_real), 1.0)
''',
        fixed='''
def repaired(token_ids, padding_mask, token_table, position_table, blocks):
    """The same training step without its bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    log_shares = ops.log_softmax(logits[:, :-1], axis=-1)  # (B, T − 1, V)
    surprise = -ops.take_along_axis(log_shares, token_ids[:, 1:][..., None], axis=-1)[..., 0]
    is_real = ops.cast(padding_mask[:, 1:], "float32")  # (B, T − 1)
    return logits, ops.sum(surprise * is_real) / ops.maximum(ops.sum(is_real), 1.0)
''',
    ),
    "tying_lost": Bug(
        name="the output has a table of its own / 输出用了另一张表",
        source='''
def patient(token_ids, padding_mask, token_table, position_table, blocks):
    """One training step's logits and loss; it runs, and it has one bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    output_table = keras.Variable(token_table)  # (V, D)
    logits = ops.matmul(x, ops.transpose(output_table))  # (B, T, V)
    return logits, causal_lm_loss(logits, token_ids, padding_mask)
''',
        fixed='''
def repaired(token_ids, padding_mask, token_table, position_table, blocks):
    """The same training step without its bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    return logits, causal_lm_loss(logits, token_ids, padding_mask)
''',
    ),
    "future_visible": Bug(
        name="tokens see what follows / 看得见后面的词元",
        source='''
def patient(token_ids, padding_mask, token_table, position_table, blocks):
    """One training step's logits and loss; it runs, and it has one bug."""
    length = token_ids.shape[1]
    mask = ops.expand_dims(padding_mask, axis=1)  # (B, 1, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    return logits, causal_lm_loss(logits, token_ids, padding_mask)
''',
        fixed='''
def repaired(token_ids, padding_mask, token_table, position_table, blocks):
    """The same training step without its bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    return logits, causal_lm_loss(logits, token_ids, padding_mask)
''',
    ),
    "activation_before_projection": Bug(
        name="an activation in front of the output / 输出之前多了激活函数",
        source='''
def patient(token_ids, padding_mask, token_table, position_table, blocks):
    """One training step's logits and loss; it runs, and it has one bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    states = ops.gelu(x)  # (B, T, D)
    logits = ops.matmul(states, ops.transpose(token_table))  # (B, T, V)
    return logits, causal_lm_loss(logits, token_ids, padding_mask)
''',
        fixed='''
def repaired(token_ids, padding_mask, token_table, position_table, blocks):
    """The same training step without its bug."""
    length = token_ids.shape[1]
    mask = combine_masks(padding_mask, causal_mask(length))  # (B, T, T)
    x = ops.take(token_table, token_ids, axis=0) + position_table[:length]  # (B, T, D)
    for block in blocks:
        x, _ = block(x, attention_mask=mask)  # (B, T, D)
    logits = ops.matmul(x, ops.transpose(token_table))  # (B, T, V)
    return logits, causal_lm_loss(logits, token_ids, padding_mask)
''',
    ),
}
