"""Notebook ch04a, exercise 4: mixing layers with learned shares."""

import re

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04a_1_lms import NOTEBOOK
from autograder.exercises.ch04a_mix_mistakes import MIX
from autograder.exercises.common import IN_TRAINING, normal
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import scalar_mix
from autograder.results import StudentError

ScalarMix = Exercise(
    "ScalarMix",
    notebook=NOTEBOOK,
    points=4,
    kind="layer",
    forbids=("bert_keras.layers.ScalarMix", "bert_keras.layers.scalar_mix.ScalarMix"),
    blanks=("build", "call"),
)


AT_RANDOM = Text(
    "造了两个一样的层，参数的初值却不一样：是随机的。",
    "Two layers made alike start with other weights: the first values are random.",
)


def attempted(action):
    """What an action on the layer gives, or its failure, so that it can be held against oracles."""
    try:
        return action()
    except StudentError as error:
        return Failed(error)


def made(student, layers):
    """The built layer; a list of weights that is used like a tensor is told in plain words."""
    try:
        return student.build(inputs=(layers,))
    except StudentError as error:
        # What TensorFlow says of `ops.stack` of Keras's weights, and of a list in a tensor's place.
        if "'base_dtype'" in error.message or "'TrackedList' object" in error.message:
            expect(scalar_mix.LISTED).equals(scalar_mix.weight_names(), otherwise=wrong_names)
        raise


def names_of(found):
    """The names of a layer's weights as a text; those that nobody asked for are counted."""
    known = [name for name in ("scores", "scale") if name in found]
    others = len(found) - len(known)
    if others > 2 or sum(name.startswith("scores") for name in found) > 1:
        return scalar_mix.LISTED
    return ", ".join([*known, *([f"{others} others"] if others else [])]) or "none"


def wrong_names(found):
    """What to say of weights that aren't called as they should be; made from `names_of`."""
    if found == scalar_mix.LISTED:
        return Text(
            "登记的是好几个参数的列表；scores 应当是一个参数，形状是 (层数,)。",
            "There is a list of several weights; scores should be one, of shape (layers,).",
        )
    if found == "none":
        zh, en = "这一层没有登记任何参数", "The layer has no weights"
    else:
        zh = re.sub(r"(?:, )?(\d+) others", r"，另有 \1 个叫别的名字", found).strip("，")
        zh = f"这一层登记的参数：{zh.replace(', ', '、')}"
        en = f"The layer's weights are {re.sub('others', 'of other names', found)}"
    return Text(
        f"{zh}。应当正好两个，名叫 scores 和 scale。",
        f"{en}. There should be just two, called scores and scale.",
    )


def set_to(layer, rng, length):
    """Give the layer scores far apart and a scale unlike 0 and 1; return them and any failure."""
    scores = rng.permutation(np.linspace(-1.5, 2.0, length)) if length > 1 else np.array([0.7])
    scores = (scores + 0.2 * rng.random(length)).astype("float32")
    scale = np.float32(-rng.uniform(1.5, 2.5))  # the sign shows, too
    values = {"scores": scores, "scale": np.asarray(scale)}

    def assign():
        found = layer.weights()
        for name, value in values.items():
            if name in found and np.shape(found[name]) != value.shape:
                # In one line, not in Keras's five.
                got = f"{name}: {np.shape(found[name])}, not {value.shape}"
                raise StudentError("ValueError", f"shape of {got}")
        layer.set_weights(values)

    return scores, np.asarray(scale), attempted(assign)


def usable(done, call):
    """The result of a call, or the failure to set the weights that it needs."""
    return done if isinstance(done, Failed) else call()


def some_layers(rng, length, *shape):
    """Layers that differ, none of them around zero."""
    return [normal(rng, *shape) + rng.uniform(-1, 1) for _ in range(length)]


@ScalarMix.case(
    points=1,
    zh="build：两个参数的名字、形状和初值；没有训练过时是平均",
    en="build: names, shapes and first values of two weights; before training it's the average",
)
def two_weights(student, rng):
    """As many scores as layers, whatever the other sizes; one layer is possible, too."""
    for length, shape in ((3, (2, 5, 4)), (1, (3, 2))):
        layers = some_layers(rng, length, *shape)
        layer = made(student, layers)
        found, output = layer.weights(), layer(layers)
        expect(names_of(found)).equals(scalar_mix.weight_names(), otherwise=wrong_names)
        twin = made(student, layers).weights()
        alike = all(np.array_equal(found[name], twin[name]) for name in found)
        expect(np.array(alike)).equals(scalar_mix.starts_alike(), otherwise=AT_RANDOM)
        expect((found["scores"], found["scale"])).equals(
            scalar_mix.first_weights(length, shape[-1])
        )
        expect(output).equals(scalar_mix.untrained(layers))


@ScalarMix.case(
    points=1,
    zh="call：按份额混合，再乘倍数；批次、句长和轴数都可以变",
    en="call: mixed by shares, then scaled; for any batch, length and number of axes",
)
def mixed(student, rng):
    """Two to five layers, of two axes and of four; nothing else is as many as the layers."""
    for length, shapes in (
        (3, ((2, 5, 4), (4, 1, 4))),
        (5, ((2, 3, 6), (2, 2, 4, 6))),
        (2, ((3, 4, 3), (5, 3))),
    ):
        layer = made(student, some_layers(rng, length, *shapes[0]))
        scores, scale, done = set_to(layer, rng, length)
        for shape in shapes:
            layers = some_layers(rng, length, *shape)
            actual = usable(done, lambda: layer(layers))  # noqa: B023
            expect(actual).equals(scalar_mix.scalar_mix(layers, scores, scale))


@ScalarMix.case(points=1, zh="训练时两个参数都在学", en="both weights learn in training")
def both_learn(student, rng):
    """Three steps of gradient descent against finite differences."""
    layers, targets = some_layers(rng, 3, 2, 3, 2), normal(rng, 2, 3, 2)
    layer = made(student, layers)
    scores, scale, done = set_to(layer, rng, 3)
    how = {"steps": 3, "learning_rate": 0.1, "weights": ("scores", "scale")}
    actual = usable(done, lambda: layer.train((layers,), targets, **how))
    expect(actual).equals(
        scalar_mix.trained(layers, scores, scale, targets, 0.1, 3), atol=1e-4, rtol=1e-4
    )


@ScalarMix.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def mix_in_training(student, rng):
    """No number of sentences is known; plain numbers are expected."""
    layers = some_layers(rng, 3, 4, 3, 2)
    layer = made(student, layers)
    scores, scale, done = set_to(layer, rng, 3)
    call = {"args": [layers], "kwargs": {}, "unknown": [0]}
    actual = usable(done, lambda: layer.request("call", **call))
    wanted = scalar_mix.scalar_mix(layers, scores, scale).value
    expect(actual).equals(wanted, atol=2e-5, rtol=2e-5)


for _name, (_switch, _zh, _en, _hints) in MIX.items():
    ScalarMix.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _of(seen, *names):
    return seen.prediction.function.__name__ in names


@ScalarMix.property(
    "two_named_weights",
    zh="参数应当正好有两个，名叫 scores 和 scale。",
    en="There should be just two weights, called scores and scale.",
)
def no_two_named_weights(seen):
    return seen.prediction.parts == ("names",)


@ScalarMix.property(
    "a_score_for_each_layer",
    zh="参数的形状不对：scores 应当每层一个数，scale 只是一个数。",
    en="A weight has the wrong shape: scores should have a number for every layer, and scale is a "
    "single number.",
)
def another_shape(seen):
    return seen.prediction.parts == ("scores", "scale") and any(
        np.shape(part) != np.shape(wanted)
        for part, wanted in zip(seen.actual, seen.expected, strict=True)
    )


@ScalarMix.property(
    "starts_rightly",
    zh="训练之前就不对：看初值。（不给初值的参数，从随机数开始。）",
    en="It is wrong before any training: look at the first values. (A weight that isn't given any "
    "starts at random.)",
)
def starts_wrongly(seen):
    return _of(seen, "starts_alike") or (_of(seen, "first_weights") and not another_shape(seen))


@ScalarMix.property(
    "average_at_first",
    zh="两个参数的初值都对，没有训练过时输出却不是各层的平均：看 call。",
    en="Both weights have the right first values, and yet the output before training isn't the "
    "layers' average: look at call.",
)
def no_average_at_first(seen):
    return _of(seen, "untrained") and np.shape(seen.actual) == seen.expected.shape


@ScalarMix.property(
    "shape_is_right",
    zh="输出的形状不对：应当跟每一层的一样。",
    en="The output has another shape than the layers.",
)
def shape_is_wrong(seen):
    return _of(seen, "untrained", "scalar_mix") and np.shape(seen.actual) != seen.expected.shape


@ScalarMix.property("mix_is_right", zh="混合的结果不对。", en="The mix is wrong.")
def mix_is_wrong(seen):
    return _of(seen, "scalar_mix") and np.shape(seen.actual) == seen.expected.shape


@ScalarMix.property(
    "weights_learn",
    zh="训练一步以后，损失或参数和应有的不一样。",
    en="After a step of training the loss or the weights aren't what they should be.",
    alone=True,
)
def weights_do_not_learn(seen):
    return _of(seen, "trained")
