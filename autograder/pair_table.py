"""Two mistakes at once: how many of all pairs are told by name.

Every pair of misconceptions that can be made together is acted out by the oracles, and what comes
out is diagnosed like a student's answer. No code is run but the reference, once, to learn which
results the cases look at.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np

from autograder import answers
from autograder.compare import difference, matches
from autograder.diagnose import diagnose
from autograder.exercise import Exercise
from autograder.expectations import Evidence, Observation, collecting, stop_collecting
from autograder.handle import Handle
from autograder.hypotheses import Hypothesis, acted_out, singles
from autograder.judge import case_rng
from autograder.laws import Statistical
from autograder.oracles import Crash
from autograder.results import StudentError

# What can become of a pair, in the order of the table.
FATES = ("named", "tie", "partly", "located", "silent", "alike", "wrong")


@dataclass(frozen=True)
class PairOutcome:
    """How one pair fared.

    Args:
        made: the two names.
        showing: those of them that show in some result.
        fate: `named` (just what shows), `tie` (among others, said as a tie), `partly` (part of it
            and nothing else), `located` (no name, but a property), `silent`, `alike` (something
            else that gives the very same results) or `wrong` (a name that isn't among them).
        told: the names that were told.
    """

    made: tuple[str, str]
    showing: tuple[str, ...]
    fate: str
    told: tuple[str, ...]


def rehearse(exercise: Exercise, handle: Handle, seed: int) -> list[Evidence]:
    """Run the cases on the right answer and keep what they look at.

    Raises:
        ValueError: the answer isn't right, so nothing can be learned from it.
    """
    found = []
    for case in exercise.cases:
        if not case.points:
            continue
        evidence = Evidence()
        token = collecting(evidence)
        try:
            case.run(handle, case_rng(exercise, case, seed))
        except Exception as error:
            raise ValueError(f"{exercise.id}, {case.name}: the reference fails: {error}") from error
        finally:
            stop_collecting(token)
        found.append(evidence)
    return found


def rehearsed(exercise: Exercise, exercises: list[Exercise], open_transport, seed: int):
    """The evidence of the reference answer, run behind a transport of its own."""
    key = exercise.variants[0] if exercise.variants else None
    where = {} if key is None else {"seed": answers.seed_of_bug(exercise, key)}
    transport = open_transport()
    try:
        for cell in answers.preparation(exercise, exercises):
            transport.run(cell)
        transport.run(answers.reference(exercise, **where))
        return rehearse(exercise, Handle(transport, exercise, key), seed)
    finally:
        transport.close()


def acted(evidence: list[Evidence], switch: dict, rng) -> list[Evidence] | None:
    """What the cases would have seen of an answer with this mistake; None where it can't be made.

    A case ends at the first thing that is wrong, as it does with a student.
    """
    played = []
    for case in evidence:
        seen = Evidence()
        for right in case.observations:
            if right.prediction is None:
                continue
            result = acted_out(switch, right)
            if result is None:
                return None
            seen.observations.append(_observed(right, result, rng))
            if not seen.observations[-1].right:
                break
        played.append(seen)
    return played


def _observed(right: Observation, result, rng) -> Observation:
    if isinstance(result, Crash):
        error = StudentError(result.types[0] if result.types else "ValueError", "acted out")
        return replace(right, actual=None, error=error, difference=None)
    if isinstance(result, Statistical):
        result = result.draw(rng, right.actual)
        misfit = right.prediction.value.misfit(result, right.alpha)
        return replace(right, actual=result, difference=misfit)
    found = difference(
        result, right.expected, right.prediction.parts, atol=right.atol, rtol=right.rtol
    )
    return replace(right, actual=result, difference=found)


def pair_outcomes(exercise: Exercise, evidence: list[Evidence], limit: int | None = None):
    """Diagnose every pair of misconceptions, each in its commonest form.

    Args:
        exercise: with its misconceptions.
        evidence: of the right answer; see `rehearse`.
        limit: so many pairs at most, chosen evenly; None means all.

    Yields:
        A `PairOutcome` for each pair that can be made and shows.
    """
    forms = [form for form in singles(exercise.misconceptions.values()) if form.rank == 0]
    forms = [form for form in forms if not form.random]
    joined = [(a, b, a.with_another(b)) for a, b in itertools.combinations(forms, 2)]
    joined = [(a, b, both) for a, b, both in joined if both]
    if limit is not None and len(joined) > limit:
        chosen = np.random.default_rng(0).choice(len(joined), limit, replace=False)
        joined = [joined[i] for i in sorted(chosen)]
    alone = {form.names: acted(evidence, form.switch, np.random.default_rng(0)) for form in forms}
    for a, b, both in joined:
        played = acted(evidence, both.switch, np.random.default_rng(0))
        if played is not None:
            outcome = _outcome(exercise, both, played, alone[a.names], alone[b.names])
            if outcome:
                yield outcome


def _outcome(exercise, both: Hypothesis, played, first, second) -> PairOutcome | None:
    seen = [o for case in played for o in case.observations]
    if all(o.right for o in seen) or all(o.error for o in seen):
        return None  # they cancel out, or nothing but errors is left
    showing = both.names
    if first is not None and _identical(played, first):
        showing = both.names[:1]
    elif second is not None and _identical(played, second):
        showing = both.names[1:]
    told = diagnose(exercise, played)
    return PairOutcome(
        both.names, showing, _fate(set(both.names), set(showing), told), tuple(told.named)
    )


def _fate(made: set[str], showing: set[str], told) -> str:
    named = set(told.named)
    if not named:
        return "located" if told.properties else "silent"
    if named in (showing, made) and told.certainty in ("exact", "pair"):
        return "named"
    if told.certainty == "one_of" and showing <= named:
        return "tie"
    if named <= showing:
        return "partly"
    # What is told for sure is known to give these very results.
    return "alike" if told.certainty in ("exact", "pair") else "wrong"


def _identical(one: list[Evidence], other: list[Evidence]) -> bool:
    pairs = [(a.observations, b.observations) for a, b in zip(one, other, strict=True)]
    return all(
        len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True)) for a, b in pairs
    )


def _same(x: Observation, y: Observation) -> bool:
    if x.error or y.error:
        return bool(x.error) == bool(y.error)
    if isinstance(x.prediction.value, Statistical):
        return x.right == y.right
    return matches(x.actual, y.actual, atol=x.atol, rtol=x.rtol)


def pair_row(exercise: Exercise, outcomes: list[PairOutcome]) -> dict:
    """The exercise's line of the table."""
    counts = {fate: sum(o.fate == fate for o in outcomes) for fate in FATES}
    bad = [o for o in outcomes if o.fate in ("wrong", "alike", "silent")]
    return {
        "id": exercise.id,
        "pairs": len(outcomes),
        **counts,
        "notable": [[*o.made, o.fate, *o.told] for o in bad],
    }


def pairs_as_text(rows: list[dict]) -> str:
    """The table for people, in Markdown."""
    total = {"id": "**all**", **{k: sum(r[k] for r in rows) for k in ("pairs", *FATES)}}
    names = ("exercise", "pairs", "named", "as a tie", "one of the two", "located", "nothing")
    lines = ["| " + " | ".join((*names, "another alike", "wrong")) + " |", "|---" * 9 + "|"]
    for row in [*rows, total]:
        share = f" ({(row['named'] + row['tie']) / row['pairs']:.0%})" if row["pairs"] else ""
        cells = [row["id"], row["pairs"], f"{row['named']}{share}", *(row[f] for f in FATES[1:])]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)
