"""Notebook ch03c, exercise 3: a Transformer out of given blocks."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch03c_model_mistakes import MODEL
from autograder.exercises.common import normal, real_tokens
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles.translation import transformer_logits as oracle

NOTEBOOK = "ch03c_transformer"
CLOSE = {"atol": 5e-5, "rtol": 2e-5}

transformer_logits = Exercise("transformer_logits", notebook=NOTEBOOK, points=7)


def some_weights(rng, sizes, dim, encoder, decoder, length=12):
    """Weights for two vocabularies of these sizes and so many blocks; no two are alike."""

    def embeddings(size):
        return normal(rng, size, dim), 0.5 * normal(rng, length, dim)

    def kernels():
        return normal(rng, 3, dim, dim) / np.float32(np.sqrt(dim) / 1.6)

    source_size, target_size = sizes
    return {
        "source_embeddings": embeddings(source_size),
        "target_embeddings": embeddings(target_size),
        "encoder": [kernels() for _ in range(encoder)],
        "decoder": [(kernels(), kernels()) for _ in range(decoder)],
        "score": normal(rng, dim, target_size),
    }


def given(weights):
    """The layers that go with these weights, as the exercise's last five arguments."""
    return (
        fixture("plain_embeddings", *weights["source_embeddings"]),
        fixture("plain_embeddings", *weights["target_embeddings"]),
        [fixture("plain_encoder_block", kernels) for kernels in weights["encoder"]],
        [fixture("plain_decoder_block", *pair) for pair in weights["decoder"]],
        fixture("plain_score", weights["score"]),
    )


def some_ids(rng, size, *shape):
    """Ids of any tokens, 0 among them: it is a token like others."""
    ids = rng.integers(0, size, shape).astype(np.int32)
    ids[0, 0] = ids[-1, -1] = 0
    return ids


def asked(student, batch, weights):
    """Compare what the student's model says with the oracle."""
    expect(student(*batch, *given(weights))).equals(oracle(*batch, weights), **CLOSE)


@transformer_logits.case(
    points=1, zh="一块编码器、一块解码器，没有填充", en="one block on each side, no padding"
)
def one_block_each(student, rng):
    """All sizes differ."""
    weights = some_weights(rng, (9, 7), 6, 1, 1)
    batch = some_ids(rng, 9, 3, 5), real_tokens((5, 5, 5), 5), some_ids(rng, 7, 3, 4)
    asked(student, batch, weights)


@transformer_logits.case(
    points=2, zh="几块叠起来，源句有填充", en="stacks of blocks, and padded sources"
)
def stacks(student, rng):
    """More blocks on one side than on the other, both ways round."""
    for encoder, decoder in ((3, 2), (2, 3)):
        weights = some_weights(rng, (8, 8), 6, encoder, decoder)
        batch = some_ids(rng, 8, 4, 5), real_tokens((5, 2, 4, 1), 5), some_ids(rng, 8, 4, 3)
        asked(student, batch, weights)


@transformer_logits.case(points=1, zh="多补几个填充，什么也不变", en="more padding changes nothing")
def more_padding(student, rng):
    """The same sentences twice, the second time with other tokens and more of them as padding."""
    weights = some_weights(rng, (7, 5), 4, 2, 2)
    source, target = some_ids(rng, 7, 3, 4), some_ids(rng, 5, 3, 6)
    asked(student, (source, real_tokens((4, 2, 3), 4), target), weights)
    more = np.concatenate([source, some_ids(rng, 7, 3, 3)], axis=1)
    asked(student, (more, real_tokens((4, 2, 3), 7), target), weights)


@transformer_logits.case(
    points=2,
    zh="源句和译文一样长；改动第 t 个以后的译文，前面的 logits 不动",
    en="source and target of one length; later target tokens leave earlier logits alone",
)
def equal_lengths(student, rng):
    """Masks that are mixed up run here, and show in the numbers."""
    weights = some_weights(rng, (9, 9), 8, 2, 2)
    source, mask = some_ids(rng, 9, 3, 6), real_tokens((3, 6, 4), 6)
    target = some_ids(rng, 9, 3, 6)
    changed = target.copy()
    changed[:, 3:] = (changed[:, 3:] + 1 + rng.integers(0, 7, (3, 3))) % 9
    for ids in (target, changed):
        asked(student, (source, mask, ids), weights)


@transformer_logits.case(
    points=1,
    zh="训练时也能用：那时批次大小还不知道",
    en="it works in training, where the batch size isn't known yet",
)
def in_training(student, rng):
    """The last of the cases; an error here is no evidence of a mistake."""
    weights = some_weights(rng, (6, 8), 4, 2, 1)
    batch = some_ids(rng, 6, 3, 5), real_tokens((2, 5, 3), 5), some_ids(rng, 8, 3, 4)
    found = student.in_training(*batch, *given(weights), unknown=(0, 1, 2))
    expect(found).equals(oracle(*batch, weights), evidence=False, **CLOSE)


for _name, (_switch, _zh, _en, _hints) in MODEL.items():
    transformer_logits.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _right(seen):
    """Where logits are right, bool (B, T).

    Raises:
        LookupError: they have another shape.
    """
    actual = np.asarray(seen.actual)
    if actual.shape != seen.expected.shape:
        raise LookupError("another shape")
    return np.isclose(actual, seen.expected, **CLOSE).all(axis=-1)


def _one_block_each(seen):
    weights = seen.args[3]
    return len(weights["encoder"]) == len(weights["decoder"]) == 1


def _whole_are_wrong(seen):
    """Whether a source without padding has a wrong result."""
    whole = np.asarray(seen.args[1]).all(axis=1)
    return bool(not _right(seen)[whole].all())


@transformer_logits.property(
    "shape_is_right",
    zh="形状不对：每个位置一行 logits，(B, T, V)。",
    en="The shape is wrong: a row of logits for every position, (B, T, V).",
)
def shape_is_wrong(seen):
    return np.shape(seen.actual) != seen.expected.shape


@transformer_logits.property(
    "right_without_padding",
    zh="一块对一块、没有填充时就不对，所以毛病不在填充，也不在叠块：看掩码的方向、嵌入、"
    "哪一块拿到什么，和最后返回的是什么。",
    en="Results are wrong even for one block on each side without padding, so neither padding nor "
    "stacking is to blame: see which way round the masks are, the embeddings, what each block is "
    "given, and what is returned in the end.",
)
def wrong_without_padding(seen):
    return _one_block_each(seen) and _whole_are_wrong(seen)


@transformer_logits.property(
    "right_in_stacks",
    alone=True,  # what is wrong with single blocks is wrong with stacks as well
    zh="几块叠起来就不对，没有填充的源句也一样：看块与块之间怎么接，解码器的每一块看的是谁。",
    en="Stacks of blocks give wrong results, for sources without padding, too: see how blocks are "
    "connected with each other, and at what each block of the decoder looks.",
)
def wrong_in_stacks(seen):
    return not _one_block_each(seen) and _whole_are_wrong(seen)


@transformer_logits.property(
    "right_with_padding",
    zh="没有填充的源句对，有填充的不对：看 padding_mask 用在了哪里、在哪个轴上，没用在哪里。",
    en="Results are right for sources without padding and wrong for those with it: see where "
    "padding_mask is used, along which axis, and where it isn't.",
)
def wrong_with_padding(seen):
    whole, right = np.asarray(seen.args[1]).all(axis=1), _right(seen)
    return bool(whole.any() and right[whole].all() and not right[~whole].all())


@transformer_logits.property(
    "last_position_is_right",
    zh="最后一个位置对，前面的不对：前面的位置看见了不该看的，或没看见该看的。",
    en="The last position is right and earlier ones are wrong: they see what they shouldn't, or "
    "don't see what they should.",
)
def earlier_positions_are_wrong(seen):
    right = _right(seen)
    return bool(right[:, -1].all() and not right.all())


@transformer_logits.property(
    "first_position_is_right",
    zh="第一个位置对，后面的不对：看译文的位置之间传了什么。",
    en="The first position is right and later ones are wrong: see what passes between positions "
    "of the target.",
)
def later_positions_are_wrong(seen):
    right = _right(seen)
    return bool(right[:, 0].all() and not right.all())
