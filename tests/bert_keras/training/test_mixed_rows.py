"""Pretraining on several languages: each a source, drawn by a smoothed share of its rows."""

import random

import numpy as np
import pytest
from prepare_kit import CHARACTERS, paragraph_of

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.running_text import Paragraph
from bert_keras.training import prepare, sources
from bert_keras.training.batches import PretrainingBatches, for_run

LATIN = "abcdefghijklmnopqrstuvwx"


def made_set(language, count):
    """Documents of one paragraph; the second language is the first in other letters."""
    rng = random.Random(f"{language}")
    parts = {"train": [], "dev": [], "test": []}
    for position in range(count):
        text = paragraph_of(rng)
        if language == "b":
            text = text.translate(str.maketrans(CHARACTERS, LATIN))
        sentences = tuple(one + "。" for one in text.split("。") if one)
        split = ("dev", "test")[position % 2] if position % 10 < 2 else "train"
        parts[split].append(Paragraph(position, sentences, position))
    return parts


@pytest.fixture
def bilingual(make_config, tmp_path, monkeypatch):
    """A configuration of two languages, nine times as much in the first, and its text."""
    asked = {("set", "a"): made_set("a", 360), ("set", "b"): made_set("b", 40)}
    monkeypatch.setattr(sources.corpora, "load", lambda name, language: asked[name, language])

    def make(exponent):
        more = ["data.path=", "data.corpus=set", f"data.directory={tmp_path / 'd'}"]
        more += ['data.languages=["a", "b"]', f"data.language_exponent={exponent}"]
        config = make_config(tmp_path, *more)
        summary = prepare.prepare(config)
        return config, prepare.load(tmp_path / "d"), summary

    return make


def languages_of(rows, split):
    """Which language each first and each second part is in."""
    first = np.searchsorted(split.source, 1)
    edge = split.sentences.offsets[first]
    return (rows.first[:, 0] >= edge), (rows.second[:, 0] >= edge)


@pytest.mark.parametrize("kind", ["sentences", "segments"])
def test_the_small_language_is_drawn_by_its_smoothed_share(bilingual, kind):
    _, corpus, _ = bilingual(0.5)
    split = corpus.splits["train"]
    options = {"batch_size": 8, "max_sequence_length": 32, "rows": kind}
    by_size = PretrainingBatches(split, corpus.vocabulary, mix=1.0, **options)
    counts = np.bincount(languages_of(by_size.source.draw(np.random.default_rng(0)), split)[0])
    smoothed = PretrainingBatches(split, corpus.vocabulary, mix=0.5, **options)
    rows = smoothed.source.draw(np.random.default_rng(0))
    first, second = languages_of(rows, split)
    wanted = counts.sum() * counts[1] ** 0.5 / np.sum(counts**0.5)
    assert abs(first.sum() - wanted) <= 1 and first.sum() > 2 * counts[1]
    # A wrong second part speaks the same language.
    np.testing.assert_array_equal(first, second)
    assert 0.3 < rows.label.mean() < 0.7
    # The rows are stretches of their own language's text.
    words = corpus.vocabulary.words(split.sentences.ids[np.arange(*rows.first[first][0])])
    assert {word.removeprefix("##") for word in words} <= set(LATIN) | {"。"}


def test_by_size_is_all_rows_once(bilingual):
    _, corpus, _ = bilingual(1.0)
    split = corpus.splits["train"]
    options = {"batch_size": 8, "max_sequence_length": 32}
    mixed = PretrainingBatches(split, corpus.vocabulary, mix=1.0, **options)
    plain = PretrainingBatches(split, corpus.vocabulary, **options)
    rng = np.random.default_rng
    np.testing.assert_array_equal(mixed.source.draw(rng(0)).first, plain.source.draw(rng(0)).first)


def test_a_run_draws_as_its_configuration_says(bilingual):
    config, corpus, summary = bilingual(0.0)
    assert [one["name"] for one in summary["sources"]] == ["set, a", "set, b"]
    assert "language_exponent" not in summary["settings"]
    train, dev = (for_run(config, corpus, name) for name in ("train", "dev"))
    first, _ = languages_of(train.source.draw(np.random.default_rng(0)), corpus.splits["train"])
    assert abs(first.mean() - 0.5) < 0.01
    first, _ = languages_of(dev.source.draw(np.random.default_rng(0)), corpus.splits["dev"])
    assert first.mean() < 0.2  # held-out text as it is
    again = bilingual(0.7)[2]
    assert again["already_prepared"]  # training alone draws by language


def test_languages_are_those_of_a_set(make_config, tmp_path):
    config = make_config(tmp_path, "data.path=x.txt", 'data.languages=["en", "de"]')
    with pytest.raises(CorpusError, match=r"data\.path is your own text"):
        prepare.prepare(config)
