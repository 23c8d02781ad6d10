"""Notebook ch05c, exercise 5: one training step, with its gradient clipped."""

import re

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05c_1_schedule import NOTEBOOK
from autograder.exercises.ch05c_step_mistakes import STEP
from autograder.exercises.common import derived, normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles.pretrain_step import FROZEN, TRAINED, WEIGHTS, of_the_step
from autograder.oracles.pretrain_step import pretrain_step as oracle

CLOSE = {"atol": 5e-5, "rtol": 1e-4}

pretrain_step = Exercise("pretrain_step", notebook=NOTEBOOK, points=7)

BATCH, LENGTH, TOKENS, DIM, HIDDEN, CLASSES = 4, 3, 14, 5, 6, 3
ALWAYS = np.ones(HIDDEN, np.float32)

# Errors that say what is wrong better than their words do: every weight here has a part in the
# loss, so that None is no forgotten return but a loss that the tape didn't see.
STOPPED = {
    "no gradient": (
        r"NoneType|None values|\(None\)|No gradients provided",
        Text(
            "tape.gradient 给出的是 None：梯度带没有看见损失是怎么从参数算出来的。",
            "tape.gradient gives None: the tape didn't see the loss being computed from the "
            "weights.",
        ),
    ),
    "another loss": (
        r"(?:mlm|nsp)_logits|mask_ids|mask_weights|next_sentence_label",
        Text(
            "这里的模型没有填空和下一句的头，你的函数却去取它们的输出：损失要用传进来的 loss_fn。",
            "This model has no heads for masked words and next sentences, and your function asks "
            "for their outputs: the loss is the loss_fn that is handed in.",
        ),
    ),
    "one by one": (
        r"Unknown variable",
        Text(
            "第二次调用 optimizer.apply 时，它不认得那个变量：它只认第一次拿到的那一串。",
            "At the second call of optimizer.apply it doesn't know the variable: it knows those of "
            "its first call.",
        ),
    ),
}


NO_PAIR = Text(
    "应当返回一对 (loss, norm)：损失在前，总范数在后；得到的不是一对。",
    "A pair (loss, norm) should come back, the loss first and the global norm second; what came "
    "back is no pair.",
)


def some_weights(rng):
    """The reader's arrays; large enough that its gradients have something to clip."""
    return [
        normal(rng, TOKENS, DIM),
        0.8 * normal(rng, DIM, HIDDEN),
        0.3 * normal(rng, HIDDEN),
        1.2 * normal(rng, HIDDEN, CLASSES),
        0.3 * normal(rng, CLASSES),
        0.8 * normal(rng, DIM, DIM),
        0.3 * normal(rng, DIM),
    ]


def some_batch(rng, again=False):
    """Tokens and classes; no token stands there twice, unless it's said to be looked up again."""
    ids = rng.permutation(TOKENS)[: BATCH * LENGTH].reshape(BATCH, LENGTH).astype(np.int32)
    if again:
        ids = ids % 3  # every row of the table that is looked up at all is looked up often
    labels = [*range(CLASSES), int(rng.integers(CLASSES))]
    return ids, rng.permutation(labels).astype(np.int32)


def norm_of(weights, ids, labels, factors):
    """The global norm of this batch's gradient."""
    wide = [np.asarray(w, np.float64) for w in weights]
    return float(oracle.raw(wide, ids, labels, np.asarray(factors, float), "sgd", 0.1, 1.0)[1])


def stepped(student, problem, optimizer, rate, clip_norm, compiled=False):
    """What the answer returned and the weights it left, in one tuple; and the oracle's."""
    weights, ids, labels, factors = problem
    arguments = fixture(
        "step_arguments", optimizer, rate, clip_norm, compiled, ids, labels, factors, *weights
    )
    found = student.followed_by(fixture("weights_afterwards"), arguments, compiled=compiled)

    def together(pair):
        returned, after = pair
        told = returned if isinstance(returned, (tuple, list)) else (returned,)
        return (*told, *after)

    limit = 1.0 if clip_norm is None else clip_norm
    return derived(found, together), oracle(*problem, optimizer, rate, limit)


def asked(student, problem, optimizer="sgd", rate=0.4, clip_norm=None, compiled=False):
    """Compare one step with the oracle's."""
    found, wanted = stepped(student, problem, optimizer, rate, clip_norm, compiled)
    if isinstance(found, Failed):
        for what, (pattern, text) in STOPPED.items():
            if re.search(pattern, found.error.message):
                expect(np.asarray(what)).equals(of_the_step(), otherwise=text)
    elif len(found) != 2 + len(WEIGHTS):
        expect(np.asarray("no pair")).equals(of_the_step(), otherwise=NO_PAIR)
    expect(found).equals(wanted, **CLOSE)


def a_problem(rng, factors=ALWAYS, again=False):
    return some_weights(rng), *some_batch(rng, again), factors


def a_gentle_problem(rng):
    """One whose gradient is shorter than 1."""
    problem = a_problem(rng)
    while norm_of(*problem) > 0.8:
        for number in (1, 3, 4):
            problem[0][number] = problem[0][number] * np.float32(0.6)
    return problem


@pretrain_step.case(
    points=2,
    zh="总范数太大：裁剪以后再更新；冻住的层不动",
    en="the norm is too large: clipped, then updated; what is frozen doesn't move",
)
def clipped(student, rng):
    """To a small share of the norm; then to a large one of a norm that is below 1 itself."""
    for make, share, rate in ((a_problem, 0.1, 1.5), (a_gentle_problem, 0.6, 0.8)):
        problem = make(rng)
        asked(student, problem, rate=rate, clip_norm=share * norm_of(*problem))


@pretrain_step.case(
    points=1,
    zh="总范数不大：梯度原样用",
    en="the norm is small enough: gradients are used as they are",
)
def not_clipped(student, rng):
    """Where even a limit of 1 isn't reached; then by far, and by little."""
    asked(student, a_gentle_problem(rng))
    for share in (6.0, 1.3):
        problem = a_problem(rng)
        asked(student, problem, clip_norm=share * norm_of(*problem))


@pretrain_step.case(
    points=1,
    zh="模型里有训练时才起作用的层：它起了作用",
    en="a layer that acts in training only: it did act",
)
def in_training_mode(student, rng):
    """Its factors stand in for a dropout, without the randomness; the default limit."""
    factors = rng.permutation([0.0, 0.0, 1.5, 1.5, 1.5, 1.5]).astype("float32")
    asked(student, a_problem(rng, factors))


@pretrain_step.case(
    points=1,
    zh="换一个优化器（Adam）：挪一步的是它",
    en="another optimizer, Adam: it makes the step",
)
def another_optimizer(student, rng):
    """Its first step is as long whatever the gradient's size."""
    problem = a_problem(rng)
    asked(student, problem, "adam", 0.03, 0.5 * norm_of(*problem))


@pretrain_step.case(
    points=1,
    zh="同一个词元出现好几次：范数和梯度都要先把同一行加起来",
    en="tokens that occur more than once: their rows are added up before the norm is measured",
)
def looked_up_again(student, rng):
    """Three tokens in all."""
    problem = a_problem(rng, again=True)
    asked(student, problem, rate=1.0, clip_norm=0.2 * norm_of(*problem))


@pretrain_step.case(
    points=1,
    zh="编译成计算图也能跑",
    en="it also runs compiled into a graph",
)
def compiled(student, rng):
    """The last of the cases; an error here is no evidence of a mistake."""
    problem = a_problem(rng)
    found, wanted = stepped(student, problem, "sgd", 0.4, 0.5 * norm_of(*problem), compiled=True)
    if not isinstance(found, Failed) and len(found) != 2 + len(WEIGHTS):
        expect(np.asarray("no pair")).equals(of_the_step().value, otherwise=NO_PAIR)
    expect(found).equals(wanted, evidence=False, **CLOSE)


for _name, (_switch, _zh, _en, _hints) in STEP.items():
    pretrain_step.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _parts(seen):
    """Which of loss, norm and weights are right.

    Raises:
        LookupError: something else came back.
    """
    if seen.prediction.parts[0] != "loss":
        raise LookupError("it was stopped")
    found, wanted = seen.actual, seen.expected
    if len(found) != len(wanted):
        raise LookupError("another form")
    if [np.shape(part) for part in found] != [np.shape(part) for part in wanted]:
        raise LookupError("other shapes")
    return [np.allclose(a, b, **CLOSE) for a, b in zip(found, wanted, strict=True)]


@pretrain_step.property(
    "loss_and_norm_come_back",
    zh="应当返回一对：损失和总范数，各是一个数。",
    en="A pair should come back: the loss and the global norm, one number each.",
)
def form_is_wrong(seen):
    if seen.prediction.parts[0] != "loss":
        return False
    try:
        _parts(seen)
    except LookupError:
        return True
    return False


@pretrain_step.property(
    "loss_is_right",
    zh="损失不对：看模型怎么调用，还有损失是不是更新之前的。",
    en="The loss is wrong: look at how the model is called, and whether it's the loss from before "
    "the update.",
)
def loss_is_wrong(seen):
    return not _parts(seen)[0]


@pretrain_step.property(
    "norm_is_right",
    zh="损失对，总范数不对。",
    en="The loss is right and the norm isn't.",
)
def norm_is_wrong(seen):
    right = _parts(seen)
    return right[0] and not right[1]


@pretrain_step.property(
    "frozen_weights_stay",
    zh="冻住的参数动了。",
    en="Frozen weights moved.",
)
def frozen_weight_moves(seen):
    right = dict(zip(("loss", "norm", *WEIGHTS), _parts(seen), strict=True))
    return not all(right[name] for name in FROZEN)


@pretrain_step.property(
    "update_is_right",
    zh="更新不对：有的参数没有走到该到的地方。",
    en="The update is wrong: some weights aren't where they should be.",
)
def update_is_wrong(seen):
    right = dict(zip(("loss", "norm", *WEIGHTS), _parts(seen), strict=True))
    return not all(right[name] for name in TRAINED)
