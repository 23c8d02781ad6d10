"""AdamW, one weight at a time, in plain NumPy with a switch for every mistake."""

from __future__ import annotations

import inspect

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import with_switches_of

DEFAULTS = {"beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-6, "weight_decay": 0.01}


def _moments(gradient, momentum, velocity, beta_1, beta_2, kind):
    """Both running averages after this gradient."""
    square = gradient if kind == "velocity_of_gradient" else gradient**2
    if kind == "velocity_of_size":
        square = np.abs(gradient)
    first, second = 1 - beta_1, 1 - beta_2
    if kind in ("sums", "momentum_is_a_sum"):
        first = 1.0
    if kind in ("sums", "velocity_is_a_sum"):
        second = 1.0
    if kind in ("weights_exchanged", "momentum_weights_exchanged"):
        beta_1, first = 1 - beta_1, beta_1
    if kind in ("weights_exchanged", "velocity_weights_exchanged"):
        beta_2, second = 1 - beta_2, beta_2
    if kind == "velocity_of_momentum":
        square = (beta_1 * momentum + first * gradient) ** 2
    if kind == "begun_anew":
        momentum, velocity = 0 * momentum, 0 * velocity
    return beta_1 * momentum + first * gradient, beta_2 * velocity + second * square


def _corrections(beta_1, beta_2, step, kind):
    """What the two averages are divided by."""
    step = {"step_from_zero": step - 1, "step_one_too_far": step + 1, "first_step_again": 1}.get(
        kind, step
    )
    one, two = 1 - beta_1**step, 1 - beta_2**step
    return {
        "none": (1.0, 1.0),
        "momentum_only": (one, 1.0),
        "velocity_only": (1.0, two),
        "times_instead": (1 / one if one else np.inf, 1 / two if two else np.inf),
        "without_powers": (1 - beta_1, 1 - beta_2),
        "times_the_step": (1 - beta_1 * step, 1 - beta_2 * step),
        "exchanged": (two, one),
    }.get(kind, (one, two))


def step_of(
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
    *,
    decay="decoupled",
    correction="both",
    at="outside",
    moments="right",
    used="new",
    root="taken",
    direction="down",
    rate="given",
    constants="given",
    betas="own",
    returned="triple",
):
    """One update of one weight.

    Args:
        weight, gradient, momentum, velocity: float arrays of one shape.
        step: int, 1 for the first.
        learning_rate, beta_1, beta_2, epsilon, weight_decay: floats.
        decay: what weight decay does.
        correction: how the bias of the averages is undone.
        at: where epsilon is added.
        moments, used, root, direction, rate, constants, betas, returned: the switches.

    Returns:
        The triple of weight, momentum and velocity, unless ``returned`` says otherwise.
    """
    if constants in ("betas", "all"):
        beta_1, beta_2 = DEFAULTS["beta_1"], DEFAULTS["beta_2"]
    if constants in ("epsilon", "all"):
        epsilon = DEFAULTS["epsilon"]
    if constants in ("decay", "all"):
        weight_decay = DEFAULTS["weight_decay"]
    if betas == "exchanged":
        beta_1, beta_2 = beta_2, beta_1
    if betas == "first_twice":
        beta_2 = beta_1
    if rate == "left_out":
        learning_rate = 1.0
    if decay == "in_gradient":
        gradient = gradient + weight_decay * weight
    m, v = _moments(gradient, momentum, velocity, beta_1, beta_2, moments)
    for_m, for_v = (momentum, velocity) if used == "old" else (m, v)
    if used == "gradient":
        for_m = gradient
    with np.errstate(all="ignore"):
        one, two = (
            np.asarray(c, weight.dtype) for c in _corrections(beta_1, beta_2, step, correction)
        )
        m_hat, v_hat = for_m / one, for_v / two
        if root == "not_taken":
            below = v_hat + epsilon
        elif at == "inside":
            below = np.sqrt(v_hat + epsilon)
        elif at == "nowhere":
            below = np.sqrt(v_hat)
        elif at == "largest":
            below = np.maximum(np.sqrt(v_hat), epsilon)
        else:
            below = np.sqrt(v_hat) + epsilon
        upper = m_hat + weight_decay * weight if decay == "in_numerator" else m_hat
        update = upper / below
    if direction == "up":
        update = -update
    moved = weight - learning_rate * update
    if decay in ("decoupled", "everything_up"):
        moved = moved - learning_rate * weight_decay * weight
    elif decay == "new_weight":
        moved = moved - learning_rate * weight_decay * moved
    elif decay == "without_the_rate":
        moved = moved - weight_decay * weight
    elif decay == "grows":
        moved = moved + learning_rate * weight_decay * weight
    elif decay == "with_corrected_rate":
        scaled = learning_rate * np.sqrt(1 - beta_2**step) / (1 - beta_1**step)
        moved = moved - scaled * weight_decay * weight
    elif decay == "of_the_update":
        moved = weight - learning_rate * (1 + weight_decay) * update
    elif decay == "constant":
        moved = moved - learning_rate * weight_decay
    return {
        "weight_only": moved,
        "corrected": (moved, m_hat, v_hat),
        "velocity_first": (moved, v, m),
        "weight_last": (m, v, moved),
        "old_moments": (moved, momentum, velocity),
        "change": (moved - weight, m, v),
        "old_weight": (weight, m, v),
    }.get(returned, (moved, m, v))


adamw_step = oracle(parts=("weight", "momentum", "velocity"))(step_of)


@oracle(parts=("weight", "momentum", "velocity"), slow=True)
@with_switches_of(step_of)
def trajectory(weight, gradients, learning_rate, **switches):
    """Where many updates lead, from averages of 0.

    Args:
        weight: float array.
        gradients: float array (steps, *shape), one for each update.
        learning_rate: float.
        **switches: of `step_of`; what is returned of one update is what the next is given.
    """
    given = inspect.signature(step_of).parameters
    assert all(name in given for name in switches)
    state = weight, np.zeros_like(weight), np.zeros_like(weight)
    for step, gradient in enumerate(gradients, start=1):
        found = step_of(state[0], gradient, state[1], state[2], step, learning_rate, **switches)
        if not isinstance(found, tuple):
            return found
        state = tuple(np.asarray(part, weight.dtype) for part in found)
    return state
