"""Plain NumPy references that can also make every known mistake on purpose.

An oracle is a function decorated with `@oracle`. Its positional arguments are the exercise's, its
keyword-only arguments are switches whose defaults give the right answer. Calling it computes
nothing: it returns a `Prediction` that is evaluated in float64 for the right answer, and in the
student's precision, with switches thrown, for what a mistake would have produced.
"""

import functools
import inspect
from collections.abc import Callable

import numpy as np


class Crash(Exception):
    """Raised by an oracle where the mistake it imitates would raise.

    Args:
        types: names of the exception classes it may be; none means any.
    """

    def __init__(self, *types: str):
        super().__init__(", ".join(types) or "any error")
        self.types = types


class Prediction:
    """What an oracle says an answer should be, or would be if a mistake were made.

    Args:
        function: the undecorated oracle.
        args, kwargs: its inputs, any switches the case itself throws included.
        parts: names of what it returns, for messages; one name for a single result.
        select: index of the one part that is wanted, or None.
        slow: whether acting out a mistake here takes long.
    """

    def __init__(self, function, args, kwargs, parts, select=None, slow=False):
        self.function, self.args, self.kwargs, self.parts = function, args, kwargs, parts
        self.slow = slow
        self._select = select
        self._cast = {}

    def __getitem__(self, index: int) -> "Prediction":
        """Only one part of what the oracle returns."""
        part = (self.parts[index],) if index < len(self.parts) else self.parts
        return Prediction(self.function, self.args, self.kwargs, part, index, self.slow)

    @functools.cached_property
    def value(self):
        """The right answer in float64."""
        return self._evaluate({}, np.float64)

    def predict(self, switch: dict, dtype=np.float32):
        """The answer with the switches thrown, or the `Crash` that they lead to.

        Switches that this oracle does not have change nothing here.
        """
        known = {k: v for k, v in switch.items() if k in switches_of(self.function)}
        try:
            with np.errstate(all="ignore"):
                return self._evaluate(known, dtype)
        except Crash as crash:
            return crash

    def _evaluate(self, switch, dtype):
        if dtype not in self._cast:  # hundreds of mistakes are acted out on the same inputs
            kwargs = {k: cast(v, dtype) for k, v in self.kwargs.items()}
            self._cast[dtype] = [cast(a, dtype) for a in self.args], kwargs
        args, kwargs = self._cast[dtype]
        result = self.function(*args, **{**kwargs, **switch})
        return result if self._select is None else result[self._select]


def cast(tree, dtype):
    """Floating arrays of a tree in another precision; everything else unchanged."""
    if isinstance(tree, np.ndarray) and np.issubdtype(tree.dtype, np.floating):
        return tree.astype(dtype)
    if isinstance(tree, (list, tuple)):
        return type(tree)(cast(item, dtype) for item in tree)
    if isinstance(tree, dict):
        return {key: cast(value, dtype) for key, value in tree.items()}
    return tree


@functools.cache
def switches_of(function: Callable) -> tuple[str, ...]:
    """Names of an oracle's switches."""
    parameters = inspect.signature(function).parameters.values()
    return tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


def oracle(*, parts: tuple[str, ...] = ("result",), slow: bool = False):
    """Make a NumPy function an oracle; the plain function stays reachable as `.raw`.

    Args:
        parts: names of what it returns.
        slow: whether it takes long, as finite differences do; the diagnosis then asks it last.
    """

    def decorate(function):
        @functools.wraps(function)
        def predict(*args, **kwargs):
            return Prediction(function, args, kwargs, parts, slow=slow)

        predict.raw = function
        predict.switches = switches_of(function)
        return predict

    return decorate
