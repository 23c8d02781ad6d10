"""Which widths to pad rows to: few, because XLA compiles each, and close to the rows' lengths."""

from __future__ import annotations

import numpy as np

# "As few widths as bring padding under": the padding of whole buckets, and how many at most.
ENOUGH, MOST_WIDTHS = 0.045, 12
_SHORTEST = 4  # [CLS], two [SEP] and a token


def choose_widths(lengths: np.ndarray, longest: int, count: int) -> tuple[int, ...]:
    """The widths that leave the least padding.

    Devices like multiples of 8, so other widths are taken only where those are too coarse.

    Args:
        lengths: int (N,), of rows, at most `longest`.
        longest: int, the last width.
        count: int, how many widths; 0 takes as few as bring padding under `ENOUGH`, but no more
            than `MOST_WIDTHS`.

    Returns:
        The widths, ascending; fewer than `count` where more would not help.
    """
    for step in (8, 4, 2, 1):
        widths, padding = _best(lengths, longest, count, step)
        if padding <= ENOUGH or count == 1:
            break
    return widths


def _best(lengths, longest: int, count: int, step: int) -> tuple[tuple[int, ...], float]:
    """The best widths among multiples of `step`, and their padding: dynamic programming."""
    below = np.arange(step, longest, step)
    candidates = np.append(below[below >= _SHORTEST], longest)  # (C,)
    fitting = np.searchsorted(np.sort(lengths), candidates, side="right")  # (C,) rows that fit
    # cost[i, j]: tokens of the rows that fit candidate j but not i, all padded to j.
    cost = candidates * (fitting[None, :] - fitting[:, None]).astype(np.float64)
    cost[np.tril_indices(len(candidates))] = np.inf
    tokens = candidates * fitting.astype(np.float64)  # (C,) with candidate j as the only width
    chosen = [[index] for index in range(len(candidates))]
    real = float(lengths.sum())
    for _ in range(1, min(count or MOST_WIDTHS, len(candidates))):
        if not count and real >= (1 - ENOUGH) * tokens[-1]:
            break
        through = tokens[:, None] + cost  # (C, C)
        best = through.argmin(axis=0)
        fewer = through[best, np.arange(len(candidates))]
        chosen = [
            [*chosen[best[j]], j] if fewer[j] < tokens[j] else chosen[j]
            for j in range(len(candidates))
        ]
        tokens = np.minimum(tokens, fewer)
    padding = 1 - real / tokens[-1] if real else 0.0
    return tuple(int(candidates[index]) for index in chosen[-1]), padding
