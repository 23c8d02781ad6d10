"""Pairs for next-sentence prediction: label 0 is the true next text, 1 is not.

Both kinds of pairs take their first sentences from the same pool and their second sentences from
the same pool, so that neither a sentence on its own nor its length gives the label away. Wrong ones
come from another document where documents are marked, and otherwise from at least `distance`
paragraphs away. For pairs of longer segments see `bert_keras.text.segments`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bert_keras.errors import UserError

IS_NEXT, NOT_NEXT = 0, 1


class PairingError(UserError, ValueError):
    """No pairs can be made from this text; the message is one line."""


class PairIndex(NamedTuple):
    """All distinct pairs of neighbouring sentences of a text.

    Attributes:
        first: int32 (N,), number of the first sentence.
        second: int32 (N,), number of the sentence after it.
        paragraph: int32 (N,), position of their paragraph in the text, never decreasing.
        wording: int32 (N,), equal numbers where second sentences read the same.
        document: int32 (N,), number of their document, never decreasing; None if not marked.
    """

    first: np.ndarray
    second: np.ndarray
    paragraph: np.ndarray
    wording: np.ndarray
    document: np.ndarray | None = None


def wordings(sentences: Sequence) -> np.ndarray:
    """Number the wordings of sentences, equal ones alike.

    Args:
        sentences: M strings, or sequences or arrays of ids.

    Returns:
        int32 (M,).
    """
    known: dict = {}
    return np.array([known.setdefault(_key(s), len(known)) for s in sentences], np.int32)


def adjacent_pairs(
    sentences: Sequence, paragraph: Sequence[int], document: Sequence[int] | None = None
) -> PairIndex:
    """Neighbouring sentences of one paragraph, each distinct pair once.

    Args:
        sentences: N sentences in the order of the text, strings or sequences of ids.
        paragraph: position of each sentence's paragraph; it must never decrease.
        document: number of each sentence's document, never decreasing; None if not marked.

    Returns:
        The pairs.

    Raises:
        PairingError: paragraphs or documents are not in order.
    """
    paragraph = in_order(paragraph, "paragraph", len(sentences))
    documents = None if document is None else in_order(document, "document", len(sentences))
    first, second, wording, seen, known = [], [], [], set(), {}
    for number in np.flatnonzero(paragraph[1:] == paragraph[:-1]).tolist():
        pair = (_key(sentences[number]), _key(sentences[number + 1]))
        if pair not in seen:
            seen.add(pair)
            first.append(number)
            second.append(number + 1)
            wording.append(known.setdefault(pair[1], len(known)))
    first = np.array(first, np.int32)
    return PairIndex(
        first,
        np.array(second, np.int32),
        paragraph[first].astype(np.int32),
        np.array(wording, np.int32),
        None if documents is None else documents[first].astype(np.int32),
    )


def draw_pairs(
    pairs: PairIndex, rng: np.random.Generator, *, distance: int = 200, negative_rate: float = 0.5
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One pass over the pairs, a part of them with their second sentence exchanged.

    An exchanged second sentence comes from a pair of another document, or where documents are not
    marked, of a paragraph at least `distance` away. Where it happens to read like the true next
    sentence, the pair counts as a true one.

    Args:
        pairs: N pairs.
        rng: source of the draws.
        distance: how many paragraphs away a wrong second sentence must be at least; not used
            where documents are marked.
        negative_rate: share of pairs to exchange.

    Returns:
        `first` int32 (N,), `second` int32 (N,) sentence numbers and `next_sentence_label`
        int32 (N,), in the order of the text.

    Raises:
        PairingError: the text is too short for the distance, or is a single document.
    """
    marked = pairs.document is not None
    place, distance = (pairs.document, 1) if marked else (pairs.paragraph, distance)
    label = (rng.random(len(pairs.first)) < negative_rate).astype(np.int32)
    partner, found = far_partner(place, rng, distance)
    if np.any(~found & (label == NOT_NEXT)):
        raise PairingError(
            "the text is a single document: wrong sentences need at least two"
            if marked
            else f"the text has no sentences {distance} paragraphs apart: reduce distance"
        )
    partner = np.where(label == NOT_NEXT, partner, np.arange(len(label)))
    label[pairs.wording[partner] == pairs.wording] = IS_NEXT
    return pairs.first, pairs.second[partner], label


def far_partner(
    place: np.ndarray, rng: np.random.Generator, distance: int, group: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """For each row another one at random that is far from it, all far ones being as likely.

    Args:
        place: int (N,), paragraph or document of each row, never decreasing within a group.
        rng: source of the draws.
        distance: how much the places of the two must differ at least.
        group: int (N,), never decreasing; partners are of the same group. None: all are one group.

    Returns:
        `partner` int64 (N,), numbers of rows, and `found` bool (N,), false where no row is far
        enough and `partner` means nothing.
    """
    count = len(place)
    group = np.zeros(count, np.int64) if group is None else group
    first = np.searchsorted(group, group, side="left")
    last = np.searchsorted(group, group, side="right")
    # Rows are sorted by group and place, so the ones too near form one run low … high-1. The key
    # keeps groups further apart than any distance.
    key = group * (2 * (int(place.max(initial=0)) + distance + 1)) + place.astype(np.int64)
    low = np.maximum(first, np.searchsorted(key, key - distance, side="right"))
    high = np.minimum(last, np.searchsorted(key, key + distance, side="left"))
    allowed = (last - first) - (high - low)  # (N,) how many rows are far enough
    # Draw among the allowed ones and step over the run of near ones.
    draw = first + (rng.random(count) * allowed).astype(np.int64)
    partner = np.where(draw < low, draw, draw + (high - low))
    return np.minimum(partner, max(0, count - 1)), allowed > 0


def in_order(numbers: Sequence[int], name: str, count: int) -> np.ndarray:
    """Check that numbers of paragraphs or documents are whole, enough and never decrease.

    Args:
        numbers: one for each sentence.
        name: what they number, for the message.
        count: how many sentences there are.

    Returns:
        The numbers, int (count,).

    Raises:
        PairingError: they are not.
    """
    numbers = np.asarray(numbers)
    if numbers.shape != (count,) or (count and numbers.dtype.kind not in "iu"):
        raise PairingError(
            f"{name} must be {count} whole numbers, one a sentence, not {numbers.dtype} "
            f"{numbers.shape}"
        )
    if np.any(numbers[1:] < numbers[:-1]):
        raise PairingError(f"{name} numbers must never decrease: give the text in its order")
    return numbers


def _key(sentence):
    return sentence if isinstance(sentence, str) else tuple(sentence)
