"""Which positions of a row are chosen for masking: exact probabilities, with the known mistakes.

A mistake in a random choice shows in how often every set of positions comes up. Rows are short, so
all sets can be listed and their probabilities added up; nothing is simulated.
"""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np

from autograder.oracles import Crash


def candidates_of(kind, special_ids, first=None, *, candidates="ordinary"):
    """Which places of a row may be chosen.

    Args:
        kind: int (T,), the row.
        special_ids: list of int.
        first: int (T,), the first row of the batch.
        candidates: the switch.

    Returns:
        bool (T,).
    """
    ordinary = ~np.isin(kind, special_ids)
    within = np.arange(len(kind))
    return {
        "ordinary": ordinary,
        "all": np.ones(len(kind), bool),
        "nonzero": kind != 0,
        "ordinary_but_zero": ordinary & (kind != 0),
        "above_specials": kind > max(special_ids),
        "zero_to_four": kind > 4,  # the vocabulary's own special tokens
        "first_special_only": kind != special_ids[0],
        "last_special_only": kind != special_ids[-1],
        "inverted": ~ordinary,
        "not_the_ends": (within > 0) & (within < len(kind) - 1),
        "of_the_first_row": ~np.isin(kind if first is None else first, special_ids),
        "place_zero_never": ordinary & (within > 0),
    }[candidates]


def budget(ordinary, rate, slots, *, count="rounded", length=0, first=0, mean=0.0, true=0):
    """How many are chosen.

    Args:
        ordinary: int, how many may be.
        rate: float.
        slots: int, P.
        count: the switch.
        length: T.
        first, mean: the number of ordinary places in the first row, and in a row on average.
        true: how many really are ordinary, where a mistake takes others for such.

    Returns:
        int.
    """
    share = rate * ordinary
    wanted = {
        "floor": max(1, int(share)),
        "ceiling": max(1, int(np.ceil(share))),
        "no_minimum": round(share),
        "floor_without_minimum": int(share),
        "of_the_length": max(1, round(rate * length)),
        "of_the_ordinary": max(1, round(rate * true)),
        "of_the_slots": max(1, round(rate * slots)),
        "of_the_first_row": max(1, round(rate * first)),
        "of_the_mean": max(1, round(rate * mean)),
        "one_more": max(1, round(share)) + 1,
        "one_always": 1,
        "all_slots": slots,
        "rate_of_the_rest": max(1, round((1 - rate) * ordinary)),
    }.get(count, max(1, round(share)))
    if count.startswith("uncapped") and min(wanted, ordinary) > slots:
        raise Crash
    return min(wanted, slots, ordinary)


def _evenly(outcomes):
    found = defaultdict(float)
    outcomes = list(outcomes)
    for outcome in outcomes:
        found[tuple(outcome)] += 1 / len(outcomes)
    return dict(found)


def _independent(places, rate, slots):
    """Every place on its own; what is too many is cut off at the end."""
    found = defaultdict(float)
    for taken in itertools.product((False, True), repeat=len(places)):
        chance = np.prod([rate if one else 1 - rate for one in taken])
        found[tuple(p for p, one in zip(places, taken, strict=True) if one)[:slots]] += chance
    return dict(found)


def chances(
    kinds,
    special_ids,
    rate,
    slots,
    *,
    candidates="ordinary",
    count="rounded",
    drawing="sets",
    empty="nothing",
):
    """How probable every outcome is, for each kind of row.

    Args:
        kinds: list of int (T,), the rows that come in turn.
        special_ids: list of int.
        rate: float.
        slots: int, P.
        candidates, count, drawing, empty: the switches.

    Returns:
        List of dicts, ascending tuple of the chosen places → probability.

    Raises:
        Crash: where the mistake asked for could not run.
    """
    all_open = [candidates_of(k, special_ids, kinds[0], candidates=candidates) for k in kinds]
    numbers = [int(is_open.sum()) for is_open in all_open]
    how = {"count": count, "first": numbers[0], "mean": float(np.mean(numbers))}
    true = [int((~np.isin(kind, special_ids)).sum()) for kind in kinds]
    return [
        _chances_of(
            np.flatnonzero(is_open).tolist(),
            rate,
            slots,
            drawing,
            empty,
            {**how, "true": number, "length": len(is_open)},
        )
        for is_open, number in zip(all_open, true, strict=True)
    ]


def _chances_of(places, rate, slots, drawing, empty, how):
    length = how["length"]
    if not places:
        if empty == "crash":
            raise Crash
        if empty == "any_place":
            return _evenly((place,) for place in range(length))
        return {(0,) if empty == "first_place" else (): 1.0}
    if drawing.startswith("independent"):
        if drawing == "independent_crash" and len(places) > slots:
            raise Crash
        found = _independent(places, rate, slots)
        if drawing == "independent_at_least_one":
            nothing = found.pop((), 0.0)
            for place in places:
                found[(place,)] = found.get((place,), 0.0) + nothing / len(places)
        return found
    wanted = budget(len(places), rate, slots, **how)
    if drawing == "run":
        starts = range(len(places) - wanted + 1)
        return _evenly(places[start : start + wanted] for start in starts)
    if drawing == "first":
        return {tuple(places[:wanted]): 1.0}
    if drawing == "last":
        return {tuple(places[len(places) - wanted :]): 1.0}
    if drawing == "numbers_of_candidates":
        return _evenly(itertools.combinations(range(len(places)), wanted))
    if drawing == "filtered":
        open_places = set(places)
        drawn = itertools.combinations(range(length), wanted)
        return _evenly([p for p in one if p in open_places] for one in drawn)
    if drawing == "cut_after_sorting":  # as if there were slots for all; the last ones go
        drawn = itertools.combinations(places, budget(len(places), rate, length, **how))
        return _evenly(one[:slots] for one in drawn)
    if drawing == "place_zero_unseen":  # where a position of 0 is taken for an unused slot
        drawn = itertools.combinations(places, wanted)
        return _evenly([p for p in one if p] for one in drawn)
    if drawing == "replaced_once":  # drawn with replacement, then each counted once
        drawn = itertools.product(places, repeat=wanted)
        return _evenly(sorted(set(one)) for one in drawn)
    return _evenly(itertools.combinations(places, wanted))
