"""Notebook ch08, exercise 5: the loss of a student that learns from a teacher."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch08_distill_mistakes import DISTILLING
from autograder.exercises.ch08_kit import LIBRARY, NOTEBOOK
from autograder.exercises.common import IN_TRAINING, gradients, name_mistakes, normal
from autograder.expectations import expect
from autograder.oracles import distillation as oracles

CLOSE = {"atol": 3e-5, "rtol": 3e-5}

distillation_loss = Exercise(
    "distillation_loss",
    notebook=NOTEBOOK,
    points=7,
    library=f"{LIBRARY}.distill:distillation_loss",
)


def some_answers(rng, size, classes, temperature, alpha):
    """Arguments; teacher and student disagree, and every class is the right one now and then."""
    labels = rng.permutation(np.arange(size) % classes).astype(np.int32)
    logits = 1.6 * normal(rng, size, classes), 2.0 * normal(rng, size, classes) + np.float32(0.5)
    return *logits, labels, float(temperature), float(alpha)


def _judge(student, given):
    expect(student(*given)).equals(oracles.distillation_loss(*given), **CLOSE)


@distillation_loss.case(
    points=2,
    zh="只有老师（alpha = 1）：几种温度",
    en="the teacher alone (alpha = 1), at several temperatures",
)
def teacher_alone(student, rng):
    """At 1 nothing but the divergence counts; then all of T's places show."""
    for size, classes, heat in ((3, 4, 1.0), (5, 3, 2.0), (4, 6, 5.0), (1, 5, 0.5)):
        _judge(student, some_answers(rng, size, classes, heat, 1.0))


@distillation_loss.case(
    points=1,
    zh="只有标签（alpha = 0）：跟温度和老师无关",
    en="the labels alone (alpha = 0): neither temperature nor teacher counts",
)
def labels_alone(student, rng):
    """At two temperatures."""
    for size, classes, heat in ((4, 3, 3.0), (3, 5, 0.5), (5, 2, 1.0)):
        _judge(student, some_answers(rng, size, classes, heat, 0.0))


@distillation_loss.case(
    points=1,
    zh="两部分一起；例子数和类别数一样",
    en="both parts; as many examples as classes",
)
def both_parts(student, rng):
    """Weights that add up to more than what they are if exchanged."""
    for size, classes, heat, alpha in ((5, 3, 2.0, 0.3), (4, 4, 4.0, 0.8), (3, 3, 1.5, 0.1)):
        _judge(student, some_answers(rng, size, classes, heat, alpha))


@distillation_loss.case(
    points=1,
    zh="logits 相差几百；学生和老师一样",
    en="logits hundreds apart; student and teacher alike",
)
def far_apart(student, rng):
    """The teacher is sure and the student isn't; the other way round; both are, of one class."""
    given = some_answers(rng, 4, 3, 2.0, 0.5)
    _judge(student, (given[0], given[0].copy(), *given[2:]))
    for who in ((0,), (1,), (0, 1)):
        given = some_answers(rng, 3, 4, 2.0, 0.6)
        for side in who:
            given[side][0, 1] -= np.float32(600)
            given[side][1, 2] += np.float32(500)
        _judge(student, given)


@distillation_loss.case(
    points=1,
    zh="梯度：到得了学生，到不了老师",
    en="gradient: it gets to the student and not to the teacher",
)
def gradient(student, rng):
    """Against finite differences of the oracle."""
    given = some_answers(rng, 3, 4, 2.0, 0.7)
    found = student.gradient(*given, wrt=(0, 1), cotangent=np.float32(1))
    expect(gradients(found, given[:2])).equals(
        oracles.distillation_gradient(*given), atol=1e-4, rtol=1e-3
    )


@distillation_loss.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """The number of examples isn't known; an error here is no evidence of a mistake."""
    given = some_answers(rng, 4, 3, 3.0, 0.4)
    works_in_training(student, given, oracles.distillation_loss(*given), unknown=(0, 1, 2))


name_mistakes(distillation_loss, DISTILLING)


def _losses(seen):
    """The loss that came back, the right one, temperature and alpha.

    Raises:
        LookupError: it is about gradients, or no single number came back.
    """
    if seen.prediction.parts != ("loss",) or np.shape(seen.actual) != ():
        raise LookupError("no loss here")
    return float(np.asarray(seen.actual)), float(seen.expected), *seen.args[3:5]


@distillation_loss.property(
    "one_number_comes_back",
    zh="应当返回一个数，形状是 ()。",
    en="One number should come back, of shape ().",
)
def no_number(seen):
    return seen.prediction.parts == ("loss",) and np.shape(seen.actual) != ()


@distillation_loss.property(
    "loss_is_finite", zh="损失是 NaN 或无穷大。", en="The loss is NaN or infinite."
)
def not_finite(seen):
    return not np.isfinite(_losses(seen)[0])


@distillation_loss.property("loss_is_not_negative", zh="损失是负数。", en="The loss is negative.")
def loss_is_negative(seen):
    return _losses(seen)[0] < -1e-5


@distillation_loss.property(
    "nothing_to_learn_from_a_like",
    zh="学生和老师一样时，软的那一部分应当是 0。",
    en="Where student and teacher agree the soft part should be 0.",
)
def something_to_learn(seen):
    _losses(seen)
    return np.array_equal(seen.args[0], seen.args[1])


@distillation_loss.property(
    "labels_alone_are_right",
    zh="只有标签时（alpha = 0）就不对：它应当是普通的交叉熵。",
    en="It is wrong with the labels alone (alpha = 0), which should be a plain cross-entropy.",
)
def labels_are_wrong(seen):
    return _losses(seen)[3] == 0


@distillation_loss.property(
    "teacher_alone_is_right_at_1",
    zh="只有老师、温度是 1 时就不对：先查 KL 本身。",
    en="It is wrong with the teacher alone at temperature 1: look at the divergence itself first.",
)
def divergence_is_wrong(seen):
    _, _, temperature, alpha = _losses(seen)
    return alpha == 1 and temperature == 1


@distillation_loss.property(
    "teacher_alone_is_right",
    zh="只有老师时（alpha = 1），温度不是 1 就不对。",
    en="It is wrong with the teacher alone (alpha = 1) where the temperature isn't 1.",
)
def temperature_is_wrong(seen):
    _, _, temperature, alpha = _losses(seen)
    return alpha == 1 and temperature != 1


@distillation_loss.property(
    "both_are_added_rightly",
    zh="两部分放在一起时不对。",
    en="It is wrong with both parts together.",
    alone=True,
)
def sum_is_wrong(seen):
    return 0 < _losses(seen)[3] < 1


@distillation_loss.property(
    "gradient_goes_where_it_should",
    zh="梯度不对：应当到得了 student_logits，到不了 teacher_logits。",
    en="The gradient is wrong: it should get to student_logits and not to teacher_logits.",
    alone=True,
)
def gradient_is_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
