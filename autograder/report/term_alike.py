"""Answers that are alike in unusual ways, and how often that happens by chance in such a class.

A pair's weight is the sum, over what both share, of -log of how frequent that is in this class
without the two. What it means is found by simulation: classes in which everybody works alone,
with the same students (how often each errs), the same exercises (how often each is missed) and
the same mistakes and forms of code at the same frequencies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.report.term_traits import RIGHT, Traits

FEWEST_STUDENTS = 12  # in a smaller class nothing can be called unusual
CLASSES = 400  # simulated
LIMIT = 0.01  # shown is what at most this part of the simulated classes reaches
MOST_SHARED = 0.1  # of a class; what more people share is not unusual


@dataclass(frozen=True)
class Shared:
    """One thing that both answers of a pair have.

    Args:
        where: "notebook/exercise"; for a named mistake the first place of both.
        kind: "named", "unnamed" or "structure".
        name: the mistake's name, or "".
        holders: how many students of the class have it, the pair included.
        of: how many it could be seen at.
    """

    where: str
    kind: str
    name: str
    holders: int
    of: int


@dataclass(frozen=True)
class Pair:
    """Two students whose answers are alike in unusual ways.

    Args:
        students: their ids, in the order of the ids.
        weight: natural units (nats); each 0.7 halves the chance.
        chance: the part of simulated classes in which any pair is as alike, at most.
        shared: what they share.
    """

    students: tuple[str, str]
    weight: float
    chance: float
    shared: tuple[Shared, ...]


@dataclass(frozen=True)
class Alike:
    """The report.

    Args:
        pairs: above the limit, in the order of the students' ids: it is no ranking.
        students: how many students were compared.
        classes: how many simulated classes stand behind it; 0: too few students.
        threshold: the weight from which a pair is shown (nats).
    """

    pairs: tuple[Pair, ...] = ()
    students: int = 0
    classes: int = 0
    threshold: float = float("inf")


def alike(found: Traits, seed: int = 0, classes: int = CLASSES) -> Alike:
    """Find pairs that are alike beyond what a class like this shows by chance.

    Args:
        found: what everybody's answers are like.
        seed: of the simulation; equal input gives equal output.
        classes: how many to simulate.

    Returns:
        The pairs, with what they share and the chance of it.
    """
    table = _Table(found)
    count = len(table.people)
    if count < FEWEST_STUDENTS:
        return Alike(students=count)
    weights = table.weights([(m[None], f[None]) for m, f in table.cells])[0]
    rng, highest = np.random.default_rng(seed), []
    at_once = max(1, min(classes, 2_000_000 // count**2))
    for first in range(0, classes, at_once):
        drawn = table.draw(rng, min(at_once, classes - first))
        highest.append(table.weights(drawn).max(axis=(1, 2)))
    highest = np.concatenate(highest)
    # Strictly above it lie fewer simulated classes than the limit allows.
    threshold = float(np.sort(highest)[-max(1, int(LIMIT * classes))])
    pairs = []
    for a, b in zip(*np.nonzero(np.triu(weights, 1) > threshold + 1e-4), strict=True):
        above = int((highest >= weights[a, b] - 1e-4).sum())
        both = (table.people[a], table.people[b])
        shared = _shared(found, table, *both)
        pairs.append(Pair(both, float(weights[a, b]), (above + 1) / (classes + 1), shared))
    return Alike(tuple(pairs), count, classes, threshold)


def pair_weights(found: Traits) -> dict[tuple[str, str], float]:
    """Return the weight of every pair (nats), for tests and simulations.

    Args:
        found: what everybody's answers are like.
    """
    table = _Table(found)
    weights = table.weights([(m[None], f[None]) for m, f in table.cells])[0]
    upper = zip(*np.triu_indices(len(table.people), 1), strict=True)
    return {(table.people[a], table.people[b]): float(weights[a, b]) for a, b in upper}


class _Table:
    """The answers as numbers, and a class like this one in which everybody works alone.

    Mistakes are -1 (no answer), 0 (right), 1 to `named` (a name, the same in every exercise) or
    more (unnamed); forms are 0 where they don't count.
    """

    def __init__(self, found: Traits):
        self.people = sorted({who for rows in found.values() for who in rows})
        self.places = list(found)
        place = {who: i for i, who in enumerate(self.people)}
        mistakes = {trait.mistake for rows in found.values() for trait in rows.values()} - {RIGHT}
        order = sorted(mistakes, key=lambda name: (not name.startswith("named:"), name))
        self.codes = {RIGHT: 0} | {name: i + 1 for i, name in enumerate(order)}
        self.named = sum(name.startswith("named:") for name in order)
        forms = {"": 0}
        self.cells = []  # by exercise: everybody's mistake, everybody's form
        seen = np.zeros((self.named + 1, len(self.people)), bool)
        for rows in found.values():
            mistake = np.full(len(self.people), -1)
            form = np.zeros(len(self.people), int)
            for who, trait in rows.items():
                mistake[place[who]] = self.codes[trait.mistake]
                form[place[who]] = forms.setdefault(trait.structure, len(forms))
            self.cells.append((mistake, form))
            seen[[m for m in set(mistake) if 0 < m <= self.named]] |= mistake >= 0
        self.seen = seen.sum(axis=1)  # by name: how many could have shown it
        self.most = max(2, int(MOST_SHARED * len(self.people)))

    def weights(self, cells: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
        """The weights of all pairs (nats): classes × students × students."""
        classes, count = cells[0][0].shape
        total = np.zeros((classes, count, count), np.float32)
        # A mistake that somebody keeps making is one mistake, however often it shows.
        held = np.zeros((classes, count, self.named + 1), np.float32)
        for mistake, form in cells:
            rows, people = np.nonzero((mistake > 0) & (mistake <= self.named))
            held[rows, people, mistake[rows, people]] = 1
            same = mistake[:, :, None] == mistake[:, None, :]
            holders = same.sum(axis=2)
            answered = (mistake >= 0).sum(axis=1, keepdims=True)
            gain = self._gain(holders, answered) * (mistake > self.named)
            total += same * gain[:, :, None]
            # Among those of the same mistake: that they share it is counted already.
            same &= form[:, :, None] == form[:, None, :]
            gain = self._gain(same.sum(axis=2), holders) * ((form > 0) & (mistake >= 0))
            total += same * gain[:, :, None]
        gain = self._gain(held.sum(axis=1), self.seen[None])
        total += (held * gain[:, None, :]) @ held.transpose(0, 2, 1)
        total[:, range(count), range(count)] = 0
        return total

    def _gain(self, holders, among) -> np.ndarray:
        """What sharing it weighs: -log of its frequency, the two themselves left out."""
        # One is added to the others, so that nothing is impossible.
        weight = np.log(np.maximum(among, 1) / np.maximum(holders - 1, 1))
        return np.where((holders >= 2) & (holders <= self.most), weight, 0).astype(np.float32)

    def draw(self, rng, classes: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Answers of several such classes."""
        answered = sum((mistake >= 0).astype(int) for mistake, _ in self.cells)
        missed = sum((mistake > 0).astype(int) for mistake, _ in self.cells)
        overall = (missed.sum() + 1) / (answered.sum() + 2)
        # One answer more of the average kind: nobody errs always or never.
        ability = _odds((missed + overall) / (answered + 1))
        drawn = []
        for mistake, form in self.cells:
            there, pool = mistake >= 0, mistake[mistake > 0]
            hard = _odds((len(pool) + overall) / (there.sum() + 1))
            odds = ability * hard / _odds(overall)
            shape = (classes, len(mistake))
            wrong = (rng.random(shape) < odds / (1 + odds)) & there
            errs = rng.choice(pool, shape) if len(pool) else np.zeros(shape, int)
            new = np.where(there, np.where(wrong, errs, 0), -1)
            forms = np.zeros(shape, int)
            for one in {0, *pool.tolist()}:
                choice = form[mistake == one]
                if len(choice):
                    forms = np.where(new == one, rng.choice(choice, shape), forms)
            drawn.append((new, forms))
        return drawn


def _shared(found: Traits, table: _Table, a: str, b: str) -> tuple[Shared, ...]:
    """What two students share that few others have; the rarest first."""
    things, names = [], {}
    for where, rows in found.items():
        for who in (a, b):
            if who in rows and rows[who].mistake.startswith("named:"):
                names.setdefault(rows[who].mistake, {}).setdefault(who, where)
        if a not in rows or b not in rows or rows[a].mistake != rows[b].mistake:
            continue
        same = [trait for trait in rows.values() if trait.mistake == rows[a].mistake]
        if rows[a].mistake.startswith("unnamed:"):
            things.append(Shared(where, "unnamed", "", len(same), len(rows)))
        if rows[a].structure and rows[a].structure == rows[b].structure:
            alike = sum(trait.structure == rows[a].structure for trait in same)
            things.append(Shared(where, "structure", "", alike, len(same)))
    for name, places in names.items():
        if len(places) == 2:
            holders = {
                who for rows in found.values() for who, one in rows.items() if one.mistake == name
            }
            code = table.codes[name]
            bare = name.removeprefix("named:")
            count, among = len(holders), int(table.seen[code])
            things.append(Shared(places[a], "named", bare, count, among))
    things = [one for one in things if one.holders <= table.most]
    return tuple(sorted(things, key=lambda one: (one.holders / one.of, one.where)))


def _odds(chance):
    return chance / (1 - chance)
