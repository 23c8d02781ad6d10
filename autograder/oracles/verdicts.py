"""A claim judged by what was found about it, in NumPy, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle


def judged(shares, way="right"):
    """What the planted judge says of some texts: float (n, 3).

    Asked with text and claim exchanged it is as sure of something else.
    """
    return np.roll(shares, 1, axis=1) if way == "exchanged" else shares


def _found(plan, texts, count, search):
    """Numbers of the texts that are asked about, in order."""
    return {
        "every_text": lambda: list(range(len(texts))),
        "whole_plan": lambda: list(plan),
        "the_best": lambda: list(plan[:1]),
        "by_number": lambda: sorted(plan[:count]),
        "one_less": lambda: list(plan[: max(0, count - 1)]),
        "two": lambda: list(plan[:2]),
        "three": lambda: list(plan[:3]),
        "five": lambda: list(plan[:5]),
        "all_there_are": lambda: list(plan[: len(texts)]),
    }.get(search, lambda: list(plan[:count]))()


def _sure(shares, decides):
    """How much each text weighs in the choice of the one that decides."""
    return {
        "surest_of_three": lambda: shares.max(axis=1),
        "support_only": lambda: shares[:, 0],
        "refutal_only": lambda: shares[:, 1],
        "least_unknown": lambda: -shares[:, 2],
        "difference": lambda: np.abs(shares[:, 0] - shares[:, 1]),
        "least_sure": lambda: -shares[:, :2].max(axis=1),
    }.get(decides, lambda: shares[:, :2].max(axis=1))()


def _deciding(shares, decides, equals):
    """The place of the text that decides."""
    if decides == "first":
        return 0
    if decides == "last":
        return len(shares) - 1
    if decides == "first_told":
        told = np.flatnonzero(shares.argmax(axis=1) < 2)
        return int(told[0]) if len(told) else 0
    if decides == "surest_told":
        weight = np.where(shares.argmax(axis=1) < 2, shares[:, :2].max(axis=1), -1.0)
    else:
        weight = _sure(shares, decides)
    if equals == "later":
        return len(weight) - 1 - int(np.argmax(weight[::-1]))
    return int(np.argmax(weight))


def _unknown(share, shares, enough):
    """Whether it is said that there is not enough information."""
    sure = share[:2].max()
    return bool(
        {
            "never": False,
            "half": sure < 0.5,
            "more_than_half": share[2] > 0.5,
            "at_least": share[2] >= sure,
            "either": share[2] > share[:2].min(),
            "any": (shares[:, 2] > shares[:, :2].max(axis=1)).any(),
            "inverted": share[2] < sure,
            "support": share[2] > share[0],
        }.get(enough, share[2] > sure)
    )


def _pooled(shares, numbers, pooled):
    """Label and number where all texts are taken together."""
    votes = shares.argmax(axis=1)
    if pooled == "votes":
        label = int(np.bincount(votes, minlength=3).argmax())
    else:
        whole = {"mean": shares.mean(axis=0), "product": np.log(shares + 1e-12).sum(axis=0)}
        whole["largest"] = shares.max(axis=0)
        label = int(whole[pooled].argmax())
    if label == 2:
        return 2, -1
    return label, numbers[int(shares[:, label].argmax())]


@oracle(parts=("label", "number"))
def verify_claim(
    texts,
    plan,
    shares,
    count,
    *,
    search="count",
    way="right",
    decides="surest",
    equals="earlier",
    enough="larger",
    pooled="no",
    label="right",
    number="of_the_text",
    unknown_number="minus_one",
    nothing="unknown",
    returned="pair",
):
    """Label and number of the evidence, int () each, unless a switch says otherwise.

    Args:
        texts: list of str.
        plan: numbers of texts, as they would be found.
        shares: float (number of texts, 3).
        count: int.
        search, way, decides, equals, enough, pooled, label, number, unknown_number, nothing,
            returned: the switches.

    Raises:
        Crash: where nothing is found and the mistake doesn't expect that.
    """
    numbers = _found(plan, texts, count, search)
    if not numbers:
        if nothing == "error":
            raise Crash
        said = {"supported": (0, -1), "refuted": (1, -1), "zero": (2, 0)}.get(nothing, (2, -1))
    else:
        found = judged(np.asarray(shares)[numbers], way)
        if pooled != "no":
            said = _pooled(found, numbers, pooled)
        else:
            place = _deciding(found, decides, equals)
            share = found[place]
            where = {
                "rank": place,
                "from_one": numbers[place] + 1,
                "looked_up": texts.index(texts[numbers[place]]),
                "first_found": numbers[0],
            }.get(number, numbers[place])
            verdict = {
                "exchanged": int(share[0] > share[1]),
                "supported": 0,
                "refuted_if_equal": int(share[1] >= share[0]),
            }.get(label, int(share[1] > share[0]))
            said = (verdict, where)
            if _unknown(share, found, enough):
                said = (2, where if unknown_number == "of_the_text" else -1)
                if unknown_number == "zero":
                    said = (2, 0)
    one, other = (np.asarray(each) for each in said)
    return {
        "exchanged": lambda: (other, one),
        "label_only": lambda: one,
        "number_only": lambda: other,
    }.get(returned, lambda: (one, other))()


@oracle(parts=("too_often",))
def asked_too_often(
    texts, plan, shares, count, *, search="count", asking="once", nothing="unknown"
):
    """How much more often than needed each text is asked about: int (number of texts,).

    Args:
        texts, plan, shares, count, search, nothing: as for `verify_claim`.
        asking: the switch: once, or `twice`, or the deciding one again, or every text first.

    Raises:
        Crash: as `verify_claim` does.
    """
    numbers = _found(plan, texts, count, search)
    if not numbers and nothing == "error":
        raise Crash
    asked = list(numbers)
    if asking == "twice":
        asked = asked * 2
    if asking == "deciding_again" and numbers:
        asked.append(numbers[_deciding(np.asarray(shares)[numbers], "surest", "earlier")])
    if asking == "every_text_instead":
        asked = list(range(len(texts)))
    if asking == "every_text_first":
        asked += range(len(texts))
    return excess(texts, plan[:count], _counted(texts, asked))


def _counted(texts, numbers):
    """How often each text is among these numbers, at its first place."""
    found = np.zeros(len(texts), np.int64)
    for number in numbers:
        found[texts.index(texts[number])] += 1
    return found


def excess(texts, numbers, asked):
    """What exceeds one question about each of these numbers: int (number of texts,).

    To ask less often is no mistake: what decides may be known before the end.
    """
    return np.maximum(np.asarray(asked, np.int64) - _counted(texts, numbers), 0)


@oracle(parts=("searched",))
def searched(texts, plan, *, search="count"):
    """Whether the search that was handed in is asked at all, where there are texts: bool ()."""
    return np.asarray(search != "of_my_own")


@oracle(parts=("handed",))
def handed(texts, plan, count, *, search="count", nothing="unknown"):
    """Whether every count that was handed to the search is the one that was given: bool ().

    Raises:
        Crash: as `verify_claim` does.
    """
    if not _found(plan, texts, count, search) and nothing == "error":
        raise Crash
    fixed = {"the_best": 1, "two": 2, "three": 3, "five": 5, "one_less": count - 1}
    fixed |= {"all_there_are": len(texts), "cut_later": len(texts), "whole_plan": -1}
    return np.asarray(fixed.get(search, count) == count)
