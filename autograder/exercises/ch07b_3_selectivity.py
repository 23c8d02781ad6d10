"""Notebook ch07b, exercise 3: selectivity."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07b_kit import NOTEBOOK, PROBING
from autograder.exercises.ch07b_selectivity_mistakes import SELECTIVITY
from autograder.exercises.common import derived, name_mistakes, normal
from autograder.expectations import expect
from autograder.oracles.selectivities import selectivity as oracle

PARTS = ("accuracy", "control_accuracy", "difference")
TRIES = 12

selectivity = Exercise(
    "selectivity",
    notebook=NOTEBOOK,
    points=4,
    needs={"probe_layer": f"{PROBING}:probe_layer"},
    library=f"{PROBING}:selectivity",
    tensors=False,
)
# What should come out differently; what hardly ever does isn't waited for.
SHOWN = [
    form
    for switch, *_ in SELECTIVITY.values()
    for form in ((switch,) if isinstance(switch, dict) else switch)
    if not {"classes", "tie", "returned"} & set(form)
]


def some_task(rng, n, dim, num_classes, words, share=0.6):
    """Features of which the task can be read off well and the control a little; words recur."""
    word = rng.integers(words, size=n)
    classes, lots = rng.integers(num_classes, size=(2, words))
    own = normal(rng, words, dim)
    centres = normal(rng, num_classes, dim)
    labels = classes[word]
    changed = rng.random(n) < 0.15
    labels[changed] = rng.integers(num_classes, size=int(changed.sum()))
    features = 1.3 * centres[labels] + 0.6 * own[word] + normal(rng, n, dim) + 0.7
    train = rng.random(n) < share
    train[:2] = True, False
    return features.astype(np.float32), labels, lots[word], train


def telling(make, num_classes, ridge=1.0, sign=1):
    """Arguments for which mistakes differ from what is right, as far as such are drawn soon."""
    best, most = None, None
    shown_at_all = [form for form in SHOWN if ridge != 1 or "penalty" not in form]
    for _ in range(TRIES):
        given = make()
        right = oracle.raw(*given, num_classes, ridge)
        found = [oracle.raw(*given, num_classes, ridge, **form) for form in shown_at_all]
        shown = sum(not np.allclose(np.stack(right), np.stack(each)) for each in found)
        if sign * right[2] < 0.05:  # a difference, its size and the other one shall differ
            shown -= len(SHOWN)
        if most is None or shown > most:
            best, most = given, shown
        if most == len(shown_at_all):
            break
    return best


def three_of(found):
    """Three numbers in an array are three numbers."""
    return tuple(found) if isinstance(found, np.ndarray) and found.shape == (3,) else found


def _judge(student, given, num_classes, **rest):
    found = student(*(x.copy() for x in given), num_classes, **rest)
    expect(derived(found, three_of)).equals(oracle(*given, num_classes, *rest.values()))


@selectivity.case(
    points=1,
    zh="任务比对照好读",
    en="the task is easier to read off than the control",
)
def an_easy_task(student, rng):
    """The ridge is left at its default."""
    for n, dim, num_classes in ((60, 5, 3), (80, 6, 4)):
        given = telling(
            lambda n=n, d=dim, c=num_classes: some_task(rng, n, d, c, 12),
            num_classes,
        )
        _judge(student, given, num_classes)


@selectivity.case(
    points=1,
    zh="对照比任务好读：差是负的",
    en="the control is easier: the difference is negative",
)
def an_easy_control(student, rng):
    """The other way round; far fewer examples are learnt from than judged by."""

    def make():
        features, labels, controls, train = some_task(rng, 70, 6, 3, 10, share=0.45)
        return features, controls, labels, train

    _judge(student, telling(make, 3, sign=-1), 3)


@selectivity.case(
    points=1,
    zh="别的 ridge；特征比例子多",
    en="another ridge; more features than examples",
)
def other_ridges(student, rng):
    """A large ridge and a tiny one, such that it matters."""
    for ridge, dim in ((60.0, 7), (0.01, 40)):
        given = telling(lambda d=dim: some_task(rng, 48, d, 4, 14), 4, ridge)
        _judge(student, given, 4, ridge=ridge)


@selectivity.case(
    points=1,
    zh="一样高的分数；有的类没有出现；不多的例子",
    en="equal scores; classes that don't occur; few examples",
)
def edges(student, rng):
    """Features of 0 leave the shares of the classes, of which two are exactly equal."""
    train = rng.permutation(np.arange(24) < 16)
    labels, controls = np.zeros((2, 24), int)
    for wanted in (labels, controls):
        pair = rng.choice(4, size=2, replace=False)
        wanted[train] = rng.permutation(np.repeat([pair.min(), pair.max()], 8))
        wanted[~train] = rng.permutation([pair.min()] * 5 + [pair.max()] * 3)
    controls[~train] = rng.permutation(controls[~train])
    _judge(student, (np.zeros((24, 3), np.float32), labels, controls, train), 4)
    # The controls have classes above all of the labels'; one in between occurs in neither.
    features, labels, controls, train = some_task(rng, 30, 4, 3, 8)
    _judge(student, (features, labels, np.where(controls == 2, 4, controls), train), 5)


name_mistakes(selectivity, SELECTIVITY)


def _three(seen):
    """The three numbers that came back, and those that should have.

    Raises:
        LookupError: there aren't three.
    """
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 3:
        raise LookupError("not three")
    return [float(x) for x in seen.actual], [float(x) for x in seen.expected]


def _off(got, wanted):
    return not np.isclose(got, wanted, atol=1e-5)


@selectivity.property(
    "three_numbers_come_back",
    zh="应当返回三个数：任务的准确率、对照的准确率、它们的差。",
    en="Three numbers should come back: the accuracy of the task, that of the control, and their "
    "difference.",
)
def not_three(seen):
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 3:
        return True
    return any(np.shape(x) != () for x in seen.actual)


@selectivity.property(
    "accuracies_are_shares",
    zh="准确率应当在 0 到 1 之间。",
    en="Accuracies should be from 0 to 1.",
)
def no_shares(seen):
    got, _ = _three(seen)
    return any(not -1e-6 <= x <= 1 + 1e-6 for x in got[:2])


@selectivity.property(
    "task_is_right",
    zh="任务的准确率就不对：学的是哪部分，考的是哪部分？",
    en="Even the accuracy of the task is wrong: which part is learnt from, and which one is it "
    "judged by?",
)
def task_is_wrong(seen):
    got, wanted = _three(seen)
    return _off(got[0], wanted[0])


@selectivity.property(
    "control_is_right",
    zh="任务的准确率对，对照的不对：两次应当只差在类别上。",
    en="The accuracy of the task is right and that of the control isn't: the two should differ in "
    "their classes alone.",
)
def control_is_wrong(seen):
    got, wanted = _three(seen)
    return not _off(got[0], wanted[0]) and _off(got[1], wanted[1])


@selectivity.property(
    "difference_is_right",
    zh="两个准确率都对，差不对：应当是任务减对照。",
    en="Both accuracies are right and the difference isn't: it is the task less the control.",
)
def difference_is_wrong(seen):
    got, wanted = _three(seen)
    return not any(map(_off, got[:2], wanted[:2])) and _off(got[2], wanted[2])
