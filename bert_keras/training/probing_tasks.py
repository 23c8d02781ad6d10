"""Chinese tasks for frozen features, each with its labels at the characters of short sentences.

A part of a task is the triple (token_ids, labels, asked): int32 arrays (N, T), and a bool array
(N, T) that is True where there is a label to tell. Sentences stand between [BOS] and [EOS], so
that character c of a sentence is token c + 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import keras
import numpy as np

from bert_keras.layers.scalar_mix import ScalarMix
from bert_keras.text.corpora import chinese_reviews, named_entities, peoples_daily
from bert_keras.text.corpora.labelled import entity_f1
from bert_keras.training.small_elmo import RARE, padded, with_marks

TAGS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG")

Part = tuple[np.ndarray, np.ndarray, np.ndarray]


def newspaper(count: int) -> tuple[dict[str, list[tuple[str, ...]]], dict[str, int]]:
    """The sentences of People's Daily as words, and the numbers of its commonest characters.

    Args:
        count: int, how many characters have a number; the commonest one has number 4.

    Returns:
        The pair (words, ids): a dict of "train", "dev" and "test", lists of sentences as tuples of
        words; and a dict of characters.

    Raises:
        CorpusError: the archive cannot be had.
    """
    parts = peoples_daily.load()
    counts = Counter(c for p in parts["train"] for sentence in p.sentences for c in sentence)
    ids = {c: number for number, (c, _) in enumerate(counts.most_common(count), RARE + 1)}
    return {name: [w for p in part for w in p.words or ()] for name, part in parts.items()}, ids


def word_ends(
    sentences: Sequence[Sequence[str]], ids: Mapping[str, int], longest: int, count: int
) -> Part:
    """Segmentation: does a word end with this character (1) or go on (0)?

    Args:
        sentences: as words.
        ids: the numbers of characters.
        longest: int, longer sentences are left out, in characters, as are those below 4.
        count: int, sentences at most.

    Returns:
        A part, asked at every character.
    """
    fit = [words for words in sentences if 4 <= sum(map(len, words)) <= longest][:count]
    token_ids = padded([with_marks("".join(words), ids) for words in fit], longest + 2)
    ends = np.zeros_like(token_ids)
    for row, words in enumerate(fit):
        ends[row, np.cumsum([len(word) for word in words])] = 1
    return token_ids, ends, token_ids > 2


def next_tokens(part: Part) -> Part:
    """Which character comes next, where it is one of the known ones?

    Args:
        part: of any task.

    Returns:
        A part of the same sentences; its labels are token ids.
    """
    token_ids = part[0]
    soon = np.pad(token_ids[:, 1:], ((0, 0), (0, 1)))
    return token_ids, soon, soon > RARE


def entities(ids: Mapping[str, int], longest: int, counts: tuple[int, int], seed: int):
    """Persons, places and organisations; labels are numbers of `TAGS`.

    Args:
        ids: the numbers of characters.
        longest: int, longer sentences are left out.
        counts: two ints, sentences of the train and of the test part.
        seed: int, which sentences of the train split are taken.

    Returns:
        The pair of a train and a test part, asked at every character.

    Raises:
        CorpusError: the archive cannot be had.
    """
    rows = named_entities.load(maximum=longest)
    order = np.random.default_rng(seed).permutation(len(rows["train"]))[: counts[0]]
    chosen = [rows["train"][number] for number in order], rows["test"][: counts[1]]
    parts = []
    for some in chosen:
        token_ids = padded([with_marks(row.tokens, ids) for row in some], longest + 2)
        tags = np.zeros_like(token_ids)
        for line, row in enumerate(some):
            tags[line, 1 : len(row.tags) + 1] = [TAGS.index(tag) for tag in row.tags]
        parts.append((token_ids, tags, token_ids > 2))
    return tuple(parts)


def tags_f1(scores: np.ndarray, part: Part) -> float:
    """F1 of whole names.

    Args:
        scores: float array (N, T, 7), as `TAGS` are ordered.
        part: what `entities` gives.

    Returns:
        float.
    """
    _, labels, asked = part
    told = [
        [[TAGS[tag] for tag in row[here]] for row, here in zip(tags, asked, strict=True)]
        for tags in (labels, scores.argmax(axis=-1))
    ]
    return entity_f1(*told)


def sentiment(ids: Mapping[str, int], longest: int, counts: tuple[int, int]):
    """Is the review a good one (1)? Longer ones are cut.

    Args:
        ids: the numbers of characters.
        longest: int, characters that are kept.
        counts: two ints, reviews of the train and of the test part.

    Returns:
        The pair of a train and a test part, asked at [BOS], which stands for the whole review.

    Raises:
        CorpusError: the archive cannot be had.
    """
    reviews, parts = chinese_reviews.load(), []
    for name, count in zip(("train", "test"), counts, strict=True):
        some = reviews[name][:count]
        token_ids = padded([with_marks(row.text[:longest], ids) for row in some], longest + 2)
        labels, asked = np.zeros_like(token_ids), np.zeros(token_ids.shape, bool)
        labels[:, 0], asked[:, 0] = [row.label for row in some], True
        parts.append((token_ids, labels, asked))
    return tuple(parts)


def small_tagger(
    given: Sequence[np.ndarray], vocabulary_size: int, *, learning_rate, seed: int
) -> keras.Model:
    """A bidirectional LSTM that marks names, on token ids or on frozen layers.

    Args:
        given: what it will read: one int array (N, T) of token ids, which get embeddings of their
            own, or L float arrays (N, T, D), which are mixed.
        vocabulary_size: int, how many ids there are.
        learning_rate: float or a Keras schedule, Adam's.
        seed: int, decides the first weights.

    Returns:
        A compiled Keras model with a score (N, T, 7) for each of `TAGS`.
    """
    keras.utils.set_random_seed(seed)
    inputs = [keras.Input(one.shape[1:], dtype=str(one.dtype)) for one in given]
    if given[0].ndim == 2:
        start = keras.initializers.RandomUniform(-0.5, 0.5, seed=seed)
        x = keras.layers.Embedding(vocabulary_size, 64, embeddings_initializer=start)(inputs[0])
    else:
        x = ScalarMix()(inputs)
    x = keras.layers.Dropout(0.3)(x)
    x = keras.layers.Bidirectional(keras.layers.LSTM(48, return_sequences=True))(x)
    model = keras.Model(inputs, keras.layers.Dense(len(TAGS))(x))
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(learning_rate), loss, jit_compile=False)
    return model


def linear_on_mix(
    train: Sequence[np.ndarray],
    labels: np.ndarray,
    test: Sequence[np.ndarray],
    classes: int,
    *,
    steps: int,
    seed: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Train a mix of layers and one linear layer on it; nothing else learns.

    Every layer is scaled to standard deviation 1 first, so that the shares can be compared.

    Args:
        train: L float arrays (N, D), the layers at labelled places.
        labels: int array (N,).
        test: L float arrays (M, D).
        classes: int, C.
        steps: int, updates on 256 places each.
        seed: int, decides the first weights and the places drawn.

    Returns:
        The pair (shares, scores): float arrays (L,) and (M, C).
    """
    keras.utils.set_random_seed(seed)
    spread = [layer.std() for layer in train]
    train, test = ([one / s for one, s in zip(part, spread, strict=True)] for part in (train, test))
    inputs = [keras.Input(layer.shape[1:]) for layer in train]
    mix = ScalarMix()
    model = keras.Model(inputs, keras.layers.Dense(classes)(mix(inputs)))
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(0.01), loss, jit_compile=False)
    draw = np.random.default_rng(seed)
    for _ in range(steps):
        rows = draw.integers(len(labels), size=256)
        model.train_on_batch([one[rows] for one in train], labels[rows])
    scores = model.predict(test, batch_size=1000, verbose=0)
    return keras.ops.convert_to_numpy(mix.layer_weights), scores
