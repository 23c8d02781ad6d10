"""Tasks about whole texts: one, or two and how they relate, or two names in one."""

from __future__ import annotations

from functools import partial

import numpy as np

from bert_keras.models.tasks import TextClassifier
from bert_keras.text import packing
from bert_keras.text.corpora import bars
from bert_keras.text.corpora.generated_relations import WORDS_AS_MARKS, mark
from bert_keras.text.corpora.labelled import LabelledText
from bert_keras.training.tasks.base import Task, is_chinese, numbered
from bert_keras.training.tasks.batches import Encoded


class Classification(Task):
    """A text, one of several classes. Long texts keep their head and their tail.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `LabelledText`, or of pairs of text and label.
    """

    corpus = "chinese_reviews"

    def __init__(self, section, splits):
        super().__init__(section, splits)
        self.numbers = numbered(row.label for row in splits["train"])
        self.labels = list(self.numbers)

    def texts(self, rows):
        return (row.text for row in rows)

    def encode(self, rows, tokenizer, length):
        texts = [
            (packing.head_and_tail(tokenizer.encode(row.text), length - 2), None) for row in rows
        ]
        return self._encoded(rows, packing.pack_batch(texts, tokenizer.vocabulary, length))

    def _encoded(self, rows, inputs):
        targets = [self.numbers.get(row.label, -1) for row in rows]
        return Encoded(inputs, np.array(targets, np.int32))

    def model(self, backbone, dropout):
        return TextClassifier(backbone, len(self.labels), dropout=dropout)

    def guesses(self, outputs, encoded, rows):
        return [self.labels[scores.argmax()] for scores in outputs]

    def bars(self, splits):
        return _bars_of_texts(splits)


class Pairs(Classification):
    """Two texts and how they relate. Too long a pair loses from the end of its longer text.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `Pair`.
    """

    corpus = "paraphrases"

    def texts(self, rows):
        return (text for row in rows for text in (row.a, row.b))

    def encode(self, rows, tokenizer, length):
        pairs = [(tokenizer.encode(row.a), tokenizer.encode(row.b)) for row in rows]
        return self._encoded(rows, packing.pack_batch(pairs, tokenizer.vocabulary, length))

    def bars(self, splits):
        chinese = is_chinese(self.texts(splits["train"]))
        return {
            "majority": partial(bars.majority, splits),
            "overlap_logistic_regression": partial(
                bars.overlap_logistic, splits, analyzer="char" if chinese else "word"
            ),
        }


class Relations(Classification):
    """Two marked names in a sentence and how the first is related to the second.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `Relation`.
    """

    corpus = "generated_relations"

    def texts(self, rows):
        return (mark(row) for row in rows)

    def encode(self, rows, tokenizer, length):
        texts = [(tokenizer.encode(mark(row))[: length - 2], None) for row in rows]
        return self._encoded(rows, packing.pack_batch(texts, tokenizer.vocabulary, length))

    def bars(self, splits):
        # Characters are counted with their signs, words only without them.
        chinese = is_chinese(row.text for row in splits["train"])
        marks = {} if chinese else WORDS_AS_MARKS
        marked = {
            part: [LabelledText(mark(row, **marks), row.label) for row in rows]
            for part, rows in splits.items()
        }
        return _bars_of_texts(marked)


def _bars_of_texts(splits):
    chinese = is_chinese(row.text for row in splits["train"])
    return {
        "majority": partial(bars.majority, splits),
        "tfidf_logistic_regression": partial(
            bars.tfidf_logistic, splits, analyzer="char" if chinese else "word"
        ),
    }
