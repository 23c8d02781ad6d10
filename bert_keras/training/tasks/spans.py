"""Questions whose answer is a stretch of a text."""

from __future__ import annotations

import json
from functools import partial
from typing import ClassVar

import numpy as np

from bert_keras.models.token_tasks import SpanPredictor
from bert_keras.text import answer_windows, offsets, packing
from bert_keras.text.corpora import bars, question_answering
from bert_keras.text.corpora.labelled import Question
from bert_keras.training.config import ConfigError
from bert_keras.training.tasks.base import Task
from bert_keras.training.tasks.batches import Encoded


class Spans(Task):
    """A question, a context, and where in it the answer stands, if it does.

    A context that is too long is read in windows; the best answer of all of them counts. Where the
    train split has questions without an answer, "none" is an answer too, as in SQuAD 2.0.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `Question`.
    """

    measure = "f1"
    bar_measures: ClassVar = {"question_looked_up": "exact"}
    corpus = "question_answering"
    suffix = "json"
    fields = ("question", "context")
    row_type = Question

    def __init__(self, section, splits):
        super().__init__(section, splits)
        self.may_have_none = any(row.start < 0 for row in splits["train"])

    def texts(self, rows):
        return (text for row in rows for text in (row.question, row.context))

    def examples(self):
        return [Question("", "", "", -1 if self.may_have_none else 0)]

    def new_row(self, question, context):
        return Question(context, question, "", -1)

    def encode(self, rows, tokenizer, length):
        texts, targets, notes = [], [], []
        # A question never takes more than half of a row: the context has to be read.
        longest = min(self.section.max_question, (length - 3) // 2)
        for number, row in enumerate(rows):
            question = tokenizer.encode(row.question)[:longest]
            context, places = offsets.encode_with_offsets(row.context, tokenizer)
            answer = answer_windows.tokens_of_answer(places, row.start, row.start + len(row.answer))
            try:
                found = list(
                    answer_windows.windows(len(context), len(question), length, self.section.stride)
                )
            except ValueError as error:
                raise ConfigError(f"data.max_sequence_length is too small: {error}") from None
            for window in found:
                texts.append((question, context[window.start : window.end]))
                targets.append(answer_windows.span_in_window(window, *answer))
                notes.append((number, window, places))
        inputs = packing.pack_batch(texts, tokenizer.vocabulary, length)
        return Encoded(inputs, np.array(targets, np.int32), notes=notes)

    def model(self, backbone, dropout):
        return SpanPredictor(backbone, dropout=dropout)

    def guesses(self, outputs, encoded, rows):
        best = [(-np.inf, "")] * len(rows)
        none = [np.inf] * len(rows)  # the lowest score of "not in this window"
        for (start, end), (number, window, places) in zip(outputs, encoded.notes, strict=True):
            none[number] = min(none[number], start[0] + end[0])
            if window.end == window.start:
                continue
            score, first, last = answer_windows.best_span(
                start, end, window, self.section.max_answer
            )
            if score > best[number][0]:
                answer = rows[number].context[places[first][0] : places[last][1]]
                best[number] = score, answer
        return [
            "" if self.may_have_none and no > score else answer
            for no, (score, answer) in zip(none, best, strict=True)
        ]

    def scores(self, guesses, rows):
        pairs = list(zip(guesses, rows, strict=True))
        return {
            "exact": float(np.mean([question_answering.exact_match(*pair) for pair in pairs])),
            "f1": float(np.mean([question_answering.overlap(*pair) for pair in pairs])),
        }

    def bars(self, splits):
        return {
            "question_looked_up": partial(
                bars.exact_matches, splits, question_answering.match_question
            )
        }

    def lines(self, guesses, rows):
        """As SQuAD's script takes them: answers by the number of their question."""
        yield json.dumps(dict(enumerate(guesses)), ensure_ascii=False, indent=1)
