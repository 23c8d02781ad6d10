"""What the demo's term draws: planted as it says, and no submission is another's text."""

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

import demo_term
import term_draw

from autograder.report.term_traits import structure
from autograder.variants import Variant

ADD = "def {0}(a, b):\n    total = a + b\n    return total * 2\n"


def books():
    """Two tiny notebooks of three exercises that share a misconception."""
    found = []
    for nb in ("nb1", "nb2"):
        ids = [f"{nb}_{c}" for c in "abc"]
        variants = {
            e: [
                Variant(e, "other", True, source=ADD.format(e).replace("total * 2", "2 * total")),
                Variant(e, "minus", False, source=ADD.format(e).replace("+", "-"), names=("sign",)),
                Variant(e, "odd", False, source=ADD.format(e).replace("2", "3"), properties=("p",)),
            ]
            for e in ids
        }
        found.append(term_draw.Book(nb, {e: ADD.format(e) for e in ids}, variants, tuple(ids)))
    return found


@pytest.fixture(scope="module")
def drawn():
    return term_draw.term(books(), 6, random.Random(7))


def test_the_pairs_hand_in_the_same_but_for_the_text(drawn):
    _, works, planted = drawn
    by = {(w.student, w.notebook): w for w in works}
    for a, b in planted["copies"]:
        for nb in ("nb1", "nb2"):
            one, two = by[a, nb], by[b, nb]
            assert one.drawn == two.drawn and one.texts.keys() == two.texts.keys()
            for e, text in one.texts.items():
                assert text != two.texts[e]
                assert structure(text) == structure(two.texts[e]) != ""
    renamed = by[planted["names_changed"][1], "nb1"]
    assert any("total_mine" in text for text in renamed.texts.values())


def test_no_two_answers_are_one_text(drawn):
    texts = [text for work in drawn[1] for text in work.texts.values()]
    assert len(set(texts)) == len(texts) > 20


def test_one_answer_hangs(drawn):
    _, works, planted = drawn
    hung = [(w.student, w.notebook, e) for w in works for e, k in w.drawn.items() if k == "hung"]
    assert [list(one) for one in hung] == [planted["hung"]]


def test_the_same_seed_draws_the_same_term(drawn):
    assert term_draw.term(books(), 6, random.Random(7))[1] == drawn[1]
    assert term_draw.term(books(), 6, random.Random(8))[1] != drawn[1]


def test_renaming_keeps_what_callers_see():
    text = "def f(a, axis=0):\n    s = a * 2\n    axis = 1\n    return g(s, axis=axis, s='s')\n"
    assert term_draw.rename(text) == text  # every name is seen from outside, too
    text = "def f(a):\n    row = a * 2\n    return row + 1\n"
    assert term_draw.rename(text) == text.replace("row", "row_mine")


def test_what_was_found_is_counted(drawn):
    works = drawn[1]
    entries = {}
    for work in works:
        rows = [
            {
                "id": e,
                "score": 1.0 if kind == "right" else 0.0,
                "max_score": 1.0,
                "named": list(work.names.get(e, ())),
                "incidents": ["timeout"] if kind == "hung" else [],
            }
            for e, kind in work.drawn.items()
        ]
        entries.setdefault(work.notebook, {"students": []})
        entries[work.notebook]["students"].append({"id": work.student, "exercises": rows})
    counts = demo_term.compare(works, entries)
    assert counts["hung: stopped"] == 1 and counts["named: as planted"] > 0
    assert not {"right: lost points", "named: other", "hung: not noticed"} & counts.keys()
    first = entries["nb1"]["students"][0]["exercises"]
    for row in first:
        row["score"], row["named"] = 0.0, []
    worse = demo_term.compare(works, entries)
    assert worse["right: lost points"] + worse["named: other"] > 0


def test_too_few_students_is_told(tmp_path, capsys):
    assert demo_term.main(["--students", "5", "--out", str(tmp_path / "t")]) == 1
    assert "--students 5" in capsys.readouterr().err
    assert not (tmp_path / "t").exists()
