"""WordPiece: cut text into words, and words into the longest pieces that the vocabulary knows.

The result is id for id that of the `tokenizers` library. Speed comes from remembering. No rule of
WordPiece looks across a space, so what stands between two spaces has the same ids wherever it
occurs: most of a text with spaces is answered by one look into a table. Chinese has no spaces, but
there every character is a word, and a table of characters does the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import chain

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
# The common characters that are words of their own, Chinese and punctuation, in runs; and the rest.
_ALONE = r"\u3400-\u4dbf\u4e00-\u9fff!-/:-@\[-`{-~“”‘’…—、。〈-】！（），：；？"
_RUNS = re.compile(f"[{_ALONE}]+|[^{_ALONE}]+")
_IS_ALONE = re.compile(f"[{_ALONE}]").match
# Remembered are at most so many chunks of at most so many characters; then it starts afresh.
_CACHE_SIZE, _LONGEST_CHUNK = 2**17, 24


def is_chinese(character: str) -> bool:
    """Whether a character is written without spaces around it and becomes a word of its own.

    Args:
        character: one character.

    Returns:
        True for Chinese characters, also as used in Japanese and Korean; not for kana and hangul.
    """
    return any(first <= ord(character) <= last for first, last in _CHINESE_BLOCKS)


def is_punctuation(character: str) -> bool:
    """Unicode punctuation, and every ASCII sign that is neither letter nor digit, such as $.

    Args:
        character: one character.

    Returns:
        Whether it becomes a word of its own for that reason.
    """
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


def normalize_character(character: str, lowercase: bool = True) -> str:
    """What becomes of one character before the text is split at white space.

    Args:
        character: one character.
        lowercase: fold case and strip accents.

    Returns:
        Nothing where the character is dropped, a space for white space, the character with spaces
        around it where it is a word of its own, else the character, perhaps folded.

    Example:
        >>> normalize_character("É"), normalize_character("天"), normalize_character("\x00")
        ('e', ' 天 ', '')
    """
    return _TABLES[lowercase][ord(character)]


def split_at_specials(text: str) -> list[str]:
    """Cut special tokens such as [MASK] out of a text.

    Args:
        text: any string.

    Returns:
        The parts in order, together the text; every special token is a part of its own.
    """
    return _SPECIAL.split(text) if "[" in text else [text]


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


class _Cache(dict):
    """A table that works out what it lacks, and forgets everything when it is full."""

    def __init__(self, compute: Callable, size: int = _CACHE_SIZE):
        super().__init__()
        self.compute = compute
        self.size = size

    def __missing__(self, key: str):
        value = self.compute(key)
        if len(key) <= _LONGEST_CHUNK:
            if len(self) >= self.size:
                self.clear()
            self[key] = value
        return value


class WordPieceTokenizer:
    """Text to ids; `bert_keras.text.decoding` has the way back.

    It remembers up to 131,072 chunks of text, words and characters each, some 100 MB at the very
    most; ids never depend on what it remembers.

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
        self._number = {token: number for number, token in enumerate(vocabulary.tokens)}
        # Tuples, since Python's garbage collector would look through lists again and again.
        self._word_ids = _Cache(self._ids_of_word)
        self._character_id = _Cache(lambda character: self._ids_of_words(character)[0])
        self._chunk_ids = _Cache(self._ids_of_chunk)

    def __reduce__(self):
        # What travels to another process is the vocabulary, not the memory.
        return type(self), (self.vocabulary, self.lowercase)

    def tokenize(self, text: str) -> list[str]:
        """Pieces of a text; special tokens written in it, such as [MASK], are kept whole.

        Args:
            text: any string.

        Returns:
            The pieces, those that continue a word with "##" in front.
        """
        return self.vocabulary.words(self.encode(text))

    def encode(self, text: str) -> list[int]:
        """Ids of a text, without [CLS] and [SEP]: packing adds those.

        Args:
            text: any string; special tokens written in it are kept whole.

        Returns:
            The ids.
        """
        if "[" not in text:
            return self._encode_plain(text)
        ids: list[int] = []
        for part in split_at_specials(text):
            if part in SPECIAL_TOKENS:
                ids += self.vocabulary.ids([part])
            else:
                ids += self._encode_plain(part)
        return ids

    def _encode_plain(self, text: str) -> list[int]:
        if text.count(" ") * 20 > len(text):
            # Line ends are white space and marks are words of their own, so spaces here change
            # nothing, but a word need not be remembered once more for what follows it.
            text = text.replace("\n", " ").replace('"', ' " ')
            for mark in ",.'":
                text = text.replace(mark, f" {mark}")
        return list(chain.from_iterable(map(self._chunk_ids.__getitem__, text.split(" "))))

    def _ids_of_chunk(self, chunk: str) -> tuple[int, ...]:
        """Ids of what stands between two spaces; in Chinese that can be a whole text."""
        if chunk.isascii():
            if chunk.isalpha():  # one word, of which nothing is dropped and only case is folded
                return self._ids_of_word(chunk.lower() if self.lowercase else chunk)
            return self._ids_of_words(chunk)
        ids: list[int] = []
        for run in _RUNS.findall(chunk):
            if _IS_ALONE(run):
                ids += map(self._character_id.__getitem__, run)
            else:
                ids += self._ids_of_words(run)
        return tuple(ids)

    def _ids_of_words(self, text: str) -> tuple[int, ...]:
        words = basic_tokenize(text, self.lowercase)
        return tuple(chain.from_iterable(map(self._word_ids.__getitem__, words)))

    def _ids_of_word(self, word: str) -> tuple[int, ...]:
        number = self._number
        if word in number and len(word) <= _LONGEST_CHUNK:  # half of all words are one piece
            return (number[word],)
        return tuple([number[piece] for piece in wordpiece_tokenize(word, number)])
