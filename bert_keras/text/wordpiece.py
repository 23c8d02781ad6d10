"""WordPiece: cut text into words, and words into the longest pieces that the vocabulary knows.

The result is id for id that of the `tokenizers` library. Speed comes from two tables: one that
says what becomes of each character, and one that remembers the pieces of every word met so far.
"""

from __future__ import annotations

import re
import unicodedata

from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary

# Blocks of Chinese characters; kana and hangul are written in words and stay together.
_CHINESE_BLOCKS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
_SPECIAL = re.compile("(" + "|".join(re.escape(token) for token in SPECIAL_TOKENS) + ")")


def is_chinese(character: str) -> bool:
    """Whether a character is written without spaces around it and becomes a word of its own."""
    return any(first <= ord(character) <= last for first, last in _CHINESE_BLOCKS)


def is_punctuation(character: str) -> bool:
    """Unicode punctuation, and every ASCII sign that is neither letter nor digit, such as $."""
    code = ord(character)
    if 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126:
        return True
    return unicodedata.category(character).startswith("P")


class _CharacterTable(dict):
    """What `str.translate` puts in place of each character; filled as characters turn up."""

    def __init__(self, lowercase: bool):
        super().__init__()
        self.lowercase = lowercase

    def __missing__(self, code: int) -> str:
        self[code] = replacement = self._replacement(chr(code))
        return replacement

    def _replacement(self, character: str) -> str:
        if character in "\t\n\r":
            return " "
        if character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co"):
            return ""
        if character.isspace():
            return " "
        alone = is_chinese(character)
        if self.lowercase:
            # Decompose, drop the accents, then fold the case of what is left.
            parts = unicodedata.normalize("NFD", character)
            character = "".join(p for p in parts if unicodedata.category(p) != "Mn").lower()
        pieces = [f" {c} " if alone or is_punctuation(c) else c for c in character]
        return "".join(pieces)


_TABLES = {lowercase: _CharacterTable(lowercase) for lowercase in (True, False)}


def basic_tokenize(text: str, lowercase: bool = True) -> list[str]:
    """Split text into words.

    Control characters are dropped, every Chinese character and every punctuation mark becomes a
    word of its own, the rest is split at white space. With `lowercase`, case and accents are
    folded.

    Args:
        text: any string.
        lowercase: fold case and strip accents.

    Returns:
        The words.

    Example:
        >>> basic_tokenize("Café 在3楼!")
        ['cafe', '在', '3', '楼', '!']
    """
    return text.translate(_TABLES[lowercase]).split()


def wordpiece_tokenize(
    word: str, vocabulary: Vocabulary, unknown: str = "[UNK]", max_word_length: int = 100
) -> list[str]:
    """Cut one word into pieces, always taking the longest piece that the vocabulary knows.

    Pieces after the first are written with "##" in front. A word with a part that no piece covers
    is unknown as a whole, as is a word of more than `max_word_length` characters.

    Args:
        word: a word without white space.
        vocabulary: anything that answers `piece in vocabulary`.
        unknown: the token for unknown words.
        max_word_length: longer words are unknown.

    Returns:
        The pieces.

    Example:
        >>> wordpiece_tokenize("unaffable", {"un", "##aff", "##able"})
        ['un', '##aff', '##able']
    """
    if len(word) > max_word_length:
        return [unknown]
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocabulary:
                break
        else:
            return [unknown]
        pieces.append(piece)
        start = end
    return pieces


class WordPieceTokenizer:
    """Text to ids.

    Args:
        vocabulary: a `Vocabulary`.
        lowercase: fold case and strip accents.

    Example:
        >>> vocabulary = Vocabulary([*SPECIAL_TOKENS, "天", "好", "!"])
        >>> WordPieceTokenizer(vocabulary).encode("天[MASK]好!")
        [5, 4, 6, 7]
    """

    def __init__(self, vocabulary: Vocabulary, lowercase: bool = True):
        self.vocabulary = vocabulary
        self.lowercase = lowercase
        self._ids: dict[str, list[int]] = {}

    def tokenize(self, text: str) -> list[str]:
        """Pieces of a text; special tokens written in it, such as [MASK], are kept whole."""
        return self.vocabulary.words(self.encode(text))

    def encode(self, text: str) -> list[int]:
        """Ids of a text, without [CLS] and [SEP]: packing adds those."""
        if "[" not in text:
            return self._encode_plain(text)
        ids: list[int] = []
        for part in _SPECIAL.split(text):
            if part in SPECIAL_TOKENS:
                ids += self.vocabulary.ids([part])
            else:
                ids += self._encode_plain(part)
        return ids

    def _encode_plain(self, text: str) -> list[int]:
        known, ids = self._ids, []
        for word in basic_tokenize(text, self.lowercase):
            found = known.get(word)
            if found is None:
                pieces = wordpiece_tokenize(word, self.vocabulary)
                found = known[word] = self.vocabulary.ids(pieces)
            ids += found
        return ids
