"""The figures by which GLUE and CLUE judge answers to texts and to pairs of texts.

accuracy   the share of answers that are right
f1         of class 1: the harmonic mean of precision and recall
matthews   the correlation of two binary answers, -1 to 1; 0 is chance
pearson    the correlation of two numbers
spearman   the correlation of their ranks

Reference: Wang et al., GLUE (2019), section 3: accuracy and F1 for MRPC and QQP, Matthews's
correlation for CoLA, Pearson's and Spearman's for STS-B, accuracy for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from bert_keras.text.corpora.bars import accuracy
from bert_keras.training.config import ConfigError


def f1(guesses: Sequence[int], labels: Sequence[int]) -> float:
    """The harmonic mean of precision and recall of class 1.

    Args:
        guesses: N answers, 0 or 1.
        labels: N labels, 0 or 1.

    Returns:
        Float in 0..1; 0 where neither the answers nor the labels have class 1.
    """
    guesses, labels = np.array(guesses) == 1, np.array(labels) == 1
    named = guesses.sum() + labels.sum()
    return float(2 * (guesses & labels).sum() / named) if named else 0.0


def matthews(guesses: Sequence[int], labels: Sequence[int]) -> float:
    """Matthews's correlation: Pearson's, of answers that are 0 or 1.

    Args:
        guesses: N answers, 0 or 1.
        labels: N labels, 0 or 1.

    Returns:
        Float in -1..1; 0 where all answers, or all labels, are the same.

    Reference:
        Matthews, Comparison of the predicted and observed secondary structure of T4 phage lysozyme
        (1975).
    """
    return pearson(guesses, labels)


def pearson(guesses: Sequence[float], labels: Sequence[float]) -> float:
    """How close the answers are to a straight line over the labels.

    Args:
        guesses: N numbers.
        labels: N numbers.

    Returns:
        Float in -1..1; 0 where all answers, or all labels, are the same.
    """
    centred = [np.array(x, np.float64) - np.mean(x, dtype=np.float64) for x in (guesses, labels)]
    sizes = np.prod([np.sqrt((x**2).sum()) for x in centred])
    return float((centred[0] * centred[1]).sum() / sizes) if sizes > 1e-12 else 0.0


def spearman(guesses: Sequence[float], labels: Sequence[float]) -> float:
    """Pearson's correlation of the ranks; equal numbers share the mean of theirs.

    Args:
        guesses: N numbers.
        labels: N numbers.

    Returns:
        Float in -1..1; 0 where all answers, or all labels, are the same.
    """
    return pearson(_ranks(guesses), _ranks(labels))


def _ranks(values: Sequence[float]) -> np.ndarray:
    _, place, counts = np.unique(np.array(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)  # the highest rank of each number
    return (last - (counts - 1) / 2)[place]


MEASURES: dict[str, Callable[[Sequence, Sequence], float]] = {
    "accuracy": accuracy,
    "f1": f1,
    "matthews": matthews,
    "pearson": pearson,
    "spearman": spearman,
}


def is_regression(labels: Sequence) -> bool:
    """Whether labels are numbers to come close to rather than names of classes.

    Args:
        labels: those of the train split.

    Returns:
        True if all of them are floats.
    """
    return all(isinstance(label, float) for label in labels)


def measures_for(labels: Sequence, wanted: str = "") -> list[str]:
    """Which measures there are for some labels.

    Args:
        labels: those of the train split.
        wanted: the measure that is to decide; empty means the first there is.

    Returns:
        Names, keys of `MEASURES`, of which the first decides.

    Raises:
        ConfigError: the labels do not go with the measure that is wanted.
    """
    if is_regression(labels):
        known = ["pearson", "spearman"]
    else:
        known = ["accuracy"]
        if set(labels) == {0, 1}:
            known += ["f1", "matthews"]
    if wanted and wanted not in known:
        needs = "labels 0 and 1" if wanted in ("f1", "matthews") else "labels with a decimal point"
        needs = "classes" if wanted == "accuracy" else needs
        raise ConfigError(
            f"data.measure = {wanted} needs {needs}; these labels go with {' or '.join(known)}"
        )
    return sorted(known, key=lambda name: name != wanted)
