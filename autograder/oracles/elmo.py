"""Reading a padded batch from both sides with a stack of layers, in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash
from autograder.oracles.calculus import numeric_gradient

FADE, LIFT = 0.6, 0.3  # of the stand-in layers


def read(x, kernel):
    """The stand-in's states (B, T, E): a bounded sum of what is read and the faded state."""
    state, states = 0.0, []
    for now in range(x.shape[1]):
        total = x[:, now] @ kernel + LIFT + FADE * state
        state = total / (1.0 + total * total)
        states.append(state)
    return np.stack(states, axis=1)


def stack_states(
    x, kernels, again=0.0, *, stacked="on_each_other", order="as_given", calls="once", turned=None
):
    """The states of every layer of a stack.

    Args:
        x: float (B, T, D), in the order in which it is read.
        kernels: list of float (D, E).
        again: what a layer adds to its output with every call after the first.
        stacked: `on_each_other`, `side_by_side` (each reads x), `residual` (the input is added for
            the next layer), `residual_kept` (and in what is returned too) or `first_below_all`
            (each reads the first one's output).
        order: `as_given`, `backwards`, `first_repeated`, `last_repeated` or `two_only`, whatever
            their number.
        calls: `once`, or twice for each layer where the second output is `passed_on` to the next
            one, `kept`, or `both`; or `all_over`, from x again for every state.
        turned: None, or a function of what a layer above the first is given, and its number.

    Returns:
        list of float (B, T, E).

    Raises:
        Crash: where the sizes don't allow the mistake.
    """
    size = len(kernels)
    numbers = {
        "as_given": range(size),
        "backwards": range(size)[::-1],
        "first_repeated": [0] * size,
        "last_repeated": [size - 1] * size,
        "two_only": range(2),
    }[order]
    if max(numbers) >= size:
        raise Crash("IndexError")
    if calls == "all_over":
        return [_called_all_over(x, kernels[:top], again) for top in range(1, size + 1)]
    given, states, made = x, [], [0] * size
    try:
        for number in numbers:
            if turned and states:
                given = turned(given, len(states))
            state = read(given, kernels[number]) + given.dtype.type(again * made[number])
            made[number] += 1
            states.append(state + given if stacked == "residual_kept" else state)
            if stacked == "first_below_all":
                given = states[0]
            elif stacked.startswith("residual"):
                given = state + given
            elif stacked == "on_each_other":
                given = state
            if calls in ("kept", "both"):
                states[-1] = states[-1] + given.dtype.type(again)
            if calls in ("passed_on", "both"):
                given = given + given.dtype.type(again)
    except ValueError as error:
        raise shapes_clash() from error
    return states


def _called_all_over(x, kernels, again):
    """The top state of these layers, of which the lower ones have been called before."""
    for above, kernel in reversed(list(enumerate(reversed(kernels)))):
        x = read(x, kernel) + x.dtype.type(again * above)
    return x


def shown(states, x, kept):
    """What is returned of the states; ``kept`` says which part.

    Raises:
        Crash: where the sizes don't allow it.
    """
    try:
        return {
            "all": lambda: tuple(states),
            "last": lambda: states[-1],
            "last_in_a_list": lambda: (states[-1],),
            "with_input": lambda: (x, *states),
            "input_for_last": lambda: (x, *states[:-1]),
            "without_first": lambda: tuple(states[1:]),
            "without_last": lambda: tuple(states[:-1]),
            "reversed": lambda: tuple(states[::-1]),
            "one_tensor": lambda: np.stack(states),
            "one_tensor_inside": lambda: np.stack(states, axis=2),
            "last_step": lambda: tuple(state[:, -1] for state in states),
            "sum": lambda: sum(states),
            "mean": lambda: sum(states) / len(states),
            "concatenated": lambda: np.concatenate(states, axis=-1),
            "last_of_all": lambda: tuple(states[-1] for _ in states),
            "pair": lambda: (states[-1], tuple(states)),
        }[kept]()
    except ValueError as error:
        raise shapes_clash() from error


@oracle(parts=("states",))
def forward_lm(
    x,
    kernels,
    again=0.0,
    *,
    stacked="on_each_other",
    order="as_given",
    calls="once",
    kept="all",
    reading="forward",
):
    """Every layer's states, from left to right; see `stack_states`.

    Args:
        x: float (B, T, D).
        kernels: list of float (D, E).
        again: as for `stack_states`.
        stacked, order, calls, kept, reading: the switches.

    Returns:
        tuple of float (B, T, E).
    """
    given = x if reading == "forward" else x[:, ::-1]
    states = stack_states(given, kernels, again, stacked=stacked, order=order, calls=calls)
    if reading == "backward_and_back":
        states = [state[:, ::-1] for state in states]
    return shown(states, x, kept)


def mirrored(x, mask, how):
    """The rows turned around: their real part (`real`), or wrongly."""
    if how == "real":
        place, length = np.arange(x.shape[1]), mask.sum(axis=1, keepdims=True)
        source = np.where(place < length, length - 1 - place, place)
        return np.take_along_axis(x, source[..., None], axis=1)
    if how == "one_too_far":
        place, length = np.arange(x.shape[1]), mask.sum(axis=1, keepdims=True)
        source = np.where(place < length, length - place, place)
        if source.max() >= x.shape[1]:  # beyond the end of a full row
            raise Crash
        return np.take_along_axis(x, source[..., None], axis=1)
    if how == "padding_zeroed_first":
        return (x * mask[..., None].astype(x.dtype))[:, ::-1]
    if how == "by_the_first_row":
        return mirrored(x, np.broadcast_to(mask[:1], mask.shape), "real")
    if how == "by_the_longest":
        longest = np.arange(x.shape[1]) < mask.sum(axis=1).max()
        return mirrored(x, np.broadcast_to(longest, mask.shape), "real")
    return {"whole": x[:, ::-1], "not": x, "batch": x[::-1], "features": x[..., ::-1]}[how]


def moved_along(state, aligned):
    """States that stand one position off; zeros where nothing is left."""
    if aligned == "here":
        return state
    empty = np.zeros_like(state[:, :1])
    if aligned == "one_to_the_left":
        return np.concatenate([state[:, 1:], empty], axis=1)
    return np.concatenate([empty, state[:, :-1]], axis=1)


def backward_states(
    x,
    padding_mask,
    kernels,
    *,
    reversal="real",
    turned_back="real",
    between="stays",
    aligned="here",
    stacked="on_each_other",
    order="as_given",
):
    """Every layer's states, from the last real token to the left, in the order of the text.

    Args:
        x: float (B, T, D).
        padding_mask: bool (B, T).
        kernels: list of float (D, E).
        reversal, turned_back: how the input is turned around, and the states; see `mirrored`.
        between: `stays`, `turned` (what a layer gives is turned for the next), `forward_above`
            (only the first layer reads backwards) or `forward_above_turned` (and still all are
            turned in the end).
        aligned, stacked, order: the other switches.

    Returns:
        list of float (B, T, E).
    """

    def turn(state, above=0):
        if above > 1 and between != "turned":  # it is in the order of the text already
            return state
        return mirrored(state, padding_mask, reversal)

    how = {"stacked": stacked, "order": order}
    states = stack_states(turn(x), kernels, **how, turned=None if between == "stays" else turn)
    states = [
        # Where layers above the first read the text from its start, nothing is to be turned back.
        state
        if between == "forward_above" and above
        else mirrored(state, padding_mask, turned_back)
        for above, state in enumerate(states)
    ]
    return [moved_along(state, aligned) for state in states]


def at_real_tokens(states, padding_mask):
    """Zeros at padding, where nothing was agreed; what isn't (B, T, any) stays as it is."""

    def one(state):
        if np.shape(state)[:2] != padding_mask.shape or np.ndim(state) != 3:
            return state
        return np.where(padding_mask[..., None], state, np.zeros_like(state))

    if isinstance(states, (tuple, list)):
        return tuple(one(state) for state in states)
    return one(states)


@oracle(parts=("states",))
def backward_lm(
    x,
    padding_mask,
    kernels,
    *,
    reversal="real",
    turned_back="real",
    between="stays",
    aligned="here",
    stacked="on_each_other",
    order="as_given",
    kept="all",
):
    """What `backward_states` gives, at real tokens only.

    Args:
        x, padding_mask, kernels, reversal, turned_back, between, aligned, stacked, order: as there.
        kept: what is returned; see `shown`.

    Returns:
        tuple of float (B, T, E), zeros at padding.
    """
    how = {"reversal": reversal, "turned_back": turned_back, "between": between}
    how |= {"aligned": aligned, "stacked": stacked, "order": order}
    states = backward_states(x, padding_mask, kernels, **how)
    return at_real_tokens(shown(states, x, kept), padding_mask)


@oracle(parts=("d_x",), slow=True)
def reading_gradient(x, padding_mask, kernels, cotangent, *, gradient="flows"):
    """The derivative of the top layer's states by x; with no mask they are read from the left.

    Args:
        x, padding_mask, kernels: as for `backward_states`; the mask may be None.
        cotangent: float (B, T, E), zeros at padding.
        gradient: `flows` or `lost`.

    Returns:
        The tuple of one float (B, T, D).
    """
    if gradient == "lost":
        return (np.zeros(x.shape),)

    def top(given):
        if padding_mask is None:
            return stack_states(given, kernels)[-1]
        return backward_states(given, padding_mask, kernels)[-1]

    return numeric_gradient(top, [x], cotangent)
