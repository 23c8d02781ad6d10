"""Find texts that repeat earlier ones, word for word or nearly so.

Two steps, so that a corpus larger than memory can be worked through in blocks and in parallel:
`signatures` turns texts into rows of numbers, a kilobyte or less each, block by block and without
knowing of other blocks; `duplicate_of` decides on all rows together. Nothing is random: the same
texts give the same answer, however they were cut into blocks.

Two texts are alike by the share of their shingles, runs of a few words, that both have (Jaccard
similarity). A signature keeps the smallest value of each of H hash functions over all shingles;
the share of equal values in two signatures estimates the similarity, with a standard error of
0.035 at 0.8 for H = 128.

Reference: Broder, On the Resemblance and Containment of Documents (1997); Leskovec, Rajaraman and
Ullman, Mining of Massive Datasets, chapter 3.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from bert_keras.errors import UserError
from bert_keras.text.wordpiece import basic_tokenize, is_punctuation

# A pair is looked at when some band of this many values is equal in both: at 0.7 in 99.98 % of
# cases with 32 bands, at 0.3 in a quarter.
_BAND = 4
_PAIRS_AT_ONCE, _SHINGLES_AT_ONCE = 1 << 15, 1 << 12


class DuplicatesError(UserError):
    """Signatures do not fit together or a setting makes no sense; the message is one line."""


class Signatures(NamedTuple):
    """What is remembered of N texts.

    Attributes:
        exact: uint64 (N,), equal where texts have the same words.
        minima: uint32 (N, H), MinHash values.
    """

    exact: np.ndarray
    minima: np.ndarray


def normalize(text: str) -> list[str]:
    """The words that count in a comparison: lower case, without accents and punctuation.

    Args:
        text: any text; a Chinese character is a word.

    Returns:
        The words.

    Example:
        >>> normalize("Café — 天地!")
        ['cafe', '天', '地']
    """
    return [word for word in basic_tokenize(text) if not is_punctuation(word[0])]


def signatures(texts: Iterable[str], *, hashes: int = 128, shingle: int = 4) -> Signatures:
    """Signatures of a block of texts; independent of all other texts.

    Args:
        texts: documents or paragraphs; read once, one at a time.
        hashes: number H of hash functions, a multiple of 4.
        shingle: words in a shingle; a shorter text is one shingle.

    Returns:
        N signatures.

    Raises:
        DuplicatesError: a setting makes no sense.
    """
    if hashes < _BAND or hashes % _BAND or shingle < 1:
        raise DuplicatesError(
            f"hashes must be a multiple of {_BAND} and shingle at least 1, not {hashes}, {shingle}"
        )
    rng = np.random.default_rng(hashes)  # the same functions in every process
    factors = rng.integers(0, 2**63, hashes).astype(np.uint64) * np.uint64(2) + np.uint64(1)
    exact, minima = [], []
    for text in texts:
        words = normalize(text)
        digest = hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest()
        exact.append(int.from_bytes(digest, "big"))
        minima.append(_minima(words, shingle, factors))
    return Signatures(
        np.array(exact, np.uint64), np.array(minima, np.uint32).reshape(len(exact), hashes)
    )


def merge(blocks: Iterable[Signatures]) -> Signatures:
    """Put the signatures of several blocks one after the other.

    Args:
        blocks: at least one, in the order of the text.

    Returns:
        All of them.

    Raises:
        DuplicatesError: no block, or blocks with different numbers of hash functions.
    """
    blocks = list(blocks)
    widths = sorted({block.minima.shape[1] for block in blocks})
    if len(widths) != 1:
        raise DuplicatesError(f"signatures of one width needed, got widths {widths}")
    return Signatures(
        np.concatenate([block.exact for block in blocks]),
        np.concatenate([block.minima for block in blocks]),
    )


def duplicate_of(found: Signatures, *, threshold: float = 0.8) -> np.ndarray:
    """Which earlier text each text repeats.

    Texts that are linked through others count as repeating the first of them. Memory: the
    signatures and about 50 bytes a text.

    Args:
        found: N signatures, in the order of the text.
        threshold: estimated similarity from which a text counts as a repetition; above 1 only
            texts with the same words do.

    Returns:
        int64 (N,), number of the first text of its kind, or -1 for a text to keep.

    Raises:
        DuplicatesError: the threshold is not positive.
    """
    if not threshold > 0:
        raise DuplicatesError(f"threshold must be positive, not {threshold}")
    count = len(found.exact)
    _, first, inverse = np.unique(found.exact, return_index=True, return_inverse=True)
    root = first[inverse].astype(np.int64)  # (N,) itself, or the earlier text with the same words
    if threshold <= 1:
        distinct = np.flatnonzero(root == np.arange(count))  # (M,)
        for band in range(0, found.minima.shape[1], _BAND):
            _link(found.minima, band, distinct, root, threshold)
    while True:  # follow the links to the first text
        further = root[root]
        if np.array_equal(further, root):
            break
        root = further
    return np.where(root == np.arange(count), -1, root)


def _minima(words, shingle, factors):
    """MinHash values of one text: uint32 (H,)."""
    codes = np.array([zlib.crc32(word.encode()) for word in words] or [0], np.uint64)  # (W,)
    width = min(shingle, len(codes))
    number = len(codes) - width + 1
    values = np.zeros(number, np.uint64)
    for place in range(width):
        values = _mix(values + codes[place : place + number])  # (S,)
    smallest = np.full(len(factors), 2**64 - 1, np.uint64)
    for start in range(0, number, _SHINGLES_AT_ONCE):
        block = values[start : start + _SHINGLES_AT_ONCE, None] * factors  # (s, H)
        np.minimum(smallest, block.min(axis=0), out=smallest)
    return (smallest >> np.uint64(32)).astype(np.uint32)


def _mix(values):
    """Spread the bits of uint64 numbers: the finisher of SplitMix64."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _link(minima, band, distinct, root, threshold):
    """Link texts that agree in one band and are alike, each to the earlier one, in `root`."""
    key = np.zeros(len(distinct), np.uint64)
    for place in range(band, band + _BAND):
        key = _mix(key + minima[distinct, place])
    order = np.argsort(key, kind="stable")  # groups of equal keys, each in the order of the text
    same = np.flatnonzero(key[order][1:] == key[order][:-1]) + 1  # places not first in their group
    is_first = np.ones(len(order), bool)
    is_first[same] = False
    leader = np.maximum.accumulate(np.where(is_first, np.arange(len(order)), 0))
    text = distinct[order]
    # Each is compared with the first of its group and with the one before it.
    for earlier in (leader[same], same - 1):
        for start in range(0, len(same), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            later, before = text[same[part]], text[earlier[part]]
            alike = (minima[later] == minima[before]).mean(axis=1) >= threshold
            np.minimum.at(root, later[alike], before[alike])
