"""The debugging drill: six broken versions of one attention function, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "mask_after_softmax": Bug(
        name="the mask is used after the softmax / 掩码用在了 softmax 之后",
        source='''
def patient(query, key, value, mask=None):
    """Attention that runs, returns the right shapes, and has one bug."""
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1))  # (..., T, S)
    scores = scores / math.sqrt(query.shape[-1])
    weights = ops.softmax(scores, axis=-1)  # (..., T, S)
    if mask is not None:
        weights = ops.where(mask, weights, 0.0)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
        fixed='''
def repaired(query, key, value, mask=None):
    """The same function without its bug."""
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1))  # (..., T, S)
    scores = scores / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (..., T, S)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
    ),
    "softmax_over_queries": Bug(
        name="the softmax runs over the queries / softmax 沿着查询的方向做",
        source='''
def patient(query, key, value, mask=None):
    """Attention that runs, returns the right shapes, and has one bug."""
    scores = ops.einsum("...th,...sh->...ts", query, key)  # (..., T, S)
    scores = scores / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-2)  # (..., T, S)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
        fixed='''
def repaired(query, key, value, mask=None):
    """The same function without its bug."""
    scores = ops.einsum("...th,...sh->...ts", query, key)  # (..., T, S)
    scores = scores / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (..., T, S)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
    ),
    "scaled_by_key_length": Bug(
        name="scaled by the number of keys / 缩放用的是键的个数",
        source='''
def patient(query, key, value, mask=None):
    """Attention that runs, returns the right shapes, and has one bug."""
    scale = math.sqrt(key.shape[-2])
    scores = ops.matmul(query / scale, ops.swapaxes(key, -2, -1))  # (..., T, S)
    if mask is not None:
        scores = ops.where(mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (..., T, S)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
        fixed='''
def repaired(query, key, value, mask=None):
    """The same function without its bug."""
    scale = math.sqrt(key.shape[-1])
    scores = ops.matmul(query / scale, ops.swapaxes(key, -2, -1))  # (..., T, S)
    if mask is not None:
        scores = ops.where(mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (..., T, S)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
    ),
    "mask_fill_too_weak": Bug(
        name="closed keys are not pushed down far enough / 关闭的键压得不够低",
        source='''
def patient(query, key, value, mask=None):
    """Attention that runs, returns the right shapes, and has one bug."""
    closed_score = -1.0
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1))  # (..., T, S)
    scores = scores / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, closed_score)
    weights = ops.softmax(scores, axis=-1)  # (..., T, S)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
        fixed='''
def repaired(query, key, value, mask=None):
    """The same function without its bug."""
    closed_score = -3e4
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1))  # (..., T, S)
    scores = scores / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, closed_score)
    weights = ops.softmax(scores, axis=-1)  # (..., T, S)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
    ),
    "mask_discarded": Bug(
        name="the masked scores are thrown away / 遮好的打分没有用上",
        source='''
def patient(query, key, value, mask=None):
    """Attention that runs, returns the right shapes, and has one bug."""
    raw = ops.matmul(query, ops.swapaxes(key, -2, -1))  # (..., T, S)
    scores = raw / math.sqrt(query.shape[-1])
    if mask is not None:
        masked = ops.where(mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (..., T, S)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
        fixed='''
def repaired(query, key, value, mask=None):
    """The same function without its bug."""
    raw = ops.matmul(query, ops.swapaxes(key, -2, -1))  # (..., T, S)
    scores = raw / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (..., T, S)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
    ),
    "mask_multiplied": Bug(
        name="the mask is multiplied into the scores / 掩码乘进了打分",
        source='''
def patient(query, key, value, mask=None):
    """Attention that runs, returns the right shapes, and has one bug."""
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1))  # (..., T, S)
    scores = scores / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores * ops.cast(mask, scores.dtype)
    weights = ops.softmax(scores, axis=-1)  # (..., T, S)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
        fixed='''
def repaired(query, key, value, mask=None):
    """The same function without its bug."""
    scores = ops.matmul(query, ops.swapaxes(key, -2, -1))  # (..., T, S)
    scores = scores / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = ops.where(mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (..., T, S)
    return ops.matmul(weights, value), weights  # (..., T, V), (..., T, S)
''',
    ),
}
