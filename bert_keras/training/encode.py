"""What workers do with a piece of text: draw the vocabulary's sample from it, and tokenize it."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from bert_keras.text.vocabulary import Vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.text.words import encode_words, word_starts
from bert_keras.training.sources import SPLITS, Passage, Piece, sentences_of
from bert_keras.training.survey import PiecePlan


class Encoded(NamedTuple):
    """The sentences of one split in one piece.

    Attributes:
        ids: unsigned (tokens,), all sentences one after the other.
        lengths: int64 (n,), tokens of each.
        paragraph: int64 (n,), where its paragraph stands in the whole text.
        document: int64 (n,), its document.
        starts: uint8 (tokens,), 1 where a word begins; None if the text is not segmented.
    """

    ids: np.ndarray
    lengths: np.ndarray
    paragraph: np.ndarray
    document: np.ndarray
    starts: np.ndarray | None


class EncodedPiece(NamedTuple):
    """A tokenized piece.

    Attributes:
        splits: `Encoded` of each split.
        paragraphs: how many paragraphs of each split it has.
    """

    splits: dict[str, Encoded]
    paragraphs: dict[str, int]


def id_dtype(vocabulary_size: int) -> np.dtype:
    """The smallest unsigned dtype that holds all ids of a vocabulary.

    Args:
        vocabulary_size: number of tokens.

    Returns:
        The dtype.
    """
    return np.min_scalar_type(max(0, vocabulary_size - 1))


def sample_piece(piece: Piece, chosen: np.ndarray) -> list[str]:
    """The texts of the chosen passages of a piece.

    Args:
        piece: the piece.
        chosen: bool (n,), for each of its passages.

    Returns:
        Their texts.
    """
    passages, _, _ = piece.read()
    return [passage.text for passage, wanted in zip(passages, chosen, strict=True) if wanted]


def encode_piece(
    piece: Piece, plan: PiecePlan, marked: bool, tokens: str, lowercase: bool, segmented: bool
) -> EncodedPiece:
    """Tokenize what the plan keeps of a piece.

    Args:
        piece: the piece.
        plan: split of each passage, and where the piece stands in the whole text.
        marked: whether its source marks documents. Otherwise a document is a run of paragraphs
            with nothing left out between them: a heading is too short to be kept, so it ends one.
        tokens: the vocabulary, one token a line.
        lowercase: fold case and strip accents.
        segmented: also say where words begin.

    Returns:
        Its sentences by split.
    """
    tokenizer, known = _tokenizer(tokens, lowercase)
    passages, _, _ = piece.read()
    splits, counts = {}, {}
    for index, name in enumerate(SPLITS):
        flat, lengths, paragraph, document, starts = [], [], [], [], []
        before, current = None, 0
        for passage, split in zip(passages, plan.split, strict=True):
            if split != index:
                continue
            position = plan.first_position + passage.position
            if marked:
                current = plan.first_document + passage.document
            elif before is None or position != before + 1:
                current = position
            before = position
            counts[name] = counts.get(name, 0) + 1
            for ids, begins in _sentences(passage, tokenizer, known if segmented else None):
                if ids:
                    flat += ids
                    starts.append(begins)
                    lengths.append(len(ids))
                    paragraph.append(position)
                    document.append(current)
        splits[name] = Encoded(
            np.array(flat, id_dtype(len(tokenizer.vocabulary))),
            np.array(lengths, np.int64),
            np.array(paragraph, np.int64),
            np.array(document, np.int64),
            np.concatenate([np.zeros(0, np.uint8), *starts]) if segmented else None,
        )
    return EncodedPiece(splits, {name: counts.get(name, 0) for name in SPLITS})


def _sentences(passage: Passage, tokenizer: WordPieceTokenizer, known: _WordIds | None):
    """Ids of each sentence as a list, and where its words begin as an array, if asked for."""
    for number, sentence in enumerate(sentences_of(passage)):
        ids = tokenizer.encode(sentence)
        if known is None:
            yield ids, None
        elif passage.words is None:
            yield ids, known.begins[ids]
        else:
            yield ids, _begins(ids, sentence, passage.words[number], tokenizer, known)


def _begins(ids, sentence, words, tokenizer, known) -> np.ndarray:
    """Where the words of a segmented sentence begin, uint8."""
    pieces = [known[word] for word in words]
    if list(chain.from_iterable(pieces)) != ids:
        # Two words that are written together as one, such as letters before digits.
        return encode_words(sentence, words, tokenizer)[1]
    begins = bytearray(len(ids))
    place = 0
    for piece in pieces:
        if piece:
            begins[place] = 1
            place += len(piece)
    return np.frombuffer(begins, np.uint8)


class _WordIds(dict):
    """The ids of every word met so far."""

    def __init__(self, tokenizer: WordPieceTokenizer):
        super().__init__()
        self._tokenizer = tokenizer
        # uint8 (V,), 1 for each token that begins a word where nothing else says so.
        self.begins = word_starts(np.arange(len(tokenizer.vocabulary)), tokenizer.vocabulary)

    def __missing__(self, word: str) -> list[int]:
        self[word] = ids = self._tokenizer.encode(word)
        return ids


@lru_cache(maxsize=1)
def _tokenizer(tokens: str, lowercase: bool) -> tuple[WordPieceTokenizer, _WordIds]:
    """The tokenizer of a worker, kept from one piece to the next with all it remembers."""
    tokenizer = WordPieceTokenizer(Vocabulary(tokens.split("\n")), lowercase)
    return tokenizer, _WordIds(tokenizer)
