"""Notebook ch05c, exercise 7: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05c_1_schedule import NOTEBOOK
from autograder.exercises.ch05c_drill_mistakes import (
    ILL_HINTS,
    ILLS,
    OWN,
    OWN_HINTS,
    PIECES,
    STILL_ILL,
)
from autograder.exercises.common import derived, normal
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles.bert_from_file import loaded
from autograder.oracles.continued import continued, in_parts, of_the_form, paths_of

CLOSE = {"atol": 3e-5, "rtol": 5e-5}
UPDATES = "bert_keras.training.updates"

DRILL_BUGS = tuple(ILLS)

drill = Exercise(
    "drill_ch05c_pretraining",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    needs={
        "warmup_linear_decay": f"{UPDATES}:warmup_linear_decay",
        "adamw_step": f"{UPDATES}:adamw_step",
        "convert_name": "bert_keras.checkpoints.names:convert_name",
    },
    variants=DRILL_BUGS,
)

SQUARE = (
    "embeddings.LayerNorm.weight",
    "embeddings.LayerNorm.bias",
    "encoder.layer.0.attention.self.query.weight",
    "encoder.layer.0.attention.self.query.bias",
    "encoder.layer.1.attention.output.dense.weight",
    "pooler.dense.bias",
)
OTHERS = (
    "embeddings.word_embeddings.weight",
    "encoder.layer.0.intermediate.dense.weight",
    "encoder.layer.0.output.LayerNorm.weight",
    "encoder.layer.0.output.LayerNorm.bias",
)


def _shape_of(name, dim):
    """As in the file."""
    if "word_embeddings" in name:
        return (7, dim)
    if "intermediate" in name:
        return (2 * dim, dim)
    return (dim, dim) if name.endswith("dense.weight") or "query.weight" in name else (dim,)


def a_checkpoint(rng, names, dim, prefix=""):
    """Tensors of a file; norms have weights around 1 and 0 as real ones do, yet all differ."""
    found = {}
    for name in names:
        array = normal(rng, *_shape_of(name, dim))
        found[prefix + name] = array + np.float32(1.5 * name.endswith("LayerNorm.weight"))
    return found


def a_moment(rng, tensors, size, first):
    """Gradients of a global norm of so much, and the averages before the update."""
    weights = loaded(tensors)
    gradients = {path: normal(rng, *array.shape) for path, array in weights.items()}
    total = np.sqrt(sum(np.sum(np.square(each)) for each in gradients.values()))
    gradients = {path: each * np.float32(size / total) for path, each in gradients.items()}

    def averages(array):
        if first:
            return np.zeros_like(array), np.zeros_like(array)
        momentum = 0.2 * normal(rng, *array.shape)
        velocity = rng.uniform(0.01, 0.05, array.shape)
        return momentum, velocity.astype("float32")

    return gradients, {path: averages(array) for path, array in weights.items()}


FORM = Text(
    "repaired 应当返回一对 (weights, norm)：先是参数的字典，后是总范数，一个数。",
    "repaired should return a pair (weights, norm): a dict of weights first, then the norm, one "
    "number.",
)


def _form_of(returned):
    """What came back, in words."""
    pair = isinstance(returned, (tuple, list)) and len(returned) == 2
    return np.asarray("a pair" if pair and isinstance(returned[0], dict) else "something else")


def _judge(student, tensors, moment, update, plan):
    paths = paths_of(tensors)
    arguments = (tensors, *moment, update, *plan)
    returned = student.named("repaired")(*arguments)
    if not isinstance(returned, Failed):
        expect(_form_of(returned)).equals(of_the_form(), otherwise=FORM)

    def flat(pair):
        weights, norm = pair
        others = [weights[path] for path in weights if path not in paths]
        return (norm, *(weights[path] for path in paths if path in weights), *others)

    expect(derived(returned, flat)).equals(in_parts(continued(*arguments), paths), **CLOSE)


def a_plan(rng):
    """A high peak, so that decay can be seen; a warm-up and a total."""
    warmup = int(rng.integers(4, 7))
    return round(float(rng.uniform(0.5, 0.8)), 3), warmup, warmup + int(rng.integers(8, 12))


ask_for_the_name(drill)


@drill.case(
    points=2,
    zh="改好之后：第 0 次更新，m 和 v 都还是 0",
    en="repaired: update 0, where m and v are still 0",
)
def repaired_first_update(student, rng):
    """Clipping can't be seen here: Adam's first step is as long whatever the gradient's size."""
    tensors = a_checkpoint(rng, SQUARE, 4)
    _judge(student, tensors, a_moment(rng, tensors, 3.0, True), 0, a_plan(rng))


@drill.case(
    points=2,
    zh="改好之后：训练到一半；范数大的、小的都有",
    en="repaired: in the middle of a training, with norms large and small",
)
def repaired_later(student, rng):
    """At the peak with square kernels, then on the way down with others and an old prefix."""
    plan = a_plan(rng)
    tensors = a_checkpoint(rng, SQUARE, 3)
    _judge(student, tensors, a_moment(rng, tensors, 2.2, False), plan[1] - 1, plan)
    tensors = a_checkpoint(rng, OTHERS, 3, "bert.")
    _judge(student, tensors, a_moment(rng, tensors, 0.7, False), plan[1] + 3, plan)


@drill.case(
    points=1,
    zh="改好之后：走完以后，参数不再动",
    en="repaired: past the end nothing moves any more",
)
def repaired_behind_the_end(student, rng):
    """With tensors in the file that no encoder takes; a call right at the end as well."""
    plan = a_plan(rng)
    tensors = a_checkpoint(rng, SQUARE, 4)
    tensors["embeddings.position_ids"] = np.arange(6, dtype=np.float32)[None]
    tensors["cls.predictions.bias"] = normal(rng, 7)
    for update in (plan[2] + 5, plan[2]):
        _judge(student, tensors, a_moment(rng, tensors, 1.5, False), update, plan)


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：梯度是 0 的时候，什么动了？编号远在终点以后呢？",
            "Don't read yet, experiment: what moves when all gradients are 0? And what far past "
            "the end?",
        ),
        (
            "逐行问：这一行算的是什么，约定里的那句话是怎么说的？",
            "Ask of every line: what does it compute, and what does the contract say about it?",
        ),
    ),
)
for _name, _forms in ILLS.items():
    drill.misconception(
        _name,
        switch=_forms,
        zh=STILL_ILL.zh,
        en=STILL_ILL.en,
        hints=ILL_HINTS,
        hides_properties=True,
    )
for _name, (_forms, _zh, _en) in OWN.items():
    drill.misconception(_name, switch=_forms, zh=_zh, en=_en, hints=OWN_HINTS)
for _name, (_switch, _zh, _en, _hints) in PIECES.items():
    drill.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _parts(seen):
    """Names of the parts and whether each is right.

    Raises:
        LookupError: the observation is about the name of the bug, or something else came back.
    """
    names = seen.prediction.parts
    if names[0] != "norm":
        raise LookupError("no update here")
    found, wanted = seen.actual, seen.expected
    if [np.shape(part) for part in found] != [np.shape(part) for part in wanted]:
        raise LookupError("other shapes")
    pairs = zip(found, wanted, strict=True)
    return dict(zip(names, (np.allclose(a, b, **CLOSE) for a, b in pairs), strict=True))


@drill.property(
    "weights_and_norm_come_back",
    zh="repaired 应当返回一对：参数的字典和总范数；路径和形状都要对。",
    en="repaired should return a pair, a dict of weights and the norm, with the right paths and "
    "shapes.",
)
def form_is_wrong(seen):
    if seen.prediction.parts[0] == "form":
        return True
    if seen.prediction.parts[0] != "norm":
        return False
    try:
        _parts(seen)
    except (LookupError, TypeError):
        return True
    return False


@drill.property("norm_is_right", zh="总范数不对。", en="The norm is wrong.")
def norm_is_wrong(seen):
    return not _parts(seen)["norm"]


@drill.property(
    "vectors_are_right",
    zh="有的偏置或层归一化的参数不对。",
    en="Some biases or weights of norms are wrong.",
)
def vector_is_wrong(seen):
    right = _parts(seen)
    return any(not ok for path, ok in right.items() if path.endswith(("bias", "gamma", "beta")))


@drill.property(
    "matrices_are_right",
    zh="有的矩阵或嵌入表不对。",
    en="Some kernels or tables are wrong.",
)
def matrix_is_wrong(seen):
    right = _parts(seen)
    return any(not ok for path, ok in right.items() if path.endswith(("kernel", "embeddings")))
