import json
from collections import defaultdict

import pytest
from made_archives import disjoint, make, need

from bert_keras.text.corpora import archives, intents
from bert_keras.text.corpora.archives import CorpusError

EN = {
    "intents": {
        "TurnOn": {"data": [
            {"sentences": [f"{verb} on [<the>] {{name}} [now] [please]" for verb in (
                "turn", "switch", "put", "flip", "click", "bring", "set", "power", "fire", "get")]},
            {"sentences": ["light up {area}"], "expansion_rules": {"the": "my"}},
        ]},
        "Dim": {"data": [{"sentences": ["dim {name} to {level}", "make {name} {level}"]}]},
    },
    "lists": {"level": {"range": {"from": 1, "to": 50}}},
    "expansion_rules": {"the": "(the|my|our)"},
}  # fmt: skip
ZH = {
    "intents": {"TurnOn": {"data": [{"sentences": ["打开{name}", "把{name}打开", "开{name}"]}]}},
    "lists": {},
    "expansion_rules": {},
}
DE = {**ZH, "intents": {"Open": {"data": [{"sentences": ["Öffne die {area}", "{area} auf"]}]}}}


@pytest.fixture
def made(tmp_path, monkeypatch):
    files = {f"home_assistant_intents/data/{n}.json": json.dumps(d) for n, d in
             (("en", EN), ("zh-CN", ZH), ("de", DE))}  # fmt: skip
    make(monkeypatch, tmp_path, archives.HOME_ASSISTANT_INTENTS, files)


def test_templates_are_held_out(made):
    parts = intents.load()
    verbs = defaultdict(set)
    for name, rows in parts.items():
        for row in rows:
            assert len(row.tokens) == len(row.slots) and row.text == " ".join(row.tokens)
            if row.intent == "TurnOn":
                verbs[name].add(row.tokens[0])
    # Eleven templates: two for the test, one for dev.
    assert [len(verbs[name]) for name in ("train", "dev", "test")] == [8, 1, 2]
    assert not verbs["train"] & (verbs["dev"] | verbs["test"])
    assert {row.intent for row in parts["test"]} == {"TurnOn"}  # Dim has too few to spare one
    assert {row.intent for row in parts["train"]} == {"TurnOn", "Dim"}
    assert disjoint(parts, lambda row: row.text)
    assert intents.load() == parts and intents.load(seed=3) != parts


def test_slots_are_marked(made):
    row = next(r for r in intents.load()["train"] if r.intent == "Dim" and "coffee" in r.text)
    named = [token for token, tag in zip(row.tokens, row.slots, strict=True) if "name" in tag]
    assert named == ["coffee", "machine"]
    assert [tag for tag in row.slots if "level" in tag] == ["B-level"]


def test_chinese_goes_by_character(made):
    row = next(r for r in intents.load(language="zh-CN")["train"] if r.text == "打开电视")
    assert row.tokens == tuple("打开电视") and row.slots == ("O", "O", "B-name", "I-name")
    with pytest.raises(CorpusError, match="language is 'nl'; it can be en, zh-CN, de, fr"):
        intents.load(language="nl")


def test_german_words_keep_their_letters(made):
    rows = intents.load(language="de")["train"]
    assert ("öffne die küche", "Open", ("O", "O", "B-area")) in rows
    assert {row.slots for row in rows} == {("O", "O", "B-area"), ("B-area", "O")}


def snips(folder, lines=3):
    folder.mkdir()
    (folder / "seq.in").write_text("".join(f"play song {folder.name} {n}\n" for n in range(lines)))
    (folder / "seq.out").write_text("O B-music I-music I-music\n" * lines)
    (folder / "label").write_text("PlayMusic\n" * lines)


def test_snips_as_published(tmp_path):
    for name in ("train", "valid", "test"):
        snips(tmp_path / name)
    parts = intents.load(tmp_path)
    assert [len(parts[name]) for name in parts] == [3, 3, 3]
    assert parts["dev"][0] == ("play song valid 0", "PlayMusic",
                               ("O", "B-music", "I-music", "I-music"))  # fmt: skip
    (tmp_path / "test" / "label").write_text("PlayMusic\n")
    with pytest.raises(CorpusError, match=r"as many lines in each file, found seq.in 3.*label 1"):
        intents.load(tmp_path)


def test_missing_and_uneven_rows_are_named(tmp_path):
    for name in ("train", "valid", "test"):
        snips(tmp_path / name)
    (tmp_path / "train" / "seq.out").write_text("O B-music I-music I-music\nO O\nO O O O\n")
    with pytest.raises(CorpusError, match=r"seq.out, row 2: slots .* is not 4 tags"):
        intents.load(tmp_path)
    (tmp_path / "train" / "seq.out").unlink()
    with pytest.raises(CorpusError, match=r"cannot read .*seq.out: No such file"):
        intents.load(tmp_path)


def test_tables(tmp_path):
    path = tmp_path / "atis.tsv"
    rows = [f"flights to city{n}\tatis_flight\tO O B-toloc.city_name\n" for n in range(20)]
    path.write_text("text\tintent\tslots\n" + "".join(rows))
    parts = intents.load(path)
    assert [len(parts[name]) for name in parts] == [16, 2, 2]
    assert parts["test"][0].slots == ("O", "O", "B-toloc.city_name")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "counts", "distinct", "templates", "kinds"),
    [
        ("en", (5897, 535, 1289), (5897, 535, 1289), 862, 42),
        ("zh-CN", (5798, 455, 1179), (5798, 455, 1174), 700, 40),
    ],
)
def test_the_packaged_templates(language, counts, distinct, templates, kinds):
    need(archives.HOME_ASSISTANT_INTENTS)
    found = intents.read_templates(language)[1]
    assert (len(found), len({t.intent for t in found})) == (templates, kinds)
    parts = intents.load(language=language, distinct=False)
    assert tuple(len(parts[name]) for name in parts) == counts
    parts = intents.load(language=language)
    assert tuple(len(parts[name]) for name in parts) == distinct
    assert disjoint(parts, lambda row: row.text)
