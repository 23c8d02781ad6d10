"""Notebook ch01a, exercise 4: one step of a gated recurrent unit."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import (
    IN_A_TUPLE,
    RECURRENT_LAYERS,
    STATE_FORM_HINTS,
    add_state_properties,
    weights,
    works_in_training,
)
from autograder.exercises.common import normal
from autograder.expectations import expect
from autograder.oracles.recurrent import GRU_GATES, GRU_ORDERS
from autograder.oracles.recurrent import gru_step as oracle

NOTEBOOK = "ch01a_seq2seq"

gru_step = Exercise(
    "gru_step",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.layers.recurrent:gru_step",
    forbids=RECURRENT_LAYERS,
)


def step_inputs(rng, batch, input_dim, hidden_dim):
    """Arguments of a step; the two rows of the bias differ, and so do all blocks."""
    kernel, recurrent_kernel, bias = weights(rng, input_dim, hidden_dim, blocks=3, bias_rows=2)
    state = np.tanh(normal(rng, batch, hidden_dim))
    return (normal(rng, batch, input_dim), state, kernel, recurrent_kernel, bias)


@gru_step.case(points=1, zh="一步：两个门和候选", en="one step: two gates and a candidate")
def one_step(student, rng):
    """All sizes differ."""
    arguments = step_inputs(rng, 3, 5, 4)
    expect(student(*arguments)).equals(oracle(*arguments))


@gru_step.case(
    points=1,
    zh="更新门接近 1：旧状态几乎原样留下",
    en="update gate near one: the old state stays nearly as it was",
)
def nothing_new(student, rng):
    """The bias pushes the update gate to about 0.98, so that its direction is plain to see."""
    x, state, kernel, recurrent_kernel, bias = step_inputs(rng, 2, 3, 5)
    bias[:, :5] = 2.0
    arguments = (0.3 * x, state, kernel, 0.5 * recurrent_kernel, bias)
    expect(student(*arguments)).equals(oracle(*arguments))


@gru_step.case(
    points=1,
    zh="重置门接近 0：候选几乎看不到旧状态",
    en="reset gate near zero: the candidate hardly sees the old state",
)
def reset(student, rng):
    """Whether the second bias stands behind the gate shows here."""
    x, state, kernel, recurrent_kernel, bias = step_inputs(rng, 4, 2, 3)
    bias[:, 3:6] = -2.0
    bias[:, :3] = -0.5
    arguments = (x, state, kernel, recurrent_kernel, bias)
    expect(student(*arguments)).equals(oracle(*arguments))


@gru_step.case(points=1, zh="训练时也能用", en="it works in training")
def in_training(student, rng):
    """The batch size isn't known there; see `works_in_training`."""
    arguments = step_inputs(rng, 4, 3, 2)
    works_in_training(student, arguments, oracle(*arguments), unknown=(0, 1))


BLOCK_HINTS = (
    (
        "把偏置设成 3 段不同的常数，其余全是 0：两个门和候选各应当等于多少？",
        "Make the bias three blocks of different constants and everything else 0: what should both "
        "gates and the candidate be?",
    ),
    (
        "约定里三段的次序是什么？PyTorch 的次序跟 Keras 不同。",
        "Which order do the three blocks have in the contract? PyTorch's differs from Keras's.",
    ),
)
UPDATE_HINTS = (
    (
        "把更新门固定为 1：新状态应当是旧状态，还是候选？",
        "Fix the update gate at 1: should the new state be the old one or the candidate?",
    ),
    (
        "论文里两种写法都有人用；看清这里约定哪一种。",
        "Papers use both ways; make sure which one this exercise has agreed on.",
    ),
)
RESET_HINTS = (
    (
        "重置门乘的是什么：旧状态本身，还是旧状态乘过矩阵、加过偏置之后的那一段？",
        "What does the reset gate multiply: the old state itself, or the block that comes out "
        "after the matrix and its bias?",
    ),
    (
        "把重置门固定为 0：候选里应当还剩下什么？",
        "Fix the reset gate at 0: what should be left in the candidate?",
    ),
)
BIAS_HINTS = (
    (
        "偏置有两行：第一行跟着输入，第二行跟着旧状态。",
        "The bias has two rows: the first goes with the input, the second with the old state.",
    ),
    (
        "两行各加一次；加在重置门的里面还是外面？",
        "Each is added once: inside or outside the reset gate?",
    ),
)
for _name, (_switch, _zh, _en, _hints) in {
    "update_gate_inverted": (
        {"update_keeps": "new"},
        "更新门的方向反了：这里约定门等于 1 时留下旧状态。",
        "The update gate works the other way round: here the old state stays where it is 1.",
        UPDATE_HINTS,
    ),
    "reset_before_the_product": (
        {"reset": "before_product"},
        "重置门乘在了矩阵乘法之前（Cho 等 2014 的写法）；这里约定乘在之后。",
        "The reset gate acts before the matrix product (as in Cho et al. 2014); here it acts after "
        "it.",
        RESET_HINTS,
    ),
    "reset_leaves_the_bias_out": (
        {"reset": "bias_outside"},
        "候选的第二行偏置加在了重置门外面；它应当一起被门乘到。",
        "The candidate's second bias is added outside the reset gate; the gate should multiply it "
        "too.",
        RESET_HINTS,
    ),
    "reset_gate_unused": (
        ({"reset": "missing"}, {"reset": "inverted"}),
        "重置门没有用上（或者用反了）。",
        "The reset gate isn't used (or is inverted).",
        RESET_HINTS,
    ),
    "reset_acts_on_the_input": (
        ({"reset": "on_input_too"}, {"reset": "on_input"}),
        "重置门乘到了输入那一股上；它只管旧状态。",
        "The reset gate multiplies what comes from the input; it only concerns the old state.",
        RESET_HINTS,
    ),
    "candidate_ignores_the_state": (
        {"reset": "no_state"},
        "候选没有看旧状态。",
        "The candidate doesn't look at the old state.",
        RESET_HINTS,
    ),
    "gates_change_places": (
        ({"reset": "update_in_its_place"}, {"combined": "reset_mixes"}),
        "更新门和重置门用错了地方。",
        "Update gate and reset gate are used in each other's place.",
        UPDATE_HINTS,
    ),
    "blocks_in_another_order": (
        tuple({"order": order} for order in GRU_ORDERS),
        "三段的次序不对：这里约定更新、重置、候选。",
        "The three blocks are taken in another order: here it is update, reset, candidate.",
        BLOCK_HINTS,
    ),
    "gate_uses_another_block": (
        tuple(
            {"copied": f"{gate}_from_{other}"}
            for gate in GRU_GATES
            for other in GRU_GATES
            if gate != other and "candidate" in (gate, other)  # or they change places
        ),
        "有一段用了两次，另一段没有用上：多半是复制粘贴以后忘了改名字。",
        "One block is used twice and another not at all: probably copied, pasted and not renamed.",
        BLOCK_HINTS,
    ),
    "blocks_interleaved": (
        {"order": "interleaved"},
        "每 3 列取一列了；三段是连续的，每段 H 列。",
        "Every third column is taken; the three blocks are contiguous, H columns each.",
        BLOCK_HINTS,
    ),
    "no_update_gate": (
        {"combined": "no_update"},
        "返回的是候选本身：更新门没有用上。",
        "It is the candidate that comes back: the update gate isn't used.",
        UPDATE_HINTS,
    ),
    "shares_do_not_add_up": (
        ({"combined": "added"}, {"combined": "old_added_whole"}, {"combined": "both_by_update"}),
        "旧状态和候选的份额加起来不是 1。",
        "The shares of old state and candidate don't add up to 1.",
        UPDATE_HINTS,
    ),
    "candidate_is_a_gate": (
        ({"candidate_activation": "sigmoid"}, {"candidate_activation": "none"}),
        "候选的激活函数不对：它是内容，用 tanh。",
        "The candidate has another activation: it is content and takes tanh.",
        UPDATE_HINTS,
    ),
    "gates_without_sigmoid": (
        tuple({"gate_activation": name} for name in ("tanh", "none", "relu", "softmax")),
        "门的激活函数不对：门在 0 和 1 之间，用 sigmoid。",
        "The gates have another activation: they lie between 0 and 1, by a sigmoid.",
        UPDATE_HINTS,
    ),
    "a_row_of_the_bias_is_missing": (
        ({"bias_use": "first_only"}, {"bias_use": "second_only"}, {"bias_use": "missing"}),
        "偏置的两行没有都加上。",
        "Not both rows of the bias are added.",
        BIAS_HINTS,
    ),
    "whole_bias_added": (
        tuple({"bias_use": f"whole_on_{stream}"} for stream in ("both", "input", "state")),
        "一次加上了整个偏置（两行）；每一股只加它自己的那一行。",
        "The whole bias, both rows, is added at once; each stream takes the row that is its own.",
        BIAS_HINTS,
    ),
    "rows_of_the_bias_mixed_up": (
        (
            {"bias_use": "exchanged"},
            {"bias_use": "first_twice"},
            {"bias_use": "second_twice"},
        ),
        "偏置的两行用错了地方：第一行跟着输入，第二行跟着旧状态，在候选里这有区别。",
        "The two rows of the bias are mixed up: the first goes with the input, the second with the "
        "old state, and for the candidate that makes a difference.",
        BIAS_HINTS,
    ),
    "a_pair_comes_back": (
        {"returned": "pair"},
        "返回了一对；GRU 只有一个状态，返回它就好。",
        "A pair comes back; a GRU has one state, and that is all it returns.",
        STATE_FORM_HINTS,
    ),
}.items():
    gru_step.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)
gru_step.misconception("in_a_tuple", **IN_A_TUPLE)


add_state_properties(gru_step)
