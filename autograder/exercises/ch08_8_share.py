"""Notebook ch08, exercise 8: one block in place of many."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch00_3_scale_shift import attempted, usable
from autograder.exercises.ch08_kit import (
    LIBRARY,
    NOTEBOOK,
    in_parts,
    is_about,
    same,
)
from autograder.exercises.ch08_share_mistakes import BUILDING, SHARING
from autograder.exercises.common import IN_TRAINING, derived, name_mistakes, normal, some_open
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import shared_encoder as oracles

CLOSE = {"atol": 3e-5, "rtol": 3e-5}

share_layers = Exercise(
    "share_layers",
    notebook=NOTEBOOK,
    points=4,
    kind="layer",
    defines=("SharedEncoder",),
    stretch=True,
    library=f"{LIBRARY}.sharing:SharedEncoder",
    blanks=("build", "call"),
)


def some_tokens(rng, *shape):
    """Tokens, and a kernel for the block."""
    dim = shape[-1]
    return normal(rng, *shape), normal(rng, dim, dim) / np.float32(np.sqrt(dim) / 1.3)


def made(student, x, kernel, num_layers, ready=True):
    """The layer around a block of this kernel, or the failure to build it."""
    config = {"block": fixture("watched_block", kernel, ready), "num_layers": num_layers}
    return attempted(lambda: student.build(inputs=(x,), **config))


def _judge(layer, x, kernel, num_layers, mask=None, ready=True):
    named = {} if mask is None else {"attention_mask": mask}
    found = usable(layer, lambda: layer(x, **named))
    wanted = in_parts(oracles.shared_states(x, kernel, num_layers, mask, ready), "states")
    expect(found).equals(wanted, **CLOSE)


@share_layers.case(
    points=1,
    zh="L + 1 个状态：输入在最前，一遍接一遍",
    en="L + 1 states: the input first, one pass after the other",
)
def all_states(student, rng):
    """Three layers, one, and as many as tokens."""
    for shape, number in (((2, 5, 4), 3), ((3, 4, 6), 1), ((4, 4, 4), 4)):
        x, kernel = some_tokens(rng, *shape)
        _judge(made(student, x, kernel, number), x, kernel, number)


@share_layers.case(
    points=1,
    zh="掩码：每一遍都交给块",
    en="the mask reaches the block in every pass",
)
def with_masks(student, rng):
    """One for every query, and one that all queries share."""
    x, kernel = some_tokens(rng, 3, 5, 4)
    layer = made(student, x, kernel, 3)
    for mask in (some_open(rng, 3, 5, 5), some_open(rng, 3, 1, 5)):
        _judge(layer, x, kernel, 3, mask)


@share_layers.case(
    points=1,
    zh="build：没建的块建好，建过的不再建；参数只有一份",
    en="build: a block is built unless it was; there is one set of weights",
)
def block_is_built_once(student, rng):
    """What comes out is right in both cases, and the number of weights doesn't grow with L."""
    for ready in (False, True):
        x, kernel = some_tokens(rng, 2, 4, 5)
        layer = made(student, x, kernel, 3, ready)
        _judge(layer, x, kernel, 3, ready=ready)
        number = derived(
            usable(layer, lambda: layer.request("weights")),  # noqa: B023
            lambda found: np.asarray(len(found)),
        )
        expect(number).equals(oracles.how_many_weights(3, ready), otherwise=_too_many)


def _too_many(got):
    return Text(
        f"这一层应当只有块的那 1 个参数，现在有 {int(np.asarray(got))} 个。",
        f"The layer should have the block's 1 weight only, and has {int(np.asarray(got))}.",
    )


@share_layers.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """The number of texts isn't known; an error here is no evidence of a mistake."""
    x, kernel = some_tokens(rng, 3, 4, 5)
    layer = made(student, x, kernel, 2)
    how = {"args": [x], "kwargs": {}, "unknown": [0]}
    found = usable(layer, lambda: layer.request("call", **how))
    expect(found).equals(oracles.shared_states(x, kernel, 2), evidence=False, **CLOSE)


name_mistakes(share_layers, SHARING, BUILDING)


def _states(seen):
    """The states that came back, and the right ones.

    Raises:
        LookupError: the observation is about something else, or there is another number of them.
    """
    if not is_about(seen, "states"):
        raise LookupError("about something else")
    got, wanted = seen.actual, seen.expected
    if not isinstance(got, (tuple, list)) or len(got) != len(wanted):
        raise LookupError("another number of states")
    return [same(a, b, **CLOSE) for a, b in zip(got, wanted, strict=True)]


@share_layers.property(
    "a_list_of_states",
    zh="应当返回 L + 1 个状态的列表。",
    en="A list of L + 1 states should come back.",
)
def no_list(seen):
    if not is_about(seen, "states"):
        return False
    got = seen.actual
    return not isinstance(got, (tuple, list)) or len(got) != len(seen.expected)


@share_layers.property(
    "input_comes_first",
    zh="第 0 个状态应当就是输入。",
    en="State 0 should be the input itself.",
)
def something_else_comes_first(seen):
    return not _states(seen)[0]


@share_layers.property(
    "first_pass_is_right",
    zh="第一遍就不对：块收到的是什么，取的是它返回的哪一样？",
    en="The first pass is wrong: what is the block given, and which of its results is taken?",
)
def first_pass_is_wrong(seen):
    right = _states(seen)
    return right[0] and not right[1]


@share_layers.property(
    "later_passes_are_right",
    zh="第一遍对，后面的不对：每一遍接着上一遍，掩码也照旧。",
    en="The first pass is right and later ones aren't: each goes on from the one before, with the "
    "same mask.",
)
def later_passes_are_wrong(seen):
    right = _states(seen)
    return right[0] and right[1] and not all(right)


@share_layers.property(
    "weights_count_once",
    zh="参数的个数不对：不管多少层，都只有块的那一份。",
    en="The number of weights is wrong: however many layers there are, only the block has any.",
)
def more_weights(seen):
    return seen.prediction.parts == ("weights",)
