"""Notebook ch06b, exercise 4: the best path of tags."""

import itertools

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06b_1_labels import NOTEBOOK
from autograder.exercises.ch06b_viterbi_mistakes import PATHS
from autograder.exercises.common import derived, normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import tag_paths as oracles

TRIES = 300
MARGIN = 0.02  # by how much the best path is the best: rounding plays no part
CHANGED = Text(
    "传进来的 scores 被改动了。",
    "scores, which was handed in, is changed.",
)
# What would be a good path by chance as well: the inputs are drawn until none of these finds it.
HABITS = (
    {"search": "each_alone"},
    {"search": "step_by_step"},
    {"moves": "turned"},
    {"moves": "missing"},
)

viterbi_decode = Exercise(
    "viterbi_decode",
    notebook=NOTEBOOK,
    points=7,
    forbids=("bert_keras.text.word_labels.viterbi",),
    tensors=False,
)


def some_scores(rng, length, tags, scale=1.5):
    """Scores, transitions and starts, all finite."""
    return normal(rng, length, tags), scale * normal(rng, tags, tags), scale * normal(rng, tags)


def with_laws(rng, length, kinds):
    """The same for the tags O, B-x, I-x, B-y, I-y, … of which some may not follow others."""
    tags = 1 + 2 * kinds
    scores, transitions, starts = some_scores(rng, length, tags, 0.7)
    for inner in range(2, tags, 2):
        scores[:, inner] += 1.0  # a model that likes what is forbidden
        starts[inner] = -np.inf
        for before in range(tags):
            if before not in (inner - 1, inner):
                transitions[before, inner] = -np.inf
    return scores, transitions, starts


def telling(rng, make, *mistakes):
    """Scores with one best path, which none of these mistakes finds, if that is drawn soon."""
    for _ in range(TRIES):
        given = make()
        if oracles.lead(*(x.astype(float) for x in given)) < MARGIN:
            continue
        asked = oracles.viterbi_decode(*given)
        found = [asked.predict(mistake, np.float64) for mistake in mistakes]
        if not any(np.array_equal(asked.value, other) for other in found):
            break
    return given


def _judge(student, given):
    wanted = oracles.viterbi_decode(*given)
    scores, transitions, starts = given

    def what_came(got):
        path = [int(tag) for tag in got]
        right = wanted.value.tolist()
        if not all(0 <= tag < len(starts) for tag in path):
            return Text(f"应为 {right}，实际为 {path}。", f"It should be {right}, not {path}.")
        mine, best = (_sum(p, scores, transitions, starts) for p in (path, right))
        return Text(
            f"最好的路是 {right}，总分 {best:.4g}；你的是 {path}，总分 {mine:.4g}。",
            f"The best path is {right}, with a sum of {best:.4g}; yours is {path}, with "
            f"{mine:.4g}.",
        )

    found = student(*(x.copy() for x in given))
    expect(derived(found, oracles.as_path)).equals(wanted, otherwise=what_came)


def _sum(path, scores, transitions, starts):
    total = starts[path[0]] + sum(row[tag] for row, tag in zip(scores, path, strict=True))
    return float(total + sum(transitions[a, b] for a, b in itertools.pairwise(path)))


@viterbi_decode.case(
    points=2,
    zh="转移的分数算数：一个个挑最高的，不是最好的路",
    en="transitions count: the best tag of each place isn't the best path",
)
def transitions_count(student, rng):
    """More tags than places, then fewer; no direction of the transitions is like the other.

    In the last one all sums are negative, as those of log probabilities are.
    """
    for length, tags in ((4, 6), (7, 4), (6, 3)):
        _judge(student, telling(rng, lambda n=length, c=tags: some_scores(rng, n, c), *HABITS))

    def low():
        scores, transitions, starts = some_scores(rng, 5, 4)
        return scores - np.float32(9), transitions, starts

    _judge(student, telling(rng, low, *HABITS, {"best": "at_least_zero"}))


@viterbi_decode.case(
    points=2,
    zh="−∞ 表示不许",
    en="minus infinity forbids",
)
def forbidden(student, rng):
    """The laws of BIO, which the scores would like to break; then a chain with one way only."""
    for length, kinds in ((6, 1), (8, 2), (5, 3)):
        _judge(student, telling(rng, lambda n=length, k=kinds: with_laws(rng, n, k), *HABITS))
    # Scores so large that a finite penalty doesn't keep a path away.
    floors = [{"allowed": name} for name in oracles.FLOORS]

    def loud():
        scores, transitions, starts = with_laws(rng, 7, 2)
        scores[:, 2::2] += 1.0
        return scores * np.float32(150), transitions, starts

    _judge(student, telling(rng, loud, *HABITS[:1], *floors))
    _, transitions, starts = some_scores(rng, 5, 4)
    order = rng.permutation(4)
    transitions[:] = -np.inf
    transitions[order, np.roll(order, 1)] = -1.0
    transitions[order[0], order[0]] = -6.0
    _judge(student, telling(rng, lambda: (normal(rng, 5, 4), transitions, starts)))


@viterbi_decode.case(
    points=1,
    zh="句首的分数；只有一个、两个位置",
    en="scores of the start; one place or two",
)
def the_start(student, rng):
    """The start decides in a row of one place; it is a part of the sum once."""
    for length, tags in ((1, 5), (2, 3), (1, 2), (5, 4)):

        def make(n=length, c=tags):
            scores, transitions, starts = some_scores(rng, n, c, 1.0)
            return scores, transitions, 3 * starts

        _judge(student, telling(rng, make, {"begins": "missing"}))


@viterbi_decode.case(
    points=1,
    zh="长句子：路太多，不能一条条试",
    en="a long sentence: too many paths to try them all",
)
def long_sentence(student, rng):
    """There are 5 to the power of 30 paths."""
    _judge(student, telling(rng, lambda: some_scores(rng, 30, 5, 1.0), *HABITS))


@viterbi_decode.case(
    points=1,
    zh="位置和标签一样多；传进来的数组不改动",
    en="as many places as tags; the arrays handed in aren't changed",
)
def square(student, rng):
    """Where axes fit that shouldn't; then what has become of the scores."""
    for size in (5, 4):
        given = telling(rng, lambda n=size: some_scores(rng, n, n), *HABITS)
        _judge(student, given)
    both = student.followed_by(fixture("array_afterwards"), fixture("lent_array", *given))
    left = derived(both, lambda found: np.asarray(np.array_equal(found[1], given[0])))
    expect(left).equals(oracles.unchanged(), otherwise=CHANGED)


for _name, (_switch, _zh, _en, _hints) in PATHS.items():
    viterbi_decode.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _path(seen):
    """The tags that came back, those that should have, and the three arrays.

    Raises:
        LookupError: there isn't a tag for every place.
    """
    if seen.prediction.parts != ("path",):
        raise LookupError("no path here")
    got = np.asarray(seen.actual)
    if got.shape != seen.expected.shape or got.dtype.kind not in "iu":
        raise LookupError("no path")
    if got.min() < 0 or got.max() >= len(seen.args[2]):
        raise LookupError("no tags")
    return got.tolist(), seen.expected.tolist(), seen.args


@viterbi_decode.property(
    "a_tag_for_every_place",
    zh="应当返回 T 个整数，每个是一种标签（0 到 C − 1）。",
    en="T ints should come back, each of them a tag (0 to C − 1).",
)
def no_path(seen):
    if seen.prediction.parts != ("path",):
        return False
    try:
        _path(seen)
    except (LookupError, ValueError):
        return True
    return False


@viterbi_decode.property(
    "path_is_allowed",
    zh="这条路不许走：有 −∞ 的一步，或者 −∞ 的开头。",
    en="The path isn't allowed: it has a step or a start of minus infinity.",
)
def path_is_forbidden(seen):
    path, _, (scores, transitions, starts) = _path(seen)
    return not np.isfinite(_sum(path, scores, transitions, starts))


@viterbi_decode.property(
    "single_places_are_right",
    zh="只有一个位置时就不对：句首的分数加上这个位置的分数，哪种标签最高？",
    en="It is wrong even for a single place: which tag has the highest sum of the start's score "
    "and its own?",
)
def wrong_for_one_place(seen):
    path, right, _ = _path(seen)
    return len(path) == 1 and path != right


@viterbi_decode.property(
    "best_path_is_found",
    zh="这条路走得通，可是有更高分的。",
    en="The path can be taken, but another one has a higher sum.",
)
def another_is_better(seen):
    path, right, _ = _path(seen)
    return path != right and len(path) > 1 and not path_is_forbidden(seen)


@viterbi_decode.property("arguments_are_left_alone", zh=CHANGED.zh, en=CHANGED.en)
def something_is_changed(seen):
    return seen.prediction.parts == ("unchanged",)
