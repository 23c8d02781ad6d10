"""Tasks with a tag for every word: names, and a command with its details."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import numpy as np

from bert_keras.layers.crf import LinearChainCRF
from bert_keras.models.token_tasks import JointIntentSlot, TokenClassifier
from bert_keras.text import packing, word_labels
from bert_keras.text.corpora import bars
from bert_keras.text.corpora.labelled import Command, TaggedTokens, entities, entity_f1
from bert_keras.text.wordpiece import basic_tokenize
from bert_keras.training.tasks.base import Task, is_chinese, numbered, probabilities
from bert_keras.training.tasks.batches import Encoded

OUTSIDE = "O"
# How much faster than an encoder the moves from tag to tag learn, see `LinearChainCRF`.
MOVES_SCALE = 20.0


class TagReader:
    """Tags of words as labels of tokens, and back.

    Args:
        tags: sequences of tags, those of the train split.
        legal: bool, whether an I is only read where BIO allows it.

    Raises:
        ConfigError: there are fewer than two tags.
    """

    def __init__(self, tags, legal: bool):
        tags = list(tags)
        self.numbers = numbered(tag for sequence in tags for tag in sequence)
        self.tags = list(self.numbers)
        starts, follows = word_labels.legal_transitions(self.tags)
        # What the training rows do against BIO has to be possible for what learns from them.
        seen = [[self.numbers[tag] for tag in sequence] for sequence in tags if sequence]
        self.possible_starts, self.possible_moves = starts.copy(), follows.copy()
        self.possible_starts[[numbers[0] for numbers in seen]] = True
        for numbers in seen:
            self.possible_moves[numbers[:-1], numbers[1:]] = True
        self.starts, self.transitions = (
            np.where(allowed | (not legal), 0.0, -np.inf) for allowed in (starts, follows)
        )
        self.ends = np.zeros(len(self.tags))

    def crf(self) -> LinearChainCRF:
        """A layer for moves from tag to tag, of which those stay forbidden that BIO forbids.

        Returns:
            `LinearChainCRF`, not trained.
        """
        return LinearChainCRF(
            len(self.tags),
            self.possible_starts.tolist(),
            self.possible_moves.tolist(),
            scale=MOVES_SCALE,
            dtype="float32",
            name="crf",
        )

    def learn(self, crf: LinearChainCRF | None) -> None:
        """Read tags by the moves that a model has learned from now on, if it has.

        Args:
            crf: of the model, trained.
        """
        if crf is not None:
            self.transitions, self.starts, self.ends = crf.potentials()

    def encode(self, sentences, tokenizer, length: int):
        """Sentences as arrays.

        Args:
            sentences: list of `TaggedTokens`.
            tokenizer: of the encoder.
            length: int, the length T of a row.

        Returns:
            The inputs, labels int32 (N, T), and for each sentence the places in its row where the
            tags of its words are read; words that are cut off have none.
        """
        texts, labels, places = [], [], []
        for sentence in sentences:
            ids, firsts = word_labels.encode_words(sentence.tokens, tokenizer)
            numbers = [self.numbers.get(tag, word_labels.NO_LABEL) for tag in sentence.tags]
            texts.append((ids, None))
            labels.append(word_labels.label_row(numbers, firsts, length))
            places.append([first + 1 for first in firsts if first + 1 < length - 1])
        inputs = packing.pack_batch(texts, tokenizer.vocabulary, length)
        return inputs, np.stack(labels), places

    def read(self, logits: np.ndarray, places, words: int) -> tuple[str, ...]:
        """The tags of one sentence.

        Args:
            logits: float (T, C).
            places: as from `encode`.
            words: int, how many there are; those that were cut off are outside.

        Returns:
            Tuple of str, one for each word.
        """
        path = []
        if places:
            scores = np.array(logits[places], np.float64)  # (words, C)
            scores[-1] += self.ends
            path = word_labels.viterbi(scores, self.transitions, self.starts)
        read = [self.tags[number] for number in path]
        return (*read, *(OUTSIDE,) * (words - len(read)))


class _Tagged(Task):
    """What the tasks with a tag for every word share.

    Args:
        section: the `[data]` section.
        splits: dict of lists of rows.
        tags: sequences of tags, those of the train split.
    """

    def __init__(self, section, splits, tags):
        super().__init__(section, splits)
        self.reader = TagReader(tags, section.decoder != "best")

    def options(self, dropout) -> dict:
        """What the models of these tasks have in common.

        Args:
            dropout: float.

        Returns:
            dict of arguments.
        """
        learns = self.section.decoder == "crf"
        return {"dropout": dropout, "crf": self.reader.crf() if learns else None}

    def outputs(self, model, data, batch_size):
        self.reader.learn(model.crf)
        return super().outputs(model, data, batch_size)


class Tagging(_Tagged):
    """A tag for every word, judged by whole names.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `TaggedTokens`.
    """

    measure = "f1"
    corpus = "named_entities"
    suffix = "txt"
    row_type = TaggedTokens

    def __init__(self, section, splits):
        super().__init__(section, splits, (row.tags for row in splits["train"]))

    def texts(self, rows):
        return (" ".join(row.tokens) for row in rows)

    def examples(self):
        return [TaggedTokens(tuple(self.reader.tags), tuple(self.reader.tags))]

    def new_row(self, text):
        tokens = tuple(basic_tokenize(text, lowercase=False))
        return TaggedTokens(tokens, (OUTSIDE,) * len(tokens))

    def said(self, guess, row):
        return _stretches(row.tokens, guess)

    def encode(self, rows, tokenizer, length):
        inputs, labels, places = self.reader.encode(rows, tokenizer, length)
        return Encoded(inputs, labels, by_token=("",), notes=places)

    def model(self, backbone, dropout):
        return TokenClassifier(backbone, len(self.reader.tags), **self.options(dropout))

    def guesses(self, outputs, encoded, rows):
        return [
            self.reader.read(logits, places, len(row.tokens))
            for logits, places, row in zip(outputs, encoded.notes, rows, strict=True)
        ]

    def scores(self, guesses, rows):
        right = [
            guess == tag
            for guessed, row in zip(guesses, rows, strict=True)
            for guess, tag in zip(guessed, row.tags, strict=True)
        ]
        return {
            "f1": entity_f1((row.tags for row in rows), guesses),
            "word_accuracy": float(np.mean(right)),
        }

    def bars(self, splits):
        return {"longest_match": partial(bars.longest_match, splits)}

    def lines(self, guesses, rows):
        """Columns as CoNLL's script reads them: word, right tag, guess; an empty line between."""
        for guessed, row in zip(guesses, rows, strict=True):
            for columns in zip(row.tokens, row.tags, guessed, strict=True):
                yield " ".join(columns)
            yield ""


class Intents(_Tagged):
    """What a command wants, and a tag for every word of it. Right is only what is right as a whole.

    Args:
        section: the `[data]` section.
        splits: dict of lists of `Command`.
    """

    measure = "frame_accuracy"
    bar_measures: ClassVar = {
        "majority_intent": "intent_accuracy",
        "intent_logistic_regression": "intent_accuracy",
    }
    corpus = "intents"
    fields = ("command",)
    row_type = Command

    def __init__(self, section, splits):
        super().__init__(section, splits, (row.slots for row in splits["train"]))
        self.numbers = numbered(row.intent for row in splits["train"])
        self.intents = list(self.numbers)

    def texts(self, rows):
        return (row.text for row in rows)

    def examples(self):
        tags = tuple(self.reader.tags)
        return [Command(" ".join(tags), intent, tags) for intent in self.intents]

    def new_row(self, text):
        text = " ".join(text.split())
        count = len(text) if is_chinese([text]) else len(text.split(" "))
        return Command(text, "", (OUTSIDE,) * count)

    def said(self, guess, row):
        intent, slots = guess
        return {"intent": intent, "slots": _stretches(row.tokens, slots)}

    def certainty(self, output):
        return probabilities(self.intents, output["intent"])

    def encode(self, rows, tokenizer, length):
        tagged = [row.tagged for row in rows]
        inputs, slots, places = self.reader.encode(tagged, tokenizer, length)
        intent = np.array([self.numbers.get(row.intent, -1) for row in rows], np.int32)
        return Encoded(inputs, {"intent": intent, "slots": slots}, ("slots",), places)

    def model(self, backbone, dropout):
        sizes = len(self.intents), len(self.reader.tags)
        return JointIntentSlot(backbone, *sizes, **self.options(dropout))

    def guesses(self, outputs, encoded, rows):
        return [
            (
                self.intents[logits["intent"].argmax()],
                self.reader.read(logits["slots"], places, len(row.slots)),
            )
            for logits, places, row in zip(outputs, encoded.notes, rows, strict=True)
        ]

    def scores(self, guesses, rows):
        intents, slots = zip(*guesses, strict=True)
        right = [guess == row.intent for guess, row in zip(intents, rows, strict=True)]
        whole = [guess == (row.intent, row.slots) for guess, row in zip(guesses, rows, strict=True)]
        return {
            "frame_accuracy": float(np.mean(whole)),
            "intent_accuracy": float(np.mean(right)),
            "slot_f1": entity_f1((row.slots for row in rows), slots),
        }

    def bars(self, splits):
        options = {"analyzer": "word"}
        if is_chinese(self.texts(splits["train"])):
            options = {"analyzer": "char", "ngrams": (1, 3)}
        return {
            "majority_intent": partial(bars.majority, splits, lambda row: row.intent),
            "intent_logistic_regression": partial(bars.intent_logistic, splits, **options),
        }

    def lines(self, guesses, rows):
        """The intent, and the tags of all words, a command a line."""
        yield "intent\tslots"
        for intent, slots in guesses:
            yield f"{intent}\t{' '.join(slots)}"


def _stretches(tokens, tags) -> list[list[str]]:
    """What was named, and as what, in the order of the text."""
    gap = "" if is_chinese(tokens) else " "
    return [[gap.join(tokens[a:b]), kind] for a, b, kind in sorted(entities(tags))]
