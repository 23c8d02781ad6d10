"""The real archives: counts that must never change, and what the simple bars score on them.

Slow, and skipped where an archive is neither in the cache nor to be had.
"""

import pytest

from bert_keras.text import corpora
from bert_keras.text.corpora import (
    bbc_news,
    bible,
    ngrams,
    peoples_daily,
    sequence_bars,
    sequences,
)
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.letters_to_phones import ContextLookup

pytestmark = pytest.mark.slow


def read(load, *arguments, **options):
    try:
        return load(*arguments, **options)
    except CorpusError as error:
        pytest.skip(str(error))


def sizes(parts):
    return tuple(len(parts[name]) for name in ("train", "dev", "test"))


def test_pronunciations():
    parts = read(corpora.load, "pronunciations")
    assert sizes(parts) == (93995, 11749, 11749) and sum(sizes(parts)) == 117493
    rows = [row for found in parts.values() for row in found]
    assert len({row.source for row in rows}) == len(rows)
    assert len({phone for row in rows for target in row.targets for phone in target}) == 39
    lookup = ContextLookup(parts["train"][:20000])
    test = parts["test"][:1000]
    found = sequences.score((lookup.predict(r.source) for r in test), (r.targets for r in test))
    assert 0.10 < found.error_rate < 0.16 and 0.38 < found.exact < 0.56


def test_pinyin():
    parts = read(corpora.load, "pinyin")
    assert sum(sizes(parts)) == 52818
    table = sequence_bars.SymbolTable(parts["train"])
    test = parts["test"]
    found = sequences.score((table.predict(r.source) for r in test), (r.targets for r in test))
    assert found.exact == pytest.approx(0.96, abs=0.01)
    assert found.error_rate == pytest.approx(0.018, abs=0.005)


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({}, 12876),
        ({"sentences_only": True}, 4323),
        ({"language": "de"}, 12829),
        ({"language": "fr"}, 5243),
    ],
)
def test_interface_strings(options, count):
    parts = read(corpora.load, "interface_strings", **options)
    assert sum(sizes(parts)) == count
    assert len({pair.source for rows in parts.values() for pair in rows}) == count


def test_copying_the_nearest_interface_string():
    parts = read(corpora.load, "interface_strings")
    copy, test = sequence_bars.NearestCopy(parts["train"]), parts["test"]
    copied = [copy.predict(pair.source) for pair in test]
    bleu = sequences.character_bleu(copied, [pair.target for pair in test])
    assert bleu == pytest.approx(37.5, abs=0.5)


def test_bbc_news():
    articles = read(bbc_news.articles)
    assert len(articles) == 2127
    assert sum(1 + len(a.paragraphs) for a in articles) == 12354
    homes = {}
    for article in articles:
        for text in article.paragraphs:
            if len(text) >= 60:
                assert homes.setdefault(text, article.split) == article.split
    assert sizes(bbc_news.load()) == (7778, 771, 1188)


@pytest.mark.parametrize(("version", "words"), [("kjv", 789859), ("web", 764786)])
def test_bible(version, words):
    verses = read(bible.verses, version)
    assert len(verses) == 31102
    assert sum(len(text.split()) for text in verses.values()) == words
    assert "God" in verses[1001001] and "loved the world" in verses[43003016]


def test_bible_pairs():
    assert sum(sizes(read(corpora.load, "bible_pairs"))) == 30553


def test_peoples_daily_words_and_counting_models():
    parts = read(peoples_daily.load)
    assert sizes(parts) == (11637, 1339, 1427)
    for rows in parts.values():
        for paragraph in rows:
            for sentence, words in zip(paragraph.sentences, paragraph.words, strict=True):
                assert "".join(words) == "".join(sentence.split())
    model = ngrams.NGramModel([p.text for p in parts["train"]], order=2)
    assert model.perplexity([p.text for p in parts["test"]]) == pytest.approx(108, abs=1)
