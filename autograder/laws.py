"""What a random result may look like: laws that outcomes follow, with a proven error rate.

A mistake whose output is random can't be recognised by its numbers, only by how they are spread.
A `Statistical` says so for every part of a result. Outcomes are plain arrays that a case has read
off the student's results; each law bounds how probable it is to see something so far off. The
bounds hold for every number of outcomes and aren't approximations, so "refused at 1e-9" is an
upper limit of how often a right answer would be refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from autograder.messages import Text

# How often a right answer may be refused, or a mistake missed, by one expectation.
ALPHA = 1e-9
RESULT = Text("结果", "the result")
FEW = Text(
    "{what}只有 {count} 个可以数，太少了。", "Only {count} can be counted of {what}: too few."
)
SHARE_IS = Text(
    "{what}：应占 {should} 左右，实际占 {found}（共 {count} 个）。",
    "{what}: the share should be about {should}, but is {found} (of {count}).",
)
ALWAYS_IS = Text(
    "{what}：应当每次都是，{count} 次里却只有 {hits} 次。",
    "{what}: it should be so every time, but is so {hits} times of {count}.",
)
NEVER_IS = Text(
    "{what}：应当一次也没有，{count} 次里却有 {hits} 次。",
    "{what}: it should never be so, but is so {hits} times of {count}.",
)
MEAN_IS = Text(
    "{what}：平均应为 {should} 左右，实际为 {found}（共 {count} 个）。",
    "{what}: the mean should be about {should}, but is {found} (of {count}).",
)
VARIANCE_IS = Text(
    "{what}：方差应为 {should} 左右，实际为 {found}（共 {count} 个）。",
    "{what}: the variance should be about {should}, but is {found} (of {count}).",
)
NOT_AMONG = Text(
    "{what}：出现了不该有的值 {found}（{bad}/{count} 个）。",
    "{what}: there are values that can't be, such as {found} ({bad} of {count}).",
)


@dataclass(frozen=True)
class Share:
    """How often something happens: outcomes are 0 or 1 (or between), with the mean ``p``.

    Args:
        p: the probability.
        what: what is counted, for messages.
        dependent: how many outcomes may hang together; so many count as one.
        least: with fewer outcomes than this, nothing can be said and the law isn't met.
    """

    p: float
    what: Text = RESULT
    dependent: int = 1
    least: int = 1

    def surprise(self, outcomes) -> float:
        """An upper bound of the probability of a share so far off, by Chernoff and Hoeffding."""
        outcomes = np.asarray(outcomes, float)
        if outcomes.size < self.least or not np.isfinite(outcomes).all():
            return 0.0
        found = float(outcomes.mean())
        if not 0.0 <= found <= 1.0:
            return 0.0
        return _at_most_one(2 * math.exp(-_trials(outcomes, self) * divergence(found, self.p)))

    def draw(self, rng, shape):
        """Outcomes that follow the law, to try a diagnosis with."""
        return rng.random(shape) < self.p

    def told(self, outcomes) -> Text:
        outcomes = np.asarray(outcomes, float)
        if outcomes.size < self.least:
            return FEW.format(what=self.what, count=outcomes.size)
        if self.p in (0, 1):
            text, so = (ALWAYS_IS, outcomes == 1) if self.p else (NEVER_IS, outcomes != 0)
            return text.format(what=self.what, hits=int(so.sum()), count=outcomes.size)
        return SHARE_IS.format(**_numbers(self.what, self.p, outcomes.mean(), outcomes.size))


@dataclass(frozen=True)
class Mean:
    """The mean of independent outcomes that all lie between ``low`` and ``high``.

    Args:
        mean, variance: of one outcome.
        low, high: outcomes outside are impossible.
        what, dependent: as for `Share`.
    """

    mean: float
    variance: float
    low: float
    high: float
    what: Text = RESULT
    dependent: int = 1

    def surprise(self, outcomes) -> float:
        """An upper bound of the probability of a mean so far off, by Bernstein."""
        outcomes = np.asarray(outcomes, float)
        inside = (outcomes >= self.low - 1e-6) & (outcomes <= self.high + 1e-6)
        if not outcomes.size or not inside.all():
            return 0.0
        gap = abs(float(outcomes.mean()) - self.mean)
        return _bernstein(gap, self.variance, self.high - self.low, _trials(outcomes, self))

    def draw(self, rng, shape):
        """As for `Share`."""
        return _two_points(rng, shape, self.mean, self.variance)

    def told(self, outcomes) -> Text:
        outcomes = np.asarray(outcomes, float)
        if not outcomes.size:
            return FEW.format(what=self.what, count=0)
        return MEAN_IS.format(**_numbers(self.what, self.mean, outcomes.mean(), outcomes.size))


@dataclass(frozen=True)
class Variance:
    """The mean squared distance of independent outcomes from their known mean.

    Args:
        variance, mean: of one outcome.
        low, high: outcomes outside are impossible.
        what, dependent: as for `Share`.
    """

    variance: float
    mean: float
    low: float
    high: float
    what: Text = RESULT
    dependent: int = 1

    def surprise(self, outcomes) -> float:
        """Bernstein for the squares, whose own variance is at most their largest times mean."""
        outcomes = np.asarray(outcomes, float)
        inside = (outcomes >= self.low - 1e-6) & (outcomes <= self.high + 1e-6)
        if not outcomes.size or not inside.all():
            return 0.0
        largest = max(self.low - self.mean, self.high - self.mean, key=abs) ** 2
        gap = abs(float(((outcomes - self.mean) ** 2).mean()) - self.variance)
        return _bernstein(gap, largest * self.variance, largest, _trials(outcomes, self))

    def draw(self, rng, shape):
        """As for `Share`."""
        return _two_points(rng, shape, self.mean, self.variance)

    def told(self, outcomes) -> Text:
        outcomes = np.asarray(outcomes, float)
        if not outcomes.size:
            return FEW.format(what=self.what, count=0)
        found = ((outcomes - self.mean) ** 2).mean()
        return VARIANCE_IS.format(**_numbers(self.what, self.variance, found, outcomes.size))


@dataclass(frozen=True)
class Support:
    """Every outcome is one of these values; how often each occurs is another law's business.

    Args:
        values: numbers, or arrays of the outcomes' shape.
        what: as for `Share`.
        atol: how near to one of the values is near enough.
    """

    values: tuple
    what: Text = RESULT
    atol: float = 1e-3

    def surprise(self, outcomes) -> float:
        """1 where all outcomes are possible, else 0."""
        outcomes = np.asarray(outcomes, float)
        return float(bool(outcomes.size) and not self._impossible(outcomes).any())

    def draw(self, rng, shape):
        """As for `Share`; every value is as likely as the others."""
        values = [np.broadcast_to(np.asarray(value, float), shape) for value in self.values]
        return np.choose(rng.integers(0, len(values), shape), values)

    def told(self, outcomes) -> Text:
        outcomes = np.asarray(outcomes, float)
        bad = self._impossible(outcomes)
        found = f"{outcomes[bad].flat[0]:.4g}" if bad.any() else "–"
        return NOT_AMONG.format(
            what=self.what, found=found, bad=int(bad.sum()), count=outcomes.size
        )

    def _impossible(self, outcomes):
        try:
            near = [np.abs(outcomes - np.asarray(value)) <= self.atol for value in self.values]
        except ValueError:  # of another shape than was foreseen
            return np.ones(outcomes.shape, bool)
        return ~np.logical_or.reduce(near)


@dataclass(frozen=True)
class Anything:
    """No claim about this part."""

    what: Text = RESULT

    def surprise(self, outcomes) -> float:
        return 1.0

    def draw(self, rng, shape):
        """As for `Share`."""
        return np.zeros(shape)

    def told(self, outcomes) -> Text:
        return self.what


class Statistical:
    """A law for each part of a random result; what an oracle returns in place of values.

    Args:
        laws: `Share`, `Mean`, `Variance`, `Support` or `Anything`, by the name of the part, in the
            order in which the case lists its outcomes.
    """

    def __init__(self, **laws):
        self.laws = laws

    def __eq__(self, other):
        if not isinstance(other, Statistical) or list(self.laws) != list(other.laws):
            return NotImplemented if not isinstance(other, Statistical) else False
        return all(map(_same_law, self.laws.values(), other.laws.values()))

    __hash__ = None

    def fits(self, outcomes, alpha: float = ALPHA) -> bool:
        """Whether the outcomes are possible; refuses true ones with probability ≤ ``alpha``."""
        return self.misfit(outcomes, alpha) is None

    def draw(self, rng, like) -> tuple:
        """Outcomes that follow the laws, each as many as in ``like``, a tuple of arrays."""
        laws = zip(self.laws.values(), like, strict=True)
        return tuple(law.draw(rng, np.shape(seen)) for law, seen in laws)

    def misfit(self, outcomes, alpha: float = ALPHA) -> Text | None:
        """What is wrong with the first part that does not follow its law, or None.

        Args:
            outcomes: tuple of arrays, one for each law.
            alpha: divided evenly among the laws.
        """
        if not isinstance(outcomes, (tuple, list)) or len(outcomes) != len(self.laws):
            return Text("结果的项数不对。", "There are not as many results as there should be.")
        for law, seen in zip(self.laws.values(), outcomes, strict=True):
            try:
                met = law.surprise(seen) > alpha / len(self.laws)
            except (TypeError, ValueError):  # no array of numbers
                return Text("结果不是数。", "The results are no numbers.")
            if not met:
                return law.told(seen)
        return None


def _two_points(rng, shape, mean, variance):
    return mean + math.sqrt(variance) * rng.choice((-1.0, 1.0), shape)


def _same_law(one, other) -> bool:
    if type(one) is not type(other):
        return False
    pairs = zip(vars(one).values(), vars(other).values(), strict=True)
    return all(_same_field(a, b) for a, b in pairs)


def _same_field(a, b) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
    return a == b


def divergence(found: float, p: float) -> float:
    """Kullback–Leibler divergence of two coins, in nats; infinite where ``p`` rules it out."""
    if (p <= 0 and found > 0) or (p >= 1 and found < 1):
        return math.inf
    total = 0.0
    if found > 0:
        total += found * math.log(found / p)
    if found < 1:
        total += (1 - found) * math.log((1 - found) / (1 - p))
    return max(total, 0.0)


def outcomes_needed(p: float, q: float, alpha: float = ALPHA) -> int:
    """How many outcomes it takes until no share fits both ``p`` and ``q``.

    A case that shall tell a rate from a mistaken one needs this many, times `dependent`.
    """
    low, high = sorted((p, q))
    between = [low + (high - low) * i / 1000 for i in range(1, 1000)]
    apart = max(min(divergence(x, p), divergence(x, q)) for x in between)
    return math.ceil(math.log(2 / alpha) / apart)


def _trials(outcomes, law) -> float:
    return outcomes.size / law.dependent


def _bernstein(gap, variance, width, trials) -> float:
    if gap <= 1e-12:
        return 1.0
    return _at_most_one(2 * math.exp(-trials * gap**2 / (2 * (variance + width * gap / 3))))


def _at_most_one(bound: float) -> float:
    return min(1.0, bound)


def _numbers(what, should, found, count) -> dict:
    return {"what": what, "should": f"{should:.3g}", "found": f"{found:.3g}", "count": count}
