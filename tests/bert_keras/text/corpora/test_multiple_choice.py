import json

import pytest
from made_archives import disjoint, make, need

from bert_keras.text.corpora import archives, multiple_choice
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import Choice


@pytest.fixture
def made(tmp_path, monkeypatch):
    files = {}
    for n in range(80):
        sentences = [f"Article {n} has one sentence number {k} here." for k in range(14)]
        text = f"Title\n\n{' '.join(sentences[:7])}\n\n{' '.join(sentences[7:])}\nToo short.\n"
        files[f"bbcnews/data/tech/{n:03}.txt"] = text
    files["bbcnews/data/tech/999.txt"] = "Title\n\nOnly one sentence stands in this article.\n"
    make(monkeypatch, tmp_path, archives.BBC, files)


def place(text):
    words = text.split()
    return int(words[1]), int(words[6])


@pytest.mark.parametrize("same", [False, True])
def test_the_right_choice_comes_next(made, same):
    parts = multiple_choice.load(same_article=same)
    assert sum(map(len, parts.values())) == 320  # four of each article, the short one left out
    for rows in parts.values():
        for row in rows:
            article, sentence = place(row.context)
            assert place(row.choices[row.label]) == (article, sentence + 1)
            wrong = [place(c) for i, c in enumerate(row.choices) if i != row.label]
            assert len(wrong) == 3 and len(set(row.choices)) == 4
            assert all((other == article) == same for other, _ in wrong)
            assert not same or all(abs(k - sentence) > 2 for _, k in wrong)
    articles = [{place(row.context)[0] for row in rows} for rows in parts.values()]
    assert sum(map(len, articles)) == 80
    labels = [row.label for rows in parts.values() for row in rows]
    assert all(labels.count(n) > 40 for n in range(4))


def test_too_few_choices(made):
    with pytest.raises(CorpusError, match="choices is 1; there have to be at least 2"):
        multiple_choice.load(choices=1)


def test_swag_and_hellaswag_as_published(tmp_path):
    header = ",video-id,fold-ind,startphrase,sent1,sent2,gold-source,"
    header += "ending0,ending1,ending2,ending3,label"
    for name in ("train", "val"):
        (tmp_path / f"{name}.csv").write_text(
            header
            + "".join(
                f"\n{n},v,1,She opens {name} {n}.,x,y,gold,a,b,c,d,{n % 4}" for n in range(20)
            )
        )
    parts = multiple_choice.load(tmp_path)
    assert parts["test"][3] == Choice("She opens val 3.", ("a", "b", "c", "d"), 3)
    assert len(parts["train"]) + len(parts["dev"]) == 20
    path = tmp_path / "hella.jsonl"
    path.write_text(json.dumps({"ctx": "A man", "endings": ["a", "b"], "label": "1"}))
    assert multiple_choice.load(path)["train"] == [Choice("A man", ("a", "b"), 1)]


RACE = {
    "article": "Tom ran.", "questions": ["Who ran?", "What did he do?"], "id": "high1.txt",
    "options": [["Tom", "Ann"], ["sat", "ran"]], "answers": ["A", "B"],
}  # fmt: skip


def test_race_as_published(tmp_path):
    for part in ("train", "dev", "test"):
        folder = tmp_path / part / "high"
        folder.mkdir(parents=True)
        (folder / "1.txt").write_text(json.dumps({**RACE, "article": f"Tom ran {part}."}))
    parts = multiple_choice.load(tmp_path)
    assert parts["dev"] == [
        Choice("Tom ran dev. Who ran?", ("Tom", "Ann"), 0),
        Choice("Tom ran dev. What did he do?", ("sat", "ran"), 1),
    ]
    assert disjoint(parts, lambda row: row.context)
    row = {"article": "Tom ran.", "question": "Who?", "options": ["Tom", "Ann"], "answer": "B"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    assert multiple_choice.load(tmp_path / "rows.jsonl")["train"][0].label == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"ctx": "x", "endings": ["a", "b"], "label": 2},
            "row 1: answer 2 is not a number below 2",
        ),
        ({"ctx": "x", "endings": ["a"], "label": 0}, "row 1: options .* is not a list of texts"),
        ({"ctx": None, "endings": ["a", "b"], "label": 0}, "row 1: ctx None is not a text"),
        ({"endings": ["a", "b"], "label": 0}, "needs the columns startphrase and label"),
    ],
)
def test_bad_rows_are_named(tmp_path, row, message):
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    with pytest.raises(CorpusError, match=message):
        multiple_choice.load(tmp_path / "a.jsonl")


def test_an_article_without_its_answers(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({k: v for k, v in RACE.items() if k != "answers"}))
    with pytest.raises(CorpusError, match="answers is missing"):
        multiple_choice.load(path)


@pytest.mark.slow
def test_the_articles():
    need(archives.BBC)
    assert sum(len(found) for found in multiple_choice.documents().values()) * 4 == 7568
    parts = multiple_choice.load()
    assert {name: len(rows) for name, rows in parts.items()} == {
        "train": 5976, "dev": 659, "test": 866,
    }  # fmt: skip
    assert disjoint(parts, lambda row: row.context)
