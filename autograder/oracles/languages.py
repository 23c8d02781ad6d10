"""Several languages: how often each is drawn, and what carries over; with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle


@oracle(parts=("shares",))
def smoothed_language_weights(
    counts,
    exponent=0.7,
    *,
    power="exponent",
    smoothing="power",
    shared="anew",
    nothing="stays",
):
    """Shares of languages.

    Args:
        counts: float (K,), none negative, not all 0.
        exponent: float.
        power, smoothing, shared, nothing: the switches.

    Returns:
        float (K,).
    """
    kind = counts.dtype.type
    if nothing == "one_more":
        counts = counts + 1
    elif nothing == "left_out":
        counts = counts[counts > 0]
    shares = counts / counts.sum()
    exponent = {
        "always_0.7": 0.7,
        "inverse": 1 / exponent if exponent else np.inf,
        "one_less": 1 - exponent,
        "negative": -exponent,
        "always_half": 0.5,
    }.get(power, exponent)
    some = shares > 0
    with np.errstate(all="ignore"):
        powered = {
            "power": lambda: shares ** kind(exponent),
            "of_counts": lambda: counts ** kind(exponent),
            "logarithm": lambda: np.log1p(counts),
            "exponential": lambda: np.exp(shares ** kind(exponent)),
            "exponential_of_shares": lambda: np.exp(shares / kind(exponent)),
            "towards_equal": lambda: (
                kind(exponent) * shares + (1 - kind(exponent)) / kind(len(shares))
            ),
            "towards_equal_turned": lambda: (
                (1 - kind(exponent)) * shares + kind(exponent) / kind(len(shares))
            ),
        }[smoothing]()
    if nothing not in ("one_of_it", "one_more") and smoothing in ("power", "of_counts"):
        powered = np.where(some, powered, 0)
    return {
        "anew": lambda: powered / powered.sum(),
        "not": lambda: powered,
        "by_counts": lambda: powered / counts.sum(),
        "by_largest": lambda: powered / powered.max(),
        "percent": lambda: 100 * powered / powered.sum(),
        "length_one": lambda: powered / np.sqrt((powered**2).sum()),
        "before": lambda: shares,
    }[shared]()


@oracle(parts=("refused",))
def refused(*, refusal="both"):
    """Whether a ValueError is raised: a negative count and a sum above 0; one below; all are 0."""
    return np.array(
        {
            "both": (True, True, True),
            "none": (False, False, False),
            "sum_only": (False, True, True),
            "negative_sum_only": (False, True, False),
            "zero_only": (False, False, True),
            "negative_only": (True, True, False),
        }[refusal]
    )


@oracle(parts=("table",))
def transfer_table(
    planted,
    *,
    turned="rows_are_taught",
    taught="train",
    tested="test",
    cells="all",
    model="own",
    scale="as_it_is",
):
    """What each language makes of each.

    Args:
        planted: float (2, K, 2, K): accuracy of the model that learnt split a (0 = train) of
            language i, on split b of language j.
        turned, taught, tested, cells, model, scale: the switches.

    Returns:
        float (K, K), unless a switch says otherwise.
    """
    found = planted[0 if taught == "train" else 1, :, 1 if tested == "test" else 0, :].copy()
    size, kind = len(found), found.dtype.type
    if model == "last":
        found[:] = found[-1]
    elif model == "first":
        found[:] = found[0]
    if turned != "rows_are_taught":
        found = found.T.copy()
    rows, columns = np.indices((size, size))
    if cells == "others":
        found[rows == columns] = 0
    elif cells == "others_and_nan":
        found[rows == columns] = np.nan
    elif cells == "others_and_one":
        found[rows == columns] = 1
    elif cells == "upper":
        found[rows > columns] = 0
    elif cells == "mirrored":
        found = np.where(rows > columns, found.T, found)
    elif cells == "own":
        return np.diag(found).copy()
    elif cells == "own_in_a_table":
        return np.diag(np.diag(found))
    elif cells == "first_column":
        return found[:, 0].copy()
    elif cells == "in_one_row":
        return found.ravel()
    return {
        "as_it_is": lambda: found,
        "percent": lambda: found * kind(100),
        "less_its_own": lambda: found - np.diag(found)[:, None],
        "over_its_own": lambda: found / np.diag(found)[:, None],
        "mean": lambda: found.mean(axis=1),
        "errors": lambda: 1 - found,
        "mean_of_both": lambda: (found + found.T) / 2,
    }[scale]()


def in_words(numbers, size):
    """Splits by name, at most eight of them: train i is i, test i is K + i."""
    names = [f"{'train' if number < size else 'test'} {number % size}" for number in numbers]
    if len(names) > 8:
        return ", ".join([*names[:8], "…"]) + f" ({len(names)})"
    return ", ".join(names) or "–"


@oracle(parts=("fits",))
def fits(size, *, fitting="once", order="as_given", taught="train", model="own"):
    """The splits that were learnt, in words.

    Args:
        size: int, K.
        fitting, order, taught, model: the switches.

    Returns:
        A text; see `in_words`.
    """
    numbers = np.arange(size)
    if model == "first":
        numbers = numbers[:1]
    if order == "backwards":
        numbers = numbers[::-1]
    if fitting == "for_every_cell":
        numbers = np.repeat(numbers, size)
    elif fitting == "for_every_cell_by_columns":
        numbers = np.tile(numbers, size)
    elif fitting == "twice":
        numbers = np.repeat(numbers, 2)
    numbers = numbers + (size if taught == "test" else 0)
    return np.asarray(in_words(numbers.tolist(), size))
