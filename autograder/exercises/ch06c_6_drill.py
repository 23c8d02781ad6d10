"""Notebook ch06c, exercise 6: the debugging drill."""

import contextlib

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06c_1_prefix import NOTEBOOK
from autograder.exercises.ch06c_drill_mistakes import ILL_HINTS, ILLS, OTHERS, STILL_ILL
from autograder.exercises.common import derived
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import prefix_writing as oracles

CLOSE = {"atol": 2e-4, "rtol": 1e-4}
WORDS, MARKS = 14, 3  # ids of words, and behind them those of [CLS], [SEP] and padding
DRILL_BUGS = tuple(ILLS)

drill = Exercise(
    "drill_ch06c_generate_and_verify",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    needs={"prefix_mask": "autograder.stand_ins.ch06c_generate_and_verify:prefix_mask"},
    variants=DRILL_BUGS,
    tensors=False,
)


def ends_of(said, sep_id):
    """Whether each row has ended, and after how many tokens it stopped."""
    return [sep_id in row for row in said], [len(row) for row in said]


def drawn(rng, lengths, max_length, telling, fits):
    """Sources, a model and marks for which these mistakes show.

    Args:
        rng: generator.
        lengths: of the sources.
        max_length: int.
        telling: switches, each of which has to change what is said or its score.
        fits: function of what is said and [SEP] that says whether this is the example wanted.
    """
    for _ in range(500):
        marks = tuple(int(mark) for mark in WORDS + rng.permutation(MARKS))
        weights = oracles.some_model(rng, WORDS + MARKS, 8, max(lengths) + max_length + 4)
        weights[-1][[marks[0], marks[2]]] = -6.0  # [CLS] and padding are never said
        weights[-1][marks[1]] = 1.5
        weights = tuple(np.asarray(each, np.float32) for each in weights)
        sources = [[int(word) for word in rng.integers(0, WORDS, length)] for length in lengths]
        given = (sources, weights, *marks, max_length)
        margins = []
        said, scores = oracles.write(*given, margins=margins)
        if not fits(said, marks[1]) or min(margins) < 0.02:
            continue
        others = (oracles.write(*given, **switch) for switch in telling)
        if all(other != said or np.abs(found - scores).max() > 0.05 for other, found in others):
            break
    return given


def _as_arrays(max_length):
    """Makes arrays of what came back, which are easier to compare; anything odd stays as it is."""

    def rows(said):
        return oracles.as_rows(said, 2 * max_length)

    ways = (
        lambda said, scores: (rows(said), np.asarray(scores)),
        lambda scores, said: (np.asarray(scores), rows(said)),
        lambda *said: rows(said),
    )

    def change(found):
        for way in ways if isinstance(found, (tuple, list)) else ():
            with contextlib.suppress(TypeError, ValueError):
                return way(*found)
        return found

    return change


def _judge(student, given):
    sources, weights, *rest = given
    wanted = oracles.prefix_writing(*given)

    def said(got):
        right, scores = wanted.value
        wrong = (got[0] != right).any(axis=1)
        row = int(np.argmax(wrong if wrong.any() else np.abs(got[1] - scores)))
        lines = [[int(token) for token in each[row] if token >= 0] for each in (right, got[0])]
        if wrong.any():
            return Text(
                f"第 {row} 行应当写出 {lines[0]}，实际写出 {lines[1]}。",
                f"Row {row} should say {lines[0]}, and says {lines[1]}.",
            )
        return Text(
            f"写出来的都对；第 {row} 行的分数应当是 {scores[row]:.3f}，实际是 {got[1][row]:.3f}。",
            f"What is said is right; the score of row {row} should be {scores[row]:.3f}, and is "
            f"{got[1][row]:.3f}.",
        )

    found = student.named("repaired")(sources, fixture("planted_writer", *weights), *rest)
    expect(derived(found, _as_arrays(rest[-1]))).equals(wanted, otherwise=said, **CLOSE)


def _forms(*names):
    """The switches of these bugs, in their commonest form."""
    found = [ILLS[name] for name in names]
    return [switch if isinstance(switch, dict) else switch[0] for switch in found]


ask_for_the_name(drill)


@drill.case(
    points=2,
    zh="修好之后：几行长短不一，先后写完",
    en="repaired: rows of various lengths, which end one after the other",
)
def repaired_rows(student, rng):
    """Each bug of the list shows here; then as many rows as places, more or less."""

    def one_after_the_other(said, sep_id):
        ended, lengths = ends_of(said, sep_id)
        return all(ended) and len(set(lengths)) > 1 and max(lengths) > 2

    _judge(student, drawn(rng, (5, 2, 4), 7, _forms(*ILLS), one_after_the_other))
    telling = _forms("source_causal", "source_sees_target", "target_in_segment_0")
    _judge(student, drawn(rng, (3, 6, 1, 2), 8, telling, one_after_the_other))


@drill.case(
    points=2,
    zh="修好之后：写到 max_length 还没写完的",
    en="repaired: rows that haven't ended at max_length",
)
def repaired_cut_off(student, rng):
    """Some rows end and others don't; then none does."""

    def some_end(said, sep_id):
        ended, lengths = ends_of(said, sep_id)
        return any(ended) and not all(ended) and min(lengths) < 4

    telling = _forms("padding_visible", "last_column_read", "all_stop_with_first")
    _judge(student, drawn(rng, (4, 1, 6), 5, telling, some_end))
    telling = _forms("source_causal", "source_sees_target", "logits_not_log_probabilities")
    _judge(student, drawn(rng, (3, 5), 4, telling, lambda said, sep: sep not in said[0] + said[1]))


@drill.case(
    points=1,
    zh="修好之后：只有一行；一步；马上就写完",
    en="repaired: a single row; a single step; an end at once",
)
def repaired_at_the_edges(student, rng):
    """One row has no padding; a row that says [SEP] first has said nothing."""
    telling = _forms("source_causal", "source_sees_target")
    _judge(student, drawn(rng, (5,), 6, telling, lambda said, sep: len(said[0]) > 2))
    _judge(student, drawn(rng, (2, 4), 1, [], lambda said, sep: True))
    _judge(
        student, drawn(rng, (3, 4), 4, [], lambda said, sep: [sep] in said and said[0] != said[1])
    )


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：一行和两行、原文最后一个词元、写出 [SEP] 之后，各看一看。",
            "Don't read yet, experiment: one row and two, a source's last token, what comes after "
            "[SEP].",
        ),
        (
            "把 model 收到的三样打印出来，逐行跟说明对。",
            "Print the three things that model gets and hold each row against the contract.",
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


def _parts(seen):
    """What was said and the scores, as they came back and as they should have.

    Raises:
        LookupError: they have another form, or the observation is about something else.
    """
    if seen.prediction.parts != ("said", "scores"):
        raise LookupError("nothing written here")
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 2:
        raise LookupError("no pair")
    if [np.shape(part) for part in seen.actual] != [np.shape(part) for part in seen.expected]:
        raise LookupError("other shapes")
    return [np.asarray(part) for part in seen.actual], seen.expected


@drill.property(
    "said_and_scores_come_back",
    zh="repaired 应当返回一对：B 个整数列表，和浮点数组 (B,)。",
    en="repaired should return a pair: B lists of ints, and a float array (B,).",
)
def form_is_wrong(seen):
    if seen.prediction.parts != ("said", "scores"):
        return False
    try:
        _parts(seen)
    except (LookupError, TypeError, ValueError):
        return True
    return False


@drill.property(
    "what_is_said_is_right",
    zh="写出来的词元不对：分数还在其次。",
    en="What is said is wrong; scores come after that.",
)
def said_is_wrong(seen):
    (said, _), (wanted, _) = _parts(seen)
    return not np.array_equal(said, wanted)


@drill.property(
    "scores_are_right",
    zh="写出来的对，分数不对。",
    en="What is said is right, and its score is wrong.",
)
def scores_are_wrong(seen):
    (said, scores), (wanted, right) = _parts(seen)
    return np.array_equal(said, wanted) and not np.allclose(scores, right, **CLOSE)
