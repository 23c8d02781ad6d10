"""Notebook ch06a, exercise 8: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch06a_1_classifier import NOTEBOOK, OPS, dense_of, some_dense
from autograder.exercises.ch06a_2_pairs import some_tables
from autograder.exercises.ch06a_4_choices import some_questions
from autograder.exercises.ch06a_drill_mistakes import ILL_HINTS, ILLS, OTHERS, STILL_ILL
from autograder.exercises.common import normal
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import finetune_step as oracles
from autograder.oracles.text_pairs import INPUTS

CLOSE = {"atol": 5e-5, "rtol": 5e-5}
WORDS = 30
DRILL_BUGS = tuple(ILLS)
NOT_REFUSED = Text(
    "检查点里少了编码器的参数，应当抛出 ValueError。",
    "A weight of the encoder that the checkpoint lacks should raise a ValueError.",
)

drill = Exercise(
    "drill_ch06a_sentences",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    needs=OPS,
    variants=DRILL_BUGS,
)


def some_weights(rng, dim):
    """The encoder's weights before loading, and a checkpoint with other things in it."""
    fresh = dict(zip(oracles.WEIGHTS, some_tables(rng, WORDS, dim), strict=True))
    new = dict(zip(oracles.WEIGHTS, some_tables(rng, WORDS, dim), strict=True))
    checkpoint = {"cls.token_table": normal(rng, WORDS, dim), "cls.bias": normal(rng, WORDS)}
    checkpoint |= {oracles.PREFIX + name: array for name, array in new.items()}
    return fresh, {name: checkpoint[name] for name in sorted(checkpoint)}


def some_sentences(rng, size, length, classes):
    """Inputs (N, T), padded and parted in many ways, and labels of which no neighbours agree."""
    inputs = (array[0] for array in some_questions(rng, 1, size, length))
    labels = (np.arange(size) + rng.integers(classes)) % classes
    return dict(zip(INPUTS, inputs, strict=True)), labels.astype(np.int32)


def _given(rng, size, length, order, dim=6, classes=3):
    """Everything but the encoder, dropout and training; and the dense layer's weights."""
    inputs, labels = some_sentences(rng, size, length, classes)
    return (*some_weights(rng, dim), inputs, labels, np.asarray(order, np.int32)), some_dense(
        rng, dim, classes
    )


def _call(student, given, dense, training):
    return student.named("repaired")(
        *given,
        fixture("weighted_encoder"),
        fixture("bending_dropout"),
        dense_of(*dense),
        training,
    )


def _judge(student, given, dense, training):
    found = _call(student, given, dense, training)
    expect(found).equals(oracles.finetune_step(*given, *dense, training), **CLOSE)


ask_for_the_name(drill)


@drill.case(
    points=2,
    zh="修好之后：预测，句子和标签都按 order",
    en="repaired: prediction, sentences and labels both in order",
)
def repaired_in_prediction(student, rng):
    """Some sentences of many, none in its old place; then all of them."""
    _judge(student, *_given(rng, 7, 8, (4, 6, 0, 5)), False)
    _judge(student, *_given(rng, 5, 6, (2, 0, 4, 1, 3), dim=5, classes=4), False)


@drill.case(
    points=2,
    zh="修好之后：训练，有 dropout",
    en="repaired: training, with dropout",
)
def repaired_in_training(student, rng):
    """A sentence that comes twice; then as many sentences as tokens and features."""
    _judge(student, *_given(rng, 6, 9, (5, 3, 5, 1, 0)), True)
    _judge(student, *_given(rng, 7, 6, (3, 6, 1, 2, 4, 0), dim=6, classes=6), True)


@drill.case(
    points=1,
    zh="修好之后：只有一句；检查点里少了参数要报错",
    en="repaired: a single sentence; a weight that is missing is an error",
)
def repaired_at_the_edges(student, rng):
    """The checkpoint's other names are no help where one of the encoder's is missing."""
    _judge(student, *_given(rng, 4, 7, (2,)), False)
    (fresh, checkpoint, *rest), dense = _given(rng, 4, 6, (3, 1))
    for name in oracles.WEIGHTS[:2]:
        without = {key: array for key, array in checkpoint.items() if key != oracles.PREFIX + name}
        found = _call(student, (fresh, without, *rest), dense, False)
        told = isinstance(found, Failed) and found.error.type == "ValueError"
        expect(np.asarray(told)).equals(oracles.missing_refused(), otherwise=NOT_REFUSED)


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：检查点乘 2、换一个片段号、换一个填充、order 倒过来，结果变不变？",
            "Don't read yet, experiment: multiply the checkpoint by 2, change a segment, change a "
            "pad, turn order around. What changes?",
        ),
        (
            "逐行问：这一行应当用到哪些参数，用到了吗？",
            "Ask of every line which arguments it ought to use, and whether it does.",
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
for _name, (_switch, _zh, _en, _hints) in OTHERS.items():
    drill.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _parts(seen):
    """Logits and loss, as they came back and as they should have.

    Raises:
        LookupError: they have another form, or the observation is about something else.
    """
    if seen.prediction.parts != ("logits", "loss"):
        raise LookupError("no step here")
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 2:
        raise LookupError("no pair")
    found = [np.asarray(part, float) for part in seen.actual]
    if [part.shape for part in found] != [np.shape(part) for part in seen.expected]:
        raise LookupError("other shapes")
    return found, seen.expected


@drill.property(
    "logits_and_loss_come_back",
    zh="repaired 应当返回一对：logits (B, C) 和损失，一个数。",
    en="repaired should return a pair, logits (B, C) and the loss, one number.",
)
def form_is_wrong(seen):
    if seen.prediction.parts != ("logits", "loss"):
        return False
    try:
        _parts(seen)
    except (LookupError, TypeError, ValueError):
        return True
    return False


@drill.property(
    "logits_are_right",
    zh="logits 已经不对：损失还在其次。",
    en="The logits are wrong already; the loss comes after them.",
)
def logits_are_wrong(seen):
    (logits, _), (wanted, _) = _parts(seen)
    return not np.allclose(logits, wanted, **CLOSE)


@drill.property(
    "loss_follows_from_logits",
    zh="logits 对，损失不对。",
    en="The logits are right and the loss is wrong.",
)
def loss_is_wrong(seen):
    (logits, loss), (wanted, right) = _parts(seen)
    return np.allclose(logits, wanted, **CLOSE) and not np.allclose(loss, right, **CLOSE)


@drill.property("missing_weights_are_refused", zh=NOT_REFUSED.zh, en=NOT_REFUSED.en)
def not_refused(seen):
    return seen.prediction.parts == ("refused",)
