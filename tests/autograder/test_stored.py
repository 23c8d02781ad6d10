"""`stored()`: what a notebook gets of an experiment, and what it says where there is nothing."""

import json
import os
import subprocess
import sys

import pytest

import autograder
from autograder import stored

RESULT = {
    "id": "recall",
    "claim": {"zh": "越远越难。", "en": "Farther is harder."},
    "holds": False,
    "seeds": [0, 1, 2],
    "config": {"steps": 100},
    "figures": {"accuracy": {"mean": 0.5, "sd": 0.1, "values": [0.4, 0.5, 0.6]}},
    "command": "make experiments",
    "versions": {"keras": "3.15"},
    "seconds": 12.5,
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.setenv("BERT_COURSE_LANG", "en")
    return tmp_path


def keep(folder, result, name="recall"):
    (folder / "results").mkdir(exist_ok=True)
    text = result if isinstance(result, str) else json.dumps(result)
    (folder / "results" / f"{name}.json").write_text(text, encoding="utf-8")


def test_a_result_is_read_beside_the_notebook(folder, capsys):
    keep(folder, RESULT)
    assert stored("recall") == RESULT
    assert capsys.readouterr().out == ""


def test_the_front_end_knows_where_the_notebook_is(folder, tmp_path, monkeypatch):
    keep(folder, RESULT)
    monkeypatch.chdir("/")
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "a.ipynb"))
    assert stored("recall") == RESULT


@pytest.mark.parametrize(
    ("lang", "words"), [("zh", "还没有存好的结果"), ("en", "no stored result")]
)
def test_what_was_not_measured_is_none_and_a_friendly_line(
    folder, lang, words, monkeypatch, capsys
):
    monkeypatch.setenv("BERT_COURSE_LANG", lang)
    assert stored("recall") is None
    said = capsys.readouterr().out
    assert words in said and "recall" in said and said.count("\n") == 1


@pytest.mark.parametrize(
    "damaged",
    ["", "{", "[1]", "null", {**RESULT, "id": "other"}, {"id": "recall"}, "[" * 100_000],
    ids=["empty", "cut off", "a list", "null", "another", "without figures", "deep"],
)
def test_a_damaged_result_is_as_good_as_none(folder, damaged):
    keep(folder, damaged)
    assert stored("recall") is None


@pytest.mark.parametrize("name", ["../recall", "a b", "", "recall.json"])
def test_an_id_is_a_name_and_no_path(folder, name):
    with pytest.raises(ValueError, match="no id"):
        stored(name)


def test_grading_has_no_results_and_goes_on(warm):
    child = warm.spawn()
    try:
        outcome = child.run_cell("from autograder import stored\nassert stored('x') is None", "a")
        assert outcome.status == "ok", outcome.error
    finally:
        child.close()


def test_the_package_gives_the_function_not_a_module():
    code = "import autograder.stored, autograder; print(callable(autograder.stored))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == "True" and callable(autograder.stored)
