"""Tasks about whole texts: one, or two and how they relate, or two names in one."""

from __future__ import annotations

from functools import partial

import numpy as np

from bert_keras.models.tasks import TextClassifier, TextRegressor
from bert_keras.text import packing
from bert_keras.text.corpora import bars
from bert_keras.text.corpora.generated_relations import WORDS_AS_MARKS, Relation, mark, unmark
from bert_keras.text.corpora.labelled import LabelledText, Pair
from bert_keras.training.config import ConfigError
from bert_keras.training.tasks.base import Task, is_chinese, numbered, probabilities
from bert_keras.training.tasks.batches import Encoded
from bert_keras.training.tasks.measures import MEASURES, is_regression, measures_for


class Classification(Task):
    """A text, one of several classes. Long texts keep their head and their tail.

    Where the labels are floats, the task is to come close to them: a regression.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `LabelledText`, or of pairs of text and label.

    Raises:
        ConfigError: there is one label only, or the labels do not go with the measure.
    """

    corpus = "chinese_reviews"

    def __init__(self, section, splits):
        super().__init__(section, splits)
        labels = [row.label for row in splits["train"]]
        self.numbers = numbered(labels)
        self.labels = list(self.numbers)
        self.is_regression = is_regression(labels)
        self.measures = measures_for(labels, section.measure)
        self.measure = self.measures[0]

    def texts(self, rows):
        return (row.text for row in rows)

    def examples(self):
        # Of a regression two numbers say all: that labels are numbers.
        labels = self.labels[:2] if self.is_regression else self.labels
        return [self.row_type(*("" for _ in self.fields), label) for label in labels]

    def certainty(self, output):
        return None if self.is_regression else probabilities(self.labels, output)

    def encode(self, rows, tokenizer, length):
        texts = [
            (packing.head_and_tail(tokenizer.encode(row.text), length - 2), None) for row in rows
        ]
        return self._encoded(rows, packing.pack_batch(texts, tokenizer.vocabulary, length))

    def _encoded(self, rows, inputs):
        if self.is_regression:
            return Encoded(inputs, np.array([row.label for row in rows], np.float32))
        targets = [self.numbers.get(row.label, -1) for row in rows]
        return Encoded(inputs, np.array(targets, np.int32))

    def model(self, backbone, dropout):
        if self.is_regression:
            return TextRegressor(backbone, dropout=dropout)
        return TextClassifier(backbone, len(self.labels), dropout=dropout)

    def guesses(self, outputs, encoded, rows):
        if self.is_regression:
            return [float(output) for output in outputs]
        return [self.labels[scores.argmax()] for scores in outputs]

    def scores(self, guesses, rows):
        labels = [row.label for row in rows]
        return {name: MEASURES[name](guesses, labels) for name in self.measures}

    def bars(self, splits):
        return _bars_of_texts(splits, self.measure)

    def lines(self, guesses, rows):
        """As GLUE's; numbers with three places."""
        if self.is_regression:
            guesses = [f"{guess:.3f}" for guess in guesses]
        return super().lines(guesses, rows)


class Pairs(Classification):
    """Two texts and how they relate. Too long a pair loses from the end of its longer text.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `Pair`.
    """

    corpus = "paraphrases"
    fields = ("first text", "second text")
    row_type = Pair

    def texts(self, rows):
        return (text for row in rows for text in (row.a, row.b))

    def encode(self, rows, tokenizer, length):
        pairs = [(tokenizer.encode(row.a), tokenizer.encode(row.b)) for row in rows]
        return self._encoded(rows, packing.pack_batch(pairs, tokenizer.vocabulary, length))

    def bars(self, splits):
        analyzer = "char" if is_chinese(self.texts(splits["train"])) else "word"
        overlap = partial(bars.overlap_logistic, splits, analyzer=analyzer)
        return _with_majority(splits, self.measure, "overlap", overlap)


class Relations(Classification):
    """Two marked names in a sentence and how the first is related to the second.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `Relation`.
    """

    corpus = "generated_relations"
    row_type = Relation

    def texts(self, rows):
        return (mark(row) for row in rows)

    def examples(self):
        return [Relation("", (0, 0), (0, 0), label) for label in self.labels]

    def new_row(self, text):
        try:
            return unmark(text)
        except ValueError as error:
            raise ConfigError(str(error)) from None

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

    def lines(self, guesses, rows):
        """As GLUE's; of SemEval's sentences as its script takes them, number and label."""
        if not rows[0].number:
            return super().lines(guesses, rows)
        return (f"{row.number}\t{guess}" for guess, row in zip(guesses, rows, strict=True))


def _bars_of_texts(splits, measure="accuracy"):
    analyzer = "char" if is_chinese(row.text for row in splits["train"]) else "word"
    words = partial(bars.tfidf_logistic, splits, analyzer=analyzer)
    return _with_majority(splits, measure, "tfidf", words)


def _with_majority(splits, measure, name, regression):
    """The commonest label, where there are classes, and a regression that counts words."""
    score = MEASURES[measure]
    if is_regression([row.label for row in splits["train"]]):
        return {f"{name}_linear_regression": partial(regression, score=score)}
    return {
        "majority": partial(bars.majority, splits, score=score),
        f"{name}_logistic_regression": partial(regression, score=score),
    }
