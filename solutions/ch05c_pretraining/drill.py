"""The debugging drill: eight broken versions of one update, one of them per class.

Text, not code: release reads it without running it. `source` is what a student sees, `fixed` the
repair; the keys are the names to choose from.
"""

from autograder.drill_sources import Bug

BUGS = {
    "decay_on_norms": Bug(
        name="weights that should be exempt decay too / 不该衰减的也在衰减",
        source='''
def patient(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """One update of weights out of a file; it runs, and it has one bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        moved[path], _, _ = adamw_step(
            weight,
            gradients[path] * scale,
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.01,
        )
    return moved, norm
''',
        fixed='''
def repaired(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """The same update without its bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        exempt = path.split("/")[-1] in ("bias", "gamma", "beta")
        moved[path], _, _ = adamw_step(
            weight,
            gradients[path] * scale,
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.0 if exempt else 0.01,
        )
    return moved, norm
''',
    ),
    "decay_in_the_gradient": Bug(
        name="decay goes through the averages / 衰减走了动量的路",
        source='''
def patient(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """One update of weights out of a file; it runs, and it has one bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        gradient = gradients[path] * scale
        if path.split("/")[-1] not in ("bias", "gamma", "beta"):
            gradient = gradient + 0.01 * weight
        moved[path], _, _ = adamw_step(
            weight, gradient, momentum, velocity, update + 1, rate, weight_decay=0.0
        )
    return moved, norm
''',
        fixed='''
def repaired(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """The same update without its bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        gradient, weight_decay = gradients[path] * scale, 0.01
        if path.split("/")[-1] in ("bias", "gamma", "beta"):
            weight_decay = 0.0
        moved[path], _, _ = adamw_step(
            weight, gradient, momentum, velocity, update + 1, rate, weight_decay=weight_decay
        )
    return moved, norm
''',
    ),
    "no_bias_correction": Bug(
        name="averages that began at 0 are used as they are / 从 0 起的平均直接用了",
        source='''
def patient(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """One update of weights out of a file; it runs, and it has one bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        gradient = gradients[path] * scale
        momentum = 0.9 * momentum + 0.1 * gradient
        velocity = 0.999 * velocity + 0.001 * ops.square(gradient)
        step = momentum / (ops.sqrt(velocity) + 1e-6)
        if path.split("/")[-1] not in ("bias", "gamma", "beta"):
            step = step + 0.01 * weight
        moved[path] = weight - rate * step
    return moved, norm
''',
        fixed='''
def repaired(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """The same update without its bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        gradient = gradients[path] * scale
        momentum = 0.9 * momentum + 0.1 * gradient
        velocity = 0.999 * velocity + 0.001 * ops.square(gradient)
        momentum = momentum / (1 - 0.9 ** (update + 1))
        velocity = velocity / (1 - 0.999 ** (update + 1))
        step = momentum / (ops.sqrt(velocity) + 1e-6)
        if path.split("/")[-1] not in ("bias", "gamma", "beta"):
            step = step + 0.01 * weight
        moved[path] = weight - rate * step
    return moved, norm
''',
    ),
    "clipped_per_tensor": Bug(
        name="every gradient is clipped by itself / 各裁各的",
        source='''
def patient(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """One update of weights out of a file; it runs, and it has one bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    clipped = {}
    for path, gradient in gradients.items():
        length = ops.sqrt(ops.sum(ops.square(gradient)))
        clipped[path] = gradient / ops.maximum(length, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        exempt = path.split("/")[-1] in ("bias", "gamma", "beta")
        moved[path], _, _ = adamw_step(
            weight,
            clipped[path],
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.0 if exempt else 0.01,
        )
    return moved, norm
''',
        fixed='''
def repaired(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """The same update without its bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    clipped = {}
    for path, gradient in gradients.items():
        clipped[path] = gradient / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        exempt = path.split("/")[-1] in ("bias", "gamma", "beta")
        moved[path], _, _ = adamw_step(
            weight,
            clipped[path],
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.0 if exempt else 0.01,
        )
    return moved, norm
''',
    ),
    "clipped_after_update": Bug(
        name="clipping comes too late / 裁剪来得太晚",
        source='''
def patient(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """One update of weights out of a file; it runs, and it has one bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        exempt = path.split("/")[-1] in ("bias", "gamma", "beta")
        moved[path], _, _ = adamw_step(
            weight,
            gradients[path],
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.0 if exempt else 0.01,
        )
    for path, gradient in gradients.items():
        gradients = {**gradients, path: gradient * scale}
    return moved, norm
''',
        fixed='''
def repaired(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """The same update without its bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    for path, gradient in gradients.items():
        gradients = {**gradients, path: gradient * scale}
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        exempt = path.split("/")[-1] in ("bias", "gamma", "beta")
        moved[path], _, _ = adamw_step(
            weight,
            gradients[path],
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.0 if exempt else 0.01,
        )
    return moved, norm
''',
    ),
    "rate_below_zero": Bug(
        name="the schedule has no end / 走完以后还在降",
        source='''
def patient(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """One update of weights out of a file; it runs, and it has one bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    if update < warmup_steps:
        rate = peak * (update + 1) / warmup_steps
    else:
        rate = peak * (total_steps - update) / (total_steps - warmup_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        exempt = path.split("/")[-1] in ("bias", "gamma", "beta")
        moved[path], _, _ = adamw_step(
            weight,
            gradients[path] * scale,
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.0 if exempt else 0.01,
        )
    return moved, norm
''',
        fixed='''
def repaired(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """The same update without its bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    if update < warmup_steps:
        rate = peak * (update + 1) / warmup_steps
    else:
        rate = peak * max(0, total_steps - update) / (total_steps - warmup_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        exempt = path.split("/")[-1] in ("bias", "gamma", "beta")
        moved[path], _, _ = adamw_step(
            weight,
            gradients[path] * scale,
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.0 if exempt else 0.01,
        )
    return moved, norm
''',
    ),
    "kernels_not_transposed": Bug(
        name="kernels lie as they lay in the file / 矩阵照搬了文件里的样子",
        source='''
def patient(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """One update of weights out of a file; it runs, and it has one bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is not None:
            path, _ = converted
            weights[path] = array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        exempt = path.split("/")[-1] in ("bias", "gamma", "beta")
        moved[path], _, _ = adamw_step(
            weight,
            gradients[path] * scale,
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.0 if exempt else 0.01,
        )
    return moved, norm
''',
        fixed='''
def repaired(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """The same update without its bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is not None:
            path, transpose = converted
            weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        exempt = path.split("/")[-1] in ("bias", "gamma", "beta")
        moved[path], _, _ = adamw_step(
            weight,
            gradients[path] * scale,
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.0 if exempt else 0.01,
        )
    return moved, norm
''',
    ),
    "gamma_beta_exchanged": Bug(
        name="both weights of a norm are exchanged / 层归一化的两种参数放反了",
        source='''
def patient(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """One update of weights out of a file; it runs, and it has one bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        if name.endswith("LayerNorm.weight"):
            path = path.replace("gamma", "beta")
        elif name.endswith("LayerNorm.bias"):
            path = path.replace("beta", "gamma")
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        exempt = path.split("/")[-1] in ("bias", "gamma", "beta")
        moved[path], _, _ = adamw_step(
            weight,
            gradients[path] * scale,
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.0 if exempt else 0.01,
        )
    return moved, norm
''',
        fixed='''
def repaired(tensors, gradients, state, update, peak, warmup_steps, total_steps):
    """The same update without its bug."""
    weights = {}
    for name, array in tensors.items():
        converted = convert_name(name)
        if converted is None:
            continue
        path, transpose = converted
        weights[path] = ops.transpose(array) if transpose else array
    norm = ops.sqrt(sum(ops.sum(ops.square(gradient)) for gradient in gradients.values()))
    scale = 1.0 / ops.maximum(norm, 1.0)
    rate = warmup_linear_decay(update, peak, warmup_steps, total_steps)
    moved = {}
    for path, weight in weights.items():
        momentum, velocity = state[path]
        exempt = path.split("/")[-1] in ("bias", "gamma", "beta")
        moved[path], _, _ = adamw_step(
            weight,
            gradients[path] * scale,
            momentum,
            velocity,
            update + 1,
            rate,
            weight_decay=0.0 if exempt else 0.01,
        )
    return moved, norm
''',
    ),
}
