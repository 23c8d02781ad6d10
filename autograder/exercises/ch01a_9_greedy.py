"""Notebook ch01a, exercise 9: saying the likeliest token until everybody has ended."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_greedy_mistakes import GREEDY
from autograder.exercises.common import normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles.decoding import greedy_decode as oracle

NOTEBOOK = "ch01a_seq2seq"

greedy_decode = Exercise(
    "greedy_decode",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.generation:greedy_decode",
)


def speech(rng, ends, vocabulary_size, begin_id, end_id, length):
    """A script in which row b says `end_id` as its token number `ends[b]`, None for never.

    What is said depends on what was said before: scores get an echo of every token given.
    """
    scripts = normal(rng, len(ends), length, vocabulary_size)
    scripts[..., end_id] -= 40  # never by chance,
    scripts[..., begin_id] -= 40
    echo = 2 * normal(rng, vocabulary_size, vocabulary_size)
    echo[:, [begin_id, end_id]] = 0.0
    for row, end in enumerate(ends):
        if end is not None:
            scripts[row, end - 1, end_id] = 60.0  # only when it is time;
            scripts[row, end:, end_id] = -40.0  # and afterwards it would speak on
    where = np.stack([np.arange(len(ends)), np.zeros(len(ends))], axis=1).astype(np.float32)
    memory = normal(rng, len(ends), vocabulary_size)
    memory[:, [begin_id, end_id]] = 0.0
    return scripts, echo, where, memory


def listened(student, rng, ends, vocabulary_size, begin_id, end_id, max_length):
    """What the student's loop hears, and what the oracle does."""
    heard = speech(rng, ends, vocabulary_size, begin_id, end_id, max_length + 2)
    scripts, echo, where, memory = heard
    step = fixture("scripted_speaker", scripts, echo)
    found = student(step, (where, memory), begin_id, end_id, max_length)
    expect(found).equals(oracle(*heard, begin_id, end_id, max_length))


@greedy_decode.case(points=1, zh="一句话，说到结束为止", en="one row, until it ends")
def one_row(student, rng):
    """It ends long before the limit."""
    listened(student, rng, (4,), 7, 5, 2, 9)


@greedy_decode.case(
    points=2,
    zh="几句一批，各在不同的时候结束",
    en="a batch whose rows end at different times",
)
def several_rows(student, rng):
    """The first row ends neither first nor last; what ended rows would go on saying is filled."""
    listened(student, rng, (3, 1, 6, 2), 8, 1, 6, 10)


@greedy_decode.case(points=1, zh="有一句一直不结束", en="a row that never ends")
def never_ends(student, rng):
    """The limit stops it; and a limit of one token is a limit too."""
    listened(student, rng, (2, None, 4), 6, 0, 3, 5)
    listened(student, rng, (None, 1), 5, 2, 4, 1)


for _name, (_switch, _zh, _en, _hints) in GREEDY.items():
    greedy_decode.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _tokens(seen):
    actual = np.asarray(seen.actual)
    if actual.ndim != 2 or len(actual) != len(seen.expected):
        raise LookupError("no ids of shape (B, L)")
    return actual


@greedy_decode.property(
    "ids_of_every_row",
    zh="应当返回整数，形状 (B, L)：每行一句。",
    en="Whole numbers of shape (B, L) should come back: one row for each sentence.",
)
def form_is_wrong(seen):
    actual = np.asarray(seen.actual)
    return actual.ndim != 2 or len(actual) != len(seen.expected) or actual.dtype.kind not in "iu"


@greedy_decode.property(
    "first_token_is_right",
    zh="有的行第一个词元就不对：看最先给的是什么，选的是哪一个。",
    en="Some rows are wrong from the very first token: see what is given first and which one is "
    "chosen.",
)
def first_token_is_wrong(seen):
    return bool((_tokens(seen)[:, 0] != seen.expected[:, 0]).any())


@greedy_decode.property(
    "second_token_is_right",
    zh="有的行第一个词元对，还没结束，第二个就不对了：看第二步给的是什么，状态传下去了没有。",
    en="Some rows are right at their first token, haven't ended, and are wrong at their second: "
    "see what the second step is given, and whether states are handed on.",
)
def second_token_is_wrong(seen):
    tokens, end = _tokens(seen), seen.args[5]
    wrong = tokens[:, :2] != seen.expected[:, :2]
    goes_on = seen.expected[:, 0] != end  # what follows an end is another matter
    return bool(not wrong[:, 0].any() and wrong[goes_on, 1].any())


@greedy_decode.property(
    "length_is_right",
    zh="长度不对：在最后一行结束时停，最多 max_length 个。",
    en="The length is wrong: it stops when the last row ends, and after max_length at most.",
)
def length_is_wrong(seen):
    return _tokens(seen).shape[1] != seen.expected.shape[1]


@greedy_decode.property(
    "rows_end_properly",
    zh="结束以前都对，结束以后不对：结束了的行一直填 end_id。",
    en="All is right up to the end of a row and wrong after it: an ended row is filled with "
    "end_id.",
)
def after_the_end_is_wrong(seen):
    tokens, end = _tokens(seen), seen.args[5]
    both = min(tokens.shape[1], seen.expected.shape[1])
    expected = seen.expected[:, :both]
    after = np.cumsum(expected == end, axis=1) > 1
    wrong = tokens[:, :both] != expected
    return bool(wrong[after].any() and not wrong[~after].any())
