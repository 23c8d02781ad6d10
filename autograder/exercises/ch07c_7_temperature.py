"""Notebook ch07c, exercise 7: one temperature for all probabilities."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07c_kit import CALIBRATION, NOTEBOOK, as_floats
from autograder.exercises.ch07c_temperature_mistakes import TEMPERATURES
from autograder.exercises.ch08_kit import ask_whether_it_changes
from autograder.exercises.common import derived, name_mistakes
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles.temperatures import losses_of
from autograder.oracles.temperatures import temperature_scale as oracle

CHANGED = Text(
    "传进来的 logits 被改动了。",
    "logits, which was handed in, is changed.",
)
LIST = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.5, 7.0)
MARGIN = 2e-4  # of the best loss to the next: rounding plays no part

temperature_scale = Exercise(
    "temperature_scale",
    notebook=NOTEBOOK,
    points=6,
    library=f"{CALIBRATION}:temperature_scale",
    tensors=False,
)


def rounded(logits):
    """Numbers that float32 has exactly, so that large ones lose nothing either."""
    return np.round(np.asarray(logits) * 64) / 64


def some_logits(rng, number, num_classes, sharpness):
    """Logits `sharpness` times those that would be right, and labels drawn from the right ones."""
    honest = 1.7 * rng.standard_normal((number, num_classes))
    shares = np.exp(honest) / np.exp(honest).sum(axis=1, keepdims=True)
    ends = shares.cumsum(axis=1)
    labels = (rng.random((number, 1)) > ends).sum(axis=1).clip(0, num_classes - 1)
    shifts = rng.uniform(-3, 3, (number, 1))
    return rounded(honest * sharpness + shifts), labels.astype(np.int64)


def drawn(rng, number, num_classes, sharpness, temperatures=LIST, inside=True):
    """Logits for which one temperature is clearly best, and not by chance at an end of the list."""
    for _ in range(40):
        given = some_logits(rng, number, num_classes, sharpness)
        order = [float(t) for t in rng.permutation(temperatures)]
        losses = losses_of(*given, order)
        best = np.sort(losses)
        place = order[int(np.argmin(losses))]
        between = min(temperatures) < place < max(temperatures) and place != 1.0
        first = int(np.argmin(losses)) in (0, len(order) - 1)
        if best[1] - best[0] > MARGIN and (between or not inside) and not first:
            break
    return (*given, order)


def mostly_wrong(rng):
    """Five labels of six are the least likely class, the others the likeliest."""
    logits, _ = some_logits(rng, 36, 3, 1.6)
    labels = np.where(np.arange(36) % 6 == 0, logits.argmax(axis=1), logits.argmin(axis=1))
    order = [float(t) for t in rng.permutation(LIST)]
    ends = [place for place in (0, len(order) - 1) if order[place] == max(LIST)]
    for place in ends:  # whoever takes the first or the last of the list is wrong
        order[place], order[4] = order[4], order[place]
    return logits, labels.astype(np.int64), order


def judge(student, logits, labels, temperatures):
    found = student(logits.copy(), labels.copy(), list(temperatures))
    wanted = oracle(logits, labels, temperatures)
    expect(derived(found, as_floats)).equals(wanted)


@temperature_scale.case(
    points=2,
    zh="太自信的模型：T > 1",
    en="a model that is too sure: T > 1",
)
def too_sure(student, rng):
    """All sizes differ; the list is in no order. The first model is mostly wrong, so that its own
    answers and the labels, and one loss and another, ask for different temperatures."""
    judge(student, *mostly_wrong(rng))
    for number, num_classes, sharpness in ((40, 3, 2.2), (60, 4, 3.4), (30, 5, 4.0)):
        judge(student, *drawn(rng, number, num_classes, sharpness))


@temperature_scale.case(
    points=1,
    zh="不够自信的模型：T < 1",
    en="a model that isn't sure enough: T < 1",
)
def not_sure_enough(student, rng):
    """Two classes, too."""
    for number, num_classes, sharpness in ((80, 3, 0.45), (60, 2, 0.6)):
        judge(student, *drawn(rng, number, num_classes, sharpness))


@temperature_scale.case(
    points=1,
    zh="损失一样；只有一个温度；n 和 C 一样大",
    en="equal losses; a single temperature; n and C alike",
)
def ties_and_sizes(student, rng):
    """Of logits that are all 0 every temperature makes the same."""
    labels = rng.integers(3, size=6)
    judge(student, np.zeros((6, 3)), labels, [3.0, 0.5, 2.0])
    judge(student, *drawn(rng, 7, 7, 2.5, inside=False))
    logits, labels = some_logits(rng, 9, 4, 2.0)
    judge(student, logits, labels, [2.5])


@temperature_scale.case(
    points=1,
    zh="很大的 logits",
    en="large logits",
)
def large_logits(student, rng):
    """Tens of thousands, up and down; then a right class that is thousands below the largest."""
    logits, labels, order = drawn(rng, 40, 3, 2.5)
    judge(student, logits + rounded(rng.uniform(-3e4, 3e4, (40, 1))), labels, order)
    logits, labels, order = far_off(rng)
    judge(student, logits, labels, order)


def far_off(rng):
    """Rows for which 1 would be best, and three whose right class is thousands below: 5 is.

    Whoever takes the logarithm of a probability has it of 0 there, whatever the temperature.
    """
    for _ in range(40):
        logits, labels = some_logits(rng, 60, 3, 1.0)
        best = np.sort(losses_of(logits, labels, [0.5, 1.0, 2.0, 3.0, 4.0]))
        if best[1] - best[0] > 5 * MARGIN:
            break
    hopeless = rng.permutation(60)[:3]
    logits[hopeless, labels[hopeless]] -= 6000.0
    return logits, labels, [3.0, 1.0, 5.0, 0.5, 2.0, 4.0]


@temperature_scale.case(
    points=1,
    zh="许多类，许多行；logits 不改动",
    en="many classes, many rows; logits are left alone",
)
def many_rows(student, rng):
    """Twelve classes of which many get next to nothing."""
    judge(student, *drawn(rng, 150, 12, 2.6))
    ask_whether_it_changes(student, drawn(rng, 12, 3, 2.0, inside=False), CHANGED)


_CHANGED_HINTS = (
    (
        "哪一行往 logits 里写了东西：-=、/= 也算。",
        "Which line writes into logits? -= and /= do, too.",
    ),
    (
        "另造一个新数组：a - b 是新的，a -= b 不是。",
        "Make a new array: a - b is one, a -= b isn't.",
    ),
)
ARRAYS_CHANGED = {
    "array_changed": ({"edits": "in_place"}, CHANGED.zh, CHANGED.en, _CHANGED_HINTS),
}
name_mistakes(temperature_scale, TEMPERATURES, ARRAYS_CHANGED)


def _pair(seen):
    """The temperature and the probabilities that came back.

    Raises:
        LookupError: it is no such pair, or about something else.
    """
    if seen.prediction.parts != ("temperature", "probabilities"):
        raise LookupError("about something else")
    got = seen.actual
    if not isinstance(got, tuple) or len(got) != 2:
        raise LookupError("no pair")
    if np.shape(got[0]) != () or np.shape(got[1]) != seen.expected[1].shape:
        raise LookupError("another shape")
    return float(got[0]), np.asarray(got[1], float)


@temperature_scale.property(
    "a_pair_comes_back",
    zh="应当返回一对 (temperature, probabilities)：一个小数，一个 (n, C) 的数组。",
    en="A pair (temperature, probabilities) should come back, a float and an array (n, C).",
)
def no_pair(seen):
    if seen.prediction.parts != ("temperature", "probabilities"):
        return False
    try:
        _pair(seen)
    except (LookupError, TypeError, ValueError):
        return True
    return False


@temperature_scale.property(
    "one_of_the_list",
    zh="返回的温度不在 temperatures 里。",
    en="The temperature that comes back isn't one of the list.",
)
def not_in_the_list(seen):
    return not np.isclose(_pair(seen)[0], seen.args[2]).any()


@temperature_scale.property(
    "probabilities_add_up_to_one",
    zh="有的行的概率加起来不是 1，或者有 NaN。",
    en="The probabilities of some row don't add up to 1, or there is NaN.",
)
def no_probabilities(seen):
    _, shares = _pair(seen)
    return not np.allclose(shares.sum(axis=1), 1, atol=1e-4) or bool((shares < -1e-6).any())


@temperature_scale.property(
    "probabilities_fit_the_temperature",
    zh="返回的概率不是返回的那个温度下的：logits 除以它，再做 softmax。",
    en="The probabilities don't fit the temperature that comes back: the softmax of logits divided "
    "by it.",
)
def another_temperature(seen):
    temperature, shares = _pair(seen)
    fitting = oracle.raw(seen.args[0], seen.args[1], [temperature])[1]
    return not np.allclose(shares, fitting, atol=1e-4)


@temperature_scale.property(
    "best_temperature_is_chosen",
    zh="概率和温度对得上，选的却不是损失最小的那个。",
    en="Probabilities fit the temperature, but it isn't the one with the lowest loss.",
)
def another_one_is_better(seen):
    temperature, _ = _pair(seen)
    return not another_temperature(seen) and not np.isclose(temperature, float(seen.expected[0]))


@temperature_scale.property("arrays_are_left_alone", zh=CHANGED.zh, en=CHANGED.en)
def something_is_changed(seen):
    return seen.prediction.parts == ("unchanged",)
