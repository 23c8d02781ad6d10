"""Notebook ch07b, exercise 9: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07b_drill_mistakes import ILL_HINTS, ILLS, OTHERS, STILL_ILL
from autograder.exercises.ch07b_kit import NOTEBOOK
from autograder.exercises.common import name_mistakes
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.oracles.layer_choice import choice, choices

DRILL_BUGS = tuple(ILLS)
PARTS = ("chosen", "accuracy", "baseline")
TRIES = 10  # each of them acts out a dozen mistakes

drill = Exercise(
    "drill_ch07b_layers_and_languages",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    tensors=False,
    variants=DRILL_BUGS,
)


def _forms(*switches):
    """Pairs (name, form) of the mistakes that turn one of these switches."""
    rows = [*ILLS.items(), *((name, switch) for name, (switch, *_) in OTHERS.items())]
    pairs = [(n, f) for n, row in rows for f in ((row,) if isinstance(row, dict) else row)]
    return [(name, form) for name, form in pairs if set(form) & set(switches)]


SCALING = _forms("scaling", "spread", "fitting")
RARE = ({"embeddings": "left_out"}, {"equals": "highest"})  # show where this is asked for alone
CHOOSING = [
    pair
    for pair in _forms("chosen_on", "embeddings", "equals", "judged", "judged_on")
    if pair[1] not in RARE
]
TWINS = [*CHOOSING, ("highest_of_equals", {"equals": "highest"})]
GUESSING = _forms("baseline", "baseline_on")


def some_states(rng, layers, counts, dim, num_classes, shift=1.5, noise=1.6):
    """States of all layers, labels and parts; parts differ in their means and spreads.

    Classes differ in a few features of small spread, so that scaling matters; how much of them is
    left differs from layer to layer.
    """
    n = sum(counts)
    parts = rng.permutation(np.repeat([0, 1, 2], counts))
    labels = rng.integers(num_classes, size=n)
    # Every class can be learnt, and the commonest one is another than the first.
    commonest = rng.integers(1, num_classes)
    fitted = np.arange(counts[0]) % num_classes
    spare = rng.permutation(np.flatnonzero(fitted != commonest))[: counts[0] // 5]
    fitted[spare] = commonest
    labels[parts == 0] = rng.permutation(fitted)
    spread = rng.permutation(np.geomspace(0.2, 4.0, dim))
    states = []
    for strength in rng.permutation(np.linspace(0.4, 1.3, layers)):
        centres = rng.standard_normal((num_classes, dim)) * strength
        moved = shift * rng.standard_normal((3, dim)) * (np.arange(3)[:, None] > 0)
        wide = np.array([1.0, 1.3, 0.7])[parts][:, None]
        x = centres[labels] + noise * wide * rng.standard_normal((n, dim)) + moved[parts]
        states.append((x * spread + 2 * rng.standard_normal(dim)).astype(np.float32))
    return np.stack(states), labels, parts


def _said(given, **form):
    """The three numbers, so that they can be compared."""
    return tuple(round(float(x), 9) for x in choice(*given, **form))


def telling(rng, make, forms):
    """Arguments for which mistakes come out wrong, and bugs of the list unlike any other mistake.

    As far as such are drawn soon.
    """
    best, most = None, -1
    for _ in range(TRIES):
        given = make()
        right = _said(given)
        found = [(name, _said(given, **form)) for name, form in forms]
        missed = sum(said == right for _, said in found)
        for name, said in found:
            if name in ILLS:
                missed += sum(name != other and said == its for other, its in found)
        if best is None or missed < most:
            best, most = given, missed
        if not missed:
            break
    return best


def in_columns(found):
    """What came back for several sets, as one array for each of the three results."""
    alike = {len(each) if isinstance(each, tuple) else None for each in found}
    if len(alike) > 1 or None in alike or any(np.shape(x) for each in found for x in each):
        return next((each for each in found if not isinstance(each, tuple)), found[0])
    return tuple(np.array(column) for column in zip(*found, strict=True))


def _judge(student, *sets):
    """Ask for every set, and look at all the results at once."""
    found = []
    for given in sets:
        copies = (each.copy() for each in given)
        found.append(student.named("repaired")(*copies, fixture("direction_probe")))
    failed = [each for each in found if isinstance(each, Failed)]
    actual = failed[0] if failed else in_columns(found)
    expect(actual).equals(choices([tuple(given) for given in sets]))


ask_for_the_name(drill)


@drill.case(
    points=2,
    zh="修好之后：标准化和学习只见第 0 部分",
    en="repaired: scaling and learning see part 0 alone",
)
def repaired_fitting(student, rng):
    """Parts differ in means and spreads; then a feature that is constant in part 0."""
    sets = []
    for layers, counts, dim in ((5, (24, 18, 20), 5), (4, (30, 15, 25), 4)):

        def make(layers=layers, counts=counts, dim=dim):
            return some_states(rng, layers, counts, dim, 3)

        sets.append(telling(rng, make, SCALING))
    _judge(student, *sets)
    states, labels, parts = some_states(rng, 3, (20, 14, 16), 4, 2)
    states[:, :, 1] = np.where(parts == 0, np.float32(1.5), states[:, :, 1])
    _judge(student, (states, labels, parts))


def with_twins(rng, make, top=False):
    """States of which the layer that is chosen stands there twice, or is that of embeddings."""
    for _ in range(TRIES):
        states, labels, parts = make()
        chosen = int(choice(states, labels, parts)[0])
        if chosen > 0:
            break
    if top:  # the embeddings are best
        states[[0, chosen]] = states[[chosen, 0]]
        return states, labels, parts
    # A twin above: the same features, which are judged alike in part 1 and in part 2 otherwise.
    higher = states[chosen].copy()
    judged = np.flatnonzero(parts == 2)
    higher[judged] = higher[rng.permutation(judged)]
    return np.insert(states, chosen + 1, higher, axis=0), labels, parts


@drill.case(
    points=2,
    zh="修好之后：哪一层，谁来挑，谁来判",
    en="repaired: which layer, who chooses it, and who judges it",
)
def repaired_choice(student, rng):
    """Six layers; then two of which part 1 says the same; then the embeddings as the best."""

    def make():
        return some_states(rng, 6, (26, 19, 23), 4, 3, noise=1.9)

    sets = [telling(rng, make, CHOOSING), telling(rng, lambda: with_twins(rng, make), TWINS)]
    _judge(student, *sets, with_twins(rng, make, top=True))


@drill.case(
    points=1,
    zh="修好之后：baseline；只有一层",
    en="repaired: the baseline; a single layer",
)
def repaired_baseline(student, rng):
    """Classes as common as each other in part 0, which aren't in part 2; then a single layer."""

    def make():
        return some_states(rng, 4, (18, 11, 17), 3, 4)

    def even():  # two classes share the first place
        states, labels, parts = make()
        fitted = rng.permutation(np.repeat(np.arange(4), (6, 3, 6, 3)))
        labels[parts == 0] = (fitted + 1) % 4
        return states, labels, parts

    _judge(student, telling(rng, make, GUESSING), telling(rng, even, GUESSING))
    _judge(student, some_states(rng, 1, (12, 8, 9), 3, 2))


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：两层、一个特征、每部分三四个例子，数要心算得出来。",
            "Don't read yet, experiment: two layers, one feature, three or four examples in each "
            "part, and numbers that you can do in your head.",
        ),
        (
            "三个结果分开看：chosen、accuracy、baseline，各自可以知道哪几部分，不可以知道哪几部分？",
            "Look at the three results one by one: which parts may chosen, accuracy and baseline "
            "know of, and which mayn't they?",
        ),
    ),
)
for _name, _switch in ILLS.items():
    drill.misconception(
        _name,
        switch=_switch,
        zh=STILL_ILL.zh,
        en=STILL_ILL.en,
        hints=ILL_HINTS,
        hides_properties=True,
    )
name_mistakes(drill, OTHERS)


def _three(seen):
    """The three results that came back, for each set, and those that should have.

    Raises:
        LookupError: they aren't three numbers for each set.
    """
    if seen.prediction.parts != PARTS or len(seen.actual) != 3:
        raise LookupError("not three")
    if any(np.shape(got) != np.shape(seen.expected[0]) for got in seen.actual):
        raise LookupError("no numbers")
    return [np.asarray(x, float) for x in seen.actual], [np.asarray(x) for x in seen.expected]


@drill.property(
    "three_numbers_come_back",
    zh="repaired 应当返回三个数：整数 chosen，然后是 accuracy 和 baseline。",
    en="repaired should return three numbers: chosen, which is an int, accuracy and baseline.",
)
def not_three(seen):
    if seen.prediction.parts != PARTS:
        return False
    try:
        _three(seen)
    except (LookupError, TypeError, ValueError):
        return True
    return np.asarray(seen.actual[0]).dtype.kind not in "iu"


@drill.property(
    "chosen_is_right",
    zh="chosen 不对：先看各层在第 1 部分上的准确率。",
    en="chosen is wrong: look at the accuracy of every layer on part 1 first.",
)
def chosen_is_wrong(seen):
    got, wanted = _three(seen)
    return bool((got[0] != wanted[0]).any())


@drill.property(
    "accuracy_is_right",
    zh="chosen 对，accuracy 不对：挑中的那一层，在第 2 部分上。",
    en="chosen is right and accuracy isn't: that of the chosen layer, on part 2.",
)
def accuracy_is_wrong(seen):
    got, wanted = _three(seen)
    same = got[0] == wanted[0]
    return bool(same.all() and (abs(got[1] - wanted[1]) > 1e-5).any())


@drill.property(
    "baseline_is_right",
    zh="baseline 不对。",
    en="baseline is wrong.",
)
def baseline_is_wrong(seen):
    got, wanted = _three(seen)
    return bool((abs(got[2] - wanted[2]) > 1e-5).any())
