"""Vocabularies: which piece of text has which number.

A vocabulary file has one token a line; the line number is the id, as in the files published with
BERT, so those can be loaded too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from bert_keras.errors import UserError

PAD, UNK, CLS, SEP, MASK = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"
SPECIAL_TOKENS = (PAD, UNK, CLS, SEP, MASK)


class VocabularyError(UserError):
    """A vocabulary is unusable; the message is one line."""


class Vocabulary:
    """Two-way map between tokens and ids.

    Args:
        tokens: all tokens in the order of their ids; the five special tokens must be among them.

    Raises:
        VocabularyError: a special token is missing, or a token occurs twice.

    Example:
        >>> vocabulary = Vocabulary([*SPECIAL_TOKENS, "天", "地"])
        >>> vocabulary.ids(["天", "人"])
        [5, 1]
    """

    def __init__(self, tokens: Iterable[str]):
        self.tokens = tuple(tokens)
        self._id_of = {token: number for number, token in enumerate(self.tokens)}
        missing = [token for token in SPECIAL_TOKENS if token not in self._id_of]
        if missing:
            raise VocabularyError(f"the vocabulary lacks {', '.join(missing)}")
        if len(self._id_of) != len(self.tokens):
            twice = next(t for t, count in Counter(self.tokens).items() if count > 1)
            raise VocabularyError(f"the vocabulary has {twice!r} twice")
        self.pad_id, self.unk_id, self.cls_id, self.sep_id, self.mask_id = (
            self._id_of[token] for token in SPECIAL_TOKENS
        )
        self.special_ids = np.array([self._id_of[token] for token in SPECIAL_TOKENS], np.int32)
        is_special = np.zeros(len(self.tokens), bool)
        is_special[self.special_ids] = True
        self.ordinary_ids = np.flatnonzero(~is_special).astype(np.int32)  # (V - 5,)

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: str) -> bool:
        return token in self._id_of

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """Ids of tokens; an unknown token has the id of [UNK]."""
        return [self._id_of.get(token, self.unk_id) for token in tokens]

    def words(self, ids: Iterable[int]) -> list[str]:
        """Tokens of ids."""
        return [self.tokens[number] for number in ids]

    def save(self, path: str | Path) -> None:
        """Write one token a line."""
        Path(path).write_text("\n".join(self.tokens) + "\n", encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, path: str | Path) -> Vocabulary:
        """Read a file with one token a line.

        Raises:
            VocabularyError: the file cannot be read or is not a vocabulary.
        """
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8 text"
            raise VocabularyError(f"cannot read the vocabulary {path}: {reason}") from None
        # Not splitlines(): it also cuts at U+2028 and others, which may be tokens.
        lines = text.replace("\r\n", "\n").split("\n")
        if lines and not lines[-1]:
            lines.pop()
        try:
            return cls(lines)
        except VocabularyError as error:
            raise VocabularyError(f"{path}: {error}") from None


def build_character_vocabulary(
    words: Iterable[str], *, size: int = 8000, minimum_count: int = 1
) -> Vocabulary:
    """A vocabulary of single characters, most frequent first.

    Chinese characters always stand alone. Letters and digits also occur inside words, where
    WordPiece looks for them with "##" in front, so both forms are counted separately.

    Args:
        words: words as `wordpiece.basic_tokenize` yields them.
        size: number of tokens at most, special tokens included.
        minimum_count: rarer characters become [UNK].

    Returns:
        The vocabulary, special tokens first.
    """
    counts: Counter[str] = Counter()
    for word, times in Counter(words).items():
        counts[word[0]] += times
        for character in word[1:]:
            counts["##" + character] += times
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    kept = [token for token, count in ranked if count >= minimum_count]
    return Vocabulary([*SPECIAL_TOKENS, *kept[: max(0, size - len(SPECIAL_TOKENS))]])


def train_wordpiece_vocabulary(
    texts: Sequence[str], *, size: int = 8000, minimum_count: int = 2, lowercase: bool = True
) -> Vocabulary:
    """Train a WordPiece vocabulary with the `tokenizers` library.

    Args:
        texts: the training text.
        size: number of tokens, special tokens included.
        minimum_count: a pair of pieces must be seen this often to be merged.
        lowercase: fold case and strip accents first.

    Returns:
        The vocabulary, special tokens first.
    """
    from tokenizers import BertWordPieceTokenizer

    trainer = BertWordPieceTokenizer(lowercase=lowercase)
    trainer.train_from_iterator(
        texts,
        vocab_size=size,
        min_frequency=minimum_count,
        limit_alphabet=size,
        special_tokens=list(SPECIAL_TOKENS),
        show_progress=False,
    )
    by_id = sorted(trainer.get_vocab().items(), key=lambda item: item[1])
    return Vocabulary(token for token, _ in by_id)
