"""Laying an embedding and the states of two directions side by side, in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.attention import shapes_clash
from autograder.oracles.elmo import shown


@oracle(parts=("lengths",))
def lists_left(*lengths, changed="no"):
    """How long the lists among the arguments still are.

    Args:
        lengths: ints.
        changed: `no`, `longer`, `first_longer`, `last_longer` or `emptied`.
    """
    by = {"no": lengths, "longer": [n + 1 for n in lengths], "emptied": [0 for _ in lengths]}
    by["first_longer"] = [lengths[0] + 1, *lengths[1:]]
    by["last_longer"] = [*lengths[:-1], lengths[-1] + 1]
    return np.array(by[changed])


@oracle(parts=("features",))
def elmo_features(
    x,
    forward,
    backward,
    *,
    embedding="twice",
    sides="forward_first",
    joined="features",
    layers="bottom_first",
    kept="all",
):
    """The embedding twice, then both states of each layer side by side.

    Args:
        x: float (B, T, D).
        forward, backward: lists of L float (B, T, D).
        embedding, sides, joined, layers, kept: the switches.

    Returns:
        tuple of L + 1 float (B, T, 2 D).

    Raises:
        Crash: where the sizes don't allow the mistake.
    """
    zero = np.zeros_like(x)
    once = np.repeat(x, 2, axis=-1) if embedding == "repeated" else x
    lowest = {"twice": (x, x), "with_zeros": (x, zero), "after_zeros": (zero, x)}.get(embedding)
    if layers == "top_first":
        forward, backward = forward[::-1], backward[::-1]
    if layers == "backward_top_first":
        backward = backward[::-1]
    pairs = {
        "forward_first": zip(forward, backward, strict=True),
        "backward_first": zip(backward, forward, strict=True),
        "forward_twice": zip(forward, forward, strict=True),
        "backward_twice": zip(backward, backward, strict=True),
    }[sides]
    pairs = list(pairs)
    if layers == "all_forward_first":
        lowest, pairs = (x,), [*((f,) for f in forward), *((b,) for b in backward)]
    if layers == "bottom_left_out":
        pairs = pairs[1:]
    if layers == "top_left_out":
        pairs = pairs[:-1]
    try:
        made = [_joined(pair, joined) for pair in pairs]
        if lowest is not None:
            made.insert(0, _joined(lowest, joined))
        if embedding in ("once", "repeated"):
            made.insert(0, once)
        if embedding == "last":
            made.append(_joined((x, x), joined))
    except ValueError as error:
        raise shapes_clash() from error
    if not made:
        return ()
    return shown(made, x, kept)


def _joined(pair, how):
    if how == "added":
        return sum(pair)
    if how == "averaged":
        return sum(pair) / len(pair)
    if how == "pairs":
        return tuple(pair)
    if how == "stacked":
        return np.stack(pair, axis=-1)
    if how == "interleaved":
        stacked = np.stack(pair, axis=-1)
        return stacked.reshape(*stacked.shape[:-2], -1)
    return np.concatenate(pair, axis={"features": -1, "positions": 1, "batch": 0}[how])
