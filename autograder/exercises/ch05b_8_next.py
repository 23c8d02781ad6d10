"""Notebook ch05b, exercise 8: two scores, is next and is not."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch00_3_scale_shift import usable
from autograder.exercises.ch05b_1_choose import NOTEBOOK
from autograder.exercises.ch05b_7_pooler import CLOSE, filled
from autograder.exercises.common import IN_TRAINING, normal
from autograder.expectations import expect
from autograder.oracles import sentence_heads

NextSentenceHead = Exercise(
    "NextSentenceHead",
    notebook=NOTEBOOK,
    points=2,
    kind="layer",
    forbids=("bert_keras.layers.heads.NextSentenceHead", "bert_keras.layers.NextSentenceHead"),
)


@NextSentenceHead.case(points=1, zh="两个 logits，不做 softmax", en="two logits, without a softmax")
def two_logits(student, rng):
    """Several sizes; two rows of two numbers first, where other axes fit."""
    for batch, dim in ((2, 2), (5, 4), (1, 6)):
        x = 1.5 * normal(rng, batch, dim)
        layer, kernel, bias = filled(student, rng, x, 2)
        found = usable(layer, lambda: layer(x))  # noqa: B023
        expect(found).equals(sentence_heads.next_sentence_head(x, kernel, bias), **CLOSE)


@NextSentenceHead.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def scored_in_training(student, rng):
    """No number of pairs is known; plain numbers are expected."""
    x = 1.5 * normal(rng, 4, 5)
    layer, kernel, bias = filled(student, rng, x, 2)
    call = {"args": [x], "kwargs": {}, "unknown": [0]}
    found = usable(layer, lambda: layer.request("call", **call))
    wanted = sentence_heads.next_sentence_head(x, kernel, bias)
    expect(found).equals(wanted, evidence=False, **CLOSE)


LOGIT_HINTS = (
    (
        "把 self.dense 的偏置设成 (100, −100)：两个结果应当差不多是 100 和 −100。你的呢？",
        "Set the bias of self.dense to (100, −100): the results should be near 100 and −100. "
        "Are yours?",
    ),
    (
        "Dense 的输出就是 logits；softmax 由损失来做。",
        "What the dense layer gives are the logits; the softmax is the loss's business.",
    ),
)
FORM_HINTS = (
    (
        "打印形状：每一对句子几个分数？",
        "Print the shape: how many scores are there for each pair?",
    ),
    (
        "第 0 个是“是下一句”，第 1 个是“不是”，跟 self.dense 的两列一样的次序。",
        "Number 0 is “is next” and number 1 “is not”, in the order of self.dense's two columns.",
    ),
)
for _name, (_switch, _zh, _en, _hints) in {
    "softmax_taken": (
        (
            {"bend": "softmax"},
            {"bend": "log_softmax"},
            {"bend": "softmax_over_the_batch"},
        ),
        "做了 softmax：应当返回 logits，不然损失会再做一次。",
        "There is a softmax; logits should come back, or the loss takes it a second time.",
        LOGIT_HINTS,
    ),
    "activation_added": (
        tuple({"bend": name} for name in ("sigmoid", "tanh", "relu", "gelu")),
        "多了一个激活函数：logits 可以是任何实数。",
        "There is an activation too many: logits may be any real number.",
        LOGIT_HINTS,
    ),
    "input_changed": (
        ({"bend": "tanh_before"}, {"bend": "divided_by_root"}),
        "pooled_output 先变了一次：tanh 已经在 Pooler 里做过了，这里也不缩放。",
        "pooled_output is changed first: the tanh was taken in Pooler, and nothing is rescaled.",
        LOGIT_HINTS,
    ),
    "classes_exchanged": (
        ({"returned": "exchanged"}, {"returned": "negative"}),
        "两个类别换了次序（或者变了号）。",
        "The two classes are exchanged (or have the wrong sign).",
        FORM_HINTS,
    ),
    "one_score_only": (
        (
            {"returned": "first"},
            {"returned": "second"},
            {"returned": "first_as_a_column"},
            {"returned": "second_as_a_column"},
            {"returned": "difference"},
        ),
        "每一对只剩了一个分数；应当有两个。",
        "Only one score is left for each pair; there should be two.",
        FORM_HINTS,
    ),
    "something_else_returned": (
        ({"returned": "ids"}, {"returned": "input"}),
        "返回的不是两个 logits：是类别的编号，或者 pooled_output 本身。",
        "What comes back isn't two logits, but numbers of classes, or pooled_output itself.",
        FORM_HINTS,
    ),
}.items():
    NextSentenceHead.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@NextSentenceHead.property(
    "shape_is_right",
    zh="形状不对：应当是 (B, 2)。",
    en="The shape is wrong: it should be (B, 2).",
)
def shape_is_wrong(seen):
    return np.shape(seen.actual) != seen.expected.shape


@NextSentenceHead.property(
    "no_probabilities",
    zh="每行加起来正好是 1：那是概率，不是 logits。",
    en="Every row adds up to 1: these are probabilities, not logits.",
)
def rows_add_up_to_one(seen):
    got = np.asarray(seen.actual, float)
    return got.shape == seen.expected.shape and bool(np.allclose(got.sum(axis=-1), 1, atol=1e-4))


@NextSentenceHead.property(
    "scores_are_right",
    zh="分数不对：这里只有一步，Dense。",
    en="The scores are wrong: there is one step here, the dense layer.",
)
def scores_are_wrong(seen):
    got = np.asarray(seen.actual, float)
    return got.shape == seen.expected.shape and not np.allclose(got.sum(axis=-1), 1, atol=1e-4)
