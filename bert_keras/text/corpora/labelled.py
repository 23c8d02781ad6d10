"""The shapes of labelled examples: one for each kind of task, whichever set they come from.

Every loader of a labelled set returns `{"train": […], "dev": […], "test": […]}`, lists of one of
the tuples below. So a model, a measure or a baseline written for one set of a kind works for all.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

SPLITS = ("train", "dev", "test")

Row = TypeVar("Row")


class LabelledText(NamedTuple):
    """A text and what to say about it.

    Attributes:
        text: str, NFKC-normalised.
        label: int class number, or float for a regression.
    """

    text: str
    label: int | float


class TaggedTokens(NamedTuple):
    """A sentence with one tag for each token.

    Attributes:
        tokens: tuple of str, characters (Chinese) or words (English).
        tags: tuple of str of the same length; `B-PER` begins a name, `I-PER` continues it, `O` is
            outside.
    """

    tokens: tuple[str, ...]
    tags: tuple[str, ...]


class Question(NamedTuple):
    """A question whose answer is a stretch of a text.

    Attributes:
        context: str, the text.
        question: str.
        answer: str, equal to `context[start : start + len(answer)]`; empty if the text has none.
        start: int, offset in characters, -1 if the text has no answer.
        also: tuple of str, further answers that count as right.
    """

    context: str
    question: str
    answer: str
    start: int
    also: tuple[str, ...] = ()


class Command(NamedTuple):
    """What somebody says to an assistant, what they want, and with which details.

    Attributes:
        text: str; tokens are its words or, where there is no space between them, its characters.
        intent: str, name of the intention.
        slots: tuple of str, a BIO tag for each token.
    """

    text: str
    intent: str
    slots: tuple[str, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """Tuple of str, as long as `slots`: the words of the text, or its characters."""
        words = tuple(self.text.split(" "))
        return words if len(words) == len(self.slots) else tuple(self.text)

    @property
    def tagged(self) -> TaggedTokens:
        """`TaggedTokens`, the slots as a task of their own."""
        return TaggedTokens(self.tokens, self.slots)


class Pair(NamedTuple):
    """Two texts and how they relate.

    Attributes:
        a: str.
        b: str.
        label: int; for paraphrases 1 = the same, 0 = not; for inference 0 = entailment,
            1 = neutral, 2 = contradiction. A float where it says how alike they are.
    """

    a: str
    b: str
    label: int | float


class Choice(NamedTuple):
    """A text with several continuations or answers, one of which is right.

    Attributes:
        context: str.
        choices: tuple of str.
        label: int, index of the right choice.
    """

    context: str
    choices: tuple[str, ...]
    label: int


def normalise(text: str) -> str:
    """Text after NFKC normalisation, without space around it.

    Args:
        text: any string.

    Returns:
        The text, normalised.
    """
    return unicodedata.normalize("NFKC", text).strip()


def unique(rows: Iterable[Row], key: Callable[[Row], Hashable] | None = None) -> list[Row]:
    """The first of each group of equal rows, in their order.

    Args:
        rows: the rows.
        key: what makes rows equal; None: the whole row.

    Returns:
        List of rows.
    """
    found: dict[Hashable, Row] = {}
    for row in rows:
        found.setdefault(row if key is None else key(row), row)
    return list(found.values())


def split_rows(rows: Iterable[Row], seed: int = 13) -> dict[str, list[Row]]:
    """Shuffle rows and cut them 80/10/10.

    They are sorted first, so the split depends on the rows and not on the order of a file.

    Args:
        rows: sortable rows without repetition.
        seed: which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`.
    """
    ordered = sorted(rows)
    random.Random(seed).shuffle(ordered)
    held_out = len(ordered) // 10
    return {
        "train": ordered[2 * held_out :],
        "dev": ordered[held_out : 2 * held_out],
        "test": ordered[:held_out],
    }


def split_groups(groups: Mapping[Hashable, Sequence[Row]], seed: int = 13) -> dict[str, list[Row]]:
    """Cut rows about 80/10/10 so that rows of one group stay together.

    Args:
        groups: rows under what they have in common: an article, a template.
        seed: which split.

    Returns:
        `{"train": […], "dev": […], "test": […]}`.
    """
    names = list(groups)
    random.Random(seed).shuffle(names)
    held_out = sum(map(len, groups.values())) // 10
    parts: dict[str, list[Row]] = {name: [] for name in SPLITS}
    for name in names:
        part = next((p for p in ("test", "dev") if len(parts[p]) < held_out), "train")
        parts[part] += groups[name]
    return parts


def deal(items: Iterable[Row], rng: random.Random, share: float = 0.2) -> dict[str, list[Row]]:
    """Deal the building blocks of a generated set out to its parts, so that no two parts share one.

    Args:
        items: names, carrier sentences and the like, at least three.
        rng: decides who gets what.
        share: how much of them dev and test get each, at least one.

    Returns:
        `{"train": […], "dev": […], "test": […]}`.
    """
    shuffled = list(items)
    rng.shuffle(shuffled)
    held_out = max(1, round(len(shuffled) * share))
    return {
        "train": shuffled[2 * held_out :],
        "dev": shuffled[held_out : 2 * held_out],
        "test": shuffled[:held_out],
    }


def generate(
    make: Callable[[str], Row | None], size: int, key: Callable[[Row], Hashable]
) -> dict[str, list[Row]]:
    """Call a generator until each part has enough different rows.

    Args:
        make: makes a row of the part it is given, or None: try again.
        size: rows of train; dev and test get an eighth of it each, at least one.
        key: what makes rows equal.

    Returns:
        `{"train": […], "dev": […], "test": […]}`; fewer rows where the generator repeats itself.
    """
    parts: dict[str, list[Row]] = {name: [] for name in SPLITS}
    seen: set[Hashable] = set()
    for name in reversed(SPLITS):
        wanted = size if name == "train" else max(1, size // 8)
        for _ in range(20 * wanted):
            if len(parts[name]) == wanted:
                break
            row = make(name)
            if row is not None and key(row) not in seen:
                seen.add(key(row))
                parts[name].append(row)
    return parts


def without_overlap(
    parts: dict[str, list[Row]], key: Callable[[Row], Hashable]
) -> dict[str, list[Row]]:
    """Drop training rows that repeat a held-out row, and rows that repeat within a part.

    Args:
        parts: `{"train": […], "dev": […], "test": […]}`.
        key: what makes rows equal.

    Returns:
        The same without repetition: a key is in one part only, test before dev before train.
    """
    result: dict[str, list[Row]] = {}
    seen: set[Hashable] = set()
    for name in reversed(SPLITS):
        result[name] = [row for row in unique(parts.get(name, ()), key) if key(row) not in seen]
        seen.update(key(row) for row in result[name])
    return {name: result[name] for name in SPLITS}


def entities(tags: Sequence[str]) -> set[tuple[int, int, str]]:
    """The named stretches of a BIO (or BIOES, BMES) sequence.

    A stretch that begins without its B tag counts too, as in the CoNLL measure.

    Args:
        tags: sequence of str.

    Returns:
        Set of (start, end, type); `end` is exclusive.
    """
    found, start, kind = set(), 0, None
    for position, tag in enumerate([*tags, "O"]):
        prefix, _, name = tag.partition("-")
        inside = prefix in ("I", "M", "E") and name == kind
        if kind is not None and not inside:
            found.add((start, position, kind))
            kind = None
        if name and kind is None:
            start, kind = position, name
    return found


def entity_f1(gold: Iterable[Sequence[str]], predicted: Iterable[Sequence[str]]) -> float:
    """Micro-averaged F1 over whole names: right only if both ends and the type are.

    Args:
        gold: sequences of tags.
        predicted: as many sequences of the same lengths.

    Returns:
        Float in 0..1; 0 when nothing is named anywhere.

    Reference:
        Tjong Kim Sang & De Meulder (2003), https://aclanthology.org/W03-0419/
    """
    right = named = wanted = 0
    for truth, guess in zip(gold, predicted, strict=True):
        truth, guess = entities(truth), entities(guess)
        right += len(truth & guess)
        named += len(guess)
        wanted += len(truth)
    return 2 * right / (named + wanted) if named + wanted else 0.0
