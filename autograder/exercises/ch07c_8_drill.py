"""Notebook ch07c, exercise 8: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07c_7_temperature import LIST, MARGIN, some_logits
from autograder.exercises.ch07c_drill_mistakes import ILL_HINTS, ILLS, OTHERS, STILL_ILL
from autograder.exercises.ch07c_kit import NOTEBOOK, as_floats, telling
from autograder.exercises.common import derived, name_mistakes
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.oracles.calibrated import calibrated as oracle
from autograder.oracles.temperatures import log_probabilities, losses_of

DRILL_BUGS = tuple(ILLS)
EVERYBODY = [
    {"weight": "signed"},
    *(form for row in ILLS.values() for form in ((row,) if isinstance(row, dict) else row)),
]
PARTS = ("temperature", "before", "after")
NEAR = 1e-4  # nothing is so near the edge of a bin that rounding could move it

drill = Exercise(
    "drill_ch07c_failure",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    tensors=False,
    variants=DRILL_BUGS,
)


def some_rows(rng, number, num_classes, sharpness, share, num_bins, unsure=0.45):
    """Arguments: a share of the rows is dev, and is less sharp than the rest, so that rows matter.

    Of the rest a share is right and looks unsure, so that there are gaps of both signs.
    """
    dev = rng.permutation(number) < share * number
    logits, labels = some_logits(rng, number, num_classes, sharpness)
    logits = np.where(dev[:, None], logits, logits * 1.75)
    modest = ~dev & (rng.random(number) < unsure)
    logits[modest] *= 0.25
    labels[modest] = np.where(
        rng.random(int(modest.sum())) < 0.9, logits[modest].argmax(axis=1), labels[modest]
    )
    order = [float(t) for t in rng.permutation(LIST)]
    return logits, labels, dev, order, num_bins


def is_clear(given):
    """Whether rounding changes neither the temperature nor a row's bin."""
    logits, labels, dev, order, num_bins = given
    losses = losses_of(logits[dev], labels[dev], order)
    best = np.sort(losses)
    if best[1] - best[0] < MARGIN:
        return False
    for temperature in (1.0, order[int(np.argmin(losses))]):
        sure = np.exp(log_probabilities(logits, temperature)).max(axis=1)
        scaled = sure * num_bins
        inside = sure < 1 - 1e-9
        if (np.abs(scaled - np.round(scaled))[inside] < NEAR).any():
            return False
    return True


def drawn(rng, *sizes, tries=8):
    """Arguments for which the bugs show and differ."""

    def make():
        for _ in range(30):
            given = some_rows(rng, *sizes)
            if is_clear(given):
                break
        return given

    def ask(given, switch):
        return oracle(*given).predict(switch, np.float64)

    return telling(make, ask, EVERYBODY, tries)


def mostly_wrong(rng):
    """A model that dev shows to be mostly wrong: losses of the labels and others part there."""
    for _ in range(30):
        logits, labels, dev, order, num_bins = some_rows(rng, 72, 3, 1.6, 0.5, 6)
        rows = np.flatnonzero(dev)
        likely, unlikely = logits[rows].argmax(axis=1), logits[rows].argmin(axis=1)
        labels[rows] = np.where(np.arange(len(rows)) % 6 == 0, likely, unlikely)
        given = logits, labels, dev, order, num_bins
        if is_clear(given):
            break
    return given


def judge(student, given):
    logits, labels, dev, order, num_bins = given
    found = student.named("repaired")(
        logits.copy(), labels.copy(), dev.copy(), list(order), num_bins
    )
    expect(derived(found, as_floats)).equals(oracle(*given))


ask_for_the_name(drill)


@drill.case(
    points=2,
    zh="修好之后：太自信的模型",
    en="repaired: a model that is too sure",
)
def repaired_too_sure(student, rng):
    """Half of the rows choose the temperature; five bins and eight, and six."""
    judge(student, mostly_wrong(rng))
    for sizes in ((60, 3, 2.2, 0.5, 5), (80, 4, 2.8, 0.4, 8)):
        judge(student, drawn(rng, *sizes))


@drill.case(
    points=2,
    zh="修好之后：不够自信的模型；dev 多，dev 少",
    en="repaired: a model that isn't sure enough; many rows in dev, and few",
)
def repaired_not_sure(student, rng):
    """Rows of dev anywhere among the others."""
    for sizes in ((90, 3, 0.35, 0.7, 4), (80, 5, 0.4, 0.4, 6)):
        judge(student, drawn(rng, *sizes))


@drill.case(
    points=1,
    zh="修好之后：两类；格子很多，很多是空的",
    en="repaired: two classes; many bins, many of them empty",
)
def repaired_other_sizes(student, rng):
    """More bins than rows."""
    for sizes in ((50, 2, 2.5, 0.5, 10, 0.1), (30, 3, 1.8, 0.5, 20, 0.1)):
        judge(student, drawn(rng, *sizes))


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：四行两类，两行在 dev 里，一个格子，心算得出来的数。",
            "Don't read yet, experiment: four rows of two classes, two of them in dev, a single "
            "bin, and numbers that you can do in your head.",
        ),
        (
            "挑温度和评判是两件事：先看 temperature 对不对，再看 before，最后看 after。",
            "Choosing a temperature and judging it are two things: look at temperature first, then "
            "at before, and at after last.",
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
name_mistakes(drill, OTHERS)


def _three(seen):
    """The three numbers that came back, and those that should have.

    Raises:
        LookupError: it is no such triple.
    """
    got = seen.actual
    if seen.prediction.parts != PARTS or not isinstance(got, tuple) or len(got) != 3:
        raise LookupError("no triple")
    if any(np.shape(each) != () for each in got):
        raise LookupError("no numbers")
    return [float(each) for each in got], [float(each) for each in seen.expected]


@drill.property(
    "three_numbers_come_back",
    zh="repaired 应当返回三个小数：temperature、before、after。",
    en="repaired should return three floats: temperature, before and after.",
)
def no_triple(seen):
    if seen.prediction.parts != PARTS:
        return False
    try:
        _three(seen)
    except (LookupError, TypeError, ValueError):
        return True
    return False


@drill.property(
    "temperature_is_right",
    zh="temperature 不对：哪些行挑，按什么挑？",
    en="temperature is wrong: which rows choose it, and by what?",
)
def temperature_is_wrong(seen):
    got, wanted = _three(seen)
    return not np.isclose(got[0], wanted[0], atol=1e-4)


@drill.property(
    "before_is_right",
    zh="before 不对：哪些行评判，格子怎么分、怎么加权？",
    en="before is wrong: which rows are judged, and how are bins cut and weighted?",
)
def before_is_wrong(seen):
    got, wanted = _three(seen)
    return not np.isclose(got[1], wanted[1], atol=1e-4)


@drill.property(
    "after_is_right",
    zh="temperature 和 before 都对，after 不对：温度是怎么用的？",
    en="temperature and before are right, after isn't: how is the temperature used?",
)
def after_is_wrong(seen):
    got, wanted = _three(seen)
    before = np.allclose(got[:2], wanted[:2], atol=1e-4)
    return before and not np.isclose(got[2], wanted[2], atol=1e-4)
