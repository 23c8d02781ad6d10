import re

import pytest
from made_archives import disjoint

from bert_keras.text.corpora import inference
from bert_keras.text.corpora.archives import CorpusError

VALUES = {slot: values.split("|") for slot, values in inference._WORDS["en"].items()}


def details(sentence):
    """What an English sentence of the generator says, read back from its words."""
    text = " " + sentence.lower().rstrip(".") + " "
    return {
        slot: value
        for slot, values in VALUES.items()
        for value in values
        if f" {value.lower()} " in text
    }


def test_labels_are_right_by_construction():
    parts = inference.load(size=400)
    for rows in parts.values():
        for row in rows:
            a, b = details(row.a), details(row.b)
            assert a["people"] == b["people"] and a["deed"] == b["deed"]
            added = set(b) - set(a)
            changed = {slot for slot in set(a) & set(b) if a[slot] != b[slot]}
            expected = {
                inference.ENTAILMENT: (set(), set()),
                inference.NEUTRAL: (added, set()),
                inference.CONTRADICTION: (set(), changed),
            }
            assert (added, changed) == expected[row.label], row
            assert len(added) + len(changed) == (row.label != inference.ENTAILMENT)
            assert len(b) < len(a)


@pytest.mark.parametrize("language", inference.LANGUAGES)
def test_parts_and_balance(language):
    parts = inference.load(language=language, size=400)
    assert [len(parts[name]) for name in parts] == [400, 50, 50]
    labels = [row.label for row in parts["train"]]
    assert all(labels.count(n) > 90 for n in range(3))
    assert disjoint(parts, lambda row: row[:2])
    assert inference.load(language=language, size=400) == parts
    assert inference.load(language=language, size=400, seed=1) != parts


def test_people_and_deeds_are_held_out():
    parts = inference.load(size=400)
    for slot in ("people", "deed"):
        assert disjoint(parts, lambda row, slot=slot: details(row.a)[slot])


def test_chinese_sentences_are_chinese():
    row = inference.load(language="zh", size=40)["train"][0]
    assert re.fullmatch(r"[\u4e00-\u9fff]+。", row.a) and row.b.endswith("。")
    with pytest.raises(CorpusError, match="language is 'fr'; it can be en or zh"):
        inference.load(language="fr")
