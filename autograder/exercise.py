"""Exercises as data: what is asked, how it is judged and which mistakes have names."""

import importlib
import pkgutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from autograder.messages import Text

KINDS = ("function", "layer", "drill")
_REGISTRY: dict[str, "Exercise"] = {}


class UnknownName(LookupError):
    """No exercise or notebook of that name; the message lists what there is."""


@dataclass(frozen=True)
class Case:
    """A function that gives inputs to the student's answer and says what it expects back."""

    run: Callable
    points: float
    title: Text

    @property
    def name(self) -> str:
        return self.run.__name__


@dataclass(frozen=True)
class Misconception:
    """A mistake with a name, and the oracle's switches that make the same mistake.

    Args:
        name: stable identifier, also used in reports.
        switches: alternatives; each is a dict of an oracle's keyword-only arguments.
        text: what the mistake is, in a sentence to the student.
        hints: a ladder; the first says least, none gives the answer away.
        random: whether acting it out draws random numbers, so that its output can't be predicted
            number by number (a part that an oracle predicts as a `Statistical` needs no such mark).
        hides_properties: whether naming what else is off would give away more than it should.
    """

    name: str
    switches: tuple[dict, ...]
    text: Text
    hints: tuple[Text, ...] = ()
    random: bool = False
    hides_properties: bool = False


@dataclass(frozen=True)
class Property:
    """Something every right answer has; `violated(observation)` is true where this one lacks it.

    Where `alone` is set it is told only if no other property is violated.
    """

    name: str
    violated: Callable
    text: Text
    alone: bool = False


@dataclass
class Exercise:
    """One graded exercise.

    Args:
        id: contract name, also the nbgrader cell's; never changed once released.
        notebook: id of the notebook it belongs to.
        points: what all cases add up to.
        kind: `function`, `layer` (a `keras.layers.Layer` class) or `drill`.
        defines: names that the student's cell must define; the first is the one called.
        stretch: whether its points come on top of a full course.
        needs: earlier exercises' names → `"module:attribute"` of the reference that is bound to
            them while this one is judged, so that an earlier mistake costs nothing here.
        library: `"module:attribute"` of the library's own answer; handing it in scores 0.
        forbids: dotted names of other library functions that would do the exercise.
        tensors: whether arrays reach the student as Keras tensors (else as NumPy arrays).
        variants: for drills, the keys of the bugs of which a class gets one.
        built_of: for capstones, the exercises whose answers are used; none means all earlier ones.
        blanks: for layers from the library, the methods that are handed out empty; the same as in
            the notebook's `blank="…"`.
    """

    id: str
    notebook: str
    points: float
    kind: str = "function"
    defines: tuple[str, ...] = ()
    stretch: bool = False
    needs: dict[str, str] = field(default_factory=dict)
    library: str | None = None
    forbids: tuple[str, ...] = ()
    tensors: bool = True
    variants: tuple[str, ...] = ()
    built_of: tuple[str, ...] = ()
    blanks: tuple[str, ...] = ("call",)
    cases: list[Case] = field(default_factory=list)
    misconceptions: dict[str, Misconception] = field(default_factory=dict)
    properties: list[Property] = field(default_factory=list)

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"{self.id}: kind is {self.kind!r}, not one of {', '.join(KINDS)}")
        self.defines = tuple(self.defines) or (self.id,)
        other = _REGISTRY.get(self.id)
        if other is not None and other.notebook != self.notebook:
            raise ValueError(f"two exercises are called {self.id!r}")
        # Where it was written, which is its place in the notebook: the order of imports is not.
        self.module = sys._getframe(2).f_globals["__name__"]
        _REGISTRY[self.id] = self

    @property
    def target(self) -> str:
        return self.defines[0]

    def case(self, *, points: float, zh: str, en: str):
        """Register a case; its docstring or name says which mechanism it isolates."""

        def register(run):
            self.cases.append(Case(run, points, Text(zh, en)))
            return run

        return register

    def misconception(
        self,
        name: str,
        *,
        switch,
        zh: str,
        en: str,
        hints=(),
        random: bool = False,
        hides_properties: bool = False,
    ) -> None:
        """Give a mistake its name.

        Args:
            name: identifier.
            switch: a dict of oracle switches, or several such dicts that are the same mistake.
            zh, en: the sentence that tells the student.
            hints: pairs `(zh, en)`, the vaguest first.
            random, hides_properties: see `Misconception`.
        """
        if name in self.misconceptions:
            raise ValueError(f"{self.id}: misconception {name!r} is named twice")
        switches = (switch,) if isinstance(switch, dict) else tuple(switch)
        ladder = tuple(Text(*hint) for hint in hints)
        self.misconceptions[name] = Misconception(
            name, switches, Text(zh, en), ladder, random, hides_properties
        )

    def property(self, name: str, *, zh: str, en: str, alone: bool = False):
        """Register a property; the function returns True where the observation violates it."""

        def register(violated):
            self.properties.append(Property(name, violated, Text(zh, en), alone))
            return violated

        return register

    def require_variant(self, variant: str | None) -> None:
        """Raise `UnknownName` where this exercise was never released in such a version."""
        if variant is None:
            return
        if not self.variants:
            raise UnknownName(f"{self.id} has no variants: it is the same for everybody")
        from autograder.drills import code

        if variant not in self.variants and variant not in (
            code(self.id, v) for v in self.variants
        ):
            raise UnknownName(unknown(f"variant of {self.id}", variant, self.variants))

    def validate(self) -> None:
        """Raise `ValueError` where points or cases do not add up."""
        total = sum(case.points for case in self.cases)
        if abs(total - self.points) > 1e-9:
            raise ValueError(f"{self.id}: cases add up to {total:g} points, not {self.points:g}")
        names = [case.name for case in self.cases]
        if len(set(names)) != len(names):
            raise ValueError(f"{self.id}: two cases have the same name")


def all_exercises() -> dict[str, Exercise]:
    """Every exercise of the course by id, in the order of the notebooks."""
    package = importlib.import_module("autograder.exercises")
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"autograder.exercises.{module}")
    for exercise in _REGISTRY.values():
        exercise.validate()
    return {e.id: e for e in sorted(_REGISTRY.values(), key=lambda e: e.module)}


def get(exercise_id: str) -> Exercise:
    """The exercise of that id.

    Raises:
        UnknownName: there is none; the message names the nearest.
    """
    known = all_exercises()
    if exercise_id not in known:
        raise UnknownName(unknown("exercise", exercise_id, known))
    return known[exercise_id]


def load(notebook: str) -> list[Exercise]:
    """The exercises of one notebook, in order.

    Raises:
        UnknownName: there is no such notebook; the message lists those there are.
    """
    found = [exercise for exercise in all_exercises().values() if exercise.notebook == notebook]
    if not found:
        names = sorted({exercise.notebook for exercise in _REGISTRY.values()})
        raise UnknownName(unknown("notebook", notebook, names))
    return found


def unknown(what: str, name: str, known) -> str:
    """One line that says what was asked for and what is nearest to it."""
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.4)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return f"There is no {what} {name!r}.{guess} Known: {', '.join(known)}."
