"""Which variables weight decay leaves alone, told by their paths; with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle

EXEMPT = ("bias", "gamma", "beta")
NO_VARIABLES = -1  # stands for every variable where something else came back

# Whether a variable is exempt, from its path and its number of axes.
RULES = {
    "right": lambda path, axes: _last(path).endswith(EXEMPT),
    "biases_only": lambda path, axes: _last(path).endswith("bias"),
    "norms_only": lambda path, axes: _last(path).endswith(("gamma", "beta")),
    "without_gamma": lambda path, axes: _last(path).endswith(("bias", "beta")),
    "without_beta": lambda path, axes: _last(path).endswith(("bias", "gamma")),
    "whole_part": lambda path, axes: _last(path) in EXEMPT,
    "anywhere": lambda path, axes: any(word in path for word in EXEMPT),
    "any_part": lambda path, axes: any(word in path.split("/") for word in EXEMPT),
    "any_part_ends": lambda path, axes: any(p.endswith(EXEMPT) for p in path.split("/")),
    "of_norms": lambda path, axes: "norm" in path or _last(path).endswith("bias"),
    "of_layer_norms": lambda path, axes: "layer_norm" in path or _last(path).endswith("bias"),
    "bias_or_norm": lambda path, axes: "norm" in path or "bias" in path,
    "vectors": lambda path, axes: axes == 1,
    "up_to_vectors": lambda path, axes: axes <= 1,
    "no_matrices": lambda path, axes: axes != 2,
    "nothing": lambda path, axes: False,
    "everything": lambda path, axes: True,
    "inverted": lambda path, axes: not _last(path).endswith(EXEMPT),
    "all_but_kernels": lambda path, axes: not _last(path).endswith("kernel"),
    "tables_too": lambda path, axes: _last(path).endswith((*EXEMPT, "embeddings")),
    "embeddings_too": lambda path, axes: _last(path).endswith(EXEMPT) or "embedding" in path,
}


def _last(path):
    return path.rpartition("/")[2]


@oracle(parts=("exempt",))
def exempt_variables(paths, axes, *, rule="right", returned="variables"):
    """Which of some variables come back.

    Args:
        paths: tuple of str.
        axes: tuple of int, the number of axes of each.
        rule: key of `RULES`.
        returned: `variables`, or `others` where something else stands in the list.

    Returns:
        int array: 1 for what comes back, else 0.
    """
    if returned == "others":
        return np.full(len(paths), NO_VARIABLES)
    pairs = zip(paths, axes, strict=True)
    return np.array([int(RULES[rule](path, number)) for path, number in pairs], int)
