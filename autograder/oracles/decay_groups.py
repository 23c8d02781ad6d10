"""Which variables weight decay leaves alone, told by their paths; with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle

EXEMPT = ("bias", "gamma", "beta")
# Stand for every variable where something else came back, or variables that weren't handed in.
NO_VARIABLES, STRANGERS = -1, -2

# Whether a variable is exempt, from its path and its number of axes.
RULES = {
    "right": lambda path, axes: _last(path).endswith(EXEMPT),
    "biases_only": lambda path, axes: _last(path).endswith("bias"),
    "norms_only": lambda path, axes: _last(path).endswith(("gamma", "beta")),
    "without_gamma": lambda path, axes: _last(path).endswith(("bias", "beta")),
    "without_beta": lambda path, axes: _last(path).endswith(("bias", "gamma")),
    "whole_part": lambda path, axes: _last(path) in EXEMPT,
    "anywhere": lambda path, axes: any(word in path for word in EXEMPT),
    "anywhere_in_the_last": lambda path, axes: any(word in _last(path) for word in EXEMPT),
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
def exempt_variables(paths, axes, *, rule="right", returned="variables", order="kept"):
    """Which of some variables come back, and in which order.

    Args:
        paths: tuple of str.
        axes: tuple of int, the number of axes of each.
        rule: key of `RULES`.
        returned: `variables`; `others` where something else stands in the list, `strangers` where
            other variables do; `first_found` where the first one ends the search, `first_seen`
            where the first of all does.
        order: `kept`, `by_word`, `reversed` or `by_path`.

    Returns:
        int array: for each variable its place in what comes back, from 1 on, or 0.
    """
    nothing = {"others": NO_VARIABLES, "strangers": STRANGERS}.get(returned)
    if nothing is not None:
        return np.full(len(paths), nothing)
    seen = list(enumerate(zip(paths, axes, strict=True)))
    if returned == "first_seen":
        seen = seen[:1]
    found = [i for i, (path, number) in seen if RULES[rule](path, number)]
    if returned == "first_found":
        found = found[:1]
    if order == "reversed":
        found.reverse()
    elif order == "by_word":
        found.sort(key=lambda i: _word(paths[i]))
    elif order == "by_path":
        found.sort(key=lambda i: paths[i])
    places = np.zeros(len(paths), int)
    places[found] = np.arange(1, len(found) + 1)
    return places


def _word(path):
    """Where the word stands in the contract that the path ends in."""
    return next((i for i, word in enumerate(EXEMPT) if path.endswith(word)), len(EXEMPT))
