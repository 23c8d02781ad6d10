"""Notebook ch02, exercise 6: what the weights are for."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.alignment_mistakes import GRADIENT_LOST, add_shape_property
from autograder.exercises.ch02_2_scores import ATTENTION_LAYERS, BEFORE, LIBRARY, NOTEBOOK
from autograder.exercises.common import gradients, normal
from autograder.expectations import expect
from autograder.oracles import alignment, alignment_gradients

context_vector = Exercise(
    "context_vector",
    notebook=NOTEBOOK,
    points=3,
    library=f"{LIBRARY}:context_vector",
    forbids=ATTENTION_LAYERS,
    needs={name: f"{LIBRARY}:{name}" for name in BEFORE},
)


def some_weights(rng, *shape):
    """Weights of which every row sums to one, some of them nearly 0, some nearly 1."""
    return alignment.softmax(2 * normal(rng, *shape), -1)


@context_vector.case(points=1, zh="每个查询得到一个加权和", en="every query gets a weighted sum")
def weighted_sums(student, rng):
    """Every size differs."""
    weights, value = some_weights(rng, 3, 4, 5), normal(rng, 3, 5, 6)
    expect(student(weights, value)).equals(alignment.context_vector(weights, value))


@context_vector.case(
    points=1, zh="查询和键一样多；只有一个查询", en="as many queries as keys; a single query"
)
def where_shapes_forgive(student, rng):
    """Square weights can be turned without an error; a single query keeps its axis."""
    weights, value = some_weights(rng, 2, 4, 4), normal(rng, 2, 4, 3)
    expect(student(weights, value)).equals(alignment.context_vector(weights, value))
    weights, value = some_weights(rng, 3, 1, 5), normal(rng, 3, 5, 2)
    expect(student(weights, value)).equals(alignment.context_vector(weights, value))


@context_vector.case(points=1, zh="梯度能传回去", en="gradients flow back")
def gradients_flow(student, rng):
    """To weights and values, against finite differences of the oracle."""
    inputs, cotangent = [some_weights(rng, 2, 3, 4), normal(rng, 2, 4, 5)], normal(rng, 2, 3, 5)
    found = student.gradient(*inputs, wrt=(0, 1), cotangent=cotangent)
    expect(gradients(found, inputs)).equals(
        alignment_gradients.context_vector(*inputs, cotangent), atol=1e-4, rtol=1e-3
    )


ROW_HINTS = (
    (
        "把一行权重换成 (0, 1, 0)：输出应当正好是哪一个值？",
        "Make one row of weights (0, 1, 0): which value should come out?",
    ),
    (
        "把一行权重换成 (½, ½, 0)：输出应当在哪两个值的正中间？",
        "Make one row of weights (½, ½, 0): between which two values should the output lie?",
    ),
)
AXIS_HINTS = (
    ("输出的三个轴各是什么？", "What are the three axes of the output?"),
    ("求和的是哪一轴？它在输入里在哪里？", "Which axis is summed over, and where is it in each "
     "input?"),
)  # fmt: skip
for _name, _data in {
    "weights_turned": dict(
        switch={"mixing": "turned"},
        zh="权重转置了：每一行属于一个查询，沿着键求和。",
        en="The weights are turned: a row belongs to one query, and the sum runs over the keys.",
        hints=AXIS_HINTS,
    ),
    "sum_divided_by_keys": dict(
        switch={"divided": "by_keys"},
        zh="又除以了键的个数：权重之和已经是 1，不必再平均。",
        en="The sum is divided by the number of keys: the weights sum to one already.",
        hints=ROW_HINTS,
    ),
    "weights_not_used": dict(
        switch=({"mixing": "nothing"}, {"mixing": "nothing", "divided": "by_keys"}),
        zh="没有用上权重：所有的值一视同仁地相加（或平均）了。",
        en="The weights aren't used: all values are summed, or averaged, alike.",
        hints=ROW_HINTS,
    ),
    "softmax_again": dict(
        switch={"mixing": "softmax_again"},
        zh="又做了一次 softmax：权重本来就是 softmax 的结果。",
        en="A softmax is taken again: the weights come out of one already.",
        hints=ROW_HINTS,
    ),
    "normalised_over_queries": dict(
        switch={"mixing": "over_queries"},
        zh="权重又沿着查询的方向除了一遍；每一行的和已经是 1。",
        en="The weights are divided by their sums over the queries; each row sums to one already.",
        hints=AXIS_HINTS,
    ),
    "best_key_only": dict(
        switch={"mixing": "best_only"},
        zh="只取了权重最大的那个值；每个值都该按权重出一份。",
        en="Only the value with the largest weight is taken; each should contribute its share.",
        hints=ROW_HINTS,
    ),
    "products_not_summed": dict(
        switch={"output": "not_summed"},
        zh="乘了权重，却没有沿着键求和。",
        en="The values are weighted but not summed over the keys.",
        hints=AXIS_HINTS,
    ),
    "summed_over_queries": dict(
        switch={"output": "summed_over_queries"},
        zh="各个查询的结果被加在了一起；每个查询该有自己的一个。",
        en="The results of all queries are added up; each should have its own.",
        hints=AXIS_HINTS,
    ),
    "items_of_the_batch_mixed": dict(
        switch={"batch": "mixed"},
        zh="批里的各句串在了一起：权重只该用在同一句的值上。",
        en="The items of the batch are mixed: weights belong to the values of their own sentence.",
        hints=AXIS_HINTS,
    ),
    "output_turned": dict(
        switch={"output": "transposed"},
        zh="输出转置了：形状应为 (B, T, V)。",
        en="The output is turned: its shape should be (B, T, V).",
        hints=AXIS_HINTS,
    ),
    "query_axis_lost": dict(
        switch={"output": "squeezed"},
        zh="只有一个查询时，它的轴被压掉了；形状应当仍有三个轴。",
        en="With a single query its axis is squeezed away; there should still be three axes.",
        hints=AXIS_HINTS,
    ),
    "gradient_lost": GRADIENT_LOST,
}.items():
    context_vector.misconception(_name, **_data)

add_shape_property(context_vector)


@context_vector.property(
    "within_the_values",
    zh="输出跑到了所有值的外面：加权平均不会比最大的还大，也不会比最小的还小。",
    en="The output lies outside all values: a weighted mean is never above the largest nor below "
    "the smallest of them.",
)
def outside_the_values(seen):
    if seen.prediction.parts[0] != "context":
        return False
    value, actual = np.asarray(seen.args[1]), np.asarray(seen.actual)
    low, high = value.min(axis=1, keepdims=True), value.max(axis=1, keepdims=True)
    return bool(((actual < low - 1e-4) | (actual > high + 1e-4)).any())


@context_vector.property(
    "context_comes_out_right",
    alone=True,
    zh="形状对，数值不对：让一行权重只有一个 1，看看输出是哪个值。",
    en="The shape is right but the numbers aren't: let one row of weights have a single 1 and see "
    "which value comes out.",
)
def context_is_wrong(seen):
    return seen.prediction.parts[0] == "context" and not np.allclose(
        seen.actual, seen.expected, atol=1e-4
    )


@context_vector.property(
    "gradients_are_right",
    alone=True,
    zh="梯度不对；要是前面也有数值不对，先改数值。",
    en="The gradients are wrong; where values are wrong above, mend those first.",
)
def gradients_are_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
