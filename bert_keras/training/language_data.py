"""Running text as numbered batches of token sequences, and the n-gram model of the same tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bert_keras.text import corpora
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.figures import words_of
from bert_keras.text.corpora.running_text import Paragraph
from bert_keras.text.ngram_lm import ngram_lm
from bert_keras.training.language_sections import TextSection
from bert_keras.training.sequence_data import vocabulary_of, widened

_WINDOW = 20  # batches that are sorted by length together


@dataclass(frozen=True)
class LanguageData:
    """A text, ready for training.

    Attributes:
        splits: dict of "train", "dev" and "test", lists of int32 arrays, [BOS] first, [EOS] last.
        vocabulary: dict of str to int.
        checksum: str, of all of this.
    """

    splits: dict[str, list[np.ndarray]]
    vocabulary: dict[str, int]
    checksum: str


def load(section: TextSection) -> LanguageData:
    """Read a text and make its vocabulary from the train split.

    Args:
        section: which text, and how much of it.

    Returns:
        `LanguageData`.

    Raises:
        CorpusError: the text cannot be had, or none of it is left.
    """
    return prepare(corpora.load(section.corpus, section.path or None), section)


def prepare(parts: dict[str, list[Paragraph]], section: TextSection) -> LanguageData:
    """Cut paragraphs into sequences of tokens and number these.

    Args:
        parts: dict of lists of `Paragraph`, as from a loader of running text.
        section: what a token and what a sequence is.

    Returns:
        `LanguageData`.

    Raises:
        CorpusError: nothing is left of a split.
    """
    tokens = {}
    for name, paragraphs in parts.items():
        limit = section.rows if name == "train" else section.test_rows
        tokens[name] = list(_sequences(paragraphs, section))[: limit or None]
        if not tokens[name]:
            raise CorpusError(f"the {name} split of {section.corpus} is empty: take another text")
    vocabulary = vocabulary_of(tokens["train"], section.minimum_count)
    begin, end, unknown = (vocabulary[mark] for mark in ("[BOS]", "[EOS]", "[UNK]"))
    digest = hashlib.sha256()
    splits = {}
    for name, sequences in sorted(tokens.items()):
        splits[name] = [
            np.array([begin, *(vocabulary.get(t, unknown) for t in sequence), end], np.int32)
            for sequence in sequences
        ]
        digest.update(name.encode())
        for ids in splits[name]:
            digest.update(ids.tobytes())
    digest.update("\n".join(vocabulary).encode())
    return LanguageData(splits, vocabulary, digest.hexdigest())


def _sequences(paragraphs: Iterable[Paragraph], section: TextSection):
    """The tokens of every sentence or paragraph."""
    for paragraph in paragraphs:
        found = []
        for number, sentence in enumerate(paragraph.sentences):
            if section.unit == "character":
                gap = paragraph.separator if number and section.parts == "paragraphs" else ""
                found.append([*gap, *sentence])
            elif paragraph.words is not None:
                found.append(list(paragraph.words[number]))
            else:
                found.append(words_of(sentence))
        if section.parts == "paragraphs":
            found = [[token for sentence in found for token in sentence]]
        yield from (sequence for sequence in found if sequence)


def pieces(ids: np.ndarray, longest: int) -> list[np.ndarray]:
    """Cut a long sequence so that every token but the first is still predicted exactly once.

    A piece begins with the last token of the one before, which is there to be seen.

    Args:
        ids: int32 (n,).
        longest: int, tokens of a piece at most; at least 2.

    Returns:
        list of arrays.
    """
    return [ids[start : start + longest] for start in range(0, len(ids) - 1, longest - 1)]


class LanguageBatches:
    """Batches of sequences of about the same length, by their number.

    Which sequences are in a batch depends on the seed and the number of the pass alone.

    Args:
        sequences: list of int32 arrays.
        batch_size: int, pieces in a batch.
        bucket_width: int, sequences are padded to a multiple of this.
        longest: int, longer sequences are cut, see `pieces`.
        seed: int.

    Raises:
        ValueError: there are fewer pieces than a batch has.
    """

    def __init__(
        self,
        sequences: Sequence[np.ndarray],
        batch_size: int,
        bucket_width: int,
        longest: int,
        seed: int,
    ):
        self.pieces = [piece for ids in sequences for piece in pieces(ids, longest)]
        self.batch_size, self.bucket_width = batch_size, bucket_width
        self.longest, self.seed = longest, seed
        self.per_epoch = len(self.pieces) // batch_size
        if not self.per_epoch:
            raise ValueError(
                f"the train split has {len(self.pieces)} sequences, fewer than "
                f"training.batch_size ({batch_size})"
            )
        self._lengths = np.array([len(piece) for piece in self.pieces])
        self._pass: tuple[int, np.ndarray] | None = None

    def batch(self, number: int) -> tuple[dict[str, np.ndarray]]:
        """Batch `number` of the endless stream.

        Args:
            number: int, from 0.

        Returns:
            A tuple of the inputs alone, which are also the targets: token_ids int32 (B, T),
            padding_mask bool (B, T).
        """
        epoch, place = divmod(number, self.per_epoch)
        if self._pass is None or self._pass[0] != epoch:
            self._pass = epoch, self._order(epoch)
        return (self.encode([self.pieces[row] for row in self._pass[1][place]]),)

    def encode(self, chosen: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
        """Any pieces as one batch, padded no further than the longest of them needs.

        Args:
            chosen: list of int32 arrays.

        Returns:
            dict as from `batch`.
        """
        length = max(len(ids) for ids in chosen)
        token_ids = np.zeros((len(chosen), length), np.int32)  # (B, T)
        padding_mask = np.zeros(token_ids.shape, bool)  # (B, T)
        for row, ids in enumerate(chosen):
            token_ids[row, : len(ids)] = ids
            padding_mask[row, : len(ids)] = True
        inputs = {"token_ids": token_ids, "padding_mask": padding_mask}
        # No wider than a model whose positions end at the longest piece can take.
        return {
            name: widened(array, self.bucket_width)[:, : self.longest]
            for name, array in inputs.items()
        }

    def _order(self, epoch: int) -> np.ndarray:
        """Rows of the batches of one pass, of shape (batches, B)."""
        rng = np.random.default_rng([self.seed, epoch])
        rows = rng.permutation(len(self.pieces))[: self.per_epoch * self.batch_size]
        windows = np.array_split(rows, max(1, len(rows) // (_WINDOW * self.batch_size)))
        ordered = np.concatenate([w[np.argsort(self._lengths[w], kind="stable")] for w in windows])
        return ordered.reshape(self.per_epoch, self.batch_size)[rng.permutation(self.per_epoch)]


def ngram_perplexity(data: LanguageData) -> float:
    """What counting reaches on the test split, on the very tokens that a model has to predict.

    Args:
        data: `LanguageData`.

    Returns:
        float, the perplexity of a token, the end of each sequence included.
    """
    train, test = ([ids[1:-1].tolist() for ids in data.splits[name]] for name in ("train", "test"))
    possible = len(data.vocabulary) - 2  # [PAD] and [BOS] follow nothing
    return ngram_lm(train, test, possible, data.vocabulary["[EOS]"])[1]
