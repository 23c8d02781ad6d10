"""Notebook ch05b, exercise 6: pairs of sentences, half of them wrong."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05b_1_choose import (
    NOTEBOOK,
    SEEDS,
    said,
    some_seeds,
    unless_failed,
    unmet,
)
from autograder.exercises.ch05b_pairs_mistakes import PAIRS
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import sentence_pairs as oracles

CALLS = 200
FAULTS = {
    "list": Text("应当返回一个列表", "a list should come back"),
    "triples": Text(
        "列表里应当是三元组（第一句，第二句，标签），标签是整数",
        "the list should hold triples of two sentences and a label, which is an int",
    ),
    "count": Text(
        "对子的个数不对：每篇文档里每两个相邻的句子正好一对",
        "the number of pairs is wrong: one for every two neighbouring sentences of a document",
    ),
    "firsts": Text(
        "第一句不对：应当按原来的次序，一句接一句",
        "the first sentences are wrong: they come in their order, one after the other",
    ),
    "labels": Text("标签只能是 0 和 1", "labels should be 0 or 1"),
}
BEGIN_ALIKE = Text(
    "每次调用里，各篇文档的第一对总是同真同假：每一对应当各抽各的签。",
    "In every call the first pairs of all documents are all real or all false; every pair should "
    "make its own draw.",
)
NOT_REFUSED = Text(
    "只有一篇文档时应当抛出 ValueError，两篇就够了。",
    "A single document should raise a ValueError, and two are enough.",
)

nsp_pairs = Exercise("nsp_pairs", notebook=NOTEBOOK, points=5, tensors=False)


def some_documents(rng, sizes):
    """Documents of so many sentences; all sentences are different, and nothing sorts them."""
    names = [f"{letter}{number}" for letter in "kmprstvz" for number in range(10)]
    names = [str(name) for name in rng.permutation(names)]
    return [[names.pop() for _ in range(size)] for size in sizes]


def _judge(student, rng, sizes, calls=CALLS):
    documents = some_documents(rng, sizes)
    copies = [[list(sentences) for sentences in documents] for _ in range(calls)]
    seeds = some_seeds(rng, calls)
    found = [student(copy, seed) for copy, seed in zip(copies, seeds, strict=True)]
    form = unless_failed(found, lambda: oracles.worst_form(found, documents))
    expect(form).equals(oracles.form(list(sizes)), otherwise=said(FAULTS))
    expect(oracles.outcomes(found, documents)).follows(oracles.laws(list(sizes), calls))


@nsp_pairs.case(
    points=2,
    zh="每两句一对，一半是真的下一句；假的出自别的文档，每一句机会相同",
    en="a pair for every two sentences, half of them real; false ones come from other documents, "
    "all of their sentences alike",
)
def several_documents(student, rng):
    """Four documents of very different lengths, one of them a single sentence."""
    _judge(student, rng, (4, 1, 2, 6))


@nsp_pairs.case(
    points=2,
    zh="只有两篇文档；一篇长、一篇短",
    en="two documents only, a long one and a short one",
)
def two_documents(student, rng):
    """What is drawn from the other document can be nothing else, and must be nothing else."""
    _judge(student, rng, (3, 5))
    _judge(student, rng, (1, 4))


@nsp_pairs.case(
    points=1,
    zh="种子决定结果，各篇文档各抽各的；只有一篇文档时拒绝",
    en="the seed decides, documents don't repeat each other's draws; a single document is refused",
)
def seeds_and_limits(student, rng):
    """Forty pairs: two different draws never agree in all of them.

    In twenty calls the first pairs of three documents don't always have the same label by chance.
    A single document that would make no pair has to be refused too: nothing goes wrong there by
    itself.
    """
    documents = some_documents(rng, (14, 13, 15))
    one, other, *rest = some_seeds(rng, 21)
    found = [
        student([list(sentences) for sentences in documents], seed)
        for seed in (one, one, other, *rest)
    ]

    def agree():
        flat = [[[str(np.asarray(part)) for part in pair] for pair in each] for each in found[:3]]
        return np.array([flat[0] == flat[1], flat[1] == flat[2]])

    expect(unless_failed(found, agree)).equals(oracles.repeats(), otherwise=SEEDS)
    alike = unless_failed(found, lambda: oracles.begin_alike(found, documents))
    expect(alike).equals(oracles.beginnings([14, 13, 15]), otherwise=BEGIN_ALIKE)
    for sizes in ((1,), (3, 2)):
        refused = student(some_documents(rng, sizes), other)
        told = isinstance(refused, Failed) and refused.error.type == "ValueError"
        expect(np.asarray(told)).equals(oracles.refused(list(sizes)), otherwise=NOT_REFUSED)


for _name, (_switch, _zh, _en, _hints) in PAIRS.items():
    nsp_pairs.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _broken(seen, *names):
    return any(law.startswith(name) for law in unmet(seen) for name in names)


@nsp_pairs.property(
    "form_is_right",
    zh="还没说到抽签就不对：看返回的形式、对子的个数和第一句。",
    en="Wrong before any lots are drawn: look at the form, the number of pairs and their first "
    "sentences.",
)
def form_is_wrong(seen):
    return seen.prediction.parts == ("form",)


@nsp_pairs.property(
    "half_are_real",
    zh="真假的份额不对：应当一半一半。",
    en="The share of false pairs isn't one half.",
)
def shares_are_wrong(seen):
    return _broken(seen, "negative")


@nsp_pairs.property(
    "label_zero_is_the_next",
    zh="标签是 0 的对子里，第二句不是真的下一句。",
    en="Among pairs with label 0, some second sentences aren't the next ones.",
)
def zero_is_something_else(seen):
    return _broken(seen, "true_next")


@nsp_pairs.property(
    "wrong_ones_come_from_elsewhere",
    zh="标签是 1 的对子里，有的第二句出自同一篇文档（或者哪里都不是）。",
    en="Among pairs with label 1, some second sentences come from the same document (or from "
    "nowhere).",
)
def own_document_is_used(seen):
    return _broken(seen, "own", "strange")


@nsp_pairs.property(
    "wrong_ones_are_spread",
    zh="假的第二句抽得不匀：别的文档里，有的句子太多，有的太少。",
    en="False sentences aren't drawn evenly: some sentences of other documents come too often, "
    "others too rarely.",
)
def sentences_are_uneven(seen):
    return _broken(seen, "from") and not _broken(seen, "own", "strange")


@nsp_pairs.property(
    "every_pair_draws",
    zh="各对的签互相有牵连：每一对应当各抽各的。",
    en="The lots of pairs hang together; every pair should draw its own.",
    alone=True,
)
def lots_hang_together(seen):
    return _broken(seen, "alike", "halved", "same_wrong", "calls")


@nsp_pairs.property("documents_draw_apart", zh=BEGIN_ALIKE.zh, en=BEGIN_ALIKE.en)
def documents_begin_alike(seen):
    return seen.prediction.parts == ("beginnings",)


@nsp_pairs.property("seed_decides", zh=SEEDS.zh, en=SEEDS.en)
def seed_is_wrong(seen):
    return seen.prediction.parts == ("repeats",)


@nsp_pairs.property("one_document_is_refused", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def not_refused(seen):
    return seen.prediction.parts == ("refused",)
