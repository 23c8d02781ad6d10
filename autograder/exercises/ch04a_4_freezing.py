"""Notebook ch04a, exercise 6: keeping a part of a model as it is."""

from collections import Counter

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04a_1_lms import NOTEBOOK
from autograder.exercises.ch04a_freezing_mistakes import FREEZING
from autograder.exercises.common import derived, normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import freezing

freeze_backbone = Exercise(
    "freeze_backbone",
    notebook=NOTEBOOK,
    points=3,
    library="bert_keras.training.freezing:freeze_backbone",
)


NO_TEXT = "…"
VALUES_CHANGED = Text(
    "参数的值变了；冻结只决定训练时谁能动。",
    "Weights have other values now; freezing only decides which of them may move in training.",
)


def frozen(student, rng, kind):
    """What the answer returns for a network, and what one step of training does to it then."""
    seed, x, y = int(rng.integers(1000)), normal(rng, 7, 6), normal(rng, 7, 3)
    return student.followed_by(
        fixture("one_step", seed, x, y), fixture("network_and_backbone", kind, seed)
    )


def moves(found, kind):
    """Whether each variable moved, in the order of the oracle's."""

    def of(pair):
        moved = dict(zip(pair[1]["paths"], pair[1]["moved"], strict=True))
        return np.array([moved.get(path, False) for path in freezing.paths_of(kind)])

    return derived(found, of)


def which_moved(kind):
    """Says which variables moved and shouldn't have, and the other way round."""
    paths, wanted = freezing.paths_of(kind), freezing.moved(kind).value

    def said(moved):
        wrongly = [path for path, now, want in zip(paths, moved, wanted, strict=True) if now > want]
        still = [path for path, now, want in zip(paths, moved, wanted, strict=True) if now < want]
        zh, en = [], []
        if wrongly:
            zh.append(f"不该动却动了：{'、'.join(wrongly)}")
            en.append(f"moved and shouldn't have: {', '.join(wrongly)}")
        if still:
            zh.append(f"该动却没动：{'、'.join(still)}")
            en.append(f"should have moved and didn't: {', '.join(still)}")
        return Text(
            f"训练一步以后，{'；'.join(zh)}。", f"After one step of training, {'; '.join(en)}."
        )

    return said


def as_lines(found):
    """The list of texts that came back, one to a line.

    `NO_TEXT` stands for a list of anything else (also one that couldn't travel, of which only the
    type is known), and in front of what is no list.
    """

    def lines(pair):
        returned = pair[0]
        if returned is None:
            return None
        if isinstance(returned, (tuple, list)):
            texts = all(isinstance(each, str) for each in returned)
            return "\n".join(returned) if texts else NO_TEXT
        if isinstance(returned, str):
            return NO_TEXT if returned in ("list", "tuple") else NO_TEXT + returned
        return NO_TEXT + type(returned).__name__

    return derived(found, lines)


def in_a_row(names, between):
    """The first few names, each once."""
    names = sorted(names)
    return between.join([*names[:4], *(["…"] if len(names) > 4 else [])])


def wrong_lines(wanted):
    """Says how the list that came back differs from the wanted one."""

    def said(got):
        got = str(np.asarray(got))
        if got == NO_TEXT:
            return Text(
                "返回了一个列表，但里面不是字符串。", "A list comes back, but no texts stand in it."
            )
        if got.startswith(NO_TEXT):
            got = got.removeprefix(NO_TEXT)
            return Text(
                f"返回的应当是字符串的列表；得到的是：{got}。",
                f"A list of texts should come back; what came is: {got}.",
            )
        mine, right = (Counter(t.split("\n") if t else ()) for t in (got, str(wanted.value)))
        if mine == right:
            return Text(
                "返回的列表内容对，次序不对。", "The right entries come back in the wrong order."
            )
        again = (mine - right).keys() & right.keys()
        zh, en = [] if mine else ["是空的"], [] if mine else ["it is empty"]
        for names, said_zh, said_en in (
            ((right - mine).keys(), "缺", "it lacks"),
            ((mine - right).keys() - again, "多了", "these don't belong there:"),
            (again, "出现了不止一次的有", "these stand there more than once:"),
        ):
            if names:
                zh.append(f"{said_zh} {in_a_row(names, '、')}")
                en.append(f"{said_en} {in_a_row(names, ', ')}")
        return Text(
            f"返回的列表不对：{'；'.join(zh)}。",
            f"The list that comes back is wrong: {'; '.join(en)}.",
        )

    return said


@freeze_backbone.case(
    points=1,
    zh="骨干是一个小模型：里面什么都不动，滑动平均也不动",
    en="the backbone is a model: nothing in it moves, moving averages included",
)
def nested_model(student, rng):
    """Batch normalisations inside, one of them deeper still, and one outside, which goes on."""
    expect(moves(frozen(student, rng, "nested"), "nested")).equals(
        freezing.moved("nested"), otherwise=which_moved("nested")
    )


@freeze_backbone.case(
    points=1,
    zh="骨干是一层，或者是几层的列表；外面原来冻着的还冻着",
    en="the backbone is one layer, or a list of them; what was frozen outside stays frozen",
)
def layer_or_list(student, rng):
    """The stem was frozen before; so was one of the layers of the list."""
    for kind in ("listed", "single"):
        expect(moves(frozen(student, rng, kind), kind)).equals(
            freezing.moved(kind), otherwise=which_moved(kind)
        )


@freeze_backbone.case(
    points=1,
    zh="返回仍然可训练的变量的路径；参数的值没有变",
    en="paths of the variables that still learn come back; no value has changed",
)
def paths_come_back(student, rng):
    """As a sorted list."""
    for kind in ("nested", "single"):
        found = frozen(student, rng, kind)
        wanted = freezing.paths(kind)
        expect(as_lines(found)).equals(wanted, otherwise=wrong_lines(wanted))
        kept = derived(found, lambda pair: np.array(bool(pair[1]["kept"])))
        expect(kept).equals(freezing.values_kept(), otherwise=VALUES_CHANGED)


for _name, (_switch, _zh, _en, _hints) in FREEZING.items():
    freeze_backbone.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _of(seen, name):
    return seen.prediction.function.__name__ == name


def moves_wrongly(seen, inside):
    """Whether something moves that shouldn't, in the backbone or outside."""
    if not _of(seen, "moved"):
        return False
    parts = freezing.NETWORKS[seen.args[0]]
    where = [(part.inside is not None) == inside for part in parts for _ in part.variables]
    return bool((np.asarray(seen.actual) & ~seen.expected & np.array(where)).any())


@freeze_backbone.property(
    "backbone_stays_still", zh="骨干里有东西还在动。", en="Something in the backbone still moves."
)
def backbone_moves(seen):
    return moves_wrongly(seen, inside=True)


@freeze_backbone.property(
    "what_was_frozen_stays_so",
    zh="骨干外面原来冻着的层，现在动了。",
    en="A layer outside the backbone that was frozen before moves now.",
)
def something_thawed(seen):
    return moves_wrongly(seen, inside=False)


@freeze_backbone.property(
    "the_rest_learns",
    zh="骨干外面该学的，有的不动了。",
    en="Something outside the backbone that should learn doesn't move.",
)
def the_rest_is_still(seen):
    return _of(seen, "moved") and bool((~np.asarray(seen.actual) & seen.expected).any())


@freeze_backbone.property(
    "paths_are_listed", zh="返回的列表不对。", en="The list that comes back is wrong."
)
def paths_are_wrong(seen):
    return _of(seen, "paths")


@freeze_backbone.property(
    "values_stay", zh="参数的值被改动了。", en="Weights were given other values."
)
def values_change(seen):
    return _of(seen, "values_kept")
