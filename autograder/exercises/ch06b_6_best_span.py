"""Notebook ch06b, exercise 6: the best answer in a window."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06b_1_labels import NOTEBOOK
from autograder.exercises.ch06b_answer_mistakes import ANSWERS
from autograder.exercises.common import derived, normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import answer_spans as oracles
from autograder.oracles.tag_paths import unchanged

TRIES = 300
MARGIN = 0.02  # by how much the best span is the best: rounding plays no part
CLOSE = {"atol": 2e-5, "rtol": 2e-5}
CHANGED = Text("传进来的 start_scores 被改动了。", "start_scores, which was handed in, is changed.")

best_span = Exercise(
    "best_span",
    notebook=NOTEBOOK,
    points=6,
    forbids=("bert_keras.text.answer_windows.best_span",),
    tensors=False,
)


def some_scores(rng, length):
    """Scores of both ends; low ones are negative."""
    return 2 * normal(rng, length), 2 * normal(rng, length)


def telling(rng, make, *mistakes, apart=()):
    """Arguments with one best span, which none of these mistakes finds, if drawn soon.

    Those in ``apart`` moreover find different spans.
    """
    for _ in range(TRIES):
        given = make()
        starts, ends, offset, _, number, most = given
        if oracles.lead(starts.astype(float), ends.astype(float), offset, number, most) < MARGIN:
            continue
        asked = oracles.best_span(*given)
        right = [int(place) for place in asked.value[1:3]]
        found = [_places(asked.predict(mistake, np.float64)) for mistake in (*mistakes, *apart)]
        others = [tuple(places) for places in found[len(mistakes) :] if places]
        if right not in found and len(set(others)) == len(others):
            break
    return given


def _places(found):
    return [int(place) for place in found[1:3]] if isinstance(found, tuple) else None


def _judge(student, given):
    wanted = oracles.best_span(*given)
    score, first, last, null = (x.item() for x in wanted.value)

    def what_came(got):
        mine = ", ".join(f"{x.item():.4g}" for x in map(np.asarray, got))
        right = f"{score:.4g}, {first}, {last}, {null:.4g}"
        return Text(f"应为 ({right})，实际为 ({mine})。", f"It should be ({right}), not ({mine}).")

    starts, ends, *rest = given
    # A best score that begins as the int 0 and stays is no matter of types.
    found = derived(student(starts.copy(), ends.copy(), *rest), oracles.with_a_float)
    expect(found).equals(wanted, otherwise=what_came, **CLOSE)


EACH_ALONE = (
    {"search": "each_alone"},
    {"search": "one_end_for_both"},
    {"search": "exchanged_if_turned"},
    {"search": "start_first"},
    {"search": "end_first"},
)
TOO_LONG = ({"limit": "none"}, {"limit": "one_more"})


@best_span.case(
    points=2,
    zh="两端一起挑：结尾不能在开头前面",
    en="both ends together: the last token not before the first",
)
def both_ends(student, rng):
    """The best start and the best end, each by itself, are no span; length doesn't matter."""

    def turned(length, offset, start, number):
        def make():
            starts, ends = some_scores(rng, length)
            early, late = np.sort(rng.permutation(number)[:2]) + offset
            starts[late] += 3.0
            ends[early] += 3.0
            return starts, ends, offset, start, number, number + 3

        return make

    for sizes in ((14, 3, 0, 10), (17, 5, 20, 11), (12, 4, 7, 7)):
        _judge(student, telling(rng, turned(*sizes), apart=EACH_ALONE))


@best_span.case(
    points=1,
    zh="问题、[CLS]、[SEP] 和填充里没有答案",
    en="no answer in the question, in [CLS], [SEP] or padding",
)
def outside_the_window(student, rng):
    """The highest scores of the row stand outside of the window, on either side."""
    for length, offset, start, number in ((15, 5, 0, 8), (18, 4, 11, 9)):
        for place in (length - 1, offset + number, 1, offset - 1, 0):

            def make(at=place, n=length, o=offset, s=start, k=number):
                starts, ends = some_scores(rng, n)
                starts[at] += 9.0
                ends[at] += 9.0
                return starts, ends, o, s, k, 5

            _judge(student, telling(rng, make))


@best_span.case(
    points=1,
    zh="至多 max_answer 个词元",
    en="max_answer tokens at most",
)
def not_too_long(student, rng):
    """A better span is much too long, or by one token; then single tokens, and no limit."""

    def stretched(length, offset, start, number, most, by):
        def make():
            starts, ends = some_scores(rng, length)
            first = offset + int(rng.integers(number - most - by))
            starts[first] += 6.0
            ends[first + most + by] += 6.0
            return starts, ends, offset, start, number, most

        return make

    _judge(student, telling(rng, stretched(16, 4, 9, 11, 3, 3), TOO_LONG[0], apart=TOO_LONG))
    _judge(student, telling(rng, stretched(15, 3, 0, 11, 2, 5), TOO_LONG[0]))
    shorter = {"limit": "one_less"}
    for sizes in ((16, 4, 9, 11, 3, 0), (15, 3, 0, 11, 4, 0)):
        _judge(student, telling(rng, stretched(*sizes), TOO_LONG[1], shorter))
    for most in (1, 4, 9):
        _judge(student, telling(rng, lambda m=most: (*some_scores(rng, 13), 3, 6, 9, m)))


@best_span.case(
    points=1,
    zh="答案在窗边上；只有一个词元的答案、一个词元的窗",
    en="answers at the window's ends; one token as answer or as window",
)
def at_the_edges(student, rng):
    """The first token of the text is number 0, and that is a place like any other."""
    for start in (0, 13):
        for first, last in ((0, 0), (0, 2), (6, 6), (5, 6), (3, 3)):

            def make(a=first, b=last, s=start):
                starts, ends = some_scores(rng, 12)
                starts[4 + a] += 8.0
                ends[4 + b] += 8.0
                return starts, ends, 4, s, 7, 4

            _judge(student, telling(rng, make))
    _judge(student, telling(rng, lambda: (*some_scores(rng, 7), 5, 8, 1, 3)))


@best_span.case(
    points=1,
    zh="全是负分；空答案的分数；传进来的数组不改动",
    en="negative scores only; the score of no answer; arrays stay as they were",
)
def low_scores(student, rng):
    """Nothing beats a best score of 0 here; then what has become of the scores."""
    for high in (-6.0, 6.0):

        def make(by=high):
            starts, ends = (x - np.float32(14.0) for x in some_scores(rng, 13))
            starts[0] += by
            return starts, ends, 3, 10, 8, 5

        given = telling(rng, make)
        _judge(student, given)
    both = student.followed_by(fixture("array_afterwards"), fixture("lent_array", *given))
    left = derived(both, lambda found: np.asarray(np.array_equal(found[1], given[0])))
    expect(left).equals(unchanged(), otherwise=CHANGED)


for _name, (_switch, _zh, _en, _hints) in ANSWERS.items():
    best_span.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _four(seen):
    """What came back and what should have, and the window's start and length.

    Raises:
        LookupError: these aren't four numbers, the middle ones whole.
    """
    if seen.prediction.parts == ("unchanged",):
        raise LookupError("no span here")
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 4:
        raise LookupError("not four")
    parts = [np.asarray(part) for part in seen.actual]
    if [(part.shape, part.dtype.kind) for part in parts] != [((), kind) for kind in "fiif"]:
        raise LookupError("other kinds")
    wanted = [part.item() for part in seen.expected]
    return [part.item() for part in parts], wanted, seen.args[3:5]


@best_span.property(
    "four_numbers",
    zh="应当返回四样：float、int、int、float。",
    en="Four things should come back: float, int, int, float.",
)
def not_four(seen):
    if seen.prediction.parts == ("unchanged",):
        return False
    try:
        _four(seen)
    except (LookupError, ValueError):
        return True
    return False


@best_span.property(
    "answer_is_in_the_window",
    zh="答案不在窗里（位置是在文章里的：从 window_start 起）。",
    en="The answer isn't in the window (places are those in the text, from window_start on).",
)
def answer_is_outside(seen):
    (_, first, last, _), _, (start, number) = _four(seen)
    return not (start <= first < start + number and start <= last < start + number)


@best_span.property(
    "end_is_not_before_start",
    zh="答案的结尾在开头前面。",
    en="The answer ends before it begins.",
)
def end_is_before_start(seen):
    (_, first, last, _), _, _ = _four(seen)
    return last < first


@best_span.property(
    "answer_is_short_enough",
    zh="答案超过了 max_answer 个词元。",
    en="The answer has more than max_answer tokens.",
)
def answer_is_too_long(seen):
    (_, first, last, _), _, _ = _four(seen)
    return last - first + 1 > seen.args[5]


@best_span.property(
    "best_one_is_found",
    zh="这一段合法，可是有更高分的。",
    en="The span is legal, but another one has a higher score.",
)
def another_is_better(seen):
    (score, *places, _), (best, *right, _), _ = _four(seen)
    legal = not (answer_is_outside(seen) or end_is_before_start(seen) or answer_is_too_long(seen))
    return legal and places != right and score <= best + 1e-4


@best_span.property(
    "score_is_not_too_high",
    zh="报的分数比哪一段合法的都高：它不是一段合法答案两端之和。",
    en="The score is higher than that of any legal span: it isn't the sum of a legal one's ends.",
)
def score_is_too_high(seen):
    (score, *places, _), (best, *right, _), _ = _four(seen)
    return places != right and score > best + 1e-4


@best_span.property(
    "score_fits_the_answer",
    zh="位置都对，分数不对：应当是两端的分数之和。",
    en="The places are right, the score isn't: it is the sum of both ends' scores.",
)
def score_is_wrong(seen):
    (score, *places, _), (wanted, *right, _), _ = _four(seen)
    return places == right and not np.isclose(score, wanted, **CLOSE)


@best_span.property(
    "null_score_is_right",
    zh="null_score 不对：是 [CLS] 那个位置的两个分数之和。",
    en="null_score is wrong: it is the sum of both scores at [CLS].",
)
def null_is_wrong(seen):
    (*_, null), (*_, wanted), _ = _four(seen)
    return not np.isclose(null, wanted, **CLOSE)


@best_span.property("arguments_are_left_alone", zh=CHANGED.zh, en=CHANGED.en)
def something_is_changed(seen):
    return seen.prediction.parts == ("unchanged",)
