"""`expect(...)`: what a case says about a result, recorded for the diagnosis."""

import contextvars
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from autograder.compare import Difference, difference
from autograder.handle import Failed
from autograder.laws import ALPHA
from autograder.messages import Text
from autograder.oracles import Prediction
from autograder.results import StudentError

_current: contextvars.ContextVar["Evidence"] = contextvars.ContextVar("case")


class Unmet(Exception):
    """An expectation that does not hold; ends the case."""


@dataclass
class Observation:
    """One result beside what was expected of it.

    Args:
        actual: tree of arrays, or None where the call raised.
        prediction: what the oracle says; None where the case expects plain data.
        error: the student's error, or None.
        difference: the first difference, or None where it is right.
        atol, rtol: tolerances of the comparison.
        alpha: where the result is random, how often a right one may be refused.
    """

    actual: object
    prediction: Prediction | None
    error: StudentError | None = None
    difference: Difference | None = None
    atol: float = 1e-5
    rtol: float = 1e-5
    alpha: float = ALPHA

    @property
    def right(self) -> bool:
        return self.error is None and self.difference is None

    @property
    def expected(self):
        return None if self.prediction is None else self.prediction.value

    @property
    def args(self) -> tuple:
        return () if self.prediction is None else self.prediction.args

    @property
    def kwargs(self) -> dict:
        return {} if self.prediction is None else self.prediction.kwargs


@dataclass
class Evidence:
    """All that one case has observed.

    Args:
        observations: one for every expectation.
        title: the case's, as a student reads it; only needed to say where something was seen.
    """

    observations: list[Observation] = field(default_factory=list)
    title: Text | None = None


def collecting(evidence: Evidence):
    """Make `evidence` the place where expectations of this thread are recorded."""
    return _current.set(evidence)


def stop_collecting(token) -> None:
    _current.reset(token)


class Expectation:
    """The left side of `expect(actual).equals(...)`."""

    def __init__(self, actual):
        self.actual = actual

    def equals(
        self,
        wanted,
        *,
        atol: float = 1e-5,
        rtol: float = 1e-5,
        otherwise: Text | Callable[..., Text] | None = None,
        of_shape: Text | Callable[..., Text] | None = None,
        of_form: Text | Callable[..., Text] | None = None,
        evidence: bool = True,
    ) -> None:
        """The result is what the oracle says, within the tolerances.

        Args:
            wanted: a `Prediction`, or plain arrays (which no mistake can be named from).
            atol, rtol: wide enough for every legitimate way to compute it in float32.
            otherwise: what to say instead of which value differs, where the values are facts
                about the result (such as "is finite") and mean nothing to the student; a `Text`,
                or a function of the result that makes one.
            of_shape: the same where a shape differs, for arrays that the case made of a list.
            of_form: the same where there are too many things or too few, or no arrays, for
                results that the case took apart.
            evidence: whether a mistake may be named from this. Where it may not, as in training,
                an oracle's names for the parts are used all the same.
        """
        prediction = wanted if isinstance(wanted, Prediction) else None
        expected = wanted.value if prediction else wanted
        parts = prediction.parts if prediction else ("result",)
        if isinstance(expected, tuple) and not (prediction and len(parts) == len(expected)):
            parts = tuple(f"result[{i}]" for i in range(len(expected)))
        instead = {"value": otherwise, "shape": of_shape, "structure": of_form}

        def compare(got):
            found = difference(got, expected, parts, atol=atol, rtol=rtol)
            # That nothing came back is told as just that.
            text = instead.get(found.kind) if found and got is not None else None
            if text:
                return Difference(found.kind, text(got) if callable(text) else text)
            return found

        self._record(prediction if evidence else None, compare, atol, rtol)

    def follows(
        self,
        wanted: Prediction,
        *,
        alpha: float = ALPHA,
        otherwise: Text | Callable[..., Text] | None = None,
    ) -> None:
        """The outcomes read off a random result are spread as the oracle says.

        Args:
            wanted: a `Prediction` whose value is a `Statistical`.
            alpha: a right answer is refused with at most this probability.
            otherwise: what to say instead of which law isn't met, as for `equals`.
        """

        def compare(got):
            text = wanted.value.misfit(got, alpha)
            if text is None:
                return None
            if otherwise:
                text = otherwise(got) if callable(otherwise) else otherwise
            return Difference("value", text)

        self._record(wanted, compare, 0.0, 0.0, alpha)

    def finite(self) -> None:
        """Every number in it is finite; which numbers they are is the answer's own affair."""
        self._record(None, _nonfinite, 0.0, 0.0)

    def holds(self, condition: bool, zh: str, en: str) -> None:
        """A condition computed on this side from arrays that came back."""
        unmet = None if condition else Difference("value", Text(zh, en))
        self._record(None, lambda got: unmet, 0.0, 0.0)

    def _record(self, prediction, compare, atol, rtol, alpha=ALPHA):
        if isinstance(self.actual, Failed):
            seen = Observation(None, prediction, self.actual.error, None, atol, rtol, alpha)
        else:
            found = compare(self.actual)
            seen = Observation(self.actual, prediction, None, found, atol, rtol, alpha)
        _current.get().observations.append(seen)
        if not seen.right:
            raise Unmet


def expect(actual) -> Expectation:
    """Start an expectation on a result that came back from the student's answer."""
    return Expectation(actual)


def _nonfinite(value) -> Difference | None:
    for array in _leaves(value):
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            count = int((~np.isfinite(array)).sum())
            those = "One of its numbers is" if count == 1 else f"{count} of its numbers are"
            if array.size == 1:
                text = Text("结果是 NaN 或无穷大。", "The result is NaN or infinite.")
            else:
                text = Text(f"结果中有 {count} 个数是 NaN 或无穷大。", f"{those} NaN or infinite.")
            return Difference("nonfinite", text)
    return None


def _leaves(value):
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, dict):
        yield from _leaves(tuple(value.values()))
    elif value is not None:
        yield np.asarray(value)
