"""Notebook ch00, exercise 4: the two lines that make a training loop learn."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import derived, normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles import training_loop

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


def trained(student, weights, x, y, steps, rate):
    """What the answer makes of a fresh model, as losses and four arrays."""
    actual = student(fixture("classifier", *weights), x, y, steps, rate)
    return derived(actual, lambda pair: (np.array(pair[0], "float32"), *pair[1]))


@train_to_overfit.case(
    points=2,
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

    expect(derived(actual, which)).equals(training_loop.moved(weights, x, y, 1, 0.05))


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
        training_loop.by_heart(weights, x, y, 40, 0.1, KNOWN_BY_HEART)
    )


LOSS_HINTS = (
    (
        "只走一步，把 logits 打印出来，手算一遍第一个损失。",
        "Take one step only, print the logits, and work out the first loss by hand.",
    ),
    (
        "loss_of 收的是什么？它建好的时候就说了。",
        "What does loss_of expect to be given? It was told so when it was made.",
    ),
)
UPDATE_HINTS = (
    (
        "在每一步前后打印一个参数：它动了吗？朝哪个方向？",
        "Print one weight before and after every step: does it move, and which way?",
    ),
    (
        "循环外已经造好了一个优化器；它要的是全部梯度和全部可训练的参数，次序相同。",
        "There is an optimizer outside the loop; it wants all gradients and all trainable weights, "
        "in the same order.",
    ),
)
for _name, (_switch, _zh, _en, _hints) in {
    "weights_never_move": (
        {"reached": "none"},
        "参数一步也没有动：没有更新，或者损失和参数之间断了（例如变成了 NumPy）。",
        "The weights never move: there is no update, or the loss is cut off from them (by a step "
        "through NumPy, say).",
        UPDATE_HINTS,
    ),
    "some_weights_left_out": (
        (
            {"reached": "last_layer"},
            {"reached": "first_layer"},
            {"reached": "kernels"},
            {"reached": "biases"},
            {"reached": "first_weight"},
            {"reached": "last_weight"},
            {"reached": "all_but_the_last"},
            {"reached": "all_but_the_first"},
        ),
        "有的参数没有更新：四组里有几组一直没动。",
        "Some weights aren't updated: of the four arrays a few stay what they were.",
        UPDATE_HINTS,
    ),
    "uphill": (
        ({"direction": "up"}, {"loss": "negative"}),
        "走反了：损失一步步变大。要沿着梯度的反方向走。",
        "It goes uphill: the loss grows. Steps go against the gradient.",
        UPDATE_HINTS,
    ),
    "plain_gradient_descent": (
        {"update": "sgd"},
        "更新是自己写的“学习率乘梯度”，没有用循环外那个 Adam。",
        "The update is learning rate times gradient by hand, and not that of the Adam outside the "
        "loop.",
        UPDATE_HINTS,
    ),
    "new_optimizer_every_step": (
        {"update": "fresh_adam"},
        "每一步都新造了一个优化器：Adam 记着的东西全丢了。",
        "There is a new optimizer in every step: all that Adam remembers is lost.",
        UPDATE_HINTS,
    ),
    "updated_twice": (
        {"update": "adam_twice"},
        "每一步更新了两次。",
        "Every step updates twice.",
        UPDATE_HINTS,
    ),
    "learning_rate_ignored": (
        ({"rate_used": "default"}, {"rate_used": "tenth"}),
        "学习率不是给定的那个：优化器用了别的数。",
        "The learning rate isn't the one that was given: the optimizer uses another.",
        UPDATE_HINTS,
    ),
    "softmax_twice": (
        {"loss": "softmax_twice"},
        "softmax 做了两次：loss_of 收的是 logits，它自己会做 softmax。",
        "The softmax is taken twice: loss_of is given logits and does the softmax itself.",
        LOSS_HINTS,
    ),
    "loss_of_one_example": (
        ({"loss": "first_example"}, {"loss": "last_example"}),
        "损失只看了一个例子，没有看整批。",
        "The loss looks at one example and not at the whole batch.",
        LOSS_HINTS,
    ),
    "loss_is_a_sum": (
        {"loss": "sum"},
        "损失是整批的和；约定是平均。",
        "The loss is the sum over the batch; the mean was agreed on.",
        LOSS_HINTS,
    ),
    "squared_error": (
        ({"loss": "squared"}, {"loss": "squared_of_probabilities"}),
        "用的是平方误差；这里要用的是上面那个交叉熵 loss_of。",
        "It is a squared error; what belongs here is the cross-entropy loss_of from above.",
        LOSS_HINTS,
    ),
}.items():
    train_to_overfit.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@train_to_overfit.property(
    "first_loss_is_right",
    zh="第一步的损失就不对：那时还没有任何更新，问题出在前向计算或损失。",
    en="The very first loss is wrong, before any update: look at the forward pass and the loss.",
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
    zh="四十步以后还没有背下这一批。",
    en="After forty steps the batch isn't known by heart.",
    alone=True,
)
def the_batch_is_not_learnt(seen):
    return seen.prediction.parts == ("known_by_heart",)
