"""Notebook ch06b, exercise 1: labels of words on their pieces."""

import json

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06b_label_mistakes import LABELS
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import label_rows as oracles

NOTEBOOK = "ch06b_spans"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
INVISIBLE = ("\u200b", "\x00", "\u00ad")

align_labels = Exercise(
    "align_labels",
    notebook=NOTEBOOK,
    points=5,
    forbids=("bert_keras.text.word_labels.encode_words", "bert_keras.text.word_labels.label_row"),
    tensors=False,
)


def some_words(rng, counts, size):
    """Words of so many pieces each; 0 is a word of which nothing is left."""
    words = []
    for number, count in enumerate(counts):
        length = (count - 1) * size + int(rng.integers(1, size + 1))
        letters = "".join(rng.choice(list(LETTERS), max(length, 0)))
        words.append(letters if count else INVISIBLE[number % len(INVISIBLE)])
    return words


def some_labels(rng, number, zero=False):
    """Labels of which no neighbours agree, from 1 to 8; with ``zero``, every third is 0."""
    labels = [int(x) for x in (np.arange(number) * 3 + rng.integers(8)) % 8 + 1]
    return [0 if zero and i % 3 == 1 else label for i, label in enumerate(labels)]


def _shown(pieces):
    """Pieces as Python writes them, cut where there are very many."""
    try:
        text = str(json.loads(str(pieces)))
    except ValueError:
        text = str(pieces)
    return text if len(text) <= 400 else text[:400] + "…"


def _judge(student, words, labels, size, length, *ignore):
    wanted = oracles.align_labels(words, labels, size, length, *ignore)

    def what_came(got):
        right, row = json.loads(str(wanted.value[0])), wanted.value[1].tolist()
        if not isinstance(got, tuple):
            return Text(
                f"应当返回 pieces 和标签，实际得到 {str(got)[:120]}。",
                f"It should return pieces and labels, not {str(got)[:120]}.",
            )
        if str(got[0]) != str(wanted.value[0]):
            mine = _shown(got[0])
            return Text(
                f"T = {length} 时 pieces 应为 {right}，实际为 {mine}。",
                f"With T = {length}, pieces should be {right}, not {mine}.",
            )
        return Text(
            f"T = {length}，pieces 是 {right}，标签应为 {row}，实际为 {got[1].tolist()}。",
            f"With T = {length} and pieces {right}, the labels should be {row}, "
            f"not {got[1].tolist()}.",
        )

    found = student(
        fixture("lent_words", words),
        fixture("lent_row", labels),
        fixture("piece_cutter", size),
        length,
        *ignore,
    )
    expect(derived(found, oracles.as_parts)).equals(wanted, otherwise=what_came)


def _asked(student, rng, counts, length, *ignore, size=3, zero=False):
    _judge(
        student,
        some_words(rng, counts, size),
        some_labels(rng, len(counts), zero),
        size,
        length,
        *ignore,
    )


@align_labels.case(
    points=1,
    zh="第一个子词带标签，别处是 −1",
    en="the first piece carries the label, −1 elsewhere",
)
def first_pieces(student, rng):
    """Words of one to four pieces in a row with room to spare; then one that is just full."""
    _asked(student, rng, (1, 3, 2, 1, 4), 16)
    _asked(student, rng, (2, 1, 1, 3), 12, size=2)
    _asked(student, rng, (1, 2, 3), 8)


@align_labels.case(
    points=2,
    zh="放不下就裁：子词和标签一起裁，[SEP] 还在",
    en="what doesn't fit is cut, pieces and labels alike; [SEP] stays",
)
def too_long(student, rng):
    """Cut between words, inside a word, right behind a first piece; words of one piece."""
    _asked(student, rng, (2, 3, 1, 2, 2), 10)
    _asked(student, rng, (1, 2, 4, 1), 7)
    _asked(student, rng, (2, 2, 3, 1), 7, size=2)
    _asked(student, rng, (1, 1, 1, 1, 1, 1, 1), 7)
    _asked(student, rng, (3, 2, 2), 3)
    _asked(student, rng, (1, 2), 2)


@align_labels.case(
    points=1,
    zh="切不出子词的词是 [UNK]，标签还是它的",
    en="a word without pieces is [UNK], and keeps its label",
)
def nothing_left(student, rng):
    """In the middle, first, last, several in a row; where the row is cut as well."""
    _asked(student, rng, (1, 0, 2, 1), 10)
    _asked(student, rng, (0, 2, 0, 0, 3, 0), 14)
    _asked(student, rng, (2, 0, 1, 2, 3), 7)


@align_labels.case(
    points=1,
    zh="别的 ignore；标签是 0；同一个词标签不同；没有词",
    en="another ignore; labels of 0; one word with several labels; no word",
)
def other_labels(student, rng):
    """Chinese characters, which are one piece each, among words."""
    _asked(student, rng, (2, 1, 3), 11, -100)
    _asked(student, rng, (1, 2, 1, 1, 2, 3), 9, zero=True)
    again, other = some_words(rng, (2, 1), 3)
    words = ["人", again, "山", again, other, "人", again]
    _judge(student, words, some_labels(rng, len(words)), 3, 13)
    _judge(student, [], [], 3, 5)
    _asked(student, rng, (1, 2, 0, 1), 6, 99, zero=True)


for _name, (_switch, _zh, _en, _hints) in LABELS.items():
    align_labels.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _parts(seen):
    """Pieces and labels, as they came back and as they should have.

    Raises:
        LookupError: they have another form.
    """
    if not isinstance(seen.actual, tuple) or len(seen.actual) != 2:
        raise LookupError("no pair")
    pieces = json.loads(str(seen.actual[0]))
    if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
        raise LookupError("no list of pieces")
    row, wanted = np.asarray(seen.actual[1]), json.loads(str(seen.expected[0]))
    return pieces, row.tolist(), wanted, seen.expected[1].tolist()


def _labels_of_another_kind(seen):
    """Whether pieces came back, and T labels that aren't ints."""
    if isinstance(seen.actual, tuple):
        return len(seen.actual) == 2 and np.asarray(seen.actual[1]).dtype.kind == "f"
    try:
        found = json.loads(str(seen.actual))
    except ValueError:
        return False
    if not isinstance(found, list) or [type(part) for part in found] != [list, list]:
        return False
    pieces = all(isinstance(piece, str) for piece in found[0])
    return pieces and found[0] == json.loads(str(seen.expected[0]))


@align_labels.property(
    "labels_are_ints",
    zh="pieces 对，可是第二样应当是整数的列表：里面有的不是整数。",
    en="The pieces are right, but the second thing should be a list of ints, and some of it isn't.",
)
def labels_are_no_ints(seen):
    return _labels_of_another_kind(seen)


@align_labels.property(
    "pieces_and_labels_come_back",
    zh="应当返回两样：字符串的列表，整数的列表。",
    en="Two things should come back, a list of str and a list of ints.",
)
def no_pair(seen):
    try:
        _parts(seen)
    except LookupError:
        return not _labels_of_another_kind(seen)
    return False


@align_labels.property(
    "labels_fill_the_row",
    zh="标签不是 T 个。",
    en="There aren't T labels.",
)
def another_number_of_labels(seen):
    return len(_parts(seen)[1]) != seen.args[3]


@align_labels.property(
    "pieces_fit_the_row",
    zh="pieces 多于 T 个。",
    en="There are more than T pieces.",
)
def too_many_pieces(seen):
    return len(_parts(seen)[0]) > seen.args[3]


@align_labels.property(
    "pieces_stand_between_marks",
    zh='pieces 应当以 "[CLS]" 开头、以 "[SEP]" 结尾，中间没有别的特殊词元。',
    en='Pieces should begin with "[CLS]" and end with "[SEP]", with no other marks between.',
)
def marks_are_wrong(seen):
    pieces = _parts(seen)[0]
    inside = pieces[1:-1]
    framed = pieces[:1] == [oracles.CLS] and pieces[-1:] == [oracles.SEP] and len(pieces) > 1
    return not framed or any(m in inside for m in (oracles.CLS, oracles.SEP, oracles.PAD))


@align_labels.property(
    "pieces_are_right",
    zh="pieces 不对：该有的没有，或者不该有的有，或者次序变了。",
    en="The pieces are wrong: some are missing or too many, or they are in another order.",
)
def pieces_are_wrong(seen):
    pieces, _, wanted, _ = _parts(seen)
    return pieces != wanted


@align_labels.property(
    "only_first_pieces_are_labelled",
    zh="pieces 对，标签不对：不判的位置上有标签，或者该有标签的位置没有。",
    en="The pieces are right, the labels aren't: a place that isn't judged has one, or a place "
    "that is judged has none.",
)
def other_places_are_labelled(seen):
    pieces, row, wanted, right = _parts(seen)
    ignore = seen.args[4] if len(seen.args) > 4 else -1
    if pieces != wanted or len(row) != len(right):
        return False
    return [label == ignore for label in row] != [label == ignore for label in right]


@align_labels.property(
    "labels_are_their_words",
    zh="有标签的位置对，标签不是这个词的。",
    en="The right places have labels, but not those of their words.",
)
def labels_are_exchanged(seen):
    pieces, row, wanted, right = _parts(seen)
    ok = pieces == wanted and len(row) == len(right) and row != right
    return ok and not other_places_are_labelled(seen)
