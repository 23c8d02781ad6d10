"""Simple scores to beat, one or two for each kind of labelled set.

A model that does not beat these has learned less than word counts know. The logistic regressions
need scikit-learn, which the course's development extra installs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import (
    Choice,
    LabelledText,
    Pair,
    Question,
    TaggedTokens,
    entity_f1,
)
from bert_keras.text.corpora.named_entities import DictionaryTagger

Score = Callable[[Sequence, Sequence], float]


def accuracy(guesses: Sequence, labels: Sequence) -> float:
    """The share of answers that are right.

    Args:
        guesses: N answers.
        labels: N labels.

    Returns:
        Float in 0..1.
    """
    return float(np.mean([guess == label for guess, label in zip(guesses, labels, strict=True)]))


def majority(
    splits: dict[str, list],
    label: Callable[[Any], Any] = lambda row: row.label,
    *,
    score: Score = accuracy,
) -> float:
    """What always giving the commonest training label scores on the test part.

    Args:
        splits: any labelled set.
        label: how to read the label of a row.
        score: (answers, labels) to what they are worth.

    Returns:
        Float.
    """
    common = Counter(label(row) for row in splits["train"]).most_common(1)[0][0]
    labels = [label(row) for row in splits["test"]]
    return score([common] * len(labels), labels)


def tfidf_logistic(
    splits: dict[str, list[LabelledText]],
    *,
    analyzer: str = "word",
    ngrams: tuple[int, int] = (1, 2),
    strength: float = 10.0,
    score: Score = accuracy,
) -> float:
    """What a logistic regression on TF-IDF weights scores on the test part.

    Where the labels are floats it is a linear regression, with a ridge.

    Args:
        splits: a set of `LabelledText`.
        analyzer: "word", or "char" for Chinese.
        ngrams: shortest and longest n-gram.
        strength: inverse of the regularisation.
        score: (answers, labels) to what they are worth.

    Returns:
        Float.

    Raises:
        CorpusError: scikit-learn is not installed.
    """
    text, linear_model = _sklearn()
    vectors = text.TfidfVectorizer(analyzer=analyzer, ngram_range=ngrams, sublinear_tf=True)
    train, test = splits["train"], splits["test"]
    if isinstance(train[0].label, float):
        model = linear_model.Ridge(alpha=1 / strength)
    else:
        model = linear_model.LogisticRegression(C=strength, max_iter=2000)
    model.fit(vectors.fit_transform([row.text for row in train]), [row.label for row in train])
    predicted = model.predict(vectors.transform([row.text for row in test]))
    return score(predicted.tolist(), [row.label for row in test])


def overlap_logistic(
    splits: dict[str, list[Pair]],
    *,
    analyzer: str = "word",
    ngrams: tuple[int, int] = (1, 2),
    score: Score = accuracy,
) -> float:
    """What a logistic regression on two measures of overlap scores on the test part.

    The measures are the cosine of the TF-IDF vectors and the share of common words or characters.
    Where the labels are floats it is a linear regression.

    Args:
        splits: a set of `Pair`.
        analyzer: "word", or "char" for Chinese.
        ngrams: shortest and longest n-gram.
        score: (answers, labels) to what they are worth.

    Returns:
        Float.

    Raises:
        CorpusError: scikit-learn is not installed.
    """
    text, linear_model = _sklearn()
    vectors = text.TfidfVectorizer(analyzer=analyzer, ngram_range=ngrams)
    vectors.fit(side for row in splits["train"] for side in row[:2])

    def pieces(sentence: str) -> set[str]:
        return set(sentence if analyzer == "char" else sentence.split())

    def features(rows: list[Pair]) -> np.ndarray:
        a, b = (vectors.transform([row[side] for row in rows]) for side in (0, 1))
        cosine = np.asarray(a.multiply(b).sum(axis=1)).ravel()
        shared = [
            len(pieces(row.a) & pieces(row.b)) / len(pieces(row.a) | pieces(row.b)) for row in rows
        ]
        return np.stack([cosine, shared], axis=1)  # (rows, 2)

    train, test = splits["train"], splits["test"]
    if isinstance(train[0].label, float):
        model = linear_model.LinearRegression()
    else:
        model = linear_model.LogisticRegression(C=100.0)
    model.fit(features(train), [row.label for row in train])
    return score(model.predict(features(test)).tolist(), [row.label for row in test])


def tfidf_choice(splits: dict[str, list[Choice]], *, analyzer: str = "word") -> float:
    """Accuracy on the test part of taking the choice whose TF-IDF vector is nearest to the context.

    Args:
        splits: a set of `Choice`.
        analyzer: "word", or "char" for Chinese.

    Returns:
        Float in 0..1.

    Raises:
        CorpusError: scikit-learn is not installed.
    """
    text, _ = _sklearn()
    vectors = text.TfidfVectorizer(analyzer=analyzer, sublinear_tf=True)
    vectors.fit(side for row in splits["train"] for side in (row.context, *row.choices))
    test = splits["test"]
    counts = [len(row.choices) for row in test]
    contexts = vectors.transform([row.context for row in test])
    choices = vectors.transform([choice for row in test for choice in row.choices])
    owners = np.repeat(np.arange(len(test)), counts)
    cosines = np.asarray(choices.multiply(contexts[owners]).sum(axis=1)).ravel()  # (choices,)
    scores = np.split(cosines, np.cumsum(counts)[:-1])
    right = [int(found.argmax()) == row.label for found, row in zip(scores, test, strict=True)]
    return float(np.mean(right))


def longest_match(splits: dict[str, list[TaggedTokens]]) -> float:
    """F1 on the test part of finding the names seen in training again, the longest first.

    Args:
        splits: a set of `TaggedTokens`.

    Returns:
        Float in 0..1.
    """
    tagger = DictionaryTagger(splits["train"])
    test = splits["test"]
    return entity_f1((row.tags for row in test), (tagger.tag(row.tokens) for row in test))


def exact_matches(splits: dict[str, list[Question]], answer: Callable[[Question], str]) -> float:
    """Share of the test questions that a rule answers exactly.

    Args:
        splits: a set of `Question`.
        answer: the rule, such as `english_cloze.first_candidate` or
            `question_answering.match_question`.

    Returns:
        Float in 0..1.
    """
    return float(np.mean([answer(row) == row.answer for row in splits["test"]]))


def intent_logistic(
    splits: dict[str, Sequence], *, analyzer: str = "word", ngrams: tuple[int, int] = (1, 2)
) -> float:
    """Accuracy on the test part of the intent by `tfidf_logistic`.

    Args:
        splits: a set of `Command`.
        analyzer: "word", or "char" for Chinese.
        ngrams: shortest and longest n-gram.

    Returns:
        Float in 0..1.

    Raises:
        CorpusError: scikit-learn is not installed.
    """
    texts = {
        name: [LabelledText(row.text, row.intent) for row in rows] for name, rows in splits.items()
    }
    return tfidf_logistic(texts, analyzer=analyzer, ngrams=ngrams)


def _sklearn():
    try:
        from sklearn import linear_model
        from sklearn.feature_extraction import text
    except ImportError:
        raise CorpusError(
            "this bar needs scikit-learn; run: python -m pip install scikit-learn"
        ) from None
    return text, linear_model
