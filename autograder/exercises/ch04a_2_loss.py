"""Notebook ch04a, exercise 3: the loss of a language model that reads from both sides."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04a_1_lms import NOTEBOOK
from autograder.exercises.ch04a_loss_mistakes import LOSS
from autograder.exercises.common import IN_TRAINING, derived, normal, real_tokens
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles.bilm_loss import bilm_loss as oracle
from autograder.oracles.bilm_loss import bilm_loss_gradient

bilm_loss = Exercise(
    "bilm_loss",
    notebook=NOTEBOOK,
    points=5,
    # Keras's own softmax remembers its logits, and one too many would not show on TensorFlow.
    needs={"ops": "autograder.stand_ins.ch01a_seq2seq:plain_ops"},
    forbids=(
        "bert_keras.models.elmo_pieces.bilm_loss",
        "bert_keras.models.gpt_pieces.causal_lm_loss",
        "bert_keras.models.sequence_pieces.sequence_loss",
    ),
)


def some_states(rng, lengths, width, size, vocabulary_size, layers=2):
    """Both stacks' states, ids (padding has an id that others have too), mask and the scorer."""
    mask = real_tokens(lengths, width)
    forward, backward = ([normal(rng, *mask.shape, size) for _ in range(layers)] for _ in range(2))
    token_ids = rng.integers(0, vocabulary_size, mask.shape).astype(np.int32)
    token_ids[mask.sum(axis=1).argmax(), 1] = 0  # a real token, whatever its id
    token_ids = np.where(mask, token_ids, 1).astype(np.int32)
    kernel, bias = normal(rng, size, vocabulary_size), normal(rng, vocabulary_size)
    return forward, backward, token_ids, mask, kernel, bias


def asked(inputs):
    """The answer's arguments: the last two become the layer that scores."""
    return (*inputs[:4], fixture("score_with", *inputs[4:]))


@bilm_loss.case(
    points=1,
    zh="没有填充：两个方向各自的平均，和两者的平均",
    en="no padding: the mean of each direction, and the mean of both",
)
def no_padding(student, rng):
    """All sizes differ; then one layer only, and sentences of two tokens."""
    for lengths, width, size, vocabulary_size, layers in (
        ((6, 6, 6), 6, 4, 5, 2),
        ((2, 2), 2, 3, 7, 1),
        ((4,), 4, 5, 3, 3),
    ):
        inputs = some_states(rng, lengths, width, size, vocabulary_size, layers)
        expect(student(*asked(inputs))).equals(oracle(*inputs))


def padded_more(rng, inputs, more):
    """The same batch, with other states and ids at padding, and more of it."""
    forward, backward, token_ids, mask, kernel, bias = inputs
    rows, size = len(mask), kernel.shape[0]

    def wider(state):
        state = np.where(mask[..., None], state, 2 * normal(rng, *state.shape))
        return np.concatenate([state, 2 * normal(rng, rows, more, size)], axis=1)

    ids = np.concatenate([np.where(mask, token_ids, 2), np.full((rows, more), 3)], axis=1)
    wide_mask = np.concatenate([mask, np.zeros((rows, more), bool)], axis=1)
    states = [wider(state) for state in forward], [wider(state) for state in backward]
    return *states, ids.astype(np.int32), wide_mask, kernel, bias


@bilm_loss.case(
    points=1,
    zh="有填充：谁也不猜填充，也不从填充那里猜",
    en="padding: nothing is predicted there, and nothing from there",
)
def padded(student, rng):
    """Lengths far apart, a sentence of one token among them, from which nothing is predicted."""
    inputs = some_states(rng, (3, 1, 7, 2), 7, 4, 5)
    expect(student(*asked(inputs))).equals(oracle(*inputs))
    inputs = padded_more(rng, inputs, 2)
    expect(student(*asked(inputs))).equals(oracle(*inputs))


@bilm_loss.case(
    points=1,
    zh="logits 相差几百时也准确、有限",
    en="accurate and finite where logits are hundreds apart",
)
def far_apart(student, rng):
    """Labels are nearly impossible at some places, and nearly certain at others."""
    forward, backward, token_ids, mask, kernel, bias = some_states(rng, (5, 4), 5, 4, 6)
    kernel = (kernel * (260 / np.abs(forward[-1] @ kernel).max())).astype(np.float32)
    inputs = forward, backward, token_ids, mask, kernel, bias
    expect(student(*asked(inputs))).equals(oracle(*inputs), atol=1e-3, rtol=2e-5)


@bilm_loss.case(
    points=1,
    zh="梯度传回两个方向的状态，填充处是 0",
    en="gradients reach the states of both directions, and are zero at padding",
)
def gradient(student, rng):
    """Values first, so that what follows is about the gradient; then by finite differences."""
    inputs = some_states(rng, (2, 3), 3, 2, 4)
    expect(student(*asked(inputs))).equals(oracle(*inputs))
    found = student.gradient(*asked(inputs), wrt=(0, 1), output=0, cotangent=np.float32(1))
    expect(derived(found, lambda pair: tops(pair, inputs))).equals(
        bilm_loss_gradient(*inputs), atol=1e-4, rtol=1e-3
    )


def tops(pair, inputs):
    """The gradients by both top layers, zeros where nothing depends on them."""
    return tuple(
        np.zeros_like(states[-1]) if found is None or found[-1] is None else np.asarray(found[-1])
        for found, states in zip(pair, inputs[:2], strict=True)
    )


@bilm_loss.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """Plain numbers are expected: an error here says nothing about which mistake was made."""
    inputs = some_states(rng, (3, 1, 4), 4, 3, 5)
    found = student.in_training(*asked(inputs), unknown=(0, 1, 2, 3))
    expect(found).equals(oracle(*inputs), evidence=False, atol=2e-5, rtol=2e-5)


for _name, (_switch, _zh, _en, _hints) in LOSS.items():
    bilm_loss.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _losses(seen):
    """Three numbers and the right ones.

    Raises:
        LookupError: the observation is about something else, or has another form.
    """
    if seen.prediction.parts[0] != "loss" or form_is_wrong(seen):
        raise LookupError("no losses here")
    return [float(np.asarray(part)) for part in seen.actual], [float(p) for p in seen.expected]


def _off(got, wanted):
    return ~np.isclose(got, wanted, atol=1e-4, rtol=1e-4)


@bilm_loss.property(
    "three_numbers_come_back",
    zh="应当返回三个数 (loss, forward_loss, backward_loss)，每个的形状都是 ()。",
    en="Three numbers should come back, (loss, forward_loss, backward_loss), each of shape ().",
)
def form_is_wrong(seen):
    if seen.prediction.parts[0] != "loss":
        return False
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 3:
        return True
    return any(np.shape(part) != () for part in seen.actual)


def _logits_are_far_apart(seen):
    states, kernel = seen.args[0][-1], seen.args[4]
    return np.abs(states @ kernel).max() > 88  # beyond which exp overflows in float32


@bilm_loss.property(
    "finite_everywhere",
    zh="logits 相差很大时，损失成了无穷大或 NaN。",
    en="Where logits are far apart the loss becomes infinite or NaN.",
)
def not_finite(seen):
    return not np.isfinite(_losses(seen)[0]).all() and _logits_are_far_apart(seen)


@bilm_loss.property(
    "nothing_is_divided_by_zero",
    zh="logits 并不大，损失却成了无穷大或 NaN：看哪里除以了 0，或者对 0 取了对数。"
    "（只有一个真词元的句子，一次也不用猜。）",
    en="The logits are small, and yet the loss becomes infinite or NaN: look for a division by 0 "
    "or a logarithm of 0. (A sentence of one real token has nothing to be guessed.)",
)
def divided_by_zero(seen):
    return not np.isfinite(_losses(seen)[0]).all() and not _logits_are_far_apart(seen)


def _in_another_order(seen):
    """Whether all three numbers are there and stand in another order."""
    got, wanted = _losses(seen)
    return not _off(sorted(got), sorted(wanted)).any() and _off(got, wanted).any()


def _wrong_directions(seen):
    """Which directions' losses are wrong, where not just the order is."""
    if _in_another_order(seen):
        return []
    _, *off = _off(*_losses(seen))
    return [name for name, one in zip(("forward", "backward"), off, strict=True) if one]


@bilm_loss.property(
    "in_the_agreed_order",
    zh="三个数都对，次序不对。",
    en="All three numbers are right, but they stand in the wrong order.",
)
def order_is_wrong(seen):
    return _in_another_order(seen)


@bilm_loss.property(
    "one_direction_is_right",
    zh="两个方向的损失都不对：先看两边共同的那部分。",
    en="Both directions' losses are wrong: look first at what they have in common.",
)
def both_are_wrong(seen):
    return len(_wrong_directions(seen)) == 2


@bilm_loss.property(
    "forward_is_right",
    zh="后向的损失对，前向的不对。",
    en="The backward loss is right and the forward loss is wrong.",
)
def forward_is_wrong(seen):
    return _wrong_directions(seen) == ["forward"]


@bilm_loss.property(
    "backward_is_right",
    zh="前向的损失对，后向的不对。",
    en="The forward loss is right and the backward loss is wrong.",
)
def backward_is_wrong(seen):
    return _wrong_directions(seen) == ["backward"]


@bilm_loss.property(
    "loss_is_the_mean_of_both",
    zh="两个方向的损失都对，合起来的不对。",
    en="Both directions' losses are right, and what is made of them isn't.",
)
def only_the_whole_is_wrong(seen):
    return _off(*_losses(seen)).tolist() == [True, False, False]


@bilm_loss.property(
    "right_without_padding",
    zh="连没有填充的一批都不对：先查错开的方向和交叉熵本身。",
    en="Wrong even without padding: look at the shift and the cross-entropy first.",
)
def wrong_without_padding(seen):
    _losses(seen)
    return bool(seen.args[3].all())


@bilm_loss.property(
    "gradient_gets_back",
    zh="梯度不对，或者没有传回去。",
    en="The gradient is wrong or doesn't get back.",
    alone=True,
)
def gradient_is_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
