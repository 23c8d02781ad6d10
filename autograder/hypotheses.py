"""Hypotheses: mistakes that might have been made, and whether they give what was seen.

A hypothesis is one misconception, or two that don't turn the same switch, in one of its forms. It
is acted out by the oracles on the inputs of a case; what comes out is held against the student's
result. Acting out is the costly part, so results are kept beside the prediction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from autograder.compare import matches
from autograder.exercise import Misconception
from autograder.expectations import Observation
from autograder.laws import Statistical
from autograder.mishaps import is_blank
from autograder.oracles import Crash, switches_of

# Draws that a random result is compared with. Where the student's answer is one more such draw, it
# stands out among them, in one of two ways, with probability at most 2 / (DRAWS + 1).
DRAWS = 59


@dataclass(frozen=True)
class Hypothesis:
    """Mistakes that were perhaps made together.

    Args:
        made: the misconceptions.
        switch: what acts them out.
        rank: 0 where each takes its first and commonest form, more for rarer forms.
        random: whether what they give can't be predicted number by number.
    """

    made: tuple[Misconception, ...]
    switch: dict
    rank: int = 0
    random: bool = False

    def with_another(self, other: Hypothesis) -> Hypothesis | None:
        """Both together, or None where they turn the same switch or both are one mistake."""
        if set(self.switch) & set(other.switch) or set(self.names) & set(other.names):
            return None
        return Hypothesis(
            self.made + other.made,
            {**self.switch, **other.switch},
            self.rank + other.rank,
            self.random or other.random,
        )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(mistake.name for mistake in self.made)


def singles(misconceptions: Iterable[Misconception]) -> list[Hypothesis]:
    """Every form of every misconception."""
    return [
        Hypothesis((mistake,), switch, rank, mistake.random)
        for mistake in misconceptions
        for rank, switch in enumerate(mistake.switches)
    ]


def fits(hypothesis: Hypothesis, observations: list[Observation]) -> bool:
    """Whether acting out the mistakes gives every observation.

    Random numbers that might have been drawn are no evidence by themselves: something that is
    wrong must be predicted for sure, such as that two calls disagree.
    """
    if not hypothesis.random:
        return all(predicts(hypothesis, seen) for seen in observations)
    unsure = [seen for seen in observations if not predicts(hypothesis, seen)]
    if not unsure:
        return True
    if not any(not seen.right and predicts(hypothesis, seen) for seen in observations):
        return False
    return all(not seen.right and _one_more_draw(hypothesis, seen) for seen in unsure)


def predicts(hypothesis: Hypothesis, seen: Observation) -> bool:
    """Whether acting out the mistakes gives this observation, number by number."""
    predicted = acted_out(hypothesis.switch, seen)
    if predicted is None:
        return False
    if isinstance(predicted, Crash):
        return seen.error is not None and _may_be(seen.error, predicted)
    if seen.error is not None:
        return False
    if _agrees(seen.actual, predicted, seen):
        # A prediction no different from the right answer would explain a wrong answer only by luck
        # of the tolerance.
        return seen.right or not _same(predicted, seen)
    return False


def _may_be(error, crash: Crash) -> bool:
    """Whether a mistake that raises may have raised this.

    A forgotten return, a blank and a forbidden call are what they are: they say nothing about how
    the rest was done, so a mistake that might raise anything doesn't explain them.
    """
    if crash.types:
        return error.type in crash.types
    return error.type not in ("Nothing", "Forbidden") and not is_blank(error)


def acted_out(switch: dict, seen: Observation):
    """What the mistake would give here; None where it can't be made on these inputs.

    Two mistakes need not be possible together, nor one on every size.
    """
    prediction = seen.prediction
    known = switches_of(prediction.function)
    key = tuple(sorted((name, value) for name, value in switch.items() if name in known))
    kept = prediction.__dict__.setdefault("_acted_out", {})
    try:
        if key not in kept:
            kept[key] = _act(switch, prediction)
        return kept[key]
    except TypeError:  # a switch whose value can't be a key
        return _act(switch, prediction)


def _act(switch, prediction):
    try:
        return prediction.predict(switch, np.float32)
    except (ValueError, IndexError, TypeError):
        return None


def _same(predicted, seen) -> bool:
    """Whether a prediction is no different from the right answer."""
    right = seen.prediction.value
    if isinstance(right, Statistical):
        return predicted == right
    return matches(right, predicted, atol=seen.atol, rtol=seen.rtol)


def _agrees(actual, predicted, seen) -> bool:
    if _differs_at_once(actual, predicted, seen):
        return False
    return matches(actual, predicted, atol=seen.atol, rtol=seen.rtol, alpha=seen.alpha)


def _differs_at_once(actual, predicted, seen) -> bool:
    """Whether the very first numbers differ: nearly all candidates are refused here, fast."""
    while isinstance(predicted, tuple) and isinstance(actual, (tuple, list)):
        if len(actual) != len(predicted):
            return True
        if not predicted:
            return False
        actual, predicted = actual[0], predicted[0]
    if not isinstance(actual, np.ndarray) or not isinstance(predicted, np.ndarray):
        return False
    if actual.shape != predicted.shape:
        return True
    if actual.dtype.kind != "f" or predicted.dtype.kind != "f" or not actual.size:
        return False
    for place in (0, -1):
        got, want = float(actual.flat[place]), float(predicted.flat[place])
        # NaN is never greater: those are left to the thorough comparison.
        if abs(got - want) > 2 * (seen.atol + seen.rtol * abs(want)):
            return True
    return False


def _one_more_draw(hypothesis, seen) -> bool:
    """Whether a random result may be one more draw of what the mistake gives.

    Twice the student's numbers are ranked among draws of the oracle: by how far they are from the
    middle of all, and by how much they resemble the right answer. A draw among its like is the
    most extreme of `DRAWS + 1` with probability 1 / (DRAWS + 1); only what is far out is refused.
    """
    pool = [seen.actual]
    for _ in range(DRAWS):
        drawn = _act(hypothesis.switch, seen.prediction)
        if drawn is None or isinstance(drawn, (Crash, Statistical)):
            return False
        pool.append(drawn)
    rows = [_flat(tree) for tree in (*pool, seen.prediction.value)]
    if any(row is None or row.shape != rows[-1].shape for row in rows):
        return False
    drawn, right = np.stack(rows[:-1]), rows[-1]
    if not np.isfinite(drawn).all():
        return False
    spread = drawn[1:].std(axis=0)
    moving = spread > 1e-5
    still = np.abs(drawn[0] - drawn[1]) <= seen.atol + seen.rtol * np.abs(drawn[1])
    if not moving.any() or not still[~moving].all():
        return False
    drawn, right = drawn[:, moving], right[moving]
    scaled = (drawn - drawn.mean(axis=0)) / drawn.std(axis=0)
    far = np.abs(scaled).mean(axis=1)
    alike = _correlation(drawn, right)
    most = alike[1:].max()
    return bool(far[0] <= 2 * far[1:].max() and alike[0] <= most + 0.4 * (1 - most))


def _flat(tree):
    """All numbers of a tree in a row, or None where there is something else in it."""
    if isinstance(tree, (tuple, list)):
        parts = [_flat(part) for part in tree]
        return None if not parts or any(p is None for p in parts) else np.concatenate(parts)
    if not isinstance(tree, (np.ndarray, np.generic, float, int)):
        return None
    array = np.asarray(tree)
    return array.astype(float).ravel() if array.dtype.kind in "biuf" else None


def _correlation(rows, with_this):
    centred, other = rows - rows.mean(axis=1, keepdims=True), with_this - with_this.mean()
    scale = np.sqrt((centred**2).sum(axis=1) * (other**2).sum())
    return (centred * other).sum(axis=1) / np.maximum(scale, 1e-12)
