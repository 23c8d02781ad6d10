"""How the points of a class lie, and how well an exercise tells people apart. Arithmetic only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

# With fewer students a correlation says little: at 20 its standard error is still 0.2.
ENOUGH_STUDENTS = 20


@dataclass(frozen=True)
class Scores:
    """The distribution of one kind of points over the class."""

    values: tuple[float, ...]
    max_score: float
    mean: float
    q1: float
    median: float
    q3: float
    bins: tuple[tuple[float, float, int], ...]  # low, high (last one included), students


def distribution(values: Sequence[float], max_score: float) -> Scores:
    """Return mean, quartiles and a histogram of one kind of points.

    Quartiles are interpolated between the sorted values (the usual definition of spreadsheets).
    Bins start at 0, are equally wide whole numbers of points, and there are at most twenty; the
    last one ends at or above the maximum and includes it.

    Args:
        values: one number a student; with none, all figures are 0.
        max_score: the most that can be earned.

    Returns:
        The distribution.
    """
    ordered = sorted(values)
    known = ordered or [0.0]
    width = max(1, math.ceil(max_score / 20))
    count = max(1, math.ceil(max_score / width))
    filled = [0] * count
    for value in ordered:
        filled[min(count - 1, max(0, int(value // width)))] += 1
    bins = tuple((i * width, (i + 1) * width, n) for i, n in enumerate(filled))
    return Scores(
        values=tuple(ordered),
        max_score=max_score,
        mean=sum(known) / len(known),
        q1=_quantile(known, 0.25),
        median=_quantile(known, 0.5),
        q3=_quantile(known, 0.75),
        bins=bins,
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def discrimination(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return how well an exercise tells strong students from weak ones.

    It is the correlation (point-biserial where an exercise is all or nothing) between the points
    of the exercise and the points of all the others; leaving the exercise itself out of the sum
    keeps it from agreeing with itself.

    Args:
        pairs: a student's share of the exercise, and their points in the rest of the core.

    Returns:
        A number in [-1, 1]; None with fewer than `ENOUGH_STUDENTS`, or where all are alike.
    """
    if len(pairs) < ENOUGH_STUDENTS:
        return None
    means = [sum(column) / len(pairs) for column in zip(*pairs, strict=True)]
    centred = [(a - means[0], b - means[1]) for a, b in pairs]
    spread = [sum(x * x for x in column) for column in zip(*centred, strict=True)]
    if min(spread) < 1e-9:
        return None
    return sum(a * b for a, b in centred) / math.sqrt(spread[0] * spread[1])
