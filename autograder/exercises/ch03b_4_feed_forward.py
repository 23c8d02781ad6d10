"""Notebook ch03b, exercise 6: the feed-forward network."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch00_3_scale_shift import assign, attempted, usable
from autograder.exercises.ch03b_1a_waves import NOTEBOOK
from autograder.exercises.common import IN_TRAINING, derived, normal
from autograder.exercises.feed_forward_mistakes import FEED_FORWARD
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import feed_forward

FeedForward = Exercise(
    "FeedForward",
    notebook=NOTEBOOK,
    points=4,
    kind="layer",
    forbids=("bert_keras.layers.transformer.FeedForward",),
)
REPEATS = Text(
    "同样的输入调用两次，结果不同。", "Two calls on the same input give different results."
)


DROPS = Text("training=True 时，结果和平时不同。", "With training=True the result is another one.")


def random_weights(rng, width, intermediate_dim, hidden_dim, size=1.0):
    """Kernels and biases of both layers, of order one in effect; `size` scales the last kernel."""
    wide = normal(rng, width, intermediate_dim) / np.float32(width**0.5)
    narrow = normal(rng, intermediate_dim, hidden_dim) / np.float32(intermediate_dim**0.5)
    return {
        "intermediate_dense.kernel": wide,
        "intermediate_dense.bias": normal(rng, intermediate_dim) / 2,
        "output_dense.kernel": np.float32(size) * narrow,
        "output_dense.bias": normal(rng, hidden_dim) / 2,
    }


def filled(student, rng, x, intermediate_dim, hidden_dim, size=1.0, **config):
    """The layer with the grader's weights, and these; or the failure to make it so."""
    sizes = {"intermediate_dim": intermediate_dim, "hidden_dim": hidden_dim}
    weights = random_weights(rng, x.shape[-1], intermediate_dim, hidden_dim, size)

    def made():
        layer = student.build(inputs=(x,), **sizes, **config)
        assign(layer, weights)
        return layer

    return attempted(made), weights


def wrong_shapes(found):
    """What to say of the layers that there are, which `shapes_in_words` has put into words."""
    zh = found.replace("without bias", "（无偏置）").replace(", ", "，")
    zh = zh.replace("no weights", "没有参数")
    return Text(
        f"参数的形状不对：{zh}。intermediate_dense 应当有 F 个输出，output_dense 应当有 D 个。",
        f"The weights' shapes are wrong: {found}. intermediate_dense should have F outputs and "
        "output_dense D.",
    )


@FeedForward.case(
    points=1,
    zh="两个全连接层：名字和大小都对，接得起来",
    en="two dense layers of the right names and sizes that fit together",
)
def two_layers(student, rng):
    """As usual, then with a middle that is smaller; both sizes can be told from each other."""
    for middle, end in ((8, 2), (7, 4), (3, 6)):
        x = normal(rng, 2, 3, end)
        sizes = {"intermediate_dim": middle, "hidden_dim": end}
        found = attempted(lambda: student.build(inputs=(x,), **sizes).weights())  # noqa: B023
        expect(derived(found, feed_forward.shapes_in_words)).equals(
            feed_forward.dense_shapes(end, middle, end), otherwise=wrong_shapes
        )


@FeedForward.case(points=1, zh="call：变宽、激活、变窄", en="call: widen, bend, narrow")
def widen_bend_narrow(student, rng):
    """First where all sizes agree, so that layers in a wrong order run; then where they differ."""
    for shape, middle, end, activation in (
        ((2, 3, 5), 5, 5, "relu"),
        ((3, 4, 3), 12, 3, "tanh"),
        ((2, 5, 4), 7, 4, "relu"),
    ):
        x = normal(rng, *shape)
        layer, weights = filled(student, rng, x, middle, end, activation=activation)
        first, again = (usable(layer, lambda: layer(x)) for _ in range(2))  # noqa: B023
        agree = derived(again, lambda a: derived(first, lambda f: _agree(f, a)))  # noqa: B023
        expect(agree).equals(feed_forward.repeats(x, weights, activation), otherwise=REPEATS)
        expect(first).equals(feed_forward.feed_forward(x, weights, activation), atol=2e-5)
    trained = usable(layer, lambda: layer(x, training=True))
    agree = derived(trained, lambda t: _agree(first, t))
    expect(agree).equals(feed_forward.same_in_training(), otherwise=DROPS)


def _agree(first, again):
    return np.array([np.shape(first) == np.shape(again) and np.allclose(first, again, atol=1e-5)])


@FeedForward.case(
    points=1,
    zh="不指定时，激活函数是 GELU（两种写法都行）",
    en="GELU where nothing is said (either form of it)",
)
def gelu_by_default(student, rng):
    """The exact form and the one with tanh differ by less than 5e-4 for a number."""
    x = 2 * normal(rng, 3, 4, 6)
    layer, weights = filled(student, rng, x, 8, 6, size=0.5)
    actual = usable(layer, lambda: layer(x))
    expect(actual).equals(feed_forward.by_default(x, weights, "gelu"), atol=2e-3)


@FeedForward.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def layer_in_training(student, rng):
    """The notebook trains a model on this layer: no number of sentences is known then."""
    x = normal(rng, 3, 5, 4)
    layer, weights = filled(student, rng, x, 7, 4, activation="relu")
    call = {"args": [x], "kwargs": {}, "unknown": [0]}
    actual = usable(layer, lambda: layer.request("call", **call))
    expect(actual).equals(feed_forward.in_graph(x, weights, "relu"), atol=2e-5)


for _name, _data in FEED_FORWARD.items():
    FeedForward.misconception(_name, **_data)


@FeedForward.property(
    "two_dense_layers",
    zh="应当有两个全连接层，self.intermediate_dense 和 self.output_dense，大小 F 和 D，都带偏置。",
    en="There should be two dense layers, self.intermediate_dense and self.output_dense, of sizes "
    "F and D, both with a bias.",
)
def no_two_layers(seen):
    return seen.prediction.parts == ("shapes",)


@FeedForward.property("calls_agree", zh=REPEATS.zh, en=REPEATS.en)
def calls_differ(seen):
    return seen.prediction.parts == ("repeats",)


@FeedForward.property("nothing_is_dropped", zh=DROPS.zh, en=DROPS.en)
def something_is_dropped(seen):
    return seen.prediction.parts == ("training",)


@FeedForward.property(
    "shape_is_right",
    zh="输出的形状应当是 (…, hidden_dim)。",
    en="The output should have shape (…, hidden_dim).",
)
def shape_is_wrong(seen):
    return _is_output(seen) and np.shape(seen.actual) != np.shape(seen.expected)


@FeedForward.property(
    "result_is_finite",
    zh="结果里有 NaN 或无穷大。",
    en="There are NaN or infinities in the result.",
)
def not_finite(seen):
    return _is_output(seen) and not np.isfinite(np.asarray(seen.actual)).all()


@FeedForward.property(
    "gelu_is_the_default",
    alone=True,  # only where the output is right once an activation is named
    zh="指定了激活函数时是对的，不指定时不是 GELU。",
    en="With an activation named it is right; without one it isn't GELU.",
)
def another_default(seen):
    return seen.prediction.function.__name__ == "by_default"


@FeedForward.property(
    "output_is_right",
    zh="输出算得不对：逐步对照“变宽、激活、变窄”。",
    en="The output is computed wrongly: compare it step by step with “widen, bend, narrow”.",
)
def output_is_wrong(seen):
    return (
        _is_output(seen)
        and np.shape(seen.actual) == np.shape(seen.expected)
        and seen.prediction.function.__name__ != "by_default"
    )


def _is_output(seen):
    return seen.prediction.parts == ("output",)
