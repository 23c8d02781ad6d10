"""The figures of the class page, worked out by hand for a class of six."""

import dataclasses
import json
import statistics

import numpy as np
import pytest
from conftest_report import EXERCISES, NOTEBOOK, answer, right, write

from autograder.diagnose import ONE_OF
from autograder.messages import Text
from autograder.report.data import ExerciseInfo, load_class
from autograder.report.figures import ENOUGH_STUDENTS, discrimination, distribution
from autograder.report.summary import summarise


def test_lessons_count_people_and_keep_ties_together(small_class):
    summary = summarise(small_class)
    found = [(le.exercise.id, le.names, le.students, le.with_another) for le in summary.lessons]
    assert found == [
        ("scaled_dot_product", ("scaled_by_model_dim",), ("bo", "cy"), ("cy",)),
        ("scaled_dot_product", ("softmax_over_queries",), ("cy",), ("cy",)),
        ("scaled_dot_product", ("no_scaling", "softmax_over_queries"), ("di",), ()),
    ]


def test_items(small_class):
    sdpa, causal, merge = summarise(small_class).items
    # bo and cy lose 2+3 of 6, di 3, fay 2: shares 1, 1/6, 1/6, 1/2, 1, 2/3.
    assert (sdpa.full, sdpa.part, sdpa.zero, sdpa.blank) == (2, 4, 0, 0)
    assert sdpa.mean_share == pytest.approx((1 + 1 / 6 + 1 / 6 + 1 / 2 + 1 + 2 / 3) / 6)
    assert sdpa.cases == (("plain", 3, 6), ("masked", 3, 6), ("dtype", 6, 6))
    assert (causal.full, causal.part, causal.count) == (5, 1, 6)
    assert (merge.full, merge.blank, merge.zero) == (5, 1, 0)


def test_core_and_stretch_are_apart(small_class):
    summary = summarise(small_class)
    assert summary.points == {
        "ada": (9, 2),
        "bo": (4, 2),
        "cy": (4, 2),
        "di": (6, 2),
        "ed": (7, 0),
        "fay": (7, 2),
    }
    assert (summary.core.max_score, summary.stretch.max_score) == (9, 2)


def test_unnamed_has_only_wrong_answers_without_a_name(small_class):
    (group,) = summarise(small_class).unnamed
    assert (group.exercise.id, group.students) == ("scaled_dot_product", ("fay",))
    assert group.properties == ("rows_sum_to_one",)
    assert group.example.en == "<b>off by 0.25</b>"


def test_trouble_names_case_and_repair(small_class):
    hang, repair = summarise(small_class).trouble
    assert (hang.students, hang.where, hang.kind) == (("ed",), ("causal_mask",), "timeout")
    assert hang.case.en == "lower triangle"
    assert (repair.students, repair.where, repair.kind) == (("ed",), ("merge_heads",), "repair")


def test_the_same_trouble_of_many_is_one_row_and_accidents_come_first(course):
    said = {"zh": "已恢复", "en": "put back", "cell": "a"}
    hang = answer(EXERCISES[1], ("square",), status="timeout", incidents=["timeout"])
    for name in ("ada", "bo", "cy"):
        instead = {"causal_mask": hang} if name != "ada" else {}
        write(course, name, right(**instead), repairs=[said])
    hangs, repairs = summarise(load_class(course, NOTEBOOK, EXERCISES)).trouble
    assert (hangs.kind, hangs.students) == ("timeout", ("bo", "cy"))
    assert (repairs.kind, repairs.students) == ("repair", ("ada", "bo", "cy"))


def test_discrimination_is_the_correlation_with_the_rest():
    rng = np.random.default_rng(7)
    item = rng.integers(0, 2, size=23).astype(float)  # all or nothing: point-biserial
    rest = item * 3 + rng.normal(size=23)
    pairs = list(zip(item, rest, strict=True))
    assert discrimination(pairs) == pytest.approx(np.corrcoef(item, rest)[0, 1])
    # The textbook's formula for the same: difference of the group means.
    ones, zeros = rest[item == 1], rest[item == 0]
    share = item.mean()
    textbook = (ones.mean() - zeros.mean()) / rest.std() * np.sqrt(share * (1 - share))
    assert discrimination(pairs) == pytest.approx(textbook)
    assert discrimination(pairs[: ENOUGH_STUDENTS - 1]) is None
    assert discrimination([(1.0, b) for _, b in pairs]) is None


def test_an_exercise_that_tells_people_apart_has_a_high_discrimination(course):
    sdpa, causal, _ = EXERCISES
    for number in range(24):
        weak = number < 12
        write(
            course,
            f"s{number:02d}",
            right(
                scaled_dot_product=answer(sdpa, ("plain", "masked") if weak else ()),
                causal_mask=answer(causal, ("square",) if weak or number == 12 else ()),
                merge_heads=answer(EXERCISES[2], ("values",) if number % 2 else ()),
            ),
        )
    first, second, third = summarise(load_class(course, NOTEBOOK, EXERCISES)).items
    assert first.discrimination > 0.9 and second.discrimination > 0.9
    assert abs(third.discrimination) < 0.3


@pytest.mark.parametrize("values", [[3.0], [0, 38], [1, 5, 5, 17.5, 38, 2]])
def test_distribution_against_the_standard_library(values):
    scores = distribution(values, 38)
    assert scores.mean == pytest.approx(statistics.fmean(values))
    assert scores.median == pytest.approx(statistics.median(values))
    if len(values) > 1:
        low, _, high = statistics.quantiles(values, n=4, method="inclusive")
        assert (scores.q1, scores.q3) == pytest.approx((low, high))
    assert sum(n for _, _, n in scores.bins) == len(values)
    assert len(scores.bins) <= 20
    for low, high, n in scores.bins[:-1]:
        assert n == sum(low <= v < high for v in values)


def test_full_marks_fall_into_the_last_bin():
    assert distribution([40], 40).bins[-1] == (38, 40, 1)


def test_follow_on_errors_and_repeated_names_are_said_once(course):
    sdpa = EXERCISES[0]
    capstone = ExerciseInfo("capstone_x", 1, cases={"all": (1, Text("全部", "everything"))})
    broken = answer(sdpa, tuple(sdpa.cases), status="missing")
    undefined = "It raised an error: NameError: name 'scaled_dot_product' is not defined"
    follows = answer(capstone, ("all",), status="error", detail=Text(undefined, undefined))
    write(course, "ada", [broken, follows])
    path = course / "results" / "ada" / f"{NOTEBOOK}.json"
    record = json.loads(path.read_text("utf-8"))
    record["exercises"][0]["cell"] = {"status": "error", "type": "SyntaxError", "message": "here"}
    path.write_text(json.dumps(record), "utf-8")
    again = {"named": ["no_scaling"], "certainty": "exact"}
    write(course, "bo", [answer(sdpa, ("plain",), **again), answer(capstone, ("all",), **again)])
    infos = (dataclasses.replace(sdpa, defines=("scaled_dot_product",)), capstone)
    summary = summarise(load_class(course, NOTEBOOK, infos))
    (group,) = summary.unnamed
    assert (group.exercise.id, group.status) == (sdpa.id, "cell")
    assert group.example.en == "SyntaxError: here"
    (lesson,) = summary.lessons
    assert (lesson.exercise.id, lesson.students) == (sdpa.id, ("bo",))


def test_what_is_sure_is_kept_apart_from_a_tie(course):
    names = ["scaled_by_model_dim", "no_scaling", "softmax_over_queries"]
    said = [EXERCISES[0].misconceptions[name] for name in names]
    told = answer(
        EXERCISES[0],
        ("plain",),
        named=names,
        certainty="one_of",
        diagnosis=[said[0], ONE_OF, *said[1:]],
    )
    write(course, "ada", right(scaled_dot_product=told))
    lessons = summarise(load_class(course, NOTEBOOK, EXERCISES)).lessons
    assert [lesson.names for lesson in lessons] == [(names[0],), tuple(names[1:])]


def test_a_drill_left_blank_is_blank(course):
    drill = answer(EXERCISES[0], tuple(EXERCISES[0].cases), status="blank")
    drill.cases[0].status = "value"
    write(course, "ada", right(scaled_dot_product=drill))
    summary = summarise(load_class(course, NOTEBOOK, EXERCISES))
    assert (summary.items[0].blank, summary.unnamed) == (1, ())


def test_equal_repairs_are_one_line(course):
    said = {"zh": "已恢复", "en": "put back"}
    write(course, "ada", right(), repairs=[{**said, "cell": "a"}, {**said, "cell": "b"}])
    (trouble,) = summarise(load_class(course, NOTEBOOK, EXERCISES)).trouble
    assert trouble.students == ("ada",)
    assert (trouble.where, trouble.detail.en) == (("a", "b"), "put back")
