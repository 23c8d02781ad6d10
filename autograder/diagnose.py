"""Names the mistake behind wrong answers, by predicting what each known mistake would give.

Every misconception of an exercise can be acted out by its oracle. One that reproduces everything
the student's answer did, right and wrong, explains it; then pairs are tried; then what explains
most of what failed. With no match nothing is named. Properties that every right answer has say
where to look in any case: they are the rung of the ladder below a name.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from autograder.drills import NAME_OF_THE_BUG
from autograder.exercise import Exercise, Misconception, Property
from autograder.expectations import Evidence, Observation
from autograder.hypotheses import Hypothesis, fits, singles
from autograder.messages import Text
from autograder.pairing import pairs

ONE_OF = Text("下面几种错误都会得到与你相同的结果：", "Each of these gives just what you got:")
PAIR = Text("两个错误同时出现：", "Two mistakes at once:")
THREE = Text("三个错误同时出现：", "Three mistakes at once:")
PARTIAL = Text(
    "结果不对的有 {total} 项检查，下面的错误能解释其中 {count} 项（剩下的可能另有原因）：",
    "What follows explains {count} of the {total} checks whose results are wrong (the rest may "
    "have another cause):",
)
# What ended with an error has no result that anything could explain.
ALL_RESULTS = Text(
    "结果不对的检查，下面的错误全都能解释；报错的、或别的没通过的检查，可能另有原因：",
    "What follows explains every check whose result is wrong (those that failed otherwise, with an "
    "error say, may have another cause):",
)
# Below several that are tied, where a heading would have to stand above another heading.
PARTIAL_TIE = Text(
    "这样能解释 {count} 项，结果不对的检查共有 {total} 项（剩下的可能另有原因）。",
    "That explains {count} of the {total} checks whose results are wrong (the rest may have "
    "another cause).",
)
ALL_RESULTS_TIE = Text(
    "这样能解释结果不对的全部检查；报错的、或别的没通过的检查，可能另有原因。",
    "That explains every check whose result is wrong (those that failed otherwise, with an error "
    "say, may have another cause).",
)
# Mistakes that explain the answer only together; of several such sets one was made.
TOGETHER = Text("（{n}）{mistakes}", "({n}) {mistakes}")
SEEN_IN = Text("{text}（见于：{where}）", "{text} (Seen in: {where}.)")
# Explanations that many mistakes share help nobody.
MOST_TIED = 4


@dataclass
class Diagnosis:
    """What could be said about the mistake; empty where nothing is certain enough.

    Args:
        named: misconceptions.
        certainty: see `ExerciseResult`.
        properties: names of the properties that the answer violates.
        located: their sentences.
        sentences: what the student is told.
        hints: of all that is sure, in the order of `named`.
        ladders: the same hints by the name of the mistake they belong to.
    """

    named: list[str] = field(default_factory=list)
    certainty: str = ""
    properties: list[str] = field(default_factory=list)
    located: list[Text] = field(default_factory=list)
    sentences: list[Text] = field(default_factory=list)
    hints: list[Text] = field(default_factory=list)
    ladders: dict[str, list[Text]] = field(default_factory=dict)


def diagnose(exercise: Exercise, evidence: list[Evidence]) -> Diagnosis:
    """Explain the observations of all cases of one exercise.

    Args:
        exercise: with its misconceptions and properties.
        evidence: one per case, in any order; those of passed cases count too, since a mistake that
            would have failed them is not the one that was made.
    """
    violated = _violated(exercise, evidence)
    found = _explanation(exercise, evidence) or Diagnosis()
    named = [exercise.misconceptions[name] for name in found.named]
    if not any(mistake.hides_properties for mistake in named):
        found.properties = [p.name for p, _ in violated]
        found.located = [text for _, text in violated]
    if not found.named:
        found.sentences = list(found.located)
    return found


def _explanation(exercise, evidence) -> Diagnosis | None:
    seen = [o for e in evidence for o in e.observations if o.prediction is not None]
    wrong = [o for o in seen if not o.right]
    # Almost anything can raise: errors alone name nothing, unless some calls did come out right.
    if not wrong or (all(o.error for o in wrong) and len(wrong) == len(seen)):
        return None
    known = singles(exercise.misconceptions.values())
    # Wrong ones first: most candidates are out after the first comparison. Slow ones come last.
    ordered = sorted(seen, key=lambda o: (o.prediction.slow, o.right, o.error is not None))
    alone = _distinct([one for one in known if fits(one, ordered)])
    if alone:
        return _told(alone)
    first = next(o for o in ordered if not o.right)
    together = [pair for pair in pairs(known, [first]) if fits(pair, ordered)]
    if together:
        return _told(_commonest(together))
    return _partial(known, evidence, ordered)


def _partial(known, evidence, ordered) -> Diagnosis | None:
    """What explains more than half of the failing cases and contradicts nothing that is right.

    A case that failed by raising an error says nothing here: almost anything can raise. One case
    out of many isn't enough either: two quite different mistakes may agree on one set of inputs.
    """
    right = [o for o in ordered if o.right]
    failing = [_wrong_of(case) for case in evidence]
    failing = [wrong for wrong in failing if wrong and not any(o.error for o in wrong)]
    failing.sort(key=lambda wrong: any(o.prediction.slow for o in wrong))
    enough = len(failing) // 2 + 1
    if enough < 2:
        return None

    def explained(hypothesis):
        count = 0
        for done, wrong in enumerate(failing):
            count += fits(hypothesis, wrong)
            if count + len(failing) - done - 1 < enough:  # it can't get there any more
                return 0
        return count if fits(hypothesis, right) else 0

    best, most = _best(known, explained, enough)
    if most < len(failing) - 1:  # else only a full explanation could be better
        # More than half of them means at least one of any half.
        half = [o for wrong in failing[: len(failing) - enough + 1] for o in wrong]
        better, more = _best(pairs(known, half), explained, max(enough, most + 1))
        if better:
            best, most = better, more
    best = _commonest(best) if best and len(best[0].made) > 1 else _distinct(best)
    if not best or len({name for one in best for name in one.names}) > MOST_TIED:
        return None
    if len(best) == 1:
        three = [
            joined
            for joined in (best[0].with_another(one) for one in known)
            if joined and len(joined.made) == 3 and fits(joined, ordered)
        ]
        if three:
            return _told(_commonest(three))
    if most == len(failing):
        return _told(best, ALL_RESULTS, ALL_RESULTS_TIE)
    counts = {"count": most, "total": len(failing)}
    return _told(best, PARTIAL.format(**counts), PARTIAL_TIE.format(**counts))


def _wrong_of(case: Evidence) -> list[Observation]:
    return [o for o in case.observations if not o.right and o.prediction is not None]


def _best(candidates, explained, enough) -> tuple[list[Hypothesis], int]:
    """The hypotheses that explain most, if that is at least so many cases."""
    best, most = [], enough - 1
    for candidate in candidates:
        count = explained(candidate)
        if count > most:
            best, most = [candidate], count
        elif count == most and best:
            best.append(candidate)
    return best, most if best else 0


def _distinct(found: list[Hypothesis]) -> list[Hypothesis]:
    """One hypothesis for each set of mistakes; forms of one mistake are no tie."""
    return list({frozenset(one.names): one for one in reversed(found)}.values())[::-1]


def _commonest(found: list[Hypothesis]) -> list[Hypothesis]:
    """Two rare forms can add up to two common ones; the commonest explanation is told."""
    least = min(one.rank for one in found)
    return _distinct([one for one in found if one.rank == least])


def _told(
    found: list[Hypothesis], share: Text | None = None, share_of_tie: Text | None = None
) -> Diagnosis:
    """Put explanations into words: what all of them have in common is sure, the rest a tie.

    Args:
        found: explanations, each as good as the others.
        share: a heading that says how much they explain, where that isn't everything.
        share_of_tie: the same as a sentence below a tie, which has a heading of its own.
    """
    sure = [m for m in found[0].made if all(m.name in one.names for one in found)]
    others: dict[str, Misconception] = {
        m.name: m for one in found for m in one.made if m not in sure
    }
    head = []
    if not others and not share:
        head = {2: [PAIR], 3: [THREE]}.get(len(sure), [])
    sentences = [*head, *(m.text for m in sure)]
    if others:
        sentences += [ONE_OF, *_alternatives(found, sure)]
    certainty = "partial" if share else {1: "exact"}.get(len(sure), "pair")
    if others:
        certainty = "one_of"
    if share and others:
        sentences.append(share_of_tie)
    elif share:
        sentences.insert(0, share)
    return Diagnosis(
        named=[m.name for m in sure] + list(others),
        certainty=certainty,
        sentences=sentences,
        hints=[hint for m in sure for hint in m.hints],
        ladders={m.name: list(m.hints) for m in sure if m.hints},
    )


def _alternatives(found, sure) -> list[Text]:
    """A line for each side of a tie; mistakes that explain only together stand on one line."""
    sides = {}
    for one in found:
        side = tuple(m for m in one.made if m not in sure)
        if side:
            sides.setdefault(frozenset(m.name for m in side), side)
    if all(len(side) < 2 for side in sides.values()):
        return list(dict.fromkeys(m.text for side in sides.values() for m in side))
    lines = []
    for n, side in enumerate(sides.values(), start=1):
        zh, en = "加上：".join(m.text.zh for m in side), " And: ".join(m.text.en for m in side)
        lines.append(TOGETHER.format(n=n, mistakes=Text(zh, en)))
    return lines


def _violated(exercise, evidence) -> list[tuple[Property, Text]]:
    """The properties that don't hold, each in words; with the checks, where it isn't all of them.

    Sentences about different checks would otherwise seem to contradict each other.
    """
    wrong = [(e.title, [o for o in e.observations if not o.right]) for e in evidence]
    # A drill asks for a name, too, which is no result: no sentence could be about it.
    names = [case.title for case in exercise.cases if case.name == NAME_OF_THE_BUG]
    wrong = [(title, seen) for title, seen in wrong if title not in names]
    # Where values are wrong their gradients are too, of course: nothing more is to be said.
    values = [(title, [o for o in seen if not _is_gradient(o)]) for title, seen in wrong]
    if any(seen for _, seen in values):
        wrong = values
    wrong = [(title, seen) for title, seen in wrong if seen]
    found = []
    for checked in exercise.properties:
        where = [title for title, seen in wrong if any(_violates(checked, o) for o in seen)]
        if where and len(where) < len(wrong) and all(where):
            # Titles have commas and colons of their own.
            zh = "、".join(f"“{title.zh}”" for title in where)
            en = ", ".join(f"“{title.en}”" for title in where)
            found.append((checked, SEEN_IN.format(text=checked.text, where=Text(zh, en))))
        elif where:
            found.append((checked, checked.text))
    # Some only say anything where nothing else does.
    return [one for one in found if not one[0].alone] or found


def _is_gradient(seen) -> bool:
    parts = () if seen.prediction is None else seen.prediction.parts
    return bool(parts) and all(p.startswith("d_") or "gradient" in p for p in parts)


def _violates(checked, seen) -> bool:
    if seen.error is not None or _says_nothing(seen.actual, of_words=seen.prediction is None):
        return False
    try:
        with np.errstate(all="ignore"):
            violated = bool(checked.violated(seen))
            if violated and seen.difference and seen.difference.kind == "dtype":
                return not _is_about_values(checked, seen)
            return violated
    except Exception:  # a result of another shape than the property looks at
        return False


def _is_about_values(checked, seen) -> bool:
    """Whether a property complains about numbers that came as integers where floats are wanted.

    They have lost their fractions, so how they were computed can't be seen; only what complains of
    the type itself, and would no longer do so of floats, is worth telling.
    """
    as_floats = _with_floats(seen.actual, seen.expected)
    return as_floats is not None and bool(checked.violated(replace(seen, actual=as_floats)))


def _with_floats(actual, expected):
    """A result with floats where there are integers instead; None where that isn't what is wrong.

    Numbers and the texts beside them stay as they are.
    """
    if isinstance(expected, tuple):
        parts = [_with_floats(a, e) for a, e in zip(actual, expected, strict=True)]
        if all(part is None for part in parts):
            return None
        return tuple(a if p is None else p for a, p in zip(actual, parts, strict=True))
    got, want = np.asarray(actual), np.asarray(expected)
    return got.astype(float) if got.dtype.kind in "iub" and want.dtype.kind == "f" else None


def _says_nothing(tree, of_words: bool) -> bool:
    """Whether there is a None in a result, or, with `of_words`, a text: they break every rule."""
    if isinstance(tree, dict):
        tree = tuple(tree.values())
    if isinstance(tree, (tuple, list)):
        return any(_says_nothing(part, of_words) for part in tree)
    return tree is None or (of_words and isinstance(tree, str))
