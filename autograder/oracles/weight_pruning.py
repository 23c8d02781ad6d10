"""Which weights stay after pruning by size: in NumPy, with a switch per mistake."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle


def _ranked_by(kernels, size, scope):
    """For every kernel the numbers that decide who goes, small ones first."""
    sizes = [{"absolute": np.abs(k), "signed": k, "negated": -k}[size] for k in kernels]
    whole = {
        "over_the_largest": lambda s: s / np.abs(s).max(),
        "over_the_mean": lambda s: s / np.abs(s).mean(),
        "over_the_deviation": lambda s: s / s.std(),
        "over_the_norm": lambda s: s / np.linalg.norm(s),
    }.get(scope, lambda s: s)
    with np.errstate(all="ignore"):
        return [whole(each) for each in sizes]


def _how_many(share, sizes, number):
    """How many of these numbers go."""
    count = len(sizes)
    exact = share * count
    nonzero = int((sizes != 0).sum())
    return {
        "round": lambda: round(exact),
        "floor": lambda: math.floor(exact),
        "ceil": lambda: math.ceil(exact),
        "half_up": lambda: math.floor(exact + 0.5),
        "one_more": lambda: min(round(exact) + 1, count),
        "one_less": lambda: max(round(exact) - 1, 0),
        "what_stays": lambda: count - round(exact),
        "what_stays_rounded": lambda: round((1 - share) * count),
        "of_those_left": lambda: count - nonzero + round(share * nonzero),
        "zeros_first": lambda: max(round(exact), count - nonzero),
    }[number]()


def _goes(sizes, share, number, ties, order):
    """Which of these numbers go, bool in their order."""
    count = len(sizes)
    if order == "largest":
        sizes = -sizes
    if number.startswith("quantile"):
        if not 0 <= share <= 1:
            raise Crash("ValueError")
        edge = np.quantile(sizes, share)
        return sizes <= edge if number == "quantile_too" else sizes < edge
    if number == "below_the_share":  # the share itself taken for a size
        return sizes < sizes.dtype.type(share)
    if number == "below_a_share_of_the_largest":
        return sizes < sizes.dtype.type(share) * np.abs(sizes).max()
    if number == "below_a_share_of_the_range":
        low, high = sizes.min(), sizes.max()
        return sizes < low + sizes.dtype.type(share) * (high - low)
    wanted = _how_many(share, sizes, number)
    goes = np.zeros(count, bool)
    if wanted <= 0:
        return goes
    if ties == "all_go":
        return sizes <= np.sort(sizes)[min(wanted, count) - 1]
    if ties == "all_stay":
        if wanted >= count:
            return ~goes
        return sizes < np.sort(sizes)[wanted]
    place = np.arange(count)
    if ties == "later":
        place = -place
    goes[np.lexsort((place, sizes))[:wanted]] = True
    return goes


def _of_columns(array, back=False, shape=()):
    """Numbers read column by column, or put back so."""
    return array.reshape(shape, order="F") if back else array.ravel(order="F")


@oracle(parts=("masks",))
def magnitude_prune(
    kernels,
    share,
    *,
    size="absolute",
    scope="all",
    number="round",
    ties="earlier",
    order="smallest",
    layout="rows",
    meaning="stays",
    returned="masks",
    refusal="outside",
):
    """Masks of what stays when the smallest weights go.

    Args:
        kernels: list of float arrays.
        share: float.
        size, scope, number, ties, order, layout, meaning, returned, refusal: the switches.

    Returns:
        A tuple of bool arrays, unless a switch says otherwise.

    Raises:
        Crash: where a mistaken refusal hits this share.
    """
    if refusal == "ends_too" and share in (0, 1):
        raise Crash("ValueError")
    ranked = _ranked_by(kernels, size, scope)
    shapes = [each.shape for each in ranked]
    # Ties in columns: within a kernel it is read column by column.
    reads = _of_columns if layout in ("columns", "columns_then_rows") else np.ravel
    flat = [reads(each) for each in ranked]
    if scope == "each":
        goes = [_goes(each, share, number, ties, order) for each in flat]
    elif scope == "first":  # the threshold of the first kernel for all of them
        if number not in ("round", "floor", "ceil", "half_up"):
            raise ValueError("not at once")
        edge = np.sort(flat[0])[max(_how_many(share, flat[0], number), 1) - 1]
        goes = [each <= edge for each in flat]
    else:
        together = _goes(np.concatenate(flat), share, number, ties, order)
        goes = np.split(together, np.cumsum([each.size for each in flat])[:-1])
    masks = [~each for each in goes]
    if layout == "columns":
        masks = [_of_columns(m, True, s) for m, s in zip(masks, shapes, strict=True)]
    else:
        masks = [m.reshape(s) for m, s in zip(masks, shapes, strict=True)]
    if meaning == "goes":
        masks = [~mask for mask in masks]
    return {
        "masks": lambda: tuple(masks),
        "pruned": lambda: tuple(k * m for k, m in zip(kernels, masks, strict=True)),
        "flat": lambda: tuple(mask.ravel() for mask in masks),
        "one_row": lambda: np.concatenate([mask.ravel() for mask in masks]),
        "integers": lambda: tuple(mask.astype(int) for mask in masks),
        "floats": lambda: tuple(mask.astype(float) for mask in masks),
        "first": lambda: masks[0],
    }[returned]()


@oracle(parts=("refused",))
def refused(shares, *, refusal="outside"):
    """Which of these shares are refused."""
    share = np.array(shares, float)
    return {
        "outside": (share < 0) | (share > 1),
        "never": np.zeros(len(share), bool),
        "above_only": share > 1,
        "below_only": share < 0,
        "ends_too": (share <= 0) | (share >= 1),
    }[refusal]
