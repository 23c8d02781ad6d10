"""Notebook ch04a, exercise 7: letting one layer more learn with every epoch."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04a_1_lms import LIST_CHANGED, NOTEBOOK
from autograder.exercises.ch04a_4_freezing import as_lines, wrong_lines
from autograder.exercises.ch04a_freezing_mistakes import THAWING
from autograder.exercises.common import derived, normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import freezing

gradual_unfreeze = Exercise(
    "gradual_unfreeze",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.training.freezing:gradual_unfreeze",
)

NAMES = ("embedding", "first", "second", "third", "head")


def thawed(student, rng, flags, epoch, averages=None):
    """What the answer returns, and which layers move in a step of training then."""
    x, y = normal(rng, 7, 6), normal(rng, 7, 3)
    seed = int(rng.integers(1000))
    return student.followed_by(
        fixture("one_step_of_the_stack", x, y),
        fixture("stack_and_epoch", flags, epoch, seed, averages is not None),
    )


def some(names, none="一层也没有", between="、"):
    """The names in a row."""
    return between.join(names) or none


def layers_thawed(student, rng, flags, epoch, averages=None):
    """Which layers move, beside the oracle's; the one of that number may have moving averages."""
    found = thawed(student, rng, flags, epoch, averages)
    wanted = freezing.layers_that_train(flags, epoch, averages)

    def said(got):
        on = [name for name, now in zip(NAMES, got, strict=True) if now == 1]
        half = [name for name, now in zip(NAMES, got, strict=True) if now == -1]
        names = [name for name, now in zip(NAMES, wanted.value, strict=True) if now]
        zh, en = some(on), some(on, "nothing", ", ")
        if half:
            zh += f"，还有只动了一部分的：{some(half)}"
            en += f", and of {some(half, '', ', ')} only a part"
        return Text(
            f"epoch = {epoch}：训练一步，动了的是：{zh}。应当是：{some(names)}。",
            f"epoch = {epoch}: what moved in a step of training: {en}. It should be "
            f"{some(names, '', ', ')}.",
        )

    moved = derived(found, lambda pair: np.array(pair[1]["moved"]))
    expect(moved).equals(wanted, otherwise=said)


def any_flags(rng):
    """Some layers frozen and some not, at random."""
    return [bool(flag) for flag in rng.permutation([True, True, True, False, False])]


@gradual_unfreeze.case(points=1, zh="第 0 轮：只有最上面一层", en="epoch 0: the top layer alone")
def first_epoch(student, rng):
    """Everything trained before, or nothing did."""
    for before in (True, False):
        layers_thawed(student, rng, [before] * len(NAMES), 0)


@gradual_unfreeze.case(
    points=1,
    zh="之后每轮多一层，不管之前是什么样子",
    en="then one more each epoch, whatever it was like before",
)
def one_more_each(student, rng):
    """Epochs in no order, each from another mixture of frozen and trainable layers.

    Before and after them with moving averages, which go by the layer and not by its variables.
    """
    third = NAMES.index("third")
    layers_thawed(student, rng, [True] * len(NAMES), 0, third)
    for epoch in (3, 1, 2):
        layers_thawed(student, rng, any_flags(rng), epoch)
    layers_thawed(student, rng, [False] * len(NAMES), 1, third)


@gradual_unfreeze.case(
    points=1, zh="全部解冻以后，一直是全部", en="once all of them train, they go on doing so"
)
def long_after(student, rng):
    """The last epoch that changes anything, one far away, and some soon after it."""
    for epoch in (4, 23, 7, 5):
        layers_thawed(student, rng, any_flags(rng), epoch)


@gradual_unfreeze.case(
    points=1,
    zh="返回可训练的层的名字，从下到上",
    en="the names of the layers that train come back, bottom to top",
)
def names_come_back(student, rng):
    """As a list."""
    for epoch in (0, 2, 9):
        flags = any_flags(rng)
        found = thawed(student, rng, flags, epoch)
        wanted = freezing.names_that_train(NAMES, flags, epoch)
        expect(as_lines(found)).equals(wanted, otherwise=wrong_lines(wanted))
        order = derived(found, lambda pair: "\n".join(pair[1]["order"]))
        expect(order).equals(freezing.order_left(NAMES), otherwise=LIST_CHANGED)


for _name, (_switch, _zh, _en, _hints) in THAWING.items():
    gradual_unfreeze.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _of(seen, name):
    return seen.prediction.function.__name__ == name


def _top_layer_rests(seen, at_first):
    """Whether it rests in epoch 0, or in a later one."""
    if not _of(seen, "layers_that_train") or (seen.args[1] == 0) != at_first:
        return False
    return bool(seen.actual[-1] != 1)


@gradual_unfreeze.property(
    "top_layer_learns",
    zh="最上面一层第 0 轮就没有训练（或者只有一部分在训练）。",
    en="In epoch 0 the top layer doesn't learn, or not all of it does.",
)
def top_layer_rests_at_first(seen):
    return _top_layer_rests(seen, at_first=True)


@gradual_unfreeze.property(
    "top_layer_goes_on",
    zh="第 0 轮以后，最上面一层没有训练（或者只有一部分在训练）。",
    en="In an epoch after 0 the top layer doesn't learn, or not all of it does.",
)
def top_layer_rests_later(seen):
    return _top_layer_rests(seen, at_first=False)


@gradual_unfreeze.property(
    "lower_layers_wait",
    zh="有一层早了：这一轮它还不该动。",
    en="A layer is early: it shouldn't move in this epoch.",
)
def a_layer_is_early(seen):
    return _of(seen, "layers_that_train") and bool(
        ((np.asarray(seen.actual) != 0) & (seen.expected == 0)).any()
    )


@gradual_unfreeze.property(
    "layers_join_in_time",
    zh="有一层晚了：这一轮它应当动，而且动全。",
    en="A layer is late: it should move in this epoch, with everything in it.",
)
def a_layer_is_late(seen):
    return _of(seen, "layers_that_train") and bool(
        ((np.asarray(seen.actual) != 1) & (seen.expected == 1)).any()
    )


@gradual_unfreeze.property(
    "names_are_listed", zh="返回的名字不对。", en="The names that come back are wrong."
)
def names_are_wrong(seen):
    return _of(seen, "names_that_train")
