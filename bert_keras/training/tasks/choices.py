"""Tasks with several texts to choose from."""

from __future__ import annotations

from functools import partial

import numpy as np

from bert_keras.models.tasks import MultipleChoice
from bert_keras.text import packing
from bert_keras.text.corpora import bars
from bert_keras.text.corpora.labelled import Choice
from bert_keras.training.config import ConfigError
from bert_keras.training.tasks.base import Task, is_chinese, probabilities
from bert_keras.training.tasks.batches import Encoded


class Choices(Task):
    """A context and several texts, one of which is right.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `Choice`.

    Raises:
        ConfigError: rows with different numbers of choices, which make no array.
    """

    corpus = "multiple_choice"
    fields = ("context", "choice", "choice …")
    row_type = Choice

    def __init__(self, section, splits):
        super().__init__(section, splits)
        counts = sorted({len(row.choices) for rows in splits.values() for row in rows})
        if len(counts) != 1 or counts[0] < 2:
            raise ConfigError(
                "every row must have the same number of choices, two at least; these have "
                + ", ".join(map(str, counts))
            )
        self.count = counts[0]

    def texts(self, rows):
        return (text for row in rows for text in (row.context, *row.choices))

    def examples(self):
        return [Choice("", ("",) * self.count, 0)]

    def new_row(self, context, *choices):
        if len(choices) != self.count:
            raise ConfigError(f"this model chooses from {self.count} texts, not {len(choices)}")
        return Choice(context, choices, 0)

    def said(self, guess, row):
        return row.choices[guess]

    def certainty(self, output):
        return probabilities(range(self.count), output)

    def encode(self, rows, tokenizer, length):
        pairs = [
            (tokenizer.encode(row.context), tokenizer.encode(choice))
            for row in rows
            for choice in row.choices
        ]
        inputs = packing.pack_batch(pairs, tokenizer.vocabulary, length)
        return Encoded(
            {name: array.reshape(len(rows), self.count, length) for name, array in inputs.items()},
            np.array([row.label for row in rows], np.int32),
        )

    def model(self, backbone, dropout):
        return MultipleChoice(backbone, dropout=dropout)

    def guesses(self, outputs, encoded, rows):
        return [int(scores.argmax()) for scores in outputs]

    def bars(self, splits):
        chinese = is_chinese(self.texts(splits["train"]))
        return {
            "chance": lambda: 1 / self.count,
            "nearest_tfidf": partial(
                bars.tfidf_choice, splits, analyzer="char" if chinese else "word"
            ),
        }
