"""Notebook ch02, exercises 3 and 4: every query scores every key by a product."""

from autograder.exercise import Exercise
from autograder.exercises.alignment_mistakes import (
    BARE_HINTS,
    GRADIENT_LOST,
    PAPER_HINTS,
    PRODUCTS,
    add_score_properties,
)
from autograder.exercises.common import gradients, normal
from autograder.expectations import expect
from autograder.oracles import alignment, alignment_gradients

NOTEBOOK = "ch02_attention"
LIBRARY = "bert_keras.layers.alignment"
ATTENTION_LAYERS = (
    "keras.ops.dot_product_attention",
    "keras.ops.nn.dot_product_attention",
    "keras.layers.Attention",
    "keras.layers.AdditiveAttention",
    "keras.layers.MultiHeadAttention",
    "keras.layers.GroupQueryAttention",
)
BEFORE = ("mask_to_additive", "masked_softmax", "dot_score", "general_score", "additive_score")


def earlier(exercise_id):
    """The references of the exercises before this one, for `needs`."""
    names = BEFORE[: BEFORE.index(exercise_id)]
    return {name: f"{LIBRARY}:{name}" for name in names}


# ------------------------------------------------------------------ dot_score

dot_score = Exercise(
    "dot_score",
    notebook=NOTEBOOK,
    points=2,
    library=f"{LIBRARY}:dot_score",
    forbids=ATTENTION_LAYERS,
    needs=earlier("dot_score"),
)


@dot_score.case(points=1, zh="每个查询与每个键相乘", en="every query times every key")
def every_pair(student, rng):
    """Every size differs, so that no axis can stand in for another."""
    query, key = normal(rng, 3, 4, 6), normal(rng, 3, 5, 6)
    expect(student(query, key)).equals(alignment.dot_score(query, key))


@dot_score.case(
    points=1,
    zh="键数与维数相等；只有一个查询；梯度能传回去",
    en="as many keys as components; a single query; gradients flow back",
)
def where_shapes_forgive(student, rng):
    """With as many keys as components a forgotten transpose runs; one query keeps its axis."""
    query, key = normal(rng, 2, 3, 4), normal(rng, 2, 4, 4)
    expect(student(query, key)).equals(alignment.dot_score(query, key))
    query, key = normal(rng, 4, 1, 5), normal(rng, 4, 3, 5)
    expect(student(query, key)).equals(alignment.dot_score(query, key))
    inputs, cotangent = [normal(rng, 2, 3, 4), normal(rng, 2, 5, 4)], normal(rng, 2, 3, 5)
    found = student.gradient(*inputs, wrt=(0, 1), cotangent=cotangent)
    expect(gradients(found, inputs)).equals(
        alignment_gradients.dot_score(*inputs, cotangent), atol=1e-4, rtol=1e-3
    )


for _name, _data in PRODUCTS.items():
    dot_score.misconception(_name, **_data)
dot_score.misconception(
    "key_not_turned",
    switch={"turn": "none"},
    zh="键没有转过来：矩阵乘法沿着键的个数求了和；应当沿着分量求和。",
    en="The keys aren't turned: the product sums over the keys where it should sum over the "
    "components.",
    hints=PAPER_HINTS,
)
dot_score.misconception("gradient_lost", **GRADIENT_LOST)
add_score_properties(dot_score)

# ------------------------------------------------------------------ general_score

general_score = Exercise(
    "general_score",
    notebook=NOTEBOOK,
    points=3,
    library=f"{LIBRARY}:general_score",
    forbids=ATTENTION_LAYERS,
    needs=earlier("general_score"),
)


@general_score.case(
    points=1, zh="查询与键的维数不同，由矩阵接上", en="queries and keys of different sizes, joined"
)
def of_different_sizes(student, rng):
    """A decoder of 4 units looks at a bidirectional encoder of 2 × 3."""
    query, key, kernel = normal(rng, 3, 2, 4), normal(rng, 3, 5, 6), normal(rng, 4, 6)
    expect(student(query, key, kernel)).equals(alignment.general_score(query, key, kernel))
    query, key, kernel = normal(rng, 2, 5, 7), normal(rng, 2, 4, 3), normal(rng, 7, 3)
    expect(student(query, key, kernel)).equals(alignment.general_score(query, key, kernel))


@general_score.case(
    points=1, zh="维数相同：矩阵的方向也要对", en="equal sizes: the matrix must face the right way"
)
def of_one_size(student, rng):
    """Where the matrix is square it can be turned, or left out, without an error."""
    query, key, kernel = normal(rng, 2, 3, 4), normal(rng, 2, 4, 4), normal(rng, 4, 4)
    expect(student(query, key, kernel)).equals(alignment.general_score(query, key, kernel))
    query, key, kernel = normal(rng, 3, 4, 5), normal(rng, 3, 6, 5), normal(rng, 5, 5)
    expect(student(query, key, kernel)).equals(alignment.general_score(query, key, kernel))


@general_score.case(points=1, zh="梯度能传回去", en="gradients flow back")
def gradients_flow(student, rng):
    """To queries, keys and the matrix, against finite differences of the oracle."""
    inputs = [normal(rng, 2, 3, 4), normal(rng, 2, 5, 3), normal(rng, 4, 3)]
    cotangent = normal(rng, 2, 3, 5)
    found = student.gradient(*inputs, wrt=(0, 1, 2), cotangent=cotangent)
    expect(gradients(found, inputs)).equals(
        alignment_gradients.general_score(*inputs, cotangent), atol=1e-3, rtol=1e-3
    )


for _name, _data in PRODUCTS.items():
    if _name == "scores_scaled":  # here the two sizes differ
        _data = {**_data, "switch": (*_data["switch"], {"scale": "root_of_query"})}
    general_score.misconception(_name, **_data)
KERNEL_HINTS = (
    (
        "查询有 4 维、键有 6 维时，矩阵的形状是什么？谁从左边乘进来？",
        "With queries of 4 components and keys of 6, what shape has the matrix, and who comes to "
        "it from the left?",
    ),
    (
        "拿一个不对称的 2×2 矩阵，在纸上算一个分数。",
        "Take a 2 by 2 matrix that isn't symmetric and work out one score on paper.",
    ),
)
for _name, _data in {
    "kernel_turned": dict(
        switch={"kernel_use": "transposed"},
        zh="矩阵转置了：方阵时不报错，分数却不对。",
        en="The matrix is transposed: with a square one there is no error, but the scores are "
        "wrong.",
        hints=KERNEL_HINTS,
    ),
    "kernel_not_used": dict(
        switch={"kernel_use": "unused"},
        zh="没有用上矩阵：这只是点积。",
        en="The matrix isn't used: this is the plain dot product.",
        hints=KERNEL_HINTS,
    ),
    "key_not_turned": dict(
        switch={"turn": "none"},
        zh="键没有转过来：矩阵乘法沿着键的个数求了和；应当沿着分量求和。",
        en="The keys aren't turned: the product sums over the keys where it should sum over the "
        "components.",
        hints=PAPER_HINTS,
    ),
    "activation_added": dict(
        switch=({"activation": "tanh"}, {"activation": "tanh_of_score"}),
        zh="多了一个 tanh：这一种分数是双线性的，没有激活函数；tanh 属于下一题。",
        en="There is a tanh too many: this score is bilinear, without an activation; tanh belongs "
        "to the next exercise.",
        hints=BARE_HINTS,
    ),
    "gradient_lost": GRADIENT_LOST,
}.items():
    general_score.misconception(_name, **_data)
add_score_properties(general_score)
