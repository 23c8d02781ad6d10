"""Notebook ch03b, exercise 3: layer normalisation."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch00_3_scale_shift import assign, attempted, usable
from autograder.exercises.ch03b_1a_waves import NOTEBOOK
from autograder.exercises.common import IN_TRAINING, gradients, normal
from autograder.exercises.norm_mistakes import NORM
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import normalisation

READY_MADE = (
    "keras.layers.LayerNormalization",
    "keras.layers.RMSNormalization",
    "keras.layers.GroupNormalization",
    "keras.layers.UnitNormalization",
    "keras.ops.layer_normalization",
    "keras.ops.normalize",
    "keras.ops.rms_normalization",
)

AFTER_TRAINING = Text(
    "训练两步，损失或者 gamma、beta 的数值和应有的不一样。",
    "After two steps of training the losses, or gamma and beta, aren't what they should be.",
)
GRADIENT = Text(
    "传回 x 的梯度和应有的不一样。", "The gradient that reaches x isn't what it should be."
)

LayerNorm = Exercise(
    "LayerNorm",
    notebook=NOTEBOOK,
    points=5,
    kind="layer",
    forbids=READY_MADE,
)


def names_of(found):
    """Which of gamma and beta a layer's weights are called; others are counted."""
    known = [name for name in ("gamma", "beta") if name in found]
    others = len(found) - len(known)
    return ", ".join([*known, *([f"{others} others"] if others else [])]) or "none"


def wrong_names(found):
    """What to say of weights that aren't called as they should be; made from `names_of`."""
    zh = found.replace("others", "个别的名字").replace("none", "没有参数")
    en = found.replace("none", "no weights").replace("others", "of other names")
    return Text(
        f"这一层登记的参数：{zh}。应当正好两个，名叫 gamma 和 beta。",
        f"The layer has {en}. There should be just two, called gamma and beta.",
    )


def wrong_starts(found):
    """What to say of first values that are wrong; made from `starts_in_words`."""
    zh = found.replace("another number", "别的数").replace("random", "随机数")
    gamma, beta = zh.replace("zeros", "全 0").replace("ones", "全 1").split(", ")
    en = found.replace("random", "random numbers").split(", ")
    return Text(
        f"gamma 应当从全 1 开始，beta 从全 0 开始；这里的 gamma 是{gamma}，beta 是{beta}。",
        f"gamma should start as ones and beta as zeros; here gamma starts as {en[0]}, beta as "
        f"{en[1]}.",
    )


def filled(student, rng, x, epsilon):
    """A layer with weights that all differ, or the failure to make it so, and these weights."""
    size = x.shape[-1]
    gamma = (rng.uniform(0.5, 2.0, size) * rng.choice([-1, 1], size)).astype(np.float32)
    beta = (rng.uniform(0.5, 1.5, size) * rng.choice([-1, 1], size)).astype(np.float32)

    def made():
        layer = student.build(inputs=(x,), epsilon=epsilon)
        assign(layer, {"gamma": gamma, "beta": beta})
        return layer

    return attempted(made), gamma, beta


@LayerNorm.case(
    points=1,
    zh="build：gamma 和 beta 的名字、形状和初始值",
    en="build: names, shapes and first values of gamma and beta",
)
def two_weights(student, rng):
    """Built on sizes that all agree: whatever `call` does wrong runs, and isn't asked here."""
    x = normal(rng, 4, 4, 4)
    layer = student.build(inputs=(x,))
    found, _ = layer.weights(), layer(x)
    expect(names_of(found)).equals(normalisation.norm_weight_names(), otherwise=wrong_names)
    starts = normalisation.starts_in_words(found["gamma"], found["beta"])
    expect(starts).equals(normalisation.norm_starts(), otherwise=wrong_starts)
    expect((found["gamma"], found["beta"])).equals(normalisation.fresh_norm_weights(x.shape))


@LayerNorm.case(
    points=1,
    zh="call：ε = 0.1，gamma 和 beta 各不相同",
    en="call: ε = 0.1, and gammas and betas that all differ",
)
def with_a_large_epsilon(student, rng):
    """Far from a mean of 0, and with spreads at which ε counts; other sizes than at building."""
    x = normal(rng, 3, 4, 6)
    layer, gamma, beta = filled(student, rng, x, 0.1)
    for shape in ((3, 4, 6), (4, 4, 6), (1, 7, 6)):
        x = _tokens(rng, *shape)
        actual = usable(layer, lambda: layer(x))  # noqa: B023
        expect(actual).equals(normalisation.layer_norm(x, gamma, beta, 0.1), atol=2e-5)


def _tokens(rng, *shape):
    """Tokens with means and spreads of their own."""
    middle, spread = rng.uniform(-2, 2, (*shape[:-1], 1)), rng.uniform(0.3, 1.5, (*shape[:-1], 1))
    return (middle + spread * rng.standard_normal(shape)).astype(np.float32)


@LayerNorm.case(
    points=1,
    zh="前面的轴有几个都行；ε 很小，数也很小",
    en="any number of axes in front; a small ε and small numbers",
)
def any_axes(student, rng):
    """One token alone and a batch of batches; a variance as small as ε."""
    for shape, epsilon, size in (
        ((3, 4, 6), 1e-6, 1e-3),
        ((2, 3, 2, 5), 1e-3, 0.03),
        ((5, 6), 0.1, 1.0),
    ):
        x = np.float32(size) * normal(rng, *shape)
        layer, gamma, beta = filled(student, rng, x, epsilon)
        actual = usable(layer, lambda: layer(x))  # noqa: B023
        expect(actual).equals(normalisation.layer_norm(x, gamma, beta, epsilon), atol=1e-4)


@LayerNorm.case(points=1, zh="训练时 gamma 和 beta 都在学，梯度也传回输入",
                en="gamma and beta both learn, and gradients reach the input")  # fmt: skip
def both_learn(student, rng):
    """Two steps against finite differences."""
    x, targets = _tokens(rng, 2, 3, 3), normal(rng, 2, 3, 3)
    layer, gamma, beta = filled(student, rng, x, 0.1)
    how = {"steps": 2, "learning_rate": 0.2, "weights": ("gamma", "beta")}
    actual = usable(layer, lambda: layer.train((x,), targets, **how))
    expect(actual).equals(
        normalisation.norm_trained(x, gamma, beta, 0.1, targets, 0.2, 2),
        atol=5e-5,
        rtol=1e-4,
        otherwise=AFTER_TRAINING,
    )
    cotangent = normal(rng, 2, 3, 3)
    found = usable(layer, lambda: layer.gradient(x, wrt=(0,), cotangent=cotangent))
    expect(gradients(found, (x,))).equals(
        normalisation.layer_norm_gradient(x, gamma, beta, 0.1, cotangent),
        atol=1e-3,
        rtol=1e-3,
        otherwise=GRADIENT,
    )


@LayerNorm.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def norm_in_training(student, rng):
    """The notebook trains a model on this layer: no number of sentences is known then."""
    x = _tokens(rng, 3, 5, 4)
    layer, gamma, beta = filled(student, rng, x, 0.1)
    call = {"args": [x], "kwargs": {}, "unknown": [0]}
    actual = usable(layer, lambda: layer.request("call", **call))
    expect(actual).equals(normalisation.norm_in_graph(x, gamma, beta, 0.1), atol=2e-5)


for _name, _data in NORM.items():
    LayerNorm.misconception(_name, **_data)


def _normal_part(seen):
    """Whether an observation is about the output, and the output without gamma and beta."""
    if seen.prediction.parts != ("output",):
        raise LookupError("no output here")
    gamma, beta = seen.args[1:3]
    actual = np.asarray(seen.actual)
    if actual.shape != np.shape(seen.expected):
        raise LookupError("another shape")
    return (actual - beta) / gamma, (np.asarray(seen.expected) - beta) / gamma


def _affine_alone_is_wrong(seen):
    """Whether the output is normalised rightly, but scaled or shifted in another way."""
    right = _normal_part(seen)[1]
    gamma, beta = seen.args[1:3]
    actual = np.asarray(seen.actual)
    others = (actual, actual - beta, actual / gamma, actual / gamma - beta, (actual - gamma) / beta,
              (actual - beta) / (1 + gamma), (actual + beta) / gamma)  # fmt: skip
    return any(np.allclose(part, right, atol=1e-3) for part in others)


@LayerNorm.property(
    "two_named_weights",
    zh="参数应当正好有两个，名叫 gamma 和 beta，形状都是 (D,)，从 1 和 0 开始。",
    en="There should be just two weights, called gamma and beta, of shape (D,), starting at 1 and "
    "0.",
)
def no_two_named_weights(seen):
    return seen.prediction.parts in (("names",), ("starts",), ("gamma", "beta"))


@LayerNorm.property(
    "shape_stays", zh="输出的形状应当和 x 一样。", en="The output should have the shape of x."
)
def shape_changes(seen):
    if seen.prediction.parts != ("output",):
        return False
    return np.shape(seen.actual) != np.shape(seen.expected)


@LayerNorm.property(
    "result_is_finite",
    zh="结果里有 NaN 或无穷大。",
    en="There are NaN or infinities in the result.",
)
def not_finite(seen):
    return seen.prediction.parts == ("output",) and not np.isfinite(np.asarray(seen.actual)).all()


@LayerNorm.property(
    "gamma_and_beta_act_rightly",
    zh="归一化是对的，问题在 gamma 和 beta 怎样用上去。",
    en="The normalisation is right; what is wrong is how gamma and beta are applied.",
)
def affine_is_wrong(seen):
    return _affine_alone_is_wrong(seen)


@LayerNorm.property(
    "mean_is_zero",
    zh="除去 gamma 和 beta 之后，每个词的均值应当是 0。",
    en="Apart from gamma and beta every token should have mean 0.",
)
def mean_is_not_zero(seen):
    if _affine_alone_is_wrong(seen):
        return False
    return not np.allclose(_normal_part(seen)[0].mean(axis=-1), 0, atol=1e-3)


@LayerNorm.property(
    "spread_is_right",
    zh="除去 gamma 和 beta 之后，均值对了，大小差了一个倍数：看看除以的是什么。",
    en="Apart from gamma and beta the means are right but the sizes aren't: look at what you "
    "divide by.",
)
def spread_is_wrong(seen):
    if _affine_alone_is_wrong(seen):
        return False
    mine, right = _normal_part(seen)
    return np.allclose(mine.mean(axis=-1), 0, atol=1e-3) and not np.allclose(
        mine.std(axis=-1), right.std(axis=-1), atol=1e-3
    )


@LayerNorm.property(
    "output_is_right", zh="输出算得不对。", en="The output is computed wrongly.", alone=True
)
def output_is_wrong(seen):
    return seen.prediction.parts == ("output",)


@LayerNorm.property(
    "weights_learn",
    zh="训练几步以后，损失或参数和应有的不一样。",
    en="After a few steps of training losses or weights aren't what they should be.",
    alone=True,
)
def training_goes_wrong(seen):
    return seen.prediction.parts == ("losses", "gamma", "beta")


@LayerNorm.property(
    "gradient_reaches_the_input",
    zh="数值对，传回输入的梯度不对：中途有一步离开了张量，或停掉了梯度。",
    en="The values are right but the gradient that reaches the input isn't: some step leaves the "
    "tensors or stops the gradient.",
    alone=True,
)
def gradient_is_wrong(seen):
    return seen.prediction.parts == ("d_x",)
