"""Notebook ch04b, exercise 4: one text as GPT's input."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04b_frame_mistakes import SINGLE
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import task_inputs as oracles

NOTEBOOK = "ch04b_gpt"
LIBRARY = "bert_keras.text.task_inputs"
ROOM = {
    "room_for_texts": f"{LIBRARY}:room_for_texts",
    "truncate_pair": "bert_keras.text.packing:truncate_pair",
}
NOT_REFUSED = Text(
    "max_length 连记号都放不下，应当抛出 ValueError。",
    "max_length has no room for the marks, which should raise a ValueError.",
)

classification_input = Exercise(
    "classification_input",
    notebook=NOTEBOOK,
    points=2,
    library=f"{LIBRARY}:classification_input",
    needs=ROOM,
    tensors=False,
)


def some_texts(rng, *lengths):
    """Texts of these lengths; no token occurs twice, and none is a mark."""
    tokens = rng.permutation(np.arange(10, 100))
    ends = np.cumsum(lengths)
    return [
        [int(token) for token in tokens[end - length : end]]
        for end, length in zip(ends, lengths, strict=True)
    ]


def some_marks(rng):
    """Ids of begin, delimiter and extract, in no order."""
    return tuple(int(mark) for mark in rng.permutation(np.arange(1, 10))[:3])


def lent(*texts):
    """The texts as the answer is given them: lists that can't be changed."""
    return [fixture("lent_ids", text) for text in texts]


def limit(max_length):
    """The argument of that name, where there is a limit."""
    return {} if max_length is None else {"max_length": max_length}


def refuses(student, *arguments, marks, max_length):
    """There is a ValueError where the marks find no room, and none elsewhere."""
    found = student(*arguments, max_length=max_length)
    told = isinstance(found, Failed) and found.error.type == "ValueError"
    expect(np.asarray(told)).equals(oracles.refused(marks, max_length), otherwise=NOT_REFUSED)


def _judge(student, text, marks, max_length=None):
    found = student(*lent(text), fixture("task_marks", *marks), **limit(max_length))
    expect(derived(found, oracles.rows_of)).equals(
        oracles.classification_input(text, marks, max_length or 0)
    )


@classification_input.case(
    points=1, zh="放得下：开头、文字、末尾", en="there is room: begin, text, extract"
)
def whole(student, rng):
    """A limit that just isn't reached, none, one of 0, one that is far away; an empty text."""
    for length, max_length in ((6, 8), (5, None), (4, 0), (3, 9), (0, None), (1, 3)):
        (text,) = some_texts(rng, length)
        _judge(student, text, some_marks(rng), max_length)


@classification_input.case(
    points=1, zh="放不下：裁文字的末尾，记号都在", en="too long: the text's end goes, no mark does"
)
def cut(student, rng):
    """By much, by one, down to the marks alone; then there is no room at all."""
    for length, max_length in ((9, 5), (6, 7), (5, 3), (4, 2)):
        (text,) = some_texts(rng, length)
        _judge(student, text, some_marks(rng), max_length)
    marks = some_marks(rng)
    (text,) = some_texts(rng, 4)
    given = (*lent(text), fixture("task_marks", *marks))
    refuses(student, *given, marks=2, max_length=1)


for _name, (_switch, _zh, _en, _hints) in SINGLE.items():
    classification_input.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def rows_seen(seen):
    """What came back and what should have, as lists of rows of ids.

    Raises:
        LookupError: the observation is about something else, or has another form.
    """
    if seen.prediction.parts == ("refused",):
        raise LookupError("no rows here")
    several = isinstance(seen.expected, tuple)
    rows = seen.actual if several else (seen.actual,)
    wanted = seen.expected if several else (seen.expected,)
    if not isinstance(rows, tuple) or len(rows) != len(wanted):
        raise LookupError("another number of rows")
    if any(isinstance(row, (tuple, list)) for row in rows):
        raise LookupError("no rows of ints")
    rows = [np.asarray(row) for row in rows]
    if any(row.ndim != 1 or row.dtype.kind not in "iu" for row in rows):
        raise LookupError("no rows of ints")
    return rows, wanted


def add_row_properties(exercise, marks, length):
    """Register what is told of wrong rows with an exercise.

    Args:
        exercise: the exercise.
        marks, length: int, which arguments are the marks and max_length.
    """

    @exercise.property(
        "rows_of_ints",
        zh="返回的形式不对：对照说明，是一个整数列表，还是几个。",
        en="The form is wrong: compare with the contract whether one list of ints should come back "
        "or several.",
    )
    def form_is_wrong(seen):
        if seen.prediction.parts == ("refused",):
            return False
        try:
            rows_seen(seen)
        except LookupError:
            told = _older_rows_are_there(seen) or _nested(seen) or another_number(seen)
            return not told
        return False

    @exercise.property(
        "as_many_lines_as_asked_for",
        zh="返回的行数不对：对照约定数一数，再看看用的是不是这一次传进来的参数（而不是函数外面的变量）。",
        en="The number of lines is wrong: compare with the contract, and see whether they are made "
        "of this call's arguments (and not of variables outside the function).",
    )
    def another_number(seen):
        lines = seen.actual
        return (
            isinstance(seen.expected, tuple)
            and isinstance(lines, (tuple, list))
            and len(lines) != len(seen.expected)
            and all(np.ndim(line) == 1 for line in lines)
            and not _older_rows_are_there(seen)
        )

    @exercise.property(
        "no_list_among_the_ids",
        zh="列表里套了列表：一段文字整个放了进去；应当把它的词元一个一个放进去。",
        en="There is a list among the ids: a text was put in as a whole, and it should be its "
        "tokens, one by one.",
    )
    def list_among_the_ids(seen):
        return seen.prediction.parts != ("refused",) and _nested(seen)

    @exercise.property(
        "rows_of_this_call_only",
        zh="除了这一次的几行，还多出前面几次调用的：装结果的列表要在函数里面新建。",
        en="Beside the lines of this call there are some of earlier calls: the list of results has "
        "to be made inside the function.",
    )
    def older_rows(seen):
        return _older_rows_are_there(seen)

    @exercise.property(
        "ids_come_from_the_arguments",
        zh="结果里有的编号，既不在这一次的文字里，也不是这一次的记号：记号要取自参数 marks。",
        en="Some ids are neither in the texts of this call nor among its marks: take the marks of "
        "the argument.",
    )
    def foreign_ids(seen):
        rows, _ = rows_seen(seen)
        texts = [each for each in seen.args[:marks] if each is not None]
        known = set(seen.args[marks]) | {token for text in texts for token in _flat(text)}
        return any(int(token) not in known for row in rows for token in row)

    @exercise.property(
        "fits_into_max_length",
        zh="结果比 max_length 长。",
        en="The result is longer than max_length.",
    )
    def too_long(seen):
        rows, _ = rows_seen(seen)
        most = seen.args[length]
        return bool(most) and max(map(len, rows)) > most

    @exercise.property(
        "marks_in_their_places",
        zh="记号少了、多了，或者不在该在的地方。",
        en="A mark is missing, too many or out of place.",
    )
    def marks_are_misplaced(seen):
        rows, wanted = rows_seen(seen)
        ids = seen.args[marks]
        pairs = zip(rows, wanted, strict=True)
        return any(_marks_of(row, ids) != _marks_of(want, ids) for row, want in pairs)

    @exercise.property(
        "texts_are_right",
        zh="文字不对：少了、多了，或者次序不对。",
        en="The texts aren't right: tokens are missing, too many or in another order.",
    )
    def texts_are_wrong(seen):
        rows, wanted = rows_seen(seen)
        ids = seen.args[marks]
        pairs = zip(rows, wanted, strict=True)
        if foreign_ids(seen):  # which of them stand for marks, nobody knows
            return False
        return any(_texts_of(row, ids) != _texts_of(want, ids) for row, want in pairs)

    @exercise.property(
        "limit_is_checked",
        zh="max_length 太小的时候没有抛出 ValueError。",
        en="A max_length that is too small raises no ValueError.",
    )
    def limit_is_not_checked(seen):
        return seen.prediction.parts == ("refused",)


def _older_rows_are_there(seen):
    """Whether the rows that are wanted come last, behind others."""
    wanted = seen.expected
    if not isinstance(wanted, tuple) or not isinstance(seen.actual, (tuple, list)):
        return False
    last = seen.actual[-len(wanted) :]
    return len(seen.actual) > len(wanted) and all(map(np.array_equal, last, wanted))


def _nested(seen):
    """Whether there are both ids and lists in a row."""
    rows = seen.actual if isinstance(seen.expected, tuple) else (seen.actual,)
    rows = [row for row in rows if isinstance(row, (tuple, list))]
    return any(
        len({isinstance(each, (tuple, list)) or np.ndim(each) > 0 for each in row}) > 1
        for row in rows
    )


def _flat(ids):
    """The ids of a text, or of several."""
    return [token for each in ids for token in (_flat(each) if isinstance(each, list) else [each])]


def _marks_of(row, ids):
    """The marks in their order, and whether the first and the last id is one."""
    found = [int(token) for token in row]
    return [token for token in found if token in ids], found[:1], found[-1:]


def _texts_of(row, ids):
    return [int(token) for token in row if int(token) not in ids]


add_row_properties(classification_input, marks=1, length=2)
