"""Notebook ch06a, exercise 3: marks around two names."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06a_1_classifier import NOTEBOOK
from autograder.exercises.ch06a_marks_mistakes import MARKS
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import relation_marks as oracles
from autograder.oracles.task_inputs import row_of

NOT_REFUSED = Text(
    "两段交叠时，应当抛出 ValueError。",
    "Spans that overlap should raise a ValueError.",
)

relation_markers = Exercise(
    "relation_markers",
    notebook=NOTEBOOK,
    points=5,
    tensors=False,
)


def some_sentence(rng, length):
    """Ids of words and of four marks; words occur more than once, marks aren't among them."""
    marks = tuple(int(mark) for mark in 100 + rng.permutation(20)[:4])
    words = rng.integers(10, 10 + max(2, length // 2), length)
    return [int(word) for word in words], marks


def _as_row(found):
    """The list of ids as an array; anything else as it is."""
    if not isinstance(found, (tuple, list)):
        return found
    whole = row_of(found)
    if isinstance(whole, np.ndarray):  # a row alone, or two places
        return tuple(found) if len(found) == 2 else whole
    return tuple(row_of(part) for part in found)


def _judge(student, rng, length, head, tail, order=None):
    tokens, marks = some_sentence(rng, length)
    if order:  # which of two marks has the lower id, where somebody may have sorted them
        marks = tuple(sorted(marks, reverse=order == "falling"))
    found = student(fixture("lent_row", tokens), head, tail, marks)
    expect(derived(found, _as_row)).equals(oracles.relation_markers(tokens, head, tail, marks))


def _either_way(student, rng, length, one, other, order=None):
    """Both of them as head."""
    _judge(student, rng, length, one, other, order)
    _judge(student, rng, length, other, one, order)


@relation_markers.case(points=1, zh="head 在前", en="head comes first")
def head_first(student, rng):
    """Names of several tokens and of one, with words before, between and behind."""
    _judge(student, rng, 11, (1, 3), (6, 9))
    _judge(student, rng, 9, (2, 3), (5, 6))


@relation_markers.case(points=1, zh="tail 在前", en="tail comes first")
def tail_first(student, rng):
    """The same the other way round."""
    _judge(student, rng, 12, (7, 9), (2, 5))
    _judge(student, rng, 8, (6, 7), (1, 2))


@relation_markers.case(
    points=1,
    zh="句首、句末，和紧挨着的两个名字",
    en="at either end of the sentence, and names that touch",
)
def at_the_edges(student, rng):
    """Names from the first token to the last; then touching ones, in the middle and at the end."""
    _either_way(student, rng, 8, (0, 2), (5, 8))
    _either_way(student, rng, 9, (2, 4), (4, 7), "rising")
    _either_way(student, rng, 6, (0, 3), (3, 6), "falling")
    _either_way(student, rng, 2, (0, 1), (1, 2))


@relation_markers.case(
    points=1,
    zh="交叠要报错：差一个词元、套在里面、完全一样",
    en="overlap is an error: by one token, one inside the other, just the same",
)
def overlapping(student, rng):
    """Either way round; what doesn't overlap is accepted beside it."""
    for one, other in (
        ((4, 6), (4, 6)),
        ((1, 4), (3, 6)),
        ((2, 6), (3, 5)),
        ((2, 4), (2, 6)),
        ((1, 5), (3, 5)),
        ((1, 3), (3, 5)),
        ((0, 2), (4, 7)),
    ):
        for head, tail in ((one, other), (other, one)):
            tokens, marks = some_sentence(rng, 8)
            found = student(fixture("lent_row", tokens), head, tail, marks)
            kind = found.error.type if isinstance(found, Failed) else None
            if kind and not oracles.overlap(head, tail):  # its own words say more
                expect(found).equals(oracles.relation_markers(tokens, head, tail, marks))
            if kind == "NotImplementedError":
                expect(found).equals(oracles.refused(head, tail))
            told = kind == "ValueError"
            expect(np.asarray(told)).equals(oracles.refused(head, tail), otherwise=NOT_REFUSED)


@relation_markers.case(
    points=1,
    zh="长句子，名字里的词别处也有",
    en="a long sentence, whose names have words that stand elsewhere as well",
)
def long_sentence(student, rng):
    """One name far behind the other; both are spelled alike."""
    tokens, marks = some_sentence(rng, 30)
    tokens[20:23] = tokens[5:8]
    for head, tail in (((5, 8), (20, 23)), ((20, 23), (5, 8)), ((11, 12), (3, 9))):
        found = student(fixture("lent_row", tokens), head, tail, marks)
        expect(derived(found, _as_row)).equals(oracles.relation_markers(tokens, head, tail, marks))


for _name, (_switch, _zh, _en, _hints) in MARKS.items():
    relation_markers.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _parts(seen):
    """The row and the places, as they came back and as they should have.

    Raises:
        LookupError: they have another form.
    """
    if seen.prediction.parts == ("refused",):
        raise LookupError("no row here")
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 3:
        raise LookupError("not these three")
    row, *places = (np.asarray(part) for part in seen.actual)
    if row.ndim != 1 or any(place.shape != () for place in places):
        raise LookupError("not these three")
    if any(part.dtype.kind not in "iu" for part in (row, *places)):
        raise LookupError("no ints")
    return row, [int(place) for place in places], seen.expected


@relation_markers.property(
    "list_and_two_places",
    zh="应当返回三样：一个整数列表，两个整数。",
    en="Three things should come back, a list of ints and two ints.",
)
def form_is_wrong(seen):
    if seen.prediction.parts == ("refused",):
        return False
    try:
        _parts(seen)
    except (LookupError, ValueError):
        return True
    return False


@relation_markers.property(
    "every_mark_once",
    zh="四个记号应当各出现一次。",
    en="Each of the four marks should occur once.",
)
def marks_are_not_four(seen):
    row, _, _ = _parts(seen)
    return any(int((row == mark).sum()) != 1 for mark in seen.args[3])


@relation_markers.property(
    "tokens_are_kept",
    zh="拿掉记号以后，词元少了、多了，或者次序变了。",
    en="Without the marks, tokens are missing, too many or in another order.",
)
def tokens_are_changed(seen):
    row, _, _ = _parts(seen)
    rest = [int(token) for token in row if int(token) not in seen.args[3]]
    return rest != [int(token) for token in seen.args[0]]


@relation_markers.property(
    "marks_touch_their_names",
    zh="记号不在该在的地方。",
    en="Marks aren't where they should be.",
)
def marks_are_misplaced(seen):
    row, _, (wanted, *_) = _parts(seen)
    return len(row) == len(wanted) and not np.array_equal(row, wanted)


@relation_markers.property(
    "places_are_right",
    zh="列表对，位置不对：应当是两个前记号在新列表里的位置。",
    en="The list is right, the places aren't: they should be where the marks before the names "
    "stand in the new list.",
)
def places_are_wrong(seen):
    row, places, (wanted, *right) = _parts(seen)
    return np.array_equal(row, wanted) and places != [int(place) for place in right]


@relation_markers.property("overlap_is_refused", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def wrongly_refused(seen):
    return seen.prediction.parts == ("refused",)
