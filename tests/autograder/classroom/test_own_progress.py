"""A student's progress: read from saved notebooks, with the outputs that check() really writes."""

import copy
import json
import subprocess
import sys

import pytest
from tiny_course import BLANK_DOUBLE, DOUBLE, TINY, filled, released

from autograder.check import Points
from autograder.classroom.own import find_books, next_of, read_book
from autograder.classroom.own_text import describe, printable
from autograder.exercise import get as exercise_of
from autograder.messages import Text
from autograder.results import CaseResult, ExerciseResult

pytestmark = pytest.mark.usefixtures("tiny", "spoken")
COUNTS = {"answer-double": 4, "check-double": 5, "answer-pair": 6, "check-pair": 7}


def saved(path, checks, counts=COUNTS, lang="en", **answers):
    """Saves a notebook in which these answers were checked."""
    answers = {"written": "(Write your answer here.)"} | answers
    notebook = copy.deepcopy(filled(**answers))
    notebook["metadata"]["course"]["lang"] = lang
    for cell in notebook["cells"]:
        cell["execution_count"] = counts.get(cell["id"])
        if cell["id"] in checks:
            points = checks[cell["id"]]
            data = {"text/plain": repr(points), "text/html": points._repr_html_()}
            cell["outputs"] = [{"output_type": "execute_result", "metadata": {}, "data": data}]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def checked(exercise, passed):
    """What check() returns, made without the Keras that it would load."""
    points = exercise_of(exercise).points
    title, differs = Text("一", "one"), Text("数值不同", "the values differ")
    case = CaseResult("one", title, points, points, "passed")
    if not passed:
        case = CaseResult("one", title, 0.0, points, "value", differs)
    said = [] if passed else [Text("<b> 多了", "<b> was added"), Text("还有", "and more")]
    found = Points(case.points)
    found.result, found.lang = ExerciseResult(exercise, [case], diagnosis=said), "en"
    return found


@pytest.fixture
def half(tmp_path):
    """double passes, pair_sum was wrong when it was checked, Scale is blank."""
    checks = {
        "check-double": checked("double", True),
        "check-pair": checked("pair_sum", False),
    }
    scale = "class Scale:\n    # YOUR CODE HERE\n    raise NotImplementedError()\n"
    return saved(tmp_path / "course" / "en" / TINY / f"{TINY}.ipynb", checks, scale=scale)


def test_what_passes_and_what_is_next(half):
    book = read_book(half)
    assert book.title == "Tiny" and book.points() == (3, 7) and not book.done and book.begun
    double, pair, scale = book.steps
    assert (double.points, double.passed, double.blank) == (3, True, False)
    assert (pair.points, pair.passed, pair.tried) == (0, False, True)
    assert pair.said == "<b> was added" and double.said == ""
    assert scale.points is None and scale.blank and not scale.tried
    assert book.next.exercise == "pair_sum" and book.written is False
    text = describe(half.parent, [book], "en")
    assert "0 of 1 notebooks done" in text and "3/7" in text and "1 of 3 pass" in text
    assert "Next: pair_sum" in text and "not written yet" in text
    assert "下" in describe(half.parent, [book], "zh")


def test_an_answer_that_was_run_again_is_said(half):
    notebook = json.loads(half.read_text())
    for cell in notebook["cells"]:
        if cell["id"] == "answer-double":
            cell["execution_count"] = 9
    half.write_text(json.dumps(notebook))
    assert read_book(half).steps[0].stale
    assert "run again since its last check" in describe(half.parent, [read_book(half)], "en")


def test_the_copy_that_is_furthest_counts_whatever_it_is_called(half, tmp_path):
    saved(tmp_path / "course" / "zh" / TINY / f"{TINY}.ipynb", {}, lang="zh", double=BLANK_DOUBLE)
    saved(half.with_name("mine (1).ipynb"), {"check-double": checked("double", False)})
    saved(half.parent / ".ipynb_checkpoints" / "old.ipynb", {}, double=DOUBLE)
    _, books = find_books(tmp_path)
    assert [book.path for book in books] == [half]
    assert next_of(books).notebook == TINY


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", '{"metadata": {}}', "\x00" * 99),
        '{"metadata": {"course": 3}, "cells": []}',
        '{"metadata": {"course": {"notebook": "x", "lang": "en"}}, "cells": [3]}',
    ],
)
def test_what_is_no_notebook_of_the_course_is_left_alone(tmp_path, text):
    path = tmp_path / "odd.ipynb"
    path.write_text(text)
    assert read_book(path) is None
    assert find_books(tmp_path)[1] == []


@pytest.mark.parametrize("plain", ["nan", "inf", "99", "-3", "many", "3 points"])
def test_an_edited_output_is_no_more_than_the_points_there_are(tmp_path, plain):
    path = tmp_path / f"{TINY}.ipynb"
    notebook = released()
    for cell in notebook["cells"]:
        if cell["id"] == "check-double":
            data = {"text/plain": plain}
            cell["outputs"] = [{"output_type": "execute_result", "metadata": {}, "data": data}]
    path.write_text(json.dumps(notebook))
    assert read_book(path).steps[0].points == {"99": 3, "-3": 0}.get(plain)


def test_the_command(half, cli, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    code, said, _ = cli("progress")
    assert code == 0 and f"autograder check course/en/{TINY}/{TINY}.ipynb" in said
    assert "Nothing was run or sent" in said
    code, said, _ = cli("progress", "--json")
    found = json.loads(said)
    assert found["next"] == {"notebook": TINY, "exercise": "pair_sum"}
    assert found["notebooks"][0]["core"] == [3, 7]
    assert cli("progress", half)[0] == cli("progress", "tiny")[0] == 0
    code, _, said = cli("progress", "ch99")
    assert code == 2 and "here are: tiny_notebook" in said
    (tmp_path / "empty").mkdir()
    code, _, said = cli("progress", tmp_path / "empty")
    assert code == 2 and "no notebook of the course" in said


def test_a_console_without_our_signs_is_spoken_to_all_the_same():
    assert printable("✓ → ◐ ·", "ascii") == "+ > ~ ."
    assert printable("✓ 你", "cp1252") == "+ ?"
    assert printable("✓ 你", "utf-8") == "✓ 你"


def test_it_needs_neither_keras_nor_a_posix_system_nor_nbgrader(tmp_path):
    """On the real notebooks, with what Windows lacks taken away."""
    code = """
import sys
for name in ("fcntl", "resource", "pwd", "grp", "termios", "pty", "nbgrader", "sqlalchemy"):
    sys.modules[name] = None
from autograder.__main__ import main
code = main(["progress", "--json"])
heavy = {"keras", "tensorflow", "matplotlib", "keras_hub", "bert_keras"} & set(sys.modules)
print(sorted(heavy), code, file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stderr.strip().endswith("[] 0"), done.stderr
    found = json.loads(done.stdout)["notebooks"]
    assert len(found) >= 17 and found[0]["id"] == "ch00_start"
    assert found[0]["core"] == [0, 18] and not any(book["done"] for book in found)
