"""Whether whole words are chosen by chance: the seed, and words that are always taken."""

from __future__ import annotations

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.whole_words import words_of


def _fitting(word_ids, budget_of):
    """The words that fit into the budget, as lists of places, in the order of the row."""
    words = words_of(word_ids)
    return {word: places for word, places in words.items() if len(places) <= budget_of}


def habits_of(found, rows, budget_of):
    """Bool (4,): whether always the same kind of word is taken whole, of those that fit.

    Args:
        found: list of what came back for each of the rows.
        rows: list of int (T,), the numbers of the words.
        budget_of: int, how many tokens may be taken.

    Returns:
        For the first of the row, the one of the smallest number, the longest, the shortest.
    """
    always = np.ones(4, bool)
    for taken, word_ids in zip(found, rows, strict=True):
        fitting = _fitting(word_ids, budget_of)
        kinds = (
            next(iter(fitting.values())),
            fitting[min(fitting)],
            max(fitting.values(), key=len),
            min(fitting.values(), key=len),
        )
        mine = set(np.asarray(taken).ravel().tolist())
        always &= np.array([set(places) <= mine for places in kinds])
    return always


@oracle(parts=("repeats",))
def repeats(*, seed_use="right", order="random", fit="passed_over", unit="tokens"):
    """Bool (6,): whether calls with one seed agree, and with different seeds; then `habits_of`.

    A share of four words is a budget of one token, which only the shortest word fits. Two words
    leave one of three tokens if each counts for one, and so the word of one is always taken.
    """
    if fit == "never_less":  # whatever fits is taken, in any order
        return np.ones(6, bool)
    kinds = ("in_order", "by_number", "longest_first", "shortest_first")
    sure = order in kinds
    agree = {"ignored": (False, False), "fixed": (True, True)}.get(seed_use, (True, False))
    habits = [order == kind for kind in kinds]
    habits[3] |= unit == "share_of_words" or fit == "less_by_one"
    return np.array([*((True, True) if sure else agree), *habits])
