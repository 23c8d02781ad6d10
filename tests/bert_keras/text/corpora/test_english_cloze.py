import pytest
from made_archives import disjoint, make, need

from bert_keras.text.corpora import archives, english_cloze
from bert_keras.text.corpora.labelled import Question

FILLER = "and the people of the town were pleased with all that had been said about it " * 3


def article(n):
    return (
        f"Title {n}\n\nThe new plan was praised by Anna Smith of the council number {n} on Friday. "
        f"It will cost ${n}m and was agreed in March {1900 + n} by the members of the board. "
        f"{FILLER}.\n\nShort end.\n"
    )


@pytest.fixture
def made(tmp_path, monkeypatch):
    topics = ("business", "sports")
    files = {f"bbcnews/data/{topics[n % 2]}/{n:03}.txt": article(n) for n in range(10, 70)}
    make(monkeypatch, tmp_path, archives.BBC, files)


def test_answers_stand_where_they_should(made):
    parts = english_cloze.load(questions=3)
    rows = [row for name in parts for row in parts[name]]
    assert len(rows) == 180
    for row in rows:
        assert row.context[row.start : row.start + len(row.answer)] == row.answer
        assert row.context.count(row.answer) == 1
        assert english_cloze.kind_of(row.question) == english_cloze.kind_of(row.answer)
    assert disjoint(parts, lambda row: row.context)
    first = sorted(row for row in rows if "number 10 " in row.context)
    assert sorted(row.answer for row in first) == ["$10m", "Anna Smith", "March 1910"]


def test_a_question_without_dropped_words(made):
    rows = [r for found in english_cloze.load(questions=3, drop=0.0).values() for r in found]
    cost = next(row for row in rows if row.answer == "$10m")
    assert cost.question == ("It will cost how much and was agreed in March 1910 by the members?")
    assert next(r for r in rows if r.answer == "March 1910").question.startswith(
        "It will cost $10m and was agreed in when by the members"
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it paid £1.5bn, or 12.5% of it", ["£1.5bn", "12.5%"]),
        ("said Tony Blair and the Bank of Japan", ["Tony Blair"]),
        ("Tony Blair said so in May 2004", ["May 2004"]),  # a name at the start is none
    ],
)
def test_what_can_be_asked_for(text, found):
    assert [answer for _, answer in english_cloze.candidates(text)] == found


def test_the_first_candidate_of_the_asked_kind():
    context = "then, in May 2004, the firm paid £3m to Anna Smith and $5m to Bob Jones"
    for question, answer in (
        ("the firm paid how much to Bob Jones?", "£3m"),
        ("paid to who or what and?", "Anna Smith"),
        ("in when the firm?", "May 2004"),
    ):
        assert english_cloze.first_candidate(Question(context, question, "", 0)) == answer
    assert english_cloze.first_candidate(Question("nothing", "how much?", "", 0)) == ""


@pytest.mark.slow
def test_the_articles():
    need(archives.BBC)
    parts = english_cloze.load()
    assert {name: len(rows) for name, rows in parts.items()} == {
        "train": 6451, "dev": 676, "test": 1001,
    }  # fmt: skip
    assert disjoint(parts, lambda row: row.context)
    right = [english_cloze.first_candidate(row) == row.answer for row in parts["test"]]
    assert 0.40 < sum(right) / len(right) < 0.50
