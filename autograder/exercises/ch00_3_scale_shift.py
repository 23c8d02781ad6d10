"""Notebook ch00, exercise 3: a layer of one's own."""

import re

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import IN_TRAINING, derived, normal, real_tokens
from autograder.exercises.scale_shift_mistakes import MISTAKES, wrong_dtype
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles import scale_shift
from autograder.results import StudentError

ScaleShift = Exercise(
    "ScaleShift",
    notebook="ch00_start",
    points=6,
    kind="layer",
    library="bert_keras.layers.scale_shift:ScaleShift",
    forbids=("bert_keras.layers.ScaleShift", "keras.layers.Rescaling"),
    blanks=("__init__", "build", "call", "get_config"),
)


def attempted(action):
    """What an action on the layer gives, or its failure, so that it can be held against oracles."""
    try:
        return action()
    except StudentError as error:
        return Failed(error)


def names_of(found):
    """The names of a layer's weights as a text; those that nobody asked for are counted."""
    known = [name for name in ("scale", "shift") if name in found]
    others = len(found) - len(known)
    return ", ".join([*known, *([f"{others} others"] if others else [])]) or "none"


def wrong_names(found):
    """What to say of weights that aren't called as they should be; made from `names_of`."""
    if found == "none":
        zh, en = "这一层没有登记任何参数", "The layer has no weights"
    else:
        zh = re.sub(r"(?:, )?(\d+) others", r"，另有 \1 个叫别的名字", found).strip("，")
        zh = f"这一层登记的参数：{zh.replace(', ', '、')}"
        en = f"The layer's weights are {re.sub('others', 'of other names', found)}"
    return Text(
        f"{zh}。应当正好两个，名叫 scale 和 shift。",
        f"{en}. There should be just two, called scale and shift.",
    )


def set_to(layer, rng, size):
    """Give the layer weights that differ from each other and from 0 and 1; return them."""
    scale = (rng.uniform(1.3, 2.5, size) * rng.choice([-1, 1], size)).astype("float32")
    shift = rng.uniform(0.4, 1.2, size).astype("float32") * np.where(np.arange(size) % 2, -1, 1)
    shift = shift.astype("float32")
    return scale, shift, attempted(lambda: assign(layer, {"scale": scale, "shift": shift}))


def assign(layer, values):
    """Set the weights; a wrong shape is said in one line, not in Keras's five."""
    found = layer.weights()
    for name, value in values.items():
        if name in found and np.shape(found[name]) != value.shape:
            got = f"{name}: {np.shape(found[name])}, not {value.shape}"
            raise StudentError("ValueError", f"shape of {got}")
    layer.set_weights(values)


def usable(done, call):
    """The result of a call, or the failure to set the weights that it needs."""
    return done if isinstance(done, Failed) else call()


def number_format(actual):
    """The dtype of a result as a text."""
    return derived(actual, lambda output: str(np.asarray(output).dtype))


@ScaleShift.case(
    points=1,
    zh="build：两个参数，名字、形状和初值都对",
    en="build: two weights with the right names, shapes and first values",
)
def two_weights(student, rng):
    """As many as there are features, whatever batch and length the layer was built on."""
    batch, length, features = 2, 5, 4
    x, initial = normal(rng, batch, length, features), float(rng.uniform(1.5, 3.0))
    layer = student.build(inputs=(x,), initial_scale=initial)
    found = layer.weights()
    expect(names_of(found)).equals(scale_shift.weight_names(), otherwise=wrong_names)
    expect((found["scale"], found["shift"])).equals(
        scale_shift.first_weights(features, initial, length, batch)
    )
    expect(layer(x)).equals(scale_shift.fresh(x, initial, "layer"))


@ScaleShift.case(
    points=1,
    zh="call：先乘后加，句长、批次大小和前面轴的个数都可以变",
    en="call: times scale, plus shift, for any length, batch size and number of axes in front",
)
def scaled_and_shifted(student, rng):
    """Built on one shape, used on others; then built on two axes."""
    layer = student.build(inputs=(normal(rng, 3, 6, 4),))
    scale, shift, done = set_to(layer, rng, 4)
    for shape in ((3, 6, 4), (5, 2, 4)):
        x = normal(rng, *shape)
        actual = usable(done, lambda: layer(x))  # noqa: B023
        expect(actual).equals(scale_shift.scale_shift(x, scale, shift))
    for shape in ((5, 4), (2, 3, 2, 4)):
        x = normal(rng, *shape)
        actual = usable(done, lambda: layer(x))  # noqa: B023
        expect(actual).equals(scale_shift.any_axes(x, scale, shift, 3))
    x = normal(rng, 5, 4)

    def built_on_two_axes():
        flat = student.build(inputs=(x,))
        assign(flat, {"scale": scale, "shift": shift})
        return flat(x)

    expect(attempted(built_on_two_axes)).equals(scale_shift.any_axes(x, scale, shift, 2))


@ScaleShift.case(points=1, zh="训练时两个参数都在学", en="both weights learn in training")
def both_learn(student, rng):
    """Three steps of gradient descent against gradients by hand."""
    x, targets = normal(rng, 3, 4, 2), normal(rng, 3, 4, 2)
    layer = student.build(inputs=(x,))
    scale, shift, done = set_to(layer, rng, 2)
    how = {"steps": 3, "learning_rate": 0.2, "weights": ("scale", "shift")}
    actual = usable(done, lambda: layer.train((x,), targets, **how))
    expect(actual).equals(
        scale_shift.trained(x, scale, shift, targets, 0.2, 3), atol=2e-5, rtol=1e-4
    )


@ScaleShift.case(
    points=1,
    zh="掩码跟着输出传下去：后面的层还知道哪些是填充",
    en="a mask goes on with the output: the next layer still knows the pads",
)
def mask_passes(student, rng):
    """Between a layer that makes a mask and one that averages what the mask leaves open."""
    x, mask = normal(rng, 3, 6, 4), real_tokens([6, 2, 4], 6)
    layer = student.build(inputs=(x,))
    scale, shift, done = set_to(layer, rng, 4)
    marked = np.where(mask[..., None], x, np.float32(-7.0))
    ends = fixture("masking", -7.0), fixture("average")
    actual = usable(done, lambda: layer.between(ends[0], marked, ends[1]))
    expect(actual).equals(scale_shift.mean_after(x, mask, scale, shift))


@ScaleShift.case(
    points=1,
    zh="get_config：照着它能再造出同样的一层",
    en="get_config: it is enough to make the same layer again",
)
def made_again(student, rng):
    """A twin with fresh weights starts as the first did; one with the same weights agrees."""
    x, initial = normal(rng, 2, 3, 5), float(rng.uniform(1.5, 3.0))
    layer = student.build(inputs=(x,), initial_scale=initial)
    scale, shift, done = set_to(layer, rng, 5)
    fresh = attempted(lambda: layer.rebuilt(inputs=(x,), weights=False)(x))
    expect(fresh).equals(scale_shift.fresh(x, initial, "twin", scale))
    copied = usable(done, lambda: attempted(lambda: layer.rebuilt(inputs=(x,))(x)))
    expect(copied).equals(scale_shift.scale_shift(x, scale, shift))


@ScaleShift.case(
    points=1,
    zh="Keras 自己的选项（如 dtype）也留住",
    en="Keras's own options, such as dtype, are kept too",
)
def options_kept(student, rng):
    """The layer computes in half precision, and so does its twin."""
    x = normal(rng, 2, 3, 4)
    for asked in ("mixed_float16", "float16"):
        layer = student.build(inputs=(x,), dtype=asked)
        wanted = scale_shift.output_dtype(asked, "layer")
        expect(number_format(layer(x))).equals(wanted, otherwise=wrong_dtype(asked))
    twin = attempted(lambda: layer.rebuilt(inputs=(x,), weights=False)(x))
    wanted = scale_shift.output_dtype("float16", "twin")
    expect(number_format(twin)).equals(wanted, otherwise=wrong_dtype("float16"))


@ScaleShift.case(points=0, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def layer_in_training(student, rng):
    """No number of sentences is known."""
    x = normal(rng, 3, 5, 4)
    layer = student.build(inputs=(x,))
    scale, shift, done = set_to(layer, rng, 4)
    call = {"args": [x], "kwargs": {}, "unknown": [0]}
    actual = usable(done, lambda: layer.request("call", **call))
    expect(actual).equals(scale_shift.scale_shift(x, scale, shift))


for _name, (_switch, _zh, _en, _hints) in MISTAKES.items():
    ScaleShift.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


@ScaleShift.property(
    "two_named_weights",
    zh="参数应当正好有两个，名叫 scale 和 shift。",
    en="There should be just two weights, called scale and shift.",
)
def no_two_named_weights(seen):
    return isinstance(seen.expected, str) and seen.expected == scale_shift.BOTH


@ScaleShift.property(
    "one_number_per_feature",
    zh="每个参数的形状应当是 (D,)。",
    en="Each of the weights should have shape (D,).",
)
def no_number_per_feature(seen):
    return seen.prediction.parts == ("scale", "shift") and any(
        np.shape(part) != wanted.shape
        for part, wanted in zip(seen.actual, seen.expected, strict=True)
    )


def starts_wrongly(seen, place):
    if seen.prediction.parts != ("scale", "shift") or no_number_per_feature(seen):
        return False
    return not np.allclose(seen.actual[place], seen.expected[place], atol=1e-5)


@ScaleShift.property(
    "scale_starts_rightly",
    zh="scale 的初值不对：应当处处是 initial_scale。（不给初值的参数，从随机数开始。）",
    en="The scale's first values are wrong: every one should be initial_scale. (A weight that "
    "isn't given any starts at random.)",
)
def scale_starts_wrongly(seen):
    return starts_wrongly(seen, 0)


@ScaleShift.property(
    "shift_starts_rightly",
    zh="shift 的初值不对：应当处处是 0。（不给初值的参数，从随机数开始。）",
    en="The shift's first values are wrong: every one should be 0. (A weight that isn't given "
    "any starts at random.)",
)
def shift_starts_wrongly(seen):
    return starts_wrongly(seen, 1)


@ScaleShift.property(
    "first_values_are_right",
    zh="训练之前的输出不对。",
    en="The output before training is wrong.",
    alone=True,
)
def first_values_are_wrong(seen):
    return seen.prediction.function.__name__ == "fresh"


@ScaleShift.property("output_is_right", zh="输出算得不对。", en="The output is computed wrongly.")
def output_is_wrong(seen):
    return seen.prediction.function.__name__ in ("scale_shift", "any_axes")


@ScaleShift.property(
    "weights_learn",
    zh="训练一步以后，损失或参数和应有的不一样。",
    en="After a step of training the loss or the weights aren't what they should be.",
    alone=True,
)
def weights_do_not_learn(seen):
    return seen.prediction.function.__name__ == "trained"


@ScaleShift.property(
    "the_mask_arrives",
    zh="后面那一层求的平均不对：它没有拿到掩码，或者输出不对。",
    en="The next layer's mean is off: the mask didn't reach it, or the output is wrong.",
    alone=True,
)
def the_mask_does_not_arrive(seen):
    return seen.prediction.function.__name__ == "mean_after"


@ScaleShift.property(
    "options_of_keras_survive",
    zh="Keras 自己的选项丢了。",
    en="An option of Keras's own got lost.",
)
def options_get_lost(seen):
    return seen.prediction.parts == ("dtype",)
