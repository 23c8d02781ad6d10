"""Draws what a whole class hands in over a term: for `demo_term.py`; grades and runs nothing."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp

from autograder.chapters import is_drill
from autograder.variants import Variant

FAMILY = (
    "王",
    "李",
    "张",
    "刘",
    "陈",
    "杨",
    "赵",
    "黄",
    "周",
    "吴",
    "Weber",
    "Rossi",
    "Novak",
    "Silva",
    "Okafor",
    "Larsen",
)
GIVEN = (
    "明远",
    "思雨",
    "子涵",
    "一鸣",
    "若溪",
    "Ada",
    "Ben",
    "Clara",
    "David",
    "Emil",
    "Fatma",
    "Grace",
    "Hugo",
    "Iris",
)


@dataclass
class Person:
    """One invented student.

    Args:
        id, name: as in the roster.
        ability: logits; 0 means that every second average exercise comes out right.
        diligence: chance that a notebook is handed in.
        held: misconceptions that return until they are corrected.
    """

    id: str
    name: str
    ability: float
    diligence: float
    held: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Work:
    """What one student hands in for one notebook.

    Args:
        student, notebook: ids.
        texts: the answers by exercise; a blank one is absent.
        drawn: "right", "named", "unnamed" or "hung" by exercise, "blank" for absent ones.
        names: the mistakes that must be told, by exercise.
        days: handed in so many days after the due date; 0 or less is in time.
        again: whether it is handed in a second time, then without mistakes.
    """

    student: str
    notebook: str
    texts: dict[str, str]
    drawn: dict[str, str]
    names: dict[str, tuple[str, ...]]
    days: int = 0
    again: bool = False


@dataclass(frozen=True)
class Book:
    """A notebook to draw from.

    Args:
        id: its id.
        references: the right answer of every exercise, in order.
        variants: right and wrong answers, by exercise; none for drills.
        functions: exercises that are plain functions.
    """

    id: str
    references: dict[str, str]
    variants: dict[str, list[Variant]]
    functions: tuple[str, ...] = ()


def people(count: int, rng: random.Random) -> list[Person]:
    """Invent a class.

    Args:
        count: how many students.
        rng: draws everything.
    """
    return [
        Person(
            f"s{i:03d}",
            f"{rng.choice(FAMILY)} {rng.choice(GIVEN)}",
            rng.gauss(1.3, 1.0),
            min(1.0, max(0.4, rng.gauss(0.93, 0.1))),
        )
        for i in range(count)
    ]


def term(
    books: Sequence[Book], count: int, rng: random.Random
) -> tuple[list[Person], list[Work], dict]:
    """Draw a term.

    Args:
        books: the notebooks, in order.
        count: how many students; at least 6.
        rng: draws everything.

    Returns:
        The people, what they hand in, and what was planted.

    Raises:
        ValueError: fewer than 6 students.
    """
    if count < 6:
        raise ValueError(
            f"{count} students are too few for two pairs and a hung answer; 6 at least"
        )
    class_, works = people(count, rng), []
    returning = _returning(books)
    for one in class_:
        one.held = {name for name in returning if rng.random() < 0.1}
    pairs = ((class_[0].id, class_[1].id), (class_[2].id, class_[3].id))
    copied = {a for a, _ in pairs}
    for one in class_[:4]:  # who copies and who is copied from hands everything in
        one.diligence, one.ability = 1.0, 0.3
    for number, book in enumerate(books):
        hard = {name: rng.gauss(0, 0.8) for name in book.references}
        done = {}
        for one in class_:
            if rng.random() > one.diligence:
                continue
            done[one.id] = _work(one, book, hard, rng, rare=one.id in copied)
        for which, (a, b) in enumerate(pairs):
            done[b] = _copy(done[a], b, renamed=which == 1)
        if number == 0 and book.functions:
            done.setdefault(class_[4].id, _work(class_[4], book, hard, rng))
            _hang(done[class_[4].id], book.functions[0])
        works += [_signed(work, rng) for work in done.values()]
    planted = {
        "copies": [list(pair) for pair in pairs],
        "names_changed": list(pairs[1]),
        "hung": [class_[4].id, books[0].id, books[0].functions[0]] if books[0].functions else None,
        "misconceptions": {one.id: sorted(one.held) for one in class_ if one.held},
    }
    return class_, works, planted


def _returning(books: Sequence[Book]) -> list[str]:
    """Misconceptions that two notebooks at least can show."""
    places: dict[str, set[str]] = {}
    for book in books:
        for variants in book.variants.values():
            for one in variants:
                for name in () if one.right else one.names:
                    places.setdefault(name, set()).add(book.id)
    return sorted(name for name, where in places.items() if len(where) > 1)


def _work(one: Person, book: Book, hard, rng, rare: bool = False) -> Work:
    """What a student does alone."""
    late = rng.choice((1, 2, 3)) if rng.random() < 0.1 else 0
    work = Work(one.id, book.id, {}, {}, {}, late, again=rng.random() < 0.04)
    for exercise, reference in book.references.items():
        pool = book.variants.get(exercise, [])
        wrong = [v for v in pool if not v.right]
        persists = [v for v in wrong if one.held & set(v.names)]
        if persists:
            _take(work, exercise, rng.choice(persists), reference)
            if rng.random() < 0.3:  # the feedback was read
                one.held -= set(persists[0].names)
        elif rng.random() < 1 / (1 + exp(-(one.ability - hard[exercise]))) or is_drill(exercise):
            forms = [None, None, None] + [v for v in pool if v.right]
            _take(work, exercise, rng.choice(forms), reference)
        elif rng.random() < 0.12 or not wrong:
            work.drawn[exercise] = "blank"
        else:
            # The first are made by many; those at the end of the list are unusual.
            usual = [1 / (i + 1) for i in range(len(wrong))]
            chosen = wrong[-1] if rare else rng.choices(wrong, usual)[0]
            _take(work, exercise, chosen, reference)
    return work


def _take(work: Work, exercise: str, variant: Variant | None, reference: str) -> None:
    work.texts[exercise] = variant.text(reference) if variant else reference
    right = variant is None or variant.right
    work.drawn[exercise] = "right" if right else "named" if variant.names else "unnamed"
    if not right and variant.names:
        work.names[exercise] = tuple(variant.names)


def _copy(work: Work, student: str, renamed: bool) -> Work:
    """The same by somebody else, perhaps with names changed."""
    texts = {e: rename(text) if renamed else text for e, text in work.texts.items()}
    return Work(student, work.notebook, texts, dict(work.drawn), dict(work.names), work.days)


def _hang(work: Work, exercise: str) -> None:
    work.texts[exercise] = f"def {exercise}(*things, **more):\n    while True:\n        pass\n"
    work.drawn[exercise] = "hung"
    work.names.pop(exercise, None)


def _signed(work: Work, rng: random.Random) -> Work:
    """A comment in every cell: no two submissions are the same text, so none is graded for two."""
    for exercise, text in work.texts.items():
        note = f"# {work.student}, {rng.randrange(10**6)}"
        work.texts[exercise] = text.rstrip("\n") + f"\n{note}\n"
    return work


def rename(text: str) -> str:
    """Give every local variable another name; what callers can see stays.

    Args:
        text: Python code.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    stored, kept = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inner = (n for n in ast.walk(node) if isinstance(n, ast.Name))
            stored |= {n.id for n in inner if isinstance(n.ctx, ast.Store)}
        elif isinstance(node, (ast.arg, ast.keyword)):
            kept.add(node.arg)
        elif isinstance(node, ast.Attribute):
            kept.add(node.attr)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            kept |= set(node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            kept |= set(re.findall(r"\w+", node.value))  # a word of a text stays a word
    for name in sorted(stored - kept):
        text = re.sub(rf"\b{re.escape(name)}\b", f"{name}_mine", text)
    return text
