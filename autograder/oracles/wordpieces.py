"""Words to pieces in plain Python, with a switch for every known mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import with_switches_of
from autograder.oracles.text_words import told


def pieces_of(
    word,
    vocabulary,
    unknown="[UNK]",
    max_word_length=100,
    *,
    match="longest",
    prefix="continuation",
    failure="whole_word",
    too_long="unknown",
    too_long_at="above",
    unknown_token="given",
    offsets="of_word",
    order="in_order",
    returned="pair",
):
    """Pieces of a word and where they stand in it.

    Args:
        word: str; vocabulary: set or dict of str; unknown: str; max_word_length: int.
        match, prefix, failure, too_long, too_long_at, unknown_token, offsets, order, returned: the
            switches.

    Returns:
        list of str and list of pairs of int, unless ``returned`` says otherwise.

    Raises:
        Crash: where the mistake could not run, or would never end.
    """
    if offsets.startswith("known_"):
        offsets, at = offsets.removeprefix("known_"), "of_word"
    else:
        at = offsets
    name = {"given": unknown, "written_in": "[UNK]", "the_word": word, "none": None}[unknown_token]
    whole = ([] if name is None else [name]), [(0, len(word))]
    if offsets == "unknown_is_empty":
        whole = whole[0], [(0, 0)]
    if offsets == "unknown_without":
        whole = whole[0], []
    if offsets == "unknown_by_its_name":
        whole = whole[0], [(0, len(unknown))]
    limit = {"above": max_word_length, "at": max_word_length - 1, "fixed_100": 100}[too_long_at]
    if len(word) > limit and too_long != "cut_as_usual":
        if too_long == "empty":
            return [], []
        if too_long == "cut_short":
            word = word[:limit]
        else:
            return _shown(*whole, at, order, returned)
    if match == "backtracks":
        cover = _any_cover(word, vocabulary, 0)
        if cover is None:
            return _shown(*whole, at, order, returned)
        return _shown(*cover, offsets, order, returned)
    pieces, places, start = [], [], 0
    while start < len(word):
        ends = list(range(len(word), start, -1))
        if match == "shortest":
            ends = ends[::-1]
        if match == "whole_or_letters":
            ends = [len(word), start + 1] if start == 0 else [start + 1]
        if match == "longest_but_never_whole":
            ends = [end for end in ends if (start, end) != (0, len(word))]
        if match == "one_short":
            ends = ends[1:] if len(ends) > 1 else []
        found = next((e for e in ends if _named(word, start, e, prefix) in vocabulary), None)
        if found is None:
            if failure == "whole_word":
                return _shown(*whole, at, order, returned)
            if failure == "pieces_kept":
                pieces, places = [*pieces, name], [*places, (start, len(word))]
                break
            if failure == "stops":
                break
            if failure == "crash":
                raise Crash
            if failure == "letter_unknown":
                pieces, places = [*pieces, name], [*places, (start, start + 1)]
            if failure == "letter_kept":
                shown = word[start] if start == 0 else "##" + word[start]
                pieces, places = [*pieces, shown], [*places, (start, start + 1)]
            start += 1
            continue
        if match == "never_moves_on":
            raise Crash("NeverEnds")
        piece = _named(word, start, found, prefix)
        if prefix == "looked_up_with_shown_without":
            piece = word[start:found]
        if prefix == "looked_up_without_shown_with" and start > 0:
            piece = "##" + piece
        if prefix == "shown_on_all":
            piece = "##" + word[start:found]
        begin = word.find(word[start:found]) if offsets == "searched" else start
        pieces, places = [*pieces, piece], [*places, (begin, begin + found - start)]
        start = found
    return _shown(pieces, places, offsets, order, returned)


def _any_cover(word, vocabulary, start):
    """Pieces that cover the word from a place on, the longest first but trying others; or None."""
    if start == len(word):
        return [], []
    for end in range(len(word), start, -1):
        piece = _named(word, start, end, "continuation")
        rest = _any_cover(word, vocabulary, end) if piece in vocabulary else None
        if rest is not None:
            return [piece, *rest[0]], [(start, end), *rest[1]]
    return None


def _named(word, start, end, prefix):
    """The text that is looked up."""
    text = word[start:end]
    return {
        "continuation": text if start == 0 else "##" + text,
        "looked_up_with_shown_without": text if start == 0 else "##" + text,
        "shown_on_all": text if start == 0 else "##" + text,
        "missing": text,
        "looked_up_without_shown_with": text,
        "everywhere": "##" + text,
        "first_only": "##" + text if start == 0 else text,
        "single_sign": text if start == 0 else "#" + text,
        "behind": text if start == 0 else text + "##",
    }[prefix]


def _shown(pieces, places, offsets, order, returned):
    """Pieces and places in the form that comes back."""
    places = {
        "end_inclusive": [(a, b - 1) for a, b in places],
        "start_and_length": [(a, b - a) for a, b in places],
        "from_one": [(a + 1, b + 1) for a, b in places],
        "from_one_inclusive": [(a + 1, b) for a, b in places],
        "starts_only": [(a, a) for a, _ in places],
        "within_pieces": [(0, b - a) for a, b in places],
        "of_shown_pieces": _running(pieces),
        "ends_of_shown_pieces": [
            (a, a + len(piece or "")) for piece, (a, _) in zip(pieces, places, strict=False)
        ],
    }.get(offsets, places)
    if order == "reversed":
        pieces, places = pieces[::-1], places[::-1]
    pair = list(pieces), places
    return {
        "pieces_only": pair[0],
        "swapped": pair[::-1],
        "zipped": [(piece, a, b) for piece, (a, b) in zip(*pair, strict=False)],
        "zipped_pairs": list(zip(*pair, strict=False)),
        "joined": (" ".join(map(str, pieces)), places),
    }.get(returned, pair)


def _running(pieces):
    """Offsets that count the signs in front of the pieces too."""
    places, start = [], 0
    for piece in pieces:
        length = len(piece or "")
        places.append((start, start + length))
        start += length
    return places


def as_parts(found):
    """What came back: pieces written out, and offsets as an int array (n, 2) where they are such.

    Anything else is written out as a whole.
    """
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        return told(found)
    pieces, places = found
    rows = isinstance(places, (tuple, list)) and all(
        isinstance(place, (tuple, list)) and len(place) == 2 and all(map(_whole, place))
        for place in places
    )
    if isinstance(places, np.ndarray) and places.ndim == 2 and places.shape[1] == 2:
        rows = places.dtype.kind in "iu"
    if not isinstance(pieces, (tuple, list, str)) or not rows:
        return told(_plain(found))
    return told(pieces), np.asarray([[int(a), int(b)] for a, b in places], int).reshape(-1, 2)


def _whole(number):
    if isinstance(number, np.ndarray):
        return number.shape == () and number.dtype.kind in "iu"
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool)


def _plain(found):
    """Arrays as lists, so that a result can be written out."""
    if isinstance(found, np.ndarray):
        return found.tolist()
    if isinstance(found, (tuple, list)):
        return [_plain(each) for each in found]
    return found


@oracle(parts=("pieces", "offsets"))
@with_switches_of(pieces_of)
def wordpiece_tokenize(word, vocabulary, unknown="[UNK]", max_word_length=100, **switches):
    """Pieces of a word, written out, and their offsets; see `pieces_of` and `as_parts`."""
    return as_parts(pieces_of(word, vocabulary, unknown, max_word_length, **switches))
