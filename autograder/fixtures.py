"""Trusted objects that a case names and the student's process builds.

Only arrays and JSON travel between grader and student. Where an argument has to be something
else (a layer, a step function), the case sends a `Fixture`: a name from this table plus the
arguments to build it from. Nothing a fixture reports earns points; cases look at what came of it.
A notebook's own builders stand in a module of `autograder.stand_ins`.
"""

import importlib
import pkgutil
from dataclasses import dataclass, field

import numpy as np

from autograder import stand_ins


@dataclass(frozen=True)
class Fixture:
    """A named trusted object, built where the student's code runs.

    Args:
        name: a key of `BUILDERS`.
        args: JSON values or arrays for the builder.
    """

    name: str
    args: list = field(default_factory=list)

    def build(self):
        """Build the object.

        Raises:
            KeyError: no fixture has that name.
        """
        return BUILDERS[self.name](*self.args)


def fixture(name: str, *args) -> Fixture:
    """Name a fixture as an argument of a call on the student's answer."""
    if name not in BUILDERS:
        raise KeyError(f"no fixture {name!r}; known: {', '.join(sorted(BUILDERS))}")
    return Fixture(name, list(args))


def _scale_by(factor):
    """Stands in for dropout without its randomness: multiplies what it is given."""
    return lambda x: x * factor


def _thin_out():
    """Stands in for dropout without its randomness: loses every third feature, scales the rest.

    Unlike a plain factor it commutes with nothing: what it is applied to can be told from the
    result.
    """

    def thin_out(x):
        kept = np.arange(x.shape[-1]) % 3 != 1
        return x * np.where(kept, 1.5, 0.0).astype("float32")

    return thin_out


BUILDERS = {"scale_by": _scale_by, "thin_out": _thin_out}

for _module in pkgutil.iter_modules(stand_ins.__path__):
    _own = importlib.import_module(f"autograder.stand_ins.{_module.name}").BUILDERS
    if _own.keys() & BUILDERS.keys():
        raise ValueError(f"{_module.name}: a fixture of that name exists")
    BUILDERS.update(_own)
