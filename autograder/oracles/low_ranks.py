"""A kernel as the product of two thin ones: in NumPy, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash


def _used(rank, shape, number):
    """How many singular values are used."""
    most = min(shape)
    return {
        "rank": rank,
        "one_more": min(rank + 1, most),
        "one_less": rank - 1,
        "all": most,
        "what_is_left": most - rank,
    }[number]


def factors(kernel, rank, which, weighed, right, number):
    """Both factors.

    Raises:
        Crash: where the sizes don't allow the mistake.
    """
    if which == "first_columns":  # the kernel's own, and nothing but ones to go with them
        return kernel[:, :rank], np.eye(rank, kernel.shape[1], dtype=kernel.dtype)
    if which == "first_rows":
        return np.eye(kernel.shape[0], rank, dtype=kernel.dtype), kernel[:rank]
    moved = kernel - kernel.mean(axis=0) if which == "centred" else kernel
    left, values, turned = np.linalg.svd(moved, full_matrices=right == "columns_of_all")
    used = _used(rank, kernel.shape, number)
    chosen = slice(len(values) - used, None) if which == "smallest" else slice(0, used)
    values = values[chosen]
    if right in ("columns", "columns_of_all"):  # as if NumPy gave the right vectors in columns
        second = turned[:, chosen].T
    elif right == "not_turned":
        second = turned.T[:used]
    else:
        second = turned[chosen]
    if second.shape[0] != used or second.shape[1] != kernel.shape[1]:
        raise shapes_clash()
    first = left[:, chosen]
    if weighed == "roots_once":
        first = first * np.sqrt(values)
    elif weighed == "twice":
        first, second = first * values, values[:, None] * second
    elif weighed == "squared_roots":
        first = first * values**2
    elif weighed == "inverse":
        first = first / values
    elif weighed == "once":
        first = first * values
    return first, second


@oracle(parts=("product",))
def low_rank(
    kernel,
    rank,
    *,
    which="largest",
    weighed="once",
    right="rows",
    number="rank",
    refusal="outside",
    returned="pair",
):
    """What both factors make together.

    Args:
        kernel: float (in, out); rank: int.
        which, weighed, right, number, refusal, returned: the switches.
    """
    if _refuses(kernel.shape, rank, refusal):
        raise Crash("ValueError")
    # Single precision would turn the signs of vectors round now and then.
    first, second = factors(kernel.astype(np.float64), rank, which, weighed, right, number)
    try:  # where shapes don't fit they are asked about first
        product = {
            "turned": lambda: second @ first,
            "upright": lambda: first @ second.T,
        }.get(returned, lambda: first @ second)()
    except ValueError as error:
        raise shapes_clash() from error
    return product.astype(kernel.dtype)


@oracle(parts=("shapes",))
def low_rank_shapes(
    shape, rank, *, number="rank", refusal="outside", returned="pair", right="rows"
):
    """The shapes of both factors as a text."""
    if _refuses(shape, rank, refusal):
        raise Crash("ValueError")
    used = _used(rank, shape, number)
    wide, out = shape
    if right == "columns" and out > min(shape):
        raise Crash()
    both = {
        "pair": ((wide, used), (used, out)),
        "turned": ((used, out), (wide, used)),
        "upright": ((wide, used), (out, used)),
        "three": ((wide, used), (used,), (used, out)),
        "three_square": ((wide, used), (used, used), (used, out)),
        "product": ((wide, out),),
    }[returned]
    return np.asarray(in_words(both))


def in_words(shapes):
    """Shapes as a text."""
    return ", ".join(str(tuple(int(size) for size in shape)) for shape in shapes)


@oracle(parts=("types",))
def low_rank_types(kernel_type, *, types="as_kernel"):
    """The dtypes of both factors as a text."""
    return np.asarray({"as_kernel": kernel_type, "float64": "float64", "float32": "float32"}[types])


def _refuses(shape, rank, refusal):
    """Whether this rank is refused for a kernel of this shape."""
    most, least = min(shape), 1
    return {
        "outside": not least <= rank <= most,
        "never": False,
        "large_only": rank > most,
        "small_only": rank < least,
        "negative_or_large": rank < 0 or rank > most,
        "by_the_rows": not least <= rank <= shape[0],
        "by_the_columns": not least <= rank <= shape[1],
        "by_the_larger": not least <= rank <= max(shape),
        "full_too": not least <= rank < most,
        "does_not_pay": not least <= rank < shape[0] * shape[1] / (shape[0] + shape[1]),
    }[refusal]


@oracle(parts=("refused",))
def ranks_refused(pairs, *, refusal="outside"):
    """Which of these pairs (shape, rank) are refused."""
    return np.array([_refuses(shape, rank, refusal) for shape, rank in pairs])
