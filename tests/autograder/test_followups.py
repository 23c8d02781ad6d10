"""A cause is told once; what only follows from it refers to it."""

import importlib
from types import SimpleNamespace

import numpy as np
import pytest

from autograder import exercise as registry
from autograder.check import check
from autograder.exercise import Exercise
from autograder.expectations import expect
from autograder.followups import BrokenCell, broken_cells, refer
from autograder.messages import Text
from autograder.results import BLANK, CaseResult, ExerciseResult

check_module = importlib.import_module("autograder.check")
DEFINES = {name: (name,) for name in ("one", "two", "three", "capstone_x")}


def result(name, status="passed", error="", named=(), cases=2):
    detail = None if status == "passed" else Text(f"错：{error}{status}", f"bad: {error}{status}")
    detail = BLANK if status == "blank" else detail
    points = 1.0 if status == "passed" else 0.0
    made = [
        CaseResult(f"c{i}", Text("例", "case"), points, 1.0, status, detail, error)
        for i in range(cases)
    ]
    return ExerciseResult(name, made, named=list(named))


def undefined(name):
    return f"NameError: name '{name}' is not defined"


def test_a_missing_helper_is_told_in_the_first_exercise_only():
    results = [result(n, "error", undefined("helper")) for n in ("one", "two", "three")]
    refer(results, DEFINES)
    assert [r.follows for r in results] == ["", "one", "one"]
    assert "helper" in results[0].message("en") and "bad:" in results[0].message("en")
    for later in results[1:]:
        assert "Same cause as in one" in later.message("en")
        assert "bad:" not in later.message("en") and "错：" not in later.message("zh")


def test_the_broken_cell_behind_a_missing_name_is_named_once():
    cell = BrokenCell("cell 3", "SyntaxError: invalid syntax", ("helper",))
    results = [result(n, "error", undefined("helper")) for n in ("one", "two")]
    refer(results, DEFINES, [cell])
    assert "cell 3 stopped with SyntaxError" in results[0].message("en")
    assert "SyntaxError" not in results[1].message("en") and results[1].follows == "one"


def test_an_answer_cell_that_stopped_is_the_cause_and_its_user_refers_to_it():
    cell = BrokenCell("one", "SyntaxError: invalid syntax", ("one",), exercise="one")
    results = [result("one", "missing"), result("capstone_x", "error", undefined("one"))]
    refer(results, DEFINES, [cell])
    assert "The cell stopped with SyntaxError" in results[0].message("en")
    assert "missing" not in results[0].message("en"), "that it defined nothing is no second error"
    assert results[1].follows == "one" and "bad" not in results[1].message("en")


def test_an_import_that_failed_is_told_once():
    """A cell of imports that stops leaves its names undefined in every exercise."""
    cell = BrokenCell("imports", "ModuleNotFoundError: No module named 'numpyy'", ("np",))
    results = [result(n, "error", undefined("np")) for n in ("one", "two", "three")]
    refer(results, DEFINES, [cell])
    words = "\n".join(r.message("en") for r in results)
    assert words.count("ModuleNotFoundError") == 1 and words.count("Same cause as in one") == 2


def test_broken_cells_are_read_off_a_submission():
    plan = [
        SimpleNamespace(name="cell 1", exercise=None),
        SimpleNamespace(name="cell 2", exercise="one"),
        SimpleNamespace(name="cell 3", exercise="two"),
        SimpleNamespace(name="cell 4", exercise=None),
    ]
    error = {"type": "SyntaxError", "message": "invalid\n syntax", "where": "line 2: x ="}
    outcomes = {
        "cell 1": SimpleNamespace(status="timeout", error=None),
        "cell 2": SimpleNamespace(status="error", error=error),
        "cell 3": SimpleNamespace(status="ok", error=None),
    }
    assert broken_cells(plan, outcomes, DEFINES) == [
        BrokenCell("cell 1", "timeout"),
        BrokenCell("cell 2", "SyntaxError: invalid syntax (line 2: x =)", ("one",), "one"),
    ]


def test_other_errors_and_right_answers_are_nobodys_consequence():
    results = [
        result("one", "error", undefined("helper")),
        result("two", "error", "ValueError: shapes"),
        result("three"),
        result("capstone_x"),
    ]
    refer(results, DEFINES)
    assert [(r.follows, r.cause) for r in results[1:]] == [("", None)] * 3


def test_a_capstone_repeats_no_mistake_of_its_pieces():
    results = [result("one", "value", named=["upside_down"]), result("capstone_x", "value")]
    results[1].named = ["upside_down"]
    refer(results, DEFINES)
    assert results[1].follows == "one" and "your own one" in results[1].message("en")
    results = [result("one", "value"), result("two"), result("capstone_x", "value")]
    refer(results, DEFINES)
    assert results[2].follows == "" and "something in one isn't right" in results[2].message("en")


def test_a_capstone_that_meets_a_blank_piece_is_not_called_blank():
    results = [result("one", "blank"), result("capstone_x", "blank")]
    refer(results, DEFINES)
    assert "in one, which it may use" in results[1].message("en")
    assert "YOUR CODE HERE" not in results[1].message("en")
    alone = [result("one"), result("capstone_x", "blank")]
    refer(alone, DEFINES)
    assert "YOUR CODE HERE" in alone[1].message("en")


def test_referring_twice_changes_nothing():
    results = [result(n, "error", undefined("helper")) for n in ("one", "two", "three")]
    refer(results[:2], DEFINES)
    refer(results, DEFINES)
    assert [r.follows for r in results] == ["", "one", "one"]


def test_what_follows_survives_json():
    results = [result(n, "error", undefined("helper")) for n in ("one", "two")]
    refer(results, DEFINES)
    again = [ExerciseResult.from_json(r.to_json()) for r in results]
    assert again == results
    old = results[0].to_json()
    for key in ("located", "ladders", "follows", "cause"):
        old.pop(key)
    assert ExerciseResult.from_json(old).score == 0, "results stored before these keys existed"


def test_checks_in_one_notebook_refer_to_each_other(monkeypatch, capsys):
    for name in ("_shares", "_results"):
        monkeypatch.setattr(check_module, name, {})
    monkeypatch.setenv("BERT_COURSE_LANG", "en")
    made = []
    try:
        for name in ("first", "second"):
            exercise = Exercise(name, notebook="follow_ups", points=1, tensors=False)
            made.append(exercise)

            @exercise.case(points=1, zh="例", en="case")
            def case(student, rng):
                expect(student(np.ones(2))).equals(np.ones(2))

        scope = {}
        exec("def first(x):\n    return helper(x)\n\n\ndef second(x):\n    return helper(x)", scope)
        check("first", scope["first"])
        assert "NameError" in capsys.readouterr().out
        points = check("second", scope["second"])
        words = capsys.readouterr().out
        assert "Same cause as in first" in points._repr_html_()
        assert "It raised" not in points._repr_html_()
        assert "Same cause as in first" in words and "It raised" not in words
    finally:
        for exercise in made:
            registry._REGISTRY.pop(exercise.id)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_sentence_is_complete(lang):
    cell = BrokenCell("cell 3", "SyntaxError: invalid syntax", ("helper",))
    results = [result(n, "error", undefined("helper")) for n in ("one", "two")]
    results.append(result("capstone_x", "value"))
    refer(results, DEFINES, [cell])
    assert all(r.cause and "{" not in r.cause[lang] for r in results)


def test_a_capstone_speaks_of_the_pieces_that_it_uses():
    for status, said in (("blank", "in two, which"), ("value", "in two isn't right")):
        results = [result(n, status) for n in ("one", "two", "capstone_x")]
        refer(results, DEFINES, built_of={"capstone_x": ["two"], "one": []})
        assert said in results[2].message("en")
    results = [result("one", "value"), result("two"), result("capstone_x", "value")]
    refer(results, DEFINES, built_of={"capstone_x": ["two"]})
    assert results[2].cause is None
