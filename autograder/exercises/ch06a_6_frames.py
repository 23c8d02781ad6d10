"""Notebook ch06a, exercise 6: commands that are right as a whole."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06a_1_classifier import NOTEBOOK
from autograder.exercises.ch06a_frame_mistakes import FRAMES
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles.frames import frame_accuracies
from autograder.oracles.frames import frame_accuracy as oracle

INTENTS, TAGS = 5, 6

frame_accuracy = Exercise(
    "frame_accuracy",
    notebook=NOTEBOOK,
    points=4,
    tensors=False,
)


def some_commands(rng, rows, length, open_places):
    """Right intents and tags, and what a model says that differs as it is told.

    Args:
        rows: list of what is wrong in each sentence: words out of "intent", "one" (a tag that is
            no 0), "zero" (a tag where 0 is right), "missed" (0 where it isn't), "none" (−1 where a
            tag is), "all" (every judged tag). No mistakes are "empty" (nothing is judged) and
            "same" (the model says −1 wherever nothing is judged).
        length: int, T.
        open_places: whether some places aren't judged; there the model says anything.
    """
    size = len(rows)
    intent = rng.integers(0, INTENTS, size)
    told = intent.copy()
    slots = rng.integers(1, TAGS, (size, length))
    judged = np.ones(slots.shape, bool)
    if open_places:
        judged[:, 0] = judged[:, -1] = False
        judged[:, 1:-1] = rng.random((size, length - 2)) < 0.75
        judged[:, 1:4] = True
    for row in range(size):  # one 0 and two other tags are judged in every sentence
        slots[row, rng.permutation(np.flatnonzero(judged[row]))[0]] = 0
    said, quiet = slots.copy(), np.zeros(size, bool)
    for row, wrong in enumerate(rows):
        for word in wrong.split():
            places = np.flatnonzero(judged[row])
            if word == "intent":
                told[row] = (intent[row] + rng.integers(1, INTENTS)) % INTENTS
            elif word == "all":
                said[row, places] = (slots[row, places] + 1) % TAGS
            elif word == "empty":
                judged[row] = False
            elif word == "same":
                quiet[row] = True
            else:
                zero = slots[row] == 0
                place = rng.choice(places[zero[places] == (word == "zero")])
                other = slots[row, place] % (TAGS - 1) + 1  # neither 0 nor what it was
                said[row, place] = {"missed": 0, "none": -1}.get(word, other)
    slots = np.where(judged, slots, -1)
    anything = rng.integers(0, TAGS, slots.shape)
    anything[quiet] = -1
    said = np.where(judged, said, anything)
    return tuple(each.astype(np.int32) for each in (intent, told, slots, said))


def _judge(student, rng, *batches, open_places=True):
    """Ask for one batch after another, and compare all shares at once.

    One share by itself is a small fraction, which several mistakes may give by chance.
    """
    given = [some_commands(rng, rows, length, open_places) for rows, length in batches]
    found = [student(*each) for each in given]
    for share, each in zip(found, given, strict=True):
        if isinstance(share, (Failed, str, bool)) or share is None or np.shape(share) != ():
            expect(share).equals(oracle(*each))
    wanted = frame_accuracies(tuple(given))

    def said(got):
        place = int(np.argmin(np.isclose(got, wanted.value, atol=1e-5)))
        size, right = len(given[place][0]), wanted.value[place]
        return Text(
            f"一批 {size} 句，对了 {round(right * size)} 句：应为 {right:.5g}，"
            f"实际为 {got[place]:.5g}。",
            f"A batch of {size} sentences, {round(right * size)} of them right: it should be "
            f"{right:.5g}, but is {got[place]:.5g}.",
        )

    shares = np.asarray([np.asarray(share) for share in found])
    expect(shares).equals(wanted, otherwise=said)


@frame_accuracy.case(
    points=1,
    zh="处处要判：意图和所有的槽都对才算",
    en="judged everywhere: the intent and all slots have to be right",
)
def judged_everywhere(student, rng):
    """Each kind of mistake by itself, and both at once."""
    _judge(
        student,
        rng,
        (["", "intent", "one", "", "intent one", "one one", "", "all", "intent all", ""], 6),
        (["one", "", "intent", "one", ""], 5),
        (["", "intent all", "none", "intent", "", "", "one"], 7),
        open_places=False,
    )


@frame_accuracy.case(
    points=1,
    zh="−1 的位置不判，0 的位置要判",
    en="places with −1 aren't judged, those with 0 are",
)
def some_are_open(student, rng):
    """A tag too many where 0 is right, 0 where it isn't, −1 said here and there."""
    _judge(
        student,
        rng,
        (["", "zero", "same", "missed", "intent", "", "none", "zero intent", "same", "all"], 8),
        (["zero", "", "zero", "same", "", "intent", "zero"], 7),
        (["none", "", "none intent", "missed", "", "same one", "same intent"], 9),
        (["", "intent", "", "one", "same", ""], 7),
    )


@frame_accuracy.case(
    points=1,
    zh="没有位置要判的句子：只看意图",
    en="sentences without a judged place: the intent decides",
)
def nothing_to_judge(student, rng):
    """With the right intent and with a wrong one; then nothing else."""
    _judge(
        student,
        rng,
        (["empty", "one", "", "empty intent", "same intent", "empty same", "zero"], 7),
        (["empty intent", "", "empty", "all", "intent"], 8),
        (["empty", "empty", "empty intent"], 6),
    )


@frame_accuracy.case(
    points=1,
    zh="一句话；全对；全错",
    en="a single sentence; all right; none right",
)
def the_ends_of_the_scale(student, rng):
    """Zero and one, and as many sentences as tokens."""
    _judge(
        student,
        rng,
        (["", "one", "", "intent", "zero", "", ""], 7),
        *((rows, 6) for rows in (["one"], [""], ["intent"], ["", "", ""])),
        (["intent one", "all", "zero"], 6),
    )


for _name, (_switch, _zh, _en, _hints) in FRAMES.items():
    frame_accuracy.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _shares(seen):
    """The numbers that came back, those that should have, and how many sentences there were.

    Raises:
        LookupError: something else than numbers came back.
    """
    if seen.prediction.parts != ("shares",):
        raise LookupError("no numbers")
    sizes = np.array([len(batch[0]) for batch in seen.args[0]])
    return np.asarray(seen.actual, float), seen.expected, sizes


@frame_accuracy.property(
    "one_number_comes_back",
    zh="应当返回一个数（Python 的 float）。",
    en="One number should come back, a float of Python's.",
)
def no_number(seen):
    return seen.prediction.parts != ("shares",) or np.asarray(seen.actual).dtype.kind != "f"


@frame_accuracy.property(
    "a_number_for_every_batch",
    zh="有一批的结果是 NaN：除以了 0。",
    en="For some batch the result is NaN: something is divided by 0.",
)
def not_a_number(seen):
    return bool(np.isnan(_shares(seen)[0]).any())


@frame_accuracy.property(
    "from_zero_to_one",
    zh="结果不在 0 和 1 之间。",
    en="The result isn't between 0 and 1.",
)
def beyond_the_scale(seen):
    got, _, _ = _shares(seen)
    return bool(((got < 0) | (got > 1)).any())


@frame_accuracy.property(
    "counts_sentences",
    zh="结果不是几句里有几句：分母应当是句数 B。",
    en="The result isn't so many sentences of so many; the divisor should be their number B.",
)
def no_count_of_sentences(seen):
    got, _, sizes = _shares(seen)
    count = got * sizes
    return not beyond_the_scale(seen) and bool((np.abs(count - np.round(count)) > 1e-4).any())


@frame_accuracy.property(
    "not_too_strict",
    zh="有的句子对，却算成了错。",
    en="Some sentences are right and count as wrong.",
)
def too_strict(seen):
    got, wanted, _ = _shares(seen)
    return not no_count_of_sentences(seen) and bool((got < wanted - 1e-6).any())


@frame_accuracy.property(
    "not_too_lenient",
    zh="有的句子错，却算成了对。",
    en="Some sentences are wrong and count as right.",
)
def too_lenient(seen):
    got, wanted, _ = _shares(seen)
    good = not beyond_the_scale(seen) and not no_count_of_sentences(seen)
    return good and bool((got > wanted + 1e-6).any())
