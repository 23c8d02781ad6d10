"""Notebook ch02, exercise 8: where a decoder looks while it walks along the target."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.alignment_mistakes import add_shape_property
from autograder.exercises.ch02_2_scores import BEFORE, LIBRARY, NOTEBOOK
from autograder.exercises.ch02_4_cell import CELL
from autograder.exercises.common import normal, real_tokens
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles import attention_step

alignment_matrix = Exercise(
    "alignment_matrix",
    notebook=NOTEBOOK,
    points=4,
    library=f"{CELL}:alignment_matrix",
    needs={
        **{name: f"{LIBRARY}:{name}" for name in (*BEFORE, "context_vector")},
        "AttentionDecoderCell": f"{CELL}:AttentionDecoderCell",
    },
)


def asked(student, kernels, inputs, states, source, mask=None):
    """Ask for the matrix under a planted step and compare."""
    rest = () if mask is None else (mask,)
    actual = student(fixture("planted_step", *kernels), inputs, states, source, *rest)
    wanted = attention_step.alignment_matrix(*kernels, inputs, states, source, mask)
    expect(actual).equals(wanted, atol=2e-5)


def planted(rng, batch, length, path):
    """A step that looks at the places of ``path`` one after the other, whatever it is fed.

    Args:
        rng: generator.
        batch: B.
        length: source tokens S; every token is a direction of its own.
        path: T places, all different, T ≤ S - 1.

    Returns:
        The two kernels, inputs (B, T, 2), the states to begin with, and source (B, S, S).
    """
    follow = np.zeros((length, length), np.float32)
    start = next(place for place in range(length) if place not in path)
    for before, after in zip([start, *path], path, strict=False):
        follow[before, after] = 6.0
    state = np.tile(np.eye(length, dtype=np.float32)[start], (batch, 1))
    source = np.tile(12 * np.eye(length, dtype=np.float32), (batch, 1, 1))
    kernels = (np.zeros((2, length), np.float32), follow)
    return kernels, normal(rng, batch, len(path), 2), [state], source


def random_walk(rng, batch, targets, sources):
    """A step of which every look is a little of everything."""
    kernels = normal(rng, 3, 4), normal(rng, 4, 4) / 2
    inputs, state = normal(rng, batch, targets, 3), normal(rng, batch, 4) / 2
    return kernels, inputs, [state], 2 * normal(rng, batch, sources, 4)


@alignment_matrix.case(
    points=2, zh="埋好的对齐：照抄、倒序", en="planted alignments: a copy and a reversal"
)
def planted_copy_and_reversal(student, rng):
    """The copy takes five of seven tokens, the reversal five of six."""
    asked(student, *planted(rng, 2, 7, list(range(5))))
    asked(student, *planted(rng, 3, 6, [5, 4, 3, 2, 1]))


@alignment_matrix.case(points=1, zh="源句比译文长，译文比源句长", en="longer source, longer target")
def of_different_lengths(student, rng):
    """No axis can stand in for another; a single sentence keeps its axis."""
    asked(student, *random_walk(rng, 4, 6, 5))
    asked(student, *random_walk(rng, 1, 3, 5))


@alignment_matrix.case(points=1, zh="填充的列全是 0", en="columns of padding are 0")
def with_padding(student, rng):
    """Every source has a length of its own."""
    asked(student, *random_walk(rng, 3, 4, 6), real_tokens((6, 2, 4), 6))


WALK_HINTS = (
    (
        "走第 t 步要用到什么？它们各从哪里来？",
        "What does step t need, and where does each of these things come from?",
    ),
    (
        "先只走两步，把每一步之后的状态打印出来。",
        "Take two steps only and print the state after each.",
    ),
)
AXES_HINTS = (
    ("矩阵的一行属于哪个词？一列呢？", "To which word does a row belong, to which a column?"),
    (
        "把每一步得到的 (B, S) 摞起来，新的那一轴应当是第几轴？",
        "You stack arrays of shape (B, S), one per step: which axis should the new one be?",
    ),
)
for _name, _data in {
    "state_not_carried": dict(
        switch={"carried": "nothing"},
        zh="每一步都从最初的状态出发：上一步的状态没有传下去。",
        en="Every step begins with the initial states: those of the step before aren't carried on.",
        hints=WALK_HINTS,
    ),
    "rows_are_source": dict(
        switch={"axes": "source_target"},
        zh="行列反了：行是译文，列是源句。",
        en="Rows and columns are exchanged: rows are the target, columns the source.",
        hints=AXES_HINTS,
    ),
    "time_comes_first": dict(
        switch={"axes": "time_first"},
        zh="摞在了最前面：形状成了 (T, B, S)，应为 (B, T, S)。",
        en="The rows are stacked in front: the shape is (T, B, S) and should be (B, T, S).",
        hints=AXES_HINTS,
    ),
    "rows_end_to_end": dict(
        switch={"axes": "joined"},
        zh="各步的权重首尾相接成了一长条；应当摞成矩阵。",
        en="The rows are put end to end; they should be stacked into a matrix.",
        hints=AXES_HINTS,
    ),
    "list_of_rows": dict(
        switch={"axes": "list"},
        zh="返回的是 Python 列表；应当摞成一个张量。",
        en="It returns a Python list; the rows should be stacked into one tensor.",
        hints=AXES_HINTS,
    ),
    "outputs_collected": dict(
        switch=({"collected": "outputs"}, {"collected": "states"}),
        zh="收集的不是权重，而是输出（或状态）：看看 step 返回的三样各是什么。",
        en="What is collected isn't the weights but the outputs (or the states): look at the three "
        "things that step returns.",
        hints=WALK_HINTS,
    ),
    "last_row_only": dict(
        switch=({"collected": "last"}, {"collected": "last_in_a_stack"}),
        zh="只剩最后一步的权重。",
        en="Only the weights of the last step are left.",
        hints=WALK_HINTS,
    ),
    "stops_after_the_first_step": dict(
        switch={"collected": "first_in_a_stack"},
        zh="只走了一步就返回了：return 是不是缩进到循环里面去了？",
        en="It returns after the first step: does the return stand inside the loop?",
        hints=WALK_HINTS,
    ),
    "best_place_only": dict(
        switch=({"collected": "best_only"}, {"collected": "place"}),
        zh="每一行只留下了最大的一格（写成 1，或者写成它的位置）；要的是权重本身。",
        en="Only the largest entry of each row is kept, as a 1 or as its place; the weights "
        "themselves are wanted.",
        hints=AXES_HINTS,
    ),
    "mask_not_passed_on": dict(
        switch={"mask_use": "dropped"},
        zh="padding_mask 没有交给 step：填充的列也有权重。",
        en="padding_mask isn't handed to step: columns of padding get weight.",
        hints=(
            ("哪几列应当全是 0？", "Which columns should be 0 from top to bottom?"),
            ("step 要几个参数？你给了几个？", "How many arguments does step take, and how many do "
             "you pass?"),
        ),
    ),
    "first_step_left_out": dict(
        switch={"steps": "from_one"},
        zh="少了第一步：第一个输入也要走。",
        en="The first step is missing: the first input counts too.",
        hints=WALK_HINTS,
    ),
    "last_step_left_out": dict(
        switch={"steps": "one_short"},
        zh="少了最后一步：有几个输入就走几步。",
        en="The last step is missing: there are as many steps as inputs.",
        hints=WALK_HINTS,
    ),
    "walks_along_the_source": dict(
        switch={"steps": "source_length"},
        zh="步数取成了源句的长度；应当沿着译文走。",
        en="The number of steps is the length of the source; the walk goes along the target.",
        hints=WALK_HINTS,
    ),
    "walks_backwards": dict(
        switch={"order": "backwards"},
        zh="从最后一个输入往前走了。",
        en="The walk goes from the last input to the first.",
        hints=WALK_HINTS,
    ),
    "same_input_every_step": dict(
        switch={"fed": "first"},
        zh="每一步喂的都是第一个输入。",
        en="Every step is fed the first input.",
        hints=WALK_HINTS,
    ),
}.items():  # fmt: skip
    alignment_matrix.misconception(_name, **_data)
add_shape_property(alignment_matrix)


@alignment_matrix.property(
    "rows_sum_to_one", zh="有的行之和不是 1。", en="Some rows don't sum to one."
)
def rows_do_not_sum_to_one(seen):
    return not np.allclose(np.asarray(seen.actual).sum(axis=-1), 1, atol=1e-4)


@alignment_matrix.property(
    "first_row_is_right",
    zh="第一行就不对：第一步还没有用到后面的任何东西。",
    en="The first row is wrong already, and the first step needs nothing of what comes later.",
)
def first_row_is_wrong(seen):
    return not np.allclose(np.asarray(seen.actual)[:, 0], seen.expected[:, 0], atol=1e-4)


@alignment_matrix.property(
    "later_rows_follow",
    alone=True,
    zh="第一行对，后面的行不对：看看每一步之间传下去的是什么。",
    en="The first row is right and later ones aren't: look at what goes from step to step.",
)
def later_rows_are_wrong(seen):
    return not np.allclose(seen.actual, seen.expected, atol=1e-4)
