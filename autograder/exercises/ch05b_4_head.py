"""Notebook ch05b, exercise 4: the head that guesses the masked tokens."""

import numpy as np

from autograder.compare import difference
from autograder.exercise import Exercise
from autograder.exercises.ch00_3_scale_shift import assign, attempted, usable
from autograder.exercises.ch05b_1_choose import NOTEBOOK
from autograder.exercises.ch05b_head_mistakes import HEAD
from autograder.exercises.common import IN_TRAINING, gradients, normal
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import mlm_head

TOO_MANY = Text(
    "激活函数收到的位置比 B × P 个多：不用猜的位置也算了。（为了数出来，这一项检查用了个特别的"
    "激活函数，位置一多，它就换一种算法。）",
    "The activation is given more than B × P positions: those that nobody guesses are computed, "
    "too. (To count them, this check uses an activation that changes when there are too many.)",
)
CLOSE = {"atol": 5e-5, "rtol": 5e-5}

MaskedLMHead = Exercise(
    "MaskedLMHead",
    notebook=NOTEBOOK,
    points=6,
    kind="layer",
    forbids=("bert_keras.layers.heads.MaskedLMHead", "bert_keras.layers.MaskedLMHead"),
)


def some_positions(rng, batch, length, slots):
    """Different positions in every row, in no order and never the last; an unused slot is 0."""
    rows = [rng.permutation(length - 1)[:slots] for _ in range(batch)]
    positions = np.stack(rows).astype(np.int32)
    positions[-1, -1] = 0
    return positions


def some_inputs(rng, batch, length, dim, size, slots):
    """Sequence output, positions and table, of order one."""
    table = normal(rng, size, dim)
    return normal(rng, batch, length, dim), some_positions(rng, batch, length, slots), table


def some_weights(rng, dim, size):
    """All weights of the head, none near those that a fresh layer has."""
    return {
        "dense.kernel": normal(rng, dim, dim) / np.float32(dim**0.5),
        "dense.bias": normal(rng, dim) / 2,
        "layer_norm.gamma": rng.uniform(0.5, 1.8, dim).astype("float32"),
        "layer_norm.beta": normal(rng, dim) / 2,
        "output_bias": normal(rng, size),
    }


def filled(student, rng, inputs, **config):
    """The layer with the grader's weights, and these; or the failure to make it so."""
    size, dim = inputs[2].shape
    weights = some_weights(rng, dim, size)

    def made():
        layer = student.build(inputs=inputs, **config)
        assign(layer, weights)
        return layer

    return attempted(made), weights


def _judge(student, rng, sizes, activation="tanh"):
    inputs = some_inputs(rng, *sizes)
    layer, weights = filled(student, rng, inputs, activation=activation)
    found = usable(layer, lambda: layer(*inputs))
    expect(found).equals(mlm_head.masked_lm_head(*inputs, weights, activation), **CLOSE)


@MaskedLMHead.case(
    points=2,
    zh="取出位置，过 Dense、激活和归一化，跟词元表比，加偏置",
    en="positions are taken out, pass dense, activation and norm, meet the table, get the bias",
)
def picked_and_scored(student, rng):
    """As many tokens as features, where a table that isn't transposed fits; then all differ.

    As many slots as tokens next, so that a head that takes nothing out runs too.
    """
    for sizes in ((2, 6, 5, 5, 3), (3, 7, 4, 9, 2), (4, 3, 6, 8, 3)):
        _judge(student, rng, sizes)


@MaskedLMHead.case(
    points=1,
    zh="先取出，再计算：别的位置不用算",
    en="taken out first: nothing is computed for other positions",
)
def thrifty(student, rng):
    """The activation bends differently where it is given more places than there are slots."""
    inputs = some_inputs(rng, 2, 9, 5, 7, 3)
    activation = fixture("thrifty_activation", inputs[1].size)
    layer, weights = filled(student, rng, inputs, activation=activation)
    found = usable(layer, lambda: layer(*inputs))
    given = (*inputs, weights, "thrifty")
    wanted, late = mlm_head.gathers_first(*given), mlm_head.gathers_first.raw(*given, gather="last")

    def told(got):
        """Numbers alone would read as if late positions gave other ones."""
        if difference(got, late, wanted.parts, **CLOSE) is None:
            return TOO_MANY
        return difference(got, wanted.value, wanted.parts, **CLOSE).text

    expect(found).equals(wanted, **CLOSE, otherwise=told)


@MaskedLMHead.case(
    points=1,
    zh="不指定时，激活函数是 GELU（两种写法都行）",
    en="GELU where nothing is said (either form of it)",
)
def gelu_by_default(student, rng):
    """The exact form and the one with tanh differ by less than 5e-4 for a number."""
    inputs = some_inputs(rng, 2, 5, 8, 6, 3)
    layer, weights = filled(student, rng, inputs)
    found = usable(layer, lambda: layer(*inputs))
    expect(found).equals(mlm_head.by_default(*inputs, weights, "gelu"), atol=2e-2, rtol=1e-3)


@MaskedLMHead.case(
    points=1,
    zh="梯度传回编码器的输出，也传回词元表",
    en="gradients reach the encoder's output, and the token table",
)
def gradients_flow(student, rng):
    """Against finite differences of the oracle."""
    inputs = some_inputs(rng, 2, 4, 3, 5, 2)
    layer, weights = filled(student, rng, inputs, activation="tanh")
    cotangent = normal(rng, 2, 2, 5)
    found = usable(layer, lambda: layer.gradient(*inputs, wrt=(0, 2), cotangent=cotangent))
    expect(gradients(found, (inputs[0], inputs[2]))).equals(
        mlm_head.masked_lm_head_gradient(*inputs, weights, "tanh", cotangent), atol=2e-3, rtol=2e-3
    )


@MaskedLMHead.case(points=1, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def head_in_training(student, rng):
    """No number of sentences is known; plain numbers are expected."""
    inputs = some_inputs(rng, 3, 6, 4, 7, 2)
    layer, weights = filled(student, rng, inputs, activation="tanh")
    call = {"args": list(inputs), "kwargs": {}, "unknown": [0, 1]}
    found = usable(layer, lambda: layer.request("call", **call))
    wanted = mlm_head.masked_lm_head(*inputs, weights, "tanh")
    expect(found).equals(wanted, evidence=False, **CLOSE)


for _name, (_switch, _zh, _en, _hints) in HEAD.items():
    MaskedLMHead.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _function(seen):
    return seen.prediction.function.__name__


def _logits(seen):
    """Logits and what they should be.

    Raises:
        LookupError: the observation is about gradients, or the shape is another.
    """
    if seen.prediction.parts != ("logits",) or np.shape(seen.actual) != seen.expected.shape:
        raise LookupError("no logits here")
    return np.asarray(seen.actual, float), seen.expected


@MaskedLMHead.property(
    "shape_is_right",
    zh="形状不对：应当是 (B, P, V)，每个槽位给 V 个词元各打一个分。",
    en="The shape is wrong: it should be (B, P, V), a score for each of V tokens in every slot.",
)
def shape_is_wrong(seen):
    return seen.prediction.parts == ("logits",) and np.shape(seen.actual) != seen.expected.shape


@MaskedLMHead.property(
    "slots_take_their_positions",
    zh="有的槽位的分数，是别的槽位该有的：看看位置是怎么取的。",
    en="Some slots have the scores that belong to others: see how positions are taken out.",
)
def slots_are_exchanged(seen):
    got, want = _logits(seen)
    got, want = got.reshape(-1, got.shape[-1]), want.reshape(-1, want.shape[-1])
    near = np.isclose(got[:, None], want[None], atol=1e-3).all(axis=-1)
    return bool((near.any(axis=1) & ~np.diag(near)).any())


@MaskedLMHead.property(
    "differences_of_scores_are_right",
    zh="分数差了一个只跟词元有关的数：看偏置。",
    en="Scores are off by something that depends on the token alone: look at the bias.",
)
def bias_is_wrong(seen):
    got, want = _logits(seen)
    gap = (got - want).reshape(-1, got.shape[-1])
    return bool(np.abs(gap).max() > 1e-3 and np.abs(gap - gap[0]).max() < 1e-3)


@MaskedLMHead.property(
    "activation_is_the_given_one",
    zh="指定了激活函数时对，不指定时不是 GELU。",
    en="Right with an activation named, but without one it isn't GELU.",
    alone=True,
)
def another_default(seen):
    return _function(seen) == "by_default"


@MaskedLMHead.property(
    "positions_are_taken_out_first",
    zh="结果对，可是所有位置都算了一遍才取：先取出来，能省下大半。",
    en="The numbers are right, but all positions are computed before some are taken out: taking "
    "them first saves most of the work.",
    alone=True,
)
def wasteful(seen):
    return _function(seen) == "gathers_first"


@MaskedLMHead.property(
    "scores_are_right",
    zh="分数不对：逐步对照，取出、Dense、激活、归一化、跟词元表的点积、偏置。",
    en="The scores are wrong: go through it step by step, positions, dense, activation, norm, dot "
    "products with the table, bias.",
)
def scores_are_wrong(seen):
    got, want = _logits(seen)
    return _function(seen) == "head_of" and not np.allclose(got, want, atol=1e-3)


@MaskedLMHead.property(
    "gradients_get_back",
    zh="数值对，梯度不对：有的没有传回编码器或词元表。",
    en="The numbers are right and a gradient is wrong: some don't get back to the encoder or the "
    "table.",
    alone=True,
)
def gradient_is_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
