"""The debugging drill: six broken versions of one look at the source, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "softmax_over_one_number": Bug(
        name="the softmax runs over an axis of length one / softmax 沿着长度为 1 的轴做",
        source='''
def patient(state, source, padding_mask=None):
    """A look at the source that runs, returns the right shapes, and has one bug."""
    scores = ops.matmul(source, state[:, :, None])  # (B, S, 1)
    if padding_mask is not None:
        scores = ops.where(padding_mask[:, :, None], scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (B, S, 1)
    context = ops.sum(weights * source, axis=1)  # (B, H)
    return context, weights[:, :, 0]
''',
        fixed='''
def repaired(state, source, padding_mask=None):
    """The same function without its bug."""
    scores = ops.matmul(source, state[:, :, None])  # (B, S, 1)
    if padding_mask is not None:
        scores = ops.where(padding_mask[:, :, None], scores, -3e4)
    weights = ops.softmax(scores, axis=1)  # (B, S, 1)
    context = ops.sum(weights * source, axis=1)  # (B, H)
    return context, weights[:, :, 0]
''',
    ),
    "softmax_over_the_batch": Bug(
        name="the softmax runs over the batch / softmax 沿着批次的方向做",
        source='''
def patient(state, source, padding_mask=None):
    """A look at the source that runs, returns the right shapes, and has one bug."""
    scores = ops.einsum("bh,bsh->bs", state, source)  # (B, S)
    if padding_mask is not None:
        scores = ops.where(padding_mask, scores, -3e4)
    weights = ops.softmax(scores, axis=0)  # (B, S)
    context = ops.einsum("bs,bsh->bh", weights, source)  # (B, H)
    return context, weights
''',
        fixed='''
def repaired(state, source, padding_mask=None):
    """The same function without its bug."""
    scores = ops.einsum("bh,bsh->bs", state, source)  # (B, S)
    if padding_mask is not None:
        scores = ops.where(padding_mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (B, S)
    context = ops.einsum("bs,bsh->bh", weights, source)  # (B, H)
    return context, weights
''',
    ),
    "mask_after_softmax": Bug(
        name="the mask is used after the softmax / 掩码用在了 softmax 之后",
        source='''
def patient(state, source, padding_mask=None):
    """A look at the source that runs, returns the right shapes, and has one bug."""
    scores = ops.sum(state[:, None] * source, axis=-1)  # (B, S)
    weights = ops.softmax(scores, axis=-1)  # (B, S)
    if padding_mask is not None:
        weights = ops.where(padding_mask, weights, 0.0)
    context = ops.sum(weights[:, :, None] * source, axis=1)  # (B, H)
    return context, weights
''',
        fixed='''
def repaired(state, source, padding_mask=None):
    """The same function without its bug."""
    scores = ops.sum(state[:, None] * source, axis=-1)  # (B, S)
    if padding_mask is not None:
        scores = ops.where(padding_mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (B, S)
    context = ops.sum(weights[:, :, None] * source, axis=1)  # (B, H)
    return context, weights
''',
    ),
    "mask_multiplied": Bug(
        name="the mask is multiplied into the scores / 掩码乘进了分数",
        source='''
def patient(state, source, padding_mask=None):
    """A look at the source that runs, returns the right shapes, and has one bug."""
    scores = ops.einsum("bh,bsh->bs", state, source)  # (B, S)
    if padding_mask is not None:
        scores = scores * ops.cast(padding_mask, scores.dtype)
    weights = ops.softmax(scores, axis=-1)  # (B, S)
    context = ops.einsum("bs,bsh->bh", weights, source)  # (B, H)
    return context, weights
''',
        fixed='''
def repaired(state, source, padding_mask=None):
    """The same function without its bug."""
    scores = ops.einsum("bh,bsh->bs", state, source)  # (B, S)
    if padding_mask is not None:
        scores = ops.where(padding_mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (B, S)
    context = ops.einsum("bs,bsh->bh", weights, source)  # (B, H)
    return context, weights
''',
    ),
    "context_from_scores": Bug(
        name="the context is mixed with the scores / 加权求和用的是分数",
        source='''
def patient(state, source, padding_mask=None):
    """A look at the source that runs, returns the right shapes, and has one bug."""
    scores = ops.sum(state[:, None] * source, axis=-1)  # (B, S)
    masked = scores
    if padding_mask is not None:
        masked = ops.where(padding_mask, scores, -3e4)
    weights = ops.softmax(masked, axis=-1)  # (B, S)
    context = ops.sum(scores[:, :, None] * source, axis=1)  # (B, H)
    return context, weights
''',
        fixed='''
def repaired(state, source, padding_mask=None):
    """The same function without its bug."""
    scores = ops.sum(state[:, None] * source, axis=-1)  # (B, S)
    masked = scores
    if padding_mask is not None:
        masked = ops.where(padding_mask, scores, -3e4)
    weights = ops.softmax(masked, axis=-1)  # (B, S)
    context = ops.sum(weights[:, :, None] * source, axis=1)  # (B, H)
    return context, weights
''',
    ),
    "context_divided_by_length": Bug(
        name="the weighted sum is averaged once more / 加权求和之后又取了一次平均",
        source='''
def patient(state, source, padding_mask=None):
    """A look at the source that runs, returns the right shapes, and has one bug."""
    scores = ops.einsum("bh,bsh->bs", state, source)  # (B, S)
    if padding_mask is not None:
        scores = ops.where(padding_mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (B, S)
    context = ops.mean(weights[:, :, None] * source, axis=1)  # (B, H)
    return context, weights
''',
        fixed='''
def repaired(state, source, padding_mask=None):
    """The same function without its bug."""
    scores = ops.einsum("bh,bsh->bs", state, source)  # (B, S)
    if padding_mask is not None:
        scores = ops.where(padding_mask, scores, -3e4)
    weights = ops.softmax(scores, axis=-1)  # (B, S)
    context = ops.sum(weights[:, :, None] * source, axis=1)  # (B, H)
    return context, weights
''',
    ),
}
