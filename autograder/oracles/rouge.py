"""ROUGE-L in plain Python, with a switch for every way of getting it wrong."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np

from autograder.oracles import Crash, oracle


def _lcs(first, second, table="right"):
    """Length of the longest common subsequence, or what a slip in the table makes of it."""
    rows, columns = len(first), len(second)
    length = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            up, left, corner = length[i - 1][j], length[i][j - 1], length[i - 1][j - 1]
            equal = first[i - 1] == second[j - 1]
            length[i][j] = {
                "added_to_left": left + 1 if equal else max(up, left),
                "added_to_above": up + 1 if equal else max(up, left),
                "added_to_larger": max(up, left) + 1 if equal else max(up, left),
                "corner_carried": corner + 1 if equal else corner,
                "left_only": corner + 1 if equal else left,
                "above_only": corner + 1 if equal else up,
                "corner_only": corner + 1 if equal else 0,
            }.get(table, corner + 1 if equal else max(up, left))
    if table == "last_missing":
        return length[max(0, rows - 1)][max(0, columns - 1)]
    if table == "largest" or table == "corner_only":
        return max(map(max, length))
    return length[rows][columns]


def _wrapped(first, second):
    """A table without a row and a column of zeros: index -1 is its other end."""
    length = [[0] * len(second) for _ in first]
    for i, word in enumerate(first):
        for j, other in enumerate(second):
            corner, up, left = length[i - 1][j - 1], length[i - 1][j], length[i][j - 1]
            length[i][j] = corner + 1 if word == other else max(up, left)
    return length[-1][-1]


def _run(first, second):
    """The longest run of words without a gap that both have."""
    return _lcs(first, second, "corner_only")


def _greedy(first, second):
    """Each word of the first where it next stands in the second."""
    place = count = 0
    for word in first:
        if word in second[place:]:
            place = second.index(word, place) + 1
            count += 1
    return count


def _beginning(first, second):
    """How many words agree from the start on."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count


def _pairs(words):
    return Counter(pairwise(words))


def _shared(candidate, reference, shared):
    """How many words the two are said to share."""
    bags = Counter(candidate), Counter(reference)
    return {
        "run": lambda: _run(candidate, reference),
        "bag": lambda: (bags[0] & bags[1]).total(),
        "set": lambda: len(set(candidate) & set(reference)),
        "each_in_reference": lambda: sum(word in bags[1] for word in candidate),
        "each_in_candidate": lambda: sum(word in bags[0] for word in reference),
        "greedy": lambda: _greedy(candidate, reference),
        "greedy_from_reference": lambda: _greedy(reference, candidate),
        "places": lambda: sum(map(lambda one, other: one == other, candidate, reference)),
        "beginning": lambda: _beginning(candidate, reference),
        "pairs": lambda: (_pairs(candidate) & _pairs(reference)).total(),
        "first_missing": lambda: _lcs(candidate[1:], reference[1:]),
        "first_row": lambda: int(candidate[0] in reference),
        "last_row": lambda: int(candidate[-1] in reference),
        "wrapped": lambda: _wrapped(candidate, reference),
        "turned": lambda: _lcs(candidate, reference[::-1]),
    }.get(shared, lambda: _lcs(candidate, reference, shared))()


def _score(count, said, wanted, score):
    precision, recall = count / said, count / wanted
    if score == "beta":  # recall counts more, as in the paper
        return 0.0 if not count else 2.44 * precision * recall / (recall + 1.44 * precision)
    return {
        "precision": precision,
        "recall": recall,
        "longer": count / max(said, wanted),
        "shorter": count / min(said, wanted),
        "mean": (precision + recall) / 2,
        "geometric": math.sqrt(max(0.0, precision * recall)),
        "jaccard": count / max(1e-9, said + wanted - count),
        "sum": count / (said + wanted),
        "without_two": precision * recall / (precision + recall) if count else 0.0,
        "product": precision * recall,
        "count": float(count),
        "percent": 200 * count / (said + wanted),
        "distance": 1 - 2 * count / (said + wanted),
        "four_digits": round(2 * count / (said + wanted), 4),
        "three_digits": round(2 * count / (said + wanted), 3),
        "two_digits": round(2 * count / (said + wanted), 2),
    }.get(score, 2 * count / (said + wanted))


def _units(words, unit):
    return {
        "letters": lambda: list("".join(words)),
        "spaced_letters": lambda: list(" ".join(words)),
        "folded": lambda: [word.lower() for word in words],
        "distinct": lambda: list(dict.fromkeys(words)),
        "sorted": lambda: sorted(words),
    }.get(unit, lambda: list(words))()


@oracle(parts=("soon",))
def soon_done(candidate, reference, *, effort="a_table"):
    """Whether some thousand comparisons are enough: bool (); asked where they aren't."""
    return np.asarray(effort != "every_way")


@oracle(parts=("score",))
def rouge_l(
    candidate, reference, *, shared="lcs", score="f1", unit="words", empty="zero", none="zero"
):
    """F1 of the longest common subsequence of two lists of words.

    Args:
        candidate, reference: lists of str.
        shared, score, unit, empty, none: the switches.

    Raises:
        Crash: where the mistake divides by nothing.
    """
    one, other = _units(candidate, unit), _units(reference, unit)
    if not one or not other:
        if empty == "error":
            raise Crash("ZeroDivisionError", "IndexError", "ValueError")
        same = not one and not other
        return np.asarray({"one": 1.0, "one_if_both": float(same), "nan": math.nan}.get(empty, 0.0))
    count = _shared(one, other, shared)
    if not count and none == "error" and score in ("f1", "without_two", "beta"):
        raise Crash("ZeroDivisionError")
    if not count and none == "nan":
        return np.asarray(math.nan)
    return np.asarray(_score(count, len(one), len(other), score))
