"""The oracles of notebook ch07c: values by hand, and that every bug of the drill shows."""

import math
from pathlib import Path

import numpy as np
import pytest

from autograder.drill_sources import read_bugs
from autograder.exercises.ch07c_7_temperature import far_off, rounded
from autograder.exercises.ch07c_8_drill import DRILL_BUGS, drawn
from autograder.exercises.ch07c_drill_mistakes import ILLS
from autograder.oracles import (
    Crash,
    calibrated,
    calibration,
    contrasts,
    cues,
    distractors,
    hypothesis_only,
    temperatures,
)
from autograder.oracles.tag_spans import written
from autograder.stand_ins import ch07c_failure as stand_ins
from autograder.stand_ins.ch01b_words_and_windows import EditedInPlace

ROOT = Path(__file__).resolve().parents[3]

# ------------------------------------------------------------------ the hypothesis alone

TEXTS, LABELS = ["a a b", "B c"], [0, 1]


def scores(test_texts, texts=TEXTS, labels=LABELS, **switches):
    return np.exp(hypothesis_only.scores_of(texts, labels, test_texts, 2, **switches))


def test_likelihoods_by_hand():
    """As on paper in the notebook: a is 1/2 of class 0 and 1/5 of class 1, priors are 1/2."""
    np.testing.assert_allclose(scores(["a"]), [[1 / 4, 1 / 10]])
    np.testing.assert_allclose(scores(["A c z"]), [[1 / 2 * 1 / 2 * 1 / 6, 1 / 2 * 1 / 5 * 2 / 5]])
    np.testing.assert_allclose(scores(["z", ""]), [[1 / 2, 1 / 2]] * 2)
    np.testing.assert_allclose(scores(["a a"]), [[1 / 8, 1 / 50]])
    np.testing.assert_allclose(scores(["a a"], repeated="once"), [[1 / 4, 1 / 10]])
    np.testing.assert_allclose(scores(["a"], smoothing="none"), [[1 / 3, 0]])
    np.testing.assert_allclose(scores(["a"], smoothing="own_vocabulary"), [[3 / 10, 1 / 8]])
    np.testing.assert_allclose(scores(["a"], smoothing="above_only"), [[1 / 2, 1 / 4]])
    np.testing.assert_allclose(scores(["a"], counted="texts"), [[2 / 10, 1 / 10]])
    np.testing.assert_allclose(scores(["z"], unknown="counts"), [[1 / 12, 1 / 10]])
    np.testing.assert_allclose(scores(["c"], words="kept"), [[1 / 14, 1 / 6]])  # a b B c
    np.testing.assert_allclose(scores(["a"], given="word"), [[3 / 8, 1 / 8]])


def test_priors_by_hand():
    more = {"texts": [*TEXTS, "c", "c c"], "labels": [0, 1, 1, 1]}
    np.testing.assert_allclose(scores([""], **more), [[1 / 4, 3 / 4]])
    np.testing.assert_allclose(scores([""], prior="smoothed", **more), [[1 / 3, 2 / 3]])
    np.testing.assert_allclose(scores([""], prior="share_of_words", **more), [[3 / 8, 5 / 8]])
    np.testing.assert_allclose(scores([""], prior="none", **more), [[1, 1]])
    given = (more["texts"], more["labels"], ["a", "c", "z"], 2)
    assert hypothesis_only.hypothesis_only_baseline.raw(*given).tolist() == [0, 1, 1]


def test_equal_scores_and_long_texts():
    given = (["a", "a"], [0, 1], ["a", ""], 2)
    assert hypothesis_only.hypothesis_only_baseline.raw(*given).tolist() == [0, 0]
    assert hypothesis_only.hypothesis_only_baseline.raw(*given, equals="larger").tolist() == [1, 1]
    long = (["a b c", "a a b b"], [0, 1], ["a " * 2000], 2)
    assert hypothesis_only.hypothesis_only_baseline.raw(*long).tolist() == [1]
    product = hypothesis_only.hypothesis_only_baseline.raw(*long, product="probabilities")
    assert product.tolist() == [0]


def test_words_by_hand():
    assert hypothesis_only.cut("The  cat.\tSat") == ["the", "cat.", "sat"]
    assert hypothesis_only.cut("The  cat.", "blanks_only") == ["the", "", "cat."]
    assert hypothesis_only.cut("cat, 'dog' .", "stripped") == ["cat", "dog"]
    assert hypothesis_only.cut("Cat", "lower_in_test", "training") == ["Cat"]
    assert hypothesis_only.cut("Cat", "lower_in_test", "test") == ["cat"]


# ------------------------------------------------------------------ cues


def test_cues_by_hand():
    """The four questions on paper, and one of three choices in which two have the word."""
    choices = [[["not", "a"], ["b"]], [["c"], ["not"]], [["not"], ["not", "d"]], [["a"], ["b"]]]
    labels = [0, 0, 0, 0]

    def found(**switches):
        return tuple(map(float, cues.cue_productivity.raw(choices, labels, "not", **switches)))

    assert found() == (0.5, 0.5)
    assert found(applies="somewhere") == (1 / 3, 3 / 4)
    assert found(applies="right_has_it") == (0.5, 0.5)
    assert found(below="questions") == (0.25, 0.5)
    assert found(productive="one_alone") == (1.0, 0.5)
    assert found(returned="counts") == (1.0, 2.0)
    choices.append([["not"], ["x"], ["not"]])
    labels.append(2)
    assert found() == (1 / 3, 3 / 5)
    assert found(productive="right_has_it_some_lack_it") == (2 / 3, 3 / 5)
    assert found(rows="choices") == (1 / 6, 6 / 11)
    assert cues.cue_productivity.raw(choices, labels, "no") == (0, 0)
    assert cues.cue_productivity.raw(choices, labels, "no", match="inside_a_word")[1] == 3 / 5
    with pytest.raises(Crash):
        cues.cue_productivity.raw(choices, labels, "zzz", nothing="error")


# ------------------------------------------------------------------ distractors


def test_distractors_by_hand():
    text = ["a", "b", "c", "d"]

    def changed(position, answer=(2, 2), distractor=("x", "y"), **switches):
        given = text, answer, list(distractor), position
        return str(distractors.add_distractor.raw(*given, **switches))

    assert changed(0) == str(written((["x", "y", *text], (4, 4))))
    assert changed(2) == str(written((["a", "b", "x", "y", "c", "d"], (4, 4))))
    assert changed(3) == str(written((["a", "b", "c", "x", "y", "d"], (2, 2))))
    assert changed(4) == str(written(([*text, "x", "y"], (2, 2))))
    assert changed(2, shift="strictly_before") == str(
        written((["a", "b", "x", "y", "c", "d"], (2, 2)))
    )
    for wrong in (2, 3):
        with pytest.raises(Crash):
            changed(wrong, answer=(1, 3))
    for wrong in (-1, 5):
        with pytest.raises(Crash):
            changed(wrong)
    assert changed(3, answer=(1, 3), last="excluded", inside="refused") is not None


@pytest.mark.parametrize(
    ("distractor", "refused"),
    [
        ("b c", True),
        ("x b c", True),
        ("b c x", True),
        ("b b c", True),
        ("c b", False),
        ("b x c", False),
        ("b", False),
        ("b cs", False),
        ("B c", False),
    ],
)
def test_second_answers_by_hand(distractor, refused):
    given = ["a", "b", "c", "d"], (1, 2), distractor.split(), 4
    assert distractors.is_refused(*given) is refused
    assert not distractors.is_refused(*given, contains="never")
    joined = "b c" in distractor
    assert distractors.is_refused(*given, contains="joined") is joined


# ------------------------------------------------------------------ contrasts


def test_contrasts_by_hand():
    words, opposites = ["warm", "and", "cold", "warm"], {"warm": "cold", "up": "down"}

    def copies(**switches):
        return str(contrasts.contrast_edit.raw(words, opposites, **switches))

    first, second = ["cold", "and", "cold", "warm"], ["warm", "and", "warm", "warm"]
    third = ["warm", "and", "cold", "cold"]
    assert copies() == str(written([(first, 0), (second, 2), (third, 3)]))
    assert copies(direction="forwards") == str(written([(first, 0), (third, 3)]))
    assert copies(copies="all_at_once") == str(written([(["cold", "and", "warm", "cold"], 0)]))
    assert copies(copies="once_for_each_word") == str(written([(first, 0), (second, 2)]))
    assert copies(copies="word_everywhere_once") == str(
        written([(["cold", "and", "cold", "cold"], 0), (second, 2)])
    )
    assert copies(direction="twice") == str(written([(words, 0), (second, 2), (words, 3)]))
    assert str(contrasts.contrast_edit.raw([], opposites)) == "[]"


def test_consistency_by_hand():
    right = np.array([True, False, True, True, True])
    groups = np.array([7, 3, 7, 3, 12])

    def share(**switches):
        return float(contrasts.contrast_consistency.raw(right, groups, **switches))

    assert share() == 2 / 3
    assert share(member="any") == 1 and share(member="mean") == pytest.approx(2.5 / 3)
    assert share(share="all_texts") == 0.8 and share(share="texts") == 3 / 5
    assert share(which="neighbours") == 4 / 5
    assert share(which="without_singles") == 1 / 2
    assert share(which="up_to_the_largest") == 12 / 13  # nobody is wrong in an empty group
    assert share(share="over_largest_and_one") == 2 / 13


# ------------------------------------------------------------------ calibration


def test_calibration_by_hand():
    """Two rows of 0.6 and 0.8, one right; two of 1/2 and 1, which lie on edges of two bins."""
    probabilities = np.array([[0.6, 0.4], [0.2, 0.8]])

    def error(labels, num_bins, rows=probabilities, **switches):
        return float(
            calibration.calibration_error.raw(rows, np.array(labels), num_bins, **switches)
        )

    assert error([0, 0], 1) == pytest.approx(0.2)
    assert error([0, 0], 5) == pytest.approx((0.4 + 0.8) / 2)
    assert error([0, 0], 5, weight="signed_sum") == pytest.approx(0.2)
    assert error([0, 0], 5, weight="same") == pytest.approx(0.6)
    assert error([0, 0], 1, weight="row_by_row") == pytest.approx(0.6)
    assert error([0, 0], 1, middle="middle_of_the_bin") == pytest.approx(0)
    assert error([0, 0], 1, confidence="of_the_label") == pytest.approx(0.1)
    assert math.isnan(error([0, 0], 10, empty="nan"))
    edges = np.array([[0.5, 0.5], [1.0, 0.0], [0.75, 0.25]])
    # (0, 1/2] has the first row, wrong; (1/2, 1] the others, one of them right.
    assert error([1, 0, 1], 2, edges) == pytest.approx((0.5 + 2 * 0.375) / 3)
    assert error([1, 0, 1], 2, edges, edges="above") == pytest.approx(abs(1 / 3 - 0.75))
    assert error([1, 0, 1], 2, edges, edges="both_open") == pytest.approx(0.75 / 3)
    assert error([1, 0, 1], 1, edges, right="last_of_equals") == pytest.approx(0.75 - 2 / 3)


def test_temperatures_by_hand():
    logits, labels = np.array([[2.0, 0], [0, 1]]), np.array([0, 0])
    at_one = temperatures.losses_of(logits, labels, [1.0])
    np.testing.assert_allclose(at_one, [0.5 * (math.log1p(math.exp(-2)) + math.log1p(math.e))])
    chosen, shares = temperatures.temperature_scale.raw(logits[:1], labels[:1], [1.0, 2.0])
    assert chosen == 1 and shares == pytest.approx(np.array([[0.880797, 0.119203]]), abs=1e-6)
    _, shares = temperatures.temperature_scale.raw(logits[:1], labels[:1], [2.0])
    np.testing.assert_allclose(shares, [[0.731059, 0.268941]], atol=1e-6)
    zeros = np.zeros((3, 2)), np.array([0, 1, 1]), [3.0, 0.5, 2.0]
    assert temperatures.temperature_scale.raw(*zeros)[0] == 3
    assert temperatures.temperature_scale.raw(*zeros, choice="last_of_equals")[0] == 2


def test_logarithms_of_what_comes_to_nothing():
    """Finite where the probability isn't a number above 0 any more; mistakes choose otherwise."""
    far = np.array([[0.0, 5000.0]]), np.array([0]), [1.0, 2.0]
    np.testing.assert_allclose(temperatures.losses_of(*far), [5000, 2500])
    given = far_off(np.random.default_rng(0))
    right = temperatures.temperature_scale.raw(*given)[0]
    for stable in ("not_a_logarithm_at_once", "added_1e-12", "clipped_1e-10"):
        assert temperatures.temperature_scale.raw(*given, stable=stable)[0] != right, stable
    assert np.isfinite(temperatures.losses_of(*given)).all()
    shifted = given[0] + rounded(np.full((60, 1), 1e4))
    assert temperatures.temperature_scale.raw(shifted, *given[1:])[0] == right


# ------------------------------------------------------------------ stand-ins and the drill


def test_what_is_lent_cannot_be_changed():
    (sets,) = stand_ins._sets_of_words([[["a", "b"], ["c"]]])
    assert sets == [{"a", "b"}, {"c"}] and all(type(words) is set for words in sets)
    opposites = stand_ins._lent_opposites([("warm", "cold")])
    assert {**opposites} == {"warm": "cold"}
    copy = dict(opposites)
    copy["up"] = "down"
    with pytest.raises(EditedInPlace):
        opposites["up"] = "down"
    with pytest.raises(EditedInPlace):
        opposites.update(up="down")


def test_the_drill_by_hand():
    """Of four rows two choose; one bin, so that errors are plain differences."""
    logits = np.array([[2.0, 0], [2, 0], [2, 0], [2, 0]])
    given = logits, np.array([0, 1, 0, 0]), np.array([True, True, False, False]), [1.0, 8.0], 1
    chosen, before, after = map(float, calibrated.calibrated.raw(*given))
    assert chosen == 8
    assert before == pytest.approx(1 - 0.880797, abs=1e-6)
    assert after == pytest.approx(1 - 1 / (1 + math.exp(-0.25)), abs=1e-6)
    assert calibrated.calibrated.raw(*given, loss="errors")[0] == 1
    assert calibrated.calibrated.raw(*given, judged_on="all")[1] == pytest.approx(
        0.880797 - 0.75, abs=1e-6
    )


def test_every_bug_of_the_drill_shows():
    given = drawn(np.random.default_rng(1), 60, 3, 2.2, 0.5, 5)
    right = calibrated.calibrated.raw(*given)
    for name, forms in ILLS.items():
        for switch in (forms,) if isinstance(forms, dict) else forms:
            assert not np.allclose(calibrated.calibrated.raw(*given, **switch), right), name


@pytest.mark.parametrize("which", ["source", "fixed"])
def test_the_drill_does_what_the_oracle_says(which):
    """The patients and their repairs, run on rows that are drawn for the check."""
    given = drawn(np.random.default_rng(2), 50, 3, 2.2, 0.5, 6, tries=2)
    for bug in read_bugs(ROOT / "solutions/ch07c_failure/drill.py"):
        scope = {"np": np}
        exec(getattr(bug, which), scope)
        found = scope["patient" if which == "source" else "repaired"](*given)
        forms = ILLS[bug.key]
        switch = (forms if isinstance(forms, dict) else forms[0]) if which == "source" else {}
        np.testing.assert_allclose(found, calibrated.calibrated.raw(*given, **switch), atol=1e-9)


def test_the_drill_lists_its_bugs_in_order():
    bugs = read_bugs(ROOT / "solutions/ch07c_failure/drill.py")
    assert tuple(bug.key for bug in bugs) == DRILL_BUGS == tuple(ILLS)
