"""A branch with its bypass and its norm, in two orders, in plain NumPy with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import shapes_clash, with_switches_of
from autograder.oracles.normalisation import normalised


def around(x, branch, norm, way, *, form="right", owned="given"):
    """A branch with its bypass and its norm.

    Args:
        x: float array.
        branch, norm: functions of an array.
        way: `post`, norm(x + branch(x)), or `pre`, x + branch(norm(x)).
        form: switch; one of `FORMS`.
        owned: switch; the norm that is `given`, or the epsilon of a new one.
    """
    if owned != "given":
        ones = np.ones(x.shape[-1], x.dtype)
        norm = norm_of(ones, 0 * ones, float(owned))
    if form == "right":
        form = way
    try:
        return FORMS[form](x, branch, norm)
    except ValueError as error:
        raise shapes_clash() from error


FORMS = {
    "post": lambda x, f, n: n(x + f(x)),
    "pre": lambda x, f, n: x + f(n(x)),
    "norm_on_branch": lambda x, f, n: x + n(f(x)),
    "norm_on_both": lambda x, f, n: n(x) + n(f(x)),
    "skip_missing": lambda x, f, n: n(f(x)),
    "skip_missing_pre": lambda x, f, n: f(n(x)),
    "skip_normed": lambda x, f, n: n(x) + f(n(x)),
    "norm_on_skip": lambda x, f, n: n(x) + f(x),
    "norm_missing": lambda x, f, n: x + f(x),
    "branch_alone": lambda x, f, n: f(x),
    "branch_missing": lambda x, f, n: n(x),
    "norm_twice": lambda x, f, n: n(x + f(n(x))),
    "norm_twice_normed_skip": lambda x, f, n: n(n(x) + f(n(x))),
    "outer_skip": lambda x, f, n: x + n(x + f(x)),
    "branch_doubled": lambda x, f, n: n(f(x) + f(x)),
    "branch_doubled_pre": lambda x, f, n: f(n(x)) + f(n(x)),
    "stream_doubled": lambda x, f, n: n(x + x),
    "stream_doubled_pre": lambda x, f, n: x + x,
    "skip_twice": lambda x, f, n: n(x + x + f(x)),
    "skip_twice_pre": lambda x, f, n: x + x + f(n(x)),
    "subtracted": lambda x, f, n: n(x - f(x)),
    "subtracted_pre": lambda x, f, n: x - f(n(x)),
    "multiplied": lambda x, f, n: n(x * f(x)),
    "multiplied_pre": lambda x, f, n: x * f(n(x)),
    "averaged": lambda x, f, n: n((x + f(x)) / 2),
    "averaged_pre": lambda x, f, n: (x + f(n(x))) / 2,
    "branch_of_sum": lambda x, f, n: f(x + n(x)),
    "norm_of_branch_of_norm": lambda x, f, n: x + n(f(n(x))),
    "branch_last": lambda x, f, n: f(n(x + f(x))),
    "joined": lambda x, f, n: np.concatenate([x, f(x)], axis=-1),
}


@oracle(parts=("output",))
@with_switches_of(around)
def residual(x, branch_kernel, mixing, gamma, beta, way, **switches):
    """What `around` gives for the branch and the norm that the cases hand over.

    Args:
        x: float (B, T, D).
        branch_kernel: float (D, D); mixing: float (T, T); see `branch_of`.
        gamma, beta: float (D,), see `normalised`.
        way: `post` or `pre`.
    """
    branch = branch_of(branch_kernel, mixing)
    return around(x, branch, norm_of(gamma, beta), way, **switches)


def branch_of(kernel, mixing):
    """A branch that is no multiple of its input and in which tokens look at each other."""
    return lambda x: np.tanh(mixing @ x @ kernel) + mixing @ x


def norm_of(gamma, beta, epsilon=0.1):
    return lambda x: normalised(x, gamma, beta, epsilon)
