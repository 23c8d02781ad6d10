"""Derivatives of the recurrent steps by finite differences."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import gradient_or_crash, with_switches_of
from autograder.oracles.recurrent import lstm_step, rnn_step


@oracle(parts=("d_x", "d_state", "d_kernel"), slow=True)
@with_switches_of(rnn_step.raw)
def rnn_step_gradient(
    x, state, kernel, recurrent_kernel, bias, cotangent, *, gradient="flows", **switches
):
    """Gradient of sum(state * cotangent) for input, old state and kernel.

    Args:
        x, state, kernel, recurrent_kernel, bias: as `rnn_step` has them.
        cotangent: float (B, H).
        gradient: "flows" or "lost", as where NumPy stands in the middle.
        **switches: of `rnn_step`.

    Returns:
        One float array for each of the three.
    """

    def moved(*inputs):
        return np.asarray(rnn_step.raw(*inputs, recurrent_kernel, bias, **switches))

    inputs = [np.asarray(each, np.float64) for each in (x, state, kernel)]
    found = gradient_or_crash(moved, inputs, cotangent)
    return found if gradient == "flows" else tuple(np.zeros_like(each) for each in found)


@oracle(parts=("d_carry",), slow=True)
@with_switches_of(lstm_step.raw)
def carry_gradient(
    x, state, carry, kernel, recurrent_kernel, bias, cotangent, *, gradient="flows", **switches
):
    """Gradient of sum(new carry * cotangent) for the old carry; the forget gate, if all is right.

    Args:
        x, state, carry, kernel, recurrent_kernel, bias: as `lstm_step` has them.
        cotangent: float (B, H).
        gradient: "flows" or "lost".
        **switches: of `lstm_step`.

    Returns:
        A tuple of one float array (B, H).
    """

    def moved(memory):
        return lstm_step.raw(x, state, memory, kernel, recurrent_kernel, bias, **switches)[1]

    found = gradient_or_crash(moved, [np.asarray(carry, np.float64)], cotangent)
    return found if gradient == "flows" else tuple(np.zeros_like(each) for each in found)
