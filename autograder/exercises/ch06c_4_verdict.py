"""Notebook ch06c, exercise 4: a claim is judged by what was found."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06c_1_prefix import NOTEBOOK
from autograder.exercises.ch06c_verdict_mistakes import VERDICTS
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import verdicts as oracles
from autograder.oracles.verdicts import verify_claim as oracle

verify_claim = Exercise("verify_claim", notebook=NOTEBOOK, points=5, tensors=False)

ASKED_ONCE = Text(
    "classify 问多了：没有找到的也问了，或者同一条问了两次。",
    "classify is asked too often: about a statement that wasn't found, or about one of them twice.",
)
NEVER_SEARCHED = Text(
    "retrieve 一次也没有问：资料要用传进来的这个 retrieve 去找。",
    "retrieve is never asked: it is this one, handed in, that finds the statements.",
)
COUNT_HANDED = Text(
    "交给 retrieve 的不是 count。",
    "What retrieve is given isn't count.",
)
NAMES = ("Osk", "Lum", "Tarn", "Veld", "Ruma", "Brin", "Sool", "Nevi", "Adda", "Kree")
KINDS = ("river", "town", "lake", "hill", "bridge")


def some_texts(rng, number):
    """So many different statements."""
    names = rng.permutation(NAMES)[:number]
    return [f"The {rng.choice(KINDS)} of {name} is old." for name in names]


def some_shares(rng, number):
    """Three probabilities for each statement; what is likely to be largest changes."""
    leaning = np.ones((number, 3)) + 2.5 * np.eye(3)[rng.integers(0, 3, number)]
    return np.stack([rng.dirichlet(each) for each in leaning])


def judge(student, rng, texts, plan, shares, count):
    """Ask once."""
    claim = f"{rng.choice(NAMES)} is younger than its {rng.choice(KINDS)}."
    wanted = oracle(texts, plan, shares, count)

    def said(got):
        right = tuple(int(each) for each in wanted.value)
        mine = tuple(np.asarray(each).item() for each in got)
        found = "; ".join(
            f"{number}: {', '.join(f'{share:.2f}' for share in shares[number])}"
            for number in plan[:count]
        )
        return Text(
            f"找到的（编号：三个概率）是 {found or '空的'}，应当返回 {right}，实际是 {mine}。",
            f"What was found (number: probabilities) is {found or 'nothing'}; {right} should come "
            f"back, and it is {mine}.",
        )

    found = student.followed_by(
        fixture("what_was_asked"),
        fixture("claim_to_judge", claim, texts, list(plan), np.asarray(shares), count),
    )
    ran = not isinstance(found, Failed)
    if ran and texts:  # first, since whoever finds statements otherwise gets everything else wrong
        asked = np.asarray(bool(found[1]["counts"]))
        expect(asked).equals(oracles.searched(texts, plan), otherwise=NEVER_SEARCHED)
    expect(derived(found, lambda both: both[0])).equals(wanted, otherwise=said)
    if not ran:  # once is enough
        return
    asked = oracles.excess(texts, plan[:count], np.asarray(found[1]["asked"]))
    wanted = oracles.asked_too_often(texts, plan, shares, count)
    expect(asked).equals(wanted, otherwise=ASKED_ONCE)
    same = np.asarray(all(int(each) == count for each in found[1]["counts"]))
    expect(same).equals(oracles.handed(texts, plan, count), otherwise=COUNT_HANDED)


def drawn(rng, number, count, telling, wanted=None, apart=()):
    """Texts, plan and shares for which these mistakes show.

    Args:
        rng: generator.
        number: how many texts.
        count: how many are found.
        telling: switches, each of which has to change the answer.
        wanted: the label that is right, or None.
        apart: pairs of switches that have to give different answers.
    """
    for _ in range(2000):
        texts, shares = some_texts(rng, number), some_shares(rng, number)
        plan = [int(place) for place in rng.permutation(number)]
        given = (texts, plan, shares, count)
        right = oracle.raw(*given)
        if (
            wanted in (None, int(right[0]))
            and all(oracle.raw(*given, **switch) != right for switch in telling)
            and all(oracle.raw(*given, **a) != oracle.raw(*given, **b) for a, b in apart)
        ):
            break
    return given


@verify_claim.case(
    points=1,
    zh="最有把握的一条说了算：支持或反驳",
    en="the most confident piece decides: supported or refuted",
)
def surest_decides(student, rng):
    """It is neither the first nor the last that was found, nor what most of them say."""
    for wanted, telling in (
        (1, ({"decides": "first"}, {"decides": "last"}, {"decides": "support_only"})),
        (0, ({"pooled": "votes"}, {"decides": "first_told"}, {"decides": "refutal_only"})),
        (1, ({"pooled": "mean"}, {"decides": "difference"})),
        (0, ({"decides": "surest_of_three"}, {"pooled": "largest"})),
        (1, ({"decides": "least_unknown"}, {"pooled": "product"})),
    ):
        apart = [
            (telling[0], {"decides": "least_sure"}),
            ({"decides": "first_told"}, {"decides": "least_unknown"}),
        ]
        judge(student, rng, *drawn(rng, 7, 4, telling, wanted, apart))


@verify_claim.case(
    points=1,
    zh="资料不足：说了算的那条，第三个概率更大",
    en="not enough information: the deciding piece's third probability is larger",
)
def not_enough(student, rng):
    """What the deciding piece says counts, beside others that say something else."""
    for rows in (
        ((0.2, 0.12, 0.68), (0.1, 0.12, 0.78)),  # 2
        ((0.44, 0.07, 0.49), (0.37, 0.31, 0.32), (0.3, 0.3, 0.4)),  # 2, by less than a half
        ((0.46, 0.14, 0.4), (0.3, 0.35, 0.35)),  # sure enough, by less than a half
        ((0.7, 0.06, 0.24), (0.5, 0.2, 0.3)),
        ((0.24, 0.6, 0.16), (0.14, 0.36, 0.5)),  # beside one that knows little
        ((0.06, 0.7, 0.24), (0.2, 0.5, 0.3)),
        ((0.1, 0.44, 0.46), (0.36, 0.34, 0.3)),
    ):
        shares = 0.98 * np.array(rows) + 0.02 * rng.dirichlet([1.0, 1.0, 1.0], len(rows))
        order = rng.permutation(len(rows))
        plan = [int(place) for place in rng.permutation(len(rows))]
        judge(student, rng, some_texts(rng, len(rows)), plan, shares[order], len(rows))


@verify_claim.case(
    points=1,
    zh="编号是它在 texts 里的，同样的话有两条也不会认错",
    en="the number is its place in texts, even where a text stands there twice",
)
def number_in_texts(student, rng):
    """What was found later decides; then the second of two that are the same."""
    telling = ({"number": "rank"}, {"number": "from_one"}, {"number": "first_found"})
    judge(student, rng, *drawn(rng, 8, 3, telling, 0))
    judge(student, rng, *drawn(rng, 8, 5, telling, 1))
    texts, plan, shares, count = drawn(rng, 6, 3, (), 1)
    place = int(oracle.raw(texts, plan, shares, count)[1])
    texts, shares = [texts[place], *texts], np.concatenate([shares[place : place + 1], shares])
    judge(student, rng, texts, [number + 1 for number in plan], shares, count)


@verify_claim.case(
    points=1,
    zh="一样大：先找到的说了算；第三个概率要更大才算不足；支持和反驳一样大算支持",
    en="equals: the one found first decides; the third has to be larger; support before refutal",
)
def equals(student, rng):
    """Probabilities that are halves of halves, so that equal means equal."""
    texts = some_texts(rng, 5)
    support, refute = (0.625, 0.125, 0.25), (0.125, 0.625, 0.25)
    less, tied = (0.5, 0.25, 0.25), (0.375, 0.25, 0.375)
    for rows, plan in (
        ((support, less, refute, less, refute), [3, 2, 0, 4]),
        ((support, less, refute, less, support), [2, 4, 0]),
        ((refute, less, less, less, support), [4, 0, 1]),
    ):
        judge(student, rng, texts, plan, np.array(rows), 4)
    judge(student, rng, texts[:2], [1, 0], np.array([(0.25, 0.25, 0.5), tied]), 2)
    judge(student, rng, texts[:1], [0], np.array([(0.25, 0.375, 0.375)]), 1)
    # All of it is equal, or two of three: support comes first, and nothing is larger.
    judge(student, rng, texts[:2], [1, 0], np.array([(0.25, 0.25, 0.5), (0.5, 0.5, 0.0)]), 2)


@verify_claim.case(
    points=1,
    zh="只问找到的 count 条；什么也没找到",
    en="only the count that were found are asked; nothing found",
)
def found_or_not(student, rng):
    """Surer ones aren't found; fewer are found than wanted; an empty list."""
    for telling in (
        ({"search": "every_text"}, {"search": "whole_plan"}),
        ({"search": "one_less"},),
    ):
        judge(student, rng, *drawn(rng, 7, 3, telling))
    texts, plan, shares, _ = drawn(rng, 6, 2, ({"way": "exchanged"},), 0)
    judge(student, rng, texts, plan[:2], shares, 5)
    judge(student, rng, *drawn(rng, 5, 1, (), 1))
    judge(student, rng, texts, [], shares, 3)
    judge(student, rng, [], [], np.zeros((0, 3)), 2)


for _name, (_switch, _zh, _en, _hints) in VERDICTS.items():
    verify_claim.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _pair(seen):
    """Label and number that came back.

    Raises:
        LookupError: they aren't two ints.
    """
    if seen.prediction.parts != ("label", "number"):
        raise LookupError("about something else")
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 2:
        raise LookupError("no pair")
    found = [np.asarray(part) for part in seen.actual]
    if any(part.shape != () or part.dtype.kind not in "iu" for part in found):
        raise LookupError("no ints")
    return tuple(int(part) for part in found)


@verify_claim.property(
    "pair_of_ints",
    zh="应当返回一对整数：判断和编号。",
    en="A pair of ints should come back, verdict and number.",
)
def no_pair(seen):
    if seen.prediction.parts != ("label", "number"):
        return False
    try:
        _pair(seen)
    except LookupError:
        return True
    return False


@verify_claim.property(
    "number_was_found",
    zh="返回的编号不在找到的那些里面（资料不足时应当是 −1）。",
    en="The number isn't among those found (with “not enough” it should be −1).",
)
def number_is_foreign(seen):
    label, number = _pair(seen)
    _, plan, _, count = seen.args[:4]
    return number != -1 if label == 2 else number not in plan[:count]


@verify_claim.property(
    "evidence_is_right",
    zh="说了算的那一条选错了。",
    en="The wrong piece of evidence decides.",
)
def other_evidence(seen):
    label, number = _pair(seen)
    right, wanted = (int(part) for part in seen.expected)
    return label != 2 and right != 2 and number != wanted


@verify_claim.property(
    "enough_or_not",
    zh="资料够不够，判断错了。",
    en="Whether the information is enough is judged wrongly.",
)
def unknown_is_wrong(seen):
    return (_pair(seen)[0] == 2) != (int(seen.expected[0]) == 2)


@verify_claim.property(
    "verdict_is_right",
    zh="编号对，支持还是反驳判错了。",
    en="The number is right, supported or refuted isn't.",
)
def verdict_is_wrong(seen):
    label, number = _pair(seen)
    right, wanted = (int(part) for part in seen.expected)
    return number == wanted and label != right


@verify_claim.property("asked_once", zh=ASKED_ONCE.zh, en=ASKED_ONCE.en)
def asked_more(seen):
    return seen.prediction.parts == ("too_often",)


@verify_claim.property("retrieve_is_asked", zh=NEVER_SEARCHED.zh, en=NEVER_SEARCHED.en)
def never_searched(seen):
    return seen.prediction.parts == ("searched",)


@verify_claim.property("count_is_handed", zh=COUNT_HANDED.zh, en=COUNT_HANDED.en)
def count_is_another(seen):
    return seen.prediction.parts == ("handed",)
