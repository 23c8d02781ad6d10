"""The term's table and its page: figures worked out by hand on a class of six."""

import csv
import io
import json
from datetime import datetime

import pytest
from tiny_course import TINY

from autograder.classroom.attention import concerns, expected, returning, shared_mistakes
from autograder.classroom.progress_page import points_csv, render
from autograder.classroom.term import term_table
from autograder.exercise import load
from autograder.messages import Text
from autograder.results import CaseResult, ExerciseResult

NOTEBOOKS = ("ch00_start", "ch01a_seq2seq", "ch02_attention")


def result_of(notebook, lost=(), named=None):
    """Full marks but for the exercises in `lost`, with the mistakes of `named`."""
    entries = []
    for exercise in load(notebook):
        name = (named or {}).get(exercise.id)
        zero = exercise.id in lost or name
        cases = [
            CaseResult(
                case.name,
                case.title,
                0.0 if zero else case.points,
                case.points,
                "value" if zero else "passed",
                Text("不同", "differs") if zero else None,
            )
            for case in exercise.cases
        ]
        more = {"named": [name], "certainty": "exact"} if name else {}
        entries.append(ExerciseResult(exercise.id, cases, **more))
    return {
        "score": sum(e.score for e in entries),
        "max_score": sum(e.max_score for e in entries),
        "exercises": [e.to_json() for e in entries],
    }


def everything(notebook):
    return {exercise.id for exercise in load(notebook)}


@pytest.fixture
def small_term(tmp_path):
    """Three notebooks, six students; the third notebook is not graded yet."""
    root = tmp_path / "class"
    (root / ".autograder").mkdir(parents=True)
    (root / ".autograder" / "course.json").write_text('{"lang": "zh", "seed": 1}')
    for notebook in NOTEBOOKS:
        (root / "release" / notebook).mkdir(parents=True)
        (root / "release" / notebook / f"{notebook}.ipynb").write_text("{}")
    first = {who: result_of("ch00_start") for who in ("ada", "bo", "cy", "di", "ed")}
    first["ed"] = result_of("ch00_start", everything("ch00_start"))
    mistake = next(iter({e.id: e for e in load("ch00_start")}["masked_mean"].misconceptions))
    first["bo"] = result_of("ch00_start", named={"masked_mean": mistake})
    first["cy"] = result_of("ch00_start", named={"masked_mean": mistake})
    second = {who: result_of("ch01a_seq2seq") for who in ("ada", "bo", "ed")}
    for notebook, results in zip(NOTEBOOKS, (first, second), strict=False):
        for who, result in results.items():
            (root / "submitted" / who / notebook).mkdir(parents=True)
            folder = root / "results" / who
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{notebook}.json").write_text(json.dumps(result))
    (root / "submitted" / "fay" / "ch02_attention").mkdir(parents=True)
    return root, mistake


def test_the_table(small_term):
    root, mistake = small_term
    term = term_table(root)
    assert [one.id for one in term.graded] == ["ch00_start", "ch01a_seq2seq"]
    assert list(term.students) == ["ada", "bo", "cy", "di", "ed", "fay"]
    assert (term.notebooks[0].core, term.notebooks[0].stretch) == (18, 0)
    status = {who: [one.status[0] for one in term.row(who)] for who in term.students}
    assert status == {
        **{"ada": list("ggm"), "bo": list("ggm"), "cy": list("gmm"), "di": list("gmm")},
        **{"ed": list("ggm"), "fay": list("mmw")},
    }
    bo = term.entries["bo", "ch00_start"]
    assert (bo.final, bo.core, bo.share) == (15, 15, pytest.approx(15 / 18))  # masked_mean: 3
    assert bo.named == (("masked_mean", (mistake,)),)
    assert "no gradebook" in term.problem


def test_who_may_need_help_and_why(small_term):
    root, mistake = small_term
    term = term_table(root)
    # Without due dates: what half of the class has handed in. 5 and 3 of 6; the last one 1 of 6.
    assert expected(term) == {
        "cy": ["ch01a_seq2seq"],
        "di": ["ch01a_seq2seq"],
        "fay": ["ch00_start", "ch01a_seq2seq"],
    }
    found = {one.student: [reason.en for reason in one.reasons] for one in concerns(term)}
    assert found["fay"] == ["not handed in: ch00, ch01a"]
    assert found["ed"] == ["50% of the core on average in the last 2 notebooks"]
    assert set(found) == {"cy", "di", "ed", "fay"}
    (shared,) = shared_mistakes(term.notebooks[0])
    assert (shared.names, shared.students) == ((mistake,), ("bo", "cy"))
    assert returning(term) == []


def test_a_mistake_that_comes_back(small_term):
    root, mistake = small_term
    again = result_of("ch01a_seq2seq")
    drill = again["exercises"][-1]
    assert drill["id"].startswith("drill_")
    drill["named"], drill["certainty"] = [mistake], "exact"
    path = root / "results" / "bo" / "ch01a_seq2seq.json"
    path.write_text(json.dumps(again))
    assert returning(term_table(root)) == []  # a drill's mistakes are of another kind
    for entry in again["exercises"][:1]:
        entry["named"], entry["certainty"] = [mistake], "exact"
    path.write_text(json.dumps(again))
    term = term_table(root)
    ((name, _, counts),) = returning(term)
    assert name == mistake and counts == {"ch00_start": 2, "ch01a_seq2seq": 1}
    (bo,) = [one for one in concerns(term) if one.student == "bo"]
    assert bo.reasons[0].en.startswith("the same mistake again (ch00, ch01a): ")


def test_the_table_has_gradebook_and_dates(late_class, cli):
    root = late_class.root
    cli("late", "--course", root, "--per-day", "1", "--timezone", "UTC")
    (root / "submitted" / "dora").mkdir()
    cli("extend", "dora", TINY, "--until", "2026-04-01", "--course", root)
    roster = root.parent / "r.csv"
    roster.write_text("id,name\ndora,Dora Ro\neve,Eve\nanna,安娜\n")
    cli("init-class", root, "--roster", roster)
    term = term_table(root, now=datetime(2026, 3, 20))
    assert term.problem == "" and term.students["anna"] == "安娜"
    anna = term.entries["anna", TINY]
    assert (anna.final, anna.raw, anna.penalty, anna.days_late) == (4, 7, 3, 3)
    assert anna.stamp.startswith("2026-03-03 13:00") and anna.handed_in == "2026-03-03 13:00"
    # eve is behind since 1 March; dora has until April.
    assert expected(term) == {"eve": [TINY]}
    rows = list(csv.reader(io.StringIO(points_csv(term).decode("utf-8-sig"))))
    assert rows[0] == ["student", "name", "total", TINY]
    assert rows[1] == ["anna", "安娜", "4", "4"] and rows[-1] == ["eve", "Eve", "0", ""]
    code, said, _ = cli("progress", "--course", root, "--json")
    found = json.loads(said)
    assert code == 0 and found["students"] == 5
    assert {one["id"] for one in found["concerns"]} == {"dora", "eve"}  # April is over by now
    assert (root / "reports" / "progress.html").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_page_has_every_student_and_runs_nothing(small_term, lang):
    root, _ = small_term
    hostile = root / "submitted" / "<script>alert(1)"
    (hostile / "ch00_start").mkdir(parents=True)
    term = term_table(root)
    page = render(term, lang, {one.id: one.id for one in term.notebooks}, "class & co")
    assert (
        "<script" not in page
        and "&lt;script&gt;" in page
        and "http" not in page.split("</style>")[1]
    )
    for who in ("ada", "bo", "cy", "di", "ed", "fay"):
        assert f"<bdi>{who}</bdi>" in page
    assert "class &amp; co" in page
    other = "Who may need a word" if lang == "zh" else "可能需要"
    assert other not in page


def test_nothing_graded_yet(tmp_path, small_term, cli):
    root, _ = small_term
    code, _, said = cli("progress", "ch02_attention", "--course", root)
    assert code == 2 and "run autograder grade first" in said
