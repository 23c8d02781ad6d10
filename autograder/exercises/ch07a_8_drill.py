"""Notebook ch07a, exercise 8: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07a_drill_mistakes import ILL_HINTS, ILLS, OTHERS, STILL_ILL
from autograder.exercises.ch07a_kit import NOTEBOOK, padding
from autograder.exercises.common import name_mistakes, normal
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles.head_importance import heads_to_keep as oracle
from autograder.oracles.head_importance import switched_off

TRIES = 60
MARGIN = 0.004  # by how much one head is more important than the next: rounding plays no part
DRILL_BUGS = tuple(ILLS)
# Mistakes that only change which heads stay; how it is done rightly.
RIGHT = {
    "order": "smallest_first",
    "last_of_a_layer": "stays",
    "places": "by_heads",
    "number": "given",
}
LATE = [
    form
    for switch in (*ILLS.values(), *(row[0] for row in OTHERS.values()))
    for form in ((switch,) if isinstance(switch, dict) else switch)
    if set(form) <= set(RIGHT)
]
PARTS = ("importance", "kept")

drill = Exercise(
    "drill_ch07a_heads",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    tensors=False,
    variants=DRILL_BUGS,
)


def some_model(rng, layers, heads, lengths, size, width):
    """What heads found, gradients of layers that differ in size, and the padding mask.

    For some texts a head has one sign, for others the other.
    """
    shape = (layers, len(lengths), size, heads, width)
    gradients = normal(rng, *shape)
    gradients *= rng.permutation(np.geomspace(0.2, 3.0, layers)).reshape(-1, 1, 1, 1, 1)
    mask = padding(lengths, size)
    return normal(rng, *shape), gradients.astype(np.float32), mask


def telling(rng, make, removed):
    """Arguments for which mistakes in choosing heads differ, as far as such are drawn soon."""
    best, most = None, 0
    for _ in range(TRIES):
        given = make()
        importance, kept = oracle.raw(*given, removed)
        steps = np.diff(np.sort(importance, axis=None))
        if len(steps) and steps.min() < MARGIN:
            continue
        chosen = {switched_off(importance, removed, **{**RIGHT, **one}).tobytes() for one in LATE}
        shown = len(chosen - {kept.tobytes()})
        if shown >= most:
            best, most = (*given, removed), shown
    return best


def _judge(student, given):
    """Importance first; who stays is only asked where it is right, or has the right shape."""
    wanted = oracle(*given)
    removed = given[3]

    def what_came(got):
        importance, kept = (np.asarray(part) for part in got)
        if not np.allclose(importance, wanted.value[0], atol=1e-5, rtol=1e-5):
            worst = np.abs(importance - wanted.value[0]).argmax()
            layer, head = np.unravel_index(worst, importance.shape)
            right, mine = (float(x[layer, head]) for x in (wanted.value[0], importance))
            return Text(
                f"importance[{layer}, {head}] 应为 {right:.4g}，实际为 {mine:.4g}。",
                f"importance[{layer}, {head}] should be {right:.4g}, not {mine:.4g}.",
            )
        off = [
            ", ".join(f"[{a}, {b}]" for a, b in np.argwhere(~x)) or "–"
            for x in (wanted.value[1], kept)
        ]
        return Text(
            f"importance 对了，kept 不对。removed = {removed}，应当关掉 {off[0]}，"
            f"实际关掉了 {off[1]}。",
            f"importance is right, kept isn't. With removed = {removed} it should be {off[0]} that "
            f"are off, not {off[1]}.",
        )

    copies = (x.copy() for x in given[:3])
    expect(student.named("repaired")(*copies, removed)).equals(wanted, otherwise=what_came)


ask_for_the_name(drill)


@drill.case(
    points=2,
    zh="修好之后：重要性，先没有填充，再有填充",
    en="repaired: importance, first without padding, then with it",
)
def repaired_importance(student, rng):
    """One head goes; all sizes differ."""
    for lengths, size in (((5, 5, 5, 5), 5), ((6, 2, 4), 7)):

        def make(lengths=lengths, size=size):
            return some_model(rng, 2, 3, lengths, size, 4)

        _judge(student, telling(rng, make, 1))


@drill.case(
    points=2,
    zh="修好之后：关掉哪几个",
    en="repaired: which heads go",
)
def repaired_choice(student, rng):
    """As many as leave one head in every layer, and fewer."""
    for layers, heads, removed in ((3, 4, 9), (4, 3, 7), (2, 5, 6)):

        def make(layers=layers, heads=heads):
            return some_model(rng, layers, heads, (5, 3, 4), 5, 2)

        _judge(student, telling(rng, make, removed))


@drill.case(
    points=1,
    zh="修好之后：几个轴一样大；一个也不关；只有一层或一个头",
    en="repaired: axes of one size; none to go; a single layer or head",
)
def repaired_at_the_edges(student, rng):
    """Where axes fit that shouldn't."""
    _judge(student, telling(rng, lambda: some_model(rng, 3, 3, (3, 2, 3), 3, 3), 4))
    for layers, heads, removed in ((2, 3, 0), (1, 4, 3), (3, 1, 0)):

        def make(layers=layers, heads=heads):
            return some_model(rng, layers, heads, (4, 2), 4, 3)

        given = telling(rng, make, removed) if heads > 1 else (*make(), removed)
        _judge(student, given)


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：L = 1、N = 2、H = 1，一行文字，两个词元，乘积能心算的数。",
            "Don't read yet, experiment: L = 1, N = 2, H = 1, one text of two tokens, and numbers "
            "whose products you can do in your head.",
        ),
        (
            "重要性对不对，跟谁被关掉，是两件事：先看 importance，它对了再看 kept。",
            "Whether importance is right and which heads go are two things: look at importance "
            "first, and at kept once that is right.",
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


def _pair(seen):
    """Importance and kept that came back, and those that should have.

    Raises:
        LookupError: it is no such pair.
    """
    if seen.prediction.parts != PARTS or len(seen.actual) != 2:
        raise LookupError("no pair")
    importance, kept = (np.asarray(part) for part in seen.actual)
    if importance.shape != seen.expected[0].shape or kept.shape != seen.expected[1].shape:
        raise LookupError("another shape")
    return importance, kept, seen.expected


@drill.property(
    "two_arrays_come_back",
    zh="repaired 应当返回一对数组，形状都是 (L, N)：先是 importance，后是 bool 的 kept。",
    en="repaired should return a pair of arrays, both of shape (L, N): importance, then kept, "
    "which is bool.",
)
def no_pair(seen):
    if seen.prediction.parts != PARTS:
        return False
    try:
        _, kept, _ = _pair(seen)
    except (LookupError, TypeError):
        return True
    return kept.dtype != bool


@drill.property(
    "importance_is_right",
    zh="importance 不对。",
    en="importance is wrong.",
)
def importance_is_wrong(seen):
    importance, _, wanted = _pair(seen)
    return not np.allclose(importance, wanted[0], atol=1e-4)


@drill.property(
    "as_many_go_as_should",
    zh="关掉的头数不对。",
    en="The number of heads that go is wrong.",
)
def another_number(seen):
    _, kept, wanted = _pair(seen)
    return int(kept.sum()) != int(wanted[1].sum())


@drill.property(
    "the_right_ones_go",
    zh="importance 对，关掉的个数也对，关掉的却不是最不重要的那几个。",
    en="importance is right and as many heads go as should, but they aren't the least important "
    "ones.",
)
def others_go(seen):
    _, kept, wanted = _pair(seen)
    if another_number(seen) or importance_is_wrong(seen):
        return False
    return not np.array_equal(kept, wanted[1])
