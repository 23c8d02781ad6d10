"""Notebook ch07c, exercise 6: whether a model is as sure as it is right."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07c_calibration_mistakes import CALIBRATION as MISTAKES
from autograder.exercises.ch07c_kit import CALIBRATION, NOTEBOOK, as_floats
from autograder.exercises.ch08_kit import ask_whether_it_changes
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles.calibration import calibration_error as oracle

CHANGED = Text(
    "传进来的 probabilities 被改动了。",
    "probabilities, which was handed in, is changed.",
)
NEAR = 1e-4  # nothing is so near an edge, unless it lies on it exactly

calibration_error = Exercise(
    "calibration_error",
    notebook=NOTEBOOK,
    points=6,
    library=f"{CALIBRATION}:calibration_error",
    tensors=False,
)


def with_largest(rng, largest, num_classes, places=None):
    """Rows whose largest probability is given; the others share the rest, none of them equal."""
    largest = np.asarray(largest, float)
    rest = rng.uniform(0.2, 1.0, (len(largest), num_classes - 1))
    rest *= ((1 - largest) / rest.sum(axis=1))[:, None]
    # No other may be larger; what is too much goes evenly to all.
    too_large = rest.max(axis=1) >= largest - 1e-3
    even = ((1 - largest) / (num_classes - 1))[:, None] * np.ones_like(rest)
    rest = np.where(too_large[:, None], even, rest)
    if places is None:
        places = rng.integers(num_classes, size=len(largest))
    found = np.empty((len(largest), num_classes))
    for row, place in enumerate(places):
        found[row] = np.insert(rest[row], place, largest[row])
    return found


def off_the_edges(largest, num_bins):
    """Confidences of which none lies near an edge of any of the bins that mistakes make."""
    largest = np.array(largest)
    for number in (num_bins, num_bins + 1, num_bins - 1, 10, 15):
        if number > 0:
            for shift in (0.0, 0.5):
                scaled = largest * number + shift
                largest = np.where(
                    np.abs(scaled - np.round(scaled)) < 4e-3, largest - 7e-4, largest
                )
    return largest


def right_for(rng, probabilities, shares):
    """Labels such that a row is right with its own share."""
    answers, num_classes = probabilities.argmax(axis=1), probabilities.shape[1]
    others = (answers + rng.integers(1, num_classes, size=len(answers))) % num_classes
    return np.where(rng.random(len(answers)) < shares, answers, others).astype(np.int64)


def some_rows(rng, number, num_classes, num_bins, low=None):
    """Probabilities and labels: too sure where it is sure, and not sure enough where it isn't."""
    low = 1 / num_classes + 0.05 if low is None else low
    largest = low + (0.995 - low) * rng.beta(1.2, 0.8, number)
    probabilities = with_largest(rng, off_the_edges(largest, num_bins), num_classes)
    middle = (low + 1) / 2
    shares = np.where(largest > middle, largest - 0.35, np.minimum(largest + 0.3, 1))
    return probabilities, right_for(rng, probabilities, shares)


def judge(student, probabilities, labels, num_bins):
    found = student(probabilities.copy(), labels.copy(), num_bins)
    expect(derived(found, as_floats)).equals(oracle(probabilities, labels, num_bins))


@calibration_error.case(
    points=2,
    zh="几个格子，每个格子里都有好几行",
    en="a few bins, with several rows in each of them",
)
def a_few_bins(student, rng):
    """Bins of many rows and of few; some are too sure, some not sure enough. One bin first."""
    for number, num_classes, num_bins in ((12, 3, 1), (60, 3, 5), (90, 4, 6), (40, 2, 4)):
        judge(student, *some_rows(rng, number, num_classes, num_bins), num_bins)


@calibration_error.case(
    points=1,
    zh="正好在边界上的把握；把握是 1",
    en="confidences right on an edge, and of 1",
)
def on_the_edges(student, rng):
    """Four bins and eight, whose edges are exact numbers."""
    for num_bins in (4, 8):
        edges = np.arange(num_bins // 2, num_bins + 1) / num_bins
        largest = np.concatenate([np.repeat(edges, 3), edges - 0.07, (edges + 0.06)[:-1]])
        largest = largest[largest > 0.34]
        probabilities = with_largest(rng, largest, 3)
        # The last edge is wrong, the one before it right, and so on: bins that are put together
        # cancel out, so that it shows.
        shares = np.ones(len(largest))
        shares[np.isin(largest, edges[::-2])] = 0.1
        labels = right_for(rng, probabilities, shares)
        judge(student, probabilities, labels, num_bins)


@calibration_error.case(
    points=1,
    zh="空格子，一样大的概率",
    en="empty bins, and equal probabilities",
)
def empty_and_equal(student, rng):
    """Rows in two bins of ten; then two classes that share the largest probability."""
    largest = off_the_edges(
        np.concatenate([rng.uniform(0.42, 0.48, 9), rng.uniform(0.82, 0.88, 5)]), 10
    )
    probabilities = with_largest(rng, largest, 4)
    labels = right_for(rng, probabilities, np.where(largest < 0.6, 0.7, 0.4))
    judge(student, probabilities, labels, 10)
    halves = np.array([[0.4375, 0.4375, 0.125]] * 6 + [[0.125, 0.4375, 0.4375]] * 6)
    labels = np.concatenate(
        [rng.permutation([0, 0, 0, 0, 1, 2]), rng.permutation([1, 1, 1, 2, 2, 0])]
    )
    judge(student, halves, labels.astype(np.int64), 3)


@calibration_error.case(
    points=1,
    zh="两类，许多类；许多格子；只有一行",
    en="two classes and many, many bins, a single row",
)
def other_sizes(student, rng):
    """As many rows as classes, too; a confidence far below a half."""
    for number, num_classes, num_bins in (
        (30, 2, 7),
        (5, 5, 5),
        (70, 9, 20),
        (1, 3, 5),
        (25, 6, 3),
    ):
        low = 1 / num_classes + (0.02 if num_classes > 5 else 0.05)
        judge(student, *some_rows(rng, number, num_classes, num_bins, low), num_bins)


@calibration_error.case(
    points=1,
    zh="很多行；probabilities 不改动",
    en="many rows; probabilities are left alone",
)
def many_rows(student, rng):
    """Fifteen bins, as papers have them."""
    given = some_rows(rng, 400, 3, 15)
    judge(student, *given, 15)
    ask_whether_it_changes(student, (*some_rows(rng, 20, 3, 5), 5), CHANGED)


_CHANGED_HINTS = (
    (
        "哪一行往 probabilities 里写了东西？",
        "Which line writes into probabilities?",
    ),
    (
        "另造一个新数组，或者先复制一份。",
        "Make a new array, or a copy first.",
    ),
)
ARRAYS_CHANGED = {
    "array_changed": ({"edits": "in_place"}, CHANGED.zh, CHANGED.en, _CHANGED_HINTS),
}
name_mistakes(calibration_error, MISTAKES, ARRAYS_CHANGED)


def _number(seen):
    """The number that came back.

    Raises:
        LookupError: it is no single number, or about something else.
    """
    if seen.prediction.parts != ("error",):
        raise LookupError("about something else")
    got = np.asarray(seen.actual)
    if got.shape != () or got.dtype.kind != "f":
        raise LookupError("no number")
    return float(got)


@calibration_error.property(
    "a_float_comes_back",
    zh="应当返回一个 0 到 1 的小数，不是 NaN。",
    en="A float from 0 to 1 should come back, and not NaN.",
)
def no_float(seen):
    if seen.prediction.parts != ("error",):
        return False
    try:
        return not -1e-6 <= _number(seen) <= 1 + 1e-6
    except (LookupError, TypeError):
        return True


@calibration_error.property(
    "right_for_one_bin",
    zh="只有一个格子时就不对：那就是准确率和平均把握的差。",
    en="It is wrong even for a single bin, where it is just the distance of accuracy and mean "
    "confidence.",
)
def wrong_for_one_bin(seen):
    _number(seen)
    return seen.args[2] == 1 or len(seen.args[1]) == 1


@calibration_error.property(
    "right_off_the_edges",
    zh="没有把握正好在边界上时也不对：怎么分格子，怎么加权，空格子怎么办？",
    en="It is wrong even where no confidence lies on an edge: how are bins cut and weighted, and "
    "what of empty ones?",
)
def wrong_off_the_edges(seen):
    _number(seen)
    scaled = seen.args[0].max(axis=1) * seen.args[2]
    return not np.isclose(scaled, np.round(scaled), atol=1e-9).any()


@calibration_error.property(
    "right_on_the_edges",
    zh="有把握正好在格子边界上时不对：边界属于哪个格子？",
    en="It is wrong where confidences lie right on an edge: which bin has the edge?",
    alone=True,
)
def wrong_on_the_edges(seen):
    _number(seen)
    return True


@calibration_error.property("arrays_are_left_alone", zh=CHANGED.zh, en=CHANGED.en)
def something_is_changed(seen):
    return seen.prediction.parts == ("unchanged",)
