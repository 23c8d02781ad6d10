"""Notebook ch05b, exercise 3 (stretch): whole words are to be guessed."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05b_1_choose import (
    NOTEBOOK,
    said,
    some_seeds,
    unless_failed,
    unmet,
)
from autograder.exercises.ch05b_words_mistakes import WHOLE_WORDS
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import whole_word_habits as habits
from autograder.oracles import whole_words as laws

CALLS = 400
FAULTS = {
    "list": Text("应当返回一个整数的列表", "a list of ints should come back"),
    "types": Text("应当返回整数的位置", "positions should come back as ints"),
    "inside": Text("返回了不存在的位置", "positions come back that don't exist"),
    "different": Text("同一个位置出现了两次", "a position comes back twice"),
    "ascending": Text("位置没有从小到大", "positions aren't in ascending order"),
}
NOT_BY_CHANCE = Text(
    "同一个种子应当得到相同的结果，换一个种子就不同；总被挑中的词（最前面的、号码最小的、最长或最短的）"
    "不应当有。",
    "One seed should give one result, and another seed another; no word should always be picked, "
    "neither the first, nor that of the smallest number, nor the longest or shortest.",
)

whole_word_positions = Exercise(
    "whole_word_positions",
    notebook=NOTEBOOK,
    points=5,
    stretch=True,
    tensors=False,
    forbids=("bert_keras.text.masked_lm.mask_tokens",),
)


def a_row(rng, sizes, before=1, after=2):
    """Numbers of the words of a row: one is 0, the others anything from above its length on.

    Numbers beyond the row's length can't be taken for positions.
    """
    length = before + sum(sizes) + after
    numbers = [0, *(int(n) for n in length + rng.permutation(30)[: len(sizes) - 1])]
    order = rng.permutation(len(sizes))
    row = [-1] * before
    for index, size in zip(order, sizes, strict=True):
        row += [numbers[index]] * size
    return np.array(row + [-1] * after, np.int32)


def _judge(student, rng, word_ids, rate, slots, calls=CALLS):
    found = [student(word_ids.copy(), rate, slots, seed) for seed in some_seeds(rng, calls)]
    form = unless_failed(found, lambda: laws.worst_form(found, len(word_ids)))
    given = (word_ids, rate, slots)
    expect(form).equals(laws.form(*given), otherwise=said(FAULTS))
    expect(laws.outcomes(found, *given)).follows(laws.choices(*given, calls))


@whole_word_positions.case(
    points=2,
    zh="词整个地拿；放不下就跳过，接着看下一个",
    en="words are taken whole; one that doesn't fit is passed over",
)
def whole(student, rng):
    """Seven tokens and a budget of three; then nine tokens and a budget of six."""
    _judge(student, rng, a_row(rng, (2, 1, 3, 1)), 0.45, 9)
    _judge(student, rng, a_row(rng, (1, 2, 4, 2), before=2, after=1), 0.62, 9)


@whole_word_positions.case(
    points=1,
    zh="预算按词元数：四舍五入，至少一个",
    en="the budget is in tokens: rounded, and one at least",
)
def small_budgets(student, rng):
    """A budget of one from a share of 0.42 token, and of two from one of 1.75 and of 2.45."""
    _judge(student, rng, a_row(rng, (1, 3, 1, 2), after=4), 0.06, 8, calls=200)
    _judge(student, rng, a_row(rng, (2, 1, 2, 2), before=2, after=3), 0.25, 8, calls=200)
    _judge(student, rng, a_row(rng, (1, 2, 1, 3), after=3), 0.35, 8, calls=200)


@whole_word_positions.case(
    points=1,
    zh="不超过 max_predictions；一个词都放不下；一个词也没有",
    en="never more than max_predictions; no word fits; there are no words",
)
def limits(student, rng):
    """Three slots for a share of six; then words of three for a budget of two; then marks alone."""
    _judge(student, rng, a_row(rng, (2, 1, 3, 1)), 0.9, 3, calls=200)
    _judge(student, rng, a_row(rng, (3, 4)), 0.3, 8, calls=10)
    _judge(student, rng, np.full(5, -1, np.int32), 0.5, 4, calls=3)


@whole_word_positions.case(
    points=1,
    zh="种子决定结果；没有哪种词总被挑中",
    en="the seed decides; no kind of word is always picked",
)
def seeds(student, rng):
    """One row again and again; then sixty rows: one word in three isn't taken at least."""
    word_ids = a_row(rng, (1, 2, 1, 2, 1))
    one, *others = some_seeds(rng, 61)
    found = [
        [student(word_ids.copy(), 0.5, 9, seed) for seed in seeds] for seeds in ([one] * 10, others)
    ]
    rows = [a_row(rng, rng.permutation((1, 2, 3, 4)).tolist()) for _ in others]
    each = [student(row.copy(), 0.31, 9, seed) for row, seed in zip(rows, others, strict=True)]

    def facts():
        agree = [len({tuple(np.asarray(x).tolist()) for x in same}) == 1 for same in found]
        return np.array([*agree, *habits.habits_of(each, rows, 3)])

    actual = unless_failed([*found[0], *found[1], *each], facts)
    expect(actual).equals(habits.repeats(), otherwise=NOT_BY_CHANCE)


for _name, (_switch, _zh, _en, _hints) in WHOLE_WORDS.items():
    whole_word_positions.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _broken(seen, *names):
    return any(law.startswith(name) for law in unmet(seen) for name in names)


@whole_word_positions.property(
    "a_list_of_positions",
    zh="返回的应当是位置的列表，从小到大，各不相同。",
    en="What comes back should be a list of positions, ascending and all different.",
)
def form_is_wrong(seen):
    return seen.prediction.parts == ("form",)


@whole_word_positions.property(
    "words_stay_whole",
    zh="有的词只挑中了一部分。",
    en="Some words are picked only in part.",
)
def words_are_broken(seen):
    return _broken(seen, "broken")


@whole_word_positions.property(
    "special_tokens_are_left_alone",
    zh="挑中了特殊词元（词的编号是 −1）。",
    en="Special tokens are picked (those whose word is −1).",
)
def special_ones_are_chosen(seen):
    known = seen.expected.laws
    word_ids = seen.args[0]
    pairs = zip(known.items(), seen.actual, strict=True)
    return any(
        name.startswith("place") and word_ids[int(name[5:])] < 0 and np.any(got)
        for (name, _), got in pairs
    )


@whole_word_positions.property(
    "budget_is_kept",
    zh="挑中的词元个数不对：先算预算，再看哪些词放得下。",
    en="The number of picked tokens is wrong: work out the budget, then see which words fit.",
)
def number_is_wrong(seen):
    return _broken(seen, "count")


@whole_word_positions.property(
    "every_order_has_its_chance",
    zh="个数对，可是有的词挑中得太多或太少：词的次序不是随机的。",
    en="The numbers are right, but some words are picked too often or too rarely: their order "
    "isn't random.",
    alone=True,
)
def words_are_uneven(seen):
    return _broken(seen, "place", "set", "others")


@whole_word_positions.property("seed_decides", zh=NOT_BY_CHANCE.zh, en=NOT_BY_CHANCE.en)
def seed_is_wrong(seen):
    return seen.prediction.parts == ("repeats",)
