"""Notebook ch04b, exercise 1: a whole GPT as one function."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch04b_logits_mistakes import LOGITS
from autograder.exercises.common import derived, gradients, normal, real_tokens
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles import gpt

NOTEBOOK = "ch04b_gpt"
MASKS = {name: f"bert_keras.layers.masks:{name}" for name in ("causal_mask", "combine_masks")}
CLOSE = {"atol": 3e-5, "rtol": 3e-5}

gpt_logits = Exercise(
    "gpt_logits",
    notebook=NOTEBOOK,
    points=6,
    library="bert_keras.models.gpt_pieces:gpt_logits",
    needs=MASKS,
)


def tables(rng, size, dim, places):
    """A token table and a position table, of order one."""
    return normal(rng, size, dim), 0.7 * normal(rng, places, dim)


def planted(rng, dim, count):
    """Kernels of so many blocks that look at some tokens more than at others."""
    return [
        (normal(rng, dim, dim) / np.float32(dim**0.5), 2 * normal(rng, dim, dim) / dim)
        for _ in range(count)
    ]


def blocks_of(kernels):
    """The planted blocks with these kernels, as the answer is given them."""
    return [fixture("planted_block", *pair) for pair in kernels]


def some_ids(rng, size, *shape):
    """Token ids of which two neighbours never agree, so that a shift always shows."""
    steps = rng.integers(1, size, shape)
    return ((rng.integers(size, size=shape[:-1])[..., None] + np.cumsum(steps, -1)) % size).astype(
        np.int32
    )


def _judge(student, token_ids, padding_mask, pair, kernels):
    found = student(token_ids, padding_mask, *pair, blocks_of(kernels))
    expect(derived(found, lambda logits: gpt.blanked(logits, padding_mask))).equals(
        gpt.gpt_logits(token_ids, padding_mask, *pair, kernels), **CLOSE
    )


@gpt_logits.case(
    points=1,
    zh="一个块也没有：词元加位置，再和词元表比",
    en="no block at all: tokens plus positions, compared with the table",
)
def no_blocks(student, rng):
    """All sizes differ; then as many rows as there are times."""
    for batch, length in ((3, 5), (4, 4)):
        ids = some_ids(rng, 9, batch, length)
        _judge(student, ids, np.ones(ids.shape, bool), tables(rng, 9, 6, 10), [])


@gpt_logits.case(
    points=2,
    zh="几个块叠起来，没有填充：看不见未来",
    en="a stack of blocks, no padding: the future is hidden",
)
def stacked(student, rng):
    """Two blocks and a single row, where many a mask fits; then three that are all different."""
    ids = some_ids(rng, 11, 1, 6)
    _judge(student, ids, np.ones(ids.shape, bool), tables(rng, 11, 4, 7), planted(rng, 4, 2))
    ids = some_ids(rng, 7, 3, 5)
    _judge(student, ids, np.ones(ids.shape, bool), tables(rng, 7, 6, 8), planted(rng, 6, 3))


@gpt_logits.case(
    points=1,
    zh="有填充：在右边、在左边、在中间，都看不见",
    en="padding on the right, on the left and in the middle: never visible",
)
def padded(student, rng):
    """What comes out at padding is nobody's concern."""
    ids = some_ids(rng, 8, 4, 6)
    mask = real_tokens((6, 3, 6, 6), 6)
    mask[2, : int(rng.integers(1, 4))] = False
    mask[3, int(rng.integers(1, 4))] = False
    _judge(student, ids, mask, tables(rng, 8, 5, 9), planted(rng, 5, 2))


@gpt_logits.case(
    points=1,
    zh="梯度传回两张表；词元表从查表和输出两头都有",
    en="gradients reach both tables, the token table from both of its ends",
)
def gradients_flow(student, rng):
    """Against finite differences of the oracle."""
    ids = some_ids(rng, 5, 2, 3)
    mask = real_tokens((3, 2), 3)
    pair, kernels = tables(rng, 5, 3, 4), planted(rng, 3, 1)
    cotangent = normal(rng, 2, 3, 5) * mask[..., None]
    found = student.gradient(ids, mask, *pair, blocks_of(kernels), wrt=(2, 3), cotangent=cotangent)
    expect(gradients(found, pair)).equals(
        gpt.gpt_logits_gradient(ids, mask, *pair, kernels, cotangent), atol=2e-3, rtol=2e-3
    )


@gpt_logits.case(
    points=1,
    zh="训练时也能用：那时批次大小还不知道",
    en="it works in training, where the batch size isn't known yet",
)
def in_training(student, rng):
    """The length is known; see `works_in_training`."""
    ids = some_ids(rng, 7, 3, 4)
    pair, kernels = tables(rng, 7, 4, 5), planted(rng, 4, 2)
    mask = np.ones(ids.shape, bool)
    works_in_training(
        student,
        (ids, mask, *pair, blocks_of(kernels)),
        gpt.gpt_logits(ids, mask, *pair, kernels),
        unknown=(0, 1),
    )


for _name, (_switch, _zh, _en, _hints) in LOGITS.items():
    gpt_logits.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _logits(seen):
    """Logits, expected ones, and the arguments.

    Raises:
        LookupError: the observation is about gradients, or something else came back.
    """
    if seen.prediction.parts != ("logits",) or np.shape(seen.actual) != seen.expected.shape:
        raise LookupError("no logits here")
    return np.asarray(seen.actual), seen.expected, seen.args


def _differ(got, want):
    return not np.allclose(got, want, **CLOSE)


@gpt_logits.property(
    "shape_is_right",
    zh="形状不对：应当是 (B, T, V)，每个位置给每个词元打一个分。",
    en="The shape is wrong: it should be (B, T, V), a score for every token at every position.",
)
def shape_is_wrong(seen):
    return seen.prediction.parts == ("logits",) and np.shape(seen.actual) != seen.expected.shape


@gpt_logits.property(
    "right_without_blocks",
    zh="连一个块都没有的时候就不对：先查嵌入、位置和最后那次乘法。",
    en="Wrong even without a block: look at embeddings, positions and the last product first.",
)
def wrong_without_blocks(seen):
    got, want, args = _logits(seen)
    return not args[4] and _differ(got, want)


@gpt_logits.property(
    "first_position_is_right",
    zh="第一个位置已经不对：它只看得见自己。",
    en="The very first position is wrong, which sees nothing but itself.",
)
def first_position_is_wrong(seen):
    got, want, args = _logits(seen)
    return bool(args[4]) and bool(args[1].all()) and _differ(got[:, 0], want[:, 0])


@gpt_logits.property(
    "right_without_padding",
    zh="没有填充的批也不对：看掩码的三角形和块的次序。",
    en="Wrong where there is no padding: look at the triangle of the mask and at the order of "
    "blocks.",
)
def wrong_without_padding(seen):
    got, want, args = _logits(seen)
    return bool(args[4]) and bool(args[1].all()) and _differ(got, want)


@gpt_logits.property(
    "padding_is_hidden",
    zh="有填充的批才不对：看看掩码，也看看位置是怎么数的。",
    en="Only where there is padding is it wrong: look at the mask, and at how positions are "
    "counted.",
    alone=True,
)
def wrong_with_padding(seen):
    got, want, args = _logits(seen)
    return not args[1].all() and _differ(got, want)


@gpt_logits.property(
    "gradients_get_back",
    zh="梯度不对，或者没有传回去。",
    en="A gradient is wrong or doesn't get back.",
    alone=True,
)
def gradient_is_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
