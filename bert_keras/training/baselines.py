"""Bars for a classifier: the most frequent class, and counting character n-grams."""

from __future__ import annotations

from collections import Counter
from typing import Any


def classification_baselines(splits) -> dict[str, Any]:
    """Test accuracies of models without a neural network.

    Args:
        splits: `{"train": […], "dev": […], "test": […]}` of (text, label).

    Returns:
        `majority`, and `tfidf_logistic_regression` on characters and pairs of characters; the
        latter is None where scikit-learn is not installed.
    """
    train, test = splits["train"], splits["test"]
    most_common = Counter(label for _, label in train).most_common(1)[0][0]
    majority = sum(label == most_common for _, label in test) / len(test)
    return {
        "majority": round(majority, 4),
        "tfidf_logistic_regression": _tfidf(train, test),
    }


def _tfidf(train, test) -> float | None:
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        return None
    if len({label for _, label in train}) < 2:
        return None
    vectorizer = TfidfVectorizer(analyzer="char", ngram_range=(1, 2), sublinear_tf=True)
    features = vectorizer.fit_transform([text for text, _ in train])
    classifier = LogisticRegression(max_iter=1000)
    classifier.fit(features, [label for _, label in train])
    score = classifier.score(
        vectorizer.transform([text for text, _ in test]), [label for _, label in test]
    )
    return round(float(score), 4)
