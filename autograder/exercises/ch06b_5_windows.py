"""Notebook ch06b, exercise 5: windows over a long text."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06b_1_labels import NOTEBOOK
from autograder.exercises.ch06b_window_mistakes import WINDOWS
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import text_windows as oracles
from autograder.oracles.text_windows import as_pairs

NOT_REFUSED = Text(
    "放不下一个词元，或者步长小于 1：应当抛出 ValueError。",
    "Without room for a token, or with a step below 1, a ValueError should be raised.",
)

qa_windows = Exercise(
    "qa_windows",
    notebook=NOTEBOOK,
    points=6,
    forbids=("bert_keras.text.answer_windows.windows",),
    tensors=False,
)


def some_ids(rng, number):
    """So many ids of words."""
    return [int(word) for word in rng.integers(100, 200, number)]


def _given(rng, context, question, room, stride):
    """The answer's arguments, where so many tokens of the text fit into a row."""
    length = question + 3 + room
    return some_ids(rng, context), some_ids(rng, question), length, stride


def _judge(student, rng, *sizes):
    context, question, length, stride = given = _given(rng, *sizes)
    wanted = oracles.qa_windows(*given)
    room = length - len(question) - 3

    def what_came(got):
        right, mine = (
            list(map(tuple, x.tolist())) if x.ndim == 2 else x.tolist()
            for x in (wanted.value, np.asarray(got))
        )
        return Text(
            f"文章 {len(context)} 个词元，问题 {len(question)} 个，T = {length}"
            f"（放得下 {room} 个），stride = {stride}：应为 {right}，实际为 {str(mine)[:150]}。",
            f"A text of {len(context)} tokens, a question of {len(question)}, T = {length} (room "
            f"for {room}), stride = {stride}: it should be {right}, not {str(mine)[:150]}.",
        )

    found = student(fixture("lent_row", context), fixture("lent_row", question), length, stride)
    expect(derived(found, as_pairs)).equals(wanted, otherwise=what_came, of_shape=what_came)


@qa_windows.case(
    points=2,
    zh="几个窗：长 room，隔 stride，最后一个到末尾",
    en="several windows of room tokens, stride apart; the last one ends with the text",
)
def several(student, rng):
    """Steps below half of the room and above it; the last window is shorter."""
    _judge(student, rng, 25, 4, 9, 3)
    _judge(student, rng, 24, 6, 10, 7)
    _judge(student, rng, 17, 2, 6, 5)
    _judge(student, rng, 31, 1, 12, 4)


@qa_windows.case(
    points=1,
    zh="正好放得下；正好走到末尾",
    en="it just fits; a window just reaches the end",
)
def it_fits(student, rng):
    """One window that is full; then a last one that is; one token more, and one fewer."""
    _judge(student, rng, 8, 3, 8, 3)
    _judge(student, rng, 20, 3, 8, 4)
    _judge(student, rng, 21, 3, 8, 4)
    _judge(student, rng, 19, 3, 8, 4)
    _judge(student, rng, 9, 5, 8, 1)


@qa_windows.case(
    points=1,
    zh="步长等于 room，或者比它大：不能漏词元",
    en="a step of room or more: no token may be left out",
)
def large_steps(student, rng):
    """An ordinary one first, so that a loop that wouldn't end here isn't begun."""
    _judge(student, rng, 16, 2, 7, 2)
    _judge(student, rng, 20, 3, 6, 6)
    _judge(student, rng, 23, 4, 7, 9)
    _judge(student, rng, 18, 2, 6, 100)


@qa_windows.case(
    points=1,
    zh="短文章、空文章、没有问题、一次一个词元",
    en="short and empty texts, no question, one token at a time",
)
def small_ones(student, rng):
    """A text shorter than the room; a room of one token."""
    _judge(student, rng, 3, 4, 9, 2)
    _judge(student, rng, 1, 2, 5, 5)
    _judge(student, rng, 0, 3, 6, 2)
    _judge(student, rng, 13, 0, 5, 2)
    _judge(student, rng, 4, 2, 1, 1)


@qa_windows.case(
    points=1,
    zh="放不下或走不动：ValueError",
    en="no room, no step: a ValueError",
)
def refused(student, rng):
    """Texts of which an answer that refuses nothing needs no second window, so that it ends."""
    for context, question, room, stride in (
        (0, 4, 0, 2),
        (5, 3, 8, 0),
        (6, 2, 7, -3),
        (0, 3, 5, 0),
        (4, 6, 0, 3),
        (7, 5, -1, 2),
    ):
        given = _given(rng, context, question, room, stride)
        found = student(*(fixture("lent_row", ids) for ids in given[:2]), *given[2:])
        wanted = oracles.refused(context, question, *given[2:])
        if isinstance(found, Failed) and found.error.type == "NotImplementedError":
            expect(found).equals(wanted)  # not filled in yet, which is told as such
            continue
        told = isinstance(found, Failed) and found.error.type == "ValueError"
        expect(np.asarray(told)).equals(wanted, otherwise=_not_raised(found))


def _not_raised(found):
    """What to say of something that should have raised a ValueError."""
    if not isinstance(found, Failed):
        return NOT_REFUSED
    if found.error.type == "Unusable":  # something came back that is no result
        return Text(
            "ValueError 没有抛出：要写 raise ValueError(...)，不是 return。",
            "No ValueError was raised: write raise ValueError(...), not return.",
        )
    return Text(
        f"抛出的是 {found.error.type}，应当是 ValueError。",
        f"{found.error.type} was raised; it should be ValueError.",
    )


for _name, (_switch, _zh, _en, _hints) in WINDOWS.items():
    qa_windows.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _pairs(seen):
    """Windows that came back, those that should have, the text's length and the room.

    Raises:
        LookupError: they are no pairs.
    """
    if seen.prediction.parts != ("windows",):
        raise LookupError("no windows here")
    got = np.asarray(seen.actual)
    if got.ndim != 2 or got.shape[1] != 2 or got.dtype.kind not in "iu":
        raise LookupError("no pairs")
    context, question, length, _ = seen.args
    return got, seen.expected, len(context), length - len(question) - 3


@qa_windows.property(
    "list_of_pairs",
    zh="应当返回一个列表，每一项是 (start, end)，两个整数。",
    en="A list should come back, each entry (start, end), two ints.",
)
def no_pairs(seen):
    if seen.prediction.parts != ("windows",):
        return False
    try:
        _pairs(seen)
    except (LookupError, ValueError):
        return True
    return False


@qa_windows.property(
    "windows_are_in_order",
    zh="窗都对，次序不对。",
    en="The windows are right, their order isn't.",
)
def windows_are_shuffled(seen):
    got, wanted, _, _ = _pairs(seen)
    return sorted(got.tolist()) == wanted.tolist() and not np.array_equal(got, wanted)


@qa_windows.property(
    "windows_are_inside",
    zh="有的窗出了文章。",
    en="Some window leaves the text.",
)
def windows_leave_the_text(seen):
    got, _, context, _ = _pairs(seen)
    return bool((got < 0).any() or (got > context).any())


@qa_windows.property(
    "windows_fit_the_row",
    zh="有的窗比 room 长，这一行放不下。",
    en="Some window is longer than room, and doesn't fit into the row.",
)
def windows_are_too_long(seen):
    got, _, _, room = _pairs(seen)
    return bool((got[:, 1] - got[:, 0] > room).any())


@qa_windows.property(
    "every_token_is_read",
    zh="文章里有词元不在任何窗里。",
    en="Some token of the text is in no window.",
)
def tokens_are_left_out(seen):
    got, _, context, _ = _pairs(seen)
    read = {place for start, end in got.tolist() for place in range(start, end)}
    return not set(range(context)) <= read


@qa_windows.property(
    "steps_are_right",
    zh="相邻两个窗的距离不对：应当是 stride，比 room 大时是 room。",
    en="Neighbouring windows are the wrong distance apart: it should be stride, or room if that "
    "is less.",
)
def steps_are_wrong(seen):
    got, _, _, room = _pairs(seen)
    return not windows_are_shuffled(seen) and bool(
        (np.diff(got[:, 0]) != min(seen.args[3], room)).any()
    )


@qa_windows.property(
    "number_is_right",
    zh="窗的个数不对：第一个到了文章末尾的，就是最后一个。",
    en="The number of windows is wrong: the first that reaches the end of the text is the last.",
)
def another_number(seen):
    got, wanted, _, _ = _pairs(seen)
    return len(got) != len(wanted)


@qa_windows.property(
    "windows_are_right",
    zh="窗的两端不对。",
    en="The windows' ends are wrong.",
    alone=True,
)
def ends_are_wrong(seen):
    got, wanted, _, _ = _pairs(seen)
    return not np.array_equal(got, wanted)


@qa_windows.property("what_cannot_work_is_refused", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def not_refused(seen):
    return seen.prediction.parts == ("refused",)
