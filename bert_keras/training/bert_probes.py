"""What the frozen layers of an encoder know, asked by a mix of layers and one linear layer.

A common judge for encoders that were pretrained in different ways: every task is given all layers,
takes what it likes best, and nothing of the encoder moves.
"""

from __future__ import annotations

from collections.abc import Sequence

import keras
import numpy as np

from bert_keras.models.bert import BertBackbone
from bert_keras.text import packing
from bert_keras.text.corpora import chinese_reviews, named_entities
from bert_keras.text.corpora.labelled import entity_f1
from bert_keras.text.wordpiece import WordPieceTokenizer
from bert_keras.training.probing_tasks import TAGS, linear_on_mix
from bert_keras.training.small_bert import causal_mask

ROWS = 100  # that are read together


class _States(keras.Model):
    """All hidden states of an encoder, as a model of its own that `predict` can compile."""

    def __init__(self, backbone: BertBackbone):
        super().__init__(name="states")
        self.backbone = backbone

    def call(self, inputs):
        return self.backbone.all_states(inputs)["hidden_states"]


def read_layers(
    backbone: BertBackbone, inputs: dict[str, np.ndarray], causal: bool = False
) -> list[np.ndarray]:
    """The hidden states of many rows.

    Args:
        backbone: the encoder.
        inputs: dict of token_ids, segment_ids and padding_mask, arrays (N, T).
        causal: whether every token may look at itself and to its left only.

    Returns:
        L + 1 float arrays (N, T, D), the embeddings first.
    """
    states, parts = _States(backbone), []
    count, length = inputs["token_ids"].shape
    for start in range(0, count, ROWS):
        rows = np.minimum(np.arange(start, start + ROWS), count - 1)  # always as many
        some = {name: array[rows] for name, array in inputs.items()}
        if causal:
            some["attention_mask"] = causal_mask(ROWS, length)
        found = states.predict_on_batch(some)
        parts.append([np.asarray(layer)[: count - start] for layer in found])
    return [np.concatenate(layer) for layer in zip(*parts, strict=True)]


def whole_rows(layers: Sequence[np.ndarray], padding_mask: np.ndarray) -> list[np.ndarray]:
    """One vector a row and layer: what stands at [CLS], and the mean of all real tokens.

    Args:
        layers: float arrays (N, T, D).
        padding_mask: bool array (N, T), True at real tokens.

    Returns:
        Float arrays (N, 2 D).
    """
    real = padding_mask[..., None]
    means = [(layer * real).sum(axis=1) / real.sum(axis=1) for layer in layers]
    firsts = [layer[:, 0] for layer in layers]
    return [np.concatenate(both, axis=1) for both in zip(firsts, means, strict=True)]


def sentiment(
    backbone: BertBackbone,
    tokenizer: WordPieceTokenizer,
    counts: tuple[int, int],
    *,
    steps: int,
    seed: int,
    causal: bool = False,
) -> float:
    """Accuracy of a linear layer that tells good Chinese reviews from bad ones.

    Args:
        backbone: the encoder.
        tokenizer: its tokenizer.
        counts: two ints, reviews of the train and of the test split.
        steps: int, updates of the linear layer.
        seed: int, decides its first weights and which reviews it sees.
        causal: whether the encoder reads from left to right only.

    Returns:
        float from 0 to 1.

    Raises:
        CorpusError: the archive cannot be had.
    """
    reviews, given, labels = chinese_reviews.load(), [], []
    length = backbone.max_sequence_length
    for name, count in zip(("train", "test"), counts, strict=True):
        rows = reviews[name]
        if name == "train":
            chosen = np.random.default_rng(seed).permutation(len(rows))[:count]
            rows = [rows[number] for number in chosen]
        texts = [(tokenizer.encode(row.text)[: length - 2], None) for row in rows[:count]]
        inputs = packing.pack_batch(texts, tokenizer.vocabulary, length)
        layers = read_layers(backbone, inputs, causal)
        given.append(whole_rows(layers, inputs["padding_mask"]))
        labels.append(np.array([row.label for row in rows[:count]]))
    _, scores = linear_on_mix(given[0], labels[0], given[1], 2, steps=steps, seed=seed)
    return float(np.mean(scores.argmax(axis=1) == labels[1]))


def entities(
    backbone: BertBackbone,
    tokenizer: WordPieceTokenizer,
    counts: tuple[int, int],
    *,
    steps: int,
    seed: int,
    causal: bool = False,
) -> float:
    """F1 of a linear layer that marks persons, places and organisations character by character.

    Args:
        backbone: the encoder.
        tokenizer: its tokenizer, of single characters.
        counts: two ints, sentences of the train and of the test split.
        steps: int, updates of the linear layer.
        seed: int, decides its first weights and which sentences it sees.
        causal: whether the encoder reads from left to right only.

    Returns:
        float from 0 to 1.

    Raises:
        CorpusError: the archive cannot be had.
    """
    length, vocabulary = backbone.max_sequence_length, tokenizer.vocabulary
    splits = named_entities.load(maximum=length - 2)
    order = np.random.default_rng(seed).permutation(len(splits["train"]))[: counts[0]]
    parts = [splits["train"][number] for number in order], splits["test"][: counts[1]]
    given, labels = [], []
    for rows in parts:
        texts = [(vocabulary.ids(row.tokens), None) for row in rows]
        inputs = packing.pack_batch(texts, vocabulary, length)
        asked = np.zeros(inputs["token_ids"].shape, bool)
        for line, row in enumerate(rows):
            asked[line, 1 : len(row.tokens) + 1] = True
        given.append([layer[asked] for layer in read_layers(backbone, inputs, causal)])
        labels.append(np.array([TAGS.index(tag) for row in rows for tag in row.tags]))
    _, scores = linear_on_mix(given[0], labels[0], given[1], len(TAGS), steps=steps, seed=seed)
    told = [TAGS[number] for number in scores.argmax(axis=1)]
    ends = np.cumsum([len(row.tags) for row in parts[1]])[:-1]
    guessed = [list(tags) for tags in np.split(np.array(told, object), ends)]
    return entity_f1([list(row.tags) for row in parts[1]], guessed)


def next_sentences(
    backbone: BertBackbone, train, test, *, steps: int, seed: int, causal: bool = False
) -> float:
    """Accuracy of a linear layer that says whether two sentences follow each other.

    Args:
        backbone: the encoder.
        train: the pair (inputs, labels): dict of arrays (N, T) and int array (N,).
        test: another one.
        steps: int, updates of the linear layer.
        seed: int, decides its first weights.
        causal: whether the encoder reads from left to right only.

    Returns:
        float from 0 to 1.
    """
    names = ("token_ids", "segment_ids", "padding_mask")
    given = []
    for inputs, _ in (train, test):
        inputs = {name: inputs[name] for name in names}
        given.append(whole_rows(read_layers(backbone, inputs, causal), inputs["padding_mask"]))
    _, scores = linear_on_mix(given[0], train[1], given[1], 2, steps=steps, seed=seed)
    return float(np.mean(scores.argmax(axis=1) == test[1]))
