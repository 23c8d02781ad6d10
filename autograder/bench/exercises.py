"""The checks of the measuring notebook: not part of the course, so registered only on request."""

from __future__ import annotations

import numpy as np

from autograder import exercise as registry
from autograder.bench import oracles
from autograder.bench.mistakes import NEXT_WORD_MISTAKES
from autograder.exercise import Exercise
from autograder.expectations import expect

NOTEBOOK = "bench_keras"
EPSILON = 1e-2
STEPS, RATE = 4, 0.5
# One training runs through a few hundred float32 operations.
TRAINED = {"atol": 2e-5, "rtol": 1e-4}


def register() -> list[Exercise]:
    """Puts the notebook's exercises into the registry, for this process.

    Returns:
        The exercises, in order.
    """
    makers = (_positions, _masked_mean, _attention, _layer_norm, _feed_forward, _next_word)
    found = [make() for make in makers]
    for exercise in found:
        exercise.validate()
    return found


def unregister() -> None:
    """Takes them out again."""
    for name in [n for n, e in registry._REGISTRY.items() if e.notebook == NOTEBOOK]:
        del registry._REGISTRY[name]


def normal(rng, *shape):
    """Float32 values of order one."""
    return rng.standard_normal(shape).astype(np.float32)


def some_words(rng, batch, length, vocabulary):
    """Ids of words with padding (0) at the end of most rows, of different lengths."""
    ids = rng.integers(1, vocabulary, (batch, length))
    for row in range(1, batch):
        ids[row, length - row :] = 0
    return ids.astype(np.int32)


def _positions():
    exercise = Exercise("bench_positions", NOTEBOOK, 2, defines=("positions",))

    @exercise.case(points=2, zh="每一行的正弦和余弦", en="sines and cosines of every row")
    def rows(student, rng):
        length, width = int(rng.integers(4, 8)), 6
        expect(student(length, width)).equals(oracles.positions(length, width))

    exercise.misconception(
        "sines_and_cosines_alternate",
        switch={"halves": "interleaved"},
        zh="正弦和余弦交替排列了；这里前一半是正弦，后一半是余弦。",
        en="Sines and cosines alternate; here the first half are sines, the second cosines.",
    )
    exercise.misconception(
        "cosines_first",
        switch={"halves": "cosines_first"},
        zh="余弦排在了前面。",
        en="The cosines come first.",
    )
    exercise.misconception(
        "rates_by_the_whole_width",
        switch={"rate": "width"},
        zh="频率的分母用了 width，应当是它的一半。",
        en="The rates divide by the width, not by half of it.",
    )
    return exercise


def _masked_mean():
    exercise = Exercise("bench_masked_mean", NOTEBOOK, 3, defines=("masked_mean",))

    def inputs(rng):
        mask = np.arange(5) < np.array([[5], [3], [1]])
        return normal(rng, 3, 5, 4), mask

    @exercise.case(points=1, zh="没有填充", en="no padding")
    def all_real(student, rng):
        x = normal(rng, 2, 3, 4)
        mask = np.ones((2, 3), bool)
        expect(student(x, mask)).equals(oracles.masked_mean(x, mask))

    @exercise.case(points=2, zh="填充不计入", en="padding doesn't count")
    def padded(student, rng):
        x, mask = inputs(rng)
        expect(student(x, mask)).equals(oracles.masked_mean(x, mask))

    exercise.misconception(
        "padding_averaged_too",
        switch={"counted": "padding_too"},
        zh="填充也被算进了平均。",
        en="Padding is averaged, too.",
    )
    exercise.misconception(
        "divided_by_all_positions",
        switch={"counted": "all_positions"},
        zh="总和除以了句子的长度，而不是真实词的个数。",
        en="The sum is divided by the length, not by the number of real words.",
    )
    return exercise


def _attention():
    exercise = Exercise("bench_attention", NOTEBOOK, 4, defines=("attend",))

    def inputs(rng, closed):
        query, key, value = normal(rng, 2, 3, 4), normal(rng, 2, 5, 4), normal(rng, 2, 5, 6)
        mask = np.ones((2, 3, 5), bool)
        if closed:
            mask[0, :, 3:] = mask[1, 1, 0] = mask[1, 2, 1:4] = False
        return query, key, value, mask

    @exercise.case(points=2, zh="全部可见", en="everything may be seen")
    def open_mask(student, rng):
        args = inputs(rng, closed=False)
        expect(student(*args)).equals(oracles.attend(*args))

    @exercise.case(points=2, zh="有的键不可见", en="some keys are closed")
    def closed_keys(student, rng):
        args = inputs(rng, closed=True)
        expect(student(*args)).equals(oracles.attend(*args))

    exercise.misconception(
        "unscaled",
        switch={"scale": "none"},
        zh="分数没有缩放。",
        en="The scores aren't scaled.",
    )
    exercise.misconception(
        "scaled_by_width",
        switch={"scale": "width"},
        zh="除以了维数本身，应当除以它的平方根。",
        en="Divided by the width itself, not by its root.",
    )
    exercise.misconception(
        "masked_after_softmax",
        switch={"masking": "after"},
        zh="掩码在 softmax 之后才用，剩下的权重之和不再是 1。",
        en="The mask comes after the softmax, so that what is left doesn't sum to one.",
    )
    exercise.misconception(
        "mask_ignored", switch={"masking": "never"}, zh="没有用掩码。", en="The mask isn't used."
    )
    return exercise


def _layer_norm():
    exercise = Exercise("bench_layer_norm", NOTEBOOK, 4, kind="layer", defines=("Normalise",))

    @exercise.case(points=1, zh="初始的权重", en="with the weights it starts with")
    def fresh(student, rng):
        x = normal(rng, 3, 5)
        layer = student.build(inputs=(x,), epsilon=EPSILON)
        expect(layer(x)).equals(oracles.normalise(x, np.ones(5), np.zeros(5), EPSILON))

    @exercise.case(points=3, zh="给定的权重", en="with given weights")
    def given(student, rng):
        x, scale, shift = normal(rng, 2, 3, 6), normal(rng, 6), normal(rng, 6)
        layer = student.build(inputs=(x,), epsilon=EPSILON)
        layer.set_weights({"scale": scale, "shift": shift})
        expect(layer(x)).equals(oracles.normalise(x, scale, shift, EPSILON))

    exercise.misconception(
        "root_forgotten",
        switch={"root": "forgotten"},
        zh="除以了方差，而不是标准差。",
        en="Divided by the variance, not by its root.",
    )
    exercise.misconception(
        "sample_variance",
        switch={"spread": "sample"},
        zh="方差除以了 n − 1。",
        en="The variance divides by n − 1.",
    )
    return exercise


def _feed_forward():
    exercise = Exercise("bench_feed_forward", NOTEBOOK, 3, kind="layer", defines=("FeedForward",))

    def built(student, rng):
        x = normal(rng, 2, 3, 4)
        shapes = {
            "widen.kernel": (4, 7),
            "widen.bias": (7,),
            "narrow.kernel": (7, 4),
            "narrow.bias": (4,),
        }
        weights = {path: normal(rng, *shape) for path, shape in shapes.items()}
        layer = student.build(inputs=(x,), inner=7)
        layer.set_weights(weights)
        return x, weights, layer

    @exercise.case(points=2, zh="输出", en="what comes out")
    def output(student, rng):
        x, weights, layer = built(student, rng)
        expect(layer(x)).equals(oracles.feed_forward(x, weights))

    @exercise.case(points=1, zh="梯度", en="the gradient")
    def gradient(student, rng):
        x, weights, layer = built(student, rng)
        cotangent = normal(rng, 2, 3, 4)
        found = layer.gradient(x, cotangent=cotangent)
        wide = {path: value.astype(np.float64) for path, value in weights.items()}
        expect(found).equals(
            (oracles.feed_forward_gradient(x.astype(np.float64), wide, cotangent),),
            atol=1e-4,
            rtol=1e-4,
        )

    exercise.misconception(
        "residual_missing",
        switch={"residual": "missing"},
        zh="没有把输入加回来。",
        en="The input isn't added.",
    )
    exercise.misconception(
        "no_activation",
        switch={"activation": "none"},
        zh="两层之间没有 ReLU。",
        en="There is no ReLU between the two layers.",
    )
    return exercise


def _next_word():
    exercise = Exercise(
        "bench_next_word",
        NOTEBOOK,
        6,
        kind="layer",
        defines=("NextWord", "next_word_loss", "descend"),
    )

    def inputs(rng):
        return some_words(rng, 3, 6, 7), normal(rng, 7, 4), normal(rng, 4, 7)

    def built(student, ids, table, kernel):
        layer = student.build(inputs=(ids,), vocabulary=7, width=4)
        layer.set_weights({"table": table, "kernel": kernel})
        return layer

    @exercise.case(points=1, zh="分数", en="the scores")
    def word_scores(student, rng):
        ids, table, kernel = inputs(rng)
        layer = built(student, ids, table, kernel)
        expect(layer(ids)).equals(oracles.scores(ids, table, kernel))

    @exercise.case(points=2, zh="损失", en="the loss")
    def word_loss(student, rng):
        ids, given = some_words(rng, 3, 6, 7), normal(rng, 3, 6, 7)
        expect(student.named("next_word_loss")(ids, given)).equals(oracles.loss(ids, given))

    @exercise.case(points=3, zh="训练四步", en="four steps of training")
    def four_steps(student, rng):
        ids, table, kernel = inputs(rng)
        run = built(student, ids, table, kernel).train(
            (ids,),
            ids,
            steps=STEPS,
            loss=student.named("next_word_loss"),
            optimizer=student.named("descend"),
            learning_rate=RATE,
            weights=("table", "kernel"),
        )
        expect(run).equals(oracles.training(ids, table, kernel, STEPS, RATE), **TRAINED)

    for name, switch, zh, en in NEXT_WORD_MISTAKES:
        exercise.misconception(name, switch=switch, zh=zh, en=en)
    return exercise
