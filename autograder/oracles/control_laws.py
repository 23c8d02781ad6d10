"""Classes by lot, one for every word: laws for what is read off them, with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.laws import Anything, Share, Statistical
from autograder.messages import Text
from autograder.oracles import Crash, oracle

FINE = "fine"
AGAIN = Text(
    "又一次出现的词里，类和第一次一样的", "words that occur again, with the class they had"
)
IN_A_CLASS = Text("不同的词里，得到第 {number} 类的", "distinct words that get class {number}")
BESIDE = Text(
    "相邻的两个不同的词里，得到同一类的", "pairs of neighbouring distinct words in one class"
)
SPELLED = Text(
    "只差大小写的两个词里，得到同一类的",
    "pairs of words that differ in capitals only, in one class",
)
FEW_WORDS = Text(
    "只有两个词、两个类时，得到同一类的", "calls with two words and two classes, both in one class"
)


def _chances(num_classes, lots):
    """The probability of every class."""
    even = np.full(num_classes, 1.0)
    if lots == "last_never" and num_classes > 1:
        even[-1] = 0
    elif lots == "first_never" and num_classes > 1:
        even[0] = 0
    elif lots == "ends_rarely":  # rounded: both ends get half of what the others get
        even[[0, -1]] = 0.5
    elif lots == "smaller_of_two":
        even = 2.0 * np.arange(num_classes, 0, -1) - 1
    elif lots == "always_0":
        even[1:] = 0
    return even / even.sum()


def _again(places, chances):
    """The probability that a word has at a later place what it had at the first one."""
    return {"of_words": 1.0, "of_places": float((chances**2).sum())}.get(places, 1.0)


@oracle(parts=("spread",))
def spread(num_classes, *, lots="even", places="of_words", spelling="apart", order="by_lot"):
    """The laws of `outcomes`.

    Args:
        num_classes: int, C.
        lots, places, spelling, order: the switches.

    Returns:
        A `Statistical`.
    """
    chances = _chances(num_classes, lots)
    meet = float((chances**2).sum())
    # Only numbers that come in turn are never equal to their neighbours.
    beside = 0.0 if order == "in_turn" else meet
    laws = {"again": Share(_again(places, chances), AGAIN)}
    for number, chance in enumerate(chances):
        laws[f"class_{number}"] = Share(float(chance), IN_A_CLASS.format(number=number))
    laws["beside"] = Share(beside, BESIDE)
    spelled = 1.0 if spelling == "ignored" else meet
    laws["spelled"] = Anything(SPELLED) if order != "by_lot" else Share(spelled, SPELLED)
    return Statistical(**laws)


def outcomes(words, classes, num_classes):
    """What there is to see, as one array for each law of `spread`.

    Args:
        words: list of str, in which both spellings of some words occur.
        classes: int (n,), what came back.
        num_classes: int.
    """
    first = {}
    again = []
    for word, got in zip(words, classes.tolist(), strict=True):
        if word in first:
            again.append(got == first[word])
        else:
            first[word] = got
    distinct = np.array(list(first.values()))
    half = len(distinct) // 2
    capitals = [word for word in first if word != word.lower() and word.lower() in first]
    plain = [word for word in first if word == word.lower() and word.capitalize() not in first]
    one_of_each = np.array([first[word] for word in (*plain, *capitals)])
    return (
        np.array(again),
        *(one_of_each == number for number in range(num_classes)),
        distinct[: 2 * half : 2] == distinct[1 : 2 * half : 2],
        np.array([first[word] == first[word.lower()] for word in capitals]),
    )


@oracle(parts=("few",))
def few(*, lots="even", order="by_lot", source="rng"):
    """The law of two words that share two classes in many calls: half of them meet.

    Args:
        lots, order, source: the switches.
    """
    chances = _chances(2, lots)
    if order in ("in_turn", "equal_numbers"):
        return Statistical(meet=Share(0.0, FEW_WORDS))
    if source == "fixed":  # all calls are one and the same draw
        return Statistical(meet=Anything(FEW_WORDS))
    return Statistical(meet=Share(float((chances**2).sum()), FEW_WORDS))


@oracle(parts=("form",))
def form(repeats, *, form="array", lots="even"):
    """What comes back, in a word; see `form_of`.

    Args:
        repeats: whether some word occurs more than once.
        form, lots: the switches.

    Raises:
        Crash: where the mistake would raise.
    """
    if form == "error":
        raise Crash
    if form == "array" and lots in ("from_one", "one_more"):
        return np.asarray("outside")
    if form == "for_distinct_words" and not repeats:
        return np.asarray(FINE)
    return np.asarray({"array": FINE}.get(form, form))


def form_of(found, count, distinct, num_classes):
    """What came back, in a word.

    Args:
        found: what came back.
        count: int, n.
        distinct: int, how many different words there are.
        num_classes: int.
    """
    if isinstance(found, dict):
        return np.asarray("dict")
    if isinstance(found, (tuple, list)):
        return np.asarray("list")
    found = np.asarray(found)
    if found.shape == (distinct,) and distinct < count:
        return np.asarray("for_distinct_words")
    if found.shape == (count, num_classes):
        return np.asarray("one_hot")
    if found.shape != (count,):
        return np.asarray("shape")
    if found.dtype.kind not in "iu":
        return np.asarray("floats" if found.dtype.kind == "f" else "other_kind")
    if found.min() < 0 or found.max() >= num_classes:
        return np.asarray("outside")
    return np.asarray(FINE)


@oracle(parts=("repeats",))
def repeats(*, source="rng", words="as_they_stand"):
    """Which two calls agree: one seed; one seed and other hashes of the words; two seeds.

    Args:
        source, words: the switches.
    """
    same, hashed, other = {
        "rng": (True, True, False),
        "another": (False, False, False),
        "fixed": (True, True, True),
        "hashes": (True, False, True),
    }[source]
    if words == "by_hash" and source in ("rng", "fixed"):
        hashed = False
    return np.array((same, hashed, other))


@oracle(parts=("unchanged",))
def unchanged(*, edits="no"):
    """Whether the words are as they were."""
    return np.asarray(edits == "no")
