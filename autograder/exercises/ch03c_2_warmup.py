"""Notebook ch03c, exercise 2: a learning rate that rises first and falls then."""

import numpy as np

from autograder.exercise import Exercise
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles.recipe import warmup_schedule as oracle

NOTEBOOK = "ch03c_transformer"
CLOSE = {"atol": 1e-9, "rtol": 2e-5}

warmup_schedule = Exercise("warmup_schedule", notebook=NOTEBOOK, points=3)


def compare(student, step, width, warmup):
    """Compare the student's rates with the oracle's, and say which step it was."""
    asked = oracle(step, width, warmup)

    def in_words(got):
        wanted, rates = np.ravel(asked.value), np.ravel(got)
        first = int(np.argmin(np.isclose(rates, wanted, **CLOSE)))
        now, should, has = (
            f"{np.ravel(step)[first]:g}",
            f"{wanted[first]:.5g}",
            f"{rates[first]:.5g}",
        )
        return Text(
            f"D = {width}、warmup_steps = {warmup} 时，第 {now} 步的学习率应为 {should}，"
            f"实际为 {has}。",
            f"With D = {width} and warmup_steps = {warmup}, the rate at step {now} should be "
            f"{should}, but is {has}.",
        )

    expect(student(step, width, warmup)).equals(asked, otherwise=in_words, **CLOSE)


@warmup_schedule.case(
    points=1, zh="一步一步地问：升、顶点、降", en="one step at a time: rise, peak and fall"
)
def single_steps(student, rng):
    """Whole numbers and one that isn't, as numbers of Python."""
    width, warmup = int(rng.integers(90, 130)), int(rng.integers(30, 50))
    for step in (2.5, 1, warmup // 3, warmup, 3 * warmup, 17 * warmup):
        compare(student, step, width, warmup)


@warmup_schedule.case(
    points=1, zh="一次问整条曲线；整数要先转换", en="a whole curve at once, of whole numbers too"
)
def whole_curve(student, rng):
    """Other widths and warm-ups; as floats first, then as ids of steps are."""
    steps = np.arange(1, 40, 3)
    for kind, width, warmup in (("float32", 512, 9), ("int32", 64, 23)):
        compare(student, steps.astype(kind), width, warmup)


@warmup_schedule.case(
    points=1,
    zh="训练时也能用：步数是张量，数值还不知道",
    en="it works in training, where the step is a tensor without a value yet",
)
def in_training(student, rng):
    """As an optimizer asks; an error here is no evidence of a mistake."""
    steps = np.arange(1, 30, 4, dtype=np.int64)
    found = student.in_training(steps, 128, 11)
    expect(found).equals(oracle(steps, 128, 11), evidence=False, **CLOSE)


CHOICE_HINTS = (
    (
        "在第 1 步，括号里的两项哪个小？在很晚的步呢？画在一张图上。",
        "At step 1, which of the two terms is smaller? And very late? Draw both in one chart.",
    ),
    (
        "学习率要先升后降：两条曲线相交的地方就是顶点。",
        "The rate should rise and then fall: its peak is where the two curves meet.",
    ),
)
POWER_HINTS = (
    (
        "在 step = warmup_steps 处，两项应当相等：代进去看看。",
        "At step = warmup_steps the two terms should be equal: put it in and see.",
    ),
    (
        "预热时学习率随 step 成正比地升；之后 step 变成 4 倍，学习率减半。",
        "While warming up the rate grows in proportion to the step; later, four times the step "
        "halves it.",
    ),
)
WIDTH_HINTS = (
    (
        "模型宽 4 倍，学习率应当变成多少？",
        "What should become of the rate when the model is four times as wide?",
    ),
    (
        "式子最前面的因子只和 D 有关。",
        "The factor in front of the formula depends on D alone.",
    ),
)
ARGUMENT_HINTS = (
    (
        "同一步，换一个 hidden_dim，再换一个 warmup_steps：结果变吗？",
        "At the same step, take another hidden_dim and then another warmup_steps. Does the result "
        "change?",
    ),
    (
        "函数里的数，哪些是式子里的，哪些本该是参数？",
        "Of the numbers in your function, which are the formula's, and which should be arguments?",
    ),
)
TENSOR_HINTS = (
    (
        "把 step 换成一个张量，装着整数 1 到 9：哪一步出的错？",
        "Let the step be a tensor of the whole numbers from 1 to 9: which operation is it that "
        "fails?",
    ),
    (
        "张量要用 keras.ops 里逐个元素算的函数；整数张量开不了根，先转成浮点数。",
        "Tensors need the functions of keras.ops, which work element by element; whole numbers "
        "have to be cast before a root is taken of them.",
    ),
)

for _name, (_switch, _zh, _en, _hints) in {
    "larger_of_the_two": (
        {"choice": "larger"},
        "每一步用的都是两项里较大的：学习率一开始就最大，先降后升。",
        "Every step uses the larger of the two terms: the rate starts high, falls, and then rises.",
        CHOICE_HINTS,
    ),
    "no_fall": (
        {"choice": "rising"},
        "只有升的一项起作用：预热以后学习率还一直在升。",
        "Only the rising term has an effect: the rate goes on rising after the warm-up.",
        CHOICE_HINTS,
    ),
    "no_warm_up": (
        {"choice": "falling"},
        "只有降的一项起作用：没有预热。",
        "Only the falling term has an effect: there is no warm-up.",
        CHOICE_HINTS,
    ),
    "terms_joined_otherwise": (
        ({"choice": "sum"}, {"choice": "product"}),
        "两项没有取较小的那个，而是相加或相乘了。",
        "Instead of taking the smaller of the terms they are added or multiplied.",
        CHOICE_HINTS,
    ),
    "rise_has_another_power": (
        tuple({"rise": form} for form in ("root", "share", "root_of_share", "no_step", "falling")),
        "升的一项不对：两条曲线在预热结束处接不上，或者不随 step 成正比。",
        "The rising term is wrong: it doesn't meet the other at the end of the warm-up, or isn't "
        "proportional to the step.",
        POWER_HINTS,
    ),
    "fall_has_another_power": (
        tuple({"fall": form} for form in ("inverse", "steep", "flat", "since_warmup")),
        "降的一项不对：它应当随 step 的平方根下降，从第 1 步算起。",
        "The falling term is wrong: it should fall with the root of the step, counted from step 1.",
        POWER_HINTS,
    ),
    "width_left_out": (
        {"width": "none"},
        "缺了和 D 有关的因子。",
        "The factor that depends on D is missing.",
        WIDTH_HINTS,
    ),
    "width_has_another_power": (
        ({"width": "plus"}, {"width": "inverse"}, {"width": "steep"}),
        "和 D 有关的因子次数不对。",
        "The factor that depends on D has another power.",
        WIDTH_HINTS,
    ),
    "width_and_warmup_exchanged": (
        {"arguments": "exchanged"},
        "hidden_dim 和 warmup_steps 用反了。",
        "hidden_dim and warmup_steps are swapped.",
        WIDTH_HINTS,
    ),
    "numbers_of_the_paper": (
        tuple({"arguments": form} for form in ("width_fixed", "warmup_fixed", "both_fixed")),
        "用的是固定的数（512、4000），不是参数 hidden_dim 和 warmup_steps。",
        "It uses fixed numbers (512 or 4000), not the arguments hidden_dim and warmup_steps.",
        ARGUMENT_HINTS,
    ),
    "step_counted_otherwise": (
        ({"counted": "from_zero"}, {"counted": "one_before"}),
        "步数多加或少算了 1：step 本身就从 1 数起。",
        "The step is off by one: it is counted from 1 already.",
        POWER_HINTS,
    ),
    "minimum_of_single_numbers": (
        {"minimum": "pythons"},
        "Python 的 min、if、float 和 math 只会处理单个的数；step 也可能是装着许多步的张量。",
        "Python's min, if, float and math deal with single numbers; the step may be a tensor of "
        "many steps.",
        TENSOR_HINTS,
    ),
    "whole_numbers_not_cast": (
        {"precision": "whole_numbers"},
        "整数张量没有先转成浮点数，开不了根。",
        "Tensors of whole numbers aren't cast to floats first, and there is no root of them.",
        TENSOR_HINTS,
    ),
}.items():
    warmup_schedule.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _rates(seen):
    """Rates, and the steps they are for, where there are as many.

    Raises:
        LookupError: there are not.
    """
    rates, steps = np.asarray(seen.actual, float), np.asarray(seen.args[0], float)
    if rates.shape != steps.shape:
        raise LookupError("another shape")
    return rates, steps, float(seen.args[2])


def _wrong(seen):
    rates, steps, warmup = _rates(seen)
    return ~np.isclose(rates, seen.expected, **CLOSE), steps, warmup


@warmup_schedule.property(
    "as_many_rates_as_steps",
    zh="应当一步一个学习率，形状和 step 一样。",
    en="There should be one rate for every step, in the shape of the step.",
)
def another_number_of_rates(seen):
    return np.shape(seen.actual) != np.shape(seen.args[0])


@warmup_schedule.property(
    "rates_are_positive", zh="有的学习率不是正数。", en="Some rates aren't positive."
)
def rate_is_not_positive(seen):
    return bool((_rates(seen)[0] <= 0).any())


@warmup_schedule.property(
    "warm_up_is_right",
    zh="预热期间（step 比 warmup_steps 小）的学习率不对。",
    en="The rate is wrong during the warm-up (steps below warmup_steps).",
)
def warm_up_is_wrong(seen):
    wrong, steps, warmup = _wrong(seen)
    return bool(wrong[steps < warmup].any())


@warmup_schedule.property(
    "afterwards_is_right",
    zh="预热以后（从 step = warmup_steps 起）的学习率不对。",
    en="The rate is wrong after the warm-up (from step = warmup_steps on).",
)
def afterwards_is_wrong(seen):
    wrong, steps, warmup = _wrong(seen)
    return bool(wrong[steps >= warmup].any())
