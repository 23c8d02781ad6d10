"""Notebook ch01b, exercise 1: an interpolated trigram."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import derived
from autograder.exercises.ngram_mistakes import MISTAKES
from autograder.exercises.perplexity_mistakes import RESULTS
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import ngrams

NOTEBOOK = "ch01b_words_and_windows"

ngram_lm = Exercise(
    "ngram_lm",
    notebook=NOTEBOOK,
    points=6,
    library="bert_keras.text.ngram_lm:ngram_lm",
    forbids=("bert_keras.text.corpora.ngrams.NGramModel",),
    tensors=False,
)
TRUST = (0.95, 0.75, 0.4)  # three numbers that can't stand in for one another


def _text(rng, words, lengths):
    """Sequences of these ids, in which pairs and triples come back."""
    return [[int(word) for word in rng.choice(words, length)] for length in lengths]


REMEMBERS = Text(
    "换一份训练文本再调用一次，结果就不对了。",
    "Called again with another text to count, it goes wrong.",
)


def _judge(student, *arguments, lent=False, before=(), otherwise=None):
    """Call the answer; with `lent` its lists refuse to be changed, `before` was counted earlier."""
    given = arguments
    if lent:
        given = [fixture("lent_sentences", text) for text in arguments[:2]] + [*arguments[2:]]
    wanted = ngrams.ngram_lm(*arguments, lent, before)
    expect(derived(student(*given), _with_array)).equals(
        wanted, atol=1e-7, rtol=1e-6, otherwise=otherwise
    )


def _with_array(actual):
    """The result; a list of numbers is as good as an array of them."""
    if not (isinstance(actual, tuple) and len(actual) == 2 and isinstance(actual[0], tuple)):
        return actual
    numbers = actual[0]
    plain = all(isinstance(p, (int, float, np.ndarray)) and np.ndim(p) == 0 for p in numbers)
    return (np.array(numbers, float), actual[1]) if plain and numbers else actual


@ngram_lm.case(points=1, zh="词和上下文大多见过", en="words and contexts mostly known")
def known_words(student, rng):
    """Four words in short sentences; then another text, and lists that can't be changed."""
    words = [2, 3, 5, 6]
    train = _text(rng, words, (5, 3, 6, 4, 7))
    test = _text(rng, words, (4, 2, 6))
    _judge(student, train, test, 7, 4, TRUST)
    another = _text(rng, words, (3, 6, 2, 4))
    again = another, test, 7, 4, TRUST
    _judge(student, *again, lent=True, before=train, otherwise=REMEMBERS)


@ngram_lm.case(
    points=2, zh="没见过的词，没见过的上下文", en="words and contexts that were never seen"
)
def unknown_words(student, rng):
    """Ten ids of which the counted text has four; after a new word no context is known."""
    words = [1, 2, 4, 7]
    train = _text(rng, words, (4, 6, 5))
    test = [[*_text(rng, words, (2,))[0], 8, 1, 2], [9, 8, 4], _text(rng, words, (5,))[0]]
    _judge(student, train, test, 11, 10, TRUST)


@ngram_lm.case(
    points=1,
    zh="同一处所有可能的词，概率之和是 1",
    en="all tokens that may follow: their probabilities sum to one",
)
def everything_that_may_follow(student, rng):
    """Once after two known words, once after two that were never seen together."""
    words = [0, 1, 2, 3]
    train = [[0, 1, 2], [0, 1, 3], *_text(rng, words, (4, 5))]
    for start in ([0, 1], [4, 4]):
        test = [[*start, word] for word in range(5)] + [start]
        _judge(student, train, test, 6, 5, (0.9, 0.8, 0.3))


@ngram_lm.case(
    points=1, zh="很短的句子，连空句子也有结尾", en="tiny sentences; even an empty one ends"
)
def tiny_sentences(student, rng):
    """What begins and ends a sentence is nearly all there is to count."""
    words = [1, 2, 3]
    train = [*_text(rng, words, (1, 1, 2, 1)), []]
    test = [[], *_text(rng, words, (1, 2, 1))]
    _judge(student, train, test, 5, 4, TRUST)


@ngram_lm.case(
    points=1,
    zh="只信一元，或只信到二元",
    en="trust in single words alone, or no further than pairs",
)
def less_trust(student, rng):
    """With 0 for the longer contexts it is a bigram or a unigram."""
    words = [0, 3, 4]
    train, test = _text(rng, words, (6, 5, 4)), _text(rng, words, (5, 3))
    for trust in ((0.85, 0.6, 0.0), (0.7, 0.0, 0.0)):
        _judge(student, train, test, 9, 2, trust)


for _name, (_switch, _zh, _en, _hints) in {**MISTAKES, **RESULTS}.items():
    ngram_lm.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _numbers(seen):
    return np.asarray(seen.actual[0], float)


@ngram_lm.property(
    "pair_returned",
    zh="应当返回一对：（概率，困惑度）。",
    en="It should return the pair (probabilities, perplexity).",
)
def no_pair(seen):
    return not (isinstance(seen.actual, tuple) and len(seen.actual) == 2)


@ngram_lm.property(
    "an_earlier_text_is_remembered",
    zh="上一次调用数的还在：计数要在函数里面从零开始。",
    en="What an earlier call counted is still there: counts have to start from nothing inside the "
    "function.",
)
def remembers(seen):
    train, *rest, _, before = seen.args
    kept, _ = ngrams.ngram_lm.raw([*before, *train], *rest)
    return bool(before) and np.allclose(_numbers(seen), kept, atol=1e-6)


@ngram_lm.property(
    "one_probability_per_token",
    zh="概率的个数不对：测试文本里每个词一个，每句的结尾再加一个。",
    en="The number of probabilities is off: one for every word of the test, and one for every end.",
)
def wrong_number(seen):
    return _numbers(seen).shape != np.shape(seen.expected[0])


@ngram_lm.property(
    "between_zero_and_one",
    zh="有的概率是 0、是负数，或者大于 1。",
    en="Some probabilities are 0, negative or larger than one.",
)
def outside(seen):
    numbers = _numbers(seen)
    return not ((numbers > 0) & (numbers <= 1)).all()


@ngram_lm.property(
    "adds_up_to_one",
    zh="在同一个上下文后面，所有词元的概率加起来不是 1。",
    en="After one context, the probabilities of all tokens don't sum to one.",
)
def does_not_add_up(seen):
    _, test, vocabulary_size, *_ = seen.args
    numbers = _numbers(seen)
    if len(test) != vocabulary_size or any(len(s) != 3 for s in test[:-1]) or len(test[-1]) != 2:
        return False
    third = [4 * row + 2 for row in range(vocabulary_size)]  # three words and an end each
    return abs(numbers[third].sum() - 1) > 1e-6


@ngram_lm.property(
    "words_without_a_known_context",
    zh="没见过的上下文后面，概率不对。",
    en="After contexts that were never seen, the probabilities are off.",
)
def unknown_contexts_are_wrong(seen):
    train, test, _, end_id, *_ = seen.args
    known = {pair for s in train for pair in zip([*s], [*s[1:], end_id], strict=True)}
    heads = {first for first, _ in known} | {None}
    new = [word not in heads for s in test for word in [None, *s]]
    gap = ~np.isclose(_numbers(seen), seen.expected[0], atol=1e-6)
    return bool(gap[np.array(new)].any())


@ngram_lm.property(
    "first_words",
    zh="句子的第一个词，概率不对：它的上下文是两个句首标记。",
    en="The first words of sentences have wrong probabilities: their context is two start marks.",
)
def first_words_are_wrong(seen):
    lengths = [len(s) + 1 for s in seen.args[1]]
    starts = np.cumsum([0, *lengths[:-1]])
    gap = ~np.isclose(_numbers(seen), seen.expected[0], atol=1e-6)
    return bool(gap[starts].any())


@ngram_lm.property("probabilities", zh="概率不对。", en="The probabilities are off.", alone=True)
def probabilities_are_wrong(seen):
    return not np.allclose(_numbers(seen), seen.expected[0], atol=1e-6)


@ngram_lm.property(
    "perplexity_follows",
    zh="从你自己的概率算出来的困惑度，不是你返回的那个数。",
    en="The perplexity isn't what follows from the probabilities that you return.",
)
def perplexity_is_another(seen):
    with np.errstate(all="ignore"):
        due = np.exp(-np.log(_numbers(seen)).mean())
    return not np.isclose(float(seen.actual[1]), due, rtol=1e-5)
