import itertools
import math
import random

import pytest

from bert_keras.text.bleu import bleu
from bert_keras.text.corpora import ngrams, sequence_bars, sequences
from bert_keras.text.corpora.letters_to_phones import ContextLookup
from bert_keras.text.corpora.sequences import SequencePair, Translation


def slow_distance(a, b):
    """The definition, without a table."""
    if not a or not b:
        return len(a) + len(b)
    return min(
        slow_distance(a[1:], b[1:]) + (a[0] != b[0]),
        slow_distance(a[1:], b) + 1,
        slow_distance(a, b[1:]) + 1,
    )


def test_edit_distance():
    assert sequences.edit_distance("kitten", "sitting") == 3
    rng = random.Random(0)
    for _ in range(60):
        a, b = ("".join(rng.choices("xyz", k=rng.randrange(6))) for _ in range(2))
        assert sequences.edit_distance(a, b) == slow_distance(a, b)


def test_the_nearest_answer_counts():
    predictions = ["AB", "ABC", "X"]
    targets = [("AB", "Q"), ("QQQQQ", "ABCDE"), ("YZ",)]
    # 0 of 2, 2 of 5, 2 of 2 edits
    assert sequences.score(predictions, targets) == sequences.Score(4 / 9, 1 / 3)
    with pytest.raises(ValueError, match="no predictions"):
        sequences.score([], [])
    with pytest.raises(ValueError):
        sequences.score(["A"], [])


def test_bleu_by_hand():
    target = ["the", "cat", "is", "on", "the", "mat"]
    assert bleu([target], [target]) == pytest.approx(100)
    # Papineni's example: "the" counts twice at most. Bigrams "the the": none.
    assert bleu([["the"] * 7], [target], max_order=1) == pytest.approx(100 * 2 / 7)
    assert bleu([["the"] * 7], [target]) == 0
    # Precisions 5/5, 4/4, 3/3, 2/2 and a penalty for 5 words in place of 6.
    short = bleu([target[:5]], [target])
    assert short == pytest.approx(100 * math.exp(1 - 6 / 5))
    # Precisions 4/5, 2/4, 1/3 of up to trigrams over two sentences.
    value = bleu([list("abx"), list("cd")], [list("abc"), list("cd")], max_order=2)
    assert value == pytest.approx(100 * math.sqrt(4 / 5 * 2 / 3))


def test_character_bleu_ignores_spaces():
    assert sequences.character_bleu(["今天 天气好"], ["今天天气 好"]) == pytest.approx(100)
    assert sequences.character_bleu(["abcd"], ["abcx"]) == 0  # no common 4-gram


def test_a_symbol_becomes_what_it_mostly_became():
    pairs = [
        SequencePair(tuple(phrase), (tuple(target.split()),))
        for phrase, target in [("银行", "yin hang"), ("行动", "xing dong"), ("行人", "xing ren")]
    ]
    table = sequence_bars.SymbolTable(pairs)
    assert table.predict("行银乙") == ("xing", "yin", "乙")
    with pytest.raises(ValueError):
        sequence_bars.SymbolTable([SequencePair(("a", "b"), (("x",),))])


def test_the_nearest_sentence_shares_the_rare_words():
    copy = sequence_bars.NearestCopy(
        Translation(f"turn on the {thing}", f"打开{thing}") for thing in ("lamp", "heater", "fan")
    )
    assert copy.predict("the fan, please") == "打开fan"
    assert copy.predict("turn") == "打开lamp"  # all equally near: the first
    assert copy.predict("xyz") == ""


def test_the_ngram_model_is_a_distribution():
    model = ngrams.NGramModel(["abab", "abc", "ba"], order=3)
    contexts = [(), ("a",), ("a", "b"), ("c", "c"), (model.START, "a"), (model.RARE, "b")]
    for context in contexts:
        total = sum(model.probability(symbol, context) for symbol in model.symbols)
        assert total == pytest.approx(1), context


def test_witten_bell_by_hand():
    # Symbols a, b, end, rare. After nothing: a 2, b 1, end 2 of 5, 3 kinds.
    model = ngrams.NGramModel(["ab", "a"], order=2)
    unigram_b = (1 + 3 * 1 / 4) / (5 + 3)
    assert model.probability("b", ()) == pytest.approx(unigram_b)
    # After a: b once, end once, 2 kinds.
    expected = (1 + 2 * unigram_b) / (2 + 2)
    assert model.probability("b", ("a",)) == pytest.approx(expected)
    assert model.probability("b", ("never seen",)) == pytest.approx(unigram_b)
    start = (2 + 1 * (2 + 3 / 4) / 8) / (2 + 1)  # a is all that ever began a sequence
    end = (1 + 2 * (2 + 3 / 4) / 8) / 4
    assert model.perplexity(["a"]) == pytest.approx((start * end) ** -0.5)


def test_rare_symbols_are_one_symbol():
    model = ngrams.NGramModel([["x", "y"], ["x", "z"]], order=2, minimum_count=2)
    assert model.symbols == {"x", model.END, model.RARE}
    assert model.perplexity([["x", "new"]]) == model.perplexity([["x", "z"]])


def test_letters_are_looked_up_in_their_context():
    # An invented spelling: c is S before e or i and K elsewhere, x is K S, h is silent.
    def spoken(word):
        phones = []
        for letter, after in itertools.zip_longest(word, word[1:]):
            phones += {"c": ["S" if after in ("e", "i") else "K"], "x": ["K", "S"], "h": []}.get(
                letter, [letter.upper()]
            )
        return tuple(phones)

    rng = random.Random(0)
    words = {"".join(rng.choices("aeioctpxh", k=rng.randint(3, 7))) for _ in range(1500)}
    pairs = [SequencePair(tuple(w), (spoken(w),)) for w in sorted(words) if spoken(w)]
    rng.shuffle(pairs)
    lookup = ContextLookup(pairs[200:])
    found = sequences.score(
        (lookup.predict(p.source) for p in pairs[:200]), (p.targets for p in pairs[:200])
    )
    assert found.exact > 0.95
    assert lookup.predict("c") == ("K",) and lookup.predict("ce") == ("S", "E")
    assert lookup.predict("zz") == ()
