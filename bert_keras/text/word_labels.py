"""Labels of words on their pieces, and tags that make sense together.

A tag belongs to a word, and a tokenizer cuts words into pieces: the first piece carries the tag,
the others none.

Reference: Devlin et al., BERT (2019), section 5.3.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bert_keras.text.wordpiece import WordPieceTokenizer

NO_LABEL = -1


def encode_words(
    words: Sequence[str], tokenizer: WordPieceTokenizer
) -> tuple[list[int], list[int]]:
    """Ids of some words, and where each word begins among them.

    A word of which the tokenizer leaves nothing, such as a control character, becomes [UNK]: every
    word has a piece that can carry its label.

    Args:
        words: the words, or in Chinese the characters.
        tokenizer: says how to cut them.

    Returns:
        The ids, and for each word the place of its first piece.
    """
    ids: list[int] = []
    firsts = []
    for word in words:
        firsts.append(len(ids))
        ids += tokenizer.encode(word) or [tokenizer.vocabulary.unk_id]
    return ids, firsts


def label_row(labels: Sequence[int], firsts: Sequence[int], length: int) -> np.ndarray:
    """Labels of the tokens of a packed row, [CLS] words [SEP].

    Args:
        labels: int for each word.
        firsts: as from `encode_words`.
        length: int, the length T of the row; the last place that can be a word's is T - 2.

    Returns:
        int32 array of shape (T,), `NO_LABEL` at special tokens, later pieces and padding. Words
        that are cut off have no place.
    """
    row = np.full(length, NO_LABEL, np.int32)  # (T,)
    for label, first in zip(labels, firsts, strict=True):
        if first + 1 < length - 1:
            row[first + 1] = label
    return row


def legal_transitions(tags: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Which tag may begin a sentence, and which may follow which, in BIO.

    An I continues a name: it stands after the B or the I of its type and nowhere else.

    Args:
        tags: the names of the tags, such as O, B-PER, I-PER.

    Returns:
        bool arrays: of shape (C,), and of shape (C, C) with [before, after].
    """

    def follows(before: str, after: str) -> bool:
        prefix, _, kind = after.partition("-")
        return prefix != "I" or before in (f"B-{kind}", f"I-{kind}")

    starts = np.array([follows("O", tag) for tag in tags])
    return starts, np.array([[follows(before, after) for after in tags] for before in tags])


def viterbi(scores: np.ndarray, transitions: np.ndarray, starts: np.ndarray) -> list[int]:
    """The sequence of tags with the highest sum of scores and transitions.

    Args:
        scores: float array of shape (T, C), of every tag at every place, T at least 1.
        transitions: float array of shape (C, C), added for [before, after]; minus infinity forbids.
        starts: float array of shape (C,), added at the first place.

    Returns:
        list of T int.

    Reference:
        Viterbi, Error Bounds for Convolutional Codes (1967); Lafferty et al., Conditional Random
        Fields (2001), for taggers.
    """
    total = scores[0] + starts  # (C,)
    came_from = []
    for now in scores[1:]:
        ways = total[:, None] + transitions  # (C, C), from before to after
        came_from.append(ways.argmax(axis=0))
        total = ways.max(axis=0) + now
    path = [int(total.argmax())]
    for before in reversed(came_from):
        path.append(int(before[path[-1]]))
    return path[::-1]
