"""Notebook ch02, exercise 5: a small network scores every pair of query and key."""

from autograder.exercise import Exercise
from autograder.exercises.alignment_mistakes import (
    GRADIENT_LOST,
    PAPER_HINTS,
    SCORES,
    add_score_properties,
)
from autograder.exercises.ch02_2_scores import ATTENTION_LAYERS, LIBRARY, NOTEBOOK, earlier
from autograder.exercises.common import gradients, normal
from autograder.expectations import expect
from autograder.oracles import alignment, alignment_gradients

additive_score = Exercise(
    "additive_score",
    notebook=NOTEBOOK,
    points=4,
    library=f"{LIBRARY}:additive_score",
    forbids=ATTENTION_LAYERS,
    needs=earlier("additive_score"),
)


def network(rng, query_dim, key_dim, hidden_dim):
    """The two kernels and the last vector."""
    shapes = ((query_dim, hidden_dim), (key_dim, hidden_dim), (hidden_dim,))
    return [normal(rng, *shape) for shape in shapes]


@additive_score.case(
    points=2,
    zh="查询、键、隐藏层的大小都不同",
    en="queries, keys and hidden layer all differ in size",
)
def of_different_sizes_too(student, rng):
    """No axis can stand in for another."""
    inputs = [normal(rng, 2, 3, 4), normal(rng, 2, 5, 6), *network(rng, 4, 6, 7)]
    expect(student(*inputs)).equals(alignment.additive_score(*inputs))
    inputs = [normal(rng, 4, 5, 3), normal(rng, 4, 2, 8), *network(rng, 3, 8, 6)]
    expect(student(*inputs)).equals(alignment.additive_score(*inputs))


@additive_score.case(
    points=1,
    zh="大小碰巧相同：每一对都要算到；一句话、一个查询",
    en="equal sizes: still every pair; one sentence, one query",
)
def of_equal_sizes(student, rng):
    """As many queries as keys: without its own axis each query meets one key, and no error.

    One sentence and one query, as while decoding: their axes stay.
    """
    inputs = [normal(rng, 3, 4, 5), normal(rng, 3, 4, 5), *network(rng, 5, 5, 6)]
    expect(student(*inputs)).equals(alignment.additive_score(*inputs))
    inputs = [normal(rng, 1, 1, 3), normal(rng, 1, 4, 5), *network(rng, 3, 5, 4)]
    expect(student(*inputs)).equals(alignment.additive_score(*inputs))


@additive_score.case(points=1, zh="梯度能传回去", en="gradients flow back")
def gradients_flow(student, rng):
    """Against finite differences of the oracle."""
    inputs = [normal(rng, 2, 3, 4), normal(rng, 2, 4, 3), *network(rng, 4, 3, 5)]
    cotangent = normal(rng, 2, 3, 4)
    found = student.gradient(*inputs, wrt=(0, 1, 2, 4), cotangent=cotangent)
    expect(gradients(found, [inputs[i] for i in (0, 1, 2, 4)])).equals(
        alignment_gradients.additive_score(*inputs, cotangent), atol=1e-4, rtol=1e-3
    )


NETWORK_HINTS = (
    (
        "这是一个有一层隐藏单元的小网络。画出来：谁和谁相加，相加之后经过什么，最后怎样变成一个数？",
        "It is a small network with one hidden layer. Draw it: what is added to what, what does "
        "the sum go through, and how does it become one number?",
    ),
    (
        "全部取 1 维，在纸上算：q = 1，k = 2，两个矩阵都是 1，最后的权重是 3。",
        "Let every size be 1 and do it on paper: q = 1, k = 2, both kernels 1, the last weight 3.",
    ),
)
for _name in SCORES:
    additive_score.misconception(_name, **SCORES[_name])
for _name, _data in {
    "no_activation": dict(
        switch={"activation": "none"},
        zh="少了 tanh：没有它，查询那一项对所有的键都一样，softmax 之后就不起作用了。",
        en="The tanh is missing: without it a query adds the same to all keys, which the softmax "
        "drops.",
        hints=NETWORK_HINTS,
    ),
    "another_activation": dict(
        switch=({"activation": "relu"}, {"activation": "sigmoid"}),
        zh="激活函数不是 tanh。",
        en="The activation isn't tanh.",
        hints=NETWORK_HINTS,
    ),
    "activation_before_the_sum": dict(
        switch={"activation": "each_side"},
        zh="tanh 分别作用在了两边，然后才相加：那样查询和键就互不相干了。",
        en="The tanh acts on each side before they are added: then query and key have nothing to "
        "do with each other.",
        hints=NETWORK_HINTS,
    ),
    "activation_at_the_end": dict(
        switch={"activation": "after_sum"},
        zh="tanh 作用在了最后的分数上；它应当作用在隐藏单元上。",
        en="The tanh acts on the finished score; it belongs on the hidden units.",
        hints=NETWORK_HINTS,
    ),
    "scale_inside_the_activation": dict(
        switch={"activation": "of_scaled"},
        zh="scale 乘进了 tanh 里面；它应当乘在 tanh 的结果上，再求和。",
        en="The argument scale is multiplied in before the tanh; it belongs on what comes out of "
        "it, and then they are summed.",
        hints=NETWORK_HINTS,
    ),
    "last_axis_left": dict(
        switch={"output": "axis_left"},
        zh="最后还剩一个长度为 1 的轴：分数的形状是 (B, T, S)。",
        en="An axis of length 1 is left at the end: scores have the shape (B, T, S).",
        hints=PAPER_HINTS,
    ),
    "other_axes_squeezed": dict(
        switch={"output": "squeezed"},
        zh="只有一句话或一个查询时，它的轴也被压掉了：squeeze 不写 axis，会去掉所有长度为 1 的轴。",
        en="With one sentence or one query its axis is squeezed away too: squeeze without an axis "
        "drops every axis of length 1.",
        hints=(
            (
                "批次大小是 1 的时候，形状应当是什么？",
                "What should the shape be with a batch of one?",
            ),
            ("你想去掉的是哪一个轴？", "Which axis did you mean to drop?"),
        ),
    ),
    "last_weights_not_used": dict(
        switch={"counted": "unscaled"},
        zh="没有用上 scale：隐藏单元只是简单相加。",
        en="The argument scale isn't used: the hidden units are simply added up.",
        hints=NETWORK_HINTS,
    ),
    "hidden_units_not_summed": dict(
        switch={"counted": "nothing_summed"},
        zh="隐藏单元没有加起来：一个查询和一个键只该得到一个数。",
        en="The hidden units aren't added up: one query and one key should give one number.",
        hints=NETWORK_HINTS,
    ),
    "hidden_units_averaged": dict(
        switch={"counted": "averaged"},
        zh="对隐藏单元取了平均；应当求和。",
        en="The hidden units are averaged; they should be summed.",
        hints=NETWORK_HINTS,
    ),
    "sides_multiplied": dict(
        switch={"join": "product"},
        zh="两边相乘了；这一种分数叫“加性”，是把两边相加。",
        en="The two sides are multiplied; this score is called additive because they are added.",
        hints=NETWORK_HINTS,
    ),
    "sides_subtracted": dict(
        switch={"join": "difference"},
        zh="两边相减了；应当相加。",
        en="One side is taken from the other; they should be added.",
        hints=NETWORK_HINTS,
    ),
    "position_by_position": dict(
        switch={"join": "position_by_position"},
        zh="第 t 个查询只遇到了第 t 个键：相加之前，两边各缺一个轴，才能让每一对都相遇。",
        en="Query t meets key t only: before they are added each side needs an axis of its own, so "
        "that every pair meets.",
        hints=PAPER_HINTS,
    ),
    "kernels_exchanged": dict(
        switch={"kernels": "exchanged"},
        zh="两个矩阵用反了。",
        en="The two kernels are exchanged.",
        hints=NETWORK_HINTS,
    ),
    "one_kernel_for_both": dict(
        switch=({"kernels": "query_twice"}, {"kernels": "key_twice"}),
        zh="两边用了同一个矩阵；查询和键各有各的。",
        en="Both sides use one kernel; queries and keys have one each.",
        hints=NETWORK_HINTS,
    ),
    "gradient_lost": GRADIENT_LOST | dict(switch={"gradient": "lost"}),
}.items():
    additive_score.misconception(_name, **_data)
add_score_properties(additive_score)
