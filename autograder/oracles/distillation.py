"""Learning from a teacher: the loss and which layers go together, in NumPy with switches."""

from __future__ import annotations

import math

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import softmax, with_switches_of
from autograder.oracles.calculus import numeric_gradient


def _log_shares(logits, logs):
    """Logarithms of the softmax, or what somebody takes for them."""
    kind = logits.dtype.type
    if logs == "of_the_softmax":  # a share may be 0 in single precision
        with np.errstate(divide="ignore"):
            return np.log(softmax(logits, -1))
    if logs == "clipped":  # as Keras's losses take probabilities
        shares = np.clip(softmax(logits, -1), kind(1e-7), kind(1))
        return np.log(shares)
    if logs == "moved":
        return np.log(softmax(logits, -1) + kind(1e-9))
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def _hot(logits, temperature, heat):
    """Logits at the temperature, or what is mistaken for that."""
    return logits * temperature if heat == "multiplied" else logits / temperature


def soft_part(student, teacher, temperature, soft, direction, heat, logs):
    """What the teacher adds for every example, (B,)."""
    kind = student.dtype.type
    heat_of = {
        "student_only": (1, temperature),
        "teacher_only": (temperature, 1),
        "none": (1, 1),
        "root": (math.sqrt(temperature),) * 2,
    }.get(heat, (temperature, temperature))
    cold = [_hot(x, kind(t), heat) for x, t in zip((teacher, student), heat_of, strict=True)]
    if soft == "squared_logits":
        return ((cold[0] - cold[1]) ** 2).sum(axis=-1)
    if soft == "mean_squared_logits":
        return ((cold[0] - cold[1]) ** 2).mean(axis=-1)
    if heat == "after_the_softmax":
        shares = [softmax(x, -1) / kind(temperature) for x in (teacher, student)]
        t, s = (np.log(x) for x in shares)
    else:
        t, s = (_log_shares(x, logs) for x in cold)
        shares = [np.exp(t), np.exp(s)]
        if logs != "whole":  # the shares themselves, as somebody has them who takes logs of them
            shares = [softmax(x, -1) for x in cold]
        if logs == "clipped":
            shares = [np.clip(x, kind(1e-7), kind(1)) for x in shares]
    if direction == "student_first":
        (t, s), shares = (s, t), shares[::-1]
    if soft == "cross_entropy":
        return -(shares[0] * s).sum(axis=-1)
    if soft == "squared_shares":
        return ((shares[0] - shares[1]) ** 2).sum(axis=-1)
    if soft == "mean_squared_shares":
        return ((shares[0] - shares[1]) ** 2).mean(axis=-1)
    if soft == "hard_teacher":
        best = teacher.argmax(axis=-1)
        return -np.take_along_axis(s, best[:, None], axis=-1)[:, 0]
    if soft == "logs_weigh":  # the logarithm in the place of the share
        return (t * (t - s)).sum(axis=-1)
    if soft == "log_of_one_only":  # logarithms against shares
        return (shares[0] * (t - shares[1])).sum(axis=-1)
    if soft == "ratio_without_log":
        return (shares[0] * (shares[0] - shares[1])).sum(axis=-1)
    if direction == "both_ways":
        return ((shares[0] - shares[1]) * (t - s)).sum(axis=-1) / kind(2)
    found = (shares[0] * (t - s)).sum(axis=-1)
    return -found if soft == "negative" else found


def hard_part(student, teacher, labels, temperature, hard, logs):
    """What the labels add for every example, (B,)."""
    kind = student.dtype.type
    logits = {
        "at_the_temperature": lambda: student / kind(temperature),
        "of_the_teacher": lambda: teacher,
        "softmax_twice": lambda: softmax(student, -1),
    }.get(hard, lambda: student)()
    if hard == "logits_as_shares":  # as Keras takes them unless it is told otherwise
        clipped = np.clip(logits, kind(1e-7), kind(1) - kind(1e-7))
        logarithms = np.log(clipped / clipped.sum(axis=-1, keepdims=True))
    else:
        logarithms = _log_shares(logits, logs)
    found = -np.take_along_axis(logarithms, labels[:, None], axis=-1)[:, 0]
    return -found if hard == "negative" else found


def loss_of(
    student_logits,
    teacher_logits,
    labels,
    temperature,
    alpha,
    *,
    soft="divergence",
    direction="teacher_first",
    heat="both",
    factor="squared",
    hard="at_one",
    weights="alpha_to_the_teacher",
    reduction="batch",
    logs="whole",
    hard_logs="whole",
    returned="loss",
):
    """Both parts, weighed and averaged.

    Args:
        student_logits, teacher_logits: float (B, C).
        labels: int (B,).
        temperature, alpha: floats.
        soft, direction, heat, factor, hard, weights, reduction, logs, hard_logs, returned: the
            switches.

    Returns:
        float (), unless a switch says otherwise.
    """
    kind = student_logits.dtype.type
    first = soft_part(student_logits, teacher_logits, temperature, soft, direction, heat, logs)
    second = hard_part(student_logits, teacher_logits, labels, temperature, hard, hard_logs)
    times = {
        "squared": temperature**2,
        "missing": 1.0,
        "plain": temperature,
        "over_the_square": 1 / temperature**2,
        "of_the_whole": temperature**2,
    }[factor]
    first = first * kind(times)
    if factor == "of_the_whole":
        second = second * kind(times)
    size, classes = student_logits.shape
    if reduction == "classes_too":
        first = first / kind(classes)
    elif reduction == "sums":
        first, second = first * kind(size), second * kind(size)
    elif reduction == "soft_sum":
        first = first * kind(size)
    elif reduction == "by_batch_twice":
        first = first / kind(size)
    shares = {
        "alpha_to_the_teacher": (alpha, 1 - alpha),
        "turned": (1 - alpha, alpha),
        "labels_full": (alpha, 1),
        "teacher_full": (1, 1 - alpha),
        "teacher_full_labels_alpha": (1, alpha),
        "both_full": (1, 1),
        "both_alpha": (alpha, alpha),
        "halves": (0.5, 0.5),
        "teacher_alone": (1, 0),
        "labels_alone": (0, 1),
        "teacher_alone_weighed": (alpha, 0),
        "labels_alone_weighed": (0, 1 - alpha),
    }[weights]
    with np.errstate(all="ignore"):
        each = kind(shares[0]) * first + kind(shares[1]) * second
    return {
        "loss": lambda: np.asarray(each.mean(), kind),
        "each": lambda: each,
        "pair": lambda: (first.mean(), second.mean()),
        "negative": lambda: np.asarray(-each.mean(), kind),
    }[returned]()


distillation_loss = oracle(parts=("loss",))(loss_of)


@oracle(parts=("d_student_logits", "d_teacher_logits"), slow=True)
@with_switches_of(loss_of)
def distillation_gradient(
    student_logits, teacher_logits, labels, temperature, alpha, *, gradient="student", **switches
):
    """The loss's derivative by both logits; none reaches the teacher.

    Args:
        student_logits, teacher_logits, labels, temperature, alpha: as for `loss_of`.
        gradient: where it gets to.
        **switches: of `loss_of`.
    """

    def total(student, teacher):
        found = loss_of(student, teacher, labels, temperature, alpha, **switches)
        return sum(np.sum(part) for part in (found if isinstance(found, tuple) else (found,)))

    logits = [np.asarray(x, np.float64) for x in (student_logits, teacher_logits)]
    mine, theirs = numeric_gradient(total, logits, np.float64(1))
    return {
        "student": lambda: (mine, 0 * theirs),
        "teacher_too": lambda: (mine, theirs),
        "nowhere": lambda: (0 * mine, 0 * theirs),
        "teacher_only": lambda: (0 * mine, theirs),
    }[gradient]()


def _refuses(size, whole, refusal):
    """Whether these two numbers of layers are refused."""
    none, more = size < 1, size > whole
    return {
        "outside": none or more,
        "never": False,
        "more_only": more,
        "none_only": none,
        "equal_too": none or size >= whole,
        "negative_or_more": size < 0 or more,
        "one_too": size <= 1 or more,
        "uneven_too": none or more or whole % size != 0,
    }[refusal]


@oracle(parts=("refused",))
def mappings_refused(pairs, *, refusal="outside"):
    """Which of these pairs of numbers of layers are refused."""
    return np.array([_refuses(size, whole, refusal) for size, whole in pairs])


@oracle(parts=("layers",))
def layer_mapping(
    student_layers,
    teacher_layers,
    *,
    entry="down",
    first="embeddings",
    refusal="outside",
    returned="whole",
):
    """Which layer of the teacher each layer of the student learns from.

    Args:
        student_layers, teacher_layers: M and L.
        entry, first, refusal, returned: the switches.

    Raises:
        Crash: these numbers are refused.
    """
    size, whole = student_layers, teacher_layers
    if _refuses(size, whole, refusal):
        raise Crash("ValueError")
    number = {
        "down": lambda m: m * whole // size,
        "up": lambda m: -(-m * whole // size),
        "nearest": lambda m: round(m * whole / size),
        "half_up": lambda m: math.floor(m * whole / size + 0.5),
        "step_down": lambda m: m * (whole // size),
        "step_up": lambda m: m * -(-whole // size),
        "step_nearest": lambda m: m * round(whole / size),
        "first_ones": lambda m: m,
        "last_ones": lambda m: whole - size + m if m else 0,
        "all_last_ones": lambda m: whole - size + m,
        "one_less": lambda m: max(m * whole // size - 1, 0),
        "from_the_end": lambda m: whole - (size - m) * whole // size,
        "turned": lambda m: m * size // whole,
        "last_but_one": lambda m: m * (whole - 1) // size,
        "as_many_more": lambda m: m * (whole + 1) // (size + 1),
    }[entry]
    numbers = {
        "embeddings": range(size + 1),
        "left_out": range(1, size + 1),
        "last_left_out": range(size),
        "one_more": range(size + 2),
    }[first]
    found = np.asarray([number(m) for m in numbers])
    return {
        "whole": lambda: found,
        "floats": lambda: found.astype(float),
        "exact": lambda: np.asarray([m * whole / size for m in numbers]),
        "pairs": lambda: np.stack([np.asarray(numbers), found], axis=1),
    }[returned]()
