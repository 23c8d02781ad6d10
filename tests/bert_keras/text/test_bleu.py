import math

import numpy as np
import pytest

from bert_keras.text.bleu import bleu

REFERENCE = ["the", "cat", "sat", "on", "the", "mat"]


def test_by_hand():
    """Matches of 1 to 4 tokens: 5/6, 3/5, 2/4, 1/3; the lengths are equal."""
    prediction = ["the", "cat", "sat", "on", "a", "mat"]
    right = 100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25
    assert bleu([prediction], [REFERENCE]) == pytest.approx(right)
    assert bleu([prediction], [REFERENCE], max_order=1) == pytest.approx(100 * 5 / 6)


def test_echoes_count_no_more_often_than_in_the_reference():
    assert bleu([["the"] * 7], [REFERENCE], max_order=1) == pytest.approx(100 * 2 / 7)


def test_short_predictions_are_penalised_and_long_ones_are_not():
    assert bleu([["the", "cat"]], [REFERENCE], max_order=2) == pytest.approx(100 * math.exp(1 - 3))
    long = [*REFERENCE, "again"]
    assert bleu([long], [REFERENCE], max_order=1) == pytest.approx(100 * 6 / 7)


def test_counted_over_the_corpus_and_not_averaged():
    predictions, references = [["a"], ["b"] * 9], [["c"], ["b"] * 9]
    assert bleu(predictions, references, max_order=1) == pytest.approx(90)


def test_smoothing_leaves_single_tokens_alone():
    """Matches 2/2, 0/1 and no longer runs at all: (1 · 1/2 · 1 · 1)^¼."""
    assert bleu([["a", "b"]], [["b", "a"]]) == 0
    assert bleu([["a", "b"]], [["b", "a"]], smooth=True) == pytest.approx(100 * 0.5**0.25)
    assert bleu([["x"]], [["y"]], smooth=True) == 0


def test_limits():
    assert bleu([REFERENCE], [REFERENCE]) == pytest.approx(100)
    assert bleu([[]], [REFERENCE]) == bleu([], []) == 0
    with pytest.raises(ValueError, match="shorter"):
        bleu([[], []], [[]])


def test_characters_of_a_str_are_its_tokens():
    assert bleu(["abcd x"], ["abcd y"]) == bleu([[*"abcd x"]], [[*"abcd y"]]) > 0


def test_agrees_with_counting_by_hand():
    rng, sides = np.random.default_rng(3), []
    for _ in range(2):
        sides.append([[*map(str, rng.integers(3, size=n))] for n in (7, 12, 9)])
    logs = []
    for n in range(1, 5):
        right = total = 0
        for said, reference in zip(*sides, strict=True):
            runs, open_runs = (
                [row[i : i + n] for i in range(len(row) - n + 1)] for row in (said, reference)
            )
            total += len(runs)
            for run in runs:  # every run of the reference can be matched once
                if run in open_runs:
                    open_runs.remove(run)
                    right += 1
        logs.append(math.log(right / total))
    assert bleu(*sides) == pytest.approx(100 * math.exp(sum(logs) / 4)) and bleu(*sides) > 0
