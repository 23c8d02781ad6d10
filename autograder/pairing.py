"""Which two mistakes may together give a result: finding pairs without acting out all of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from autograder.compare import matches
from autograder.expectations import Observation
from autograder.hypotheses import Hypothesis, acted_out
from autograder.laws import Statistical
from autograder.oracles import Crash

# Pairs that are acted out without a second thought; it takes about a second.
MANY = 6000
# Where there are more: the ranks of two forms together, 0 for the commonest of each.
RAREST = 4


def pairs(known: list[Hypothesis], against: list[Observation]) -> Iterator[Hypothesis]:
    """Pairs that may give one of these results.

    Where there are very many, most are left out unseen: two rare forms together, and mistakes that
    leave a part of a result alone, which hardly ever changes in company. Mistakes with random
    results stay by themselves.
    """
    known = [one for one in known if not one.random]
    places = range(len(known))
    many = len(known) * (len(known) - 1) > 2 * MANY
    effects = [[_effect(one, seen) for one in known] for seen in against] if many else []
    for first, second in itertools.combinations(places, 2):
        if many and known[first].rank + known[second].rank > RAREST:
            continue
        if not many or any(_may_add_up(of[first], of[second]) for of in effects):
            joined = known[first].with_another(known[second])
            if joined:
                yield joined


@dataclass(frozen=True)
class _Effect:
    """What one mistake alone does to a result.

    Args:
        form: whether it changes form or shape, or ends in an error; and whether the student's
            result has another form than the right one.
        changed: the parts that it changes.
        explained: the parts that are then what the student got.
        wrong: the parts that are wrong in what the student got.
    """

    form: tuple[bool, bool]
    changed: frozenset
    explained: frozenset
    wrong: frozenset


def _may_add_up(one: _Effect, other: _Effect) -> bool:
    if one.form[1]:
        return one.form[0] or other.form[0]
    if one.form[0] or other.form[0]:
        return False
    if one.changed | other.changed != one.wrong:
        return False
    alone = one.changed ^ other.changed
    return alone <= (one.changed & one.explained) | (other.changed & other.explained)


def _effect(hypothesis, seen) -> _Effect:
    value = seen.prediction.value
    right = _parts(value)
    actual = (seen.actual,) if isinstance(value, Statistical) else _parts(seen.actual)
    predicted = _parts(acted_out(hypothesis.switch, seen))
    every = frozenset(range(len(right)))
    odd = seen.error is not None or not _same_form(actual, right)
    if not _same_form(predicted, right):
        return _Effect((True, odd), every, frozenset(), every)

    def close(these, those):
        pairs = zip(these, those, strict=True)
        return frozenset(i for i, (a, b) in enumerate(pairs) if _equal(a, b, seen))

    wrong = every if odd else every - close(actual, right)
    explained = frozenset() if odd else close(actual, predicted)
    return _Effect((False, odd), every - close(right, predicted), explained, wrong)


def _parts(tree) -> tuple:
    return tuple(tree) if isinstance(tree, (tuple, list)) else (tree,)


def _same_form(these, right) -> bool:
    """Whether these parts could be right, as far as number, shape and kind can tell."""
    if len(these) != len(right):
        return False
    return all(_alike(got, want) for got, want in zip(these, right, strict=True))


def _alike(got, want) -> bool:
    if isinstance(want, Statistical):
        return got is not None and not isinstance(got, Crash)
    plain = isinstance(got, (np.ndarray, np.generic, bool, int, float, str))
    return plain and np.shape(got) == np.shape(want) and _kind(got) == _kind(want)


def _kind(value) -> str:
    return np.asarray(value).dtype.kind.replace("u", "i")


def _equal(one, other, seen) -> bool:
    if isinstance(one, Statistical) and isinstance(other, Statistical):
        return one == other
    return matches(one, other, atol=seen.atol, rtol=seen.rtol, alpha=seen.alpha)
