"""Where words begin in a row of tokens, for masking whole words.

One byte a token, 1 = the first token of a word: see `bert_keras.text.masked_lm`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from bert_keras.errors import UserError
from bert_keras.text.offsets import encode_with_offsets
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer


class SegmentationError(UserError):
    """The words given are not the words of the text; the message is one line."""


def word_starts(token_ids: np.ndarray, vocabulary: Vocabulary) -> np.ndarray:
    """Word starts of a language written with spaces: every piece without "##" begins a word.

    In unsegmented Chinese every character is then a word.

    Args:
        token_ids: int, any shape.
        vocabulary: the vocabulary of the ids.

    Returns:
        uint8, shape of `token_ids`.
    """
    begins = np.array([not token.startswith("##") for token in vocabulary.tokens], np.uint8)  # (V,)
    return begins[np.asarray(token_ids)]


def encode_words(
    text: str,
    segmentation: Sequence[str] | Callable[[str], Sequence[str]],
    tokenizer: WordPieceTokenizer,
) -> tuple[np.ndarray, np.ndarray]:
    """Ids of a segmented text, and where its words begin.

    The ids are those of the whole text: the segmentation decides what is masked together, never
    how the text is tokenized. A "##" piece always belongs to the piece before it, also where the
    segmentation has a boundary there.

    Args:
        text: the text.
        segmentation: its words in order, or a function that finds them; white space between words
            need not be among them.
        tokenizer: turns text into ids and offsets.

    Returns:
        `ids` int32 (n,) and `starts` uint8 (n,).

    Raises:
        SegmentationError: the words do not make up the text.

    Example:
        >>> encode_words("我爱北京", ["我", "爱", "北京"], tokenizer)[1]
        array([1, 1, 1, 0], dtype=uint8)
    """
    words = segmentation(text) if callable(segmentation) else segmentation
    number = np.zeros(len(text) + 1, np.int64)  # how many words have begun at each character
    place = 0
    for word in (w for w in words if w.strip()):
        begin = text.find(word, place)
        if begin < 0 or text[place:begin].strip():
            raise SegmentationError(
                f"the segmentation does not make up its text: {word[:40]!r} expected at character "
                f"{place} of {text[:40]!r}; give the words in order, cut from the very same text"
            )
        number[begin] += 1
        place = begin + len(word)
    if text[place:].strip():
        raise SegmentationError(
            f"the segmentation ends at character {place} of {text[:40]!r}, {len(text)} long; "
            "give all its words"
        )
    ids, offsets = encode_with_offsets(text, tokenizer)
    ids = np.array(ids, np.int32)
    word_of = np.cumsum(number)[np.array([start for start, _ in offsets], np.int64)]  # (n,)
    starts = np.ones(len(ids), np.uint8)
    starts[1:] = word_of[1:] != word_of[:-1]
    return ids, starts & word_starts(ids, tokenizer.vocabulary)
