import json

import pytest
from made_archives import disjoint, make, need

from bert_keras.text.corpora import archives, pair_files, paraphrases

# Group n has two templates that say the same in other words, so a pair's group and room are known.
DATA = {
    "intents": {
        f"Intent{n}": {
            "data": [
                {"sentences": [f"verb{n} {{name}} in {{area}}", f"in {{area}} {{name}} verb{n}"]},
                {"sentences": [f"other{n} {{name}}", f"{{name}} other{n}"]},
            ]
        }
        for n in range(12)
    },
    "lists": {},
    "expansion_rules": {},
}


@pytest.fixture
def made(tmp_path, monkeypatch):
    files = {"home_assistant_intents/data/en.json": json.dumps(DATA)}
    make(monkeypatch, tmp_path, archives.HOME_ASSISTANT_INTENTS, files)


def verb(text):
    return next(word for word in text.split() if word[-1].isdigit())


def test_labels_are_right_by_construction(made):
    parts = paraphrases.load(language="en", pairs=200)
    assert [len(parts[name]) for name in parts] == [200, 25, 50]
    for rows in parts.values():
        for row in rows:
            same_words = sorted(row.a.split()) == sorted(row.b.split())
            # Templates of a group use the same words, so the same meaning is the same words.
            assert same_words == (row.label == paraphrases.SAME), row
        assert 0.4 < sum(row.label for row in rows) / len(rows) < 0.6
    changed = [r for rows in parts.values() for r in rows if not r.label and verb(r.a) == verb(r.b)]
    assert len(changed) > 30  # one slot changed: the hard ones


def test_parts_share_neither_group_nor_sentence(made):
    parts = paraphrases.load(language="en", pairs=200)
    groups = [{verb(text) for row in rows for text in row[:2]} for rows in parts.values()]
    assert sum(map(len, groups)) == len(set().union(*groups)) == 24
    assert disjoint(parts, pair_files.unordered)
    assert paraphrases.load(language="en", pairs=200) == parts


def test_a_small_grammar_gives_fewer_pairs_and_ends(tmp_path, monkeypatch):
    blocks = [{"sentences": ["x", "y"]}, {"sentences": ["z", "w"]}, {"sentences": ["u", "v"]}]
    data = {**DATA, "intents": {"A": {"data": blocks}}}
    files = {"home_assistant_intents/data/en.json": json.dumps(data)}
    make(monkeypatch, tmp_path, archives.HOME_ASSISTANT_INTENTS, files)
    parts = paraphrases.load(language="en", pairs=50)
    # Nothing differs in meaning within an intent without slots, so only paraphrases are left.
    found = [row for rows in parts.values() for row in rows]
    assert len(found) == 3 and all(row.label == paraphrases.SAME for row in found)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_the_packaged_templates(language):
    need(archives.HOME_ASSISTANT_INTENTS)
    parts = paraphrases.load(language=language)
    assert [len(parts[name]) for name in parts] == [6000, 750, 1500]
    assert disjoint(parts, pair_files.unordered)
    texts = [{text for row in rows for text in row[:2]} for rows in parts.values()]
    assert not texts[0] & texts[2] and not texts[0] & texts[1] and not texts[1] & texts[2]
    assert all(0.45 < sum(r.label for r in rows) / len(rows) < 0.55 for rows in parts.values())
