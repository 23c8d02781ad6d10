"""The debugging drill: eight broken ways to find heads that don't matter, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "signs_cancel": Bug(
        name="the mean comes before the absolute value / 先平均，后取绝对值",
        source='''
def patient(head_outputs, gradients, padding_mask, removed):
    """Which heads to switch off, by gradients; it runs, and it has one bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes.mean(axis=1))  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
        fixed='''
def repaired(head_outputs, gradients, padding_mask, removed):
    """The same computation without the bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
    ),
    "absolute_too_early": Bug(
        name="the absolute value of every token / 每个词元就取了绝对值",
        source='''
def patient(head_outputs, gradients, padding_mask, removed):
    """Which heads to switch off, by gradients; it runs, and it has one bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=4)  # (L, B, T, N)
    importance = np.abs(slopes).sum(axis=2).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
        fixed='''
def repaired(head_outputs, gradients, padding_mask, removed):
    """The same computation without the bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
    ),
    "padding_counts": Bug(
        name="padding counts, too / 填充也算进去了",
        source='''
def patient(head_outputs, gradients, padding_mask, removed):
    """Which heads to switch off, by gradients; it runs, and it has one bug."""
    slopes = np.sum(head_outputs * gradients, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
        fixed='''
def repaired(head_outputs, gradients, padding_mask, removed):
    """The same computation without the bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
    ),
    "layers_not_normalised": Bug(
        name="layers aren't divided by their norms / 各层没有除以范数",
        source='''
def patient(head_outputs, gradients, padding_mask, removed):
    """Which heads to switch off, by gradients; it runs, and it has one bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
        fixed='''
def repaired(head_outputs, gradients, padding_mask, removed):
    """The same computation without the bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
    ),
    "normalised_over_layers": Bug(
        name="the norm is over layers / 范数是跨层算的",
        source='''
def patient(head_outputs, gradients, padding_mask, removed):
    """Which heads to switch off, by gradients; it runs, and it has one bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=0, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
        fixed='''
def repaired(head_outputs, gradients, padding_mask, removed):
    """The same computation without the bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
    ),
    "most_important_removed": Bug(
        name="the most important go first / 从最重要的关起",
        source='''
def patient(head_outputs, gradients, padding_mask, removed):
    """Which heads to switch off, by gradients; it runs, and it has one bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(-importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
        fixed='''
def repaired(head_outputs, gradients, padding_mask, removed):
    """The same computation without the bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
    ),
    "a_layer_is_emptied": Bug(
        name="the last head of a layer may go, too / 一层的最后一个头也会关掉",
        source='''
def patient(head_outputs, gradients, padding_mask, removed):
    """Which heads to switch off, by gradients; it runs, and it has one bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
        fixed='''
def repaired(head_outputs, gradients, padding_mask, removed):
    """The same computation without the bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
    ),
    "layer_and_head_mixed_up": Bug(
        name="layer and head are exchanged / 层和头弄反了",
        source='''
def patient(head_outputs, gradients, padding_mask, removed):
    """Which heads to switch off, by gradients; it runs, and it has one bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        head, layer = divmod(int(place), layers)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
        fixed='''
def repaired(head_outputs, gradients, padding_mask, removed):
    """The same computation without the bug."""
    real = padding_mask[None, :, :, None, None]
    slopes = np.sum(head_outputs * gradients * real, axis=(2, 4))  # (L, B, N)
    importance = np.abs(slopes).mean(axis=1)  # (L, N)
    importance = importance / np.sqrt(np.sum(importance**2, axis=1, keepdims=True))
    layers, heads = importance.shape
    kept, left = np.ones((layers, heads), dtype=bool), removed
    for place in np.argsort(importance, axis=None):
        layer, head = divmod(int(place), heads)
        if left > 0 and kept[layer].sum() > 1:
            kept[layer, head] = False
            left -= 1
    return importance, kept
''',
    ),
}
