"""Notebook ch04b, exercise 3: draw one token for every row."""

import itertools

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04b_draw_mistakes import DRAWING
from autograder.exercises.ch04b_sample_mistakes import SHAPING
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import sampling_laws as laws

NOTEBOOK = "ch04b_gpt"
# Likelier ones first; their running sums keep away from the top_p of the cases.
SHARES = (0.40, 0.24, 0.16, 0.10, 0.06, 0.04)
SIZE = len(SHARES)
ROWS = 3000  # of each kind: tells shares of 0.4 and 0.52 apart, see test_ch04b_oracles
NOT_THE_FORM = Text(
    "应当每行返回一个编号：整数，形状 (B,)。",
    "One id for each row should come back: integers of shape (B,).",
)
NOT_REFUSED = Text(
    "温度不大于 0，应当抛出 ValueError。",
    "A temperature that isn't above 0 should raise a ValueError.",
)

sample = Exercise(
    "sample",
    notebook=NOTEBOOK,
    points=6,
    forbids=("bert_keras.generation.truncate_logits", "bert_keras.generation.sample"),
)


def _ranked():
    """All that the tokens of two rows may be, each from the likeliest down.

    The likeliest two are neither the first nor the last id. Where the nucleus has three tokens and
    top-k took out two, it must not matter in which order a sort leaves those two; and an order
    mustn't pass for its own inverse. Rows share none of their likeliest two, and none of the
    unlikeliest: a softmax along the batch would be 0/0 where top-k took a token out of all rows.
    Nor may two tokens have the same share in such a softmax.
    """

    def ratios(one, other):
        pairs = [SHARES[one.index(token)] / SHARES[other.index(token)] for token in range(SIZE)]
        return {round(ratio, 6) for ratio in pairs}

    rows = [
        row
        for row in itertools.permutations(range(SIZE))
        if not {0, SIZE - 1} & set(row[:2])
        and (row[-2] < 3) == (row[-1] < 3)
        and row[0] != row.index(0)
    ]
    return np.array(
        [
            (one, other)
            for one, other in itertools.product(rows, rows)
            if not set(one[:2]) & set(other[:2])
            and not set(one[-2:]) & set(other[-2:])
            and len(ratios(one, other)) == SIZE
        ]
    )


RANKED = _ranked()


def two_kinds(rng):
    """Logits (2, V) of two rows that differ in every way a mistake might depend on.

    The likeliest tokens of one are unlikely in the other, neither is sorted, and each has a
    constant of its own added, which changes no probability.
    """
    orders = np.argsort(RANKED[rng.integers(len(RANKED))], axis=1)
    logits = np.log(np.asarray(SHARES))[orders] + np.array([[-0.5], [2.5]])
    return logits.astype(np.float32)


def in_turn(logits, rows):
    """The batch of so many rows of each kind."""
    return np.tile(logits, (rows, 1))


def _follows(student, logits, *settings, rows=ROWS, calls=1, **how):
    """What comes of some calls has the right form and is spread as it should be."""
    batch = in_turn(logits, rows)
    found = [student(batch, **how) for _ in range(calls)]
    seeded = isinstance(how.get("seed"), int)
    expect(derived(found[0], laws.form_of)).equals(
        laws.form(laws.KINDS * rows, SIZE, settings[1]), otherwise=NOT_THE_FORM
    )
    actual = _unless_failed(found, lambda: laws.outcomes(found, rows, SIZE))
    expect(actual).follows(laws.draws(logits, rows, *settings, seeded, calls))


def _unless_failed(results, make):
    """What is made of results, or the first of them that failed."""
    failed = [each for each in results if isinstance(each, Failed)]
    return failed[0] if failed else make()


@sample.case(
    points=1,
    zh="每一行按自己的概率抽一个",
    en="every row draws a token by its own probabilities",
)
def plain(student, rng):
    """Many calls, since all rows of a batch may share one draw; then a batch of one row."""
    logits = two_kinds(rng)
    _follows(student, logits, 1.0, 0, 1.0, rows=50, calls=60)
    expect(derived(student(logits[:1]), laws.form_of)).equals(
        laws.form(1, SIZE), otherwise=NOT_THE_FORM
    )


@sample.case(points=1, zh="温度", en="temperature")
def temperature(student, rng):
    """Sharper, then flatter."""
    logits = two_kinds(rng)
    for heat in (0.4, 3.0):
        _follows(student, logits, heat, 0, 1.0, temperature=heat)


@sample.case(points=1, zh="top-k", en="top-k")
def only_the_top(student, rng):
    """Three, one, and more than there are; with a temperature, which changes nothing of it."""
    logits = two_kinds(rng)
    for number, heat in ((3, 1.0), (1, 1.0), (2, 2.0), (SIZE + 2, 1.0)):
        _follows(student, logits, heat, number, 1.0, temperature=heat, top_k=number)


@sample.case(points=1, zh="top-p", en="top-p")
def only_the_nucleus(student, rng):
    """The likeliest alone reaches 0.31, three tokens reach 0.71, 0.95 leaves one out.

    No sum of some of the `SHARES` is one of these, so that rounding decides nothing. First in
    small batches: a softmax along the batch gives shares there that are worth adding up.
    """
    logits = two_kinds(rng)
    _follows(student, logits, 1.0, 0, 0.31, rows=10, calls=100, top_p=0.31)
    for share in (0.31, 0.71, 0.95):
        _follows(student, logits, 1.0, 0, share, top_p=share)


@sample.case(
    points=1,
    zh="三样一起：先温度，再 top-k，再 top-p",
    en="all three: temperature, then top-k, then top-p",
)
def all_together(student, rng):
    """At these settings any other order keeps other tokens."""
    logits = two_kinds(rng)
    for heat, number, share in ((2.0, 4, 0.7), (0.5, 4, 0.9)):
        how = {"temperature": heat, "top_k": number, "top_p": share}
        _follows(student, logits, heat, number, share, **how)


@sample.case(
    points=1,
    zh="种子：整数、生成器、不给；温度不大于 0",
    en="seeds: an int, a generator, none; a temperature that isn't above 0",
)
def seeds_and_limits(student, rng):
    """Sixty-four rows: two different draws never agree in all of them."""
    logits = two_kinds(rng)
    batch = in_turn(logits, 32)
    first, second, third = (int(number) for number in rng.choice(10_000, 3, replace=False))
    _follows(student, logits, 1.0, 0, 1.0, seed=third)
    generator = [fixture("seed_generator", first, fresh) for fresh in (True, False)]
    calls = ((first, first), (first, second), (None, None), generator)
    drawn = [[student(batch, seed=seed) for seed in pair] for pair in calls]
    agree = _unless_failed([one for pair in drawn for one in pair], lambda: laws.agreements(drawn))
    expect(agree).follows(laws.repeats(logits))
    for heat in (0.0, -1.0):
        found = student(batch, temperature=heat)
        told = isinstance(found, Failed) and found.error.type == "ValueError"
        expect(np.asarray(told)).equals(laws.refused(heat), otherwise=NOT_REFUSED)


for _name, (_switch, _zh, _en, _hints) in (SHAPING | DRAWING).items():
    sample.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _settings(seen):
    """Temperature, top_k and top_p of an observation.

    Raises:
        LookupError: it isn't about draws.
    """
    if seen.prediction.parts != ("draws",):
        raise LookupError("no draws here")
    return seen.args[2:5]


@sample.property(
    "one_id_for_each_row",
    zh="返回的形式不对：每行一个整数编号，形状 (B,)。",
    en="The form is wrong: one integer id for each row, of shape (B,).",
)
def form_is_wrong(seen):
    return seen.prediction.parts == ("form",)


# First what is wrong with the drawing alone: what it spoils elsewhere says less.
@sample.property(
    "right_without_settings",
    zh="温度为 1、什么都不去掉的时候就不对：先查抽样本身。",
    en="Wrong even at temperature 1 with nothing taken out: look at the drawing itself first.",
)
def wrong_without_settings(seen):
    return tuple(_settings(seen)) == (1.0, 0, 1.0)


@sample.property(
    "no_token_that_was_removed",
    zh="抽到了应当去掉的词元。",
    en="Tokens are drawn that should have been taken out.",
)
def removed_ones_are_drawn(seen):
    _settings(seen)
    laws_and_draws = zip(seen.expected.laws.items(), seen.actual, strict=True)
    return any(
        "token" in name and np.any(outcomes) and getattr(law, "p", None) == 0.0
        for (name, law), outcomes in laws_and_draws
    )


@sample.property(
    "temperature_alone_is_right",
    zh="只用温度就不对。",
    en="Wrong with a temperature alone.",
)
def wrong_with_temperature(seen):
    heat, number, share = _settings(seen)
    return heat != 1.0 and not number and share == 1.0


@sample.property("top_k_alone_is_right", zh="只用 top_k 就不对。", en="Wrong with top_k alone.")
def wrong_with_top_k(seen):
    _, number, share = _settings(seen)
    return bool(number) and share == 1.0


@sample.property("top_p_alone_is_right", zh="只用 top_p 就不对。", en="Wrong with top_p alone.")
def wrong_with_top_p(seen):
    _, number, share = _settings(seen)
    return not number and share < 1.0


@sample.property(
    "steps_in_order",
    zh="三样单独都对，合在一起不对：看它们的先后，以及后一步用的是哪一份分布。",
    en="Each alone may be right, together they aren't: look at their order and at which "
    "distribution each step uses.",
    alone=True,
)
def wrong_together(seen):
    _, number, share = _settings(seen)
    return bool(number) and share < 1.0


@sample.property(
    "seed_decides",
    zh="种子用得不对：同一个整数应当抽到同样的，别的情形应当不同。",
    en="The seed isn't used as it should be: the same int draws the same, anything else differs.",
)
def seed_is_misused(seen):
    return seen.prediction.parts == ("repeats",)


@sample.property(
    "temperature_is_checked",
    zh="不大于 0 的温度没有抛出 ValueError。",
    en="A temperature that isn't above 0 raises no ValueError.",
)
def temperature_is_not_checked(seen):
    return seen.prediction.parts == ("refused",)
