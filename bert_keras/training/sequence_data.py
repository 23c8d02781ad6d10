"""Pairs of sequences as numbered batches, whichever set they come from."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bert_keras.models.sequence_pieces import shift_right
from bert_keras.text import corpora
from bert_keras.text.batching import encode_batch
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.figures import words_of
from bert_keras.text.corpora.sequences import Translation
from bert_keras.training.sequence_sections import SequencesSection

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[BOS]", "[EOS]")
_WINDOW = 20  # batches that are sorted by length together


class TokenPair(NamedTuple):
    """A source and its right answers, as tokens.

    Attributes:
        source: tuple of str.
        targets: tuple of tuples of str; training takes the first.
        row: what the set's loader returned.
    """

    source: tuple[str, ...]
    targets: tuple[tuple[str, ...], ...]
    row: Any


def tokens_of(row) -> TokenPair:
    """Cut a row into tokens.

    Sets of symbols, such as letters and phones, come in tokens. Of a translation the source is cut
    into lower-case words and punctuation marks, and the target into characters, its spaces
    included: for Chinese, which has none between words.

    Args:
        row: `Translation`, or any row with `source` and `targets`, tuples of tokens.

    Returns:
        `TokenPair`.
    """
    if isinstance(row, Translation):
        return TokenPair(tuple(words_of(row.source)), (tuple(row.target),), row)
    return TokenPair(tuple(row.source), tuple(map(tuple, row.targets)), row)


@dataclass(frozen=True)
class SequenceData:
    """A set, ready for training.

    Attributes:
        splits: dict of "train", "dev" and "test", lists of `TokenPair`.
        source_vocabulary: dict of str to int.
        target_vocabulary: dict of str to int.
        checksum: str, of all of this.
    """

    splits: dict[str, list[TokenPair]]
    source_vocabulary: dict[str, int]
    target_vocabulary: dict[str, int]
    checksum: str


def load(section: SequencesSection) -> SequenceData:
    """Read a set and make its vocabularies from the train split.

    Args:
        section: which set, and how much of it.

    Returns:
        `SequenceData`.

    Raises:
        CorpusError: the data cannot be had, or none of them is left.
    """
    options: dict[str, Any] = {"seed": section.split_seed}
    if section.corpus == "toy_translation":
        options |= {"count": section.count, "shortest": section.shortest}
        options |= {"longest": section.longest, "kind": section.kind or "grammar"}
    parts = corpora.load(section.corpus, section.path or None, **options)
    return prepare(parts, section)


def prepare(parts: dict[str, list], section: SequencesSection) -> SequenceData:
    """Cut rows into tokens, leave out what is not wanted, make vocabularies.

    Args:
        parts: dict of lists of rows, as from a loader of sequence pairs.
        section: limits.

    Returns:
        `SequenceData`.

    Raises:
        CorpusError: nothing is left of a split.
    """
    longest = section.max_length
    splits: dict[str, list[TokenPair]] = {}
    for name, rows in parts.items():
        pairs = [tokens_of(row) for row in rows]
        if name == "train" and longest:
            pairs = [p for p in pairs if max(len(p.source), len(p.targets[0])) <= longest]
        limit = section.rows if name == "train" else section.test_rows
        splits[name] = pairs[:limit] if limit else pairs
        if not splits[name]:
            raise CorpusError(
                f"nothing is left of the {name} split of {section.corpus}: raise data.max_length "
                "or take more rows"
            )
    train = splits["train"]
    source = vocabulary_of((pair.source for pair in train), section.minimum_count)
    target = vocabulary_of((pair.targets[0] for pair in train), section.minimum_count)
    digest = hashlib.sha256()
    for name, pairs in sorted(splits.items()):
        for pair in pairs:
            digest.update(json.dumps([name, pair.source, pair.targets]).encode())
    digest.update(json.dumps([source, target]).encode())
    return SequenceData(splits, source, target, digest.hexdigest())


def vocabulary_of(sequences: Iterable[Sequence[str]], minimum_count: int = 1) -> dict[str, int]:
    """Number the tokens of some sequences, the most frequent first, after the special ones.

    Args:
        sequences: of tokens.
        minimum_count: int, rarer ones are left out.

    Returns:
        dict of str to int, as `encode_batch` takes it.
    """
    counts = Counter(token for sequence in sequences for token in sequence)
    kept = sorted((t for t, n in counts.items() if n >= minimum_count), key=lambda t: -counts[t])
    ordinary = (token for token in kept if token not in SPECIAL_TOKENS)
    return {token: number for number, token in enumerate((*SPECIAL_TOKENS, *ordinary))}


class SequenceBatches:
    """Batches of pairs of about the same length, by their number.

    Which pairs are in a batch depends on the seed and the number of the pass alone.

    Args:
        pairs: list of `TokenPair`.
        data: `SequenceData`, for its vocabularies.
        batch_size: int, pairs in a batch.
        bucket_width: int, both sides are padded to a multiple of this.
        seed: int.

    Raises:
        ValueError: there are fewer pairs than a batch has.
    """

    def __init__(
        self,
        pairs: Sequence[TokenPair],
        data: SequenceData,
        batch_size: int,
        bucket_width: int,
        seed: int,
    ):
        self.pairs, self.data, self.seed = pairs, data, seed
        self.batch_size, self.bucket_width = batch_size, bucket_width
        self.per_epoch = len(pairs) // batch_size
        if not self.per_epoch:
            raise ValueError(
                f"the train split has {len(pairs)} pairs, fewer than training.batch_size "
                f"({batch_size})"
            )
        self._lengths = np.array([(len(p.source), len(p.targets[0])) for p in pairs])  # (N, 2)
        self._pass: tuple[int, np.ndarray] | None = None

    def batch(self, number: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Batch `number` of the endless stream.

        Args:
            number: int, from 0.

        Returns:
            Inputs token_ids int32 (B, S), padding_mask bool (B, S), target_ids int32 (B, T), and
            targets label_ids int32 (B, T), label_mask bool (B, T).
        """
        epoch, place = divmod(number, self.per_epoch)
        if self._pass is None or self._pass[0] != epoch:
            self._pass = epoch, self._order(epoch)
        return self.encode([self.pairs[row] for row in self._pass[1][place]])

    def encode(self, pairs: Sequence[TokenPair]):
        """Any pairs as one batch, padded no further than the longest of them needs.

        Args:
            pairs: list of `TokenPair`.

        Returns:
            The pair of inputs and targets, as from `batch`.
        """
        token_ids, padding_mask = encode_batch(
            [list(pair.source) for pair in pairs], self.data.source_vocabulary
        )
        target, target_mask = encode_batch(
            [list(pair.targets[0]) for pair in pairs], self.data.target_vocabulary
        )
        # Inputs and labels are one shorter than the whole target.
        target, target_mask = (widened(a, self.bucket_width, 1) for a in (target, target_mask))
        target_ids, label_ids, label_mask = shift_right(target, target_mask)
        inputs = {
            "token_ids": widened(token_ids, self.bucket_width),
            "padding_mask": widened(padding_mask, self.bucket_width),
            "target_ids": target_ids,
        }
        return inputs, {"label_ids": label_ids, "label_mask": label_mask}

    def _order(self, epoch: int) -> np.ndarray:
        """Rows of the batches of one pass, of shape (batches, B)."""
        rng = np.random.default_rng([self.seed, epoch])
        rows = rng.permutation(len(self.pairs))[: self.per_epoch * self.batch_size]
        batches = []
        for window in np.array_split(rows, max(1, len(rows) // (_WINDOW * self.batch_size))):
            target, source = self._lengths[window, 1], self._lengths[window, 0]
            batches.append(window[np.lexsort((target, source))])
        ordered = np.concatenate(batches).reshape(self.per_epoch, self.batch_size)
        return ordered[rng.permutation(self.per_epoch)]


def widened(array: np.ndarray, multiple: int, extra: int = 0) -> np.ndarray:
    """Pad the second axis with zeros (or False) to a multiple.

    Args:
        array: (B, T).
        multiple: int.
        extra: int, so many columns do not count.

    Returns:
        The array, of shape (B, T'), T' - extra a multiple of `multiple`.
    """
    length = array.shape[1] - extra
    missing = -(-length // multiple) * multiple - length
    return np.pad(array, ((0, 0), (0, missing)))
