"""Notebook ch07c, exercise 2: what a single word gives away."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07c_cue_mistakes import CUES
from autograder.exercises.ch07c_kit import FAILURE, NOTEBOOK, WORDS, as_floats, telling
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles.cues import cue_productivity as oracle

CUE = "not"
NEARLY = ("nothing", "knot", "knots", "Not")  # words that have the cue in them, and aren't it

cue_productivity = Exercise(
    "cue_productivity",
    notebook=NOTEBOOK,
    points=6,
    library=f"{FAILURE}:cue_productivity",
    tensors=False,
)


def forms(*names):
    rows = (CUES[name][0] for name in names)
    return [form for row in rows for form in ((row,) if isinstance(row, dict) else row)]


EVERYBODY = [
    form
    for name in CUES
    if name not in ("inside_of_words", "case_ignored", "division_by_zero")
    for form in forms(name)
]


def a_question(rng, have, size, label, nearly=False):
    """Sets of words for `size` choices, of which those whose places are in `have` have the cue."""
    found = []
    for place in range(size):
        words = {str(word) for word in rng.choice(WORDS, 4)}
        if place in have:
            words.add(CUE)
        elif nearly and rng.random() < 0.5:
            words.add(str(rng.choice(NEARLY)))
        found.append(sorted(words))
    return found, label


def some_questions(rng, number, sizes, nearly=False):
    """Questions of every kind: the cue in no choice, in some, in the right one, in all."""
    choices, labels = [], []
    for _ in range(number):
        size = int(rng.choice(sizes))
        label = int(rng.integers(size))
        others = [place for place in range(size) if place != label]
        some = [int(place) for place in rng.permutation(others)[: int(rng.integers(1, size))]]
        have = {
            0: [],
            1: [label],
            2: [label],
            3: some,
            4: [label, *some],
            5: list(range(size)),
            6: others,
        }[int(rng.integers(7))]
        sets, label = a_question(rng, have, size, label, nearly)
        choices.append(sets)
        labels.append(label)
    return choices, labels


def judge(student, choices, labels, as_array=False):
    lent = np.array(labels) if as_array else fixture("lent_row", labels)
    found = student(fixture("sets_of_words", choices), lent, CUE)
    expect(derived(found, as_floats)).equals(oracle(choices, labels, CUE))


def drawn(rng, number, sizes, mistakes, nearly=False):
    """Questions for which these mistakes show."""
    return telling(
        lambda: some_questions(rng, number, sizes, nearly),
        lambda given, switch: oracle(*given, CUE).predict(switch, np.float64),
        mistakes,
        tries=8 if nearly else 3,
    )


@cue_productivity.case(
    points=2,
    zh="两个答案",
    en="two choices",
)
def two_choices(student, rng):
    """The word in the right one, in the other, in both, in none."""
    for number in (11, 17):
        judge(student, *drawn(rng, number, (2,), EVERYBODY))


@cue_productivity.case(
    points=2,
    zh="三个、四个答案：正确的有，别的也有",
    en="three choices and four: the right one has it, and others do",
)
def more_choices(student, rng):
    """The number of choices differs from question to question."""
    for number, sizes in ((19, (3,)), (23, (2, 3, 4)), (29, (3, 5))):
        judge(student, *drawn(rng, number, sizes, EVERYBODY), as_array=number == 23)


@cue_productivity.case(
    points=1,
    zh="要整个词相等",
    en="all of a word, not a part of it",
)
def whole_words(student, rng):
    """Beside the cue there are longer words that have it in them, and one with a capital."""
    mistakes = forms("inside_of_words", "case_ignored")
    for number, sizes in ((16, (2,)), (21, (2, 3, 4))):
        judge(student, *drawn(rng, number, sizes, mistakes, nearly=True))


@cue_productivity.case(
    points=1,
    zh="一道也用不上、道道用得上、只有一道题",
    en="it never applies, it always does, and a single question",
)
def edges(student, rng):
    """Never: in none of the choices, or in all of them. A single one first, which comes out."""
    plans = (
        [((1,), 3, 1)],
        [((0,), 2, 0), ((1,), 2, 0), ((0, 2), 3, 2), ((2,), 3, 2), ((0,), 4, 0)],
        [((), 2, 0), ((), 3, 2), ((), 2, 1)],
        [((0, 1), 2, 1), ((), 3, 1), ((0, 1, 2), 3, 0)],
    )
    for plan in plans:
        asked = [a_question(rng, *each) for each in plan]
        judge(student, [sets for sets, _ in asked], [label for _, label in asked])


name_mistakes(cue_productivity, CUES)


def _pair(seen):
    """Both numbers that came back.

    Raises:
        LookupError: it is no pair of numbers.
    """
    got = seen.actual
    if not isinstance(got, tuple) or len(got) != 2 or any(np.shape(each) != () for each in got):
        raise LookupError("no pair")
    return [float(each) for each in got]


@cue_productivity.property(
    "a_pair_of_shares",
    zh="应当返回一对小数 (productivity, coverage)，都在 0 到 1 之间。",
    en="A pair of floats (productivity, coverage) should come back, both from 0 to 1.",
)
def no_pair(seen):
    try:
        got = _pair(seen)
    except (LookupError, TypeError, ValueError):
        return True
    return not all(-1e-6 <= number <= 1 + 1e-6 for number in got)


@cue_productivity.property(
    "coverage_is_right",
    zh="coverage 不对：哪些题用得上？除以什么？",
    en="coverage is wrong: to which questions does the cue apply, and what is that divided by?",
)
def coverage_is_wrong(seen):
    return abs(_pair(seen)[1] - float(seen.expected[1])) > 1e-5


@cue_productivity.property(
    "productivity_is_right",
    zh="coverage 对，productivity 不对：哪些题算产出？除以什么？",
    en="coverage is right, productivity isn't: which questions are productive, and what is that "
    "divided by?",
)
def productivity_is_wrong(seen):
    got = _pair(seen)
    alone = abs(got[1] - float(seen.expected[1])) < 1e-5
    return alone and abs(got[0] - float(seen.expected[0])) > 1e-5
