"""Draws that corrupt positions, and the laws of flags that follow from them.

Every position has its causes, independent draws any of which corrupts it: in the right answer the
one draw of its block. Shares, agreements and variances follow from the causes that two share.
"""

from __future__ import annotations

import math

import numpy as np

from autograder.laws import Anything, Share, Variance
from autograder.messages import Text

FLAGGED = Text("标成坏掉的块", "blocks marked as damaged")
WITHIN = Text(
    "与本块第一个位置命运相同的位置", "positions that share the fate of their block's first"
)
NEIGHBOURS = Text("命运相同的相邻两块", "pairs of neighbouring blocks with one fate")
ROWS = Text("同一块在相邻两行里命运相同", "pairs of rows in which a block has one fate")
COUNTS = Text("每行坏掉的块数", "number of damaged blocks in a row")


def causes(length, span, blocks):
    """For every position the draws that can corrupt it, as a set of numbers."""
    places = range(length)
    return {
        "blocks": [{t // span} for t in places],
        "positions": [{t} for t in places],
        "sliding": [set(range(max(t - span + 1, 0), t + 1)) for t in places],
        "from_the_end": [{(length - 1 - t) // span} for t in places],
        "whole_blocks_only": [{t // span} if t // span < length // span else set() for t in places],
        "last_block_longer": [{min(t // span, max(length // span - 1, 0))} for t in places],
        "so_many_blocks": [{t * span // length} for t in places],
        "first_of_block": [{t} if t % span == 0 else set() for t in places],
        "tiled": [{t % math.ceil(length / span)} for t in places],
        "whole_rows": [{0} for t in places],
    }[blocks]


def probability(rate, span, width, rate_use):
    """The probability of one draw."""
    return {
        "given": rate,
        "kept": 1 - rate,
        "default": 0.15,
        "half": 0.5,
        "divided_by_span": rate / span,
        "times_span": min(rate * span, 1.0),
        "of_a_feature": rate,
    }[rate_use]


def _pair(p, one, other):
    """Whether two positions fare alike: the probability."""
    a, b, neither = ((1 - p) ** len(each) for each in (one, other, one | other))
    return 1 - a - b + 2 * neither


def independent(p, of, rows, length, span, starts, fates):
    """The laws of flags that follow from independent draws."""
    together = rows if fates == "same_in_every_row" else 1
    first = [of[t] for t in starts]
    count = len(first)
    clean = [(1 - p) ** len(each) for each in first]
    inner = [(of[t], of[t - t % span]) for t in range(length) if t % span]
    pairs = list(zip(first[::2], first[1::2], strict=False))

    def share(values, what, dependent):
        if not values:
            return Anything(what)
        return Share(_sure(float(np.mean(values))), what, dependent=dependent * together)

    overlap = [[(1 - p) ** len(a | b) for b in first] for a in first]
    variance = float(sum(map(sum, overlap)) - sum(clean) ** 2)
    mean = count - sum(clean)
    alone = fates != "same_in_every_row"
    alike = [(1 - c) ** 2 + c**2 for c in clean]
    return {
        "flagged": share([1 - c for c in clean], FLAGGED, count),
        "within": share([_pair(p, *both) for both in inner], WITHIN, max(len(inner), 1)),
        "neighbours": share([_pair(p, *both) for both in pairs], NEIGHBOURS, max(len(pairs), 1)),
        "rows": share(alike, ROWS, count) if alone else Share(1.0, ROWS),
        "counts": _counts(max(variance, 0.0), mean, count, together),
    }


def _counts(variance, mean, count, together):
    """The law of how many blocks of a row are damaged; none where a row has too few of them."""
    if mean - variance**0.5 < 0 or mean + variance**0.5 > count:
        return Anything(COUNTS)
    return Variance(variance, mean, 0, count, COUNTS, dependent=together)


def exactly(p, rows, length, span, starts):
    """A fixed number of blocks in every row."""
    count = len(starts)
    some = round(p * count)
    share = some / count
    alike = (some * (some - 1) + (count - some) * (count - some - 1)) / max(count * (count - 1), 1)
    return {
        "flagged": Share(share, FLAGGED),
        "within": Share(1.0, WITHIN) if span > 1 and length > 1 else Anything(WITHIN),
        "neighbours": Share(_sure(alike), NEIGHBOURS) if count > 1 else Anything(NEIGHBOURS),
        "rows": Share(share**2 + (1 - share) ** 2, ROWS, dependent=count),
        "counts": Variance(0.0, float(some), 0, count, COUNTS),
    }


def turned(laws, count):
    """The laws where what is marked is what was kept."""
    flagged, counts = laws["flagged"], laws["counts"]
    if isinstance(counts, Anything):
        return {**laws, "flagged": Share(1 - flagged.p, flagged.what, flagged.dependent)}
    other = Share(1 - flagged.p, flagged.what, flagged.dependent)
    spread = Variance(counts.variance, count - counts.mean, 0, count, counts.what, counts.dependent)
    return {**laws, "flagged": other, "counts": spread}


def _sure(share):
    return 0.0 if share < 1e-9 else 1.0 if share > 1 - 1e-9 else share
