"""Notebook ch07c, exercise 4: texts that differ in a single word."""

import json

from autograder.exercise import Exercise
from autograder.exercises.ch07c_contrast_mistakes import CONTRASTS
from autograder.exercises.ch07c_kit import FAILURE, NOTEBOOK, some_words
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles.contrasts import contrast_edit as oracle
from autograder.oracles.tag_spans import written

PAIRS = (
    *(("warm", "cold"), ("early", "late"), ("open", "shut"), ("all", "none"), ("up", "down")),
    *(("near", "far"), ("fast", "slow"), ("wet", "dry")),
)
PLAIN = ("the", "shop", "was", "and", "boat", "is", "train", "very", "soon", "left")

contrast_edit = Exercise(
    "contrast_edit",
    notebook=NOTEBOOK,
    points=4,
    library=f"{FAILURE}:contrast_edit",
    tensors=False,
)


def some_pairs(rng, number=5):
    """Pairs of opposites, in a random order, each this way round or that."""
    chosen = [PAIRS[int(i)] for i in rng.permutation(len(PAIRS))[:number]]
    return [pair[::-1] if rng.random() < 0.5 else pair for pair in chosen]


def written_out(rng, plan, pairs):
    """A text from a plan such as ". 0 . 1": plain words, and a key or, as -1, a value of a pair."""
    found = []
    for sign in plan.split():
        number = int(sign.strip("-")) if sign != "." else 0
        word = pairs[number][sign.startswith("-")] if sign != "." else some_words(rng, 1, PLAIN)[0]
        found.append(word)
    return found


def judge(student, words, pairs):
    wanted = oracle(words, dict(pairs))

    def said(got):
        right, mine = json.loads(str(wanted.value)), json.loads(str(got))
        if isinstance(mine, list) and len(mine) == len(right):
            place = next(i for i, each in enumerate(right) if each != mine[i])
            right, mine = right[place], mine[place]
            return Text(
                f"{words}，{dict(pairs)}：第 {place} 项（从 0 数起）应为 {_shown(right)}，"
                f"实际为 {_shown(mine)}。",
                f"{words}, {dict(pairs)}: entry {place}, counted from 0, should be "
                f"{_shown(right)}, not {_shown(mine)}.",
            )
        number = len(mine) if isinstance(mine, list) else 0
        return Text(
            f"{words}，{dict(pairs)}：应当有 {len(right)} 项，实际有 {number} 项。",
            f"{words}, {dict(pairs)}: there should be {len(right)} of them, not {number}.",
        )

    found = student(fixture("lent_words", words), fixture("lent_opposites", pairs))
    expect(derived(found, written)).equals(wanted, otherwise=said)


def _shown(entry):
    text = str(tuple(entry) if isinstance(entry, list) else entry)
    return text if len(text) <= 300 else text[:300] + "…"


@contrast_edit.case(
    points=1,
    zh="一句一处可换：字典的两个方向",
    en="a single place to exchange: both directions of the dict",
)
def one_place(student, rng):
    """A text without any first; then the key of a pair, then the value of another."""
    pairs = some_pairs(rng)
    for plan in (". . .", ". 0 . . .", ". . . -1", "2 . .", ". -3 . .", ". . . . 4"):
        judge(student, written_out(rng, plan, pairs), pairs)


@contrast_edit.case(
    points=1,
    zh="好几处可换：一处一份",
    en="several places to exchange: a copy for each",
)
def several_places(student, rng):
    """Next to each other and at both ends; both words of one pair in one text."""
    for plan in ("1 . 0 . -2 .", "-0 3 . . -1", "2 1 -4 0", ". -3 . 2 . 3 ."):
        pairs = some_pairs(rng)
        judge(student, written_out(rng, plan, pairs), pairs)


@contrast_edit.case(
    points=1,
    zh="同一个词出现几次",
    en="words that stand there several times",
)
def repeated_words(student, rng):
    """With others between them, and one after the other."""
    for plan in (". 0 . . 0 .", "-1 2 . -1 -1 . 2", "3 3 . -3 . 0 3"):
        pairs = some_pairs(rng)
        judge(student, written_out(rng, plan, pairs), pairs)


@contrast_edit.case(
    points=1,
    zh="词的一部分、大写的词、没有词、没有反义词",
    en="parts of words, capitals, no words, no opposites",
)
def whole_words(student, rng):
    """Words that have one of the dict in them, or differ from it in a capital."""
    pairs = some_pairs(rng)
    judge(student, written_out(rng, "0 . -1 .", pairs), [])
    judge(student, [], pairs)
    words = written_out(rng, ". 2 . -0 . 1", pairs)
    first, second = pairs[2][0], pairs[0][1]
    words = [*words[:1], first + "er", *words[1:3], "un" + second, *words[3:]]
    judge(student, words, pairs)
    judge(student, [first.capitalize(), *words[:3], second.upper(), *words[3:]], pairs)


name_mistakes(contrast_edit, CONTRASTS)


def _copies(seen):
    """The entries that came back, and those that should have.

    Raises:
        LookupError: what came back is no such list.
    """
    got, wanted = (json.loads(str(each)) for each in (seen.actual, seen.expected))
    if not isinstance(got, list) or not all(map(_is_copy, got)):
        raise LookupError("no copies")
    return got, wanted


def _is_copy(entry):
    if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], list):
        return False
    return type(entry[1]) is int and all(isinstance(word, str) for word in entry[0])


@contrast_edit.property(
    "entries_are_words_and_a_place",
    zh="应当返回一个列表，每一项是一对 (words, index)：字符串的列表，和一个整数。",
    en="A list should come back whose entries are pairs (words, index), a list of str and an int.",
)
def no_copies(seen):
    try:
        _copies(seen)
    except LookupError:
        return True
    return False


@contrast_edit.property(
    "a_copy_for_each_place",
    zh="换的位置不对：句子里每一处有反义词的，各一份，从前到后。",
    en="The places are wrong: there should be a copy for each word with an opposite, in order.",
)
def places_are_wrong(seen):
    got, wanted = _copies(seen)
    return [at for _, at in got] != [at for _, at in wanted]


@contrast_edit.property(
    "one_word_differs",
    zh="有的份和原来的句子差的不是正好一个词。",
    en="Some copy doesn't differ from the text in just one word.",
)
def not_one_word(seen):
    got, _ = _copies(seen)
    words = list(seen.args[0])
    return any(
        len(changed) != len(words) or sum(a != b for a, b in zip(changed, words, strict=True)) != 1
        for changed, _ in got
    )


@contrast_edit.property(
    "changed_to_the_opposite",
    zh="位置对，也只差一个词，换成的却不是反义词（或者换的不是那一处）。",
    en="The places are right and one word differs, but it isn't the opposite, or not at that "
    "place.",
)
def another_word(seen):
    got, wanted = _copies(seen)
    return not places_are_wrong(seen) and not not_one_word(seen) and got != wanted
