"""Notebook ch05b, exercise 2: what is put in the place of the chosen tokens."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05b_1_choose import (
    ARGUMENT_CHANGED,
    NOTEBOOK,
    SEEDS,
    agreements,
    said,
    some_seeds,
    unless_failed,
    unmet,
)
from autograder.exercises.ch05b_apply_mistakes import CORRUPTING
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import mask_fates as laws
from autograder.oracles import mask_forms as forms

FAULTS = {
    "pair": Text(
        "应当返回一对数组：改过的一批和 mask_ids",
        "two arrays should come back, the corrupted batch and mask_ids",
    ),
    "arrays": Text(
        "返回的两样应当是 NumPy 数组，不是列表",
        "both results should be NumPy arrays, not lists",
    ),
    "shapes": Text(
        "形状应当是 (B, T) 和 (B, P)", "the shapes should be (B, T) and (B, P), in this order"
    ),
    "types": Text("两个数组都应当是整数", "both arrays should hold ints"),
    "first_row_only": Text(
        "只有第一行动过；别的行没有变，mask_ids 也全是 0",
        "only the first row was worked on; the others are as they were, and their mask_ids all 0",
    ),
    "everywhere": Text("整行都变了", "whole rows have changed"),
    "start": Text("有空槽位的行，位置 0 变了", "position 0 has changed in rows with unused slots"),
    "as_first_row": Text(
        "变了的是第一行里挑中的位置，不是各行自己的",
        "in every row the positions that were picked in the first row have changed",
    ),
    "elsewhere": Text("没有挑中的位置也变了", "positions that weren't picked have changed"),
    "new_ids": Text(
        "用上的槽位里，mask_ids 是改过以后的编号，不是原来的词元",
        "in slots in use, mask_ids holds what came in, not the original tokens",
    ),
    "positions": Text(
        "用上的槽位里，mask_ids 是位置，不是词元",
        "in slots in use, mask_ids holds positions, not tokens",
    ),
    "constant": Text(
        "用上的槽位里，mask_ids 全是同一个编号",
        "in all slots in use, mask_ids holds one and the same id",
    ),
    "labels": Text(
        "用上的槽位里，mask_ids 不是原来的词元",
        "in slots in use, mask_ids doesn't hold the original tokens",
    ),
    "zeros": Text("空着的槽位里，mask_ids 不是 0", "in unused slots, mask_ids isn't 0"),
}

apply_mlm_mask = Exercise(
    "apply_mlm_mask",
    notebook=NOTEBOOK,
    points=6,
    tensors=False,
    forbids=("bert_keras.text.masked_lm.mask_tokens",),
)


def some_vocabulary(rng, ordinary):
    """Ids of pad, cls, sep and mask, and so many ordinary ids, ascending, with gaps and a 0."""
    ids = rng.permutation(np.arange(1, 2 * ordinary + 6))
    special, rest = ids[:4], ids[4 : 3 + ordinary]
    return [int(number) for number in special], [0, *sorted(int(number) for number in rest)]


def some_batch(rng, special, ordinary, rows, slots):
    """A batch of rows in which one token stands at all chosen positions; all slots are in use."""
    pad, cls, sep, _ = special
    length = slots + 5
    original = ordinary[len(ordinary) // 2]
    ids = rng.choice(ordinary, (rows, length)).astype(np.int32)
    ids[:, 0], ids[:, -2], ids[:, -1] = cls, sep, pad
    places = np.stack(
        [np.sort(rng.choice(np.arange(1, length - 2), slots, replace=False)) for _ in range(rows)]
    ).astype(np.int32)
    np.put_along_axis(ids, places, original, axis=1)
    return original, ids, places, np.ones(places.shape, np.float32)


def _form(student, rng, ids, places, weights, mask_id, ordinary, calls):
    """What comes of some calls, whose form must be right first."""
    found = [
        student(ids.copy(), places.copy(), weights.copy(), mask_id, list(ordinary), seed)
        for seed in some_seeds(rng, calls)
    ]
    form = unless_failed(found, lambda: forms.form_of_all(found, ids, places, weights))
    expect(form).equals(forms.form(ids, places, weights, mask_id), otherwise=said(FAULTS))
    return [corrupted for corrupted, _ in found]


def _judge(student, rng, ordinary, rows, calls, slots=10, pairs=False):
    special, ordinary = some_vocabulary(rng, ordinary)
    original, ids, places, weights = some_batch(rng, special, ordinary, rows, slots)
    mask_id = special[3]
    found = _form(student, rng, ids, places, weights, mask_id, ordinary, calls)
    expect(laws.outcomes(found, original, mask_id, ordinary, places)).follows(
        laws.fates(original, mask_id, ordinary, rows, slots, calls, pairs)
    )


@apply_mlm_mask.case(
    points=1,
    zh="只动挑中的位置；答案是原来的词元；空着的槽位什么也不做",
    en="only picked positions change; the answers are the originals; unused slots do nothing",
)
def places_and_answers(student, rng):
    """Rows that use all their slots, some of them, and none; position 0 is used in the first."""
    special, ordinary = some_vocabulary(rng, 7)
    _, ids, places, weights = some_batch(rng, special, ordinary, 6, 5)
    ids[:, 1:-2] = rng.choice(ordinary[1:], (6, ids.shape[1] - 3))
    for row, used in enumerate((5, 3, 0, 4, 1, 2)):
        weights[row, used:] = 0
        places[row, used:] = 0
    ids[0, 0], places[0, 0] = rng.choice(ordinary[1:]), 0
    _form(student, rng, ids, places, weights, special[3], ordinary, 40)


@apply_mlm_mask.case(
    points=2,
    zh="80% 是 [MASK]，10% 是随机词元，10% 不动；每个槽位各抽各的",
    en="80 % [MASK], 10 % random, 10 % unchanged; every slot draws for itself",
)
def three_fates(student, rng):
    """Eight ordinary tokens, each of which should come up; 8000 slots."""
    _judge(student, rng, ordinary=8, rows=20, calls=40, pairs=True)


@apply_mlm_mask.case(
    points=1,
    zh="随机词元从 ordinary_ids 里抽，抽到原来的也算数",
    en="random tokens come from ordinary_ids, the original among them",
)
def maybe_the_original(student, rng):
    """With two ordinary tokens it shows whether the original is left out."""
    _judge(student, rng, ordinary=2, rows=25, calls=36)


@apply_mlm_mask.case(
    points=1,
    zh="一次只给一行：[MASK] 也是有多有少，不总是十个里正好八个",
    en="a single row in each call: its number of [MASK] varies, too, and isn't always 8 of 10",
)
def a_row_at_a_time(student, rng):
    """Ten slots: in a tenth of the rows all become [MASK]."""
    _judge(student, rng, ordinary=5, rows=1, calls=320)


@apply_mlm_mask.case(
    points=1,
    zh="种子决定结果；传进来的数组不动",
    en="the seed decides; the array that is handed in stays as it is",
)
def seeds(student, rng):
    """A hundred slots, and sixty seeds: even one lot for all slots falls differently once."""
    special, ordinary = some_vocabulary(rng, 6)
    _, ids, places, weights = some_batch(rng, special, ordinary, 10, 10)
    one, *others = some_seeds(rng, 61)
    given = (ids, places, weights, special[3], ordinary)
    found = [
        student(*(each.copy() for each in given[:3]), special[3], list(ordinary), seed)
        for seed in (one, one, *others)
    ]
    agree = unless_failed(found, lambda: agreements(found))
    expect(agree).equals(forms.repeats(), otherwise=SEEDS)
    told = student.followed_by(
        fixture("first_argument"), fixture("arguments_of_masking", *given, one)
    )
    kept = derived(told, lambda pair: np.asarray(np.array_equal(pair[1], ids)))
    expect(kept).equals(forms.untouched(), otherwise=ARGUMENT_CHANGED)


for _name, (_switch, _zh, _en, _hints) in CORRUPTING.items():
    apply_mlm_mask.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _broken(seen, *names):
    return bool({name.rstrip("0123456789") for name in unmet(seen)} & set(names))


@apply_mlm_mask.property(
    "form_is_right",
    zh="还没说到抽签就不对：看返回的形式、没挑中的位置、mask_ids 和空着的槽位。",
    en="Wrong before any lots are drawn: look at the form of what comes back, at positions that "
    "weren't picked, at mask_ids, and at unused slots.",
)
def form_is_wrong(seen):
    return seen.prediction.parts == ("form",)


@apply_mlm_mask.property(
    "only_tokens_that_may_come",
    zh="出现了既不是 [MASK]、也不在 ordinary_ids 里的词元。用的都是参数，还是有外面的名字？",
    en="There are tokens that are neither [MASK] nor in ordinary_ids. Are all names in use "
    "arguments, or does one come from outside?",
)
def foreign_tokens(seen):
    return _broken(seen, "foreign")


@apply_mlm_mask.property(
    "shares_are_right",
    zh="三种结果的份额不对：数一数 [MASK]、随机和不动各占多少。",
    en="The shares of the three fates are wrong: count how many are hidden, random and unchanged.",
)
def shares_are_wrong(seen):
    others = _broken(seen, "others") and not _broken(seen, "foreign")
    return others or _broken(seen, "hidden", "kept")


@apply_mlm_mask.property(
    "random_tokens_are_spread",
    zh="随机词元抽得不匀：有的普通词元太多，有的太少。",
    en="Random tokens aren't spread evenly: some ordinary ones come too often, others too rarely.",
)
def tokens_are_uneven(seen):
    return _broken(seen, "token", "same_token") and not _broken(seen, "foreign")


@apply_mlm_mask.property(
    "every_slot_draws",
    zh="槽位的结果互相有牵连：每个槽位应当各抽各的签。",
    en="Fates of slots hang together; every slot should draw a lot of its own.",
    alone=True,
)
def slots_hang_together(seen):
    return _broken(seen, "whole", "unlike")


@apply_mlm_mask.property("seed_decides", zh=SEEDS.zh, en=SEEDS.en)
def seed_is_wrong(seen):
    return seen.prediction.parts == ("repeats",)


@apply_mlm_mask.property("argument_stays", zh=ARGUMENT_CHANGED.zh, en=ARGUMENT_CHANGED.en)
def argument_is_changed(seen):
    return seen.prediction.parts == ("untouched",)
