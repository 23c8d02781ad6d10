"""Reference resolution: which noun does the pronoun mean?"""

from __future__ import annotations

from functools import partial

import numpy as np

from bert_keras.models.coreference import CoreferenceRanker
from bert_keras.text import packing, word_labels
from bert_keras.text.corpora import bars
from bert_keras.text.corpora.labelled import LabelledText
from bert_keras.text.corpora.referent import Sentence
from bert_keras.training.config import ConfigError
from bert_keras.training.tasks.base import Task, probabilities
from bert_keras.training.tasks.batches import Encoded


class Coreference(Task):
    """A sentence with a pronoun and two nouns, one of which it means.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `referent.Sentence`.
    """

    corpus = "referent"
    row_type = Sentence

    def texts(self, rows):
        return (" ".join(row.tokens) for row in rows)

    def new_row(self, text):
        words = text.split()
        nouns = [n for n, word in enumerate(words) if word[0] + word[-1] == "[]"]
        pronouns = [n for n, word in enumerate(words) if word[0] + word[-1] == "<>"]
        if len(nouns) != 2 or len(pronouns) != 1:
            raise ConfigError(
                "mark two nouns and a pronoun, like the [dog] chased the [cat] because <it> "
                f"barked, in {text!r}"
            )
        marked = {*nouns, *pronouns}
        tokens = [word[1:-1] if n in marked else word for n, word in enumerate(words)]
        return Sentence(tuple(tokens), tuple(nouns), pronouns[0], 0, 0)

    def said(self, guess, row):
        return row.tokens[row.nouns[guess]]

    def certainty(self, output):
        return probabilities(("first noun", "second noun"), output)

    def encode(self, rows, tokenizer, length):
        texts, masks = [], np.zeros((len(rows), 3, length), bool)  # (N, M, T)
        for number, row in enumerate(rows):
            ids, firsts = word_labels.encode_words(row.tokens, tokenizer)
            if len(ids) > length - 2:
                raise ConfigError(
                    f"data.max_sequence_length ({length}) is too small: a sentence has {len(ids)} "
                    "tokens, and none of its nouns may be cut off"
                )
            texts.append((ids, None))
            ends = [*firsts[1:], len(ids)]
            for place, word in enumerate((row.pronoun, *row.nouns)):
                masks[number, place, firsts[word] + 1 : ends[word] + 1] = True
        inputs = packing.pack_batch(texts, tokenizer.vocabulary, length)
        targets = np.array([row.label for row in rows], np.int32)
        return Encoded({**inputs, "mention_mask": masks}, targets)

    def model(self, backbone, dropout):
        return CoreferenceRanker(backbone, dropout=dropout)

    def guesses(self, outputs, encoded, rows):
        return [int(scores.argmax()) for scores in outputs]

    def bars(self, splits):
        texts = {
            part: [LabelledText(" ".join(row.tokens), row.label) for row in rows]
            for part, rows in splits.items()
        }
        return {
            "first_noun": lambda: float(np.mean([row.label == 0 for row in splits["test"]])),
            "tfidf_logistic_regression": partial(bars.tfidf_logistic, texts),
        }

    def lines(self, guesses, rows):
        """The number of a sentence and the noun that its pronoun means."""
        return super().lines(map(self.said, guesses, rows), rows)
