"""One block in place of many, around the block of the stand-in: in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def watched(x, kernel, attention_mask):
    """What the stand-in `watched_block` does; it stands there once more.

    Args:
        x: float (B, T, D); kernel: float (D, D).
        attention_mask: None, or bool (B, T, T) or (B, 1, T).

    Returns:
        The pair (x, weights) of shapes (B, T, D) and (B, T, T).
    """
    allowed = np.ones((*x.shape[:2], x.shape[1]), x.dtype)
    if attention_mask is not None:
        allowed = allowed * attention_mask.astype(x.dtype)
    weights = allowed / np.maximum(allowed.sum(axis=-1, keepdims=True), x.dtype.type(1))
    return x + np.tanh(weights @ x @ kernel), weights


@oracle(parts=("states",))
def shared_states(
    x,
    kernel,
    num_layers,
    attention_mask=None,
    built=True,
    *,
    passes="asked",
    first="input",
    chained="each",
    masked="each",
    returned="list",
    around="nothing",
    building="unless_built",
):
    """All states.

    Args:
        x: float (B, T, D); kernel: float (D, D), of the block.
        num_layers: int L; attention_mask: as for `watched`.
        built: bool, whether the block was built before.
        passes, first, chained, masked, returned, around, building: the switches.

    Returns:
        A tuple of L + 1 arrays, unless a switch says otherwise.

    Raises:
        Crash: the block is called unbuilt, or built twice.
    """
    if building == "never" and not built:
        raise Crash("BlockNotBuilt")
    if building == "always" and built:
        raise Crash("BlockBuiltTwice")
    number = {"one_more": num_layers + 1, "one_less": num_layers - 1, "once": 1}
    number = number.get(passes, num_layers)
    states, weights = [x], []
    for place in range(number):
        mask = {
            "never": None,
            "first_only": attention_mask if place == 0 else None,
            "last_only": attention_mask if place == number - 1 else None,
        }.get(masked, attention_mask)
        source = x if chained == "from_the_input" else states[-1]
        if around == "input_added":
            source = source + x if place else source
        found, shares = watched(source, kernel, mask)
        if around == "added_again":
            found = found + source
        elif around == "difference":
            found = found - source
        states.append(found)
        weights.append(shares)
    if first == "left_out":
        states = states[1:]
    elif first == "twice":
        states = [x, *states]
    elif first == "twice_and_no_last":
        states = [x, *states[:-1]]
    elif first == "at_the_end":
        states = [*states[1:], x]
    if not states:
        raise Crash()
    return {
        "list": lambda: tuple(states),
        "last": lambda: states[-1],
        "stacked": lambda: np.stack(states),
        "backwards": lambda: tuple(states[::-1]),
        "last_in_a_list": lambda: (states[-1],),
    }[returned]()


@oracle(parts=("weights",))
def how_many_weights(num_layers, built=True, *, copies="none", building="unless_built"):
    """How many weights the layer has."""
    if building == "never" and not built:
        raise Crash("BlockNotBuilt")
    if building == "always" and built:
        raise Crash("BlockBuiltTwice")
    return np.asarray(
        {"none": 1, "for_every_layer": num_layers, "and_the_block": num_layers + 1}[copies]
    )
