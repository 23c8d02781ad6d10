"""How often the term page names a pair in a class in which nobody copied: measured by simulation.

    python tools/term_simulation.py --classes 100 [--students 60] [--exercises 60] [--copies]

The classes are drawn by rules of their own, not by the model inside `autograder term`: an ability
a student (logistic), a difficulty an exercise, mistakes and forms of code with unequal frequencies,
misconceptions that stay with a student, and forms that strong students prefer.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from math import exp
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from autograder.report.term_alike import alike, pair_weights
from autograder.report.term_traits import RIGHT, Trait, Traits

CONCEPTS = 12  # misconceptions that show in many exercises
PLANTED = (("s000", "s001"), ("s002", "s003"))
COPIED = 0.5  # of the exercises, by who copies
ANSWERED = 0.93  # of the answers


def simulated(
    seed: int, students: int = 60, exercises: int = 60, copies: bool = False, unusual: int = 3
) -> tuple[Traits, tuple[tuple[str, str], ...]]:
    """Draw a class's answers.

    Args:
        seed: of the draw.
        students: how many.
        exercises: how many over the term.
        copies: whether two pairs copy half of their answers, mistakes included.
        unusual: how many mistakes that nobody else makes are among what they copy. With 0, who
            copies from somebody strong shares right answers only, which can't be told.

    Returns:
        The answers, and the pairs who copied.
    """
    rng = random.Random(seed)
    people = [f"s{i:03d}" for i in range(students)]
    ability = {who: rng.gauss(1.2, 1.0) for who in people}
    held = {who: {c for c in range(CONCEPTS) if rng.random() < 0.08} for who in people}
    found: Traits = {}
    for number in range(exercises):
        hard = rng.gauss(0, 0.8)
        concept = rng.randrange(CONCEPTS) if rng.random() < 0.4 else None
        named = [f"named:m{number}_{i}" for i in range(rng.randint(2, 6))]
        right_forms, wrong_forms = rng.randint(2, 8), rng.randint(3, 12)
        rows = {}
        for who in people:
            if rng.random() > ANSWERED:
                continue
            if concept in held[who] and rng.random() < 0.7:
                mistake = f"named:concept{concept}"
            elif rng.random() < 1 / (1 + exp(-(ability[who] - hard))):
                mistake = RIGHT
            elif rng.random() < 0.65:
                mistake = _unequal(rng, named)
            else:
                mistake = f"unnamed:{number}_{_unequal(rng, list(range(40)), 0.5)}"
            count = right_forms if mistake == RIGHT else wrong_forms
            # The first form is the reference's: it never counts. Strong students like some more.
            form = int(_unequal(rng, list(range(count))))
            if ability[who] > 2 and rng.random() < 0.3:
                form = min(1, count - 1)
            elif rng.random() < 0.15:
                form = 100 + rng.randrange(10_000)  # a form of one's own
            rows[who] = Trait(mistake, f"f{form}" if form else "")
        if copies:
            for a, b in PLANTED:
                if a in rows and rng.random() < COPIED:
                    rows[b] = rows[a]
        found[f"nb{number // 8}/e{number}"] = rows
    if copies:
        for pair in PLANTED:
            for where in rng.sample(list(found), unusual):
                found[where] |= dict.fromkeys(pair, Trait(f"unnamed:{where}_{pair[0]}", "own"))
    return found, PLANTED if copies else ()


def _unequal(rng, things, steep=1.0):
    return rng.choices(things, [1 / (i + 1) ** steep for i in range(len(things))])[0]


def planted_rank(seed: int, **size) -> int:
    """Return how many pairs of independent students weigh as much as the lightest planted one.

    Args:
        seed: of the class.
        size: as for `simulated`.
    """
    found, planted = simulated(seed, copies=True, **size)
    weights = pair_weights(found)
    least = min(weights[pair] for pair in planted)
    return sum(weight >= least for pair, weight in weights.items() if pair not in planted)


def main() -> int:
    """Simulate classes and print how many show a pair."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classes", type=int, default=100)
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--exercises", type=int, default=60)
    parser.add_argument("--inner", type=int, default=400, help="classes that the report simulates")
    parser.add_argument("--copies", action="store_true", help="plant two pairs who copied")
    parser.add_argument("--unusual", type=int, default=3, help="mistakes of their own among it")
    args = parser.parse_args()
    began, alarms, planted_found, planted_all = time.monotonic(), 0, 0, 0
    for seed in range(args.classes):
        found, planted = simulated(seed, args.students, args.exercises, args.copies, args.unusual)
        shown = {pair.students for pair in alike(found, seed, args.inner).pairs}
        alarms += bool(shown - set(planted))
        planted_found += len(shown & set(planted))
        planted_all += len(planted)
    took = time.monotonic() - began
    print(f"{args.classes} classes of {args.students}, {args.exercises} exercises, {took:.0f} s")
    print(f"classes that show a pair who worked alone: {alarms} ({alarms / args.classes:.1%})")
    if planted_all:
        print(f"pairs who copied and are shown: {planted_found} of {planted_all}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
