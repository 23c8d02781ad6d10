"""Sentence pairs for next-sentence prediction: label 0 is the true next sentence, 1 is not.

Both kinds of pairs take their first sentences from the same pool and their second sentences from
the same pool, so that neither a sentence on its own nor its length gives the label away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

IS_NEXT, NOT_NEXT = 0, 1


class PairIndex(NamedTuple):
    """All distinct pairs of neighbouring sentences of a text.

    Attributes:
        first: int32 (N,), number of the first sentence.
        second: int32 (N,), number of the sentence after it.
        paragraph: int32 (N,), position of their paragraph in the text, never decreasing.
        wording: int32 (N,), equal numbers where second sentences read the same.
    """

    first: np.ndarray
    second: np.ndarray
    paragraph: np.ndarray
    wording: np.ndarray


def adjacent_pairs(sentences: Sequence, paragraph: Sequence[int]) -> PairIndex:
    """Neighbouring sentences of one paragraph, each distinct pair once.

    Args:
        sentences: N sentences in the order of the text, strings or sequences of ids.
        paragraph: position of each sentence's paragraph; it must never decrease.

    Returns:
        The pairs.
    """
    first, second, wording, seen, known = [], [], [], set(), {}
    for number in range(len(sentences) - 1):
        if paragraph[number] != paragraph[number + 1]:
            continue
        pair = tuple(
            s if isinstance(s, str) else tuple(s)
            for s in (sentences[number], sentences[number + 1])
        )
        if pair not in seen:
            seen.add(pair)
            first.append(number)
            second.append(number + 1)
            wording.append(known.setdefault(pair[1], len(known)))
    first = np.array(first, np.int32)
    return PairIndex(
        first,
        np.array(second, np.int32),
        np.asarray(paragraph, np.int32)[first],
        np.array(wording, np.int32),
    )


def draw_pairs(
    pairs: PairIndex, rng: np.random.Generator, *, distance: int = 200, negative_rate: float = 0.5
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One pass over the pairs, a part of them with their second sentence exchanged.

    An exchanged second sentence comes from a pair at least `distance` paragraphs away, so from
    another article. Where it happens to read like the true next sentence, the pair stays as it was
    and counts as a true one.

    Args:
        pairs: N pairs.
        rng: source of the draws.
        distance: how many paragraphs away a wrong second sentence must be at least.
        negative_rate: share of pairs to exchange.

    Returns:
        `first` int32 (N,), `second` int32 (N,) sentence numbers and `next_sentence_label`
        int32 (N,), in the order of the text.

    Raises:
        ValueError: the text is too short for the distance.
    """
    count = len(pairs.first)
    # Paragraph numbers never decrease, so the pairs that are too near form one run low … high-1.
    low = np.searchsorted(pairs.paragraph, pairs.paragraph - distance, side="right")
    high = np.searchsorted(pairs.paragraph, pairs.paragraph + distance, side="left")
    allowed = count - (high - low)  # (N,) how many pairs are far enough
    label = (rng.random(count) < negative_rate).astype(np.int32)
    if np.any(allowed[label == NOT_NEXT] == 0):
        raise ValueError(f"the text has no sentences {distance} paragraphs apart: reduce distance")
    # Draw among the allowed ones and step over the run of near ones.
    draw = (rng.random(count) * allowed).astype(np.int64)
    partner = np.where(draw < low, draw, draw + (high - low))
    partner = np.where(label == NOT_NEXT, np.minimum(partner, count - 1), np.arange(count))
    label[pairs.wording[partner] == pairs.wording] = IS_NEXT
    return pairs.first, pairs.second[partner], label
