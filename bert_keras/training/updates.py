"""What an update of BERT's weights is made of, each part as a function to be read."""

from keras import ops


def warmup_linear_decay(step, peak, warmup_steps, total_steps):
    """Learning rate that rises linearly to its peak, then falls linearly to 0.

    Update u (the first is 0) has the rate peak * (u + 1) / warmup_steps while u < warmup_steps, so
    that the first update is not wasted, and peak * (total - u) / (total - warmup) after that. From
    `total_steps` on the rate is 0.

    Args:
        step: int, or int tensor of any shape: the number of the update, 0 for the first.
        peak: float, the highest rate.
        warmup_steps: int, at least 1, updates until the peak.
        total_steps: int, more than `warmup_steps`, updates until 0.

    Returns:
        float32 tensor of the shape of `step`.
    """
    step = ops.cast(step, "float32")
    rise = (step + 1) / max(1, warmup_steps)
    fall = (total_steps - step) / max(1, total_steps - warmup_steps)
    return peak * ops.minimum(1.0, ops.minimum(rise, ops.maximum(0.0, fall)))


def no_decay_variables(variables):
    """Variables that weight decay must leave alone: biases, and gamma and beta of norms.

    The last part of a variable's path says what it is.

    Args:
        variables: list of Keras variables, usually `model.trainable_variables`.

    Returns:
        list: those of them that are exempt, in the same order.
    """
    exempt = ("bias", "gamma", "beta")
    return [v for v in variables if v.path.split("/")[-1].endswith(exempt)]


def adamw_step(
    weight,
    gradient,
    momentum,
    velocity,
    step,
    learning_rate,
    beta_1=0.9,
    beta_2=0.999,
    epsilon=1e-6,
    weight_decay=0.01,
):
    """Move one weight by Adam, and let it decay apart from its gradient.

    Args:
        weight: float tensor of any shape, the weight before the step.
        gradient: float tensor of the same shape.
        momentum: float tensor of the same shape, the mean of the gradients so far.
        velocity: float tensor of the same shape, the mean of their squares so far.
        step: int, the number of the step, 1 for the first.
        learning_rate: float.
        beta_1: float, what `momentum` keeps of itself in a step.
        beta_2: float, what `velocity` keeps.
        epsilon: float, added to the root of the corrected velocity.
        weight_decay: float, the share of the old weight that a rate of 1 would take away.

    Returns:
        The triple (weight, momentum, velocity) after the step, the last two not corrected.

    Reference:
        Loshchilov and Hutter, Decoupled weight decay regularization (2019), algorithm 2.
    """
    momentum = beta_1 * momentum + (1 - beta_1) * gradient
    velocity = beta_2 * velocity + (1 - beta_2) * ops.square(gradient)
    corrected_momentum = momentum / (1 - beta_1**step)
    corrected_velocity = velocity / (1 - beta_2**step)
    direction = corrected_momentum / (ops.sqrt(corrected_velocity) + epsilon)
    return weight - learning_rate * (direction + weight_decay * weight), momentum, velocity
