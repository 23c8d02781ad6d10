import re

import pytest
from made_archives import disjoint

from bert_keras.text.corpora import (
    generated_commands,
    generated_entities,
    generated_facts,
    generated_sentiment,
)
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import entities

MODULES = (generated_commands, generated_entities, generated_facts, generated_sentiment)
BOTH = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.split(".")[-1])
@BOTH
def test_seeded_and_without_repetition(module, language):
    parts = module.load(language=language, size=240)
    assert list(parts) == ["train", "dev", "test"]
    assert len(parts["train"]) == 240 and len(parts["dev"]) == len(parts["test"]) == 30
    assert disjoint(parts, lambda row: row)
    assert module.load(language=language, size=240) == parts
    assert module.load(language=language, size=240, seed=5) != parts
    with pytest.raises(CorpusError, match="language is 'xx'; it can be en or zh"):
        module.load(language="xx")


NEGATIVE, POSITIVE = (set(words.split()) for words in generated_sentiment._ADJECTIVES["en"])


def test_sentiment_by_the_rules_of_english():
    """An independent reading: the main clause's adjective, turned round by a negation."""
    for rows in generated_sentiment.load(size=600).values():
        for text, label in rows:
            words = re.findall(r"\w+", text)
            found = [word for word in words if word in NEGATIVE | POSITIVE]
            if len(found) == 2:
                # "although b was k, the a made up for it: j", "the b was k, but the a was j".
                first = "even if" in text
                decisive = found[0] if first else found[1]
                assert (found[0] in POSITIVE) != (found[1] in POSITIVE)
            else:
                decisive = found[0]
            turned = bool({"not", "nobody", "never"} & set(words)) or "anything but" in text
            assert label == ((decisive in POSITIVE) != turned), text


@BOTH
def test_no_adjective_tells_the_sentiment(language):
    rows = generated_sentiment.load(language=language)["train"]
    for words in generated_sentiment._ADJECTIVES[language]:
        for word in words.split():
            labels = [label for text, label in rows if word in text]
            assert len(labels) > 100 and 0.35 < sum(labels) / len(labels) < 0.65, word


@BOTH
def test_things_are_held_out(language):
    parts = generated_sentiment.load(language=language, size=400)
    things = generated_sentiment._THINGS[language].split()
    used = [{t for t in things for row in rows if t in row.text} for rows in parts.values()]
    assert sum(map(len, used)) == len(set().union(*used)) == len(things)


@BOTH
def test_names_are_held_out_and_marked(language):
    parts = generated_entities.load(language=language, size=600)
    joint = " " if language == "en" else ""
    names = {}
    for part, rows in parts.items():
        names[part] = {
            (kind, joint.join(row.tokens[start:end]))
            for row in rows
            for start, end, kind in entities(row.tags)
        }
    assert not names["train"] & names["test"] and not names["train"] & names["dev"]
    everywhere = set().union(*names.values())
    assert {kind for kind, _ in everywhere} == {"PER", "LOC", "ORG"}
    places = {name for kind, name in everywhere if kind == "LOC"}
    assert places == set(generated_entities._PLACES[language].split("|"))
    carriers = [
        {tuple(t for t, tag in zip(*row, strict=True) if tag == "O") for row in rows}
        for rows in parts.values()
    ]
    assert not carriers[0] & carriers[2]


@BOTH
def test_answers_stand_where_they_should(language):
    parts = generated_facts.load(language=language, size=300)
    places = []
    for rows in parts.values():
        found = set()
        for row in rows:
            assert row.context.startswith(row.answer, row.start)
            assert row.context.count(row.answer) == 1
            # The sentence with the answer is about the place that the question names.
            stops = "。" if language == "zh" else ". "
            before = row.context[: row.start].split(stops)[-1]
            sentence = before + row.context[row.start :].split(stops)[0]
            named = [n for n in names_of(language) if n in row.question]
            assert len(named) == 1 and named[0] in sentence
            found.update(named)
        places.append(found)
    assert not places[0] & places[1] and not places[0] & places[2] and not places[1] & places[2]


def names_of(language):
    heads, tails = (part.split() for part in generated_facts._SYLLABLES[language])
    return [head + tail for head in heads for tail in tails]


@BOTH
def test_commands_have_all_intents_and_their_slots(language):
    parts = generated_commands.load(language=language, size=320)
    intents = set(generated_commands._INTENTS[language])
    assert len(intents) == 10
    for rows in parts.values():
        assert {row.intent for row in rows} == intents
        assert all(len(row.tokens) == len(row.slots) for row in rows)
    train = parts["train"]
    assert {tag for row in train if row.intent == "StopEverything" for tag in row.slots} == {"O"}
    assert all("B-city" in row.slots for row in train if row.intent == "Weather")
    assert any({"B-city", "B-origin"} <= set(row.slots) for row in train)
