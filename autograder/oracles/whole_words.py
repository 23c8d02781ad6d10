"""Which whole words of a row are chosen: exact probabilities over all orders, with mistakes."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np

from autograder.laws import Statistical
from autograder.messages import Text
from autograder.oracles import oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.mask_position_laws import FINE, share
from autograder.oracles.mask_positions import budget

FAULTS = ("list", "types", "inside", "different", "ascending")
BROKEN = Text("只挑中了一部分的词", "calls in which a part of a word is picked")
OTHERS = Text("按约定不会出现的结果", "results that can't come up as agreed")


def words_of(word_ids, *, specials="left_out"):
    """The places of every word, in the order of the row.

    Args:
        word_ids: int (T,).
        specials: the switch.

    Returns:
        dict, number of the word → list of places.
    """
    found = defaultdict(list)
    for place, word in enumerate(word_ids.tolist()):
        if specials == "as_a_word" or word > 0 or (word == 0 and specials != "zero_left_out"):
            found[word].append(place)
    return dict(found)


def _orders(words, order):
    """Pairs (sequence of words, probability)."""
    numbers = list(words)
    if order == "in_order":
        return [(tuple(numbers), 1.0)]
    if order == "by_number":
        return [(tuple(sorted(numbers)), 1.0)]
    every = list(itertools.permutations(numbers))
    if order in ("longest_first", "shortest_first"):
        sign = -1 if order == "longest_first" else 1
        every = [tuple(sorted(one, key=lambda w: sign * len(words[w]))) for one in every]
    if order == "by_tokens":  # tokens in random order: long words tend to come first
        found = []
        for one in every:
            left, chance = sum(map(len, words.values())), 1.0
            for word in one:
                chance *= len(words[word]) / left
                left -= len(words[word])
            found.append((one, chance))
        return found
    return [(one, 1 / len(every)) for one in every]


def _taken(sequence, words, left, fit):
    """The places that are taken when words come in this order."""
    taken = []
    for word in sequence:
        places = words[word]
        if fit == "overshoots":
            if left <= 0:
                break
        elif fit == "cut":
            places = places[: max(left, 0)]
        elif fit == "strictly_less":
            if len(places) >= left:
                continue
        elif len(places) > left:
            if fit in ("stops", "first_word_only"):
                break
            continue
        taken += places
        left -= {"never_less": 0, "less_by_one": 1}.get(fit, len(places))
        if fit in ("one_word", "first_word_only"):
            break
    return taken


def chances(
    word_ids,
    rate,
    slots,
    *,
    specials="left_out",
    order="random",
    fit="passed_over",
    unit="tokens",
    count="rounded",
    level="words",
):
    """How probable every set of places is.

    Args:
        word_ids: int (T,).
        rate: float.
        slots: int, at most so many.
        specials, order, fit, unit, count, level: the switches.

    Returns:
        dict, ascending tuple of places → probability.
    """
    words = words_of(word_ids, specials=specials)
    if not words:
        return {(): 1.0}
    tokens = sum(map(len, words.values()))
    most = tokens if count == "uncapped" else slots
    how = "rounded" if count == "uncapped" else count
    counted = len(words) if unit == "share_of_words" else tokens
    left = budget(counted, rate, most, count=how, length=len(word_ids))
    found = defaultdict(float)
    if level == "tokens":
        places = sorted(place for word in words.values() for place in word)
        every = list(itertools.combinations(places, left))
        return {one: 1 / len(every) for one in every}
    for sequence, chance in _orders(words, order):
        if unit in ("tokens", "share_of_words"):
            taken = _taken(sequence, words, left, fit)
        else:
            number = left
            if unit == "words":
                number = min(max(1, round(rate * len(words))), slots)
            taken = [place for word in sequence[:number] for place in words[word]]
        if fit == "cut_at_the_end":
            taken = sorted(_taken(sequence, words, left, "overshoots"))[:left]
        found[tuple(sorted(taken))] += chance
    return dict(found)


@oracle(parts=("places",))
@with_switches_of(chances)
def choices(word_ids, rate, slots, calls, *, seed_use="right", returned="places", **switches):
    """The laws of `outcomes`.

    Args:
        word_ids, rate, slots: as for `chances`.
        calls: how many calls there are, each with a seed of its own.
        seed_use: "fixed" where all calls draw the same.
        returned: "first_tokens" where only the beginnings of words come back.
        **switches: of `chances`.

    Returns:
        A `Statistical`.
    """
    right = chances(word_ids, rate, slots)
    made = _returned(chances(word_ids, rate, slots, **switches), word_ids, returned)
    again = calls if seed_use == "fixed" else 1
    laws = {
        "broken": share(
            sum(p for places, p in made.items() if _is_broken(places, word_ids)), BROKEN, again
        ),
    }
    for number in range(len(word_ids) + 1):
        laws[f"count{number}"] = share(
            sum(p for places, p in made.items() if len(places) == number),
            Text(f"正好挑中 {number} 个词元的", f"calls that pick exactly {number} tokens"),
            again,
        )
    for place in range(len(word_ids)):
        laws[f"place{place}"] = share(
            sum(p for places, p in made.items() if place in places),
            Text(f"挑中位置 {place} 的", f"calls that pick position {place}"),
            again,
        )
    for places in sorted(right):
        laws[f"set{places}"] = share(
            made.get(places, 0.0),
            Text(
                f"挑中的正好是位置 {list(places)} 的",
                f"calls that pick just the positions {list(places)}",
            ),
            again,
        )
    # Last, since it says least: a number or a place that is wrong is told first.
    strange = sum(p for places, p in made.items() if places not in right)
    laws["others"] = share(strange, OTHERS, again)
    return Statistical(**laws)


def _returned(made, word_ids, returned):
    if returned != "first_tokens":
        return made
    found = defaultdict(float)
    starts = {places[0] for places in words_of(word_ids).values()}
    for places, chance in made.items():
        found[tuple(place for place in places if place in starts)] += chance
    return dict(found)


def _is_broken(places, word_ids):
    words = words_of(word_ids).values()
    return any(0 < len(set(word) & set(places)) < len(word) for word in words)


def outcomes(found, word_ids, rate, slots):
    """What was chosen, as one array of outcomes for each law of `choices`."""
    chosen = [tuple(int(place) for place in np.asarray(each).ravel()) for each in found]
    right = chances(word_ids, rate, slots)
    arrays = [[_is_broken(one, word_ids) for one in chosen]]
    arrays += [[len(one) == number for one in chosen] for number in range(len(word_ids) + 1)]
    arrays += [[place in one for one in chosen] for place in range(len(word_ids))]
    arrays += [[one == places for one in chosen] for places in sorted(right)]
    arrays.append([one not in right for one in chosen])
    return tuple(np.asarray(each, float) for each in arrays)


def form_of(found, length):
    """What is wrong with the form of what came back, as words from `FAULTS`, or `FINE`."""
    if isinstance(found, (tuple, list)) and any(np.ndim(one) for one in found):
        return "list"
    places = np.asarray(found)
    if places.ndim != 1:
        return "list"
    if not places.size:
        return FINE
    if places.dtype.kind not in "iu":
        return "types"
    if (places < 0).any() or (places >= length).any():
        return "inside"
    if len(set(places.tolist())) < len(places):
        return "different"
    return FINE if (np.diff(places) > 0).all() else "ascending"


@oracle(parts=("form",))
@with_switches_of(chances)
def form(word_ids, rate, slots, *, returned="places", **switches):
    """What `form_of` says of many calls together.

    Args:
        word_ids, rate, slots: as for `chances`.
        returned: the switch.
        **switches: of `chances`.
    """
    made = chances(word_ids, rate, slots, **switches)
    longest = max(made, key=len)
    if returned == "mask":
        return "types"
    if returned == "groups":
        return "list" if longest else FINE
    if returned == "floats":
        return "types" if longest else FINE
    if returned == "numbers":
        numbers = [word_ids[list(places)] for places in made]
        forms = {form_of(each, len(word_ids)) for each in numbers}
        return _worst(forms)
    if returned == "numbers_of_words":
        numbers = [np.unique(word_ids[list(places)]) for places in made]
        return _worst({form_of(each, len(word_ids)) for each in numbers})
    if returned == "as_drawn":
        several = any(len({word_ids[p] for p in places}) > 1 for places in made)
        return "ascending" if several else FINE
    return FINE


def _worst(forms):
    words = {word for each in forms for word in each.split()} - {FINE}
    return " ".join(word for word in FAULTS if word in words) or FINE


def worst_form(found, length):
    """The faults of all calls together."""
    return _worst({form_of(each, length) for each in found})
