"""Notebook ch04a, exercises 1 and 2: reading a batch from the left and from the right."""

import itertools

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04a_reading_mistakes import BACKWARD, FORWARD
from autograder.exercises.common import derived, normal, real_tokens
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import Prediction, elmo
from autograder.oracles.elmo_features import lists_left

NOTEBOOK = "ch04a_elmo"
USED_IN_TRAINING = Text(
    "梯度传得回去；训练时也能用，那时批次大小还不知道",
    "gradients get back, and it works in training, where the batch size isn't known yet",
)
LIST_CHANGED = Text(
    "结果都对，可是传进来的列表变了样。",
    "The results are right, but a list that was handed in isn't what it was.",
)

forward_lm = Exercise(
    "forward_lm",
    notebook=NOTEBOOK,
    points=2,
    library="bert_keras.models.elmo_pieces:forward_lm",
)

backward_lm = Exercise(
    "backward_lm",
    notebook=NOTEBOOK,
    points=5,
    needs={"forward_lm": "bert_keras.models.elmo_pieces:forward_lm"},
    forbids=(
        "bert_keras.models.elmo_pieces.backward_lm",
        "bert_keras.models.elmo_pieces.reverse_real",
    ),
)


def in_parts(prediction, name, count):
    """The prediction of a list, with a name for each of its entries."""
    parts = tuple(f"{name}[{number}]" for number in range(count))
    return Prediction(prediction.function, prediction.args, prediction.kwargs, parts)


def kernels_of(rng, *sizes):
    """A kernel for each layer; sizes are those of the input and of each layer's output."""
    return [0.7 * normal(rng, before, after) for before, after in itertools.pairwise(sizes)]


def gradient_of(found, x):
    """The one gradient that was asked for; zeros where nothing depends on x."""

    def filled(pair):
        return (np.zeros_like(x) if pair[0] is None else np.asarray(pair[0]),)

    return derived(found, filled)


def read_forward(student, x, kernels, again=0.0):
    """The student's states, and the oracle's; a layer called again adds so much to its output."""
    found = student(x, fixture("readers_that_count", again, *kernels))
    expect(found).equals(in_parts(elmo.forward_lm(x, kernels, again), "states", len(kernels)))


@forward_lm.case(
    points=1,
    zh="每一层的状态，一层叠着一层",
    en="the states of every layer, one stacked on the other",
)
def every_layer(student, rng):
    """Layers of one size, where they could be exchanged; then of different sizes; then just one."""
    for batch, length, sizes in ((2, 5, (4, 4, 4, 4)), (3, 6, (3, 5, 2)), (1, 4, (2, 3))):
        read_forward(student, normal(rng, batch, length, sizes[0]), kernels_of(rng, *sizes), 0.4)
    x, kernels = normal(rng, 2, 3, 4), kernels_of(rng, 4, 4, 4)
    found = student.followed_by(fixture("lengths"), [x, fixture("readers", *kernels)])
    lengths = derived(found, lambda pair: np.array(pair[1]))
    expect(lengths).equals(lists_left(2), otherwise=LIST_CHANGED)


@forward_lm.case(points=1, zh=USED_IN_TRAINING.zh, en=USED_IN_TRAINING.en)
def forward_in_training(student, rng):
    """Values, gradients by finite differences, then as `fit` calls it: plain numbers there."""
    x, kernels = normal(rng, 2, 3, 2), kernels_of(rng, 2, 3, 2)
    read_forward(student, x, kernels)
    cotangent = normal(rng, 2, 3, 2)
    readers = fixture("readers", *kernels)
    found = student.gradient(x, readers, wrt=(0,), output=-1, cotangent=cotangent)
    expect(gradient_of(found, x)).equals(
        elmo.reading_gradient(x, None, kernels, cotangent), atol=1e-4, rtol=1e-3
    )
    expect(student.in_training(x, readers, unknown=(0,))).equals(
        in_parts(elmo.forward_lm(x, kernels), "states", len(kernels)),
        evidence=False,
        atol=2e-5,
        rtol=2e-5,
    )


def read_backward(student, x, padding_mask, kernels):
    """The student's states at real tokens, and what the oracle expects of them."""
    found = student(x, padding_mask, fixture("readers", *kernels))
    found = derived(found, lambda states: elmo.at_real_tokens(states, padding_mask))
    wanted = elmo.backward_lm(x, padding_mask, kernels)
    expect(found).equals(in_parts(wanted, "states", len(kernels)))


@backward_lm.case(points=1, zh="没有填充：从右往左读", en="no padding: read from the right")
def without_padding(student, rng):
    """Layers of one size, of different sizes, and just one; then a single token."""
    for batch, length, sizes in (
        (3, 5, (4, 4, 4, 4)),
        (2, 6, (3, 5, 2)),
        (4, 3, (2, 3)),
        (2, 1, (3, 3)),
    ):
        mask = np.ones((batch, length), bool)
        x = normal(rng, batch, length, sizes[0])
        read_backward(student, x, mask, kernels_of(rng, *sizes))


@backward_lm.case(
    points=2,
    zh="有填充：从最后一个真词元开始读，状态回到原文的位置",
    en="with padding: from the last real token on, and states back at their places in the text",
)
def with_padding(student, rng):
    """Padding everywhere; then beside a full row. It isn't zero, and one row has one token."""
    for lengths, width, sizes in (
        ((1, 2, 4), 7, (3, 3, 3, 3)),
        ((3, 6, 1, 4), 6, (4, 4, 4)),
        ((2, 5, 1), 5, (3, 2, 4)),
    ):
        mask = real_tokens(lengths, width)
        read_backward(student, normal(rng, *mask.shape, sizes[0]), mask, kernels_of(rng, *sizes))


@backward_lm.case(
    points=1,
    zh="填充多几个、内容变一变，左边的词元变一变：该不动的都不动",
    en="more padding, other padding, other tokens on the left: what mustn't move doesn't",
)
def nothing_leaks(student, rng):
    """Each time a part of the input changes and the oracle says which states may move."""
    kernels, lengths = kernels_of(rng, 4, 4, 4), (2, 5, 3)
    mask, x = real_tokens(lengths, 5), normal(rng, 3, 5, 4)
    read_backward(student, x, mask, kernels)
    wider = np.concatenate([x, 2 * normal(rng, 3, 3, 4)], axis=1)
    read_backward(student, wider, real_tokens(lengths, 8), kernels)
    refilled = np.where(mask[..., None], x, 3 * normal(rng, 3, 5, 4))
    read_backward(student, refilled, mask, kernels)
    changed = x.copy()
    changed[:, 0] = normal(rng, 3, 4)
    read_backward(student, changed, mask, kernels)


@backward_lm.case(points=1, zh=USED_IN_TRAINING.zh, en=USED_IN_TRAINING.en)
def backward_in_training(student, rng):
    """Values, gradients by finite differences, then as `fit` calls it: plain numbers there."""
    x, kernels, mask = normal(rng, 2, 3, 2), kernels_of(rng, 2, 3, 2), real_tokens((2, 3), 3)
    read_backward(student, x, mask, kernels)
    cotangent = np.where(mask[..., None], normal(rng, 2, 3, 2), np.float32(0))
    readers = fixture("readers", *kernels)
    found = student.gradient(x, mask, readers, wrt=(0,), output=-1, cotangent=cotangent)
    expect(gradient_of(found, x)).equals(
        elmo.reading_gradient(x, mask, kernels, cotangent), atol=1e-4, rtol=1e-3
    )
    found = student.in_training(x, mask, readers, unknown=(0, 1))
    found = derived(found, lambda states: elmo.at_real_tokens(states, mask))
    wanted = in_parts(elmo.backward_lm(x, mask, kernels), "states", len(kernels))
    expect(found).equals(wanted, evidence=False, atol=2e-5, rtol=2e-5)


for _exercise, _mistakes in ((forward_lm, FORWARD), (backward_lm, BACKWARD)):
    for _name, (_switch, _zh, _en, _hints) in _mistakes.items():
        _exercise.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


# ------------------------------------------------------------------ properties


def _wrong(got, wanted):
    return not np.allclose(got, wanted, atol=1e-4, rtol=1e-3)


def _layers(seen):
    """The student's states and the right ones, where both have their shapes.

    Raises:
        LookupError: they haven't, or the observation is about something else.
    """
    if not seen.prediction.parts[0].startswith("states"):
        raise LookupError("no states here")
    got = [np.asarray(state) for state in seen.actual]
    if [np.shape(state) for state in got] != [state.shape for state in seen.expected]:
        raise LookupError("another form")
    return list(zip(got, seen.expected, strict=True))


def list_is_wrong(seen):
    """Not a list of as many arrays of the right shapes."""
    if not seen.prediction.parts[0].startswith("states"):
        return False
    if not isinstance(seen.actual, (tuple, list)):
        return True
    return [np.shape(part) for part in seen.actual] != [part.shape for part in seen.expected]


def first_layer_is_wrong(seen):
    return _wrong(*_layers(seen)[0])


def layers_above_are_wrong(seen):
    layers = _layers(seen)
    return not _wrong(*layers[0]) and any(_wrong(*layer) for layer in layers[1:])


def gradient_is_wrong(seen):
    return seen.prediction.parts == ("d_x",)


for _exercise in (forward_lm, backward_lm):
    _exercise.property(
        "every_layer_comes_back",
        zh="返回的形式不对：应当是一个列表，每一层一个张量 (B, T, 任意)。",
        en="The form is wrong: it should be a list with a tensor (B, T, any) for every layer.",
    )(list_is_wrong)


@backward_lm.property(
    "full_rows_are_right",
    zh="没有填充的行也不对：先不管填充，查方向和次序。",
    en="Even rows without padding are wrong: leave padding aside and look at direction and order.",
)
def full_rows_are_wrong(seen):
    full = seen.args[1].all(axis=1)
    return any(_wrong(got[full], want[full]) for got, want in _layers(seen))


@backward_lm.property(
    "padded_rows_are_right",
    zh="没有填充的行都对，有填充的行不对：看句长用在了哪里。",
    en="Rows without padding are right and padded ones aren't: see where the lengths are used.",
)
def only_padded_rows_are_wrong(seen):
    full = seen.args[1].all(axis=1)
    layers = _layers(seen)
    return bool(full.any()) and not any(_wrong(g[full], w[full]) for g, w in layers)


@backward_lm.property(
    "last_token_is_read_first",
    zh="最后一个真词元处的状态就不对：它应当只读过这一个词元。",
    en="The state at the last real token is wrong: it should have read that one token and no "
    "other.",
)
def last_token_is_wrong(seen):
    mask = seen.args[1]
    rows, last = np.arange(len(mask)), mask.sum(axis=1) - 1
    got, want = _layers(seen)[0]
    return _wrong(got[rows, last], want[rows, last])


_AT_WHAT = {
    # With dropout in it, a layer gives something else when it is called again.
    "forward_lm": Text(
        "看它们读的是什么，有没有哪一层调用了两次",
        "look at what they are given, and whether a layer is called twice",
    ),
    "backward_lm": Text("看它们读的是什么", "look at what they are given"),
}
for _exercise in (forward_lm, backward_lm):
    _exercise.property(
        "first_layer_is_right",
        zh="第一层的状态就不对。",
        en="The states of the first layer are wrong already.",
        alone=_exercise is backward_lm,
    )(first_layer_is_wrong)
    _exercise.property(
        "layers_above_are_right",
        zh=f"第一层对，上面的层不对：{_AT_WHAT[_exercise.id].zh}。",
        en=f"The first layer is right and those above aren't: {_AT_WHAT[_exercise.id].en}.",
    )(layers_above_are_wrong)
    _exercise.property(
        "gradient_gets_back",
        zh="梯度不对，或者没有传回去。",
        en="The gradient is wrong or doesn't get back.",
        alone=True,
    )(gradient_is_wrong)
