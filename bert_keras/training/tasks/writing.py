"""Say one text for another, such as a headline for a piece of news."""

from __future__ import annotations

import numpy as np

from bert_keras.models.writers import BertSeq2Seq, PrefixWriter
from bert_keras.text import packing
from bert_keras.text.corpora.sequences import Translation
from bert_keras.text.decoding import decode
from bert_keras.text.rouge import rouge
from bert_keras.text.wordpiece import basic_tokenize
from bert_keras.training.config import ConfigError
from bert_keras.training.tasks.base import Task
from bert_keras.training.tasks.batches import Encoded

NONE = -1


class Writing(Task):
    """A source and what is to be said for it.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `Translation`.
    """

    measure = "rouge_l"
    corpus = "bbc_headlines"
    suffix = "txt"
    row_type = Translation

    def texts(self, rows):
        return (text for row in rows for text in row)

    def new_row(self, text):
        return Translation(text, "")

    def encode(self, rows, tokenizer, length):
        self.vocabulary = tokenizer.vocabulary
        longest = self.section.max_target  # with [SEP], which says that all has been said
        if length < longest + 3:
            raise ConfigError(
                f"data.max_sequence_length ({length}) leaves no room for a source beside "
                f"data.max_target ({longest})"
            )
        targets = [tokenizer.encode(row.target)[: longest - 1] for row in rows]
        sources = [tokenizer.encode(row.source) for row in rows]
        if self.section.writer == "prefix":
            return self._one_sequence(sources, targets, length)
        return self._two_sequences(sources, targets, length)

    def _one_sequence(self, sources, targets, length):
        room = length - self.section.max_target - 2  # [CLS] and [SEP]
        pairs = [(s[:room], t) for s, t in zip(sources, targets, strict=True)]
        inputs = packing.pack_batch(pairs, self.vocabulary, length)
        ids, labels = inputs["token_ids"], np.full_like(inputs["token_ids"], NONE)  # (N, T)
        # The token after place t, where it belongs to the target.
        following = inputs["segment_ids"][:, 1:] == 1
        labels[:, :-1] = np.where(following, ids[:, 1:], NONE)
        return Encoded(inputs, labels, by_token=("",), notes=[s for s, _ in pairs])

    def _two_sequences(self, sources, targets, length):
        room = length - 2
        inputs = packing.pack_batch([(s[:room], None) for s in sources], self.vocabulary, length)
        shape = (len(targets), self.section.max_target)
        given = np.full(shape, self.vocabulary.pad_id, np.int32)  # (N, L)
        labels = np.full(shape, NONE, np.int32)  # (N, L)
        for row, target in enumerate(targets):
            given[row, : len(target) + 1] = [self.vocabulary.cls_id, *target]
            labels[row, : len(target) + 1] = [*target, self.vocabulary.sep_id]
        inputs["target_ids"] = given
        notes = [s[:room] for s in sources]
        return Encoded(inputs, labels, notes=notes, whole=("target_ids",))

    def model(self, backbone, dropout):
        if self.section.writer == "prefix":
            return PrefixWriter(backbone, dropout=dropout)
        return BertSeq2Seq(backbone, dropout=dropout)

    def answers(self, model, data, rows, batch_size):
        said: list[str] = [""] * len(rows)
        sources = [(source, None) for source in data.encoded.notes]
        longest = max(len(source) for source, _ in sources) + 2
        packed = packing.pack_batch(sources, self.vocabulary, longest)
        options = {"end_id": self.vocabulary.sep_id, "max_length": self.section.max_target}
        if self.section.writer != "prefix":
            options["begin_id"] = self.vocabulary.cls_id
        for start in range(0, len(rows), batch_size):
            numbers = np.arange(start, start + batch_size)
            filled = np.where(numbers < len(rows), numbers, 0)  # one size of batch, compiled once
            found = model.generate(
                packed["token_ids"][filled], packed["padding_mask"][filled], **options
            )
            for number, ids in zip(numbers[numbers < len(rows)], np.asarray(found), strict=False):
                ids = ids.tolist()
                end = ids.index(options["end_id"]) if options["end_id"] in ids else len(ids)
                said[number] = decode(ids[:end], self.vocabulary)
        return said

    def scores(self, guesses, rows):
        return rouge(guesses, [row.target for row in rows])

    def bars(self, splits):
        train, test = splits["train"], splits["test"]
        length = round(np.mean([len(basic_tokenize(row.target)) for row in train]))

        def lead():
            said = [" ".join(basic_tokenize(row.source)[:length]) for row in test]
            return self.scores(said, test)[self.measure]

        return {"first_words": lead}

    def lines(self, guesses, rows):
        """A text a line, in the order of the rows."""
        return (guess.replace("\n", " ") for guess in guesses)
