"""Notebook ch06b, exercise 3: precision, recall and F1 of spans."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06b_1_labels import NOTEBOOK
from autograder.exercises.ch06b_f1_mistakes import SCORES
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles.span_scores import as_three
from autograder.oracles.span_scores import span_f1 as oracle

KINDS = ("PER", "LOC", "ORG")
CLOSE = {"atol": 1e-6, "rtol": 1e-6}

span_f1 = Exercise(
    "span_f1",
    notebook=NOTEBOOK,
    points=4,
    tensors=False,
)


def some_gold(rng, number):
    """So many spans of one sentence, from left to right, of all kinds; some of them touch."""
    spans, at = [], int(rng.integers(2))
    for _ in range(number):
        length = int(rng.integers(1, 4))
        spans.append((KINDS[rng.integers(3)], at, at + length))
        at += length + int(rng.integers(0, 3))
    return spans


def guessed(rng, gold, plan):
    """What a model says, by a plan with a word for every right span.

    Args:
        gold: list of spans.
        plan: list of "hit", "missed", "kind" (another one), "early" or "late" (one end is another),
            "shifted", "split" (its words one by one) and "twice".
    """
    said = []
    for (kind, start, end), what in zip(gold, plan, strict=True):
        other = KINDS[(KINDS.index(kind) + 1 + int(rng.integers(2))) % 3]
        new = {
            "hit": [(kind, start, end)],
            "missed": [],
            "kind": [(other, start, end)],
            "early": [(kind, start, end + 1)],
            "late": [(kind, start + 1, end + 1)] if end - start == 1 else [(kind, start + 1, end)],
            "shifted": [(kind, start + 1, end + 1)],
            "split": [(kind, i, i + 1) for i in range(start, end + 1)],
            "twice": [(kind, start, end)] * 2,
        }[what]
        # Near misses may meet; what is there twice by accident would hide what they test.
        said += [span for span in new if span not in said]
    return said


def some_sentences(rng, plans, extra=(), shuffled=True):
    """Right and predicted spans of several sentences.

    Args:
        plans: for each sentence, what becomes of its spans; see `guessed`.
        extra: numbers of sentences in which something is said that isn't there.
        shuffled: whether spans come in another order than in the sentence.
    """
    gold, said = [], []
    for number, plan in enumerate(plans):
        words = plan.split()
        right = some_gold(rng, len(words))
        guess = guessed(rng, right, words)
        if number in extra:
            guess.append((KINDS[rng.integers(3)], 30, 32))
        if shuffled:
            right, guess = ([x[i] for i in rng.permutation(len(x))] for x in (right, guess))
        gold.append(right)
        said.append(guess)
    return gold, said


def _judge(student, gold, said):
    found = student(fixture("lent_spans", gold), fixture("lent_spans", said))
    expect(derived(found, as_three)).equals(oracle(gold, said), **CLOSE)


@span_f1.case(
    points=1,
    zh="几句合起来：对的、漏的、多的",
    en="several sentences together: right, missed, too many",
)
def hits_and_misses(student, rng):
    """Sentences with very different numbers of spans; precision and recall are far apart."""
    plans = ("hit missed hit missed missed", "hit", "missed hit missed")
    _judge(student, *some_sentences(rng, plans, (1,)))
    plans = ("hit hit", "missed", "hit hit hit missed hit", "hit")
    _judge(student, *some_sentences(rng, plans, (0, 1, 3)))


@span_f1.case(
    points=1,
    zh="差一点就是错：种类不对，差一个词，在别的句子里",
    en="nearly right is wrong: another kind, a word too many, in another sentence",
)
def nearly_right(student, rng):
    """Every kind of near miss by itself among hits; the same spans in other sentences."""
    gold, said = some_sentences(rng, ("hit missed", "hit hit missed", "hit", "missed hit hit"))
    _judge(student, gold, [*said[1:], said[0]])
    for near in ("kind", "early", "late", "shifted", "split"):
        plans = (f"hit {near} hit", f"{near} hit missed", "hit missed", near)
        _judge(student, *some_sentences(rng, plans, (2,)))


@span_f1.case(
    points=1,
    zh="分母是 0：没有说，没有正确的，没有句子",
    en="a divisor of 0: nothing said, nothing right, no sentence",
)
def nothing_there(student, rng):
    """Empty sentences among others first."""
    plans = ("hit missed", "", "hit", "", "missed missed hit")
    _judge(student, *some_sentences(rng, plans, (3,)))
    gold, said = some_sentences(rng, ("hit hit", "hit"))
    empty = [[], []]
    _judge(student, gold, empty)
    _judge(student, empty, said)
    _judge(student, empty, empty)
    _judge(student, *some_sentences(rng, ("missed", "kind missed"), (0,)))
    _judge(student, [], [])


@span_f1.case(
    points=1,
    zh="同一个片段写了两遍；全对；长的一批",
    en="a span that is listed twice; all right; a large batch",
)
def large(student, rng):
    """Twice in what is said, twice in what is right, in both."""
    _judge(student, *some_sentences(rng, ("twice hit missed", "twice missed twice")))
    gold, said = some_sentences(rng, ("hit missed hit", "twice missed"))
    _judge(student, [[*spans, spans[0]] for spans in gold], said)
    _judge(student, *some_sentences(rng, ("hit hit", "hit", "")))
    words = ("hit", "hit", "missed", "kind", "early", "late", "twice")
    plans = [" ".join(rng.choice(words, rng.integers(0, 7))) for _ in range(14)]
    _judge(student, *some_sentences(rng, plans, (3, 8)))


for _name, (_switch, _zh, _en, _hints) in SCORES.items():
    span_f1.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _three(seen):
    """The three numbers that came back, and those that should have.

    Raises:
        LookupError: there aren't three numbers.
    """
    if not isinstance(seen.actual, tuple) or len(seen.actual) != 3:
        raise LookupError("not three")
    if any(np.shape(part) != () for part in seen.actual):
        raise LookupError("not three numbers")
    return [float(part) for part in seen.actual], [float(part) for part in seen.expected]


@span_f1.property(
    "three_numbers",
    zh="应当返回三个数：精确率、召回率、F1。",
    en="Three numbers should come back: precision, recall, F1.",
)
def no_three(seen):
    try:
        _three(seen)
    except (LookupError, TypeError, ValueError):
        return True
    return False


@span_f1.property(
    "from_zero_to_one",
    zh="有的数不在 0 和 1 之间。",
    en="Some number isn't between 0 and 1.",
)
def beyond_the_scale(seen):
    got, _ = _three(seen)
    return any(not -1e-9 <= x <= 1 + 1e-9 for x in got)


@span_f1.property(
    "precision_is_right",
    zh="精确率不对：对的有几个，说了几个？",
    en="Precision is wrong: how many are right, and how many are said?",
)
def precision_is_wrong(seen):
    got, wanted = _three(seen)
    return not np.isclose(got[0], wanted[0], **CLOSE)


@span_f1.property(
    "recall_is_right",
    zh="召回率不对：对的有几个，该有几个？",
    en="Recall is wrong: how many are right, and how many should there be?",
)
def recall_is_wrong(seen):
    got, wanted = _three(seen)
    return not np.isclose(got[1], wanted[1], **CLOSE)


@span_f1.property(
    "f1_follows_from_both",
    zh="精确率和召回率都对，F1 不对。",
    en="Precision and recall are right, F1 isn't.",
)
def f1_is_wrong(seen):
    got, wanted = _three(seen)
    return bool(np.allclose(got[:2], wanted[:2], **CLOSE)) and not np.isclose(
        got[2], wanted[2], **CLOSE
    )
