"""From ids back to text."""

from __future__ import annotations

from collections.abc import Iterable

from bert_keras.text.vocabulary import CLS, PAD, SEP, SPECIAL_TOKENS, Vocabulary
from bert_keras.text.wordpiece import is_chinese

_CLOSING = frozenset(".,:;!?)]}%…’”。、！，：；？）」』》】")
_OPENING = frozenset("([{“‘「『《【（#@")


def decode(ids: Iterable[int], vocabulary: Vocabulary) -> str:
    """Text of ids, for reading: what lower-casing and white space took away stays lost.

    Continuations are glued on; no space is put beside a Chinese character, before a closing mark
    or after an opening one. [PAD], [CLS] and [SEP] are left out, [UNK] and [MASK] shown.

    Args:
        ids: ids of the vocabulary.
        vocabulary: the vocabulary.

    Returns:
        The text.

    Example:
        >>> vocabulary = Vocabulary([*SPECIAL_TOKENS, "caf", "##e", "!", "天"])
        >>> decode([2, 5, 6, 7, 8, 8, 3], vocabulary)
        'cafe!天天'
    """
    text, before = "", ""
    for token in vocabulary.words(ids):
        if token in (PAD, CLS, SEP):
            continue
        if token.startswith("##") and text:
            text += token[2:]
        else:
            special = token in SPECIAL_TOKENS
            first = "" if special else token[0]
            text += token if not text or _touches(before, first) else " " + token
        before = "" if token in SPECIAL_TOKENS else token[-1]
    return text


def _touches(before: str, after: str) -> bool:
    """Whether two characters, "" for a special token, are written without a space between them."""
    return (
        after in _CLOSING
        or before in _OPENING
        or any(character and is_chinese(character) for character in (before, after))
        or "\u3001" <= before <= "\u3011"
    )
