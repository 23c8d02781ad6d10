"""Notebook ch01a, exercise 2: one step of a simple recurrent network."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import gradients, normal
from autograder.expectations import expect
from autograder.oracles.recurrent import rnn_step as oracle
from autograder.oracles.recurrent_gradients import rnn_step_gradient

NOTEBOOK = "ch01a_seq2seq"
_KERAS = (
    "SimpleRNN",
    "LSTM",
    "GRU",
    "SimpleRNNCell",
    "LSTMCell",
    "GRUCell",
    "RNN",
    "Bidirectional",
)
RECURRENT_LAYERS = (
    *(f"keras.layers.{name}" for name in _KERAS),
    "bert_keras.layers.recurrent.RecurrentCell",
)

rnn_step = Exercise(
    "rnn_step",
    notebook=NOTEBOOK,
    points=2,
    library="bert_keras.layers.recurrent:rnn_step",
    forbids=RECURRENT_LAYERS,
)


def weights(rng, input_dim, hidden_dim, blocks=1, bias_rows=None):
    """Kernel, recurrent kernel and bias of order one half: no activation is driven to its end."""
    width = blocks * hidden_dim
    bias = (width,) if bias_rows is None else (bias_rows, width)
    return (
        0.5 * normal(rng, input_dim, width),
        0.5 * normal(rng, hidden_dim, width),
        0.5 * normal(rng, *bias),
    )


@rnn_step.case(points=1, zh="一步：输入、旧状态、偏置", en="one step: input, old state, bias")
def one_step(student, rng):
    """Input and state of one size, where exchanged kernels still run; then all sizes differ."""
    for batch, input_dim, hidden_dim in ((2, 4, 4), (3, 5, 4)):
        arguments = (normal(rng, batch, input_dim), normal(rng, batch, hidden_dim))
        arguments += weights(rng, input_dim, hidden_dim)
        expect(student(*arguments)).equals(oracle(*arguments))


@rnn_step.case(
    points=1,
    zh="梯度能传回输入、旧状态和参数，训练时也能用",
    en="gradients reach input, old state and weights, and it works in training",
)
def gradients_flow(student, rng):
    """Against finite differences of the oracle; then as in `fit`, where most would be lost."""
    x, state = normal(rng, 2, 3), normal(rng, 2, 4)
    kernel, recurrent_kernel, bias = weights(rng, 3, 4)
    cotangent = normal(rng, 2, 4)
    arguments = (x, state, kernel, recurrent_kernel, bias)
    found = student.gradient(*arguments, wrt=(0, 1, 2), cotangent=cotangent)
    expect(gradients(found, (x, state, kernel))).equals(
        rnn_step_gradient(*arguments, cotangent), atol=1e-4, rtol=1e-3
    )
    works_in_training(student, arguments, oracle(*arguments), unknown=(0, 1))


def works_in_training(student, arguments, prediction, unknown):
    """`fit` calls it without knowing the batch size; an answer that stops there is of no use.

    What is expected are plain numbers: an error here says nothing about which mistake was made.
    """
    found = student.in_training(*arguments, unknown=unknown)
    expect(found).equals(prediction, evidence=False, atol=2e-5, rtol=2e-5)


FORMULA_HINTS = (
    (
        "B、D、H 各取 1，用纸笔算一步，再跟你的函数对。",
        "Let B, D and H be 1, do one step on paper and compare it with your function.",
    ),
    (
        "五个参数各出现了几次？激活函数里面一共加了几项？",
        "How often does each of the five arguments occur? How many terms are added inside the "
        "activation?",
    ),
)
MATRIX_HINTS = (
    (
        "在每个乘积旁边写下形状：(B, ·) 乘 (·, H)。",
        "Write the shapes beside each product: (B, ·) times (·, H).",
    ),
    (
        "H 行 H 列的矩阵转不转置形状都对，只有数值不同：谁在左边？",
        "With H rows and H columns a transposed matrix fits just as well, only the numbers differ: "
        "which factor stands on the left?",
    ),
)
GRADIENT_HINTS = (
    (
        "NumPy 的运算不在梯度的记录里，Python 的数（float、int）也不在。",
        "NumPy's operations leave no trace for gradients, nor do Python's numbers (float, int).",
    ),
    ("同名的运算 ops 里都有。", "ops has operations of the same names."),
)
GRADIENT_LOST = dict(
    zh="数值对，但梯度传不回去：中间用了 NumPy，或者变成了 Python 的数（float(...)）。",
    en="The numbers are right, but no gradient gets back: NumPy stands in the middle, or a number "
    "of Python's, such as float(...) makes.",
    hints=GRADIENT_HINTS,
)
STATE_FORM_HINTS = (
    (
        "说明里“返回”那一条写的是几样东西？",
        "How many things does the contract's Returns ask for?",
    ),
    (
        "打印结果的类型：是张量，还是元组、列表？",
        "Print what type the result has: is it a tensor, or a tuple or a list?",
    ),
)
IN_A_TUPLE = dict(
    switch={"returned": "tuple"},
    zh="新状态装在了元组或列表里；这里直接返回张量本身。",
    en="The new state comes wrapped in a tuple or a list; here it is the tensor itself.",
    hints=STATE_FORM_HINTS,
)
for _name, (_switch, _zh, _en, _hints) in {
    "no_activation": (
        {"activation": "none"},
        "少了 tanh：状态没有界，一步步会越滚越大。",
        "The tanh is missing: nothing bounds the state, and it grows from step to step.",
        FORMULA_HINTS,
    ),
    "another_activation": (
        tuple({"activation": name} for name in ("sigmoid", "relu", "softmax")),
        "激活函数不对：这里约定 tanh。",
        "It's another activation: here it is tanh.",
        FORMULA_HINTS,
    ),
    "state_forgotten": (
        {"formula": "no_state"},
        "旧状态没有用上：这样每一步都从头开始，什么也记不住。",
        "The old state isn't used: every step starts afresh and nothing is remembered.",
        FORMULA_HINTS,
    ),
    "input_forgotten": (
        {"formula": "no_input"},
        "输入没有用上。",
        "The input isn't used.",
        FORMULA_HINTS,
    ),
    "bias_forgotten": (
        {"bias_use": "missing"},
        "偏置没有加上。",
        "The bias isn't added.",
        FORMULA_HINTS,
    ),
    "bias_counted_wrongly": (
        ({"bias_use": "twice"}, {"bias_use": "subtracted"}),
        "偏置的次数或正负号不对：它只加一次。",
        "The bias is added twice or subtracted: it is added, once.",
        FORMULA_HINTS,
    ),
    "outside_the_activation": (
        (
            {"formula": "bias_outside"},
            {"formula": "state_outside"},
            {"formula": "two_activations"},
            {"formula": "two_activations_bias_outside"},
        ),
        "有一项加在了 tanh 外面：三项先加起来，再过一次 tanh。",
        "A term is added outside the tanh: all three are added first and go through it together.",
        FORMULA_HINTS,
    ),
    "activated_twice": (
        {"formula": "activated_twice"},
        "tanh 用了两次。",
        "The tanh is applied twice.",
        FORMULA_HINTS,
    ),
    "streams_multiplied": (
        ({"formula": "product"}, {"formula": "difference"}),
        "输入和旧状态的两股没有相加（乘了起来，或者相减了）。",
        "The streams from input and old state aren't added but multiplied, or subtracted.",
        FORMULA_HINTS,
    ),
    "old_state_added": (
        ({"formula": "state_kept"}, {"formula": "half_kept"}),
        "旧状态又加回了结果里：那是别的单元的做法，简单 RNN 没有。",
        "The old state is added to the result: other cells do that, a simple RNN doesn't.",
        FORMULA_HINTS,
    ),
    "kernels_exchanged": (
        {"matrices": "exchanged"},
        "两个矩阵对调了：输入乘 kernel，旧状态乘 recurrent_kernel。",
        "The two matrices are exchanged: kernel goes with the input, recurrent_kernel with the old "
        "state.",
        MATRIX_HINTS,
    ),
    "recurrent_kernel_transposed": (
        {"matrices": "recurrent_transposed"},
        "recurrent_kernel 被转置了（或者乘在了左边）。",
        "recurrent_kernel is transposed (or stands on the left of the product).",
        MATRIX_HINTS,
    ),
    "state_without_its_matrix": (
        ({"matrices": "state_as_it_is"}, {"matrices": "state_elementwise"}),
        "旧状态没有经过矩阵乘法：各个单元之间就不通消息了。",
        "The old state doesn't go through its matrix: units no longer hear from each other.",
        MATRIX_HINTS,
    ),
    "a_pair_comes_back": (
        {"returned": "pair"},
        "返回了一对；这里只返回新状态（Keras 的单元才返回一对）。",
        "A pair comes back; here it is the new state alone (Keras's cells return a pair).",
        STATE_FORM_HINTS,
    ),
}.items():
    rnn_step.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)
rnn_step.misconception("in_a_tuple", **IN_A_TUPLE)
rnn_step.misconception("gradient_lost", switch={"gradient": "lost"}, **GRADIENT_LOST)


def of_the_state(seen):
    """The state that came back, in the shape it should have.

    Raises:
        LookupError: the observation is about gradients, or the shape is another.
    """
    actual = np.asarray(seen.actual)
    if seen.prediction.parts != ("state",) or actual.shape != seen.expected.shape:
        raise LookupError("no state of the right shape here")
    return actual


def add_state_properties(exercise):
    """What any single state that comes back should be like."""

    @exercise.property(
        "shape_is_right",
        zh="形状不对：新状态和旧状态一样，是 (B, H)。",
        en="The shape is wrong: the new state is (B, H), as the old one was.",
    )
    def shape_is_wrong(seen):
        return seen.prediction.parts == ("state",) and (
            np.shape(seen.actual) != seen.expected.shape
        )

    @exercise.property(
        "rows_keep_to_themselves",
        zh="批里有的行对，有的行错：各行应当互不相干。",
        en="Some rows of the batch are right and some wrong: rows have nothing to do with each "
        "other.",
    )
    def rows_differ(seen):
        close = np.isclose(of_the_state(seen), seen.expected, atol=1e-5, rtol=1e-5).all(axis=1)
        return bool(close.any() and not close.all())

    @exercise.property(
        "state_stays_within_one",
        zh="状态超出了 -1 到 1：少了该有的激活函数，或者多加了什么。",
        en="The state leaves the range from -1 to 1: an activation is missing, or something is "
        "added that shouldn't be.",
    )
    def state_is_too_large(seen):
        return bool(np.abs(of_the_state(seen)).max() > 1 + 1e-5)

    @exercise.property(
        "new_state_is_right",
        zh="新状态的数值不对：拿 B、D、H 都是 1 的小例子对照公式。",
        en="The new state has wrong numbers: try the formula on a small case with B, D and H all "
        "1.",
        alone=True,
    )
    def state_is_wrong(seen):
        return not np.allclose(of_the_state(seen), seen.expected, atol=1e-5)


add_state_properties(rnn_step)


@rnn_step.property(
    "gradients_get_back",
    zh="梯度没有传回去，或者数值不对。",
    en="Gradients don't get back, or have wrong numbers.",
    alone=True,
)
def gradients_are_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
