"""Notebook ch06b, exercise 8: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06b_1_labels import NOTEBOOK
from autograder.exercises.ch06b_5_windows import some_ids
from autograder.exercises.ch06b_drill_mistakes import ILL_HINTS, ILLS, OTHERS, STILL_ILL
from autograder.exercises.common import normal
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import long_answers as oracles

TRIES = 30
WORDS = 200  # ids below 100 are marks
MARGIN = 0.02  # by how much an answer, and that there is one, is sure: rounding plays no part
DRILL_BUGS = tuple(ILLS)
EVERYBODY = tuple(s if isinstance(s, dict) else s[0] for s in ILLS.values())
# What is seldom seen unless questions are chosen for it.
SMALL = ({"segments": "last_sep_zero"}, {"marks": "sep_missing"}, {"limit": "one_more"})
UNDECIDED = ({"null": "last"}, {"decided": "turned"}, {"decided": "never"})
NULLS = tuple({"null": null} for null in ("highest", "first", "mean", "of_the_best"))

drill = Exercise(
    "drill_ch06b_spans",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    tensors=False,
    variants=DRILL_BUGS,
)


def some_question(rng, context, question, room, stride, most, null=None):
    """Arguments of one call.

    Args:
        rng: generator.
        context, question, room, stride, most: sizes.
        null: None for a question that always has an answer; else a score of having none that would
            decide this question otherwise, see `oracles.lowest_of`.
    """
    tables = 2 * normal(rng, 2, 2, WORDS + 2)
    marks = (int(rng.integers(1, 9)), int(rng.integers(10, 19)))
    texts = some_ids(rng, context), some_ids(rng, question)
    given = (*texts, tables, question + 3 + room, stride, most, 100.0, marks)
    if null is None:
        return given
    halfway = oracles.between(given, null) + rng.uniform(-0.3, 0.3)
    return (*given[:6], float(np.round(halfway, 2)), marks)


def _clear(question):
    """Whether rounding can't change the answer: neither who is best nor whether there is one."""
    settled = oracles.long_answer.raw(*question)
    nearly = [
        oracles.long_answer.raw(*question[:6], question[6] + by, question[7])
        for by in (-MARGIN, MARGIN)
    ]
    tables = question[2]
    shaken = tables + MARGIN / 20 * np.sign(np.sin(np.arange(tables.size))).reshape(tables.shape)
    nearly.append(oracles.long_answer.raw(*question[:2], shaken, *question[3:]))
    return all(np.array_equal(settled, other) for other in nearly)


def telling(rng, plans, mistakes):
    """Questions of these sizes, each of which one of the mistakes answers wrongly, in turn.

    Args:
        rng: generator.
        plans: sizes of each question.
        mistakes: switches of the oracle; where one is about having no answer, the threshold is
            such that it matters.
    """
    asked = []
    for number, plan in enumerate(plans):
        mistake = mistakes[number % len(mistakes)]
        null = mistake.get("null", "mean" if "decided" in mistake else None)
        question = None
        for _ in range(TRIES):
            other = some_question(rng, *plan, null)
            wanted = oracles.long_answer(*other)
            shows = not np.array_equal(wanted.value, wanted.predict(mistake, np.float64))
            if (shows or question is None) and _clear(other):
                question = other
                if shows:
                    break
        asked.append(question)
    return asked


def _judge(student, asked):
    """Ask all questions, and compare the answers at once.

    One answer by itself is two small numbers, which several mistakes may give by chance.
    """
    repaired = student.named("repaired")
    found = []
    for question in asked:
        context, words, tables, *rest = question
        lent = fixture("lent_row", context), fixture("lent_row", words)
        answer = repaired(*lent, fixture("row_reader", tables), *rest)
        if not _is_pair(answer):
            expect(answer).equals(oracles.long_answer(*question))
        found.append([int(place) for place in answer])
    wanted = oracles.long_answers(asked)

    def what_came(got):
        place = int(np.argmin((np.asarray(got) == wanted.value).all(axis=1)))
        context, words, _, length, stride, most, threshold, _ = asked[place]
        right, mine = (tuple(x[place].tolist()) for x in (wanted.value, np.asarray(got)))
        return Text(
            f"文章 {len(context)} 个词元，问题 {len(words)} 个，T = {length}，stride = {stride}，"
            f"max_answer = {most}，threshold = {threshold:g}：应答 {right}，实际为 {mine}。",
            f"A text of {len(context)} tokens, a question of {len(words)}, T = {length}, stride = "
            f"{stride}, max_answer = {most}, threshold = {threshold:g}: the answer should be "
            f"{right}, not {mine}.",
        )

    expect(np.array(found)).equals(wanted, otherwise=what_came)


def _is_pair(answer):
    """Whether it is two ints."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        return False
    parts = [np.asarray(part) for part in answer]
    return all(part.shape == () and part.dtype.kind in "iu" for part in parts)


ask_for_the_name(drill)

LONG = (
    (30, 4, 10, 4, 5),
    (26, 3, 9, 7, 4),
    (33, 2, 12, 5, 6),
    (22, 5, 8, 3, 3),
    (28, 4, 11, 9, 4),
    (25, 3, 7, 2, 5),
    (31, 2, 10, 8, 3),
    (24, 4, 9, 5, 4),
)


@drill.case(
    points=2,
    zh="修好之后：长文章，总有答案",
    en="repaired: long texts, always with an answer",
)
def repaired_with_answers(student, rng):
    """A threshold that nothing reaches; the answer may stand in any window."""
    shown = [s for s in EVERYBODY if not {"null", "decided"} & set(s)]
    _judge(student, telling(rng, LONG, (*SMALL, *shown)))


@drill.case(
    points=2,
    zh="修好之后：有的问题没有答案",
    en="repaired: some questions without an answer",
)
def repaired_without_answers(student, rng):
    """Thresholds on either side of 0; windows differ in what they say of having no answer."""
    _judge(student, telling(rng, LONG, (*NULLS, *UNDECIDED)))


@drill.case(
    points=1,
    zh="修好之后：一个窗，一个词元，步长很大",
    en="repaired: one window, one token, a large step",
)
def repaired_at_the_edges(student, rng):
    """Texts that just fit, and that are one token too long."""
    plans = (
        (9, 3, 9, 4, 4),
        (1, 4, 6, 2, 3),
        (10, 2, 9, 3, 2),
        (20, 3, 6, 6, 3),
        (19, 2, 6, 50, 4),
    )
    _judge(student, telling(rng, plans, SMALL))
    _judge(student, telling(rng, plans, ({"decided": "turned"}, *NULLS)))


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：让某个词元的分数特别高，把它放在问题里、文章开头、末尾、窗的交界。",
            "Don't read yet, experiment: let one token score very high, and put it into the "
            "question, at the beginning, at the end, where two windows meet.",
        ),
        (
            "打印每个窗的两端，和每个窗里 [CLS] 的分数；它们该有几个，最后用了哪个？",
            "Print the ends of every window and its score at [CLS]: how many should there be, and "
            "which of them decides?",
        ),
    ),
)
for _name, _switch in ILLS.items():
    drill.misconception(
        _name,
        switch=_switch,
        zh=STILL_ILL.zh,
        en=STILL_ILL.en,
        hints=ILL_HINTS,
        hides_properties=True,
    )
for _name, (_switch, _zh, _en, _hints) in OTHERS.items():
    drill.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _answers(seen):
    """Answers that came back, those that should have, and the questions.

    Raises:
        LookupError: the observation is about one answer of another form.
    """
    if seen.prediction.parts != ("answers",):
        raise LookupError("no answers here")
    return np.asarray(seen.actual), seen.expected, seen.args[0]


@drill.property(
    "two_ints_come_back",
    zh="repaired 应当返回一对整数：(first, last)，没有答案是 (-1, -1)。",
    en="repaired should return a pair of ints, (first, last), or (-1, -1) for no answer.",
)
def no_pair(seen):
    return seen.prediction.parts == ("first", "last")


@drill.property(
    "there_is_an_answer_or_not",
    zh="有答案的说没有，或者没有的说有。",
    en="No answer where there is one, or one where there is none.",
)
def decided_wrongly(seen):
    got, wanted, _ = _answers(seen)
    return bool(((got[:, 0] == -1) != (wanted[:, 0] == -1)).any())


@drill.property(
    "answers_are_in_the_text",
    zh="有的答案不在文章里，或者结尾在开头前面。",
    en="Some answer isn't in the text, or ends before it begins.",
)
def answers_leave_the_text(seen):
    got, _, questions = _answers(seen)
    ends = np.array([len(question[0]) for question in questions])
    inside = (got[:, 0] >= 0) & (got[:, 0] <= got[:, 1]) & (got[:, 1] < ends)
    return not (inside | (got == -1).all(axis=1)).all()


@drill.property(
    "best_answers_are_found",
    zh="有答案，可是不是最好的那一段。",
    en="There is an answer, but not the best one.",
)
def another_is_better(seen):
    got, wanted, _ = _answers(seen)
    both = (got[:, 0] != -1) & (wanted[:, 0] != -1)
    return bool((got[both] != wanted[both]).any())
