"""Put one or two texts into BERT's input: [CLS] first [SEP] second [SEP], then padding.

Texts are cut before the special tokens are added, so no [SEP] is ever lost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bert_keras.text.vocabulary import Vocabulary


def truncate_pair(
    first: Sequence[int], second: Sequence[int], budget: int
) -> tuple[Sequence[int], Sequence[int]]:
    """Shorten two sequences until together they have at most `budget` tokens.

    Tokens are taken from the end of the longer sequence, one at a time; of two equally long ones
    the second is shortened.

    Args:
        first, second: token ids.
        budget: number of tokens that may remain.

    Returns:
        Both sequences, shortened.
    """
    a, b = len(first), len(second)
    excess = max(0, a + b - budget)
    # First level the longer one down to the shorter, then take turns, the second one first.
    level = min(excess, abs(a - b))
    if a > b:
        a -= level
    else:
        b -= level
    rest = excess - level
    b -= (rest + 1) // 2
    a -= rest // 2
    return first[:a], second[:b]


def head_and_tail(tokens: Sequence[int], budget: int) -> Sequence[int]:
    """Shorten one text by losing its middle: reviews open and close with what they think.

    Args:
        tokens: token ids.
        budget: number of tokens that may remain; the tail gets the odd one.

    Returns:
        The tokens, or their first and last ones.

    Reference:
        Sun et al., How to Fine-Tune BERT for Text Classification? (2019), section 5.3.1.
    """
    if len(tokens) <= budget:
        return tokens
    head = budget // 2
    return [*tokens[:head], *tokens[len(tokens) - (budget - head) :]]


def pack(
    first: Sequence[int],
    second: Sequence[int] | None,
    vocabulary: Vocabulary,
    max_sequence_length: int,
) -> dict[str, np.ndarray]:
    """One input row from one or two texts.

    Segment 0 is [CLS], the first text and its [SEP]; segment 1 is the second text and its [SEP].

    Args:
        first: token ids.
        second: token ids of the second text, or None.
        vocabulary: where the special ids come from.
        max_sequence_length: length T of the row.

    Returns:
        `token_ids` int32 (T,), `segment_ids` int32 (T,), `padding_mask` bool (T,), True = a real
        token.

    Raises:
        ValueError: T has no room for the special tokens.
    """
    rows = pack_batch([(first, second)], vocabulary, max_sequence_length)
    return {name: value[0] for name, value in rows.items()}


def pack_batch(
    texts: Sequence[tuple[Sequence[int], Sequence[int] | None]],
    vocabulary: Vocabulary,
    max_sequence_length: int,
) -> dict[str, np.ndarray]:
    """Many rows at once; see `pack`.

    Args:
        texts: pairs (first, second), second may be None.
        vocabulary: where the special ids come from.
        max_sequence_length: length T of every row.

    Returns:
        `token_ids` int32 (B, T), `segment_ids` int32 (B, T), `padding_mask` bool (B, T).

    Raises:
        ValueError: T has no room for the special tokens.
    """
    length = max_sequence_length
    token_ids = np.full((len(texts), length), vocabulary.pad_id, np.int32)  # (B, T)
    segment_ids = np.zeros((len(texts), length), np.int32)  # (B, T)
    padding_mask = np.zeros((len(texts), length), bool)  # (B, T)
    for row, (first, second) in enumerate(texts):
        specials = 2 if second is None else 3
        if length < specials:
            raise ValueError(f"max_sequence_length {length} leaves no room for {specials} specials")
        first, second_ids = truncate_pair(
            first, () if second is None else second, length - specials
        )
        middle = len(first) + 2
        end = middle if second is None else middle + len(second_ids) + 1
        token_ids[row, 0] = vocabulary.cls_id
        token_ids[row, 1 : middle - 1] = first
        token_ids[row, middle - 1] = vocabulary.sep_id
        if second is not None:
            token_ids[row, middle : end - 1] = second_ids
            token_ids[row, end - 1] = vocabulary.sep_id
            segment_ids[row, middle:end] = 1
        padding_mask[row, :end] = True
    return {"token_ids": token_ids, "segment_ids": segment_ids, "padding_mask": padding_mask}
