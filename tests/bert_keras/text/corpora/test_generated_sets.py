import re

import pytest
from made_archives import disjoint

from bert_keras.text.corpora import (
    generated_claims,
    generated_commands,
    generated_entities,
    generated_facts,
    generated_readings,
    generated_relations,
    generated_sentiment,
)
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.labelled import entities

MODULES = (
    generated_claims,
    generated_commands,
    generated_entities,
    generated_facts,
    generated_readings,
    generated_relations,
    generated_sentiment,
)
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


DEED = {
    "en": r"(?P<a>\w+ \w+) (?P<was>was )?(?P<deed>taught|hired|rescued|succeeded)(?: by)? "
    r"(?P<b>\w+ \w+)",
    "zh": r"(?P<a>\w+?)(?P<was>[由被])?(?P<mid>\w*?)(?P<deed>教过|雇用了|救过|接替了)(?P<b>\w*)",
}
CHINESE = {"教过": "taught", "雇用了": "hired", "救过": "rescued", "接替了": "succeeded"}


def told(text, language):
    """Who did what to whom, read off the sentence by other means than those that made it."""
    found = set()
    if language == "en":
        text = re.sub(r"^(After|It is known that) ", "", text)
        for match in re.finditer(DEED["en"], text):
            a, b = match["a"], match["b"]
            found.add((b, match["deed"], a) if match["was"] else (a, match["deed"], b))
        return found
    for clause in re.split("[,。]", re.sub("据说|先是|后来|然后", "", text)):
        for verb, deed in CHINESE.items():
            if verb in clause:
                before, after = clause.split(verb)
                if after:
                    found.add((before, deed, after))
                else:
                    suffers, does = re.split("[由被]", before)
                    found.add((does, deed, suffers))
    return found


@BOTH
def test_relations_are_what_the_sentence_says(language):
    for rows in generated_relations.load(language=language, size=400).values():
        for row in rows:
            head, tail = (row.text[start:end] for start, end in (row.head, row.tail))
            deeds = told(row.text, language)
            assert len(deeds) == 2, row
            labels = {deed for a, deed, b in deeds if (a, b) == (head, tail)}
            labels |= {f"{deed}_by" for a, deed, b in deeds if (b, a) == (head, tail)}
            assert row.label in (labels or {"none"}), row


@BOTH
def test_no_deed_tells_the_relation(language):
    rows = generated_relations.load(language=language)["train"]
    for deed in ("taught", "hired", "rescued", "succeeded"):
        words = [deed] if language == "en" else [w for w, d in CHINESE.items() if d == deed]
        labels = [row.label for row in rows if words[0] in row.text]
        for label in (deed, f"{deed}_by"):
            assert 0.1 < labels.count(label) / len(labels) < 0.35


def test_names_are_marked_whatever_their_order():
    row = generated_relations.Relation("Ann Lee met Bo Day.", (12, 18), (0, 7), "none")
    assert generated_relations.mark(row) == "# Ann Lee # met @ Bo Day @."


def claimed(claim, language):
    """(fact, place, value) of a claim, by trying every wording on every place and value."""
    wordings = zip(generated_facts.FACTS[language], generated_claims._CLAIMS[language], strict=True)
    return [
        (fact, place, value)
        for fact, patterns in wordings
        for pattern in patterns
        for value in fact.values.split("|")
        if value.lower() in claim.lower()
        for place in names_of(language)
        if pattern.format(n=place, v=value).lower() == claim.lower()
    ]


@BOTH
def test_claims_are_right_by_their_store(language):
    for rows in generated_claims.load(language=language, size=300).values():
        for row in rows:
            ((fact, place, value),) = claimed(row.claim, language)
            about = [
                (number, v)
                for number, statement in enumerate(row.store)
                for v in fact.values.split("|")
                if statement == fact.statement.format(n=place, v=v)
            ]
            if row.label == generated_claims.UNKNOWN:
                assert not about and row.evidence == -1
            else:
                ((number, stated),) = about
                assert row.evidence == number
                assert (stated == value) == (row.label == generated_claims.SUPPORTED)
            # What is claimed is true of some place of the store, whatever the label.
            assert any(value in statement for statement in row.store)


@BOTH
def test_readings_have_one_right_answer_and_one_that_tempts(language):
    for rows in generated_readings.load(language=language, size=200).values():
        for row in rows:
            inside = [c for c in row.choices if c in row.context]
            assert len(set(row.choices)) == 4 and row.choices[row.label] in inside
            assert len(inside) == 2
