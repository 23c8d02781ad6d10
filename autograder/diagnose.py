"""Names the mistake behind wrong answers, by predicting what each known mistake would give.

Every misconception of an exercise can be acted out by its oracle. One that reproduces everything
the student's answer did, right and wrong, explains it; then pairs are tried. With no match nothing
is named, and properties that every right answer has say at least where to look.
"""

import itertools
from dataclasses import dataclass, field

import numpy as np

from autograder.compare import matches
from autograder.exercise import Exercise, Misconception
from autograder.expectations import Evidence, Observation
from autograder.messages import Text
from autograder.oracles import Crash

ONE_OF = Text("下面几种错误都会得到与你相同的结果：", "Each of these gives just what you got:")
PAIR = Text("两个错误同时出现：", "Two mistakes at once:")
PARTIAL = Text(
    "下面的错误能解释其中一部分，其余的另有原因：",
    "This explains a part of it; the rest has another cause:",
)


@dataclass
class Diagnosis:
    """What could be said about the mistake; empty where nothing is certain enough."""

    named: list[str] = field(default_factory=list)
    certainty: str = ""
    properties: list[str] = field(default_factory=list)
    sentences: list[Text] = field(default_factory=list)
    hints: list[Text] = field(default_factory=list)


def diagnose(exercise: Exercise, evidence: list[Evidence]) -> Diagnosis:
    """Explain the observations of all cases of one exercise.

    Args:
        exercise: with its misconceptions and properties.
        evidence: one per case, in any order; those of passed cases count too, since a mistake that
            would have failed them is not the one that was made.
    """
    seen = [o for e in evidence for o in e.observations if o.prediction is not None]
    wrong = [o for o in seen if not o.right]
    # Almost anything can raise: errors alone name nothing, unless some calls did come out right.
    if wrong and not (all(o.error for o in wrong) and len(wrong) == len(seen)):
        # Wrong ones first: most candidates are out after the first comparison.
        ordered = sorted(seen, key=lambda o: o.right)
        found = _explain(exercise, ordered) or _explain_part(exercise, evidence)
        if found:
            return found
    return _properties(exercise, [o for e in evidence for o in e.observations if not o.right])


def _explain(exercise, observations) -> Diagnosis | None:
    known = exercise.misconceptions.values()
    singles = [m for m in known if any(_fits(s, observations) for s in m.switches)]
    if singles:
        names = [m.name for m in singles]
        if len(singles) == 1:
            return Diagnosis(names, "exact", [], [singles[0].text], list(singles[0].hints))
        return Diagnosis(names, "one_of", [], [ONE_OF, *(m.text for m in singles)])
    pairs = []
    for a, b in itertools.combinations(known, 2):
        ranks = [rank for rank, switch in _joined(a, b) if _fits(switch, observations)]
        if ranks:
            pairs.append((min(ranks), (a, b)))
    if not pairs:
        return None
    # Two rare forms can add up to two common ones; the commonest explanation is told.
    commonest = min(rank for rank, _ in pairs)
    return _pair_diagnosis([pair for rank, pair in pairs if rank == commonest])


def _pair_diagnosis(pairs) -> Diagnosis:
    sure = [m for m in pairs[0] if all(m in pair for pair in pairs)]
    others = {m.name: m for pair in pairs for m in pair if m not in sure}
    sentences = [PAIR, *(m.text for m in sure)] if len(pairs) == 1 else [m.text for m in sure]
    if others:
        sentences += [ONE_OF, *(m.text for m in others.values())]
    certainty = "pair" if len(pairs) == 1 else "one_of"
    hints = [hint for m in sure for hint in m.hints]
    return Diagnosis([m.name for m in sure] + list(others), certainty, [], sentences, hints)


def _explain_part(exercise, evidence) -> Diagnosis | None:
    """A mistake that explains most failing cases and contradicts no passed one.

    A case that failed by raising an error says nothing here: almost anything can raise. One case
    out of many isn't enough either: two quite different mistakes may agree on one set of inputs.
    """
    right = [o for e in evidence for o in e.observations if o.right and o.prediction is not None]
    failing = []
    for case in evidence:
        wrong = [o for o in case.observations if not o.right and o.prediction is not None]
        if wrong and not any(o.error for o in wrong):
            failing.append(wrong)

    def explains(switch):
        cases = [wrong for wrong in failing if _fits(switch, wrong)]
        if not cases or not _fits(switch, right):
            return False
        # Where a mistake gives random numbers they can neither confirm nor contradict it.
        silent = sum(any(_varies(switch, o) for o in wrong) for wrong in failing)
        return 2 * len(cases) > len(failing) - silent

    known = exercise.misconceptions.values()
    found = [m for m in known if any(explains(s) for s in m.switches)]
    if len(found) == 1:
        (one,) = found
        return Diagnosis([one.name], "partial", [], [PARTIAL, one.text], list(one.hints))
    return None


def _joined(a: Misconception, b: Misconception):
    """The two mistakes together, where they do not turn the same switch.

    Yields:
        pairs of a rank, 0 where both take their first and commonest form, and the switches.
    """
    for (i, first), (j, second) in itertools.product(enumerate(a.switches), enumerate(b.switches)):
        if not set(first) & set(second):
            yield i + j, {**first, **second}


def _fits(switch: dict, observations: list[Observation]) -> bool:
    """Whether acting out the mistake gives every observation."""
    return all(_predicts(switch, o) for o in observations)


def _acted_out(switch, seen: Observation):
    """What the mistake would give here; None where it cannot be made on these inputs.

    Two mistakes need not be possible together, nor one on every size.
    """
    try:
        return seen.prediction.predict(switch, np.float32)
    except (ValueError, IndexError, TypeError):
        return None


def _predicts(switch, seen: Observation) -> bool:
    predicted = _acted_out(switch, seen)
    if predicted is None:
        return False
    if isinstance(predicted, Crash):
        return seen.error is not None and (
            not predicted.types or seen.error.type in predicted.types
        )
    if seen.error is not None:
        return False
    tolerance = {"atol": seen.atol, "rtol": seen.rtol}
    if not matches(seen.actual, predicted, **tolerance):
        return False
    # A prediction no different from the right answer would explain a wrong answer only by luck of
    # the tolerance.
    return seen.right or not matches(seen.prediction.value, predicted, **tolerance)


def _varies(switch, seen: Observation) -> bool:
    """Whether acting out the mistake gives something else every time."""
    first, second = (_acted_out(switch, seen) for _ in range(2))
    if any(found is None or isinstance(found, Crash) for found in (first, second)):
        return False
    return not matches(first, second, atol=seen.atol, rtol=seen.rtol)


def _properties(exercise, wrong) -> Diagnosis:
    violated = [p for p in exercise.properties if any(_violates(p, o) for o in wrong)]
    return Diagnosis([], "", [p.name for p in violated], [p.text for p in violated])


def _violates(checked, seen) -> bool:
    if seen.error is not None:
        return False
    try:
        return bool(checked.violated(seen))
    except Exception:  # a result of another shape than the property looks at
        return False
