"""The debugging drill: eight broken dense layers in eight bits, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "signed_ranking": Bug(
        name="the smallest are found with their signs / 排序时带着正负号",
        source='''
def patient(x, kernel, bias, share):
    """A dense layer, pruned and in eight bits; it runs, and it has one bug."""
    smallest = np.argsort(kernel, axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
        fixed='''
def repaired(x, kernel, bias, share):
    """The same layer without the bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
    ),
    "one_scale_for_the_kernel": Bug(
        name="the whole kernel has one scale / 整个核只有一个尺度",
        source='''
def patient(x, kernel, bias, share):
    """A dense layer, pruned and in eight bits; it runs, and it has one bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(keepdims=True)  # (1, 1)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
        fixed='''
def repaired(x, kernel, bias, share):
    """The same layer without the bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
    ),
    "one_scale_for_the_batch": Bug(
        name="the whole batch has one scale / 整批只有一个尺度",
        source='''
def patient(x, kernel, bias, share):
    """A dense layer, pruned and in eight bits; it runs, and it has one bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(keepdims=True)  # (1, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
        fixed='''
def repaired(x, kernel, bias, share):
    """The same layer without the bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
    ),
    "divided_by_128": Bug(
        name="scales are the largest size / 128 / 尺度除以了 128",
        source='''
def patient(x, kernel, bias, share):
    """A dense layer, pruned and in eight bits; it runs, and it has one bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 128, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -128, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 128, 1)
    x_q = np.clip(np.round(x / x_scale), -128, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
        fixed='''
def repaired(x, kernel, bias, share):
    """The same layer without the bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
    ),
    "truncated": Bug(
        name="fractions are cut off, not rounded / 小数直接舍去，没有四舍五入",
        source='''
def patient(x, kernel, bias, share):
    """A dense layer, pruned and in eight bits; it runs, and it has one bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(pruned / kernel_scale, -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(x / x_scale, -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
        fixed='''
def repaired(x, kernel, bias, share):
    """The same layer without the bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
    ),
    "sum_in_int16": Bug(
        name="products are added up in int16 / 乘积在 int16 里累加",
        source='''
def patient(x, kernel, bias, share):
    """A dense layer, pruned and in eight bits; it runs, and it has one bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int16") @ kernel_q.astype("int16")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
        fixed='''
def repaired(x, kernel, bias, share):
    """The same layer without the bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
    ),
    "row_scale_forgotten": Bug(
        name="the scale of the rows of x is lost / x 各行的尺度没有乘回来",
        source='''
def patient(x, kernel, bias, share):
    """A dense layer, pruned and in eight bits; it runs, and it has one bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * kernel_scale + bias).astype("float32")
''',
        fixed='''
def repaired(x, kernel, bias, share):
    """The same layer without the bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
    ),
    "bias_scaled": Bug(
        name="the bias is multiplied with the scales, too / 偏置也乘了尺度",
        source='''
def patient(x, kernel, bias, share):
    """A dense layer, pruned and in eight bits; it runs, and it has one bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return ((whole + bias) * x_scale * kernel_scale).astype("float32")
''',
        fixed='''
def repaired(x, kernel, bias, share):
    """The same layer without the bug."""
    smallest = np.argsort(np.abs(kernel), axis=None, kind="stable")[: round(share * kernel.size)]
    pruned = kernel.copy()
    pruned.reshape(-1)[smallest] = 0.0
    largest = np.abs(pruned).max(axis=0, keepdims=True)  # (1, out)
    kernel_scale = np.where(largest > 0, largest / 127, 1)
    kernel_q = np.clip(np.round(pruned / kernel_scale), -127, 127).astype("int8")
    largest = np.abs(x).max(axis=1, keepdims=True)  # (B, 1)
    x_scale = np.where(largest > 0, largest / 127, 1)
    x_q = np.clip(np.round(x / x_scale), -127, 127).astype("int8")
    whole = x_q.astype("int32") @ kernel_q.astype("int32")  # (B, out)
    return (whole * x_scale * kernel_scale + bias).astype("float32")
''',
    ),
}
