"""Notebook ch00, exercise 4: the two lines that make a training loop learn."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import derived, normal
from autograder.exercises.training_mistakes import MISTAKES
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import training_loop
from autograder.oracles.training_loop import WEIGHTS

train_to_overfit = Exercise("train_to_overfit", notebook="ch00_start", points=4)
# Chance is log 4 ≈ 1.39 here; who knows six examples by heart is far below.
KNOWN_BY_HEART = 0.2


def small_problem(rng):
    """Weights of the classifier, six examples of five numbers, and their classes at random."""
    features, hidden, classes, examples = 5, 7, 4, 6
    weights = [
        (normal(rng, features, hidden) * 0.5).astype("float32"),
        (normal(rng, hidden) * 0.3).astype("float32"),
        (normal(rng, hidden, classes) * 0.5).astype("float32"),
        (normal(rng, classes) * 0.3).astype("float32"),
    ]
    x = normal(rng, examples, features)
    y = rng.permutation(np.arange(examples) % classes).astype("int32")
    return weights, x, y


def trained(student, weights, x, y, steps, rate, factors=1.0):
    """What the answer makes of a fresh model, as losses and four arrays.

    On TensorFlow Keras's losses undo a softmax of float32 logits; of float64 ones they can't. A
    loss that was written by hand may not bear to mix these with float32: it gets float32 ones.
    """
    for precision in ("float64", "float32"):
        model = fixture("classifier", factors, precision, *weights)
        actual = student(model, x, y, steps, rate)
        if not isinstance(actual, Failed):
            break
    return derived(actual, lambda pair: (np.array(pair[0], "float32"), *pair[1]))


@train_to_overfit.case(
    points=1,
    zh="前三步：每一步的损失和最后的参数都对",
    en="three steps: the loss of each and the weights in the end",
)
def first_steps(student, rng):
    """The gradient by hand, and Adam by its formula."""
    weights, x, y = small_problem(rng)
    actual = trained(student, weights, x, y, 3, 0.05)
    expect(actual).equals(training_loop.overfit(weights, x, y, 3, 0.05), atol=2e-4, rtol=2e-4)


@train_to_overfit.case(
    points=1,
    zh="模型里有训练时才起作用的层（如 dropout）：它起了作用",
    en="a layer that acts in training only, such as dropout: it did act",
)
def in_training_mode(student, rng):
    """Its factors stand in for a dropout, without the randomness."""
    weights, x, y = small_problem(rng)
    factors = rng.permutation([0.0, 0.0, 1.5, 1.5, 1.5, 1.5, 1.5]).astype("float32")
    actual = trained(student, weights, x, y, 2, 0.05, factors)
    wanted = training_loop.overfit(weights, x, y, 2, 0.05, factors)
    expect(actual).equals(wanted, atol=2e-4, rtol=2e-4)


def resting(moved):
    """Says which of the four weights stayed what they were."""
    zh = ("中间层的权重", "中间层的偏置", "输出层的权重", "输出层的偏置")
    still = [i for i, moves in enumerate(moved) if not moves]
    return Text(
        f"走了一步，没有动的参数：{'、'.join(zh[i] for i in still)}。",
        f"After one step these haven't moved: {', '.join(WEIGHTS[i] for i in still)}.",
    )


@train_to_overfit.case(
    points=1,
    zh="四组参数每一组都在动：梯度到得了每一处",
    en="all four weights move: the gradient gets everywhere",
)
def everything_moves(student, rng):
    """One step is enough to see it."""
    weights, x, y = small_problem(rng)
    actual = trained(student, weights, x, y, 1, 0.05)

    def which(found):
        return tuple(
            np.array(np.shape(a) == b.shape and np.abs(a - b).max() > 1e-6)
            for a, b in zip(found[1:], weights, strict=True)
        )

    wanted = training_loop.moved(weights, x, y, 1, 0.05)
    expect(derived(actual, which)).equals(wanted, otherwise=resting)


@train_to_overfit.case(
    points=1,
    zh="四十步以后，这一批背下来了（损失由我们重新计算）",
    en="after forty steps the batch is known by heart (we compute the loss again)",
)
def known_by_heart(student, rng):
    """Computed from the weights that come back; what the answer says about them doesn't count."""
    weights, x, y = small_problem(rng)
    actual = trained(student, weights, x, y, 40, 0.1)

    def below(found):
        return np.array(training_loop.cross_entropy(found[1:], x, y) < KNOWN_BY_HEART)

    expect(derived(actual, below)).equals(
        training_loop.by_heart(weights, x, y, 40, 0.1, KNOWN_BY_HEART),
        otherwise=Text(
            f"四十步以后，我们用你的参数算出的损失还在 {KNOWN_BY_HEART} 以上。",
            f"After forty steps the loss of your weights, as we compute it, is above "
            f"{KNOWN_BY_HEART} still.",
        ),
    )


for _name, (_switch, _zh, _en, _hints) in MISTAKES.items():
    train_to_overfit.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@train_to_overfit.property(
    "first_loss_is_right",
    zh="第一个损失就不对：先看前向计算和损失；要是这两处都对，就看损失是在更新之前还是之后记下的。",
    en="The very first loss is wrong: look at the forward pass and the loss, and if they are right "
    "at whether it is noted before the update.",
)
def first_loss_is_wrong(seen):
    of_losses = seen.prediction.parts[0] == "losses"
    return of_losses and not np.isclose(seen.actual[0][0], seen.expected[0][0], atol=1e-3)


@train_to_overfit.property(
    "update_is_right",
    zh="第一步的损失是对的，之后就不对了：问题出在更新。",
    en="The first loss is right and what follows isn't: look at the update.",
)
def update_is_wrong(seen):
    return seen.prediction.parts[0] == "losses" and not first_loss_is_wrong(seen)


@train_to_overfit.property(
    "every_weight_moves", zh="有的参数没有动。", en="Some weights don't move."
)
def some_weight_rests(seen):
    return seen.prediction.parts == training_loop.WEIGHTS and not all(seen.actual)


@train_to_overfit.property(
    "the_batch_is_learnt",
    zh="还没有背下这一批。",
    en="The batch isn't known by heart.",
    alone=True,
)
def the_batch_is_not_learnt(seen):
    return seen.prediction.parts == ("known_by_heart",)
