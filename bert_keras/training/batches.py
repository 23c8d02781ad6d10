"""Batches for pretraining, each a function of the seed and its number alone.

Because batch k can be computed without the batches before it, a resumed run needs no saved reader
position: it asks for the batch after its last step and gets what the first run would have got.

Rows of about the same length share a batch, which is padded to one of a few widths only and has as
many rows as make up the tokens of a full batch: little is padding, and XLA compiles few shapes.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

import numpy as np

from bert_keras.text import masked_lm
from bert_keras.text.vocabulary import Vocabulary
from bert_keras.text.words import word_starts
from bert_keras.training.mixed_rows import MixedRowSource
from bert_keras.training.rows import SPECIALS, Rows, RowSource, cut, pack
from bert_keras.training.sections import PretrainConfig
from bert_keras.training.shards import TokenizedSplit
from bert_keras.training.widths import choose_widths

# Streams of random numbers that must not repeat each other.
_PAIRS, _MASKS, _HELD_OUT, _WIDTHS = 1, 2, 3, 4


class Schedule(NamedTuple):
    """One pass over the rows.

    Attributes:
        rows: `Rows`, all of the pass.
        members: for each width, int (batches, rows of a batch), numbers of its rows.
        order: int (batches, 2), index of the width and row of `members`, in the order of use.
    """

    rows: Rows
    members: list[np.ndarray]
    order: np.ndarray


class PretrainingBatches:
    """Pairs packed, masked and batched.

    In training, sentences that are too long lose a random part; for evaluation, their end.

    Args:
        split: the sentences.
        vocabulary: for special ids and random replacements.
        batch_size: rows of full length in a batch.
        max_sequence_length: length T of a full row.
        max_predictions: prediction slots P of a row; 0 means as many as the mask rate can need.
        mask_rate: share of the ordinary tokens to predict.
        negative_rate: share of wrong second parts.
        negative_distance: how many paragraphs away they must be, where documents are not marked.
        seed: source of all draws.
        rows: "sentences" or "segments", see `RowSource`.
        short_rate: share of rows of segments that are made shorter at random.
        whole_word: mask whole words.
        widths: how many widths; 0 takes as few as bring padding under 4.5 %, at most 12.
        row_multiple: numbers of rows are multiples of it, so that devices can share a batch.
        mix: None, or the exponent by which sources of different size are drawn.

    Attributes:
        widths: tuple of int, ascending; the last one is T.
        batch_rows: tuple of int, rows in a batch of each width.
        batches_per_epoch: int, batches in the first pass; later ones may differ by a few.

    Raises:
        ValueError: the split has fewer rows than one batch, or `batch_size` is no multiple of
            `row_multiple`.
    """

    def __init__(
        self,
        split: TokenizedSplit,
        vocabulary: Vocabulary,
        *,
        batch_size: int,
        max_sequence_length: int,
        max_predictions: int = 0,
        mask_rate: float = 0.15,
        negative_rate: float = 0.5,
        negative_distance: int = 200,
        seed: int = 0,
        rows: str = "sentences",
        short_rate: float = 0.1,
        whole_word: bool = False,
        widths: int = 1,
        row_multiple: int = 1,
        mix: float | None = None,
    ):
        if batch_size % row_multiple:
            raise ValueError(
                f"the batch size {batch_size} is not a multiple of {row_multiple}, the number of "
                "devices that share a batch"
            )
        self.split = split
        self.vocabulary = vocabulary
        self.batch_size = batch_size
        self.max_sequence_length = max_sequence_length
        self.max_predictions = max_predictions
        self.mask_rate = mask_rate
        self.whole_word = whole_word
        self.seed = seed
        options = {
            "max_sequence_length": max_sequence_length,
            "negative_rate": negative_rate,
            "distance": negative_distance,
            "short_rate": short_rate,
        }
        mixed = mix is not None and split.source is not None
        self.source = (
            MixedRowSource(split, rows, mix, **options)
            if mixed
            else RowSource(split, rows, **options)
        )
        lengths = self._lengths(self.source.draw(np.random.default_rng([0, _WIDTHS])))
        self.widths = choose_widths(lengths, max_sequence_length, widths)
        tokens = batch_size * max_sequence_length
        self.batch_rows = tuple(
            max(row_multiple, tokens // width // row_multiple * row_multiple)
            for width in self.widths
        )
        self._ends: list[int] = []  # number of the batch after each pass that is known
        self._pass: tuple[int, Schedule] | None = None
        self.batches_per_epoch = len(self.schedule(0).order)
        if self.batches_per_epoch == 0:
            what = "sentence pairs" if rows == "sentences" else "rows of segments"
            raise ValueError(
                f"the text has {len(lengths)} {what}, fewer than the batch size {batch_size}"
            )

    def batch(self, number: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Batch `number` of the endless stream; every pass has new pairs, order and masks.

        Args:
            number: int, from 0.

        Returns:
            Inputs `token_ids`, `segment_ids` int32 (B, T), `padding_mask` bool (B, T),
            `mask_positions` int32 (B, P), and targets `mask_ids` int32 (B, P), `mask_weights`
            float32 (B, P), `next_sentence_label` int32 (B,). B, T and P depend on the width.
        """
        rows, width = self._rows_of(number)
        rng = np.random.default_rng([self.seed, _MASKS, number])
        inputs, masked = self._assemble(rows, self.widths[width], rng, crop=True)
        targets = {
            "mask_ids": masked.mask_ids,
            "mask_weights": masked.mask_weights,
            "next_sentence_label": rows.label,
        }
        return inputs, targets

    def held_out(self, limit: int = 0):
        """All rows once at full width, always with the same draws, for evaluation.

        Args:
            limit: number of rows at most, spread evenly over the text; 0 means all.

        Returns:
            Inputs as from `batch`, the `MaskedBatch` and `next_sentence_label` int32 (N,).
        """
        rng = np.random.default_rng([self.seed, _HELD_OUT])
        rows = self.source.draw(rng)
        if 0 < limit < len(rows.label):
            rows = rows.take(np.linspace(0, len(rows.label) - 1, limit).round().astype(int))
        inputs, masked = self._assemble(rows, self.max_sequence_length, rng)
        return inputs, masked, rows.label

    def padding_share(self, count: int = 0) -> float:
        """Which share of the tokens of the first batches is padding.

        Args:
            count: int, how many batches; 0 means one pass.

        Returns:
            float from 0 to 1.
        """
        real = total = 0
        for number in range(count or self.batches_per_epoch):
            rows, width = self._rows_of(number)
            real += int(self._lengths(rows).sum())
            total += len(rows.label) * self.widths[width]
        return 1 - real / total

    def schedule(self, epoch: int) -> Schedule:
        """What pass `epoch` consists of; a function of the seed and the pass alone.

        Rows that do not fill a batch of their width go into the next wider one; fewer than one
        batch of the last width are left out of a pass.

        Args:
            epoch: number of the pass.

        Returns:
            The batches of the pass.
        """
        if self._pass is None or self._pass[0] != epoch:
            rng = np.random.default_rng([self.seed, _PAIRS, epoch])
            rows = self.source.draw(rng)
            order = rng.permutation(len(rows.label))
            bucket = np.searchsorted(self.widths, self._lengths(rows)[order])
            members, waiting = [], order[:0]
            for index, count in enumerate(self.batch_rows):
                waiting = np.concatenate([waiting, order[bucket == index]])
                whole = len(waiting) // count * count
                members.append(waiting[:whole].reshape(-1, count))
                waiting = waiting[whole:]
            batches = [(index, n) for index, part in enumerate(members) for n in range(len(part))]
            order = rng.permutation(np.array(batches, np.int64).reshape(-1, 2))
            self._pass = epoch, Schedule(rows, members, order)
        return self._pass[1]

    def _rows_of(self, number: int) -> tuple[Rows, int]:
        """The rows of a batch, and the index of its width."""
        # Passes differ a little in their numbers of batches, so all before this one are counted
        # once: a resumed run draws them again, which takes far less time than training on them.
        while not self._ends or self._ends[-1] <= number:
            size = len(self.schedule(len(self._ends)).order)
            self._ends.append((self._ends[-1] if self._ends else 0) + size)
        epoch = bisect_right(self._ends, number)
        schedule = self.schedule(epoch)
        width, place = schedule.order[number - (self._ends[epoch - 1] if epoch else 0)]
        return schedule.rows.take(schedule.members[width][place]), int(width)

    def _lengths(self, rows: Rows) -> np.ndarray:
        return np.minimum(rows.lengths, self.max_sequence_length)

    def _assemble(self, rows: Rows, width: int, rng, crop: bool = False):
        rows = cut(rows, width - SPECIALS, rng if crop else None)
        inputs = pack(rows, self.split, self.vocabulary, width)
        starts = inputs.pop("word_starts", None)
        if self.whole_word and starts is None:
            starts = word_starts(inputs["token_ids"], self.vocabulary)
        needed = max(1, round(self.mask_rate * (width - SPECIALS)))
        masked = masked_lm.mask_tokens(
            inputs["token_ids"],
            self.vocabulary,
            rng,
            max_predictions=min(self.max_predictions or needed, width),
            mask_rate=self.mask_rate,
            word_starts=starts if self.whole_word else None,
        )
        inputs["token_ids"] = masked.token_ids
        inputs["mask_positions"] = masked.mask_positions
        return inputs, masked


def for_run(
    config: PretrainConfig, corpus, name: str = "train", row_multiple: int = 1
) -> PretrainingBatches:
    """The batches of one split as a configuration describes them.

    Args:
        config: the run configuration.
        corpus: the `PreparedCorpus`.
        name: split, or "short" for the short rows of the train split. Held-out draws do not depend
            on the seed of the run.
        row_multiple: as for `PretrainingBatches`.

    Returns:
        The batches.

    Raises:
        ValueError: the split has fewer rows than one batch.
    """
    tasks, settings, length = config.pretraining, config.training, config.model.max_sequence_length
    batch_size = settings.batch_size
    if name == "short":
        batch_size = batch_size * length // settings.short_length // row_multiple * row_multiple
        length = settings.short_length
    training = name in ("train", "short")
    return PretrainingBatches(
        corpus.splits["train" if training else name],
        corpus.vocabulary,
        batch_size=batch_size,
        max_sequence_length=length,
        max_predictions=tasks.max_predictions,
        mask_rate=tasks.mask_rate,
        negative_rate=tasks.negative_rate,
        negative_distance=tasks.negative_distance,
        seed=config.run.seed if training else 0,
        rows=tasks.rows,
        short_rate=tasks.short_rate,
        whole_word=tasks.whole_word,
        # Held-out rows all have the full width.
        widths=settings.widths if training else 1,
        row_multiple=row_multiple,
        # Held-out rows are all looked at once; wrong parts come from the same language there, too.
        mix=(config.data.language_exponent if training else 1.0) if config.data.languages else None,
    )
