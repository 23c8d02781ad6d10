"""GLUE's figures by hand, and beside scikit-learn and SciPy."""

import numpy as np
import pytest

from bert_keras.text.corpora.labelled import LabelledText, Pair
from bert_keras.training.config import ConfigError
from bert_keras.training.finetune_sections import MEASURES as NAMES
from bert_keras.training.finetune_sections import TaskSection
from bert_keras.training.tasks import measures
from bert_keras.training.tasks.texts import Classification, Pairs

# Three of class 1 right, one too many, two missed; four of class 0 right.
LABELS = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
GUESSES = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]


def test_by_hand():
    assert measures.accuracy(GUESSES, LABELS) == 0.7
    assert measures.f1(GUESSES, LABELS) == pytest.approx(2 * 3 / (4 + 5))
    # (TP TN - FP FN) / sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN))
    by_hand = (3 * 4 - 1 * 2) / np.sqrt(4 * 5 * 5 * 6)
    assert measures.matthews(GUESSES, LABELS) == pytest.approx(by_hand)
    # Means 2 and 4: (-1 * -3 + 0 * 1 + 1 * 2) / sqrt(2 * 14)
    assert measures.pearson([1, 2, 3], [1, 5, 6]) == pytest.approx(5 / np.sqrt(28))
    # Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5)
    assert measures.spearman([1, 7, 7, 9], [10, 20, 30, 40]) == pytest.approx(4.5 / np.sqrt(22.5))
    assert measures.spearman([1.0, 2.0, 300.0], [0.1, 0.2, 0.3]) == pytest.approx(1)


def test_beside_other_libraries():
    metrics = pytest.importorskip("sklearn.metrics")
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = rng.integers(0, 2, (2, 30)).tolist()
        assert measures.f1(a, b) == pytest.approx(metrics.f1_score(b, a))
        assert measures.matthews(a, b) == pytest.approx(metrics.matthews_corrcoef(b, a))
        a, b = rng.integers(0, 9, (2, 30)) / 2
        assert measures.pearson(a, b) == pytest.approx(stats.pearsonr(a, b).statistic)
        assert measures.spearman(a, b) == pytest.approx(stats.spearmanr(a, b).statistic)


def test_answers_that_are_all_the_same_are_worth_nothing():
    assert measures.f1([0, 0], [0, 0]) == measures.matthews([1, 1], [0, 1]) == 0
    assert measures.pearson([2.5, 2.5], [0, 5]) == measures.spearman([0.1, 0.1], [0, 5]) == 0


def test_the_names_are_those_of_the_configuration():
    assert tuple(measures.MEASURES) == NAMES


def split(rows):
    return {"train": rows, "dev": rows, "test": rows}


ROWS = [Pair("a", "b", 0), Pair("c", "c", 1), Pair("d", "d e", 1)]


def test_the_measure_decides_and_the_others_are_recorded():
    task = Pairs(TaskSection(task="pairs", measure="f1"), split(ROWS))
    scores = task.scores([1, 1, 0], ROWS)
    assert task.measure == "f1"
    assert scores == {
        "f1": pytest.approx(0.5),
        "accuracy": pytest.approx(1 / 3),
        "matthews": pytest.approx(-0.5),
    }
    assert Pairs(TaskSection(), split(ROWS)).measure == "accuracy"
    # All the same: F1 of class 1 is 2 * 2 / (3 + 2), its accuracy two thirds.
    assert task.bars(split(ROWS))["majority"]() == pytest.approx(0.8)
    third = [*ROWS, Pair("f", "g", 2)]
    assert list(Pairs(TaskSection(), split(third)).scores([0, 1, 1, 2], third)) == ["accuracy"]


@pytest.mark.parametrize(
    ("labels", "measure", "message"),
    [
        ([0, 1, 2], "f1", "f1 needs labels 0 and 1; these labels go with accuracy"),
        ([0, 1], "pearson", "pearson needs labels with a decimal point"),
        ([0.5, 1.0], "accuracy", "accuracy needs classes; these labels go with pearson or spear"),
    ],
)
def test_a_measure_that_does_not_go_with_the_labels(labels, measure, message):
    rows = [LabelledText(str(label), label) for label in labels]
    with pytest.raises(ConfigError, match=message):
        Classification(TaskSection(measure=measure), split(rows))


def test_numbers_are_come_close_to():
    rows = [
        Pair("one two", "one two", 5.0),
        Pair("three four", "three five", 2.5),
        Pair("six seven", "eight nine", 0.0),
    ]
    task = Pairs(TaskSection(task="pairs"), split(rows))
    assert task.measure == "pearson"
    assert task.scores([5.0, 3.0, 1.0], rows) == pytest.approx({"pearson": 1.0, "spearman": 1.0})
    assert list(task.lines([1.23456, 2.0], rows))[1:] == ["0\t1.235", "1\t2.000"]
    bars = task.bars(split(rows))
    assert list(bars) == ["overlap_linear_regression"]
    pytest.importorskip("sklearn")
    assert bars["overlap_linear_regression"]() > 0.9
