"""Texts that differ in a word, and who is right about all of them; with a switch per mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.tag_spans import written


def _opposite(word, opposites, direction, match):
    """The word's opposite, or None."""
    forwards = dict(opposites)
    backwards = {value: key for key, value in forwards.items()}
    table = {
        "forwards": forwards,
        "backwards": backwards,
        # Exchanged by one table, and then exchanged back by the other.
        "twice": {**backwards, **{key: key for key in forwards}},
        "twice_turned": {**forwards, **{value: value for value in backwards}},
    }.get(direction, {**backwards, **forwards})
    if match == "any_case":
        folded = {key.lower(): value for key, value in table.items()}
        return folded.get(word.lower())
    if match == "inside_a_word":
        held = next((key for key in table if key in word), None)
        return None if held is None else word.replace(held, table[held])
    return table.get(word)


def _copies(words, opposites, direction, match, copies):
    """The changed copies in the order of places, with the places."""
    swaps = [(at, _opposite(word, opposites, direction, match)) for at, word in enumerate(words)]
    swaps = [(at, other) for at, other in swaps if other is not None]
    if copies == "all_at_once":
        everything = dict(swaps)
        changed = [everything.get(at, word) for at, word in enumerate(words)]
        return [(changed, swaps[0][0])] if swaps else []
    if copies == "pile_up":
        found, changed = [], list(words)
        for at, other in swaps:
            changed = [*changed[:at], other, *changed[at + 1 :]]
            found.append((changed, at))
        return found
    if copies == "one_list":  # every entry is the same list, which was changed in the end
        found = _copies(words, opposites, direction, match, "pile_up")
        return [(found[-1][0], at) for _, at in found]
    if copies == "one_list_put_back":
        return [(list(words), at) for at, _ in swaps]
    if copies == "first_only":
        swaps = swaps[:1]
    if copies == "last_only":
        swaps = swaps[-1:]
    if copies == "once_for_each_word":
        swaps = [(at, other) for at, other in swaps if words.index(words[at]) == at]
    if copies == "place_looked_up":  # words.index: of a repeated word always the first
        swaps = [(words.index(words[at]), other) for at, other in swaps]
    if copies == "index_looked_up":
        return [
            ([*words[:at], other, *words[at + 1 :]], words.index(words[at])) for at, other in swaps
        ]
    if copies == "word_everywhere":
        return [
            ([other if word == words[at] else word for word in words], at) for at, other in swaps
        ]
    if copies == "word_everywhere_once":
        swaps = [(at, other) for at, other in swaps if words.index(words[at]) == at]
        return [
            ([other if word == words[at] else word for word in words], at) for at, other in swaps
        ]
    if copies == "inserted":
        return [([*words[: at + 1], other, *words[at + 1 :]], at) for at, other in swaps]
    if copies == "taken_out":
        return [([*words[:at], *words[at + 1 :]], at) for at, _ in swaps]
    if copies == "all_words":  # words without an opposite have a copy, too
        every = dict(swaps)
        swaps = [(at, every.get(at, word)) for at, word in enumerate(words)]
    return [([*words[:at], other, *words[at + 1 :]], at) for at, other in swaps]


@oracle(parts=("copies",))
def contrast_edit(
    words,
    opposites,
    *,
    direction="both",
    match="whole_word",
    copies="one_for_each_place",
    order="places",
    edits="no",
    nothing="empty",
    returned="pairs",
):
    """All texts with one word exchanged, written out.

    Args:
        words: list of str; opposites: dict of str.
        direction, match, copies, order, edits, nothing, returned: the switches.

    Raises:
        Crash: where something lent is changed.
    """
    words = list(words)
    found = _copies(words, opposites, direction, match, copies)
    if edits == "in_place" and found:
        raise Crash("EditedInPlace")
    if edits == "dict" and opposites:
        raise Crash("EditedInPlace")
    if order == "backwards":
        found = found[::-1]
    if order == "dict":  # word by word of the dict
        found = [
            (changed, at)
            for pair in opposites.items()
            for word in (pair if direction == "both" else pair[:1])
            for changed, at in found
            if words[at] == word
        ]
    if returned == "original_too":
        found = [(words, -1), *found]
    if not found and nothing == "original":
        found = [(words, -1)]
    made = {
        "words_alone": lambda: [changed for changed, _ in found],
        "exchanged": lambda: [(at, changed) for changed, at in found],
        "from_one": lambda: [(changed, at + 1) for changed, at in found],
        "joined": lambda: [(" ".join(changed), at) for changed, at in found],
        "new_word": lambda: [(changed, changed[at]) for changed, at in found],
        "old_word": lambda: [(changed, words[at]) for changed, at in found],
        "two_lists": lambda: ([changed for changed, _ in found], [at for _, at in found]),
        "dict": lambda: {at: changed for changed, at in found},
        "places": lambda: [at for _, at in found],
    }.get(returned, lambda: found)()
    return written(made)


def _stretches(groups):
    """Lists of places whose neighbours have the same number."""
    parts = np.flatnonzero(np.diff(groups)) + 1
    return np.split(np.arange(len(groups)), parts)


@oracle(parts=("consistency",))
def contrast_consistency(
    right, groups, *, member="all", share="groups", which="equal_numbers", scale="share"
):
    """The share of groups of which all is right.

    Args:
        right: bool (n,); groups: int (n,).
        member, share, which, scale: the switches.

    Returns:
        float.
    """
    parts = {
        "neighbours": lambda: _stretches(groups),
        "up_to_the_largest": lambda: [
            np.flatnonzero(groups == number) for number in range(int(groups.max()) + 1)
        ],
        "up_to_their_number": lambda: [
            np.flatnonzero(groups == number) for number in range(len(np.unique(groups)))
        ],
        "from_one": lambda: [
            np.flatnonzero(groups == number) for number in range(1, int(groups.max()) + 1)
        ],
        "below_the_largest": lambda: [
            np.flatnonzero(groups == number) for number in range(int(groups.max()))
        ],
        "without_singles": lambda: [
            part
            for number in np.unique(groups)
            if len(part := np.flatnonzero(groups == number)) > 1
        ],
    }.get(which, lambda: [np.flatnonzero(groups == number) for number in np.unique(groups)])()
    votes = []
    for part in parts:
        mine = right[part]
        if not len(mine):
            if member in ("mean", "half", "first", "last"):
                votes.append(0.0)
            else:
                votes.append(float(member in ("all", "all_alike", "none", "one_slip")))
            continue
        votes.append(
            {
                "any": mine.any(),
                "mean": mine.mean(),
                "half": mine.mean() >= 0.5,
                "more_than_half": mine.mean() > 0.5,
                "one_slip": (~mine).sum() < 2,
                "none": not mine.any(),
                "not_all": not mine.all(),
                "all_alike": mine.all() or not mine.any(),
                "first": mine[0],
                "last": mine[-1],
                "all_but_the_first": mine[1:].all(),
            }.get(member, mine.all())
        )
    votes, sizes = np.array(votes, float), np.array([len(part) for part in parts])
    if not len(votes):
        return np.float64(np.nan)
    found = {
        "texts": lambda: float((votes * sizes).sum() / len(right)),
        "votes_over_texts": lambda: float(votes.sum() / len(right)),
        "all_texts": lambda: float(right.mean()),
        "count": lambda: float(votes.sum()),
        "over_largest": lambda: float(votes.sum() / max(1, int(groups.max()))),
        "over_largest_and_one": lambda: float(votes.sum() / (int(groups.max()) + 1)),
        "of_right_texts": lambda: float((votes * sizes).sum() / max(1, right.sum())),
    }.get(share, lambda: float(votes.mean()))()
    return np.float64(100 * found if scale == "percent" else found)
