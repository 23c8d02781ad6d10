"""Labels of words on a row of pieces, in plain Python, with switches."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.tag_paths import numbers_of
from autograder.oracles.text_words import told

CLS, SEP, UNK, PAD = "[CLS]", "[SEP]", "[UNK]", "[PAD]"
PLACES = ("later", "marks", "pads")  # those without a label


def pieces_of(text, size):
    """A text cut at white space and then every few characters; what can't be printed is dropped."""
    parts = ["".join(c for c in part if c.isprintable()) for part in text.split()]
    return [
        part[at : at + size] if at == 0 else "##" + part[at : at + size]
        for part in parts
        for at in range(0, len(part), size)
    ]


def _spread(word, parts, label, ignored, label_on):
    """Labels of one word's pieces."""
    rest = len(parts) - 1
    return {
        "first": [label] + [ignored["later"]] * rest,
        "last": [ignored["later"]] * rest + [label],
        "all": [label] * len(parts),
        "single_only": [label if rest == 0 else ignored["later"]] + [ignored["later"]] * rest,
        "none": [ignored["later"]] * len(parts),
        "next": [label] + [label + 1] * rest,
    }[label_on]


def _of_words(words, labels, size, room, ignored, label_on, empty, zero, lookup, whole):
    """Pieces and labels of all words, not yet cut, without marks."""
    pieces, row = [], []
    for word, label in zip(words, labels, strict=True):
        parts = pieces_of(word, size)
        if lookup == "first_of_its_kind":
            label = labels[list(words).index(word)]
        elif lookup == "last_of_its_kind":
            label = dict(zip(words, labels, strict=True))[word]
        if zero == "missing":
            label = label or ignored["later"]
        if not parts:
            if empty == "skipped":
                continue
            if empty == "label_alone":
                row.append(label)
                continue
            if empty == "crash":
                raise Crash("IndexError")
            parts = [{"word_itself": word, "nothing": "", "pad": PAD}.get(empty, UNK)]
            if empty == "unlabelled":
                label = ignored["later"]
        if whole != "pieces" and len(pieces) + len(parts) > room:
            if whole == "rest_kept":
                continue
            break
        pieces += parts
        row += _spread(word, parts, label, ignored, label_on)
    return pieces, row


def _cut(pieces, row, length, cut):
    """Both to their places."""
    room = length - 2
    of_pieces, of_row = {
        "labels_left": (room, None),
        "pieces_left": (None, room),
        "neither": (None, None),
        "one_more": (room + 1, room + 1),
        "one_less": (room - 1, room - 1),
        "marks_forgotten": (length, length),
        "label_of_the_end": (room, room + 1),
        "before_the_marks": (None, None),
    }.get(cut, (room, room))
    return pieces[:of_pieces], row[:of_row]


@oracle(parts=("pieces", "labels"))
def align_labels(
    words,
    labels,
    size,
    max_sequence_length,
    ignore=-1,
    *,
    label_on="first",
    lookup="place",
    empty="unknown",
    zero="label",
    cut="pieces",
    whole="pieces",
    spread="pieces",
    marks="both",
    label_marks="both",
    ignored_at="nowhere",
    ignored_as="given",
    padded="labels",
    returned="pair",
):
    """Pieces of a row, written out, and a label for every place.

    Args:
        words: list of str.
        labels: list of int.
        size: int, how many characters a piece has.
        max_sequence_length: int, T.
        ignore: int.
        label_on, lookup, empty, zero, cut, whole, spread, marks, label_marks, ignored_at,
            ignored_as, padded, returned: the switches.

    Returns:
        str () and int (T,), unless a switch says otherwise.

    Raises:
        Crash: where the mistake asked for would raise.
    """
    length = max_sequence_length
    ignore = {"minus_one": -1, "minus_hundred": -100}.get(ignored_as, ignore)
    with_zeros = {"all": tuple(PLACES), "marks_and_pads": PLACES[1:]}.get(ignored_at, (ignored_at,))
    ignored = {place: 0 if place in with_zeros else ignore for place in PLACES}
    pieces, row = _of_words(
        words, labels, size, length - 2, ignored, label_on, empty, zero, lookup, whole
    )
    if spread == "words":  # word number n and piece number n
        row = [*labels[: len(pieces)]] + [ignored["later"]] * (len(pieces) - len(labels))
    pieces, row = _cut(pieces, row, length, cut)
    begin, end = ([CLS], [SEP]) if marks == "both" else ([], [])
    begin = [CLS] if marks == "begin" else begin
    end = [SEP] if marks == "end" else end
    pieces = [*begin, *pieces, *end]
    if label_marks != "missing":
        row = [ignored["marks"], *row]
    if label_marks == "both" and not (cut == "label_of_the_end" and len(row) > length - 1):
        row = [*row, ignored["marks"]]
    if cut == "before_the_marks":
        pieces, row = pieces[:length], row[:length]
    if padded in ("labels", "both"):
        row = row + [ignored["pads"]] * (length - len(row))
    if padded == "both":
        pieces = pieces + [PAD] * (length - len(pieces))
    return as_parts(
        {
            "swapped": (row, pieces),
            "labels_only": row,
            "pieces_only": pieces,
            "joined": (" ".join(pieces), row),
            "zipped": list(zip(pieces, row, strict=False)),
        }.get(returned, (pieces, row))
    )


def as_parts(found):
    """What came back: pieces written out, and labels as an int array where they are such.

    Anything else is written out as a whole.
    """
    if isinstance(found, (tuple, list)) and len(found) == 2:
        pieces, row = found[0], numbers_of(found[1])
        if isinstance(pieces, (tuple, list, str)) and isinstance(row, np.ndarray):
            return told(pieces), row
    return told(found)
