import random
from collections import Counter

import pytest

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.templates import Grammar, Segment, characters, parse, words

GRAMMAR = Grammar(
    lists={
        "color": {"values": [{"in": "(dark|light) red", "out": "red"}, "blue"]},
        "level": {"range": {"from": 10, "to": 30, "step": 10}},
        "message": {"wildcard": True},
    },
    rules={"the": "(the|my)", "endless": "x<endless>"},
    words={"room": ["hall"]},
    wild=["feed the cat"],
)


def said(template, times=300, **options):
    rng = random.Random(1)
    return {"".join(s.text for s in GRAMMAR.sample(template, rng, **options)) for _ in range(times)}


@pytest.mark.parametrize(
    ("template", "sentences"),
    [
        ("a (b|c)", {"a b", "a c"}),
        ("a[ b]", {"a", "a b"}),
        ("a|b", {"a", "b"}),
        ("a(b|c[d])e", {"abe", "ace", "acde"}),
        ("(a;b)", {" a b", " b a"}),
        ("<the> x", {"the x", "my x"}),
        ("<unknown>x", {"x"}),
        (r"\(a\)", {"(a)"}),
        ("{color}", {"dark red", "light red", "blue"}),
        ("{level}", {"10", "20", "30"}),
        ("{room} {message} {unheard_of}", {"hall feed the cat feed the cat"}),
        ("", {""}),
    ],
)
def test_everything_that_a_template_says(template, sentences):
    assert said(template) == sentences


def test_rules_of_a_template_go_first_and_recursion_ends():
    assert said("<the>", rules={"the": "a"}) == {"a"}
    assert said("<endless>", times=1) == {"x" * 9}


def test_optional_parts_are_said_four_times_in_ten():
    rng = random.Random(0)
    counts = Counter(len(GRAMMAR.sample("a[b]", rng)) for _ in range(4000))
    assert counts[2] / 4000 == pytest.approx(0.4, abs=0.03)


def test_slots_and_meanings():
    rng = random.Random(2)
    segments = GRAMMAR.sample("{color:shade} in {room}", rng)
    assert segments[0].slot == "shade" and segments[2] == Segment("hall", "room", "hall")
    assert segments[0].meaning == ("blue" if segments[0].text == "blue" else "red")


def test_fixed_values_are_used_and_drawn_ones_remembered():
    fixed = {"room": Segment("attic", meaning="attic")}
    rng = random.Random(0)
    first = GRAMMAR.sample("{room} {level}", rng, fixed=fixed)
    assert first[0] == Segment("attic", "room", "attic") and fixed["level"].text == first[2].text
    for _ in range(20):
        assert GRAMMAR.sample("{level:other}", rng, fixed=fixed)[0].text == first[2].text


@pytest.mark.parametrize(
    "template", ["((a)", "(a]", "a)", "[a", "<a", "{a", "((a)]", "(a", "a|b]", "[(a])"]
)
def test_brackets_have_to_match(template):
    with pytest.raises(CorpusError, match=r"is not closed|nothing opened") as caught:
        parse(template)
    assert repr(template) in str(caught.value)


def test_words_of_a_sentence():
    segments = [
        Segment("Turn on the "), Segment("Living Room", "area"), Segment(" light", "name"),
        Segment("s!"),
    ]  # fmt: skip
    tokens, tags = words(segments)
    assert tokens == ("turn", "on", "the", "living", "room", "lights", "!")
    assert tags == ("O", "O", "O", "B-area", "I-area", "B-name", "O")


def test_neighbouring_values_of_one_slot_stay_two():
    segments = [Segment("red", "c"), Segment(" "), Segment("blue", "c")]
    assert words(segments)[1] == ("B-c", "B-c")


def test_characters_of_a_sentence():
    segments = [Segment("打开 "), Segment("台 灯", "name"), Segment("。")]
    assert characters(segments) == (
        ("打", "开", "台", "灯", "。"),
        ("O", "O", "B-name", "I-name", "O"),
    )
