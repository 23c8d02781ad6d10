"""The debugging drill: six broken versions of one function, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "pads_in_the_sum": Bug(
        name="the sum includes the pads / 求和时加进了填充",
        source='''
def patient(token_ids, table, pad_id=0):
    """Sentence vectors that have the right shape, and one bug."""
    mask = ops.not_equal(token_ids, pad_id)  # (B, T)
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    weight = ops.expand_dims(ops.cast(mask, table.dtype), -1)  # (B, T, 1)
    total = ops.sum(vectors, axis=1)  # (B, D)
    return total / ops.maximum(ops.sum(weight, axis=1), 1)  # (B, D)
''',
        fixed='''
def repaired(token_ids, table, pad_id=0):
    """The same function without its bug."""
    mask = ops.not_equal(token_ids, pad_id)  # (B, T)
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    weight = ops.expand_dims(ops.cast(mask, table.dtype), -1)  # (B, T, 1)
    total = ops.sum(weight * vectors, axis=1)  # (B, D)
    return total / ops.maximum(ops.sum(weight, axis=1), 1)  # (B, D)
''',
    ),
    "divided_by_length": Bug(
        name="divided by the length of the row / 除以了整行的长度",
        source='''
def patient(token_ids, table, pad_id=0):
    """Sentence vectors that have the right shape, and one bug."""
    mask = ops.cast(token_ids != pad_id, table.dtype)  # (B, T)
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    return ops.mean(ops.expand_dims(mask, -1) * vectors, axis=1)  # (B, D)
''',
        fixed='''
def repaired(token_ids, table, pad_id=0):
    """The same function without its bug."""
    mask = ops.cast(token_ids != pad_id, table.dtype)  # (B, T)
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    total = ops.sum(ops.expand_dims(mask, -1) * vectors, axis=1)  # (B, D)
    return total / ops.maximum(ops.sum(mask, axis=1, keepdims=True), 1)  # (B, D)
''',
    ),
    "mask_inverted": Bug(
        name="the mask is inverted / 掩码反了",
        source='''
def patient(token_ids, table, pad_id=0):
    """Sentence vectors that have the right shape, and one bug."""
    mask = ops.equal(token_ids, pad_id)  # (B, T)
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    weight = ops.expand_dims(ops.cast(mask, table.dtype), -1)  # (B, T, 1)
    total = ops.sum(weight * vectors, axis=1)  # (B, D)
    return total / ops.maximum(ops.sum(weight, axis=1), 1)  # (B, D)
''',
        fixed='''
def repaired(token_ids, table, pad_id=0):
    """The same function without its bug."""
    mask = ops.not_equal(token_ids, pad_id)  # (B, T)
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    weight = ops.expand_dims(ops.cast(mask, table.dtype), -1)  # (B, T, 1)
    total = ops.sum(weight * vectors, axis=1)  # (B, D)
    return total / ops.maximum(ops.sum(weight, axis=1), 1)  # (B, D)
''',
    ),
    "pad_id_fixed_to_zero": Bug(
        name="the id of pads is fixed to 0 / 填充编号写死成了 0",
        source='''
def patient(token_ids, table, pad_id=0):
    """Sentence vectors that have the right shape, and one bug."""
    mask = ops.cast(token_ids != 0, table.dtype)  # (B, T)
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    total = ops.einsum("bt,btd->bd", mask, vectors)  # (B, D)
    count = ops.maximum(ops.sum(mask, axis=1, keepdims=True), 1)  # (B, 1)
    return total / count  # (B, D)
''',
        fixed='''
def repaired(token_ids, table, pad_id=0):
    """The same function without its bug."""
    mask = ops.cast(token_ids != pad_id, table.dtype)  # (B, T)
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    total = ops.einsum("bt,btd->bd", mask, vectors)  # (B, D)
    count = ops.maximum(ops.sum(mask, axis=1, keepdims=True), 1)  # (B, 1)
    return total / count  # (B, D)
''',
    ),
    "one_count_for_all": Bug(
        name="one count for the whole batch / 整批用了同一个个数",
        source='''
def patient(token_ids, table, pad_id=0):
    """Sentence vectors that have the right shape, and one bug."""
    mask = ops.cast(token_ids != pad_id, table.dtype)  # (B, T)
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    total = ops.einsum("bt,btd->bd", mask, vectors)  # (B, D)
    count = ops.maximum(ops.sum(mask), 1)  # of real words
    return total / count  # (B, D)
''',
        fixed='''
def repaired(token_ids, table, pad_id=0):
    """The same function without its bug."""
    mask = ops.cast(token_ids != pad_id, table.dtype)  # (B, T)
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    total = ops.einsum("bt,btd->bd", mask, vectors)  # (B, D)
    count = ops.maximum(ops.sum(mask, axis=1, keepdims=True), 1)  # (B, 1)
    return total / count  # (B, D)
''',
    ),
    "mask_from_vectors": Bug(
        name="pads are looked for among the vectors / 从向量里找填充",
        source='''
def patient(token_ids, table, pad_id=0):
    """Sentence vectors that have the right shape, and one bug."""
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    mask = ops.any(ops.not_equal(vectors, 0), axis=-1)  # (B, T)
    weight = ops.expand_dims(ops.cast(mask, table.dtype), -1)  # (B, T, 1)
    total = ops.sum(weight * vectors, axis=1)  # (B, D)
    return total / ops.maximum(ops.sum(weight, axis=1), 1)  # (B, D)
''',
        fixed='''
def repaired(token_ids, table, pad_id=0):
    """The same function without its bug."""
    vectors = ops.take(table, token_ids, axis=0)  # (B, T, D)
    mask = ops.not_equal(token_ids, pad_id)  # (B, T)
    weight = ops.expand_dims(ops.cast(mask, table.dtype), -1)  # (B, T, 1)
    total = ops.sum(weight * vectors, axis=1)  # (B, D)
    return total / ops.maximum(ops.sum(weight, axis=1), 1)  # (B, D)
''',
    ),
}
