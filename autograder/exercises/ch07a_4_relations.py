"""Notebook ch07a, exercise 4: how often a head looks at the right token."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch07a_kit import (
    LIBRARY,
    NOTEBOOK,
    ask_whether_weights_change,
    measured,
    padding,
    some_attention,
)
from autograder.exercises.ch07a_relation_mistakes import RELATIONS
from autograder.exercises.common import name_mistakes
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import head_relations as oracles

NOT_RAISED = Text(
    "没有一个查询有目标，应当抛出 ValueError。",
    "No query has a target, and a ValueError should be raised.",
)
RETURNED = Text(
    "没有一个查询有目标，应当抛出 ValueError：用 raise，不是 return。",
    "No query has a target, and a ValueError should be raised: with raise, not return.",
)

head_relation_accuracy = Exercise(
    "head_relation_accuracy",
    notebook=NOTEBOOK,
    points=6,
    library=f"{LIBRARY}:head_relation_accuracy",
    tensors=False,
)


def some_relation(rng, mask, heads, share=0.5, every=False, free=0.5):
    """Attention, targets and candidates such that every head finds some of the targets.

    Args:
        rng: generator.
        mask: bool (B, T).
        heads: int.
        share: of the real tokens that are candidates.
        every: whether every query has a target; else some have none.
        free: of the weight, how much goes to keys that are no candidates.
    """
    batch, length = mask.shape
    candidates = mask & (rng.random(mask.shape) < share)
    for row, real in zip(candidates, mask, strict=True):
        places = rng.permutation(np.flatnonzero(real))
        row[places[:2]] = True
        row[places[-1]] = False  # one that may not be chosen
    targets = np.full((batch, length), -1)
    for row, query in np.argwhere(mask):
        targets[row, query] = rng.choice(np.flatnonzero(candidates[row]))
    if not every:
        drawn = rng.random(mask.shape) < 0.4
        drawn[:, 0] = False
        targets[drawn] = -1
    weights = some_attention(rng, mask, heads).astype(float)
    helped = rng.random((batch, heads, length)) < np.linspace(0.2, 0.8, heads)[:, None]
    for row, head, query in np.argwhere(helped):
        if targets[row, query] >= 0:
            weights[row, head, query, targets[row, query]] += 1.0
    others = ~candidates[:, None, None, :] & mask[:, None, None, :]
    resting = rng.random((batch, heads, length, 1)) < free
    weights = np.where(others & resting, 1.5 + weights, weights)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights.astype(np.float32), targets, candidates


def _judge(student, given):
    expect(student(*(x.copy() for x in given))).equals(oracles.head_relation_accuracy(*given))


@head_relation_accuracy.case(
    points=1,
    zh="每个查询都有目标，每个键都可以挑",
    en="every query has a target, and every key may be chosen",
)
def largest_weight(student, rng):
    """Nothing but the largest weight of every query."""
    for batch, heads, length in ((1, 2, 6), (3, 4, 7)):
        mask = padding([length] * batch, length)
        weights, targets, _ = some_relation(rng, mask, heads, share=1, every=True, free=0)
        _judge(student, (weights, targets, mask))


@head_relation_accuracy.case(
    points=2,
    zh="只在候选里挑，哪怕最大的权重在别处",
    en="candidates only, even where the largest weight is elsewhere",
)
def candidates_only(student, rng):
    """Half of the queries rest elsewhere; candidates differ from row to row."""
    for batch, heads, length in ((3, 3, 8), (4, 2, 9)):
        mask = padding([length] * batch, length)
        _judge(student, some_relation(rng, mask, heads, every=True))
    mask = padding((9, 6, 4), 9)
    weights, targets, candidates = some_relation(rng, mask, 3, every=True)
    _judge(student, (weights, np.where(mask, targets, -1), candidates))


@head_relation_accuracy.case(
    points=1,
    zh="没有目标的查询不算，所有行放在一起",
    en="queries without a target don't count; all rows together",
)
def some_without(student, rng):
    """Padding has no target; rows differ in how many there are; 0 is a target like any other."""
    # Axes of one size come first: a mask on the axes of rows and heads fits there, and shows.
    sets = (((4, 2, 3, 4), 4, 4), ((8, 3, 5), 8, 3), ((4, 9, 6, 7), 10, 3))
    for lengths, size, heads in sets:
        mask = padding(lengths, size)
        weights, targets, candidates = some_relation(rng, mask, heads)
        kept = rng.permutation(len(lengths))
        for row, most in zip(kept, (2, 1, 9, 9), strict=False):
            asked = np.flatnonzero(targets[row] >= 0)
            targets[row, asked[most:]] = -1
        targets[0, :2] = np.flatnonzero(candidates[0])[0]
        if mask[0, -1]:  # queries without a target that choose the last key, which is place -1
            candidates[0, -1] = True
            targets[0, 3:5] = -1
            weights[0, :, 3:5] = np.eye(size, dtype=np.float32)[-1]
        _judge(student, (weights, targets, candidates))


@head_relation_accuracy.case(
    points=1,
    zh="一样大挑第一个候选；候选的权重全是 0；目标不是候选",
    en="of equals the first candidate; candidates of weight 0; a target that is no candidate",
)
def ties(student, rng):
    """Weights in eighths, so that equal ones are equal."""
    mask = padding([7, 7, 7], 7)
    weights, _, candidates = some_relation(rng, mask, 3, share=0.6, every=True)
    candidates[:, 0] = False
    targets = np.array([rng.choice(np.flatnonzero(row), size=7) for row in candidates])
    targets[:, ::2] = candidates.argmax(axis=1)[:, None]
    # All weight is on the first key, which is no candidate; here and there it is the target.
    closed = np.zeros((3, 3, 7, 7), np.float32)
    closed[..., 0] = 1.0
    elsewhere = targets.copy()
    elsewhere[:, 1::3] = 0
    _judge(student, (closed, elsewhere, candidates))
    rounded = np.floor(weights * 4) / 8
    rounded[..., 0] += 1 - rounded.sum(axis=-1)
    _judge(student, (rounded.astype(np.float32), targets, candidates))


@head_relation_accuracy.case(
    points=1,
    zh="没有一个目标：ValueError；weights 不改动",
    en="no target at all: a ValueError; weights are left alone",
)
def no_target(student, rng):
    """A row without any target is no reason to refuse; none in all rows is."""
    mask = padding((8, 4), 8)
    weights, targets, candidates = some_relation(rng, mask, 2, every=True)
    targets[1] = -1
    _judge(student, (weights, targets, candidates))
    # A copy: who writes into what he is given would write here first, and once more unseen.
    found = student(weights.copy(), np.full_like(targets, -1), candidates.copy())
    if isinstance(found, Failed) and found.error.type == "NotImplementedError":
        expect(found).equals(oracles.refused())  # not filled in yet, which is told as such
    told = isinstance(found, Failed) and found.error.type == "ValueError"
    expect(np.asarray(told)).equals(oracles.refused(), otherwise=_not_raised(found))
    ask_whether_weights_change(student, (weights, targets, candidates))


def _not_raised(found):
    """What to say of something that should have raised a ValueError."""
    if not isinstance(found, Failed):
        return NOT_RAISED
    if found.error.type == "Unusable":  # what came back is no array: most likely the error itself
        return RETURNED
    return Text(
        f"抛出的是 {found.error.type}，应当是 ValueError。",
        f"{found.error.type} was raised; it should be ValueError.",
    )


name_mistakes(head_relation_accuracy, RELATIONS)
PARTS = ("accuracy",)


@head_relation_accuracy.property(
    "shape_is_right",
    zh="形状不对：应当是 (N,) 的浮点数组。",
    en="The shape is wrong: a float array of shape (N,) is wanted.",
)
def shape_is_wrong(seen):
    return seen.prediction.parts == PARTS and np.shape(seen.actual) != seen.expected.shape


@head_relation_accuracy.property(
    "shares_are_from_0_to_1",
    zh="份额应当在 0 到 1 之间，也不能是 NaN。",
    en="Shares should be from 0 to 1, and not NaN.",
)
def outside(seen):
    got, _ = measured(seen, PARTS)
    return not ((got > -1e-4) & (got < 1 + 1e-4)).all()


@head_relation_accuracy.property(
    "right_where_all_keys_may_be_chosen",
    zh="每个键都可以挑、每个查询都有目标时就不对：最大的权重在哪个键上？",
    en="It is wrong even where every key may be chosen and every query has a target: on which key "
    "is the largest weight?",
)
def wrong_for_all(seen):
    measured(seen, PARTS)
    return bool(seen.args[2].all())


@head_relation_accuracy.property(
    "right_where_all_have_targets",
    zh="每个查询都有目标时也不对，毛病在候选上：是不是只在候选里挑，一样大时挑哪个，"
    "目标不是候选时算不算？",
    en="It is wrong even where every query has a target, so it is about candidates: is the choice "
    "among them alone, which of equals is it, and what of a target that is no candidate?",
    alone=True,
)
def wrong_for_candidates(seen):
    measured(seen, PARTS)
    return not seen.args[2].all() and bool((seen.args[1] >= 0).all())


@head_relation_accuracy.property(
    "only_queries_with_a_target_count",
    zh="有的查询没有目标时不对：哪些查询要算，一共几个？",
    en="It is wrong where some queries have no target: which ones count, and how many are they?",
    alone=True,
)
def wrong_for_some(seen):
    measured(seen, PARTS)
    return bool((seen.args[1] < 0).any())


@head_relation_accuracy.property("no_target_is_refused", zh=NOT_RAISED.zh, en=NOT_RAISED.en)
def not_refused(seen):
    return seen.prediction.parts == ("refused",)


@head_relation_accuracy.property(
    "weights_are_left_alone",
    zh="传进来的 weights 被改动了。",
    en="weights, which was handed in, is changed.",
)
def something_is_changed(seen):
    return seen.prediction.parts == ("unchanged",)
