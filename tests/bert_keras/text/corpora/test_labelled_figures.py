import pytest

from bert_keras.text import corpora
from bert_keras.text.corpora import labelled_figures
from bert_keras.text.corpora.archives import CorpusError


def test_sizes_and_bars_of_one_set():
    lines = list(labelled_figures.report(["generated_entities"]))
    assert lines == [
        "generated_entities: train 3000, dev 375, test 375",
        "  longest match, F1: 0.000",
    ]


def test_unknown_sets_are_named_before_any_work():
    with pytest.raises(CorpusError, match="no figures for 'intent'; there are chinese_reviews"):
        next(labelled_figures.report(["generated_entities", "intent"]))


def test_every_set_has_its_name_in_the_registry():
    assert set(labelled_figures.NAMES) <= set(corpora.NAMES)
    assert len(corpora.load("inference", size=40, language="zh")["train"]) == 40
    with pytest.raises(CorpusError, match="does not take 'domain'"):
        corpora.load("inference", domain="tweets")
