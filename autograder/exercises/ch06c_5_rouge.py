"""Notebook ch06c, exercise 5: how alike what was written is to a reference."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06c_1_prefix import NOTEBOOK
from autograder.exercises.ch06c_rouge_mistakes import ROUGE, TOO_SLOW
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles.rouge import rouge_l as oracle
from autograder.oracles.rouge import soon_done

CLOSE = {"atol": 1e-6, "rtol": 1e-5}
WORDS = ("the", "old", "town", "on", "lake", "Osk", "has", "two", "bridges", "and", "a", "hill")

rouge_l = Exercise(
    "rouge_l",
    notebook=NOTEBOOK,
    points=5,
    forbids=(
        "bert_keras.text.rouge.rouge_l",
        "bert_keras.text.rouge.rouge",
        "bert_keras.text.rouge.rouge_n",
    ),
    tensors=False,
)


def some_words(rng, length, kinds=6):
    """So many words, of so many kinds."""
    known = rng.permutation(WORDS)[:kinds]
    return [str(word) for word in rng.choice(known, length)]


def spoiled(rng, words, change, length):
    """The same words with some changed, some moved, cut or filled up to a length."""
    kept = [word if rng.random() > change else str(rng.choice(WORDS)) for word in words]
    if len(kept) > 3:
        place = int(rng.integers(len(kept) - 2))
        kept[place], kept[place + 1] = kept[place + 1], kept[place]
    while len(kept) < length:
        kept.insert(int(rng.integers(len(kept) + 1)), str(rng.choice(WORDS)))
    return kept[:length]


def shortened(words, most=80):
    """Words in a row, as many of them as fit into so many letters."""
    line = " ".join(words)
    return line if len(line) <= most else line[: line.rindex(" ", 0, most)] + " …"


def judge(student, candidate, reference):
    """Ask for one score."""
    wanted = oracle(candidate, reference)

    def as_float(found):
        plain = np.asarray(found)
        whole = plain.ndim == 0 and plain.dtype.kind in "iu"
        return float(plain) if whole else found

    def said(got):
        facts = shortened(candidate), shortened(reference)
        right, mine = f"{float(wanted.value):.6f}", f"{float(np.asarray(got)):.6f}"
        return Text(
            f"写的是“{facts[0]}”，标准答案是“{facts[1]}”：应当是 {right}，实际是 {mine}。",
            f"“{facts[0]}” was written, the reference is “{facts[1]}”: {right} is right, "
            f"not {mine}.",
        )

    lent = (fixture("counted_words", words) for words in (candidate, reference))
    found = derived(student(*lent), as_float)
    if isinstance(found, Failed) and found.error.type == "TooManyComparisons":
        expect(np.asarray(False)).equals(soon_done(candidate, reference), otherwise=TOO_SLOW)
    expect(found).equals(wanted, otherwise=said, **CLOSE)


@rouge_l.case(
    points=1,
    zh="有间隔，次序乱了的不算",
    en="with gaps; what is out of order doesn't count",
)
def gaps_and_order(student, rng):
    """Short ones that can be done by hand; then sentences of different lengths."""
    a, b, c, d, e = (str(word) for word in rng.permutation(WORDS)[:5])
    judge(student, [a, b, c, d], [a, e, c, b, d])
    judge(student, [d, a, b, c], [a, b, c, e, d])
    judge(student, [b, a, c, e, a, d], [a, c, d])
    words = some_words(rng, 11, 9)
    judge(student, spoiled(rng, words, 0.2, 14), words)


@rouge_l.case(
    points=1,
    zh="重复的词：用过一次就不能再用",
    en="repeated words: none is used twice",
)
def repeated_words(student, rng):
    """Few kinds of words, on either side more often than on the other."""
    a, b, c = (str(word) for word in rng.permutation(WORDS)[:3])
    judge(student, [a, a, a, b], [a, b])
    judge(student, [b, a], [b, b, c, a, a, a])
    for lengths in ((9, 13), (12, 8)):
        words = some_words(rng, sum(lengths), 3)
        judge(student, words[: lengths[0]], words[lengths[0] :])


@rouge_l.case(
    points=1,
    zh="长的一对：先拿的词会挡住后面的",
    en="long ones, where a word that is taken early blocks others",
)
def long_texts(student, rng):
    """Twenty to forty words on either side."""
    first, *rest = (str(word) for word in rng.permutation(WORDS)[:7])
    judge(student, [first, *rest[:4]], [*rest[:4], rest[5], first, rest[5]])
    judge(student, [*rest[:4], first, rest[5]], [first, *rest[:4]])
    for lengths, kinds in (((24, 31), 8), ((38, 27), 12), ((33, 40), 5)):
        words = some_words(rng, lengths[1], kinds)
        judge(student, spoiled(rng, words, 0.5, lengths[0]), words)


@rouge_l.case(
    points=1,
    zh="词原样比较：大小写、词的一部分",
    en="words as they are: case, and parts of words",
)
def words_as_they_are(student, rng):
    """Words that differ in a capital, and words that are part of another."""
    judge(student, ["The", "lake", "the", "Lake", "Osk"], ["the", "Lake", "The", "osk", "lake"])
    judge(student, ["art", "cart", "a", "tar"], ["cart", "art", "at"])
    judge(student, ["湖", "在", "城", "北", "城"], ["城", "在", "湖", "北", "城"])


@rouge_l.case(
    points=1,
    zh="空的、没有公共词的、一字不差的",
    en="empty ones, no shared word, the very same",
)
def edges(student, rng):
    """First what is fine, so that an error in the end is all that is wrong."""
    words = some_words(rng, 6, 5)
    judge(student, words, words)
    judge(student, words[:1], words[:1])
    judge(student, [], words)
    judge(student, words, [])
    judge(student, [], [])
    judge(student, ["x"], words)
    judge(student, words, ["x", "y"])


for _name, (_switch, _zh, _en, _hints) in ROUGE.items():
    rouge_l.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _score(seen):
    """The score that came back, and the right one.

    Raises:
        TypeError, ValueError: it is no number.
    """
    return float(np.asarray(seen.actual)), float(seen.expected)


@rouge_l.property(
    "between_0_and_1", zh="得分应当在 0 到 1 之间。", en="A score lies between 0 and 1."
)
def outside_0_to_1(seen):
    return not -1e-9 <= _score(seen)[0] <= 1 + 1e-6


@rouge_l.property("perfect_is_1", zh="一字不差的没有得 1。", en="The very same words don't get 1.")
def perfect_is_less(seen):
    return list(seen.args[0]) == list(seen.args[1]) and _score(seen)[1] == 1


@rouge_l.property(
    "nothing_shared_is_0",
    zh="没有公共的词，或有一边是空的，得分应当是 0。",
    en="Where no word is shared, or a side is empty, the score should be 0.",
)
def more_than_0(seen):
    return _score(seen)[1] == 0


@rouge_l.property(
    "score_is_right",
    zh="算出来的公共子序列长度不对，或者合成的公式不对。",
    en="The length of the common subsequence is wrong, or the formula that follows.",
    alone=True,
)
def score_is_wrong(seen):
    found, right = _score(seen)
    return abs(found - right) > 1e-6
