"""From two texts to a row of embeddings in plain Python, as the drill has it, with switches."""

from __future__ import annotations

import functools
import math
import re

import numpy as np

from autograder.oracles import oracle
from autograder.oracles.packing import judged, packed
from autograder.oracles.text_words import words_of
from autograder.oracles.wordpieces import pieces_of

SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_SPECIAL = re.compile("(" + "|".join(map(re.escape, SPECIALS)) + ")")


@functools.lru_cache(maxsize=256)
def _words(text, lowercase):
    """Words of a text; thousands of mistakes are acted out on the same few texts."""
    return tuple(words_of(text, lowercase))


def ids_of(text, vocabulary, specials, match, prefix, failure, case, order):
    """Ids of the pieces of a text."""
    borders = re.compile(r"(\[MASK\])") if specials == "only_mask" else _SPECIAL
    parts = borders.split(text) if specials != "split" else [text]
    if specials == "between_spaces":
        parts = text.split()
    ids = []
    for part in parts:
        if part in SPECIALS:
            if specials == "dropped":
                continue
            ids.append(vocabulary["[UNK]" if specials == "unknown" else part])
            continue
        for word in _words(part, case != "kept"):
            how = {"match": match, "prefix": prefix, "failure": failure, "order": order}
            pieces = pieces_of(word, vocabulary, **how)[0]
            ids += [vocabulary.get(piece, vocabulary["[UNK]"]) for piece in pieces]
    return ids


@oracle(parts=("token_ids", "segment_ids", "embedded"))
def bert_step(
    first,
    second,
    vocabulary,
    max_sequence_length,
    token_table,
    position_table,
    segment_table,
    *,
    specials="whole",
    match="longest",
    prefix="continuation",
    failure="whole_word",
    case="folded",
    order="in_order",
    texts="as_given",
    cut="longest",
    reserve="right",
    marks="right",
    segments="right",
    padding="right",
    pad_use="given",
    places="from_zero",
    scale="none",
    summed="all",
    returned="triple",
):
    """Two texts as one row of ids, and the sum of the three rows for each; zeros at padding.

    Args:
        first, second: str.
        vocabulary: dict of pieces and their ids.
        max_sequence_length: T.
        token_table: float (V, D); position_table: float (P, D), P > T; segment_table: float (S, D).
        specials, match, prefix, failure, case, order, texts, cut, reserve, marks, segments,
            padding, pad_use, places, scale, summed, returned: the switches.

    Returns:
        token_ids int (T,), segment_ids int (T,), embedded float (T, D).
    """
    marks_of = [vocabulary[each] for each in ("[CLS]", "[SEP]", "[PAD]")]
    real = real_tokens(first, second, vocabulary, max_sequence_length)
    both = (second, first) if texts == "turned" else (first, second)
    parts = [
        ids_of(text, vocabulary, specials, match, prefix, failure, case, order) for text in both
    ]
    how = {"cut": cut, "reserve": reserve, "marks": marks, "segments": segments}
    row = packed(*parts, max_sequence_length, *marks_of, padding=padding, pad_use=pad_use, **how)
    ids, kinds, _ = row
    steps = np.arange(len(ids))
    index = {
        "from_zero": steps,
        "backwards": steps[::-1],
        "from_one": steps + 1,
        "last": steps + len(position_table) - len(ids),
        "by_token": ids,
    }[places]
    x, p, s = token_table[ids], position_table[index], segment_table[kinds]
    root = x.dtype.type(math.sqrt(x.shape[-1]))
    if scale == "tokens":
        x = x * root
    total = {
        "all": x + p + s,
        "no_positions": x + s,
        "no_segments": x + p,
        "averaged": (x + p + s) / 3,
    }[summed]
    if scale == "sum":
        total = total * root
    if returned == "reversed":
        return shown(total, kinds, ids, real)
    return shown(ids, kinds, total, real)


def shown(ids, segments, embedded, real):
    """What counts of a row: any valid segment at a pad is right, and whatever is embedded there.

    Args:
        ids, segments, embedded: what came back.
        real: bool (T,), where there are tokens.
    """
    _, segments, _ = judged((ids, segments, real), real)
    embedded = np.asarray(embedded)
    if embedded.shape[:1] == real.shape and embedded.dtype.kind == "f":
        embedded = np.where(real.reshape(-1, *[1] * (embedded.ndim - 1)), embedded, 0)
    return ids, segments, embedded


def real_tokens(first, second, vocabulary, max_sequence_length):
    """Where the row has tokens: bool (T,)."""
    marks = [vocabulary[each] for each in ("[CLS]", "[SEP]", "[PAD]")]
    how = ("whole", "longest", "continuation", "whole_word", "folded", "")
    texts = [ids_of(text, vocabulary, *how) for text in (first, second)]
    return packed(*texts, max_sequence_length, *marks)[2]
