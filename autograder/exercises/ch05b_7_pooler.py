"""Notebook ch05b, exercise 7: a vector for the whole sequence."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch00_3_scale_shift import assign, attempted, usable
from autograder.exercises.ch05b_1_choose import NOTEBOOK
from autograder.exercises.common import IN_TRAINING, normal
from autograder.expectations import expect
from autograder.oracles import sentence_heads

CLOSE = {"atol": 2e-5, "rtol": 2e-5}

Pooler = Exercise(
    "Pooler",
    notebook=NOTEBOOK,
    points=3,
    kind="layer",
    forbids=("bert_keras.layers.heads.Pooler", "bert_keras.layers.Pooler"),
)


def filled(student, rng, x, size, **config):
    """The layer with a kernel and a bias of order one, and these; or the failure to make it so."""
    kernel = normal(rng, x.shape[-1], size) / np.float32(x.shape[-1] ** 0.5)
    bias = normal(rng, size) / 2

    def made():
        layer = student.build(inputs=(x,), **config)
        assign(layer, {"dense.kernel": kernel, "dense.bias": bias})
        return layer

    return attempted(made), kernel, bias


def _judge(student, rng, shape, size):
    x = normal(rng, *shape)
    layer, kernel, bias = filled(student, rng, x, size, hidden_dim=size)
    found = usable(layer, lambda: layer(x))
    expect(found).equals(sentence_heads.pooler(x, kernel, bias), **CLOSE)


@Pooler.case(
    points=1,
    zh="第一个词元，过 Dense，再过 tanh",
    en="the first token, through the dense layer, through tanh",
)
def first_token(student, rng):
    """As many rows as tokens and features, where other axes fit; then all sizes differ."""
    for shape in ((4, 4, 4), (3, 6, 5)):
        _judge(student, rng, shape, shape[-1])


@Pooler.case(
    points=1,
    zh="大小可以不同；只有一个词元的句子也行",
    en="the size may be another; a sequence of a single token will do",
)
def other_sizes(student, rng):
    """From few numbers to many and back, then where the first token is the last as well."""
    for shape, size in (((3, 5, 4), 7), ((2, 4, 6), 3), ((3, 1, 4), 5)):
        _judge(student, rng, shape, size)


@Pooler.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def pooled_in_training(student, rng):
    """No number of sentences is known; plain numbers are expected."""
    x = normal(rng, 3, 5, 4)
    layer, kernel, bias = filled(student, rng, x, 6, hidden_dim=6)
    call = {"args": [x], "kwargs": {}, "unknown": [0]}
    found = usable(layer, lambda: layer.request("call", **call))
    expect(found).equals(sentence_heads.pooler(x, kernel, bias), evidence=False, **CLOSE)


TOKEN_HINTS = (
    (
        "改动最后一个词元的输出：你的结果变了吗？不应当变。",
        "Change the output at the last token: does your result move? It shouldn't.",
    ),
    (
        "(B, T, D) 里，哪个轴是句子，哪个轴是位置？第一个位置剩下的形状是 (B, D)。",
        "Which axis of (B, T, D) is for sentences and which for positions? The first position "
        "leaves (B, D).",
    ),
)
BEND_HINTS = (
    (
        "结果应当都在 −1 和 1 之间。你的呢？",
        "All results should be between −1 and 1. Are yours?",
    ),
    (
        "取第一个词元、Dense、tanh：每步一次，就是这个次序。",
        "The first token, dense, tanh: each once and in this order.",
    ),
)
for _name, (_switch, _zh, _en, _hints) in {
    "another_token": (
        ({"token": "last"}, {"token": "second"}, {"token": "last", "order": "token_last"}),
        "取的不是第一个词元。",
        "It isn't the first token that is taken.",
        TOKEN_HINTS,
    ),
    "mean_of_tokens": (
        (
            {"token": "mean"},
            {"token": "mean", "order": "token_last"},
            {"token": "largest"},
            {"token": "largest", "order": "token_last"},
            {"token": "total"},
            {"token": "mean_without_the_first"},
        ),
        "对所有词元求了平均（或最大值、总和）：这一层只看第一个词元。",
        "A mean (or maximum, or sum) is taken over all tokens; this layer looks at the first only.",
        TOKEN_HINTS,
    ),
    "wrong_axis": (
        (
            {"token": "first_sentence"},
            {"token": "first_feature"},
            {"token": "all"},
            {"token": "first_kept_as_an_axis"},
            {"token": "first_sentence", "order": "token_last"},
        ),
        "取错了轴：取成了第一句、第一个特征，或者位置那一轴还在。",
        "Another axis: the first sentence or feature is taken, or the axis of positions is still "
        "there.",
        TOKEN_HINTS,
    ),
    "tanh_missing": (
        {"bend": "nowhere"},
        "没有 tanh。",
        "There is no tanh.",
        BEND_HINTS,
    ),
    "tanh_before_the_dense": (
        {"bend": "before"},
        "tanh 用在了 Dense 之前。",
        "The tanh comes before the dense layer.",
        BEND_HINTS,
    ),
    "tanh_twice": (
        {"bend": "twice"},
        "tanh 用了两次。",
        "The tanh is taken twice.",
        BEND_HINTS,
    ),
    "another_activation": (
        tuple({"which": name} for name in ("relu", "sigmoid", "gelu")),
        "激活函数不是 tanh。",
        "The activation isn't tanh.",
        BEND_HINTS,
    ),
    "dense_missing": (
        {"dense": "never"},
        "没有用 self.dense。",
        "self.dense isn't used.",
        BEND_HINTS,
    ),
    "dense_twice": (
        {"dense": "twice"},
        "self.dense 用了两次。",
        "self.dense is used twice.",
        BEND_HINTS,
    ),
    "something_else_returned": (
        ({"returned": "with_states"}, {"returned": "normalised"}, {"returned": "softmax"}),
        "返回的不是那个向量本身：多返回了别的，或者又缩放了一次。",
        "It isn't the vector itself that comes back: there is something beside it, or it was "
        "rescaled.",
        BEND_HINTS,
    ),
}.items():
    Pooler.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@Pooler.property(
    "shape_is_right",
    zh="形状不对：应当是 (B, D)。",
    en="The shape is wrong: it should be (B, D).",
)
def shape_is_wrong(seen):
    return np.shape(seen.actual) != seen.expected.shape


@Pooler.property(
    "between_minus_one_and_one",
    zh="结果里有超出 −1 到 1 的数：tanh 之后不会有。",
    en="Some results are beyond −1 and 1, where a tanh never gets.",
)
def out_of_range(seen):
    got = np.asarray(seen.actual, float)
    return got.shape == seen.expected.shape and bool(np.abs(got).max() > 1 + 1e-6)


@Pooler.property(
    "vector_is_right",
    zh="向量算得不对：取哪个词元，过了哪几步？用的是 self.dense，不是新造的层吗？",
    en="The vector is computed wrongly: which token is taken, through which steps does it go, and "
    "is it self.dense that it goes through, or a new layer?",
)
def vector_is_wrong(seen):
    return np.shape(seen.actual) == seen.expected.shape
