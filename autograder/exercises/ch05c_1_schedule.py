"""Notebook ch05c, exercise 1: a learning rate that rises and falls in straight lines."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05c_schedule_mistakes import SCHEDULE
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles.schedules import warmup_linear_decay as oracle

NOTEBOOK = "ch05c_pretraining"
CLOSE = {"atol": 2e-6, "rtol": 5e-5}

warmup_linear_decay = Exercise(
    "warmup_linear_decay",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.training.updates:warmup_linear_decay",
    forbids=("bert_keras.training.optimizers.WarmupLinearDecay",),
)


def as_floats(found):
    """A rate of 0 may come back as a whole number."""

    def floats(rates):
        if isinstance(rates, (tuple, list, dict, str)) or rates is None:
            return rates
        array = np.asarray(rates)
        return array.astype(float) if array.dtype.kind in "iu" else rates

    return derived(found, floats)


def compare(student, step, peak, warmup, total):
    """Compare the student's rates with the oracle's, and say which update it was."""
    asked = oracle(step, peak, warmup, total)

    def in_words(got):
        wanted, rates = np.ravel(asked.value), np.ravel(got)
        first = int(np.argmin(np.isclose(rates, wanted, **CLOSE)))
        now, should, has = (
            str(int(np.ravel(step)[first])),
            f"{wanted[first]:.5g}",
            f"{rates[first]:.5g}",
        )
        return Text(
            f"peak = {peak:.3g}、warmup_steps = {warmup}、total_steps = {total} 时，第 {now} 次"
            f"更新的学习率应为 {should}，实际为 {has}。",
            f"With peak = {peak:.3g}, warmup_steps = {warmup} and total_steps = {total}, update "
            f"{now} should have the rate {should}, but has {has}.",
        )

    expect(as_floats(student(step, peak, warmup, total))).equals(asked, otherwise=in_words, **CLOSE)


def any_plan(rng):
    """A peak, a warm-up and a total, none of them usual."""
    warmup = int(rng.integers(6, 12))
    return round(float(rng.uniform(0.3, 0.8)), 3), warmup, warmup + int(rng.integers(15, 25))


@warmup_linear_decay.case(
    points=1, zh="一次一次地问：升、最高、降", en="one update at a time: rise, peak and fall"
)
def single_updates(student, rng):
    """Whole numbers of Python: the first, the last of the warm-up, and those around it."""
    peak, warmup, total = any_plan(rng)
    for step in (0, warmup // 2, warmup - 1, warmup, warmup + 1, (warmup + total) // 2, total - 1):
        compare(student, step, peak, warmup, total)


@warmup_linear_decay.case(
    points=1,
    zh="一次问整条曲线：整数张量，什么形状都行",
    en="a whole curve at once: tensors of integers, of any shape",
)
def whole_curves(student, rng):
    """In one row, in two axes, in none, and with the shortest warm-up there is."""
    peak, warmup, total = any_plan(rng)
    compare(student, np.arange(total, dtype=np.int32), peak, warmup, total)
    compare(student, np.arange(24, dtype=np.int64).reshape(4, 6), peak, 5, 26)
    compare(student, np.array(3, np.int32), peak, warmup, total)
    compare(student, np.arange(12, dtype=np.int32), peak, 1, 12)


@warmup_linear_decay.case(
    points=1, zh="走完以后：一直是 0", en="after the end: 0, and 0 it remains"
)
def past_the_end(student, rng):
    """Right after it, long after it, and as one curve."""
    peak, warmup, total = any_plan(rng)
    for step in (total, total + 1, 3 * total):
        compare(student, step, peak, warmup, total)
    compare(student, np.arange(total - 2, total + 9, dtype=np.int32), peak, warmup, total)


@warmup_linear_decay.case(
    points=1,
    zh="训练时也能用：编号是张量，数值还不知道",
    en="it works in training, where the number is a tensor without a value yet",
)
def in_training(student, rng):
    """As an optimizer asks; an error here is no evidence of a mistake."""
    peak, warmup, total = any_plan(rng)
    steps = np.arange(0, total + 4, 3, dtype=np.int64)
    found = student.in_training(steps, peak, warmup, total)
    expect(found).equals(oracle(steps, peak, warmup, total), evidence=False, **CLOSE)


for _name, (_switch, _zh, _en, _hints) in SCHEDULE.items():
    warmup_linear_decay.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _wrong(seen):
    """Which rates are wrong, the numbers of their updates, and the plan.

    Raises:
        LookupError: there isn't one rate for each.
    """
    rates, steps = np.asarray(seen.actual, float), np.asarray(seen.args[0], float)
    if rates.shape != steps.shape:
        raise LookupError("another shape")
    return ~np.isclose(rates, seen.expected, **CLOSE), steps, *seen.args[2:]


@warmup_linear_decay.property(
    "one_rate_for_each_update",
    zh="应当一次更新一个学习率，形状和 step 一样。",
    en="There should be one rate for every update, in the shape of step.",
)
def another_number_of_rates(seen):
    return np.shape(seen.actual) != np.shape(seen.args[0])


@warmup_linear_decay.property(
    "rates_are_never_negative", zh="有的学习率是负的。", en="Some rates are negative."
)
def rate_is_negative(seen):
    return bool((np.asarray(seen.actual, float) < -1e-6).any())


@warmup_linear_decay.property(
    "rise_is_right",
    zh="预热期间（编号比 warmup_steps 小）的学习率不对。",
    en="The rate is wrong during the warm-up (numbers below warmup_steps).",
)
def rise_is_wrong(seen):
    wrong, steps, warmup, _ = _wrong(seen)
    return bool(wrong[steps < warmup].any())


@warmup_linear_decay.property(
    "fall_is_right",
    zh="预热以后、走完之前的学习率不对。",
    en="The rate is wrong between the warm-up and the end.",
)
def fall_is_wrong(seen):
    wrong, steps, warmup, total = _wrong(seen)
    return bool(wrong[(steps >= warmup) & (steps < total)].any())


@warmup_linear_decay.property(
    "end_is_right",
    zh="走完以后（编号从 total_steps 起）的学习率不是 0。",
    en="The rate isn't 0 after the end (numbers from total_steps on).",
)
def end_is_wrong(seen):
    wrong, steps, _, total = _wrong(seen)
    return bool(wrong[steps >= total].any())
