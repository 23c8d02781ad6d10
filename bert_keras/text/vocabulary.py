"""Vocabularies: which piece of text has which number.

A vocabulary file has one token a line; the line number is the id, as in the files published with
BERT, so those can be loaded too.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
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
        VocabularyError: a special token is missing, or a token is empty or occurs twice.

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
        if "" in self._id_of:
            raise VocabularyError(f"token {self._id_of['']} of the vocabulary is empty")
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
        """Ids of tokens; an unknown token has the id of [UNK].

        Args:
            tokens: the tokens.

        Returns:
            One id for each.
        """
        return [self._id_of.get(token, self.unk_id) for token in tokens]

    def words(self, ids: Iterable[int]) -> list[str]:
        """Tokens of ids.

        Args:
            ids: whole numbers 0 … V - 1.

        Returns:
            One token for each.

        Raises:
            VocabularyError: an id is out of range.
        """
        ids = [int(number) for number in ids]
        outside = [number for number in ids if not 0 <= number < len(self.tokens)]
        if outside:
            raise VocabularyError(
                f"id {outside[0]} is not in the vocabulary of {len(self.tokens)} tokens; were the "
                "ids made with another one?"
            )
        return [self.tokens[number] for number in ids]

    def save(self, path: str | Path) -> None:
        """Write one token a line; the file is there whole or not at all.

        Args:
            path: where.

        Raises:
            VocabularyError: the file cannot be written.
        """
        path = Path(path)
        scratch = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with scratch.open("w", encoding="utf-8", newline="\n") as file:
                file.write("\n".join(self.tokens) + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(scratch, path)
        except (OSError, UnicodeEncodeError) as error:
            scratch.unlink(missing_ok=True)
            reason = getattr(error, "strerror", None) or "a token is not valid text"
            raise VocabularyError(f"cannot write the vocabulary {path}: {reason}") from None

    @classmethod
    def load(cls, path: str | Path) -> Vocabulary:
        """Read a file with one token a line.

        Args:
            path: the file, UTF-8.

        Returns:
            The vocabulary.

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
    WordPiece looks for them with "##" in front, so both forms are counted separately. The same
    words give the same vocabulary: of equally frequent tokens the one with the lower code is first.

    Args:
        words: words as `wordpiece.basic_tokenize` yields them.
        size: number of tokens at most, special tokens included.
        minimum_count: rarer characters become [UNK].

    Returns:
        The vocabulary, special tokens first.

    Raises:
        VocabularyError: `size` leaves no room beside the special tokens.
    """
    _check_size(size)
    counts = _count_characters(Counter(words))
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    kept = [token for token, count in ranked if count >= minimum_count]
    return Vocabulary([*SPECIAL_TOKENS, *kept[: size - len(SPECIAL_TOKENS)]])


def train_wordpiece_vocabulary(
    texts: Iterable[str], *, size: int = 8000, minimum_count: int = 2, lowercase: bool = True
) -> Vocabulary:
    """Train a WordPiece vocabulary with the `tokenizers` library.

    The same texts give the same vocabulary. The library alone does not promise that: it numbers
    the "##" characters in the order of a hash table, and those numbers decide between equally
    frequent pairs. So they are counted here first and handed over in a fixed order.

    Args:
        texts: the training text; gone through twice, so not a generator.
        size: number of tokens at most, special tokens included; fewer where the text runs out of
            pairs. If not even all characters find room, the most frequent ones make it up.
        minimum_count: a pair of pieces must be seen this often to be merged.
        lowercase: fold case and strip accents first.

    Returns:
        The vocabulary, special tokens first.

    Raises:
        VocabularyError: `size` leaves no room beside the special tokens.
    """
    from tokenizers import BertWordPieceTokenizer

    from bert_keras.text.wordpiece import basic_tokenize

    _check_size(size)
    words = Counter(word for text in texts for word in basic_tokenize(text, lowercase))
    seen = _count_characters(words)
    following = sorted(token for token in seen if len(token) > 1)  # those with "##"
    alphabet = sorted({token[-1] for token in seen})
    if len(alphabet) + len(following) >= size - len(SPECIAL_TOKENS):
        return build_character_vocabulary(words.elements(), size=size)
    trainer = BertWordPieceTokenizer(lowercase=lowercase)
    trainer.train_from_iterator(
        texts,
        vocab_size=size,
        min_frequency=minimum_count,
        limit_alphabet=len(alphabet),
        initial_alphabet=alphabet,
        special_tokens=[*SPECIAL_TOKENS, *following],
        show_progress=False,
    )
    by_id = sorted(trainer.get_vocab().items(), key=lambda item: item[1])
    return Vocabulary(token for token, _ in by_id)


def _count_characters(words: Counter[str]) -> Counter[str]:
    """How often each character begins a word and, with "##" in front, goes on with one."""
    counts: Counter[str] = Counter()
    for word, times in words.items():
        counts[word[0]] += times
        for character in word[1:]:
            counts["##" + character] += times
    return counts


def _check_size(size: int) -> None:
    if size <= len(SPECIAL_TOKENS):
        raise VocabularyError(
            f"a vocabulary of {size} tokens has no room beside the {len(SPECIAL_TOKENS)} special "
            "ones; choose a larger size"
        )
