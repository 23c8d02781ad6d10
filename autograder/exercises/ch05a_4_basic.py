"""Notebook ch05a, exercise 4: text to words."""

import json
import unicodedata

from autograder.exercise import Exercise
from autograder.exercises.ch05a_basic_mistakes import BASIC
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import text_words as oracles

NOTEBOOK = "ch05a_inputs"
LIBRARY = "bert_keras.text.wordpiece"
LENT = {
    "is_chinese": f"{LIBRARY}:is_chinese",
    "is_punctuation": f"{LIBRARY}:is_punctuation",
}
PLAIN = ("cat", "river", "ten", "moss", "lamp", "oak", "dune", "fern")
SHARP = ("Fuß", "Straße", "weiß", "Spaß")
ACCENTED = ("Café", "naïve", "ÉCOLE", "Überzug", "piñata", "façade", "Zoë", "SEÑOR")
CHINESE = "天地人山水火木金日月星云风雨"

basic_tokenize = Exercise(
    "basic_tokenize",
    notebook=NOTEBOOK,
    points=5,
    needs=LENT,
    forbids=(
        f"{LIBRARY}.basic_tokenize",
        f"{LIBRARY}.normalize_character",
        f"{LIBRARY}.WordPieceTokenizer",
    ),
    tensors=False,
)


def some(rng, words, number):
    """So many different ones, in an order of the seed's."""
    return [str(words[i]) for i in rng.permutation(len(words))[:number]]


def _visible(written):
    """Accents by themselves and all that can't be seen as escapes; shortened."""
    shown = "".join(
        c.encode("unicode_escape").decode()
        if c == "\ufffd" or (c != " " and unicodedata.category(c)[0] in "CMZ")
        else c
        for c in str(written)
    )
    return shown if len(shown) < 150 else f"{shown[:150]}…"


def _judge(student, text, *asked):
    wanted = oracles.basic_tokenize(text, *asked)
    given, right = _visible(repr(text)), _visible(wanted.value)

    def what_came(got):
        return Text(
            f"{given} 应切成 {right}，实际得到 {_visible(got)}。",
            f"{given} should give {right}, not {_visible(got)}.",
        )

    found = derived(student(text, *asked), oracles.told)
    expect(found).equals(wanted, otherwise=what_came)


@basic_tokenize.case(
    points=1,
    zh="空白隔开，控制字符丢掉",
    en="split at white space; control characters dropped",
)
def white_space(student, rng):
    """Runs of it, at both ends, of all kinds; an invisible character inside a word."""
    a, b, c, d, e = some(rng, PLAIN, 5)
    _judge(student, f"{a} {b} {a}")
    _judge(student, f"  {a}\t{b}\n{c}  {d}\r\n{e} ")
    _judge(student, f"{a}\u3000{b}\u00a0{c} {d}")
    _judge(student, f"{a[0]}\u200b{a[1:]} {b[:2]}\x00{b[2:]} {c}\ufffd {d[0]}\u00ad{d[1:]}")
    _judge(student, f"\ue000{a} {b[0]}\uf8ff{b[1:]}")
    _judge(student, f"{a}\x0b{b} {c[:2]}\x0c{c[2:]} {d}\x85{e}")
    for nothing in ("", " \n\t ", "\x00"):
        _judge(student, nothing)


@basic_tokenize.case(
    points=1,
    zh="lowercase：小写，去掉附加符号",
    en="lowercase: small letters without accents",
)
def folded(student, rng):
    """Said or not; whole words in capitals; a letter and its accent as two characters.

    Last comes what folding turns into other characters: punctuation, or nothing.
    """
    a, b, c = some(rng, ACCENTED, 3)
    _judge(student, f"{a} {some(rng, PLAIN, 1)[0].upper()} {b} {c.upper()}")
    _judge(student, f"{b} {c}", True)
    _judge(student, f"e\u0301te\u0301 {a}")
    x, y = some(rng, PLAIN, 2)
    _judge(student, f"{x}≠{y} {some(rng, SHARP, 1)[0]} \u0301 {x}")


@basic_tokenize.case(
    points=1,
    zh="lowercase=False：大小写和附加符号都不动",
    en="lowercase=False: case and accents stay",
)
def not_folded(student, rng):
    """Composed letters stay composed."""
    a, b, c = some(rng, ACCENTED, 3)
    _judge(student, f"{a} {b}, {c} {some(rng, PLAIN, 1)[0].upper()}", False)
    _judge(student, f"{c}{some(rng, CHINESE, 1)[0]}{a}", False)


@basic_tokenize.case(
    points=1,
    zh="每个汉字自成一词，假名和字母不拆",
    en="every Chinese character is a word; kana and letters stay together",
)
def chinese(student, rng):
    """In a row, beside letters and digits, beside kana, at the end of the text."""
    a, b, c, d, e = some(rng, CHINESE, 5)
    word, number = some(rng, PLAIN, 1)[0], int(rng.integers(10, 99))
    _judge(student, f"{a}{b}{number}{c} {word}{d}")
    _judge(student, f"さくら{e}{word} \u3402{a}\U00020001")


@basic_tokenize.case(
    points=1,
    zh="每个标点自成一词，别的符号不拆",
    en="every punctuation mark is a word, other signs aren't",
)
def punctuation(student, rng):
    """ASCII signs and Chinese marks, runs of them; €, ° and → are neither."""
    a, b, c = some(rng, PLAIN, 3)
    x, y = some(rng, CHINESE, 2)
    sign = str(rng.choice(list("$+<=~^`|")))
    _judge(student, f"{a}, {b}!! ({c}) {a}{sign}{b}")
    _judge(student, f"“{x}{y}”，{a}。{b}…{c}_{a}")
    _judge(student, f"{a}€ 5° {b}→{c}. {a}'s {b}-{c}")


for _name, _data in BASIC.items():
    basic_tokenize.misconception(_name, **_data)


def _words(seen):
    """What came back and what should have, both lists of words.

    Raises:
        LookupError: what came back is no list of words.
    """
    found, wanted = (json.loads(str(each)) for each in (seen.actual, seen.expected))
    if not isinstance(found, list) or not all(isinstance(word, str) for word in found):
        raise LookupError("no list of words")
    return found, wanted


@basic_tokenize.property(
    "words_come_back",
    zh="应当返回一个列表，里面全是字符串。",
    en="A list should come back, of strings and nothing else.",
)
def no_words(seen):
    try:
        _words(seen)
    except LookupError:
        return True
    return False


@basic_tokenize.property(
    "no_empty_words",
    zh="结果里有空的词，或者只有空白的词。",
    en="There are words that are empty or white space.",
)
def empty_words(seen):
    return any(not word.strip() for word in _words(seen)[0])


@basic_tokenize.property(
    "every_character_is_there",
    zh="有的字符不见了，或者多出来了（不论怎么分词、大小写和附加符号）。",
    en="Some characters are missing or extra, quite apart from words, case and accents.",
)
def characters_are_lost(seen):
    found, wanted = ("".join(words) for words in _words(seen))
    return sorted(_plain(found)) != sorted(_plain(wanted))


@basic_tokenize.property(
    "case_and_accents_are_right",
    zh="字符都在，大小写或附加符号不对。",
    en="All characters are there, but case or accents are wrong.",
)
def case_is_wrong(seen):
    found, wanted = ("".join(words) for words in _words(seen))
    return found != wanted and sorted(_plain(found)) == sorted(_plain(wanted))


@basic_tokenize.property(
    "words_part_where_they_should",
    zh="字符都对，词的分界不对：哪些地方该断开，哪些不该？",
    en="The characters are right, the borders of words aren't: where is there one?",
)
def borders_are_wrong(seen):
    found, wanted = _words(seen)
    return found != wanted and "".join(found) == "".join(wanted)


@basic_tokenize.property(
    "words_are_in_order",
    zh="词都对，次序或个数不对。",
    en="The words are right, their order or number isn't.",
)
def order_is_wrong(seen):
    found, wanted = _words(seen)
    return found != wanted and set(found) == set(wanted)


def _plain(text):
    """Small letters without accents; white space left out."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(c for c in parts if unicodedata.category(c) != "Mn" and c.strip()).lower()
